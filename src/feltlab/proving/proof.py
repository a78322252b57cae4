"""Proofs: the exact law of a game under a stake and a strategy, and every measure that follows."""

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, partial
from operator import contains
from typing import Any

from feltlab.core.game import Game
from feltlab.core.layout import NOT_PLACED, Spot
from feltlab.core.solver import Law, Player, Solver, StrategyCard
from feltlab.core.stake import Stake, check_stake, default_stake, has_choices
from feltlab.core.tally import Outcomes, Tally
from feltlab.errors import Refused
from feltlab.games import find_game, solver_of, two_seats_of
from feltlab.parallel.executor import Executor
from feltlab.parallel.progress import Progress, nobody_listens
from feltlab.proving.exact_numbers import exact, exact_root, exact_shares
from feltlab.proving.store import cached_array, cached_json, cached_law, stored_json
from feltlab.text import listing


@dataclass(frozen=True)
class BetOutcome:
    """One way in which a bet can end: the outcomes of its spots together."""

    name: str
    net: Fraction
    count: int
    probability: Fraction

    @property
    def returned(self) -> Fraction:
        """The share of this outcome in the expected net."""
        return self.probability * self.net


@dataclass(frozen=True)
class Proof:
    """A law, with the game, stake and strategy that it belongs to."""

    game: Game
    stake: Stake
    strategy: str
    law: Law

    def __repr__(self) -> str:
        edges = (f"{bet.name} {float(self.house_edge(bet.name)):.4%}" for bet in self.game.wagers)
        return f"<Proof of {self.game}, {self.strategy} strategy: house edge {', '.join(edges)}>"

    @cached_property
    def tally(self) -> Tally:
        return Tally(self.game, self.law.counts)

    def house_edge(self, bet: str) -> Fraction:
        """The mean loss on a bet, as a share of its first wager."""
        return -self.tally.expected(self.game.spot(bet))

    @property
    def first_choices(self) -> dict[str, Fraction]:
        """The share of rounds by first choice, the most frequent first; 'none' where no choice opens."""
        if not has_choices(self.game, self.stake):
            return {"none": Fraction(1)}
        made = sorted(self.law.first_choices.items(), key=lambda choice: -choice[1])
        return {name or "none": Fraction(n, self.tally.deals) for name, n in made if n}

    @property
    def streets(self) -> dict[str, dict[str, Fraction]]:
        """By street, the share of all rounds in which each choice is made on it."""
        if not has_choices(self.game, self.stake):
            return {}
        shares = self.law.streets.items()
        return {at: {name: Fraction(n, self.tally.deals) for name, n in made.items()} for at, made in shares}

    def outcomes(self, bet: Spot) -> list[BetOutcome]:
        """The outcomes of a bet, best first."""
        at = [i for i, spot in enumerate(self.game.spots) if bet.name in (spot.name, spot.follows)]
        found: Counter[Outcomes] = Counter()
        for outcomes, count in self.law.counts.items():
            found[tuple(n if i in at else NOT_PLACED for i, n in enumerate(outcomes))] += count
        listed = [self._bet_outcome(bet, outcomes, count) for outcomes, count in found.items()]
        return sorted(listed, key=lambda outcome: (-outcome.net, outcome.name))

    def _bet_outcome(self, bet: Spot, outcomes: Outcomes, count: int) -> BetOutcome:
        placed = [(spot, n) for spot, n in zip(self.game.spots, outcomes, strict=True) if n != NOT_PLACED]
        names = [
            spot.name_number(n) if spot == bet else f"{spot.title}: {spot.name_number(n)}"
            for spot, n in placed
        ]
        net = self.tally.net(bet, outcomes)
        return BetOutcome("; ".join(names), net, count, Fraction(count, self.tally.deals))

    @property
    def first_wagers(self) -> Fraction:
        """The units of the stake: of all wagers before the cards."""
        return sum(self.stake.values(), Fraction(0))

    @property
    def loss(self) -> Fraction:
        """The expected loss of the whole stake in a round, in units."""
        return -self.tally.total_expected(self.stake)

    @property
    def joint_edge(self) -> Fraction:
        """The expected loss of a round for each unit of the first wagers together."""
        return self.loss / self.first_wagers

    @property
    def average_wager(self) -> Fraction:
        """The mean of all wagers put down, in units."""
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
            "choices": exact_shares(self.first_choices),
            "streets": {street: exact_shares(made) for street, made in self.streets.items()},
            "equal_positions": self.law.equal_positions,
        }

    def _bet_json(self, bet: Spot) -> dict[str, Any]:
        tally = self.tally
        return {
            "expected": exact(tally.expected(bet)),
            "house_edge": exact(self.house_edge(bet.name)),
            "hit_frequency": exact(tally.hit_frequency(bet)),
            "win_frequency": exact(tally.win_frequency(bet)),
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
            "first_wagers": exact(self.first_wagers),
            "house_edge": exact(self.joint_edge),
            "average_wager": exact(self.average_wager),
            "element_of_risk": exact(-expected / self.average_wager),
            "std_dev": exact_root(tally.total_variance(self.stake)),
            "covariance": {a.name: {b.name: exact(tally.covariance(a, b)) for b in bets} for a in bets},
        }


