"""Fixtures: a house on a real port, and real browsers."""

from collections import deque
from itertools import count

import pytest

from feltlab.core.limits import STANDARD_LIMITS
from feltlab.games import GAMES
from feltlab.pit.seats import Timers
from feltlab.shuffling import machine as shuffler
from tests.support.browsers import DESKTOP, Visits, open_browser
from tests.support.pages import serve_house

NUMBERS = count(2)
NO_CLOCK = Timers()


@pytest.fixture(scope="package")
def place(tmp_path_factory):
    """One house for all tests; each opens its own tables."""
    with serve_house(tmp_path_factory.mktemp("house")) as place:
        yield place


@pytest.fixture(scope="module")
def chromium():
    """One browser. It runs an event loop, so its tests come after the async tests of a module."""
    with open_browser() as browser:
        yield browser


@pytest.fixture
def new_page(chromium, place):
    """Opens pages, each for a new visitor; an error in a page fails the test."""
    visits = Visits(chromium, place.address)
    yield visits
    assert not visits.end()


@pytest.fixture
def page(new_page):
    return new_page(viewport=DESKTOP)


@pytest.fixture
def open_table(place):
    """Opens a table without timers; it is removed after the test."""
    pit, opened = place.house.pit, []

    def open_one(game, timers=NO_CLOCK, limits=STANDARD_LIMITS):
        name = f"{game}-{next(NUMBERS)}"
        live = place.do(pit.open_table(name, GAMES[game], "house", limits, timers))
        opened.append(name)
        return live

    yield open_one
    for name in opened:
        place.loop.call_soon_threadsafe(pit.tables.pop(name).stop)


@pytest.fixture
def shuffles(monkeypatch):
    """The orders of the next shuffles; after them, shuffles are random again."""
    coming, drawn = deque(), shuffler.shuffle_in_packets
    monkeypatch.setattr(
        shuffler,
        "shuffle_in_packets",
        lambda deck, packet: coming.popleft() if coming else drawn(deck, packet),
    )
    return coming
