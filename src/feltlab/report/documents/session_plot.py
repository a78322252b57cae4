"""Pictures of a session: a histogram of blocks for a terminal, and an SVG."""

import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from io import BytesIO
from math import ceil, floor, log10
from typing import TYPE_CHECKING, Any

import numpy as np
import platformdirs

from feltlab.analysis.bankroll_walk import Spread
from feltlab.analysis.session import Prospect
from feltlab.text import dollars, signed_dollars

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from rich.text import Text

SHOWN_SHARES = (0.002, 0.998)  # the percentiles between which results are drawn
EIGHTHS = " ▁▂▃▄▅▆▇█"
STOPPED, CUT = "▒", "▲"
HEIGHT_LINES = 8  # lines
MIN_WIDTH_SHARE = 0.75  # of the columns must be used; narrower bars are worth some unused width
NICE_STEPS = (1, 2, 5)  # times a power of ten: distances of axis marks


@dataclass(frozen=True)
class Bar:
    """The results from `middle` - width / 2 to below `middle` + width / 2, in cents."""

    middle: int
    full: float
    stopped: float

    @property
    def chance(self) -> float:
        return self.full + self.stopped

    @property
    def is_ruin(self) -> bool:
        return self.stopped > self.full


@dataclass(frozen=True)
class Histogram:
    """Bars of equal width, one of them centred at 0."""

    width: int  # in cents
    bars: tuple[Bar, ...]
    columns: int = 1  # that a bar takes in a terminal

    @classmethod
    def of(cls, spread: Spread, columns: int, enough: float = 0) -> "Histogram":
        """The finest histogram that fits and fills enough columns; every bar has equally many results."""
        low, high = (spread.percentile(share) for share in SHOWN_SHARES)
        grain = _result_step(spread)
        least = max(1, ceil((high - low) / grain / columns))
        tries = [cls._of(spread, grain * times, low, high) for times in range(least, 2 * least + 2)]
        fitting = [replace(h, columns=columns // len(h.bars)) for h in tries if len(h.bars) <= columns]
        used = [h.columns * len(h.bars) for h in fitting]
        return fitting[next(i for i, n in enumerate(used) if n >= min(max(used), enough * columns))]

    @classmethod
    def _of(cls, spread: Spread, width: int, low: int, high: int) -> "Histogram":
        places = (2 * spread.results + width) // (2 * width)
        first, last = ((2 * end + width) // (2 * width) for end in (low, high))
        inside = (places >= first) & (places <= last)
        full, stopped = (
            np.bincount(places[inside] - first, weights=chances[inside], minlength=last - first + 1)
            for chances in (spread.full, spread.stopped)
        )
        middles = range(first * width, (last + 1) * width, width)
        return cls(width, tuple(map(Bar, middles, map(float, full), map(float, stopped))))

    @property
    def top(self) -> float:
        """The height of the picture. Ruin piles up in few bars; a bar that is far too high is cut off."""
        others = max((bar.chance for bar in self.bars if not bar.is_ruin), default=0.0)
        highest = max(bar.chance for bar in self.bars)
        return min(highest, 1.5 * others) if others else highest


def _result_step(spread: Spread) -> int:
    """The distance between possible results of players who finish, or of all if nobody finishes."""
    full = spread.full > 0
    possible = spread.results[full] if np.count_nonzero(full) > 1 else spread.results
    return int(np.gcd.reduce(np.diff(possible))) if len(possible) > 1 else 1


def axis_marks(low: float, high: float, most: int) -> Iterator[int]:
    """At most `most` round amounts from `low` to `high`, in cents."""
    least = max((high - low) / max(most, 1), 100)
    power: int = 10 ** floor(log10(least))
    distance = next(nice * power for nice in (*NICE_STEPS, 10) if nice * power >= least)
    yield from range(ceil(low / distance) * distance, floor(high) + 1, distance)


# -- In a terminal ----------------------------------------------------------------------------------


def draw_terminal(spread: Spread, width: int, height: int = HEIGHT_LINES) -> "Text":
    """A histogram of the session's result with its axis, for a terminal of this width."""
    from rich.text import Text

    label = f"{100:5.1f} % "
    histogram = Histogram.of(spread, max(width - len(label), 10), MIN_WIDTH_SHARE)
    text = Text(no_wrap=True)
    text.append(f"result of a session, by {dollars(histogram.width)}", "italic")
    text.append(f"{_legend(histogram)}\n", "dim")
    for line in range(height, 0, -1):
        text.append(f"{100 * histogram.top:5.1f} % " if line == height else " " * len(label), "dim")
        for bar in histogram.bars:
            text.append(_sign(bar, histogram.top, line, height) * histogram.columns, _colour(bar))
        text.append("\n")
    for row in _axis(histogram):
        text.append(" " * len(label) + row.rstrip() + "\n", "dim")
    text.right_crop(1)
    return text


def _legend(histogram: Histogram) -> str:
    signs = {f"{STOPPED} ruin": any(bar.is_ruin for bar in histogram.bars)}
    signs[f"{CUT} cut off"] = any(bar.chance > histogram.top for bar in histogram.bars)
    return "".join(f"   {sign}" for sign, shown in signs.items() if shown)


def _sign(bar: Bar, top: float, line: int, height: int) -> str:
    """The character of a bar in one line, counted from the bottom."""
    eighths = round(8 * height * min(bar.chance / top, 1))
    if bar.chance > top and line == height:
        return CUT
    sign = EIGHTHS[min(max(eighths - 8 * (line - 1), 0), 8)]
    return STOPPED if bar.is_ruin and sign == EIGHTHS[8] else sign


def _colour(bar: Bar) -> str:
    if bar.is_ruin:
        return "red"
    return "green" if bar.middle > 0 else "yellow" if bar.middle < 0 else "bright_white"


def _axis(histogram: Histogram) -> tuple[str, str]:
    """A line with a tick at every marked amount, and the amounts below it."""
    bars, columns, width = histogram.bars, histogram.columns, histogram.width
    low, high = bars[0].middle - width / 2, bars[-1].middle + width / 2
    length = len(bars) * columns
    line, amounts = ["─"] * length, [" "] * (length + 8)
    for mark in axis_marks(low, high, length // 9):
        at = min(int((mark - low) / width * columns), length - 1)
        text = signed_dollars(mark)
        start = min(max(at - len(text) // 2, 0), length - len(text))
        if set(amounts[max(start - 1, 0) : start + len(text)]) == {" "}:
            line[at], amounts[start : start + len(text)] = "┴", text
    return "".join(line), "".join(amounts)


# -- As SVG -----------------------------------------------------------------------------------------

PAPER, INK, FAINT = "#fcfbf7", "#22262b", "#8b9097"
AHEAD, BEHIND, RUIN, EVEN = "#2e7d5b", "#c98a2b", "#b3362c", "#6b7078"
LOOK: dict[str, Any] = {
    "svg.hashsalt": "feltlab",  # the same picture is the same bytes
    "svg.fonttype": "path",
    "font.family": "DejaVu Sans",
    "font.size": 10,
    "text.color": INK,
    "text.parse_math": False,  # a dollar sign starts no formula
    "axes.labelcolor": INK,
    "axes.edgecolor": FAINT,
    "axes.facecolor": PAPER,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.color": INK,
    "ytick.color": INK,
    "figure.facecolor": PAPER,
}
MAX_SVG_BARS = 120


def draw_svg(prospect: Prospect, hours: float, title: str) -> bytes:
    """The result of a session, and the bankroll over its hours."""
    import logging

    logging.getLogger("matplotlib").setLevel(logging.ERROR)  # it announces its font cache
    os.environ.setdefault("MPLCONFIGDIR", platformdirs.user_cache_dir("feltlab"))  # its fonts
    import matplotlib
    from matplotlib.figure import Figure

    written = BytesIO()
    look: Any = {**matplotlib.rcParamsDefault, **LOOK}  # not the user's own settings
    with matplotlib.rc_context(look):
        figure = Figure(figsize=(9, 8.4), layout="constrained")
        figure.suptitle(title, fontsize=11, fontweight="bold", x=0.02, ha="left")
        upper, lower = figure.subplots(2, 1)
        _results(upper, prospect)
        _fan(lower, prospect, hours)
        figure.savefig(written, format="svg", metadata={"Date": None, "Creator": "feltlab"})
    return written.getvalue()


def _results(axes: "Axes", prospect: Prospect) -> None:
    histogram = Histogram.of(prospect.spread, MAX_SVG_BARS)
    top = 100 * histogram.top
    _bars(axes, histogram)
    _percentiles(axes, prospect, histogram)
    _ruin(axes, prospect, histogram)
    axes.set_ylim(0, 1.2 * top)
    axes.set_xlabel("result of the session")
    axes.set_ylabel(f"percent of sessions, by {dollars(histogram.width)}")
    axes.set_xmargin(0.04)
    axes.xaxis.set_major_formatter(_dollars)


def _bars(axes: "Axes", histogram: Histogram) -> None:
    middles = [bar.middle / 100 for bar in histogram.bars]
    stopped = [100 * min(bar.stopped, histogram.top) for bar in histogram.bars]
    full = [
        100 * (min(bar.chance, histogram.top)) - low for bar, low in zip(histogram.bars, stopped, strict=True)
    ]
    colours = [AHEAD if at > 0 else BEHIND if at < 0 else EVEN for at in middles]
    width = histogram.width / 100 * 0.9
    axes.bar(middles, stopped, width, color=RUIN)
    axes.bar(middles, full, width, bottom=stopped, color=colours)


def _percentiles(axes: "Axes", prospect: Prospect, histogram: Histogram) -> None:
    """A line for each percentile; of labels too near to each other, the first in this order is shown."""
    span, top = histogram.width * len(histogram.bars), 100 * histogram.top
    named: list[int] = []
    for percent in (50, 1, 99, 25, 75, 5, 95):
        net = prospect.percentiles[percent]
        axes.plot([net / 100] * 2, [0, 1.03 * top], color=INK, linewidth=0.7, linestyle=(0, (2, 2)))
        if all(abs(net - other) > 0.075 * span for other in named):
            named.append(net)
            text = f"{percent} %\n{signed_dollars(net)}"
            axes.text(net / 100, 1.04 * top, text, ha="center", va="bottom", fontsize=8)


def _ruin(axes: "Axes", prospect: Prospect, histogram: Histogram) -> None:
    """The chance of ruin, above the bar that has most of it, or beside that bar if it is high."""
    bar, top = max(histogram.bars, key=lambda bar: bar.stopped), histogram.top
    if not bar.stopped:
        return
    text = f"ruin {100 * prospect.ruin.value:.1f} %" + (" (bar cut off)" if bar.chance > top else "")
    high = bar.chance > 0.8 * top
    place, offset = (bar.middle / 100, 100 * min(bar.chance, top)), (10, -12) if high else (-4, 10)
    axes.annotate(text, place, offset, textcoords="offset points", color=RUIN, fontweight="bold")


def _fan(axes: "Axes", prospect: Prospect, hours: float) -> None:
    result, bankroll = prospect.result, prospect.plan.bankroll
    times = result.marks * (hours / result.marks[-1])
    p5, p25, middle, p75, p95 = ((bankroll + result.fan) / 100).T
    axes.fill_between(times, p5, p95, color=AHEAD, alpha=0.18, linewidth=0, label="90 % of sessions")
    axes.fill_between(times, p25, p75, color=AHEAD, alpha=0.35, linewidth=0, label="50 %")
    axes.plot(times, middle, color=AHEAD, linewidth=2, label="median")
    axes.axhline(bankroll / 100, color=FAINT, linewidth=0.8)
    need = prospect.plan.law.need
    axes.axhline(
        need / 100, color=RUIN, linewidth=1, linestyle=(0, (4, 2)), label=f"below {dollars(need)}: ruin"
    )
    axes.set_xlim(0, hours)
    axes.set_xlabel("hours")
    axes.set_ylabel("bankroll")
    axes.yaxis.set_major_formatter(_dollars)
    axes.legend(loc="upper left", frameon=False, ncols=4, fontsize=9)
    axes.set_ylim(min(0, p5.min()), 1.12 * max(p95.max(), bankroll / 100))


def _dollars(amount: float, _: object = None) -> str:
    return dollars(round(100 * amount))
