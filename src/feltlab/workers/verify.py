"""The process beside the server that verifies the ledger; it gives way to the tables.

`python -m feltlab.workers.verify URL` does what `feltlab ledger verify --json` does and says on its standard
output, a line of JSON each, `progress` now and then and at last `report`, or `refused` with a sentence. Each
problem names the round of its event besides, so that a page can lead there.
"""

import os
import sys
import time
from contextlib import suppress
from typing import Any

import orjson
from sqlalchemy import select

from feltlab.errors import Refused
from feltlab.ledger.chains import Problem
from feltlab.ledger.database import EVENTS
from feltlab.ledger.ledger import Ledger, LedgerDown
from feltlab.pit.verify import verify

NICENESS = 15  # a table comes before a verification
EVERY = 0.2  # seconds between two words on the progress


class Voice:
    """Says what the server waits for, and nothing too often."""

    def __init__(self) -> None:
        self._out = os.fdopen(os.dup(1), "wb", buffering=0)
        os.dup2(2, 1)  # what anything else prints is no answer
        self._last = 0.0

    def say(self, **told: Any) -> None:
        self._out.write(orjson.dumps(told) + b"\n")

    def progress(self, done: float) -> None:
        if time.monotonic() - self._last > EVERY:
            self._last = time.monotonic()
            self.say(progress=done)


def main() -> None:
    with suppress(OSError):
        os.nice(NICENESS)
    voice = Voice()
    try:
        with Ledger.open(sys.argv[1], writer=False) as ledger:
            voice.say(report=_verified(ledger, voice))
    except (Refused, LedgerDown) as refused:
        voice.say(refused=str(refused))


def _verified(ledger: Ledger, voice: Voice) -> dict[str, Any]:
    report = verify(ledger, voice.progress)
    rounds = [_round(ledger, problem) for problem in report.problems]
    told = report.as_json()
    problems = [found | {"round": round} for found, round in zip(told["problems"], rounds, strict=True)]
    return told | {"problems": problems}


def _round(ledger: Ledger, problem: Problem) -> int:
    """The round in which a problem lies; 0 outside of rounds."""
    at = (EVENTS.c.chain == problem.chain) & (EVENTS.c.number == problem.number)
    with suppress(LedgerDown):
        for row in ledger.rows(select(EVENTS.c.round).where(at)):
            return int(row[0])
    return 0


if __name__ == "__main__":
    main()
