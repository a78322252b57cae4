"""The felt of a game, from its own data: where the wagers lie, what is printed beside them, a picture of it.

The wagers that a hand needs lie nearest to the player, each with its raises beside it; side bets lie
beyond them, nearer to the dealer.
"""

from collections.abc import Iterator
from functools import cache
from html import escape
from math import cos, pi, sin
from typing import Any

from feltlab.core.cards import JOKER, SUITS, SYMBOLS
from feltlab.core.game import Game
from feltlab.core.layout import Spot
from feltlab.core.paytable import Line
from feltlab.text import capitalised

WIDTH, HEIGHT = 600, 320
RADIUS, APART = 34, 76  # of the spots in the picture
PRINTED, LETTERS = 5, 20  # lines of a pay table in the picture, and letters of one
MANY = 2  # to 1; a wager that can pay more has its whole pay table on the felt


# -- The arrangement --------------------------------------------------------------------------------


def arrangement(game: Game) -> dict[str, list[list[dict[str, Any]]]]:
    """Rows of spots, the dealer's side first: each first wager and its raises are a group."""
    groups = [_group(game, spot) for spot in game.wagers]
    near = [group for spot, group in zip(game.wagers, groups, strict=True) if _is_main(game, spot)]
    far = [group for spot, group in zip(game.wagers, groups, strict=True) if not _is_main(game, spot)]
    return {"far": far, "near": near}


def _is_main(game: Game, spot: Spot) -> bool:
    return game.requires(spot) or any(other.raises == spot.name for other in game.spots)


def _group(game: Game, wager: Spot) -> list[dict[str, Any]]:
    beside = [spot for spot in game.spots if spot.raises == wager.name]
    return [_spot(spot) for spot in (wager, *beside)]


def _spot(spot: Spot) -> dict[str, Any]:
    return {"spot": spot.name, "title": spot.title, "raises": spot.raises}


# -- What is printed --------------------------------------------------------------------------------


def printed(game: Game) -> list[dict[str, Any]]:
    """The pay tables that stand on the felt, with the wins of each."""
    return [
        {"title": spot.title, "pays": [{"outcome": line.outcome, "pays": line.odds} for line in wins]}
        for spot, wins in _wins(game)
        if max(line.pays for line in wins) > MANY
    ]


def notes(game: Game) -> list[str]:
    """Lines for wagers that pay a little more than even money: 'Blackjack pays 3 to 2'."""
    best = ((spot, max(wins, key=lambda line: line.pays)) for spot, wins in _wins(game))
    return [f"{spot.title} pays {line.odds}" for spot, line in best if 1 < line.pays <= MANY]


def _wins(game: Game) -> Iterator[tuple[Spot, list[Line]]]:
    """Each spot that can win, with the lines that do."""
    for spot in game.spots:
        wins = [line for line in game.pay_table(spot).lines if line.result == "win"]
        if wins:
            yield spot, wins


# -- The picture ------------------------------------------------------------------------------------


@cache
def picture(game: Game) -> str:
    """The felt as SVG. It is styled by classes, as the pages allow no style of their own."""
    parts = [
        *(_table(game), _title(game), *_pay_panels(game), *_seats(game), *_spots(game)),
        *(*_chips(), *_faces(game)),
    ]
    label = escape(f"The felt of {game.title}")
    body = "".join(parts)
    return f'<svg class="picture" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{label}">{body}</svg>'


def _table(game: Game) -> str:
    """A half moon with a padded rail, lit from above."""
    light = f"light-{game.name}"
    edge = f"M6 8H{WIDTH - 6}V70C{WIDTH - 6} 236 470 314 300 314S6 236 6 70Z"
    inner = f"M20 20H{WIDTH - 20}V72C{WIDTH - 20} 226 460 300 300 300S20 226 20 72Z"
    stops = '<stop offset="0" stop-color="#1a7440"/><stop offset="1" stop-color="#0d4a28"/>'
    lit = f'<radialGradient id="{light}" cx=".5" cy=".1" r=".8">{stops}</radialGradient>'
    return f'{lit}<path class="p-rail" d="{edge}"/><path class="p-felt" fill="url(#{light})" d="{inner}"/>'


def _title(game: Game) -> str:
    note = escape(" · ".join(notes(game)))
    small = f'<text class="p-note" x="300" y="76" font-size="14">{note}</text>' if note else ""
    return f'<text class="p-title" x="300" y="55" font-size="28">{escape(game.title)}</text>{small}'


