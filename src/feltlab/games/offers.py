"""What a game is offered under, as data: its name, options and changed pays, and the digest of all."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from feltlab.core.game import Game
from feltlab.errors import Unknown
from feltlab.games import GAMES
from feltlab.text import listing


def terms_of(game: Game) -> dict[str, Any]:
    return {
        "game": game.name,
        "options": dict(game.chosen),
        "pays": [[spot, line, str(pays)] for spot, line, pays in game.pays],
        "digest": game.digest,
    }


def game_of(terms: Mapping[str, Any]) -> Game:
    """The game of these terms by the rules of today, whose digest may be another."""
    if terms["game"] not in GAMES:
        raise Unknown(f"{terms['game']!r} is not a game; the games are {listing(GAMES)}.")
    pays = tuple((spot, line, Fraction(pay)) for spot, line, pay in terms["pays"])
    return Game(GAMES[terms["game"]].rules, tuple(terms["options"].items()), pays)
