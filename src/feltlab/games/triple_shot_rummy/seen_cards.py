"""The worth of a seen card in Triple Shot Rummy.

For each hand up to suits and each card outside of it, the nets of playing and of folding are summed over the
dealer's hands that hold the card. That is all: the hands without it are the others, so the same sums serve
a card of the dealer's and a dead card.
"""

from collections.abc import Iterable
from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from feltlab.core.game import Game
from feltlab.core.hands import poker, three_card
from feltlab.core.layout import NOT_PLACED
from feltlab.core.solver import DEAD_CARD, SeenCard
from feltlab.core.stake import Stake
from feltlab.core.tally import Outcomes, Tally
from feltlab.counting.seen_cards import TOO_FINE, sum_by_rank, whole_parts
from feltlab.counting.suits import Hands, classes
from feltlab.games.triple_shot_rummy import rules
from feltlab.games.triple_shot_rummy.solver import (
    AS_RULED,
    DEALERS,
    Dealers,
    dealers,
    judged_pairs,
    plays,
    score_hands,
)
from feltlab.kernel import int64, kernel
from feltlab.parallel.progress import Progress
from feltlab.parallel.threads import map_in_threads, slices

DECK = range(52)
HELD_BY_DEALER = comb(48, 2)  # the dealer's hands that hold a card outside of the player's hand
MAX_NET = 1 << 36  # times the dealer's hands and the hands of a class it fits 64 bits
Numbers = NDArray[np.int64]
DEALER_CARD = "one of the dealer's three cards"
METHOD = (
    "every hand of the player up to suits, beside every card that can be seen, against every hand of the "
    "dealer that holds it or does not"
)


@kernel
def _sum_nets(
    tables: poker.Tables,
    dealt: Dealers,
    trios: Numbers,
    hands: Hands,
    mine: Numbers,
    nets: Numbers,
    pair_plus: Numbers,
    out: Numbers,
) -> None:
    """By choice, hand and card: the nets over all dealer's hands that hold the card.

    `nets` holds those of playing, by outcome of Play and of the bonus, and in its last row of folding.
    """
    key, lane = tables.key, tables.lane
    folded = len(nets) - 1
    for i in range(len(hands)):
        a, b, c = hands[i]
        held = 1 << int64(a) | 1 << int64(b) | 1 << int64(c)
        total, lanes = poker.LANES_EMPTY + key[a] + key[b] + key[c], lane[a] + lane[b] + lane[c]
        for d in range(len(trios)):
            if held & dealt.cards[d] == 0:
                play, _ = rules.judge(mine[i], dealt.points[d])
                six = poker.look_up(tables, total + dealt.total[d], lanes + dealt.lanes[d])
                bonus = rules.judge_six_card_bonus(six)
                for card in trios[d]:
                    out[rules.PLAY, i, card] += nets[play, bonus] + pair_plus[i]
                    out[rules.FOLD, i, card] += nets[folded, bonus] + pair_plus[i]


def _nets(game: Game, stake: Stake) -> tuple[Numbers, list[int], int]:
    """Nets by outcome of Play (the last: folded) and bonus, those of Pair Plus, and the parts of a unit."""
    bonus, plus = range(len(rules.SIX_CARD_BONUS[0].lines)), range(len(rules.PAIR_PLUS[0].lines))
    beside = [*judged_pairs(), (NOT_PLACED, rules.ANTE_FOLDED)]
    tally = Tally(game, {})
    at_bonus = [stake["six-card-bonus"] * _line(game, "six-card-bonus", n) for n in bonus]
    at_plus = [stake["pair-plus"] * _line(game, "pair-plus", n) for n in plus]
    ante = game.spot("ante")
    at_ante: Iterable[Outcomes] = ((*pair, 0, 0) for pair in beside)
    at_choice = [stake["ante"] * tally.net(ante, outcomes) for outcomes in at_ante]
    whole, unit = whole_parts([*at_choice, *at_bonus, *at_plus])
    ante_nets, rest = whole[: len(beside)], whole[len(beside) :]
    table = np.add.outer(np.array(ante_nets, object), np.array(rest[: len(bonus)], object))
    return table, rest[len(bonus) :], unit


def _line(game: Game, spot: str, outcome: int) -> Fraction:
    return game.pay_table(game.spot(spot)).lines[outcome].pays


def sum_nets(hands: Hands, nets: Numbers, plus: list[int]) -> Numbers:
    """By choice, hand and card, computed on all cores."""
    trios = np.array(list(combinations(DECK, rules.HAND)), np.int64)
    known = poker.tables(), dealers(AS_RULED.points), trios
    mine = score_hands(AS_RULED.points, hands)
    pair_plus = np.array(
        [plus[rules.judge_pair_plus(three_card.strength(*hand))] for hand in hands], np.int64
    )
    out = np.zeros((len(rules.CHOICES), len(hands), len(DECK)), np.int64)

    def work(part: slice) -> None:
        _sum_nets(*known, hands[part], mine[part], nets, pair_plus[part], out[:, part])

    map_in_threads(work, slices(len(hands), 64))
    return out


def see_cards(game: Game, stake: Stake, progress: Progress) -> tuple[SeenCard, ...]:
    nets, plus, unit = _nets(game, stake)
    if max(map(abs, (*nets.flat, *plus))) >= MAX_NET:
        return SeenCard("dead", DEAD_CARD, TOO_FINE), SeenCard("dealer", DEALER_CARD, TOO_FINE)
    hands, weights = classes(rules.HAND)
    held = sum_nets(hands, nets.astype(np.int64), plus) * weights[:, np.newaxis]
    everyone = held.sum(axis=2, keepdims=True) // rules.HAND
    outside = np.array([[card not in hand for card in DECK] for hand in hands.tolist()])
    chosen = np.where(plays(game, "optimal"), rules.PLAY, rules.FOLD)
    players = comb(51, 3) * unit
    dead = sum_by_rank((everyone - held) * outside, chosen, DECK, players * (DEALERS - HELD_BY_DEALER))
    shown = sum_by_rank(held, chosen, DECK, players * HELD_BY_DEALER)
    return SeenCard("dead", DEAD_CARD, METHOD, dead), SeenCard("dealer", DEALER_CARD, METHOD, shown)
