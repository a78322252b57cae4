"""The rules of a game with its jackpot as one more spot, so that the tree of any game counts its levels.

The spot has an outcome for each level and one for none. It is decided when every other spot is decided and
the cards of the hand are dealt, or at once by a fold that forfeits it.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from feltlab.core.cards import FACE_DOWN
from feltlab.core.game import Game
from feltlab.core.layout import ALIKE, OPEN, Area, Spot, are_known
from feltlab.core.paytable import PayTable, push
from feltlab.core.rules import Rules
from feltlab.kernel import Array, kernel, lean
from feltlab.progressives.claims import ClaimTables, FindLevel, JackpotHand, find_level_kernel

SPOT = "progressive jackpot"  # no rules name a spot with a blank
NO_LEVEL_LINE = "no level"


class JackpotData(NamedTuple):
    """What the kernels read: the game's own data, and the jackpot's hand as tables."""

    rules: Any
    tables: Any  # of the reading
    claims: ClaimTables
    places: NDArray[np.int64]
    shown_only: NDArray[np.int64]  # by place of the hand: 1 if it counts only where the round shows it
    sizes: NDArray[np.int64]  # the least and the largest number of cards that the reading takes
    forfeiting: int  # the choices that forfeit the jackpot, a bit each
    levels: int


class JackpotRules:
    """The rules of a game and a jackpot; whatever is not said here, the game's own rules answer."""

    def __init__(self, hand: JackpotHand) -> None:
        self._own, self._hand = hand.game.rules, hand
        lines = (*(push(level.name) for level in hand.progressive.levels), push(NO_LEVEL_LINE))
        spot = Spot(SPOT, hand.progressive.title, (PayTable("", lines),))
        self.SPOTS = (*self._own.SPOTS, spot)
        self.AREAS = tuple(_area_of(hand, area) for area in self._own.AREAS)
        self.SUITS = ALIKE if hand.game.suits and not len(hand.claims.held) else ""
        places = hand.places
        together = not hand.shown_only and places == (*range(places[0], places[0] + len(places)),)
        kernels = _build_kernels(cast(Any, self._own), find_level_kernel(hand.reading), together)
        self.legal, self.visible, self.settle = kernels

    def __getattr__(self, name: str) -> Any:
        return getattr(self._own, name)

    def kernel_data(self, options: Mapping[str, str]) -> JackpotData:
        hand, reading = self._hand, self._hand.reading
        forfeits = hand.progressive.fold == "forfeits"
        folds = [n for n in range(len(hand.game.choices)) if forfeits and hand.is_folded((n,))]
        return JackpotData(
            self._own.kernel_data(options),
            hand.tables,
            hand.claims,
            np.array(hand.places, np.int64),
            np.array([place in hand.shown_only for place in hand.places], np.int64),
            np.array([reading.sizes[0], reading.sizes[-1]], np.int64),
            sum(1 << n for n in folds),
            len(hand.progressive.levels),
        )


def _area_of(hand: JackpotHand, area: Area) -> Area:
    """The area, whose order matters where only some of its cards belong to the hand."""
    start = hand.game.area_starts[area.name]
    counted = [place in hand.places for place in range(start, start + area.cards)]
    return replace(area, any_order=False) if any(counted) and not all(counted) else area


def game_with_jackpot(hand: JackpotHand) -> Game:
    """The game of a jackpot's hand with the jackpot as its last spot."""
    return Game(cast(Rules, JackpotRules(hand)), hand.game.chosen, hand.game.pays)


@lru_cache(maxsize=32)
def _build_kernels(rules: Any, find: FindLevel, together: bool) -> tuple[Callable[..., Any], ...]:
    """The kernels of the rules; `together` is for a hand whose cards lie side by side, and always count."""
    legal, visible = lean(_build_legal(rules.legal)), lean(_build_visible(rules.visible))
    if together:
        return legal, visible, lean(_build_settle(rules.settle, lean(_build_simple_judge(find))))
    judge = kernel(_build_judge(find, rules.visible))
    return legal, visible, kernel(_build_settle(rules.settle, judge))


def _build_legal(own: Callable[..., int]) -> Callable[..., int]:
    def legal(data: JackpotData, shoe: Array, choices: Array) -> int:
        return own(data.rules, shoe, choices)

    return legal


def _build_visible(own: Callable[..., None]) -> Callable[..., None]:
    def visible(data: JackpotData, shoe: Array, choices: Array, seen: Array) -> None:
        own(data.rules, shoe, choices, seen)

    return visible


def _build_simple_judge(find: FindLevel) -> Callable[..., int]:
    def judge(data: JackpotData, shoe: Array, choices: Array) -> int:
        """The level of the cards of the hand, or `OPEN` while one of them is not dealt."""
        first = data.places[0]
        hand = shoe[first : first + len(data.places)]
        return min(find(data.tables, data.claims, hand), data.levels) if are_known(hand) else OPEN

    return judge


def _build_judge(find: FindLevel, visible: Callable[..., None]) -> Callable[..., int]:
    def judge(data: JackpotData, shoe: Array, choices: Array) -> int:
        """The level of the cards that count after these choices, or `OPEN`."""
        seen = np.empty_like(shoe)
        if data.shown_only.any():
            visible(data.rules, shoe, choices, seen)
        hand, held = np.empty(len(data.places), shoe.dtype), 0
        for n in range(len(data.places)):
            place = data.places[n]
            card = seen[place] if data.shown_only[n] else shoe[place]
            if card == FACE_DOWN:
                continue
            if card < 0:
                return OPEN
            hand[held] = card
            held += 1
        if held < data.sizes[0] or held > data.sizes[1]:
            return data.levels
        return min(find(data.tables, data.claims, hand[:held]), data.levels)

    return judge


def _build_settle(own: Callable[..., None], judge: Callable[..., int]) -> Callable[..., None]:
    def settle(data: JackpotData, shoe: Array, choices: Array, outcomes: Array) -> None:
        last = len(outcomes) - 1
        own(data.rules, shoe, choices, outcomes[:last])
        outcomes[last] = OPEN
        for n in range(len(choices)):
            if data.forfeiting >> choices[n] & 1:
                outcomes[last] = data.levels
                return
        for spot in range(last):
            if outcomes[spot] == OPEN:
                return
        outcomes[last] = judge(data, shoe, choices)

    return settle
