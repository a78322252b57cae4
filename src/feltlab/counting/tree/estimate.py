"""An estimate of the ends of a game's tree, before it is walked.

Random walks down the tree, each with the product of the branches that it passed: their mean is the number of
ends, without error on average.
"""

from math import comb, perm

import numpy as np

from feltlab.core.cards import UNKNOWN
from feltlab.core.game import Game
from feltlab.core.layout import OPEN, new_outcomes
from feltlab.counting.tree.choice_sizes import sizes_of
from feltlab.counting.tree.deals import DeckFaces, faces_of
from feltlab.kernel import Array

WALKS = 200
SEED = 1  # the same game has the same estimate every time


def estimate_ends(game: Game) -> float:
    """The estimated number of ends that a walk over all classes visits."""
    generator, faces = np.random.default_rng(SEED), faces_of(game)
    ends = [_Descent(game, faces, generator).count() for _ in range(WALKS)]
    return float(np.mean(ends)) / max(len(faces.renamings), 1)


class _Descent:
    """One random walk down the tree."""

    def __init__(self, game: Game, faces: DeckFaces, generator: np.random.Generator) -> None:
        self.game, self.faces, self.generator = game, faces, generator
        self.shoe: Array = np.full(game.places, UNKNOWN, np.int8)
        self.choices: list[int] = []
        self.sizes = sizes_of(game)
        self.deck = generator.permutation(np.repeat(faces.cards, faces.copies)).tolist()
        self.branches = 1.0

    def count(self) -> float:
        while not self._is_decided():
            wanted = self._wanted()
            mask = 0 if len(wanted) else self._legal()
            if mask:
                self._choose([n for n in range(len(self.game.choices)) if mask >> n & 1])
            else:
                places = wanted if len(wanted) else np.flatnonzero(self.shoe == UNKNOWN)
                self._deal(places)
        return self.branches

    @property
    def _choices_made(self) -> Array:
        return np.array(self.choices, np.int8)

    def _is_decided(self) -> bool:
        outcomes = new_outcomes(len(self.game.spots))
        self.game.rules.settle(self.game.kernel_data, self.shoe, self._choices_made, outcomes)
        return bool((outcomes != OPEN).all())

    def _wanted(self) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
        seen = np.zeros_like(self.shoe)
        self.game.rules.visible(self.game.kernel_data, self.shoe, self._choices_made, seen)
        return np.flatnonzero((seen == UNKNOWN) & (self.shoe == UNKNOWN))

    def _legal(self) -> int:
        return int(self.game.rules.legal(self.game.kernel_data, self.shoe, self._choices_made))

    def _choose(self, open_now: list[int]) -> None:
        """Choices that differ only by their size are followed once."""
        leaders = {int(self.sizes[n]): n for n in reversed(open_now)}
        self.branches *= len(leaders)
        self.choices.append(int(self.generator.choice(sorted(leaders.values()))))

    def _deal(self, places: np.ndarray[tuple[int], np.dtype[np.intp]]) -> None:
        groups = self.faces.group[places].tolist()
        for group in dict.fromkeys(groups):
            size = groups.count(group)
            faces = len(self.faces.cards)
            ways = faces**size if self._repeats else (comb if group >= 0 else perm)(len(self.deck), size)
            self.branches *= ways
        for place in places.tolist():
            self.shoe[place] = self.deck.pop()

    @property
    def _repeats(self) -> bool:
        """Does the deck hold a face more than once?"""
        return bool(self.faces.copies.max() > 1)
