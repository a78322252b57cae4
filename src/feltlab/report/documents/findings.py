"""The findings report: every published figure beside its proof, worst first, and what it means in money."""

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import groupby
from typing import Any

from feltlab.analysis.audit import WORST_FIRST, Finding, cost_of_published_strategy
from feltlab.analysis.multiplied_chances import products
from feltlab.games import GAMES
from feltlab.kernel import source_digest
from feltlab.report.document import Block, Document, Items, Paragraph, Section, TableBlock, TableColumn, Tone
from feltlab.report.documents import multiplied_chances as independence
from feltlab.report.numbers import counted, decimal, kept, of_100
from feltlab.text import listing

MEANING = {
    "agrees": "the proved value rounds to the printed digits",
    "last digit": "the last printed digit is off by one",
    "differs": "the proved value is another one",
    "contradicts": "the packet prints another value for the same thing elsewhere",
}
TONES: dict[str, Tone] = {"differs": "bad", "contradicts": "bad", "last digit": "note", "agrees": "good"}


def document(findings: Sequence[Finding], names: Sequence[str] = tuple(GAMES)) -> Document:
    """The report on the packets of these games."""
    explained = [found for name in names for found in independence.sections(list(products(GAMES[name])))]
    sections = (
        Section("Summary", (*_counts(findings, names), *_money(findings), *_rest(findings))),
        Section("What is wrong", tuple(_wrong(findings)), new_page=True),
        *explained,
        *_agreeing(findings, names),
    )
    date = max(GAMES[name].date for name in names)
    return Document(
        "Published figures against their proofs", "Findings report", source_digest(), date, sections
    )


def as_json(findings: Sequence[Finding], names: Sequence[str] = tuple(GAMES)) -> dict[str, Any]:
    """What the report is about: all findings, and the products that are no chances."""
    told = [found.as_json() | {"reason": found.reason, "exact": str(found.share)} for found in findings]
    return {"findings": told, "products": [p.as_json() for name in names for p in products(GAMES[name])]}


def severity(finding: Finding) -> tuple[bool, Fraction, int, Fraction]:
    """Worst first: what is wrong by more than a digit, then by what it is wrong in money."""
    by_a_digit = finding.verdict in ("agrees", "last digit")
    money = abs(finding.error) if finding.about_money else Fraction(0)
    return by_a_digit, -money, WORST_FIRST.index(finding.verdict), -abs(finding.error)


def is_wrong(finding: Finding) -> bool:
    return finding.verdict in ("differs", "contradicts")


# -- The summary ------------------------------------------------------------------------------------


def _counts(findings: Sequence[Finding], names: Sequence[str]) -> Iterator[Block]:
    verdicts = Counter(found.verdict for found in findings)
    wrong = verdicts["differs"] + verdicts["contradicts"]
    yield Paragraph(
        f"{counted(len(findings), 'published figure')} in the approval packets of "
        f"{counted(len(names), 'game')} were proved again from the rules, deal by deal and without rounding. "
        f"{verdicts['agrees']} agree to the last printed digit, {verdicts['last digit']} are wrong in that "
        f"digit only, and {wrong} are wrong.",
        "lead",
    )
    yield TableBlock(
        (
            TableColumn("packet"),
            *(TableColumn(title, right=True) for title in ("figures", "agree", "last digit", "wrong")),
        ),
        (*(_row(findings, name) for name in names), _total(findings)),
        totals=1,
    )


def _row(findings: Sequence[Finding], name: str) -> tuple[str, ...]:
    return GAMES[name].title, *_tallied([found for found in findings if found.game == name])


def _total(findings: Sequence[Finding]) -> tuple[str, ...]:
    return "all", *_tallied(findings)


def _tallied(findings: Sequence[Finding]) -> tuple[str, ...]:
    agree, last = (sum(f.verdict == verdict for f in findings) for verdict in ("agrees", "last digit"))
    return tuple(map(str, (len(findings), agree, last, len(findings) - agree - last)))


