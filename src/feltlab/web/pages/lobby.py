"""The lobby: every game with a picture of its felt and what its wagers cost, a table of one's own in one
click, the public tables with their players, and the visitor's seats."""

import asyncio
from contextlib import suppress
from typing import Any

from fastapi import APIRouter
from starlette.requests import Request

from feltlab.core.game import Game
from feltlab.errors import Refused
from feltlab.games import FOLDERS, GAMES
from feltlab.games.catalogue import PUBLIC_RULES, has_public_rules
from feltlab.games.felt_look import felt_look
from feltlab.pit.expectation import REPROVE_SECONDS
from feltlab.pit.live_table import LiveTable
from feltlab.pit.pit import Pit
from feltlab.pit.players.names import call_player, suggest_names
from feltlab.pit.players.purse import money_at_tables
from feltlab.pit.roles import Permission, Role
from feltlab.pit.seats import Phase
from feltlab.pit.view import awaited_numbers, summary
from feltlab.report.felt_picture import draw_felt
from feltlab.server.api.sessions import NAMES_SUGGESTED
from feltlab.server.api.solo import describe_departures
from feltlab.server.auth import Auth
from feltlab.server.sessions import Session
from feltlab.web.filters import edge
from feltlab.web.page import Data, add_page, per_app
from feltlab.workers.lab import ask_costs
from feltlab.workers.protocol import WorkerFailed

router = APIRouter()
OWN, PACKETS, PUBLIC = "Games of this house", "Games from approval packets", "Games by public rules"
GROUPS = {OWN: "", PACKETS: "", PUBLIC: PUBLIC_RULES}  # each with a sentence about its rules
MAX_TABLES_LISTED = 4  # of each game; a page of its own lists all


async def lobby(request: Request) -> Data:
    pit: Pit = request.app.state.pit
    auth: Auth = request.app.state.auth
    session = auth.find_reader(request)
    costs = per_app(request.app, "costs", LobbyCosts)  # the first visit starts the proofs
    games = [_describe_game(pit, game, costs) for game in GAMES.values()]
    used = {game["group"] for game in games}
    return {
        "title": "Tables",
        "me": _describe_visitor(pit, session) if session and session.role.may(Permission.PLAY) else None,
        "own_seats": _own_seats(pit, session.account) if session else [],
        "invited": _invitations(pit, session.account) if session else [],
        "departures": describe_departures(pit, session.account) if session else [],
        "games": games,
        "groups": {group: about for group, about in GROUPS.items() if group in used},
    }


def _describe_visitor(pit: Pit, session: Session) -> Data:
    """The visitor's name, the play money, and other names that a guest may choose."""
    at_tables = sum(money_at_tables(pit.tables, session.account).values())
    return {
        "name": call_player(session.account),
        "money": pit.cage.balances.get(session.account, 0) + at_tables,
        "at_tables": at_tables,
        "names": suggest_names(NAMES_SUGGESTED) if session.role is Role.GUEST else [],
    }


def _own_seats(pit: Pit, account: str) -> list[Data]:
    """The seats that the visitor holds, with all the chips there."""
    return [
        {
            **_describe_whose(live, account),
            "seat": number,
            "cents": place.bankroll + place.on_felt,
            "is_awaited": number in awaited_numbers(live.table, live.company),
        }
        for live in pit.tables.values()
        for number, place in enumerate(live.table.places, 1)
        if place and place.player == account
    ]


def _describe_whose(live: LiveTable, account: str) -> Data:
    table = live.table
    whose = "your own table" if table.owner == account else f"the table of {call_player(table.owner)}"
    return {
        "table": table.name,
        "title": table.game.title,
        "round": table.round,
        "whose": whose if table.is_private else table.name,
        "practice": table.practice,
        "look": vars(felt_look(table.game)),
    }


def _invitations(pit: Pit, account: str) -> list[Data]:
    """The private tables to which the visitor was invited, without those where the visitor has a seat."""
    return [
        _describe_whose(live, account)
        for live in pit.tables.values()
        if account in live.invited
        and live.table.phase != Phase.CLOSED
        and not any(place and place.player == account for place in live.table.places)
    ]


def _describe_game(pit: Pit, game: Game, costs: "LobbyCosts") -> dict[str, Any]:
    lives = _public_tables(pit, game)
    listed = _choose_tables(lives)
    return {
        "name": game.name,
        "title": game.title,
        "summary": game.rules.SUMMARY,
        "group": _group_of(game),
        "picture": draw_felt(game, shares_things=game is not next(iter(GAMES.values()))),
        **costs.describe(game),
        "tables": [_describe_table(live) for live in listed],
        "table_count": len(lives),
    }


def _public_tables(pit: Pit, game: Game) -> list[LiveTable]:
    return [live for live in pit.public_tables if live.table.game.name == game.name]


def _choose_tables(lives: list[LiveTable]) -> list[LiveTable]:
    """The tables worth a line: open ones before closed ones, then those with most players; in their order."""

    def rank(live: LiveTable) -> tuple[bool, bool, int]:
        free = any(place is None for place in live.table.places)
        players = sum(place is not None for place in live.table.places)
        return live.table.phase == Phase.CLOSED, not free, -players

    chosen = sorted(lives, key=rank)[:MAX_TABLES_LISTED]
    return [live for live in lives if live in chosen]


async def all_tables(request: Request) -> Data:
    """Every public table, by game."""
    request.app.state.auth.find_reader(request)  # limits the rate of requests
    pit: Pit = request.app.state.pit
    games = [
        {
            "name": game.name,
            "title": game.title,
            "look": vars(felt_look(game)),
            "tables": [_describe_table(live) for live in _public_tables(pit, game)],
        }
        for game in GAMES.values()
    ]
    return {"title": "All public tables", "games": [game for game in games if game["tables"]]}


def _group_of(game: Game) -> str:
    if game.name not in FOLDERS:
        return OWN
    return PUBLIC if has_public_rules(game) else PACKETS


def _describe_table(live: LiveTable) -> dict[str, Any]:
    line, absent = summary(live.table), live.company.absent
    players = [
        {"name": call_player(place.player), "present": seat not in absent}
        for seat, place in enumerate(live.table.places)
        if place
    ]
    free = line["seats"] - line["taken"]
    return {**line, "free": free, "players": players, "open": live.table.phase != Phase.CLOSED}


# -- What wagers cost -------------------------------------------------------------------------------


class LobbyCosts:
    """The cost of each wager beside the default stake, as far as it is proved by now.

    A page never waits for a proof. A table's own expectation is no substitute: it holds for the stakes that
    are usual at that table, and those change.
    """

    def __init__(self) -> None:
        self._known: dict[str, Data] = {}
        self._task = asyncio.create_task(self._prove())

    async def _prove(self) -> None:
        while missing := [game for game in GAMES.values() if game.name not in self._known]:
            for game in missing:
                with suppress(Refused, WorkerFailed):
                    self._known[game.name] = await ask_costs(game)
            await asyncio.sleep(REPROVE_SECONDS)

    def describe(self, game: Game) -> dict[str, Any]:
        known = self._known.get(game.name, {})
        listed = [(spot, known[spot.name]) for spot in game.wagers if spot.name in known]
        costs = [
            {
                "title": spot.title,
                "cost": edge(cost["main"]),
                "is_added": cost["added_cost"] is not None,
            }
            for spot, cost in listed
        ]
        return {"costs": costs}


add_page(router, "/", "lobby.html", lobby, compressed=True)
add_page(router, "/tables", "all_tables.html", all_tables, compressed=True)
