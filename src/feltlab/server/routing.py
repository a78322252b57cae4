"""Routes of the API: strict JSON bodies, and the pit, session and numbers that handlers receive."""

from collections.abc import Callable, Coroutine
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Header, Path, Query, Request
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException
from starlette.responses import Response

from feltlab.pit.live_table import LiveTable
from feltlab.pit.pit import Pit
from feltlab.server.auth import Auth
from feltlab.server.models import MAX_JSON_INT, Malformed
from feltlab.server.request_json import parse_json
from feltlab.server.responses import json_response
from feltlab.server.sessions import Session
from feltlab.server.shuffler_view import staff_fields
from feltlab.server.view_cache import ViewCache


class StrictRequest(Request):
    """A request that reads JSON as the WebSocket does."""

    async def json(self) -> Any:
        try:
            return parse_json(await self.body())
        except Malformed as malformed:
            raise HTTPException(422, str(malformed)) from None


class StrictRoute(APIRoute):
    """A route that refuses a body that is not declared as JSON."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()

        async def handle_strictly(request: Request) -> Response:
            if self.body_field is not None:
                _check_json(request.headers.get("content-type", ""))
            return await handle(StrictRequest(request.scope, request.receive))

        return handle_strictly


def _check_json(content_type: str) -> None:
    if content_type.partition(";")[0].strip().lower() != "application/json":
        raise HTTPException(415, "A request's body must be JSON, with Content-Type: application/json.")


def new_router() -> APIRouter:
    return APIRouter(prefix="/api", route_class=StrictRoute)


async def pit_of(request: Request) -> Pit:
    pit: Pit = request.app.state.pit
    return pit


async def auth_of(request: Request) -> Auth:
    auth: Auth = request.app.state.auth
    return auth


async def _find_reader(request: Request) -> Session | None:
    return (await auth_of(request)).find_reader(request)


async def _require_reader(request: Request) -> Session:
    return (await auth_of(request)).require_reader(request)


async def _require_finisher(request: Request) -> Session:
    return (await auth_of(request)).require_finisher(request)


async def _require_actor(request: Request) -> Session:
    return (await auth_of(request)).require_actor(request)


ThePit = Annotated[Pit, Depends(pit_of)]
TheAuth = Annotated[Auth, Depends(auth_of)]
Anyone = Annotated[Session | None, Depends(_find_reader)]
Reader = Annotated[Session, Depends(_require_reader)]
Actor = Annotated[Session, Depends(_require_actor)]
Finisher = Annotated[Session, Depends(_require_finisher)]
Name = Annotated[str, Path(max_length=100)]
Number = Annotated[int, Path(ge=1, le=MAX_JSON_INT)]
Last = Annotated[int, Query(ge=1, le=1000)]
IdempotencyKey = Annotated[str | None, Header(min_length=1, max_length=200, pattern=r"^[!-~]+$")]


def table_response(
    request: Request, live: LiveTable, session: Session | None, status: int = 200, **more: Any
) -> Response:
    """A table as the reader may see it."""
    views: ViewCache = request.app.state.views
    more |= staff_fields(live.table, session)
    return json_response(views.render(live, session.account if session else "", **more), status)
