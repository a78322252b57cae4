"""A drawing of a game's layout for a submission packet: the table seen from above, and one position enlarged.

The dealer stands at the upper edge, so position 1, at the dealer's left, is at the right.
"""

from collections.abc import Iterator
from html import escape
from math import cos, pi, sin
from textwrap import wrap
from typing import Any, NamedTuple

from feltlab.core.game import Game
from feltlab.games.data import packet_data
from feltlab.report.felt_layout import (
    arrange_spots,
    card_source,
    pay_notes,
    printed_pay_tables,
    table_notices,
)
from feltlab.text import capitalised

WIDTH, FELT_HEIGHT = 640, 400
FONT = "Libertinus Serif, Charter, Georgia, serif"
INK, QUIET, LINE, FELT, SPOT = "#22262b", "#5c636b", "#2e7d5b", "#f1f7f3", "#ffffff"
CENTRE, RADIUS_X, RADIUS_Y = WIDTH / 2, 284, 300  # of the arc on which the positions lie
POSITION_SPOT, RING = 7.5, 17.5  # radius of a spot in the plan, and the distance between two
PRINT_CHARS = 76  # of a line across the layout
BOARD_CARD, BOARD_DEPTH = 22, 30  # the width of a place for a community card, and the height of their row
SPOT_RADIUS, SPOT_DISTANCE, ROW_GAP = 34, 118, 24  # of the enlarged position
NOTICE_LINE = 12  # the height of a line of a notice
NOTICE_CHARS, TITLE_CHARS = 22, 9


class Panel(NamedTuple):
    """The size of a printed pay table."""

    width: float
    gap: float  # between two
    line: float  # the height of a line
    font: float


PANEL, SMALL_PANEL = Panel(150, 16, 11.5, 9.5), Panel(104, 8, 9.5, 8)


def draw_layout(game: Game) -> bytes:
    """The layout as SVG; the same game gives the same bytes."""
    rows = [row for row in arrange_spots(game).values() if row]
    height = FELT_HEIGHT + 38 + sum(map(_row_depth, rows))
    parts = [*_felt(game), *_positions(game), *_enlarged(game, rows)]
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
    head += f'width="{WIDTH}" height="{height}" font-family="{FONT}" font-size="12">'
    return f"{head}{''.join(parts)}</svg>\n".encode()


def describe_layout(game: Game) -> str:
    """The printed words of the layout, for readers without the drawing."""
    titles = ", ".join(spot["title"] for spot in _spots(game))
    notices = (*pay_notes(game), *(notice.text for notice in packet_data(game).notice))
    count = _board_cards(game)
    board = f", and places for {count} community card{'s' * (count > 1)}" if count else ""
    printed = f" Notices: {'; '.join(notices)}." if notices else ""
    return f"The layout of {game.title}: {game.seats} positions with {titles}{board}.{printed}"


def _spots(game: Game) -> list[dict[str, Any]]:
    """The spots of one position, from the dealer's side to the player's."""
    return [spot for row in arrange_spots(game).values() for group in row for spot in group]


# -- The table --------------------------------------------------------------------------------------


def _felt(game: Game) -> Iterator[str]:
    edge = f"M8 12H{WIDTH - 8}V70C{WIDTH - 8} 290 500 392 {CENTRE} 392S8 290 8 70Z"
    yield f'<path d="{edge}" fill="{FELT}" stroke="{LINE}" stroke-width="2"/>'
    yield _box(CENTRE - 90, 12, 180, 20, "chip tray")
    yield _box(24, 12, 92, 20, "discard rack")
    yield _box(WIDTH - 116, 12, 92, 20, card_source(game))
    yield _text(130, 26, "dealer's right", "start", QUIET, 10)
    yield _text(WIDTH - 130, 26, "dealer's left", "end", QUIET, 10)
    yield from _board(game)
    below = BOARD_DEPTH if _board_cards(game) else 0
    yield _text(CENTRE, 60 + below, game.title, "middle", INK, 19, bold=True)
    lines = _join_short(*pay_notes(game), *table_notices(game))
    for n, line in enumerate(lines):
        yield _text(CENTRE, 78 + below + 14 * n, line, "middle", INK, 11.5)
    yield from _pay_panels(game, 88 + below + 14 * len(lines))


def _board_cards(game: Game) -> int:
    """The number of community cards."""
    return sum(area.cards for area in game.areas if area.name == "board")


def _board(game: Game) -> Iterator[str]:
    """The marked places for community cards, before the chip tray."""
    count = _board_cards(game)
    for n in range(count):
        x = CENTRE + (n - count / 2) * BOARD_CARD
        yield (
            f'<rect x="{x + 2:.1f}" y="38" width="{BOARD_CARD - 4}" height="26" rx="2" fill="none" '
            f'stroke="{QUIET}" stroke-dasharray="3 3"/>'
        )
    if count:
        yield _text(CENTRE + count * BOARD_CARD / 2 + 8, 54, "community cards", "start", QUIET, 10)


def _join_short(*notices: str) -> list[str]:
    """Notices in lines, several on a line where they fit."""
    lines: list[str] = []
    for notice in notices:
        if lines and len(lines[-1]) + len(notice) < PRINT_CHARS:
            lines[-1] += f" · {notice}"
        else:
            lines.append(notice)
    return lines


