"""`feltlab design`: other pays for a bet, and the tables nearest to an edge."""

import json
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import click

from feltlab.analysis.design.break_even import break_evens, solved_break_even
from feltlab.analysis.design.pays import (
    BetLine,
    Design,
    bet_of,
    called,
    design,
    read_edge,
    read_pays,
    stake_for,
)
from feltlab.analysis.design.search import TOLERANCE, nearest
from feltlab.cli.console import make_console, progress_bar
from feltlab.cli.options import (
    MultiValueCommand,
    Whole,
    game_argument,
    json_flag,
    option_flag,
    stake_flag,
)
from feltlab.core.game import Game
from feltlab.core.stake import Stake
from feltlab.errors import Refused
from feltlab.parallel.progress import Progress
from feltlab.proving.exact_numbers import exact, root
from feltlab.text import parse_pairs, short_percent

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

NARROWEST = 10


@click.command("design", cls=MultiValueCommand)
@game_argument
@click.argument("bet")
@click.option("--pays", multiple=True, metavar="OUTCOME=PAY", help="New pays, such as flush=5,straight=3/2.")
@click.option("--target", metavar="EDGE", help="The edge for which to find tables, such as 4.5%.")
@click.option("--half", is_flag=True, help="Let tables for a target pay half units, too.")
@click.option("--count", type=Whole(1, 100), default=10, show_default=True, help="How many tables at most.")
@option_flag
@stake_flag
@json_flag
def command(
    game: Game,
    bet: str,
    pays: tuple[str, ...],
    target: str | None,
    half: bool,
    count: int,
    options: tuple[str, ...],
    stakes: tuple[str, ...],
    as_json: bool,
) -> None:
    """Design the pay table of a bet: its edge under other pays, or the tables nearest to an edge.

    Outcomes answer to their name, its beginning or a word of it; 'play: better hand' is a line of a raise.
    With a target, tables within a quarter of a percentage point are listed by how little they change; the
    order of the pays stays. Where the best play depends on them, every table listed is proved, but a nearer
    one may be missed. Without pays and target, every line tells at which pay the bet would break even.

    The stake is one unit on each required wager and on the bet. Where the best play depends on the pays,
    it is solved anew.

    \b
      feltlab design triple-shot-rummy pair-plus --pays "flush=5, straight=5"
      feltlab design rabbit-hunter tens-up --target 4.5% --half
      feltlab design triple-shot-bonus hat-trick
    """
    game = game.with_options(parse_pairs(options, "--option"))
    spot = bet_of(game, bet)
    stake = stake_for(game, spot, parse_pairs(stakes, "--stake"))
    wanted, new = read_edge(target), read_pays(",".join(pays))
    if pays and not new:
        raise Refused("--pays is empty; pays are given as OUTCOME=PAY, such as flush=5.")
    if half and target is None:
        raise Refused("--half is for tables near a --target.")
    with progress_bar(f"Designing {game.title}") as progress:
        made = design(game, stake, bet, new, progress)
        if wanted is not None:
            answer: Answer = Tables(made, wanted, _found(made, stake, wanted, half, count, progress))
        else:
            answer = Changed(made) if new else Present(made, solved_break_even(made.before, spot, progress))
    if as_json:
        staked = {name: str(units) for name, units in stake.items()}
        asked = {"game": game.name, "options": dict(game.options), "bet": bet, "stake": staked}
        click.echo(json.dumps(asked | answer.as_json(), indent=2))
    else:
        _print(made, answer)


def _found(
    made: Design, stake: Stake, target: Fraction, half: bool, count: int, progress: Progress
) -> list[Design]:
    """The nearest tables, from the pays that were given on."""
    step = Fraction(1, 2) if half else Fraction(1)
    return nearest(made.after.game, stake, made.bet.name, target, step, count, progress)


# -- Answers ----------------------------------------------------------------------------------------


class Answer:
    """What was asked for, as JSON and on paper."""

    def __init__(self, made: Design) -> None:
        self.made = made

    def as_json(self) -> dict[str, Any]:
        return self.made.as_json()

    def print(self, paper: "Console") -> None:
        raise NotImplementedError


class Changed(Answer):
    """A table with new pays."""

    def print(self, paper: "Console") -> None:
        made = self.made
        table = _table("outcome", "probability", "present", "new", "return")
        for line in made.lines:
            new = f"[bold]{_odds(line)}[/]" if line.line.pays != line.present else _odds(line)
            present = _pay(line.present) if line.line.result == "win" else line.line.odds
            table.add_row(_name(line), _share(line), present, new, f"{float(line.returned):+.6f}")
        paper.print(table)
        _print_edges(paper, made)


