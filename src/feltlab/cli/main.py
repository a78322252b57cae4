"""The command line. `feltlab --help` loads no command, and so neither numba nor rich."""

import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from importlib import import_module
from io import TextIOWrapper
from typing import Any

import click

from feltlab import __version__
from feltlab.errors import Refused

NAME = "feltlab"
COMPLETION = "_FELTLAB_COMPLETE"  # set by a shell that asks for completion
LONGEST = 500  # characters of a sentence; input can be longer than anyone wants to read again

COMMANDS = {
    "play": "Play a game at the terminal.",
    "serve": "Run a pit of live tables.",
    "prove": "Prove the law of every wager of a game.",
    "advise": "Say what each choice is worth, for one hand.",
    "strategy": "Print the best strategy of a game on a card.",
    "design": "Design the pay table of a bet.",
    "simulate": "Play random rounds and hold the proof to them.",
    "session": "Foresee a player's session and the month of the house.",
    "par": "Write the PAR sheet of a game.",
    "audit": "Compare published figures with the proofs.",
    "packet": "Write the submission packet of a game.",
    "settle": "Say what a hand should have paid.",
    "ledger": "Verify, recall, replay or export what a pit has recorded.",
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
        command: click.Command = import_module(f"feltlab.cli.{name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        *rest: Any,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        """Mistakes end in one sentence on standard error and exit status 2."""
        if not standalone_mode or COMPLETION in os.environ:
            run: Callable[..., Any] = super().main
            return run(args, prog_name or NAME, *rest, standalone_mode=standalone_mode, **extra)
        _open_streams()
        words = list(sys.argv[1:] if args is None else args)
        sys.exit(_written(partial(_answered, partial(self._run, prog_name or NAME, words, extra))))

    def _run(self, name: str, words: list[str], extra: dict[str, Any]) -> None:
        """As click does it, without what click makes of a broken pipe and of an EOFError."""
        with self.make_context(name, words, **extra) as context:
            self.invoke(context)


def _open_streams() -> None:
    """Closed streams become empty ones, and no encoding stops the output."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115 open as long as the program runs
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")


def _answered(run: Callable[[], None]) -> int:
    """The exit status of a run; what stopped it is said in one sentence."""
    try:
        run()
    except click.exceptions.Exit as left:
        return left.exit_code
    except Refused as refused:
        return _complain(str(refused), 2)
    except click.ClickException as mistake:
        return _complain(mistake.format_message(), 2)
    except (click.Abort, KeyboardInterrupt):
        return _complain("Interrupted.", 130)
    return 0


def _written(run: Callable[[], int]) -> int:
    """The exit status of a run once its output is out; the interpreter would say it less well."""
    try:
        status = run()
        sys.stdout.flush()
    except BrokenPipeError:  # the reader has had enough
        status = 0
    except OSError as error:
        status = _complain(f"{error.strerror or error}.", 1)
    else:
        return status
    with suppress(OSError):  # what is left unwritten goes nowhere
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return status


def _complain(sentence: str, status: int) -> int:
    with suppress(OSError):  # nobody can be told
        click.echo(f"{NAME}: {_one_line(sentence)}", err=True)
    return status


def _one_line(sentence: str) -> str:
    """Without line breaks, control characters or endless input."""
    joined = " ".join(sentence.split())
    seen = "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in joined[: LONGEST + 1])
    return seen if len(seen) <= LONGEST else f"{seen[:LONGEST]} ..."


@click.group(
    cls=LazyGroup, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]}
)
@click.version_option(__version__, "-V", "--version", package_name="feltlab")
@click.pass_context
def main(context: click.Context) -> None:
    """Prove, deal and certify house-banked casino card games."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


if __name__ == "__main__":
    main()
