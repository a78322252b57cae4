"""The page of a game: how to play, what each bet costs, the odds, the chart, mistakes and their price.

The page is shown at once. Each figure is proved in a worker; a part that is not proved yet shows its progress
and arrives when it is.
"""

import asyncio

from fastapi import APIRouter
from starlette.requests import Request

from feltlab.core.game import Game
from feltlab.core.stake import has_choices
from feltlab.games.data import printed_lines
from feltlab.report.felt_picture import draw_felt
from feltlab.submission.how_to_play import how_to_play
from feltlab.submission.rule_sheet import has_rule_sheet
from feltlab.web.page import Data
from feltlab.web.pages.games.evening import ask_evening, default_evening
from feltlab.web.pages.lab.setting import OPTION, Setting, describe_game, game_of, read_parameters
from feltlab.web.pages.lab.waiting import add_lab_page, show_part, work_of
from feltlab.web.pages.rules import rules_address

router = APIRouter()
NO_CHOICE: Data = {"nothing": True}  # in place of a part, for a game that leaves nothing to choose


async def game_page(request: Request) -> Data:
    game = game_of(request)
    setting = Setting(game, read_parameters(request, prefixes=(OPTION,)))
    work, chosen = work_of(request.app), setting.game
    may_choose = has_choices(chosen, setting.stake)
    proof, costs, card, mistakes, rows, evening = await asyncio.gather(
        show_part(work, "proof", **setting.question, strategy="optimal"),
        show_part(work, "costs", **setting.question),
        show_part(work, "card", **setting.question) if may_choose else _nothing(),
        show_part(work, "mistakes", **setting.question) if may_choose else _nothing(),
        show_part(work, "rows", **setting.question) if may_choose else _nothing(),
        ask_evening(request, setting, default_evening(chosen)),
    )
    return {
        "title": game.title,
        "game": describe_game(game),
        "picture": draw_felt(chosen),
        "how_to_play": how_to_play(chosen),
        "options": setting.controls({})["options"],
        "stake": {bet: str(units) for bet, units in setting.stake.items()},
        "query": setting.query,
        "rules": rules_address(chosen) if has_rule_sheet(game.name) else "",
        "bets": [_describe_bet(chosen, bet["name"]) for bet in describe_game(game)["bets"]],
        "choices": [{"name": choice.name, "help": choice.help} for choice in chosen.choices],
        "proof": proof,
        "costs": costs,
        "card": card,
        "mistakes": mistakes,
        "rows": rows,
        "evening": evening,
    }


async def _nothing() -> Data:
    return NO_CHOICE


def _describe_bet(game: Game, name: str) -> Data:
    """A first wager with its raises and bonuses, and what each of them pays."""
    bet = game.spot(name)
    spots = [
        {
            "name": spot.name,
            "title": spot.title,
            "kind": "wager" if spot == bet else "raise" if spot.raises else "bonus",
            "listed": [line.outcome for line in printed_lines(game, spot)],
        }
        for spot in sorted(game.spots_of(name), key=lambda spot: spot != bet)
    ]
    return {"name": name, "title": bet.title, "required": game.is_required(bet), "spots": spots}


add_lab_page(router, "/games/{game}", "games/game.html", game_page)
