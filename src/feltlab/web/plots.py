"""The geometry of the lab's plots: positions and lengths that the templates draw."""

from fractions import Fraction
from math import asinh, floor, log10
from typing import Any, NamedTuple

from feltlab.report import numbers
from feltlab.text import percent

Json = dict[str, Any]


# -- Bars -------------------------------------------------------------------------------------------


class BarScale:
    """Maps values to positions and lengths on a bar of a thousand units."""

    def __init__(self, values: list[float]) -> None:
        self._low, high = min([0.0, *values]), max([0.0, *values])
        self._span = (high - self._low) or 1.0

    def at(self, value: float) -> float:
        return round(1000 * (value - self._low) / self._span, 1)

    def length(self, value: float) -> float:
        return max(round(1000 * abs(value) / self._span, 1), 1.5)  # the smallest value stays visible

    @property
    def zero(self) -> float:
        return self.at(0.0)


def bar_scale(rows: list[Json]) -> BarScale:
    return BarScale([row["value"] for row in rows])


# -- The net of a round ------------------------------------------------------------------------------

PLOT_HEIGHT, TOP_MARGIN = 200, 26  # pixels
# Preferred first.
LABELLED_NETS = (0, 1, -1, 2, -2, 5, -5, 10, 100, 1000, 20, 50, -10, 200, 500, 3, -3, 4, -4)
NARROW_GAP, WIDE_GAP = 10.0, 5.0  # percent of the width between two labels, on a narrow and on a wide screen


class NetColumn(NamedTuple):
    x: float  # percent
    y: float
    kind: str
    said: str


class AxisLabel(NamedTuple):
    x: float
    text: str
    wide: bool  # shown on wide screens only


class NetPlot:
    """The probability of each net of a round: percent of the width across, powers of ten upwards."""

    def __init__(self, nets: list[Json], mean: Json) -> None:
        self._values = [net["net"]["value"] for net in nets]
        self._low, high = asinh(min(self._values)), asinh(max(self._values))
        self._span = max(high - self._low, 1e-9)
        self._lowest = min(floor(log10(net["probability"]["value"])) for net in nets) or -1
        self.columns = [self._column(net) for net in nets]
        self.thin = len(nets) > 30
        self.mean = AxisLabel(self._x(mean["value"]), numbers.gain(Fraction(mean["exact"])), wide=False)
        self.bottom, self.height = TOP_MARGIN + PLOT_HEIGHT, TOP_MARGIN + PLOT_HEIGHT + 24

    def _column(self, net: Json) -> NetColumn:
        value, chance = net["net"]["value"], Fraction(net["probability"]["exact"])
        kind = "ahead" if value > 0 else "behind" if value < 0 else "even"
        said = f"{numbers.with_sign(Fraction(net['net']['exact']))}: {percent(chance)} of rounds"
        return NetColumn(self._x(value), self._y(log10(chance)), kind, said)

    def _x(self, net: float) -> float:
        return round(2 + 96 * (asinh(net) - self._low) / self._span, 2)

    def _y(self, power: float) -> float:
        return round(TOP_MARGIN + PLOT_HEIGHT * power / self._lowest, 1)

    @property
    def powers(self) -> list[tuple[float, str]]:
        """Horizontal grid lines with their labels."""
        step = -(self._lowest // 5)
        return [(self._y(p), f"1 in {10**-p:,}") for p in range(-step, self._lowest, -step)]

    @property
    def labels(self) -> list[AxisLabel]:
        """Labels of the horizontal axis, none too close to another."""
        inside = [net for net in LABELLED_NETS if min(self._values) <= net <= max(self._values)]
        found: dict[float, AxisLabel] = {}
        for gap in (NARROW_GAP, WIDE_GAP):
            for net in (max(self._values), min(self._values), *inside):
                x = self._x(net)
                if all(abs(x - label.x) >= gap for label in found.values()):
                    found[net] = AxisLabel(x, f"{net:+,.6g}" if net else "0", gap == WIDE_GAP)
        return list(found.values())


def net_plot(proof: Json) -> NetPlot:
    return NetPlot(proof["nets"], proof["total"]["expected"])


# -- A thousand rounds ------------------------------------------------------------------------------

COLUMNS, ROWS, TILE = 40, 25, 8  # squares across and down, and pixels of one


class RoundsField:
    """A field of a thousand squares, one for each round, filled column by column."""

    wide, deep, above = COLUMNS * TILE, ROWS * TILE, 40

    def __init__(self, marks: list[Json]) -> None:
        self.marks = [mark | {"x": self._x(mark["value"])} for mark in marks]

    def _x(self, share: float) -> float:
        return round(self.wide * share, 2)

    def area(self, share: float) -> str:
        """The outline of the squares that make up this share."""
        full, rest = divmod(round(1000 * share), ROWS)
        x, y = full * TILE, rest * TILE
        return f"M0 0H{x + TILE * bool(rest)}V{y or self.deep}H{x}V{self.deep}H0Z"

    @property
    def seams(self) -> str:
        across = "".join(f"M0 {TILE * n}H{self.wide}" for n in range(ROWS + 1))
        return across + "".join(f"M{TILE * n} 0V{self.deep}" for n in range(COLUMNS + 1))


# -- Shared cards ----------------------------------------------------------------

CARD_WIDTH, CARD_GAP = 52, 8  # pixels


class SharedCards:
    """The cards of the longest hand in a row, and below them the span of cards that each event uses."""

    def __init__(self, hands: dict[str, str]) -> None:
        self.cards = max(hands.values(), key=len).split()
        self.wide = len(self.cards) * (CARD_WIDTH + CARD_GAP)
        self.spans = [(name, *self._span(held.split())) for name, held in hands.items()]

    def _span(self, held: list[str]) -> tuple[int, int]:
        at = [self.cards.index(card) for card in held]
        return min(at) * (CARD_WIDTH + CARD_GAP), (max(at) - min(at) + 1) * (CARD_WIDTH + CARD_GAP) - CARD_GAP
