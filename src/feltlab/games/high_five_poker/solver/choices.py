"""The best choice of every single hand, proved.

Playing instead of folding gains a fixed amount against each kind of dealer's hand, least against a stronger
one. Subtracting that least gain from all of them leaves *weights* that are not negative: with the listed
pays 3 where the dealer does not qualify, 4 where the dealer is weaker, 2 where equal. A hand P is played if
the weights of all dealer's hands that avoid P sum to C(46, 7) or more. Other pays have other weights; since a
win stays a win, none is negative, and a straight never has smaller weights.

The sum comes from inclusion and exclusion over the subsets of P. As weights are not negative, the partial sum
up to three cards is a lower bound and that up to four cards an upper bound (Bonferroni). They decide most
hands; the exact sum decides the others.

Three groups of hands need different columns of weights:

- **below a pair of sixes** every dealer who qualifies is stronger: one column;
- **from a pair of sixes to the end of the zone**: one column for each strength;
- **from the end of the zone on**: one column that counts only dealers below the end as weaker. This is a
  lower bound for every such hand, and it is enough for all of them to be played.

So the choice of every hand is proved and none is assumed; pays for which the bound is not enough are refused.
"""

from collections.abc import Iterator
from itertools import combinations
from math import comb, lcm
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from feltlab.core.game import Game
from feltlab.core.layout import NOT_PLACED
from feltlab.counting import showdown, subsets
from feltlab.counting.showdown import EQUAL, LESS, UNQUALIFIED, StrengthOrder, Zone, count_avoiding, places
from feltlab.counting.subsets import HAND, Ints, Numbers, Subsets
from feltlab.counting.suits import Hands, sort
from feltlab.errors import Refused
from feltlab.games.high_five_poker import rules
from feltlab.kernel import int64, kernel
from feltlab.parallel.progress import Progress
from feltlab.parallel.threads import map_in_threads, slices

FOLDED = (NOT_PLACED, rules.ANTE_FOLDED)  # the outcomes of Play and Ante
STRONGEST = (1 << 16) - 1
UNPROVED = 2  # in place of a choice


# -- Weights ----------------------------------------------------------------------------------------


class Nets(NamedTuple):
    """The nets of Play's and Ante's outcomes, in the largest parts of an Ante that make all of them whole."""

    play: tuple[int, ...]
    ante: tuple[int, ...]
    parts: int  # of one Ante

    @classmethod
    def of(cls, game: Game) -> "Nets":
        tables = (game.pay_table(game.spot(spot)).lines for spot in ("play", "ante"))
        play, ante = ([line.pays for line in lines] for lines in tables)
        parts = lcm(*(net.denominator for net in (*play, *ante)))
        nets = cls(tuple(int(n * parts) for n in play), tuple(int(n * parts) for n in ante), parts)
        if max(nets.play) + max(nets.ante) > MAX_NET_PARTS:
            raise Refused("Play and Ante pay too much, or in too small parts, to be solved.")
        return nets

    def together(self, play_and_ante: tuple[int, int]) -> int:
        play, ante = play_and_ante
        return self.ante[ante] + (self.play[play] if play != NOT_PLACED else 0)


MAX_NET_PARTS = 10**7  # times the hands that contain a subset, in the shares of a triple, it fits 64 bits
LISTED_NETS = Nets.of(Game(rules))  # Play and Ante have one pay table each, whatever the options


def judge_kinds(player: int) -> Iterator[tuple[int, int]]:
    """The outcomes of Play and Ante against a dealer not qualified, weaker, equal and stronger.

    A kind that no dealer can be of has an outcome too; it is counted no times.
    """
    yield rules.judge(player, 0)
    yield rules.judge(player, max(player - 1, rules.QUALIFIES))
    yield rules.judge(player, max(player, rules.QUALIFIES))
    yield rules.judge(player, STRONGEST)


def weigh_kinds(player: int, nets: Nets = LISTED_NETS) -> list[int]:
    """The gain of a player who plays against three kinds of dealer, over one who is stronger."""
    *others, stronger = map(nets.together, judge_kinds(player))
    return [net - stronger for net in others]


