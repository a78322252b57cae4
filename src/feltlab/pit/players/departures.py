"""Departures: seats that the house gave up, so that their players can be told.

They follow from the ledger's events of the last day. A player who takes a seat again has been told.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from feltlab.ledger.event import Draft, Event
from feltlab.ledger.ledger import Ledger
from feltlab.pit.table import ROUND_OVER
from feltlab.text import dollars

KINDS = ("left", "seated")
TOLD_FOR = timedelta(days=1)
MAX_DEPARTURES = 3  # that one account is told
EVENTS_READ = 14  # of a table, at a start


@dataclass(frozen=True)
class Departure:
    """A seat that was given up, and its chips, which went back to the player's balance."""

    table: str
    seat: int  # from 1
    cents: int
    why: str
    at: datetime

    @property
    def id(self) -> str:
        return f"{self.table}/{self.seat}/{self.at:%Y%m%d%H%M%S}"

    def describe(self, title: str) -> str:
        """The departure in sentences, with the title of the game."""
        why = self.why.rstrip(".")
        back = f" {dollars(self.cents)} went back to your play money." if self.cents else ""
        return f"Your seat at {title} was given up: {why[:1].lower()}{why[1:]}.{back}"


class Departures:
    """The departures of the last day, by account."""

    def __init__(self) -> None:
        self._known: dict[str, list[Departure]] = {}

    def follow(self, events: Iterable[Draft | Event]) -> None:
        """Follow events of tables, in the order of their writing."""
        for event in events:
            if event.kind in KINDS:
                at = datetime.fromisoformat(event.at) if isinstance(event, Event) else datetime.now(UTC)
                self._follow(event.chain, event.kind, event.data, at)

    def _follow(self, table: str, kind: str, data: Mapping[str, Any], at: datetime) -> None:
        player = data["player"]
        self._forget_old(at)
        if kind == "seated":
            self._known.pop(player, None)
        elif data.get("why", "") not in ("", ROUND_OVER):
            gone = Departure(table, data["seat"], data["cents"], data["why"], at)
            self._known[player] = [*self._known.pop(player, [])[1 - MAX_DEPARTURES :], gone]

    def _forget_old(self, now: datetime) -> None:
        """Forget accounts that left more than a day ago; those who left last come last."""
        for player, gone in list(self._known.items()):
            if now - gone[-1].at <= TOLD_FOR:
                return
            self._known.pop(player)

    def of(self, account: str) -> list[Departure]:
        """The news for an account, the newest first."""
        now = datetime.now(UTC)
        return [gone for gone in reversed(self._known.get(account, [])) if now - gone.at <= TOLD_FOR]


def load_departures(ledger: Ledger, tables: Iterable[str]) -> list[Event]:
    """The last events by which seats of these tables were taken and left, in order."""
    read = (ledger.last_events(name, KINDS, EVENTS_READ) for name in tables)
    return sorted((event for events in read for event in events), key=lambda event: event.at)
