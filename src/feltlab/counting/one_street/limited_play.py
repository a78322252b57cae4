"""The best play of someone who reads only a part of what is seen at the one choice of a round.

Published edges are often of such a play: it ignores the dealer's up card, or suits. All classes that look
alike to that player make one choice, the best one on the sum of their deals.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from feltlab.core.game import Game
from feltlab.core.solver import Decisions, Law, Player, Solver
from feltlab.core.stake import Stake
from feltlab.counting.one_street.class_counts import (
    NO_CHOICE,
    SLICES,
    ClassCounts,
    Ints,
    counts_of,
    nets_of,
    values_of,
)
from feltlab.counting.one_street.solver import OneStreet, law_of_choices
from feltlab.counting.tree.solve import tie_order
from feltlab.kernel import kernel
from feltlab.parallel.progress import Progress, nobody_listens
from feltlab.parallel.threads import slices

BEST_PLAY = "optimal"


class LimitedPlay(NamedTuple):
    """The best play by a part of what is seen."""

    words: str
    read: Callable[[ClassCounts], Ints]  # by class: a number for what this player reads


LimitedPlays = Mapping[str, LimitedPlay]
NO_LIMITS: LimitedPlays = {}


def add_limited_plays(solver: Solver, street: OneStreet, plays: LimitedPlays) -> Solver:
    """The solver with limited plays among its strategies."""
    return replace(
        solver,
        strategies={**solver.strategies, **{name: play.words for name, play in plays.items()}},
        solve=partial(_solve, solver, street, plays),
        decisions=partial(_decisions, solver, street, plays),
        player=partial(_player, solver, plays),
        law_key=partial(_law_key, solver, plays),
    )


def choose_alike(counts: ClassCounts, read: Ints, game: Game, stake: Stake) -> NDArray[np.uint8]:
    """The choice of every class, if classes that are read alike make the same one."""
    _, alike = np.unique(read, return_inverse=True)
    nets, is_open = nets_of(game, stake, counts), counts.is_open.T
    sums = np.zeros((int(alike.max()) + 1, len(counts.columns)), np.int64)
    may = np.ones(sums.shape, np.bool_)
    for part in slices(len(alike), SLICES):
        _add_alike(values_of(counts, nets, part), counts.weights[part], alike[part], sums)
        _close(is_open[counts.group[part]], alike[part], may)
    best = np.full(len(sums), NO_CHOICE, np.uint8)
    for row, (values, open_now) in enumerate(zip(sums.tolist(), may.tolist(), strict=True)):
        order = [choice for choice in tie_order(game, False)[0].tolist() if open_now[choice]]
        best[row] = max(order, key=values.__getitem__)  # the first of equal ones
    return best[alike]


@kernel
def _add_alike(values: Ints, weights: Ints, alike: Any, sums: Ints) -> None:
    for n in range(len(values)):
        for choice in range(values.shape[1]):
            sums[alike[n], choice] += weights[n] * values[n, choice]


@kernel
def _close(is_open: Any, alike: Any, may: Any) -> None:
    """Close the choices that some class of a row does not have."""
    for n in range(len(is_open)):
        for choice in range(is_open.shape[1]):
            may[alike[n], choice] &= is_open[n, choice]


def _choices(street: OneStreet, play: LimitedPlay, game: Game, stake: Stake, progress: Progress) -> Decisions:
    counts = counts_of(street.count, game, progress)
    return choose_alike(counts, play.read(counts), game, stake)


def _solve(
    solver: Solver,
    street: OneStreet,
    plays: LimitedPlays,
    game: Game,
    stake: Stake,
    strategy: str,
    progress: Progress,
) -> Law:
    if strategy not in plays:
        return solver.solve(game, stake, strategy, progress)
    choices = _choices(street, plays[strategy], game, stake, progress)
    return law_of_choices(street, game, counts_of(street.count, game, progress), choices)


def _decisions(
    solver: Solver, street: OneStreet, plays: LimitedPlays, game: Game, stake: Stake, strategy: str
) -> Decisions:
    if strategy not in plays:
        return solver.decisions(game, stake, strategy)
    return _choices(street, plays[strategy], game, stake, nobody_listens)


def _player(solver: Solver, plays: LimitedPlays, game: Game, strategy: str, made: Decisions) -> Player:
    return solver.player(game, BEST_PLAY if strategy in plays else strategy, made)


def _law_key(solver: Solver, plays: LimitedPlays, game: Game, stake: Stake, strategy: str) -> object:
    if strategy not in plays:
        return solver.law_key(game, stake, strategy)
    return [strategy, solver.law_key(game, stake, BEST_PLAY)]
