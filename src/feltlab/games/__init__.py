"""The list of games. A new game is one new folder and one new line here.

Games from outside join the list: those of installed packages, and those in folders that the user named.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from importlib import resources
from importlib.metadata import entry_points
from importlib.resources.abc import Traversable
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from feltlab.core.contract.rules_check import check_rules, rules_refusal
from feltlab.core.game import Game
from feltlab.core.solver import CutCard, OfferCounts, SeeCards, Solver, TwoSeats
from feltlab.errors import Refused, Unknown
from feltlab.game_folders import (
    find_folder,
    folder_digest,
    folder_of,
    forget_folder,
    import_by_name,
    import_rules,
    is_path,
    name_folder,
    named_folders,
    package_of,
)
from feltlab.text import listing

GAME_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")

FOLDERS = {
    "casino-war": "casino_war",
    "high-five-poker": "high_five_poker",
    "rabbit-hunter": "rabbit_hunter",
    "triple-shot-rummy": "triple_shot_rummy",
    "triple-shot-bonus": "triple_shot_bonus",
    "big-raise-stud": "big_raise_stud",
    "caribbean-stud": "caribbean_stud",
    "crazy-4-poker": "crazy_4_poker",
    "dj-wild": "dj_wild",
    "four-card-poker": "four_card_poker",
    "high-card-flush": "high_card_flush",
    "let-it-ride": "let_it_ride",
    "mississippi-stud": "mississippi_stud",
    "six-card-poker": "six_card_poker",
    "texas-holdem-bonus": "texas_holdem_bonus",
    "three-card-poker": "three_card_poker",
    "ultimate-texas-holdem": "ultimate_texas_holdem",
}


ENTRY_POINTS = "feltlab.games"  # the group under which installed packages offer games: name = package


class GameHome(NamedTuple):
    """The home of a game: its package, and whether it came from outside."""

    package: str
    is_ours: bool = True

    def module(self, name: str) -> str:
        return f"{self.package}.{name}"

    @property
    def folder(self) -> str:
        """The name of its folder."""
        return self.package.rpartition(".")[2]

    def file(self, name: str) -> Traversable:
        """A file beside the rules, whether or not it exists."""
        return self._folder / name

    def describe_file(self, name: str) -> str:
        """'my-game/rules.md': a file of a game from outside as its user knows it."""
        return f"{self._folder.name}/{name}"

    @property
    def _folder(self) -> Traversable:
        outside = folder_of(self.module("rules"))
        return outside or resources.files(self.package)

    @property
    def digest(self) -> str:
        """A digest of the sources of a game from outside; that of our own is in every cache anyway."""
        return "" if self.is_ours else folder_digest(Path(str(self._folder)))


def home_of(name: str) -> GameHome:
    """The home of a game by its name."""
    if name in FOLDERS:
        return GameHome(f"feltlab.games.{FOLDERS[name]}")
    if name in (found := _homes_outside(named_folders())):
        return found[name]
    raise Unknown(
        f"{name!r} is not a game; the games are {listing(GAMES)}, and games of your own, by the path of their"
        f" folder (./{name if GAME_NAME.fullmatch(name) else 'my-game'}) or with --games."
    )


@lru_cache(maxsize=8)
def _homes_outside(folders: tuple[Path, ...]) -> dict[str, GameHome]:
    """The games of installed packages and of the folders that the user named."""
    found: dict[str, GameHome] = {}
    for entry in entry_points(group=ENTRY_POINTS):
        if entry.name in FOLDERS or entry.name in found:
            raise Refused(f"{entry.value} offers a game {entry.name!r}, but there is another of that name.")
        found[entry.name] = GameHome(entry.value, is_ours=False)
    for folder in folders:
        name, home = _name_in(folder), GameHome(package_of(folder), is_ours=False)
        if name in FOLDERS or found.get(name, home) != home:
            raise rules_refusal(import_rules(folder), "NAME", f"there is another game called {name!r}")
        found[name] = home
    return found


def _name_in(folder: Path) -> str:
    rules: Any = import_rules(folder)
    name = getattr(rules, "NAME", None)
    if not isinstance(name, str) or not GAME_NAME.fullmatch(name):
        sentence = "NAME is a name such as my-game, of small letters, digits and hyphens"
        raise rules_refusal(rules, "NAME", sentence)
    return name


@lru_cache(maxsize=64)
def _load(home: GameHome) -> Game:
    rules: Any = import_by_name(home.module("rules"))
    if not home.is_ours:
        check_rules(rules)
    return Game(rules)


def _load_folder(folder: Path) -> Game:
    """The game in a folder, which joins the list unless something is wrong with it."""
    try:
        home = _homes_outside(tuple(dict.fromkeys((*named_folders(), folder))))[_name_in(folder)]
        game = _load(home)
    except Refused:
        if folder not in named_folders():
            forget_folder(folder)
            _homes_outside.cache_clear()
        raise
    name_folder(folder)
    return game


def game_named(name: str) -> Game:
    """The game of this name, which is never a path: names may come from people other than the user."""
    return _load(home_of(name))


class _Games(Mapping[str, Game]):
    """All games by name; each is loaded on first use. A path names the game in that folder.

    >>> from feltlab import GAMES
    >>> list(GAMES)[:2]
    ['casino-war', 'high-five-poker']
    >>> GAMES["casino-war"].title
    'Casino War'
    """

    def __getitem__(self, name: str) -> Game:
        return _load_folder(find_folder(name)) if is_path(name) else game_named(name)

    def __contains__(self, name: object) -> bool:
        return name in FOLDERS or name in _homes_outside(named_folders())

    def __iter__(self) -> Iterator[str]:
        return iter([*FOLDERS, *_homes_outside(named_folders())])

    def __len__(self) -> int:
        return len(FOLDERS) + len(_homes_outside(named_folders()))


GAMES: Mapping[str, Game] = _Games()


def find_game(game: Game | str) -> Game:
    """The game of this name; a game itself is returned as it is."""
    return game if isinstance(game, Game) else GAMES[game]


def has_solver(game: Game) -> bool:
    """Has the game a solver of its own? Without one it is proved by its rules alone."""
    return find_spec(home_of(game.name).module("solver")) is not None


def solver_of(game: Game) -> Solver:
    """The exact solver of a game: its own, or that of any game."""
    if not has_solver(game):
        return _tree_solver_of(home_of(game.name))
    found: Solver = import_by_name(home_of(game.name).module("solver")).SOLVER
    return found


@lru_cache(maxsize=64)
def _tree_solver_of(home: GameHome) -> Solver:
    from feltlab.counting.tree.solver import tree_solver

    return tree_solver(export_of(_load(home), "strategies", "STRATEGIES") or {})


def two_seats_of(game: Game) -> TwoSeats:
    """The counts of two seats that the game exports; none where it has no such module."""
    found: TwoSeats = export_of(game, "two_seats", "TWO_SEATS") or TwoSeats()
    return found


def offers_of(game: Game) -> tuple[OfferCounts, ...]:
    """The wagers of any amount that choices of the game offer; none where it has no such module."""
    count: Callable[[Game], tuple[OfferCounts, ...]] | None = export_of(game, "side_offers", "count_offers")
    return count(game) if count else ()


def cut_card_of(game: Game) -> CutCard | None:
    """The game's counts of rounds dealt from one shoe; None where it has no such module."""
    found: CutCard | None = export_of(game, "cut_card", "CUT_CARD")
    return found


def see_cards_of(game: Game) -> SeeCards | None:
    """The proof of what a seen card is worth; None where the game has no such module."""
    found: SeeCards | None = export_of(game, "seen_cards", "see_cards")
    return found


def export_of(game: Game, module: str, name: str) -> Any:
    """An export of a module of the game; None where the game has no such module."""
    path = home_of(game.name).module(module)
    return getattr(import_by_name(path), name) if find_spec(path) else None
