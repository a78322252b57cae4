"""A WebSocket at a table: it sends a view whenever the table changes, and takes actions as messages.

Each socket has a task that sends. A change wakes it, and it sends the view of that moment: a slow reader
gets fewer views, and nobody waits for it.
"""

import asyncio
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

import orjson
from starlette.websockets import WebSocket, WebSocketDisconnect

from feltlab.errors import Refused
from feltlab.ledger.ledger import LedgerDown
from feltlab.pit.live_table import LiveTable, Watcher
from feltlab.pit.pit import Pit
from feltlab.pit.roles import Forbidden
from feltlab.server.actions import ACTIONS, SAY, SOCKET_ACTIONS, perform, say_phrase
from feltlab.server.auth import Auth, credentials
from feltlab.server.models import MAX_JSON_INT, Malformed
from feltlab.server.request_json import parse_json, parse_model
from feltlab.server.responses import refusal_response, sentence_of, status_of
from feltlab.server.sessions import Session, SignedOut, parse_bearer
from feltlab.server.shuffler_view import staff_fields
from feltlab.server.solo_models import Say
from feltlab.server.table_access import INVITE, check_access
from feltlab.server.view_cache import ViewCache

FIRST_MESSAGE_SECONDS = 5.0  # a client without a cookie must send its session by then
SEND_SECONDS = 10.0  # the longest that a message may wait to be sent
SESSION_TRUST_SECONDS = 2.0  # before a session is checked again
MAX_WAITING_ANSWERS = 64  # a client that does not read them is not read either
MAX_ID_CHARS = 64
MAX_KEY_CHARS = 200
# Codes with which a socket is closed.
TRY_LATER, SIGNED_OUT, NOT_YOURS, TOO_SLOW, REFUSED = 1013, 4401, 4403, 4408, 1008


async def serve_socket(socket: WebSocket, pit: Pit, auth: Auth, views: ViewCache, name: str) -> None:
    """Serve a socket until it ends."""
    try:
        live, code = pit.table(name), socket.query_params.get(INVITE, "")
        token = _token(socket)
        session = auth.sessions.read(token) if token else None
        if session:
            check_access(pit, live, session, code)
    except (Refused, LedgerDown) as refused:
        await socket.send_denial_response(refusal_response(refused))
        return
    await socket.accept()
    with suppress(WebSocketDisconnect):
        if session is None:
            token, session = await _read_session(socket, auth)
        if session is not None:
            served = TableSocket(
                socket, auth, live, views, token, session, partial(check_access, pit, live, code=code)
            )
            await _run_counted(socket, auth, served)


async def _run_counted(socket: WebSocket, auth: Auth, served: "TableSocket") -> None:
    try:
        with auth.count_socket(served.session.account):
            await served.run()
    except Refused as refused:
        await _close(socket, REFUSED, str(refused))


def _token(socket: WebSocket) -> str:
    cookie, authorization = credentials(socket)
    return parse_bearer(authorization) if authorization is not None else cookie or ""


async def _read_session(socket: WebSocket, auth: Auth) -> tuple[str, Session | None]:
    """The text and the session of the first message; closes the socket if it has no session."""
    try:
        async with asyncio.timeout(FIRST_MESSAGE_SECONDS):
            first = parse_json(await _receive_text(socket))
        token = first.get("session") if isinstance(first, dict) else None
        if not isinstance(token, str):
            raise SignedOut('Sign in first; the first message must be {"session": "..."}.')
        return token, auth.sessions.read(token)
    except TimeoutError:
        await _close(socket, SIGNED_OUT, "No session was sent.")
    except Refused as refused:
        await _close(socket, SIGNED_OUT, str(refused))
    return "", None


async def _receive_text(socket: WebSocket) -> str:
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1005))
    text = message.get("text")
    return "" if text is None else str(text)  # bytes are not a message


async def _close(socket: WebSocket, code: int, why: str) -> None:
    with suppress(RuntimeError, WebSocketDisconnect):  # closed already
        await socket.close(code, why.encode()[:120].decode(errors="ignore"))