class Present(Answer):
    """The present table, and where it breaks even."""

    def __init__(self, made: Design, solved: Design | None) -> None:
        super().__init__(made)
        self.solved = solved
        self.break_evens = break_evens(made.before, made.bet)

    def as_json(self) -> dict[str, Any]:
        found = {f"{spot}: {outcome}": exact(pay) for (spot, outcome), pay in self.break_evens.items()}
        solved = {"break_even_re-solved": self.solved.as_json()} if self.solved else {}
        return self.made.as_json() | {"break_even": found} | solved

    def print(self, paper: "Console") -> None:
        table = _table("outcome", "probability", "pays", "return", "breaks even at")
        for line in self.made.lines:
            pay = self.break_evens.get((line.spot.name, line.line.outcome))
            even = f"{float(pay):,.4f}" if pay else _never(line)
            table.add_row(_name(line), _share(line), _odds(line), f"{float(line.returned):+.6f}", even)
        paper.print(table)
        _print_edges(paper, self.made)
        paper.print(
            "breaks even at: the pay to 1 at which the edge is zero, if the play and all other pays stay",
            style="dim",
        )
        if self.solved:
            (line,) = self.solved.changed
            paper.print(
                f"with the play re-solved it breaks even at about [bold]{float(line.line.pays):.2f} to 1[/]: "
                f"there the edge is {short_percent(self.solved.edge)}",
                highlight=False,
            )


class Tables(Answer):
    """Tables near a target."""

    def __init__(self, made: Design, target: Fraction, found: list[Design]) -> None:
        super().__init__(made)
        self.target, self.found = target, found

    def as_json(self) -> dict[str, Any]:
        return {"target": exact(self.target), "tables": [made.as_json() for made in self.found]}

    def print(self, paper: "Console") -> None:
        bet, now = self.made.bet, self.made.after
        edge = -now.tally.expected(bet)
        paper.print(f"target {short_percent(self.target)}, at present {short_percent(edge)}", highlight=False)
        table = _table("change", "edge", "off by", "wins", "pays to 1")
        for made in self.found:
            off, wins = made.edge - self.target, made.after.tally.hit_frequency(bet)
            figures = (
                f"{float(100 * made.edge):.4f} %",
                f"{float(100 * off):+.4f}",
                f"{float(100 * wins):.2f} %",
            )
            table.add_row(_pay(made.change), *figures, _changes(made))
        table.columns[-1].justify = "left"
        paper.print(table)
        if all(abs(made.edge - self.target) > TOLERANCE for made in self.found):
            paper.print("No table was found within a quarter of a percentage point; these are the closest.")
        if any(made.resolved for made in self.found):
            paper.print(
                "re-solved: the best play depends on these pays and was solved anew; nearer tables may exist",
                style="dim",
            )


def _changes(made: Design) -> str:
    """'Flush 5 (4), Straight 5 (6)', with what they paid before."""
    told = (
        f"{called(made.bet, line)} {_pay(line.line.pays)} ({_pay(line.present)})" for line in made.changed
    )
    return (", ".join(told) or "as it is") + ("; re-solved" if made.resolved else "")


# -- On paper ---------------------------------------------------------------------------------------


def _print(made: Design, answer: Answer) -> None:
    paper = make_console()
    standing = ", ".join(f"{units} on {name}" for name, units in made.before.stake.items() if units)
    title = f"[bold]{made.before.game.title}: {made.bet.title}[/]  stake: {standing}"
    paper.print(title, highlight=False)
    answer.print(paper)


def _table(*columns: str) -> "Table":
    from rich.table import Table

    table = Table(*columns)
    for column in table.columns[1:]:
        column.justify = "right"
        column.no_wrap = column.header != "pays to 1"
    for column in table.columns:
        column.min_width = NARROWEST  # nothing vanishes, however narrow the terminal
    return table


def _print_edges(paper: "Console", made: Design) -> None:
    measures = [("edge", short_percent(made.edge_before), short_percent(made.edge))]
    for name, value in (("wins", _wins), ("deviation", _deviation)):
        measures.append((name, value(made, False), value(made, True)))
    for name, before, after in measures:
        shown = f"{before} -> [bold]{after}[/]" if made.changed else f"[bold]{after}[/]"
        paper.print(f"{name}: {shown}", highlight=False)
    if made.resolved:
        other = "it is another" if made.replayed else "it is the same"
        paper.print(f"re-solved: the best play depends on these pays; {other}", highlight=False)


def _wins(made: Design, after: bool) -> str:
    return short_percent((made.after if after else made.before).tally.hit_frequency(made.bet))


def _deviation(made: Design, after: bool) -> str:
    return f"{root((made.after if after else made.before).tally.variance(made.bet)):.4f}"


def _name(line: BetLine) -> str:
    return f"{line.spot.title}: {line.line.outcome}" if line.spot.raises else line.line.outcome


def _odds(line: BetLine) -> str:
    return _pay(line.line.pays) if line.line.result == "win" else line.line.odds


def _pay(pays: Fraction) -> str:
    """'5', '3/2', '1,000'."""
    return f"{int(pays):,}" if pays.denominator == 1 else str(pays)


def _never(line: BetLine) -> str:
    """In place of a pay at which the bet breaks even."""
    if line.line.result != "win":
        return ""
    return "at no pay" if line.line.listed else "with the next"


def _share(line: BetLine) -> str:
    return f"{float(line.probability):.8f}"
