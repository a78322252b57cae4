"""The solver of a game with one choice, from counts by class."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feltlab.core.cards import Cards
from feltlab.core.game import Game
from feltlab.core.round import Round
from feltlab.core.solver import Decisions, Law, Player, Solver, StrategyCard, nets_on
from feltlab.core.stake import Stake
from feltlab.core.strategy.table import StrategyRow, StrategyTable
from feltlab.counting.one_street.card import make_card, read_for_card
from feltlab.counting.one_street.class_counts import (
    SLICES,
    Chosen,
    ClassCounts,
    Count,
    choose_best,
    counts_of,
    nets_of,
    sum_outcomes,
    values_of,
    without_pays,
)
from feltlab.counting.tree.solve import tie_order
from feltlab.counting.tree.solver import BEST, CAUTIOUS, NONE, NOTE, Named
from feltlab.kernel import Array, kernel
from feltlab.parallel.progress import Progress, nobody_listens
from feltlab.parallel.threads import map_in_threads, slices

Ints = NDArray[np.int64]
ROWS_AT_ONCE = 1 << 16  # of a strategy table


def all_cards(hand: Sequence[int]) -> Sequence[int]:
    """Every card of a hand counts."""
    return hand


@dataclass(frozen=True)
class OneStreet:
    """The facts of a game with one choice that the solver needs."""

    count: Count
    count_hand: Callable[[Game, Array], ClassCounts]  # of one class, by the shoe as the player sees it
    follow: Callable[[Game, Decisions], Player]  # makes the choices of all classes, in their order
    decides: tuple[str, ...]  # the bets that the best choice depends on
    method: str  # one sentence
    strength: Callable[[Sequence[int]], int]  # of the player's cards; classes of one strength are a group
    shown: Callable[[Sequence[int]], Sequence[int]] = all_cards  # the cards of a hand that its reading is of


def one_street_solver(street: OneStreet, named: Named = NONE) -> Solver:
    """The solver of a game with one choice, with the strategies that the game names."""
    return Solver(
        BEST | {name: strategy.words for name, strategy in named.items()},
        partial(_solve, street, named),
        partial(_values, street),
        partial(_card, street),
        partial(_decisions, street, named),
        partial(_player, street, named),
        partial(_law_key, street),
        strategy_table=partial(_strategy_table, street),
        read_hand=partial(read_for_card, strength=street.strength),
    )


# -- Laws -------------------------------------------------------------------------------------------


def _solve(
    street: OneStreet, named: Named, game: Game, stake: Stake, strategy: str, progress: Progress
) -> Law:
    counts = counts_of(street.count, game, progress)
    chosen = _choose(named, counts, game, stake, strategy)
    equal = None if strategy in named else chosen.equal
    return replace(law_of_choices(street, game, counts, chosen.choices), equal_positions=equal)


def law_of_choices(street: OneStreet, game: Game, counts: ClassCounts, choices: NDArray[np.uint8]) -> Law:
    """The law of a player who makes these choices, one for each class."""
    names = [choice.name for choice in game.choices]
    made = [int(counts.weights[choices == n].sum()) * counts.deals for n in range(len(names))]
    first = {name: deals for name, deals in zip(names, made, strict=True) if deals}
    streets = dict.fromkeys(game.streets, first)
    return Law(sum_outcomes(counts, choices), first, street.method, streets=streets)


def _choose(named: Named, counts: ClassCounts, game: Game, stake: Stake, strategy: str) -> Chosen:
    """The choice of a strategy for every class."""
    if strategy in named:
        return Chosen(ask_classes(named[strategy].decide, game, counts), 0)
    return choose_best(counts, nets_of(game, stake, counts), tie_order(game, strategy == CAUTIOUS)[0])


def ask_classes(decide: Callable[..., int], game: Game, counts: ClassCounts) -> NDArray[np.uint8]:
    """The choice of a strategy's kernel for every class."""
    ask, choices = _compile_ask(decide), np.empty(len(counts.group), np.uint8)

    def work(part: slice) -> None:
        legal = counts.legal[counts.group[part]]
        ask(game.kernel_data, counts.shoes[part], legal, counts.shoes[0, :0], choices[part])

    map_in_threads(work, slices(len(choices), SLICES))
    return choices


