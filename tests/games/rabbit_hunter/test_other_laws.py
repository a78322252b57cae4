"""Other readings of Rabbit Hunter on tiny decks, dealt out in full and judged with slow hands."""

from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from feltlab.core.layout import NOT_PLACED
from feltlab.games.rabbit_hunter import rules
from feltlab.games.rabbit_hunter.counts import AS_RULED, StudReading, count_deals_by
from feltlab.games.rabbit_hunter.other_laws import ACE_KING_HIGH, TENS_AND_TWOS
from tests.games.rabbit_hunter.test_solver import class_number, product_deck
from tests.support import slow_hands

Hand = tuple[int, ...]
DECKS = {"two suits": product_deck("359TKA", 2), "four suits": product_deck("9TA", 4)}
READINGS = {
    "as ruled": AS_RULED,
    "ace and king": StudReading(qualifies=ACE_KING_HIGH),
    "a pair": StudReading(qualifies=1 << 12),
    "two pair with tens": StudReading(tens_up_two_pair=TENS_AND_TWOS),
    "tens up on five": StudReading(tens_up_on_five=True),
    "the sixth plays": StudReading(sixth_plays=True),
}
NAMES = slow_hands.POKER
TENS = (NAMES.index("Pair"), 10)


def qualifies(name: str, dealer: tuple[int, ...]) -> bool:
    pair = dealer[0] > NAMES.index("High Card")
    if name == "a pair":
        return pair
    return pair or (dealer[1] == 14 and (name != "ace and king" or dealer[2] == 13))


def tens_up(name: str, hand: tuple[int, ...]) -> int:
    category = NAMES[hand[0]]
    low_pairs = name == "two pair with tens" and category == "Two Pair" and hand[1] < 10
    if hand < TENS or low_pairs:
        return rules.NO_TENS
    return rules.TENS_UP.outcomes.index("Tens Up" if category == "Pair" else category)


def player_hands(name: str, five: Hand, sixth: int, choice: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The hand that meets the dealer, and the hand that Tens Up reads."""
    first = slow_hands.poker(five)
    if choice == rules.PLAY:
        return first, first
    final = slow_hands.poker((*five, sixth))
    if name == "the sixth plays":
        final = max(slow_hands.poker((*four, sixth)) for four in combinations(five, 4))
    return final, first if name == "tens up on five" else final


def judged(name: str, five: Hand, sixth: int, dealer: Hand, choice: int) -> tuple[int, ...]:
    mine, read = player_hands(name, five, sixth, choice)
    his = slow_hands.poker(dealer)
    won = (mine > his) - (mine < his)
    ante = {1: rules.WON, 0: rules.TIED, -1: rules.LOST}[won] if qualifies(name, his) else rules.UNOPPOSED
    play = {1: rules.PLAY_WON, 0: rules.PLAY_TIED, -1: rules.PLAY_LOST}[won]
    beat = rules.BEATEN if won and min(mine, his) >= TENS else rules.NOT_BEATEN
    return (0 if choice == rules.BUY else NOT_PLACED, ante, play, tens_up(name, read), beat)


def deal_all(name: str, deck: Hand, choice: int) -> dict[int, Counter[tuple[int, ...]]]:
    found: dict[int, Counter[tuple[int, ...]]] = {}
    for five in combinations(deck, 5):
        number = class_number(np.array(five, np.uint8), deck)
        rest = [card for card in deck if card not in five]
        for sixth in rest:
            others = (card for card in rest if card != sixth)
            outcomes = (judged(name, five, sixth, dealer, choice) for dealer in combinations(others, 5))
            found.setdefault(number, Counter()).update(outcomes)
    return found


@pytest.mark.parametrize("deck", DECKS.values(), ids=DECKS)
@pytest.mark.parametrize("name", READINGS)
@pytest.mark.parametrize("choice", [rules.PLAY, rules.BUY])
def test_every_deal_of_a_tiny_deck(name: str, deck: Hand, choice: int) -> None:
    counts = count_deals_by(READINGS[name], deck)
    slow = deal_all(name, deck, choice)
    for number, row in enumerate(counts.of(choice).tolist()):
        assert {o: n for o, n in zip(counts.outcomes(choice), row, strict=True) if n} == slow[number]


def test_thresholds_are_the_least_hands_of_their_kind() -> None:
    from feltlab.core.cards import cards
    from feltlab.core.hands import poker

    def strength(hand: str) -> int:
        return poker.read(cards(hand)).strength

    assert strength("As Qd Jh Tc 8s") < ACE_KING_HIGH <= strength("As Kd 4h 3c 2s")
    assert strength("9s 9d 8h 8c As") < TENS_AND_TWOS <= strength("Ts Td 2h 2c 3s")
