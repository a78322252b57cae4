"""The proof of a progressive at a game: everything that its mathematics says, as one value."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from feltlab.analysis.progressives.joint_play import JointPlay, solve_joint_play
from feltlab.analysis.progressives.level_prizes import shared_meters
from feltlab.analysis.progressives.meter_simulation import (
    MeterHistory,
    bets_to_simulate,
    measure_returns,
    simulate_meter,
)
from feltlab.analysis.progressives.play_chances import chances_at, depends_on_play
from feltlab.analysis.progressives.returns import PERCENTILES, ProgressiveReturns, must_hit_break_even
from feltlab.core.game import Game
from feltlab.core.stake import Stake
from feltlab.errors import Refused
from feltlab.progressives.claims import attach
from feltlab.progressives.progressive import Meter, Progressive
from feltlab.progressives.progressive_file import digest_progressive
from feltlab.proving.exact_numbers import exact

SEED = 20  # of the simulation, so that a proof prints the same digits every time


@dataclass(frozen=True)
class HitClock:
    """How often bets are made: for the time between two jackpots."""

    tables: int = 1
    seats: int = 5  # with a bet, on average
    rounds_an_hour: int = 40
    hours_a_day: int = 16

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if not 1 <= value <= 10_000:
                raise Refused(f"{name.replace('_', ' ')} is a number from 1 to 10,000, not {value}.")

    @property
    def bets_a_day(self) -> int:
        return self.tables * self.seats * self.rounds_an_hour * self.hours_a_day

    def days(self, bets: Fraction | int) -> Fraction:
        return Fraction(bets) / self.bets_a_day

    def rounds(self, bets: Fraction | int) -> Fraction:
        """Rounds of one table in which this many bets are made."""
        return Fraction(bets) / (self.tables * self.seats)


@dataclass(frozen=True)
class ProgressiveProof:
    """A progressive at a game, with the clock of a house and the main game's stake."""

    progressive: Progressive
    game: Game
    returns: ProgressiveReturns
    clock: HitClock
    stake: Stake
    unit_cents: int

    @cached_property
    def joint(self) -> JointPlay | None:
        """The joint best play with the first meter; None where game and jackpot are played apart."""
        return next(iter(self.joints.values()), None)

    @cached_property
    def joints(self) -> dict[str, JointPlay]:
        """The joint best play with each meter that hands win, the other meters at their means."""
        if not depends_on_play(attach(self.progressive, self.game)):
            return {}
        meters = shared_meters(self.progressive)
        means = {meter.name: self.mean_cents(meter) for meter in meters}
        return {
            meter.name: solve_joint_play(
                self.progressive, self.game, self.stake, self.unit_cents, meter.name, means
            )
            for meter in meters
        }

    def mean_cents(self, meter: Meter) -> int:
        """The mean amount that a bet sees on a meter, in whole cents as a display shows it."""
        return int(self.returns.mean_seen(meter))

    @cached_property
    def histories(self) -> dict[str, MeterHistory]:
        """Simulations of the meters whose law has no closed form, by name."""
        random = np.random.default_rng(SEED)
        return {
            meter.name: simulate_meter(self.returns, meter, bets_to_simulate(self.returns, meter), random)
            for meter in self.progressive.meters
            if self.is_simulated(meter)
        }

    def is_simulated(self, meter: Meter) -> bool:
        return not meter.must_hit and not self.returns.is_closed(meter)

    def percentiles(self, meter: Meter) -> dict[int, Fraction]:
        """Percentiles of the winning amount in cents: exact, or simulated."""
        return {n: self.win_percentile(meter, n) for n in PERCENTILES}

    def win_percentile(self, meter: Meter, percent: int) -> Fraction:
        """The amount in cents that a win does not exceed in this percentage of wins: exact, or simulated."""
        if meter.must_hit:
            return meter.must_hit.amount_at(Fraction(percent, 100))
        if self.is_simulated(meter):
            return Fraction(round(self.histories[meter.name].percentile(percent)))
        return self.returns.percentile(meter, percent)

    def win_law(self, meter: Meter) -> list[tuple[int, Fraction]]:
        """The law of the winning amount: every percentile from 1 to 99, in cents."""
        return [(n, self.win_percentile(meter, n)) for n in range(1, 100)]

    def break_even_of(self, meter: Meter) -> Fraction | None:
        if meter.must_hit:
            return must_hit_break_even(meter, 1 - self.return_without(meter))
        return self.returns.break_even(meter)

    def return_without(self, meter: Meter) -> Fraction:
        """The return of a bet without one meter, the other meters at their means."""
        if meter.must_hit:
            return self.returns.long_run - self.returns.must_hit_return(meter)
        others = {m.name: self.returns.mean_seen(m) if m != meter else 0 for m in self.progressive.meters}
        secret = (self.returns.must_hit_return(m) for m in self.progressive.meters)
        return self.returns.return_at(others) + sum(secret, Fraction(0))

    def as_json(self) -> dict[str, Any]:
        returns = self.returns
        return {
            "progressive": self.progressive.name,
            "title": self.progressive.title,
            "status": self.progressive.status,
            "digest": digest_progressive(self.progressive),
            "game": self.game.name,
            "bet_cents": self.progressive.bet_cents,
            "levels": [
                {
                    "level": line.level.name,
                    "chance": exact(line.chance),
                    "bets_per_hit": exact(1 / line.chance) if line.chance else None,
                    "days_per_hit": exact(self.clock.days(1 / line.chance)) if line.chance else None,
                    "mean_cents": exact(line.mean_cents),
                    "returned": exact(line.returned),
                }
                for line in returns.level_returns()
            ],
            "fixed": exact(returns.fixed),
            "long_run": exact(returns.long_run),
            "conserved": exact(returns.conserved),
            "envy_per_other_seat": exact(returns.envy()),
            "meters": {meter.name: self._meter_json(meter) for meter in self.progressive.meters},
            "clock": vars(self.clock) | {"bets_a_day": self.clock.bets_a_day},
            "joint": self.joint.as_json(self.mean_cents(self.joint.meter)) if self.joint else None,
            "joints": {
                name: joint.as_json(self.mean_cents(joint.meter)) for name, joint in self.joints.items()
            },
        }

    @property
    def seen_cents(self) -> int:
        """The mean amount that a bet sees on the first meter."""
        return self.mean_cents(self.progressive.meters[0])

    def _meter_json(self, meter: Meter) -> dict[str, Any]:
        even, rate = self.break_even_of(meter), self.returns.win_rate(meter)
        history = self.histories.get(meter.name) if self.is_simulated(meter) else None
        return {
            "slope_per_cent": exact(self.returns.slope(meter)),
            "break_even_cents": None if even is None else exact(even),
            "mean_seen_cents": exact(self.returns.mean_seen(meter)),
            "win_chance": exact(rate),
            "bets_per_win": exact(1 / rate),
            "rounds_per_win": exact(self.clock.rounds(1 / rate)),
            "days_per_win": exact(self.clock.days(1 / rate)),
            "clock_percentiles_bets": {
                str(n): self.returns.clock_percentile(meter, n) for n in PERCENTILES
            },
            "seed_cents": meter.seed_cents,
            "cap_cents": meter.cap_cents,
            "must_hit_return": exact(self.returns.must_hit_return(meter)) if meter.must_hit else None,
            "return_without_it": exact(self.return_without(meter)),
            "seed_cost": exact(self.returns.seed_cost(meter)),
            "percentiles_cents": {str(n): exact(amount) for n, amount in self.percentiles(meter).items()},
            "simulated": None if history is None else {
                "bets": history.bets, "returned": history.returned, "error": history.error,
                "residue": history.residue,
            },
            "overflow_share": self.returns.overflow_share(meter),
        }  # fmt: skip


def prove_progressive(
    progressive: Progressive, game: Game, clock: HitClock, stake: Stake, unit_cents: int
) -> ProgressiveProof:
    """The proof of a progressive at a game."""
    if unit_cents <= 0:
        raise Refused("One unit of the main game's stake costs more than nothing.")
    returns = measure_returns(progressive, chances_at(progressive, game, stake))
    return ProgressiveProof(progressive, game, returns, clock, stake, unit_cents)
