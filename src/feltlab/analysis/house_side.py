"""The house's side of a PAR sheet: a full table over an hour, a day and a month, and a player's session."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from feltlab.analysis.session import (
    DEFAULT_BANKROLL_STAKES,
    DEFAULT_SEATS,
    Month,
    RoundLaw,
    SessionPlan,
    foresee,
)
from feltlab.proving.proof import Proof, cache_key
from feltlab.proving.store import cached_json
from feltlab.simulation.seat_covariance import seat_covariance

UNIT_CENTS = 1000  # the default amount of a unit of the stake
ROUNDS_PER_HOUR = 60
SESSION_HOURS = 4
SPAN_HOURS = {"an hour": 1, "a day of 16 hours": 16, "30 such days": 480}  # of one table


@dataclass(frozen=True)
class HouseSide:
    """A table with every seat taken by players of one stake and strategy, and the session of one of them."""

    wagers: Mapping[str, int]  # of each seat, in cents
    bet: int  # cents per unit
    law: RoundLaw
    seats: int
    covariance: float  # of two seats, in cents squared
    session: Mapping[str, Any]  # from `Prospect.as_json`
    exposures: Mapping[str, int]  # the most that each wager of a seat can win, raises included, in cents

    @cached_property
    def spans(self) -> dict[str, Month]:
        return {name: self._month(hours * ROUNDS_PER_HOUR) for name, hours in SPAN_HOURS.items()}

    def _month(self, rounds: int) -> Month:
        played = self.session["average"]["rounds"]["value"]
        bankroll = self.session["bankroll"]
        return Month(self.law, 1, self.seats, rounds, bankroll, played, self.covariance)

    @property
    def correlation(self) -> float:
        """The correlation of the nets of two seats in a round."""
        return self.covariance / float(self.law.variance)

    @property
    def exposure(self) -> int:
        """An upper bound of what a round can cost the house, in cents: every seat wins its most at once."""
        return self.seats * max(self.law.nets)

    def as_json(self) -> dict[str, Any]:
        return {
            "unit": "cents",
            "bet": self.bet,
            "wagers": dict(self.wagers),
            "seats": self.seats,
            "rounds_per_hour": ROUNDS_PER_HOUR,
            "largest_exposure": self.exposure,
            "largest_exposure_of_a_seat": dict(self.exposures),
            "spans": {name: span.as_json() for name, span in self.spans.items()},
            "session": {"hours": SESSION_HOURS, **self.session},
        }


def house_side(proof: Proof, put: Mapping[str, int], bet: int, law: RoundLaw) -> HouseSide:
    """The house's side of a proof; the seat covariance and the session are stored, as laws are."""
    seats, session = min(DEFAULT_SEATS, proof.game.seats), _foresee_session(law, sum(put.values()))
    key = ["seats", cache_key(proof.game, proof.stake, proof.strategy), _nets_key(law)]
    shared = cached_json(key, lambda: seat_covariance(proof, put).value) if seats > 1 else 0.0
    return HouseSide(put, bet, law, seats, shared, session, _exposures(proof, put))


def _exposures(proof: Proof, put: Mapping[str, int]) -> dict[str, int]:
    """The largest net of each wager. Nets are whole cents: `RoundLaw` checks that the wagers are."""
    largest = {bet: max(o.net for o in proof.outcomes(proof.game.spot(bet))) for bet in put}
    return {bet: int(cents * largest[bet]) for bet, cents in put.items()}


def _foresee_session(law: RoundLaw, first_wagers: int) -> Mapping[str, Any]:
    """The session of a player who buys in for the usual bankroll."""
    plan = SessionPlan(
        law, SESSION_HOURS * ROUNDS_PER_HOUR, max(law.need, DEFAULT_BANKROLL_STAKES * first_wagers)
    )
    key = ["session", _nets_key(law), str(law.average), plan.rounds, plan.bankroll, law.need]
    found: Mapping[str, Any] = cached_json(key, lambda: foresee(plan).as_json())
    return found


def _nets_key(law: RoundLaw) -> dict[str, str]:
    return {str(net): str(chance) for net, chance in law.nets.items()}
