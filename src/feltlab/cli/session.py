"""`feltlab session`: a player's session and the house's month, forecast from the proof."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import click
from rich.columns import Columns
from rich.table import Table

from feltlab.analysis.month import BANDS, LEAD_PROBABILITY, Month
from feltlab.analysis.session import (
    DEFAULT_BANKROLL_STAKES,
    DEFAULT_SEATS,
    MAX_SESSION_ROUNDS,
    Estimate,
    Prospect,
    RoundLaw,
    SessionPlan,
    foresee,
    wagers_in_cents,
)
from feltlab.cli.shared.console import (
    describe_game,
    make_console,
    print_json,
    progress_bar,
    request_json,
)
from feltlab.cli.shared.options import (
    MultiValueCommand,
    Whole,
    game_argument,
    json_flag,
    option_flag,
    read_game_and_stake,
    stake_flag,
    strategy_flag,
)
from feltlab.core.game import Game
from feltlab.errors import Refused
from feltlab.proving.exact_numbers import root
from feltlab.proving.proof import Proof, prove
from feltlab.report.numbers import percent_with_error
from feltlab.report.write import Output
from feltlab.simulation.seat_covariance import NO_COVARIANCE, seat_covariance
from feltlab.text import dollars, money, parse_dollars, percent, signed_dollars, small_percent

MAX_HISTOGRAM_COLUMNS = 120
HOURS_OF_A_DAY = 24
NUMBER = re.compile(r"\d{1,12}(\.\d{1,6})?([eE]\+?\d{1,2})?", re.ASCII)


@dataclass(frozen=True)
class Forecast:
    """A request and its results."""

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
    "--bet", default="10", metavar="DOLLARS", show_default=True, help="The value of one unit of the stake."
)
@click.option(
    "--bankroll", metavar="DOLLARS", help=f"The player's buy-in.  [default: {DEFAULT_BANKROLL_STAKES} stakes]"
)
@click.option("--hours", default="4", metavar="H", show_default=True, help="The length of the session.")
@click.option(
    "--rounds-per-hour", "pace", default="60", metavar="N", show_default=True, help="Rounds an hour."
)
@click.option(
    "--tables",
    type=Whole(1, 1000),
    default=1,
    metavar="N",
    show_default=True,
    help="Tables of the house.",
)
@click.option(
    "--seats",
    type=Whole(1),
    metavar="N",
    help=f"Players at each table.  [default: {DEFAULT_SEATS}, or all the game has]",
)
@click.option(
    "--days",
    type=Whole(1, 366),
    default=30,
    metavar="N",
    show_default=True,
    help="Days of the month.",
)
@click.option("--hours-a-day", default="16", metavar="H", show_default=True, help="Opening hours of a table.")
@click.option(
    "--seed", type=Whole(min=0), default=1, metavar="S", help="The seed, if a simulation is needed."
)
@click.option(
    "-o", "picture", type=Path, metavar="FILE.svg", help="Draw the results and the bankroll over time."
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
    """Forecast a player's session and the house's month.

    The probabilities of ruin and of every result are computed from the proof; they are simulated only where
    computing them would take too long.

    \b
      feltlab session casino-war --bankroll 500 --bet 25
      feltlab session rabbit-hunter --stake tens-up=1 --hours 8 -o session.svg
    """
    output = Output(picture, (".svg",), "picture") if picture else None
    game, stake = read_game_and_stake(game, options, stakes)
    put = wagers_in_cents(game, stake, parse_dollars(bet))
    money = parse_dollars(bankroll) if bankroll is not None else DEFAULT_BANKROLL_STAKES * sum(put.values())
    time, speed = _parse_positive("--hours", hours), _parse_positive("--rounds-per-hour", pace)
    rounds, month_rounds = _session_rounds(time * speed), _month_rounds(days, hours_a_day, speed)
    players = min(DEFAULT_SEATS, game.seats) if seats is None else seats
    _check_seats(game, players)
    with progress_bar(f"Proving {game.title}") as progress:
        proof = prove(game, stake, strategy, progress)
    plan = SessionPlan(RoundLaw.of(proof, put), rounds, money)
    with progress_bar("Forecasting the session") as progress:
        prospect = foresee(plan, seed, progress)
    shared = seat_covariance(proof, put, seed) if players > 1 else NO_COVARIANCE
    played = prospect.rounds.value
    month = Month(plan.law, tables, players, month_rounds, money, played, shared.value, shared.error)
    forecast = Forecast(proof, put, time, speed, prospect, days, month)
    if output:
        _draw(forecast, output)
    print_json(_json(forecast)) if as_json else _print(forecast)


def _parse_positive(flag: str, text: str) -> Fraction:
    if not NUMBER.fullmatch(text) or not Fraction(text):
        raise Refused(f"{flag} must be a number above 0, such as 4 or 2.5, not {text!r}.")
    return Fraction(text)


def _session_rounds(rounds: Fraction) -> int:
    """Whole rounds, and at least one."""
    if rounds > MAX_SESSION_ROUNDS:
        raise Refused(f"A session of {int(rounds):,} rounds is too long; the most is {MAX_SESSION_ROUNDS:,}.")
    return max(1, int(rounds))


def _month_rounds(days: int, hours_a_day: str, pace: Fraction) -> int:
    hours = _parse_positive("--hours-a-day", hours_a_day)
    if hours > HOURS_OF_A_DAY:
        raise Refused("--hours-a-day may be at most 24.")
    return max(1, int(days * hours * pace))


def _check_seats(game: Game, seats: int) -> None:
    if seats > game.seats:
        raise Refused(f"A table of {game.title} has at most {game.seats} seats.")


def _draw(forecast: Forecast, output: Output) -> None:
    from feltlab.report.documents.session_plot import draw_svg

    title = f"{forecast.proof.game.title}, {_hours(forecast)}\n{', '.join(_wager_texts(forecast))}"
    output.write(draw_svg(forecast.prospect, float(forecast.hours), title))


def _json(forecast: Forecast) -> dict[str, Any]:
    proof = forecast.proof
    return request_json(proof.game, proof.stake) | {
        "wagers": dict(forecast.wagers),
        "strategy": proof.strategy,
        "rules_digest": proof.game.digest,
        "unit": "cents",
        "session": {"hours": float(forecast.hours), **forecast.prospect.as_json()},
        "month": forecast.month.as_json(),
    }


# -- Text -------------------------------------------------------------------------------------------

DEFINITIONS = (
    "ruin: before the last round, the bankroll is less than a round can cost; drop: money bought in; handle: "
    "money wagered, raises included; hold: the expected loss as a share of the drop; percentile: the share "
    "of sessions that end with this result or less. In the month every seat is always taken: a player who "
    "stops is replaced by one with the same buy-in. Its ranges are those of independent seats, widened "
    "because seats share a dealer: approximate, with about the error shown"
)


def _print(forecast: Forecast) -> None:
    from feltlab.report.documents.session_plot import draw_terminal

    console, proof, prospect = make_console(), forecast.proof, forecast.prospect
    console.print(describe_game(proof.game), highlight=False)
    console.print(
        f"{', '.join(_wager_texts(forecast))}; strategy {proof.strategy}; {_hours(forecast)}", highlight=False
    )
    console.print(f"method: {prospect.method}\n", highlight=False)
    console.print(Columns([_session_table(prospect), _percentile_table(prospect)], padding=(0, 2)))
    console.print(draw_terminal(prospect.spread, min(console.width, MAX_HISTOGRAM_COLUMNS)))
    console.print()
    console.print(_month_table(forecast))
    console.print(DEFINITIONS, style="dim", highlight=False)


def _wager_texts(forecast: Forecast) -> list[str]:
    return [f"{dollars(amount)} on {name}" for name, amount in forecast.wagers.items()]


def _hours(forecast: Forecast) -> str:
    rounds = forecast.prospect.plan.rounds
    return f"{float(forecast.hours):g} h, {rounds:,} round{'s' if rounds > 1 else ''}"


def _session_table(prospect: Prospect) -> Table:
    plan = prospect.plan
    rows = {"bankroll (drop)": dollars(plan.bankroll), "a round can cost": dollars(plan.law.need)}
    for name in ("ruin", "ahead", "even", "behind"):
        rows[name] = _with_error(prospect, getattr(prospect, name), small_percent)
    rows["expected result"] = _with_error(prospect, prospect.expected, _signed_money)
    rows["rounds played"] = _with_error(prospect, prospect.rounds, "{:,.2f}".format)
    rows["handle"] = _with_error(prospect, prospect.handle, money)
    rows["hold"] = _with_error(prospect, prospect.hold, small_percent)
    rows["edge on the handle"] = percent(plan.law.edge)
    rows["with unlimited money"] = ""
    rows["  expected result"] = _signed_money(float(plan.expected))
    rows["  standard deviation"] = money(root(plan.variance))
    rows["  skewness"] = f"{plan.skewness:.3f}"
    return _table("a session", rows)


def _with_error(prospect: Prospect, measure: Estimate, form: Callable[[float], str]) -> str:
    """An estimate, with its standard error if it was simulated."""
    error = form(measure.error).lstrip("+")
    return form(measure.value) + (f" ± {error}" if prospect.simulated else "")


def _percentile_table(prospect: Prospect) -> Table:
    rows = {f"{share} %": signed_dollars(net) for share, net in prospect.percentiles.items()}
    return _table("percentile", rows)


def _month_table(forecast: Forecast) -> Table:
    month = forecast.month
    rows = {
        "rounds per table": f"{month.rounds:,}",
        "rounds of all players": f"{month.player_rounds:,}",
        **_correlation_row(month),
        "theoretical win": money(float(month.win)),
        "standard deviation": money(root(month.variance)),
        **{f"{band} % of months": _band(month, band) for band in BANDS},
        "probability of a loss": percent_with_error(month.loss_probability, month.loss_probability_error),
        f"{100 * LEAD_PROBABILITY:.0f} % sure to be ahead after": _lead(month, forecast.pace),
        "handle": money(float(month.handle)),
        "players": f"{month.sessions:,.0f}",
        "drop": money(month.drop),
        "hold": small_percent(month.hold),
    }
    tables = (
        f"{month.tables:,} table{'s' * (month.tables > 1)} of {month.seats} seat{'s' * (month.seats > 1)}"
    )
    return _table(f"the house: {tables}, {forecast.days} days", rows)


def _correlation_row(month: Month) -> dict[str, str]:
    """The correlation of two seats, if a table has several."""
    if month.seats < 2:
        return {}
    variance = float(month.law.variance)
    correlation, error = float(month.seat_covariance) / variance, month.seat_covariance_error / variance
    found = f"{correlation:.3f} ± {error:.3f}, simulated" if error else f"{correlation:.5f}, counted"
    return {"correlation of two seats": found}


def _band(month: Month, percent: int) -> str:
    error = month.band_error(percent)
    return " to ".join(map(money, month.band(percent))) + (f" ± {money(error)}" if error else "")


def _lead(month: Month, pace: Fraction) -> str:
    if month.rounds_to_lead is None:
        return "never: no edge"
    return f"{month.rounds_to_lead:,} rounds, {float(month.rounds_to_lead / pace):,.1f} h"


def _table(title: str, rows: Mapping[str, str]) -> Table:
    table = Table(title, "", show_header=True)
    table.columns[1].justify = "right"
    for row in rows.items():
        table.add_row(*row)
    return table


def _signed_money(cents: float) -> str:
    return f"{'+' if cents > 0 else ''}{money(cents)}"