class TableSocket:
    """An open socket: the table that it shows, and the session that it acts for."""

    def __init__(
        self,
        socket: WebSocket,
        auth: Auth,
        live: LiveTable,
        views: ViewCache,
        token: str,
        session: Session,
        check_access: Callable[[Session], None],  # again with every view: a private table changes its owner
    ) -> None:
        self._socket, self._auth, self._live, self._views = socket, auth, live, views
        self._token, self.session, self._check_access = token, session, check_access
        self._watcher = Watcher(session.account)
        self._answers: deque[bytes] = deque()
        self._room = asyncio.Event()
        self._sent: object = None  # the version and the company of the last view
        self._trusted_until = time.monotonic() + SESSION_TRUST_SECONDS

    async def run(self) -> None:
        self._check_access(self.session)
        self._live.add_watcher(self._watcher)
        self._watcher.notify()
        tasks = [asyncio.create_task(self._read()), asyncio.create_task(self._send())]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            await self._end(next(iter(done)).exception())
        finally:
            self._live.remove_watcher(self._watcher)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _end(self, why: BaseException | None) -> None:
        match why:
            case SignedOut():
                await _close(self._socket, SIGNED_OUT, str(why))
            case TimeoutError():
                await _close(self._socket, TOO_SLOW, "This client reads too slowly.")
            case Forbidden():
                await _close(self._socket, NOT_YOURS, str(why))
            case LedgerDown():
                await _close(self._socket, TRY_LATER, sentence_of(why))
            case None | WebSocketDisconnect() | RuntimeError():
                pass
            case _:
                raise why

    # -- Out ----------------------------------------------------------------------------------------

    async def _send(self) -> None:
        while True:
            await self._wait_for_news()
            self._check_session()
            while self._answers:
                await self._send_text(self._answers.popleft())
                self._room.set()
            now = self._live.version, self._live.company, self._live.ends
            if self._sent != now:
                self._check_access(self.session)
                self._sent = now
                await self._send_text(self._render_table())

    def _render_table(self) -> bytes:
        more = staff_fields(self._live.table, self.session)
        return self._views.render(self._live, self.session.account, **more)

    async def _wait_for_news(self) -> None:
        """Wait for a change, or until the session must be checked again, which a quiet table needs too."""
        with suppress(TimeoutError):
            async with asyncio.timeout(max(0.0, self._trusted_until - time.monotonic())):
                await self._watcher.wait()

    async def _send_text(self, message: bytes) -> None:
        async with asyncio.timeout(SEND_SECONDS):
            await self._socket.send_text(message.decode())

    def _check_session(self) -> None:
        if time.monotonic() >= self._trusted_until or self._auth.sessions.is_ended(self.session):
            self.session = self._auth.sessions.read(self._token)
            self._trusted_until = time.monotonic() + SESSION_TRUST_SECONDS

    # -- In -----------------------------------------------------------------------------------------

    async def _read(self) -> None:
        while True:
            text = await _receive_text(self._socket)
            self._check_session()
            self._answers.append(orjson.dumps(await self._answer_message(text)))
            self._watcher.notify()
            while len(self._answers) >= MAX_WAITING_ANSWERS:
                self._room.clear()
                await self._room.wait()

    async def _answer_message(self, text: str) -> dict[str, Any]:
        reply: dict[str, Any] = {"id": None}
        try:
            asked = _parse_message(text)
            reply["id"] = _check_id(asked.pop("id", None))
            repeated = await self._perform(asked)
        except Exception as error:
            if not isinstance(error, Refused | LedgerDown):
                raise
            return reply | {"ok": False, "status": status_of(error), "error": sentence_of(error)}
        return reply | {"ok": True, "version": self._live.version} | ({"repeated": True} if repeated else {})

    async def _perform(self, asked: dict[str, Any]) -> bool:
        self._auth.allowance.requests.admit(self.session.id)
        name, key = asked.pop("act", None), asked.pop("key", None)
        if not isinstance(name, str) or name not in (*SOCKET_ACTIONS, SAY):
            raise Malformed(f"act must be one of {', '.join((*SOCKET_ACTIONS, SAY))}.")
        _check_key(key)
        if name == SAY:
            say_phrase(self._live, self._auth, self.session, parse_model(Say, asked))
            return False
        return await perform(self._live, self.session, name, parse_model(ACTIONS[name].model, asked), key)


def _parse_message(text: str) -> dict[str, Any]:
    message = parse_json(text)
    if not isinstance(message, dict):
        raise Malformed("A message must be an object of names and values.")
    return message


def _check_key(key: Any) -> None:
    is_text = isinstance(key, str) and 0 < len(key) <= MAX_KEY_CHARS and key.isprintable()
    if key is not None and not is_text:
        raise Malformed(f"key must be text of 1 to {MAX_KEY_CHARS} printable characters.")


def _check_id(given: Any) -> int | str | None:
    """The client's own id of a message, which its answer repeats."""
    if given is None or (isinstance(given, str) and len(given) <= MAX_ID_CHARS):
        return given
    if type(given) is int and abs(given) <= MAX_JSON_INT:
        return given
    raise Malformed("id must be a whole number or short text.")
