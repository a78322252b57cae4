"""`feltlab certify`: a proof that can be checked without feltlab."""

import subprocess
import sys
from contextlib import suppress
from importlib import resources
from pathlib import Path

import click

from feltlab import __version__
from feltlab.certifying.certificate import (
    CHECKER_FILE,
    MANIFEST_FILE,
    Files,
    certify,
    check_place,
    read_program,
    write_certificate,
)
from feltlab.cli.shared.console import print_json, progress_bar, request_json
from feltlab.cli.shared.options import (
    GameName,
    MultiValueCommand,
    json_flag,
    option_flag,
    read_game_and_stake,
    stake_flag,
)
from feltlab.cli.shared.signals import treat_end_as_interrupt
from feltlab.core.game import Game
from feltlab.digests import sha256_hex
from feltlab.errors import Refused
from feltlab.files import place_of

CHECKER_END_SECONDS = 5.0  # after Ctrl-C


@click.command("certify", cls=MultiValueCommand)
@click.argument("game", type=GameName(), required=False)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="The folder to write; an older certificate in it is replaced.",
)
@option_flag
@stake_flag
@click.option(
    "--check",
    "checked",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Instead, run the checker on a certificate.",
)
@click.option("--nonce", metavar="TEXT", help="With --check: your own text, from which classes are drawn.")
@click.option(
    "--any-version", is_flag=True, help="With --check: also a certificate that another version wrote."
)
@json_flag
def command(
    game: Game | None,
    output: Path | None,
    options: tuple[str, ...],
    stakes: tuple[str, ...],
    checked: Path | None,
    nonce: str | None,
    any_version: bool,
    as_json: bool,
) -> None:
    """Write a certificate: a proof that anyone can check without feltlab.

    The folder holds every class of the player's cards with its counts and its best choice, the rules, a
    manifest with all exact figures, and a checker of one file that needs only Python and numpy. A careful
    verifier takes the checker from a release of feltlab, not from the folder.

    \b
      feltlab certify casino-war -o war --stake tie=1
      feltlab certify --check war
      python check_certificate.py war --nonce "my own words"
    """
    if checked is not None:
        if game or output or options or stakes:
            raise Refused("--check takes a folder and no game, output, option or stake.")
        if not any_version:
            _check_version(checked)
        raise click.exceptions.Exit(_check(checked, nonce, as_json))
    if game is None or output is None or nonce is not None or any_version:
        raise Refused("Name a game and a folder: feltlab certify GAME -o DIR; or a certificate: --check DIR.")
    _write(game, output, options, stakes, as_json)


def _write(
    game: Game, output: Path, options: tuple[str, ...], stakes: tuple[str, ...], as_json: bool
) -> None:
    game, stake = read_game_and_stake(game, options, stakes)
    place = place_of(output)
    try:
        check_place(place)
        with treat_end_as_interrupt():
            with progress_bar(f"Certifying {game.title}") as progress:
                files = certify(game, stake, progress)
            write_certificate(place, files)
    except OSError as error:
        raise Refused(f"{output} cannot be written: {error.strerror or error}.") from None
    summary = _summary(output, files)
    print_json(request_json(game, stake) | summary) if as_json else _print(game, summary)


def _summary(output: Path, files: Files) -> dict[str, object]:
    return {
        "folder": str(output),
        "files": len(files),
        "bytes": sum(map(len, files.values())),
        "manifest_sha256": sha256_hex(files[MANIFEST_FILE]),
        "checker_sha256": sha256_hex(files[CHECKER_FILE]),
    }


def _print(game: Game, summary: dict[str, object]) -> None:
    click.echo(f"Wrote {summary['folder']}, the certificate of {game.title}.")
    click.echo(f"files     {summary['files']}, {summary['bytes']:,} bytes")
    click.echo(f"manifest  {summary['manifest_sha256']}")
    click.echo(f"checker   {summary['checker_sha256']}")


def _check_version(folder: Path) -> None:
    version = read_program(folder)
    if version not in ("", __version__):
        raise Refused(
            f"feltlab {version} wrote {folder}, and this is {__version__}: "
            f"take that release's {CHECKER_FILE}, or add --any-version to check it with this one."
        )


def _check(folder: Path, nonce: str | None, as_json: bool) -> int:
    """Run the checker of this feltlab in a process of its own; its exit status."""
    with resources.as_file(resources.files("feltlab.certifying") / CHECKER_FILE) as checker:
        words = [sys.executable, "-I", str(checker), str(folder), *(["--json"] if as_json else [])]
        sys.stdout.flush()
        words += [] if nonce is None else [f"--nonce={nonce}"]
        with treat_end_as_interrupt():
            return _wait_for(subprocess.Popen(words))


def _wait_for(checker: subprocess.Popen[bytes]) -> int:
    """The checker's exit status. Ctrl-C reaches it too, and it says so; it is ended if it does not."""
    try:
        return checker.wait()
    except KeyboardInterrupt:
        with suppress(subprocess.TimeoutExpired):
            return checker.wait(CHECKER_END_SECONDS)
        checker.kill()
        checker.wait()
        raise
