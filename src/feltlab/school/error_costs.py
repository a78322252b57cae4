"""What a dealer's errors cost by the proofs: each error weighed by how often its outcome comes up.

An error at a rare outcome costs much once and little in an hour; one at a frequent outcome the other way
round. So the cost of a hand is the share of an outcome that the dealer settles wrongly, times the chance of
the outcome by the proof, times the cents that the errors move at one unit. All of it is per seat and for the
game's default stake.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from itertools import pairwise
from typing import Any

from feltlab.analysis.house_side import ROUNDS_PER_HOUR, UNIT_CENTS
from feltlab.core.game import Game
from feltlab.proving.proof import prove
from feltlab.school.progress import GameProgress
from feltlab.school.settling import name_spot_outcome
from feltlab.text import dollars

Odds = Mapping[str, Fraction]  # by outcome of a spot, as 'ante: better hand'
MAX_GAP_SECONDS = 300  # between two rounds of a table that is in play
MIN_ROUNDS = 20  # from which on a pace is measured


@dataclass(frozen=True)
class Pace:
    """The rounds an hour of a game, and where the number comes from."""

    rounds: int
    source: str


PAR_PACE = Pace(ROUNDS_PER_HOUR, "as in the PAR sheets")


def measure_pace(ends: Iterable[Iterable[str]]) -> Pace:
    """The pace of a house's own tables, from the moments at which rounds of each table ended, in order."""
    gaps: list[float] = []
    for moments in ends:
        times = [datetime.fromisoformat(moment) for moment in moments]
        found = ((after - before).total_seconds() for before, after in pairwise(times))
        gaps += [gap for gap in found if 0 < gap <= MAX_GAP_SECONDS]
    if len(gaps) < MIN_ROUNDS:
        return PAR_PACE
    return Pace(
        max(1, round(3600 * len(gaps) / sum(gaps))), f"measured over {len(gaps)} rounds of this house"
    )


def prove_odds(game: Game) -> Odds:
    """The chance of every outcome in a round of the default stake at best play."""
    tally = prove(game).tally
    return {
        name_spot_outcome(spot.name, outcome): Fraction(count, tally.deals)
        for spot in game.spots
        for outcome, count in tally.outcomes(spot).items()
    }


@dataclass(frozen=True)
class ErrorCost:
    """The errors of a dealer at one outcome of a wager."""

    wager: str  # 'ante: better hand'
    met: int  # times that it was to be settled
    wrong: int
    odds: Fraction  # of the outcome in a hand
    error_cents: Fraction  # that an error moves at one unit

    @property
    def hand_cents(self) -> Fraction:
        """The mean cost of a hand."""
        return self.odds * Fraction(self.wrong, self.met) * self.error_cents

    def hour_cents(self, pace: Pace) -> Fraction:
        return self.hand_cents * pace.rounds


def list_error_costs(progress: GameProgress, odds: Odds) -> list[ErrorCost]:
    """The costs of all outcomes that a dealer has settled wrongly, the dearest first."""
    found = [
        ErrorCost(
            wager,
            max(progress.met[wager], wrong),
            wrong,
            odds.get(wager, Fraction(0)),
            Fraction(UNIT_CENTS * progress.wrong_cents[wager], progress.wrong_staked[wager]),
        )
        for wager, wrong in progress.wrong.items()
        if progress.wrong_staked[wager]
    ]
    return sorted(found, key=lambda cost: -cost.hand_cents)


def describe_error_costs(progress: GameProgress, odds: Odds, pace: Pace = PAR_PACE) -> dict[str, Any]:
    """The costs as plain data, with the stake and the pace that they hold for."""
    costs = list_error_costs(progress, odds)
    hand = sum((cost.hand_cents for cost in costs), Fraction(0))
    return {
        "hand_cents": round(float(hand), 2),
        "hour_cents": round(hand * pace.rounds),
        "basis": describe_basis(pace),
        "wagers": [
            {
                "wager": cost.wager,
                "met": cost.met,
                "wrong": cost.wrong,
                "odds": float(cost.odds),
                "error_cents": round(cost.error_cents),
                "hand_cents": round(float(cost.hand_cents), 2),
                "hour_cents": round(cost.hour_cents(pace)),
            }
            for cost in costs
        ],
    }


def describe_basis(pace: Pace) -> str:
    """'per seat with $10 on each wager, 60 rounds an hour as in the PAR sheets'."""
    return f"per seat with {dollars(UNIT_CENTS)} on each wager, {pace.rounds} rounds an hour {pace.source}"
