"""Shuffles a second beside the standard library's, and the battery's verdicts on ours and on poor ones."""

import random
import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from feltlab.game import Game
from feltlab.games import GAMES
from feltlab.pit.battery import Orders, battery, orders_of
from feltlab.pit.poor import POOR
from feltlab.pit.shuffler import Shuffler, mode, shuffled_in_packets

TIMED = 200
SHUFFLES = 20_000  # a battery's sample


class Line(NamedTuple):
    what: str
    figure: float
    unit: str
    beside: str


def measure() -> Iterator[Line]:
    for game in GAMES.values():
        yield speed(game)
    for game in GAMES.values():
        yield from judged(game)
    chance = np.random.default_rng(7)
    for name, make in POOR.items():
        yield failed(name, make(chance, SHUFFLES, 52))


def a_second(*works: Callable[[], object]) -> list[float]:
    """How often each is done in a second: the best of nine runs that take turns, after one that warms."""
    taken = [[_taken(work) for work in works] for _ in range(10)][1:]
    return [TIMED / min(times) for times in zip(*taken, strict=True)]


def _taken(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    for _ in range(TIMED):
        work()
    return time.perf_counter() - start


def speed(game: Game) -> Line:
    machine, deck, peer = Shuffler(game), list(game.deck.cards), random.SystemRandom()
    ours, theirs = a_second(
        lambda: machine.deliver(machine.cycle("bench", 1)),
        lambda: peer.shuffle(deck),
    )
    what = f"{len(deck)} cards ({machine.mode.name}), shuffled, salted and counted down"
    beside = f"{ours / theirs:.2f} times SystemRandom().shuffle ({theirs:,.0f}), which only shuffles"
    return Line(what, ours, "shuffles/s", beside)


def judged(game: Game) -> Iterator[Line]:
    set_to = mode(game)
    orders = orders_of(lambda deck: shuffled_in_packets(deck, set_to.packet), set_to.cards, SHUFFLES)
    for verdict in battery(orders):
        beside = f"statistic {verdict.statistic:,.2f}, {'passed' if verdict.passed else 'FAILED'}"
        yield Line(f"{set_to.cards} cards ({set_to.name}): {verdict.test}", verdict.p, "p", beside)


def failed(name: str, orders: Orders) -> Line:
    verdicts = battery(orders)
    against = [verdict.test for verdict in verdicts if not verdict.passed]
    shown = "; ".join(against[:4]) + ("; and others" if len(against) > 4 else "")
    return Line(
        f"poor, 52 cards: {name}", len(against), f"of {len(verdicts)} tests failed", shown or "PASSED"
    )
