"""The page that deals a visitor in: it opens a private table of the visitor's own and goes on to it.

The page itself changes nothing. Its script makes the visitor a guest, if there is no session, and asks for
the table by POST.
"""

from fastapi import APIRouter
from starlette.requests import Request

from feltlab.core.game import Game
from feltlab.errors import Refused
from feltlab.games.offers import game_from_words, game_to_data
from feltlab.report.felt_picture import draw_felt
from feltlab.server.request_json import parse_model
from feltlab.server.solo_models import OpenSolo
from feltlab.web.page import Data, add_page
from feltlab.web.pages.lab.setting import OPTION, game_of, read_parameters, with_prefix

router = APIRouter()
PAY = "pay-"  # the prefix of a designed pay: pay-tie/tie=12
COACH = "coach"  # goes on to the table


async def play(request: Request) -> Data:
    """The game with the options and pays of the address: /play/casino-war?option-decks=8&pay-tie/tie=12."""
    found = read_parameters(request, COACH, prefixes=(OPTION, PAY))
    game = read_offer(game_of(request), with_prefix(found, OPTION), with_prefix(found, PAY))
    data = game_to_data(game)
    return {
        "title": game.title,
        "game": game.name,
        "summary": game.rules.SUMMARY,
        "picture": draw_felt(game),
        "coach": found.get(COACH, ""),
        "asks": {"game": game.name, "options": data["options"], "pays": _pays_by_spot(game)},
    }


def read_offer(game: Game, options: dict[str, str], pays: dict[str, str]) -> Game:
    """A game under options and pays from an address, whose names are SPOT/OUTCOME."""
    by_spot: dict[str, dict[str, str]] = {}
    for name, pay in pays.items():
        spot, slash, outcome = name.partition("/")
        if not slash:
            raise Refused(f"A designed pay is named {PAY}SPOT/OUTCOME, not {PAY}{name}.")
        by_spot.setdefault(spot, {})[outcome] = pay
    asked = parse_model(OpenSolo, {"game": game.name, "options": options, "pays": by_spot})
    return game_from_words(asked.game, asked.options, asked.pays)


def _pays_by_spot(game: Game) -> dict[str, dict[str, str]]:
    by_spot: dict[str, dict[str, str]] = {}
    for spot, outcome, pay in game.pays:
        by_spot.setdefault(spot, {})[outcome] = str(pay)
    return by_spot


add_page(router, "/play/{game}", "play.html", play)
