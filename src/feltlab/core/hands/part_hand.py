"""Up to four cards of a five-card hand in words: their pairs, what they may become, or the highest card."""

from collections.abc import Sequence

from feltlab.core.cards import ACE, RANK_NAMES, plural, rank_of, suit_of

STRAIGHTS = tuple({ACE, *range(4)} if low < 0 else {*range(low, low + 5)} for low in range(-1, 9))
TEN = 8  # the lowest rank of a royal flush
FEWEST_OF_DRAW = 3  # cards; two cards are no draw


def describe_part(held: Sequence[int]) -> str:
    """Name up to four cards.

    >>> from feltlab.core.cards import cards
    >>> [describe_part(cards(text)) for text in ("9s 9h 4d", "Js Ts 9h 8d", "As 9s 4s", "Ks 4d")]
    ['Pair of Nines', 'Open straight draw, Jack high', 'Flush draw, Ace high', 'King high']
    """
    ranks = sorted(map(rank_of, held), reverse=True)
    most = max(ranks, key=lambda rank: (ranks.count(rank), rank))
    pairs = sorted({rank for rank in ranks if ranks.count(rank) == 2}, reverse=True)
    if ranks.count(most) > 2:
        return f"{('Three', 'Four')[ranks.count(most) - 3]} of a Kind, {plural(most)}"
    if pairs:
        names = " and ".join(map(plural, pairs))
        return f"Two Pair, {names}" if len(pairs) == 2 else f"Pair of {names}"
    return f"{_name_draw(held, ranks)}{RANK_NAMES[ranks[0]]} high"


def _name_draw(held: Sequence[int], ranks: list[int]) -> str:
    """'Flush draw, ' for different ranks of one suit, and so on; '' where there is no draw."""
    if len(held) < FEWEST_OF_DRAW:
        return ""
    straights = sum(straight.issuperset(ranks) for straight in STRAIGHTS)
    is_open = straights == 6 - len(held)  # as many as without a gap, and away from the ends
    kind = f"{'Open' if is_open else 'Inside'} straight" if straights else ""
    if len({suit_of(card) for card in held}) > 1:
        return f"{kind} draw, " if kind else ""
    if ranks[-1] >= TEN:
        return "Royal flush draw, "
    return f"{kind} flush draw, " if kind else "Flush draw, "
