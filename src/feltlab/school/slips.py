"""Slips of a dealer: what was wrong, the clause that it breaks, and its cost."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, TypedDict

from feltlab.school.rule_book import Citation

# The kinds of slips, in words for a page.
SLIP_TITLES: Mapping[str, str] = {
    "misread-hand": "Hand misread",
    "wrong-cards": "Wrong cards play",
    "wrong-qualification": "Dealer's qualification misjudged",
    "wrong-result": "Wager taken, pushed or paid wrongly",
    "wrong-amount": "Wrong amount",
    "wrong-chips": "More chips than needed",
    "wrong-order": "Wagers of a seat out of order",
    "wrong-direction": "Seats out of order",
    "missed-wager": "Wager not settled",
    "settled-twice": "Wager settled that was not due",
    "missed-call": "Call missed",
    "wrong-call": "Wrong call",
    "misdeal": "Card dealt to the wrong place",
    "early-turn": "Card turned at the wrong moment",
    "wrong-turn-to-choose": "Seat asked out of turn",
    "wrong-decision": "Irregularity decided wrongly",
    "wrong-limit": "Limit misjudged",
    "missed-error": "Planted error not seen",
    "false-alarm": "Nothing was wrong",
    "late-close": "Round not ended in order",
}


@dataclass(frozen=True)
class DealerSlip:
    """One slip, named with its clause. A cost is what a side loses by it, in cents; 0 if no money moves."""

    kind: str  # one of SLIP_TITLES
    what: str  # in a sentence
    clause: Citation
    house_cents: int = 0
    player_cents: int = 0
    wager: str = ""  # the spot and the outcome of a wager that was settled wrongly: 'ante: better hand'
    staked: int = 0  # on it, or on the wager that a bonus belongs to

    @property
    def title(self) -> str:
        return SLIP_TITLES[self.kind]

    @property
    def cost(self) -> int:
        """The cents that were moved wrongly, whichever side lost them."""
        return self.house_cents + self.player_cents

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "title": self.title, "cost": self.cost}


def read_slip(data: Mapping[str, Any]) -> DealerSlip:
    """A slip from plain data."""
    known = {name: data[name] for name in DealerSlip.__dataclass_fields__ if name in data}
    return DealerSlip(**known | {"clause": Citation(**data["clause"])})


class SlipCost(TypedDict, total=False):
    """The cost of a slip for each side, in cents."""

    house_cents: int
    player_cents: int


def split_cost(paid: int, due: int) -> SlipCost:
    """The cost of a payment that differs from the one due, for a `DealerSlip`."""
    return {"house_cents": max(0, paid - due), "player_cents": max(0, due - paid)}


def total_cost(slips: Iterable[DealerSlip]) -> int:
    return sum(slip.cost for slip in slips)
