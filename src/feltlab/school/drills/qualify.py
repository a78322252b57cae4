"""The drill of the dealer's qualification: is the dealer's hand good enough?"""

from collections.abc import Sequence

from feltlab.core.settlement import Settled
from feltlab.school.course import qualification_calls
from feltlab.school.drills.question import ONE, AnswerOption, DrillQuestion, describe_felt
from feltlab.school.hands import (
    NOT_QUALIFIED,
    Draw,
    TrainingHand,
    deal_hand,
    dealer_groups,
    dealer_qualifies,
    has_qualification,
)
from feltlab.school.rule_book import RuleBook
from feltlab.school.slips import DealerSlip, SlipCost

NAME, TITLE = "qualify", "Does the dealer qualify?"
TRIES = 30
YES, NO = "yes", "no"


def ask(book: RuleBook, draw: Draw, seed: int, level: int) -> DrillQuestion | None:
    """Ask whether the dealer qualifies; None where the rules have no such condition."""
    if not has_qualification(book.game):
        return None
    wanted = bool(draw.random() < 0.5)  # deals of both kinds are asked equally often
    for number in range(TRIES):
        hand = deal_hand(book.game, draw, level)
        truth = dealer_qualifies(hand)
        if truth is None or (truth != wanted and number < TRIES - 1):
            continue
        held, _ = dealer_groups(hand)
        calls = next(iter(qualification_calls(book)), ("The dealer qualifies", "The dealer does not qualify"))
        return DrillQuestion(
            NAME,
            str(book.game),
            seed,
            level,
            f"The dealer holds {held}. What do you call?",
            ONE,
            (YES if truth else NO,),
            (AnswerOption(YES, calls[0]), AnswerOption(NO, calls[1])),
            cards=str(held),
            felt=describe_felt(hand),
            facts={"hand": hand},
        )
    return None


def judge(question: DrillQuestion, answer: Sequence[str], book: RuleBook) -> tuple[list[DealerSlip], str]:
    hand, (right,) = question.facts["hand"], question.truth
    reading = "; ".join(dict.fromkeys(group.reading for group in dealer_groups(hand)[1]))
    says = f"{next(o.text for o in question.options if o.key == right)}: {reading}."
    if answer[0] == right:
        return [], says
    slip = DealerSlip("wrong-qualification", says, book.cite_qualification(), **misjudged_cost(hand))
    return [slip], says


def misjudged_cost(hand: TrainingHand) -> SlipCost:
    """The cost of the wrong call, where the settlement of the seat's other wagers tells what it would be."""
    wrong = {(seat, paid.spot.name): _net_if_misjudged(hand, seat, paid) for seat, paid in hand.payments}
    moved = [wrong[seat, paid.spot.name] - paid.net for seat, paid in hand.payments]
    return {"house_cents": sum(max(0, n) for n in moved), "player_cents": sum(max(0, -n) for n in moved)}


def _net_if_misjudged(hand: TrainingHand, seat: int, paid: Settled) -> int:
    """The net of a wager that is settled by the other call; its own net if that cannot be told."""
    lines = {line.outcome: line for line in hand.game.pay_table(paid.spot).lines}
    low = next((line for name, line in lines.items() if name.startswith(NOT_QUALIFIED)), None)
    if low is None or paid.spot.name in hand.deal.rounds[seat].given_up:
        return paid.net
    if not paid.outcome.startswith(NOT_QUALIFIED):
        return int(paid.staked * low.pays)
    others = (other.outcome for n, other in hand.payments if n == seat)
    return next(
        (int(paid.staked * lines[o].pays) for o in others if o in lines and o != paid.outcome), paid.net
    )
