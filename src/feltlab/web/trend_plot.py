"""The geometry of the pictures of My hands: a result beside the play that it came from, added up."""

from typing import Any, NamedTuple

from feltlab.text import money

WIDTH, HEIGHT = 320, 150  # of the drawing's own units
LEFT, RIGHT, TOP, BOTTOM = 8, 8, 10, 18


class GridLine(NamedTuple):
    y: float
    label: str


class TrendPlot:
    """Three lines: the result, what the own play was worth, and what the best play was worth."""

    width, height, left, right, bottom = WIDTH, HEIGHT, LEFT, WIDTH - RIGHT, HEIGHT - BOTTOM

    def __init__(self, points: list[Any]) -> None:
        values = [value for _, *three in points for value in three]
        self._low, self._high = min(values), max(values)
        self._span = (self._high - self._low) or 1.0
        self._last = points[-1][0] or 1
        self.rounds = points[-1][0]
        self.result, self.best, self.own = (self._line(points, place) for place in (1, 2, 3))
        _, result, best, own = points[-1]
        self.end = (self._x(self._last), self._y(result))
        self.is_ahead = result >= 0
        self.said = (
            f"After {self.rounds:,} rounds: result {money(result)}, worth of your play {money(own)}, "
            f"of the best play {money(best)}."
        )

    def _x(self, round: int) -> float:
        return round_to(LEFT + (WIDTH - LEFT - RIGHT) * round / self._last)

    def _y(self, cents: float) -> float:
        return round_to(TOP + (HEIGHT - TOP - BOTTOM) * (self._high - cents) / self._span)

    def _line(self, points: list[Any], place: int) -> str:
        return " ".join(f"{self._x(point[0])},{self._y(point[place])}" for point in points)

    @property
    def grid(self) -> list[GridLine]:
        """Zero, and the highest and lowest value where they are apart from it."""
        far = 0.16 * self._span
        ends = [value for value in (self._high, self._low) if abs(value) > far]
        return [GridLine(self._y(value), money(value) if value else "$0") for value in (0.0, *ends)]


def round_to(length: float) -> float:
    return round(length, 1)
