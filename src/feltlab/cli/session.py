"""`feltlab session`: what a player's bankroll and the house's month come to."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from feltlab.analysis.session import (
    BANDS,
    BANKROLL,
    MOST_ROUNDS,
    SEATS,
    SURE,
    Estimate,
    Month,
    Prospect,
    RoundLaw,
    SessionPlan,
    foresee,
    wagers,
)
from feltlab.cli.console import make_console, progress_bar
from feltlab.cli.options import (
    MultiValueCommand,
    Whole,
    game_argument,
    json_flag,
    option_flag,
    stake_flag,
    strategy_flag,
)
from feltlab.core.game import Game
from feltlab.core.stake import read_stake
from feltlab.errors import Refused
from feltlab.proving.exact_numbers import root
from feltlab.proving.proof import Proof, prove
from feltlab.simulation.seat_covariance import NO_COVARIANCE, seat_covariance
from feltlab.text import dollars, money, parse_dollars, parse_pairs, percent, small_percent

if TYPE_CHECKING:
    from rich.table import Table

    from feltlab.report.write import Output

WIDEST = 120  # columns of a histogram
NUMBER = re.compile(r"\d{1,12}(\.\d{1,6})?([eE]\+?\d{1,2})?", re.ASCII)


@dataclass(frozen=True)
class Asked:
    """What is foreseen, and for what."""

    proof: Proof
    wagers: Mapping[str, int]
    hours: Fraction
    pace: Fraction  # rounds an hour
    prospect: Prospect
    days: int
    month: Month


@click.command("session", cls=MultiValueCommand)
@game_argument
@option_flag
@stake_flag
@strategy_flag
@click.option(
    "--bet", default="10", metavar="DOLLARS", show_default=True, help="What a unit of the stake is."
)
@click.option(
    "--bankroll", metavar="DOLLARS", help=f"What the player buys in for.  [default: {BANKROLL} stakes]"
)
@click.option("--hours", default="4", metavar="H", show_default=True, help="How long the session is.")
@click.option("--rounds-per-hour", "pace", default="60", metavar="N", show_default=True, help="At one seat.")
@click.option(
    "--tables",
    type=Whole(1, 1000),
    default=1,
    metavar="N",
    show_default=True,
    help="Of the house's month.",
)
@click.option(
    "--seats",
    type=Whole(1),
    metavar="N",
    help=f"Players at each table.  [default: {SEATS}, or what fits]",
)
@click.option(
    "--days",
    type=Whole(1, 366),
    default=30,
    metavar="N",
    show_default=True,
    help="Of the house's month.",
)
@click.option("--hours-a-day", default="16", metavar="H", show_default=True, help="That tables are open.")
@click.option(
    "--seed", type=Whole(min=0), default=1, metavar="S", help="Of a simulation, where one is needed."
)
@click.option(
    "-o", "picture", type=Path, metavar="FILE.svg", help="Draw the result and the bankroll over time."
)
@json_flag
def command(
    game: Game,
    options: tuple[str, ...],
    stakes: tuple[str, ...],
    strategy: str,
    bet: str,
    bankroll: str | None,
    hours: str,
    pace: str,
    tables: int,
    seats: int | None,
    days: int,
    hours_a_day: str,
    seed: int,
    picture: Path | None,
    as_json: bool,
) -> None:
    """Foresee a session: the chance of ruin and of every result, and the month of the house.

    Chances are computed from the proof of a round and not simulated, unless that would take too long.

    \b
      feltlab session casino-war --bankroll 500 --bet 25
      feltlab session rabbit-hunter --stake tens-up=1 --hours 8 -o session.svg
    """
    output = _picture_file(picture) if picture else None
    game = game.with_options(parse_pairs(options, "--option"))
    stake = read_stake(game, parse_pairs(stakes, "--stake"))
    put = wagers(game, stake, parse_dollars(bet))
    money = parse_dollars(bankroll) if bankroll is not None else BANKROLL * sum(put.values())
    time, speed = _positive("--hours", hours), _positive("--rounds-per-hour", pace)
    rounds, month_rounds = _rounds(time * speed), _month_rounds(days, hours_a_day, speed)
    players = min(SEATS, game.seats) if seats is None else seats
    _check_seats(game, players)
    with progress_bar(f"Proving {game.title}") as progress:
        proof = prove(game, stake, strategy, progress)
    plan = SessionPlan(RoundLaw.of(proof, put), rounds, money)
    with progress_bar(f"A session of {game.title}") as progress:
        prospect = foresee(plan, seed, progress)
    shared = seat_covariance(proof, put, seed) if players > 1 else NO_COVARIANCE
    played = prospect.rounds.value
    month = Month(plan.law, tables, players, month_rounds, money, played, shared.value, shared.error)
    asked = Asked(proof, put, time, speed, prospect, days, month)
    if output:
        _draw(asked, output)
    click.echo(json.dumps(_json(asked), indent=2)) if as_json else _print(asked)


def _positive(flag: str, text: str) -> Fraction:
    if not NUMBER.fullmatch(text) or not Fraction(text):
        raise Refused(f"{flag} takes a number above 0, such as 4 or 2.5, not {text!r}.")
    return Fraction(text)


def _rounds(given: Fraction) -> int:
    """Whole rounds, and at least one."""
    if given > MOST_ROUNDS:
        raise Refused(f"A session of {int(given):,} rounds is too long; the most is {MOST_ROUNDS:,}.")
    return max(1, int(given))


def _month_rounds(days: int, hours_a_day: str, pace: Fraction) -> int:
    hours = _positive("--hours-a-day", hours_a_day)
    if hours > 24:
        raise Refused("--hours-a-day is at most 24.")
    return max(1, int(days * hours * pace))


def _check_seats(game: Game, seats: int) -> None:
    if seats > game.seats:
        raise Refused(f"A table of {game.title} has at most {game.seats} seats.")


def _picture_file(path: Path) -> "Output":
    from feltlab.report.write import Output

    return Output(path, (".svg",), "picture")


def _draw(asked: Asked, output: "Output") -> None:
    from feltlab.report.documents.session_plot import svg

    title = f"{asked.proof.game.title}, {_hours(asked)}\n{', '.join(_wagered(asked))}"
    output.write(svg(asked.prospect, float(asked.hours), title))


def _json(asked: Asked) -> dict[str, Any]:
    proof = asked.proof
    return {
        "game": proof.game.name,
        "options": dict(proof.game.options),
        "stake": {bet: str(units) for bet, units in proof.stake.items()},
        "wagers": dict(asked.wagers),
        "strategy": proof.strategy,
        "rules_digest": proof.game.digest,
        "unit": "cents",
        "session": {"hours": float(asked.hours), **asked.prospect.as_json()},
        "month": asked.month.as_json(),
    }


# -- On paper ---------------------------------------------------------------------------------------

DEFINITIONS = (
    "ruin: before the last round less is left than a round can put down; drop: what is bought in; handle: "
    "what is put down, raises included; hold: the expected loss as a share of the drop; percentile: so many "
    "sessions end with this result or less. In the month every seat is taken: who stops is followed at once "
    "by a player who buys in for as much; its bands are of all rounds together, wider for shared dealers"
)


def _print(asked: Asked) -> None:
    from rich.columns import Columns

    from feltlab.report.documents.session_plot import terminal

    paper, proof, prospect = make_console(), asked.proof, asked.prospect
    options = " ".join(f"{name}={value}" for name, value in proof.game.options.items())
    paper.print(f"[bold]{proof.game.title}[/]  {options}".rstrip(), highlight=False)
    paper.print(f"{', '.join(_wagered(asked))}; strategy {proof.strategy}; {_hours(asked)}", highlight=False)
    paper.print(f"method: {prospect.method}\n", highlight=False)
    paper.print(Columns([_session(prospect), _percentiles(prospect)], padding=(0, 2)))
    paper.print(terminal(prospect.spread, min(paper.width, WIDEST)))
    paper.print()
    paper.print(_month(asked))
    paper.print(DEFINITIONS, style="dim", highlight=False)


def _wagered(asked: Asked) -> list[str]:
    return [f"{dollars(amount)} on {name}" for name, amount in asked.wagers.items()]


def _hours(asked: Asked) -> str:
    rounds = asked.prospect.plan.rounds
    return f"{float(asked.hours):g} h, {rounds:,} round{'s' if rounds > 1 else ''}"


def _session(prospect: Prospect) -> "Table":
    plan = prospect.plan
    rows = {"bankroll, and drop": dollars(plan.bankroll), "a round can need": dollars(plan.law.need)}
    for name in ("ruin", "ahead", "even", "behind"):
        rows[name] = _shown(prospect, getattr(prospect, name), small_percent)
    rows["expected result"] = _shown(prospect, prospect.expected, _gain)
    rows["rounds played"] = _shown(prospect, prospect.rounds, "{:,.2f}".format)
    rows["handle"] = _shown(prospect, prospect.handle, money)
    rows["hold"] = _shown(prospect, prospect.hold, small_percent)
    rows["edge on the handle"] = percent(plan.law.edge)
    rows["with no end of money"] = ""
    rows["  expected result"] = _gain(float(plan.expected))
    rows["  standard deviation"] = money(root(plan.variance))
    rows["  skewness"] = f"{plan.skewness:.3f}"
    return _table("a session", rows)


def _shown(prospect: Prospect, measure: Estimate, form: Callable[[float], str]) -> str:
    """With its standard error, if it was simulated."""
    error = form(measure.error).lstrip("+")
    return form(measure.value) + (f" ± {error}" if prospect.simulated else "")


def _percentiles(prospect: Prospect) -> "Table":
    found = {f"{percent} %": net for percent, net in prospect.percentiles.items()}
    rows = {name: f"{'+' if net > 0 else ''}{dollars(net)}" for name, net in found.items()}
    return _table("percentile", rows)


def _month(asked: Asked) -> "Table":
    month = asked.month
    rows = {
        "rounds of a table": f"{month.rounds:,}",
        "rounds of players": f"{month.player_rounds:,}",
        **_together(month),
        "theoretical win": money(float(month.win)),
        "standard deviation": money(root(month.variance)),
        **{f"{percent} % of months": " to ".join(map(money, month.band(percent))) for percent in BANDS},
        "the house loses": small_percent(month.loss_probability),
        f"ahead with {100 * SURE:.0f} % after": _lead(month, asked.pace),
        "handle": money(float(month.handle)),
        "players": f"{month.sessions:,.0f}",
        "drop": money(month.drop),
        "hold": small_percent(month.hold),
    }
    tables = f"{month.tables:,} table{'s' if month.tables > 1 else ''} of {month.seats}"
    return _table(f"the house: {tables}, {asked.days} days", rows)


def _together(month: Month) -> dict[str, str]:
    """Where seats share a dealer, how much."""
    if month.seats < 2:
        return {}
    variance = float(month.law.variance)
    correlation, error = float(month.seat_covariance) / variance, month.seat_covariance_error / variance
    return {"correlation of two seats": f"{correlation:.3f} ± {error:.3f}, simulated"}


def _lead(month: Month, pace: Fraction) -> str:
    if month.rounds_to_lead is None:
        return "never: it has no edge"
    return f"{month.rounds_to_lead:,} rounds of a table, {float(month.rounds_to_lead / pace):,.1f} h"


def _table(title: str, rows: Mapping[str, str]) -> "Table":
    from rich.table import Table

    table = Table(title, "", show_header=True)
    table.columns[1].justify = "right"
    for row in rows.items():
        table.add_row(*row)
    return table


def _gain(cents: float) -> str:
    return f"{'+' if cents > 0 else ''}{money(cents)}"
