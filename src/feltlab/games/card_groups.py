"""The cards of a hand that count for a reading: the five that play, the longest suit, the first card for War.

The hands of `core.hands` know which cards play. A game reads its hands with the modules that its rules
import, so the one whose words equal the reading of the rules says which cards count. A game that uses its
cards at different times has a module `card_groups.py` with a function `group_cards`, which says it instead.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from types import ModuleType
from typing import NamedTuple

from feltlab.core.cards import Cards, suit_of
from feltlab.core.game import Game
from feltlab.core.hands import four_card, longest_suit, poker, rummy
from feltlab.errors import Refused
from feltlab.games import export_of
from feltlab.games.data import example

Choices = tuple[str, ...] | None  # those of the player; None for the dealer
Found = tuple[str, str, Sequence[int]]  # title, reading, positions
OwnGroups = Callable[[Cards, Choices], Iterator[Found]]


class CardGroup(NamedTuple):
    """Cards that count together."""

    title: str  # what they count for, as the rules call it: 'War', 'hand'
    reading: str  # in words: 'Two Pair, Kings and Nines'
    cards: tuple[int, ...]  # their positions in the hand, from 0


@lru_cache(maxsize=4096)
def group_cards(game: Game, held: Cards, chosen: Choices) -> tuple[CardGroup, ...]:
    """The groups of a hand whose cards are all face up; shared cards come after the own ones."""
    own = _own_groups(game)
    names = chosen and tuple(choice.partition("=")[0] for choice in chosen)  # without their amounts
    found = own(held, names) if own else _groups_by_reading(game, held)
    return tuple(CardGroup(title, reading, tuple(sorted(at))) for title, reading, at in found)


@lru_cache(maxsize=64)  # the import system takes longer to look than most hands to be read
def _own_groups(game: Game) -> OwnGroups | None:
    found: OwnGroups | None = export_of(game, "card_groups", "group_cards")
    return found


@lru_cache(maxsize=64)
def most_groups(game: Game) -> int:
    """The most groups of a player's hand at the end of the example of the game's packet."""
    hands = [round.view for round in example(game)[-1].rounds]
    held = [Cards(card for card in (*hand.player, *hand.board) if card >= 0) for hand in hands]
    chosen = [round.chosen for round in example(game)[-1].rounds]
    return max(1, *(len(group_cards(game, *each)) for each in zip(held, chosen, strict=True)))


def _groups_by_reading(game: Game, held: Cards) -> Iterator[Found]:
    for title, reading in game.rules.readings(list(held)):
        playing = _cards_that_play(game, held, reading)
        yield title, reading, [n for n, card in enumerate(held) if card in playing]


def _cards_that_play(game: Game, held: Cards, reading: str) -> Cards:
    """The cards that make a reading; all of them if no hand that the rules import has these words."""
    for find in _readers_of(game):
        try:
            words, playing = find(held, reading)
        except Refused:  # of another number of cards
            continue
        if words == reading:
            return playing
    return held


@lru_cache(maxsize=64)
def _readers_of(game: Game) -> tuple[Callable[[Cards, str], tuple[str, Cards]], ...]:
    """The readers of the hands that a game's rules import."""
    imported = [module for module in vars(game.rules).values() if isinstance(module, ModuleType)]
    return tuple(find for module, find in READERS.items() if module in imported)


def _in_poker(held: Cards, _: str) -> tuple[str, Cards]:
    hand = poker.read(held)
    return hand.name, Cards((*hand.made, *hand.kickers))


def _in_four_cards(held: Cards, _: str) -> tuple[str, Cards]:
    hand = four_card.read(held)
    return hand.name, hand.cards


def _in_rummy(held: Cards, _: str) -> tuple[str, Cards]:
    return rummy.read(held).name, held  # points count, too


def _in_one_suit(held: Cards, reading: str) -> tuple[str, Cards]:
    """The longest suit, or its longest run, whichever is read: the fewest cards with the same words."""
    if longest_suit.read(held) == reading:
        return reading, _fewest_cards(longest_suit.read, held)
    words = longest_suit.read_run(held)
    return words, Cards() if words == "no run" else _fewest_cards(longest_suit.read_run, held)


def _fewest_cards(read: Callable[[Cards], str], held: Cards) -> Cards:
    """The fewest cards of one suit with the words of the whole hand."""
    words, sizes = read(held), range(1, len(held) + 1)
    suited = (some for size in sizes for some in combinations(held, size) if len({*map(suit_of, some)}) == 1)
    return Cards(next(some for some in suited if read(Cards(some)) == words))


READERS: dict[ModuleType, Callable[[Cards, str], tuple[str, Cards]]] = {
    longest_suit: _in_one_suit,
    rummy: _in_rummy,
    four_card: _in_four_cards,  # before poker, which would read five of the same cards
    poker: _in_poker,
}
