"""The win of the house against what the proofs expect: in words, and where to draw it within its band."""

from collections.abc import Callable, Sequence
from math import hypot

from feltlab.pit.expectation import MIN_ALARM_ROUNDS, Expectation, quantile
from feltlab.pit.live_table import LiveTable
from feltlab.pit.meters import Meters
from feltlab.pit.slips import SLIP_BAND_PERCENT
from feltlab.text import money
from feltlab.web.page import Data

NO_ROUND = "No round was settled so far."


def bar(live: LiveTable, read: Meters) -> Data:
    """The win of a table; without theory, why there is none."""
    if not read.rounds:
        return {"said": NO_ROUND}
    known = _known(live)
    if known is None:
        return {"said": f"There is no theory to compare with. {live.unexpected}"}
    found = _bar(read.win, known.expected_win(read), known.deviation(read))
    if read.rounds < MIN_ALARM_ROUNDS:
        found["said"] += f" Alarms begin at {MIN_ALARM_ROUNDS} rounds."
    return found


def total(lives: Sequence[LiveTable]) -> Data:
    """The win of all tables together, which know nothing of each other."""
    played = [live for live in lives if live.table.meters.rounds]
    known = [found for live in played if (found := _known(live))]
    if not played or len(known) < len(played):
        return {"said": NO_ROUND if not played else "The theory of some table is not proved yet."}
    readings = [live.table.meters for live in played]
    pairs = list(zip(known, readings, strict=True))
    expected = sum(theory.expected_win(read) for theory, read in pairs)
    deviation = hypot(*(theory.deviation(read) for theory, read in pairs))
    return _bar(sum(read.win for read in readings), expected, deviation)


def _known(live: LiveTable) -> Expectation | None:
    """The theory of a table, if it is of the rules that are dealt there."""
    known = live.expectation
    return known if known and known.digest == live.table.game.digest else None


def _bar(win: int, expected: float, deviation: float) -> Data:
    away = quantile(SLIP_BAND_PERCENT) * deviation
    low, high = expected - away, expected + away
    where = "within" if low <= win <= high else "below" if win < low else "above"
    said = f"Won {money(win)}; expected {money(expected)}, and {where} the {SLIP_BAND_PERCENT:g} % band"
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
    """Amounts to percent of a bar's width, with some room at both ends."""
    wide = (high - low) or 1.0
    return lambda cents: round(4 + 92 * (cents - low) / wide, 2)
