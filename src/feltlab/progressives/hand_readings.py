"""The ways in which a progressive may read cards, each with the names of its hands.

A reading is a kernel that gives the strength of some cards: `strength >> 12` is the number of the hand's
category, `strength >> 8 & 15` its leading rank where the category has one. Readings are those of
`core/hands`, and those that a game's own `jackpot_hands.py` exports.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from feltlab.core.game import Game
from feltlab.core.hands import four_card, longest_suit, poker, three_card, wild
from feltlab.errors import Refused
from feltlab.games import export_of
from feltlab.kernel import Array, int64, lean
from feltlab.text import listing

OWN_MODULE = "jackpot_hands"  # of a game's folder: exports READINGS, by name


@dataclass(frozen=True)
class HandReading:
    """One way to read cards."""

    name: str
    sizes: range  # the numbers of cards that it reads
    categories: tuple[str, ...]  # by number, the lowest first
    read: Callable[..., int]  # a kernel: the strength of cards from tables
    make_tables: Callable[[], Any]
    has_ranks: bool = False  # a category may be narrowed by its leading rank
    jokers: bool = False  # it reads a joker
    unranked: tuple[str, ...] = ()  # categories that have no leading rank in their strength


@lean
def _read_poker(tables: Any, hand: Array) -> int:
    return poker.strength(tables, hand)


@lean
def _read_four(tables: Any, hand: Array) -> int:
    return four_card.strength(tables, hand)


@lean
def _read_three(tables: Any, hand: Array) -> int:
    return three_card.strength(hand[0], hand[1], hand[2])


@lean
def _read_wild(tables: Any, hand: Array) -> int:
    return wild.strength(tables, hand)


@lean
def _read_suit(tables: Any, hand: Array) -> int:
    return longest_suit.size_of(longest_suit.strength(hand)) << 12


@lean
def _read_run(tables: Any, hand: Array) -> int:
    """The longest run in one suit; a joker takes the rank and suit that make it longest."""
    word, joker = longest_suit.gather(hand), int64(1) << longest_suit.RANK_BITS
    if not word & joker:
        return longest_suit.run_of_word(word) << 12
    longest = int64(0)
    for rank in range(longest_suit.RANK_BITS):
        filled = (word ^ joker) | longest_suit.EACH_LANE << rank
        longest = max(longest, longest_suit.run_of_word(filled))
    return longest << 12


def _no_tables() -> int:
    return 0


UNRANKED = ("High Card", "Flush")  # whose strengths number all ranks together
SUIT_SIZES = tuple(f"{number} of a suit" for number in longest_suit.NUMBERS)
RUN_LENGTHS = tuple(f"run of {number}" for number in longest_suit.NUMBERS)
READINGS = {
    reading.name: reading
    for reading in (
        HandReading("poker", range(5, 8), poker.CATEGORIES, _read_poker, poker.tables, True, True, UNRANKED),
        HandReading(
            "four-card",
            range(5, 8),
            four_card.CATEGORIES,
            _read_four,
            four_card.tables,
            True,
            False,
            UNRANKED,
        ),
        HandReading("three-card", range(3, 4), three_card.CATEGORIES, _read_three, _no_tables, True),
        HandReading("wild", range(5, 6), wild.CATEGORIES, _read_wild, wild.tables, jokers=True),
        HandReading("longest-suit", range(1, 14), SUIT_SIZES, _read_suit, _no_tables),
        HandReading("suited-run", range(1, 14), RUN_LENGTHS, _read_run, _no_tables, jokers=True),
    )
}


def reading_named(name: str, game: Game | None = None) -> HandReading:
    """The reading of this name: one of feltlab's, or of the game's own."""
    own: dict[str, HandReading] = (export_of(game, OWN_MODULE, "READINGS") or {}) if game else {}
    known = READINGS | own
    if name not in known:
        raise Refused(f"{name!r} is not a way to read hands; possible are {listing(known, 'or')}.")
    return known[name]
