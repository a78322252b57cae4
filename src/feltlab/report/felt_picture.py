"""A picture of a game's felt for the lobby, as SVG."""

from functools import cache
from html import escape
from math import cos, pi, sin
from typing import Any

from feltlab.core.cards import JOKER, SUITS, SYMBOLS
from feltlab.core.game import Game
from feltlab.games.felt_look import felt_look
from feltlab.report.felt_layout import arrange_spots, pay_notes, printed_pay_tables, table_notices
from feltlab.text import capitalised

WIDTH, HEIGHT = 600, 320
SPOT_RADIUS, SPOT_DISTANCE = 34, 76
PANEL_LINES, PANEL_CHARS, HEAD_CHARS = 5, 20, 22  # of a pay table
LINE_CHARS = 8  # of a spot's title


@cache
def draw_felt(game: Game) -> str:
    """The felt as SVG, styled by classes, because the pages forbid inline styles."""
    parts = [
        *(_table(game), _title(game), *_pay_panels(game), *_seats(game), *_spots(game)),
        *(*_chips(), *_faces(game)),
    ]
    label = escape(f"The felt of {game.title}")
    look = f"picture look-{felt_look(game).colour}"
    size = f"0 0 {WIDTH} {HEIGHT}"
    return f'<svg class="{look}" viewBox="{size}" role="img" aria-label="{label}">{"".join(parts)}</svg>'


def _table(game: Game) -> str:
    """A half-moon table with a padded rail, lit from above."""
    light = f"light-{game.name}"
    edge = f"M6 8H{WIDTH - 6}V70C{WIDTH - 6} 236 470 314 300 314S6 236 6 70Z"
    inner = f"M20 20H{WIDTH - 20}V72C{WIDTH - 20} 226 460 300 300 300S20 226 20 72Z"
    stops = '<stop class="p-lit" offset="0"/><stop class="p-dim" offset="1"/>'
    lit = f'<radialGradient id="{light}" cx=".5" cy=".1" r=".8">{stops}</radialGradient>'
    felt = f'<path class="p-felt" fill="url(#{light})" d="{inner}"/>'
    return f'{lit}<path class="p-rail" d="{edge}"/>{felt}{_rack()}'


def _rack() -> str:
    """The dealer's chips, before the dealer."""
    tubes = "".join(
        f'<rect class="p-tube p-chip-{value}" x="{238 + 21 * n}" y="23" width="18" height="9" rx="2"/>'
        for n, value in enumerate((100, 25, 25, 5, 5, 1))
    )
    return f'<rect class="p-rack" x="234" y="20" width="132" height="15" rx="4"/>{tubes}'


def _title(game: Game) -> str:
    note = escape(" · ".join((*pay_notes(game), *table_notices(game))))
    small = f'<text class="p-note" x="300" y="88" font-size="12">{note}</text>' if note else ""
    arc, title = f"arc-{game.name}", escape(game.title)
    text = f'<textPath href="#{arc}" startOffset="50%">{title}</textPath>'
    path = f'<path id="{arc}" class="p-arc" d="M40 44Q300 92 560 44"/>'
    return f'{path}<text class="p-title" font-size="25">{text}</text>{small}'


def _pay_panels(game: Game) -> list[str]:
    """The two longest pay tables, left and right of the spots."""
    longest = sorted(printed_pay_tables(game), key=lambda table: -len(table["pays"]))[:2]
    sides = zip((36, 400), longest, strict=False)
    return [_pay_panel(x, table) for x, table in sides]


def _pay_panel(x: int, table: dict[str, Any]) -> str:
    head = _shorten(table["title"], HEAD_CHARS)
    lines = [f'<text class="p-head" x="{x}" y="100" font-size="13.5">{escape(head)}</text>']
    for n, line in enumerate(table["pays"][:PANEL_LINES]):
        y, outcome = 117 + 14 * n, escape(_shorten(capitalised(line["outcome"])))
        lines.append(f'<text class="p-pay" x="{x}" y="{y}" font-size="11.5">{outcome}</text>')
        lines.append(
            f'<text class="p-pay p-end" x="{x + 164}" y="{y}" font-size="11.5">{line["pays"]}</text>'
        )
    return "".join(lines)


