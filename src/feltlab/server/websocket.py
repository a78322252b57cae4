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
from feltlab.ledger.sharing.leases import Elsewhere
from feltlab.pit.live_table import LiveTable
from feltlab.pit.pit import Pit
from feltlab.pit.players.presence import Watcher
from feltlab.pit.roles import Forbidden
from feltlab.server.actions import (
    ACTIONS,
    JACKPOT,
    SAY,
    SOCKET_ACTIONS,
    bet_on_progressive,
    perform,
    say_phrase,
)
from feltlab.server.api.jackpot_models import JackpotBet
from feltlab.server.api.meter_board import MeterBoard
from feltlab.server.auth import Auth, credentials
from feltlab.server.connection import WRITE_TEXTS
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
METERS = "meters"  # in the address of a socket: tell what the table's progressive shows
NO_METERS = '{"jackpot":null}'  # the table feeds none any more
# Codes with which a socket is closed.
TRY_LATER, SIGNED_OUT, NOT_YOURS, TOO_SLOW, REFUSED = 1013, 4401, 4403, 4408, 1008


async def serve_socket(
    socket: WebSocket, pit: Pit, auth: Auth, views: ViewCache, meters: MeterBoard, name: str
) -> None:
    """Serve a socket until it ends."""
    try:
        live, code = pit.table(name), socket.query_params.get(INVITE, "")
        if not live.is_ours:
            raise Elsewhere(name)
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
            told = meters if METERS in socket.query_params else None
            served = TableSocket(
                socket, auth, live, views, told, token, session, partial(check_access, pit, live, code=code)
            )
            await _run_counted(socket, auth, served)


async def _run_counted(socket: WebSocket, auth: Auth, served: "TableSocket") -> None:
    try:
        with auth.count_socket(served.session.account):
            await served.run()
    except LedgerDown as down:
        await _close(socket, TRY_LATER, sentence_of(down))
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


def _write_nothing(messages: list[bytes]) -> bool:
    """In place of the function of a connection that cannot write at once."""
    return False


class TableSocket:
    """An open socket: the table that it shows, and the session that it acts for."""

    def __init__(
        self,
        socket: WebSocket,
        auth: Auth,
        live: LiveTable,
        views: ViewCache,
        meters: MeterBoard | None,  # if the client wants to be told what they show
        token: str,
        session: Session,
        check_access: Callable[[Session], None],  # again with every view: a private table changes its owner
    ) -> None:
        self._socket, self._auth, self._live, self._views = socket, auth, live, views
        self._token, self.session, self._check_access = token, session, check_access
        self._meters, self._sent_meters = meters, ""
        self._watcher = Watcher(session.account)
        self._answers: deque[bytes] = deque()
        self._room = asyncio.Event()
        self._sent: object = None  # the version and the company of the last view
        self._is_acting = False  # an answer comes soon, and the view goes with it
        self._write_texts: Callable[[list[bytes]], bool] = getattr(socket.state, WRITE_TEXTS, _write_nothing)
        self._trust()

    async def run(self) -> None:
        self._auth.check_factor(self._socket, self.session)
        self._auth.charge_client(self._socket, self.session)
        self._check_access(self.session)
        self._live.add_watcher(self._watcher)
        self._watcher.notify()
        tasks = [asyncio.create_task(self._read()), asyncio.create_task(self._send())]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            await self._end(next(iter(done)).exception())
        finally:
            self._live.remove_watcher(self._watcher)
            self._check_again.cancel()
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
            await self._watcher.wait()
            self._check_session()
            messages = list(self._answers)
            self._answers.clear()
            now = self._live.version, self._live.company, self._live.ends
            if self._sent != now and (messages or not self._is_acting):
                self._check_access(self.session)
                self._sent = now
                messages.append(self._render_table())
            messages += self._list_new_meters()
            if messages and not self._write_texts(messages):
                await self._send_texts(messages)
            self._room.set()

    def _list_new_meters(self) -> list[bytes]:
        """The message about the table's meters, if they have changed since the last one."""
        message = self._meters.of_table(self._live.table.name) if self._meters else self._sent_meters
        if message is self._sent_meters:
            return []
        self._sent_meters = message
        return [(message or NO_METERS).encode()]

    def _render_table(self) -> bytes:
        more = staff_fields(self._live.table, self.session)
        return self._views.render(self._live, self.session.account, **more)

    async def _send_texts(self, messages: list[bytes]) -> None:
        for message in messages:
            async with asyncio.timeout(SEND_SECONDS):
                await self._socket.send_text(message.decode())

    def _trust(self) -> None:
        """Trust the session for a moment, and check it then even if nothing happens at the table."""
        self._trusted_until = time.monotonic() + SESSION_TRUST_SECONDS
        loop = asyncio.get_running_loop()
        self._check_again = loop.call_later(SESSION_TRUST_SECONDS, self._watcher.notify)

    def _check_session(self) -> None:
        if self._live.books.ledger.is_lost or not self._live.is_ours:
            raise LedgerDown("Another server runs this table by now; connect again.")
        if time.monotonic() >= self._trusted_until or self._auth.sessions.is_ended(self.session):
            self.session = self._auth.sessions.read(self._token)
            self._check_again.cancel()
            self._trust()

    # -- In -----------------------------------------------------------------------------------------

    async def _read(self) -> None:
        while True:
            text = await _receive_text(self._socket)
            self._check_session()
            self._is_acting = True
            self._answers.append(orjson.dumps(await self._answer_message(text)))
            self._is_acting = False
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
        if not isinstance(name, str) or name not in (*SOCKET_ACTIONS, JACKPOT, SAY):
            raise Malformed(f"act must be one of {', '.join((*SOCKET_ACTIONS, JACKPOT, SAY))}.")
        _check_key(key)
        if name == SAY:
            say_phrase(self._live, self._auth, self.session, parse_model(Say, asked))
            return False
        check_room = partial(self._auth.check_room, self._socket, self.session)
        if name == JACKPOT:
            bet = parse_model(JackpotBet, asked)
            return await bet_on_progressive(self._live, self.session, bet, key, check_room)
        request = parse_model(ACTIONS[name].model, asked)
        return await perform(self._live, self.session, name, request, key, check_room)


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
