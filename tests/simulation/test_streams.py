"""Streams are numpy's own, and what is drawn from them is fair."""

from collections import Counter
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from feltlab.core.chi_square import chi_square_probability
from feltlab.kernel import plain_python
from feltlab.simulation.streams import deal_randomly, new_stream, next_word, random_below

SMALL = st.integers(1, 416)


def numpys(seed, unit):
    return np.random.SFC64(np.random.SeedSequence(seed, spawn_key=(unit,)))


@pytest.mark.parametrize(("seed", "unit"), [(0, 0), (7, 1), (2**64 - 1, 10**6)])
def test_words_are_those_of_numpys_generator(seed, unit):
    ours, theirs = new_stream(seed, unit), numpys(seed, unit)
    assert [int(next_word(ours)) for _ in range(1000)] == theirs.random_raw(1000).tolist()


def test_streams_of_different_units_and_seeds_differ():
    first = {int(next_word(new_stream(seed, unit))) for seed in range(20) for unit in range(20)}
    assert len(first) == 400


@given(st.integers(0, 2**32), SMALL)
def test_a_number_is_the_whole_part_of_a_fraction_times_its_end(seed, end):
    """As Python's own long integers have it, the refused words left out."""
    raw = iter(numpys(seed, 0).random_raw(8).tolist())
    products = ((bits >> 32) * end for bits in raw)
    fair = next(product for product in products if product % 2**32 >= 2**32 % end)
    assert random_below(new_stream(seed, 0), np.uint64(end)) == fair >> 32


@given(SMALL)
def test_every_number_comes_from_equally_many_bits(end):
    """Of the 32-bit words whose product with `end` has the whole part n, those refused leave 2**32 // end."""
    for n in (0, end // 2, end - 1):
        low, high = -(-(n << 32) // end), -(-(n + 1 << 32) // end)  # the words with whole part n
        refused = sum(word * end % 2**32 < 2**32 % end for word in range(low, min(low + 2, high)))
        assert high - low - refused == 2**32 // end


def test_all_orders_of_a_small_deck_are_equally_likely():
    state, deck, shoe = new_stream(3, 0), np.arange(5, dtype=np.int8), np.empty(3, np.int8)
    found: Counter[tuple[int, ...]] = Counter()
    for _ in range(60_000):
        deal_randomly(state, deck, shoe)
        found[tuple(shoe.tolist())] += 1
    assert set(found) == set(permutations(range(5), 3))
    distance = sum((count - 1000) ** 2 / 1000 for count in found.values())
    assert chi_square_probability(distance, len(found) - 1) > 1e-4


def test_dealing_keeps_the_deck_whole():
    state, deck, shoe = new_stream(4, 0), np.arange(52, dtype=np.int8), np.empty(11, np.int8)
    for _ in range(200):
        deal_randomly(state, deck, shoe)
        assert sorted(deck.tolist()) == list(range(52))
        assert shoe.tolist() == deck[:11].tolist()


def test_compiled_equals_interpreted():
    one, two = new_stream(5, 0), new_stream(5, 0)
    with np.errstate(over="ignore"):  # words are meant to run over
        for end in range(1, 60):
            assert random_below(one, np.uint64(end)) == plain_python(random_below)(two, np.uint64(end))
