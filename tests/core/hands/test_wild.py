"""Hands with wild deuces and a wild joker: all 2,869,685 of them."""

from itertools import combinations
from math import comb

import numpy as np
import pytest

from feltlab.core.cards import JOKER, cards
from feltlab.core.hands import wild
from feltlab.errors import Refused
from feltlab.kernel import plain_python
from tests.support import slow_hands

TABLES = wild.tables()


@pytest.fixture(scope="module")
def hands():
    """All hands, as rows of cards in rising order: every shorter hand with each higher card."""
    rows = np.arange(53, dtype=np.uint8)[:, None]
    for _ in range(4):
        higher = 52 - rows[:, -1].astype(np.int64)
        steps = 1 + np.arange(higher.sum()) - np.repeat(np.cumsum(higher) - higher, higher)
        rows = np.repeat(rows, higher, axis=0)
        rows = np.column_stack((rows, (rows[:, -1] + steps).astype(np.uint8)))
    return np.ascontiguousarray(rows)


@pytest.fixture(scope="module")
def strengths(hands):
    out = np.empty(len(hands), np.uint16)
    wild.strengths(TABLES, hands, out)
    return out


def test_no_two_sets_of_ranks_have_one_place():
    sums = [
        sum(wild.RANK_NUMBERS[rank] for rank in ranks) for ranks, suited in wild._rank_sets() if not suited
    ]
    # Up to five of twelve ranks with repetition are C(17, 5); twelve of those have a rank five times.
    assert len(sums) == len(set(sums)) == comb(17, 5) - 12
    assert max(sums) == wild.PLACES - 1


def test_categories_are_as_frequent_as_arithmetic_says(strengths):
    """Category by category: `wilds` of the five wild cards beside natural cards of the twelve other ranks."""
    count = dict(zip(wild.CATEGORIES, np.bincount(strengths >> 12).tolist(), strict=True))
    assert sum(count.values()) == comb(53, 5) == 2_869_685
    assert count["Five Wilds"] == 1
    # The natural cards are some of T-J-Q-K-A in one suit, at least one of them.
    royals = sum(comb(5, wilds) * 4 * comb(5, 5 - wilds) for wilds in range(5))
    assert count["Royal Flush"] == royals == 4 * (comb(10, 5) - 1)
    # One to four natural cards of one rank; a single ten or higher beside four wild cards is a royal flush.
    assert count["Five of a Kind"] == 5 * 7 * 4 + comb(5, 3) * 12 * 6 + comb(5, 2) * 12 * 4 + 5 * 12
    # Four of one rank with wild cards, and one of another; three wild cards beside two cards of one suit that
    # fit into a straight are a straight flush.
    fitting = sum(1 for pair in combinations(range(3, 15), 2) if slow_hands.fits_a_run(pair))
    fours = comb(5, 3) * (comb(12, 2) * 16 - 4 * fitting) + comb(5, 2) * 12 * 6 * 44
    assert count["Four of a Kind"] == fours + 5 * 12 * 4 * 44 + 12 * 44
    assert count["Full House"] == 12 * 4 * 11 * 6 + 5 * comb(12, 2) * 6**2
    assert count["Two Pair"] == comb(12, 2) * 6**2 * 40
    # Without wild cards eight straights are left, from 3-4-5-6-7 up.
    assert count["High Card"] == (comb(12, 5) - 8) * (4**5 - 4)


def test_categories_are_as_frequent_as_the_long_way_says(strengths):
    assert np.bincount(strengths >> 12).tolist() == slow_hands.wild_census()


def test_every_two_hands_compare_as_the_long_way_says(hands, strengths):
    """The hands that the long way reads alike have one strength, and those strengths are in its order."""
    pattern = patterns_of(hands)
    order = np.argsort(pattern, kind="stable")
    first = np.flatnonzero(np.diff(pattern[order], prepend=-1))
    lowest = np.minimum.reduceat(strengths[order], first)
    assert (lowest == np.maximum.reduceat(strengths[order], first)).all()
    slow = [slow_hands.wild(hand) for hand in hands[order[first]].tolist()]
    assert slow_hands.same_order(lowest.tolist(), slow)


