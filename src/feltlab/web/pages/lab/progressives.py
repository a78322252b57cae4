"""A progressive of a game, with a meter to drag: the line of its return, and the law of what it pays."""

from fastapi import APIRouter
from starlette.requests import Request

from feltlab.errors import Unknown
from feltlab.progressives.catalogue import progressives_of
from feltlab.progressives.progressive import Progressive
from feltlab.text import dollars, listing, parse_dollars
from feltlab.web.meter_plots import MeterPlot
from feltlab.web.page import Data
from feltlab.web.pages.lab.setting import STAKE, Setting, describe_game, game_of, read_parameters
from feltlab.web.pages.lab.waiting import add_lab_page, work_of

router = APIRouter()
UNIT = "$5"  # of the main game's stake, if the visitor gives no other


async def progressive(request: Request) -> Data:
    game, words = game_of(request), read_parameters(request, "meter", "unit", prefixes=(STAKE,))
    found, setting = _find(game.name, request.path_params["progressive"]), Setting(game, words)
    unit = parse_dollars(words.get("unit", UNIT))
    cents = parse_dollars(words["meter"]) if "meter" in words else None
    report = await work_of(request.app).answer(
        "progressive", **setting.question, progressive=found.name, unit=unit, cents=cents
    )
    return {
        "title": found.title,
        "game": describe_game(game),
        "progressive": {"name": found.name, "title": found.title, "status": found.status},
        "controls": setting.controls({}) | {"options": []},
        "unit": dollars(unit).removeprefix("$"),
        "report": report,
        "plot": MeterPlot(report["meter"]).as_json(),
    }


def _find(game: str, name: str) -> Progressive:
    known = {each.name: each for each in progressives_of(game)}
    if name not in known:
        raise Unknown(f"{name[:60]!r} is not a progressive of this game; it has {listing(known)}.")
    return known[name]


add_lab_page(router, "/lab/{game}/progressives/{progressive}", "lab/progressive.html", progressive)
