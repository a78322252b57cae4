"""The method of a game's proof, as sections of a document."""

from collections.abc import Iterator

from feltlab.core.game import Game
from feltlab.games.methods import MethodBlock, load_methods
from feltlab.report.document import Block, Items, Paragraph, Section

LEAD = (
    "This section describes the proof so that another mathematician can follow it and do it again. Every "
    "number in it is recomputed by a test of the program."
)


def method_sections(game: Game) -> Iterator[Section]:
    yield Section("Method", (Paragraph(LEAD),))
    for section in load_methods(game):
        yield Section(section.title, tuple(map(_block, section.blocks)), level=2)


def _block(block: MethodBlock) -> Block:
    return Paragraph(block) if isinstance(block, str) else Items(block)
