"""The classes of a certificate: every class of five cards, with the outcomes of each choice."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from feltlab.core.game import Game
from feltlab.core.solver import ClassTables
from feltlab.core.stake import Stake
from feltlab.games.rabbit_hunter.choices import best_choices
from feltlab.games.rabbit_hunter.counts import count_deals
from feltlab.games.rabbit_hunter.rules import CHOICES
from feltlab.parallel.progress import Progress


def classes(game: Game, stake: Stake, progress: Progress) -> ClassTables:
    """By class of five cards: its weight, the choice, and the deals of each outcome under each choice."""
    counts = count_deals(progress=progress)
    arrays: dict[str, NDArray[Any]] = {
        "cards": counts.hands,
        "weights": counts.weights.astype(np.uint8),
        "choices": best_choices(counts, game, stake).astype(np.uint8),
    }
    columns = {}
    for number, choice in enumerate(CHOICES):
        arrays[f"counts.{choice.name}"] = counts.of(number).astype(np.uint32)
        columns[f"counts.{choice.name}"] = counts.outcomes(number)
    return ClassTables(arrays, columns)
