"""Shuffles that are not good enough. A battery that passes one of them cannot be believed.

Each makes so many orders of so many cards at once. They serve tests and measurements only, so their
generator is given, and may be seeded.
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from feltlab.shuffling.fairness import Orders

Make = Callable[[np.random.Generator, int, int], Orders]  # a generator, how many orders, of how many cards

CHOP = 0.2  # the chance that an overhand packet ends after a card
NEAR = 3  # places within which a stuck card stays


def fair_orders(chance: np.random.Generator, times: int, size: int) -> Orders:
    """What the poor ones are measured against."""
    return chance.permuted(_unshuffled(times, size), axis=1)


def _unshuffled(times: int, size: int) -> Orders:
    return np.tile(np.arange(size, dtype=np.int16), (times, 1))


def _none(chance: np.random.Generator, times: int, size: int) -> Orders:
    return _unshuffled(times, size)


def _cut(chance: np.random.Generator, times: int, size: int) -> Orders:
    orders: Orders = (_unshuffled(times, size) + chance.integers(size, size=(times, 1))) % size
    return orders.astype(np.int16)


def _cut_in_turn(chance: np.random.Generator, times: int, size: int) -> Orders:
    """Cut one deeper each time: every card is at every place equally often, indeed far too equally."""
    orders: Orders = (_unshuffled(times, size) + np.arange(times)[:, None]) % size
    return orders.astype(np.int16)


def _riffles(count: int) -> Make:
    """By Gilbert, Shannon and Reeds: each place takes the next card of one half or of the other."""

    def made(chance: np.random.Generator, times: int, size: int) -> Orders:
        orders = _unshuffled(times, size)
        for _ in range(count):
            half = chance.integers(2, size=orders.shape)
            orders = _picked(orders, np.argsort(np.argsort(half, axis=1, kind="stable"), axis=1))
        return orders

    return made


def _overhand(chance: np.random.Generator, times: int, size: int) -> Orders:
    """Ten times over: packets slide off the top, and so come to lie in reverse."""
    orders = _unshuffled(times, size)
    for _ in range(10):
        packet = np.cumsum(chance.random(orders.shape) < CHOP, axis=1, dtype=np.int64)
        orders = _picked(orders, np.argsort(-packet, axis=1, kind="stable"))
    return orders


def _picked(orders: Orders, places: npt.NDArray[Any]) -> Orders:
    picked: Orders = np.take_along_axis(orders, places, 1)
    return picked


def _swaps(draw: Callable[[np.random.Generator, int, int, int], npt.NDArray[Any]]) -> Make:
    """Each place from the last on is swapped with one that is drawn, not always as it should be."""

    def made(chance: np.random.Generator, times: int, size: int) -> Orders:
        orders, rows = _unshuffled(times, size), np.arange(times)
        for last in range(size - 1, -1, -1):
            drawn = draw(chance, last, size, times)
            orders[rows, drawn], orders[:, last] = orders[:, last].copy(), orders[rows, drawn]
        return orders

    return made


def _any_place(chance: np.random.Generator, last: int, size: int, times: int) -> npt.NDArray[Any]:
    """n^n equally likely ways cannot fall evenly on n! orders."""
    return chance.integers(size, size=times)


def _byte(chance: np.random.Generator, last: int, size: int, times: int) -> npt.NDArray[Any]:
    """256 values do not fall evenly on most numbers of places."""
    return chance.integers(256, size=times) % (last + 1)


def _one_too_low(chance: np.random.Generator, last: int, size: int, times: int) -> npt.NDArray[Any]:
    """Sattolo's: no card ever stays where it was."""
    return chance.integers(max(last, 1), size=times)


def _stuck(chance: np.random.Generator, times: int, size: int) -> Orders:
    """All is fair but the top card, which sticks near the top."""
    orders, rows = fair_orders(chance, times, size), np.arange(times)
    at, near = np.argmin(orders, axis=1), chance.integers(NEAR, size=times)
    orders[rows, at], orders[rows, near] = orders[rows, near].copy(), 0
    return orders


def _two_in_turn(chance: np.random.Generator, times: int, size: int) -> Orders:
    return np.tile(fair_orders(chance, 2, size), (-(-times // 2), 1))[:times]


def _going_on(chance: np.random.Generator, times: int, size: int) -> Orders:
    """Seven riffles of the order before: in the long run every order is equally likely."""
    steps = _riffles(7)(chance, times, size)
    for n in range(1, times):
        steps[n] = steps[n - 1][steps[n]]
    return steps


POOR: Mapping[str, Make] = {
    "no shuffle": _none,
    "a cut": _cut,
    "a cut, one deeper each time": _cut_in_turn,
    "one riffle": _riffles(1),
    "three riffles": _riffles(3),
    "seven riffles": _riffles(7),
    "seven riffles of the order before": _going_on,
    "ten times overhand": _overhand,
    "swaps with any place": _swaps(_any_place),
    "bytes modulo the places left": _swaps(_byte),
    "swaps with another place only": _swaps(_one_too_low),
    "a card stuck near the top": _stuck,
    "two orders in turn": _two_in_turn,
}
