"""`feltlab school`: drills at the terminal, and the exams, certificates and progress of a pit's school."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from feltlab.cli.shared.console import print_json
from feltlab.cli.shared.ledger_place import ledger_path
from feltlab.cli.shared.options import Whole, game_argument, games_flag, json_flag, paper_flag
from feltlab.core.game import Game
from feltlab.errors import Refused, Unknown
from feltlab.ledger.ledger import LedgerDown
from feltlab.text import dollars

if TYPE_CHECKING:
    from feltlab.report.renderers.pdf import Paper
    from feltlab.school.exams.certificate import DealerCertificate
    from feltlab.school.exams.office import SchoolOffice

data_flag = click.option(
    "--data", type=click.Path(path_type=Path), metavar="DIR", help="The pit's folder; by default, your own."
)
MAX_SEED = 2**53
_DIGEST = re.compile(r"[0-9a-f]{8,64}")  # of a certificate, or the beginning of one


@click.group("school")
def command() -> None:
    """Drill a dealer, and read exams, certificates and progress.

    Exams are set and taken on the page /school of a running pit.
    """


@command.command("drills")
@game_argument
@games_flag
@json_flag
def drills_command(game: Game, as_json: bool) -> None:
    """List the drills of a game."""
    from feltlab.school.drills import drills_of

    found = {drill.name: drill.title for drill in drills_of(game)}
    if as_json:
        print_json(found)
    else:
        for name, title in found.items():
            click.echo(f"{name:<12}{title}")


@command.command("ask")
@game_argument
@click.argument("drill")
@click.argument("answer", nargs=-1)
@click.option(
    "--seed", type=Whole(0, MAX_SEED), default=0, show_default=True, help="The same seed asks the same."
)
@click.option("--level", type=Whole(1, 5), default=1, show_default=True, help="A higher one is harder.")
@games_flag
@json_flag
def ask_command(
    game: Game, drill: str, answer: tuple[str, ...], seed: int, level: int, as_json: bool
) -> None:
    """Ask a question of a drill, or judge the ANSWER to it.

    \b
      feltlab school ask casino-war settle
      feltlab school ask casino-war settle "1 primary pay"
    """
    from feltlab.school.drills import ask_question, judge_answer

    question = ask_question(game, drill, seed, level)
    shown = judge_answer(game, question, answer).to_json() if answer else question.to_json()
    if as_json:
        print_json(shown)
    elif answer:
        _print_verdict(shown)
    else:
        _print_question(shown)


def _print_question(shown: dict[str, Any]) -> None:
    from feltlab.school.drills.frames import describe_change

    click.echo(shown["prompt"])
    for seat in shown["felt"].get("seats", ()):
        if not seat["wagers"] and not seat["cards"]:
            continue
        wagers = ", ".join(f"{spot} {cents / 100:g}" for spot, cents in seat["wagers"].items())
        click.echo(f"  seat {seat['seat']}: {seat['cards']}  ({wagers})")
    for place in ("board", "dealer"):
        if shown["felt"].get(place):
            click.echo(f"  {place}: {shown['felt'][place]}")
    for number, event in enumerate(shown["events"], 1):
        before, after = (shown["shows"][max(0, n)] for n in (number - 2, number - 1))
        seen = describe_change(shown["frames"][before], shown["frames"][after])
        click.echo(f"  {number:>3}  {event}{f'  [{seen}]' if seen else ''}")
    for option in shown["options"]:
        click.echo(f"  {option['key']}: {option['text']}")


def _print_verdict(shown: dict[str, Any]) -> None:
    click.echo(f"{'Right.' if shown['right'] else 'Wrong.'} {shown['says']}")
    for slip in shown["slips"]:
        clause = slip["clause"]
        click.echo(f"  {slip['title']}: {slip['what']}")
        click.echo(f"    {clause['source']}, {clause['number']}: {clause['text']}")
        house, player = (dollars(slip[f"{side}_cents"]) for side in ("house", "player"))
        click.echo(f"    costs the house {house}, the player {player}")


@contextmanager
def _open_office(data: Path | None) -> Iterator["SchoolOffice"]:
    """The school of a pit's folder, to read; a server may be writing it."""
    from feltlab.school.exams.office import SchoolOffice

    try:
        office = SchoolOffice.open(ledger_path(data).parent, writer=False)
    except LedgerDown as down:
        raise Refused(str(down)) from None
    try:
        yield office
    finally:
        office.close()


