"""The largest payouts at the highest wager, as blocks of a document."""

from collections.abc import Iterator
from fractions import Fraction

from feltlab.analysis.par_sheet import ParSheet
from feltlab.analysis.payouts import Payouts, PrizeLimit, PrizeLine
from feltlab.core.payout_rules import HighestWager, PayoutRules, describe_reference
from feltlab.report.document import Block, Paragraph, Section, TableBlock, columns
from feltlab.report.numbers import chance, count_of
from feltlab.submission.aggregate_limits import AGGREGATE_LIMIT
from feltlab.text import dollars, percent

NO_HIGHEST_WAGER = (
    "No highest wager of the venue is on file, so the exposure at it, aggregate payout limits and the funds "
    "for large prizes are left out."
)


def payout_sections(sheet: ParSheet) -> Iterator[Section]:
    """Exposure at the highest wager, aggregate payout limits, and funds; or why they are left out."""
    if (payouts := sheet.payouts) is None:
        yield Section("Largest payouts", (Paragraph(NO_HIGHEST_WAGER),), level=2)
        return
    yield Section("Largest payouts", tuple(_exposure_blocks(payouts)), level=2)
    if rules := payouts.highest.payouts:
        yield Section("Aggregate payout limits", tuple(_limit_blocks(payouts, rules)), level=2)
        yield Section("Funds for large prizes", tuple(_fund_blocks(payouts, rules)), level=2)


def _exposure_blocks(payouts: Payouts) -> Iterator[Block]:
    less = ", or less where its largest raise would be more" if _has_lower_wagers(payouts) else ""
    yield Paragraph(
        f"Every first wager is {describe_highest(payouts.highest)}{less}. A raise is taken as a wager of its "
        "own, up to the same amount; that reading is to be confirmed."
    )
    yield _exposure_table(payouts)
    yield Paragraph(_describe_bound(payouts), "note")


def _has_lower_wagers(payouts: Payouts) -> bool:
    first = (found for found in payouts.exposures if not found.spot.follows)
    return any(found.wager < payouts.highest.cents for found in first)


def describe_highest(highest: HighestWager) -> str:
    """'$400, the highest in a commercial card room by WAC 230-15-140 since August 2023 (not confirmed)'."""
    source = f"{highest.reference} {highest.since}".rstrip()
    return f"{dollars(highest.cents)}, the highest in a {highest.venue.lower()} by {source}"


def _exposure_table(payouts: Payouts) -> TableBlock:
    rows = [(found.spot.title, dollars(found.wager), found.wins) for found in payouts.exposures]
    rows.append(("all at once, at most", "", payouts.bound))
    cells = tuple((*words, dollars(cents), dollars(payouts.seats * cents)) for *words, cents in rows)
    titles = columns("wager", ">amount", ">at one seat", f">at {count_of(payouts.seats, 'seat')}")
    return TableBlock(titles, cells, "Largest exposure in one round at the highest wager", totals=1)


def _describe_bound(payouts: Payouts) -> str:
    bound = "The last line is an upper bound, for any play and any cards: every wager wins its most at once."
    table = "That all seats do so together may be impossible with the cards of one deal."
    if payouts.occurs == payouts.bound:
        return f"{bound} One seat reaches it under the strategy of this sheet. {table}"
    occurs = f"Under the strategy of this sheet, the most that one seat wins is {dollars(payouts.occurs)}."
    return f"{bound} {occurs} {table}"


# -- Aggregate payout limits --------------------------------------------------------------------------


def _limit_blocks(payouts: Payouts, rules: PayoutRules) -> Iterator[Block]:
    yield Paragraph(_describe_limit_rule(rules))
    rows = tuple((limit.spot.title, _to_one(limit.top_odds), *_allowed(limit)) for limit in payouts.limits)
    titles = columns("prize", ">top odds", "limit", ">least limit")
    yield TableBlock(titles, rows, "Limits that the house may post")
    for limit in payouts.limits:
        if limit.least is not None:
            yield from _prize_blocks(limit, limit.least)


def _to_one(odds: Fraction) -> str:
    return f"{odds.numerator:,} to {odds.denominator}"


def _allowed(limit: PrizeLimit) -> tuple[str, str]:
    return ("not allowed", "") if limit.least is None else ("allowed", dollars(limit.least))


def _describe_limit_rule(rules: PayoutRules) -> str:
    reference = describe_reference(rules.limit_reference, rules.limit_confirmed)
    odds = f"{rules.limit_odds} to 1"
    return (
        f"The house may post an aggregate payout limit: {AGGREGATE_LIMIT}. It may do so only for a prize "
        f"whose top odds are {odds} or more, and the limit is at least the highest wager times "
        f"{rules.limit_odds} ({reference})."
    )


def _prize_blocks(limit: PrizeLimit, least: int) -> Iterator[Block]:
    title, amount = limit.spot.title, dollars(least)
    rows = tuple(map(_line_row, limit.lines))
    titles = columns("outcome", ">odds", ">prize", ">probability at a seat", ">fewest winners")
    caption = f"{title}: the fewest winners of one line who are together due more than {amount}"
    yield TableBlock(titles, rows, caption)
    yield Paragraph(
        f"Each winner has {dollars(limit.wager)} on {title}. {_describe_cut(limit, amount)}", "note"
    )


def _describe_cut(limit: PrizeLimit, amount: str) -> str:
    if not limit.added_alone:
        return f"A limit of {amount} never cuts the pay of a player who is alone at the table."
    return (
        f"With a limit of {amount}, a player who is alone at the table loses {percent(limit.added_alone)} of "
        "the wager more on average, under the strategy of this sheet; beside other players it can be more."
    )


def _line_row(found: PrizeLine) -> tuple[str, ...]:
    line = found.line
    return line.outcome, line.odds, dollars(found.cents), chance(found.probability), f"{found.winners:,}"


# -- Funds --------------------------------------------------------------------------------------------


def _fund_blocks(payouts: Payouts, rules: PayoutRules) -> Iterator[Block]:
    reference = describe_reference(rules.funds_reference, rules.funds_confirmed)
    above = dollars(rules.funds_cents)
    rule = (
        f"Where more than one prize is above {above} at the highest wager, the house keeps the second "
        f"highest of them in the bank or as a line of credit ({reference}). Here each line of a pay table "
        "counts as a prize; that reading is to be confirmed."
    )
    yield Paragraph(f"{rule} {_describe_funds(payouts, above)}")
    if payouts.large_prizes:
        found = payouts.large_prizes
        rows = tuple((prize.spot.title, prize.line.outcome, dollars(prize.cents)) for prize in found)
        yield TableBlock(columns("wager", "outcome", ">prize"), rows, f"Prizes above {above}")


def _describe_funds(payouts: Payouts, above: str) -> str:
    if payouts.funds:
        return f"The amount to keep is {dollars(payouts.funds)}."
    few = f"only one prize is above {above}" if payouts.large_prizes else f"no prize is above {above}"
    return f"Nothing has to be kept: {few}."
