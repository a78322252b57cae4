"""Up to four cards of a five-card hand in words."""

import pytest

from feltlab.core.cards import cards
from feltlab.core.hands.part_hand import describe_part


@pytest.mark.parametrize(
    ("held", "words"),
    [
        ("4s 4h 4d 4c", "Four of a Kind, Fours"),
        ("4s 4h 4d 9c", "Three of a Kind, Fours"),
        ("4s 4h 9d 9c", "Two Pair, Nines and Fours"),
        ("As Ah 9s 8s", "Pair of Aces"),
        ("As Js Ts", "Royal flush draw, Ace high"),
        ("Ks Qs Js Ts", "Royal flush draw, King high"),
        ("9s 8s 7s 6s", "Open straight flush draw, Nine high"),
        ("9s 8s 7s 5s", "Inside straight flush draw, Nine high"),
        ("As 9s 4s 2s", "Flush draw, Ace high"),
        ("9s 8h 7s 6s", "Open straight draw, Nine high"),
        ("5s 4h 3s 2s", "Open straight draw, Five high"),  # an ace or a six
        ("As 4h 3s 2s", "Inside straight draw, Ace high"),  # a five only
        ("As Kh Qs Js", "Inside straight draw, Ace high"),  # a ten only
        ("Ts 9h 8s", "Open straight draw, Ten high"),
        ("3s 2h 4s", "Inside straight draw, Four high"),  # no straight begins below the ace
        ("As Kh 2s 3s", "Ace high"),
        ("Ks Qs", "King high"),
    ],
)
def test_a_part_of_a_hand_in_words(held: str, words: str) -> None:
    assert describe_part(cards(held)) == words
