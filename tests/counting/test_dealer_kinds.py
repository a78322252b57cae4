"""Kinds of dealer's hands, by inclusion and exclusion, against dealing every hand."""

from itertools import combinations
from math import comb

import numpy as np
import pytest

from feltlab.core.cards import JOKER, cards
from feltlab.counting.dealer_kinds import (
    EQUAL,
    HIGHER,
    LOWER,
    UNQUALIFIED,
    ReadHands,
    count_kinds,
    seen_classes,
)
from feltlab.counting.set_classes import DeckSets, number_sets, rename_in_deck
from feltlab.counting.suits import Hands, four_card_strengths_of, strengths_of
from feltlab.counting.tree.deals import suit_renamings

SMALL = "9s Ts Js Qs Ks As 9h Th Jh Qh Kh Ah"
WITH_JOKER = np.append(np.array(cards(SMALL), np.uint8), JOKER)


def classes_of(deck: Hands) -> DeckSets:
    suits = sorted({int(card) & 3 for card in deck if card < JOKER})
    return number_sets(np.sort(deck), rename_in_deck(np.sort(deck), suit_renamings(suits)))


def slow_kinds(deck: Hands, hand: Hands, up: Hands, size: int, read: ReadHands, qualifies: int) -> list[int]:
    rest = [card for card in deck.tolist() if card not in {*hand.tolist(), *up.tolist()}]
    dealers = np.array([[*up, *more] for more in combinations(rest, size - len(up))], np.uint8)
    his, mine = read(dealers).astype(int), int(read(hand[None])[0])
    met = his >= qualifies
    kinds = {
        UNQUALIFIED: ~met,
        LOWER: met & (his < mine),
        EQUAL: met & (his == mine),
        HIGHER: met & (his > mine),
    }
    return [int(kinds[kind].sum()) for kind in range(4)]


@pytest.mark.parametrize("has_up", [False, True])
@pytest.mark.parametrize(
    ("size", "read", "deck"),
    [
        (5, strengths_of, np.array(cards(SMALL), np.uint8)),
        (5, strengths_of, WITH_JOKER),
        (6, four_card_strengths_of, np.array(cards(SMALL), np.uint8)),
    ],
)
def test_every_class_of_a_small_deck(size: int, read: ReadHands, deck: Hands, has_up: bool) -> None:
    classes = classes_of(deck)
    seen = seen_classes(classes, 5, has_up)
    ups = int(has_up)
    assert int(seen.weights.sum()) == comb(len(deck), 5) * (len(deck) - 5) ** ups
    qualifies = int(np.median(read(classes.cards[seen.hands])))
    counts = count_kinds(classes, seen, size, read, qualifies)
    assert set(counts.sum(axis=1).tolist()) == {comb(len(deck) - 5 - ups, size - ups)}
    # A fault in one row of ten is missed by all fifty rows once in two hundred times.
    rows = np.random.default_rng(size).choice(len(counts), 50)
    hands = classes.cards[seen.hands[seen.hand_of_row]]
    for row in rows.tolist():
        up = classes.cards[seen.up[row : row + 1]]
        assert counts[row].tolist() == slow_kinds(classes.cards, hands[row], up, size, read, qualifies)


def test_without_a_qualifying_hand_all_dealers_qualify() -> None:
    classes = classes_of(np.array(cards(SMALL), np.uint8))
    counts = count_kinds(classes, seen_classes(classes, 5, False), 5, strengths_of, 0)
    assert not counts[:, UNQUALIFIED].any()
