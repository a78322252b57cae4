"""Proofs: the exact law of a game under a stake and a strategy, and every measure that follows."""

import re
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, partial
from math import isqrt, ldexp
from operator import contains
from typing import Any

from feltlab.core.game import Game, listing
from feltlab.core.layout import NOT_PLACED, Spot
from feltlab.core.solver import Law, Player, Progress, Solver, Stake, StrategyCard, silent
from feltlab.core.tally import Outcomes, Tally
from feltlab.errors import Refused
from feltlab.games import solver
from feltlab.parallel.executor import Executor
from feltlab.proving.store import kept, kept_bytes, kept_data


@dataclass(frozen=True)
class BetOutcome:
    """One way in which a bet can end: the outcomes of its spots together."""

    name: str
    net: Fraction
    count: int
    probability: Fraction

    @property
    def returned(self) -> Fraction:
        """What it adds to the expected net."""
        return self.probability * self.net


@dataclass(frozen=True)
class Proof:
    """What is proved, of what, and how."""

    game: Game
    stake: Stake
    strategy: str
    law: Law

    @cached_property
    def tally(self) -> Tally:
        return Tally(self.game, self.law.counts)

    @property
    def first_choices(self) -> dict[str, Fraction]:
        """How often each choice is the first, the most frequent first; 'none' where no choice opens."""
        if not chooses(self.game, self.stake):
            return {"none": Fraction(1)}
        made = sorted(self.law.first_choices.items(), key=lambda choice: -choice[1])
        return {name or "none": Fraction(n, self.tally.deals) for name, n in made if n}

    def outcomes(self, bet: Spot) -> list[BetOutcome]:
        """How a bet ends, best first."""
        at = [i for i, spot in enumerate(self.game.spots) if bet.name in (spot.name, spot.raises)]
        found: Counter[Outcomes] = Counter()
        for outcomes, count in self.law.counts.items():
            found[tuple(n if i in at else NOT_PLACED for i, n in enumerate(outcomes))] += count
        listed = [self._bet_outcome(bet, outcomes, count) for outcomes, count in found.items()]
        return sorted(listed, key=lambda outcome: (-outcome.net, outcome.name))

    def _bet_outcome(self, bet: Spot, outcomes: Outcomes, count: int) -> BetOutcome:
        placed = [(spot, n) for spot, n in zip(self.game.spots, outcomes, strict=True) if n != NOT_PLACED]
        names = [
            spot.outcomes[n] if spot == bet else f"{spot.title}: {spot.outcomes[n]}" for spot, n in placed
        ]
        net = self.tally.net(bet, outcomes)
        return BetOutcome("; ".join(names), net, count, Fraction(count, self.tally.deals))

    @property
    def average_wager(self) -> Fraction:
        """The mean of all that is put down, in units of the stake."""
        return sum(
            (n * self.tally.average_wager(self.game.spot(bet)) for bet, n in self.stake.items()), Fraction(0)
        )

    def as_json(self) -> dict[str, Any]:
        return {
            "game": self.game.name,
            "options": dict(self.game.options),
            "stake": {bet: str(units) for bet, units in self.stake.items()},
            "strategy": self.strategy,
            "rules_digest": self.game.digest,
            "method": self.law.method,
            "seconds": round(self.law.seconds, 3),
            "deals": str(self.tally.deals),
            "bets": {bet.name: self._bet_json(bet) for bet in self.game.wagers},
            "total": self._total_json(),
            "choices": {name: exact(share) for name, share in self.first_choices.items()},
        }

    def _bet_json(self, bet: Spot) -> dict[str, Any]:
        tally = self.tally
        return {
            "expected": exact(tally.expected(bet)),
            "house_edge": exact(-tally.expected(bet)),
            "hit_frequency": exact(tally.hit_frequency(bet)),
            "push_frequency": exact(tally.push_frequency(bet)),
            "average_wager": exact(tally.average_wager(bet)),
            "element_of_risk": exact(tally.element_of_risk(bet)),
            "std_dev": exact_root(tally.variance(bet)),
            "outcomes": [
                {
                    "outcome": o.name,
                    "net": exact(o.net),
                    "count": str(o.count),
                    "probability": exact(o.probability),
                }
                for o in self.outcomes(bet)
            ],
        }

    def _total_json(self) -> dict[str, Any]:
        tally, bets = self.tally, self.game.wagers
        expected = tally.total_expected(self.stake)
        return {
            "expected": exact(expected),
            "average_wager": exact(self.average_wager),
            "element_of_risk": exact(-expected / self.average_wager),
            "std_dev": exact_root(tally.total_variance(self.stake)),
            "covariance": {a.name: {b.name: exact(tally.covariance(a, b)) for b in bets} for a in bets},
        }


def exact(value: Fraction) -> dict[str, Any]:
    """A fraction, and its value as near as a float comes."""
    return {"exact": f"{value.numerator}/{value.denominator}", "value": float(value)}


def exact_root(square: Fraction) -> dict[str, Any]:
    return {"exact": f"sqrt({square.numerator}/{square.denominator})", "value": root(square)}


