"""The table at a moment of a round: at a step of the procedure, or before anything is dealt."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from feltlab.core.cards import FACE_DOWN, Cards
from feltlab.core.choices import split_choice
from feltlab.school.course import (
    ASK,
    CALL,
    COLLECT,
    PITCH,
    SETTLING_KINDS,
    TURN,
    DealerAct,
    list_acts,
    quoted_words,
)
from feltlab.school.drills.frames import Frame, freeze_table
from feltlab.school.hands import Draw, TrainingHand, deal_hand
from feltlab.school.rule_book import RuleBook
from feltlab.school.session import open_session
from feltlab.submission.procedure import ProcedureStep

TRIES = 60  # hands, until one has the choice that a call is about
STEM_CHARS = 5  # of a choice that a call names: 'insure' and 'Insurance?'
# The acts that a moment of the procedure begins with, by a word of its title; the last line fits all others.
MOMENT_ACTS = (
    ("Before", ()),
    ("After", (COLLECT,)),
    ("Settling", SETTLING_KINDS),
    ("choices", (ASK,)),
    ("dealer's", (TURN,)),
    ("", (PITCH, TURN)),
)
_CONDITION = re.compile(r"[^.:]+: ")  # 'Lower card: takes ...'


def show_step(book: RuleBook, step: ProcedureStep, draw: Draw, level: int) -> Frame:
    """The table of a random hand at a step of the procedure.

    The cards lie face down where the step is for a case that this hand may not be.
    """
    hand = _deal_for(book, step, draw, level)
    acts = list_acts(hand, book)
    at = _find_call(hand, step, acts)
    session = open_session(hand)
    for act in acts[: _find_moment(book, step, acts) if at is None else at]:
        session = session.perform(act)
    frame = freeze_table(session)
    return frame if at is not None or not _CONDITION.match(step.does) else _hide_cards(frame)


def show_wagers(book: RuleBook, wagers: Sequence[Mapping[str, int]], placard: str = "") -> dict[str, Any]:
    """The wagers of the seats before the deal, and a placard of the table."""
    seats = [{"seat": n, "wagers": dict(each), "cards": "", "chosen": []} for n, each in enumerate(wagers, 1)]
    spots = {spot.name: spot.title for spot in book.game.spots}
    return {"seats": seats, "spots": spots, "placard": placard}


def _deal_for(book: RuleBook, step: ProcedureStep, draw: Draw, level: int) -> TrainingHand:
    """A hand, best with a choice that the call of a step names."""
    named = [choice.name for choice in book.game.choices if _names_choice(step, choice.name)]
    for _ in range(TRIES if named else 1):
        hand = deal_hand(book.game, draw, level)
        if any(split_choice(choice)[0] in named for chosen in hand.chosen for choice in chosen):
            break
    return hand


def _names_choice(step: ProcedureStep, choice: str) -> bool:
    words = " ".join(quoted_words(step)).lower() if step.says else ""
    return bool(choice) and choice[:STEM_CHARS] in words


def _find_call(hand: TrainingHand, step: ProcedureStep, acts: Sequence[DealerAct]) -> int | None:
    """The place of the call of a step, or of the choice that it is about; None if the round has neither."""
    for n, act in enumerate(acts):
        if act.kind == CALL and step.says and act.words in quoted_words(step):
            return n
    made = [iter(chosen) for chosen in hand.chosen]
    asked = {n: next(made[act.seat or 0]) for n, act in enumerate(acts) if act.kind == ASK}
    named = [n for n, choice in asked.items() if _names_choice(step, split_choice(choice)[0])]
    if not named:
        return None
    return named[0] if step.says.endswith('?"') else named[-1] + 1


def _find_moment(book: RuleBook, step: ProcedureStep, acts: Sequence[DealerAct]) -> int:
    """The place where the moment of a step begins; moments follow the course in order."""
    place = 0
    for moment in dict.fromkeys(each.moment for each in book.steps):
        kinds = next(kinds for word, kinds in MOMENT_ACTS if word in moment)
        place = next((n for n, act in enumerate(acts) if n >= place and act.kind in kinds), place)
        if moment == step.moment:
            break
    return place


def _hide_cards(frame: Frame) -> Frame:
    """The frame with all cards face down."""
    areas = {name: turn_down(str(cards)) for name, cards in frame.items() if name not in ("seats", "spots")}
    seats = [{**seat, "cards": turn_down(str(seat["cards"]))} for seat in frame["seats"]]
    return {**frame, **areas, "seats": seats}


def turn_down(cards: str) -> str:
    """As many cards, face down."""
    return str(Cards(FACE_DOWN for _ in cards.split()))
