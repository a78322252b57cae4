"""The average round of a shoe, as blocks of a document."""

from collections.abc import Iterator
from fractions import Fraction

from feltlab.analysis.par_sheet import ParSheet
from feltlab.analysis.session import Estimate
from feltlab.analysis.shoe_average import ShoeAverage
from feltlab.core.game import Game
from feltlab.report.document import Block, Paragraph, Section, TableBlock, columns
from feltlab.report.numbers import count_of, decimal
from feltlab.text import percent

DIGITS = 6  # of percents


def shoe_sections(sheet: ParSheet) -> Iterator[Section]:
    """A section where several rounds may be dealt from one shoe."""
    if sheet.shoe:
        yield Section("Rounds from one shoe", tuple(_blocks(sheet.game, sheet.shoe)))


def _blocks(game: Game, shoe: ShoeAverage) -> Iterator[Block]:
    if shoe.rounds == 1:
        yield Paragraph("Under these options all cards are shuffled before every round.")
        return
    yield Paragraph(
        f"Rounds are dealt from one shoe until the cut card is out; {shoe.behind_cut} of {shoe.cards} "
        "cards are behind it. All other figures of this sheet are of a round from a full shoe. A round that "
        "uses more cards leaves fewer rounds in the shoe, so the average of all rounds of a shoe is slightly "
        f"different. With one seat, a shoe has {decimal(shoe.rounds, 2)} rounds on average."
    )
    sampled = f">change, {count_of(shoe.seats, 'seat')}"
    titles = columns("bet", ">full shoe", ">average, 1 seat", ">change, 1 seat", sampled)
    caption = "House edge of a round from a full shoe, and of the average round of a shoe"
    yield TableBlock(titles, tuple(_row(game, shoe, bet) for bet in shoe.full_shoe), caption)
    yield Paragraph(
        f"With one seat the average is counted exactly. With {count_of(shoe.seats, 'seat')} the change is "
        "sampled: random shoes, in each of which the chances of a round follow exactly from the cards that "
        "are left; its standard error is behind the sign ±.",
        "note",
    )


def _row(game: Game, shoe: ShoeAverage, bet: str) -> tuple[str, ...]:
    edges = (percent(edge, DIGITS) for edge in (shoe.full_shoe[bet], shoe.average[bet]))
    return game.spot(bet).title, *edges, _points(shoe.change(bet)), _sampled(shoe.changes[bet])


def _points(change: Fraction | float) -> str:
    """A change of an edge: '+0.004788 %'."""
    return f"{'+' if change > 0 else ''}{percent(change, DIGITS)}"


def _sampled(change: Estimate) -> str:
    return f"{_points(change.value).removesuffix(' %')} ± {percent(change.error, DIGITS)}"
