"""Drawings as SVG: plain shapes and text, the same bytes for the same values.

Every shape has a class beside its colour, so that a page can recolour it in the dark.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from html import escape
from math import asinh, ceil, floor, log10
from textwrap import shorten, wrap

WIDTH_PX = 640
FONT = "Libertinus Serif, Charter, Georgia, serif"
COLOURS = {
    "ink": "#22262b",
    "faint": "#9aa0a6",
    "rule": "#dcdcd6",
    "ahead": "#2e7d5b",
    "behind": "#b4552d",
    "even": "#6b7078",
    "wide": "#cfe3d8",
    "narrow": "#93c3ab",
    "card": "#ffffff",
    "black": "#22262b",
    "red": "#b3262c",
}
CHOICE_COLOURS = ("#cfe6d6", "#f6d9cf", "#f7ebc3", "#d3e0f3", "#e6d7ee", "#e3e3df")  # of cells in a chart


def _svg(height: float, parts: Iterable[str], width: float = WIDTH_PX) -> bytes:
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
    head += f'width="{width:g}" height="{height:g}" font-family="{FONT}" font-size="12">'
    return f"{head}{''.join(parts)}</svg>\n".encode()


def _text(
    x: float,
    y: float,
    text: str,
    anchor: str = "start",
    kind: str = "ink",
    size: float = 12,
    bold: bool = False,
) -> str:
    weight = ' font-weight="bold"' if bold else ""
    place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size:g}"{weight}'
    return f'<text class="{kind}" fill="{COLOURS[kind]}" {place}>{escape(text)}</text>'


def _rect(x: float, y: float, width: float, height: float, kind: str) -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"'
    return f'<rect class="{kind}" fill="{COLOURS[kind]}" {place}/>'


def _line(x: float, y: float, to_x: float, to_y: float, kind: str, width: float = 1) -> str:
    place = f'x1="{x:.1f}" y1="{y:.1f}" x2="{to_x:.1f}" y2="{to_y:.1f}"'
    return f'<line class="{kind}-line" stroke="{COLOURS[kind]}" stroke-width="{width:g}" {place}/>'


def _points(xs: Iterable[float], ys: Iterable[float]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in zip(xs, ys, strict=True))


def _sign(value: float) -> str:
    return "ahead" if value > 0 else "behind" if value < 0 else "even"


# -- Nets -------------------------------------------------------------------------------------------

LEFT, RIGHT, TOP, BOTTOM = 52, 12, 12, 44
ROUND_NETS = (0, 1, -1, 2, -2, 5, -5, 10, 100, 1000, 20, 50, -10, 200, 500, 3, -3, 4, -4)


NETS_AXIS = "net of a round, in units (compressed scale: inverse hyperbolic sine)"
CHANCES_AXIS = "probability (logarithmic scale)"
AXIS_LABEL_PX = 18  # above the drawing


def draw_nets(chances: Mapping[float, float]) -> bytes:
    """The probability of each net of a round, as lines on a logarithmic scale."""
    height, lowest = 250 + AXIS_LABEL_PX, floor(log10(min(chances.values())))
    low, high = asinh(min(chances)), asinh(max(chances))
    top, span = TOP + AXIS_LABEL_PX, max(high - low, 1e-9)

    def x(net: float) -> float:
        return LEFT + 14 + (WIDTH_PX - LEFT - RIGHT - 28) * (asinh(net) - low) / span

    def y(power: float) -> float:
        return top + (height - top - BOTTOM) * power / lowest if lowest else top

    parts = list(_powers(lowest, y))
    parts += [
        _line(x(net), height - BOTTOM, x(net), y(log10(chance)), _sign(net), 7 if len(chances) < 30 else 3)
        for net, chance in sorted(chances.items())
    ]
    parts += [
        _text(x(net), height - BOTTOM + 16, f"{net:+g}" if net else "0", "middle")
        for net in _apart(chances, x)
    ]
    parts.append(_text(WIDTH_PX / 2, height - 8, NETS_AXIS, "middle", "even"))
    parts.append(_text(LEFT, TOP, CHANCES_AXIS, "start", "even", 11))
    return _svg(height, parts)


def _powers(lowest: int, y: Callable[[float], float]) -> Iterator[str]:
    """Horizontal lines at powers of ten."""
    for power in range(0, lowest - 1, -ceil(max(-lowest, 1) / 6)):
        at = y(power)
        yield _line(LEFT, at, WIDTH_PX - RIGHT, at, "rule")
        yield _text(LEFT - 6, at + 4, "1" if not power else f"{10.0**power:g}", "end", "even", 11)


def _apart(chances: Mapping[float, float], x: Callable[[float], float]) -> Iterator[float]:
    """Nets to label, no two too near to each other; round numbers take precedence."""
    taken: list[float] = []
    inside = [net for net in ROUND_NETS if min(chances) <= net <= max(chances)]
    for net in (*inside, max(chances), min(chances)):
        at = x(net)
        if all(abs(at - other) > 30 for other in taken):
            taken.append(at)
            yield net


# -- Returns ----------------------------------------------------------------------------------------


def draw_returns(rows: Sequence[tuple[str, float, str]]) -> bytes:
    """A bar for each outcome: its part in the expected net, with the number beside it."""
    labels = [_shorten(wrap(label, 42)) for label, _, _ in rows]
    left = min(250.0, 14 + 6.2 * max(len(line) for label in labels for line in label))
    low, high = (end(0.0, *(value for _, value, _ in rows)) for end in (min, max))
    beside = 70  # pixels for the numbers
    scale = (WIDTH_PX - left - 2 * beside) / ((high - low) or 1)
    zero = left + beside - scale * low
    parts, y = [], 8.0
    for label, (_, value, text) in zip(labels, rows, strict=True):
        deep = 6 + 13 * len(label)
        parts += [_text(left - 8, y + 11 + 13 * n, line, "end", size=11.5) for n, line in enumerate(label)]
        parts += _bar(zero, y + deep / 2, scale * value, text)
        y += deep + 1
    parts.append(_line(zero, 4, zero, y + 2, "faint"))
    return _svg(y + 8, parts)


def _shorten(lines: list[str]) -> list[str]:
    """Two lines of a label; an ellipsis stands for the rest."""
    return lines if len(lines) <= 2 else [lines[0], f"{lines[1]} …"]


def _bar(zero: float, middle: float, long: float, text: str) -> list[str]:
    end, anchor = (zero + long + 5, "start") if long >= 0 else (zero + long - 5, "end")
    bar = _rect(min(zero, zero + long), middle - 6, abs(long), 12, _sign(long))
    return [bar, _text(end, middle + 4, text, anchor, "even", 11)]


# -- Chances ----------------------------------------------------------------------------------------


def draw_chances(rows: Sequence[tuple[str, float, str]], marks: Mapping[float, str]) -> bytes:
    """A bar for each chance, with its name and kind, and labelled lines across the bars."""
    left, deep, top = 150, 42, 34
    height = top + deep * len(rows)
    scale = (WIDTH_PX - left - 80) / max(*marks, *(chance for _, chance, _ in rows))
    parts: list[str] = []
    for down, (name, chance, kind) in enumerate(rows):
        y = top + deep * down
        parts += [_text(left - 8, y + 18, name, "end"), _rect(left, y, scale * chance, 26, kind)]
    for chance, name in marks.items():
        at = left + scale * chance
        parts += [_line(at, top - 10, at, height, "faint", 1.5), _text(at, top - 16, name, "middle")]
    return _svg(height, parts)


# -- A session --------------------------------------------------------------------------------------


def draw_fan(
    hours: Sequence[float],
    rows: Sequence[Sequence[float]],
    marks: Mapping[float, str],
    start: float,
    need: float,
) -> bytes:
    """The percentiles 5, 25, 50, 75 and 95 of a bankroll over the hours."""
    height, right = 260, 92
    high, low = max(*marks, *(row[-1] for row in rows)) * 1.02, min(0.0, *(row[0] for row in rows))
    xs = [LEFT + (WIDTH_PX - LEFT - right) * hour / hours[-1] for hour in hours]

    def y(amount: float) -> float:
        return TOP + (height - TOP - BOTTOM) * (high - amount) / (high - low)

    lines = [[y(amount) for amount in line] for line in zip(*rows, strict=True)]
    parts = [_line(LEFT, y(amount), WIDTH_PX - right, y(amount), "rule") for amount in marks]
    parts += [_text(LEFT - 6, y(amount) + 4, name, "end", "even", 11) for amount, name in marks.items()]
    parts += [_between(xs, lines[0], lines[4], "wide"), _between(xs, lines[1], lines[3], "narrow")]
    parts.append(_path(xs, lines[2], "ahead", 2.5))
    parts.append(_line(LEFT, y(start), WIDTH_PX - right, y(start), "faint"))
    parts.append(_line(LEFT, y(need), WIDTH_PX - right, y(need), "behind", 1.5))
    names = zip(("5 %", "25 %", "median", "75 %", "95 %"), (line[-1] for line in lines), strict=True)
    parts += _spread([(at, name) for name, at in names], WIDTH_PX - right + 6)
    parts.append(_text(LEFT + 4, y(need) - 5, "below this line: ruin", kind="behind", size=11))
    whole = [n for n in range(ceil(hours[-1]) + 1) if n <= hours[-1]]
    at = {n: LEFT + (WIDTH_PX - LEFT - right) * n / hours[-1] for n in whole}
    parts += [_text(x, height - BOTTOM + 16, str(n), "middle") for n, x in at.items()]
    parts.append(_text((LEFT + WIDTH_PX - right) / 2, height - 8, "hours", "middle", "even"))
    return _svg(height, parts)


def _between(xs: Sequence[float], low: Sequence[float], high: Sequence[float], kind: str) -> str:
    points = _points([*xs, *reversed(xs)], [*low, *reversed(high)])
    return f'<polygon class="{kind}" fill="{COLOURS[kind]}" points="{points}"/>'


def _path(xs: Sequence[float], ys: Sequence[float], kind: str, width: float) -> str:
    line = f'stroke="{COLOURS[kind]}" stroke-width="{width:g}" points="{_points(xs, ys)}"'
    return f'<polyline class="{kind}-line" fill="none" {line}/>'


def _spread(names: Iterable[tuple[float, str]], x: float) -> Iterator[str]:
    """Labels beside their heights, moved up where they would overlap."""
    last = 9999.0
    for at, name in sorted(names, reverse=True):
        last = min(at + 4, last - 13)
        yield _text(x, last, name, size=11)


# -- A strategy -------------------------------------------------------------------------------------


def draw_chart(
    columns: Sequence[str], rows: Mapping[str, Sequence[str]], colours: Mapping[str, str]
) -> bytes:
    """A grid of choices, each in its colour."""
    left = 16 + 6.6 * max(len(row) for row in rows)
    wide, deep = min(64.0, (WIDTH_PX - left) / len(columns)), 22
    named = [wrap(column, max(4, int(wide / 6.4))) for column in columns]
    top = 8 + 13 * max(len(name) for name in named)
    parts = [
        _text(
            left + wide * (at + 0.5), top - 6 - 13 * (len(name) - 1 - n), line, "middle", bold=True, size=11.5
        )
        for at, name in enumerate(named)
        for n, line in enumerate(name)
    ]
    for down, (row, cells) in enumerate(rows.items()):
        y = top + deep * down
        parts.append(_text(left - 8, y + 15, row, "end"))
        parts += [
            _cell(left + wide * at, y, wide, deep, cell, colours.get(cell)) for at, cell in enumerate(cells)
        ]
    return _svg(top + deep * len(rows) + 4, parts, left + wide * len(columns) + 2)


def _cell(x: float, y: float, wide: float, deep: float, text: str, colour: str | None) -> str:
    """A coloured cell; '' where the chart has no hand."""
    if not colour:
        return ""
    box = f'x="{x + 1:.1f}" y="{y + 1:.1f}" width="{wide - 2:.1f}" height="{deep - 2:.1f}" rx="2"'
    return f'<rect fill="{colour}" {box}/>' + _text(x + wide / 2, y + 15, text, "middle", "black")


def choice_colours(choices: Iterable[str]) -> dict[str, str]:
    """A colour for each choice, in the order in which the choices appear."""
    return {
        choice: CHOICE_COLOURS[n % len(CHOICE_COLOURS)]
        for n, choice in enumerate(dict.fromkeys(filter(None, choices)))
    }


# -- Cards ------------------------------------------------------------------------------------------

CARD_WIDTH, CARD_HEIGHT = 25, 36
CARD = r"(?:[2-9TJQKA][cdhs]|Jk)"
HAND = re.compile(rf"{CARD}(?: {CARD})+")
SUITS = {
    "h": "M5 9.4C1 6 .4 4.4 .4 3A2.35 2.35 0 0 1 5 2.2A2.35 2.35 0 0 1 9.6 3C9.6 4.4 9 6 5 9.4Z",
    "d": "M5 .2L8.7 5L5 9.8L1.3 5Z",
    "s": "M5 .3C5.6 2 9.4 3.9 9.4 6.3A2.1 2.1 0 0 1 5.5 7.3C5.6 8.4 6 9 6.6 9.7H3.4C4 9 4.4 8.4 4.5 7.3"
    "A2.1 2.1 0 0 1 .6 6.3C.6 3.9 4.4 2 5 .3Z",
    "c": "M5 .4A2.1 2.1 0 0 1 6.75 3.7A2.1 2.1 0 1 1 5.55 7.2C5.65 8.4 6.05 9 6.6 9.7H3.4C3.95 9 4.35 8.4"
    " 4.45 7.2A2.1 2.1 0 1 1 3.25 3.7A2.1 2.1 0 0 1 5 .4Z",
    "k": "M5 .3L6.3 3.6L9.8 3.8L7.1 6L8 9.5L5 7.6L2 9.5L2.9 6L.2 3.8L3.7 3.6Z",  # the joker's star
}


def draw_hands(texts: Sequence[str]) -> bytes:
    """The hands that texts mention, as cards, each beside the beginning of its text."""
    named = [(found.group().split(), text) for text in texts if (found := HAND.search(text))]
    left, deep = 12 + 27 * max(len(cards) for cards, _ in named), 44
    parts: list[str] = []
    for down, (cards, text) in enumerate(named):
        y = 4 + deep * down
        parts += [draw_card(2 + 27 * at, y, card) for at, card in enumerate(cards)]
        beside = shorten(text, int((WIDTH_PX - left) / 5.7), placeholder=" ...")
        parts.append(_text(left, y + 23, beside))
    return _svg(4 + deep * len(named), parts)


def draw_card(x: float, y: float, card: str) -> str:
    """A card face up."""
    rank, suit = ("", "k") if card == "Jk" else (card[0].replace("T", "10"), card[1])
    kind = "red" if suit in "hd" else "black"
    face = _card_shape(x, y, "card", "#ffffff")
    sign = f'<path class="{kind}" fill="{COLOURS[kind]}" d="{SUITS[suit]}" '
    size, at = (1.5, (x + 5, y + 10.5)) if suit == "k" else (1.15, (x + 6.8, y + 20))
    sign += f'transform="translate({at[0]:.1f} {at[1]:.1f}) scale({size:g})"/>'
    return face + (_text(x + 12.5, y + 16, rank, "middle", kind, 14, True) if rank else "") + sign


def draw_back(x: float, y: float) -> str:
    """A card face down."""
    inner = f'x="{x + 3:g}" y="{y + 3:g}" width="{CARD_WIDTH - 6}" height="{CARD_HEIGHT - 6}" rx="2"'
    return _card_shape(x, y, "card", "#ffffff") + f'<rect {inner} fill="#8c3a44"/>'


def _card_shape(x: float, y: float, kind: str, fill: str) -> str:
    border = f'stroke="{COLOURS["faint"]}" stroke-width=".8" rx="3"'
    size = f'width="{CARD_WIDTH}" height="{CARD_HEIGHT}"'
    return f'<rect class="{kind}" fill="{fill}" {border} x="{x:g}" y="{y:g}" {size}/>'
