"""The win of the house against the win that the proofs expect: a sentence, and positions for a drawing."""

from collections.abc import Callable, Sequence
from math import hypot

from feltlab.pit.expectation import MIN_ALARM_ROUNDS, Expectation, quantile
from feltlab.pit.live_table import LiveTable
from feltlab.pit.meters import Meters
from feltlab.pit.slips import SLIP_BAND_PERCENT
from feltlab.text import money
from feltlab.web.page import Data

NO_ROUND = "No round has been settled yet."


def describe_win(live: LiveTable, read: Meters) -> Data:
    """The win of a table within its band, or the reason why there is no band."""
    if not read.rounds:
        return {"said": NO_ROUND}
    known = _expectation(live)
    if known is None:
        return {"said": f"There is no expected win to compare with. {live.why_unexpected}"}
    found = _describe(read.win, known.expected_win(read), known.deviation(read))
    if read.rounds < MIN_ALARM_ROUNDS:
        found["said"] += f" Alarms start after {MIN_ALARM_ROUNDS} rounds."
    return found


def describe_total_win(lives: Sequence[LiveTable]) -> Data:
    """The win of all tables together; their results are independent, so their variances add up."""
    played = [live for live in lives if live.table.meters.rounds]
    known = [found for live in played if (found := _expectation(live))]
    if not played or len(known) < len(played):
        return {"said": NO_ROUND if not played else "The expected win of some tables is not proved yet."}
    readings = [live.table.meters for live in played]
    pairs = list(zip(known, readings, strict=True))
    expected = sum(theory.expected_win(read) for theory, read in pairs)
    deviation = hypot(*(theory.deviation(read) for theory, read in pairs))
    return _describe(sum(read.win for read in readings), expected, deviation)


def _expectation(live: LiveTable) -> Expectation | None:
    """The expectation of a table, if it was proved for the rules that are dealt there."""
    known = live.expectation
    return known if known and known.digest == live.table.game.digest else None


def _describe(win: int, expected: float, deviation: float) -> Data:
    away = quantile(SLIP_BAND_PERCENT) * deviation
    low, high = expected - away, expected + away
    where = "within" if low <= win <= high else "below" if win < low else "above"
    said = f"Won {money(win)}; expected {money(expected)}. This is {where} the {SLIP_BAND_PERCENT:g} % band"
    said += f" of {money(low)} to {money(high)}."
    place = _scale(min(low, win), max(high, win))
    drawn = {"low": place(low), "high": place(high), "expected": place(expected), "win": place(win)}
    return {
        "said": said,
        "where": where,
        "inside": where == "within",
        "win": win,
        "expected": expected,
        "band": [low, high],
        "drawn": drawn,
    }


def _scale(low: float, high: float) -> Callable[[float], float]:
    """A function from cents to percent of the drawing's width, with a margin at both ends."""
    width = (high - low) or 1.0
    return lambda cents: round(4 + 92 * (cents - low) / width, 2)
