"""A game with its options and pays as plain data, and back.

The ledger, approvals, the API and worker processes all write and read a game here.
"""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from feltlab.core.game import Game
from feltlab.errors import Refused
from feltlab.games import game_named
from feltlab.games.data import EXAMPLE_CENTS
from feltlab.text import dollars

Options = Mapping[str, str]
Pay = tuple[str, str, Fraction | str]  # spot, outcome, pay to 1
DEFAULTS: Options = MappingProxyType({})


def game_to_data(game: Game) -> dict[str, Any]:
    """The name, the options and pays that differ from the defaults, and the digest of all."""
    return {
        "game": game.name,
        "options": dict(game.chosen),
        "pays": [[spot, line, str(pays)] for spot, line, pays in game.pays],
        "digest": game.digest,
    }


def game_from_data(data: Mapping[str, Any]) -> Game:
    """The game that `game_to_data` wrote, by the rules of today; its digest may have changed since."""
    return build_game(data["game"], data["options"], data["pays"])


def build_game(name: str, options: Options = DEFAULTS, pays: Iterable[Pay] = ()) -> Game:
    """A game by its name, with changed options and with pays of exactly these outcomes."""
    exact = tuple((spot, outcome, Fraction(pay)) for spot, outcome, pay in pays)
    return Game(game_named(name).rules, tuple(options.items()), exact)


def game_from_words(name: str, options: Options, pays: Mapping[str, Mapping[str, str]]) -> Game:
    """A game as a person orders it: by spot, pays of outcomes under any name that a pay table accepts."""
    game = build_game(name, options)
    for spot, changed in pays.items():
        game = game.with_pays(spot, {outcome: Fraction(pay) for outcome, pay in changed.items()})
    _check_whole_cents(game)
    return game


def _check_whole_cents(game: Game) -> None:
    """Refuse pays under which a round amount does not pay whole cents."""
    for spot in game.wagers:
        cents, step = spot.fixed_cents or EXAMPLE_CENTS, game.step(spot)
        if cents % step:
            raise Refused(
                f"Under these pays the {spot.title} wager must be a multiple of {dollars(step)} to pay whole"
                f" cents, and {dollars(cents)} is not."
            )
