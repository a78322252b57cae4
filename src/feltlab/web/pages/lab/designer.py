"""The pay-table designer: a bet under other pays, and the pay tables nearest to a target edge."""

from collections.abc import Mapping
from dataclasses import dataclass
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


@dataclass(frozen=True)
class DesignRequest:
    """The design that the address of a page describes."""

    setting: Setting
    bet: Spot
    pays: dict[str, Fraction]  # that differ from the listed ones
    kept: list[Pays]  # designs side by side
    aim: str
    target: Fraction | None
    half: bool  # whether half units are allowed
    words: Mapping[str, str]  # the parameters as they were given

    @property
    def question(self) -> Data:
        """The part of a question that all workers need."""
        pays = {name: str(pay) for name, pay in self.pays.items()}
        return self.setting.question | {"bet": self.bet.name, "aim": self.aim, "pays": pays}


def _read_design(request: Request) -> DesignRequest:
    game = game_of(request)
    bet = find_bet(game, request.path_params["spot"])
    found = read_parameters(request, "target", "aim", "half", prefixes=(OPTION, STAKE, PAY, *PREFIXES))
    setting = Setting(game, found, bet)
    read = partial(_read_pays, setting.game, bet)
    return DesignRequest(
        setting,
        bet,
        read(with_prefix(found, PAY)),
        read_variants(found, read),
        _read_aim(found.get("aim", "added")),
        read_edge(found.get("target")),
        "half" in found,
        found,
    )


async def designer(request: Request) -> Data:
    """A bet under other pays: first with the strategy unchanged, then re-solved; and the nearest tables."""
    asked, work = _read_design(request), work_of(request.app)
    setting, bet, question = asked.setting, asked.bet, asked.question
    repriced = await work.answer("repriced", **question)
    return _describe_form(request, asked) | {
        "repriced": repriced,
        "design": await answer_part(work, "design", **question) if repriced["re-solved"] else repriced,
        "variants": await compare_variants(work, setting, bet, question, asked.kept, asked.pays),
        "even": {} if asked.pays else await _break_even(work, asked),
        "found": await _nearest_tables(work, asked),
    }


def _describe_form(request: Request, asked: DesignRequest) -> Data:
    """Everything of the page that no worker has to answer."""
    game, setting, bet = game_of(request), asked.setting, asked.bet
    return {
        "title": f"{game.title}: {bet.title}",
        "game": describe_game(game),
        "bet": {"name": bet.name, "title": bet.title},
        "controls": setting.controls({}),
        "query": setting.query,
        "address": f"?{request.url.query}" if request.url.query else "",
        "lines": _pay_inputs(setting.game, bet, asked.pays),
        "target": asked.words.get("target", ""),
        "aim": {"name": asked.aim, "words": AIMS[asked.aim]},
        "aims": AIM_TITLES,
        "half": asked.half,
        "play": play_query(setting, bet, asked.pays),
    }


def _read_aim(name: str) -> str:
    if name not in AIMS:
        raise Refused(f"{name!r} is not something to aim at; possible are {listing(AIMS)}.")
    return name


async def _break_even(work: Pool, asked: DesignRequest) -> Data:
    """The pay at which a bet with a single pay breaks even, with the best play for each pay."""
    if len(_pay_inputs(asked.setting.game, asked.bet, {})) != 1:
        return {}
    return await answer_part(work, "even", **asked.setting.question, bet=asked.bet.name, aim=asked.aim)


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


async def _nearest_tables(work: Pool, asked: DesignRequest) -> Data:
    if asked.target is None:
        return {}
    target = {"target": str(asked.target), "half": asked.half}
    try:
        found = await answer_part(work, "tables", **asked.question, **target)
    except Refused as refused:
        return {"refused": str(refused)}
    if "working" in found:
        return found
    queries = (design_query(asked.setting, table["pays"], asked.kept) for table in found["tables"])
    tables = [table | {"query": query} for table, query in zip(found["tables"], queries, strict=True)]
    return found | {"tables": tables}


async def redirect_to_first_bet(request: Request) -> Response:
    """The designer of a game begins with its first wager."""
    game = game_of(request)
    suffix = ".json" if request.url.path.endswith(".json") else ""
    return RedirectResponse(f"/lab/{game.name}/design/{game.wagers[0].name}{suffix}")


for suffix in ("", ".json"):
    router.add_api_route("/lab/{game}/design" + suffix, redirect_to_first_bet, include_in_schema=False)
add_lab_page(router, "/lab/{game}/design/{spot}", "lab/designer.html", designer)
