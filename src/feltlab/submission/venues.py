"""Venues: the kinds of place where a game is offered, who approves it there, and what the rules there ask.

Rule packs are data, `venues.toml`. A rule that the law has changed has the day from which it holds.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache

from feltlab.core.payout_rules import HighestWager, PayoutRules
from feltlab.errors import Unknown
from feltlab.games.data_files import build, read_data
from feltlab.text import listing

DEFAULT_VENUE = "commercial"


@dataclass(frozen=True)
class Cap:
    """The highest wager, from a day on and until the next cap begins."""

    dollars: int
    begins: date = date.min
    confirmed: bool = True  # is the day on which it begins known from the rule itself?

    @property
    def cents(self) -> int:
        return 100 * self.dollars

    @property
    def since(self) -> str:
        """'since 1 August 2023', or only the month where the day is not confirmed; '' for the first cap."""
        if self.begins == date.min:
            return ""
        day = f"{self.begins.day} " if self.confirmed else ""
        return f"since {day}{self.begins:%B} {self.begins.year}{'' if self.confirmed else ' (not confirmed)'}"


@dataclass(frozen=True)
class ChecklistStep:
    """Something that must be done before a game may be offered."""

    does: str  # '{Rules of play}' stands for the number of that part of the packet
    responsible: str
    reference: str
    confirmed: bool = True  # was the text of the rule or letter read?


@dataclass(frozen=True)
class DossierItem:
    """Something that a dossier has to show."""

    subject: str
    parts: tuple[str, ...] = ()  # titles of the parts of a packet that show it
    house: str = ""  # what only the house can add


@dataclass(frozen=True)
class Dossier:
    """Supplemental information that a venue's regulator asks for."""

    reference: str
    caution: str  # what is not known of the requirement
    item: tuple[DossierItem, ...]


@dataclass(frozen=True)
class Venue:
    """A kind of place, and what its regulator asks for."""

    name: str
    title: str
    approves: str
    address: tuple[str, ...]  # of the approver, for a letter; '' is a line to fill in
    salutation: str
    operator: str  # who offers the game there
    help_line: str  # where a player who gambles too much finds help
    caps: tuple[Cap, ...]  # empty where the venue sets its own limits
    limits_reference: str
    games_per_hand: int  # a table of more is refused; 0 where no rule says
    games_reference: str
    controls_reference: str  # asks for internal controls
    house_procedure: str  # where the papers leave a procedure to the house: which one applies here
    steps: tuple[ChecklistStep, ...]
    posting: tuple[str, ...] = ()  # what the house has to post
    dossier: Dossier | None = None
    payouts: PayoutRules | None = None  # where no rule about large prizes is known

    @property
    def highest_wager(self) -> HighestWager | None:
        """The cap that began last, with the rules about prizes; None where the venue sets its own limits."""
        if not self.caps:
            return None
        cap = self.caps[-1]
        return HighestWager(self.title, cap.cents, self.limits_reference, cap.since, self.payouts)

    def cap(self, day: date) -> int | None:
        """The highest wager on a day, in cents; None where no rule says."""
        found = self.cap_in_force(day)
        return found.cents if found else None

    def cap_in_force(self, day: date) -> Cap | None:
        return next((cap for cap in reversed(self.caps) if cap.begins <= day), None)


@cache
def venues() -> Mapping[str, Venue]:
    """All venues by name."""
    data, place = read_data("submission", "venues.toml")
    found = {}
    for name, entry in data.items():
        known = build(Venue, {"name": name, **entry}, place.child(name))
        if [cap.begins for cap in known.caps] != sorted(cap.begins for cap in known.caps):
            raise place.child(name).refusal("each cap begins after the one before it", "caps")
        found[name] = known
    return found


def venue(name: str) -> Venue:
    """A venue by name."""
    known = venues()
    if name not in known:
        raise Unknown(f"{name!r} is not a venue; the venues are {listing(known)}.")
    return known[name]