def _pay_panels(game: Game) -> list[str]:
    """The longest pay tables, left and right of the spots."""
    longest = sorted(printed(game), key=lambda table: -len(table["pays"]))[:2]
    sides = zip((36, 400), longest, strict=False)
    return [_pay_panel(x, table) for x, table in sides]


def _pay_panel(x: int, table: dict[str, Any]) -> str:
    lines = [f'<text class="p-head" x="{x}" y="96" font-size="14">{escape(table["title"])}</text>']
    for n, line in enumerate(table["pays"][:PRINTED]):
        y, outcome = 113 + 14 * n, escape(_short(capitalised(line["outcome"])))
        lines.append(f'<text class="p-pay" x="{x}" y="{y}" font-size="11.5">{outcome}</text>')
        lines.append(
            f'<text class="p-pay p-end" x="{x + 164}" y="{y}" font-size="11.5">{line["pays"]}</text>'
        )
    return "".join(lines)


def _short(outcome: str) -> str:
    return outcome if len(outcome) <= LETTERS else f"{outcome[: LETTERS - 1].rstrip()}…"


def _seats(game: Game) -> list[str]:
    """A mark on the felt's edge for every seat."""
    seats = []
    for n in range(game.seats):
        turn = pi * (0.2 + 0.6 * n / max(1, game.seats - 1))
        x, y = 300 - 262 * cos(turn), 92 + 196 * sin(turn)
        seats.append(f'<circle class="p-seat" cx="{x:.0f}" cy="{y:.0f}" r="5"/>')
    return seats


def _spots(game: Game) -> list[str]:
    """The spots of one seat, as they lie before the player."""
    rows = arrangement(game)
    found: list[str] = []
    for groups, y in ((rows["far"], 136), (rows["near"], 224)):
        row = [spot for group in groups for spot in group]
        for n, spot in enumerate(row):
            found.append(_spot_mark(300 + int((n - (len(row) - 1) / 2) * APART), y, spot))
    return found


def _spot_mark(x: int, y: int, spot: dict[str, Any]) -> str:
    half = RADIUS - 3
    shape = (
        f'<rect class="p-raise" x="{x - half}" y="{y - half}" width="{2 * half}" height="{2 * half}" rx="9"/>'
        if spot["raises"]
        else f'<circle class="p-spot" cx="{x}" cy="{y}" r="{RADIUS}"/>'
    )
    words = _broken(spot["title"])
    top = y + 4 - 6 * (len(words) - 1)
    text = "".join(
        f'<text class="p-name" x="{x}" y="{top + 12 * n}" font-size="11.5">{escape(word)}</text>'
        for n, word in enumerate(words)
    )
    return shape + text


def _chips() -> list[str]:
    """Chips in the corner, beside the rail."""
    stacks = ((46, "p-chip-5", 4), (84, "p-chip-25", 2))
    return [_chip(x, 292 - 7 * n, colour) for x, colour, height in stacks for n in range(height)]


def _chip(x: int, y: int, colour: str) -> str:
    return "".join(
        f'<ellipse class="{kind}" cx="{x}" cy="{y}" rx="{across}" ry="{0.42 * across:.1f}"/>'
        for kind, across in ((f"p-chip {colour}", 17), ("p-chip-rim", 10))
    )


def _faces(game: Game) -> list[str]:
    """A few of its cards in the other corner, fanned out."""
    shown = [*(("Jk",) if JOKER in game.deck.cards else ()), "Kh", "As"]
    return [_face(each, 566 - 30 * (len(shown) - 1 - n), 9 * n - 10) for n, each in enumerate(shown)]


def _face(card: str, x: int, turn: int) -> str:
    """One card, turned by so many degrees about its lower edge."""
    rank, suit = ("★", "") if card == "Jk" else (card[0], SYMBOLS[SUITS.index(card[1])])
    red = " p-red" if card[1] in "hd" else ""
    inside = (
        '<rect class="p-paper" x="-17" y="-48" width="34" height="48" rx="4"/>'
        f'<text class="p-index{red}" x="-9" y="-33" font-size="15">{rank}</text>'
        f'<text class="p-index{red}" x="3" y="-9" font-size="24">{suit}</text>'
    )
    return f'<g transform="translate({x} 310) rotate({turn}) scale(1.5)">{inside}</g>'


def _broken(title: str) -> list[str]:
    """A title in lines of a few letters."""
    lines: list[str] = []
    for word in title.split():
        if lines and len(lines[-1]) + len(word) < 8:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines
