"""Suit polynomials against hands that are dealt one by one."""

from collections import Counter
from itertools import combinations
from math import comb

import numpy as np
import pytest

from feltlab.core.cards import cards
from feltlab.core.hands import longest_suit
from feltlab.counting.suit_polynomials import (
    SuitClasses,
    binomials,
    count_dealers,
    count_lower,
    group_hands,
)
from tests.support import slow_hands

RANKS = "6789T"
SMALL = sum(1 << "23456789TJQKA".index(rank) for rank in RANKS)
DECK = [card for card in range(52) if SMALL >> card // 4 & 1]
BAR = longest_suit.strength_named("876")
Hand = tuple[int, ...]


def word_of(hand: Hand) -> int:
    return int(longest_suit.gather(np.array(hand, np.int8)))


def results_one_by_one(hand: Hand) -> list[int]:
    """Dealers below the bar; lower, higher and equal among the others."""
    found, bar = Counter[int](), (3, 8, 7, 6)
    mine = slow_hands.longest_suit(hand)
    for dealer in combinations([card for card in DECK if card not in hand], 7):
        his = slow_hands.longest_suit(dealer)
        found[0 if his < bar else 1 if his < mine else 2 if his > mine else 3] += 1
    return [found[result] for result in range(4)]


def results_by_product(hand: Hand) -> list[int]:
    return list(count_dealers(binomials(), SMALL, BAR, word_of(hand), comb(13, 7)))


@pytest.mark.parametrize(
    "hand",
    [
        "Th 9h 8h 7h 6h Tc 9c",
        "Th 9h 8h 7h Tc Td Ts",
        "Th 9h 8h Tc 9c 8c Td",  # the same suit twice
        "Th 9h 8h Tc 9c Td 9d",
        "8h 7h 6h 8c 7c 6c Ts",  # just the bar
        "Th 9h Tc 9c Td 9d Ts",  # below the bar
    ],
)
def test_single_hands_against_every_dealer(hand: str) -> None:
    held = tuple(cards(hand))
    assert results_by_product(held) == results_one_by_one(held)


@pytest.fixture(scope="module")
def classes() -> SuitClasses:
    return group_hands(SMALL, BAR)


def test_classes_hold_every_hand_once_with_its_run_and_higher_cards(classes: SuitClasses) -> None:
    """All 77,520 hands of a deck of twenty cards, by strength, run, higher cards and results."""
    slow: Counter[tuple[int, ...]] = Counter()
    known: dict[tuple[int, ...], tuple[int, ...]] = {}
    for hand in combinations(DECK, 7):
        suits = tuple(sorted(word_of(hand) >> 16 * suit & 0x1FFF for suit in range(4)))
        if suits not in known:  # hands up to suits
            top = slow_hands.longest_suit(hand)
            above = sum(slow_hands.rank(card) > top[1] for card in hand)
            strength = int(longest_suit.strength(np.array(hand, np.int8)))
            run = slow_hands.longest_run(hand)
            known[suits] = (strength, run, above, *results_by_product(hand))
        slow[known[suits]] += 1
    fast: Counter[tuple[int, ...]] = Counter()
    rows = zip(classes.tops, classes.runs, classes.above, classes.counts, classes.weights, strict=True)
    for top, run, above, counts, weight in rows:
        fast[int(top), int(run), int(above), *counts.tolist()] += int(weight)
    assert fast == slow
    assert sum(slow.values()) == comb(20, 7)


def test_the_example_of_a_class_has_its_counts(classes: SuitClasses) -> None:
    for n in range(0, len(classes.tops), 23):
        hand = tuple(longest_suit.cards_in(int(classes.words[n])))
        assert results_by_product(hand) == classes.counts[n].tolist()


def test_both_sides_of_the_whole_deck_win_equally_often() -> None:
    """Where nobody has to qualify, the player is higher in as many deals as the dealer."""
    classes = group_hands()
    assert int(classes.weights.sum()) == comb(52, 7)
    below, lower, higher, equal = classes.weights @ classes.counts
    assert (below, lower) == (0, higher)
    assert lower + higher + equal == comb(52, 7) * comb(45, 7)


def test_lower_sets_one_by_one() -> None:
    left = longest_suit.ALL_RANKS & ~(1 << 4 | 1 << 9)
    for top in map(longest_suit.strength_named, ("AKQ", "T86", "T9632", "234", "K6")):
        size = top >> 13
        sets = (sum(1 << rank for rank in some) for some in combinations(range(13), size))
        lower = sum(some & ~left == 0 and some < top & 0x1FFF for some in sets)
        assert count_lower(binomials(), left, top) == lower
