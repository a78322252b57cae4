"""A house on a real port, and real browsers before it."""

from collections import deque
from itertools import count

import pytest

from feltlab.core.limits import STANDARD
from feltlab.games import GAMES
from feltlab.pit.seats import Timers
from feltlab.shuffling import machine as shuffler
from tests.support.browsers import DESKTOP, Visits, browsing
from tests.support.pages import served

NUMBERS = count(2)
NO_CLOCK = Timers()


@pytest.fixture(scope="package")
def place(tmp_path_factory):
    """One house for all tests, which open tables of their own in it."""
    with served(tmp_path_factory.mktemp("house")) as place:
        yield place


@pytest.fixture(scope="module")
def chromium():
    """One browser. It runs an event loop, so in a module its tests come after those that are async."""
    with browsing() as browser:
        yield browser


@pytest.fixture
def new_page(chromium, place):
    """Makes pages, each of a visitor of its own; what breaks in a page fails the test."""
    visits = Visits(chromium, place.address)
    yield visits
    assert not visits.end()


@pytest.fixture
def page(new_page):
    return new_page(viewport=DESKTOP)


@pytest.fixture
def open_table(place):
    """Opens a table of a game at which no clock runs; it is gone after the test."""
    pit, opened = place.house.pit, []

    def open_one(game, timers=NO_CLOCK, limits=STANDARD):
        name = f"{game}-{next(NUMBERS)}"
        live = place.do(pit.open_table(name, GAMES[game], "house", limits, timers))
        opened.append(name)
        return live

    yield open_one
    for name in opened:
        place.loop.call_soon_threadsafe(pit.tables.pop(name).stop)


@pytest.fixture
def shuffles(monkeypatch):
    """The orders of the next shuffles; when they are used up, cards are drawn at random again."""
    coming, drawn = deque(), shuffler.shuffled_in_packets
    monkeypatch.setattr(
        shuffler,
        "shuffled_in_packets",
        lambda deck, packet: coming.popleft() if coming else drawn(deck, packet),
    )
    return coming
