"""The chance of each level: every set of cards that the hand may be is read once, and counted."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feltlab.analysis.progressives.card_sets import step_set
from feltlab.core.game import Game
from feltlab.errors import Refused
from feltlab.kernel import Array, kernel
from feltlab.parallel.threads import map_in_threads
from feltlab.progressives.claims import NO_LEVEL, FindLevel, JackpotHand, attach, find_level_kernel
from feltlab.progressives.progressive import Progressive
from feltlab.proving.store import cached_json

MAX_SETS = 200_000_000  # that are read one by one


@dataclass(frozen=True)
class LevelChances:
    """The number of sets of cards that claim each level, in the progressive's order."""

    counts: tuple[int, ...]
    sets: int

    @property
    def chances(self) -> tuple[Fraction, ...]:
        return tuple(Fraction(count, self.sets) for count in self.counts)

    @property
    def any_chance(self) -> Fraction:
        """The chance that a bet claims a level at all."""
        return Fraction(sum(self.counts), self.sets)


def count_levels(progressive: Progressive, game: Game | str) -> LevelChances:
    """The chances of all levels at a game, whatever is played: from the store, or counted.

    A hand that depends on a choice (cards that count only if they are shown) has no such chance.
    """
    hand = attach(progressive, game)
    size, deck = len(hand.places), len(hand.game.deck)
    if hand.shown_only:
        raise Refused(
            f"The cards of {progressive.title} at {hand.game.title} depend on the play; its chances follow"
            " from a strategy."
        )
    if comb(deck, size) > MAX_SETS:
        raise Refused(
            f"{hand.game.title} deals {size} cards of {deck}, which are {comb(deck, size):,} hands; at most"
            f" {MAX_SETS:,} are counted."
        )
    counted = cached_json(_key_of(hand, size), lambda: _count(hand, size))
    return LevelChances(tuple(counted), comb(deck, size))


def _key_of(hand: JackpotHand, size: int) -> list[Any]:
    levels = [[*level.hands] for level in hand.progressive.levels]
    return [hand.game.name, "levels", hand.reading.name, levels, [*hand.game.deck.cards], size]


def _count(hand: JackpotHand, size: int) -> list[int]:
    deck = np.array(sorted(hand.game.deck.cards), np.int8)
    count = _compile_count(find_level_kernel(hand.reading))
    firsts = range(len(deck) - size + 1)
    counts = np.zeros((len(firsts), NO_LEVEL + 1), np.int64)
    map_in_threads(lambda first: count(hand.tables, hand.claims, deck, size, first, counts[first]), firsts)
    total: list[int] = counts.sum(axis=0).tolist()
    return total[: len(hand.progressive.levels)]


@lru_cache(maxsize=32)
def _compile_count(find: FindLevel) -> Callable[..., None]:
    return kernel(_build_count(find))


def _build_count(find: FindLevel) -> Callable[..., None]:
    def count_from(
        tables: Any, claims: Any, deck: Array, size: int, first: int, counts: NDArray[np.int64]
    ) -> None:
        """Count the levels of all sets whose first card is at this place of the deck."""
        at = np.arange(first, first + size)
        hand = deck[first : first + size].copy()
        counts[find(tables, claims, hand)] += 1
        while step_set(deck, at, hand, 1):
            counts[find(tables, claims, hand)] += 1

    return count_from
