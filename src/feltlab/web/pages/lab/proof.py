"""The proof of a game under the visitor's options, stake and strategy, with its strategy card."""

from fastapi import APIRouter
from starlette.requests import Request

from feltlab.core.stake import has_choices
from feltlab.submission.venues import venues
from feltlab.web.page import Data
from feltlab.web.pages.lab.downloads import SHEET_SUFFIXES
from feltlab.web.pages.lab.setting import OPTION, STAKE, Setting, describe_game, game_of, read_parameters
from feltlab.web.pages.lab.waiting import add_lab_page, answer_part, work_of

router = APIRouter()


async def proof(request: Request) -> Data:
    """The proof of a game, and its strategy card as soon as that is ready."""
    game = game_of(request)
    setting = Setting(game, read_parameters(request, "strategy", prefixes=(OPTION, STAKE)))
    work = work_of(request.app)
    proved = await work.answer("proof", **setting.question, strategy=setting.strategy)
    may_choose = has_choices(setting.game, setting.stake)
    return {
        "title": game.title,
        "game": describe_game(game),
        "controls": setting.controls(proved["strategies"]),
        "query": setting.query,
        "packet_query": setting.packet_query,
        "proof": proved,
        "costs": await answer_part(work, "costs", **setting.question),
        "card": await answer_part(work, "card", **setting.question) if may_choose else {"nothing": True},
        "sheets": SHEET_SUFFIXES,
        "venues": [{"name": known.name, "title": known.title} for known in venues().values()],
    }


add_lab_page(router, "/lab/{game}", "lab/proof.html", proof)
