"""A WebSocket at a table: views as they change, acts as they come.

Each socket has a task that sends. It is told that something changed, not what, and then sends the view of
that moment: who reads slowly sees fewer views, and nobody waits for it.
"""

import asyncio
import time
from collections import deque
from contextlib import suppress
from typing import Any

import orjson
from sqlalchemy.exc import SQLAlchemyError
from starlette.websockets import WebSocket, WebSocketDisconnect

from feltlab.errors import Refused
from feltlab.ledger.ledger import LedgerDown
from feltlab.pit.live_table import LiveTable, Watcher
from feltlab.pit.pit import Pit
from feltlab.server.actions import ACTS, Views, act
from feltlab.server.auth import Door, credentials
from feltlab.server.models import Malformed, parsed, read
from feltlab.server.responses import refusal, said_of, status_of
from feltlab.server.sessions import Session, SignedOut, bearer

FIRST_MESSAGE = 5.0  # seconds in which a client without a cookie must say who it is
PATIENCE = 10.0  # seconds for which a message may wait to be sent
FRESH = 2.0  # seconds for which a session is believed without being read again
MOST_ANSWERS = 64  # that wait to be sent; a client that does not read is not read
TRY_LATER, SIGNED_OUT, TOO_SLOW = 1013, 4401, 4408  # codes with which a socket is closed


async def attend(socket: WebSocket, pit: Pit, door: Door, views: Views, name: str) -> None:
    """Serve a socket until it ends."""
    try:
        live = pit.table(name)
        token = _token(socket)
        session = door.sessions.read(token) if token else None
    except Refused as refused:
        await socket.send_denial_response(refusal(refused))
        return
    await socket.accept()
    with suppress(WebSocketDisconnect):
        if session is None:
            token, session = await _introduced(socket, door)
        if session is not None:
            await _seated(socket, door, Socket(socket, door, live, views, token, session))


async def _seated(socket: WebSocket, door: Door, served: "Socket") -> None:
    try:
        with door.socket(served.session.account):
            await served.run()
    except Refused as refused:
        await _close(socket, 1008, str(refused))


def _token(socket: WebSocket) -> str:
    cookie, authorization = credentials(socket)
    return bearer(authorization) if authorization is not None else cookie or ""


async def _introduced(socket: WebSocket, door: Door) -> tuple[str, Session | None]:
    """Who it is, from the first message."""
    try:
        async with asyncio.timeout(FIRST_MESSAGE):
            said = parsed(await _received(socket))
        token = said.get("session") if isinstance(said, dict) else None
        if not isinstance(token, str):
            raise SignedOut('Sign in first; the first message says {"session": "..."}.')
        return token, door.sessions.read(token)
    except TimeoutError:
        await _close(socket, SIGNED_OUT, "Nobody said who this is.")
    except Refused as refused:
        await _close(socket, SIGNED_OUT, str(refused))
    return "", None


async def _received(socket: WebSocket) -> str:
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1005))
    text = message.get("text")
    return "" if text is None else str(text)  # bytes are no message


async def _close(socket: WebSocket, code: int, why: str) -> None:
    with suppress(RuntimeError, WebSocketDisconnect):  # closed already
        await socket.close(code, why.encode()[:120].decode(errors="ignore"))


class Socket:
    def __init__(
        self, socket: WebSocket, door: Door, live: LiveTable, views: Views, token: str, session: Session
    ) -> None:
        self._socket, self._door, self._live, self._views = socket, door, live, views
        self._token, self.session = token, session
        self._watcher = Watcher(session.account)
        self._answers: deque[bytes] = deque()
        self._room = asyncio.Event()
        self._seen: object = None  # the table as it was last sent
        self._believed = time.monotonic() + FRESH

    async def run(self) -> None:
        self._live.watchers.add(self._watcher)
        self._watcher.notify()
        tasks = [asyncio.create_task(self._read()), asyncio.create_task(self._send())]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            await self._end(next(iter(done)).exception())
        finally:
            self._live.watchers.discard(self._watcher)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _end(self, why: BaseException | None) -> None:
        match why:
            case SignedOut():
                await _close(self._socket, SIGNED_OUT, str(why))
            case TimeoutError():
                await _close(self._socket, TOO_SLOW, "This client reads too slowly.")
            case SQLAlchemyError():
                await _close(self._socket, TRY_LATER, said_of(why))
            case None | WebSocketDisconnect() | RuntimeError():
                pass
            case _:
                raise why

    # -- Out ----------------------------------------------------------------------------------------

    async def _send(self) -> None:
        while True:
            await self._woken()
            self._check_session()
            while self._answers:
                await self._sent(self._answers.popleft())
                self._room.set()
            if self._seen is not self._live.table:
                self._seen = self._live.table
                await self._sent(self._views.of(self._live, self.session.account))

    async def _woken(self) -> None:
        """By a change, or because the session must be read again: at a quiet table too it may have ended."""
        with suppress(TimeoutError):
            async with asyncio.timeout(max(0.0, self._believed - time.monotonic())):
                await self._watcher.wait()

    async def _sent(self, message: bytes) -> None:
        async with asyncio.timeout(PATIENCE):
            await self._socket.send_text(message.decode())

    def _check_session(self) -> None:
        if time.monotonic() >= self._believed:
            self.session = self._door.sessions.read(self._token)
            self._believed = time.monotonic() + FRESH

    # -- In -----------------------------------------------------------------------------------------

    async def _read(self) -> None:
        while True:
            text = await _received(self._socket)
            self._check_session()
            self._answers.append(orjson.dumps(await self._answer(text)))
            self._watcher.notify()
            while len(self._answers) >= MOST_ANSWERS:
                self._room.clear()
                await self._room.wait()

    async def _answer(self, text: str) -> dict[str, Any]:
        said: dict[str, Any] = {"id": None}
        try:
            asked = _message(text)
            said["id"] = _id(asked.pop("id", None))
            repeated = await self._act(asked)
        except Exception as error:
            if not isinstance(error, Refused | LedgerDown):
                raise
            return said | {"ok": False, "status": status_of(error), "error": said_of(error)}
        return said | {"ok": True, "version": self._live.version} | ({"repeated": True} if repeated else {})

    async def _act(self, asked: dict[str, Any]) -> bool:
        self._door.allowance.acts.admit(self.session.id)
        name, key = asked.pop("act", None), asked.pop("key", None)
        if not isinstance(name, str) or name not in ACTS:
            raise Malformed(f"act must be one of {', '.join(ACTS)}.")
        if key is not None and not (isinstance(key, str) and 0 < len(key) <= 200 and key.isprintable()):
            raise Malformed("key must be text of 1 to 200 printable characters.")
        return await act(self._live, self.session, name, read(ACTS[name][0], asked), key)


def _message(text: str) -> dict[str, Any]:
    found = parsed(text)
    if not isinstance(found, dict):
        raise Malformed("A message must be an object of names and values.")
    return found


def _id(given: Any) -> int | str | None:
    """What the client calls its message, to be said again in the answer."""
    if given is None or (isinstance(given, str) and len(given) <= 64):
        return given
    if type(given) is int and abs(given) <= 2**53:
        return given
    raise Malformed("id must be a whole number or short text.")
