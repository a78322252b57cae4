"""Checks of the cage: money is issued only by its rules, and moves are recorded at both ends."""

from collections.abc import Iterator
from typing import NamedTuple

from feltlab.errors import Refused
from feltlab.ledger.event import Event
from feltlab.pit.cage import Cage
from feltlab.pit.event_kinds import cage_move
from feltlab.pit.jackpots.account import ACCOUNT_PREFIX, FUNDS
from feltlab.pit.players.names import is_guest
from feltlab.text import dollars

ISSUES = {"welcome": Cage.plan_welcome, "refill": Cage.plan_refill}  # a server issues nothing else


class Move(NamedTuple):
    """Money on its way between the cage and a seat."""

    kind: str  # of the cage's event
    table: str
    seat: int
    player: str
    cents: int

    def __str__(self) -> str:
        way = "to" if self.kind == "to-table" else "from"
        return f"{dollars(self.cents)} of {self.player} {way} seat {self.seat} of {self.table}"


class CageFollower:
    """Follows the cage, and matches its moves with those of the tables.

    A move is in both chains, written together: first at the table, then in the cage.
    """

    def __init__(self) -> None:
        self.cage = Cage()
        self._unmatched: list[tuple[Move, Event]] = []  # moves at tables that the cage has not recorded yet

    def follow(self, event: Event) -> Iterator[str]:
        """Follow an event of the cage, and yield what is wrong with it."""
        yield from check_issue(self.cage, event)
        yield from check_rename(self.cage, event)
        try:
            self.cage.after(event)
        except Refused as refused:
            yield str(refused)
            self.cage = Cage.from_events([event]) if event.kind == "standing" else self.cage
            self.cage.number = event.number
        if event.kind in ("to-table", "from-table"):
            data = event.data
            yield from self._match(
                Move(event.kind, data["table"], data["seat"], data["account"], data["cents"])
            )

    def expect_move(self, event: Event) -> None:
        """Expect the cage to record the move of a table's event, if it moves money."""
        kind, cents = cage_move(event)
        if kind:
            move = Move(kind, event.chain, event.data["seat"], event.data["player"], cents)
            self._unmatched.append((move, event))

    def _match(self, move: Move) -> Iterator[str]:
        for place, (known, _) in enumerate(self._unmatched):
            if known == move:
                del self._unmatched[place]
                return
        yield f"the table did not record {move}."

    @property
    def is_waiting(self) -> bool:
        """Whether the cage has to record a move."""
        return bool(self._unmatched)

    def end_moment(self) -> Iterator[tuple[Event, str]]:
        """At the end of a transaction, report the moves that the cage did not record."""
        for move, event in self._unmatched:
            yield event, f"the cage did not record {move}."
        self._unmatched = []


def check_rename(cage: Cage, event: Event) -> Iterator[str]:
    """Only the whole balance of a guest moves to another name, which is a guest's too."""
    data = event.data
    if event.kind != "renamed":
        return
    if not (is_guest(data["account"]) and is_guest(data["to"])):
        yield f"the balance of {data['account']} moved to {data['to']}; only guests change their names."
    if data["cents"] != cage.balances.get(data["account"], 0):
        yield f"{dollars(data['cents'])} of {data['account']} moved, which is not the whole balance."


def check_issue(cage: Cage, event: Event) -> Iterator[str]:
    """Money is issued only as the cage itself would issue it."""
    data = event.data
    if event.kind == "standing" and not cage.number and any(data.values()):
        yield "it begins with money that nobody issued."
    if event.kind != "issued":
        return
    if data["why"] == FUNDS and data["account"].startswith(ACCOUNT_PREFIX):
        return  # compared with the progressives
    plan = ISSUES.get(data["why"])
    try:
        due = sum(draft.data["cents"] for draft in plan(cage, data["account"])) if plan else 0
    except Refused as refused:
        yield f"{data['account']} received a {data['why']}. {refused}"
        return
    if data["cents"] != due:
        issued = f"{dollars(data['cents'])} was issued to {data['account']} as {data['why']!r}"
        yield f"{issued}; by the cage's rules it is {dollars(due)}."
