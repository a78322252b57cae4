"""Text that others wrote, made harmless for terminals, logs and spreadsheets.

The ledger keeps names and notes as they were written; whoever prints or exports them uses these functions.
"""

import json
import re
import unicodedata
from typing import Any

_PLAIN_NUMBER = re.compile(r"[+-]?\d[\d.,]*([/eE][+-]?\d+)?%?", re.ASCII)
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")


def _is_control(char: str) -> bool:
    """Whether a character does something instead of being seen; spaces of any width do not."""
    return not char.isprintable() and unicodedata.category(char) != "Zs"


def show_controls(text: str, keep: str = "") -> str:
    """Text for a terminal or a log: control and direction characters as escapes, others as they are.

    >>> show_controls("red \\x1b[31m, reversed \\u202e")
    'red \\\\x1b[31m, reversed \\\\u202e'
    """
    if text.isprintable():
        return text
    return "".join(char if char in keep or not _is_control(char) else repr(char)[1:-1] for char in text)


def show_all_controls(data: Any) -> Any:
    """Plain data with every text in it as `show_controls` shows it."""
    if isinstance(data, str):
        return show_controls(data)
    if isinstance(data, dict):
        return {show_all_controls(name): show_all_controls(value) for name, value in data.items()}
    return [show_all_controls(value) for value in data] if isinstance(data, list | tuple) else data


def escape_json(text: str) -> str:
    """A JSON text with escapes for all characters that cannot be printed; its content stays the same."""
    if text.isprintable():
        return text
    return "".join(json.dumps(char)[1:-1] if _is_control(char) else char for char in text)


def guard_cell(value: Any) -> Any:
    """A cell of CSV that no spreadsheet takes for a formula: such text gets an apostrophe before it.

    >>> guard_cell("=1+1"), guard_cell("-0.5")
    ("'=1+1", '-0.5')
    """
    if not isinstance(value, str) or _PLAIN_NUMBER.fullmatch(value):
        return value
    return f"'{show_controls(value)}" if value.startswith(_FORMULA_STARTS) else show_controls(value)
