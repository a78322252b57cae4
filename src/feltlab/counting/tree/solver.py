"""The solver of any game whose tree is small enough: it needs nothing but the rules."""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache, partial
from math import perm
from typing import NamedTuple

import numpy as np

from feltlab.core.cards import UNKNOWN, Cards
from feltlab.core.game import Game
from feltlab.core.layout import OPEN, new_outcomes
from feltlab.core.round import Round
from feltlab.core.solver import Decisions, Law, Player, Solver, StrategyCard
from feltlab.core.stake import Stake
from feltlab.core.strategy.table import StrategyRow, StrategyTable
from feltlab.counting.tree.card import make_card, read_for_card
from feltlab.counting.tree.deals import faces_of, root_classes
from feltlab.counting.tree.decisions import Lookup, look_up, new_record
from feltlab.counting.tree.estimate import estimate_ends
from feltlab.counting.tree.positions import log_choices, log_nothing, log_position
from feltlab.counting.tree.solve import (
    Plan,
    TreeResult,
    UnlikeSizes,
    compiled_walk,
    follow_apart,
    new_outcome_table,
    new_walk,
    plan_walk,
    run_walk,
    start_from,
    tools_of,
    walk_all,
)
from feltlab.counting.tree.state import TreeWalk
from feltlab.errors import Refused
from feltlab.parallel.progress import Progress

MOST_ENDS = 4e9  # that are visited
ENDS_PER_SECOND = 5e6  # on one core, where hands of five cards are compared
CAUTIOUS = "cautious"
NOTE = (
    "A value is the expected net of the whole stake in units, with the best play after the choice. A row is a"
    " class of first cards that are alike up to the names of suits; hands: how many of them there are."
)
BEST = {
    "optimal": "the best choice; of equal ones, that with the larger wager",
    CAUTIOUS: "the best choice; of equal ones, that with the smaller wager",
}


class NamedStrategy(NamedTuple):
    """A strategy that a game's `strategies.py` exports by name in `STRATEGIES`."""

    words: str
    decide: Callable[..., int]  # a kernel: decide(kernel_data, seen, legal, choices)


Named = Mapping[str, NamedStrategy]
NONE: Named = {}


def tree_solver(named: Named = NONE) -> Solver:
    """The solver of a game by its rules alone, with the strategies that the game names."""
    return Solver(
        BEST | {name: strategy.words for name, strategy in named.items()},
        partial(_solve, named),
        _values,
        _card,
        partial(_decisions, named),
        partial(_player, named),
        partial(_law_key, named),
        strategy_table=_strategy_table,
        read_hand=read_for_card,
    )


def check_budget(game: Game) -> None:
    """Refuse a game whose tree is too large to walk, with the estimate."""
    ends = estimate_ends(game)
    if ends > MOST_ENDS:
        raise Refused(
            f"{game.title} has about {ends:.0e} deals to visit; the prover of any game visits at most"
            f" {MOST_ENDS:.0e}. This game needs a faster method."
        )


def _solve(named: Named, game: Game, stake: Stake, strategy: str, progress: Progress) -> Law:
    check_budget(game)
    plan = plan_walk(game, stake, strategy == CAUTIOUS)
    decide = named[strategy].decide if strategy in named else None
    found = walk_all(plan, decide, game.kernel_data, log_position, log_nothing(game), progress)
    return law_of(game, found, strategy not in named)


def law_of(game: Game, found: TreeResult, is_best: bool = True) -> Law:
    """The law of a walk over all classes."""
    names = [choice.name for choice in game.choices]
    made = [{name: n for name, n in zip(names, row, strict=True) if n} for row in found.made]
    without = sum(found.counts.values()) - sum(made[0].values())
    first = ({"": without} if without else {}) | made[0]
    streets = dict(zip(game.streets, made, strict=False))
    method = f"every deal through the rules themselves: {len(found.choices):,} classes of first cards"
    return Law(found.counts, first, method, streets=streets, equal_positions=found.equal if is_best else None)


def _values(round: Round, stake: Stake) -> dict[str, Fraction]:
    """The expected net of the stake by open choice, with the best play after it."""
    game, plan = round.game, plan_walk(round.game, stake)
    try:
        state = _walk_on(plan, round)
    except UnlikeSizes:
        state = _walk_on(follow_apart(plan), round)
    unseen = int((state.shoe < 0).sum())
    ways = perm(len(game.deck) - (game.places - unseen), unseen) * plan.parts
    values = state.values.tolist()
    return {choice: Fraction(values[game.choice_numbers[choice]], ways) for choice in round.choices}


