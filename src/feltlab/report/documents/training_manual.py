"""A training manual for dealers: the table, an overview, the procedure step by step, payouts."""

from collections.abc import Iterator
from itertools import groupby

from feltlab.core.game import Game
from feltlab.games.data import example, packet_data
from feltlab.report.document import Document, Items, Paragraph, Picture, Section, TableBlock, columns
from feltlab.report.documents.packet.pay_tables import pay_table_rows
from feltlab.report.documents.packet.rules import STEP_SHARES, chapters, example_blocks
from feltlab.report.layout_drawing import describe_layout, draw_layout
from feltlab.submission.procedure import ProcedureStep, procedure
from feltlab.submission.rule_sheet import HOUSE_PROCEDURE, IRREGULARITIES
from feltlab.submission.venues import Venue


def training_manual(game: Game, venue: Venue | None = None) -> Document:
    """The manual of a game under its options; a venue names its own procedures."""
    return Document(game.title, "Training manual", game.digest, game.date, tuple(_sections(game, venue)))


def _sections(game: Game, venue: Venue | None) -> Iterator[Section]:
    picture = Picture(f"layout-{game.name}", draw_layout(game), describe_layout(game))
    yield Section("The table", (Paragraph(game.rules.SUMMARY, "lead"), picture))
    yield Section("Overview of the rules", (Items(packet_data(game).rack_card, numbered=True),))
    yield Section("Dealing procedure", (Paragraph(_whose(venue)),))
    for moment, steps in groupby(procedure(game, venue), key=lambda step: step.moment):
        yield Section(moment, (_steps(list(steps)),), level=2)
    yield Section("An example of a round", tuple(example_blocks(list(example(game)))))
    yield from chapters(game, venue, IRREGULARITIES)
    yield Section("Payouts", (pay_table_rows(game),))


def _whose(venue: Venue | None) -> str:
    """Which procedures go before those of the manual."""
    own = venue.house_procedure if venue else HOUSE_PROCEDURE
    return f"Procedures vary by jurisdiction: where {own} ask for other steps, those steps are followed."


def _steps(steps: list[ProcedureStep]) -> TableBlock:
    rows = ((str(s.number), s.actor, s.does, s.says, ", ".join(s.clauses)) for s in steps)
    return TableBlock(columns("step", "who", "does", "says", "clauses"), tuple(rows), shares=STEP_SHARES)
