"""Queries of events that stay fast however long the ledger is."""

from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Select, asc, desc, select, union_all

from feltlab.ledger.database import EVENTS


def query_round(chain: str, first: int, last: int) -> Select[Any]:
    """The events of a range of rounds, as the index of rounds sorts them.

    In the order of numbers, SQLite would read the whole chain. Kinds are left to the caller, so that no
    other index seems better.
    """
    column = EVENTS.c
    query = select(EVENTS).where(column.chain == chain, column.round.between(first, last))
    return query.order_by(column.round, column.sequence)


def query_kinds(
    kinds: Collection[str], wanted: Sequence[ColumnElement[bool]], place: str, newest_first: bool = False
) -> Any:
    """The events of several kinds in order: one ordered walk through an index for each kind, merged.

    For `kind IN (...)` with an order, a database reads all events of the order until it has enough.
    """
    queries = [select(EVENTS).where(EVENTS.c.kind == kind, *wanted) for kind in dict.fromkeys(kinds)]
    merged = queries[0] if len(queries) == 1 else union_all(*queries)
    return merged.order_by(desc(place) if newest_first else asc(place))
