"""DJ Wild Stud Poker's proof against its rules, by a small deck and by hands against all dealers."""

from fractions import Fraction
from math import comb

import numpy as np
import pytest

from feltlab.core.cards import cards
from feltlab.core.layout import new_outcomes
from feltlab.counting.dealer_kinds import EQUAL, HIGHER, LOWER
from feltlab.counting.showdown_solver import count_hand, count_showdown
from feltlab.counting.tree.solver import tree_solver
from feltlab.games import GAMES
from feltlab.games.dj_wild import rules
from feltlab.games.dj_wild.solver import SHOWDOWN, SOLVER
from feltlab.parallel.progress import nobody_listens
from feltlab.proving.proof import prove
from tests.support.small_decks import with_deck

GAME = GAMES["dj-wild"]
STAKE = {"ante": Fraction(1), "blind": Fraction(1)}
DEALERS = comb(48, 5)
HANDS = ["2c Jk Ks 9d 4h", "Jk Ks 9d 7d 4h", "Ac Kd 9h 7s 3c", "Kh Qh 9h 5h 2s", "4c 4d Qh 9s 5c"]


@pytest.fixture(scope="module")
def counts():
    return count_showdown(SHOWDOWN, GAME, nobody_listens)


def test_every_deal_is_counted_once(counts):
    assert int(counts.weights.sum()) == comb(53, 5)
    assert (counts.counts.sum(axis=1) == DEALERS).all()
    assert prove(GAME).tally.deals == comb(53, 5) * DEALERS == 4_913_773_104_240


def test_over_all_deals_neither_side_is_favoured(counts):
    lower, equal, higher = (int(counts.weights @ counts.counts[:, kind]) for kind in (LOWER, EQUAL, HIGHER))
    assert lower == higher
    assert 2 * lower + equal == comb(53, 5) * DEALERS


@pytest.mark.parametrize("hand", HANDS)
def test_a_hand_meets_every_dealer_that_can_be_dealt(hand, counts):
    """Inclusion and exclusion gives what dealing all 1,712,304 dealers gives."""
    held = cards(hand)
    dealt = count_hand(SHOWDOWN, GAME, np.array([*held, *[-1] * 5], np.int8))
    assert dealt.counts[0].tolist() == counts.counts[find_class(counts, held)].tolist()


def find_class(counts, held):
    """The row of a hand's class: that with the same ranks in suits of the same pattern."""
    ranks = sorted(card >> 2 for card in held)
    near = np.flatnonzero((np.sort(counts.shoes[:, :5] >> 2, axis=1) == ranks).all(axis=1))
    return next(row for row in near.tolist() if pattern(counts.shoes[row, :5].tolist()) == pattern(held))


def pattern(hand):
    return sorted(sorted(card >> 2 for card in hand if card < 52 and card & 3 == suit) for suit in range(4))


def test_the_judge_says_what_the_rules_settle():
    """On random deals, and for both choices."""
    generator, settled, judged = np.random.default_rng(8), new_outcomes(3), new_outcomes(3)
    for _ in range(300):
        shoe = generator.permutation(53)[:10].astype(np.int8)
        player, dealer = SHOWDOWN.read(shoe.reshape(2, 5).astype(np.uint8)).tolist()
        for choice in (rules.PLAY, rules.FOLD):
            rules.settle(GAME.kernel_data, shoe, np.array([choice], np.int8), settled)
            rules.judge(GAME.kernel_data, choice, player, dealer, judged)
            assert settled.tolist() == judged.tolist()


@pytest.mark.slow  # the tree is compiled for the game
def test_a_small_deck_as_the_rules_settle_it():
    """Every deal of seventeen cards with all wild cards, through `legal` and `settle`."""
    small = with_deck(GAME, "2c 2d 2h 2s Jk 9c 9d 9h 9s Tc Td Th Ts Kc Kd Kh Ks")
    for strategy in ("optimal", "cautious"):
        proved = SOLVER.solve(small, STAKE, strategy, nobody_listens)
        walked = tree_solver().solve(small, STAKE, strategy, nobody_listens)
        orders = sum(walked.counts.values()) // sum(proved.counts.values())  # the tree deals cards in order
        assert {joint: n * orders for joint, n in proved.counts.items()} == dict(walked.counts)
        assert {name: n * orders for name, n in proved.first_choices.items()} == dict(walked.first_choices)
        assert proved.equal_positions == walked.equal_positions


def test_the_edge():
    """Proved here; no source that could be read prints one."""
    proof = prove(GAME)
    assert f"{float(proof.loss):.6%}" == "3.467376%"
    assert proof.law.equal_positions == 0
    assert proof.tally.expected(GAME.spot("ante")) > 0 > proof.tally.expected(GAME.spot("blind"))


def test_the_card_costs_little():
    card = SOLVER.card(GAME, STAKE)
    assert card.lines[0] == ("Pair of Fours, 4-4-Q-9-5 or better", "play")
    assert 0 < card.cost < Fraction(1, 4000)