def _shorten(text: str, most: int = PANEL_CHARS) -> str:
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


def _seats(game: Game) -> list[str]:
    """A mark for each seat, along the edge of the felt."""
    seats = []
    for n in range(game.seats):
        turn = pi * (0.2 + 0.6 * n / max(1, game.seats - 1))
        x, y = 300 - 262 * cos(turn), 92 + 196 * sin(turn)
        seats.append(f'<circle class="p-seat" cx="{x:.0f}" cy="{y:.0f}" r="5"/>')
    return seats


def _spots(game: Game) -> list[str]:
    """The spots of one seat."""
    rows = arrange_spots(game)
    found: list[str] = []
    for groups, y in ((rows["far"], 142), (rows["near"], 224)):
        row = [spot for group in groups for spot in group]
        for n, spot in enumerate(row):
            found.append(_spot_mark(300 + int((n - (len(row) - 1) / 2) * SPOT_DISTANCE), y, spot))
    return found


def _spot_mark(x: int, y: int, spot: dict[str, Any]) -> str:
    half = SPOT_RADIUS - 3
    shape = (
        f'<rect class="p-raise" x="{x - half}" y="{y - half}" width="{2 * half}" height="{2 * half}" rx="9"/>'
        if spot["raises"]
        else f'<circle class="p-spot" cx="{x}" cy="{y}" r="{SPOT_RADIUS}"/>'
    )
    words = _wrap(spot["title"])
    top = y + 4 - 6 * (len(words) - 1)
    text = "".join(
        f'<text class="p-name" x="{x}" y="{top + 12 * n}" font-size="11.5">{escape(word)}</text>'
        for n, word in enumerate(words)
    )
    return shape + text


def _chips() -> list[str]:
    """Two stacks of chips in the left corner."""
    stacks = ((46, "p-chip-5", 4), (84, "p-chip-25", 2))
    return [_chip(x, 292 - 7 * n, colour) for x, colour, height in stacks for n in range(height)]


def _chip(x: int, y: int, colour: str) -> str:
    return "".join(
        f'<ellipse class="{kind}" cx="{x}" cy="{y}" rx="{across}" ry="{0.42 * across:.1f}"/>'
        for kind, across in ((f"p-chip {colour}", 17), ("p-chip-rim", 10))
    )


def _faces(game: Game) -> list[str]:
    """A few cards of the deck, fanned out in the right corner."""
    shown = [*(("Jk",) if JOKER in game.deck.cards else ()), "Kh", "As"]
    return [_face(each, 566 - 30 * (len(shown) - 1 - n), 9 * n - 10) for n, each in enumerate(shown)]


def _face(card: str, x: int, turn: int) -> str:
    """One card, rotated by `turn` degrees about its lower edge."""
    rank, suit = ("★", "") if card == "Jk" else (card[0], SYMBOLS[SUITS.index(card[1])])
    red = " p-red" if card[1] in "hd" else ""
    inside = (
        '<rect class="p-paper" x="-17" y="-48" width="34" height="48" rx="4"/>'
        f'<text class="p-index{red}" x="-9" y="-33" font-size="15">{rank}</text>'
        f'<text class="p-index{red}" x="3" y="-9" font-size="24">{suit}</text>'
    )
    return f'<g transform="translate({x} 310) rotate({turn}) scale(1.5)">{inside}</g>'


def _wrap(title: str) -> list[str]:
    """A title as short lines, broken between words."""
    lines: list[str] = []
    for word in title.split():
        if lines and len(lines[-1]) + len(word) < LINE_CHARS:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines
