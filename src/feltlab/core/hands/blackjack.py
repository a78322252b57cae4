"""Blackjack totals."""

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feltlab.core.cards import ACE, Cards
from feltlab.errors import Refused
from feltlab.kernel import lean


@lean
def value(card: int) -> int:
    """The value of a card; an ace is one, and `total` counts it as eleven where that does not bust."""
    return 1 if card >> 2 == ACE else min((card >> 2) + 2, 10)


@lean
def total(hand: NDArray[np.integer[Any]]) -> tuple[int, bool]:
    """The total of a hand, and whether it is soft (holds an ace counted as eleven)."""
    hard = 0
    ace = False
    for i in range(len(hand)):
        hard += value(hand[i])
        ace = ace or hand[i] >> 2 == ACE
    soft = ace and hard <= 11
    return hard + 10 * soft, soft


@lean
def is_blackjack(first: int, second: int) -> bool:
    """Are these two an ace and a card worth ten?"""
    if first >> 2 == ACE:
        return value(second) == 10
    return second >> 2 == ACE and value(first) == 10


def read(hand: Iterable[int]) -> str:
    """A hand in words.

    >>> from feltlab import cards
    >>> [read(cards(hand)) for hand in ("As 6d", "Ks Qd", "As Kd", "Ks Qd 4h")]
    ['soft 17', '20', 'blackjack', 'bust with 24']
    """
    held = Cards(hand)
    if len(held) < 2:
        raise Refused(f"A blackjack hand has at least two cards, not {len(held)}.")
    if len(held) == 2 and is_blackjack(*held):
        return "blackjack"
    count, soft = total(np.array(held, np.int64))
    if count > 21:
        return f"bust with {count}"
    return f"soft {count}" if soft else str(count)
