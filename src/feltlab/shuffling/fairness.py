"""Statistical tests of a shuffle: what a fair one does by chance is known, and every p-value says how rarely.

Orders are rows of the numbers 0 to n - 1: the card, named by its place before the shuffle, at each place
after it. Every test looks twice: at the orders themselves, and at each order as seen from the one before
it. A machine that goes on from its last order gives each card each place equally often in the long run;
only the second look sees that its next order can be guessed. Fair orders are fair and independent in both.

The tests of one look share their orders, so their p-values depend on each other. Holm's correction needs
no independence: whatever the tests have in common, a fair shuffle fails the battery once in a hundred
times at most.
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

LEVEL = 0.01  # the battery reports at 99 %
LAGS = (1, 2, 3, 5, 7, 13)
FEWEST_CARDS = 5
EACH_PLACE = 10  # how often at least each card is expected at each place
LOOKS = ("", ", from one shuffle to the next")


@dataclass(frozen=True)
class Verdict:
    test: str
    statistic: float
    p: float  # how rarely a fair shuffle looks so unfair, or so much too even
    passed: bool


def orders_of(shuffle: Callable[[Cards], Cards], size: int, times: int) -> Orders:
    """The orders in which a shuffle leaves so many cards, each time shuffled anew."""
    deck = Cards(range(size))
    return np.array([shuffle(deck) for _ in range(times)], np.int16)


def battery(orders: Orders) -> tuple[Verdict, ...]:
    """The verdicts of all tests, at `LEVEL` for all of them together."""
    places = _checked(orders)
    following: Orders = np.take_along_axis(places[:-1], orders[1:], 1).astype(np.int16)
    looks = zip(LOOKS, (orders, following), strict=True)
    found = [(test + look, *measured) for look, seen in looks for test, measured in _tests(seen)]
    passed = holm([p for _, _, p in found])
    return tuple(Verdict(*test, ok) for test, ok in zip(found, passed, strict=True))


def fair(verdicts: Sequence[Verdict]) -> bool:
    return all(verdict.passed for verdict in verdicts)


def holm(ps: Sequence[float], level: float = LEVEL) -> list[bool]:
    """Which tests pass: from the smallest p on, each is held to the level shared by those not failed yet."""
    failed: set[int] = set()
    for n in sorted(range(len(ps)), key=lambda n: ps[n]):
        if ps[n] > level / (len(ps) - len(failed)):
            break
        failed.add(n)
    return [n not in failed for n in range(len(ps))]


def _checked(orders: Orders) -> npt.NDArray[Any]:
    """The place of each card in each order."""
    times, size = orders.shape
    if size < FEWEST_CARDS or times <= EACH_PLACE * size:
        raise Refused(f"The tests need {FEWEST_CARDS} cards, and over {EACH_PLACE} shuffles for each card.")
    places = np.argsort(orders, axis=1)
    if not (np.take_along_axis(orders, places, 1) == np.arange(size)).all():
        raise Refused("A shuffle must give back every card that it was given, once.")
    return places


def _tests(orders: Orders) -> Iterator[tuple[str, tuple[float, float]]]:
    """Each test with its statistic and its p-value."""
    yield "positions", _positions(orders)
    yield "runs", _runs(orders)
    yield "neighbours kept", _kept(orders)
    yield "pairs", _pairs(orders)
    for lag in LAGS:
        if 2 * lag < orders.shape[1]:  # a card then has two partners at that distance round the circle
            yield f"serial correlation at lag {lag}", _serial(orders, lag)


def _judged(statistic: float, freedom: int) -> tuple[float, float]:
    """A chi-square with its p; too even is as suspicious as too uneven."""
    above = chi_square_probability(statistic, freedom)
    return statistic, min(1.0, 2 * min(above, 1 - above))


# -- Where cards end --------------------------------------------------------------------------------


def _positions(orders: Orders) -> tuple[float, float]:
    """How often each card ends at each place.

    Of a fair shuffle the covariance of these counts is T / (n - 1) times a projection onto the (n - 1)^2
    dimensions in which rows and columns of the table add up to nothing: so the sum of squares, divided by
    that factor, is chi-square.
    """
    times, size = orders.shape
    away = _table(np.broadcast_to(np.arange(size), orders.shape), orders) - times / size
    return _judged(float((away**2).sum()) * (size - 1) / times, (size - 1) ** 2)


def _table(first: npt.NDArray[Any], second: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """How often each number of the first stands where each of the second does."""
    size = first.shape[1]
    cells = first.astype(np.int64) * size + second
    return np.bincount(cells.ravel(), minlength=size * size).reshape(size, size)


# -- What stays in order ----------------------------------------------------------------------------


def _runs(orders: Orders) -> tuple[float, float]:
    """How many ascending runs an order falls into; shuffles that are too short leave few and long ones."""
    return _against((orders[:, 1:] < orders[:, :-1]).sum(axis=1), runs_law(orders.shape[1]))


def _kept(orders: Orders) -> tuple[float, float]:
    """How many cards are still directly followed by the card that followed them before."""
    return _against((orders[:, 1:] - orders[:, :-1] == 1).sum(axis=1), kept_law(orders.shape[1]))


def _against(counts: npt.NDArray[Any], law: Mapping[int, int]) -> tuple[float, float]:
    found = chi_square(Counter(counts.tolist()), law)
    return _judged(found.statistic, found.freedom)


@cache
def runs_law(size: int) -> Mapping[int, int]:
    """In how many orders a card is so often followed by a lower one: Eulerian numbers."""
    row = [1]
    for n in range(2, size + 1):
        pairs = enumerate(zip([*row, 0], [0, *row], strict=True))
        row = [(k + 1) * same + (n - k) * fewer for k, (same, fewer) in pairs]
    return dict(enumerate(row))


@cache
def kept_law(size: int) -> Mapping[int, int]:
    """In how many orders so many cards keep their follower: those are glued, all others lose theirs."""
    deranged = [1, 0]
    for n in range(2, size + 1):
        deranged.append((n - 1) * (deranged[n - 1] + deranged[n - 2]))
    return {k: comb(size - 1, k) * (deranged[size - k] + deranged[size - k - 1]) for k in range(size)}


# -- Who stands beside whom -------------------------------------------------------------------------


def _pairs(orders: Orders) -> tuple[float, float]:
    """How often each card is directly followed by each other one, the last by the first.

    A pair follows with chance p = 1 / (n - 1), two pairs that do not exclude each other with chance
    q = p / (n - 2). Rows and columns of the table add up to what they must. In the n (n - 3) / 2 dimensions
    left that treat a pair and its reverse alike, the covariance is T p times one; in the (n - 1) (n - 2) / 2
    that set them apart, it is T (p + 2 q), for a pair and its reverse exclude each other. Squares divided by
    these are chi-square.
    """
    times, size = orders.shape
    chance = 1 / (size - 1)
    away = _table(orders, np.roll(orders, -1, axis=1)) - times * chance
    np.fill_diagonal(away, 0)
    alike, apart = (away + away.T) / 2, (away - away.T) / 2
    squares = (alike**2).sum() / chance + (apart**2).sum() / (chance + 2 * chance / (size - 2))
    return _judged(float(squares) / times, size * size - 3 * size + 1)


def _serial(orders: Orders, lag: int) -> tuple[float, float]:
    """The sum of products of cards that are `lag` places apart round the circle, in standard errors.

    Mean and variance of one order are Wald's and Wolfowitz's (1943), exact; the sum over thousands of
    orders is normal.
    """
    times, size = orders.shape
    mean, variance = serial_moments(size)
    values = orders - (size - 1) / 2
    products = np.einsum("ij,ij->", values, np.roll(values, -lag, axis=1))
    z = (float(products) - times * mean) / sqrt(times * variance)
    return z, erfc(abs(z) / sqrt(2))


def serial_moments(size: int) -> tuple[float, float]:
    """Mean and variance of the circular sum of products of the numbers 0 to n - 1, less their mean."""
    values = np.arange(size) - (size - 1) / 2
    two, four = float((values**2).sum()), float((values**4).sum())
    mean = -two / (size - 1)
    apart = (two**2 - 2 * four) / ((size - 1) * (size - 2))
    return mean, (two**2 - four) / (size - 1) + apart - mean**2
