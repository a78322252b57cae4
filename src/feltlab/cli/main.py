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
from feltlab.game_folders import describe_own_mistake

NAME = "feltlab"
COMPLETION = "_FELTLAB_COMPLETE"  # set by a shell that asks for completion
MAX_SENTENCE_CHARS = 500  # a refusal may quote input of any length

# Exit statuses.
FAILURE, MISTAKE, INTERRUPTED = 1, 2, 130

COMMANDS = {
    "play": "Play a game at the terminal.",
    "serve": "Run a pit of live tables.",
    "prove": "Prove the exact odds and house edge of every wager.",
    "advise": "Show what each choice is worth for one hand.",
    "strategy": "Print the optimal strategy of a game as a card.",
    "design": "Design the pay table of a bet.",
    "simulate": "Simulate random rounds and compare them with the proof.",
    "session": "Forecast a player's session and the house's month.",
    "progressive": "Prove progressive jackpots, and check proposals of them.",
    "par": "Write the PAR sheet of a game.",
    "audit": "Compare published figures with the proofs.",
    "packet": "Write the submission packet of a game.",
    "certify": "Write a certificate: a proof that anyone can check without feltlab.",
    "sign": "Sign a report, a packet or a certificate.",
    "verify": "Verify signatures, and the files that they bind.",
    "settle": "Settle a hand: show what each wager should have paid.",
    "approvals": "Show approvals of games, and the changes of amendments.",
    "accounts": "Make one-time codes for makers, regulators and agencies.",
    "ledger": "Verify, recall, replay, export, back up, restore or archive a pit's ledger.",
    "shuffler": "Show shufflers: their log, their modes and the fault guide.",
    "school": "Drill a dealer, and read exams, certificates and progress.",
    "hand": "Name a hand of cards.",
    "rules": "Print the rules of a game.",
    "games": "List the games, or describe one.",
    "new": "Begin a game of your own.",
    "check": "Check the rules of a game on random cards.",
    "bench": "Run a benchmark, with peer libraries beside it.",
    "completion": "Print a shell's completion script.",
}
MODULES = {
    "new": "own_game.new",
    "check": "own_game.check",
    "approvals": "approving.approvals",
    "accounts": "approving.accounts",
    "school": "teaching.school",
}  # of commands that share a package


class LazyGroup(click.Group):
    """Commands by name, each imported only when it runs."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        command: click.Command = import_module(f"feltlab.cli.{MODULES.get(name, name)}").command
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
        """Run a command and exit; a mistake is one sentence on standard error and exit status 2."""
        if not standalone_mode or COMPLETION in os.environ:
            run: Callable[..., Any] = super().main
            return run(args, prog_name or NAME, *rest, standalone_mode=standalone_mode, **extra)
        _open_streams()
        if args is None:  # not called by a program, which has a hook of its own
            sys.unraisablehook = _hide_interrupts
        words = list(sys.argv[1:] if args is None else args)
        run = partial(self._run, prog_name or NAME, words, extra)
        sys.exit(_end_quietly(partial(_flush_after, partial(_report_errors, run))))

    def _run(self, name: str, words: list[str], extra: dict[str, Any]) -> None:
        """Run like click, but let a broken pipe and an EOFError reach `_flush_after`."""
        with self.make_context(name, words, **extra) as context:
            self.invoke(context)


def _open_streams() -> None:
    """Open the null device for closed streams; replace characters that the output cannot encode."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115 open as long as the program runs
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")


def _hide_interrupts(ignored: "sys.UnraisableHookArgs") -> None:
    """Print no traceback of a Ctrl-C that reaches a callback or the end of the program, as Python does."""
    if not isinstance(ignored.exc_value, KeyboardInterrupt):
        sys.__unraisablehook__(ignored)


def _end_quietly(run: Callable[[], int]) -> int:
    """The exit status of a run, also if Ctrl-C is pressed again while the first one is reported."""
    try:
        return run()
    except KeyboardInterrupt:
        return INTERRUPTED


def _report_errors(run: Callable[[], None]) -> int:
    """The exit status of a run. An error becomes one sentence on standard error."""
    try:
        run()
    except click.exceptions.Exit as left:
        return left.exit_code
    except Refused as refused:
        return _complain(str(refused), MISTAKE)
    except click.ClickException as mistake:
        return _complain(mistake.format_message(), MISTAKE)
    except (click.Abort, KeyboardInterrupt):
        return _complain("Interrupted.", INTERRUPTED)
    except Exception as error:
        if sentence := describe_own_mistake(error):
            return _complain(sentence, MISTAKE)
        raise
    return 0


def _flush_after(run: Callable[[], int]) -> int:
    """The exit status of a run after its output is flushed; Python itself would print a traceback."""
    status = 0
    try:
        status = run()
        sys.stdout.flush()
    except BrokenPipeError:  # the reader has closed the pipe: a status that is known stays
        pass
    except OSError as error:
        status = _complain(f"{error.strerror or error}.", FAILURE)
    else:
        return status
    with suppress(OSError):  # discard the output that is left
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return status


def _complain(sentence: str, status: int) -> int:
    with suppress(OSError):  # standard error may be closed
        click.echo(f"{NAME}: {_one_line(sentence)}", err=True)
    return status


def _one_line(sentence: str) -> str:
    """The sentence without line breaks and control characters, cut at MAX_SENTENCE_CHARS."""
    joined = " ".join(sentence.split())[: MAX_SENTENCE_CHARS + 1]
    printable = "".join(char if char.isprintable() else repr(char)[1:-1] for char in joined)
    return printable if len(printable) <= MAX_SENTENCE_CHARS else f"{printable[:MAX_SENTENCE_CHARS]} ..."


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
