"""The verification of a ledger, in a process that gives way to the tables.

It does what `feltlab ledger verify --json` does. Each problem in its report also has the round of its event,
so that a page can link to it.
"""

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from feltlab.errors import Refused
from feltlab.ledger.event import now
from feltlab.ledger.ledger import Ledger, LedgerDown
from feltlab.parallel.progress import Progress
from feltlab.pit.pit import VAULT_FILE, Pit
from feltlab.pit.verify import verify
from feltlab.pit.verify.sealed_cards import find_vault_key
from feltlab.workers.protocol import Question, WorkerFailed, ask_once, run_worker

# -- In the server ----------------------------------------------------------------------------------


@dataclass
class Verification:
    """The verification that runs, and the result of the last one. One runs at a time."""

    began: float | None = None  # by the monotonic clock, while it runs
    progress: float = 0.0
    by: str = ""
    ended: str = ""
    took: int = 0  # seconds
    report: dict[str, Any] | None = None
    failed: str = ""

    @property
    def seconds(self) -> int | None:
        """The seconds since it began; None if none runs."""
        return None if self.began is None else int(time.monotonic() - self.began)

    def begin(self, pit: Pit, by: str) -> None:
        """Start a verification, unless one runs already."""
        if self.began is None:
            self.began, self.by, self.progress = time.monotonic(), by, 0.0
            pit.run(self._run(pit))

    async def _run(self, pit: Pit) -> None:
        question = {"database": pit.ledger.database.address, "key": str(pit.folder / VAULT_FILE)}
        try:
            self.report = await ask_once("feltlab.workers.verify", question, self._set_progress)
            self.failed = ""
        except (Refused, WorkerFailed) as error:
            self.report, self.failed = None, f"The verification could not be run. {error}"
        finally:
            self.took, self.ended, self.began = self.seconds or 0, now(), None

    def _set_progress(self, share: float) -> None:
        self.progress = share


# -- In the worker ----------------------------------------------------------------------------------


def answer(question: Question, progress: Progress) -> dict[str, Any]:
    """The report on the ledger of a database."""
    try:
        with Ledger.open(question["database"], writer=False) as ledger:
            return _report(ledger, progress, find_vault_key(Path(question["key"])))
    except LedgerDown as down:
        raise Refused(str(down)) from None


def _report(ledger: Ledger, progress: Progress, key: Path | None) -> dict[str, Any]:
    report = verify(ledger, progress, key=key)
    rounds = [ledger.round_of_event(problem.chain, problem.number) for problem in report.problems]
    data = report.as_json()
    problems = [problem | {"round": round} for problem, round in zip(data["problems"], rounds, strict=True)]
    return data | {"problems": problems}


if __name__ == "__main__":
    run_worker(answer)
