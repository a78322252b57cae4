"""Tables for one player, prepared for the tests of the terminal."""

from dataclasses import replace
from functools import cache

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


def at_choice(game: Game, choice: str) -> SoloTable:
    return wagered(seated(game, seed_of(game, choice))).deal_round()


def finished(table: SoloTable) -> SoloTable:
    while table.is_playing:
        table = table.choose(table.choices[-1].name)
    return table
