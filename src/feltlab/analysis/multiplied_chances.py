"""Chances that were multiplied as if they were independent, and the joint law of what they are chances of."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import prod
from typing import Any

from feltlab.analysis.audit import Figure, figures, measured, proof_of
from feltlab.core.game import Game
from feltlab.core.layout import Spot
from feltlab.core.tally import Outcomes
from feltlab.proving.exact_numbers import exact
from feltlab.proving.proof import Proof

Happened = tuple[bool, ...]  # of each event: did it happen?


@dataclass(frozen=True)
class Product:
    """A bet that wins when several events happen together, and the figures that print their chances."""

    figure: Figure  # the published chance that the bet wins
    factors: tuple[Figure, ...]  # the published chances that were multiplied, an event each
    proof: Proof

    @property
    def bet(self) -> Spot:
        return self.proof.game.spot(self.figure.bet)

    @property
    def events(self) -> tuple[str, ...]:
        return tuple(factor.event for factor in self.factors)

    @property
    def printed(self) -> Fraction:
        """The product of the printed chances."""
        return prod((Fraction(factor.value) / 100 for factor in self.factors), start=Fraction(1))

    @property
    def hit(self) -> Fraction:
        """The chance that the bet wins."""
        return self.proof.tally.hit_frequency(self.bet)

    @cached_property
    def law(self) -> dict[Happened, int]:
        """How many deals lead to each joint result of the events, all of them first."""
        found: Counter[Happened] = Counter()
        tests = [_test(self.proof, factor) for factor in self.factors]
        for outcomes, count in self.proof.law.counts.items():
            found[tuple(test(outcomes) for test in tests)] += count
        return {happened: found[happened] for happened in product((True, False), repeat=len(tests))}

    def share(self, happened: Happened) -> Fraction:
        return Fraction(self.law[happened], self.proof.tally.deals)

    def if_independent(self, happened: Happened) -> Fraction:
        """What the share would be if the events had nothing to do with each other."""
        chances = (self.chance([n]) for n in range(len(self.factors)))
        return prod((c if h else 1 - c for c, h in zip(chances, happened, strict=True)), start=Fraction(1))

    def chance(self, events: Iterable[int], given: Iterable[int] = ()) -> Fraction:
        """The chance that these events happen in the deals in which the given ones do."""
        given = set(given)
        return Fraction(self._count(given.union(events)), self._count(given))

    def as_json(self) -> dict[str, Any]:
        events = [
            {"event": factor.event, "printed": factor.published, "proved": exact(self.chance([n]))}
            for n, factor in enumerate(self.factors)
        ]
        return {
            "game": self.proof.game.name,
            "options": dict(self.proof.game.options),
            "strategy": self.proof.strategy,
            "bet": self.bet.name,
            "events": events,
            "printed_hit_frequency": self.figure.published,
            "product": exact(self.printed),
            "hit_frequency": exact(self.hit),
            "house_edge": exact(-self.proof.tally.expected(self.bet)),
            "even_pay": exact(self.even_pay),
        }

    @property
    def even_pay(self) -> Fraction:
        """To one, where all else loses the wager."""
        return (1 - self.hit) / self.hit

    def _count(self, events: set[int]) -> int:
        return sum(count for happened, count in self.law.items() if all(happened[n] for n in events))


def _test(proof: Proof, factor: Figure) -> Callable[[Outcomes], bool]:
    """Does a joint outcome belong to the event that a figure prints the chance of?"""
    spot = proof.game.spot(factor.bet)
    if factor.measure == "hit_frequency":
        return lambda outcomes: proof.tally.net(spot, outcomes) > 0
    at = proof.game.spots.index(spot)
    wanted = {spot.outcomes.index(name) for name in factor.outcomes}
    return lambda outcomes: outcomes[at] in wanted


def products(game: Game) -> Iterator[Product]:
    """Every published chance of winning that is the product of others, as far as the proof says otherwise."""
    by_name = {figure.name: figure for figure in figures(game)}
    for figure in by_name.values():
        if figure.independent and figure.measure == "hit_frequency":
            factors = tuple(by_name[name] for name in figure.independent)
            found = Product(figure, factors, proof_of(game, figure))
            if measured(found.proof, figure) != found.printed:
                yield found
