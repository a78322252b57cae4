"""`feltlab simulate`: random rounds through the rules, held against the proof."""

import json
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from feltlab.cli.console import make_console, progress_bar
from feltlab.cli.options import (
    MultiValueCommand,
    RoundCount,
    Whole,
    cluster_at,
    cluster_flag,
    game_argument,
    json_flag,
    option_flag,
    stake_flag,
)
from feltlab.core.game import Game
from feltlab.core.stake import read_stake
from feltlab.errors import Refused
from feltlab.parallel.executor import Executor, ThreadExecutor
from feltlab.parallel.progress import Progress, nobody_listens
from feltlab.proving.proof import Proof, prove
from feltlab.simulation.comparison import ComparedMeasure, measure_tally
from feltlab.simulation.plan import MAX_SEED, SimulationPlan
from feltlab.simulation.result import SimulationResult
from feltlab.simulation.run import choose_seed, run_plan
from feltlab.simulation.user_strategy import UserStrategy, is_user_strategy
from feltlab.text import parse_pairs

if TYPE_CHECKING:
    from rich.table import Table

PERCENT = ("edge", "hit frequency")
SHORT = {"hit frequency": "wins"}
DIFFERS = 3  # exit status; 1 is for what went wrong outside


@click.command("simulate", cls=MultiValueCommand)
@game_argument
@click.option(
    "--rounds",
    type=RoundCount(),
    default="1e7",
    show_default=True,
    metavar="N",
    help="How many, such as 1e9.",
)
@click.option(
    "--seed",
    type=Whole(0, MAX_SEED),
    metavar="S",
    help="The same seed gives the same tally; else a random one.",
)
@option_flag
@stake_flag
@click.option(
    "--strategy",
    default="optimal",
    show_default=True,
    metavar="NAME|FILE.py:FUNCTION",
    help="How the player chooses: as prove knows it, or your own function.",
)
@click.option("--threads", type=Whole(1, 1024), metavar="N", help="On this machine; all cores by default.")
@cluster_flag
@click.option(
    "--checkpoint",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Keep what is done in a file; the same command goes on from there.",
)
@json_flag
@click.pass_context
def command(
    context: click.Context,
    game: Game,
    rounds: int,
    seed: int | None,
    options: tuple[str, ...],
    stakes: tuple[str, ...],
    strategy: str,
    threads: int | None,
    cluster: str | None,
    checkpoint: Path | None,
    as_json: bool,
) -> None:
    """Play random rounds of a game through its rules, and hold the proof to them.

    The strategy sees what a player sees. Figures come with standard errors, beside the proved ones, and
    a verdict; exit status 3 says that simulation and proof differ.

    \b
      feltlab simulate casino-war --rounds 1e9 --seed 7
      feltlab simulate rabbit-hunter --strategy my.py:decide --rounds 1e8
      feltlab simulate triple-shot-bonus --rounds 1e11 --checkpoint run.json --cluster local
    """
    game = game.with_options(parse_pairs(options, "--option"))
    stake = read_stake(game, parse_pairs(stakes, "--stake"))
    played = UserStrategy.read(strategy) if is_user_strategy(strategy) else strategy
    plan = SimulationPlan.of(game, stake, played, rounds, choose_seed(seed, checkpoint))
    executor = _executor(cluster, threads)
    with progress_bar(f"Proving {game.title}") as progress:
        proof = prove(game, stake, "optimal" if is_user_strategy(strategy) else strategy, progress)
    with _bar(plan) as progress, _ended_like_interrupted():
        result = run_plan(plan, executor, checkpoint, progress)
    report = SimulationReport(result, proof)
    click.echo(json.dumps(result.as_json(proof), indent=2)) if as_json else report.print()
    if report.comparison and report.comparison.verdict == "differs":
        context.exit(DIFFERS)


def _executor(cluster: str | None, threads: int | None) -> Executor:
    if cluster is not None and threads is not None:
        raise Refused("--threads is for this machine, --cluster for another; take one of them.")
    return cluster_at(cluster) or ThreadExecutor(threads or 0)


