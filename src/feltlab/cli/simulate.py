"""`feltlab simulate`: random rounds through the rules, compared with the proof."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as ProgressBars
from rich.table import Table

from feltlab.cli.shared.console import (
    describe_game,
    figures_table,
    keep_digits,
    make_console,
    print_json,
    progress_bar,
)
from feltlab.cli.shared.options import (
    MultiValueCommand,
    RoundCount,
    Whole,
    cluster_at,
    cluster_flag,
    game_argument,
    json_flag,
    option_flag,
    read_game_and_stake,
    stake_flag,
)
from feltlab.cli.shared.signals import treat_end_as_interrupt
from feltlab.core.game import Game
from feltlab.errors import Refused
from feltlab.parallel.executor import Executor, ThreadExecutor
from feltlab.parallel.progress import Progress, nobody_listens
from feltlab.proving.proof import Proof, prove
from feltlab.simulation.comparison import ComparedMeasure, measure_tally
from feltlab.simulation.plan import MAX_SEED, SimulationPlan
from feltlab.simulation.result import SimulationResult
from feltlab.simulation.run import choose_seed, run_plan
from feltlab.simulation.user_strategy import UserStrategy, is_user_strategy

PERCENT_MEASURES = ("edge", "hit frequency")
LAST_MEASURE = "deviation"  # of each bet
SHORT_NAMES = {"hit frequency": "hit"}
DIFFERS = 3  # the exit status when simulation and proof differ


@click.command("simulate", cls=MultiValueCommand)
@game_argument
@click.option(
    "--rounds",
    type=RoundCount(),
    default="1e7",
    show_default=True,
    metavar="N",
    help="The number of rounds, such as 1e9.",
)
@click.option(
    "--seed",
    type=Whole(0, MAX_SEED),
    metavar="S",
    help="The seed; a random one without it. Equal seeds give equal tallies.",
)
@option_flag
@stake_flag
@click.option(
    "--strategy",
    default="optimal",
    show_default=True,
    metavar="NAME|FILE.py:FUNCTION",
    help="A strategy that `prove` knows, or your own function.",
)
@click.option(
    "--threads", type=Whole(1, 1024), metavar="N", help="Threads on this machine; by default, one a core."
)
@cluster_flag
@click.option(
    "--checkpoint",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Save progress in a file; the same command continues from it.",
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
    """Simulate random rounds and compare them with the proof.

    The rounds go through the rules of the game; the strategy sees only what a player sees. Each figure is
    printed with its standard error and the proved value. Exit status 3 means that simulation and proof
    differ.

    \b
      feltlab simulate casino-war --rounds 1e9 --seed 7
      feltlab simulate rabbit-hunter --strategy my.py:decide --rounds 1e8
      feltlab simulate triple-shot-bonus --rounds 1e11 --checkpoint run.json
    """
    game, stake = read_game_and_stake(game, options, stakes)
    played = UserStrategy.read(strategy) if is_user_strategy(strategy) else strategy
    plan = SimulationPlan.of(game, stake, played, rounds, choose_seed(seed, checkpoint))
    executor = _pick_executor(cluster, threads)
    with progress_bar(f"Proving {game.title}") as progress:
        proof = prove(game, stake, "optimal" if is_user_strategy(strategy) else strategy, progress)
    with _bar(plan) as progress, treat_end_as_interrupt():
        result = run_plan(plan, executor, checkpoint, progress)
    report = SimulationReport(result, proof)
    print_json(result.as_json(proof)) if as_json else report.print()
    if report.comparison and report.comparison.verdict == "differs":
        context.exit(DIFFERS)


def _pick_executor(cluster: str | None, threads: int | None) -> Executor:
    if cluster is not None and threads is not None:
        raise Refused("--threads and --cluster cannot be used together.")
    return cluster_at(cluster) or ThreadExecutor(threads or 0)


@contextmanager
def _bar(plan: SimulationPlan) -> Iterator[Progress]:
    """A bar with rounds a second and the time left, on a terminal; nothing in a pipe."""
    if not sys.stderr.isatty():
        yield nobody_listens
        return
    columns = (
        "{task.description}",
        BarColumn(),
        "{task.percentage:>3.0f} %",
        TextColumn("{task.fields[speed]}"),
        TimeRemainingColumn(),
    )
    with ProgressBars(*columns, console=Console(stderr=True), transient=True) as bars:
        bar = bars.add_task(f"Simulating {plan.game.title}", total=1.0, speed="")
        first: list[tuple[float, float]] = []  # the time and the share at the start of this run, and now

        def update(share: float) -> None:
            first[1:] = [(time.perf_counter(), share)]
            (began, before), (now, _) = first[0], first[-1]
            rounds = (share - before) * plan.rounds
            speed = f"{rounds / (now - began) / 1e6:.1f} M rounds/s" if now > began else ""
            bars.update(bar, completed=share, speed=speed)

        yield update


# -- The report -------------------------------------------------------------------------------------


class SimulationReport:
    """A simulation beside the proof of its strategy, or a user's strategy beside the optimal one."""

    def __init__(self, result: SimulationResult, proof: Proof) -> None:
        self.result, self.plan, self.proof = result, result.plan, proof
        user = isinstance(self.plan.strategy, UserStrategy)
        self.comparison = None if user else result.compare(proof)
        self.measures = self.comparison.measures if self.comparison else tuple(measure_tally(result.tally))

    def print(self) -> None:
        console, plan = make_console(), self.plan
        console.print(describe_game(plan.game), highlight=False)
        console.print(
            f"strategy {plan.strategy_name}{'' if self.plan.is_compiled else ' (not compiled)'}; "
            f"{plan.rounds:,} rounds, {self._pace()}; "
            f"seed {plan.seed}\n",
            highlight=False,
        )
        console.print(self._table())
        for line in self._verdict():
            console.print(line, highlight=False)

    def _pace(self) -> str:
        """The rounds that this run played, and its speed."""
        played, seconds = self.result.played, self.result.seconds
        if not played:
            return "all from the checkpoint"
        here = "" if played == self.plan.rounds else f"{played:,} of them in this run, "
        return f"{here}in {seconds:.2f} s ({played / seconds / 1e6:,.2f} million/s)"

    def _table(self) -> Table:
        proved = ("proved", "z") if self.comparison else ()
        table = figures_table("bet", "measure", "simulated", "± error", *proved, text_columns=2)
        for measure in self.measures:
            first = measure.name == "edge"
            table.add_row(
                measure.bet.title if first else "",
                SHORT_NAMES.get(measure.name, measure.name),
                *_cells(measure),
                end_section=measure.name == LAST_MEASURE,
            )
        keep_digits(table, text_columns=2)
        return table

    def _verdict(self) -> Iterator[str]:
        if not self.comparison:
            cost, error = self.result.cost_against(self.proof)
            best = float(self.proof.tally.total_expected(dict(self.plan.stake)))
            yield f"The optimal strategy nets {best:+.6f} units a round on this stake (proved);"
            yield f"this one nets {best - cost:+.6f}: it costs {cost:.6f} ± {error:.6f} units a round."
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
            yield "[dim]A z in brackets is not judged: such a lopsided pay needs more rounds.[/]"


def _cells(measure: ComparedMeasure) -> list[str]:
    """The simulated value, its error, the proved value and z."""
    scale, unit = (100, " %") if measure.name in PERCENT_MEASURES else (1, "")
    shown = [f"{scale * measure.simulated:.5f}{unit}", f"{scale * measure.error:.5f}"]
    if measure.proved is not None:
        z = f"{measure.z:+.2f}"
        shown += [f"{scale * float(measure.proved):.5f}{unit}", z if measure.judges else f"({z})"]
    return shown
