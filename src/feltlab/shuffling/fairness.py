"""Statistical tests of a shuffle against the exact laws of a fair one.

Orders are rows of the numbers 0 to n - 1: the card, named by its place before the shuffle, at each place
after it. Every test looks twice: at the orders themselves, and at each order relative to the one before it.
A machine that starts from its last order brings each card to each place equally often in the long run; only
the second look shows that its next order can be guessed. Fair orders pass both.

The tests of one look share their orders, so their p-values depend on each other. Holm's correction needs
no independence: a fair shuffle fails the battery at most once in a hundred times.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import comb, erfc, sqrt
from typing import Any

import numpy as np
import numpy.typing as npt

from feltlab.core.cards import Cards
from feltlab.core.chi_square import chi_square, chi_square_probability
from feltlab.errors import Refused

Orders = npt.NDArray[np.int16]

SIGNIFICANCE_LEVEL = 0.01  # of the whole battery
LAGS = (1, 2, 3, 5, 7, 13)
MIN_CARDS = 5
MIN_COUNT_PER_PLACE = 10  # of each card, as expected
LOOKS = ("", ", from one shuffle to the next")


@dataclass(frozen=True)
class Verdict:
    test: str
    statistic: float
    p: float  # the probability that a fair shuffle looks at least as uneven or as even
    passed: bool


def collect_orders(shuffle: Callable[[Cards], Cards], size: int, times: int) -> Orders:
    """Shuffle a new deck of `size` cards `times` times, and collect the orders."""
    deck = Cards(range(size))
    return np.array([shuffle(deck) for _ in range(times)], np.int16)


def run_battery(orders: Orders) -> tuple[Verdict, ...]:
    """Run all tests, at `SIGNIFICANCE_LEVEL` for all of them together."""
    places = _find_places(orders)
    following: Orders = np.take_along_axis(places[:-1], orders[1:], 1).astype(np.int16)
    looks = zip(LOOKS, (orders, following), strict=True)
    found = [(test + look, *measured) for look, seen in looks for test, measured in _run_tests(seen)]
    passed = apply_holm([p for _, _, p in found])
    return tuple(Verdict(*test, ok) for test, ok in zip(found, passed, strict=True))


def is_fair(verdicts: Sequence[Verdict]) -> bool:
    return all(verdict.passed for verdict in verdicts)


def apply_holm(ps: Sequence[float], level: float = SIGNIFICANCE_LEVEL) -> list[bool]:
    """The tests that pass by Holm's correction.

    From the smallest p on, each must exceed the level divided by the number of tests not yet failed.
    """
    failed: set[int] = set()
    for n in sorted(range(len(ps)), key=lambda n: ps[n]):
        if ps[n] > level / (len(ps) - len(failed)):
            break
        failed.add(n)
    return [n not in failed for n in range(len(ps))]


def _find_places(orders: Orders) -> npt.NDArray[Any]:
    """The place of each card in each order; refuses too few orders and lost cards."""
    times, size = orders.shape
    if size < MIN_CARDS or times <= MIN_COUNT_PER_PLACE * size:
        raise Refused(
            f"The tests need {MIN_CARDS} cards, and over {MIN_COUNT_PER_PLACE} shuffles for each card."
        )
    places = np.argsort(orders, axis=1)
    if not (np.take_along_axis(orders, places, 1) == np.arange(size)).all():
        raise Refused("A shuffle must return every card that it receives, once.")
    return places


def _run_tests(orders: Orders) -> Iterator[tuple[str, tuple[float, float]]]:
    """Yield each test with its statistic and its p-value."""
    yield "positions", _test_positions(orders)
    yield "runs", _test_runs(orders)
    yield "neighbours kept", _test_kept_neighbours(orders)
    yield "pairs", _test_pairs(orders)
    for lag in LAGS:
        if 2 * lag < orders.shape[1]:  # a card then has two partners at that distance round the circle
            yield f"serial correlation at lag {lag}", _test_serial_correlation(orders, lag)


def _judge(statistic: float, freedom: int) -> tuple[float, float]:
    """A chi-square with its two-sided p: too even is as suspicious as too uneven."""
    above = chi_square_probability(statistic, freedom)
    return statistic, min(1.0, 2 * min(above, 1 - above))


# -- Places of cards --------------------------------------------------------------------------------


def _test_positions(orders: Orders) -> tuple[float, float]:
    """Test how often each card ends at each place.

    For a fair shuffle the covariance of these counts is T / (n - 1) times a projection onto the (n - 1)^2
    dimensions in which rows and columns of the table add up to zero. So the sum of squares, divided by that
    factor, is chi-square.
    """
    times, size = orders.shape
    away = _tabulate(np.broadcast_to(np.arange(size), orders.shape), orders) - times / size
    return _judge(float((away**2).sum()) * (size - 1) / times, (size - 1) ** 2)


def _tabulate(first: npt.NDArray[Any], second: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """Count how often each number of `first` is in the same place as each number of `second`."""
    size = first.shape[1]
    cells = first.astype(np.int64) * size + second
    return np.bincount(cells.ravel(), minlength=size * size).reshape(size, size)


# -- Remains of the old order -----------------------------------------------------------------------


def _test_runs(orders: Orders) -> tuple[float, float]:
    """Test the number of ascending runs: a shuffle that is too short leaves few, long runs."""
    return _compare_with_law((orders[:, 1:] < orders[:, :-1]).sum(axis=1), runs_law(orders.shape[1]))


def _test_kept_neighbours(orders: Orders) -> tuple[float, float]:
    """Test how many cards are still directly followed by the card that followed them before."""
    return _compare_with_law(
        (orders[:, 1:] - orders[:, :-1] == 1).sum(axis=1), kept_neighbours_law(orders.shape[1])
    )


def _compare_with_law(counts: npt.NDArray[Any], law: Mapping[int, int]) -> tuple[float, float]:
    found = chi_square(Counter(counts.tolist()), law)
    return _judge(found.statistic, found.freedom)


@cache
def runs_law(size: int) -> Mapping[int, int]:
    """The number of orders by their number of descents: the Eulerian numbers."""
    row = [1]
    for n in range(2, size + 1):
        pairs = enumerate(zip([*row, 0], [0, *row], strict=True))
        row = [(k + 1) * same + (n - k) * fewer for k, (same, fewer) in pairs]
    return dict(enumerate(row))


@cache
def kept_neighbours_law(size: int) -> Mapping[int, int]:
    """The number of orders by the number of cards that keep their follower.

    Those cards are glued to their followers, and all others lose theirs.
    """
    deranged = [1, 0]
    for n in range(2, size + 1):
        deranged.append((n - 1) * (deranged[n - 1] + deranged[n - 2]))
    return {k: comb(size - 1, k) * (deranged[size - k] + deranged[size - k - 1]) for k in range(size)}


# -- Neighbours -------------------------------------------------------------------------------------


def _test_pairs(orders: Orders) -> tuple[float, float]:
    """Test how often each card is directly followed by each other card, the last by the first.

    A pair follows with probability p = 1 / (n - 1), two pairs that do not exclude each other with
    probability q = p / (n - 2). The sums of rows and columns of the table are fixed. Of the dimensions
    left, n (n - 3) / 2 treat a pair and its reverse alike, and there the covariance is T p times one;
    (n - 1) (n - 2) / 2 set them apart, and there it is T (p + 2 q), because a pair and its reverse exclude
    each other. Squares divided by these are chi-square.
    """
    times, size = orders.shape
    chance = 1 / (size - 1)
    away = _tabulate(orders, np.roll(orders, -1, axis=1)) - times * chance
    np.fill_diagonal(away, 0)
    alike, apart = (away + away.T) / 2, (away - away.T) / 2
    squares = (alike**2).sum() / chance + (apart**2).sum() / (chance + 2 * chance / (size - 2))
    return _judge(float(squares) / times, size * size - 3 * size + 1)


def _test_serial_correlation(orders: Orders, lag: int) -> tuple[float, float]:
    """Test the sum of products of cards `lag` places apart round the circle, in standard errors.

    The mean and variance of one order are exact (Wald and Wolfowitz 1943); the sum over thousands of orders
    is normal.
    """
    times, size = orders.shape
    mean, variance = serial_moments(size)
    values = orders - (size - 1) / 2
    products = np.einsum("ij,ij->", values, np.roll(values, -lag, axis=1))
    z = (float(products) - times * mean) / sqrt(times * variance)
    return z, erfc(abs(z) / sqrt(2))


def serial_moments(size: int) -> tuple[float, float]:
    """The mean and variance of the circular sum of products of the centred numbers 0 to n - 1."""
    values = np.arange(size) - (size - 1) / 2
    two, four = float((values**2).sum()), float((values**4).sum())
    mean = -two / (size - 1)
    apart = (two**2 - 2 * four) / ((size - 1) * (size - 2))
    return mean, (two**2 - four) / (size - 1) + apart - mean**2
