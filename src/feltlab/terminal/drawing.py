"""Cards and chips as coloured text."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.style import Style
from rich.text import Text

from feltlab.core.cards import JOKER, RANKS, SYMBOLS, Cards, rank_of, suit_of
from feltlab.core.limits import CHIPS

BLACK = Style(color="#101010", bgcolor="#f4f4f0", bold=True)
RED = Style(color="#c01020", bgcolor="#f4f4f0", bold=True)
BACK = Style(color="#a8c0f0", bgcolor="#203878")
CHIP_COLOURS = dict(zip(CHIPS, ("#f0f0f0", "#ff5050", "#40d060", "#b0a0ff"), strict=True))
MAX_CHIPS = 12  # drawn; the amount is printed beside them


@dataclass(frozen=True)
class CardSize:
    """The size of a card in columns and rows, with its border."""

    width: int = 7
    height: int = 5


SMALL, LARGE = CardSize(7, 5), CardSize(9, 7)


def draw_hand(held: Cards, columns: int, size: CardSize) -> Text:
    """Cards side by side. They overlap where the columns are too few."""
    if not held:
        return Text("\n" * (size.height - 1))
    pitch = _pitch(len(held), columns, size)
    pictures = [(list(_draw_card(card, size)), _style(card)) for card in held]
    rows = (_draw_row(pictures, row, pitch, size) for row in range(size.height))
    return Text("\n", no_wrap=True).join(rows)


def _pitch(cards: int, columns: int, size: CardSize) -> int:
    """The columns from the left edge of a card to the left edge of the next."""
    return min(size.width + 1, (columns - size.width) // max(1, cards - 1))


def _draw_row(pictures: Sequence[tuple[list[str], Style]], row: int, pitch: int, size: CardSize) -> Text:
    text = Text(no_wrap=True)
    for picture, style in pictures[:-1]:
        text.append(picture[row][:pitch], style)
        text.append(" " * max(0, pitch - size.width))
    picture, style = pictures[-1]
    return text.append(picture[row], style)


def _draw_card(card: int, size: CardSize) -> Iterator[str]:
    inside = size.width - 2
    yield f"╭{'─' * inside}╮"
    yield from (f"│{row}│" for row in (_back(inside, size) if card < 0 else _face(card, inside, size)))
    yield f"╰{'─' * inside}╯"


def _back(inside: int, size: CardSize) -> Iterator[str]:
    return ("░" * inside for _ in range(size.height - 2))


def _face(card: int, inside: int, size: CardSize) -> Iterator[str]:
    """The inner rows of a card. Its index is in two corners, so an overlapped card stays readable."""
    index, symbol = label(card)
    middle = (size.height - 2) // 2
    rows = [" " * inside] * (size.height - 2)
    rows[0] = f"{index}{symbol}".ljust(inside)
    rows[middle] = symbol.center(inside)
    rows[-1] = f"{index}{symbol}".rjust(inside)
    return iter(rows)


def label(card: int) -> tuple[str, str]:
    """The index and the suit symbol of a card."""
    if card == JOKER:
        return "Jk", "*"
    return RANKS[rank_of(card)].replace("T", "10"), SYMBOLS[suit_of(card)]


def _style(card: int) -> Style:
    if card < 0:
        return BACK
    return RED if card == JOKER or SYMBOLS[suit_of(card)] in "♦♥" else BLACK


def draw_chips(cents: int) -> Text:
    """An amount as chips, the largest first."""
    text = Text(no_wrap=True)
    for chip in reversed(CHIPS):
        text.append("●" * min(MAX_CHIPS, cents // chip), CHIP_COLOURS[chip])
        cents %= chip
    return text[:MAX_CHIPS]
