"""Settled wagers: the outcome of each, and all wagers of a round together."""

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Any

from feltlab.core.game import Game
from feltlab.core.layout import Spot
from feltlab.errors import Unknown
from feltlab.text import signed_dollars
from feltlab.values import set_frozen


@dataclass(frozen=True)
class Settled:
    """A wager that has been settled."""

    spot: Spot
    outcome: str
    result: str  # win, push, lose or refund
    staked: int  # cents on the felt
    net: int  # cents won or lost
    why: str  # the hands behind the outcome, in words

    def __getattr__(self, name: str) -> Any:
        """Compute `why` on first use: a ledger never needs it, and wording takes longest."""
        if name != "why" or "_describe" not in vars(self):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        set_frozen(self, why=vars(self)["_describe"]())
        return self.why

    def __reduce__(self) -> tuple[Any, ...]:
        return Settled, tuple(getattr(self, field.name) for field in fields(self))

    def __str__(self) -> str:
        """'Ante: better hand, +$5 (Pair of Kings against Queen high)'."""
        return f"{self.spot.title}: {self.outcome}, {signed_dollars(self.net)} ({self.why})"

    @property
    def returned(self) -> int:
        """The cents that the player takes back from the felt, winnings included."""
        return self.staked + self.net


@dataclass(frozen=True)
class Settlement:
    """All settled wagers of a round, in the order in which the dealer settles them."""

    wagers: tuple[Settled, ...]

    def __str__(self) -> str:
        """A line for each wager."""
        return "\n".join(map(str, self.wagers))

    def __getitem__(self, spot: str) -> Settled:
        for settled in self.wagers:
            if settled.spot.name == spot:
                return settled
        raise Unknown(f"No wager on {spot!r} was settled.")

    @property
    def staked(self) -> int:
        return sum(settled.staked for settled in self.wagers)

    @property
    def net(self) -> int:
        return sum(settled.net for settled in self.wagers)


def in_order(game: Game, settled: Iterable[Settled]) -> tuple[Settled, ...]:
    """Settled wagers in the order of the felt."""
    return tuple(sorted(settled, key=lambda wager: game.spots.index(wager.spot)))
