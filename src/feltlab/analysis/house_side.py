"""The house's side of a PAR sheet: a full table over an hour, a day and a month, and a player's session."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from feltlab.analysis.month import Month
from feltlab.analysis.session import (
    DEFAULT_BANKROLL_STAKES,
    DEFAULT_SEATS,
    Estimate,
    RoundLaw,
    SessionPlan,
    foresee,
)
from feltlab.proving.proof import Proof, cache_key
from feltlab.proving.store import cached_json
from feltlab.simulation.seat_covariance import NO_COVARIANCE, Covariance, seat_covariance

UNIT_CENTS = 1000  # the default amount of a unit of the stake
ROUNDS_PER_HOUR = 60
SESSION_HOURS = 4
DAY_HOURS = 16
SPAN_HOURS = {
    "an hour": 1,
    f"a day of {DAY_HOURS} hours": DAY_HOURS,
    "30 such days": 30 * DAY_HOURS,
}  # of a table


@dataclass(frozen=True)
class HouseSide:
    """A table with every seat taken by players of one stake and strategy, and the session of one of them."""

    wagers: Mapping[str, int]  # of each seat, in cents
    bet: int  # cents per unit
    law: RoundLaw
    seats: int
    shared: Covariance  # of the nets of two seats, in cents squared
    session: Mapping[str, Any]  # from `Prospect.as_json`
    exposures: Mapping[str, int]  # the most that each wager of a seat can win, raises included, in cents

    @cached_property
    def spans(self) -> dict[str, Month]:
        return {name: self._month(hours * ROUNDS_PER_HOUR) for name, hours in SPAN_HOURS.items()}

    def _month(self, rounds: int) -> Month:
        played = self.session["average"]["rounds"]["value"]
        bankroll = self.session["bankroll"]
        shared = self.shared.value, self.shared.error
        return Month(self.law, 1, self.seats, rounds, bankroll, played, *shared)

    @property
    def correlation(self) -> Estimate:
        """The correlation of the nets of two seats in a round; its error is 0 where it is counted."""
        variance = float(self.law.variance)
        return Estimate(self.shared.value / variance, self.shared.error / variance)

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
            "seat_correlation": self.correlation.as_json(),
            "rounds_per_hour": ROUNDS_PER_HOUR,
            "largest_exposure": self.exposure,
            "largest_exposure_of_a_seat": dict(self.exposures),
            "largest_exposure_of_a_table": {bet: one * self.seats for bet, one in self.exposures.items()},
            "largest_net_of_a_seat": max(self.law.nets),
            "spans": {name: span.as_json() for name, span in self.spans.items()},
            "session": {"hours": SESSION_HOURS, **self.session},
        }


def house_side(proof: Proof, put: Mapping[str, int], bet: int, law: RoundLaw) -> HouseSide:
    """The house's side of a proof; the seat covariance and the session are stored, as laws are."""
    seats, session = min(DEFAULT_SEATS, proof.game.seats), _foresee_session(law, sum(put.values()))
    shared = _seat_covariance(proof, put, law) if seats > 1 else NO_COVARIANCE
    return HouseSide(put, bet, law, seats, shared, session, _exposures(proof, put))


def _seat_covariance(proof: Proof, put: Mapping[str, int], law: RoundLaw) -> Covariance:
    options = dict(proof.game.options)  # an option may change how seats move together, and no law
    key = ["covariance of seats", options, cache_key(proof.game, proof.stake, proof.strategy), _nets_key(law)]

    def compute() -> list[float]:
        found = seat_covariance(proof, put)
        return [found.value, found.error]

    return Covariance(*cached_json(key, compute))


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
