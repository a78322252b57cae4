"""The state of a deal after some choices: what lies where, and what the dealer has settled."""

from functools import lru_cache
from itertools import chain
from typing import NamedTuple, TypeVar

import numpy as np

from feltlab.core.cards import UNKNOWN
from feltlab.core.game import Game
from feltlab.core.layout import BOARD, DEALER
from feltlab.core.round import Round
from feltlab.core.settlement import Settled
from feltlab.kernel import Array

ENDS = -4  # after the last card, in place of a place: the dealer settles all that is left
Value = TypeVar("Value")
Payments = tuple[tuple[int, Settled], ...]  # seats and their wagers, in the dealer's order


class DealState(NamedTuple):
    """The state of a deal, filled card by card."""

    choices: tuple[tuple[str, ...], ...]  # of each seat, as far as it was its turn
    played: tuple[Array, ...]  # the same as the rules number them
    shoes: list[Array]  # a seat each
    turn: int | None
    receivers: list[int]  # of each card of the shoe so far: a seat, the dealer, or burnt
    looks: list[Payments]  # what was decided each time that the dealer stopped to settle, often nothing
    cards_before: list[int]  # the number of cards dealt before each of them
    rounds: dict[int, Round]  # of seats that the dealer looked at; they see cards that are dealt later
    counts: list[tuple[int, int]]  # at each stop at all seats: the wagers settled before and after
    due: Payments = ()  # what is to be taken and paid at the stop that the dealer has reached
    is_last_stop: bool = False

    def wait_for(
        self, turn: int | None = None, due: Payments = (), is_last_stop: bool = False
    ) -> "DealState":
        """The state in which a seat has to choose, or the dealer to settle what is due."""
        choices, played, shoes, _, receivers, looks, before, rounds, counts, _, _ = self
        filled = (receivers, looks, before, rounds, counts)
        return DealState(choices, played, shoes, turn, *filled, due, is_last_stop)

    @property
    def paid(self) -> Payments:
        return tuple(chain.from_iterable(self.looks))

    @property
    def pays_all(self) -> bool:
        """Whether every wager is settled once what is due has been settled."""
        staked = sum(len(round.staked_spots) for round in self.rounds.values())
        return bool(self.due) and len(self.paid) + len(self.due) == staked

    def settle(self) -> "DealState":
        """The state after what is due has been settled and nothing more is dealt."""
        choices, played, shoes, turn, receivers, looks, before, rounds, counts, due, _ = self
        looks, before = [*looks, due], [*before, len(receivers)]
        counts = [*counts, self.count_with(due)]
        return DealState(choices, played, shoes, turn, receivers, looks, before, rounds, counts)

    def count_with(self, due: Payments) -> tuple[int, int]:
        """The number of wagers settled before and after a stop that settles these."""
        before = sum(map(len, self.looks))
        return before, before + len(due)


def lay_shoes(seats: int, places: int) -> tuple[list[bytearray], list[Array]]:
    """A shoe of unknown cards for each seat: as bytes, which take a card quickly, and as an array of them."""
    felts = [bytearray(UNKNOWN.to_bytes(1, signed=True) * places) for _ in range(seats)]
    return felts, [np.frombuffer(felt, np.int8) for felt in felts]


def replace_at(values: tuple[Value, ...], at: int, value: Value) -> tuple[Value, ...]:
    """The values with another one at a place."""
    return (*values[:at], value, *values[at + 1 :])


@lru_cache(maxsize=256)
def shared_starts(game: Game) -> dict[int, int]:
    """By receiver of cards that all seats share, the first place of its area."""
    starts = game.area_starts
    return {to: starts[name] for to, name in ((DEALER, "dealer"), (BOARD, "board")) if name in starts}
