"""The names of all cards and marks, composed once: a live table writes whole decks, again and again."""

from collections.abc import Iterable

from feltlab.core.cards import JOKER, NOT_DEALT, name

CARD_NAMES = {card: name(card) for card in range(NOT_DEALT, JOKER + 1)}


def write_cards(cards: Iterable[int]) -> str:
    """Cards as text, like `str` of `Cards`.

    >>> write_cards([51, 33])
    'As Td'
    """
    return " ".join(map(CARD_NAMES.__getitem__, cards))
