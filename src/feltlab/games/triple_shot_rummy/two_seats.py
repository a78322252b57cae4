"""The law of one seat of a player who holds two, and so sees six cards before choosing for either hand.

The other hand does not change what a hand is worth against one dealer's hand. It removes three cards from
those that the dealer can have, so the choice for a hand depends on both hands. For each hand up to suits:

1. sum the gain of playing over all dealer's hands, and over those that hold each card and each pair of cards;
2. inclusion-exclusion over the cards of the other hand gives the gain beside each of 18,424 other hands,
   which decides where the hand is played;
3. count the other hands beside which it is played, and those that hold each card and each pair; the same
   inclusion-exclusion gives for each dealer's hand how many of them are left.
"""

from collections import Counter
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from feltlab.core.game import Game
from feltlab.core.hands import poker
from feltlab.core.layout import NOT_PLACED
from feltlab.core.solver import Law, TwoSeats
from feltlab.core.stake import Stake
from feltlab.core.tally import Outcomes
from feltlab.counting.suits import Hands, classes
from feltlab.games.triple_shot_rummy import rules
from feltlab.games.triple_shot_rummy.solver import (
    AS_RULED,
    DEALERS,
    Counts,
    Dealers,
    dealers,
    gain_by_play,
    judged_pairs,
    score_hands,
)
from feltlab.kernel import int64, kernel
from feltlab.parallel.progress import Progress
from feltlab.parallel.threads import map_in_threads, slices

OTHERS = comb(46, 3)  # the hands that a second seat can have beside a hand and a dealer's hand
MAX_POINTS = 30
Numbers = NDArray[np.int64]
METHOD = (
    "every hand of the player up to suits, beside every hand of the player's second seat, against every hand "
    "of the dealer, by inclusion-exclusion over the cards removed"
)


@kernel
def _sum_by_cards(held: int, dealt: Dealers, trios: Numbers, values: Numbers, by_card: Numbers) -> int:
    """Sum the values of all hands without the held cards; by pair of cards (a card with itself: alone)."""
    total = 0
    by_card[:] = 0
    for d in range(len(trios)):
        if held & dealt.cards[d] == 0 and values[d] != 0:
            a, b, c = trios[d]
            total += values[d]
            for one, two in ((a, a), (b, b), (c, c), (a, b), (a, c), (b, c)):
                by_card[one, two] += values[d]
    return total


@kernel
def _sum_disjoint(total: int, by_card: Numbers, values: Numbers, trios: Numbers, d: int) -> int:
    """The sum over those hands that share no card with this one."""
    a, b, c = trios[d]
    alone = by_card[a, a] + by_card[b, b] + by_card[c, c]
    pairs = by_card[a, b] + by_card[a, c] + by_card[b, c]
    return int64(total - alone + pairs - values[d])


@kernel
def _count_beside_all(
    tables: poker.Tables,
    dealt: Dealers,
    trios: Numbers,
    hands: Hands,
    mine: Numbers,
    gains: Numbers,
    played: Counts,
    folded: Counts,
) -> None:
    """By hand, count pairs of other hand and dealer's hand by choice and by outcome of Play and the bonus."""
    key, lane = tables.key, tables.lane
    by_card = np.zeros((52, 52), np.int64)
    values, playing = np.zeros(len(trios), np.int64), np.zeros(len(trios), np.int64)
    for i in range(len(hands)):
        a, b, c = hands[i]
        held = 1 << int64(a) | 1 << int64(b) | 1 << int64(c)
        for d in range(len(trios)):
            values[d] = gains[mine[i], dealt.points[d]]
        total = _sum_by_cards(held, dealt, trios, values, by_card)
        for d in range(len(trios)):
            apart = held & dealt.cards[d] == 0
            playing[d] = apart and _sum_disjoint(total, by_card, values, trios, d) > 0
        total = _sum_by_cards(held, dealt, trios, playing, by_card)
        six, lanes = poker.LANES_EMPTY + key[a] + key[b] + key[c], lane[a] + lane[b] + lane[c]
        for d in range(len(trios)):
            if held & dealt.cards[d] == 0:
                play, _ = rules.judge(mine[i], dealt.points[d])
                strength = poker.look_up(tables, six + dealt.total[d], lanes + dealt.lanes[d])
                bonus = rules.judge_six_card_bonus(strength)
                beside = _sum_disjoint(total, by_card, playing, trios, d)
                played[i, play, bonus] += beside
                folded[i, play, bonus] += OTHERS - beside


def count_beside_all(game: Game, hands: Hands) -> tuple[Counts, Counts]:
    """By hand and outcomes of Play and bonus: the deals of two more hands where it is played, or folded."""
    trios = np.array(list(combinations(range(52), 3)), np.int64)
    shape = (len(hands), len(rules.PLAYED.lines), len(rules.SIX_CARD_BONUS[0].lines))
    played, folded = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
    known = poker.tables(), dealers(AS_RULED.points), trios
    mine, gains = score_hands(AS_RULED.points, hands), gains_by_points(game)

    def count(part: slice) -> None:
        _count_beside_all(*known, hands[part], mine[part], gains, played[part], folded[part])

    map_in_threads(count, slices(len(hands), 64))
    return played, folded


def gains_by_points(game: Game) -> Numbers:
    """The gain of playing over folding, in whole parts of a unit, by points of player and dealer."""
    gain, _ = gain_by_play(game)
    scores = range(MAX_POINTS + 1)
    return np.array([[gain[rules.judge(mine, dealer)[0]] for dealer in scores] for mine in scores], np.int64)


def solve_two_seats(game: Game, stake: Stake, progress: Progress) -> Law:
    """The joint law of the wagers at one of the two seats; that at the other is the same."""
    hands, weights = classes(rules.HAND)
    played, folded = count_beside_all(game, hands)
    ante_of = dict(judged_pairs())
    joint: Counter[Outcomes] = Counter()
    for n, hand in enumerate(hands):
        pair_plus = int(rules.judge_pair_plus(AS_RULED.strength(*hand.tolist())))
        weight = int(weights[n])
        for play, bonus in np.argwhere(played[n] + folded[n]).tolist():
            joint[play, ante_of[play], pair_plus, bonus] += weight * int(played[n, play, bonus])
            joint[NOT_PLACED, rules.ANTE_FOLDED, pair_plus, bonus] += weight * int(folded[n, play, bonus])
    total = sum(int(count) * int(weight) for count, weight in zip(played.sum((1, 2)), weights, strict=True))
    first = {"play": total, "fold": comb(52, 3) * DEALERS * OTHERS - total}
    return Law({outcomes: n for outcomes, n in joint.items() if n}, first, METHOD)


TWO_SEATS = TwoSeats(solve=solve_two_seats)
