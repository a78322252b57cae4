"""The entrance of a server: the pit while this server runs the ledger, and a notice while another one does.

A server that stands by accepts nothing, so a proxy may send any request on to the next server.
"""

import asyncio
import time

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket

from feltlab.ledger.ledger import Ledger, LedgerDown
from feltlab.ledger.sharing.members import find_server
from feltlab.pit.pit import Pit
from feltlab.server.guard import Guard
from feltlab.server.network import Network
from feltlab.server.responses import http_error_response, json_response
from feltlab.web.page import STATIC, render_page, wants_page

AT_WORK = (
    "Another server is at work",
    "Another server runs this pit at present; this one takes over within seconds if that one ends.",
)
WRITER_ENDED = (
    "One moment, please",
    "The process that writes the ledger has ended; another one starts, and play goes on within seconds.",
)
RETRY_SECONDS = 2
LOOK_SECONDS = 1.0


class Entrance:
    """Answers for a pit that is ready, and says that it stands by otherwise."""

    def __init__(self, place: str, network: Network, token: str) -> None:
        self._place = place  # of the ledger
        self._pit: Pit | None = None
        self._app: ASGIApp | None = None
        self._notice = Guard(self._stand_by, token, network)
        self._address, self._look_again = "", 0.0
        self._files = StaticFiles(directory=STATIC)

    def open(self, pit: Pit, app: ASGIApp) -> None:
        """Let everybody in, as long as the pit is ready."""
        self._pit, self._app = pit, app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._app and self._pit and self._pit.is_ready:
            await self._app(scope, receive, send)
        else:
            await self._notice(scope, receive, send)

    @property
    def _notice_text(self) -> tuple[str, str]:
        """The title and the sentence that say why nothing is accepted."""
        has_lost_writer = self._pit and self._pit.ledger.has_own_process
        return WRITER_ENDED if has_lost_writer else AT_WORK

    async def _stand_by(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await WebSocket(scope, receive, send).send_denial_response(_refuse(self._notice_text[1]))
        elif scope["type"] == "http":
            request = Request(scope, receive)
            await (await self._answer(request))(scope, receive, send)

    async def _answer(self, request: Request) -> Response:
        path = request.url.path
        if path.startswith("/static/") and path.count("/") > 2:
            return await self._find_file(path.split("/", 3)[3], request.scope)
        title, sentence = self._notice_text
        address = await self._find_server() if sentence in AT_WORK else ""
        if not wants_page(request):
            return _refuse(f"{sentence} It is at {address}." if address else sentence)
        if address and request.method == "GET":
            query = f"?{request.url.query}" if request.url.query else ""
            return RedirectResponse(f"{address.rstrip('/')}{path}{query}", 307)
        page = render_page("notice.html", {"visitor": None, "title": title, "sentence": sentence}, 503)
        page.headers["retry-after"] = str(RETRY_SECONDS)
        return page

    async def _find_file(self, path: str, scope: Scope) -> Response:
        """A file of the pages, whatever the version in its address."""
        try:
            return await self._files.get_response(path, scope)
        except HTTPException as error:
            return http_error_response(error)

    async def _find_server(self) -> str:
        """The address of the server at work, or ''; it is looked up at most once a second."""
        if time.monotonic() >= self._look_again:
            self._look_again = time.monotonic() + LOOK_SECONDS
            self._address = await asyncio.to_thread(self._read_server)
        return self._address

    def _read_server(self) -> str:
        try:
            with Ledger.open(self._place, writer=False) as ledger:
                return find_server(ledger)
        except (LedgerDown, ValueError):
            return ""


def _refuse(sentence: str) -> Response:
    return json_response({"error": sentence}, 503, {"Retry-After": str(RETRY_SECONDS)})