def patterns_of(hands):
    """What is read of each hand, as one number: how often it has each rank, and whether it is of one suit."""
    natural = (hands > 3) & (hands < JOKER)
    ranks = np.where(natural, 6 ** (hands.astype(np.int64) >> 2), 0).sum(axis=1)
    suits = np.bitwise_and.reduce(np.where(natural, 1 << (hands & 3), 15), axis=1)
    return 2 * ranks + (suits > 0)


def test_categories_rise_as_the_long_way_says():
    assert wild.CATEGORIES == slow_hands.WILD


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int64])
def test_compiled_equals_interpreted_in_any_order_whatever_the_width_of_a_card(dtype, hands, strengths):
    plain = plain_python(wild.strength)
    generator = np.random.default_rng(4)
    for row in generator.integers(0, len(hands), 60):
        hand = generator.permutation(hands[row]).astype(dtype)
        assert plain(TABLES, hand) == wild.strength(TABLES, hand) == strengths[row]


@pytest.mark.parametrize(
    ("hand", "words"),
    [
        ("2c 2d 2h 2s Jk", "Five Wilds"),
        ("2c 2d 2h 2s Th", "Royal Flush"),
        ("2c 2d 2h Jk 9h", "Five of a Kind, Nines"),
        ("Ah Kh Jk Jh 2s", "Royal Flush"),
        ("Ah Kh Jk Jd 2s", "Straight, Ace high"),
        ("9c 9d 2h Jk 9h", "Five of a Kind, Nines"),
        ("5h 3h 4h Ah Jk", "Straight Flush, Five high"),  # the joker is the deuce
        ("5h 3h 4h Jk 2c", "Straight Flush, Seven high"),
        ("Kc 4d 2c 2d Jk", "Four of a Kind, Kings"),
        ("Kc 9c 2c 2d Jk", "Straight Flush, King high"),
        ("Kc 8c 2c 2d Jk", "Four of a Kind, Kings"),  # a flush would be less
        ("Kc Kd 9c 9d 2d", "Full House, Kings over Nines"),
        ("Kc Jc 7c 2d Jk", "Flush, Ace high"),
        ("Kc Jc 7c 4c 2d", "Flush, Ace high"),
        ("Ac Jc 7c 4c 2d", "Flush, Ace high"),
        ("Ac 3d 4c 5h 2c", "Straight, Five high"),
        ("Kc 9d 4c 2d Jk", "Three of a Kind, Kings"),
        ("Kc 9d 4c 9h Jk", "Three of a Kind, Nines"),
        ("Kc Kd 4c 9h 9s", "Two Pair, Kings and Nines"),
        ("Kc 9d 4c 8h Jk", "Pair of Kings"),
        ("Kc Qd Ac 3h 4s", "Ace high"),  # nothing goes round the corner
    ],
)
def test_hands_are_named(hand, words):
    assert wild.read(cards(hand)).name == words


@pytest.mark.parametrize(
    ("player", "dealer", "words"),
    [
        ("Ac Jc 7c 4c 2d", "Kd Jd 7d 4d Jk", "Flush, Ace high against Flush, Ace high"),  # both A-K-J-7-4
        ("Ac Kc 7c 4c 2d", "Kd Jd 7d 4d Jk",
         "Flush, Ace high, then king-queen, against Flush, Ace high, then king-jack"),
        ("Kc 9d 4c 8h Jk", "Kd 9c 5c 7h 2c",
         "Pair of Kings, nine-eight kickers, against Pair of Kings, nine-seven kickers"),
        ("Kc 9d 4c 8h Jk", "9h 9c 5c 7h 3c", "Pair of Kings against Pair of Nines"),
    ],
)  # fmt: skip
def test_showdowns_are_described(player, dealer, words):
    assert wild.describe_showdown(wild.read(cards(player)), wild.read(cards(dealer))) == words


@pytest.mark.parametrize("hand", ["", "As Kd Qh Jc", "As Kd Qh Jc Jk 2c"])
def test_only_five_cards_are_read(hand):
    with pytest.raises(Refused, match=f"five cards, not {len(cards(hand))}"):
        wild.read(cards(hand))


def test_the_deuces_and_the_joker_are_wild():
    assert [card for card in range(53) if wild.is_wild(card)] == [*cards("2c 2d 2h 2s"), JOKER]
