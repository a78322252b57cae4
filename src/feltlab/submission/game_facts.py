"""Facts of a game in words, for packets: its cards, how they are dealt."""

from fractions import Fraction
from typing import Literal

from feltlab.core.game import Game
from feltlab.core.layout import Spot
from feltlab.text import listing

DEALT_BY = "dealt-by"  # the option of a game that a house may deal by hand

CardSource = Literal["shoe", "hand", "shuffler"]


def card_source(game: Game) -> CardSource:
    """The source of the cards."""
    if game.behind_cut < len(game.deck):
        return "shoe"
    return "hand" if game.options.get(DEALT_BY) == "hand" else "shuffler"


def describe_decks(game: Game) -> str:
    """'1 deck of 52, no joker'."""
    decks, jokers = divmod(len(game.deck), 52)
    one = f"{decks} deck{'s' * (decks != 1)} of 52"
    return f"{one} and {jokers} joker{'s' * (jokers != 1)}" if jokers else f"{one}, no joker"


def describe_shuffles(game: Game) -> str:
    """The moment of the shuffle."""
    if card_source(game) == "shoe":
        return f"they are shuffled when the cut card comes out; {game.behind_cut} cards stay behind it"
    return "all cards are shuffled before every round"


def describe_odds(odds: Fraction) -> str:
    """'50 to 1', '3 to 2'."""
    return f"{odds.numerator:,} to {odds.denominator}"


def list_titles(spots: list[Spot], word: str = "and") -> str:
    return listing((spot.title for spot in spots), word)
