"""The drill of calls: what the dealer says at a moment of the round, or that nothing is said."""

from collections.abc import Sequence

import numpy as np

from feltlab.school.course import list_calls
from feltlab.school.drills.moments import show_step
from feltlab.school.drills.question import NONE, ONE, AnswerOption, DrillQuestion
from feltlab.school.hands import Draw
from feltlab.school.rule_book import RuleBook
from feltlab.school.slips import DealerSlip

NAME, TITLE = "call", "Calls"
SILENT_SHARE = 0.25  # of the questions: steps at which the dealer says nothing
OPTIONS = 5


def ask(book: RuleBook, draw: Draw, seed: int, level: int) -> DrillQuestion | None:
    """Ask for the call at a step of the procedure; None where the rule sheet has no calls."""
    calls = [step for step, _ in list_calls(book)]
    silent = [step for step in book.steps if step.actor == "dealer" and not step.says]
    if not calls:
        return None
    asked = silent if silent and draw.random() < SILENT_SHARE else calls
    step = asked[int(draw.integers(len(asked)))]
    others = list(dict.fromkeys(each.says for each in calls if each.says != step.says))
    shown = [str(says) for says in draw.permutation(np.array(others))[: OPTIONS - 1]] if others else []
    words = sorted({*shown, *([step.says] if step.says else [])})
    options = [AnswerOption(says, _say_call(says)) for says in words]
    return DrillQuestion(
        NAME,
        str(book.game),
        seed,
        level,
        f"{step.moment}, step {step.number}: {step.does} What do you say?",
        ONE,
        (step.says or NONE,),
        (*options, AnswerOption(NONE, "Nothing is said.")),
        felt=show_step(book, step, draw, level),
        facts={"step": step},
    )


def _say_call(says: str) -> str:
    """A call as an option: in quotes, or what is announced: 'You announce the hand.'"""
    return says if says.startswith('"') else f"You announce {says.rstrip('.')}."


def judge(question: DrillQuestion, answer: Sequence[str], book: RuleBook) -> tuple[list[DealerSlip], str]:
    step = question.facts["step"]
    says = f"Step {step.number}: {step.says or 'nothing is said'}"
    if tuple(answer) == question.truth:
        return [], says
    kind = "missed-call" if answer[0] == NONE else "wrong-call"
    return [DealerSlip(kind, f"{says}, at {step.moment.lower()}.", book.cite_step(step))], says
