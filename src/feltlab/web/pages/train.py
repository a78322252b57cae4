"""The trainer's pages: every game, one game, and the hand of the day.

Decisions, charts and verdicts come from worker processes. A page holds only cards that the player sees; what
a visitor has learnt is stored in the browser. In practice a decision comes with its verdict, which is then
there at once; in an exam and for the hand of the day the verdict stays here until the answer is there.
"""

import asyncio
from collections.abc import Coroutine, Mapping
from datetime import UTC, date, datetime, timedelta
from typing import Annotated, Any, Literal

from fastapi import APIRouter, FastAPI, Query
from pydantic import Field
from starlette.requests import Request
from starlette.responses import Response

from feltlab.core.game import Game
from feltlab.core.position import (
    CHOSEN,
    OPTION,
    PAY,
    WAGERS,
    game_query,
    is_position,
    position_query,
    read_game,
    read_position,
)
from feltlab.errors import Refused, TooOften, Unknown
from feltlab.games import GAMES, game_named
from feltlab.games.felt_look import felt_look
from feltlab.server.auth import Auth, address_of
from feltlab.server.models import RequestModel
from feltlab.server.responses import json_response
from feltlab.web.page import Data, add_page, per_app
from feltlab.web.pages.rules import rules_address
from feltlab.workers.pool import Working
from feltlab.workers.training.charts import describe_work
from feltlab.workers.training.sealed import give_verdict, hide_verdict
from feltlab.workers.training.trainer import Trainer, daily_game

EXAM_DECISIONS = 20
PASS_PERCENT = 90
OWN_PARAMETERS = ("row", "mode", "after", "exam")  # of the page, besides those of a position
MAX_TOKEN_CHARS = 40
SOON_SECONDS = 1.5  # that a page waits for a decision
MAX_ROW_CHARS = 60
DAILY = "daily "  # begins the token of the hand of the day, which everybody shares

router = APIRouter()


def trainer_of(app: FastAPI) -> Trainer:
    return per_app(app, "trainer", Trainer)


# -- Pages ------------------------------------------------------------------------------------------


async def overview(request: Request) -> Data:
    """Every game; the browser adds what the visitor has learnt."""
    _limit_rate(request)
    return {
        "title": "Train",
        "games": [_describe_game(game) for game in GAMES.values()],
        "today": current_day(),
    }


async def train(request: Request) -> Data:
    """The trainer of one game, and the decision that the address names, if it names one."""
    visitor = _limit_rate(request)
    game, query = _read_request(request)
    first = read_position(game, query) if is_position(game, query) else None
    if first:
        _limit_positions(request)
    offered = first.game if first else read_game(game, query)
    trainer = trainer_of(request.app)
    return {
        "title": f"Train {game.title}",
        "game": _describe_game(offered),
        "query": game_query(offered),
        "decision": await _answer_soon(trainer.judge(first, visitor)) if first else None,
        "position": position_query(first) if first else {},
        "mode": query.get("mode", ""),
        "row": query.get("row", ""),
        "daily": "",
        "exam": EXAM_DECISIONS,
        "pass": PASS_PERCENT,
    }


async def daily(request: Request) -> Data:
    """The hand of the day, the same for everybody."""
    _limit_rate(request)
    today = current_day()
    game = daily_game(today)
    return {
        "title": f"The hand of {date.fromisoformat(today):%-d %B}: {game.title}",
        "game": _describe_game(game),
        "query": {},
        "decision": await _answer_soon(_sealed_daily(request.app, today)),
        "position": {},
        "mode": "daily",
        "row": "",
        "daily": today,
        "exam": EXAM_DECISIONS,
        "pass": PASS_PERCENT,
    }


async def _answer_soon(answer: Coroutine[Any, Any, Data]) -> Data | None:
    """The answer if it comes soon; otherwise the page is shown, and its script asks for it."""
    try:
        async with asyncio.timeout(SOON_SECONDS):
            return await answer
    except (TimeoutError, TooOften):
        return None


async def _sealed_daily(app: FastAPI, day: str) -> Data:
    return hide_verdict(await trainer_of(app).daily(day), DAILY + day)


# -- For scripts ------------------------------------------------------------------------------------


class TrainingAnswer(RequestModel):
    """An answer to a decision whose verdict the server keeps."""

    token: str = Field(max_length=MAX_TOKEN_CHARS)
    choice: str = Field(max_length=MAX_TOKEN_CHARS)


