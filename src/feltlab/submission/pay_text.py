"""The pay of a line of a pay table, in words."""

from feltlab.core.layout import Spot
from feltlab.core.paytable import Line


def describe_pay(spot: Spot, line: Line) -> str:
    """The odds, and that they hold for every unit where a choice may add one: '1 to 2 on every unit'."""
    if not _may_be_raised(spot, line) or line.result == "push":
        return line.odds
    word = {"lose": "lose", "lose half": "lose half of"}.get(line.odds, f"{line.odds} on")
    return f"{word} every unit"


def describe_pay_to_player(spot: Spot, line: Line) -> str:
    """The same for a rack card: 'half of what you staked'."""
    if not _may_be_raised(spot, line):
        return line.odds
    return "half of what you staked" if line.odds == "1 to 2" else f"{line.odds} on all that you staked"


def _may_be_raised(spot: Spot, line: Line) -> bool:
    """Can a choice have added a unit to a first wager by then? A raise is a wager of its own."""
    return not spot.follows and spot.most_units_of(line) > 1
