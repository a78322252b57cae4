"""What meters show, pushed to everybody who watches: one message of a link for all, told at a steady pace."""

import asyncio
import time
from contextlib import suppress
from typing import Any

import orjson
from starlette.websockets import WebSocket, WebSocketDisconnect

from feltlab.pit.jackpots.desk import describe_link
from feltlab.pit.pit import Pit

LEAST_SECONDS, MOST_SECONDS = 0.25, 1.0  # between two messages
MESSAGES_A_SECOND = 1_000  # more displays are told less often
SEND_SECONDS = 10.0  # the longest that a message may wait to be sent


class MeterBoard:
    """The messages of all meters. A change is told at once, those that follow it soon are told together."""

    def __init__(self, pit: Pit) -> None:
        self._pit = pit
        self._links: dict[str, dict[str, Any]] = {}
        self._of_tables: dict[str, str] = {}  # by table: the message of its link
        self._wall, self._walls = "", set[asyncio.Event]()
        self._published, self._timer = 0.0, None  # type: float, asyncio.TimerHandle | None
        self._render()
        pit.books.jackpots_changed = self._note_change
        pit.reloads.append(self._render)

    def of_table(self, table: str) -> str:
        """The message about the progressive that a table feeds, or ''."""
        return self._of_tables.get(table, "")

    def _note_change(self) -> None:
        if self._timer is None:
            wait = self._published + self._pause - time.monotonic()
            self._timer = asyncio.get_running_loop().call_later(max(0.0, wait), self._publish)

    @property
    def _pause(self) -> float:
        watchers = sum(len(self._pit.tables[name].watchers) for name in self._of_tables
                       if name in self._pit.tables)  # fmt: skip
        return min(max(LEAST_SECONDS, (watchers + len(self._walls)) / MESSAGES_A_SECOND), MOST_SECONDS)

    def _publish(self) -> None:
        self._timer, self._published = None, time.monotonic()
        before = dict(self._of_tables)
        self._render()
        for table, message in self._of_tables.items():
            if before.get(table) != message and table in self._pit.tables:
                self._pit.tables[table].notify_watchers()
        for wall in self._walls:
            wall.set()

    def _render(self) -> None:
        """Write the messages; those of links that have not changed stay the same objects."""
        moment = self._pit.books.moment
        self._of_tables, shown = {}, []
        for link in self._pit.jackpots.book.links.values():
            if link.closed:
                continue
            known = self._links.setdefault(link.name, {})
            told = describe_link(link, moment)
            if known.get("told") != told:
                known |= {"told": told, "message": orjson.dumps({"jackpot": told}).decode()}
            self._of_tables |= dict.fromkeys(link.tables, known["message"])
            shown.append(told)
        self._wall = orjson.dumps({"jackpots": shown}).decode()

    # -- The wall -----------------------------------------------------------------------------------

    async def serve_wall(self, socket: WebSocket) -> None:
        """Send all meters whenever they change, until the socket ends. What it sends, everybody may see."""
        await socket.accept()
        changed = asyncio.Event()
        changed.set()
        self._walls.add(changed)
        sending = asyncio.create_task(self._send_wall(socket, changed))
        reading = asyncio.create_task(_read_until_closed(socket))
        try:
            await asyncio.wait((sending, reading), return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._walls.discard(changed)
            for task in (sending, reading):
                task.cancel()
            await asyncio.gather(sending, reading, return_exceptions=True)
            with suppress(RuntimeError, WebSocketDisconnect):  # closed already
                await socket.close()

    async def _send_wall(self, socket: WebSocket, changed: asyncio.Event) -> None:
        while True:
            await changed.wait()
            changed.clear()
            async with asyncio.timeout(SEND_SECONDS):
                await socket.send_text(self._wall)


async def _read_until_closed(socket: WebSocket) -> None:
    while (await socket.receive())["type"] != "websocket.disconnect":
        pass  # a wall only listens
