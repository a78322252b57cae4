"""The values of stakes: the expected result of wagers under the play that is best for them together.

The proofs of usual stakes are in the store. Another stake may need a new proof, which takes up to minutes, so
games that answered fast come first.
"""

import asyncio
import time
from collections import OrderedDict
from dataclasses import dataclass
from math import gcd
from typing import Any

from feltlab.digests import canonical_json
from feltlab.errors import Refused
from feltlab.workers.lane import run_lane
from feltlab.workers.protocol import Worker, WorkerFailed

PROOF_SECONDS = 1_200.0  # at most
MAX_STAKES = 5_000  # whose values are remembered
Worth = tuple[float | None, str]  # cents, or None and the reason why it is unknown


@dataclass
class StakeQuestion:
    game: str
    question: dict[str, Any]
    answer: "asyncio.Future[Worth]"


class StakeValues:
    """Asks one worker for the value of one stake after the other, and remembers the answers."""

    def __init__(self, module: str) -> None:
        self._worker = Worker(module)
        self._asked: OrderedDict[bytes, StakeQuestion] = OrderedDict()
        self._seconds: dict[str, float] = {}  # of a game's last proof
        self._task: asyncio.Task[None] | None = None
        self._more = asyncio.Event()

    async def expect(self, game: dict[str, Any], wagers: dict[str, int]) -> Worth:
        """The expected result of wagers in cents."""
        unit = gcd(*wagers.values())
        units = {spot: cents // unit for spot, cents in wagers.items()}
        question = {"kind": "stake", **game, "wagers": units}
        key = canonical_json(question)
        if key not in self._asked:
            answer = asyncio.get_running_loop().create_future()
            self._asked[key] = StakeQuestion(game["game"], question, answer)
            self._wake()
        try:
            worth, why = await asyncio.shield(self._asked[key].answer)
        except WorkerFailed:
            self._asked.pop(key, None)  # may be asked again
            raise
        return (None if worth is None else worth * unit), why

    def _wake(self) -> None:
        self._more.set()
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(
                run_lane(self._next, self._answer, self._more, self._worker.close)
            )

    def _next(self) -> StakeQuestion | None:
        open_ = [one for one in self._asked.values() if not one.answer.done()]
        return min(open_, key=lambda one: self._seconds.get(one.game, 0.0), default=None)

    async def _answer(self, asked: StakeQuestion) -> None:
        began = time.monotonic()
        try:
            async with asyncio.timeout(PROOF_SECONDS):
                found = await self._worker.ask(asked.question)
            asked.answer.set_result((found["expected"], ""))
        except Refused as refused:
            asked.answer.set_result((None, str(refused)))
        except (WorkerFailed, TimeoutError) as error:
            asked.answer.set_exception(WorkerFailed(str(error) or "The proof takes too long."))
            asked.answer.exception()  # a caller that went away does not matter
        self._seconds[asked.game] = time.monotonic() - began
        self._forget()

    def _forget(self) -> None:
        for key in [key for key, one in self._asked.items() if one.answer.done()]:
            if len(self._asked) <= MAX_STAKES:
                return
            del self._asked[key]

    async def close(self) -> None:
        if self._task:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
