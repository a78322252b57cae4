"""The geometry of an evening's two pictures: the chance of each result, and the bankroll over the rounds.

Positions across are percent of the width, so that text keeps its size on a phone.
"""

from math import ceil, floor, log10
from typing import Any, NamedTuple

from feltlab.text import dollars, signed_dollars

Json = dict[str, Any]

BARS_HEIGHT, BARS_TOP, AXIS_HEIGHT = 190, 30, 26  # pixels
FAN_HEIGHT, FAN_WIDTH = 200, 1000  # units of the fan's own drawing, which is stretched to the width
LABEL_GAP = 13.0  # percent of the width between two labels, on a narrow screen
MAX_FAN_LINES = 5


class DrawnBar(NamedTuple):
    x: float  # percent
    width: float  # percent
    y: float
    height: float
    kind: str
    said: str


class Label(NamedTuple):
    at: float
    text: str
    wide: bool = False  # shown on wide screens only


# -- The result -------------------------------------------------------------------------------------


class ResultPlot:
    """The chance of each result, in bars of equal width; those of ruin have a colour of their own."""

    height, bottom = BARS_TOP + BARS_HEIGHT + AXIS_HEIGHT, BARS_TOP + BARS_HEIGHT

    def __init__(self, evening: Json) -> None:
        self._drawn = evening["histogram"]
        self._low, self._span = self._drawn["low"], self._drawn["high"] - self._drawn["low"]
        self.bars = [part for bar in self._drawn["bars"] for part in self._stack(bar)]
        self.zero = self._x(0)
        middle = evening["percentiles"]["50"]
        self.median = Label(self._x(middle), f"median {signed_dollars(middle)}")

    def _x(self, cents: float) -> float:
        return round(float(100 * (cents - self._low) / self._span), 2)

    def _stack(self, bar: Json) -> list[DrawnBar]:
        """The players who had to stop below, the others above them; a bar that is too high is cut."""
        middle, wide = bar["middle"], self._drawn["width"]
        kind = "ahead" if middle > 0 else "behind" if middle < 0 else "even"
        found, below = [], 0.0
        for chance, colour in ((bar["stopped"], "ruin"), (bar["full"], kind)):
            size = min(chance, max(0.0, self._drawn["top"] - below)) / self._drawn["top"] * BARS_HEIGHT
            base = self.bottom - below / self._drawn["top"] * BARS_HEIGHT
            below += chance
            if size >= 0.05:
                what = "had to stop at about" if colour == "ruin" else "end at about"
                said = f"{100 * chance:.2f} % {what} {signed_dollars(middle)}"
                left, width = self._x(middle - 0.45 * wide), round(90 * wide / self._span, 2)
                found.append(DrawnBar(left, width, round(base - size, 2), round(size, 2), colour, said))
        return found

    @property
    def labels(self) -> list[Label]:
        """Amounts below the axis; of two that are too close on a phone, one is shown on wide screens only."""
        found: list[Label] = []
        marks = sorted(self._drawn["marks"], key=lambda cents: (cents != 0, abs(cents)))
        for cents in marks:
            at = self._x(cents)
            near = any(abs(at - other.at) < LABEL_GAP for other in found if not other.wide)
            found.append(Label(at, signed_dollars(cents), near or not 5 < at < 95))
        return found


# -- The bankroll -----------------------------------------------------------------------------------


class FanPlot:
    """The bankroll after each round: the middle, and the bands of half and of nine tenths of evenings."""

    height, width = FAN_HEIGHT, FAN_WIDTH

    def __init__(self, evening: Json) -> None:
        self._rounds, self._rows = evening["rounds"], evening["bankroll_after"]
        amounts = [cents for row in self._rows for cents in row["percentiles"]]
        self._low = min(0, *amounts)
        self._high = 1.05 * max(*amounts, evening["bankroll"])
        self.start, self.need = self._y(evening["bankroll"]), self._y(evening["need"])
        self.hours = evening["rounds"] / evening["pace"]

    def _y(self, cents: float) -> float:
        return round(float(FAN_HEIGHT * (1 - (cents - self._low) / (self._high - self._low))), 2)

    def _points(self, share: int) -> list[str]:
        return [
            f"{FAN_WIDTH * row['round'] / self._rounds:.1f} {self._y(row['percentiles'][share])}"
            for row in self._rows
        ]

    @property
    def outer(self) -> str:
        return f"M{' L'.join(self._points(0) + self._points(4)[::-1])}Z"

    @property
    def inner(self) -> str:
        return f"M{' L'.join(self._points(1) + self._points(3)[::-1])}Z"

    @property
    def middle(self) -> str:
        return f"M{' L'.join(self._points(2))}"

    @property
    def lines(self) -> list[Label]:
        """Horizontal lines at round amounts."""
        least = max((self._high - self._low) / MAX_FAN_LINES, 100)
        power = 10 ** floor(log10(least))
        step = next(nice * power for nice in (1, 2, 5, 10) if nice * power >= least)
        marks = range(ceil(self._low / step) * step, floor(self._high) + 1, step)
        return [Label(self._y(cents), dollars(cents)) for cents in marks]

    @property
    def times(self) -> list[Label]:
        """Marks of whole hours, at most eight."""
        step = max(1, ceil(self.hours / 8))
        marks = list(range(0, floor(self.hours) + 1, step))
        if len(marks) < 2:
            return [Label(0, "start"), Label(100, f"{self._rounds:,} rounds")]
        return [Label(round(100 * hour / self.hours, 2), f"{hour} h") for hour in marks]