def prove(
    game: Game | str,
    stake: Mapping[str, Fraction | int] | None = None,
    strategy: str = "optimal",
    progress: Progress = nobody_listens,
    fresh: bool = False,
) -> Proof:
    """Prove a game: the exact law of all wagers under a stake and a strategy.

    `game` is a game or its name, `stake` the units on each first wager. A law that was proved before is read
    from the store, unless `fresh`.

    >>> from feltlab import prove
    >>> proof = prove("casino-war", {"primary": 1, "tie": 1}, strategy="war")
    >>> proof.house_edge("tie")  # exactly, as a share of the wager
    Fraction(58, 311)
    >>> proof
    <Proof of casino-war, war strategy: house edge primary 2.3301%, tie 18.6495%>
    >>> proof.as_json()["total"]["element_of_risk"]["exact"]
    '69444/686495'
    """
    game = find_game(game)
    stake = default_stake(game) if stake is None else check_stake(game, stake)
    known = _solver_of(game, strategy)

    def solve() -> Law:
        start = time.perf_counter()
        law = known.solve(game, stake, strategy, progress)
        return replace(law, seconds=time.perf_counter() - start)

    key = cache_key(game, stake, strategy)
    return Proof(
        game, stake, strategy, cached_law(key, solve, lambda law: is_plausible_law(game, law), fresh)
    )


def prove_play(game: Game, served: Stake, progress: Progress = nobody_listens) -> Proof:
    """The law under the play that is best for the served wagers alone, in these proportions.

    Unlike a stake, it may leave out a wager that the rules require: the play does not care for it.
    """
    served = {bet.name: Fraction(served.get(bet.name, 0)) for bet in game.wagers}

    def solve() -> Law:
        return _solver_of(game, "optimal").solve(game, served, "optimal", progress)

    law = cached_law(cache_key(game, served), solve, lambda law: is_plausible_law(game, law))
    return Proof(game, served, "optimal", law)


TWO_SEATS = "optimal at two seats"


def prove_two_seats(game: Game, stake: Stake, progress: Progress = nobody_listens) -> Proof | None:
    """One seat of a player who holds two and chooses with knowledge of both hands, at best play.

    None if no option of the game in force gives a player two seats, or if its solver does not count them.
    """
    solve = two_seats_of(game).solve
    if solve is None or not game.allows_second_seat:
        return None
    key = [game.name, "two seats", _solver_of(game, "optimal").law_key(game, stake, "optimal")]
    law = cached_law(key, partial(solve, game, stake, progress), partial(is_plausible_law, game))
    return Proof(game, stake, TWO_SEATS, law)


def cache_key(game: Game, stake: Stake, strategy: str = "optimal") -> list[Any]:
    """The key of a law in the store: games, stakes and strategies with equal keys have the same law."""
    return [game.name, _solver_of(game, strategy).law_key(game, stake, strategy)]


Question = tuple[Game, Stake, str]  # game, stake and strategy


def prove_all(asked: Iterable[Question], executor: Executor) -> Iterator[Proof]:
    """Prove many questions on an executor, and store their laws on this machine too."""
    for (game, stake, strategy), law in executor.run(_prove_law, iter(asked)):
        key = cache_key(game, stake, strategy)
        yield Proof(
            game, stake, strategy, cached_law(key, partial(_identity, law), partial(is_plausible_law, game))
        )


def _prove_law(asked: Question) -> Law:
    return prove(*asked).law


def _identity(law: Law) -> Law:
    return law


def _solver_of(game: Game, strategy: str) -> Solver:
    known = solver_of(game)
    if strategy not in known.strategies:
        raise Refused(
            f"{strategy!r} is not a strategy of {game.title}; they are {listing(known.strategies)}."
        )
    return known


def player_of(game: Game, stake: Stake, strategy: str) -> Player:
    """A strategy that kernels can follow; its decisions are computed once and stored."""
    known = _solver_of(game, strategy)
    key = [game.name, "decisions", known.law_key(game, stake, strategy)]
    made = cached_array(key, lambda: known.decisions(game, stake, strategy))
    return known.player(game, strategy, made)


def is_plausible_law(game: Game, law: Law) -> bool:
    """Could this be a law of the game? Anyone may have written to the store."""
    ranges = [range(NOT_PLACED, spot.numbers) for spot in game.spots]
    names = {"", *(choice.name for choice in game.choices)}
    return (
        all(len(o) == len(ranges) and all(map(contains, ranges, o)) for o in law.counts)
        and all(count > 0 for count in law.counts.values())
        and sum(law.counts.values()) == sum(law.first_choices.values()) > 0
        and law.first_choices.keys() <= names
    )


def strategy_card(game: Game, stake: Stake) -> StrategyCard:
    """The best strategy for a stake on a card; refused if the stake leaves nothing to choose."""
    if not has_choices(game, stake):
        raise Refused("With this stake there is nothing to choose.")
    made = cached_json(_card_key(game, stake), lambda: solver_of(game).card(game, stake).as_json())
    return StrategyCard.of_json(made)


def stored_card(game: Game, stake: Stake) -> StrategyCard | None:
    """The strategy card if it has been made already; none is made for this."""
    found = stored_json(_card_key(game, stake))
    return StrategyCard.of_json(found) if found else None


def _card_key(game: Game, stake: Stake) -> object:
    return [str(game.as_proved), "card with its index", {bet: str(units) for bet, units in stake.items()}]
