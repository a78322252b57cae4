"""The command line. `feltlab --help` loads no command, and so neither numba nor rich."""

import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

import click

from feltlab import __version__
from feltlab.errors import Refused

COMMANDS = {
    "play": "Play a game at the terminal.",
    "settle": "Say what a hand should have paid.",
    "hand": "Name a hand of cards.",
    "rules": "Print the rules of a game.",
    "games": "List the catalogue of games.",
    "bench": "Measure feltlab beside its peers.",
    "completion": "Print a shell's completion script.",
}


class LazyGroup(click.Group):
    """Commands by name, imported only to be run."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        command: click.Command = import_module(f"feltlab.commands.{name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def main(
        self, args: Sequence[str] | None = None, *rest: Any, standalone_mode: bool = True, **extra: Any
    ) -> Any:
        """Mistakes end in one sentence on standard error and exit status 2."""
        run: Callable[..., Any] = super().main
        if not standalone_mode:
            return run(args, *rest, standalone_mode=False, **extra)
        try:
            status = run(args, *rest, standalone_mode=False, **extra)
        except Refused as refused:
            status = _complain(str(refused), 2)
        except click.ClickException as mistake:
            status = _complain(mistake.format_message(), 2)
        except (click.Abort, KeyboardInterrupt):
            status = _complain("Interrupted.", 130)
        except BrokenPipeError:  # the reader has had enough
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            status = 0
        sys.exit(status)


def _complain(sentence: str, status: int) -> int:
    click.echo(f"feltlab: {' '.join(sentence.split())}", err=True)
    return status


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, "-V", "--version", package_name="feltlab")
def main() -> None:
    """Prove, deal and certify house-banked casino card games."""


if __name__ == "__main__":
    main()
