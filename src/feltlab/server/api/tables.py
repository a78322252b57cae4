"""Games and tables: what is dealt, how it looks, and every action at a table."""

from functools import partial

from fastapi import Request, WebSocket
from starlette.responses import Response

from feltlab.core.game import Game
from feltlab.core.limits import Limits
from feltlab.games import GAMES, game_named
from feltlab.games.offers import game_from_words
from feltlab.pit.roles import Permission
from feltlab.pit.seats import Timers
from feltlab.pit.view import layout, summary
from feltlab.server import table_access
from feltlab.server.actions import ACTIONS, Action, perform
from feltlab.server.api.requests import ask_void, find_guarded_void
from feltlab.server.idempotency import bind_key
from feltlab.server.models import (
    GameAnswer,
    GameTerms,
    LayoutAnswer,
    RequestModel,
    TableSummary,
)
from feltlab.server.responses import json_response
from feltlab.server.routing import (
    Actor,
    Anyone,
    Finisher,
    IdempotencyKey,
    Name,
    ThePit,
    auth_of,
    new_router,
    pit_of,
    table_response,
)
from feltlab.server.sessions import Session
from feltlab.server.shuffler_models import OpenTableRequest, StaffTableAnswer
from feltlab.server.table_access import find_table
from feltlab.server.websocket import serve_socket

router = new_router()


@router.get("/games", responses={200: {"model": list[GameAnswer]}})
async def list_games(_: Anyone) -> Response:
    """The games of this house."""
    return json_response(
        [{"game": g.name, "title": g.title, "summary": g.rules.SUMMARY} for g in GAMES.values()],
    )


@router.get("/games/{game}", responses={200: {"model": LayoutAnswer}})
async def show_game(_: Anyone, game: Name) -> Response:
    """The felt of a game: its wagers with their pays, its choices and options."""
    return json_response(layout(game_named(game)))


@router.get("/tables", responses={200: {"model": list[TableSummary]}})
async def list_tables(pit: ThePit, session: Anyone) -> Response:
    """All public tables, and the private ones that I may see."""
    return json_response([summary(live.table) for live in table_access.list_tables(pit, session)])


@router.get("/tables/{name}", responses={200: {"model": StaffTableAnswer}})
async def show_table(request: Request, pit: ThePit, session: Anyone, name: Name) -> Response:
    """A table as I may see it; the cards of others are face down until all hands are shown."""
    return table_response(request, find_table(pit, request, name, session), session)


def read_game(asked: GameTerms) -> Game:
    return game_from_words(asked.game, asked.options, asked.pays)


@router.post("/tables", status_code=201, responses={201: {"model": StaffTableAnswer}})
async def open_table(request: Request, pit: ThePit, session: Actor, asked: OpenTableRequest) -> Response:
    """Open a table under an approval that is in force for exactly these rules, options and pays."""
    session.role.check(Permission.SUPERVISE)
    limits, timers = Limits(**asked.limits.model_dump()), Timers(**asked.timers.model_dump())
    terms, shufflers = (limits, timers), asked.shufflers.to_terms()
    live = await pit.open_table(asked.name, read_game(asked), session.account, *terms, shufflers)
    return table_response(request, live, session, 201)


# -- Actions ----------------------------------------------------------------------------------------


async def _act(
    request: Request, session: Session, table: str, action: str, asked: RequestModel, key: str | None
) -> Response:
    pit = await pit_of(request)
    live = find_table(pit, request, table, session)
    if asks := await find_guarded_void(pit, live, session, action, asked):
        bound = bind_key(session.account, key, table, action, asked.model_dump())
        return await ask_void(pit, live, session, asks, bound)
    check_room = partial((await auth_of(request)).check_room, request, session)
    repeated = await perform(live, session, action, asked, key, check_room)
    return table_response(request, live, session, **({"repeated": True} if repeated else {}))


def _add_action(action: str, known: Action) -> None:
    """Add the route of an action; one whose request has no fields takes no body."""

    async def act(
        request: Request,
        session: Finisher,
        name: Name,
        asked: RequestModel,
        idempotency_key: IdempotencyKey = None,
    ) -> Response:
        return await _act(request, session, name, action, asked, idempotency_key)

    async def act_without_body(
        request: Request, session: Finisher, name: Name, idempotency_key: IdempotencyKey = None
    ) -> Response:
        return await _act(request, session, name, action, known.model(), idempotency_key)

    act.__annotations__["asked"] = known.model
    router.add_api_route(
        f"/tables/{{name}}/{action}",
        act if known.model.model_fields else act_without_body,
        methods=["POST"],
        name=action.replace("-", "_"),
        description=known.summary,
        responses={200: {"model": StaffTableAnswer}},
    )


for action, known in ACTIONS.items():
    _add_action(action, known)


@router.websocket("/tables/{name}/live")
async def live(socket: WebSocket, name: str) -> None:
    state = socket.app.state
    await serve_socket(socket, state.pit, state.auth, state.views, state.meters, name)