def _pay_panels(game: Game, top: float) -> Iterator[str]:
    """The printed pay tables in the middle, in at most three columns."""
    tables = sorted(printed_pay_tables(game), key=lambda table: -len(table["pays"]))
    panel = SMALL_PANEL if len(tables) > 2 else PANEL
    count = min(len(tables), 3)
    step = panel.width + panel.gap
    first = CENTRE - (count * step - panel.gap) / 2
    down = [top] * count
    for table in tables:
        column = down.index(min(down))
        yield from _pay_panel(first + column * step, down[column], table, panel)
        down[column] += panel.line * (len(table["pays"]) + 1.7)


def _pay_panel(x: float, y: float, table: dict[str, Any], panel: Panel) -> Iterator[str]:
    yield _text(x, y, table["title"], "start", INK, panel.font + 1, bold=True)
    for n, line in enumerate(table["pays"], 1):
        yield _text(x, y + panel.line * n, capitalised(line["outcome"]), "start", INK, panel.font)
        yield _text(x + panel.width, y + panel.line * n, line["pays"], "end", INK, panel.font)


def _positions(game: Game) -> Iterator[str]:
    """All positions along the edge, each with its spots in a line towards the dealer."""
    for n in range(game.seats):
        turn = pi * (0.17 + 0.66 * n / max(1, game.seats - 1))
        for ring, spot in enumerate(reversed(_spots(game))):
            x = CENTRE + (RADIUS_X - RING * ring) * cos(turn)
            y = 66 + (RADIUS_Y - RING * ring) * sin(turn)
            yield _mark(x, y, POSITION_SPOT, is_raise=bool(spot["raises"]))
        x, y = CENTRE + (RADIUS_X + 17) * cos(turn), 70 + (RADIUS_Y + 17) * sin(turn)
        yield _text(x, y, str(n + 1), "middle", QUIET, 10)


# -- One position -----------------------------------------------------------------------------------


def _enlarged(game: Game, rows: list[Any]) -> Iterator[str]:
    yield _text(CENTRE, FELT_HEIGHT + 20, "One position, enlarged", "middle", QUIET, 12, bold=True)
    top = FELT_HEIGHT + 38.0
    for down, groups in enumerate(rows):
        row = [spot for group in groups for spot in group]
        areas = packet_data(game).area if down == len(rows) - 1 else ()
        places = _places(len(row) + len(areas), top + SPOT_RADIUS)
        top += _row_depth(groups)
        for spot in row:
            yield from _spot(*next(places), spot)
        for area in areas:
            yield from _area(*next(places), area)


def _row_depth(groups: list[Any]) -> float:
    """The height of a row of spots with the longest notice below one of them."""
    lines = max(len(_notice_lines(spot)) for group in groups for spot in group)
    return 2 * SPOT_RADIUS + NOTICE_LINE * lines + ROW_GAP


def _notice_lines(spot: dict[str, Any]) -> list[str]:
    return [line for notice in spot["notices"] for line in wrap(notice, NOTICE_CHARS)]


def _places(count: int, y: float) -> Iterator[tuple[float, float]]:
    for n in range(count):
        yield CENTRE + (n - (count - 1) / 2) * SPOT_DISTANCE, y


def _spot(x: float, y: float, spot: dict[str, Any]) -> Iterator[str]:
    yield _mark(x, y, SPOT_RADIUS, is_raise=bool(spot["raises"]))
    yield from _lines(x, y, wrap(spot["title"], TITLE_CHARS), bold=True)
    for n, line in enumerate(_notice_lines(spot)):
        yield _text(x, y + SPOT_RADIUS + 14 + NOTICE_LINE * n, line, "middle", INK, 10)


def _area(x: float, y: float, title: str) -> Iterator[str]:
    """A marked area for cards."""
    half = SPOT_RADIUS - 2
    yield (
        f'<rect x="{x - half:.1f}" y="{y - SPOT_RADIUS:.1f}" width="{2 * half}" height="{2 * SPOT_RADIUS}" '
        f'rx="4" fill="none" stroke="{QUIET}" stroke-dasharray="3 3"/>'
    )
    yield from _lines(x, y, wrap(title, TITLE_CHARS), bold=False)


# -- Shapes -----------------------------------------------------------------------------------------


def _mark(x: float, y: float, radius: float, *, is_raise: bool) -> str:
    """A circle for a first wager, a square for a raise."""
    style = f'fill="{SPOT}" stroke="{LINE}" stroke-width="1.5"'
    if not is_raise:
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:g}" {style}/>'
    half = radius * 0.9
    place = f'x="{x - half:.1f}" y="{y - half:.1f}" width="{2 * half:.1f}" height="{2 * half:.1f}"'
    return f'<rect {place} rx="3" stroke-dasharray="4 2" {style}/>'


def _box(x: float, y: float, width: float, height: float, title: str) -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" width="{width:g}" height="{height:g}"'
    rect = f'<rect {place} rx="3" fill="{SPOT}" stroke="{QUIET}"/>'
    return rect + _text(x + width / 2, y + 14, title, "middle", QUIET, 10)


def _lines(x: float, y: float, lines: list[str], *, bold: bool) -> Iterator[str]:
    for n, line in enumerate(lines):
        yield _text(x, y + 4 + 12 * (n - (len(lines) - 1) / 2), line, "middle", INK, 11, bold=bold)


def _text(x: float, y: float, text: str, anchor: str, colour: str, size: float, *, bold: bool = False) -> str:
    weight = ' font-weight="bold"' if bold else ""
    place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size:g}"{weight}'
    return f'<text fill="{colour}" {place}>{escape(text)}</text>'
