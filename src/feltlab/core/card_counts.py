"""The number of cards in each area of one seat's round, counted on the table.

A hand with a wrong number of cards voids the round. More cards than the rules deal are too many, with two
exceptions: cards that another choice of the player would have dealt, and cards that the dealer draws for
other seats. The round does not need those, and they lie there rightly.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain

from feltlab.core.cards import FACE_DOWN, UNKNOWN, Cards
from feltlab.core.choices import split_choice
from feltlab.core.game import Game
from feltlab.core.layout import Area
from feltlab.core.round import Round, fill_shoe
from feltlab.errors import Refused
from feltlab.values import replace_unchecked


@dataclass(frozen=True)
class CountedHands:
    """The cards that lie in each area, in the order received.

    `complete` says that they are all that lie there, so that a card too few is a wrong number too. Without
    it a card may simply not have been named yet.
    """

    game: Game
    areas: tuple[Cards, ...]  # in the order of the game's
    complete: bool = False

    def __post_init__(self) -> None:
        self.game.deck.check(Cards(chain.from_iterable(self.areas)))

    def start(self, wagers: Mapping[str, int]) -> Round:
        """The round of these cards, without those that the rules have no place for."""
        return Round(self.game, fill_shoe(self.game, *self.areas), wagers)

    def play(self, wagers: Mapping[str, int], choices: tuple[str, ...]) -> Round:
        """The round after these choices: void if a side has a wrong number of cards."""
        round = self.start(wagers)
        for choice in choices:
            self._check_missing(round)
            if round.missing and split_choice(choice)[0] not in round.choices:
                return self.count(round)  # it was open with the cards that should lie there
            round = round.choose(choice)
        if round.over or self._has_no_place():
            round = self.count(round)
        if not round.void:
            self._check_missing(round)
        return round

    def _check_missing(self, round: Round) -> None:
        if round.missing and not (self.complete or self._has_no_place()):
            raise Refused(f"{round.missing.capitalize()} is missing.")

    def _has_no_place(self) -> bool:
        """Does an area have more cards than the rules can ever deal to it?"""
        return any(len(held) > area.cards for area, held in zip(self.game.areas, self.areas, strict=True))

    def count(self, round: Round) -> Round:
        """The round as it is, or void because of the first area with a wrong number of cards."""
        for area, held in zip(self.game.areas, self.areas, strict=True):
            right = _count_due(round, area)
            wrong = len(held) > right and len(held) not in {*_other_counts(round, area)}
            if wrong or (self.complete and len(held) < right):
                there = f"The {area.name} has {_describe_count(len(held))}"
                return round.declare_void(f"{there} instead of {right}.")
        return round


def _count_due(round: Round, area: Area) -> int:
    """The number of cards in an area by the rules; a player's card that was not bought is discarded."""
    held = round.view.areas[area.name]
    return len(held) if area.shared or not round.over else sum(card != FACE_DOWN for card in held)


def _other_counts(round: Round, area: Area) -> Iterator[int]:
    """The numbers of cards that an area has at the end, whatever this seat and other seats do.

    Another seat may hold any cards; one with the dealer's own cards ties, and has every choice that a tie
    opens. No rule looks at more than one seat's cards, so this covers all of them.
    """
    start = replace_unchecked(round, chosen=())
    own = round.game.own_places
    dealers = round.game.split_areas(round.shoe).get("dealer", Cards())
    same = (*dealers, *[UNKNOWN] * own)[:own]
    other = replace_unchecked(start, shoe=Cards((*same, *round.shoe[own:])))
    starts = (start, other) if area.shared else (start,)
    return (len(end.view.areas[area.name]) for first in starts for end in _ends(first))


def _describe_count(count: int) -> str:
    return f"{count} card{'s' * (count != 1)}"


def _ends(round: Round) -> Iterator[Round]:
    """The round after each sequence of choices that ends it."""
    if round.over:
        yield round
    for choice in round.choices:
        yield from _ends(round.choose(choice))
