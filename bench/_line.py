"""One line of a benchmark, as `feltlab bench` prints it."""

from typing import Any, NamedTuple


class Line(NamedTuple):
    what: str
    figure: float
    unit: str
    beside: str
    details: tuple[dict[str, Any], ...] = ()  # for --json only: too many for a table
