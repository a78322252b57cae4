"""The parts of a submission packet: their titles, their order, and how one part refers to another."""

import re
from collections.abc import Sequence

from feltlab.submission.venues import Venue

COVER_LETTER = "Cover letter"
RULES = "Rules of play"
DEALING = "Dealing procedure"
MANUAL = "Training manual"
IRREGULARITIES = "Irregularities"
PAY_TABLES = "Pay tables"
EQUIPMENT = "Equipment and layout"
SIGNS = "Rack card and signs"
MATHEMATICS = "Mathematical report"
CHANGE_LOG = "Change log"
CONTROLS = "Internal controls"
DOSSIER = "Section 18 dossier"
CHECKLIST = "Approval checklist"

_REFERENCE = re.compile(r"\{([A-Z][\w ]+)\}")


def part_titles(venue: Venue) -> tuple[str, ...]:
    """The titles of the parts of a packet, in order; only some venues ask for a dossier."""
    before = (COVER_LETTER, RULES, DEALING, MANUAL, IRREGULARITIES, PAY_TABLES, EQUIPMENT)
    after = (SIGNS, MATHEMATICS, CHANGE_LOG, CONTROLS, *([DOSSIER] if venue.dossier else []), CHECKLIST)
    return (*before, *after)


def part_number(venue: Venue, title: str) -> int:
    return part_titles(venue).index(title) + 1


def name_part(venue: Venue, title: str) -> str:
    """'part 3'."""
    return f"part {part_number(venue, title)}"


def name_parts(venue: Venue, titles: Sequence[str]) -> str:
    """'part 3' or 'parts 3, 5 and 7', in order."""
    numbers = sorted(part_number(venue, title) for title in titles)
    if len(numbers) == 1:
        return f"part {numbers[0]}"
    return f"parts {', '.join(map(str, numbers[:-1]))} and {numbers[-1]}"


def fill_references(venue: Venue, text: str) -> str:
    """Text in which '{Rules of play}' has become 'part 2'."""
    return _REFERENCE.sub(lambda found: name_part(venue, found[1]), text)
