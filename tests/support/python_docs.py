"""The page docs/python.md, written from the docstrings of the public names. Written by

python -m tests.support.python_docs --write
"""

import inspect
import re
import sys
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from types import FunctionType
from typing import Any

import feltlab

PAGE = Path(__file__).parents[2] / "docs" / "python.md"
GROUPS = {
    "Games and rounds": ("GAMES", "Game", "Round", "Deal", "cards", "Cards", "Refused"),
    "Proofs": ("prove", "advise"),
    "Simulation": ("simulate",),
    "Analysis": ("audit", "par_sheet", "design"),
}
INTRODUCTION = """\
# feltlab from Python

`import feltlab` offers the names on this page; `from feltlab import *` brings all of them. Each is loaded on
first use. Everything is typed. Amounts of money are whole cents; stakes, nets and probabilities are exact
(`fractions.Fraction`), in units of a wager.

The page is written from the docstrings by `python -m tests.support.python_docs --write`. Its examples are run
as tests.
"""


def page() -> str:
    return "\n".join([INTRODUCTION, *_groups()]).rstrip() + "\n"


def _groups() -> Iterator[str]:
    for title, names in GROUPS.items():
        yield f"## {title}\n"
        for name in names:
            yield from _entry(name, getattr(feltlab, name))


def _entry(name: str, value: Any) -> Iterator[str]:
    yield f"### {name}\n"
    if inspect.isfunction(value):
        yield f"```python\n{name}{_signature(value)}\n```\n"
    yield format_docstring(inspect.getdoc(value) or "") + "\n"
    if inspect.isclass(value):
        yield from _members(value)


def _signature(function: Any) -> str:
    """The signature, a parameter a line, with types as they are written in the source."""
    signature = inspect.signature(function)
    lines = [f"    {_parameter(p)},\n" for p in signature.parameters.values()]
    if any(p.kind is p.KEYWORD_ONLY for p in signature.parameters.values()):
        first = next(n for n, p in enumerate(signature.parameters.values()) if p.kind is p.KEYWORD_ONLY)
        lines.insert(first, "    *,\n")
    return f"(\n{''.join(lines)}) -> {_type_name(signature.return_annotation)}"


def _parameter(parameter: inspect.Parameter) -> str:
    written = f"{parameter.name}: {_type_name(parameter.annotation)}"
    if parameter.default is parameter.empty:
        return written
    default = parameter.default
    shown = default.__name__ if callable(default) else "GAMES" if default is feltlab.GAMES else repr(default)
    return f"{written} = {shown}"


def _type_name(annotation: Any) -> str:
    """'Mapping[str, Fraction | int] | None', without the modules of the names."""
    written = inspect.formatannotation(annotation)
    return re.sub(r"\b(?:\w+\.)+(?=\w)", "", written)


def _members(kind: type) -> Iterator[str]:
    """The methods and properties that have a docstring of their own, with its first sentence."""
    rows = [
        (name, first_sentence(inspect.getdoc(value) or ""))
        for name, value in vars(kind).items()
        if not name.startswith("_") and inspect.getdoc(value) and _is_member(value)
    ]
    if rows:
        yield "| member | |\n|---|---|"
        yield from (f"| `{kind.__name__}.{name}` | {text} |" for name, text in rows)
        yield ""


def _is_member(value: Any) -> bool:
    return isinstance(value, FunctionType | property | classmethod | cached_property)


def first_sentence(text: str) -> str:
    return " ".join(text.split("\n\n")[0].split()).replace("|", "\\|")


def format_docstring(text: str) -> str:
    """A docstring as Markdown: examples become blocks of code."""
    parts = re.split(r"((?:^>>> .*\n?)(?:^.+\n?)*)", text, flags=re.M)
    return "\n".join(
        f"```pycon\n{part.rstrip()}\n```" if part.startswith(">>> ") else part.strip() + "\n"
        for part in parts
        if part.strip()
    )


if __name__ == "__main__":
    if "--write" in sys.argv:
        PAGE.write_text(page(), encoding="utf-8")
    else:
        print(page(), end="")