@lru_cache(maxsize=32)
def _compile_ask(decide: Callable[..., int]) -> Callable[..., None]:
    return kernel(_build_ask(decide))


def _build_ask(decide: Callable[..., int]) -> Callable[..., None]:
    def ask(data: Any, shoes: Array, legal: Ints, made: Array, choices: NDArray[np.uint8]) -> None:
        for n in range(len(shoes)):
            choices[n] = decide(data, shoes[n], legal[n], made)

    return ask


def _law_key(street: OneStreet, game: Game, stake: Stake, strategy: str) -> object:
    """Options that change outcomes; for the best choice also the pays and proportions that decide it."""
    options = [list(pair) for pair in without_pays(game).chosen]
    if strategy not in BEST:
        return [strategy, options]
    units = {bet: stake.get(bet, Fraction(0)) for bet in street.decides}
    whole = next(filter(None, units.values()), Fraction(1))
    spots = [spot.name for bet in street.decides if units[bet] for spot in game.spots_of(bet)]
    shares = {bet: str(amount / whole) for bet, amount in units.items()}
    return [strategy, options, shares, nets_on(game, *spots)]


# -- One hand ---------------------------------------------------------------------------------------


def _values(street: OneStreet, round: Round, stake: Stake) -> dict[str, Fraction]:
    """The expected net of the stake by open choice."""
    game = round.game
    counts = street.count_hand(game, np.array(round.seen, np.int8))
    nets = nets_of(game, stake, counts)
    values = values_of(counts, nets, slice(0, 1))[0].tolist()
    whole = counts.deals * nets.parts
    return {choice: Fraction(values[game.choice_numbers[choice]], whole) for choice in round.choices}


# -- The strategy -----------------------------------------------------------------------------------


def _card(street: OneStreet, game: Game, stake: Stake) -> StrategyCard:
    counts = counts_of(street.count, game, nobody_listens)
    nets = nets_of(game, stake, counts)
    chosen = choose_best(counts, nets, tie_order(game, False)[0])
    return make_card(game, counts, nets, chosen, street.shown, street.strength)


def _strategy_table(street: OneStreet, game: Game, stake: Stake, progress: Progress) -> StrategyTable:
    counts = counts_of(street.count, game, progress)
    nets = nets_of(game, stake, counts)
    chosen = choose_best(counts, nets, tie_order(game, False)[0])
    note = NOTE.replace(", with the best play after the choice", "")
    return StrategyTable(len(counts.group), _rows(game, counts, nets, chosen), note)


def _rows(game: Game, counts: ClassCounts, nets: Any, chosen: Chosen) -> Iterator[StrategyRow]:
    own, whole = game.own_places, nets.parts * counts.deals
    for part in slices(len(counts.group), -(-len(counts.group) // ROWS_AT_ONCE)):
        open_now = counts.is_open[:, counts.group[part]].T.tolist()
        rows = zip(
            counts.shoes[part].tolist(),
            counts.weights[part].tolist(),
            chosen.choices[part].tolist(),
            values_of(counts, nets, part).tolist(),
            open_now,
            strict=True,
        )
        for shoe, weight, choice, values, legal in rows:
            shown = Cards(card for card in shoe[own:] if card >= 0)
            worth = tuple(value if may else None for value, may in zip(values, legal, strict=True))
            against = f"against {shown}" if shown else ""
            yield StrategyRow(str(Cards(shoe[:own])), against, weight, choice, worth, whole)


# -- For simulation ---------------------------------------------------------------------------------


def _decisions(street: OneStreet, named: Named, game: Game, stake: Stake, strategy: str) -> Decisions:
    """The choice of each class; a named strategy decides by itself."""
    if strategy in named:
        return np.zeros(0, np.uint8)
    counts = counts_of(street.count, game, nobody_listens)
    return _choose(named, counts, game, stake, strategy).choices


def _player(street: OneStreet, named: Named, game: Game, strategy: str, made: Decisions) -> Player:
    if strategy in named:
        return Player(named[strategy].decide, game.kernel_data)
    return street.follow(game, made)
