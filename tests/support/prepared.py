"""Prepared deals: what one player and the dealer get, what the player chooses, and what it comes to.

They are shuffles like others, whole decks in a known order, so what the house commits to stays true.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from feltlab.core.cards import UNKNOWN, Cards, cards
from feltlab.core.game import Game
from feltlab.core.layout import BURNT, CHOOSES, DEALER
from feltlab.games import GAMES
from feltlab.shuffling.machine import mode


class Hand(NamedTuple):
    """One round of one player."""

    you: str
    dealer: str
    choices: str
    wins: float  # dollars in all, with $10 on every first wager


STAKE = 1000  # cents on every first wager
HANDS = {
    # Primary, Tie. A war is lost with both wagers; won it pays one of them, tied both.
    "casino-war": [
        Hand("Kh", "9c", "", +10 - 10),
        Hand("4s", "Jd", "", -10 - 10),
        Hand("9d", "9c", "surrender", -5 + 100),
        Hand("9h 5s", "9s 7h", "war", -20 + 100),
        Hand("Qd Ah", "Qc 2s", "war", +10 + 100),
        Hand("8d 6h", "8c 6s", "war", +20 + 100),
    ],
    # Play, Ante, Trips. The dealer qualifies with a pair of sixes.
    "high-five-poker": [
        Hand("Ah Kh Qh Jh Th 2c 3d", "2s 4s 6d 8c Tc Qd Kd", "play", 10 + 10 + 1000),
        Hand("2c 4d 6s 8h Tc Qh Kc", "As Ad 3c 3d 5h 7s 9c", "play", -10 - 10 - 10),
        Hand("2c 4d 6s 8h Tc Qh Kc", "As Ad 3c 3d 5h 7s 9c", "fold", -10 - 10),
        Hand("Jk Ad Ah 3c 5d 7s 9h", "6c 6d 2h 4s 8c Tc Qd", "play", 10 + 10 + 10),
    ],
    # Sixth Card, Ante, Play, Tens Up, Two Way Bad Beat. The dealer qualifies with ace high.
    "rabbit-hunter": [
        Hand("2c 5d 7h 9s Jc Ad", "Ks Kd 3c 4c 6d", "fold", -10 - 10 - 10),
        Hand("Ts Td 4h 8c 2s 3d", "Ac 9d 7c 5s 3h", "play", 10 + 10 + 10 - 10),
        Hand("Kh Kd 4c 4s 2d Ks", "Qs Qd Qh 6c 5h", "buy", -10 + 10 + 10 + 300 + 100),
        Hand("3h 7h Qc 6s Kd Qs", "6d 8h Jd 9h 2c", "buy", -10 + 0 + 10 + 10 - 10),
    ],
    # Play, Ante, Pair Plus, 6 Card Bonus. The dealer plays with 20 points or fewer.
    "triple-shot-rummy": [
        Hand("Jd 9h Qd", "Tc 2s 8d", "play", 10 + 10 - 10 + 100),
        Hand("5d Qs 4d", "Tc 2s 8d", "fold", -10 - 10 - 10),
        Hand("7c 7d 2h", "Ks Qh Jd", "play", 0 + 10 + 10 - 10),
        Hand("5s 6s 7s", "2c 9d 4h", "play", 40 + 10 + 400 - 10),
    ],
    # War, Insurance, Blackjack, Poker, Hat Trick. The dealer hits soft 17; six cards end every round.
    "triple-shot-bonus": [
        Hand("9h 2c 8d 9c 8s 3d", "7s Tc", "hit stand", 10 + 10 + 15 + 90),
        Hand("5h 6c Ts 2d 7h Kc", "6s Td 9h", "double", -10 + 20 - 10 - 10),
        Hand("As Ad 9c Kh 2d 7s", "8h Tc", "split", 10 + 20 + 10 + 90),
        Hand("Ac Ah 5d 2s 9h 8d", "Tc 9c", "split", 10 - 20 + 10 - 10),
        Hand("Th 9h 2c 4d 6s 8s", "Ac Kd", "insure", -10 + 10 - 10 - 10 - 10),
        Hand("Kc 8c 3d 5h 7d 2s", "Ah 6d Th", "decline stand", -10 + 10 - 10 - 10),
        Hand("Ah Kd 2c 4s 6h 8c", "9c 7d", "", 10 + 15 - 10 - 10),
        Hand("Tc 6d Kh 2h 3s 4c", "9s 8h", "hit", 10 - 10 - 10 - 10),
    ],
}
ASKED = {"casino-war": 3, "triple-shot-bonus": 1}  # a hand with a choice; elsewhere every one has


def asked(game: str) -> Hand:
    return HANDS[game][ASKED.get(game, 0)]


def shuffles_of(game: str, hands: Iterable[Hand]) -> Iterator[Cards]:
    """The orders in which one player at the table gets these hands, one after the other."""
    played = [list(_fallen(GAMES[game], hand)) for hand in hands]
    if mode(GAMES[game]).shoe:
        played = [[card for round in played for card in round]]
    return (_completed(GAMES[game], round) for round in played)


def beginning(game: str, text: str) -> Cards:
    """An order that begins with these cards."""
    return _completed(GAMES[game], list(cards(text)))


def _fallen(game: Game, hand: Hand) -> Iterator[int | None]:
    """The cards as the dealer deals them; None for one that is burnt, whichever it is."""
    sides = cards(hand.you), cards(hand.dealer)
    names = [choice.name for choice in game.choices]
    shoe = np.full(game.rules.PLAYER_CARDS + game.rules.DEALER_CARDS, UNKNOWN, np.int8)
    for start, side in zip((0, game.rules.PLAYER_CARDS), sides, strict=True):
        shoe[start : start + len(side)] = side
    chosen = np.array([names.index(choice) for choice in hand.choices.split()], np.int8)
    for who, at in game.rules.dealing(game.kernel_data, [(shoe, chosen)]):
        assert at != CHOOSES, f"{hand} leaves a choice open"
        yield None if who == BURNT else sides[who == DEALER][at]


def _completed(game: Game, fallen: list[int | None]) -> Cards:
    """A whole deck that begins with these cards."""
    rest = Counter(game.deck.cards) - Counter(card for card in fallen if card is not None)
    others = iter(sorted(rest.elements()))
    return Cards([*(next(others) if card is None else card for card in fallen), *others])
