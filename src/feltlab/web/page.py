"""Pages: one dictionary each, as HTML and, at the same address with `.json`, as JSON.

What a page shows is data first. A page function returns it; the template of the page sets it.
"""

import hashlib
from collections.abc import Awaitable, Callable
from functools import cache
from importlib import resources
from typing import Any, TypeVar

import orjson
from fastapi import APIRouter, FastAPI
from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from feltlab.pit.roles import Permission
from feltlab.server.auth import credentials
from feltlab.server.responses import answer
from feltlab.server.sessions import SignedOut
from feltlab.text import dollars, money

Data = dict[str, Any]
T = TypeVar("T")
Show = Callable[[Request], Awaitable[Data]]


@cache
def environment() -> Environment:
    made = Environment(
        loader=PackageLoader("feltlab.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["dollars"] = dollars
    made.filters["money"] = money
    made.filters["moment"] = moment
    made.globals["static"] = static_address
    return made


def per_app(app: FastAPI, name: str, make: Callable[[], T]) -> T:
    """What a server has one of, made when it is first asked for."""
    if not hasattr(app.state, name):
        setattr(app.state, name, make())
    found: T = getattr(app.state, name)
    return found


def moment(at: str) -> str:
    """A moment of the ledger as people read it."""
    return f"{at[:10]} {at[11:19]}"


@cache
def static_address(name: str) -> str:
    """The address of a static file; another one when its content is another."""
    content = (resources.files("feltlab.web") / "static" / name).read_bytes()
    return f"/static/{name}?{hashlib.sha256(content).hexdigest()[:12]}"


def html(template: str, data: Data, status: int = 200) -> Response:
    written = environment().get_template(template).render(data)
    return HTMLResponse(written, status, {"cache-control": "no-store"})  # it may be of one visitor alone


def add_page(router: APIRouter | FastAPI, path: str, template: str, show: Show) -> None:
    """Serve what `show` returns at a path, as a page and as JSON."""

    async def as_html(request: Request) -> Response:
        return html(template, {"visitor": visitor(request)} | await show(request))

    async def as_json(request: Request) -> Response:
        return answer(orjson.loads(orjson.dumps(await show(request), default=str)))

    json_path = "/index.json" if path == "/" else f"{path}.json"
    router.add_api_route(json_path, as_json, include_in_schema=False)  # first: a name may hold dots
    router.add_api_route(path, as_html, include_in_schema=False)


def visitor(request: Request) -> Data | None:
    """Who looks at a page, and what its links may lead to; None without a session that holds."""
    try:
        session = request.app.state.door.sessions.reader(*credentials(request))
    except SignedOut:
        return None
    may = {act.value: session.role.may(act) for act in Permission}
    floor = may["supervise"] or may["audit"]
    work = "/floor" if floor else "/floor/deal" if may["deal"] else ""
    return {"account": session.account, "role": session.role.value, "may": may, "floor": floor, "work": work}
