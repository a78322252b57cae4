"""The shuffle of the operating system's random numbers."""

import inspect
import secrets
from array import array
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import repeat

import pytest

from feltlab.core.cards import cards
from feltlab.shuffling.uniform import BLOCK_BYTES, WORD_COUNT, draw_below, draw_descending, shuffle_cards
from tests.support.solo_tables import WAR


def test_a_shuffle_keeps_every_card_and_reaches_every_order() -> None:
    deck = WAR.deck.cards
    assert Counter(shuffle_cards(deck)) == Counter(deck)
    seen = {shuffle_cards(cards("As Kd 2c")) for _ in range(400)}
    assert len(seen) == 6  # an order stays unseen with probability 6 * (5/6)**400, about 1e-31


def test_the_shuffle_cannot_be_seeded() -> None:
    """It takes cards and nothing else, and the module knows no source but the operating system's."""
    import feltlab.shuffling.uniform as module

    assert list(inspect.signature(shuffle_cards).parameters) == ["cards"]
    for draw in (draw_below, draw_descending):
        assert inspect.signature(draw).parameters["source"].default is secrets.token_bytes
    assert {"random", "np", "numpy"}.isdisjoint(vars(module))


def drawing_words(words: Iterable[int]) -> Callable[[int], bytes]:
    """A source of bytes that gives these words, and then nothing but zeros."""
    left = iter(words)
    return lambda size: array("I", [next(left, 0) for _ in range(size // 4)]).tobytes()


@pytest.mark.parametrize("limit", [1, 2, 3, 52, 53, 312, 416, 1000])
def test_equally_many_words_lead_to_each_number(limit: int) -> None:
    """Words up to the last whole multiple of the limit count, so each remainder is equally frequent."""
    fair = WORD_COUNT - WORD_COUNT % limit
    for first in (0, fair - 20 * limit):
        drawn = draw_below(repeat(limit, 20 * limit), drawing_words(range(first, first + 20 * limit)))
        assert Counter(drawn) == dict.fromkeys(range(limit), 20)


@pytest.mark.parametrize("limit", [3, 52, 53, 312, 2**31 + 1, WORD_COUNT - 1])
def test_a_word_that_would_favour_small_numbers_is_drawn_again(limit: int) -> None:
    """This holds even if more than a block of them comes in a row."""
    unfair = range(WORD_COUNT - WORD_COUNT % limit, WORD_COUNT)
    for rejected in ([unfair[0]], [unfair[-1]], [unfair[-1]] * BLOCK_BYTES):
        assert list(draw_below([limit, 2], drawing_words([*rejected, limit - 1, 1]))) == [limit - 1, 1]


def test_each_number_is_below_its_own_limit() -> None:
    limits = [*range(1, 417), WORD_COUNT] * 5
    assert all(0 <= drawn < limit for drawn, limit in zip(draw_below(limits), limits, strict=True))
    assert list(draw_below([])) == []


def test_an_order_is_drawn_below_descending_limits() -> None:
    """The words 7, 8 and 9 below 4, 3 and 2."""
    assert draw_descending(4, drawing_words([7, 8, 9])) == [7 % 4, 8 % 3, 9 % 2]
    assert draw_descending(1) == draw_descending(0) == []
    assert all(
        0 <= drawn < limit for drawn, limit in zip(draw_descending(312), range(312, 1, -1), strict=True)
    )


def test_an_order_with_a_word_that_would_favour_small_numbers_is_drawn_again_as_a_whole() -> None:
    """2**32 = 3 x 1,431,655,765 + 1: below 3, the last word is one too many."""
    words = [5, WORD_COUNT - 1, 1, 6, 7, 8]
    assert draw_descending(4, drawing_words(words)) == [6 % 4, 7 % 3, 8 % 2]
    assert draw_descending(4, drawing_words([WORD_COUNT - 1, 0, 1])) == [3, 0, 1]  # below 4, none is


@pytest.mark.parametrize("limit", [0, -1, WORD_COUNT + 1])
def test_nothing_is_drawn_below_an_impossible_limit(limit: int) -> None:
    with pytest.raises(ValueError, match=f"a number below {limit} cannot be drawn"):
        next(draw_below([limit]))
