"""`feltlab prove`: the exact odds of every wager."""

import click
from rich.box import SIMPLE_HEAD
from rich.table import Table

from feltlab.analysis.wager_costs import WagerCost, wager_cost
from feltlab.cli.shared.console import (
    describe_game,
    describe_stake,
    figures_table,
    keep_digits,
    make_console,
    print_json,
    progress_bar,
)
from feltlab.cli.shared.options import (
    MultiValueCommand,
    game_argument,
    json_flag,
    option_flag,
    read_game_and_stake,
    stake_flag,
    strategy_flag,
)
from feltlab.core.game import Game
from feltlab.core.layout import Spot
from feltlab.parallel.progress import Progress
from feltlab.proving.exact_numbers import root
from feltlab.proving.proof import Proof, prove, prove_two_seats
from feltlab.report.documents.wager_costs import LEGEND, REQUIRED, describe_shares
from feltlab.text import percent

MAX_PRINTED_COUNT = 10**16  # larger counts are printed as 1.234567e+20; JSON has every digit

DEFINITIONS = (
    "edge: expected loss per unit of the first wager; risk: expected loss per unit wagered, raises included; "
    "hit: the wager itself wins; net win and net push: the bet with its raises nets more than zero, or zero; "
    "average: units wagered, raises included. The strategy is optimal for the stake; a bet without a stake "
    "does not influence it"
)

COST_DEFINITIONS = (
    "added cost: loss with the wager less loss without it, each at its own best play, per unit of the wager; "
    "least and most alone: its edge under the play that is best for it alone, and for the other wagers "
    f"alone. {LEGEND.removesuffix('.')}"
)


@click.command("prove", cls=MultiValueCommand)
@game_argument
@option_flag
@stake_flag
@strategy_flag
@click.option("--fresh", is_flag=True, help="Prove again, even if the proof is in the store.")
@json_flag
def command(
    game: Game, options: tuple[str, ...], stakes: tuple[str, ...], strategy: str, fresh: bool, as_json: bool
) -> None:
    """Prove the exact odds and house edge of every wager.

    Every figure is an exact fraction over all possible deals. The stake is one unit on each required wager
    unless --stake says otherwise; the optimal player maximises the return of the whole stake.

    \b
      feltlab prove casino-war --option decks=8
      feltlab prove rabbit-hunter --stake ante=1 tens-up=1 --json
    """
    game, stake = read_game_and_stake(game, options, stakes)
    with progress_bar(f"Proving {game.title}") as progress:
        proof = prove(game, stake, strategy, progress, fresh)
        costs = _costs(proof, progress)
        two = prove_two_seats(game, stake, progress)
    if as_json:
        seats = {"two_seats": two.as_json()} if two else {}
        print_json(proof.as_json() | seats | {"costs": {cost.bet.name: cost.as_json() for cost in costs}})
    else:
        _print(proof, costs)
        if two:
            make_console().print(_describe_two_seats(two), highlight=False)


def _costs(proof: Proof, progress: Progress) -> tuple[WagerCost, ...]:
    """The cost of each wager of a stake with several. A wager without a stake would take proofs."""
    staked = [bet for bet in proof.game.wagers if proof.stake[bet.name]]
    if len(staked) < 2:
        return ()
    found = (wager_cost(proof.game, proof.stake, bet, progress) for bet in staked)
    return tuple(cost for cost in found if cost)


def _print(proof: Proof, costs: tuple[WagerCost, ...]) -> None:
    console = make_console()
    took = f"proved in {proof.law.seconds:.2f} s"
    console.print(describe_game(proof.game), highlight=False)
    console.print(f"strategy {proof.strategy}; {proof.tally.deals:,} deals, {took}", highlight=False)
    console.print(f"method: {proof.law.method}\n", highlight=False)
    console.print(_bets_table(proof))
    for bet in proof.game.wagers:
        console.print(_outcomes_table(proof, bet))
    if len(proof.first_choices) > 1:
        shares = ", ".join(f"{name} {percent(share, 2)}" for name, share in proof.first_choices.items())
        console.print(f"first choice: {shares}", highlight=False)
    console.print(_describe_total(proof), highlight=False)
    if costs:
        console.print(_costs_table(proof, costs))
        console.print(COST_DEFINITIONS, style="dim")
    console.print(DEFINITIONS, style="dim")


def _describe_two_seats(proof: Proof) -> str:
    edges = ", ".join(f"{bet.title} {percent(proof.house_edge(bet.name))}" for bet in proof.game.wagers)
    return (
        "a player who holds two seats and knows both hands before choosing for either faces these edges at "
        f"each seat, at best play: {edges}"
    )


def _costs_table(proof: Proof, costs: tuple[WagerCost, ...]) -> Table:
    title = f"What each wager costs at best play; the stake is {describe_stake(proof.stake)}"
    table = figures_table("wager", "loss without it", "added cost", "least alone", "most alone", title=title)
    for cost in costs:
        without = REQUIRED if cost.loss_without is None else f"{float(cost.loss_without):.6f}"
        table.add_row(cost.bet.title, without, *describe_shares(cost))
    return table


def _describe_total(proof: Proof) -> str:
    net = float(proof.tally.total_expected(proof.stake))
    deviation = root(proof.tally.total_variance(proof.stake))
    wagered = f"{float(proof.average_wager):.4f} units wagered"
    edge = f"{percent(proof.joint_edge)} of the first wagers"
    figures = f"nets {net:+.6f} units a round ({edge}) on {wagered}, standard deviation {deviation:.4f}"
    return f"the stake ({describe_stake(proof.stake)}) {figures}"


def _bets_table(proof: Proof) -> Table:
    table = figures_table("bet", "edge", "risk", "hit", "net win", "net push", "average", "std dev")
    tally = proof.tally
    for bet in proof.game.wagers:
        shares = [percent(-tally.expected(bet)), percent(tally.element_of_risk(bet))]
        frequencies = (tally.hit_frequency, tally.win_frequency, tally.push_frequency)
        shares += [percent(frequency(bet), 2) for frequency in frequencies]
        units = [float(tally.average_wager(bet)), root(tally.variance(bet))]
        table.add_row(_bet_title(proof, bet), *shares, *(f"{number:.4f}" for number in units))
    table.box, table.show_edge, table.pad_edge = SIMPLE_HEAD, False, False  # so that all fits 80 columns
    table.padding = 0
    keep_digits(table)
    return table


def _bet_title(proof: Proof, bet: Spot) -> str:
    return bet.title if proof.stake.get(bet.name) else f"{bet.title} (no stake)"


def _outcomes_table(proof: Proof, bet: Spot) -> Table:
    title = f"{_bet_title(proof, bet)}: edge {-proof.tally.expected(bet)}"
    table = figures_table("outcome", "net", "deals", "probability", "return", title=title)
    for outcome in proof.outcomes(bet):
        share, gain = float(outcome.probability), float(outcome.returned)
        numbers = (f"{float(outcome.net):+g}", _format_count(outcome.count), f"{share:.8f}", f"{gain:+.6f}")
        table.add_row(outcome.name, *numbers)
    keep_digits(table)
    return table


def _format_count(count: int) -> str:
    return f"{count:,}" if count < MAX_PRINTED_COUNT else f"{count:.6e}"
