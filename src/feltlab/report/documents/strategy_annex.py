"""The complete strategy beside the card, as blocks of a document."""

from collections.abc import Iterator

from feltlab.analysis.strategy_annex import has_strategy_table
from feltlab.core.game import Game
from feltlab.core.solver import StrategyCard
from feltlab.report.document import Block, Paragraph
from feltlab.report.numbers import count_of, units


def annex_blocks(game: Game, card: StrategyCard) -> Iterator[Block]:
    """The number of classes of hands, how many of them the card gets wrong, and where they are listed."""
    classes = count_of(card.classes, "class of hands", "classes of hands")
    without = " without its exceptions" if card.exceptions else ""
    count = f"For this stake the player has a choice to make in {classes}. " if card.classes else ""
    yield Paragraph(f"{count}The card{without} {_describe(card)}. {_describe_annex(game)}")


def _describe(card: StrategyCard) -> str:
    costs = f"costs {units(card.cost)} units per round"
    if card.missed:
        return f"misses the best choice in {card.missed:,} of them, which {costs}"
    return costs if card.cost else "makes the best choice in all of them"


def _describe_annex(game: Game) -> str:
    if not has_strategy_table(game):
        return "The hands are too many for an annex; feltlab advise gives the values of any hand."
    return (
        "The annex covers all of them. A row is a class or, where all hands of one strength are played "
        "alike, that strength with the means of its hands: how many hands it has, its best choice, the exact "
        "value of each choice, and the cost of the second best. "
        f"feltlab par {game.name} --annex FILE.csv.gz writes it."
    )