@command.command("exams")
@data_flag
@json_flag
def exams_command(data: Path | None, as_json: bool) -> None:
    """List exams and attempts."""
    with _open_office(data) as office:
        attempts = [attempt.to_json() for attempt in office.attempts.values()]
        if as_json:
            print_json({"exams": [exam.to_json() for exam in office.exams.values()], "attempts": attempts})
            return
        for exam in office.exams.values():
            click.echo(
                f"exam {exam.number}: {', '.join(exam.games)}; {exam.hands} hands, {exam.pass_percent} %"
            )
        for attempt in attempts:
            result = f"{attempt['percent']} %" if attempt["ended"] else f"at question {attempt['next']}"
            name = f"attempt {attempt['number']}: {attempt['dealer']}"
            click.echo(f"{name}, exam {attempt['exam']['number']}, {result}")


@command.command("check")
@click.argument("certificate", type=click.Path(path_type=Path))
@data_flag
def check_command(certificate: Path, data: Path | None) -> None:
    """Check a dealer's CERTIFICATE against the school's ledger: its .json file, or its printed digest."""
    with _open_office(data) as office:
        if _DIGEST.fullmatch(str(certificate)) and not certificate.exists():
            found = _find_certificate(office, str(certificate))
        else:
            found = office.check_certificate(_read_certificate(certificate))
        if problems := office.verify():
            raise Refused(f"The school's ledger was changed: {problems[0]}")
    passed = f"attempt {found.number}, {found.right} of {found.hands} right, {found.day}"
    click.echo(f"{found.dealer} may deal {', '.join(found.games)}; {passed}.")


def _read_certificate(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except OSError:
        raise Refused(f"{path} cannot be read.") from None
    except ValueError:
        raise Refused(
            "This is not a dealer's certificate as .json; of a printed one check the digest instead."
        ) from None


def _find_certificate(office: "SchoolOffice", digest: str) -> "DealerCertificate":
    """The certificate of a digest, or of the beginning of one."""
    found = [each for name, each in office.certificates.items() if name.startswith(digest)]
    if len(found) != 1:
        raise Unknown(f"{len(found)} certificates have a digest that begins with {digest!r}.")
    return found[0]


@command.command("certificate")
@click.argument("digest")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    required=True,
    help="A file: .pdf, .html, .md, .txt or .json.",
)
@paper_flag
@data_flag
def certificate_command(digest: str, output: Path, data: Path | None, paper: "Paper") -> None:
    """Write the certificate of a DIGEST, or of the beginning of one."""
    from feltlab.report.write import Output
    from feltlab.school.exams.certificate import certificate_document

    file = Output(output, paper=paper)
    with _open_office(data) as office:
        found = _find_certificate(office, digest)
        file.write_document(lambda: certificate_document(found), found.to_json)
    click.echo(f"Wrote {output}.")


@command.command("progress")
@click.option("--csv", "as_csv", is_flag=True, help="Print a table for a spreadsheet.")
@data_flag
@json_flag
def progress_command(as_csv: bool, data: Path | None, as_json: bool) -> None:
    """Show the progress of all dealers: right answers, speed, and the cost of errors by the proofs.

    A cost an hour weighs each error by the chance of its outcome; the line says for which stake and pace.
    """
    from feltlab.school.error_costs import describe_error_costs, prove_odds
    from feltlab.school.exams.exam import parse_game
    from feltlab.school.progress import GameProgress, write_csv

    def find_costs(each: GameProgress) -> dict[str, Any]:
        return describe_error_costs(each, prove_odds(parse_game(each.game)) if each.wrong else {})

    with _open_office(data) as office:
        found = office.progress.all()
    if as_csv:
        click.echo(write_csv(found, find_costs), nl=False)
    elif as_json:
        print_json([each.to_json() | {"by_the_proofs": find_costs(each)} for each in found])
    else:
        for each in found:
            costs = find_costs(each)
            moved = f"errors moved {dollars(each.cost)}"
            hour = f"{dollars(costs['hour_cents'])} an hour by the proofs ({costs['basis']})"
            click.echo(f"{each.dealer}, {each.game}: {each.right} of {each.hands} right, {moved}; {hour}")
