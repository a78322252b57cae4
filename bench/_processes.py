"""Waits until the processes of one server (`serve --workers`) have shared its tables."""

import time
from collections import Counter

from feltlab.ledger.ledger import Ledger
from feltlab.ledger.sharing.members import Members

START_SECONDS = 120.0  # at most


def wait_until_shared(ledger: str, tables: int, processes: int) -> None:
    """Wait until all processes run about as many tables: a table that changes hands ends its sockets."""
    ends = time.monotonic() + START_SECONDS
    while processes > 1:
        with Ledger.open(ledger, writer=False) as opened:
            counts = Counter(Members.load(opened).owners.values())
        is_even = len(counts) == processes and max(counts.values()) - min(counts.values()) <= 1
        if is_even and counts.total() >= tables:
            return
        if time.monotonic() > ends:
            raise TimeoutError("The processes did not share the tables.")
        time.sleep(0.5)
