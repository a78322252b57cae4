"""The list of games. A new game is one new folder and one new line here."""

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec

from feltlab.core.game import Game
from feltlab.core.solver import Solver, TwoSeats
from feltlab.errors import Refused, Unknown
from feltlab.text import listing

FOLDERS = {
    "casino-war": "casino_war",
    "high-five-poker": "high_five_poker",
    "rabbit-hunter": "rabbit_hunter",
    "triple-shot-rummy": "triple_shot_rummy",
    "triple-shot-bonus": "triple_shot_bonus",
}


@cache
def _load(name: str) -> Game:
    return Game(import_module(f"feltlab.games.{FOLDERS[name]}.rules"))


class _Games(Mapping[str, Game]):
    """All games by name; each is loaded on first use.

    >>> from feltlab import GAMES
    >>> sorted(GAMES)[:2]
    ['casino-war', 'high-five-poker']
    >>> GAMES["casino-war"].title
    'Casino War'
    """

    def __getitem__(self, name: str) -> Game:
        if name not in FOLDERS:
            raise Unknown(f"{name!r} is not a game; the games are {listing(FOLDERS)}.")
        return _load(name)

    def __contains__(self, name: object) -> bool:
        return name in FOLDERS

    def __iter__(self) -> Iterator[str]:
        return iter(FOLDERS)

    def __len__(self) -> int:
        return len(FOLDERS)


GAMES: Mapping[str, Game] = _Games()


def find_game(game: Game | str) -> Game:
    """The game of this name; a game itself is returned as it is."""
    return game if isinstance(game, Game) else GAMES[game]


def has_solver(game: Game) -> bool:
    """Can anything be proved about the game? A new game is dealt before it has a solver."""
    return find_spec(_solver_module(game)) is not None


def solver_of(game: Game) -> Solver:
    """The exact solver of a game."""
    if not has_solver(game):
        raise Refused(f"{game.title} has no solver: {_solver_module(game)} is missing.")
    found: Solver = import_module(_solver_module(game)).SOLVER
    return found


def two_seats_of(game: Game) -> TwoSeats:
    """The counts of two seats that the game exports; none where it has no such module."""
    module = f"feltlab.games.{FOLDERS[game.name]}.two_seats"
    found: TwoSeats = import_module(module).TWO_SEATS if find_spec(module) else TwoSeats()
    return found


def _solver_module(game: Game) -> str:
    return f"feltlab.games.{FOLDERS[game.name]}.solver"
