"""`feltlab design`: a bet under other pays, and the pay tables nearest to a target."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from feltlab.analysis.design.aim import AIM_TITLES, AIMS, aim_at
from feltlab.analysis.design.break_even import break_evens, solve_break_even
from feltlab.analysis.design.pays import (
    BetLine,
    Design,
    design,
    find_bet,
    line_name,
    read_edge,
    read_pays,
    stake_for,
)
from feltlab.analysis.design.search import TOLERANCE, nearest_tables
from feltlab.cli.shared.console import (
    describe_stake,
    figures_table,
    make_console,
    print_json,
    progress_bar,
    request_json,
    stake_json,
)
from feltlab.cli.shared.options import (
    MultiValueCommand,
    Whole,
    game_argument,
    json_flag,
    option_flag,
    read_game,
    stake_flag,
)
from feltlab.core.game import Game
from feltlab.core.stake import Stake
from feltlab.errors import Refused
from feltlab.parallel.progress import Progress
from feltlab.proving.exact_numbers import exact, root
from feltlab.proving.proof import Proof
from feltlab.text import parse_pairs, short_percent

MIN_COLUMN_CHARS = 10  # on a narrow terminal


@click.command("design", cls=MultiValueCommand)
@game_argument
@click.argument("bet")
@click.option("--pays", multiple=True, metavar="OUTCOME=PAY", help="New pays, such as flush=5,straight=3/2.")
@click.option("--target", metavar="COST", help="Find the pay tables nearest to this cost, such as 4.5%.")
@click.option(
    "--aim",
    type=click.Choice(list(AIMS)),
    default="added",
    show_default=True,
    help="The cost in question: that which the wager adds to the stake, or the joint edge of the stake.",
)
@click.option("--half", is_flag=True, help="Let those tables pay half units, too.")
@click.option(
    "--count", type=Whole(1, 100), default=10, show_default=True, help="The number of tables to list."
)
@option_flag
@stake_flag
@json_flag
def command(
    game: Game,
    bet: str,
    pays: tuple[str, ...],
    target: str | None,
    aim: str,
    half: bool,
    count: int,
    options: tuple[str, ...],
    stakes: tuple[str, ...],
    as_json: bool,
) -> None:
    """Design the pay table of a bet.

    With --pays: the cost under those pays. Name an outcome in full, by its beginning or by one of its words;
    'play: better hand' is a line of a raise.

    With --target: pay tables within a quarter of a percentage point of that cost, the smallest change first.
    The order of the pays is kept. Where the optimal strategy depends on the pays, every listed table is
    proved, but a nearer one may be missed.

    With neither: the pay of each line at which the bet breaks even.

    The cost is what the bet adds to the loss of the stake, at best play with and without it, for each unit of
    the bet; with --aim joint, the loss of the whole stake for each unit of its first wagers.

    The stake is one unit on each required wager and on the bet. Where the optimal strategy depends on the
    pays, it is solved again.

    \b
      feltlab design triple-shot-rummy pair-plus --pays "flush=5, straight=5"
      feltlab design rabbit-hunter tens-up --target 4.5% --half
      feltlab design triple-shot-bonus hat-trick
    """
    game = read_game(game, options)
    spot = find_bet(game, bet)
    stake = stake_for(game, spot, parse_pairs(stakes, "--stake"))
    wanted, new = read_edge(target), read_pays(",".join(pays))
    if pays and not new:
        raise Refused("--pays is empty; write pays as OUTCOME=PAY, such as flush=5.")
    if half and target is None:
        raise Refused("--half needs a --target.")
    with progress_bar(f"Designing {game.title}") as progress:
        made = design(game, bet, new, stake, progress, aim)
        if wanted is not None:
            answer: Answer = NearestTables(made, wanted, _nearest(made, stake, wanted, half, count, progress))
        else:
            answer = (
                NewPays(made)
                if new
                else BreakEven(made, solve_break_even(made.before, spot, made.aim, progress))
            )
    if as_json:
        request = request_json(game) | {"bet": bet, "stake": stake_json(stake)}
        print_json(request | answer.as_json())
    else:
        _print(made, answer)


def _nearest(
    made: Design, stake: Stake, target: Fraction, half: bool, count: int, progress: Progress
) -> list[Design]:
    """The tables nearest to the target, changed from the pays of --pays or from the present ones."""
    step = Fraction(1, 2) if half else Fraction(1)
    name, aim = made.bet.name, made.aim.name
    return nearest_tables(made.after.game, stake, name, target, step, count, progress, aim)


# -- Answers ----------------------------------------------------------------------------------------


class Answer:
    """The result of a design, as JSON and as text."""

    def __init__(self, made: Design) -> None:
        self.made = made

    def as_json(self) -> dict[str, Any]:
        return self.made.as_json()

    def print(self, console: Console) -> None:
        raise NotImplementedError


class NewPays(Answer):
    """The bet under new pays."""

    def print(self, console: Console) -> None:
        made = self.made
        table = _pays_table("outcome", "probability", "present", "new", "return")
        for line in made.lines:
            new = f"[bold]{_odds(line)}[/]" if line.line.pays != line.present else _odds(line)
            present = _pay(line.present) if line.line.result == "win" else line.line.odds
            table.add_row(_name(line), _share(line), present, new, f"{float(line.returned):+.6f}")
        console.print(table)
        _print_edges(console, made)


class BreakEven(Answer):
    """The present pays, and the pay of each line at which the bet breaks even."""

    def __init__(self, made: Design, solved: Design | None) -> None:
        super().__init__(made)
        self.solved = solved
        self.break_evens = break_evens(made.before, made.bet, made.aim)

    def as_json(self) -> dict[str, Any]:
        found = {f"{spot}: {outcome}": exact(pay) for (spot, outcome), pay in self.break_evens.items()}
        solved = {"break_even_re-solved": self.solved.as_json()} if self.solved else {}
        return self.made.as_json() | {"break_even": found} | solved

    def print(self, console: Console) -> None:
        table = _pays_table("outcome", "probability", "pays", "return", "breaks even at")
        for line in self.made.lines:
            pay = self.break_evens.get((line.spot.name, line.line.outcome))
            even = f"{float(pay):,.4f}" if pay else _never(line)
            table.add_row(_name(line), _share(line), _odds(line), f"{float(line.returned):+.6f}", even)
        console.print(table)
        _print_edges(console, self.made)
        console.print(
            f"breaks even at: the pay to 1 at which the {_title(self.made)} is zero, strategy and other pays "
            "unchanged",
            style="dim",
        )
        if self.solved:
            (line,) = self.solved.changed
            there, cost = float(line.line.pays), short_percent(self.solved.cost)
            even = f"breaks even at about [bold]{there:.2f} to 1[/], where the {_title(self.made)} is {cost}"
            console.print(f"with the strategy solved again, the bet {even}", highlight=False)


class NearestTables(Answer):
    """The pay tables nearest to a target edge."""

    def __init__(self, made: Design, target: Fraction, found: list[Design]) -> None:
        super().__init__(made)
        self.target, self.found = target, found

    def as_json(self) -> dict[str, Any]:
        tables = [made.as_json() for made in self.found]
        return {"aim": self.made.aim.name, "target": exact(self.target), "tables": tables}

    def print(self, console: Console) -> None:
        bet, title = self.made.bet, _title(self.made)
        console.print(
            f"target: {title} {short_percent(self.target)}; present: {short_percent(self.made.cost)}",
            highlight=False,
        )
        table = _pays_table("change", title, "off by", "hit", "pays to 1")
        for made in self.found:
            off, wins = made.cost - self.target, made.after.tally.hit_frequency(bet)
            figures = (
                f"{float(100 * made.cost):.4f} %",
                f"{float(100 * off):+.4f}",
                f"{float(100 * wins):.2f} %",
            )
            table.add_row(_pay(made.change), *figures, _changes(made))
        table.columns[-1].justify = "left"
        console.print(table)
        if all(abs(made.cost - self.target) > TOLERANCE for made in self.found):
            console.print("No table is within a quarter of a percentage point; these are the closest.")
        console.print(f"{title}: {AIMS[self.made.aim.name]}", style="dim")
        if any(made.is_solved_again for made in self.found):
            console.print(
                "re-solved: the optimal strategy depends on these pays and was solved again; "
                "nearer tables may exist",
                style="dim",
            )


def _changes(made: Design) -> str:
    """'Flush 5 (4), Straight 5 (6)', with what they paid before."""
    changes = (
        f"{line_name(made.bet, line)} {_pay(line.line.pays)} ({_pay(line.present)})" for line in made.changed
    )
    return (", ".join(changes) or "as it is") + ("; re-solved" if made.is_solved_again else "")


# -- Text -------------------------------------------------------------------------------------------


def _print(made: Design, answer: Answer) -> None:
    console = make_console()
    title = f"[bold]{made.before.game.title}: {made.bet.title}[/]  stake: {describe_stake(made.before.stake)}"
    console.print(title, highlight=False)
    answer.print(console)


def _pays_table(*headings: str) -> Table:
    table = figures_table(*headings)
    for column in table.columns[1:]:
        column.no_wrap = column.header != "pays to 1"
    for column in table.columns:
        column.min_width = MIN_COLUMN_CHARS
    return table


def _print_edges(console: Console, made: Design) -> None:
    measures = [(name, value(made.before), value(made.after)) for name, value in _measures_of(made).items()]
    for name, before, after in measures:
        shown = f"{before} -> [bold]{after}[/]" if made.changed else f"[bold]{after}[/]"
        console.print(f"{name}: {shown}", highlight=False)
    if made.is_solved_again:
        other = "it changes" if made.has_other_strategy else "it stays the same"
        console.print(f"re-solved: the optimal strategy depends on these pays; {other}", highlight=False)


def _measures_of(made: Design) -> dict[str, Callable[[Proof], str]]:
    """The figures of a design that are printed, before and after; the cost that it aims at comes first."""
    bet, other = made.bet, "joint" if made.aim.name == "added" else "added"
    second = aim_at(other, made.before.game, made.before.stake, bet)
    return {
        _title(made): lambda proof: short_percent(made.aim.cost(proof.loss)),
        AIM_TITLES[other]: lambda proof: short_percent(second.cost(proof.loss)),
        "hit frequency": lambda proof: short_percent(proof.tally.hit_frequency(bet)),
        "deviation": lambda proof: f"{root(proof.tally.variance(bet)):.4f}",
    }


def _title(made: Design) -> str:
    return AIM_TITLES[made.aim.name]


def _name(line: BetLine) -> str:
    return f"{line.spot.title}: {line.line.outcome}" if line.spot.follows else line.line.outcome


def _odds(line: BetLine) -> str:
    return _pay(line.line.pays) if line.line.result == "win" else line.line.odds


def _pay(pays: Fraction) -> str:
    """'5', '3/2', '1,000'."""
    return f"{int(pays):,}" if pays.denominator == 1 else str(pays)


def _never(line: BetLine) -> str:
    """The entry of a line that has no break-even pay."""
    if line.line.result != "win":
        return ""
    return "at no pay" if line.line.listed else "with the line below"


def _share(line: BetLine) -> str:
    return f"{float(line.probability):.8f}"
