"""The pay tables of a submission packet: every table by its id, with its figures below its pays."""

from collections.abc import Iterator, Sequence

from feltlab.core.game import Game
from feltlab.core.layout import Spot
from feltlab.games.data import printed_lines
from feltlab.report.document import Block, Paragraph, Section, TableBlock, TableColumn, columns
from feltlab.report.documents.packet.equipment import describe_spot
from feltlab.report.documents.wager_costs import describe_stake
from feltlab.submission.packet_figures import PacketFigures, TableFigures
from feltlab.submission.pay_text import describe_pay
from feltlab.text import listing, percent

NOT_PRINTED = "–"
LEAD = (
    "The pay tables applied for are marked with * and set in bold type. The other tables that the documents "
    "of the game have are shown beside them for comparison; they are not applied for."
)
MEANINGS = (
    "Hit frequency: the probability that the wager itself wins. House edge: the average loss on the wager, "
    "raises included, in percent of the wager, under the play that is best for the whole stake. Cost of "
    "adding it: what each unit of the wager adds to the average loss of a round, where the player plays as "
    "well as possible with it and without it. A negative figure is the player's gain."
)


def pay_table_rows(game: Game) -> TableBlock:
    """The pay tables in force in one table, without figures: for dealers."""
    rows = [row for spot in game.spots for row in _rows_in_force(game, spot)]
    return TableBlock(columns("wager", "pay table", "outcome", ">pays"), tuple(rows))


def _rows_in_force(game: Game, spot: Spot) -> Iterator[tuple[str, ...]]:
    """The lines of a spot; the first one names the wager and its table."""
    for n, line in enumerate(printed_lines(game, spot)):
        named = ("", "") if n else (spot.title, game.pay_table(spot).name)
        yield *named, line.outcome, describe_pay(spot, line)


def proved_pay_tables(figures: PacketFigures) -> Iterator[Section]:
    """Every pay table of the documents with its figures; those applied for are marked."""
    game = figures.sheet.game
    several = any(len(tables) > 1 for tables in figures.tables.values())
    lead = (Paragraph(LEAD),) if several else ()
    yield Section("How to read the tables", (*lead, Paragraph(MEANINGS, "note")))
    for spot in game.spots:
        tables = figures.tables[spot.name]
        yield Section(spot.title, tuple(_spot_blocks(game, spot, tables)))


def _spot_blocks(game: Game, spot: Spot, tables: Sequence[TableFigures]) -> Iterator[Block]:
    figures = tuple(_figure_rows(tables))
    rows = (*_pay_rows(spot, tables), *figures)
    titles = (TableColumn("outcome"), *(_column(table, len(tables)) for table in tables))
    yield TableBlock(titles, rows, _caption(game, spot, tables), totals=len(figures))
    if any(NOT_PRINTED in row for row in rows):
        yield Paragraph(
            f"{NOT_PRINTED} is not a line of that table: the hand is paid by the next line.", "note"
        )


def _column(figures: TableFigures, count: int) -> TableColumn:
    mark = " *" if figures.is_applied_for and count > 1 else ""
    return TableColumn(f"{figures.table.name}{mark}", right=True, strong=figures.is_applied_for and count > 1)


def _pay_rows(spot: Spot, tables: Sequence[TableFigures]) -> Iterator[tuple[str, ...]]:
    """A line for each outcome that one of the tables prints."""
    pays = [{line.outcome: describe_pay(spot, line) for line in each.lines} for each in tables]
    printed = {outcome for table in pays for outcome in table}
    for outcome in tables[0].table.outcomes:
        if outcome in printed:
            yield outcome, *(table.get(outcome, NOT_PRINTED) for table in pays)


def _figure_rows(tables: Sequence[TableFigures]) -> Iterator[tuple[str, ...]]:
    if any(each.hit_frequency for each in tables):
        yield "hit frequency", *(percent(each.hit_frequency) for each in tables)
    costs = [each.cost for each in tables if each.cost]
    if costs:
        yield "house edge", *(percent(cost.own_edge) for cost in costs)
        if any(cost.added is not None and cost.added != cost.own_edge for cost in costs):
            yield "cost of adding it", *("" if c.added is None else percent(c.added) for c in costs)


def _caption(game: Game, spot: Spot, tables: Sequence[TableFigures]) -> str:
    """The names of these tables, and the stake of their figures."""
    ids = f"Pay table{'s' * (len(tables) > 1)} {listing(each.table.name for each in tables)}"
    named = f"{describe_spot(game, spot)} {ids}"
    cost = tables[0].cost
    if cost is None:
        return f"{named}. {_describe_raise(spot, tables)} of the {game.spot(spot.follows).title}"
    return f"{named}. Figures for a stake of {describe_stake(game, cost.stake)}"


def _describe_raise(spot: Spot, tables: Sequence[TableFigures]) -> str:
    """The share of raises that win, and a note that a raise has no edge of its own."""
    if spot.is_price:
        return "A price, which is never returned; it is part of the edge"
    if not any(each.hit_frequency for each in tables):
        return "The best play never makes this wager, so it is no part of the edge"
    return "Hit frequency in all rounds under the best play; its edge is part of the edge"
