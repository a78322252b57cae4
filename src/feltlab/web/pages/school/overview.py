"""The overview of the dealer school, and the school of one game."""

from fastapi import APIRouter
from starlette.requests import Request

from feltlab.games import GAMES, game_named
from feltlab.report.felt_picture import draw_felt
from feltlab.submission.how_to_play import how_to_play
from feltlab.submission.rule_sheet import has_rule_sheet
from feltlab.web.page import Data, add_page
from feltlab.web.pages.school.practice import describe_school_game, list_drills

router = APIRouter()


async def overview(request: Request) -> Data:
    """Every game that can be taught; the browser adds what the visitor has learnt."""
    request.app.state.auth.find_reader(request)
    taught = [game for game in GAMES.values() if has_rule_sheet(game.name)]
    return {"title": "Dealer school", "games": [describe_school_game(game) for game in taught]}


async def school_of_game(request: Request) -> Data:
    """The manual, the drills and the table of one game."""
    request.app.state.auth.find_reader(request)
    game = game_named(request.path_params["game"])
    return {
        "title": f"Deal {game.title}",
        "game": describe_school_game(game),
        "picture": draw_felt(game),
        "lines": how_to_play(game),
        "drills": await list_drills(game),
    }


add_page(router, "/school", "school/overview.html", overview)
add_page(router, "/school/{game}", "school/game.html", school_of_game)
