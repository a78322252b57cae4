"""The drills of the dealer school: questions of a game, each answered with a verdict at once.

A question follows from the game, the drill, a seed and a level. The browser holds the record of a practice
and sends it along; the server asks, judges and brings the record up to date. It keeps the answers of dealers,
and nothing of other visitors.
"""

import asyncio
from contextlib import suppress
from typing import Annotated, Any

import numpy as np
from fastapi import APIRouter, FastAPI
from pydantic import Field
from starlette.requests import Request
from starlette.responses import Response

from feltlab.core.game import Game
from feltlab.errors import Unknown
from feltlab.games import game_named
from feltlab.games.felt_look import felt_look
from feltlab.pit.roles import Permission
from feltlab.school import (
    LEVELS,
    Practice,
    ask_question,
    drills_of,
    find_drill,
    judge_answer,
    read_practice,
    tray_chips,
)
from feltlab.school.drills import SEEDS
from feltlab.school.practice import BOX_WAITS
from feltlab.server.auth import Auth
from feltlab.server.models import RequestModel
from feltlab.server.responses import json_response
from feltlab.web.page import Data, add_page
from feltlab.web.pages.lab.setting import read_parameters
from feltlab.web.pages.rules import rules_address
from feltlab.web.pages.school.office import office_of

router = APIRouter()
MAX_NAME_CHARS = 40
MAX_ANSWER_WORDS = 200
MAX_WORD_CHARS = 80
MAX_SECONDS = 86_400
MAX_TRIES = 20  # seeds, until one has a question


async def practice(request: Request) -> Data:
    """The drills of one game; the address may name one of them."""
    request.app.state.auth.find_reader(request)
    game = game_named(request.path_params["game"])
    drill = read_parameters(request, "drill").get("drill", "")
    return {
        "title": f"{game.title}: drills",
        "game": describe_school_game(game),
        "drill": find_drill(drill).name if drill else "",
        "drills": await list_drills(game),
        "tray": describe_tray(),
        "levels": len(LEVELS),
        "boxes": len(BOX_WAITS),
    }


async def list_drills(game: Game) -> list[Data]:
    """The drills that a game has questions for."""
    found = await asyncio.to_thread(drills_of, game)
    return [{"name": drill.name, "title": drill.title} for drill in found]


def describe_school_game(game: Game) -> Data:
    return {
        "name": game.name,
        "title": game.title,
        "summary": game.rules.SUMMARY,
        "rules": rules_address(game),
        "look": vars(felt_look(game)),
        "seats": game.seats,
        "bonuses": {spot.name: spot.bonus_on for spot in game.spots if spot.bonus_on},
    }


def describe_tray() -> list[Data]:
    """The chips of the tray, the smallest first."""
    return [{"cents": chip.cents, "colour": chip.colour} for chip in tray_chips()]


class NextQuestion(RequestModel):
    """The record of a practice, and the drill to ask; any drill if none is named."""

    drill: str = Field(default="", max_length=MAX_NAME_CHARS)
    practice: dict[str, Any] | None = None


class DrillAnswer(NextQuestion):
    """An answer to the question of a seed, the seconds that it took, and the record before it."""

    seed: int = Field(ge=0, lt=SEEDS)
    level: int = Field(ge=LEVELS[0], le=LEVELS[-1])
    answer: list[Annotated[str, Field(max_length=MAX_WORD_CHARS)]] = Field(max_length=MAX_ANSWER_WORDS)
    seconds: float = Field(default=0, ge=0, le=MAX_SECONDS)


@router.post("/api/school/{game}/question", include_in_schema=False)
async def question(request: Request, wanted: NextQuestion) -> Response:
    """The next question, without its answer: one that was missed and is due, or a new one."""
    request.app.state.auth.find_reader(request)
    game = game_named(request.path_params["game"])
    return json_response(await asyncio.to_thread(_ask, game, wanted))


@router.post("/api/school/{game}/answer", include_in_schema=False)
async def answer(request: Request, given: DrillAnswer) -> Response:
    """The verdict on an answer, with the clause and the cost of each slip, and the record after it.

    The answers of a dealer are on the school's ledger, for the trainer.
    """
    dealer = find_dealer(request)
    game = game_named(request.path_params["game"])
    judged = await asyncio.to_thread(_judge, game, given)
    if dealer:
        await asyncio.to_thread(_record, request.app, dealer, game, given, judged["verdict"])
    return json_response(judged)


def find_dealer(request: Request) -> str:
    """The account of a visitor who deals, or ''."""
    auth: Auth = request.app.state.auth
    session = auth.find_reader(request)
    if session is None or not session.role.may(Permission.DEAL):
        return ""
    return auth.require_actor(request).account


def _record(app: FastAPI, dealer: str, game: Game, given: DrillAnswer, verdict: Data) -> None:
    answered = {"game": str(game), "drill": given.drill, "level": given.level, "seconds": given.seconds}
    judged = {name: verdict[name] for name in ("right", "slips", "met")}
    office_of(app).record_practice(dealer, answered | judged)


def _ask(game: Game, wanted: NextQuestion) -> Data:
    practice, draw = _read_practice(game, wanted), np.random.default_rng()
    if wanted.drill:
        find_drill(wanted.drill)
    for _ in range(MAX_TRIES):
        drill, seed, level = practice.next_question(game, draw, wanted.drill)
        is_return = any((m.drill, m.seed, m.level) == (drill, seed, level) for m in practice.missed)
        with suppress(Unknown):  # a hand may give no occasion for a question of this drill
            return ask_question(game, drill, seed, level).to_json() | {"is_return": is_return}
    raise Unknown(f"{game.title} has no question for the drill {wanted.drill!r}.")


def _judge(game: Game, given: DrillAnswer) -> Data:
    practice = _read_practice(game, given)
    asked = ask_question(game, given.drill, given.seed, given.level)
    verdict = judge_answer(game, asked, given.answer)
    seats = max(1, len(asked.felt.get("seats", ())))
    known = (given.drill, given.seed, given.level, verdict.is_right, given.seconds, seats)
    return {"verdict": verdict.to_json(), "practice": practice.record(*known).to_json()}


def _read_practice(game: Game, sent: NextQuestion) -> Practice:
    return read_practice(sent.practice | {"game": str(game)}) if sent.practice else Practice(str(game))


add_page(router, "/school/{game}/drills", "school/drill.html", practice)
