"""My hands: every round that the visitor has played, with its luck and what each choice cost.

The index of accounts finds the rounds. The judge works their verdicts out, and the page shows what is known
by now: it asks again until everything on it is there.
"""

import asyncio
import csv
import io
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, FastAPI, Query
from starlette.requests import Request
from starlette.responses import Response

from feltlab.errors import Refused, TooOften, Unknown
from feltlab.games import GAMES
from feltlab.ledger.ledger import Ledger
from feltlab.ledger.mentions import MentionFilter, last_unmentioned, list_mentions
from feltlab.ledger.plain_text import guard_cell
from feltlab.pit.hands.mentions import OPEN_STATES
from feltlab.pit.hands.played import (
    PLAYED,
    HandTotals,
    describe_hand,
    load_hands,
    load_trends,
    sum_totals,
    total_hands,
)
from feltlab.pit.pit import Pit
from feltlab.pit.roles import Forbidden
from feltlab.server.auth import Auth
from feltlab.server.models import MAX_JSON_INT
from feltlab.server.responses import json_response
from feltlab.text import listing
from feltlab.web.page import Data, add_page, per_app
from feltlab.workers.judge import Judge

router = APIRouter()
ROUNDS_PER_PAGE = 50
JUDGED_AHEAD = 200  # rounds beyond the page that are judged while it is open
MAX_DOWNLOADED = 20_000  # rounds
FEW_POINTS = 2  # of a trend: a single round has none
MAX_DIGITS = 10  # of the number of a page or round
DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
SIGNS = {"won": 1, "even": 0, "lost": -1}
FIELDS = ("game", "result", "mistakes", "from", "to", "table", "first")


def judge_of(app: FastAPI) -> Judge:
    """The judge of an app; the first question starts its workers."""
    return per_app(app, "judge", lambda: Judge(app.state.pit.ledger))


# -- Filters ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class HandsRequest:
    """The rounds that a visitor asks for, and the page of them."""

    asked: MentionFilter
    page: int
    words: Mapping[str, str]  # the parameters as they were given

    @property
    def skip(self) -> int:
        return (self.page - 1) * ROUNDS_PER_PAGE

    def query(self, **changes: Any) -> str:
        """The query of another page under the same filter."""
        return urlencode({name: value for name, value in {**self.words, **changes}.items() if value})


def read_request(account: str, query: Mapping[str, str], former: tuple[str, ...] = ()) -> HandsRequest:
    """The rounds that a query asks for; refuses what is no filter, and the rounds of other players.

    Rounds that a guest played under former names are the guest's own.
    """
    if query.get("player", account) != account:
        raise Forbidden("These are the rounds of another player; you can see only your own.")
    words = {name: query.get(name, "") for name in FIELDS}
    first, last = _read_day("from", words["from"]), _read_day("to", words["to"])
    if first and last and last < first:
        raise Refused(f"The last day, {last}, comes before the first, {first}.")
    if words["mistakes"] not in ("", "1"):
        raise Refused("The filter 'mistakes' is 1 or left out.")
    asked = MentionFilter(
        account,
        chain=words["table"],
        label=words["game"],
        sign=_read_sign(words["result"]),
        has_mistakes=bool(words["mistakes"]),
        first_round=_read_number(words["first"] or "1", "round"),
        since=first.isoformat() if first else "",
        until=(last + timedelta(days=1)).isoformat() if last else "",
        former=former,
    )
    return HandsRequest(asked, _read_number(query.get("page", "1"), "page"), words)


def _read_sign(text: str) -> int | None:
    if text and text not in SIGNS:
        raise Refused(f"{text[:20]!r} is not a result; the results are {listing(SIGNS)}.")
    return SIGNS.get(text)


