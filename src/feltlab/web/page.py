"""Pages: one dictionary each, as HTML and, at the same address with `.json`, as JSON.

What a page shows is data first. A page function returns it; the template of the page sets it.
"""

import hashlib
from collections.abc import Awaitable, Callable
from functools import cache
from importlib import resources
from typing import Any

import orjson
from fastapi import APIRouter, FastAPI
from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from feltlab.game import dollars
from feltlab.pit.answers import answer

Data = dict[str, Any]
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
    made.globals["static"] = static_address
    return made


@cache
def static_address(name: str) -> str:
    """The address of a static file; another one when its content is another."""
    content = (resources.files("feltlab.web") / "static" / name).read_bytes()
    return f"/static/{name}?{hashlib.sha256(content).hexdigest()[:12]}"


def html(template: str, data: Data, status: int = 200) -> Response:
    return HTMLResponse(environment().get_template(template).render(data), status)


def add_page(router: APIRouter | FastAPI, path: str, template: str, show: Show) -> None:
    """Serve what `show` returns at a path, as a page and as JSON."""

    async def as_html(request: Request) -> Response:
        return html(template, await show(request))

    async def as_json(request: Request) -> Response:
        return answer(orjson.loads(orjson.dumps(await show(request), default=str)))

    json_path = "/index.json" if path == "/" else f"{path}.json"
    router.add_api_route(json_path, as_json, include_in_schema=False)  # first: a name would match its end too
    router.add_api_route(path, as_html, include_in_schema=False)
