"""Pages: each is one dictionary, served as HTML and, at the same address with `.json`, as JSON.

A page function returns the dictionary; the template of the page renders it.
"""

import hashlib
from collections.abc import Awaitable, Callable
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, TypeVar

import orjson
from fastapi import APIRouter, FastAPI
from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from feltlab.pit.pit import Pit
from feltlab.pit.players.names import call_player
from feltlab.pit.players.purse import money_at_tables
from feltlab.pit.roles import Permission, Role
from feltlab.server.auth import credentials
from feltlab.server.responses import json_response
from feltlab.server.sessions import SignedOut
from feltlab.text import dollars, money, signed_dollars
from feltlab.web.compression import compress_page
from feltlab.web.filters import FILTERS

Data = dict[str, Any]
T = TypeVar("T")
STATIC = Path(str(resources.files("feltlab.web"))) / "static"
PageFunction = Callable[[Request], Awaitable[Data]]


# -- Templates --------------------------------------------------------------------------------------


@cache
def environment() -> Environment:
    made = Environment(
        loader=PackageLoader("feltlab.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= FILTERS | {"dollars": dollars, "signed_dollars": signed_dollars, "money": money}
    made.filters["moment"] = format_moment
    made.globals["static"] = static_address
    return made


def compile_templates() -> None:
    """Compile every template. It takes some tenths of a second, in which no table should have to wait."""
    for name in environment().list_templates(extensions=["html"]):
        environment().get_template(name)


def format_moment(at: str) -> str:
    """A timestamp of the ledger as people read it: date and time without fractions."""
    return f"{at[:10]} {at[11:19]}"


@cache
def static_version() -> str:
    """A digest of all static files. It is part of their addresses, so a changed file has a new address.

    It precedes the path because modules import each other by relative addresses, which keep it.
    """
    files = sorted(path for path in STATIC.rglob("*") if path.is_file())
    digests = (hashlib.sha256(path.read_bytes()).hexdigest() for path in files)
    return hashlib.sha256(" ".join(digests).encode()).hexdigest()[:12]


def static_address(name: str) -> str:
    return f"/static/{static_version()}/{name}"


def render_page(template: str, data: Data, status: int = 200) -> Response:
    text = environment().get_template(template).render(data)
    return HTMLResponse(text, status, {"cache-control": "no-store"})  # a page may be meant for one visitor


def wants_page(request: Request) -> bool:
    """Whether a request is for a page, by its address and its Accept header."""
    path = request.url.path
    machine = path.startswith(("/api", "/static", "/openapi")) or path.endswith(".json")
    return not machine and "text/html" in request.headers.get("accept", "")


# -- Routes -----------------------------------------------------------------------------------------


def add_page(
    router: APIRouter, path: str, template: str, show: PageFunction, *, compressed: bool = False
) -> None:
    """Serve the result of `show` at a path, as a page and as JSON; `compressed` if it holds no secret."""

    async def as_html(request: Request) -> Response:
        page = render_page(template, {"visitor": describe_visitor(request)} | await show(request))
        return compress_page(page, request.headers) if compressed else page

    async def as_json(request: Request) -> Response:
        return json_response(plain_json(await show(request)))

    json_path = "/index.json" if path == "/" else f"{path}.json"
    router.add_api_route(json_path, as_json, include_in_schema=False)  # first: a name may contain dots
    router.add_api_route(path, as_html, include_in_schema=False)


def plain_json(data: Data) -> Any:
    """The data of a page with everything that JSON does not know as text."""
    return orjson.loads(orjson.dumps(data, default=str))


def per_app(app: FastAPI, name: str, make: Callable[[], T]) -> T:
    """One instance per app, created on first use."""
    if not hasattr(app.state, name):
        setattr(app.state, name, make())
    found: T = getattr(app.state, name)
    return found


def describe_visitor(request: Request) -> Data | None:
    """The visitor's account, role and permissions, for a page's links; None without a valid session."""
    try:
        session = request.app.state.auth.sessions.find_reader(*credentials(request))
    except SignedOut:
        return None
    may = {act.value: session.role.may(act) for act in Permission}
    floor = may["supervise"] or may["audit"]
    purse = describe_purse(request.app.state.pit, session.account) if may["play"] else ""
    account = {"account": session.account, "role": session.role.value, "may": may, "floor": floor}
    return account | {"purse": purse, "approvals": floor or may["submit"], **_find_work(session.role)}


def _find_work(role: Role) -> Data:
    """The page from which a role works, and its title; '' for players."""
    if role.side.is_outside:
        return {"work": "/approvals", "work_title": "Approvals"}
    if role.may(Permission.SUPERVISE) or role.may(Permission.AUDIT):
        return {"work": "/floor", "work_title": "Floor"}
    return {"work": "/floor/deal" if role.may(Permission.DEAL) else "", "work_title": "Floor"}


def describe_purse(pit: Pit, account: str) -> str:
    """A player's name and play money, wherever it is: 'Quiet Heron · $1,000'."""
    at_tables = sum(money_at_tables(pit.tables, account).values())
    return f"{call_player(account)} · {dollars(pit.cage.balances.get(account, 0) + at_tables)}"
