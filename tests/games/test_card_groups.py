"""Which cards of a hand count for what."""

import pytest

from feltlab.core.cards import Cards, cards
from feltlab.core.game import Game
from feltlab.games import FOLDERS, GAMES
from feltlab.games.card_groups import group_cards

# Cards (own, then shared), choices ("dealer" for the dealer's hand), and the cards that count by title.
HANDS = [
    ("casino-war", "Kd", "", {"card": "Kd"}),
    ("casino-war", "Kd 9h", "war", {"card": "Kd", "war card": "9h"}),
    ("high-five-poker", "Ks Kd 9h 9c As 2d 3d", "", {"hand": "Ks Kd 9h 9c As"}),
    ("rabbit-hunter", "Ks 8d 9h Tc Js 7d", "buy", {"hand": "8d 9h Tc Js 7d"}),
    ("rabbit-hunter", "Ks 8d 9h Tc Jk", "", {"hand": "Ks 8d 9h Tc Jk"}),
    ("triple-shot-rummy", "9s 8s 4h", "", {"rummy": "9s 8s 4h", "Pair Plus": "9s 8s 4h"}),
    ("triple-shot-bonus", "9s Ad", "", {"War": "9s", "Blackjack": "9s Ad"}),
    (
        "triple-shot-bonus",
        "9s 2d 5h 9c Td 3c",
        "hit stand",
        {"War": "9s", "Blackjack": "9s 2d 5h", "Poker": "9s 5h 9c Td 3c"},
    ),
    (
        "triple-shot-bonus",
        "As Ad 5h 9c Kd Kc",
        "split",
        {"War": "As", "Blackjack": "As Ad 5h 9c", "Poker": "As Ad 9c Kd Kc"},
    ),
    ("triple-shot-bonus", "9s 2d 5h", "insure=200 hit", {"War": "9s", "Blackjack": "9s 2d 5h"}),
    ("triple-shot-bonus", "6s Td 4h", "dealer", {"War": "6s", "Blackjack": "6s Td 4h"}),
    ("big-raise-stud", "Ks Kd 9h 2c 3d", "", {"hand": "Ks Kd 9h 2c 3d"}),
    ("caribbean-stud", "Ks Kd 9h 2c 3d", "", {"hand": "Ks Kd 9h 2c 3d"}),
    ("crazy-4-poker", "Ks 9h Kd 2c As", "", {"best four": "Ks 9h Kd As"}),
    ("dj-wild", "Ks 2d 9h Jk 4c", "", {"hand": "Ks 2d 9h Jk 4c"}),
    ("four-card-poker", "Ks 9h Kd 2c As", "", {"hand": "Ks 9h Kd As"}),
    ("four-card-poker", "Ks 9h 9d 9c As 2d", "dealer", {"hand": "9h 9d 9c As"}),
    ("high-card-flush", "Th 8h 6h Js Ad Qd Jc", "", {"hand": "Th 8h 6h", "run": ""}),
    ("high-card-flush", "Th 9h 6h Js Ad Qd 2h", "", {"hand": "Th 9h 6h 2h", "run": "Th 9h"}),
    ("let-it-ride", "Ks Kd 9h 2c 3d", "", {"hand": "Ks Kd 9h 2c 3d"}),
    ("mississippi-stud", "Ks Kd 9h", "", {"hand": "Ks Kd 9h"}),
    ("six-card-poker", "2s 3d 4h 5c 6s Kd", "", {"hand": "2s 3d 4h 5c 6s"}),
    ("texas-holdem-bonus", "As Kd", "", {"hand": "As Kd"}),
    ("texas-holdem-bonus", "As Kd Qh Jc 2s 2d Th", "", {"hand": "As Kd Qh Jc Th"}),
    ("three-card-poker", "9s 8s 4h", "", {"hand": "9s 8s 4h"}),
    ("ultimate-texas-holdem", "As Ks 2s 7s 9s Ah Ad", "", {"hand": "As Ks 2s 7s 9s"}),
]


def find_groups(game: Game, held: str, choices: str) -> dict[str, str]:
    hand = cards(held) if held else Cards()
    chosen = None if choices == "dealer" else tuple(choices.split())
    return {
        group.title: str(Cards(hand[n] for n in group.cards)) for group in group_cards(game, hand, chosen)
    }


@pytest.mark.parametrize(("name", "held", "choices", "counting"), HANDS)
def test_the_cards_that_count(name: str, held: str, choices: str, counting: dict[str, str]) -> None:
    expected = {title: str(cards(some) if some else Cards()) for title, some in counting.items()}
    assert find_groups(GAMES[name], held, choices) == expected


def test_every_game_is_among_the_hands() -> None:
    assert {name for name, *_ in HANDS} == set(FOLDERS)
