"""The pay tables of a bonus on three cards, which wins with a pair or better; several games offer it."""

from feltlab.core.hands import three_card
from feltlab.core.paytable import Line, PayTable, lose, win
from feltlab.kernel import lean

HANDS = ("Royal Flush", "Straight Flush", "Three of a Kind", "Straight", "Flush", "Pair")
LESS = lose("less than a Pair")
PAYS = (  # by hand, table after table
    (40, 40, 30, 6, 4, 1),
    (40, 40, 30, 5, 4, 1),
    (40, 40, 30, 6, 3, 1),
    (50, 40, 30, 6, 4, 1),
    (50, 40, 30, 5, 4, 1),
    (50, 40, 30, 6, 3, 1),
    (35, 35, 33, 6, 4, 1),
    (40, 40, 25, 6, 4, 1),
    (35, 35, 25, 6, 4, 1),
    (40, 40, 20, 6, 4, 1),
    (100, 40, 30, 5, 4, 1),
    (50, 50, 30, 6, 3, 1),
    (200, 40, 30, 6, 3, 1),
)
FOLDED = len(HANDS) + 1  # the number of a line after those of the hands


def pay_tables(*more: Line) -> tuple[PayTable, ...]:
    """The tables "1" to "13", with more lines after those of the hands."""
    return tuple(
        PayTable(str(number), (*map(win, HANDS, pays), LESS, *more)) for number, pays in enumerate(PAYS, 1)
    )


@lean
def judge(a: int, b: int, c: int) -> int:
    """The outcome of three cards: the number of their line."""
    return three_card.ROYAL - (three_card.strength(a, b, c) >> 12)
