"""The cards that count: the first for War, those drawn by choice for Blackjack, the best five for Poker."""

from collections.abc import Iterator, Sequence

import numpy as np

from feltlab.core.cards import RANK_NAMES
from feltlab.core.hands import blackjack, poker
from feltlab.games.triple_shot_bonus.rules import CHOICES, PLAYER_CARDS, hand_size, player_hands

Group = tuple[str, str, Sequence[int]]  # title, reading, positions
NAMES = [choice.name for choice in CHOICES]


def group_cards(
    held: Sequence[int], chosen: Sequence[str] | None
) -> Iterator[tuple[str, str, Sequence[int]]]:
    """After a split, both hands of Blackjack are one group: its words name both totals."""
    if held:
        yield "War", RANK_NAMES[held[0] >> 2], [0]
    if chosen is None:
        if len(held) > 1:
            yield "Blackjack", blackjack.read(held), range(len(held))
        return
    choices = np.array([NAMES.index(name) for name in chosen], np.int8)
    size = int(hand_size(choices))
    if 2 <= size <= len(held):
        yield "Blackjack", player_hands(np.array(held, np.int8), choices), range(size)
    if len(held) == PLAYER_CARDS:
        hand = poker.read(held)
        yield "Poker", hand.name, [held.index(card) for card in (*hand.made, *hand.kickers)]
