"""The drill of irregularities: a misdeal or a fault of the shuffler, and what to do now."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from feltlab.core.cards import Cards
from feltlab.core.deal import Deal
from feltlab.pit.irregularities.hands import describe_hand, hands_of, seat_of_hand
from feltlab.pit.irregularities.kinds import (
    CORRECT,
    EXPOSED_CARD,
    PLAY_ON,
    VOID,
    WRONG_COUNT,
    WRONG_PAYMENT,
    WRONG_SEAT,
    IrregularityKind,
    describe_decision,
    irregularity_kinds,
)
from feltlab.school.course import name_place
from feltlab.school.drills.frames import HIDDEN, SHOE
from feltlab.school.drills.moments import show_wagers, turn_down
from feltlab.school.drills.question import ONE, AnswerOption, DrillQuestion, describe_felt
from feltlab.school.hands import Draw, TrainingHand, deal_hand, draw_table
from feltlab.school.rule_book import RuleBook
from feltlab.school.session_view import deals_face_up
from feltlab.school.slips import DealerSlip, SlipCost
from feltlab.shuffling.guide import fault_guides

NAME, TITLE = "misdeal", "Misdeals and shuffler faults"
FAULT_SHARE = 0.3  # of the questions
DECISIONS = (VOID, PLAY_ON, CORRECT)
OPTIONS = 4


def ask(book: RuleBook, draw: Draw, seed: int, level: int) -> DrillQuestion | None:
    """Ask for the decision on an irregularity of a random deal, or for the first check of a fault."""
    if draw.random() < FAULT_SHARE:
        return _ask_fault(book, draw, seed, level)
    hand = deal_hand(book.game, draw, level)
    kinds = irregularity_kinds()
    kind = kinds[int(draw.integers(len(kinds)))]
    state = hand.states[int(draw.integers(len(hand.states)))]
    is_choosing, has_looked = state.turn is not None, bool(draw.random() < 0.5)
    names = hands_of(state)
    name = names[int(draw.integers(len(names)))]
    felt = _show_irregularity(book, hand, state, kind, name)
    prompt = _describe(kind, name, is_choosing, has_looked, SHOE in felt)
    return DrillQuestion(
        NAME,
        str(book.game),
        seed,
        level,
        f"{prompt} What now?",
        ONE,
        (decide(kind, is_choosing, has_looked),),
        tuple(AnswerOption(name, describe_decision(name)) for name in DECISIONS),
        felt=felt,
        facts={"kind": kind.name, "hand": hand},
    )


def decide(kind: IrregularityKind, is_choosing: bool, has_looked: bool) -> str:
    """The decision that the clause provides for; a card that nobody has looked at is put right."""
    if kind.name == WRONG_SEAT:
        return VOID if has_looked else PLAY_ON
    return kind.decisions_at(is_choosing)[0]


def _describe(kind: IrregularityKind, hand: str, is_choosing: bool, has_looked: bool, of_shoe: bool) -> str:
    moment = "A seat has yet to choose." if is_choosing else "All seats have chosen."
    looked = "A player has looked at it." if has_looked else "Nobody has looked at it."
    seen = "The next card of the shoe" if of_shoe else f"A card of {name_place(hand)} that lay face down"
    return {
        WRONG_COUNT: f"{describe_hand(hand)} has one card too many. {moment}",
        EXPOSED_CARD: f"{seen} was seen. {moment}",
        WRONG_SEAT: f"A card for {name_place(hand)} was dealt out of turn. {looked}",
        WRONG_PAYMENT: "The round is over. You find that a wager of it was paid wrongly.",
    }.get(kind.name, f"{kind.title}: {hand}. {moment}")


def _show_irregularity(
    book: RuleBook, hand: TrainingHand, state: Deal, kind: IrregularityKind, name: str
) -> dict[str, Any]:
    """The table when the irregularity is found: one card more, or the card that was seen."""
    if kind.name == WRONG_PAYMENT:
        return describe_felt(hand)
    felt, end = describe_felt(hand, state), describe_felt(hand)
    if state.turn is not None and not deals_face_up(book):
        felt["seats"] = [{**seat, "cards": turn_down(seat["cards"])} for seat in felt["seats"]]
    seat = seat_of_hand(name)
    place, shown = (felt, end) if seat is None else (felt["seats"][seat], end["seats"][seat])
    key = name if seat is None else "cards"
    if kind.name == WRONG_COUNT:
        place[key] = f"{place[key]} {HIDDEN}".strip()
    if kind.name == EXPOSED_CARD and not _turn_up(place, shown, key):
        felt[SHOE] = _next_card(hand, state)
    return felt


def _turn_up(place: dict[str, Any], shown: dict[str, Any], key: str) -> bool:
    """Turn up the first card that lies face down; False if there is none."""
    lying, faces = str(place[key]).split(), str(shown[key]).split()
    hidden = [n for n, card in enumerate(lying) if card == HIDDEN and n < len(faces) and faces[n] != HIDDEN]
    if not hidden:
        return False
    lying[hidden[0]] = faces[hidden[0]]
    place[key] = " ".join(lying)
    return True


def _next_card(hand: TrainingHand, state: Deal) -> str:
    """The next card of the shoe, or the last one that it had."""
    return str(Cards([hand.shoe[min(len(state.dealt), len(hand.shoe) - 1)]]))


def _ask_fault(book: RuleBook, draw: Draw, seed: int, level: int) -> DrillQuestion:
    _, wagers = draw_table(book.game, draw, level)
    guides = list(fault_guides().values())
    guide = guides[int(draw.integers(len(guides)))]
    others = [str(n) for n in draw.permutation(np.array([g.kind for g in guides if g.kind != guide.kind]))]
    kinds = sorted([guide.kind, *others[: OPTIONS - 1]])
    return DrillQuestion(
        NAME,
        str(book.game),
        seed,
        level,
        f"The shuffler stops and shows: {guide.shows}. What do you check first?",
        ONE,
        (guide.kind,),
        tuple(AnswerOption(kind, fault_guides()[kind].first) for kind in kinds),
        felt=show_wagers(book, wagers, guide.shows),
        facts={"kind": ""},
    )


def judge(question: DrillQuestion, answer: Sequence[str], book: RuleBook) -> tuple[list[DealerSlip], str]:
    kind, right = question.facts["kind"], question.truth[0]
    says = next(option.text for option in question.options if option.key == right)
    if answer[0] == right:
        return [], says
    clause = book.cite_irregularity(kind) if kind else book.cite_fault()
    return [DealerSlip("wrong-decision", says, clause, **_cost(question, answer[0]))], says


def _cost(question: DrillQuestion, decision: str) -> SlipCost:
    """A void round gives back what the settlement moved: the sides lose what they had won."""
    hand: TrainingHand | None = question.facts.get("hand")
    if hand is None or VOID not in (decision, question.truth[0]):
        return {}
    net = sum(paid.net for _, paid in hand.payments)
    wrongly_void = decision == VOID
    house = -net if wrongly_void else net  # the house loses its win by a void, its loss without one
    return {"house_cents": max(0, house), "player_cents": max(0, -house)}
