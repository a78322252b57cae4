"""Many random rounds through compiled rules: is every outcome on its pay table, and which are never met?"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from feltlab.core.game import Game
from feltlab.core.layout import NOT_PLACED, new_outcomes
from feltlab.core.rules import Rules
from feltlab.kernel import Array, int64, kernel

MOST_CHOICES = 64  # in one round; the trial refuses rules with more


class Sweep(NamedTuple):
    """The last round of a sweep: the first with an outcome that is on no pay table, if there is one."""

    shoe: Array
    choices: list[int]
    is_broken: bool
    unmet: list[str]  # outcomes that no round had, each after its spot


def sweep_outcomes(game: Game, rounds: int, seed: int) -> Sweep:
    """Play random rounds with random choices until an outcome is on no pay table."""
    deck = np.array(game.deck.cards, np.int8)
    choices = np.zeros(MOST_CHOICES, np.int8)
    sizes = np.array([len(spot.outcomes) for spot in game.spots])
    met = np.zeros((len(sizes), max(sizes)), np.bool_)
    outcomes = new_outcomes(len(game.spots))
    state = np.array([2 * seed + 1], np.uint64)
    sweep = kernel(build_sweep(game.rules))
    made = sweep(game.kernel_data, deck, game.places, choices, outcomes, sizes, met, state, rounds)
    is_broken = bool(((outcomes < NOT_PLACED) | (outcomes >= sizes)).any())
    unmet = [
        f"{spot.name}: {outcome}"
        for spot, row in zip(game.spots, met, strict=True)
        for outcome, was_met in zip(spot.outcomes, row, strict=False)
        if not was_met
    ]
    return Sweep(deck[: game.places], choices[:made].tolist(), is_broken, unmet)


def build_sweep(rules: Rules) -> Callable[..., int]:
    """Build a sweep through these rules, not compiled yet. It returns the number of choices made last."""
    legal, settle = rules.legal, rules.settle

    def sweep(
        kernel_data: Any,
        deck: Array,
        places: int,
        choices: Array,
        outcomes: Array,
        sizes: Array,
        met: Any,
        state: Any,
        rounds: int,
    ) -> int:
        made = 0
        shoe = deck[:places]
        for _ in range(rounds):
            for place in range(places):
                other = place + _draw(state, len(deck) - place)
                deck[place], deck[other] = deck[other], deck[place]
            made = 0
            while made < len(choices):
                mask = legal(kernel_data, shoe, choices[:made])
                if mask == 0:
                    break
                choices[made] = _pick(state, mask)
                made += 1
            settle(kernel_data, shoe, choices[:made], outcomes)
            if not _mark_met(outcomes, sizes, met):
                break
        return made

    return sweep


@kernel
def _mark_met(outcomes: Array, sizes: Array, met: Any) -> bool:
    """Mark the outcomes of a round; False if one of them is on no pay table."""
    for spot in range(len(outcomes)):
        if not NOT_PLACED <= outcomes[spot] < sizes[spot]:
            return False
        if outcomes[spot] >= 0:
            met[spot, outcomes[spot]] = True
    return True


@kernel
def _draw(state: Any, below: int) -> int:
    """A random number below another; a xorshift is random enough to meet rare cards."""
    number = state[0]
    number ^= number << np.uint64(13)
    number ^= number >> np.uint64(7)
    number ^= number << np.uint64(17)
    state[0] = number
    return int64((number >> np.uint64(33)) % np.uint64(below))


@kernel
def _pick(state: Any, mask: int) -> int:
    """One of the bits of a mask."""
    bits = 0
    for bit in range(63):
        bits += mask >> bit & 1
    left = _draw(state, bits)
    for bit in range(63):
        if mask >> bit & 1:
            if left == 0:
                return bit
            left -= 1
    return 0