def _read_day(name: str, text: str) -> date | None:
    """A day that another follows; `fromisoformat` alone would take weeks as well."""
    if not text:
        return None
    try:
        day = date.fromisoformat(text) if DAY.fullmatch(text) else None
    except ValueError:
        day = None
    if day is None:
        raise Refused(f"The day {name!r} is written like 2025-12-31, not {text[:20]!r}.")
    if day == date.max:
        raise Refused(f"The day {name!r} is before {date.max}.")
    return day


def _read_number(text: str, what: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < MAX_DIGITS and int(text)):
        raise Refused(f"{text[:20]!r} is not the number of a {what}.")
    return int(text)


# -- The page ---------------------------------------------------------------------------------------


async def hands(request: Request) -> Data:
    auth: Auth = request.app.state.auth
    pit: Pit = request.app.state.pit
    session = auth.find_reader(request)
    account = session.account if session else ""
    wanted = read_request(account, request.query_params, pit.books.former_names.list_former(account))
    data = await asyncio.to_thread(hands_data, pit.ledger, wanted) if session else _no_data(wanted)
    judge = judge_of(request.app)
    if data["totals"]["waiting"]:
        await _judge_open(request, wanted.asked, wanted.skip)
    for one in data["rounds"]:
        one["failed"] = judge.has_failed(one["table"], one["round"])
    return data


async def _judge_open(request: Request, asked: MentionFilter, skip: int = 0) -> None:
    """Have rounds judged that are not judged yet: those of a page first, then the newest of the account."""
    ledger: Ledger = request.app.state.pit.ledger
    everything = MentionFilter(asked.account, states=OPEN_STATES, former=asked.former)
    on_page = await asyncio.to_thread(list_mentions, ledger, asked, ROUNDS_PER_PAGE, skip)
    rest = await asyncio.to_thread(list_mentions, ledger, everything, JUDGED_AHEAD)
    with suppress(TooOften):  # the page asks again
        judge_of(request.app).ask([*on_page, *rest])


def _no_data(wanted: HandsRequest) -> Data:
    return _page_data(wanted, {}, [], {}, unindexed=False)


def hands_data(ledger: Ledger, wanted: HandsRequest) -> Data:
    """Everything that the page shows, from the ledger alone."""
    totals = total_hands(ledger, wanted.asked)
    rounds = load_hands(ledger, wanted.asked, ROUNDS_PER_PAGE, wanted.skip)
    if not rounds and wanted.page > 1:
        raise Unknown(f"There is no page {wanted.page} of these rounds.")
    trends = load_trends(ledger, wanted.asked)
    return _page_data(wanted, totals, rounds, trends, bool(last_unmentioned(ledger)))


