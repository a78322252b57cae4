"""A bar chart of chances, drawn by hand."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from html import escape

from feltlab.report.document import Picture

LABELS, WIDTH, BAR, GAP, TOP = 190, 640, 26, 16, 34
FONT = 'font-family="Libertinus Serif, Georgia, serif" font-size="14"'


@dataclass(frozen=True)
class Bar:
    label: str
    value: Fraction
    shown: str
    colour: str = "#5d6b7e"


@dataclass(frozen=True)
class Mark:
    """A line across all bars."""

    value: Fraction
    label: str


def bars(name: str, words: str, drawn: Sequence[Bar], marks: Sequence[Mark] = ()) -> Picture:
    """Bars from left to right, their values inside, with marks across them."""
    longest = max([*(bar.value for bar in drawn), *(mark.value for mark in marks)])
    scale = Fraction(WIDTH - LABELS - 80) / longest
    height = TOP + len(drawn) * (BAR + GAP)
    parts = [_bar(bar, TOP + n * (BAR + GAP), scale) for n, bar in enumerate(drawn)]
    parts += [_mark(mark, height, scale) for mark in marks]
    size = f'width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size}>'
    return Picture(name, "\n".join([head, *parts, "</svg>\n"]).encode(), words)


def _bar(bar: Bar, top: int, scale: Fraction) -> str:
    length = float(bar.value * scale)
    text = top + BAR - 8
    return "\n".join(
        (
            f'<text x="{LABELS - 8}" y="{text}" text-anchor="end" {FONT}>{escape(bar.label)}</text>',
            f'<rect x="{LABELS}" y="{top}" width="{length:.1f}" height="{BAR}" fill="{bar.colour}"/>',
            f'<text x="{LABELS + length - 8:.1f}" y="{text}" text-anchor="end" fill="#fff" {FONT}>'
            f"{escape(bar.shown)}</text>",
        )
    )


def _mark(mark: Mark, height: int, scale: Fraction) -> str:
    x = f"{LABELS + float(mark.value * scale):.1f}"
    return "\n".join(
        (
            f'<line x1="{x}" y1="{TOP - 10}" x2="{x}" y2="{height}" stroke="#333" stroke-dasharray="4 3"/>',
            f'<text x="{x}" y="{TOP - 16}" text-anchor="middle" {FONT}>{escape(mark.label)}</text>',
        )
    )
