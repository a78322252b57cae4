"""The drill of settling: take, push or pay each wager, in the approved order, from right to left."""

from collections.abc import Sequence
from itertools import groupby

from feltlab.core.settlement import Settled
from feltlab.errors import Refused
from feltlab.school.course import PAY, PUSH, TAKE
from feltlab.school.drills.question import SETTLE, DrillQuestion, describe_felt
from feltlab.school.hands import Draw, TrainingHand, deal_hand
from feltlab.school.rule_book import RuleBook
from feltlab.school.settling import (
    action_of,
    bonus_base,
    count_outcomes,
    describe_wager,
    judge_action,
    judge_order,
    wager_slip,
)
from feltlab.school.slips import DealerSlip
from feltlab.text import dollars

NAME, TITLE = "settle", "Take, push or pay"


def ask(book: RuleBook, draw: Draw, seed: int, level: int) -> DrillQuestion | None:
    """Ask for the settlement of a whole deal."""
    hand = deal_hand(book.game, draw, level)
    truth = tuple(f"{seat + 1} {paid.spot.name} {action_of(paid)}" for seat, paid in hand.payments)
    return DrillQuestion(
        NAME,
        str(book.game),
        seed,
        level,
        "Settle every wager in the approved order: take, push or pay.",
        SETTLE,
        truth,
        felt=describe_felt(hand),
        facts={"hand": hand, "met": count_outcomes(hand.payments)},
    )


def judge(question: DrillQuestion, answer: Sequence[str], book: RuleBook) -> tuple[list[DealerSlip], str]:
    hand: TrainingHand = question.facts["hand"]
    due = {(seat, paid.spot.name): paid for seat, paid in hand.payments}
    known = {(seat, paid.spot.name): paid for seat, paid in hand.deal.payments}  # and bonuses not won
    given = [_parse(word, known) for word in answer]
    order = [place for place, _ in given if place in due]
    slips = [
        slip for place, action in given for slip in _judge_wager(book, hand, known[place], place, action)
    ]
    slips += judge_order(book, order, list(due))
    slips += [_missed(book, hand, paid, place) for place, paid in due.items() if place not in order]
    return slips, f"In order: {_say_order(hand)}."


def _judge_wager(
    book: RuleBook, hand: TrainingHand, paid: Settled, place: tuple[int, str], action: str
) -> list[DealerSlip]:
    return judge_action(book, hand, paid, place, action)


def _say_order(hand: TrainingHand) -> str:
    """'seat 2: take Ante, pay Pair Plus; seat 1: push Ante'."""
    seats = groupby(hand.payments, key=lambda pair: pair[0])
    return "; ".join(
        f"seat {seat + 1}: {', '.join(f'{action_of(paid)} {paid.spot.title}' for _, paid in payments)}"
        for seat, payments in seats
    )


def _parse(word: str, known: dict[tuple[int, str], Settled]) -> tuple[tuple[int, str], str]:
    seat, _, rest = word.partition(" ")
    spot, _, action = rest.rpartition(" ")
    place = (int(seat) - 1 if seat.isdecimal() else -1, spot)
    if place not in known or action not in (TAKE, PUSH, PAY):
        raise Refused(f"{word!r} is not a wager of this table with take, push or pay, such as '1 SPOT pay'.")
    return place, action


def _missed(book: RuleBook, hand: TrainingHand, paid: Settled, place: tuple[int, str]) -> DealerSlip:
    what = f"{describe_wager(paid, place)} is not settled: {action_of(paid)} {dollars(abs(paid.net))}."
    return wager_slip("missed-wager", what, book.cite("once"), paid, 0, bonus_base(hand, place[0], paid))
