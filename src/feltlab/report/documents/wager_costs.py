"""The cost of each wager, as blocks of a document."""

from collections.abc import Iterator, Sequence

from feltlab.analysis.wager_costs import WagerCost
from feltlab.core.game import Game
from feltlab.core.stake import Stake
from feltlab.report.document import Block, Paragraph, TableBlock, columns
from feltlab.report.numbers import short, units
from feltlab.text import percent

REQUIRED = "required"  # a wager that cannot be left out: there is no round without it
ONLY_WAGER = "only wager"  # of its stake: there is no play for the others
LEGEND = (  # what the words in place of a figure mean
    "Required: the wager cannot be left out, so there is no round without it to compare with. Only wager: "
    "the stake has no other wager that the play could serve; wagers that must be equal count as one."
)
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
        "the other wagers of the stake and nothing else. The return to player is one minus such a figure. "
        f"{_describe_equal(game)}{LEGEND}",
        "note",
    )


def _describe_equal(game: Game) -> str:
    if not any(spot.equals for spot in game.spots):
        return ""
    return "Wagers that must be equal are made together, so alone means all of them and no other. "


def _row(game: Game, cost: WagerCost) -> tuple[str, ...]:
    without = REQUIRED if cost.loss_without is None else units(cost.loss_without)
    stake, shares = describe_stake(game, cost.stake), describe_shares(cost)
    return cost.bet.title, stake, units(cost.loss), without, *shares


def describe_shares(cost: WagerCost) -> tuple[str, str, str]:
    """The added cost, the least and the most, or why there is none."""
    added = REQUIRED if cost.added is None else percent(cost.added)
    most = ONLY_WAGER if cost.most is None else percent(cost.most)
    return added, percent(cost.least), most


def describe_stake(game: Game, stake: Stake) -> str:
    """'1 on Ante, 0.5 on Trips'."""
    return ", ".join(f"{short(n)} on {game.spot(bet).title}" for bet, n in stake.items() if n)
