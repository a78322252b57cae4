"""`feltlab packet`: everything that a regulator is given to approve a game."""

import json
import re
import shutil
import tempfile
from pathlib import Path

import click

from feltlab.cli.options import game_argument, option_flag
from feltlab.core.game import Game
from feltlab.errors import Refused
from feltlab.files import place_of
from feltlab.submission.packet import RECORD, Packet, packet, read_record
from feltlab.submission.venues import venue
from feltlab.text import parse_pairs

WHOLE, PARTS = "packet.pdf", "parts"


@click.command("packet")
@game_argument
@click.option("--venue", "where", required=True, metavar="VENUE", help="commercial or tribal.")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    required=True,
    metavar="DIR",
    help="The folder to write; one that holds a packet is replaced.",
)
@option_flag
@click.option(
    "--previous",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="The packet before, or its packet.json, for the change log.",
)
def command(game: Game, where: str, output: Path, options: tuple[str, ...], previous: Path | None) -> None:
    """Write the submission packet of a game: one PDF, its parts, and a record for the next change log.

    \b
      feltlab packet casino-war --venue commercial -o war
      feltlab packet casino-war --venue commercial -o war --option decks=8 --previous war
    """
    game = game.with_options(parse_pairs(options, "--option"))
    made = packet(game, venue(where), read_record(previous) if previous else None)
    place = place_of(output)
    try:
        check_place(place)
        _replace(place, made)
    except OSError as error:
        raise Refused(f"{output} cannot be written: {error.strerror or error}.") from None
    click.echo(f"{output / WHOLE}: {made.whole.kind.lower()} of {game.title}, {len(made.documents)} parts")


def check_place(place: Path) -> None:
    """Refuse a place that holds anything but a packet: what is there will be replaced."""
    if not place.exists():
        return
    if not place.is_dir():
        raise Refused(f"{place} is a file, not a folder.")
    if not all(map(_ours, place.iterdir())):
        raise Refused(f"{place} holds other things than a packet of feltlab; name an empty or a new folder.")
    if any(place.iterdir()):
        read_record(place)


def _ours(path: Path) -> bool:
    """Is it one of the things that a packet consists of?"""
    if path.name == PARTS and path.is_dir():
        return all(re.fullmatch(r"\d\d-[a-z-]+\.pdf", part.name) for part in path.iterdir())
    return path.name in (WHOLE, RECORD) and path.is_file()


def _replace(place: Path, made: Packet) -> None:
    """Build the packet beside its place and move it there, so that nothing half-written is ever seen."""
    place.parent.mkdir(parents=True, exist_ok=True)
    beside = Path(tempfile.mkdtemp(prefix=".packet-", dir=place.parent))
    try:
        write_packet(beside / "new", made)
        if place.exists():
            place.rename(beside / "old")
        (beside / "new").rename(place)
    except BaseException:
        if (beside / "old").exists() and not place.exists():
            (beside / "old").rename(place)
        raise
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def write_packet(folder: Path, made: Packet) -> None:
    """The files of a packet, into a folder."""
    from feltlab.report.write import write

    (folder / PARTS).mkdir(parents=True)
    record = made.as_json()
    write(folder / WHOLE, made.whole, record)
    for n, part in enumerate(made.documents, 1):
        write(folder / PARTS / f"{n:02}-{re.sub('[^a-z]+', '-', part.kind.lower())}.pdf", part, record)
    (folder / RECORD).write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
