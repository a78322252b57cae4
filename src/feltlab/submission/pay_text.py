"""The pay of a line of a pay table, in words."""

from feltlab.core.paytable import Line

COUNTED = {2: "both units", 3: "all three units"}


def describe_pay(line: Line) -> str:
    """The odds, and on how many units where a choice has put down more: '1 to 2 on both units'."""
    if line.staked == 1 or line.result == "push":
        return line.odds
    units = COUNTED.get(line.staked, f"all {line.staked} units")
    word = {"lose": "lose", "lose half": "lose half of"}.get(line.odds, f"{line.odds} on")
    return f"{word} {units}"


def describe_pay_to_player(line: Line) -> str:
    """The same for a rack card: 'half of what you staked'."""
    if line.staked == 1:
        return line.odds
    return "half of what you staked" if line.odds == "1 to 2" else f"{line.odds} on all that you staked"
