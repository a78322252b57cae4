"""The subsets of a tiny deck, each a class of its own, for solvers that take the classes of a deck."""

from itertools import combinations
from math import comb

import numpy as np

from feltlab.core.cards import JOKER, Cards
from feltlab.counting.subsets import HAND, Subsets, build_subsets


def subsets_of_deck(deck: Cards) -> Subsets:
    held = sorted(deck)
    sizes = [(comb(len(held), size), size) for size in range(HAND + 1)]
    every = [np.array(list(combinations(held, size[1])), np.uint8).reshape(size) for size in sizes]
    found = [(hands, np.ones(len(hands), np.int64)) for hands in every]
    return build_subsets(np.array(held, np.uint8), found, np.arange(JOKER + 1, dtype=np.uint8)[None])
