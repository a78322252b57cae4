"""Poker hands: every hand counted, every class ordered, and the readings that people see.

The proof that strengths are right has two steps. All 2,869,685 hands of five of 53 cards are compared
with the long way. Then every hand of six and of seven is shown to be worth its best five.
"""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from itertools import chain, combinations, combinations_with_replacement
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings

from feltlab.core.cards import ACE, JOKER, RANKS, cards, rank_of
from feltlab.core.hands import poker
from feltlab.errors import Refused
from feltlab.kernel import kernel, plain_python
from tests.support import slow_hands
from tests.support.census import count_categories
from tests.support.strategies import hands, with_joker

SIZES = (5, 6, 7)
DECKS = (52, 53)
TABLES = poker.tables()


def strength(hand):
    return int(poker.strength(TABLES, np.array(hand, np.uint8)))


def strengths(many):
    out = np.zeros(len(many), np.uint16)
    poker.strengths(TABLES, many, out)
    return out


def random_hands(size, deck, how_many, seed=20):
    shuffled = np.random.default_rng(seed).random((how_many, deck)).argpartition(size, axis=1)
    return np.ascontiguousarray(shuffled[:, :size]).astype(np.uint8)


# -- How many hands of each category ----------------------------------------------------------------

# From high card to royal flush; the five aces come after. The published tables are those of Brian
# Alspach, "7-Card Poker Hands" (comp20), "6-Card Poker Hands" (comp19) and "7-Card Poker Hands with
# Joker" (comp40), people.math.sfu.ca/~alspach. They count royal flushes among the straight flushes.
STRAIGHTS = 10
FIVE_OF_52 = [
    (comb(13, 5) - STRAIGHTS) * (4**5 - 4),
    13 * comb(4, 2) * comb(12, 3) * 4**3,
    comb(13, 2) * comb(4, 2) ** 2 * 44,
    13 * comb(4, 3) * comb(12, 2) * 4**2,
    STRAIGHTS * (4**5 - 4),
    (comb(13, 5) - STRAIGHTS) * 4,
    13 * comb(4, 3) * 12 * comb(4, 2),
    13 * 48,
    40,
]
PUBLISHED = {
    (5, 52): FIVE_OF_52,
    (6, 52): [6_612_900, 9_730_740, 2_532_816, 732_160, 361_620, 205_792, 165_984, 14_664, 1_844],
    (7, 52): [
        23_294_460, 58_627_800, 31_433_400, 6_461_620, 6_180_020, 4_047_644, 3_473_184, 224_848, 41_584,
    ],
    (7, 53): [
        24_780_420, 64_221_960, 35_553_816, 7_470_676, 11_236_028, 6_172_088, 4_188_528, 307_472, 210_964,
    ],
}  # fmt: skip


def census(size, deck):
    count = sum(count_categories(TABLES, size, deck, first) for first in range(deck - size + 1))
    return [int(times) for times in count]


def royal_flushes(size, deck):
    """All five cards and any others; or four of the five and the joker, without the fifth."""
    natural = 4 * comb(deck - 5, size - 5)
    return natural + (4 * 5 * comb(52 - 5, size - 5) if deck == 53 else 0)


@pytest.mark.parametrize("deck", DECKS)
@pytest.mark.parametrize("size", SIZES)
def test_categories_are_as_frequent_as_ranks_and_suits_counted_apart_say(size, deck):
    expected = slow_hands.poker_census(size, joker=False)
    if deck == 53:
        with_joker = slow_hands.poker_census(size - 1, joker=True)
        expected = [a + b for a, b in zip(expected, with_joker, strict=True)]
    assert census(size, deck) == expected
    assert sum(expected) == comb(deck, size)


@pytest.mark.parametrize(("size", "deck"), PUBLISHED)
def test_categories_are_as_frequent_as_published(size, deck):
    *others, straight_flushes, royals, five_aces = census(size, deck)
    assert [*others, straight_flushes + royals] == PUBLISHED[size, deck]
    assert sum(PUBLISHED[size, deck]) + five_aces == comb(deck, size)


@pytest.mark.parametrize("deck", DECKS)
@pytest.mark.parametrize("size", SIZES)
def test_royal_flushes_and_five_aces_are_as_frequent_as_arithmetic_says(size, deck):
    count = census(size, deck)
    # comp40 says 26,124 royal flushes in seven of 53 cards, eight fewer; the two terms leave no room for it.
    assert count[poker.ROYAL] == royal_flushes(size, deck)
    assert count[poker.FIVE_ACES] == (comb(48, size - 5) if deck == 53 else 0)


def test_the_royal_flushes_and_five_aces_of_seven_of_53():
    assert royal_flushes(7, 53) == 4 * comb(48, 2) + 20 * comb(47, 2) == 26_132
    assert census(7, 53)[poker.FIVE_ACES] == comb(48, 2) == 1_128


@pytest.mark.parametrize("first", [0, 3])
def test_a_census_counts_the_hands_whose_lowest_card_is_the_first(first):
    counted = Counter(strength((first, *rest)) >> 12 for rest in combinations(range(first + 1, 14), 4))
    assert list(count_categories(TABLES, 5, 14, first)) == [counted[category] for category in range(11)]


# -- The order of all hands of five -----------------------------------------------------------------


@pytest.fixture(scope="module")
def fives():
    """Every hand of five of 53 cards, a row each, and the strengths."""
    found = chain.from_iterable(combinations(range(53), 5))
    rows = np.fromiter(found, np.uint8, 5 * comb(53, 5)).reshape(-1, 5)
    return rows, strengths(rows)


@pytest.fixture(scope="module")
def classes(fives):
    """One hand for each set of ranks, suited and not, with and without the joker; with its values.

    Checks on the way that all hands of a class have one strength, so what holds for these holds for all.
    """
    rows, values = fives
    joker = rows[:, 4] == JOKER
    suits = rows & 3
    suited = (suits[:, :4] == suits[:, :1]).all(axis=1) & (joker | (suits[:, 4] == suits[:, 0]))
    label = (rows >> 2) @ (14 ** np.arange(5)) * 2 + suited
    _, first, of_class = np.unique(label, return_index=True, return_inverse=True)
    assert (values == values[first][of_class]).all()
    return [(tuple(map(int, rows[i])), int(values[i]), slow_hands.poker(map(int, rows[i]))) for i in first]


def test_every_two_hands_of_five_compare_as_the_long_way_says(classes):
    _, ours, slow = zip(*classes, strict=True)
    assert slow_hands.same_order(ours, slow)


def test_hands_of_five_fall_into_7462_classes_and_five_aces(fives):
    rows, values = fives
    no_pair = comb(13, 5) - STRAIGHTS
    counted = {
        "high card and flush": 2 * no_pair,
        "straight and straight flush": 2 * STRAIGHTS,
        "pair": 13 * comb(12, 3),
        "two pair": comb(13, 2) * 11,
        "three of a kind": 13 * comb(12, 2),
        "full house and four of a kind": 2 * 13 * 12,
    }
    assert len(np.unique(values[rows[:, 4] != JOKER])) == sum(counted.values()) == 7462
    assert len(np.unique(values)) == 7463


# -- What a strength's bits promise -----------------------------------------------------------------


def test_the_upper_four_bits_are_the_category(classes):
    assert poker.CATEGORIES == slow_hands.POKER
    assert all(value >> 12 == slow[0] for _, value, slow in classes)


def test_the_leading_rank_follows_where_one_leads(classes):
    leading = [found for found in classes if found[2][0] not in (0, 5, 9, 10)]
    assert len(leading) > 4000
    assert all(value >> 8 & 15 == slow[1] - 2 for _, value, slow in leading)


def test_the_second_rank_and_the_last_follow_where_they_count_alone(classes):
    names = {"Two Pair": 3, "Full House": 2, "Four of a Kind": 2}
    for _, value, slow in classes:
        if slow_hands.POKER[slow[0]] in names:
            written = [value >> shift & 15 for shift in (8, 4, 0)][: names[slow_hands.POKER[slow[0]]]]
            assert written == [rank - 2 for rank in slow[1:]]


