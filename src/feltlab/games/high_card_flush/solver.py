"""The solver of High Card Flush: classes of seven cards by suit polynomials, against every dealer."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import lcm

import numpy as np
from numpy.typing import NDArray

from feltlab.core.game import Game
from feltlab.core.hands import longest_suit
from feltlab.core.hands.longest_suit import RANK_BITS
from feltlab.core.layout import NOT_PLACED
from feltlab.core.round import Round
from feltlab.core.solver import Law, Solver, nets_on
from feltlab.core.stake import Stake
from feltlab.core.strategy.table import StrategyRow, StrategyTable
from feltlab.core.tally import Outcomes, Tally
from feltlab.counting.suit_polynomials import RESULTS, SuitClasses, binomials, count_dealers
from feltlab.counting.tree.solver import BEST
from feltlab.games.high_card_flush import rules
from feltlab.games.high_card_flush.choices import (
    JUDGED,
    NEVER,
    UNITS,
    Ints,
    choice_values,
    choose,
    count_all,
    count_equal,
    prove_deck,
    ranks_of,
)
from feltlab.games.high_card_flush.player import decisions, player
from feltlab.games.high_card_flush.strategies import STRATEGIES as NAMED
from feltlab.games.high_card_flush.strategy_card import make_card, read_hand
from feltlab.kernel import kernel
from feltlab.parallel.progress import Progress

STRATEGIES = BEST | {name: strategy.words for name, strategy in NAMED.items()}
BONUSES = ("flush-bonus", "straight-flush-bonus")
NOTE = (
    "A value is the expected net of the whole stake in units. A row is a class of hands with one longest "
    "suit and other suits that matter alike; its hand is an example, and hands: how many of them there are."
)


# -- The law ------------------------------------------------------------------------------------------


def joint_outcomes(game: Game, choice: int, result: int, size: int, run: int) -> Outcomes:
    """The joint outcome of a round."""
    ante, raised = JUDGED[result]
    units, spot = UNITS[choice], game.spot("raise")
    beside = (ante, spot.number(raised, units)) if units else (rules.ANTE_FOLDED, NOT_PLACED)
    return (*beside, rules.judge_flush(size), rules.judge_run(run))


@kernel
def _add_up(classes: SuitClasses, made: NDArray[np.uint8], sums: Ints) -> None:
    """Add the deals of every class to sums[choice, result, size, run]."""
    for n in range(len(made)):
        size = classes.tops[n] >> RANK_BITS
        for result in range(classes.counts.shape[1]):
            sums[made[n], result, size, classes.runs[n]] += classes.weights[n] * classes.counts[n, result]


def solve(game: Game, stake: Stake, strategy: str, progress: Progress) -> Law:
    """The joint law of all wagers under a strategy."""
    proof, made = prove_deck(game), choose(game, strategy)
    sums = np.zeros((len(rules.CHOICES), len(RESULTS), rules.HAND + 1, rules.HAND + 1), np.int64)
    _add_up(proof.classes, made, sums)
    joint: Counter[Outcomes] = Counter()
    for key in np.argwhere(sums).tolist():
        joint[joint_outcomes(game, *key)] += int(sums[tuple(key)])
    by_choice = sums.sum(axis=(1, 2, 3)).tolist()
    first = {choice.name: n for choice, n in zip(rules.CHOICES, by_choice, strict=True) if n}
    equal = None if strategy in NAMED else count_equal(choice_values(game)[0])
    method = f"{len(made):,} classes of seven cards, each against all dealers by suit polynomials"
    return Law(joint, first, method, equal_positions=equal)


def values(round: Round, stake: Stake) -> dict[str, Fraction]:
    """The expected net of each open choice, over every dealer's hand."""
    game, word = round.game, int(longest_suit.gather(np.array(round.seen[: rules.HAND], np.int8)))
    ranks = ranks_of(game)
    counts = count_dealers(binomials(), ranks, game.kernel_data.qualifies, word, count_all(ranks))
    size, run = longest_suit.strength_of_word(word) >> RANK_BITS, longest_suit.run_of_word(word)
    found = {}
    for name in round.choices:
        law: Counter[Outcomes] = Counter()
        for result, count in enumerate(counts):
            law[joint_outcomes(game, game.choice_numbers[name], result, size, run)] += count
        found[name] = Tally(game, law).total_expected(stake)
    return found


# -- The complete strategy ----------------------------------------------------------------------------


def strategy_table(game: Game, stake: Stake, progress: Progress) -> StrategyTable:
    """Every class with the value of each choice."""
    return StrategyTable(len(prove_deck(game).classes.tops), _rows(game, stake), NOTE)


def _rows(game: Game, stake: Stake) -> Iterator[StrategyRow]:
    proof, made = prove_deck(game), choose(game, "optimal").tolist()
    values, parts = choice_values(game)
    bonus = {key: _bonus_net(game, stake, *key) for key in product(range(rules.HAND + 1), repeat=2)}
    unit = lcm(parts * stake["ante"].denominator, *(net.denominator for net in bonus.values()))
    for n, row in enumerate(zip(*(field.tolist() for field in proof.classes[:5]), strict=True)):
        top, run, _, word, hands = row
        beside = int(bonus[top >> RANK_BITS, run] * unit) * proof.dealers
        nets = (
            None if value == NEVER else value * int(stake["ante"] * unit / parts) + beside
            for value in values[n].tolist()
        )
        hand = str(longest_suit.cards_in(word))
        yield StrategyRow(hand, "", hands, made[n], tuple(nets), unit * proof.dealers)


def _bonus_net(game: Game, stake: Stake, size: int, run: int) -> Fraction:
    """The net of both bonus wagers of a stake, in units."""
    outcomes, tally = joint_outcomes(game, rules.FOLD, 0, size, run), Tally(game, {})
    return sum((stake[bet] * tally.net(game.spot(bet), outcomes) for bet in BONUSES), Fraction(0))


def law_key(game: Game, stake: Stake, strategy: str) -> object:
    """The best choice depends on the pays of Ante and Raise; no choice matters to the bonuses."""
    return [strategy, list(game.deck.cards), None if strategy in NAMED else nets_on(game, "ante", "raise")]


SOLVER = Solver(
    STRATEGIES,
    solve,
    values,
    make_card,
    decisions,
    player,
    law_key,
    strategy_table=strategy_table,
    read_hand=read_hand,
)