def _page_data(
    wanted: HandsRequest,
    totals: dict[str, HandTotals],
    rounds: list[Data],
    trends: dict[str, Any],
    unindexed: bool,
) -> Data:
    all_ = sum_totals(totals.values())
    lines = all_.rounds + all_.void + all_.corrections
    pages = max(1, -(-lines // ROUNDS_PER_PAGE))
    played = [{"name": game, "title": title_of(game), **each.as_json()} for game, each in totals.items()]
    return {
        "title": "My hands",
        "player": wanted.asked.account,
        "filter": dict(wanted.words),
        "is_filtered": any(wanted.words.values()),
        "games": [{"name": game.name, "title": game.title} for game in GAMES.values()],
        "unindexed": unindexed,
        "totals": all_.as_json(),
        "by_game": sorted(played, key=lambda game: -game["rounds"]),
        "trends": [
            {"title": title_of(game), "points": points}
            for game, points in trends.items()
            if len(points) > FEW_POINTS
        ],
        "rounds": [{**one, "title": title_of(one["game"])} for one in rounds],
        "page": wanted.page,
        "pages": pages,
        "query": wanted.query(page=wanted.page if wanted.page > 1 else ""),
        "newer": wanted.query(page=wanted.page - 1) if wanted.page > 1 else None,
        "older": wanted.query(page=wanted.page + 1) if wanted.page < pages else None,
        "download": wanted.query(),
    }


def title_of(game: str) -> str:
    """The title of a game, or its name if it is no longer there."""
    return GAMES[game].title if game in GAMES else game


# -- Downloads --------------------------------------------------------------------------------------

CSV_FIELDS = (
    *("at", "game", "table", "round", "seat", "state", "player_cards", "board_cards", "dealer_cards"),
    *("result", "expected", "luck", "cost", "decisions", "mistakes", "choices"),
)
AREAS = ("player", "board", "dealer")
CENTS = ("result", "expected", "luck", "cost")


@router.get("/hands/rounds.csv", include_in_schema=False)
async def hands_as_csv(request: Request) -> Response:
    rounds = await _load_all(request)
    text = await asyncio.to_thread(_write_csv, rounds)
    named = {"content-disposition": 'attachment; filename="my-hands.csv"', "cache-control": "no-store"}
    return Response(text, headers=named, media_type="text/csv; charset=utf-8")


@router.get("/hands/rounds.json", include_in_schema=False)
async def hands_as_json(request: Request) -> Response:
    named = {"content-disposition": 'attachment; filename="my-hands.json"', "cache-control": "no-store"}
    return json_response({"rounds": await _load_all(request)}, headers=named)


async def _load_all(request: Request) -> list[Data]:
    auth: Auth = request.app.state.auth
    pit: Pit = request.app.state.pit
    account = auth.require_reader(request).account
    wanted = read_request(account, request.query_params, pit.books.former_names.list_former(account))
    return await asyncio.to_thread(load_hands, pit.ledger, wanted.asked, MAX_DOWNLOADED)


def _write_csv(rounds: list[Data]) -> str:
    """Amounts are in dollars, to a hundredth of a cent."""
    out = io.StringIO()
    writer = csv.DictWriter(out, CSV_FIELDS, lineterminator="\n")
    writer.writeheader()
    for one in rounds:
        row = {name: one[name] for name in CSV_FIELDS if name in one}
        row |= {f"{area}_cards": " ".join(one["cards"].get(area, ())) for area in AREAS}
        row |= {name: "" if one[name] is None else f"{one[name] / 100:.4f}" for name in CENTS}
        row["choices"] = " ".join(made["choice"] for made in one["choices"])
        writer.writerow({name: guard_cell(value) for name, value in row.items()})
    return out.getvalue()


# -- The summary of a visit to a table --------------------------------------------------------------


@router.get("/api/hands/summary", include_in_schema=False)
async def hands_summary(
    request: Request,
    table: Annotated[str, Query(max_length=40)],
    first: Annotated[int, Query(ge=1, le=MAX_JSON_INT)] = 1,
) -> Response:
    """My rounds at a table from one on: result, luck, mistakes, and the best and the worst hand."""
    auth: Auth = request.app.state.auth
    pit: Pit = request.app.state.pit
    account = auth.require_reader(request).account
    former = pit.books.former_names.list_former(account)
    asked = MentionFilter(account, chain=table, first_round=first, former=former)
    data = await asyncio.to_thread(_summary_data, pit.ledger, asked)
    if data["totals"]["waiting"]:
        await _judge_open(request, asked)
    return json_response(data)


def _summary_data(ledger: Ledger, asked: MentionFilter) -> Data:
    totals = sum_totals(total_hands(ledger, asked).values())
    played = list_mentions(ledger, replace(asked, states=PLAYED), MAX_DOWNLOADED)
    ranked = sorted(played, key=lambda one: one.cents)
    ends = {"worst": ranked[0], "best": ranked[-1]} if ranked else {}
    query = urlencode({"table": asked.chain, "first": asked.first_round})
    return {
        "totals": totals.as_json(),
        **{name: describe_hand(one) for name, one in ends.items()},
        "link": f"/hands?{query}",
    }


add_page(router, "/hands", "hands.html", hands)
