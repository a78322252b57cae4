"""Rule sheets and pay tables as text."""

import re
from collections.abc import Iterator
from importlib import resources
from pathlib import Path

from feltlab.core.game import Game
from feltlab.core.layout import Spot
from feltlab.core.paytable import Line
from feltlab.errors import Refused

_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")  # a name, and never a path


def rule_sheet(game_name: str) -> str:
    """The rules of a game in Markdown, from the package or from the source tree around it."""
    if _NAME.fullmatch(game_name):
        places = (resources.files("feltlab") / "docs" / "rules", Path(__file__).parents[3] / "docs" / "rules")
        for place in places:
            sheet = place / f"{game_name}.md"
            if sheet.is_file():
                return sheet.read_text(encoding="utf-8")
    raise Refused(f"There is no rule sheet for {game_name!r}.")


def options_in_force(game: Game) -> str:
    """A line for each option of the house."""
    lines = (f"  {o.name}={game.options[o.name]}  ({o.help})" for o in game.rules.OPTIONS)
    return "\n".join(lines) or f"  {game.title} has none."


def pay_tables(game: Game) -> str:
    """What every wager pays under the options in force."""
    return "\n\n".join("\n".join(_pay_table(game, spot)) for spot in game.spots)


def _pay_table(game: Game, spot: Spot) -> Iterator[str]:
    table = game.pay_table(spot)
    yield f"{spot.title}, pay table {table.name}" if spot.option else spot.title
    listed = [line for line in table.lines if line.listed]
    width = max(len(line.outcome) for line in listed)
    yield from (f"  {line.outcome:{width}}  {paid(line)}" for line in listed)


def paid(line: Line) -> str:
    """The odds, and the units that they are paid on where a choice has put down more than the first."""
    return line.odds if line.staked == 1 else f"{line.odds} on {line.staked} units"