def test_sixteen_bits_hold_a_strength(fives):
    assert fives[1].dtype == np.uint16
    assert fives[1].max() == poker.FIVE_ACES << 12


@pytest.mark.parametrize("rank", range(13))
def test_a_pair_of_a_rank_or_better_is_a_comparison(rank, classes):
    for _, value, slow in classes:
        assert (value >= poker.pair_of(rank)) == (slow >= (poker.PAIR, rank + 2))


def test_ace_high_is_a_comparison(classes):
    for _, value, slow in classes:
        assert (value >= poker.ACE_HIGH) == (slow >= (poker.HIGH_CARD, 14))


# -- Six and seven cards ----------------------------------------------------------------------------


@kernel
def not_worth_their_best_five(tables, size, deck, first, left_out):
    """How many hands are not worth their best five; `left_out` lists the two cards to leave out."""
    place = np.arange(first, first + size)
    key, lane = np.zeros(size + 1, np.int64), np.zeros(size + 1, np.int64)  # the last one stays empty
    wrong = 0
    while True:
        for i in range(size):
            key[i], lane[i] = tables.key[place[i]], tables.lane[place[i]]
        total, lanes = poker.LANES_EMPTY + key.sum(), lane.sum()
        best = 0
        for i in range(len(left_out)):
            a, b = left_out[i, 0], left_out[i, 1]
            best = max(best, poker.look_up(tables, total - key[a] - key[b], lanes - lane[a] - lane[b]))
        wrong += best != poker.look_up(tables, total, lanes)
        i = size - 1
        while i and place[i] == deck - size + i:
            i -= 1
        if not i:
            return wrong
        place[i:] = np.arange(place[i] + 1, place[i] + 1 + size - i)


def how_many_are_wrong(size, deck):
    """How many hands of six are not worth their best five, or hands of seven their best six."""
    left_out = [(a, size) for a in range(size)]
    with ThreadPoolExecutor(2) as threads:
        firsts = range(deck - size + 1)
        work = [
            threads.submit(not_worth_their_best_five, TABLES, size, deck, i, np.array(left_out))
            for i in firsts
        ]
    return sum(done.result() for done in work)


@pytest.mark.slow
def test_every_hand_of_six_is_worth_its_best_five():
    assert how_many_are_wrong(6, 53) == 0


@pytest.mark.slow
def test_every_hand_of_seven_is_worth_its_best_five():
    """Its best six, which are worth their best five by the test above."""
    assert how_many_are_wrong(7, 53) == 0


@pytest.mark.parametrize("size", [6, 7])
def test_the_check_of_best_fives_can_fail(size):
    without_the_lowest_card = np.array([(0, size if size == 6 else 1)])
    assert not_worth_their_best_five(TABLES, size, 16, 0, without_the_lowest_card) > 0


@pytest.mark.parametrize("deck", DECKS)
@pytest.mark.parametrize("size", SIZES)
def test_random_hands_compare_as_the_long_way_says(size, deck):
    some = random_hands(size, deck, 1500)
    assert slow_hands.same_order(
        strengths(some).tolist(), (slow_hands.poker(map(int, hand)) for hand in some)
    )


@settings(max_examples=200)
@given(hands(5, 7, joker=True), hands(5, 7, joker=True))
def test_any_two_hands_compare_as_the_long_way_says(one, other):
    ours = np.sign(strength(one) - strength(other))
    slow_one, slow_other = slow_hands.poker(one), slow_hands.poker(other)
    assert ours == (slow_one > slow_other) - (slow_one < slow_other)


@given(with_joker(5, 7))
def test_a_joker_is_at_least_an_ace(hand):
    naturals = [card for card in hand if card != JOKER]
    aces = [card for card in range(48, 52) if card not in hand]
    assert all(strength([*naturals, ace]) <= strength(hand) for ace in aces)