def root(square: Fraction) -> float:
    """The square root to a float's precision, however long or small the fraction."""
    half = max(0, 64 + (square.denominator.bit_length() - square.numerator.bit_length()) // 2)
    return ldexp(isqrt((square.numerator << 2 * half) // square.denominator), -half)


def default_stake(game: Game) -> dict[str, Fraction]:
    """One unit on each required wager, or on the first where none is required; nothing elsewhere."""
    required = [spot for spot in game.wagers if game.requires(spot)] or game.wagers[:1]
    return {spot.name: Fraction(spot in required) for spot in game.wagers}


def read_stake(game: Game, given: Mapping[str, str]) -> dict[str, Fraction]:
    """The default stake with some wagers set; refuses what cannot stand together."""
    return checked_stake(
        game, default_stake(game) | {name: _units(name, text) for name, text in given.items()}
    )


UNITS = re.compile(r"-?(\d{1,12}|\d{0,12}\.\d{1,12}|\d{1,12}/\d{1,12})", re.ASCII)


def _units(name: str, text: str) -> Fraction:
    try:
        return Fraction(text if UNITS.fullmatch(text) else "")
    except (ValueError, ZeroDivisionError):
        raise Refused(f"{name}={text} is not a number of units, such as 1, 0.5 or 3/2.") from None


def checked_stake(game: Game, stake: Stake) -> dict[str, Fraction]:
    """A stake with every wager in it, in the game's order."""
    known = [spot.name for spot in game.wagers]
    for name in stake:
        if name not in known:
            raise Refused(f"{name!r} is not a wager of {game.title}; its wagers are {listing(known)}.")
    checked = {name: Fraction(stake.get(name, 0)) for name in known}
    for spot in game.wagers:
        _check_units(game, spot, checked)
    if not any(checked.values()):
        raise Refused("The stake is empty; at least one wager must stand.")
    return checked


def _check_units(game: Game, spot: Spot, stake: Stake) -> None:
    if stake[spot.name] < 0:
        raise Refused(f"The stake on {spot.name} may not be negative.")
    if game.requires(spot) and not stake[spot.name]:
        raise Refused(f"{game.title} requires the {spot.title} wager.")
    if spot.at_most and stake[spot.name] > stake[spot.at_most]:
        raise Refused(f"The {spot.title} wager may not be more than the {game.spot(spot.at_most).title}.")


def prove(
    game: Game,
    stake: Stake | None = None,
    strategy: str = "optimal",
    progress: Progress = silent,
    fresh: bool = False,
) -> Proof:
    """Prove a game under a stake and a strategy; a law that was proved before is taken from the store."""
    stake = default_stake(game) if stake is None else checked_stake(game, stake)
    known = _solver_with(game, strategy)

    def solve() -> Law:
        start = time.perf_counter()
        law = known.solve(game, stake, strategy, progress)
        return replace(law, seconds=time.perf_counter() - start)

    key = law_key(game, stake, strategy)
    return Proof(game, stake, strategy, kept(key, solve, lambda law: possible(game, law), fresh))


def law_key(game: Game, stake: Stake, strategy: str = "optimal") -> list[Any]:
    """What a law depends on: where this is equal, the law is the same, whatever is paid."""
    return [game.name, _solver_with(game, strategy).depends(game, stake, strategy)]


Asked = tuple[Game, Stake, str]  # game, stake and strategy


def prove_all(asked: Iterable[Asked], executor: Executor) -> Iterator[Proof]:
    """Prove many, each wherever the executor works, and keep their laws here too."""
    for (game, stake, strategy), law in executor.run(_law_of, iter(asked)):
        key = law_key(game, stake, strategy)
        yield Proof(game, stake, strategy, kept(key, partial(_same, law), partial(possible, game)))


def _law_of(asked: Asked) -> Law:
    return prove(*asked).law


def _same(law: Law) -> Law:
    return law


def _solver_with(game: Game, strategy: str) -> Solver:
    known = solver(game)
    if strategy not in known.strategies:
        raise Refused(
            f"{strategy!r} is not a strategy of {game.title}; they are {listing(known.strategies)}."
        )
    return known


def player_of(game: Game, stake: Stake, strategy: str) -> Player:
    """A strategy that kernels can follow; what it decides is taken from the store if it is there."""
    known = _solver_with(game, strategy)
    key = [game.name, "decisions", known.depends(game, stake, strategy)]
    made = kept_bytes(key, lambda: known.decisions(game, stake, strategy))
    return known.player(game, strategy, made)


def possible(game: Game, law: Law) -> bool:
    """Could this be a law of the game? What a store holds may have been written by anyone."""
    ranges = [range(NOT_PLACED, len(spot.outcomes)) for spot in game.spots]
    names = {"", *(choice.name for choice in game.choices)}
    return (
        all(len(o) == len(ranges) and all(map(contains, ranges, o)) for o in law.counts)
        and all(count > 0 for count in law.counts.values())
        and sum(law.counts.values()) == sum(law.first_choices.values()) > 0
        and law.first_choices.keys() <= names
    )


def strategy_card(game: Game, stake: Stake) -> StrategyCard:
    """The best strategy for a stake on a card; refuses a stake that leaves nothing to choose."""
    if not chooses(game, stake):
        raise Refused("With this stake there is nothing to choose.")
    key = [str(game), "card", {bet: str(units) for bet, units in stake.items()}]
    return StrategyCard.of_json(kept_data(key, lambda: solver(game).card(game, stake).as_json()))


def chooses(game: Game, stake: Stake) -> bool:
    """Does the stake put a wager down that a choice belongs to?"""
    return any(stake.get(choice.wager) for choice in game.choices)
