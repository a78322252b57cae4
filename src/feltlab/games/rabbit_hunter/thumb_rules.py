"""Rules of thumb: strategies by the kind of five cards, and the grid of kinds on the strategy card."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from feltlab.core.cards import RANK_NAMES, plural
from feltlab.core.hands import poker
from feltlab.core.solver import Chart
from feltlab.counting.removal import Ints
from feltlab.counting.suits import Hands, strengths_of
from feltlab.games.rabbit_hunter import rules
from feltlab.games.rabbit_hunter.rules import BUY, FOLD, PLAY

Choices = NDArray[np.int64]  # by class of five


@dataclass(frozen=True)
class Kinds:
    """The features of five cards that a rule of thumb looks at."""

    strengths: Ints
    four_flush: NDArray[np.bool_]  # exactly four cards of one suit
    straight_draw: Ints  # ranks that complete a straight: 2 for an open draw, 1 for a gutshot, else 0

    @property
    def categories(self) -> Ints:
        return self.strengths >> 12

    @property
    def draws(self) -> NDArray[np.bool_]:
        return self.four_flush | (self.straight_draw > 0)


ACE_KING = poker.ACE_HIGH + comb(11, 4)  # above every ace-high hand without a king
STRAIGHTS = (poker.WHEEL, *(31 << low for low in range(9)))


def kinds(hands: Hands) -> Kinds:
    longest = np.max([(hands & 3 == suit).sum(axis=1) for suit in range(4)], axis=0)
    ranks = np.bitwise_or.reduce(1 << (hands >> 2).astype(np.int64), axis=1)
    return Kinds(strengths_of(hands).astype(np.int64), longest == 4, _straight_draw(ranks))


def _straight_draw(ranks: Ints) -> Ints:
    completing = np.zeros_like(ranks)
    made = np.zeros(len(ranks), np.bool_)
    for straight in STRAIGHTS:
        missing = straight & ~ranks
        made |= missing == 0
        completing |= np.where(missing & (missing - 1) == 0, missing, 0)
    ranks_completing = sum(completing >> rank & 1 for rank in range(13))
    return np.where(made, 0, ranks_completing)


def _at_least(weakest: int) -> Callable[[Kinds], Choices]:
    return lambda kinds: np.where(kinds.strengths >= weakest, PLAY, FOLD)


def _ace_high_and_draws(kinds: Kinds) -> Choices:
    both = kinds.four_flush & (kinds.straight_draw > 0) & (kinds.categories == poker.HIGH_CARD)
    return np.where(both, BUY, _at_least(poker.ACE_HIGH)(kinds))


def _chase(kinds: Kinds) -> Choices:
    strengths, categories = kinds.strengths, kinds.categories
    low_pair = (strengths >= poker.pair_of(0)) & (strengths < rules.PAIR_OF_TENS)
    improves = low_pair | (categories == poker.TWO_PAIR) | (categories == poker.THREE) | kinds.draws
    return np.where(improves & (categories < poker.STRAIGHT), BUY, _at_least(poker.ACE_HIGH)(kinds))


class ThumbRule(NamedTuple):
    """A strategy that looks at the five cards and not at the stake."""

    description: str
    choose: Callable[[Kinds], Choices]


THUMB_RULES: Mapping[str, ThumbRule] = {
    "never-fold": ThumbRule("Always play, never buy.", _at_least(0)),
    "always-buy": ThumbRule("Always buy the sixth card.", lambda kinds: np.full(len(kinds.strengths), BUY)),
    "pair": ThumbRule("Play a pair or better, fold the rest, never buy.", _at_least(poker.pair_of(0))),
    "ace-king": ThumbRule("Play ace-king or better, fold the rest, never buy.", _at_least(ACE_KING)),
    "ace-high": ThumbRule("Play ace-high or better, fold the rest, never buy.", _at_least(poker.ACE_HIGH)),
    "ace-high-and-draws": ThumbRule(
        "Buy without a pair with four to a flush that also lacks only one rank of a straight; "
        "of the rest play ace-high or better and fold what is below.",
        _ace_high_and_draws,
    ),
    "chase": ThumbRule(
        "Buy below a straight with four to a flush, one rank short of a straight, a pair below tens, two "
        "pair or three of a kind; of the rest play ace-high or better and fold what is below.",
        _chase,
    ),
}
STRATEGIES: Mapping[str, str] = {
    "optimal": "Make the choice that is best for the whole stake, hand by hand.",
    **{name: rule.description for name, rule in THUMB_RULES.items()},
}


# -- The grid of the card ---------------------------------------------------------------------------

ROWS = (
    *(f"{name} high" for name in RANK_NAMES),
    *(f"Pair of {plural(rank)}" for rank in range(13)),
    "Two Pair",
    "Three of a Kind",
    "Straight or better",
)
COLUMNS = ("no draw", "gutshot", "open", "four flush", "flush, gutshot", "flush, open")
NO_HAND = -1  # no hand of that row has that draw


def grid_places(hands: Hands) -> Ints:
    """The row and column of each hand, as one number."""
    seen = kinds(hands)
    above_pair = 26 + np.minimum(seen.categories, poker.STRAIGHT) - poker.TWO_PAIR
    of_pair = 13 + (seen.strengths >> 8 & 15)
    highest = (hands.max(axis=1) >> 2).astype(np.int64)
    high_card, pair = seen.categories == poker.HIGH_CARD, seen.categories == poker.PAIR
    row = np.where(high_card, highest, np.where(pair, of_pair, above_pair))
    place: Ints = row * len(COLUMNS) + 3 * seen.four_flush + np.minimum(seen.straight_draw, 2)
    return place


def grid(cells: NDArray[np.int64]) -> tuple[Chart, dict[int, int]]:
    """The chart of a choice for each place; neighbouring rows with the same choices are merged.

    The second part gives the chart's row of each row that has a hand.
    """
    merged: list[tuple[list[str], NDArray[np.int64]]] = []
    for name, row in zip(ROWS, cells.reshape(len(ROWS), len(COLUMNS)), strict=True):
        if (row == NO_HAND).all():
            continue
        if merged and _agree(merged[-1][1], row):
            merged[-1][0].append(name)
            merged[-1] = (merged[-1][0], np.maximum(merged[-1][1], row))
        else:
            merged.append(([name], row))
    named = {_span(names): tuple(_cell(choice) for choice in row) for names, row in reversed(merged)}
    row_of = {ROWS.index(name): n for n, (names, _) in enumerate(reversed(merged)) for name in names}
    return Chart("the best choice for each kind of hand", COLUMNS, named), row_of


def _agree(one: NDArray[np.int64], other: NDArray[np.int64]) -> bool:
    return bool(((one == other) | (one == NO_HAND) | (other == NO_HAND)).all())


def _span(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{names[0]} to {names[-1]}"


def _cell(choice: int) -> str:
    return "" if choice == NO_HAND else rules.CHOICES[choice].name
