"""`feltlab audit`: published figures against the proofs."""

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.table import Table

from feltlab.analysis.audit import WORST_FIRST, Finding, audit
from feltlab.cli.shared.console import make_console, print_json, progress_bar
from feltlab.cli.shared.options import (
    GameName,
    author_flag,
    cluster_at,
    cluster_flag,
    json_flag,
    paper_flag,
    proof_date_flag,
    reviewer_flag,
)
from feltlab.core.game import Game
from feltlab.errors import Refused
from feltlab.games import GAMES
from feltlab.parallel.executor import Executor

if TYPE_CHECKING:
    from feltlab.report.documents.sign_off import SignOff
    from feltlab.report.renderers.pdf import Paper

COLOURS = {
    "agrees": "green",
    "last digit": "yellow",
    "depends": "cyan",
    "differs": "red",
    "contradicts": "magenta",
}


@click.command("audit")
@click.argument("game", type=GameName(), required=False)
@click.option("--all", "everything", is_flag=True, help="Also list the figures that agree.")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write a report instead: .pdf, .html, .md, .txt or .json.",
)
@proof_date_flag
@author_flag
@reviewer_flag
@paper_flag
@cluster_flag
@json_flag
def command(
    game: Game | None,
    everything: bool,
    output: Path | None,
    date: str,
    author: str,
    reviewer: str,
    paper: "Paper",
    cluster: str | None,
    as_json: bool,
) -> None:
    """Compare published figures with the proofs.

    The figures come from the games' published packets; without GAME, from all of them. The exit status is 0
    even if figures are wrong.

    \b
      agrees       the proved value rounds to the published digits
      last digit   the published value is off by one unit in its last digit
      differs      the published value is wrong
      contradicts  the packet publishes another value elsewhere
      depends      a published hold is true for some sessions and not for others
    """
    names = [game.name] if game else list(GAMES)
    signed = _read_sign_off(output, date, author, reviewer)
    if output:
        findings = _write_report(output, paper, names, cluster_at(cluster), signed)
        click.echo(f"Wrote {output}.", err=as_json)
    else:
        with progress_bar("Auditing") as progress:
            findings = list(audit(names, progress, cluster_at(cluster)))
    if as_json:
        print_json([finding.as_json() for finding in findings])
    elif not output:
        _print(findings, everything)


def _read_sign_off(output: Path | None, date: str, author: str, reviewer: str) -> "SignOff":
    from feltlab.report.documents.sign_off import UNSIGNED, SignOff

    signed = SignOff(date, author, reviewer)
    if output is None and signed != UNSIGNED:
        raise Refused("--date, --author and --reviewer are for a report; name its file with -o.")
    return signed


def _write_report(
    path: Path, paper: "Paper", names: list[str], executor: Executor | None, signed: "SignOff"
) -> list[Finding]:
    from feltlab.analysis.audit_report import audit_report
    from feltlab.report.documents.findings import document, report_json
    from feltlab.report.write import Output

    output = Output(path, paper=paper)
    with progress_bar("Auditing") as progress:
        report = audit_report(names, progress, executor)
    output.write_document(lambda: document(report, signed), lambda: report_json(report, signed))
    return list(report.findings)


def _print(findings: list[Finding], everything: bool) -> None:
    console = make_console()
    for name in dict.fromkeys(finding.game for finding in findings):
        shown = [f for f in findings if f.game == name and (everything or f.basis or f.verdict != "agrees")]
        shown.sort(key=lambda finding: WORST_FIRST.index(finding.verdict))
        if shown:
            console.print(_findings_table(GAMES[name].title, shown))
    verdicts = Counter(finding.verdict for finding in findings)
    plurals = {"agrees": "agree", "differs": "differ", "contradicts": "contradict", "depends": "depend"}
    counted = ", ".join(
        f"{verdicts[v]} {v if verdicts[v] == 1 else plurals.get(v, v)}" for v in COLOURS if verdicts[v]
    )
    total = f"{len(findings)} figure{'s' * (len(findings) != 1)}: {counted}"
    console.print(total if findings else "No figures are published.", highlight=False)


def _findings_table(title: str, findings: list[Finding]) -> Table:
    table = Table("figure", "published", "proved", "verdict", title=title, title_justify="left")
    table.columns[1].justify = table.columns[2].justify = "right"
    for finding in findings:
        figure = f"{finding.figure}\n[dim]({finding.where})[/]"
        figure += f"\n[italic]{finding.note}[/]" if finding.note else ""
        verdict = f"[{COLOURS[finding.verdict]}]{finding.verdict}[/]"
        table.add_row(figure, finding.published, finding.proved, verdict)
    return table
