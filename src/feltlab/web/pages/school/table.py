"""Deal a whole table: the dealer acts, the program plays the seats, and every slip is shown at once.

The hand follows from a seed and the strategies of the seats, and the browser holds the acts made so far; the
server deals them again, so a reload or a restart loses nothing. A table that a dealer has dealt to its end is
on the school's ledger.
"""

import asyncio
from typing import Annotated

from fastapi import APIRouter
from pydantic import Field
from starlette.requests import Request
from starlette.responses import Response

from feltlab.core.game import MAX_SEATS, Game
from feltlab.errors import Refused, Unknown
from feltlab.games import game_named
from feltlab.pit.roles import Permission
from feltlab.school import LEVELS, DealingSession, TrainingHand, read_act, view_session
from feltlab.school.drills import SEEDS
from feltlab.school.exams.exam import parse_game
from feltlab.school.session import open_session
from feltlab.school.tables import TableSeed, describe_table
from feltlab.server.models import RequestModel
from feltlab.server.responses import json_response
from feltlab.web.page import Data, add_page
from feltlab.web.pages.school.office import office_of, players_of
from feltlab.web.pages.school.practice import MAX_SECONDS, describe_school_game, describe_tray, find_dealer
from feltlab.web.staff_request import require_any
from feltlab.workers.seat_players import STAY_IN, STAY_IN_WORDS

router = APIRouter()
MAX_ACTS = 500
MAX_CHIPS = 100
MAX_TEXT_CHARS = 200

ShortText = Annotated[str, Field(max_length=MAX_TEXT_CHARS)]


class TableAct(RequestModel):
    """One act of the dealer."""

    kind: ShortText
    place: ShortText = ""
    words: ShortText = ""
    spot: ShortText = ""
    chips: list[int] = Field(default=[], max_length=MAX_CHIPS)


class SentTable(RequestModel):
    """A hand by its seed, the strategies of its seats, the acts made so far and their seconds."""

    seed: int = Field(ge=0, lt=SEEDS)
    level: int = Field(ge=LEVELS[0], le=LEVELS[-1])
    seats: int = Field(ge=1, le=MAX_SEATS)
    acts: list[TableAct] = Field(max_length=MAX_ACTS)
    players: list[ShortText] = Field(default=[], max_length=MAX_SEATS)  # none: the server seats them
    seconds: float = Field(default=0, ge=0, le=MAX_SECONDS)


async def table(request: Request) -> Data:
    """The table of one game."""
    request.app.state.auth.find_reader(request)
    game = game_named(request.path_params["game"])
    return {
        "title": f"Deal a table of {game.title}",
        "game": describe_school_game(game),
        "tray": describe_tray(),
        "levels": len(LEVELS),
        "record": None,
    }


async def replay(request: Request) -> Data:
    """A table on record: the dealer's own, or for the floor anybody's."""
    session = require_any(request, Permission.DEAL, Permission.SUPERVISE, Permission.AUDIT)
    number = request.path_params["number"]
    if not number.isdecimal():
        raise Unknown(f"There is no table {number}.")
    may_see_all = session.role.may(Permission.SUPERVISE) or session.role.may(Permission.AUDIT)
    office = await asyncio.to_thread(office_of, request.app)
    found = office.find_table(int(number), None if may_see_all else session.account)
    game = parse_game(found.record["game"])
    return {
        "title": f"Table {found.number} of {found.dealer}: {game.title}",
        "game": describe_school_game(game),
        "tray": describe_tray(),
        "levels": len(LEVELS),
        "record": found.to_json(),
    }


@router.post("/api/school/{game}/table", include_in_schema=False)
async def deal_table(request: Request, dealt: SentTable) -> Response:
    """The table after these acts, with the slips so far; one that is over is put on record for its dealer."""
    dealer = find_dealer(request)
    game = game_named(request.path_params["game"])
    terms = TableSeed(dealt.seed, dealt.level, min(dealt.seats, game.seats))
    players, words = await _seat_players(request, game, terms, dealt)
    shoe, wagers = terms.deal(game)
    chosen = await players_of(request.app).play(game, shoe, wagers, players)
    hand = terms.build_hand(game, chosen)
    session = await asyncio.to_thread(_deal_again, hand, dealt)
    if dealer and session.is_over:
        record = describe_table(session, terms, players, dealt.seconds)
        await asyncio.to_thread(lambda: office_of(request.app).record_table(dealer, record))
    seated = {"players": list(players), "plays": words, "bets": terms.bet_seconds()}
    return json_response(view_session(session) | seated)


async def _seat_players(
    request: Request, game: Game, terms: TableSeed, dealt: SentTable
) -> tuple[tuple[str, ...], list[str]]:
    """The strategy of each seat, by name and in words."""
    if not dealt.players:
        known = await players_of(request.app).list_strategies(game)
        players = terms.choose_strategies(list(known))
        return players, [{**known, STAY_IN: STAY_IN_WORDS}[name] for name in players]
    if len(dealt.players) != terms.seats:
        raise Refused(f"The table has {terms.seats} seats, not {len(dealt.players)} players.")
    return tuple(dealt.players), []


def _deal_again(hand: TrainingHand, dealt: SentTable) -> DealingSession:
    session = open_session(hand)
    for act in dealt.acts:
        session = session.perform(read_act(act.model_dump()))
    return session


add_page(router, "/school/{game}/table", "school/table.html", table)
add_page(router, "/school/tables/{number}", "school/table.html", replay)
