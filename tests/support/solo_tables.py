"""Tables for one player, prepared for the tests of the terminal."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from feltlab.core.game import Game
from feltlab.games import GAMES
from feltlab.terminal.solo_table import SoloTable, seeded_shuffle

FIVE_DOLLARS = 500  # cents
WAR = GAMES["casino-war"]
SUMMARY = b"Casino War: 0 rounds, even; you leave with $1,000."  # of a player who never bets
every_game = pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))


def seated(game: Game, seed: int = 1, **changes: object) -> SoloTable:
    return replace(SoloTable(game, seeded_shuffle(seed)), **changes)  # type: ignore[arg-type]


def wagered(table: SoloTable, cents: int = FIVE_DOLLARS) -> SoloTable:
    for spot in table.game.wagers:
        table = table.place(spot.name, cents)
    return table


@cache
def seed_of(game: Game, choice: str) -> int:
    """The first seed that opens a choice at once to a player with every wager."""
    for seed in range(1, 5000):
        table = wagered(seated(game, seed)).deal_round()
        if table.round and choice in table.round.choices:
            return seed
    raise AssertionError(f"{choice} is never open")


@cache
def path_to(game: Game, choice: str) -> tuple[int, tuple[str, ...]]:
    """A seed, and the choices before, that open a choice to a player with every wager."""
    for seed in range(1, 5000):
        for before in _paths(wagered(seated(game, seed)).deal_round(), len(game.streets) or 1):
            if choice in before[-1]:
                return seed, before[:-1]
    raise AssertionError(f"{choice} is never open")


def _paths(table: SoloTable, streets: int) -> Iterator[tuple[Any, ...]]:
    """Choices made one after the other, and the choices open then."""
    if table.round and table.is_playing:
        yield (table.round.choices,)
        if streets > 1:
            for name in table.round.choices:
                yield from ((name, *rest) for rest in _paths(table.choose(name), streets - 1))


def at_choice(game: Game, choice: str) -> SoloTable:
    seed, before = path_to(game, choice)
    table = wagered(seated(game, seed)).deal_round()
    for name in before:
        table = table.choose(name)
    return table


def finished(table: SoloTable) -> SoloTable:
    while table.is_playing:
        table = table.choose(table.choices[-1].name)
    return table
