"""Bad shuffles, each of which must fail the battery of `fairness`.

Each makes many orders at once. They serve tests and measurements only, so their generator is an argument
and may be seeded.
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from feltlab.shuffling.fairness import Orders

MakeOrders = Callable[
    [np.random.Generator, int, int], Orders
]  # the generator, the number of orders, the number of cards

PACKET_END_PROBABILITY = 0.2  # that an overhand packet ends after a card
STUCK_PLACES = 3  # within which a stuck card stays


def fair_orders(chance: np.random.Generator, times: int, size: int) -> Orders:
    """Orders of a fair shuffle, for comparison."""
    return chance.permuted(_unshuffled(times, size), axis=1)


def _unshuffled(times: int, size: int) -> Orders:
    return np.tile(np.arange(size, dtype=np.int16), (times, 1))


def _leave_unshuffled(chance: np.random.Generator, times: int, size: int) -> Orders:
    return _unshuffled(times, size)


def _cut_at_random(chance: np.random.Generator, times: int, size: int) -> Orders:
    orders: Orders = (_unshuffled(times, size) + chance.integers(size, size=(times, 1))) % size
    return orders.astype(np.int16)


def _cut_deeper_each_time(chance: np.random.Generator, times: int, size: int) -> Orders:
    """Cut one card deeper each time: every card is at every place equally often, far too equally."""
    orders: Orders = (_unshuffled(times, size) + np.arange(times)[:, None]) % size
    return orders.astype(np.int16)


def _riffle(count: int) -> MakeOrders:
    """Riffles by Gilbert, Shannon and Reeds: each place takes the next card of one half or the other."""

    def make(chance: np.random.Generator, times: int, size: int) -> Orders:
        orders = _unshuffled(times, size)
        for _ in range(count):
            half = chance.integers(2, size=orders.shape)
            orders = _pick(orders, np.argsort(np.argsort(half, axis=1, kind="stable"), axis=1))
        return orders

    return make


def _shuffle_overhand(chance: np.random.Generator, times: int, size: int) -> Orders:
    """Ten overhand shuffles: packets slide off the top, and so end up in reverse order."""
    orders = _unshuffled(times, size)
    for _ in range(10):
        packet = np.cumsum(chance.random(orders.shape) < PACKET_END_PROBABILITY, axis=1, dtype=np.int64)
        orders = _pick(orders, np.argsort(-packet, axis=1, kind="stable"))
    return orders


def _pick(orders: Orders, places: npt.NDArray[Any]) -> Orders:
    picked: Orders = np.take_along_axis(orders, places, 1)
    return picked


def _swap(draw: Callable[[np.random.Generator, int, int, int], npt.NDArray[Any]]) -> MakeOrders:
    """Swap each place from the last on with a place drawn by a faulty rule."""

    def make(chance: np.random.Generator, times: int, size: int) -> Orders:
        orders, rows = _unshuffled(times, size), np.arange(times)
        for last in range(size - 1, -1, -1):
            drawn = draw(chance, last, size, times)
            orders[rows, drawn], orders[:, last] = orders[:, last].copy(), orders[rows, drawn]
        return orders

    return make


def _draw_any_place(chance: np.random.Generator, last: int, size: int, times: int) -> npt.NDArray[Any]:
    """Any place: n^n equally likely ways cannot fall evenly on n! orders."""
    return chance.integers(size, size=times)


def _draw_byte(chance: np.random.Generator, last: int, size: int, times: int) -> npt.NDArray[Any]:
    """A byte modulo the places left: 256 values do not fall evenly on most numbers of places."""
    return chance.integers(256, size=times) % (last + 1)


def _draw_another_place(chance: np.random.Generator, last: int, size: int, times: int) -> npt.NDArray[Any]:
    """Another place only (Sattolo): no card ever stays in its place."""
    return chance.integers(max(last, 1), size=times)


def _stick_top_card(chance: np.random.Generator, times: int, size: int) -> Orders:
    """A fair shuffle, except that the top card stays near the top."""
    orders, rows = fair_orders(chance, times, size), np.arange(times)
    at, near = np.argmin(orders, axis=1), chance.integers(STUCK_PLACES, size=times)
    orders[rows, at], orders[rows, near] = orders[rows, near].copy(), 0
    return orders


def _alternate_two_orders(chance: np.random.Generator, times: int, size: int) -> Orders:
    return np.tile(fair_orders(chance, 2, size), (-(-times // 2), 1))[:times]


def _riffle_order_before(chance: np.random.Generator, times: int, size: int) -> Orders:
    """Riffle the order before seven times: in the long run every order is equally likely."""
    steps = _riffle(7)(chance, times, size)
    for n in range(1, times):
        steps[n] = steps[n - 1][steps[n]]
    return steps


BAD_SHUFFLES: Mapping[str, MakeOrders] = {
    "no shuffle": _leave_unshuffled,
    "a cut": _cut_at_random,
    "a cut, one deeper each time": _cut_deeper_each_time,
    "one riffle": _riffle(1),
    "three riffles": _riffle(3),
    "seven riffles": _riffle(7),
    "seven riffles of the order before": _riffle_order_before,
    "ten times overhand": _shuffle_overhand,
    "swaps with any place": _swap(_draw_any_place),
    "bytes modulo the places left": _swap(_draw_byte),
    "swaps with another place only": _swap(_draw_another_place),
    "a card stuck near the top": _stick_top_card,
    "two orders in turn": _alternate_two_orders,
}
