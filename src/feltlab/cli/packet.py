"""`feltlab packet`: the documents that a regulator needs to approve a game."""

from pathlib import Path

import click

from feltlab.cli.shared.console import progress_bar
from feltlab.cli.shared.options import game_argument, option_flag, read_game
from feltlab.core.game import Game
from feltlab.errors import Refused
from feltlab.files import place_of
from feltlab.submission.packet import packet, read_record
from feltlab.submission.venues import venue


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
def command(game: Game, where: str, output: Path, options: tuple[str, ...], previous: Path | None) -> None:
    """Write the submission packet of a game.

    The folder holds one PDF, its parts, and a record for the change log of the next packet.

    \b
      feltlab packet casino-war --venue commercial -o war
      feltlab packet casino-war --venue commercial -o war --option decks=8 --previous war
    """
    game = read_game(game, options)
    from feltlab.analysis.par_sheet import par_sheet
    from feltlab.report.packet_files import WHOLE_FILE, check_place, replace_packet

    record = packet(game, venue(where), read_record(previous) if previous else None)
    place = place_of(output)
    try:
        check_place(place)
        with progress_bar(f"Writing the packet of {game.title}") as progress:
            parts = replace_packet(place, record, par_sheet(game, progress=progress))
    except OSError as error:
        raise Refused(f"{output} cannot be written: {error.strerror or error}.") from None
    click.echo(f"Wrote {output / WHOLE_FILE}, the submission packet of {game.title} in {parts} parts.")
