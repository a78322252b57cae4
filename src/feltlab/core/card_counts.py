"""The number of cards on each side of one seat's round, counted on the table.

A hand with a wrong number of cards voids the round. More cards than the rules deal are too many, with two
exceptions: cards that another choice of the player would have dealt, and cards that the dealer draws for
other seats. The round does not need those, and they lie there rightly.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from feltlab.core.cards import FACE_DOWN, UNKNOWN, Cards
from feltlab.core.game import Game
from feltlab.core.round import Round, fill_shoe, split_shoe
from feltlab.errors import Refused
from feltlab.values import replace_unchecked


@dataclass(frozen=True)
class CountedHands:
    """The cards that lie on each side, in the order received.

    `complete` says that they are all that lie there, so that a card too few is a wrong number too. Without
    it a card may simply not have been named yet.
    """

    game: Game
    player: Cards
    dealer: Cards
    complete: bool = False

    def __post_init__(self) -> None:
        self.game.deck.check(Cards((*self.player, *self.dealer)))

    def start(self, wagers: Mapping[str, int]) -> Round:
        """The round of these cards, without those that the rules have no place for."""
        return Round(self.game, fill_shoe(self.game, self.player, self.dealer), wagers)

    def play(self, wagers: Mapping[str, int], choices: tuple[str, ...]) -> Round:
        """The round after these choices: void if a side has a wrong number of cards."""
        round = self.start(wagers)
        for choice in choices:
            self._check_missing(round)
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
        """Does a side have more cards than the rules can ever deal to it?"""
        rules = self.game.rules
        return len(self.player) > rules.PLAYER_CARDS or len(self.dealer) > rules.DEALER_CARDS

    def count(self, round: Round) -> Round:
        """The round as it is, or void because of the first side with a wrong number of cards."""
        allowed = (set(_player_counts(round)), set(_dealer_counts(round)))
        kept = sum(card != FACE_DOWN for card in round.view.player)  # a card that was not bought is discarded
        due = (kept if round.over else len(round.view.player), len(round.view.dealer))
        sides = zip(("player", "dealer"), (self.player, self.dealer), due, allowed, strict=True)
        for name, held, right, known in sides:
            wrong = len(held) > right and len(held) not in known
            if wrong or (self.complete and len(held) < right):
                return round.declare_void(f"The {name} has {_describe_count(len(held))} instead of {right}.")
        return round


def _describe_count(count: int) -> str:
    return f"{count} card{'s' * (count != 1)}"


def _player_counts(round: Round) -> Iterator[int]:
    """The numbers of cards that the player has at the end, whatever the player chooses."""
    return (len(end.view.player) for end in _ends(replace_unchecked(round, chosen=())))


def _dealer_counts(round: Round) -> Iterator[int]:
    """The numbers of cards that the dealer has at the end, whatever this seat and other seats do.

    Another seat may hold any cards; one with the dealer's own cards ties, and has every choice that a tie
    opens. No rule looks at more than one seat's cards, so this covers all of them.
    """
    start = replace_unchecked(round, chosen=())
    player, dealer = split_shoe(round.game, round.shoe)
    same = Cards((*dealer, *[UNKNOWN] * len(player))[: len(player)])
    other = replace_unchecked(start, shoe=Cards((*same, *dealer)))
    return (len(end.view.dealer) for first in (start, other) for end in _ends(first))


def _ends(round: Round) -> Iterator[Round]:
    """The round after each sequence of choices that ends it."""
    if round.over:
        yield round
    for choice in round.choices:
        yield from _ends(round.choose(choice))
