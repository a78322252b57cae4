"""`feltlab packet`: the documents that a regulator needs to approve a game."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from feltlab.cli.shared.console import progress_bar
from feltlab.cli.shared.options import (
    author_flag,
    game_argument,
    option_flag,
    paper_flag,
    read_game,
    reviewer_flag,
)
from feltlab.cli.shared.signals import treat_end_as_interrupt
from feltlab.core.game import Game
from feltlab.errors import Refused
from feltlab.files import place_of
from feltlab.submission.aggregate_limits import AGGREGATE_LIMIT, read_aggregate_limits
from feltlab.submission.packet import packet, read_record
from feltlab.submission.submitter import NOBODY, add_to_submitter, read_submitter
from feltlab.submission.venues import venue

if TYPE_CHECKING:
    from feltlab.report.packet_annex import AnnexChoice
    from feltlab.report.renderers.pdf import Paper

ANNEX_CHOICES: "dict[bool | None, AnnexChoice]" = {True: "always", None: "unless large", False: "never"}


@click.command("packet")
@game_argument
@click.option(
    "--venue", "where", required=True, metavar="VENUE", help="The kind of venue: commercial or tribal."
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    required=True,
    metavar="DIR",
    help="The folder to write; an older packet in it is replaced.",
)
@option_flag
@click.option(
    "--previous",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="The previous packet or its packet.json, for the change log.",
)
@click.option(
    "--aggregate-limit",
    "limits",
    multiple=True,
    metavar="BET=DOLLARS",
    help=f"For the sign and the draft of internal controls: {AGGREGATE_LIMIT}.",
)
@click.option(
    "--submitter",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="A TOML file about the submitter, for the cover letter.",
)
@click.option("--submission", metavar="NUMBER", help="The number of the submission, for the cover letter.")
@click.option("--date", "day", metavar="YYYY-MM-DD", help="The date of the cover letter.")
@author_flag
@reviewer_flag
@click.option(
    "--annex/--no-annex",
    "with_annex",
    default=None,
    help="Enclose the complete strategy whatever its size, or not at all; without this, up to 10 MB.",
)
@paper_flag
def command(
    game: Game,
    where: str,
    output: Path,
    options: tuple[str, ...],
    previous: Path | None,
    limits: tuple[str, ...],
    submitter: Path | None,
    submission: str | None,
    day: str | None,
    author: str,
    reviewer: str,
    with_annex: bool | None,
    paper: "Paper",
) -> None:
    """Write the submission packet of a game.

    The folder holds one PDF, its parts, the rack card and the placard for a printer, the complete strategy
    of the player, and a record for the change log of the next packet. The submitter's file may have company,
    address (a list of lines), licence, submission, version, dated, contact, telephone, email and signed_by;
    what is not given is left as a line to fill in.

    \b
      feltlab packet casino-war --venue commercial -o war
      feltlab packet casino-war --venue commercial -o war --submitter we.toml --date 2026-11-16
      feltlab packet casino-war --venue commercial -o war --option decks=8 --previous war
    """
    game = read_game(game, options)
    sender = add_to_submitter(read_submitter(submitter) if submitter else NOBODY, submission, day)
    from feltlab.report.documents.sign_off import SignOff
    from feltlab.report.packet_files import WHOLE_FILE, check_place, replace_packet
    from feltlab.submission.packet_figures import prove_packet

    signed = SignOff(author=author, reviewer=reviewer)
    limited = read_aggregate_limits(game, venue(where), limits)
    record = packet(game, venue(where), read_record(previous) if previous else None, sender, limited)
    place = place_of(output)
    try:
        check_place(place)
        with treat_end_as_interrupt(), progress_bar(f"Writing the packet of {game.title}") as progress:
            figures = prove_packet(record, progress)
            parts = replace_packet(place, record, figures, paper, signed, ANNEX_CHOICES[with_annex])
    except OSError as error:
        raise Refused(f"{output} cannot be written: {error.strerror or error}.") from None
    click.echo(f"Wrote {output / WHOLE_FILE}, the submission packet of {game.title} in {parts} parts.")