# -- Peers ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", SIZES)
def test_eval7_orders_hands_alike(size):
    eval7 = pytest.importorskip("eval7")
    deck = [eval7.Card(str(cards([number]))) for number in range(52)]
    some = random_hands(size, 52, 40_000)
    theirs = (eval7.evaluate([deck[card] for card in hand]) for hand in some)  # higher is better
    assert slow_hands.same_order(strengths(some).tolist(), theirs)


@pytest.mark.parametrize("size", SIZES)
def test_phevaluator_orders_hands_alike(size):
    phevaluator = pytest.importorskip("phevaluator")
    some = random_hands(size, 52, 20_000)
    theirs = (-phevaluator.evaluate_cards(*hand) for hand in some.tolist())  # lower is better
    assert slow_hands.same_order(strengths(some).tolist(), theirs)


# -- Kernels ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int64])
@pytest.mark.parametrize("size", SIZES)
def test_many_hands_are_valued_like_one_whatever_the_width_of_a_card(size, dtype):
    some = random_hands(size, 53, 500).astype(dtype)
    assert strengths(some).tolist() == [poker.strength(TABLES, hand) for hand in some]


@pytest.mark.parametrize("size", SIZES)
def test_compiled_equals_interpreted(size):
    some = random_hands(size, 53, 300)
    assert [plain_python(poker.strength)(TABLES, hand) for hand in some] == strengths(some).tolist()
    for hand in some:
        total = poker.LANES_EMPTY + TABLES.key[hand].sum()
        lanes = TABLES.lane[hand].sum()
        assert plain_python(poker.look_up)(TABLES, total, lanes) == poker.look_up(TABLES, total, lanes)


def test_a_compiled_census_equals_an_interpreted_one():
    for size in SIZES:
        compiled = count_categories(TABLES, size, 12, 1)
        assert compiled.sum() == comb(10, size - 1)
        assert (plain_python(count_categories)(TABLES, size, 12, 1) == compiled).all()


# -- Showdowns in words -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("player", "dealer", "words"),
    [
        ("Ks Kd 2c 3d 4h", "Qs Qd 2d 3h 5c", "Pair of Kings against Pair of Queens"),
        ("Ks Kd As 5c 4d", "Kh Kc Ad 5h 4s", "Pair of Kings against Pair of Kings"),
        (
            "Ks Kd As 5c 4d",
            "Kh Kc Qs 9c 8d",
            "Pair of Kings, ace kicker, against Pair of Kings, queen kicker",
        ),
        (
            "Ks Kd As 9c 4d",
            "Kh Kc Ah 8c 7d",
            "Pair of Kings, ace-nine kickers, against Pair of Kings, ace-eight kickers",
        ),
        ("As Kd 9c 5d 2h", "Ad Qh Jc 9s 3c", "Ace high, king kicker, against Ace high, queen kicker"),
        (
            "9s 9d As Ac Qd",
            "9h 9c Ad Ah Ks",
            "Two Pair, Aces and Nines, queen kicker, against Two Pair, Aces and Nines, king kicker",
        ),
        (
            "Ks Js 9s 5s 2s",
            "Kh Jh 8h 5h 2h",
            "Flush, King high, then jack-nine, against Flush, King high, then jack-eight",
        ),
        (
            "Jk Kd Kc 9c 4d",
            "Kh Ks Qs 9d 8d",
            "Pair of Kings, ace kicker, against Pair of Kings, queen kicker",
        ),
    ],
)
def test_a_showdown_names_the_cards_that_decide(player, dealer, words):
    assert poker.describe_showdown(poker.read(cards(player)), poker.read(cards(dealer))) == words


def test_tie_breakers_order_hands_of_one_name():
    """Of two random hands of one name, the better one has the higher tie-breakers."""
    hands = [poker.read(hand.tolist()) for hand in random_hands(7, 53, 600)]
    compared = [(a, b) for a, b in combinations(hands, 2) if a.name == b.name]
    assert compared
    for one, other in compared:
        assert (one.strength > other.strength) == (one.tie_breakers > other.tie_breakers)
        assert (one.strength == other.strength) == (one.tie_breakers == other.tie_breakers)