@router.get("/api/train/daily", include_in_schema=False)
async def daily_decision(request: Request) -> Response:
    """The decision of today, without its verdict."""
    _limit_rate(request)
    return json_response(await _sealed_daily(request.app, current_day()))


@router.post("/api/train/verdict", include_in_schema=False)
async def verdict(request: Request, answer: TrainingAnswer) -> Response:
    """The verdict on an answer in an exam, or to the hand of the day."""
    _limit_rate(request)
    trainer = trainer_of(request.app)
    if not answer.token.startswith(DAILY):
        return json_response(trainer.sealed.open(answer.token, answer.choice))
    day = answer.token.removeprefix(DAILY)
    if day not in (current_day(), current_day(days_ago=1)):  # yesterday's page may still be open
        raise Unknown("This is not the hand of today.")
    return json_response(give_verdict(await trainer.daily(day), answer.choice))


@router.get("/api/train/{game}/next", include_in_schema=False)
async def next_decision(
    request: Request,
    row: Annotated[str, Query(max_length=MAX_ROW_CHARS)] = "",
    after: Annotated[str, Query(max_length=MAX_TOKEN_CHARS)] = "",
    exam: Annotated[Literal["", "1"], Query()] = "",
) -> Response:
    """The next decision; `after` goes on with a hand, `row` drills one row of the strategy card.

    In an `exam` it comes without its verdict.
    """
    visitor = _limit_rate(request)
    game, query = _read_request(request)
    trainer = trainer_of(request.app)
    decision = await trainer.deal(_with_choices(read_game(game, query)), row, after, visitor)
    return json_response(trainer.sealed.seal(decision) if exam else decision)


@router.get("/api/train/{game}/position", include_in_schema=False)
async def judged_position(request: Request) -> Response:
    """The decision that the parameters name, with the value of each choice."""
    visitor = _limit_rate(request)
    _limit_positions(request)
    game, query = _read_request(request)
    return json_response(await trainer_of(request.app).judge(read_position(game, query), visitor))


@router.get("/api/train/{game}/chart", include_in_schema=False)
async def chart(request: Request) -> Response:
    """The strategy card with its rows by weight; status 202 with the step it is in until it is there.

    With the parameters of a position, `lit` is the row of that hand.
    """
    visitor = _limit_rate(request)
    game, query = _read_request(request)
    offered = _with_choices(read_game(game, query))
    trainer = trainer_of(request.app)
    try:
        found = await trainer.chart(offered, visitor)
    except Working as working:
        return json_response({"working": describe_work(working)}, 202)
    lit = None
    if is_position(game, query):
        _limit_positions(request)
        lit = (await trainer.judge(read_position(game, query), visitor))["row"]
    return json_response({**found, "lit": lit, "keys": {c.key.upper(): c.name for c in offered.choices}})


def _limit_rate(request: Request) -> str:
    """Count the request, and name its visitor."""
    auth: Auth = request.app.state.auth
    session = auth.find_reader(request)
    return session.id if session else address_of(request)


def _limit_positions(request: Request) -> None:
    """Count a position to value, by the address that asks, with or without a session."""
    auth: Auth = request.app.state.auth
    auth.allowance.positions.admit(address_of(request))


def _read_request(request: Request) -> tuple[Game, Mapping[str, str]]:
    """The game and the parameters, each of which is given once."""
    game = game_named(request.path_params["game"])
    known = {*OWN_PARAMETERS, WAGERS, CHOSEN, *(area.name for area in game.areas)}
    found: dict[str, str] = {}
    for name, value in request.query_params.multi_items():
        if name not in known and not name.startswith((OPTION, PAY)):
            raise Refused(f"This page has no setting {name[:40]!r}.")
        if name in found:
            raise Refused(f"The setting {name[:40]} is given twice.")
        found[name] = value
    return game, found


def _with_choices(game: Game) -> Game:
    if not game.choices:
        raise Refused(f"{game.title} has no choices to train.")
    return game


def _describe_game(game: Game) -> Data:
    choices = [{"choice": choice.name, "key": choice.key, "help": choice.help} for choice in game.choices]
    return {
        "name": game.name,
        "title": game.title,
        "summary": game.rules.SUMMARY,
        "rules": rules_address(game),
        "areas": [area.name for area in game.areas],
        "choices": choices,
        "look": vars(felt_look(game)),
    }


def current_day(days_ago: int = 0) -> str:
    return (datetime.now(UTC).date() - timedelta(days_ago)).isoformat()


add_page(router, "/train", "train/overview.html", overview)
add_page(router, "/train/daily", "train/train.html", daily)
add_page(router, "/train/{game}", "train/train.html", train)
