"""Presence: which players are at a table, for how long the others are away, and what was said there.

A player is present while one of their sockets is open, and some seconds after the last one closed or after
a request. Nothing of it is on the ledger; that a seat was given up is, with its reason.
"""

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from feltlab.pit.seats import Place

PRESENT_SECONDS = 8.0  # after the last socket closed, or after a request without one
SAID_SECONDS = 6.0  # for which a phrase is shown
PHRASES = (
    "Hello",
    "Good luck",
    "Well played",
    "Nice hand",
    "Bad luck",
    "Thank you",
    "One moment, please",
    "Goodbye",
)
# Seats of absent players are given up: at a table with others soon, and at one's own after a while.
AWAY_SECONDS, AWAY = 60.0, "Nobody was at the seat for a minute."
IDLE_SECONDS, IDLE = 900.0, "Nobody acted for 15 minutes."
SOLO_AWAY_SECONDS, SOLO_AWAY = 900.0, "Nobody was at the table for 15 minutes."
SOLO_IDLE_SECONDS, SOLO_IDLE = 7200.0, "Nobody acted for two hours."
Places = Sequence[Place | None]


@dataclass(frozen=True)
class Company:
    """The seats whose players are away, and what others have just said."""

    absent: tuple[int, ...] = ()
    said: tuple[tuple[int, str], ...] = ()  # seat and phrase


EVERYBODY = Company()


class Watcher:
    """Someone who watches a table; learns that it changed, not how."""

    def __init__(self, account: str) -> None:
        self.account = account
        self._changed = asyncio.Event()

    def notify(self) -> None:
        self._changed.set()

    async def wait(self) -> None:
        """Wait until the table has changed since the last wait."""
        await self._changed.wait()
        self._changed.clear()


class Presence:
    """The players at one table, by account."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._sockets: Counter[str] = Counter()
        self._seen: dict[str, float] = {}  # when a player without a socket was last there
        self._acted: dict[str, float] = {}
        self._said: dict[str, tuple[str, float]] = {}  # a phrase, and until when it is shown

    # -- What happens --------------------------------------------------------------------------------

    def connect(self, account: str) -> None:
        self._sockets[account] += 1

    def disconnect(self, account: str) -> None:
        self._sockets[account] -= 1
        self._sockets += Counter()  # forgets accounts without a socket
        self._seen[account] = self._clock()

    def note_request(self, account: str) -> None:
        self._seen[account] = self._clock()

    def note_action(self, account: str) -> None:
        self._seen[account] = self._acted[account] = self._clock()

    def say(self, account: str, phrase: str) -> None:
        self._said[account] = phrase, self._clock() + SAID_SECONDS

    # -- What follows --------------------------------------------------------------------------------

    def is_connected(self, account: str) -> bool:
        return self._sockets[account] > 0

    def seconds_away(self, account: str) -> float:
        """Seconds since the player was last there; 0 while a socket is open.

        A player of whom nothing is known yet, after a restart, is there now.
        """
        if self._sockets[account]:
            return 0.0
        now = self._clock()
        return now - self._seen.setdefault(account, now)

    def seconds_idle(self, account: str) -> float:
        """Seconds since the player last acted."""
        now = self._clock()
        return now - self._acted.setdefault(account, now)

    def why_give_up(self, account: str, is_solo: bool) -> str:
        """Why the seat of a player is given up, or ''."""
        away, idle = self.seconds_away(account), self.seconds_idle(account)
        if is_solo:
            return SOLO_AWAY if away >= SOLO_AWAY_SECONDS else SOLO_IDLE if idle >= SOLO_IDLE_SECONDS else ""
        return AWAY if away >= AWAY_SECONDS else IDLE if idle >= IDLE_SECONDS else ""

    def describe(self, places: Places) -> Company:
        """The company at these seats now."""
        seated = [(seat, place.player) for seat, place in enumerate(places) if place]
        absent = tuple([n for n, account in seated if self.seconds_away(account) >= PRESENT_SECONDS])
        said = tuple(self._list_said(seated)) if self._said else ()
        return Company(absent, said) if absent or said else EVERYBODY

    def _list_said(self, seated: Sequence[tuple[int, str]]) -> Iterator[tuple[int, str]]:
        now = self._clock()
        for seat, account in seated:
            phrase, until = self._said.get(account, ("", now))
            if until > now:
                yield seat, phrase

    def seconds_to_change(self, places: Places) -> float | None:
        """Seconds until the company changes by itself; None if it does not."""
        now = self._clock()
        ends = [until - now for _, until in self._said.values() if until > now]
        for account in {place.player for place in places if place}:
            away = self.seconds_away(account)
            if not self._sockets[account] and away < PRESENT_SECONDS:
                ends.append(PRESENT_SECONDS - away)
        return min(ends, default=None)

    def forget_others(self, places: Places) -> None:
        """Forget everybody who has no seat; who watches is counted on."""
        seated = {place.player for place in places if place}
        for known in (self._seen, self._acted, self._said):
            for account in known.keys() - seated:
                known.pop(account)
