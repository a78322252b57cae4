"""Intervals of the return to player, as blocks of a document."""

from collections.abc import Iterator

from feltlab.analysis.intervals import CONFIDENCES, INDEX_ROUNDS, NORMAL_COVERAGE
from feltlab.analysis.par_sheet import ParSheet
from feltlab.report.document import Block, Paragraph, TableBlock, columns
from feltlab.report.numbers import count_of
from feltlab.text import listing, percent


def interval_blocks(sheet: ParSheet) -> Iterator[Block]:
    """The share of sessions within the volatility index, and the intervals by number of rounds."""
    yield _coverage_table(sheet)
    titles = columns(">rounds", *(f">{share} % of cases" for share in CONFIDENCES))
    rows = tuple((f"{found.rounds:,}", *map(_range, found.ends.values())) for found in sheet.intervals)
    yield TableBlock(titles, rows, "Return to player of the stake over many independent rounds")
    for method in dict.fromkeys(found.method for found in sheet.intervals):
        counts = [f"{found.rounds:,}" for found in sheet.intervals if found.method == method]
        yield Paragraph(f"Intervals of {listing(counts)} rounds: {method}.", "note")


def _coverage_table(sheet: ParSheet) -> TableBlock:
    names = [*((bet.title, bet.bet.name) for bet in sheet.bets), ("the stake", "total")]
    rows = tuple(
        (title, index, *(_share(holds.get(str(rounds))) for rounds in INDEX_ROUNDS))
        for title, name in names
        for index, holds in sheet.index_holds[name].items()
    )
    titles = columns("bet", ">index", *(f">{count_of(rounds, 'round')}" for rounds in INDEX_ROUNDS))
    normal = listing(percent(share, 2) for share in NORMAL_COVERAGE.values())
    caption = f"How often the mean net is within the volatility index; a normal law has {normal}"
    return TableBlock(titles, rows, caption)


def _share(share: float | None) -> str:
    return "not computed" if share is None else percent(share, 2)


def _range(ends: tuple[float, float]) -> str:
    low, high = ends
    return f"{percent(low, 3).removesuffix(' %')} to {percent(high, 3)}"
