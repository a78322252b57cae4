"""The published strategy table against the best play of Blackjack, hand by hand.

A row of the table holds for every hand of its total, of two cards and more. For each hand: the choice of the
table with its footnotes, the best choice, how likely a player who follows the table meets the hand, and what
the table's choice costs there if the play is best afterwards. The costs of all hands add up to what the table
costs altogether.

Ten, jack, queen and king are one value here; against an up-card of ten, the four ranks are alike.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import perm
from typing import NamedTuple

import numpy as np

from feltlab.core.cards import RANKS as NAMES
from feltlab.core.game import Game
from feltlab.core.hands import blackjack
from feltlab.core.solver import TableHand
from feltlab.games.triple_shot_bonus import rules
from feltlab.games.triple_shot_bonus.solver.dealer import PLAYED_ENDS, dealer_law
from feltlab.games.triple_shot_bonus.solver.hand_values import (
    FIRST_CHOICES,
    SolvedUpCard,
    join_parts,
    weigh_first,
    weigh_later,
    weigh_split,
)
from feltlab.games.triple_shot_bonus.solver.labels import LEVEL_WITH_ACE
from feltlab.games.triple_shot_bonus.solver.objective import blackjack_alone, solve_up_card
from feltlab.games.triple_shot_bonus.solver.states import PARTS, RANKS, states
from feltlab.games.triple_shot_bonus.solver.strategies import (
    follow_published_table,
    playable_hands,
    row_of,
)

TENS = str.maketrans("JQK", "TTT")
TEN_RANKS = 4  # with the value of ten
Values = dict[int, int]  # by choice, summed over all ways to go on


class Met(NamedTuple):
    """A hand that the table covers, and the ways in which a player who follows the table meets it."""

    ranks: str
    total: int
    soft: bool
    values: Values
    orders: int  # of its cards in which the table leads to it
    ways: int  # to go on from it, without a dealer's blackjack


def audit_table(game: Game, up: str) -> Mapping[str, Mapping[str, TableHand]]:
    """By row and hand, what the table says against an up-card and what is best."""
    deals = perm(51, 6) * _dealer_ways(game)
    share = Fraction((TEN_RANKS if up == "T" else 1), len(NAMES)) / deals
    unit = blackjack_alone(game).unit / PARTS
    found: dict[str, dict[str, TableHand]] = defaultdict(dict)
    for met in _hands(game, up):
        said = follow_published_table(met.ranks, met.total, met.soft, up)
        best = max(met.values, key=lambda choice: met.values[choice])
        lost = met.orders * (met.values[best] - met.values[said])
        best = said if met.values[best] == met.values[said] else best
        hand = "-".join(reversed(met.ranks.translate(TENS)))
        row = "A-A" if met.ranks == "AA" else row_of(met.total, met.soft)
        names = (game.choices[said].name, game.choices[best].name)
        each = TableHand(*names, share * met.orders * met.ways, share * unit * lost)
        found[row][hand] = found[row][hand] + each if hand in found[row] else each
    return found


def _dealer_ways(game: Game) -> int:
    """The ways in which the dealer's hand can go on, the same whatever the player's six cards are."""
    return int(dealer_law(game.kernel_data.hits_soft_17, 0).sum(axis=1).max())


def _hands(game: Game, up: str) -> Iterator[Met]:
    rank = NAMES.index(up)
    data = game.kernel_data
    one = solve_up_card(data.hits_soft_17, data.six_card_rule, blackjack_alone(game), rank, suits_seen=False)
    orders: dict[int, int] = defaultdict(int)
    yield from _pairs(one, up, orders)
    for state, ranks, total, soft in playable_hands():  # a hand comes before those to which it leads
        if len(ranks) > 2 and _count_left(ranks, rank, rank) >= 0:
            out = np.zeros((FIRST_CHOICES, 2, 2), np.int64)
            weigh_later(one, state, out)
            values = {choice: join_parts(out[choice, 0]) for choice in (rules.HIT, rules.STAND)}
            yield Met(ranks, total, soft, values, orders[state], _ways(one, state))
            if follow_published_table(ranks, total, soft, up) == rules.HIT:
                _deal_on(orders, state, ranks, rank)


def _pairs(one: SolvedUpCard, up: str, orders: dict[int, int]) -> Iterator[Met]:
    """Every two cards with which there is a choice; what the table hits is dealt on."""
    table = states()
    for state, ranks, total, soft in playable_hands():
        if len(ranks) != 2:
            continue
        first, second = _cards(ranks, one.up)
        if blackjack.is_blackjack(first, second):
            continue
        values = _value_pair(one, first, second)
        dealt = _orders_of(ranks, one.up)
        ways = sum(
            _count_left(ranks, r, one.up) * _ways(one, int(table.child[state - table.first_plain, r]))
            for r in range(RANKS)
            if _count_left(ranks, r, one.up) > 0
        )
        yield Met(ranks, total, soft, values, dealt, ways)
        if follow_published_table(ranks, total, soft, up) == rules.HIT:
            orders[state] = dealt
            _deal_on(orders, state, ranks, one.up)


def _value_pair(one: SolvedUpCard, first: int, second: int) -> Values:
    out = np.zeros((FIRST_CHOICES, 2, 2), np.int64)
    weigh_first(states(), one, first, second, out)
    open_now = [rules.HIT, rules.STAND, rules.DOUBLE]
    if NAMES[first >> 2] == NAMES[second >> 2] == "A":
        weigh_split(states(), LEVEL_WITH_ACE, one, first, second, out[rules.SPLIT_ACES])
        open_now.append(rules.SPLIT_ACES)
    return {choice: join_parts(out[choice, 0]) for choice in open_now}


def _cards(ranks: str, up: int) -> tuple[int, int]:
    """Two cards of these ranks, of other suits than the up-card's."""
    first, second = map(NAMES.index, ranks)
    return 4 * first + 1, 4 * second + 2


def _count_left(ranks: str, rank: int, up: int) -> int:
    """The cards of a rank that are left beside a hand and the up-card."""
    return 4 - ranks.count(NAMES[rank]) - (rank == up)


def _orders_of(ranks: str, up: int) -> int:
    """The ordered deals of two cards of these ranks."""
    one, two = map(NAMES.index, ranks)
    left = _count_left("", one, up)
    return left * (left - 1) if one == two else 2 * left * _count_left("", two, up)


def _deal_on(orders: dict[int, int], state: int, ranks: str, up: int) -> None:
    """Give the hand its next card, in all ways."""
    table = states()
    for rank in range(RANKS):
        left, child = _count_left(ranks, rank, up), int(table.child[state - table.first_plain, rank])
        if left > 0 and child >= 0:
            orders[child] += orders[state] * left


def _ways(one: SolvedUpCard, state: int) -> int:
    """The ways to complete player's and dealer's hands from a state, without a dealer's blackjack."""
    return sum(join_parts(column) for column in one.odds[state, :PLAYED_ENDS])
