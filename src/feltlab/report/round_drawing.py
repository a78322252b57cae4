"""A drawing of a table in the middle of a round: the dealer's cards, each position's chips and cards.

The dealer stands at the upper edge, so position 1, at the dealer's left, is at the right.
"""

from collections.abc import Iterator
from html import escape
from typing import Any

from feltlab.core.cards import FACE_DOWN, Cards, name
from feltlab.report.felt_layout import arrange_spots
from feltlab.report.round_frames import Frame, describe_result
from feltlab.report.svg import CARD_HEIGHT, CARD_WIDTH, FONT, draw_back, draw_card
from feltlab.submission.chips import count_chips
from feltlab.text import dollars

WIDTH = 640
INK, QUIET, LINE, FELT, SPOT = "#22262b", "#5c636b", "#2e7d5b", "#f1f7f3", "#ffffff"
TAKE, PAY = "#a5302a", "#23694b"
DEALER_Y, SEATS_Y = 26, 96
SPOT_RADIUS, ROW_HEIGHT = 17, 62
CARD_STEP = CARD_WIDTH + 2
CHIP_COLOURS = {"yellow": "#e2b93b", "purple": "#6b3fa0", "black": "#22252a", "green": "#14692f"}
CHIP_COLOURS |= {"red": "#b3202f", "white": "#e8e6df"}
COIN = "#b9b4a5"


def draw_frame(frame: Frame) -> bytes:
    """The table as SVG; the same frame gives the same bytes."""
    rows = [row for row in arrange_spots(frame.game).values() if row]
    depth = SEATS_Y + ROW_HEIGHT * len(rows) + CARD_HEIGHT + 30
    parts = [*_felt(depth), *_shared(frame), *_seats(frame, rows)]
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {depth}" '
    head += f'width="{WIDTH}" height="{depth}" font-family="{FONT}" font-size="12">'
    return f"{head}{''.join(parts)}</svg>\n".encode()


def _felt(depth: float) -> Iterator[str]:
    low = depth - 6
    edge = f"M6 6H{WIDTH - 6}V{low - 90:g}C{WIDTH - 6} {low - 20:g} 600 {low:g} 540 {low:g}"
    edge += f"H100C40 {low:g} 6 {low - 20:g} 6 {low - 90:g}Z"
    yield f'<path d="{edge}" fill="{FELT}" stroke="{LINE}" stroke-width="1.5"/>'


def _shared(frame: Frame) -> Iterator[str]:
    """The cards that all seats share, side by side before the dealer."""
    shared = [(area, cards) for area, cards in reversed([*frame.shared.items()]) if cards]
    width = sum(CARD_STEP * len(cards) + 24 for _, cards in shared) - 24
    x = WIDTH / 2 - width / 2
    for area, cards in shared:
        yield _text(x, DEALER_Y - 6, area.capitalize(), "start", QUIET, 10)
        yield from _cards(x, DEALER_Y, cards)
        x += CARD_STEP * len(cards) + 24
    if not shared:
        yield _text(WIDTH / 2, DEALER_Y + 22, "The dealer", "middle", QUIET, 11)


def _cards(x: float, y: float, cards: Any) -> Iterator[str]:
    for n, card in enumerate(cards):
        at = x + CARD_STEP * n
        yield draw_back(at, y) if card == FACE_DOWN else draw_card(at, y, name(card))


def _seats(frame: Frame, rows: list[Any]) -> Iterator[str]:
    count = len(frame.hands)
    column = (WIDTH - 40) / count
    order = {(seat, paid.spot.name): n for n, (seat, paid) in enumerate(frame.paid, 1)}
    for seat in range(count):
        middle = WIDTH - 20 - column * (seat + 0.5)
        for down, groups in enumerate(rows):
            spots = [spot for group in groups for spot in group]
            yield from _spot_row(frame, seat, spots, middle, column, SEATS_Y + 20 + ROW_HEIGHT * down, order)
        y = SEATS_Y + ROW_HEIGHT * len(rows)
        yield from _hand(frame, seat, middle, column, y)


