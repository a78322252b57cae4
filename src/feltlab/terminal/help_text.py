"""The help of a table: options, pay tables and rules as plain text."""

import re
from collections.abc import Iterator

from feltlab.core.game import Game
from feltlab.core.layout import Spot
from feltlab.errors import Refused
from feltlab.games.data import printed_lines
from feltlab.submission.pay_text import describe_pay
from feltlab.submission.rule_sheet import render_rule_sheet


def describe_options(game: Game) -> str:
    """One line for each house option."""
    lines = (f"  {o.name}={game.options[o.name]}  ({o.help})" for o in game.rules.OPTIONS)
    return "\n".join(lines) or f"  {game.title} has none."


def describe_pay_tables(game: Game) -> str:
    """The pay table of every wager under the options in force."""
    return "\n\n".join("\n".join(_describe_pay_table(game, spot)) for spot in game.spots)


def _describe_pay_table(game: Game, spot: Spot) -> Iterator[str]:
    table = game.pay_table(spot)
    yield f"{spot.title}, pay table {table.name}" if spot.option else spot.title
    listed = printed_lines(game, spot)
    width = max(len(line.outcome) for line in listed)
    yield from (f"  {line.outcome:{width}}  {describe_pay(spot, line)}" for line in listed)


def rules_text(game: Game) -> str:
    """The rule sheet under the options in force, in Markdown, or a sentence if the game has no sheet."""
    try:
        return render_rule_sheet(game)
    except Refused as refused:
        return str(refused)


def without_markup(markdown: str) -> str:
    """Markdown as plain lines, for screen readers: cells of a table with semicolons, no other marks.

    >>> without_markup("## Play\\n**1.1** See [the sheet](x.md).\\n|a|b|\\n|---|--:|\\n| 1 | 2 |")
    'Play\\n1.1 See the sheet.\\na; b\\n1; 2'
    """
    lines = (line for line in markdown.splitlines() if not re.fullmatch(r"[|:\s-]+-[|:\s-]*", line))
    return "\n".join(map(_plain_line, lines))


def _plain_line(line: str) -> str:
    text = re.sub(r"^(#+|>)\s*|\*\*|`|(?<!\w)\*|\*(?!\w)", "", line)
    text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", text)
    if text.startswith("|"):
        text = "; ".join(cell.strip() for cell in text.strip("| ").split("|"))
    return text
