"""Meters: sums over all that a table took in, put at risk and won.

A table adds every settled round to its `Meters`. Beside the money they keep sums of products of first
wagers: from these and the law of the game the mean and the variance of the win can be computed later,
whatever was wagered.

Amounts are cents. A pair of spots is written "a b", in alphabetical order, each pair once.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import combinations_with_replacement
from typing import Any

from feltlab.values import cached_property, replace_unchecked

MAX_JSON_INT = 1 << 53  # other readers of JSON round integers from here on

Sums = Mapping[str, int]


@dataclass(frozen=True)
class Meters:
    """A reading of a table's sums. Two readings can be subtracted."""

    rounds: int = 0  # settled
    hands: int = 0  # seats dealt in, over those rounds
    voids: int = 0  # rounds refunded
    drop: int = 0  # bought in
    handle: int = 0  # put down on settled rounds, raises included
    win: int = 0  # of the house
    first: Sums = field(default_factory=dict, hash=False)  # by spot: first wagers
    squares: Sums = field(default_factory=dict, hash=False)  # by pair: products of one seat's first wagers
    shared: Sums = field(default_factory=dict, hash=False)  # by pair: products over two seats of one round

    def after_buy_in(self, cents: int) -> "Meters":
        return replace(self, drop=self.drop + cents)

    def after_void(self, staked: int = 0, net: int = 0) -> "Meters":
        """Add a void round: the stake and net of the wagers that were settled before it became void."""
        return replace(self, voids=self.voids + 1, handle=self.handle + staked, win=self.win - net)

    def after_correction(self, cents: int) -> "Meters":
        """Add cents that the house paid to a player to correct an earlier payment; below zero, took."""
        return replace(self, win=self.win - cents)

    def after_round(self, wagers: Sequence[Mapping[str, int]], staked: int, net: int) -> "Meters":
        """Add a settled round: the first wagers of each seat, and the total stake and net of all players."""
        first, squares, shared = dict(self.first), dict(self.squares), dict(self.shared)
        for seat in wagers:
            _add_wagers(seat, first, squares)
        if len(wagers) > 1:
            _add_shared(wagers, shared)
        counts = {"rounds": self.rounds + 1, "hands": self.hands + len(wagers)}
        money = {"handle": self.handle + staked, "win": self.win - net}
        return replace_unchecked(self, **counts, **money, first=first, squares=squares, shared=shared)

    def __add__(self, other: "Meters") -> "Meters":
        return self._combine(other, 1)

    def __sub__(self, other: "Meters") -> "Meters":
        """The change between two readings."""
        return self._combine(other, -1)

    def _combine(self, other: "Meters", sign: int) -> "Meters":
        mine, others = vars(self), vars(other)
        plain = (mine[name] + sign * others[name] for name in PLAIN + MONEY)
        return Meters(*plain, *(_combine_sums(mine[name], others[name], sign) for name in SUMS))

    @property
    def hold(self) -> float | None:
        """The share of the drop that the house has kept; None before the first buy-in."""
        return self.win / self.drop if self.drop else None

    @property
    def usual_stake(self) -> dict[str, int]:
        """The stake that is usual at the table.

        It has one unit on each spot that takes at least half as much money as the busiest spot.
        """
        most = max(self.first.values(), default=0)
        return {spot: 1 for spot, cents in sorted(self.first.items()) if 2 * cents >= most}

    def to_json(self) -> dict[str, Any]:
        """Plain data for the ledger. Sums of products are text, as they soon exceed 64 bits."""
        data: dict[str, Any] = {name: getattr(self, name) for name in PLAIN}
        data |= {name: _json_cents(getattr(self, name)) for name in MONEY}
        data["first"] = {spot: _json_cents(cents) for spot, cents in self.first.items()}
        data["squares"] = {pair: str(total) for pair, total in self.squares.items()}
        data["shared"] = {pair: str(total) for pair, total in self.shared.items()}
        return data

    @cached_property
    def plain(self) -> dict[str, Any]:
        """The reading as plain data, made once: each round begins with it."""
        return self.to_json()

    def read_again(self, data: Mapping[str, Any]) -> "Meters":
        """The meters in plain data; this reading itself if they are its own."""
        return self if data is self.plain or data == self.plain else Meters.from_json(data)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Meters":
        fields: dict[str, Any] = {name: int(data[name]) for name in PLAIN + MONEY}
        fields |= {name: {key: int(total) for key, total in data[name].items()} for name in SUMS}
        return cls(**fields)


PLAIN, MONEY, SUMS = ("rounds", "hands", "voids"), ("drop", "handle", "win"), ("first", "squares", "shared")
NO_METERS = Meters()


def _json_cents(cents: int) -> int | str:
    """A number, or text where other readers of JSON would round it."""
    return cents if -MAX_JSON_INT < cents < MAX_JSON_INT else str(cents)


def _combine_sums(sums: Sums, others: Sums, sign: int) -> dict[str, int]:
    """Add or subtract sum by sum, without those that come to zero."""
    totals = {key: sums.get(key, 0) + sign * others.get(key, 0) for key in {**sums, **others}}
    return {key: total for key, total in totals.items() if total}


@cache
def pair_name(a: str, b: str) -> str:
    return f"{a} {b}" if a <= b else f"{b} {a}"


@cache
def count_orders(pair: str) -> int:
    """The number of orders of a pair, 1 or 2: a sum over all ordered pairs counts it that often."""
    a, _, b = pair.partition(" ")
    return 1 if a == b else 2


def _add_wagers(wagers: Mapping[str, int], first: dict[str, int], squares: dict[str, int]) -> None:
    """Add one seat's first wagers to their sums and to the sums of their products."""
    for spot, cents in wagers.items():
        first[spot] = first.get(spot, 0) + cents
    for (a, mine), (b, other) in combinations_with_replacement(wagers.items(), 2):
        name = pair_name(a, b)
        squares[name] = squares.get(name, 0) + mine * other


def _add_shared(wagers: Sequence[Mapping[str, int]], shared: dict[str, int]) -> None:
    """Add the products over all ordered pairs of different seats.

    They are the products of the whole table's sums, less each seat's own products.
    """
    table: dict[str, int] = {}
    own: dict[str, int] = {}
    for seat in wagers:
        _add_wagers(seat, table, own)
    for (a, mine), (b, other) in combinations_with_replacement(table.items(), 2):
        name = pair_name(a, b)
        if products := mine * other - own.get(name, 0):
            shared[name] = shared.get(name, 0) + products
