"""The house's side of a PAR sheet as blocks of a document."""

from collections.abc import Iterator, Sequence

from feltlab.analysis.house_side import ROUNDS_PER_HOUR, SESSION_HOURS
from feltlab.analysis.month import BANDS, Month
from feltlab.analysis.par_sheet import ParSheet
from feltlab.analysis.session import Estimate
from feltlab.proving.exact_numbers import root
from feltlab.report import svg
from feltlab.report.document import Block, Paragraph, Picture, TableBlock, columns
from feltlab.report.documents.session_plot import axis_marks
from feltlab.report.numbers import count_of, percent_with_error
from feltlab.text import dollars, money, percent, small_percent

UNKNOWN = "not known"  # where the error is too large for a figure
MOST_PROBABILITY_ERROR = 0.2
POINTWISE = (
    "The bands hold for each moment by itself: after any given round, half of all sessions are within the "
    "dark band and nine of ten within the light one. Few sessions stay within a band from beginning to end."
)


def house_blocks(sheet: ParSheet) -> Iterator[Block]:
    """The table over several spans, a player's session, and the largest exposure."""
    house = sheet.house
    put = ", ".join(
        f"{dollars(amount)} on {sheet.game.spot(bet).title}" for bet, amount in house.wagers.items()
    )
    common = "dealer's hand" if "dealer" in sheet.game.area_starts else "community cards"
    shared = (
        f" The seats share the {common}: the correlation of the nets of two seats is "
        f"{describe_correlation(house.correlation)}. The range of the win is that of independent seats, "
        "widened about its mean by this correlation: an approximation, with its error beside it. Where that "
        "error is half of the range or more, the range is not known."
    )
    seats = f"One table with {house.seats} seats and {ROUNDS_PER_HOUR} rounds per hour; at every seat, {put}."
    yield Paragraph(seats + (shared if house.seats > 1 else ""))
    yield _span_table(sheet)
    yield _hold_table(sheet)
    yield _bankroll_picture(sheet)
    yield _exposure_table(sheet)


def _span_table(sheet: ParSheet) -> TableBlock:
    months = list(sheet.house.spans.values())
    rows = [
        ("rounds", *(f"{month.rounds:,}" for month in months)),
        ("handle", *(money(float(month.handle)) for month in months)),
        ("theoretical win", *(money(float(month.win)) for month in months)),
        ("standard deviation", *(money(root(month.variance)) for month in months)),
        *(row for share in BANDS for row in _band_rows(months, share)),
        ("probability of no win", *(_no_win(month) for month in months)),
    ]
    titles = columns("over", *(f">{name}" for name in sheet.house.spans))
    return TableBlock(titles, tuple(rows), "Theoretical win of the table, and the range of its actual win")


def _band_rows(months: Sequence[Month], share: int) -> Iterator[tuple[str, ...]]:
    rows = zip(*(_describe_band(month, share) for month in months), strict=True)
    for end, row in zip(("from", "to", "error about"), rows, strict=True):
        yield f"{share} % band, {end}", *row


def _describe_band(month: Month, share: int) -> tuple[str, str, str]:
    """Both ends of a band and its error; unknown if that is half of its width or more."""
    (low, high), error = month.band(share), month.band_error(share)
    if 2 * error >= high - low:
        return UNKNOWN, UNKNOWN, ""
    return money(low), money(high), money(error)


def _no_win(month: Month) -> str:
    if month.loss_probability_error > MOST_PROBABILITY_ERROR:
        return UNKNOWN
    return percent_with_error(month.loss_probability, month.loss_probability_error)


def describe_correlation(found: Estimate) -> str:
    """'0.29990, exactly', '0.220 ± 0.001, simulated'."""
    if not found.error:
        return f"{found.value:.5f}, counted"
    return f"{found.value:.3f} with a standard error of {found.error:.3f}, simulated"


def _hold_table(sheet: ParSheet) -> TableBlock:
    session = sheet.house.session
    average, chances = session["average"], session["probability"]
    rows = (
        ("bankroll, equal to the drop", dollars(session["drop"])),
        ("rounds played on average", f"{average['rounds']['value']:,.2f}"),
        ("handle", money(average["handle"]["value"])),
        ("expected result", money(average["expected"]["value"])),
        ("hold", percent(average["hold"]["value"])),
        ("edge on the handle", percent(session["edge_on_handle"]["value"])),
        ("probability of ruin", small_percent(chances["ruin"]["value"], 4)),
        ("probability of being ahead", small_percent(chances["ahead"]["value"], 4)),
        *((f"percentile {share}", dollars(net)) for share, net in session["percentiles"].items()),
    )
    title = f"Hold against edge: one player's session of {SESSION_HOURS} hours, {session['rounds']:,} rounds"
    return TableBlock(columns("session", ">value"), rows, title)


def _bankroll_picture(sheet: ParSheet) -> Picture:
    session = sheet.house.session
    after = session["bankroll_after"]
    hours = [SESSION_HOURS * mark["round"] / session["rounds"] for mark in after]
    rows = [mark["percentiles"] for mark in after]
    named = {float(amount): dollars(amount) for amount in axis_marks(0, max(row[-1] for row in rows), 6)}
    drawing = svg.draw_fan(hours, rows, named, session["bankroll"], session["need"])
    words = f"The bankroll of a player who buys in for {dollars(session['bankroll'])}. {POINTWISE}"
    return Picture("session", drawing, words)


def _exposure_table(sheet: ParSheet) -> TableBlock:
    house = sheet.house
    rows = [(sheet.game.spot(bet).title, house.wagers[bet], one) for bet, one in house.exposures.items()]
    rows.append(("the stake", sum(house.wagers.values()), max(house.law.nets)))
    cells = tuple((name, dollars(put), dollars(one), dollars(one * house.seats)) for name, put, one in rows)
    titles = columns("bet", ">wager", ">at one seat", f">at {count_of(house.seats, 'seat')}")
    caption = "Largest exposure: an upper bound of what one round can cost the house with these wagers"
    return TableBlock(titles, cells, caption, totals=1)
