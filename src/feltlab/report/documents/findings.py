"""The findings report: every published figure beside its proof, worst first, and what it means in money."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import groupby
from typing import Any

from feltlab.analysis.audit import WORST_FIRST, Finding, count_verdicts
from feltlab.analysis.audit_report import AuditReport
from feltlab.games import GAMES
from feltlab.kernel import whole_source_digest
from feltlab.report.document import Block, Document, Items, Paragraph, Section, TableBlock, Tone, columns
from feltlab.report.documents import hold_claims, multiplied_chances, public_sources, strategy_cells
from feltlab.report.documents.sign_off import SignOff, sign_off_page
from feltlab.report.numbers import count_of, decimal, describe_edge, of_100
from feltlab.text import listing

MEANINGS = {
    "agrees": "the proved value rounds to the printed digits",
    "last digit": "the last printed digit is off by one",
    "differs": "the proved value is another one",
    "contradicts": "the packet prints another value for the same thing elsewhere",
    "depends": "true for some sessions and not for others",
}
KIND = "Findings report"
TONES: dict[str, Tone] = {
    "differs": "bad",
    "contradicts": "bad",
    "depends": "note",
    "last digit": "note",
    "agrees": "good",
}


def document(report: AuditReport, signed: SignOff | None = None) -> Document:
    """The report on the packets of some games, with a sign-off page if there is one to sign."""
    findings, names = report.findings, report.games
    summary = (*_counts(findings, names), *_wrong_edges(findings), *_small_errors(report))
    sections = (
        Section("Summary", summary),
        Section("What is wrong", tuple(_wrong(findings))),
        *(s for found in report.multiplied for s in multiplied_chances.sections(found)),
        *hold_claims.sections(report.holds),
        *strategy_cells.sections(findings),
        *public_sources.sections(report),
        *_agreeing(findings, names),
        *(_sign_off(names, signed) if signed else ()),
    )
    digest, digest_title = _identify(names)
    title = "Published figures against their proofs"
    return Document(title, KIND, digest, _dates(names), sections, digest_title=digest_title)


def report_json(report: AuditReport, signed: SignOff) -> dict[str, Any]:
    """The data behind a signed report."""
    rules = {name: {"date": GAMES[name].date, "digest": GAMES[name].digest} for name in report.games}
    return {"rules": rules, "sign_off": signed.as_json()} | report.as_json()


def _identify(names: Sequence[str]) -> tuple[str, str]:
    """The digest of every page, and what it is called: of the rules, or of the sources of several games."""
    if len(names) == 1:
        return GAMES[names[0]].digest, "digest"
    return whole_source_digest(), "digest of the sources"


def _sign_off(names: Sequence[str], signed: SignOff) -> Iterator[Section]:
    facts = tuple((f"digest of the rules of {GAMES[name].title}", GAMES[name].digest) for name in names)
    accepted = "This report is accepted as the audit of the figures that it lists."
    return sign_off_page(signed, facts, "report", accepted)


def _dates(names: Sequence[str]) -> str:
    """The date of the rules, with the games where several dates occur."""
    dates: dict[str, list[str]] = {}
    for name in names:
        dates.setdefault(GAMES[name].date, []).append(GAMES[name].title)
    if len(dates) == 1:
        return next(iter(dates))
    return "; ".join(f"{date} ({', '.join(titles)})" for date, titles in sorted(dates.items()))


def severity(finding: Finding) -> tuple[bool, Fraction, int, Fraction]:
    """A sort key, worst first: what is wrong by more than a digit, then by how much money."""
    by_a_digit = finding.verdict in ("agrees", "last digit", "depends")
    money = abs(finding.error) if finding.is_edge else Fraction(0)
    return by_a_digit, -money, WORST_FIRST.index(finding.verdict), -abs(finding.error)


def is_wrong(finding: Finding) -> bool:
    return finding.verdict in ("differs", "contradicts")


# -- The summary ------------------------------------------------------------------------------------


def _counts(findings: Sequence[Finding], names: Sequence[str]) -> Iterator[Block]:
    verdicts = count_verdicts(findings)
    cells = " and strategy cells" if any(found.is_cell for found in findings) else ""
    papers = public_sources.name_papers(findings)
    depend = f" {count_of(verdicts['depends'], 'depends', 'depend')} on the session."
    yield Paragraph(
        f"{count_of(len(findings), 'published figure')}{cells} in the {papers} of "
        f"{count_of(len(names), 'game')} were proved again from the rules, deal by deal and without "
        f"rounding. {verdicts['agrees']} agree to the last printed digit, {verdicts['last digit']} are wrong "
        f"in that digit only, and {verdicts['wrong']} are wrong.{depend if verdicts['depends'] else ''}",
        "lead",
    )
    rows = [
        (GAMES[name].title, *_count_verdicts([found for found in findings if found.game == name]))
        for name in names
    ]
    titles = columns("packet", ">figures", ">agree", ">last digit", ">depend", ">wrong")
    yield TableBlock(titles, (*rows, ("all", *_count_verdicts(findings))), totals=1)


def _count_verdicts(findings: Sequence[Finding]) -> tuple[str, ...]:
    found = count_verdicts(findings)
    return tuple(str(found[verdict]) for verdict in ("all", "agrees", "last digit", "depends", "wrong"))


def _wrong_edges(findings: Sequence[Finding]) -> Iterator[Block]:
    """A paragraph for each bet whose published edge is wrong."""
    edges = [f for f in findings if is_wrong(f) and f.of and f.of.measure == "house_edge"]
    edges.sort(key=_bet)
    for _, group in groupby(edges, key=_bet):
        yield _wrong_edge(sorted(group, key=severity))


def _bet(finding: Finding) -> tuple[str, str]:
    return finding.game, finding.of.bet if finding.of else ""


def _wrong_edge(group: Sequence[Finding]) -> Paragraph:
    worst, game = group[0], GAMES[group[0].game]
    printed = listing(dict.fromkeys(found.published for found in group))
    edge = worst.share + worst.error
    paper = "source" if worst.of and worst.of.source else "packet"
    spot = _bet(worst)[1]
    bet = game.spot(spot).title if spot else "all wagers of a round together"
    is_repeated = paper == "packet" and len(group) > 1
    many = f" The packet prints {printed} in different places, and none is right." if is_repeated else ""
    is_product = any(f.of and f.of.independent for f in group)
    how = " A section below explains how this came about." if is_product else ""
    return Paragraph(
        f"{game.title}, {bet}: by the {paper} the house {describe_edge(edge)} of "
        f"each $100 wagered. By the proof it {describe_edge(worst.share)}. The difference is "
        f"{of_100(abs(worst.error))} on each $100.{many}{how}",
        "bad",
    )


def _small_errors(report: AuditReport) -> Iterator[Block]:
    """The errors that cost little or nothing."""
    findings = report.findings
    entries = [
        *_last_digits(report.last_digit_errors),
        *_harmless_chances(findings),
        *_strategy_cells(report),
    ]
    if entries:
        yield Paragraph("The other errors cost little or nothing:")
        yield Items(tuple(entries))


def _last_digits(small: Sequence[Fraction]) -> Iterator[str]:
    if small:
        cents = decimal(max(small) * 10000, 2)
        number = count_of(len(small), "edge is", "edges are")
        yield f"{number} wrong in the last digit: by at most {cents} cents on each $100 wagered."


def _harmless_chances(findings: Sequence[Finding]) -> Iterator[str]:
    """Wrong chances of bets whose edge is right: no money depends on them."""
    wrong_edges = {_bet(f) for f in findings if is_wrong(f) and f.is_edge}
    for found in sorted(findings, key=severity):
        is_chance = found.of is not None and not found.is_edge and not found.of.source
        if is_wrong(found) and is_chance and _bet(found) not in wrong_edges:
            yield (
                f"{GAMES[found.game].title}, {found.figure}: {found.published} is printed, {found.proved} is "
                "right. The edge that is printed with it is not affected."
            )


def _strategy_cells(report: AuditReport) -> Iterator[str]:
    for name, units in report.strategy_costs.items():
        game = GAMES[name]
        cells = [is_wrong(f) for f in report.findings if f.game == name and f.is_cell]
        cost, wager = decimal(units * 10000, 2), game.spot(game.choices[0].wager).title
        yield (
            f"{game.title}: {sum(cells)} of the {len(cells)} cells of the published strategy table are not "
            "the best choice for every hand that they cover, of two cards and more. A player who always "
            f"follows the table loses {cost} cents more on each $100 of the {wager} wager than a player who "
            "always makes the best choice."
        )


# -- The lists --------------------------------------------------------------------------------------


def _wrong(findings: Sequence[Finding]) -> Iterator[Block]:
    """The figures that do not agree, worst first; cells of strategy tables have sections of their own."""
    if all(found.verdict == "agrees" for found in findings):
        yield Paragraph("Nothing: every published figure is proved.", "good")
        return
    listed = [f for f in findings if f.verdict != "agrees" and not f.is_cell]
    if not listed:
        yield Paragraph("No published figure; only cells of a strategy table, which a section below lists.")
        return
    listed.sort(key=severity)
    used = dict.fromkeys(found.verdict for found in listed)
    yield Items(tuple(f"{verdict}: {MEANINGS[verdict]}" for verdict in used))
    yield TableBlock(
        columns("figure and source", ">published", ">proved", "verdict", "reason"),
        tuple((_name(f), f.published, f.proved, f.verdict, f.reason) for f in listed),
        tones=tuple(TONES[f.verdict] for f in listed),
    )


def _name(finding: Finding) -> str:
    return f"{GAMES[finding.game].title}: {finding.figure} ({finding.where})"


def _with_basis(finding: Finding) -> str:
    return f"{finding.figure} ({finding.basis})" if finding.basis else finding.figure


def _agreeing(findings: Sequence[Finding], names: Sequence[str]) -> Iterator[Section]:
    lead = Paragraph("These figures are proved to the last printed digit.")
    yield Section("What is right", (lead,))
    for name in names:
        own = [found for found in findings if found.game == name]
        yield Section(GAMES[name].title, tuple(_agree(own)), level=2)


def _agree(findings: Sequence[Finding]) -> Iterator[Block]:
    right = [found for found in findings if found.verdict == "agrees" and found.of]
    cells = sum(found.verdict == "agrees" for found in findings if found.is_cell)
    if right:
        rows = tuple((_with_basis(f), f.where, f.published, f.proved) for f in right)
        yield TableBlock(columns("figure", "source", ">published", ">proved"), rows)
    if cells:
        verb = count_of(cells, "cell of the published strategy table is", "cells of the strategy table are")
        yield Paragraph(f"{verb} the best choice for every hand that they cover, of two cards and more.")
    if not findings:
        yield Paragraph("The papers publish no figure.")
