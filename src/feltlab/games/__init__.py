"""The list of games. A new game is one new folder and one new line here."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from feltlab.core.game import Game
from feltlab.core.solver import CutCard, OfferCounts, SeeCards, Solver, TwoSeats
from feltlab.errors import Unknown
from feltlab.text import listing

FOLDERS = {
    "casino-war": "casino_war",
    "high-five-poker": "high_five_poker",
    "rabbit-hunter": "rabbit_hunter",
    "triple-shot-rummy": "triple_shot_rummy",
    "triple-shot-bonus": "triple_shot_bonus",
    "three-card-poker": "three_card_poker",
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
    """Has the game a solver of its own? Without one it is proved by its rules alone."""
    return find_spec(_solver_module(game)) is not None


def solver_of(game: Game) -> Solver:
    """The exact solver of a game: its own, or that of any game."""
    if not has_solver(game):
        return _tree_solver_of(game.name)
    found: Solver = import_module(_solver_module(game)).SOLVER
    return found


@cache
def _tree_solver_of(name: str) -> Solver:
    from feltlab.counting.tree.solver import tree_solver

    return tree_solver(_export(_load(name), "strategies", "STRATEGIES") or {})


def two_seats_of(game: Game) -> TwoSeats:
    """The counts of two seats that the game exports; none where it has no such module."""
    found: TwoSeats = _export(game, "two_seats", "TWO_SEATS") or TwoSeats()
    return found


def offers_of(game: Game) -> tuple[OfferCounts, ...]:
    """The wagers of any amount that choices of the game offer; none where it has no such module."""
    count: Callable[[Game], tuple[OfferCounts, ...]] | None = _export(game, "side_offers", "count_offers")
    return count(game) if count else ()


def cut_card_of(game: Game) -> CutCard | None:
    """What the game counts of rounds dealt from one shoe; None where it has no such module."""
    found: CutCard | None = _export(game, "cut_card", "CUT_CARD")
    return found


def see_cards_of(game: Game) -> SeeCards | None:
    """The proof of what a seen card is worth; None where the game has no such module."""
    found: SeeCards | None = _export(game, "seen_cards", "see_cards")
    return found


def _export(game: Game, module: str, name: str) -> Any:
    """What a module of the game exports; None where the game has no such module."""
    path = f"feltlab.games.{FOLDERS[game.name]}.{module}"
    return getattr(import_module(path), name) if find_spec(path) else None


def _solver_module(game: Game) -> str:
    return f"feltlab.games.{FOLDERS[game.name]}.solver"
