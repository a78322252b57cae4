"""The complete strategy beside the card, as blocks of a document."""

from collections.abc import Iterator

from feltlab.core.game import Game
from feltlab.core.solver import StrategyCard
from feltlab.report.document import Block, Paragraph
from feltlab.report.numbers import count_of, units


def annex_blocks(game: Game, card: StrategyCard) -> Iterator[Block]:
    """The number of classes of hands, how many of them the card gets wrong, and where they are listed."""
    classes = count_of(card.classes, "class of hands", "classes of hands")
    wrong = (
        f"misses the best choice in {card.missed:,} of them, which costs {units(card.cost)} units per round"
    )
    if not card.missed:
        wrong = "makes the best choice in all of them"
    without = " without its exceptions" if card.exceptions else ""
    yield Paragraph(
        f"For this stake the player has a choice to make in {classes}. The card{without} {wrong}. The annex "
        "covers all of them. A row is a class or, where all hands of one strength are played alike, that "
        "strength with the means of its hands: how many hands it has, its best choice, the exact value of "
        "each choice, and the cost of the second best. "
        f"feltlab par {game.name} --annex FILE.csv.gz writes it."
    )