def needed_weight(dealers: int, nets: Nets = LISTED_NETS) -> int:
    """The sum of weights from which on playing is as good as folding."""
    return dealers * (nets.together(FOLDED) - nets.together(rules.judge(0, STRONGEST)))


# -- Columns of weights -----------------------------------------------------------------------------


class Columns(NamedTuple):
    """The sum of weights over all hands that contain a subset, by the player's strength.

    Column 0 is for hands below the zone, the last for those above it, where the sum is a lower bound.
    """

    whole: Ints  # by column: over all hands
    triple: Ints  # by column and class: a triple's share of the partial sum up to three cards
    four: NDArray[Any]  # by column and class; of 32 bits where that is enough
    max_four: Ints  # by column: an upper bound of what the subsets of four of any hand have together
    weights: Ints  # by column, of the three kinds of dealer
    triples: Numbers  # by place among subsets of three: the class
    fours: Numbers  # the same for subsets of four


# A hand has 35 triples; a card of it is in 15 of them, a pair of its cards in 5.
CARD_SHARES, PAIR_SHARES = comb(HAND - 1, 2), comb(HAND - 2, 1)


def build_columns(found: Subsets, order: StrengthOrder, zone: Zone, nets: Nets = LISTED_NETS) -> Columns:
    end = zone.few.shape[1] - 1
    # Above the zone the weakest hand has the least weights: they rise with a straight and never fall.
    players = [0, *order.strengths[zone.lowest :].tolist(), STRONGEST][: end + 2]
    weights = np.array([weigh_kinds(player, nets) for player in players])
    fits = int(weights.max()) * int(zone.few.max()) < 1 << 31
    few = zone.few if fits else zone.few.astype(np.int64)
    sums = np.array([_sum_weights(few, column, *weights[column]) for column in range(end + 2)], few.dtype)
    four = sums[:, found.first[4] :]
    max_four = comb(HAND, 4) * four.max(axis=1).astype(np.int64)
    whole, triple = sums[:, 0].astype(np.int64), _triple_shares(found, sums)
    return Columns(
        whole, triple, four, max_four, weights, _classes_by_place(found, 3), _classes_by_place(found, 4)
    )


def _sum_weights(below: NDArray[Any], column: int, unqualified: int, less: int, equal: int) -> NDArray[Any]:
    """The sum of weights for a column, from the numbers of hands below each order index."""
    low, high = _edges(column, below.shape[1] - 1)
    weaker, same = below[:, low] - below[:, 0], below[:, high] - below[:, low]
    out: NDArray[Any] = unqualified * below[:, 0] + less * weaker + equal * same
    return out


@kernel
def _edges(column: int, end: int) -> tuple[int, int]:
    """Two columns of the zone: dealers below the first are weaker, those from the second on stronger."""
    return min(max(column - 1, 0), end), min(column, end)


def _triple_shares(found: Subsets, sums: NDArray[Any]) -> Ints:
    """Over the triples of a hand these add up to its terms of one to three cards, `CARD_SHARES` times."""
    triples = np.sort(found.hands[3], axis=1)
    ones = [_class_numbers(found, triples[:, [i]]) for i in range(3)]
    twos = [_class_numbers(found, triples[:, pair]) for pair in combinations(range(3), 2)]
    cards = np.add.reduce([sums[:, one].astype(np.int64) for one in ones])
    pairs = np.add.reduce([sums[:, two].astype(np.int64) for two in twos])
    whole = sums[:, found.first[3] : found.first[4]].astype(np.int64)
    out: Ints = CARD_SHARES // PAIR_SHARES * pairs - cards - CARD_SHARES * whole
    return out


def _class_numbers(found: Subsets, hands: Hands) -> Numbers:
    return found.number[[subsets.place(subsets.PARTS, hand) for hand in hands]]


def _classes_by_place(found: Subsets, size: int) -> Numbers:
    start, end = subsets.PARTS.first[size : size + 2]
    return found.number[start:end] - np.int32(found.first[size])


