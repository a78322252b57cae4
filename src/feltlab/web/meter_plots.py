"""The geometry of a progressive's plots: the line of the return, and the law of the winning amount."""

from itertools import pairwise
from typing import Any

from feltlab.text import money

Json = dict[str, Any]
HEIGHT = 180  # pixels
MARGIN = 22  # above and below


class MeterPlot:
    """Both plots of a meter: percent of the width across, pixels down."""

    def __init__(self, meter: Json) -> None:
        self._meter, self._low = meter, float(meter["low"])
        self._span = max(float(meter["high"]) - self._low, 1.0)
        self._most: float = max(1.05, *(returned for _, returned in meter["line"]))
        self._law: list[tuple[float, float]] = [(amount, share) for amount, share in meter["law"]]
        self._first, last = self._law[0][0], self._law[-1][0]
        self._law_span = max(last - self._first, 1.0)

    def as_json(self) -> Json:
        ends = [(self._x(cents), self._y(returned)) for cents, returned in self._meter["line"]]
        steps = [[*one, *two] for one, two in pairwise(ends)]
        return {
            "height": HEIGHT,
            "line": steps,
            "even_y": self._y(1.0),
            "marks": self._marks(),
            "ends": [money(self._meter["low"]), money(self._meter["high"])],
            "law": self._law_steps(),
            "law_ends": [money(self._law[0][0]), money(self._law[-1][0])],
            "law_mark": self._law_mark(),
        }

    def _x(self, cents: float) -> float:
        return round(100 * (cents - self._low) / self._span, 2)

    def _y(self, returned: float) -> float:
        return round(HEIGHT - MARGIN - (HEIGHT - 2 * MARGIN) * returned / self._most, 1)

    def _marks(self) -> list[Json]:
        """The meter, and the break-evens that are on the plot."""
        even, joint = self._meter["break_even"], self._meter["joint_even"]
        named = [
            ("now", self._meter["cents"], "mark"),
            ("even", even, "even"),
            ("even together", joint, "even"),
        ]
        shown = [(words, cents, kind) for words, cents, kind in named if cents is not None]
        inside = [each for each in shown if self._low <= each[1] <= self._low + self._span]
        return [
            {"x": self._x(cents), "words": words, "amount": money(cents), "kind": kind}
            for words, cents, kind in inside
        ]

    def _law_steps(self) -> list[list[float]]:
        """The chance that a win is at most an amount, as a line from percentile to percentile."""
        at = [(self._law_x(amount), self._law_y(share)) for amount, share in self._law]
        return [[*one, *two] for one, two in pairwise(at)]

    def _law_x(self, cents: float) -> float:
        return round(min(max(100 * (cents - self._first) / self._law_span, 0), 100), 2)

    def _law_y(self, share: float) -> float:
        return round(HEIGHT - MARGIN - (HEIGHT - 2 * MARGIN) * share, 1)

    def _law_mark(self) -> Json:
        """The share of wins that are at most the amount on the meter."""
        below = [share for amount, share in self._law if amount <= self._meter["cents"]]
        return {"x": self._law_x(self._meter["cents"]), "share": round(100 * max(below, default=0.0))}
