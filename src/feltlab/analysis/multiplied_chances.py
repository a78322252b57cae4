"""Chances that were multiplied as if they were independent, and the joint law of their events."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import prod
from typing import Any

from feltlab.analysis.published_measures import measure, proof_of
from feltlab.core.game import Game
from feltlab.core.layout import Spot
from feltlab.core.paytable import PayTable
from feltlab.core.tally import Outcomes
from feltlab.games import solver_of
from feltlab.games.figures import Figure, figures
from feltlab.proving.exact_numbers import exact
from feltlab.proving.proof import Proof, prove

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
    def all_happened(self) -> Happened:
        return (True,) * len(self.factors)

    @property
    def printed(self) -> Fraction:
        """The product of the printed chances."""
        return prod((Fraction(factor.value) / 100 for factor in self.factors), start=Fraction(1))

    @property
    def hit(self) -> Fraction:
        """The chance that the bet wins."""
        return self.proof.tally.hit_frequency(self.bet)

    @property
    def pays(self) -> tuple[Fraction, ...]:
        """The pay to one of a win, under each pay table that the house may offer."""
        return tuple(map(_win_pay, self.bet.tables))

    @property
    def pay(self) -> Fraction:
        """The pay to one of a win, under the options that the figure is published for."""
        return _win_pay(self.proof.game.pay_table(self.bet))

    @property
    def even_pay(self) -> Fraction:
        """The pay to one at which neither side has an edge."""
        return (1 - self.hit) / self.hit

    @cached_property
    def law(self) -> dict[Happened, int]:
        """The number of deals for each joint result of the events; the first is that all happen."""
        counts: Counter[Happened] = Counter()
        tests = [_event_test(self.proof, factor) for factor in self.factors]
        for outcomes, count in self.proof.law.counts.items():
            counts[tuple(test(outcomes) for test in tests)] += count
        return {happened: counts[happened] for happened in product((True, False), repeat=len(tests))}

    def share(self, happened: Happened) -> Fraction:
        """The chance of one joint result."""
        return Fraction(self.law[happened], self.proof.tally.deals)

    def share_if_independent(self, happened: Happened) -> Fraction:
        """The chance of one joint result if the events were independent."""
        chances = (self.chance([n]) for n in range(len(self.factors)))
        return prod((c if h else 1 - c for c, h in zip(chances, happened, strict=True)), start=Fraction(1))

    def chance(self, events: Iterable[int], given: Iterable[int] = ()) -> Fraction:
        """The chance that these events happen in the deals in which the given ones do."""
        given = set(given)
        return Fraction(self._count(given.union(events)), self._count(given))

    def _count(self, events: set[int]) -> int:
        return sum(count for happened, count in self.law.items() if all(happened[n] for n in events))

    def as_json(self) -> dict[str, Any]:
        return {
            "game": self.proof.game.name,
            "options": dict(self.proof.game.options),
            "strategy": self.proof.strategy,
            "bet": self.bet.name,
            "events": [self._event_json(n) for n in range(len(self.factors))],
            "printed_hit_frequency": self.figure.published,
            "product": exact(self.printed),
            "hit_frequency": exact(self.hit),
            "house_edge": exact(-self.proof.tally.expected(self.bet)),
            "even_pay": exact(self.even_pay),
            "rounds_for_a_win": exact(1 / self.hit),
            "deals": str(self.proof.tally.deals),
            "law": [self._result_json(happened) for happened in self.law],
            "pays": [self._pay_json(pay) for pay in self.pays],
        }

    def _event_json(self, n: int) -> dict[str, Any]:
        """An event: its printed and its proved chance, and that among the deals in which others happen."""
        others = [m for m in range(len(self.factors)) if m != n]
        return {
            "event": self.events[n],
            "printed": self.factors[n].published,
            "proved": exact(self.chance([n])),
            "given": {self.events[m]: exact(self.chance([n], [m])) for m in others},
            "given_all_others": exact(self.chance([n], others)),
            "given_all_before": exact(self.chance([n], range(n))),
        }

    def _result_json(self, happened: Happened) -> dict[str, Any]:
        return {
            "happened": dict(zip(self.events, happened, strict=True)),
            "combinations": str(self.law[happened]),
            "probability": exact(self.share(happened)),
            "if_independent": exact(self.share_if_independent(happened)),
        }

    def _pay_json(self, pay: Fraction) -> dict[str, Any]:
        return {
            "pay": str(pay),
            "even_chance": exact(even_chance(pay)),
            "printed_edge": exact(win_edge(self.printed, pay)),
            "proved_edge": exact(win_edge(self.hit, pay)),
        }


def win_edge(chance: Fraction, pay: Fraction) -> Fraction:
    """The house edge of a wager that wins `pay` to one with this chance and is lost otherwise."""
    return 1 - chance * (pay + 1)


def even_chance(pay: Fraction) -> Fraction:
    """The chance of winning at which such a wager has no edge."""
    return 1 / (pay + 1)


def _win_pay(table: PayTable) -> Fraction:
    return max(line.pays for line in table.lines)


def _event_test(proof: Proof, factor: Figure) -> Callable[[Outcomes], bool]:
    """Does a joint outcome belong to the event that a figure prints the chance of?"""
    spot = proof.game.spot(factor.bet)
    if factor.measure == "hit_frequency":
        return lambda outcomes: proof.tally.net(spot, outcomes) > 0
    at = proof.game.spots.index(spot)
    wanted = {spot.outcomes.index(name) for name in factor.outcomes}
    return lambda outcomes: outcomes[at] >= 0 and spot.split_number(outcomes[at])[0] in wanted


def products(game: Game) -> Iterator[Product]:
    """Every published chance of winning that is a product of others and that the proof contradicts."""
    by_name = {figure.name: figure for figure in figures(game)}
    for figure in by_name.values():
        if figure.independent and figure.measure == "hit_frequency":
            factors = tuple(by_name[name] for name in figure.independent)
            found = Product(figure, factors, proof_of(game, figure))
            if measure(found.proof, figure) != found.printed:
                yield found


# -- Strategies -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class StrategyEdges:
    """A strategy, how often it wins the bet, and the house edge under each pay table of the bet."""

    name: str
    words: str
    hit: Fraction
    edges: tuple[Fraction, ...]

    def as_json(self) -> dict[str, Any]:
        return {
            "strategy": self.name,
            "words": self.words,
            "hit_frequency": exact(self.hit),
            "house_edges": list(map(exact, self.edges)),
        }


def strategy_edges(product: Product) -> tuple[StrategyEdges, ...]:
    """The strategy that the packet assumes, the one that plays for this bet, and the best for all wagers."""
    known = solver_of(product.proof.game).strategies
    named = dict.fromkeys((product.figure.strategy, product.bet.name, "optimal"))
    return tuple(_strategy_edges(product, name, known[name]) for name in named if name in known)


def _strategy_edges(product: Product, name: str, words: str) -> StrategyEdges:
    proofs = {table.name: _prove_with(product, table, name) for table in product.bet.tables}
    edges = tuple(-proof.tally.expected(product.bet) for proof in proofs.values())
    in_force = proofs[product.proof.game.pay_table(product.bet).name]
    words = f"{words}; here with one unit on every wager" if name == "optimal" else words
    return StrategyEdges(name, words, in_force.tally.hit_frequency(product.bet), edges)


def _prove_with(product: Product, table: PayTable, strategy: str) -> Proof:
    """The proof under a pay table of the bet, with one unit on every wager."""
    bet = product.bet
    game = product.proof.game.with_options({bet.option: table.name} if bet.option else {})
    return prove(game, {spot.name: Fraction(1) for spot in game.wagers}, strategy)
