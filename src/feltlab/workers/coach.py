"""The coach: what each open choice is worth, for the player whose choice it is.

A solver may take seconds, so it works in a process of its own, which gives way to the tables and ends with
the server. It is asked with the cards that the player sees and no others.
"""

import asyncio
import os
import sys
from collections import OrderedDict
from contextlib import suppress
from typing import Any

import orjson

from feltlab.core.cards import UNKNOWN, Cards
from feltlab.core.round import Round
from feltlab.digests import canonical_json
from feltlab.errors import Refused
from feltlab.games.offers import game_from_data, game_to_data
from feltlab.proving.advice import advise
from feltlab.workers.process import Child, started

REMEMBERED = 2_000  # answers
PATIENCE = 120.0  # seconds for an answer; a first solve compiles and tabulates
MEEK = 10  # how far the process gives way to others


# -- In the server ----------------------------------------------------------------------------------


class Coach:
    """Asks the process, one question at a time, and remembers its answers."""

    def __init__(self) -> None:
        self._answers: OrderedDict[bytes, dict[str, Any]] = OrderedDict()
        self._process: Child | None = None
        self._turn = asyncio.Lock()

    async def ask(self, round: Round) -> dict[str, Any]:
        question = canonical_json(question_of(round))
        async with self._turn:
            if question not in self._answers:
                self._remember(question, await self._solved(question))
            self._answers.move_to_end(question)
            return self._answers[question]

    def _remember(self, question: bytes, found: dict[str, Any]) -> None:
        self._answers[question] = found
        if len(self._answers) > REMEMBERED:
            self._answers.popitem(last=False)

    async def _solved(self, question: bytes) -> dict[str, Any]:
        try:
            async with asyncio.timeout(PATIENCE):
                line = await self._line(question)
        except (TimeoutError, OSError):
            line = b""
        except asyncio.CancelledError:  # its answer would be taken for that of the next question
            await self.close()
            raise
        if not line:
            await self.close()
            raise Refused("The coach has no answer; play on without it.")
        found: dict[str, Any] = orjson.loads(line)
        if "error" in found:
            raise Refused(str(found["error"]))
        return found

    async def _line(self, question: bytes) -> bytes:
        if self._process is None or not self._process.alive:
            self._process = await started(sys.executable, "-m", "feltlab.workers.coach")
        self._process.write(question)
        return await self._process.readline()

    async def close(self) -> None:
        """End the process; the next question starts another."""
        process, self._process = self._process, None
        if process:
            await process.stop()


def question_of(round: Round) -> dict[str, Any]:
    """All that the player knows, and nothing else."""
    return {
        **game_to_data(round.game),
        "seen": [card if card >= 0 else UNKNOWN for card in round.seen],
        "wagers": dict(round.wagers),
        "chosen": list(round.chosen),
    }


# -- In the process ---------------------------------------------------------------------------------


def answered(question: dict[str, Any]) -> dict[str, Any]:
    """The choices with their worth in cents, best first."""
    wagers, chosen = question["wagers"], tuple(question["chosen"])
    try:
        listed = advise(Round(game_from_data(question), Cards(question["seen"]), wagers, chosen))
    except Refused as refused:
        return {"error": str(refused)}
    unit = max(wagers.values())
    return {
        "unit": unit,
        "choices": [
            {"choice": one.choice, "expected": float(one.expected), "cost": float(one.cost)} for one in listed
        ],
    }


def work() -> None:
    """Answer line by line until the server ends."""
    with suppress(OSError):
        os.nice(MEEK)
    for line in sys.stdin.buffer:
        sys.stdout.buffer.write(orjson.dumps(answered(orjson.loads(line))) + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    work()
