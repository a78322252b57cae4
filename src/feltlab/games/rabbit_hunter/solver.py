"""The solver of Rabbit Hunter Stud Poker: every deal counted, every hand played for the whole stake.

The method, module by module:

- `counts` counts, for each class of five cards, the deals that lead to each joint outcome of playing and of
  buying. These counts hold for every stake.
- `choices` gives each class one choice: the best for a stake, or that of a strategy in `thumb_rules`.
- This module sums the counts of those choices, which gives the law, and values the choices of one hand.
- `strategy_card` puts optimal play on a card, `player` makes a strategy that a simulation can follow.
"""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from feltlab.core.game import Game
from feltlab.core.hands import poker
from feltlab.core.round import Round
from feltlab.core.solver import Law, Solver, nets_on
from feltlab.core.stake import Stake
from feltlab.core.tally import Outcomes
from feltlab.counting.removal import (
    Ints,
    order_strengths,
)
from feltlab.counting.suits import Hands
from feltlab.games.rabbit_hunter import rules
from feltlab.games.rabbit_hunter.choices import choices_of, nets_of
from feltlab.games.rabbit_hunter.classes import classes
from feltlab.games.rabbit_hunter.counts import (
    DealCounts,
    Numbers,
    count_deals,
    joint_outcomes,
    outcome_numbers,
)
from feltlab.games.rabbit_hunter.player import decisions, player
from feltlab.games.rabbit_hunter.rules import CHOICES, PLAY, SIXTH, judge, judge_tens_up
from feltlab.games.rabbit_hunter.strategy_card import card, read_hand
from feltlab.games.rabbit_hunter.thumb_rules import (
    STRATEGIES,
    Choices,
)
from feltlab.kernel import kernel
from feltlab.parallel.progress import Progress

METHOD = (
    "Every class of five and of six player's cards meets all dealer's hands by inclusion-exclusion over the "
    "cards removed, and the choice is made for each class of five in whole numbers."
)


# -- Joint outcomes of a player who plays -----------------------------------------------------------


# -- Counting ---------------------------------------------------------------------------------------


# -- What a choice is worth -------------------------------------------------------------------------


# -- The law ----------------------------------------------------------------------------------------


def law(counts: DealCounts, choices: Choices) -> Law:
    """The law when each class of five cards makes its choice."""
    joint: Counter[Outcomes] = Counter()
    first: dict[str, int] = {}
    for number, choice in enumerate(CHOICES):
        chosen = counts.of(number)[choices == number].sum(axis=0, dtype=np.int64).tolist()
        first[choice.name] = sum(chosen)
        joint.update({outcomes: n for outcomes, n in zip(counts.outcomes(number), chosen, strict=True) if n})
    return Law(joint, first, METHOD)


def solve(game: Game, stake: Stake, strategy: str, progress: Progress) -> Law:
    counts = count_deals(progress=progress)
    return law(counts, choices_of(strategy, counts, game, stake))


# -- One hand ---------------------------------------------------------------------------------------


@kernel
def _deal_dealers(
    tables: poker.Tables, index_of: NDArray[np.uint16], rest: Hands, dealers: NDArray[np.int32]
) -> None:
    """Count every five of the rest at its order index, in the last row and in the rows of its cards."""
    key, lane, end = tables.key, tables.lane, len(rest)
    for a in range(end):
        for b in range(a + 1, end):
            for c in range(b + 1, end):
                total_c = poker.LANES_EMPTY + key[rest[a]] + key[rest[b]] + key[rest[c]]
                lanes_c = lane[rest[a]] + lane[rest[b]] + lane[rest[c]]
                for d in range(c + 1, end):
                    total_d, lanes_d = total_c + key[rest[d]], lanes_c + lane[rest[d]]
                    for e in range(d + 1, end):
                        found = poker.look_up(tables, total_d + key[rest[e]], lanes_d + lane[rest[e]])
                        at = index_of[found]
                        for row in (a, b, c, d, e, end):
                            dealers[row, at] += 1


@kernel
def _judge_dealers(player: int, dealers: Ints, strength_at: Ints, number: Numbers, out: Ints) -> None:
    tens_up = judge_tens_up(player)
    for order_index in range(len(strength_at)):
        if dealers[order_index]:
            ante, play, beat = judge(player, strength_at[order_index])
            out[number[ante, play, tens_up, beat]] += dealers[order_index]


def count_deals_of(five: Sequence[int]) -> list[Ints]:
    """Count the deals of one hand that lead to each joint outcome of folding, playing and buying.

    Every dealer's hand is dealt once. When the sixth card is known, those that hold it are subtracted.
    """
    strength_at, index_of = order_strengths()
    rest = np.setdiff1d(np.arange(52), five).astype(np.uint8)
    dealers = np.zeros((len(rest) + 1, len(strength_at)), np.int32)
    _deal_dealers(poker.tables(), index_of, rest, dealers)
    dealt = dealers.astype(np.int64)
    everyone, others = dealt[-1], len(rest) - rules.DEALER_CARDS
    played, bought = np.zeros((2, len(joint_outcomes(PLAY))), np.int64)
    _judge_dealers(_strength(five), everyone * others, strength_at, outcome_numbers(), played)
    for n, sixth in enumerate(rest.tolist()):
        _judge_dealers(_strength([*five, sixth]), everyone - dealt[n], strength_at, outcome_numbers(), bought)
    return [np.array([played.sum()]), played, bought]


def _strength(hand: Sequence[int]) -> int:
    return poker.strength(poker.tables(), np.array(hand, np.uint8))


def values(round: Round, stake: Stake) -> dict[str, Fraction]:
    """The expected net of each open choice with these five cards."""
    five = round.view.player[:SIXTH]
    names = [choice.name for choice in CHOICES]
    return {
        names[n]: _mean(deals, nets_of(round.game, stake, joint_outcomes(n)))
        for n, deals in enumerate(count_deals_of(five))
    }


def _mean(deals: Ints, nets: Sequence[Fraction]) -> Fraction:
    counted: list[int] = deals.tolist()
    return sum((n * net for n, net in zip(counted, nets, strict=True)), Fraction(0)) / sum(counted)


# -- The card ---------------------------------------------------------------------------------------


# -- To be simulated ----------------------------------------------------------------------------------


def law_key(game: Game, stake: Stake, strategy: str) -> object:
    """The optimal choice depends on the proportions of the stake and on the pays; other choices do not."""
    if strategy != "optimal":
        return strategy
    order_index = [spot.name for spot in game.spots if stake.get(spot.raises or spot.name)]
    unit = stake["ante"] or sum(stake.values())  # a play need not serve the Ante
    shares = {name: str(units / unit) for name, units in sorted(stake.items())}
    return [strategy, shares, nets_on(game, *order_index)]


SOLVER = Solver(
    STRATEGIES, solve, values, card, decisions, player, law_key, classes=classes, read_hand=read_hand
)