def _money(findings: Sequence[Finding]) -> Iterator[Block]:
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
    many = f" The packet prints {printed} in different places, and none is right." if len(group) > 1 else ""
    how = (
        " A section below explains how this came about."
        if any(f.of and f.of.independent for f in group)
        else ""
    )
    return Paragraph(
        f"{game.title}, {game.spot(_bet(worst)[1]).title}: by the packet the house {kept(edge)} of each $100 "
        f"wagered. By the proof it {kept(worst.share)}. The difference is {of_100(abs(worst.error))} on each "
        f"$100.{many}{how}",
        "bad",
    )


def _rest(findings: Sequence[Finding]) -> Iterator[Block]:
    """What is wrong and costs little or nothing."""
    entries = [*_small_edges(findings), *_chances(findings), *_strategies(findings)]
    if entries:
        yield Paragraph("The other errors cost little or nothing:")
        yield Items(tuple(entries))


def _small_edges(findings: Sequence[Finding]) -> Iterator[str]:
    small = [abs(f.error) for f in findings if f.about_money and f.verdict == "last digit"]
    if small:
        cents = decimal(max(small) * 10000, 1)
        number = counted(len(small), "edge is", "edges are")
        yield f"{number} wrong in the last digit: by at most {cents} cents on each $100 wagered."


def _chances(findings: Sequence[Finding]) -> Iterator[str]:
    """Wrong chances of bets whose edge is right: no money depends on them."""
    wrong_edges = {_bet(f) for f in findings if is_wrong(f) and f.about_money}
    for found in sorted(findings, key=severity):
        if is_wrong(found) and found.of and not found.about_money and _bet(found) not in wrong_edges:
            yield (
                f"{GAMES[found.game].title}, {found.figure}: {found.published} is printed, {found.proved} is "
                "right. The edge that is printed with it is not affected."
            )


def _strategies(findings: Sequence[Finding]) -> Iterator[str]:
    for name, cells in groupby((f for f in findings if f.of is None), key=lambda found: found.game):
        verdicts = [is_wrong(cell) for cell in cells]
        cost = decimal(cost_of_published_strategy(GAMES[name]) * 10000, 2)
        wager = GAMES[name].spot(GAMES[name].choices[0].wager).title
        yield (
            f"{GAMES[name].title}: {sum(verdicts)} of the {len(verdicts)} cells of the published strategy "
            f"table are not the best choice for every hand. Who follows the table in everything loses "
            f"{cost} cents more on each $100 of the {wager} wager than who always chooses best."
        )


# -- The lists --------------------------------------------------------------------------------------


def _wrong(findings: Sequence[Finding]) -> Iterator[Block]:
    listed = sorted((f for f in findings if f.verdict != "agrees"), key=severity)
    if not listed:
        yield Paragraph("Nothing: every published figure is proved.", "good")
        return
    used = dict.fromkeys(found.verdict for found in listed)
    yield Items(tuple(f"{verdict}: {MEANING[verdict]}" for verdict in used))
    yield TableBlock(
        (
            TableColumn("figure, and where it stands"),
            TableColumn("published", right=True),
            TableColumn("proved", right=True),
            TableColumn("verdict"),
            TableColumn("reason"),
        ),
        tuple((_named(f), f.published, f.proved, f.verdict, f.reason) for f in listed),
        tones=tuple(TONES[f.verdict] for f in listed),
    )


def _named(finding: Finding) -> str:
    return f"{GAMES[finding.game].title}: {finding.figure} ({finding.where})"


def _agreeing(findings: Sequence[Finding], names: Sequence[str]) -> Iterator[Section]:
    yield Section(
        "What is right", (Paragraph("These figures are proved to the last printed digit."),), new_page=True
    )
    for name in names:
        own = [found for found in findings if found.game == name]
        yield Section(GAMES[name].title, tuple(_agree(own)), level=2)


def _agree(findings: Sequence[Finding]) -> Iterator[Block]:
    right = [found for found in findings if found.verdict == "agrees" and found.of]
    cells = sum(found.verdict == "agrees" for found in findings if found.of is None)
    if right:
        yield TableBlock(
            (
                TableColumn("figure"),
                TableColumn("where it stands"),
                TableColumn("published", right=True),
                TableColumn("proved", right=True),
            ),
            tuple((f.figure, f.where, f.published, f.proved) for f in right),
        )
    if cells:
        yield Paragraph(
            f"{counted(cells, 'cell')} of the published strategy table, too, are the best choice."
        )
    if not findings:
        yield Paragraph("The packet publishes no figure.")
