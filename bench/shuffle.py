"""Shuffles a second compared with the standard library's, and the battery's verdicts on good and bad ones.

The shuffler also salts and counts down, in the mode of each game; `SystemRandom().shuffle` only shuffles.
"""

import random
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from _line import Line

from feltlab.core.game import Game
from feltlab.games import GAMES
from feltlab.shuffling.bad_shuffles import BAD_SHUFFLES
from feltlab.shuffling.fairness import Orders, Verdict, collect_orders, run_battery
from feltlab.shuffling.machine import Shuffler, shuffle_in_packets
from feltlab.shuffling.models import mode_of

TIMED_SHUFFLES = 200
SAMPLE_SHUFFLES = 20_000  # for the fairness tests


def measure() -> Iterator[Line]:
    for game in GAMES.values():
        yield speed(game)
    for game in GAMES.values():
        yield judge_shuffler(game)
    chance = np.random.default_rng(7)
    for name, make in BAD_SHUFFLES.items():
        yield judge_bad_shuffle(name, make(chance, SAMPLE_SHUFFLES, 52))


def rates(*works: Callable[[], object]) -> list[float]:
    """The times a second of each: the best of nine alternating runs, after one to warm up."""
    taken = [[_time_run(work) for work in works] for _ in range(10)][1:]
    return [TIMED_SHUFFLES / min(times) for times in zip(*taken, strict=True)]


def _time_run(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    for _ in range(TIMED_SHUFFLES):
        work()
    return time.perf_counter() - start


def speed(game: Game) -> Line:
    machine, deck, peer = Shuffler(game), list(game.deck.cards), random.SystemRandom()
    ours, theirs = rates(
        lambda: machine.deliver(machine.cycle("bench", 1)),
        lambda: peer.shuffle(deck),
    )
    return Line(game.title, ours, "a second", f"{ours / theirs:.2f} x SystemRandom")


def judge_shuffler(game: Game) -> Line:
    set_to = mode_of(game)
    orders = collect_orders(
        lambda deck: shuffle_in_packets(deck, set_to.packet), set_to.cards, SAMPLE_SHUFFLES
    )
    verdicts = run_battery(orders)
    passed, lowest = sum(verdict.passed for verdict in verdicts), min(verdict.p for verdict in verdicts)
    return Line(
        game.title, passed, f"of {len(verdicts)} pass", f"lowest p {lowest:.4f}", _verdicts_json(verdicts)
    )


def judge_bad_shuffle(name: str, orders: Orders) -> Line:
    """The number of tests that a bad shuffle fails; it must be at least one."""
    verdicts = run_battery(orders)
    against = sum(not verdict.passed for verdict in verdicts)
    beside = "as it must" if against else "PASSED"
    return Line(name, against, f"of {len(verdicts)} fail", beside, _verdicts_json(verdicts))


def _verdicts_json(verdicts: tuple[Verdict, ...]) -> tuple[dict[str, Any], ...]:
    return tuple(
        {"test": v.test, "statistic": float(v.statistic), "p": float(v.p), "passed": bool(v.passed)}
        for v in verdicts
    )
