"""The pay-table designer: a bet under other pays, and the pay tables nearest to a target edge."""

from collections.abc import Mapping
from fractions import Fraction
from functools import partial

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from feltlab.analysis.design.aim import AIM_TITLES, AIMS
from feltlab.analysis.design.pays import apply_pays, find_bet, read_edge, read_pays, spots_of
from feltlab.core.game import Game
from feltlab.core.layout import Spot
from feltlab.errors import Refused, Unknown
from feltlab.text import listing
from feltlab.web.page import Data
from feltlab.web.pages.lab.setting import (
    OPTION,
    STAKE,
    Setting,
    describe_game,
    game_of,
    read_parameters,
    with_prefix,
)
from feltlab.web.pages.lab.variants import (
    PAY,
    PREFIXES,
    Pays,
    compare_variants,
    design_query,
    play_query,
    read_variants,
)
from feltlab.web.pages.lab.waiting import add_lab_page, answer_part, work_of
from feltlab.workers.pool import Pool

router = APIRouter()


async def designer(request: Request) -> Data:
    """A bet under other pays: first with the strategy unchanged, then re-solved; and the nearest tables."""
    game = game_of(request)
    bet = find_bet(game, request.path_params["spot"])
    found = read_parameters(request, "target", "aim", "half", prefixes=(OPTION, STAKE, PAY, *PREFIXES))
    setting = Setting(game, found, bet)
    read = partial(_read_pays, setting.game, bet)
    pays, kept = read(with_prefix(found, PAY)), read_variants(found, read)
    target = read_edge(found.get("target"))
    aim = _read_aim(found.get("aim", "added"))
    question = setting.question | {"bet": bet.name, "aim": aim}
    question |= {"pays": {name: str(pay) for name, pay in pays.items()}}
    work = work_of(request.app)
    repriced = await work.answer("repriced", **question)
    return {
        "title": f"{game.title}: {bet.title}",
        "game": describe_game(game),
        "bet": {"name": bet.name, "title": bet.title},
        "controls": setting.controls({}),
        "query": setting.query,
        "address": f"?{request.url.query}" if request.url.query else "",
        "lines": _pay_inputs(setting.game, bet, pays),
        "target": found.get("target", ""),
        "aim": {"name": aim, "words": AIMS[aim]},
        "aims": AIM_TITLES,
        "half": "half" in found,
        "repriced": repriced,
        "design": await answer_part(work, "design", **question) if repriced["re-solved"] else repriced,
        "variants": await compare_variants(work, setting, bet, question, kept, pays),
        "play": play_query(setting, bet, pays),
        "even": {} if pays else await _break_even(work, setting, bet, aim),
        "found": await _nearest_tables(work, setting, question, kept, target, "half" in found),
    }


def _read_aim(name: str) -> str:
    if name not in AIMS:
        raise Refused(f"{name!r} is not something to aim at; possible are {listing(AIMS)}.")
    return name


async def _break_even(work: Pool, setting: Setting, bet: Spot, aim: str) -> Data:
    """The pay at which a bet with a single pay breaks even, with the best play for each pay."""
    if len(_pay_inputs(setting.game, bet, {})) != 1:
        return {}
    return await answer_part(work, "even", **setting.question, bet=bet.name, aim=aim)


# -- Pays -------------------------------------------------------------------------------------------


def _read_pays(game: Game, bet: Spot, texts: Mapping[str, str]) -> dict[str, Fraction]:
    """The pays that differ from the listed ones; refuses pays that the game would refuse."""
    present = {line["name"]: Fraction(line["pays"]) for line in _pay_inputs(game, bet, {})}
    pays: dict[str, Fraction] = {}
    for name, text in texts.items():
        if name not in present:
            raise Unknown(f"{bet.title} has no paying line {name!r}.")
        read = read_pays(f"{name}={text}")
        if list(read) != [name]:
            raise Refused(f"{text!r} is not a pay, such as 5, 3/2 or 2.5.")
        if read[name] != present[name]:
            pays[name] = read[name]
    apply_pays(game, bet, pays)
    return pays


def _pay_inputs(game: Game, bet: Spot, pays: Mapping[str, Fraction]) -> list[Data]:
    """The pay-table lines that a visitor may change, each with its name and its pay."""
    found = []
    for spot in spots_of(game, bet):
        for line in game.pay_table(spot).lines:
            if line.result == "win" and line.listed:
                name = line.outcome if spot == bet else f"{spot.name}: {line.outcome}"
                pay = pays.get(name, line.pays)
                data = {"name": name, "outcome": line.outcome, "spot": spot.title, "listed": str(line.pays)}
                found.append(data | {"pays": str(pay), "raise": bool(spot.raises)})
    return found


# -- The nearest tables -----------------------------------------------------------------------------


async def _nearest_tables(
    work: Pool, setting: Setting, question: Data, kept: list[Pays], target: Fraction | None, half: bool
) -> Data:
    if target is None:
        return {}
    try:
        found = await answer_part(work, "tables", **question, target=str(target), half=half)
    except Refused as refused:
        return {"refused": str(refused)}
    if "working" in found:
        return found
    tables = [table | {"query": design_query(setting, table["pays"], kept)} for table in found["tables"]]
    return found | {"tables": tables}


async def redirect_to_first_bet(request: Request) -> Response:
    """The designer of a game begins with its first wager."""
    game = game_of(request)
    suffix = ".json" if request.url.path.endswith(".json") else ""
    return RedirectResponse(f"/lab/{game.name}/design/{game.wagers[0].name}{suffix}")


for suffix in ("", ".json"):
    router.add_api_route("/lab/{game}/design" + suffix, redirect_to_first_bet, include_in_schema=False)
add_lab_page(router, "/lab/{game}/design/{spot}", "lab/designer.html", designer)