# -- The choice of every hand -----------------------------------------------------------------------


@kernel
def _choose(
    zone: Zone,
    columns: Columns,
    hands: Hands,
    order_indices: NDArray[np.uint16],
    need: int,
    choice: NDArray[np.uint8],
) -> None:
    """Write the best choice of every hand; a hand for which both are equal plays."""
    whole, triple, max_four = columns.whole, columns.triple, columns.max_four
    triples, choose, lowest = columns.triples, zone.ways.choose, zone.lowest
    hand = np.empty(HAND, np.uint8)
    end = zone.few.shape[1] - 1
    for i in range(len(hands)):
        hand[:] = hands[i]
        sort(hand)
        column = min(max(int64(order_indices[i]) - lowest + 1, 0), end + 1)
        least = whole[column] + _sum_triples(choose, triples, triple, column, hand) // CARD_SHARES
        if least >= need:
            choice[i] = rules.PLAY
        elif column > end:
            choice[i] = UNPROVED
        elif least + max_four[column] < need:
            choice[i] = rules.FOLD
        else:
            choice[i] = _choose_closely(zone, columns, hand, column, least, need)


@kernel
def _sum_triples(choose: Ints, triples: Numbers, triple: Ints, column: int, hand: NDArray[np.uint8]) -> int:
    total = 0
    for i in range(2, HAND):
        for j in range(1, i):
            at = choose[hand[i], 3] + choose[hand[j], 2]
            for k in range(j):
                total += triple[column, triples[at + hand[k]]]
    return total


@kernel
def _choose_closely(
    zone: Zone, columns: Columns, hand: NDArray[np.uint8], column: int, least: int, need: int
) -> int:
    """Choose where triples do not decide: by the upper bound with fours, then by the exact sum."""
    place = np.empty(1 << HAND, np.int64)
    places(zone.ways, hand, place)
    most = least
    for i in range(zone.ways.start[4], zone.ways.start[5]):
        most += columns.four[column, columns.fours[place[zone.ways.mask[i]]]]
    if most < need:
        return rules.FOLD
    kinds = np.empty(3, np.int64)
    _count_kinds(zone, hand, column, place, kinds)
    exact = 0
    for kind in range(3):
        exact += columns.weights[column, kind] * kinds[kind]
    return rules.PLAY if exact >= need else rules.FOLD


@kernel
def _count_kinds(zone: Zone, hand: NDArray[np.uint8], column: int, place: Ints, kinds: Ints) -> None:
    """Count the dealers not qualified, weaker and equal that avoid a hand of the zone or below."""
    low, high = _edges(column, zone.few.shape[1] - 1)
    count_avoiding(zone, hand, low, high, place, kinds)
    kinds[EQUAL] -= kinds[LESS]
    kinds[LESS] -= kinds[UNQUALIFIED]


@kernel
def count_dealers(zone: Zone, hands: Hands, order_indices: NDArray[np.uint16], kinds: Ints) -> None:
    """Write the dealers not qualified, weaker and equal that avoid each hand of the zone or below."""
    place, hand = np.empty(1 << HAND, np.int64), np.empty(HAND, np.uint8)
    for i in range(len(hands)):
        hand[:] = hands[i]
        sort(hand)
        _count_kinds(zone, hand, max(int64(order_indices[i]) - zone.lowest + 1, 0), place, kinds[i])


def choose_all(
    zone: Zone,
    columns: Columns,
    players: Hands,
    order_indices: NDArray[np.uint16],
    need: int,
    progress: Progress,
) -> NDArray[np.uint8]:
    """The best choice of every hand."""
    choice = np.empty(len(players), np.uint8)
    map_in_threads(
        lambda part: _choose(zone, columns, players[part], order_indices[part], need, choice[part]),
        slices(len(players), showdown.SLICES),
        progress,
    )
    if (choice == UNPROVED).any():
        raise Undecided("the zone ends too early: the bound leaves a hand above it undecided")
    return choice


class Undecided(ArithmeticError):
    """The bound on hands above the zone does not decide all of them."""
