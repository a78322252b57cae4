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
MOST_CHIPS = 12  # drawn; the amount beside them says the rest


@dataclass(frozen=True)
class Size:
    """Of a card, in columns and rows, its border included."""

    width: int = 7
    height: int = 5


SMALL, LARGE = Size(7, 5), Size(9, 7)


def hand(held: Cards, columns: int, size: Size) -> Text:
    """Cards side by side, apart where there is room and overlapping where there is not."""
    if not held:
        return Text("\n" * (size.height - 1))
    apart = _apart(len(held), columns, size)
    pictures = [(list(_picture(card, size)), _style(card)) for card in held]
    rows = (_row(pictures, row, apart, size) for row in range(size.height))
    return Text("\n", no_wrap=True).join(rows)


def _apart(cards: int, columns: int, size: Size) -> int:
    """Columns from the left side of a card to that of the next."""
    return min(size.width + 1, (columns - size.width) // max(1, cards - 1))


def _row(pictures: Sequence[tuple[list[str], Style]], row: int, apart: int, size: Size) -> Text:
    text = Text(no_wrap=True)
    for picture, style in pictures[:-1]:
        text.append(picture[row][:apart], style)
        text.append(" " * max(0, apart - size.width))
    picture, style = pictures[-1]
    return text.append(picture[row], style)


def _picture(card: int, size: Size) -> Iterator[str]:
    inside = size.width - 2
    yield f"╭{'─' * inside}╮"
    yield from (f"│{row}│" for row in (_back(inside, size) if card < 0 else _face(card, inside, size)))
    yield f"╰{'─' * inside}╯"


def _back(inside: int, size: Size) -> Iterator[str]:
    return ("░" * inside for _ in range(size.height - 2))


def _face(card: int, inside: int, size: Size) -> Iterator[str]:
    """The index stands in two corners, so that a card half covered can still be read."""
    index, symbol = label(card)
    middle = (size.height - 2) // 2
    rows = [" " * inside] * (size.height - 2)
    rows[0] = f"{index}{symbol}".ljust(inside)
    rows[middle] = symbol.center(inside)
    rows[-1] = f"{index}{symbol}".rjust(inside)
    return iter(rows)


def label(card: int) -> tuple[str, str]:
    """A card's index and its symbol."""
    if card == JOKER:
        return "Jk", "*"
    return RANKS[rank_of(card)].replace("T", "10"), SYMBOLS[suit_of(card)]


def _style(card: int) -> Style:
    if card < 0:
        return BACK
    return RED if card == JOKER or SYMBOLS[suit_of(card)] in "♦♥" else BLACK


def chips(cents: int) -> Text:
    """An amount as chips, the largest first."""
    text = Text(no_wrap=True)
    for chip in reversed(CHIPS):
        text.append("●" * min(MOST_CHIPS, cents // chip), CHIP_COLOURS[chip])
        cents %= chip
    return text[:MOST_CHIPS]
