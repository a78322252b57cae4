"""The sign-off page: what was proved, by which program, and who answers for it."""

import datetime
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from feltlab import __version__
from feltlab.analysis.par_sheet import ParSheet
from feltlab.errors import Refused
from feltlab.kernel import whole_source_digest
from feltlab.report.document import Paragraph, Section, TableBlock, columns
from feltlab.report.documents.wager_costs import describe_stake

MAX_NAME_CHARS = 80
LINE, SHORT_LINE = "_" * 44, "_" * 20  # to be filled in by hand


@dataclass(frozen=True)
class SignOff:
    """The date of a proof and the people behind it; what is empty is left to be filled in by hand."""

    date: str = ""  # YYYY-MM-DD
    author: str = ""
    reviewer: str = ""

    def __post_init__(self) -> None:
        if self.date and not _is_date(self.date):
            raise Refused(f"{self.date!r} is not a date, such as 2026-03-31.")
        for role, name in (("author", self.author), ("reviewer", self.reviewer)):
            _check_name(role, name)

    def as_json(self) -> dict[str, Any]:
        return {
            "program": "feltlab",
            "version": __version__,
            "sources_digest": whole_source_digest(),
            "date": self.date or None,
            "author": self.author or None,
            "reviewer": self.reviewer or None,
        }


def _is_date(text: str) -> bool:
    try:
        return bool(re.fullmatch(r"\d{4}-\d\d-\d\d", text, re.ASCII) and datetime.date.fromisoformat(text))
    except ValueError:
        return False


def _check_name(role: str, name: str) -> None:
    if len(name) > MAX_NAME_CHARS:
        raise Refused(f"The name of the {role} has more than {MAX_NAME_CHARS} characters.")
    if any(unicodedata.category(char)[0] == "C" or char in "\u2028\u2029" for char in name):
        raise Refused(f"The name of the {role} must be one line without control characters.")
    if name and not name.strip():
        raise Refused(f"The name of the {role} is blank.")


UNSIGNED = SignOff()

Facts = tuple[tuple[str, str], ...]

SAME_BYTES = (
    "The digest of the sources covers every file of the program that proves: the rules, the counting and the "
    "figures. The same sources make the same {document}, byte for byte."
)


def sign_off_sections(sheet: ParSheet, signed: SignOff) -> Iterator[Section]:
    """The sign-off page of a PAR sheet."""
    facts = (
        ("digest of the rules", sheet.game.digest),
        ("stake", describe_stake(sheet.game, sheet.proof.stake)),
        ("strategy", sheet.proof.strategy),
        ("combinations", f"{sheet.proof.tally.deals:,}"),
    )
    accepted = "This sheet is accepted as the mathematical report of the game."
    return sign_off_page(signed, facts, "sheet", accepted)


def sign_off_page(signed: SignOff, facts: Facts, document: str, accepted: str) -> Iterator[Section]:
    """The program, the facts that identify a proof, and lines for those who answer for it."""
    rows = (
        ("program", f"feltlab {__version__}"),
        ("digest of the program's sources", whole_source_digest()),
        *facts,
        ("date of the proof", signed.date or SHORT_LINE),
    )
    text = Paragraph(SAME_BYTES.format(document=document))
    yield Section("Sign-off", (TableBlock(columns("item", "value"), rows), text), new_page=True)
    yield _lines("Author", "I made this proof with the program above.", signed.author)
    yield _lines("Reviewer", "I followed the method, and I checked the figures.", signed.reviewer)
    yield _lines("Accepted", accepted, "")


def _lines(title: str, text: str, name: str) -> Section:
    lines = (f"Name: {name or LINE}", f"Signature: {LINE}", f"Date: {SHORT_LINE}")
    return Section(title, (Paragraph(text), *map(Paragraph, lines)), level=2)
