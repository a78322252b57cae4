"""Where the shapes of the lab's pictures lie; templates draw them."""

from fractions import Fraction
from math import asinh, floor, log10
from typing import Any, NamedTuple

from feltlab.report import numbers

Data = dict[str, Any]


# -- Bars -------------------------------------------------------------------------------------------


class BarScale:
    """Where values lie on a bar of a thousand units."""

    def __init__(self, values: list[float]) -> None:
        self._low, high = min([0.0, *values]), max([0.0, *values])
        self._span = (high - self._low) or 1.0

    def at(self, value: float) -> float:
        return round(1000 * (value - self._low) / self._span, 1)

    def long(self, value: float) -> float:
        return max(round(1000 * abs(value) / self._span, 1), 1.5)  # the least is still seen

    @property
    def zero(self) -> float:
        return self.at(0.0)


def bar_scale(rows: list[Data]) -> BarScale:
    return BarScale([row["value"] for row in rows])


# -- What a round nets ------------------------------------------------------------------------------

DEEP, TOP = 200, 26  # pixels of the field, and above it
NAMED = (0, 1, -1, 2, -2, 5, -5, 10, 100, 1000, 20, 50, -10, 200, 500, 3, -3, 4, -4)  # before others
NEAR, NEARER = 10.0, 5.0  # percent between two names on a narrow and on a wide screen


class Column(NamedTuple):
    x: float  # percent
    y: float
    kind: str
    said: str


class Named(NamedTuple):
    x: float
    text: str
    wide: bool  # shown only where there is room


class NetPlot:
    """How likely each net of a round is: across in percent, to fit any screen, and up by powers of ten."""

    def __init__(self, nets: list[Data], mean: Data) -> None:
        self._values = [net["net"]["value"] for net in nets]
        self._low, high = asinh(min(self._values)), asinh(max(self._values))
        self._span = max(high - self._low, 1e-9)
        self._lowest = min(floor(log10(net["probability"]["value"])) for net in nets) or -1
        self.columns = [self._column(net) for net in nets]
        self.thin = len(nets) > 30
        self.mean = Named(self._x(mean["value"]), numbers.gain(Fraction(mean["exact"])), wide=False)
        self.bottom, self.height = TOP + DEEP, TOP + DEEP + 24

    def _column(self, net: Data) -> Column:
        value, chance = net["net"]["value"], Fraction(net["probability"]["exact"])
        kind = "ahead" if value > 0 else "behind" if value < 0 else "even"
        said = f"{numbers.signed(Fraction(net['net']['exact']))}: {numbers.percent(chance)} of rounds"
        return Column(self._x(value), self._y(log10(chance)), kind, said)

    def _x(self, net: float) -> float:
        return round(2 + 96 * (asinh(net) - self._low) / self._span, 2)

    def _y(self, power: float) -> float:
        return round(TOP + DEEP * power / self._lowest, 1)

    @property
    def powers(self) -> list[tuple[float, str]]:
        """Lines across, with their words."""
        step = -(self._lowest // 5)
        return [(self._y(p), f"1 in {10**-p:,}") for p in range(-step, self._lowest, -step)]

    @property
    def names(self) -> list[Named]:
        """Nets below the field, none too near to another."""
        inside = [net for net in NAMED if min(self._values) <= net <= max(self._values)]
        found: dict[float, Named] = {}
        for near in (NEAR, NEARER):
            for net in (max(self._values), min(self._values), *inside):
                x = self._x(net)
                if all(abs(x - named.x) >= near for named in found.values()):
                    found[net] = Named(x, f"{net:+,.6g}" if net else "0", near == NEARER)
        return list(found.values())


def net_plot(proof: Data) -> NetPlot:
    return NetPlot(proof["nets"], proof["total"]["expected"])


# -- A field of rounds ------------------------------------------------------------------------------

ACROSS, DOWN, TILE = 40, 25, 8


class Field:
    """A thousand rounds, a square each, filled column by column."""

    wide, deep, above = ACROSS * TILE, DOWN * TILE, 40

    def __init__(self, marks: list[Data]) -> None:
        self.marks = [mark | {"x": self._x(mark["value"])} for mark in marks]

    def _x(self, share: float) -> float:
        return round(self.wide * share, 2)

    def area(self, share: float) -> str:
        """The path around the first squares."""
        full, rest = divmod(round(1000 * share), DOWN)
        x, y = full * TILE, rest * TILE
        return f"M0 0H{x + TILE * bool(rest)}V{y or self.deep}H{x}V{self.deep}H0Z"

    @property
    def seams(self) -> str:
        across = "".join(f"M0 {TILE * n}H{self.wide}" for n in range(DOWN + 1))
        return across + "".join(f"M{TILE * n} 0V{self.deep}" for n in range(ACROSS + 1))


# -- Cards that several events share ----------------------------------------------------------------

CARD, GAP = 52, 8


class Shared:
    """The cards of the longest hand in a row, and below them what each event reads of it."""

    def __init__(self, hands: dict[str, str]) -> None:
        self.cards = max(hands.values(), key=len).split()
        self.wide = len(self.cards) * (CARD + GAP)
        self.spans = [(name, *self._span(held.split())) for name, held in hands.items()]

    def _span(self, held: list[str]) -> tuple[int, int]:
        at = [self.cards.index(card) for card in held]
        return min(at) * (CARD + GAP), (max(at) - min(at) + 1) * (CARD + GAP) - GAP
