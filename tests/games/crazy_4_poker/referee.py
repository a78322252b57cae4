"""The slow referee of Crazy 4 Poker."""

from fractions import Fraction

from tests.support import slow_hands
from tests.support.referee import (
    ACE,
    KING,
    QUEEN,
    Hand,
    Made,
    Options,
    Referee,
    Results,
    exact,
    no_more_cards,
)

UNITS = {"play-1x": 1, "play-2x": 2, "play-3x": 3}
SUPER_BONUS = {
    "Four of a Kind": Fraction(30),
    "Straight Flush": Fraction(15),
    "Three of a Kind": Fraction(2),
    "Flush": Fraction(3, 2),
    "Straight": Fraction(1),
}
QUEENS_UP = {"Four of a Kind": 50, "Flush": 4, "Straight": 3, "Two Pair": 2}
QUEENS_UP_BY_TABLE = {"1": (40, 8), "2": (40, 9), "3": (30, 9), "4": (30, 8), "5": (40, 7)}

Value = tuple[int, ...]


def category(value: Value) -> str:
    return slow_hands.FOUR_CARD[value[0]]


def open_choices(options: Options, player: Hand, dealer: Hand, made: Made) -> tuple[str, ...]:
    if made:
        return ()
    mine = slow_hands.four_card(player)
    may_raise = category(mine) not in ("High Card", "Pair") or mine[:2] == (1, ACE)
    return ("play-3x", "play-2x", "play-1x", "fold") if may_raise else ("play-1x", "fold")


def settle(options: Options, player: Hand, dealer: Hand, made: Made) -> Results:
    if "fold" in made:
        return exact(dict.fromkeys(("ante", "super-bonus", "queens-up"), ("fold", -1)))
    mine, his = slow_hands.four_card(player), slow_hands.four_card(dealer)
    units = UNITS[made[0]]
    result, sign = compare_hands(mine, his)
    unopposed = result == "dealer does not qualify"
    return exact(
        {
            "ante": (result, sign),
            "play": (result, units if unopposed else units * sign),
            "super-bonus": super_bonus(mine, result),
            "queens-up": queens_up(options, mine),
        }
    )


def compare_hands(mine: Value, his: Value) -> tuple[str, int]:
    """The result of the Ante, which a dealer below king high pushes."""
    if category(his) == "High Card" and his[1] < KING:
        return "dealer does not qualify", 0
    if mine == his:
        return "tie", 0
    return ("better hand", 1) if mine > his else ("worse hand", -1)


def super_bonus(mine: Value, result: str) -> tuple[str, Fraction]:
    name = category(mine)
    if name == "Four of a Kind" and mine[1] == ACE:
        return "four Aces", Fraction(200)
    if name in SUPER_BONUS:
        return name, SUPER_BONUS[name]
    if result == "worse hand":
        return "worse hand, less than a straight", Fraction(-1)
    return "less than a straight", Fraction(0)


def queens_up(options: Options, mine: Value) -> tuple[str, int]:
    name = category(mine)
    straight_flush, three = QUEENS_UP_BY_TABLE[options["queens-up"]]
    pays = QUEENS_UP | {"Straight Flush": straight_flush, "Three of a Kind": three}
    if name in pays:
        return name, pays[name]
    if name == "Pair" and mine[1] >= QUEEN:
        return "pair of Queens or better", 1
    return "less than a pair of Queens", -1


REFEREE = Referee(open_choices, no_more_cards, settle)
