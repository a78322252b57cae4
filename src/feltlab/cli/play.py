"""`feltlab play`: a table at the terminal."""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from math import gcd, lcm
from typing import TextIO

import click

from feltlab.cli.options import Whole, game_argument, option_flag
from feltlab.core.game import MOST_CENTS, Game
from feltlab.core.limits import Limits
from feltlab.errors import Refused
from feltlab.shuffling.uniform import shuffled
from feltlab.terminal.solo_table import Session, practice
from feltlab.text import dollars, parse_dollars, parse_pairs

MOST_READ = 4096  # characters at a time


@click.command("play")
@game_argument
@option_flag
@click.option("--seed", type=Whole(min=0), metavar="S", help="Practise: the same seed deals the same cards.")
@click.option(
    "--bankroll", default="1000", metavar="DOLLARS", show_default=True, help="What you sit down with."
)
@click.option(
    "--minimum", default="5", metavar="DOLLARS", show_default=True, help="The least that a wager may be."
)
@click.option(
    "--maximum", default="400", metavar="DOLLARS", show_default=True, help="The most that a wager may be."
)
@click.option("--plain", is_flag=True, help="Plain lines, as in a pipe, for screen readers.")
def command(
    game: Game,
    options: tuple[str, ...],
    seed: int | None,
    bankroll: str,
    minimum: str,
    maximum: str,
    plain: bool,
) -> None:
    """Play a game at the terminal, with play money.

    A screen of 80x24 or more; in a pipe, or with --plain, one line per decision.

    \b
      feltlab play casino-war --option decks=8
      feltlab play high-five-poker --seed 7 --minimum 10
      echo "primary=10 tie=5" | feltlab play casino-war
    """
    game = game.with_options(parse_pairs(options, "--option"))
    limits = _limits(game, minimum, maximum)
    session = Session(game, shuffled if seed is None else practice(seed), _bankroll(bankroll), limits)
    if session.broke:
        raise Refused(f"A bankroll of {dollars(session.bankroll)} is less than the minimum wager.")
    if plain or not _has_screen():
        _play_lines(session)
    else:
        _play_screen(session, seed)


def _bankroll(text: str) -> int:
    amount = parse_dollars(text)
    if not 0 < amount <= MOST_CENTS:
        raise Refused(f"The bankroll must be more than nothing and at most {dollars(MOST_CENTS)}.")
    return amount


def _limits(game: Game, minimum: str, maximum: str) -> Limits:
    """Whole dollars, unless the minimum is finer. What the limits allow can also be wagered."""
    least, most = parse_dollars(minimum), parse_dollars(maximum)
    limits = Limits(least, most, gcd(least, 100))
    for spot in game.wagers:
        step = lcm(limits.step, game.step(spot))
        for limit in (least, most):
            if limit % step:
                wanted = f"the {spot.title} wager takes multiples of {dollars(step)}"
                raise Refused(f"{dollars(limit)} cannot be a limit: {wanted}.")
    return limits


def _has_screen() -> bool:
    """Keys come from standard input; textual draws on standard error, with signs beyond ASCII."""
    streams = (sys.stdin, sys.stdout, sys.stderr)
    return os.environ.get("TERM", "") not in ("", "dumb") and all(map(_is_terminal, streams))


def _is_terminal(stream: TextIO | None) -> bool:
    return stream is not None and stream.isatty() and stream.encoding.lower().replace("-", "") == "utf8"


def _play_lines(session: Session) -> None:
    from feltlab.terminal.lines import play

    with _leaving_by_signal():
        play(session, _typed(), click.echo)


@contextmanager
def _leaving_by_signal() -> Iterator[None]:
    """Signals that end a program interrupt it instead, so that the player leaves with a summary."""
    ending = [n for n in (signal.SIGTERM, signal.SIGHUP) if signal.getsignal(n) == signal.SIG_DFL]
    for number in ending:
        signal.signal(number, signal.default_int_handler)
    try:
        yield
    finally:
        for number in ending:
            signal.signal(number, signal.SIG_DFL)


def _typed() -> Iterator[str]:
    """Lines as they come; bytes that are no text become marks that mean nothing."""
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    with suppress(OSError):  # what cannot be read has ended
        while line := _line():
            yield line


def _line() -> str:
    """A line; of one that does not end, no more than shows that it is too long."""
    line = rest = sys.stdin.readline(MOST_READ)
    while rest and not rest.endswith("\n"):
        rest = sys.stdin.readline(MOST_READ)
    return line


def _play_screen(session: Session, seed: int | None) -> None:
    from feltlab.terminal.screen import BROKEN, Table

    if _colourless():
        os.environ["NO_COLOR"] = "1"  # textual asks for this, not for what the terminal can do
    table = Table(session, seed)
    left = table.run()
    click.echo((left or table.felt.session.void(BROKEN)).summary)
    if left is None:
        click.echo(f"feltlab: The table broke{table.trouble}; your wagers are given back.", err=True)
        click.get_current_context().exit(1)


def _colourless() -> bool:
    import curses

    try:
        curses.setupterm()
    except curses.error:
        return False
    return curses.tigetnum("colors") < 8
