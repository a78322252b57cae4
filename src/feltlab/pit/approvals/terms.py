"""The terms of a game that an approval names: options, pays, and differences between two sets of them."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from feltlab.core.game import Game
from feltlab.errors import Refused
from feltlab.games.rules_history import RulesChange
from feltlab.text import listing

Options = tuple[tuple[str, str], ...]
Pays = tuple[tuple[str, str, Fraction], ...]  # spot, outcome and pay where no listed table says so
NOT_OFFERED = RulesChange(False, "The game, or one of its options or pays, is no longer offered.")


def options_of(game: Game) -> Options:
    return sort_options(game.options)


def sort_options(options: Mapping[str, str]) -> Options:
    return tuple(sorted(options.items()))


def read_pays(data: Iterable[tuple[str, str, Any]]) -> Pays:
    return tuple((spot, outcome, Fraction(pay)) for spot, outcome, pay in data)


def pays_to_data(pays: Pays) -> list[list[str]]:
    return [[spot, outcome, str(pay)] for spot, outcome, pay in pays]


def describe_option_difference(ours: Options, theirs: Options) -> str:
    """The options in which two sets differ: 'decks=6, not for decks=8'."""
    sides = ((ours, theirs), (theirs, ours))
    return ", not for ".join(
        listing(f"{name}={value}" for name, value in side if (name, value) not in other)
        for side, other in sides
    )


def list_spots(pays: Iterable[tuple[str, str, Fraction]]) -> str:
    return listing(sorted({spot for spot, _, _ in pays}))


def describe_pays(pays: Iterable[tuple[str, str, Fraction]]) -> str:
    """'tie at 99 to 1 on tie'."""
    return listing(f"{outcome} at {pay} to 1 on {spot}" for spot, outcome, pay in sorted(pays))


def game_today(
    games: Mapping[str, Game], name: str, options: Iterable[tuple[str, str]], pays: Pays
) -> Game | None:
    """A game under approved options and pays by the rules of today; None if it no longer has them."""
    try:
        return Game(games[name].rules, tuple(options), pays)
    except (KeyError, Refused):
        return None
