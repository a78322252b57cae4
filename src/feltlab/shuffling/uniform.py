"""Random numbers of the operating system, and a uniform shuffle from them.

Nothing here can be seeded, and nobody can foresee it. `shuffle_cards` serves `feltlab play` without a seed. A
live table draws with `draw_below` too, but its shuffler delivers packets (`machine.shuffle_in_packets`).
"""

import secrets
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import chain, repeat
from operator import lt, mod

from feltlab.core.cards import Cards

WORD_COUNT = 2**32  # words of four bytes
BLOCK_BYTES = 256  # drawn at once: 64 words, more than a deck needs


def shuffle_cards(cards: Cards) -> Cards:
    """Shuffle by Fisher and Yates: each place from the last on takes one of the cards not yet placed."""
    order = list(cards)
    drawn = draw_below(range(len(order), 1, -1))
    for last, taken in zip(range(len(order) - 1, 0, -1), drawn, strict=True):
        order[last], order[taken] = order[taken], order[last]
    return Cards(order)


def draw_below(limits: Iterable[int], source: Callable[[int], bytes] = secrets.token_bytes) -> Iterator[int]:
    """Draw a random number below each limit in turn, every number equally likely.

    It asks the operating system for many bytes at once, as asking takes longer than drawing. A word past
    the last whole multiple of the limit would favour small numbers, so it is drawn again.
    """
    words = chain.from_iterable(memoryview(source(size)).cast("I") for size in repeat(BLOCK_BYTES))
    for limit in limits:
        if not 0 < limit <= WORD_COUNT:
            raise ValueError(f"a number below {limit} cannot be drawn")
        fair = WORD_COUNT - WORD_COUNT % limit
        word = next(words)
        while word >= fair:
            word = next(words)
        yield word % limit


def draw_descending(count: int, source: Callable[[int], bytes] = secrets.token_bytes) -> list[int]:
    """Draw a random number below `count`, one below `count - 1`, and so on down to 2: one order of things.

    All words are drawn at once. If one of them, once in a million shuffles, would favour small numbers, all
    are left and drawn one by one, so that every order stays equally likely.
    """
    limits, fair = _descending_limits(count)
    words = memoryview(source(4 * len(limits))).cast("I")
    if all(map(lt, words, fair)):
        return list(map(mod, words, limits))
    return list(draw_below(limits, source))


@cache
def _descending_limits(count: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The limits from a count down to 2, and for each its last whole multiple among the words."""
    limits = tuple(range(count, 1, -1))
    return limits, tuple(WORD_COUNT - WORD_COUNT % limit for limit in limits)
