"""`feltlab check`: the contract of a game's rules, tried on random cards."""

import os

import click

from feltlab.cli.shared.console import make_console, print_json, progress_bar
from feltlab.cli.shared.options import Whole, game_argument, json_flag
from feltlab.core.contract.rules_trial import ROUNDS, Trial, try_rules
from feltlab.core.game import Game
from feltlab.games import has_solver, home_of
from feltlab.games.data import packet_data
from feltlab.games.figures import figures
from feltlab.text import listing


@click.command("check")
@game_argument
@click.option("--rounds", type=Whole(1), default=ROUNDS, show_default=True, help="Random rounds to play.")
@click.option("--seed", type=Whole(0), default=1, show_default=True, help="The seed of the random cards.")
@json_flag
def command(game: Game, rounds: int, seed: int, as_json: bool) -> None:
    """Check the rules of a game on random cards.

    Random rounds are played under every option: choices must not depend on hidden cards, no card may be seen
    before it is dealt, decided outcomes must never change, every outcome must be on its pay table, and what
    the rules declare that they do not read must not matter. The first promise that is broken is named with
    its file, line and cards. GAME is a name or the path of a folder, such as ./my-game.
    """
    with progress_bar("checking") as progress:
        tried = try_rules(game, rounds, seed, progress)
    found = {
        "rules": f"{rounds} random rounds keep the contract",
        "never met": _describe_unmet(tried),
        "rule sheet": _read_sheet(game),
        "figures": _count(len(figures(game)), "published figure"),
        "packet data": _count(len(packet_data(game).rack_card), "line") + " on the rack card",
        "proof": _describe_proof(game),
    }
    if as_json:
        print_json({"game": game.name, "rules_digest": game.rules_digest} | found)
        return
    console = make_console()
    for name, words in found.items():
        console.print(f"[bold]{name:<12}[/] {words}", highlight=False)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' * (number != 1)}"


def _describe_unmet(tried: Trial) -> str:
    """The outcomes that may be too rare, or may be on no path of the rules."""
    if not tried.unmet:
        return f"no outcome: {tried.swept:,} rounds had them all"
    return f"in {tried.swept:,} rounds: {listing(tried.unmet)}"


def _read_sheet(game: Game) -> str:
    from feltlab.submission.rule_sheet import has_rule_sheet, parse_rule_sheet

    if not has_rule_sheet(game.name):
        return "none; write rules.md to print rules and packets"
    return _count(sum(1 for _ in parse_rule_sheet(game).clauses), "clause")


def _describe_proof(game: Game) -> str:
    if has_solver(game):
        return f"by the solver of {home_of(game.name).folder}"
    from feltlab.counting.tree.estimate import estimate_ends
    from feltlab.counting.tree.solver import ENDS_PER_SECOND, MOST_ENDS

    ends = estimate_ends(game)
    deals = f"about {ends:.1e} deals to visit"
    if ends > MOST_ENDS:
        return f"{deals}, at most {MOST_ENDS:.0e} are possible: it needs a faster method"
    minutes = ends / ENDS_PER_SECOND / (os.cpu_count() or 1) / 60
    time = "less than a minute" if minutes < 1 else f"about {_count(round(minutes), 'minute')}"
    return f"by its rules alone: {deals}, {time} on this machine"
