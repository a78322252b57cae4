"""`feltlab audit`: published figures against the proofs."""

import json
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import click

from feltlab.analysis.audit import WORST_FIRST, Finding, audit
from feltlab.cli.console import make_console, progress_bar
from feltlab.cli.options import GameName, cluster_at, cluster_flag, json_flag
from feltlab.core.game import Game
from feltlab.games import GAMES
from feltlab.parallel.executor import Executor

if TYPE_CHECKING:
    from rich.table import Table

COLOURS = {"agrees": "green", "last digit": "yellow", "differs": "red", "contradicts": "magenta"}


@click.command("audit")
@click.argument("game", type=GameName(), required=False)
@click.option("--all", "everything", is_flag=True, help="List the figures that agree, too.")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write the findings as a report; the suffix says how, such as .pdf or .html.",
)
@cluster_flag
@json_flag
def command(
    game: Game | None, everything: bool, output: Path | None, cluster: str | None, as_json: bool
) -> None:
    """Compare every figure that a game's packet publishes with the proof, one by one.

    Without a game all packets are audited. An audit that finds errors has worked: exit status 0.

    \b
      agrees       the proved value rounds to the printed digits
      last digit   it is off by one unit of the last printed digit
      differs      it is another value
      contradicts  the packet prints another value for the same thing elsewhere
    """
    names = [game.name] if game else list(GAMES)
    if output:
        findings = _write_report(output, names, cluster_at(cluster))
        click.echo(f"{output} is written.", err=as_json)
    else:
        with progress_bar("Auditing") as progress:
            findings = list(audit(names, progress, cluster_at(cluster)))
    if as_json:
        click.echo(json.dumps([finding.as_json() for finding in findings], indent=2))
    elif not output:
        _print(findings, everything)


def _write_report(path: Path, names: list[str], executor: Executor | None) -> list[Finding]:
    from feltlab.analysis.audit_report import audit_report
    from feltlab.report.documents.findings import document
    from feltlab.report.write import Output

    output = Output(path)
    with progress_bar("Auditing") as progress:
        report = audit_report(names, progress, executor)
    output.write_document(lambda: document(report), report.as_json)
    return list(report.findings)


def _print(findings: list[Finding], everything: bool) -> None:
    paper = make_console()
    for name in dict.fromkeys(finding.game for finding in findings):
        shown = [f for f in findings if f.game == name and (everything or f.verdict != "agrees")]
        shown.sort(key=lambda finding: WORST_FIRST.index(finding.verdict))
        if shown:
            paper.print(_table(GAMES[name].title, shown))
    verdicts = Counter(found.verdict for found in findings)
    plurals = {"agrees": "agree", "differs": "differ", "contradicts": "contradict"}
    counted = ", ".join(f"{verdicts[v]} {plurals.get(v, v)}" for v in COLOURS if verdicts[v])
    paper.print(f"{len(findings)} figures: {counted or 'none is published'}", highlight=False)


def _table(title: str, findings: list[Finding]) -> "Table":
    from rich.table import Table

    table = Table("figure", "published", "proved", "verdict", title=title, title_justify="left")
    table.columns[1].justify = table.columns[2].justify = "right"
    for found in findings:
        figure = f"{found.figure}\n[dim]({found.where})[/]"
        figure += f"\n[italic]{found.note}[/]" if found.note else ""
        table.add_row(figure, found.published, found.proved, f"[{COLOURS[found.verdict]}]{found.verdict}[/]")
    return table
