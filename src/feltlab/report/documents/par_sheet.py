"""The PAR sheet as a document."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

from feltlab.analysis.measures import DEFINITIONS, VOLATILITY, Measures
from feltlab.analysis.par_sheet import BetSheet, ParSheet, Variant
from feltlab.core.solver import Chart, StrategyCard
from feltlab.report import svg
from feltlab.report.document import (
    Block,
    Document,
    Items,
    Paragraph,
    Picture,
    Section,
    TableBlock,
    Tone,
    columns,
)
from feltlab.report.documents import readings
from feltlab.report.documents.house_side import house_blocks
from feltlab.report.documents.intervals import interval_blocks
from feltlab.report.documents.methods import method_sections
from feltlab.report.documents.payouts import payout_sections
from feltlab.report.documents.progressive import name_others, par_sections
from feltlab.report.documents.raises import raise_sections
from feltlab.report.documents.seen_cards import TITLE, seen_card_blocks
from feltlab.report.documents.shoe_average import shoe_sections
from feltlab.report.documents.sign_off import UNSIGNED, SignOff, sign_off_sections
from feltlab.report.documents.simulation import simulation_blocks
from feltlab.report.documents.strategy_annex import annex_blocks
from feltlab.report.documents.wager_costs import cost_blocks, describe_stake
from feltlab.report.documents.warnings import cover_warnings
from feltlab.report.numbers import chance, count_units, gain, units, with_sign
from feltlab.text import listing, percent

MOST_BARS = 24  # in one picture; more would be too small to read
KIND = "PAR sheet"
VERDICTS = {  # of one figure, and of several
    "agrees": ("agrees", "agree"),
    "contradicts": ("contradicts another figure", "contradict another figure"),
    "depends": ("depends on the session", "depend on the session"),
    "differs": ("differs", "differ"),
    "last digit": ("is off by one in the last digit", "are off by one in the last digit"),
}


def document(sheet: ParSheet, signed: SignOff = UNSIGNED) -> Document:
    """A PAR sheet as sections of text, tables and pictures."""
    game, sections = sheet.game, (*_sections(sheet), *sign_off_sections(sheet, signed))
    return Document(game.title, KIND, game.digest, game.date, sections, cover_warnings(sheet))


def _sections(sheet: ParSheet) -> Iterator[Section]:
    figures = (_edges(sheet), _frequencies(sheet), *cost_blocks(sheet.game, sheet.costs), _deviations(sheet))
    figures = (*figures, *interval_blocks(sheet))
    yield Section("Summary", (_lead(sheet), _facts(sheet), *figures))
    yield Section("Outcomes", (Paragraph(_combinations(sheet)),))
    for bet in sheet.bets:
        yield Section(bet.title, (_outcomes(sheet, bet), _returns(bet)), level=2)
    yield Section("The bets together", tuple(_together(sheet)))
    yield from raise_sections(sheet)
    yield Section("Strategy", tuple(_strategy(sheet)))
    yield Section("Sensitivity", tuple(_sensitivity(sheet)))
    yield from shoe_sections(sheet)
    yield Section("The house", tuple(house_blocks(sheet)))
    yield from payout_sections(sheet)
    yield from par_sections(sheet.progressives)
    if sheet.seen:
        yield Section(TITLE, tuple(seen_card_blocks(sheet.seen)))
    yield Section("Published figures", tuple(_findings(sheet)))
    yield Section(readings.KIND, (Paragraph(readings.LEAD if sheet.readings else readings.NOTHING_OPEN),))
    yield from readings.sections_of(sheet.game, sheet.readings)
    if sheet.simulated:
        yield Section("Simulation", tuple(simulation_blocks(sheet, sheet.simulated)))
    yield from method_sections(sheet.game)
    yield Section("Definitions", (Items(tuple(f"{term}: {words}" for term, words in DEFINITIONS.items())),))


# -- Summary ----------------------------------------------------------------------------------------


def _lead(sheet: ParSheet) -> Paragraph:
    total = sheet.total
    edge, risk = percent(abs(total.edge)), percent(abs(total.element_of_risk))
    winner = "house" if total.loss >= 0 else "player"
    wagers = "first wager" if sum(bet.units > 0 for bet in sheet.bets) == 1 else "first wagers together"
    return Paragraph(
        f"With {_stake(sheet)}, the {winner} wins {units(abs(total.loss))} units per round: {edge} of the "
        f"{wagers}, {risk} of everything put down.",
        "lead",
    )


def _stake(sheet: ParSheet) -> str:
    staked = [(bet.units, bet.bet.title) for bet in sheet.bets if bet.units]
    return listing(f"{count_units(n)} on {title}" for n, title in staked)


def _facts(sheet: ParSheet) -> TableBlock:
    game, proof = sheet.game, sheet.proof
    words = {variant.name: variant.words for variant in sheet.strategies}
    rows = [
        ("game", game.title),
        ("rules", f"of {game.date}, digest {game.digest}"),
        *((f"option {o.name}", f"{game.options[o.name]} ({o.help})") for o in game.rules.OPTIONS),
        ("stake", describe_stake(game, proof.stake)),
        ("strategy", f"{proof.strategy}: {words[proof.strategy]}"),
        ("combinations", f"{proof.tally.deals:,}"),
        ("method", proof.law.method),
        *(("progressive", line) for line in name_others(game.name, sheet.progressives)),
    ]
    return TableBlock(columns("item", "value"), tuple(rows))


def _edges(sheet: ParSheet) -> TableBlock:
    titles = columns("bet", ">house edge", ">return to player", ">element of risk", ">average wager")
    cells = tuple(
        (title, percent(m.edge), percent(1 - m.edge), percent(m.element_of_risk), units(m.average_wager))
        for title, m in _measured(sheet)
    )
    caption = "Edges under the strategy of this sheet; a bet without a stake does not influence it"
    return TableBlock(titles, cells, caption, totals=1)


def _frequencies(sheet: ParSheet) -> TableBlock:
    titles = columns("bet", ">hit frequency", ">net win", ">net push", ">net loss")
    cells = tuple(
        (title, "" if m.hit_frequency is None else percent(m.hit_frequency), *_net_shares(m))
        for title, m in _measured(sheet)
    )
    return TableBlock(titles, cells, "Frequencies", totals=1)


def _net_shares(measures: Measures) -> Iterator[str]:
    return map(percent, (measures.win_frequency, measures.push_frequency, measures.loss_frequency))


def _measured(sheet: ParSheet) -> list[tuple[str, Measures]]:
    """The measures of each bet and of the stake, with their titles."""
    return [(bet.title, bet.measures) for bet in sheet.bets] + [("the stake", sheet.total)]


def _deviations(sheet: ParSheet) -> TableBlock:
    measures = (">variance", ">standard deviation", ">skewness", ">index 1.65", ">index 1.96")
    titles = columns("bet", *measures, ">largest net")
    cells = tuple(
        (
            name,
            units(m.variance),
            units(m.deviation),
            f"{m.skewness:.4f}",
            *_indices(m),
            with_sign(m.largest),
        )
        for name, m in _measured(sheet)
    )
    return TableBlock(titles, cells, "Deviation and volatility index, in units", totals=1)


def _indices(measures: Measures) -> Iterator[str]:
    return (f"{measures.volatility(deviations):.4f}" for deviations in VOLATILITY)


# -- Outcomes ---------------------------------------------------------------------------------------


def _combinations(sheet: ParSheet) -> str:
    deals = f"{sheet.proof.tally.deals:,}"
    return (
        f"Each of the {deals} equally likely deals ends in one outcome of each bet. Nets are in units of the "
        "first wager, raises included. For a bet without a stake, the sheet shows how it ends when the "
        "player plays for the other bets only."
    )


def _outcomes(sheet: ParSheet, bet: BetSheet) -> TableBlock:
    rows = [
        (o.name, with_sign(o.net), f"{o.count:,}", chance(o.probability), gain(o.returned))
        for o in bet.outcomes
    ]
    total = ("total", "", f"{sheet.proof.tally.deals:,}", chance(Fraction(1)), gain(bet.measures.expected))
    titles = columns("outcome", ">net", ">combinations", ">probability", ">return")
    return TableBlock(titles, (*rows, total), totals=1)


def _returns(bet: BetSheet) -> Picture:
    paid = [o for o in bet.outcomes if o.net]
    shown = sorted(paid, key=lambda o: abs(o.returned), reverse=True)[:MOST_BARS]
    rows = [(o.name, float(o.returned), gain(o.returned)) for o in paid if o in shown]
    expected = gain(bet.measures.expected)
    which = "each outcome" if len(rows) == len(paid) else f"each of the {len(rows)} outcomes that count most"
    words = f"The part of {which} of the {bet.bet.title} in its expected net of {expected}."
    return Picture(f"returns-{bet.bet.name}", svg.draw_returns(rows), words)


def _together(sheet: ParSheet) -> Iterator[Block]:
    if len(sheet.bets) > 1:
        yield _matrix(sheet, "Covariance of the bets on one hand, one unit each", "covariance")
        yield _matrix(sheet, "Correlation", "correlation")
    nets = {float(net): float(share) for net, share in sheet.total.nets.items()}
    largest = sheet.total.largest
    words = f"The probability of each net of the stake; the largest net, {with_sign(largest)} units, has "
    words += f"probability {chance(sheet.total.nets[largest])}."
    yield Picture("nets", svg.draw_nets(nets), words)


def _matrix(sheet: ParSheet, caption: str, entry: str) -> TableBlock:
    of = getattr(sheet, entry)
    rows = tuple((a.bet.title, *(f"{float(of(a, b)):.6f}" for b in sheet.bets)) for a in sheet.bets)
    return TableBlock(columns("bet", *(f">{bet.bet.title}" for bet in sheet.bets)), rows, caption)


# -- Strategy ---------------------------------------------------------------------------------------


def _strategy(sheet: ParSheet) -> Iterator[Block]:
    shares = sheet.proof.first_choices
    if len(shares) > 1:
        rows = tuple((name, percent(share)) for name, share in shares.items())
        yield TableBlock(
            columns("first choice", ">how often"), rows, "First choices under this sheet's strategy"
        )
    if len(sheet.proof.streets) > 1:
        yield _streets(sheet)
    if sheet.card:
        yield from _card(sheet.card)
        yield from annex_blocks(sheet.game, sheet.card)
    else:
        yield Paragraph("With this stake the player has no choice to make.")
    yield _strategies(sheet)
    yield Paragraph(
        "The cost is what a player loses by following that strategy throughout instead of the best one. The "
        "cost of a single wrong choice depends on the hand; feltlab advise computes it.",
        "note",
    )


def _streets(sheet: ParSheet) -> TableBlock:
    streets = sheet.proof.streets.items()
    rows = tuple((street, name, percent(share)) for street, made in streets for name, share in made.items())
    caption = "Choices by street under this sheet's strategy, as shares of all rounds"
    return TableBlock(columns("street", "choice", ">how often"), rows, caption)


def _card(card: StrategyCard) -> Iterator[Block]:
    yield Paragraph("The best strategy on a card:")
    if card.lines:
        yield Items(tuple(f"{when}: {choice}" for when, choice in card.lines))
    colours = svg.choice_colours(cell for chart in card.charts for row in chart.rows.values() for cell in row)
    for n, chart in enumerate(card.charts, 1):
        yield _chart(n, chart, colours)
    if card.exceptions:
        yield Items(tuple(f"except {exception}".replace("`", "") for exception in card.exceptions))
    if any(map(svg.HAND.search, card.exceptions)):
        yield Picture("hands", svg.draw_hands(card.exceptions), "The hands of the exceptions.")


def _chart(n: int, chart: Chart, colours: dict[str, str]) -> Picture:
    rows = tuple((row, *cells) for row, cells in chart.rows.items())
    instead = TableBlock(columns("hand", *chart.columns), rows, chart.title)
    return Picture(f"chart-{n}", svg.draw_chart(chart.columns, chart.rows, colours), chart.title, instead)


def _strategies(sheet: ParSheet) -> TableBlock:
    titles = columns(
        "strategy", "what it does", ">loss per round", ">return to player", ">element of risk", ">cost"
    )
    rows = [
        (
            _mark(v),
            v.words,
            units(-v.expected),
            percent(sheet.return_under(v)),
            percent(v.element_of_risk),
            units(sheet.cost(v)),
        )
        for v in sheet.strategies
    ]
    caption = "Every named strategy for this stake, in units; * marks the strategy of this sheet"
    return TableBlock(titles, tuple(rows), caption, tones=tuple(map(_tone, sheet.strategies)))


def _mark(variant: Variant) -> str:
    return f"{variant.name} *" if variant.is_of_sheet else variant.name


def _tone(variant: Variant) -> Tone:
    return "lead" if variant.is_of_sheet else "plain"


# -- Sensitivity ------------------------------------------------------------------------------------


def _sensitivity(sheet: ParSheet) -> Iterator[Block]:
    yield _pay_lines(sheet)
    if not sheet.options:
        yield Paragraph("The house has no options in this game.")
        return
    yield _options(sheet)
    shown = [variant for variants in sheet.options.values() for variant in variants]
    yield from (Paragraph(f"{v.name}: {v.words}.", "note") for v in shown if v.words and v.edges)
    if any(not variant.edges for variants in sheet.options.values() for variant in variants):
        yield Paragraph("An empty line: the stake of this sheet is not possible under that option.", "note")


def _pay_lines(sheet: ParSheet) -> TableBlock:
    titles = columns("bet", "outcome", ">pays", ">probability", ">change of edge")
    rows = [
        (bet.bet.title, _line(bet, n), bet.pay_lines[n].line.odds, *_weight(bet, n))
        for bet in sheet.bets
        for n in range(len(bet.pay_lines))
    ]
    caption = "Change of the house edge when a line pays one more to one; the strategy stays the same"
    return TableBlock(titles, tuple(rows), caption)


def _line(bet: BetSheet, n: int) -> str:
    found = bet.pay_lines[n]
    raised = "" if found.spot == bet.bet else f"{found.spot.title}: "
    return f"{raised}{found.line.outcome}"


def _weight(bet: BetSheet, n: int) -> tuple[str, str]:
    found = bet.pay_lines[n]
    return chance(found.probability), f"{float(100 * found.slope):+.6f} %"


def _options(sheet: ParSheet) -> TableBlock:
    titles = (f">{bet.bet.title}" for bet in sheet.bets)
    rows = [
        (option, _mark(variant), *_option_edges(sheet, variant))
        for option, variants in sheet.options.items()
        for variant in variants
    ]
    tones = tuple(_tone(variant) for variants in sheet.options.values() for variant in variants)
    caption = (
        "House edge of each bet, and loss and return of the stake, proved for each value of each option "
        "that can change them; * marks the value in force"
    )
    heads = columns("option", "value", *titles, ">loss per round", ">return to player")
    return TableBlock(heads, tuple(rows), caption, tones=tones)


def _option_edges(sheet: ParSheet, variant: Variant) -> tuple[str, ...]:
    if not variant.edges:
        return ("",) * (len(sheet.bets) + 2)
    edges = map(percent, variant.edges.values())
    return (*edges, units(-variant.expected), percent(sheet.return_under(variant)))


# -- Published figures ----------------------------------------------------------------


def _findings(sheet: ParSheet) -> Iterator[Block]:
    if not sheet.findings:
        yield Paragraph("No figures are published for this game.")
        return
    yield _verdicts(Counter(finding.verdict for finding in sheet.findings))
    apart = [finding for finding in sheet.findings if finding.verdict != "agrees"]
    if apart:
        titles = columns("figure", "source", ">published", ">proved", "verdict", "note")
        rows = tuple((f.figure, f.where, f.published, f.proved, f.verdict, f.note) for f in apart)
        yield TableBlock(titles, rows, "Figures that do not agree")


def _verdicts(found: Counter[str]) -> Paragraph:
    total = f"{found.total():,} published figures and strategy cells"
    where = "each under the options that it is published for"
    if set(found) == {"agrees"}:
        return Paragraph(f"All {total}, {where}, agree with the proof.", "good")
    counts = listing(f"{n} {VERDICTS[verdict][n > 1]}" for verdict, n in sorted(found.items()))
    return Paragraph(f"Of {total}, {where}, {counts}.")
