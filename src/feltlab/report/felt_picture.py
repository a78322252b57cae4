"""A picture of a game's felt for the lobby, as SVG; small, since the lobby has one for each game."""

from functools import cache
from html import escape
from math import cos, pi, sin
from typing import Any

from feltlab.core.cards import JOKER, SUITS, SYMBOLS
from feltlab.core.game import Game
from feltlab.games.felt_look import felt_look
from feltlab.report.felt_layout import arrange_spots, pay_notes, table_notices

WIDTH, HEIGHT = 600, 320
SPOT_RADIUS, SPOT_GAP = 40, 10
MAX_ROW_WIDTH = 300  # of the spots beside each other
LINE_CHARS = 8  # of a spot's title
THINGS = "felt-things"  # the id of what all pictures of a page share


@cache
def draw_felt(game: Game, shares_things: bool = False) -> str:
    """The felt as SVG, styled by classes, because the pages forbid inline styles.

    On a page with several pictures, those that share things refer to the chips and cards of another one.
    """
    things = f'<use href="#{THINGS}"/>' if shares_things else f'<g id="{THINGS}">{_draw_things()}</g>'
    parts = [_table(game), _title(game), _seats(game), *_spots(game), _joker(game), things]
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
    return f'{lit}<path class="p-rail" d="{edge}"/>{felt}'


def _draw_things() -> str:
    """The things on every table: the dealer's chips, two stacks of chips, and two cards."""
    stacks = _stack(46, 4, "p-chip-5") + _stack(84, 2, "p-chip-25")
    return _rack() + stacks + _face("Kh", 1) + _face("As", 0)


def _rack() -> str:
    """The dealer's chips, before the dealer."""
    two = "h18m3 0h18"
    tubes = {100: "M238 27.5h18", 25: f"M259 27.5{two}", 5: f"M301 27.5{two}", 1: "M343 27.5h18"}
    drawn = "".join(f'<path class="p-tube p-tube-{value}" d="{path}"/>' for value, path in tubes.items())
    return f'<rect class="p-rack" x="234" y="20" width="132" height="15" rx="4"/>{drawn}'


def _title(game: Game) -> str:
    note = escape(" · ".join((*pay_notes(game), *table_notices(game))))
    small = f'<text class="p-note" x="300" y="88">{note}</text>' if note else ""
    arc, title = f"arc-{game.name}", escape(game.title)
    text = f'<textPath href="#{arc}" startOffset="50%">{title}</textPath>'
    path = f'<path id="{arc}" class="p-arc" d="M40 44Q300 92 560 44"/>'
    return f'{path}<text class="p-title">{text}</text>{small}'


def _seats(game: Game) -> str:
    """A mark for each seat, along the edge of the felt."""
    turns = [pi * (0.2 + 0.6 * n / max(1, game.seats - 1)) for n in range(game.seats)]
    marks = "".join(f"M{300 - 262 * cos(turn):.0f} {92 + 196 * sin(turn):.0f}h0" for turn in turns)
    return f'<path class="p-seat" d="{marks}"/>'


def _spots(game: Game) -> list[str]:
    """The spots of one seat."""
    rows = arrange_spots(game)
    found: list[str] = []
    for groups, y in ((rows["far"], 141), (rows["near"], 231)):
        row = [spot for group in groups for spot in group]
        apart = min(2 * SPOT_RADIUS + SPOT_GAP, MAX_ROW_WIDTH // max(1, len(row)))
        for n, spot in enumerate(row):
            x = 300 + int((n - (len(row) - 1) / 2) * apart)
            found.append(_spot_mark(x, y, (apart - SPOT_GAP) // 2, spot))
    return found


def _spot_mark(x: int, y: int, radius: int, spot: dict[str, Any]) -> str:
    half = radius - 3
    shape = (
        f'<rect class="p-raise" x="{x - half}" y="{y - half}" width="{2 * half}" height="{2 * half}" rx="9"/>'
        if spot["raises"]
        else f'<circle class="p-spot" cx="{x}" cy="{y}" r="{radius}"/>'
    )
    words = _wrap(spot["title"])
    top = y + 5 - 7 * (len(words) - 1)
    lines = "".join(
        f'<tspan x="{x}" y="{top + 14 * n}">{escape(word)}</tspan>' for n, word in enumerate(words)
    )
    return f'{shape}<text class="p-name">{lines}</text>'


def _stack(x: int, height: int, colour: str) -> str:
    """A stack of chips: its side, the edges of the chips below the first, and the first."""
    top, left = 299 - 7 * height, x - 17
    side = f"M{left} {top}v{7 * height - 7}a17 7 0 0 0 34 0v-{7 * height - 7}"
    edges = "".join(f"M{left} {top + 7 * n}a17 7 0 0 0 34 0" for n in range(1, height - 1))
    first = f'<ellipse class="p-chip {colour}" cx="{x}" cy="{top}" rx="17" ry="7"/>'
    rim = f'<ellipse class="p-chip-rim" cx="{x}" cy="{top}" rx="10" ry="4"/>'
    return f'<path class="p-chip {colour}" d="{side}{edges}"/>{first}{rim}'


def _joker(game: Game) -> str:
    return _face("Jk", 2) if JOKER in game.deck.cards else ""


def _face(card: str, place: int) -> str:
    """A card of those that are fanned out in the right corner, counted from the last."""
    rank, suit = ("★", "") if card == "Jk" else (card[0], SYMBOLS[SUITS.index(card[1])])
    red = " p-red" if card[1] in "hd" else ""
    inside = (
        '<rect class="p-paper" x="-17" y="-48" width="34" height="48" rx="4"/>'
        f'<text class="p-index{red}" x="-9" y="-33">{rank}</text>'
        f'<text class="p-index p-suit{red}" x="3" y="-9">{suit}</text>'
    )
    turn = f"translate({566 - 30 * place} 310) rotate({-1 - 9 * place}) scale(1.5)"
    return f'<g transform="{turn}">{inside}</g>'


def _wrap(title: str) -> list[str]:
    """A title as short lines, broken between words."""
    lines: list[str] = []
    for word in title.split():
        if lines and len(lines[-1]) + len(word) < LINE_CHARS:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines
