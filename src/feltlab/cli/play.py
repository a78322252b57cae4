"""`feltlab play`: a table at the terminal."""

import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from io import TextIOWrapper
from math import gcd, lcm
from typing import TextIO

import click

from feltlab.cli.shared.options import Whole, game_argument, option_flag, read_game
from feltlab.cli.shared.signals import treat_end_as_interrupt
from feltlab.core.amounts import MAX_WAGER_CENTS
from feltlab.core.game import Game
from feltlab.core.limits import Limits
from feltlab.errors import Refused
from feltlab.shuffling.uniform import shuffle_cards
from feltlab.terminal.solo_table import SoloTable, seeded_shuffle
from feltlab.text import dollars, parse_dollars

READ_CHARS = 4096  # of a line at a time
TABLE_ERROR = "The table had an error."  # the reason of a void round


@click.command("play")
@game_argument
@option_flag
@click.option("--seed", type=Whole(min=0), metavar="S", help="Practise: a seed always deals the same cards.")
@click.option(
    "--bankroll", default="1000", metavar="DOLLARS", show_default=True, help="The money you sit down with."
)
@click.option("--minimum", default="5", metavar="DOLLARS", show_default=True, help="The smallest wager.")
@click.option("--maximum", default="400", metavar="DOLLARS", show_default=True, help="The largest wager.")
@click.option("--plain", is_flag=True, help="Use plain lines, as in a pipe; for screen readers.")
def command(
    game: Game,
    options: tuple[str, ...],
    seed: int | None,
    bankroll: str,
    minimum: str,
    maximum: str,
    plain: bool,
) -> None:
    """Play a game at the terminal.

    You play with play money on a screen of 80x24 or more. In a pipe, or with --plain, you type one line for
    each decision.

    \b
      feltlab play casino-war --option decks=8
      feltlab play high-five-poker --seed 7 --minimum 10
      echo "primary=10 tie=5" | feltlab play casino-war
    """
    game = read_game(game, options)
    shuffle = shuffle_cards if seed is None else seeded_shuffle(seed)
    table = SoloTable(game, shuffle, _read_bankroll(bankroll), _read_limits(game, minimum, maximum))
    if table.is_broke:
        raise Refused(f"A bankroll of {dollars(table.bankroll)} is less than the minimum wager.")
    if plain or not _has_screen():
        _play_lines(table)
    else:
        _play_screen(table, seed)


def _read_bankroll(text: str) -> int:
    amount = parse_dollars(text)
    if not 0 < amount <= MAX_WAGER_CENTS:
        raise Refused(f"The bankroll must be more than $0 and at most {dollars(MAX_WAGER_CENTS)}.")
    return amount


def _read_limits(game: Game, minimum: str, maximum: str) -> Limits:
    """The limits, in whole dollars unless the minimum is finer; every spot must be able to take both."""
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
    """Are all streams terminals? Keys come from standard input; textual draws on standard error in UTF-8."""
    streams = (sys.stdin, sys.stdout, sys.stderr)
    return os.environ.get("TERM", "") not in ("", "dumb") and all(map(_is_terminal, streams))


def _is_terminal(stream: TextIO | None) -> bool:
    return stream is not None and stream.isatty() and stream.encoding.lower().replace("-", "") == "utf8"


def _play_lines(table: SoloTable) -> None:
    from feltlab.terminal.lines import play

    with treat_end_as_interrupt():
        play(table, _read_lines(), click.echo)


def _read_lines() -> Iterator[str]:
    """The lines of standard input; bytes that are not text become replacement characters."""
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    with suppress(OSError):  # input that cannot be read has ended
        while line := _read_line():
            yield line


def _read_line() -> str:
    """One line; of a very long one only the beginning, which is enough to refuse it."""
    line = rest = sys.stdin.readline(READ_CHARS)
    while rest and not rest.endswith("\n"):
        rest = sys.stdin.readline(READ_CHARS)
    return line


def _play_screen(table: SoloTable, seed: int | None) -> None:
    from feltlab.terminal.screen import TableApp

    if _has_few_colours():
        os.environ["NO_COLOR"] = "1"  # textual reads this, and not how many colours the terminal has
    app = TableApp(table, seed)
    left = app.run()
    click.echo((left or app.felt.table.void(TABLE_ERROR)).summary)
    if left is None:
        click.echo(f"feltlab: The table stopped: {app.error_place}; your wagers are returned.", err=True)
        click.get_current_context().exit(1)


def _has_few_colours() -> bool:
    import curses

    try:
        curses.setupterm()
    except curses.error:
        return False
    return curses.tigetnum("colors") < 8