@contextmanager
def _ended_like_interrupted() -> Iterator[None]:
    """Who is told to end saves what is done, as who is interrupted does."""

    def interrupt(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def _bar(plan: SimulationPlan) -> Iterator[Progress]:
    """Rounds done, rounds a second and time left, on a terminal."""
    if not sys.stderr.isatty():
        yield nobody_listens
        return
    from rich import progress as rich_progress
    from rich.console import Console

    columns = (
        "{task.description}",
        rich_progress.BarColumn(),
        "{task.percentage:>3.0f} %",
        rich_progress.TextColumn("{task.fields[speed]}"),
        rich_progress.TimeRemainingColumn(),
    )
    with rich_progress.Progress(*columns, console=Console(stderr=True), transient=True) as bars:
        bar = bars.add_task(f"Simulating {plan.game.title}", total=1.0, speed="")
        first: list[tuple[float, float]] = []  # when this run began, and the share that was done before

        def update(share: float) -> None:
            first[1:] = [(time.perf_counter(), share)]
            (began, before), (now, _) = first[0], first[-1]
            rounds = (share - before) * plan.rounds
            speed = f"{rounds / (now - began) / 1e6:.1f} M rounds/s" if now > began else ""
            bars.update(bar, completed=share, speed=speed)

        yield update


# -- What is told -----------------------------------------------------------------------------------


class SimulationReport:
    """A simulation on the terminal, beside the proof of its strategy, or of the best for a user's own."""

    def __init__(self, result: SimulationResult, proof: Proof) -> None:
        self.result, self.plan, self.proof = result, result.plan, proof
        user = isinstance(self.plan.strategy, UserStrategy)
        self.comparison = None if user else result.compare(proof)
        self.measures = self.comparison.measures if self.comparison else tuple(measure_tally(result.tally))

    def print(self) -> None:
        paper, plan = make_console(), self.plan
        options = " ".join(f"{name}={value}" for name, value in plan.game.options.items())
        paper.print(f"[bold]{plan.game.title}[/]  {options}".rstrip(), highlight=False)
        paper.print(
            f"strategy {plan.strategy_name}{'' if self.plan.is_compiled else ' (not compiled)'}; "
            f"{plan.rounds:,} rounds, {self._pace()}; "
            f"seed {plan.seed}\n",
            highlight=False,
        )
        paper.print(self._table())
        for line in self._verdict():
            paper.print(line, highlight=False)

    def _pace(self) -> str:
        """What this run had to play, and how fast it was."""
        played, seconds = self.result.played, self.result.seconds
        if not played:
            return "all in the checkpoint"
        here = "" if played == self.plan.rounds else f"{played:,} of them here "
        return f"{here}in {seconds:.2f} s ({played / seconds / 1e6:,.2f} million/s)"

    def _table(self) -> "Table":
        from rich.table import Table

        beside = ("proved", "z") if self.comparison else ()
        table = Table("bet", "measure", "simulated", "± error", *beside)
        for column in table.columns[2:]:
            column.justify = "right"
        for measure in self.measures:
            first = measure.name == "edge"
            table.add_row(
                measure.bet.title if first else "",
                SHORT.get(measure.name, measure.name),
                *_cells(measure),
                end_section=_last(measure),
            )
        for column in table.columns[2:]:
            column.min_width = max(map(len, map(str, column.cells)))  # digits are never cut
        return table

    def _verdict(self) -> Iterator[str]:
        if not self.comparison:
            cost, error = self.result.cost_against(self.proof)
            best = float(self.proof.tally.total_expected(dict(self.plan.stake)))
            yield f"The best play nets {best:+.6f} units a round on this stake, proved;"
            yield f"this strategy {best - cost:+.6f}: it costs {cost:.6f} ± {error:.6f} units a round."
            return
        for name, test in (
            ("joint outcomes", self.comparison.outcomes),
            ("first choices", self.comparison.choices),
        ):
            if test.freedom:
                freedom = f"{test.freedom} degree{'s' * (test.freedom > 1)} of freedom"
                yield f"chi-square over {name}: {test.statistic:.1f}, {freedom}, p = {test.probability:.3g}"
        colour = {"agrees": "green", "differs": "red"}.get(self.comparison.verdict, "yellow")
        yield f"[bold {colour}]{self.comparison.in_words()}[/]"
        if not all(measure.judges for measure in self.measures):
            yield "[dim]A z in brackets does not judge: the rounds are too few for so lopsided a pay.[/]"


def _cells(measure: ComparedMeasure) -> list[str]:
    """Simulated, its error, proved, z; as many digits as the error leaves meaning, and one more."""
    scale, unit = (100, " %") if measure.name in PERCENT else (1, "")
    shown = [f"{scale * measure.simulated:.5f}{unit}", f"{scale * measure.error:.5f}"]
    if measure.proved is not None:
        z = f"{measure.z:+.2f}"
        shown += [f"{scale * float(measure.proved):.5f}{unit}", z if measure.judges else f"({z})"]
    return shown


def _last(measure: ComparedMeasure) -> bool:
    return measure.name == "deviation"