def _hand(frame: Frame, seat: int, middle: float, column: float, y: float) -> Iterator[str]:
    held = frame.hands[seat]
    step = min(CARD_STEP, (column - 10) / max(1, len(held)))
    x = middle - (step * (len(held) - 1) + CARD_WIDTH) / 2
    for n, card in enumerate(held):
        at = x + step * n
        yield draw_back(at, y) if card < 0 else draw_card(at, y, name(card))
    yield _text(middle, y + CARD_HEIGHT + 14, f"Position {seat + 1}", "middle", QUIET, 10)


def _spot_row(
    frame: Frame,
    seat: int,
    spots: list[dict[str, Any]],
    middle: float,
    column: float,
    y: float,
    order: dict[tuple[int, str], int],
) -> Iterator[str]:
    step = min(54.0, (column - 6) / len(spots))
    for n, spot in enumerate(spots):
        x = middle + (n - (len(spots) - 1) / 2) * step
        yield _place(x, y, min(SPOT_RADIUS, step / 2 - 2), bool(spot["raises"]))
        yield _text(x, y + SPOT_RADIUS + 10, _shorten(spot["title"], step), "middle", QUIET, 8)
        settled = next((p for s, p in frame.paid if (s, p.spot.name) == (seat, spot["spot"])), None)
        yield from _chips(x, y, frame.chips[seat].get(spot["spot"], 0))
        if settled:
            yield from _result(x, y, order[seat, spot["spot"]], describe_result(settled), settled.net)


def _shorten(title: str, step: float) -> str:
    """A title that fits its place, by its first letters where it is too long."""
    most = int(step / 3.9)
    return title if len(title) <= most else f"{title[: most - 1].rstrip()}."


def _place(x: float, y: float, radius: float, is_raise: bool) -> str:
    style = f'fill="{SPOT}" stroke="{LINE}"'
    if not is_raise:
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" {style}/>'
    size = f'width="{2 * radius:.1f}" height="{2 * radius:.1f}" rx="3"'
    return f'<rect x="{x - radius:.1f}" y="{y - radius:.1f}" {size} stroke-dasharray="4 2" {style}/>'


def _chips(x: float, y: float, cents: int) -> Iterator[str]:
    """The chips on a spot, the largest below, and the amount above them."""
    if not cents:
        return
    pile = [chip.colour for chip, count in count_chips(cents).items() for _ in range(count)][:6]
    for n, colour in enumerate(pile):
        fill = CHIP_COLOURS.get(colour, COIN)
        yield (
            f'<ellipse cx="{x:.1f}" cy="{y + 7 - 3 * n:.1f}" rx="10" ry="4.5" fill="{fill}" '
            'stroke="#ffffff" stroke-width=".8"/>'
        )
    yield _text(x, y - SPOT_RADIUS - 3, dollars(cents), "middle", INK, 9)


def _result(x: float, y: float, number: int, does: str, net: int) -> Iterator[str]:
    """The order in which a wager is settled, and the dealer's part."""
    colour = PAY if net > 0 else TAKE if net < 0 else QUIET
    yield f'<circle cx="{x - 14:.1f}" cy="{y - 12:.1f}" r="7" fill="{colour}"/>'
    yield _text(x - 14, y - 9, str(number), "middle", "#ffffff", 9, bold=True)
    yield _text(x, y + SPOT_RADIUS + 20, does, "middle", colour, 9, bold=True)


def _text(x: float, y: float, text: str, anchor: str, colour: str, size: float, *, bold: bool = False) -> str:
    weight = ' font-weight="bold"' if bold else ""
    place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size:g}"{weight}'
    return f'<text fill="{colour}" {place}>{escape(text)}</text>'


def describe_frame(frame: Frame) -> str:
    """The cards of the picture in words."""
    hands = [f"Position {seat} {_name_cards(cards)}" for seat, cards in enumerate(frame.hands, 1) if cards]
    shared = [f"{area.capitalize()} {_name_cards(cards)}" for area, cards in frame.shared.items() if cards]
    return f"{'; '.join((*shared, *hands))}." if hands else "Wagers, and no card yet."


def _name_cards(cards: Cards) -> str:
    """'7h Jc', '2 cards face down' or 'As, 1 card face down'."""
    hidden = sum(card == FACE_DOWN for card in cards)
    shown = str(Cards(card for card in cards if card >= 0))
    down = f"{hidden} card{'s' * (hidden > 1)} face down" if hidden else ""
    return ", ".join(filter(None, (shown, down)))