# -- Tables -----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def rank_sets():
    """How often each rank and the joker (last) occur, for all sets of five to seven cards."""
    found = []
    for size in (4, 5, 6, 7):
        sets = np.array(list(combinations_with_replacement(range(13), size)))
        counts = np.stack([(sets == rank).sum(axis=1) for rank in range(13)], axis=1)
        counts = counts[counts.max(axis=1) <= 4]
        found += [np.insert(counts, 13, joker, axis=1) for joker in (0, 1) if 5 <= size + joker <= 7]
    return np.concatenate(found)


def test_no_two_sets_of_ranks_have_the_same_sum(rank_sets):
    sums = rank_sets @ np.array(poker.RANK_NUMBERS)
    assert len(np.unique(sums)) == len(rank_sets)
    assert sums.max() < 2**25


def test_no_two_sets_of_ranks_share_a_place(rank_sets):
    numbers = TABLES.key[[*range(0, 52, 4), JOKER]] >> 16
    sums = rank_sets @ numbers & poker.SUM_MASK
    places = TABLES.offset[sums >> poker.PLACE_BITS] + (sums & poker.PLACE_MASK)
    assert len(np.unique(places)) == len(rank_sets)
    assert places.max() < len(TABLES.ranks) == poker.PLACES


def test_the_tables_fit_in_400_kilobytes():
    assert sum(table.nbytes for table in TABLES) < 400_000


# -- Readings ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "name", "made", "kickers", "joker_rank"),
    [
        ("9c 7d 5h 3s 2c", "Nine high", "9c", "7d 5h 3s 2c", None),
        ("2c 9h Jk Kd 4s", "Ace high", "Jk", "Kd 9h 4s 2c", "A"),
        ("6c Td 6h 3s 2c Kd 9h", "Pair of Sixes", "6c 6h", "Kd Td 9h", None),
        ("Ac 9h Jk Kd 4s", "Pair of Aces", "Ac Jk", "Kd 9h 4s", "A"),
        ("Kc Kd Jk 9h 4s", "Pair of Kings", "Kc Kd", "Jk 9h 4s", "A"),
        ("3c 3d Kh Ks 9c 9d 2s", "Two Pair, Kings and Nines", "Kh Ks 9c 9d", "3c", None),
        ("Kc Kd 4h 4s Jk", "Two Pair, Kings and Fours", "Kc Kd 4h 4s", "Jk", "A"),
        ("Ac Kd Kh 4s Jk", "Two Pair, Aces and Kings", "Ac Jk Kd Kh", "4s", "A"),
        ("5c 5d 5h As 9c Jd", "Three of a Kind, Fives", "5c 5d 5h", "As Jd", None),
        ("Ac Ad Jk 9h 4s", "Three of a Kind, Aces", "Ac Ad Jk", "9h 4s", "A"),
        ("4c Ah 2d 5s 3h", "Straight, Five high", "5s 4c 3h 2d Ah", "", None),
        ("Ac 2d 3h 4s Jk", "Straight, Five high", "Jk 4s 3h 2d Ac", "", "5"),
        ("2c 3d 4s 5h Jk", "Straight, Six high", "Jk 5h 4s 3d 2c", "", "6"),
        ("Ts Jh Qd Kc Jk", "Straight, Ace high", "Jk Kc Qd Jh Ts", "", "A"),
        ("9s Th Qd Kc Jk", "Straight, King high", "Kc Qd Jk Th 9s", "", "J"),
        ("4c 5d 6h 7s 8c 9d 2h", "Straight, Nine high", "9d 8c 7s 6h 5d", "", None),
        ("Js 9s 7s 4s 2s 3s Ad", "Flush, Jack high", "Js 9s 7s 4s 3s", "", None),
        ("Ks 9s 7s 2s Jk", "Flush, Ace high", "Jk Ks 9s 7s 2s", "", "A"),
        ("As 9s 7s 2s Jk", "Flush, Ace high", "As Jk 9s 7s 2s", "", "K"),
        ("As Ks 9s 7s 4s 2s Jk", "Flush, Ace high", "As Ks Jk 9s 7s", "", "Q"),
        ("6c 6d Ah As 6h", "Full House, Sixes over Aces", "6c 6d 6h Ah As", "", None),
        ("9c 9d 9h 4c 4d 4h 2s", "Full House, Nines over Fours", "9c 9d 9h 4c 4d", "", None),
        ("Ac Ad Kh Ks Jk", "Full House, Aces over Kings", "Ac Ad Jk Kh Ks", "", "A"),
        ("7c 7d 7h 7s 2c 2d 2h", "Four of a Kind, Sevens", "7c 7d 7h 7s", "2c", None),
        ("Ks Kh Kd Kc Jk 2c 3d", "Four of a Kind, Kings", "Ks Kh Kd Kc", "Jk", "A"),
        ("Ac Ad Ah Jk Ks", "Four of a Kind, Aces", "Ac Ad Ah Jk", "Ks", "A"),
        ("Ah 2h 3h 4h 5h 6c 7c", "Straight Flush, Five high", "5h 4h 3h 2h Ah", "", None),
        ("9h Th Jh Qh Jk", "Straight Flush, King high", "Jk Qh Jh Th 9h", "", "K"),
        ("Ah 3h 4h 5h Jk", "Straight Flush, Five high", "5h 4h 3h Jk Ah", "", "2"),
        ("Ts Js Qs Ks As", "Royal Flush", "As Ks Qs Js Ts", "", None),
        ("Ts Jk Qs Ks As 9s 8s", "Royal Flush", "As Ks Qs Jk Ts", "", "J"),
        ("As Ah Jk Ad Ac Ks Qs", "Five Aces", "As Ah Jk Ad Ac", "", "A"),
    ],
)
def test_hands_are_read(hand, name, made, kickers, joker_rank):
    reading = poker.read(cards(hand))
    assert (reading.name, str(reading.made), str(reading.kickers)) == (name, made, kickers)
    assert reading.joker_rank == (joker_rank and RANKS.index(joker_rank))
    assert reading.category == poker.CATEGORIES[slow_hands.poker(cards(hand))[0]]


@given(hands(5, 7, joker=True))
def test_the_five_cards_shown_are_worth_the_hand(hand):
    reading = poker.read(hand)
    five = reading.made + reading.kickers
    assert len(five) == 5
    assert set(five) <= set(hand)
    assert len(set(five)) == 5
    assert reading.strength == strength(five) == strength(hand)


MADE_OF = {
    "High Card": 1, "Pair": 2, "Two Pair": 4, "Three of a Kind": 3, "Straight": 5, "Flush": 5,
    "Full House": 5, "Four of a Kind": 4, "Straight Flush": 5, "Royal Flush": 5, "Five Aces": 5,
}  # fmt: skip


@given(hands(5, 7, joker=True))
def test_as_many_cards_make_a_hand_as_its_name_says_and_kickers_fall(hand):
    reading = poker.read(hand)
    assert len(reading.made) == MADE_OF[reading.category]
    ranks = [ACE if card == JOKER else rank_of(card) for card in reading.kickers]
    assert ranks == sorted(ranks, reverse=True)


@given(with_joker(5, 7))
def test_a_card_of_the_jokers_rank_could_stand_for_it(hand):
    reading = poker.read(hand)
    five = reading.made + reading.kickers
    assert (reading.joker_rank is None) == (JOKER not in five)
    if reading.joker_rank is None or reading.category == "Five Aces":
        return
    stand_ins = [4 * reading.joker_rank + suit for suit in range(4)]
    replaced = [
        [card if card != JOKER else other for card in five] for other in stand_ins if other not in five
    ]
    assert reading.strength in map(strength, replaced)


@pytest.mark.parametrize("hand", ["", "As Kd Qh Jc", "2c 3c 4c 5c 6c 7c 8c 9c"])
def test_only_five_to_seven_cards_are_read(hand):
    with pytest.raises(Refused, match=f"five, six or seven cards, not {len(cards(hand))}"):
        poker.read(cards(hand))
