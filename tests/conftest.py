"""A ledger in which everything happens that can happen at a table."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from feltlab.games import GAMES
from feltlab.games.catalogue import has_public_rules
from feltlab.ledger.ledger import Ledger
from tests.support.at_random import played
from tests.support.databases import database, postgres
from tests.support.game_data import data_of

# The first call of a kernel compiles it, so no example and no draw is too slow.
settings.register_profile("feltlab", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("feltlab")

__all__ = ["database", "packet_folder", "played_folder", "played_ledger", "postgres"]

ROUNDS = {game: data_of(game).ledger_rounds for game in GAMES}


@pytest.fixture(scope="session")
def played_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Some rounds of each game, with everything that can happen at a table."""
    folder = tmp_path_factory.mktemp("pit")
    asyncio.run(played(folder, ROUNDS, seed=1))
    return folder


@pytest.fixture(scope="session")
def packet_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Rounds of the games with approval packets, in which everything happens too: forgeries read it whole."""
    folder = tmp_path_factory.mktemp("packets")
    rounds = {name: count for name, count in ROUNDS.items() if not has_public_rules(GAMES[name])}
    asyncio.run(played(folder, rounds, seed=1))
    return folder


@pytest.fixture(scope="session")
def played_ledger(played_folder: Path) -> Iterator[Ledger]:
    with Ledger.open(played_folder / "ledger.sqlite", writer=False) as ledger:
        yield ledger
