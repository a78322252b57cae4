"""Insurance, counted card by card, and what its pay makes of it."""

from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import perm

import pytest

from feltlab.analysis.raises import measure_offers
from feltlab.core.cards import cards
from feltlab.games import GAMES, offers_of
from feltlab.games.triple_shot_bonus.rules import INSURED, NOT_NEEDED
from feltlab.games.triple_shot_bonus.side_offers import HANDS
from tests.games.triple_shot_bonus.referee import is_natural

GAME = GAMES["triple-shot-bonus"]
(ACE,) = cards("Ac")


def test_insurance_is_counted_as_card_by_card() -> None:
    """Against one ace: every pair of the player's, twice for its order, and every hole card."""
    (found,) = offers_of(GAME)
    slow: dict[str, Counter[int]] = {hand: Counter() for hand in HANDS}
    rest = [card for card in range(52) if card != ACE]
    for hand in combinations(rest, 2):
        tens = sum(is_natural((ACE, card)) for card in hand)
        for hole in rest:
            if hole not in hand:
                slow[HANDS[tens]][INSURED if is_natural((ACE, hole)) else NOT_NEEDED] += 2 * 4
    assert found.hands == slow
    assert (found.choice, found.deals) == ("insure", perm(52, 4))


def test_the_edge_of_insurance_by_hand() -> None:
    """2 to 1 on a ten: 16, 15 or 14 of 49 unseen cards; of a player who looks at no card, 16 of 51."""
    (insurance,) = measure_offers(GAME)
    assert insurance.offered == Fraction(4, 52)
    assert [hand.known for hand in insurance.hands] == list(HANDS)  # the best first
    for tens, hand in enumerate(insurance.hands):
        assert hand.odds.hit_frequency == Fraction(16 - tens, 49)
        assert hand.odds.edge == 1 - 3 * Fraction(16 - tens, 49)
        assert hand.odds.return_to_player == 3 * Fraction(16 - tens, 49)
    assert insurance.odds.hit_frequency == Fraction(16, 51)
    assert insurance.odds.edge == Fraction(3, 51)
    assert sum(hand.share * hand.odds.edge for hand in insurance.hands) == insurance.odds.edge
    assert sum(hand.share for hand in insurance.hands) == 1


@pytest.mark.parametrize(
    ("pays", "hands"),
    [
        (Fraction(2), 0),
        (Fraction(33, 16), 0),  # 16 of 49 cards are even money at 33 to 16
        (Fraction(9, 4), 1),  # 16 of 49 times 13/4 is more than 1, 15 of 49 is less
        (Fraction(3), 3),  # even 14 of 49 times 4 is more than 1
    ],
)
def test_the_best_play_takes_insurance_where_it_gains(pays: Fraction, hands: int) -> None:
    (insurance,) = measure_offers(GAME.with_pays("insurance", {"dealer blackjack": pays}))
    assert [hand.known for hand in insurance.worth_taking] == list(HANDS[:hands])
