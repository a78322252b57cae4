"""Whole tables that a dealer deals: bets, strategies and timing of the seats, and the record of a table.

The cards and the bets follow from a seed, the choices from the named strategies of the seats, so a table can
be dealt again at any time and its record needs only the seed and the dealer's acts.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from feltlab.core.cards import Cards
from feltlab.core.game import Game
from feltlab.school.hands import TrainingHand, draw_table
from feltlab.school.progress import TABLE_DRILL
from feltlab.school.session import DealingSession
from feltlab.school.settling import count_outcomes
from feltlab.school.timing import load_timing
from feltlab.workers.seat_players import STAY_IN

BEST_SHARE = 0.5  # of the seats: they follow the first strategy, the best play
PLAYERS_STREAM, BETS_STREAM = 1, 2  # of a seed, beside that of cards and bets


@dataclass(frozen=True)
class TableSeed:
    """A table by its seed."""

    seed: int
    level: int
    seats: int

    def draw(self, *stream: int) -> np.random.Generator:
        return np.random.default_rng([self.seed, self.level, *stream])

    def deal(self, game: Game) -> tuple[Cards, tuple[dict[str, int], ...]]:
        """The cards, and the bets of each seat."""
        return draw_table(game, self.draw(), self.level, min(self.seats, game.seats))

    def build_hand(self, game: Game, chosen: tuple[tuple[str, ...], ...]) -> TrainingHand:
        """The hand with the choices of the seats."""
        return TrainingHand(game, *self.deal(game), chosen, self.level)

    def choose_strategies(self, names: Sequence[str]) -> tuple[str, ...]:
        """The strategy of each seat: the first one for about half of them, a simple rule without any."""
        if not names:
            return (STAY_IN,) * self.seats
        draw = self.draw(PLAYERS_STREAM)
        drawn = (names[int(draw.integers(len(names)))] for _ in range(self.seats))
        return tuple(names[0] if draw.random() < BEST_SHARE else name for name in drawn)

    def bet_seconds(self) -> list[float]:
        """The seconds that each seat takes to put down its bets."""
        draw, pause = self.draw(BETS_STREAM), load_timing().bet
        return [round(float(draw.uniform(pause.low, pause.high)), 1) for _ in range(self.seats)]


def describe_table(
    session: DealingSession, table: TableSeed, players: Sequence[str], seconds: float
) -> dict[str, Any]:
    """The record of a table that is over, as an event of the school's ledger has it."""
    return {
        "game": str(session.game),
        "drill": TABLE_DRILL,
        "seed": table.seed,
        "level": table.level,
        "seats": len(session.hand.wagers),
        "players": list(players),
        "acts": [act.to_json() for act in session.made],
        "right": not session.slips,
        "seconds": round(seconds, 1),
        "slips": [slip.to_json() for slip in session.slips],
        "met": dict(count_outcomes(session.hand.payments)),
        "cost": session.cost,
    }


@dataclass(frozen=True)
class RecordedTable:
    """A table on record."""

    number: int
    dealer: str
    at: str
    record: Mapping[str, Any]

    @property
    def key(self) -> tuple[Any, ...]:
        return table_key(self.dealer, self.record)

    def to_json(self) -> dict[str, Any]:
        return {"number": self.number, "dealer": self.dealer, "at": self.at, **self.record}


def table_key(dealer: str, record: Mapping[str, Any]) -> tuple[Any, ...]:
    """The same dealer, game and seed are the same table: it is on record once."""
    return dealer, *(record[name] for name in ("game", "seed", "level", "seats"))
