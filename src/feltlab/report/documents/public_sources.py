"""Sections of the findings report on public sources: where they disagree, and what is not audited."""

from collections.abc import Iterable, Iterator

from feltlab.analysis.audit import Finding
from feltlab.analysis.audit_report import AuditReport
from feltlab.games import GAMES
from feltlab.report.document import Block, Paragraph, Section, TableBlock, columns


def name_papers(findings: Iterable[Finding]) -> str:
    """The papers that print the figures."""
    is_public = any(finding.of and finding.of.source for finding in findings)
    return "approval packets and public sources" if is_public else "approval packets"


def sections(report: AuditReport) -> Iterator[Section]:
    """The sections for which the report has content."""
    if report.disputes:
        yield Section("Where sources disagree", tuple(_disputes(report)))
    if report.later:
        yield Section("What is not audited", tuple(_later(report)))


def _disputes(report: AuditReport) -> Iterator[Block]:
    yield Paragraph("Several figures are published for one quantity. The proof decides between them.")
    for (game, quantity), group in report.disputes.items():
        rows = tuple((f.published, f.where, f.proved, _describe(f)) for f in group)
        titles = columns(">published", "source", ">proved", "verdict")
        yield TableBlock(titles, rows, f"{GAMES[game].title}: {quantity}")


def _describe(finding: Finding) -> str:
    """The basis on which a figure agrees, or the verdict and its reason."""
    reason = f"; {finding.note}" if finding.note else ""
    return finding.basis or f"{finding.verdict}{reason}"


def _later(report: AuditReport) -> Iterator[Block]:
    yield Paragraph("These statements are published and are kept as data for later.")
    rows = tuple(
        (f"{GAMES[game].title}: {each.name}", each.published, f"{each.where}, {each.source}", each.why)
        for game, each in report.later
    )
    yield TableBlock(columns("statement", "published", "source", "why"), rows)
