"""The coach: the value of each open choice, for the player whose turn it is.

A solver may take seconds, so a worker process runs it. Its question holds only the cards that the player
sees.
"""

import asyncio
from collections import OrderedDict
from typing import Any

from feltlab.core.cards import UNKNOWN, Cards
from feltlab.core.round import Round
from feltlab.digests import canonical_json
from feltlab.errors import Refused
from feltlab.games.offers import game_from_data, game_to_data
from feltlab.parallel.progress import Progress
from feltlab.proving.advice import advise
from feltlab.workers.protocol import Question, Worker, WorkerFailed, run_worker

MAX_ANSWERS = 2_000  # that are remembered
ANSWER_SECONDS = 120.0  # a first solve compiles and tabulates

# -- In the server ----------------------------------------------------------------------------------


class Coach:
    """Asks the worker, one question at a time, and remembers its answers."""

    def __init__(self) -> None:
        self._answers: OrderedDict[bytes, dict[str, Any]] = OrderedDict()
        self._worker = Worker("feltlab.workers.coach")
        self._turn = asyncio.Lock()

    async def ask(self, round: Round) -> dict[str, Any]:
        question = build_question(round)
        key = canonical_json(question)
        async with self._turn:  # the same question, asked meanwhile, then finds the answer
            if key not in self._answers:
                self._remember(key, await self._ask_worker(question))
            self._answers.move_to_end(key)
            return self._answers[key]

    def _remember(self, key: bytes, answer: dict[str, Any]) -> None:
        self._answers[key] = answer
        if len(self._answers) > MAX_ANSWERS:
            self._answers.popitem(last=False)

    async def _ask_worker(self, question: Question) -> dict[str, Any]:
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                advice: dict[str, Any] = await self._worker.ask(question)
        except (TimeoutError, WorkerFailed):
            raise Refused("The coach has no answer; play on without it.") from None
        return advice

    async def close(self) -> None:
        """End the worker; the next question starts another."""
        await self._worker.close()


def build_question(round: Round) -> dict[str, Any]:
    """Everything that the player knows, and nothing else."""
    return {
        **game_to_data(round.game),
        "seen": [card if card >= 0 else UNKNOWN for card in round.seen],
        "wagers": dict(round.wagers),
        "chosen": list(round.chosen),
    }


# -- In the worker ----------------------------------------------------------------------------------


def answer(question: Question, progress: Progress) -> dict[str, Any]:
    """The open choices with their values in cents, best first."""
    round = read_round(question)
    choices = [
        {"choice": one.choice, "expected": float(one.expected), "cost": float(one.cost)}
        for one in advise(round)
    ]
    return {"unit": max(round.wagers.values()), "choices": choices}


def read_round(question: Question) -> Round:
    """The round that `build_question` wrote."""
    game = game_from_data(question)
    return Round(game, Cards(question["seen"]), question["wagers"], tuple(question["chosen"]))


if __name__ == "__main__":
    run_worker(answer)