def _walk_on(plan: Plan, round: Round) -> TreeWalk:
    """Walk from a round on: from the cards that its player sees, and the choices made."""
    game, state = plan.game, new_walk(plan)
    start_from(state, plan.faces, np.array([max(card, UNKNOWN) for card in round.seen], np.int8))
    numbers = [game.choice_numbers[choice] for choice in round.chosen]
    state.choices[: len(numbers)] = numbers
    tools = tools_of(plan, game.kernel_data, log_nothing(game)(slice(0)), new_outcome_table(plan))
    run_walk(plan, compiled_walk(game.rules, None, log_position), tools, state, len(numbers))
    return state


def _card(game: Game, stake: Stake) -> StrategyCard:
    check_budget(game)
    return make_card(game, stake)


def _strategy_table(game: Game, stake: Stake, progress: Progress) -> StrategyTable:
    """Every class of first cards with the value of each choice, if the play is best afterwards."""
    check_budget(game)
    plan = plan_walk(game, stake)
    found = walk_all(plan, None, game.kernel_data, log_position, log_nothing(game), progress)
    at = np.flatnonzero(found.choices >= 0).tolist()
    return StrategyTable(len(at), _rows(game, found, plan.parts, at), NOTE)


def _rows(game: Game, found: TreeResult, parts: int, at: list[int]) -> Iterator[StrategyRow]:
    roots = found.classes
    for n in at:
        shoe = roots.shoes[n]
        seen = Cards(card for card in shoe.tolist() if card >= 0)
        legal = game.rules.legal(game.kernel_data, shoe, shoe[:0])
        nets = [net if legal >> k & 1 else None for k, net in enumerate(found.values[n].tolist())]
        deals = perm(len(game.deck) - len(seen), game.places - len(seen))
        hands = int(roots.weights[n]) // roots.orders
        yield StrategyRow(str(seen), "", hands, int(found.choices[n]), tuple(nets), parts * deals)


def _decisions(named: Named, game: Game, stake: Stake, strategy: str) -> Decisions:
    """The choices of a strategy by what is seen; a named one decides by itself."""
    if strategy in named:
        return np.zeros(0, np.uint8)
    check_budget(game)
    record = new_record(game)
    plan = plan_walk(game, stake, strategy == CAUTIOUS)
    walk_all(plan, None, game.kernel_data, log_position, log_choices(game, record))
    return record.table


def _player(named: Named, game: Game, strategy: str, made: Decisions) -> Player:
    if strategy in named:
        return Player(named[strategy].decide, game.kernel_data)
    return Player(look_up, Lookup(new_record(game, made), np.arange(64)))


def _law_key(named: Named, game: Game, stake: Stake, strategy: str) -> object:
    """The deciding facts: the rules in force, and for the best play the stake and the pays of what is staked.

    What the first cards settle is left out, since no choice changes it.
    """
    chosen = _options_of_rules(game.as_proved)
    rules = [game.name, chosen, strategy]
    if strategy in named:
        return rules
    settled = _settled_first(Game(game.rules, chosen))
    staked = (spot for spot in game.spots if stake.get(spot.follows or spot.name))
    pays = {
        spot.name: [str(line.pays) for line in game.pay_table(spot).lines]
        for spot in staked
        if spot.name not in settled
    }
    return [*rules, {bet: str(number) for bet, number in stake.items() if bet not in settled}, pays]


@lru_cache(maxsize=256)
def _settled_first(game: Game) -> frozenset[str]:
    """The spots that the first cards settle before any choice, whatever they are."""
    outcomes, settled = new_outcomes(len(game.spots)), np.ones(len(game.spots), np.bool_)
    for shoe in root_classes(game, faces_of(game)).shoes:
        game.rules.settle(game.kernel_data, shoe, shoe[:0], outcomes)
        settled &= outcomes != OPEN
        if not settled.any():
            break
    return frozenset(spot.name for spot, is_settled in zip(game.spots, settled, strict=True) if is_settled)


@lru_cache(maxsize=256)
def _options_of_rules(game: Game) -> tuple[tuple[str, str], ...]:
    """The chosen options without those that pick a pay table and leave all that kernels read the same."""
    for option in {spot.option for spot in game.spots} & dict(game.chosen).keys():
        other = Game(game.rules, tuple(each for each in game.chosen if each[0] != option))
        if game.deck == other.deck and _are_equal(game.kernel_data, other.kernel_data):
            return _options_of_rules(other)
    return game.chosen


def _are_equal(one: object, other: object) -> bool:
    """Are these kernel data equal? What cannot be compared counts as different."""
    if one is other:
        return True
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        return one.dtype == other.dtype and np.array_equal(one, other)
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(_are_equal, one, other))
    return isinstance(one, int | float | str) and one == other
