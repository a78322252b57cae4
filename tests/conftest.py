"""A ledger in which everything happens that can happen at a table."""

import asyncio
import os
import signal
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from feltlab.byte_locks import one_process
from feltlab.games import GAMES
from feltlab.games.catalogue import has_public_rules
from feltlab.ledger.ledger import Ledger
from tests.support.at_random import played
from tests.support.databases import database, postgres
from tests.support.game_data import data_of

# The first call of a kernel compiles it, so no example and no draw is too slow.
settings.register_profile("feltlab", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("feltlab")

# A shell ignores interrupts in what it runs in the background, and so would every program that a test starts.
signal.signal(signal.SIGINT, signal.default_int_handler)

__all__ = ["database", "packet_folder", "played_folder", "played_ledger", "postgres"]

ROUNDS = {game: data_of(game).ledger_rounds for game in GAMES}


def play_once(factory: pytest.TempPathFactory, name: str, rounds: Mapping[str, int]) -> Path:
    """A folder of rounds at random, made once for all processes that run tests; nobody writes into it."""
    place = factory.getbasetemp()
    folder = (place.parent if "PYTEST_XDIST_WORKER" in os.environ else place) / name
    with one_process(folder.with_suffix(".lock"), name):
        if not folder.exists():
            making = factory.mktemp(name)
            asyncio.run(played(making, rounds, seed=1))
            making.rename(folder)
    return folder


@pytest.fixture(scope="session")
def played_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Some rounds of each game, with everything that can happen at a table."""
    return play_once(tmp_path_factory, "played", ROUNDS)


@pytest.fixture(scope="session")
def packet_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Rounds of the games with approval packets, in which everything happens too: forgeries read it whole."""
    rounds = {name: count for name, count in ROUNDS.items() if not has_public_rules(GAMES[name])}
    return play_once(tmp_path_factory, "packets", rounds)


@pytest.fixture(scope="session")
def played_ledger(played_folder: Path) -> Iterator[Ledger]:
    with Ledger.open(played_folder / "ledger.sqlite", writer=False) as ledger:
        yield ledger
