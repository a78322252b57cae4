"""A player's own two cards, in games with community cards."""

from feltlab.core.cards import RANK_NAMES, plural, rank_of, suit_of


def read(first: int, second: int) -> str:
    """The two cards in words.

    >>> from feltlab import cards
    >>> read(*cards("4s As")), read(*cards("6h 6d"))
    ('Ace and Four, suited', 'Pair of Sixes')
    """
    high, low = sorted((rank_of(first), rank_of(second)), reverse=True)
    if high == low:
        return f"Pair of {plural(high)}"
    suited = ", suited" if suit_of(first) == suit_of(second) else ""
    return f"{RANK_NAMES[high]} and {RANK_NAMES[low]}{suited}"
