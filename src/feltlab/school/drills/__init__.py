"""Drills: each asks a question about a random hand and judges the answer by rules and settlement."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from feltlab.core.game import Game
from feltlab.errors import Unknown
from feltlab.school.drills import call, limit, misdeal, payment, qualify, read_hand, settle, watch
from feltlab.school.drills.question import DrillQuestion, DrillVerdict, check_answer
from feltlab.school.hands import LEVELS, Draw
from feltlab.school.rule_book import RuleBook, open_book
from feltlab.school.slips import DealerSlip
from feltlab.text import listing


@dataclass(frozen=True)
class Drill:
    """A kind of question."""

    name: str
    title: str
    ask: Callable[[RuleBook, Draw, int, int], DrillQuestion | None]
    judge: Callable[[DrillQuestion, Sequence[str], RuleBook], tuple[list[DealerSlip], str]]


DRILLS: Mapping[str, Drill] = {
    module.NAME: Drill(module.NAME, module.TITLE, module.ask, module.judge)
    for module in (read_hand, qualify, settle, payment, call, misdeal, limit, watch)
}
SEEDS = 2**32
PROBES = 3  # seeds that are tried before a drill counts as one that a game does not have


def find_drill(name: str) -> Drill:
    if name not in DRILLS:
        raise Unknown(f"{name!r} is not a drill; the drills are {listing(DRILLS)}.")
    return DRILLS[name]


def ask_question(game: Game, drill: str, seed: int, level: int = 1) -> DrillQuestion:
    """The question of a seed; the same arguments ask the same question."""
    if level not in LEVELS:
        raise Unknown(f"{level} is not a level; the levels are {listing(LEVELS)}.")
    draw = np.random.default_rng([seed % SEEDS, level, *drill.encode()])
    question = find_drill(drill).ask(open_book(game), draw, seed, level)
    if question is None:
        raise Unknown(f"{game.title} has no question for the drill {drill!r} here.")
    return question


def judge_answer(game: Game, question: DrillQuestion, answer: Sequence[str]) -> DrillVerdict:
    """The verdict on an answer, with a slip for each mistake."""
    words = check_answer(question, answer)
    slips, says = find_drill(question.drill).judge(question, words, open_book(game))
    return DrillVerdict(words, question.truth, tuple(slips), says, question.facts.get("met", {}))


def drills_of(game: Game) -> tuple[Drill, ...]:
    """The drills that a game has questions for."""
    return tuple(drill for drill in DRILLS.values() if _has_questions(game, drill.name))


def _has_questions(game: Game, drill: str) -> bool:
    for seed in range(PROBES):
        try:
            ask_question(game, drill, seed)
        except Unknown:
            continue
        return True
    return False
