"""Three-card poker hands.

A straight beats a flush and three of a kind beats both, since with three cards they are rarer. An ace
is high, or low in A-2-3. Strengths order all hands; `strength >> 12` is the category. An A-K-Q of one
suit, the highest straight flush, is a category of its own because some pay tables list it.
"""

from collections.abc import Iterable

from feltlab.core.cards import ACE, RANK_NAMES, Cards, plural, rank_of
from feltlab.errors import Refused
from feltlab.kernel import int64, lean

HIGH_CARD, PAIR, FLUSH, STRAIGHT, THREE, STRAIGHT_FLUSH, ROYAL = range(7)
CATEGORIES = (
    "High Card", "Pair", "Flush", "Straight", "Three of a Kind", "Straight Flush", "Royal Flush",
)  # fmt: skip


@lean
def strength(a: int, b: int, c: int) -> int:
    """The strength of three cards: category, then ranks in the order in which they count."""
    low, middle, high = int64(a) >> 2, int64(b) >> 2, int64(c) >> 2
    if low > middle:
        low, middle = middle, low
    if middle > high:
        middle, high = high, middle
    if low > middle:
        low, middle = middle, low
    if low == high:
        return THREE << 12 | high << 8
    if low == middle:
        return PAIR << 12 | middle << 8 | high << 4
    if middle == high:
        return PAIR << 12 | middle << 8 | low << 4
    ranks = high << 8 | middle << 4 | low
    if high == ACE and middle == 1:
        ranks = 1 << 8  # A-2-3: its highest card is the three
    suited = (a & 3) == (b & 3) and (b & 3) == (c & 3)
    if high - low == 2 or ranks == 1 << 8:
        if not suited:
            return STRAIGHT << 12 | ranks
        return (ROYAL if low == ACE - 2 else STRAIGHT_FLUSH) << 12 | ranks
    return (FLUSH if suited else HIGH_CARD) << 12 | ranks


def read(hand: Iterable[int]) -> str:
    """A hand in words.

    >>> from feltlab import cards
    >>> read(cards("As 2d 3h")), read(cards("Ks Kd 2c"))
    ('Straight, Three high', 'Pair of Kings')
    """
    held = Cards(hand)
    if len(held) != 3:
        raise Refused(f"A three-card hand has three cards, not {len(held)}.")
    value = int(strength(*held))
    category, lead = value >> 12, value >> 8 & 15
    if category == ROYAL:
        return CATEGORIES[category]
    if category == PAIR:
        return f"Pair of {plural(lead)}"
    if category == THREE:
        return f"Three of a Kind, {plural(lead)}"
    if category == HIGH_CARD:
        return f"{RANK_NAMES[max(map(rank_of, held))]} high"
    return f"{CATEGORIES[category]}, {RANK_NAMES[lead]} high"
