"""Claims: the level that a hand wins. A live table and a proof ask the same kernel.

A level names hands as

- a category of the reading: "Royal Flush";
- a category with its leading rank: "Four of a Kind, Aces", "Straight Flush, King high";
- the very cards that the hand holds, among others if it has more: "As Ks Qs Js Ts".
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from feltlab.core.cards import FACE_DOWN, RANK_NAMES, Cards, cards, plural
from feltlab.core.game import Game
from feltlab.errors import Refused
from feltlab.games import find_game
from feltlab.kernel import Array, int64, lean
from feltlab.progressives.hand_readings import HandReading, reading_named
from feltlab.progressives.progressive import Attachment, Level, Progressive
from feltlab.text import listing

NO_LEVEL = 127
SHOWN = "shown"  # in place of a number of cards: those that the round shows to the player
CARD_WORD = re.compile(r"(10|[2-9TJQKA])[cdhs]|Jk", re.IGNORECASE)


class ClaimTables(NamedTuple):
    """The levels of a progressive as tables for a kernel."""

    by_kind: NDArray[np.int8]  # by category and leading rank, 16 ranks each: the level
    held: NDArray[np.int64]  # sets of cards, a bit each
    held_levels: NDArray[np.int8]


FindLevel = Callable[[Any, ClaimTables, Array], int]


def find_level_kernel(reading: HandReading) -> FindLevel:
    """The kernel that finds the number of the level that cards claim under a reading, or `NO_LEVEL`."""
    return _compile_find(reading.read)


@lru_cache(maxsize=32)
def _compile_find(read: Callable[..., int]) -> FindLevel:
    return lean(_build_find(read))


def _build_find(read: Callable[..., int]) -> FindLevel:
    def find_level(tables: Any, claims: ClaimTables, hand: Array) -> int:
        strength = int64(read(tables, hand))
        level = int64(claims.by_kind[(strength >> 12) << 4 | strength >> 8 & 15])
        held = claims.held
        if len(held):
            word = int64(0)
            for i in range(len(hand)):
                word |= int64(1) << int64(hand[i])
            for n in range(len(held)):
                if word & held[n] == held[n] and claims.held_levels[n] < level:
                    level = int64(claims.held_levels[n])
        return level

    return find_level


# -- Patterns ---------------------------------------------------------------------------------------


def tabulate_claims(levels: Sequence[Level], reading: HandReading) -> ClaimTables:
    """The tables of these levels; a hand that no level could be claimed with is refused."""
    by_kind = np.full((len(reading.categories), 16), NO_LEVEL, np.int8)
    held: list[int] = []
    held_levels: list[int] = []
    for number, level in enumerate(levels):
        for hand in level.hands:
            if named := _parse_cards(hand):
                held.append(sum(1 << card for card in named))
                held_levels.append(number)
            else:
                category, ranks = _parse_category(hand, reading)
                row = by_kind[category, ranks]
                by_kind[category, ranks] = np.where(row == NO_LEVEL, number, row)
    _check_reached(levels, by_kind, held_levels)
    return ClaimTables(by_kind.reshape(-1), np.array(held, np.int64), np.array(held_levels, np.int8))


def _check_reached(levels: Sequence[Level], by_kind: NDArray[np.int8], held_levels: list[int]) -> None:
    reached = {*by_kind.reshape(-1).tolist(), *held_levels}
    missed = [level.name for number, level in enumerate(levels) if number not in reached]
    if missed:
        raise Refused(f"No hand can claim {listing(missed)}: a level above takes them all.")


def _parse_cards(hand: str) -> Cards:
    """The cards that a pattern names; none if it names a category."""
    words = hand.split()
    if not all(CARD_WORD.fullmatch(word) for word in words):
        return Cards()
    named = cards(hand)
    if len(set(named)) != len(named):
        raise Refused(f"{hand!r} names a card twice.")
    return named


def _parse_category(hand: str, reading: HandReading) -> tuple[int, slice]:
    """The category that a pattern names, and its leading ranks."""
    name, comma, rank = hand.partition(",")
    known = {category.lower(): number for number, category in enumerate(reading.categories)}
    if name.strip().lower() not in known or (comma and not reading.has_ranks):
        raise Refused(
            f"{hand!r} is not a hand of the reading {reading.name!r}; its hands are"
            f" {listing(reading.categories)}."
        )
    number = known[name.strip().lower()]
    if comma and reading.categories[number] in reading.unranked:
        raise Refused(
            f"{hand!r} is not possible: {reading.categories[number]} has no leading rank in the reading"
            f" {reading.name!r}."
        )
    return number, _parse_rank(rank) if comma else slice(None)


def _parse_rank(text: str) -> slice:
    asked = text.strip().lower().removesuffix(" high")
    for rank, name in enumerate(RANK_NAMES):
        if asked in (name.lower(), plural(rank).lower()):
            return slice(rank, rank + 1)
    raise Refused(f"{text.strip()!r} is not a rank, such as Aces or King high.")


# -- The cards of a round ---------------------------------------------------------------------------


@dataclass(frozen=True)
class JackpotHand:
    """The hand of a progressive at one game: where its cards are, and the levels that they claim."""

    progressive: Progressive
    game: Game
    reading: HandReading
    places: tuple[int, ...]  # in a seat's shoe
    shown_only: tuple[int, ...]  # those among them that count only if the round shows them
    tables: Any
    claims: ClaimTables

    @property
    def sizes(self) -> range:
        """The numbers of cards that the hand may have in a round."""
        return range(len(self.places) - len(self.shown_only), len(self.places) + 1)

    def find(self, hand: Sequence[int]) -> Level | None:
        """The level that some cards claim, or None."""
        if len(hand) not in self.reading.sizes:
            return None
        number = find_level_kernel(self.reading)(self.tables, self.claims, np.array(hand, np.int8))
        return None if number == NO_LEVEL else self.progressive.levels[number]

    def claim(self, shoe: Sequence[int], choices: Sequence[int]) -> Level | None:
        """The level that a seat claims at the end of a round: its shoe, and its choices by number."""
        if self.progressive.fold == "forfeits" and self.is_folded(choices):
            return None
        return self.find(self.cards_of(shoe, choices))

    def is_folded(self, choices: Sequence[int]) -> bool:
        """Has one of these choices given up the wager that it belongs to?"""
        made = (self.game.choices[number] for number in choices)
        return any(choice.wager in choice.gives_up for choice in made)

    def cards_of(self, shoe: Sequence[int], choices: Sequence[int]) -> tuple[int, ...]:
        """The cards of the hand; empty while one of them is missing."""
        held = list(shoe)
        if self.shown_only:
            seen = np.empty(len(held), np.int8)
            dealt, made = np.array(held, np.int8), np.array(choices, np.int8)
            self.game.rules.visible(self.game.kernel_data, dealt, made, seen)
            held = [int(seen[at]) if at in self.shown_only else card for at, card in enumerate(held)]
        found = [held[at] for at in self.places if held[at] != FACE_DOWN]
        return tuple(found) if all(card >= 0 for card in found) else ()


def attach(progressive: Progressive, game: Game | str) -> JackpotHand:
    """The hand of a progressive at a game that it is attached to."""
    game = find_game(game)
    attached = _find_attachment(progressive, game)
    reading = reading_named(progressive.reading, game)
    places, shown_only = _find_places(attached, game)
    claims = tabulate_claims(progressive.levels, reading)
    hand = JackpotHand(progressive, game, reading, places, shown_only, reading.make_tables(), claims)
    if not any(size in reading.sizes for size in hand.sizes):
        raise Refused(
            f"The reading {reading.name!r} takes {_describe_sizes(reading.sizes)} cards, but"
            f" {game.title} gives it {len(places)}."
        )
    if not reading.jokers and max(game.deck.cards) > 51:
        raise Refused(f"The reading {reading.name!r} knows no joker, which {game.title} deals.")
    return hand


def _describe_sizes(sizes: range) -> str:
    return f"{sizes[0]} to {sizes[-1]}" if len(sizes) > 1 else str(sizes[0])


def _find_attachment(progressive: Progressive, game: Game) -> Attachment:
    for attached in progressive.attached:
        if attached.game == game.name or find_game(attached.game).name == game.name:
            return attached
    return progressive.attachment_of(game.name)


def _find_places(attached: Attachment, game: Game) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The places of the cards in a seat's shoe, and those of them that count only if they are shown."""
    places: list[int] = []
    shown_only: list[int] = []
    sizes = {area.name: area.cards for area in game.areas}
    for word in attached.cards:
        name, colon, number = word.partition(":")
        if name not in sizes:
            raise Refused(f"{game.title} has no area {name!r}; its areas are {listing(sizes)}.")
        many = sizes[name] if not colon or number == SHOWN else _parse_number(word, number, sizes[name])
        found = [*range(game.area_starts[name], game.area_starts[name] + many)]
        places += found
        shown_only += found if number == SHOWN else []
    if len(set(places)) != len(places):
        raise Refused(f"{listing(attached.cards)} name a card of {game.title} twice.")
    return tuple(places), tuple(shown_only)


def _parse_number(word: str, number: str, most: int) -> int:
    if not (number.isascii() and number.isdigit() and 1 <= int(number) <= most):
        raise Refused(f"{word!r} is not possible: write a number of cards up to {most}, or {SHOWN}.")
    return int(number)
