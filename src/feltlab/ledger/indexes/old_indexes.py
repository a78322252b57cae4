"""Indexes that a ledger from before them gets at its first start; a large one is told what takes so long."""

import logging
import time
from typing import Any

from sqlalchemy import Connection, Index, func, inspect, select

from feltlab.ledger.database import EVENTS

LOG = logging.getLogger(__name__)
MANY_EVENTS = 200_000  # fewer are indexed in a moment
STEPS_PER_EVENT = 12.0  # of SQLite, roughly: half of them to read events, half to write the index
STEPS_PER_REPORT = 500_000
REPORT_SECONDS = 2.0


def add_missing_indexes(connection: Connection) -> None:
    """Create the indexes of events that the ledger lacks."""
    known = {str(index["name"]) for index in inspect(connection).get_indexes(EVENTS.name)}
    for index in sorted(EVENTS.indexes, key=lambda index: str(index.name)):
        if index.name not in known:
            _create(connection, index)


def _create(connection: Connection, index: Index) -> None:
    events = connection.execute(select(func.coalesce(func.max(EVENTS.c.sequence), 0))).scalar() or 0
    if events < MANY_EVENTS:
        index.create(connection)
        return
    LOG.warning("The ledger of %s events gets the index %s, once.", f"{events:,}", index.name)
    start, driver = time.monotonic(), _driver(connection)
    if driver:
        driver.set_progress_handler(_Reporter(events), STEPS_PER_REPORT)
    try:
        index.create(connection)
    finally:
        if driver:
            driver.set_progress_handler(None, 0)
    LOG.warning("The index %s is complete after %.0f seconds.", index.name, time.monotonic() - start)


def _driver(connection: Connection) -> Any:
    """SQLite's own connection; None on PostgreSQL, which reports no progress to the client that waits."""
    return connection.connection.driver_connection if connection.dialect.name == "sqlite" else None


class _Reporter:
    """Reports every few seconds how far SQLite is, by the steps that its machine has done."""

    def __init__(self, events: int) -> None:
        self._total, self._done = STEPS_PER_EVENT * events, 0
        self._next = time.monotonic() + REPORT_SECONDS

    def __call__(self) -> int:
        self._done += STEPS_PER_REPORT
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + REPORT_SECONDS
            LOG.warning("The index is complete by about %.0f %%.", min(99.0, 100 * self._done / self._total))
        return 0  # go on
