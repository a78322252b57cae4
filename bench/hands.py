"""Hands a second, in order and in random batches, beside eval7 and phevaluator."""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from math import comb

import numpy as np
from _line import Line
from tests.support.census import count_categories

from feltlab.core.hands import poker

RANDOM_HANDS = 2_000_000
PEER_HANDS = 200_000  # fewer, because a Python loop is slow
THREADS = 2


def seconds(work: Callable[[], object]) -> float:
    """The best of three runs, after one that compiles and warms up."""
    work()
    times = []
    for _ in range(3):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def measure() -> Iterator[Line]:
    tables = poker.tables()
    yield Line("building the tables", 1000 * seconds(poker.tables.__wrapped__), "ms", "")
    for size, cards in ((5, 52), (6, 52), (7, 52), (7, 53)):
        yield sequential(tables, size, cards)
    yield from batches(tables)


def sequential(tables: poker.Tables, size: int, cards: int) -> Line:
    def census() -> None:
        for first in range(cards - size + 1):
            count_categories(tables, size, cards, first)

    taken = seconds(census)
    what = f"every {size}-card hand of {cards}, in order, one thread"
    return Line(
        what, comb(cards, size) / taken / 1e6, "M hands/s", f"{comb(cards, size):,} hands in {taken:.2f} s"
    )


def batches(tables: poker.Tables) -> Iterator[Line]:
    hands = random_hands(RANDOM_HANDS)
    out = np.empty(len(hands), np.uint16)
    parts = list(zip(np.array_split(hands, THREADS), np.array_split(out, THREADS), strict=True))
    with ThreadPoolExecutor(THREADS) as pool:
        one = len(hands) / seconds(lambda: poker.strengths(tables, hands, out)) / 1e6
        two = len(hands) / seconds(lambda: list(pool.map(lambda p: poker.strengths(tables, *p), parts))) / 1e6
    peers = [
        (name, PEER_HANDS / seconds(loop) / 1e6) for name, loop in peer_loops(hands[:PEER_HANDS].tolist())
    ]
    for what, figure in (("one thread", one), (f"{THREADS} threads", two)):
        ratios = ", ".join(f"{figure / speed:,.0f} times {name}" for name, speed in peers)
        yield Line(f"random 7-card hands in a batch, {what}", figure, "M hands/s", ratios)
    for name, speed in peers:
        yield Line(f"{name}, a Python loop over the same hands", speed, "M hands/s", "")


def random_hands(count: int) -> np.ndarray:
    generator = np.random.default_rng(7)
    picks = (generator.random((count // 10, 52)).argpartition(7, axis=1)[:, :7] for _ in range(10))
    return np.concatenate(list(picks)).astype(np.uint8)


def peer_loops(hands: list[list[int]]) -> Iterator[tuple[str, Callable[[], object]]]:
    """The installed peers; the dev extra installs both."""
    try:
        import eval7

        deck = [eval7.Card(rank + suit) for rank in "23456789TJQKA" for suit in "cdhs"]
        held = [[deck[card] for card in hand] for hand in hands]
        yield "eval7", lambda: [eval7.evaluate(hand) for hand in held]
    except ImportError:
        pass
    try:
        from phevaluator import evaluate_cards

        yield "phevaluator", lambda: [evaluate_cards(*hand) for hand in hands]
    except ImportError:
        pass
