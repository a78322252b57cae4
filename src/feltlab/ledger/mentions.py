"""The index of accounts: every event that mentions an account, found without reading a chain.

It is derived from the events and written in their transactions. `verify` does not read it. A ledger from
before the index is indexed once, from its events.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Select, and_, case, func, select

from feltlab.ledger.database import EVENTS, MENTIONS, META, UNMENTIONED
from feltlab.ledger.event import MentionKey
from feltlab.ledger.ledger import Ledger

EVENTS_NEARBY = 60  # more than a round has, as a rule


class IndexedMention(NamedTuple):
    """A mention as the index stores it."""

    account: str
    sequence: int
    place: int
    chain: str
    round: int
    at: str
    label: str
    cents: int
    state: str
    expected: float | None
    cost: float | None
    decisions: int | None
    mistakes: int | None
    note: str | None

    @property
    def key(self) -> MentionKey:
        return MentionKey(self.account, self.sequence, self.place)


@dataclass(frozen=True)
class MentionFilter:
    """A query for mentions of a player's accounts; '' and None ask for all."""

    account: str
    chain: str = ""
    label: str = ""
    sign: int | None = None  # of the cents: 1, 0 or -1
    has_mistakes: bool = False
    first_round: int = 0  # of the chain
    since: str = ""  # the first moment
    until: str = ""  # the moment after the last one
    states: tuple[str, ...] = ()
    former: tuple[str, ...] = ()  # accounts that the player had before

    @property
    def condition(self) -> ColumnElement[bool]:
        column = MENTIONS.c
        mine = column.account.in_((self.account, *self.former))
        asked = [
            (self.chain, column.chain == self.chain),
            (self.label, column.label == self.label),
            (self.sign == 1, column.cents > 0),
            (self.sign == 0, column.cents == 0),
            (self.sign == -1, column.cents < 0),
            (self.has_mistakes, column.mistakes > 0),
            (self.first_round, column.round >= self.first_round),
            (self.since, column.at >= self.since),
            (self.until, column.at < self.until),
            (self.states, column.state.in_(self.states)),
        ]
        return and_(mine, *(condition for is_asked, condition in asked if is_asked))


class MentionTotals(NamedTuple):
    """Sums over the mentions of one label in one state."""

    label: str
    state: str
    rows: int
    cents: int
    expected: float
    cost: float
    decisions: int
    mistakes: int
    mistaken: int  # mentions with a mistake


NEWEST_FIRST = (MENTIONS.c.sequence.desc(), MENTIONS.c.place)


def list_mentions(ledger: Ledger, asked: MentionFilter, count: int, skip: int = 0) -> list[IndexedMention]:
    """The mentions that a filter asks for, the newest first."""
    query = select(MENTIONS).where(asked.condition).order_by(*NEWEST_FIRST)
    return _read(ledger, query.limit(count).offset(skip))


def total_mentions(ledger: Ledger, asked: MentionFilter) -> list[MentionTotals]:
    """The sums over all mentions that a filter asks for, by label and state."""
    column = MENTIONS.c
    sums = [func.coalesce(func.sum(each), 0) for each in (column.cents, column.expected, column.cost)]
    counts = [func.coalesce(func.sum(each), 0) for each in (column.decisions, column.mistakes)]
    mistaken = func.coalesce(func.sum(case((column.mistakes > 0, 1), else_=0)), 0)
    query = select(column.label, column.state, func.count(), *sums, *counts, mistaken).where(asked.condition)
    grouped = query.group_by(column.label, column.state).order_by(column.label, column.state)
    return [MentionTotals._make([*row[:2], *map(_plain, row[2:])]) for row in ledger.rows(grouped)]


def _plain(number: Any) -> int | float:
    """PostgreSQL adds whole numbers up as decimals."""
    return number if isinstance(number, int | float) else int(number)


def find_mentions(ledger: Ledger, keys: Iterable[MentionKey]) -> list[IndexedMention]:
    """The mentions with these keys, as far as there are such."""
    return [found for key in keys for found in _read(ledger, select(MENTIONS).where(*_match(key)))]


def _match(key: MentionKey) -> tuple[ColumnElement[bool], ...]:
    column = MENTIONS.c
    return column.account == key.account, column.sequence == key.sequence, column.place == key.place


def find_neighbours(
    ledger: Ledger, accounts: Collection[str], sequence: int, without: str
) -> tuple[IndexedMention | None, IndexedMention | None]:
    """The mentions of a player's accounts in the events before and after one, without those in a state."""
    mine, at = MENTIONS.c.account.in_(accounts) & (MENTIONS.c.state != without), MENTIONS.c.sequence
    before = select(MENTIONS).where(mine, at < sequence).order_by(at.desc()).limit(1)
    after = select(MENTIONS).where(mine, at > sequence).order_by(at).limit(1)
    return next(iter(_read(ledger, before)), None), next(iter(_read(ledger, after)), None)


def find_sequence(ledger: Ledger, chain: str, round: int, kinds: Collection[str]) -> int:
    """The sequence of the last event of these kinds in a round; 0 if there is none."""
    found = ledger.stored_events(chain=chain, round=round)
    return max((event.sequence for event in found if event.kind in kinds), default=0)


def find_rounds_beside(
    ledger: Ledger, chain: str, round: int, kinds: Collection[str]
) -> tuple[int | None, int | None]:
    """The rounds before and after one in its chain that have an event of these kinds."""
    column = EVENTS.c
    events = select(column.round, column.kind).where(column.chain == chain)
    before = events.where(column.round < round).order_by(column.round.desc(), column.sequence.desc())
    after = events.where(column.round > round).order_by(column.round, column.sequence)
    return _find_round(ledger, before, kinds), _find_round(ledger, after, kinds)


def _find_round(ledger: Ledger, events: Select[Any], kinds: Collection[str]) -> int | None:
    """The first round with an event of these kinds: among the first events, or else among all.

    The kinds are compared here. If a database did it, it could prefer the index of kinds, and sort all of it.
    """
    for query in (events.limit(EVENTS_NEARBY), events):
        for row in ledger.rows(query):
            if row.kind in kinds:
                return int(row.round)
    return None


def _read(ledger: Ledger, query: Select[Any]) -> list[IndexedMention]:
    return [IndexedMention._make(row) for row in ledger.rows(query)]


def last_unmentioned(ledger: Ledger) -> int:
    """The sequence up to which an old ledger's events are not in the index yet; 0 if all are."""
    rows = list(ledger.rows(select(META.c.value).where(META.c.name == UNMENTIONED)))
    return int(rows[0][0]) if rows else 0
