"""The cost of each wager, as blocks of a document."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from feltlab.analysis.wager_costs import WagerCost
from feltlab.core.game import Game
from feltlab.core.stake import Stake
from feltlab.report.document import Block, Paragraph, TableBlock, columns
from feltlab.report.numbers import short, units
from feltlab.text import percent

NONE = "none"  # where a figure does not exist
TITLES = (">loss per round", ">without it", ">added cost", ">least alone", ">most alone")


def cost_blocks(game: Game, costs: Sequence[WagerCost]) -> Iterator[Block]:
    """A table of the costs of all wagers, and how to read it."""
    rows = tuple(_row(game, cost) for cost in costs)
    caption = "What each wager costs at best play; the stake of each line is named, in units"
    yield TableBlock(columns("wager", "stake", *TITLES), rows, caption)
    yield Paragraph(
        "A choice serves several wagers at once, so a wager has no edge apart from a stake and a play. The "
        "loss per round is that of the whole stake, with and without the wager, each at its own best play. "
        "The added cost is their difference for each unit of the wager. Least and most alone: the edge of "
        "the wager under the play that is best for it and nothing else, and under the play that is best for "
        "the other wagers of the stake and nothing else. The return to player is one minus such a figure.",
        "note",
    )


def _row(game: Game, cost: WagerCost) -> tuple[str, ...]:
    without = NONE if cost.loss_without is None else units(cost.loss_without)
    shares = (cost.added, cost.least, cost.most)
    return cost.bet.title, describe_stake(game, cost.stake), units(cost.loss), without, *map(_share, shares)


def _share(value: Fraction | None) -> str:
    return NONE if value is None else percent(value)


def describe_stake(game: Game, stake: Stake) -> str:
    """'1 on Ante, 0.5 on Trips'."""
    return ", ".join(f"{short(n)} on {game.spot(bet).title}" for bet, n in stake.items() if n)
