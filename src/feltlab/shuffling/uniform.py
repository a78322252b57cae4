"""The shuffle of a live table: every order of the cards is equally likely, and nobody can foresee it.

Nothing here can be seeded. Practice with a seed has its own shuffle, in `feltlab.terminal.solo_table`.
"""

import secrets
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, repeat

from feltlab.core.cards import Cards

WORDS = 2**32  # so many words of four bytes there are
BLOCK = 256  # bytes that are drawn at once: 64 words, more than a deck needs


def shuffled(cards: Cards) -> Cards:
    """Fisher and Yates: each place from the last on takes one of the cards not placed yet."""
    order = list(cards)
    drawn = below(range(len(order), 1, -1))
    for last, taken in zip(range(len(order) - 1, 0, -1), drawn, strict=True):
        order[last], order[taken] = order[taken], order[last]
    return Cards(order)


def below(limits: Iterable[int], source: Callable[[int], bytes] = secrets.token_bytes) -> Iterator[int]:
    """A random number below each limit in turn, every one equally likely.

    The operating system is asked for many bytes at once, as asking takes longer than drawing. A word
    past the last whole multiple of the limit would favour small numbers, and is drawn again.
    """
    words = chain.from_iterable(memoryview(source(size)).cast("I") for size in repeat(BLOCK))
    for limit in limits:
        if not 0 < limit <= WORDS:
            raise ValueError(f"a number below {limit} cannot be drawn")
        fair = WORDS - WORDS % limit
        word = next(words)
        while word >= fair:
            word = next(words)
        yield word % limit
