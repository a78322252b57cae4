"""The checks of a progressive before it opens at live tables: solvency, reserves, equal chances, the law.

A server calls `check_proposal`. Chances may take long to count, so a worker process counts them.
"""

from datetime import date
from typing import Any

from feltlab.analysis.progressives.proposal import make_proposal
from feltlab.errors import Refused
from feltlab.parallel.progress import Progress
from feltlab.progressives.progressive import Progressive
from feltlab.progressives.progressive_file import progressive_from_json, progressive_to_json
from feltlab.workers.protocol import Question, WorkerFailed, ask_once, run_worker


async def check_proposal(progressive: Progressive) -> None:
    """Refuse a progressive that fails a check, with the sentence of the first one."""
    try:
        failed = await ask_once("feltlab.workers.proposal", {"progressive": progressive_to_json(progressive)})
    except WorkerFailed as error:
        raise Refused(f"{progressive.title} cannot be checked: {error}") from None
    if failed:
        raise Refused(f"{progressive.title} does not pass its checks. {failed[0]}")


def answer(question: Question, progress: Progress) -> list[Any]:
    """The sentences of the checks that a progressive fails."""
    proposal = make_proposal(progressive_from_json(question["progressive"]), date.today())
    return [f"{item.sentence} ({item.citation})" for item in proposal.items if item.passes is False]


if __name__ == "__main__":
    run_worker(answer)
