"""`feltlab play`: a table at the terminal."""

import os
import sys
from collections.abc import Iterator
from io import TextIOWrapper
from math import gcd

import click

from feltlab.commands.common import cents, game_argument, option_flag, pairs
from feltlab.errors import Refused
from feltlab.game import MOST_CENTS, Game, dollars
from feltlab.play.session import Limits, Session, practice
from feltlab.shuffle import shuffled


@click.command("play")
@game_argument
@option_flag
@click.option(
    "--seed", type=click.IntRange(min=0), metavar="S", help="Practise: the same seed deals the same cards."
)
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
    session = Session(
        game.with_options(pairs(options, "--option")),
        shuffled if seed is None else practice(seed),
        _bankroll(bankroll),
        _limits(minimum, maximum),
    )
    if session.broke:
        raise Refused(f"A bankroll of {dollars(session.bankroll)} is less than the minimum wager.")
    if plain or not _has_screen():
        _play_lines(session)
    else:
        _play_screen(session, seed)


def _bankroll(text: str) -> int:
    amount = cents(text)
    if not 0 < amount <= MOST_CENTS:
        raise Refused(f"The bankroll must be more than nothing and at most {dollars(MOST_CENTS)}.")
    return amount


def _limits(minimum: str, maximum: str) -> Limits:
    """Whole dollars, unless the minimum is finer."""
    least = cents(minimum)
    return Limits(least, cents(maximum), gcd(least, 100) or 100)


def _has_screen() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM", "") not in ("", "dumb")


def _play_lines(session: Session) -> None:
    from feltlab.play.lines import play

    play(session, _typed(), click.echo)


def _typed() -> Iterator[str]:
    """Lines as they come; bytes that are no text become marks that mean nothing."""
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    while line := sys.stdin.readline():
        yield line


def _play_screen(session: Session, seed: int | None) -> None:
    from feltlab.play.screen import Table

    if _colourless():
        os.environ["NO_COLOR"] = "1"  # textual asks for this, not for what the terminal can do
    left = Table(session, seed).run()
    if left is not None:
        click.echo(left.summary)


def _colourless() -> bool:
    import curses

    try:
        curses.setupterm()
    except curses.error:
        return False
    return curses.tigetnum("colors") < 8
