"""The submitter of a packet: a small TOML file, and the options that a command adds to it.

Nothing here is required. A field that is not given is a line to fill in by hand; none is invented.
"""

import tomllib
from dataclasses import dataclass, fields, replace
from datetime import date
from pathlib import Path

from feltlab.errors import Refused
from feltlab.files import read_limited
from feltlab.games.data_files import FilePlace, build

MAX_SUBMITTER_BYTES = 1 << 16
MAX_FIELD_CHARS = 200
MAX_FIELD_LINES = 8


@dataclass(frozen=True)
class Submitter:
    """The sender of a packet."""

    company: str = ""
    address: tuple[str, ...] = ()
    licence: str = ""  # the number of the submitter's licence
    submission: str = ""  # the number of this submission
    version: str = ""  # of the game, as the submitter counts versions
    dated: date | None = None  # the letter
    contact: str = ""
    telephone: str = ""
    email: str = ""
    signed_by: str = ""  # name and title below the signature

    @property
    def texts(self) -> dict[str, tuple[str, ...]]:
        """Every text by the name of its field."""
        found = {field.name: getattr(self, field.name) for field in fields(self) if field.name != "dated"}
        return {name: value if isinstance(value, tuple) else (value,) for name, value in found.items()}


NOBODY = Submitter()  # every field is a line to fill in


def read_submitter(path: Path) -> Submitter:
    """The submitter of a TOML file; a mistake is one sentence with the file and the line."""
    content = read_limited(path, MAX_SUBMITTER_BYTES)
    try:
        text = content.decode()
        data = tomllib.loads(text)
    except UnicodeDecodeError:
        raise Refused(f"{path} is not a text in UTF-8.") from None
    except RecursionError:
        raise Refused(f"{path} is nested too deeply.") from None
    except ValueError as error:  # which names the line
        raise Refused(f"{path}: {error}.") from None
    place = FilePlace(str(path), tuple(text.splitlines()))
    found = build(Submitter, data, place)
    for name, texts in found.texts.items():
        if why := _why_not_printable(texts):
            raise place.refusal(f"{name!r} {why}", name)
    return found


def add_to_submitter(submitter: Submitter, submission: str | None, day: str | None) -> Submitter:
    """The submitter with the number and the date that a command gives for this packet."""
    if submission is not None:
        if why := _why_not_printable((submission,)):
            raise Refused(f"The submission number {why}.")
        submitter = replace(submitter, submission=submission)
    return submitter if day is None else replace(submitter, dated=_parse_date(day))


def _parse_date(text: str) -> date:
    try:
        found = date.fromisoformat(text)
    except ValueError:
        found = None
    if found is None or found.isoformat() != text:
        raise Refused(f"{text!r} is not a date, such as 2026-11-16.")
    return found


def _why_not_printable(texts: tuple[str, ...]) -> str:
    if len(texts) > MAX_FIELD_LINES:
        return f"has more than {MAX_FIELD_LINES} lines"
    if any(text and not text.strip() for text in texts):
        return "is blank"
    if any(len(text) > MAX_FIELD_CHARS for text in texts):
        return f"is longer than {MAX_FIELD_CHARS} characters"
    return "" if all(text.isprintable() for text in texts) else "has characters that cannot be printed"
