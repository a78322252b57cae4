"""Settling a wager: the right action, and the slips of a wrong action or a wrong order."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from feltlab.core.settlement import Settled
from feltlab.school.course import PAY, PUSH, TAKE, DealerAct
from feltlab.school.hands import TrainingHand
from feltlab.school.rule_book import Citation, RuleBook
from feltlab.school.slips import DealerSlip, split_cost
from feltlab.text import dollars


def action_of(paid: Settled) -> str:
    """Take, push or pay: what the dealer does with a wager."""
    return PAY if paid.net > 0 else TAKE if paid.net < 0 else PUSH


def find_paid(hand: TrainingHand, act: DealerAct) -> Settled:
    """The settled wager that an act is about."""
    found = (paid for n, paid in hand.payments if (n, paid.spot.name) == (act.seat, act.spot))
    return next(found)


def name_outcome(paid: Settled) -> str:
    """'ante: better hand', as progress counts it."""
    return name_spot_outcome(paid.spot.name, paid.outcome)


def name_spot_outcome(spot: str, outcome: str) -> str:
    return f"{spot}: {outcome}"


def count_outcomes(payments: Iterable[tuple[int, Settled]]) -> Mapping[str, int]:
    """The outcomes that a dealer had to settle."""
    return Counter(name_outcome(paid) for _, paid in payments)


def wager_slip(kind: str, what: str, clause: Citation, paid: Settled, done: int, base: int = 0) -> DealerSlip:
    """The slip of a wager that was settled wrongly; `base` is the wager that a bonus is paid on."""
    cost = split_cost(done, paid.net)
    return DealerSlip(kind, what, clause, **cost, wager=name_outcome(paid), staked=paid.staked or base)


def cite_wager(book: RuleBook, hand: TrainingHand, seat: int, paid: Settled) -> Citation:
    """The clause that decides a wager of a seat."""
    beside = [name_outcome(other) for n, other in hand.payments if n == seat and other != paid]
    return book.cite_outcome(paid.spot, paid.outcome, beside)


def judge_action(
    book: RuleBook, hand: TrainingHand, paid: Settled, place: tuple[int, str], action: str, cents: int = 0
) -> list[DealerSlip]:
    """The slip of a wrong action on a wager, with its cost by the settlement; without chips at even money."""
    if action == action_of(paid):
        return []
    base = bonus_base(hand, place[0], paid)
    moved = cents or paid.staked or base
    done = {TAKE: -moved, PUSH: 0, PAY: moved}[action]
    due = {PAY: f"pay {dollars(paid.net)}", TAKE: f"take {dollars(-paid.net)}", PUSH: "push"}
    what = f"{describe_wager(paid, place)}: {due[action_of(paid)]}, not {action}."
    clause = cite_wager(book, hand, place[0], paid)
    return [wager_slip("wrong-result", what, clause, paid, done, base)]


def bonus_base(hand: TrainingHand, seat: int, paid: Settled) -> int:
    """The wager that a bonus is paid on, in cents; 0 for what is no bonus."""
    return hand.wagers[seat].get(paid.spot.bonus_on, 0) if paid.spot.bonus_on else 0


def judge_order(
    book: RuleBook, order: Sequence[tuple[int, str]], due: Sequence[tuple[int, str]]
) -> list[DealerSlip]:
    """Slips of the order: seats against the direction, wagers of a seat, a wager that is settled twice."""
    slips, left = [], list(due)
    for seat, spot in order:
        if (seat, spot) not in left:
            slips.append(
                DealerSlip(
                    "settled-twice",
                    f"{_name(book, spot)} of seat {seat + 1} is settled twice.",
                    book.cite("once"),
                )
            )
            continue
        first = left[0]
        if first != (seat, spot):
            slips.append(order_slip(book, first, (seat, spot)))
        left.remove((seat, spot))
    return slips


def order_slip(book: RuleBook, due: tuple[int, str], done: tuple[int, str]) -> DealerSlip:
    """The slip of settling one wager before another that is due first."""
    first, second = (f"{_name(book, spot)} of seat {seat + 1}" for seat, spot in (due, done))
    what = f"{first} is settled before {second}."
    if due[0] == done[0]:
        return DealerSlip("wrong-order", what, book.cite("order"))
    return DealerSlip("wrong-direction", what, book.cite("direction"))


def describe_wager(paid: Settled, place: tuple[int, str]) -> str:
    return f"{paid.spot.title} of seat {place[0] + 1} ({paid.outcome})"


def _name(book: RuleBook, spot: str) -> str:
    return book.game.spot(spot).title
