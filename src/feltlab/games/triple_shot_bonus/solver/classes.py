"""The classes of a certificate: the choices in every state against every up-card, and the dealer's law."""

import numpy as np
from numpy.typing import NDArray

from feltlab.core.game import Game
from feltlab.core.solver import ClassTables
from feltlab.core.stake import Stake
from feltlab.games.triple_shot_bonus.solver.dealer import VALUES, dealer_law, six_values
from feltlab.games.triple_shot_bonus.solver.hand_values import NO_CHOICE
from feltlab.games.triple_shot_bonus.solver.player import PAIRS, decisions
from feltlab.games.triple_shot_bonus.solver.states import NONE, RANKS, SIX, states, totals
from feltlab.parallel.progress import Progress

PLAIN, OTHER_SUIT, SAME_SUIT = range(3)  # of a state: is a flush in reach, and is the up-card of its suit?
SHORTEST = 3  # cards; two cards have a choice of their own for each pair


def classes(game: Game, stake: Stake, progress: Progress) -> ClassTables:
    table, made = states(), decisions(game, stake, "optimal")
    progress(0.9)
    kept = np.flatnonzero(table.size >= SHORTEST)
    is_open = (table.size < SIX) & (totals()[0] <= 21) & can_be_dealt()
    later = np.where(is_open[:, np.newaxis], made[:, :, PAIRS:], NO_CHOICE).astype(np.uint8)
    arrays = {
        "choices.first": made[:, :, :PAIRS].reshape(*made.shape[:2], 52, 52),
        "choices.later": later[:, :, kept],
        "states.ranks": table.held[table.plain_of[kept] - table.first_plain],
        "states.suited": _suits()[kept],
        "states.odd": _odd_ranks()[kept],
        "dealer.values": np.array([np.bincount(v, minlength=VALUES) for v in six_values()], np.uint8),
        "dealer.ways": np.array([dealer_law(game.kernel_data.hits_soft_17, up) for up in range(VALUES)]),
    }
    return ClassTables(arrays, {})


def can_be_dealt() -> NDArray[np.bool_]:
    """By rank of the up-card and state: is the up-card not one of the state's own cards?"""
    table = states()
    held = table.held[table.plain_of - table.first_plain]
    own = np.append(np.repeat(table.own, 2), np.zeros(len(held) - table.first_plain, np.int32))
    in_own_suit = (own[:, np.newaxis] >> np.arange(RANKS) & 1) & (_suits() == SAME_SUIT)[:, np.newaxis]
    found: NDArray[np.bool_] = ((held < 4) & (in_own_suit == 0)).T
    return found


def _suits() -> NDArray[np.uint8]:
    table = states()
    found = np.full(len(table.size), PLAIN, np.uint8)
    suited = np.arange(table.first_plain)
    found[suited] = np.where(suited & 1, SAME_SUIT, OTHER_SUIT)
    return found


def _odd_ranks() -> NDArray[np.uint8]:
    table = states()
    found = np.full(len(table.size), NONE, np.uint8)
    found[: table.first_plain] = np.repeat(table.odd, 2)
    return found
