"""A training manual for dealers: procedure, a round in pictures, payouts, mistakes, questions."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby

from feltlab.core.game import Game
from feltlab.games.data import example
from feltlab.report.document import (
    Block,
    Document,
    Items,
    Paragraph,
    Picture,
    Section,
    TableBlock,
    columns,
)
from feltlab.report.documents.manual.mistakes import describe_mistakes
from feltlab.report.documents.manual.payments import describe_payments
from feltlab.report.documents.manual.questions import describe_questions
from feltlab.report.documents.packet.rules import (
    STEP_SHARES,
    chapters,
    describe_faults,
    describe_void_round,
    describe_wagers,
)
from feltlab.report.layout_drawing import describe_layout, draw_layout
from feltlab.report.round_drawing import describe_frame, draw_frame
from feltlab.report.round_frames import Frame, show_round
from feltlab.submission.how_to_play import how_to_play
from feltlab.submission.procedure import ProcedureStep, procedure
from feltlab.submission.rule_sheet import DEALING, HOUSE_PROCEDURE, IRREGULARITIES, SETTLING
from feltlab.submission.venues import Venue


def training_manual(game: Game, venue: Venue | None = None) -> Document:
    """The manual of a game under its options; a venue names its own procedures."""
    return Document(game.title, "Training manual", game.digest, game.date, tuple(_sections(game, venue)))


def _sections(game: Game, venue: Venue | None) -> Iterator[Section]:
    steps = procedure(game, venue)
    picture = Picture(f"layout-{game.name}", draw_layout(game), describe_layout(game))
    yield Section("The table", (Paragraph(game.rules.SUMMARY, "lead"), picture))
    yield Section("Overview of the rules", (Items(how_to_play(game), numbered=True),))
    yield Section("Dealing procedure", (Paragraph(_describe_precedence(venue)),))
    for moment, of_moment in groupby(steps, key=lambda step: step.moment):
        yield Section(moment, (_steps(list(of_moment)),), level=2)
    yield from _round_in_pictures(game)
    yield _calls(steps)
    yield from _order(game, venue)
    yield from describe_payments(game)
    yield from (replace(chapter, title=IRREGULARITIES) for chapter in chapters(game, venue, IRREGULARITIES))
    yield describe_void_round()
    yield from describe_faults(game)
    yield describe_mistakes(game)
    yield from describe_questions(game, venue)


def _describe_precedence(venue: Venue | None) -> str:
    """The procedures that take precedence over those of the manual."""
    own = venue.house_procedure if venue else HOUSE_PROCEDURE
    return f"Procedures vary by jurisdiction: where {own} ask for other steps, those steps are followed."


def _steps(steps: list[ProcedureStep]) -> TableBlock:
    rows = ((str(s.number), s.actor, s.does, s.says, ", ".join(s.clauses)) for s in steps)
    return TableBlock(columns("step", "who", "does", "says", "clauses"), tuple(rows), shares=STEP_SHARES)


# -- A round in pictures ----------------------------------------------------------------------------


def _round_in_pictures(game: Game) -> Iterator[Section]:
    deals = list(example(game))
    seen = (
        "The dealer stands at the upper edge. A number beside a wager is its place in the order in which the "
        "dealer settles; green is paid, red is taken."
    )
    yield Section("A round in pictures", (Paragraph(describe_wagers(deals[0])), Paragraph(seen, "note")))
    for number, frame in enumerate(show_round(deals), 1):
        yield Section(f"{number}. {frame.title}", tuple(_frame_blocks(game, number, frame)), level=2)


def _frame_blocks(game: Game, number: int, frame: Frame) -> Iterator[Block]:
    yield Picture(f"round-{game.name}-{number}", draw_frame(frame), describe_frame(frame))
    yield Items(frame.actions, numbered=bool(frame.paid))


# -- Calls and the order of settling ----------------------------------------------------------------


def _calls(steps: tuple[ProcedureStep, ...]) -> Section:
    rows = [(s.moment, s.says, s.does, ", ".join(s.clauses)) for s in steps if s.says]
    table = TableBlock(columns("when", "says", "while", "clauses"), tuple(rows), shares=(18, 24, 46, 12))
    return Section(
        "The dealer's calls", (Paragraph("Say each call clearly, before the next card or chip moves."), table)
    )


def _order(game: Game, venue: Venue | None) -> Iterator[Section]:
    order = Paragraph(
        "Seats are settled from the dealer's right to the dealer's left. At each seat the wagers are settled "
        "in this order, as far as they are on the layout and decided:"
    )
    titles = Items(tuple(spot.title for spot in game.spots), numbered=True)
    yield Section("Taking and paying, in order", (order, titles))
    yield from (
        replace(chapter, title=f"Chapter {chapter.title}", level=2)
        for chapter in chapters(game, venue, *DEALING, SETTLING)
    )
