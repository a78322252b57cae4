"""The course of a hand: every act of a dealer who makes no slip, in the approved order.

Cards, stops to settle and choices come from the `Deal`; the calls come from the dealing procedure of the
rule sheet. A drill of planted errors changes one event of a course, and a whole table is dealt against it.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from feltlab.core.cards import FACE_DOWN
from feltlab.core.choices import split_choice
from feltlab.core.deal import Deal
from feltlab.core.deal_state import Payments
from feltlab.core.layout import BOARD, BURNT, DEALER
from feltlab.core.settlement import Settled
from feltlab.pit.irregularities.hands import seat_hand, seat_of_hand
from feltlab.school.chips import fewest_chips, name_chips, parse_chips
from feltlab.school.hands import TrainingHand, dealer_qualifies, shown_cards
from feltlab.school.rule_book import RuleBook, open_book
from feltlab.submission.procedure import ProcedureStep
from feltlab.text import capitalised, dollars

CALL, PITCH, ASK, TURN, TAKE, PUSH, PAY, COLLECT, END = ACT_KINDS = (
    *("call", "pitch", "ask", "turn"),
    *("take", "push", "pay", "collect", "end"),
)
SETTLING_KINDS = (TAKE, PUSH, PAY)
TABLE, BURN = "table", "burn"
_PLACES = {DEALER: "dealer", BOARD: "board", BURNT: BURN}
_QUOTED = re.compile(r'"([^"]+)"')


@dataclass(frozen=True)
class DealerAct:
    """One act of the dealer."""

    kind: str  # one of ACT_KINDS
    place: str = ""  # 'seat 2', 'dealer', 'board', 'burn' or 'table'
    words: str = ""  # of a call
    spot: str = ""  # of a wager
    chips: tuple[int, ...] = ()  # paid, or taken where not all is lost; values in cents
    cards: int = 0  # that are dealt or turned together

    @property
    def cents(self) -> int:
        return sum(self.chips)

    @property
    def seat(self) -> int | None:
        """The seat, counted from 0; None for places that all seats share."""
        return seat_of_hand(self.place)

    def to_json(self) -> dict[str, object]:
        return {**vars(self), "chips": list(self.chips)}


def read_act(data: dict[str, object]) -> DealerAct:
    """An act from plain data; refuses chips that the tray does not have."""
    texts = {name: str(data.get(name, "")) for name in ("kind", "place", "words", "spot")}
    chips, cards = data.get("chips") or (), data.get("cards") or 0
    assert isinstance(chips, list | tuple)
    assert isinstance(cards, int)
    return DealerAct(**texts, chips=parse_chips([str(chip) for chip in chips]), cards=cards)


def describe_act(act: DealerAct, hand: TrainingHand) -> str:
    """'Pays Ante of seat 2 $15: 3 red.'"""
    if act.kind == CALL:
        return f"Calls: {act.words}"
    title = hand.game.spot(act.spot).title if act.spot else ""
    chips = f" {dollars(act.cents)}: {name_chips(act.chips)}" if act.chips else ""
    count = f"{act.cards} card{'s' * (act.cards > 1)}" if act.cards else "cards"
    return {
        PITCH: f"Burns {count}." if act.place == BURN else f"Deals {count} to {name_place(act.place)}.",
        ASK: f"Asks {act.place} to choose.",
        TURN: f"Turns up {count} of {name_place(act.place)}.",
        TAKE: f"Takes {title} of {act.place}{chips}.",
        PUSH: f"Leaves {title} of {act.place} to the player.",
        PAY: f"Pays {title} of {act.place}{chips}.",
        COLLECT: "Collects the cards.",
        END: "Ends the round.",
    }[act.kind]


def name_place(place: str) -> str:
    """'seat 2' or 'the dealer'."""
    return place if place.startswith("seat") else f"the {place}"


# -- The course -------------------------------------------------------------------------------------


def list_acts(hand: TrainingHand, book: RuleBook | None = None) -> tuple[DealerAct, ...]:
    """All acts of a perfect dealer from the closing of the bets to the end of the round."""
    return tuple(_list_acts(hand, book or open_book(hand.game)))


def _list_acts(hand: TrainingHand, book: RuleBook) -> Iterator[DealerAct]:
    states = hand.states
    yield from (DealerAct(CALL, TABLE, call) for call in states[0].calls)
    yield from _deal_between(hand, None, states[0], book)
    for before, after in pairwise(states):
        assert before.turn is not None
        place = seat_hand(before.turn)
        yield DealerAct(ASK, place)
        chosen = after.seats[before.turn].chosen[-1]
        yield from (DealerAct(CALL, place, words) for words in calls_of_choice(book, chosen))
        yield from _deal_between(hand, before, after, book)
    yield DealerAct(COLLECT, TABLE)
    yield from (DealerAct(CALL, TABLE, words) for words in closing_calls(book))
    yield DealerAct(END, TABLE)


def _deal_between(
    hand: TrainingHand, before: Deal | None, after: Deal, book: RuleBook
) -> Iterator[DealerAct]:
    """Cards, turns and payments between two states of the deal."""
    dealt, stages = (len(before.dealt), len(before.stages)) if before else (0, 0)
    turns = list(_turns(before, after))
    for number, payments in after.stages[stages:]:
        yield from _pitch(after, dealt, number)
        dealt = max(dealt, number)
        if turns and _needs_turn(payments, after, number):
            yield from _turn_up(hand, turns, book)
            turns = []
        yield from settle_acts(payments)
    yield from _pitch(after, dealt, len(after.dealt))
    yield from _turn_up(hand, turns, book)


def _pitch(deal: Deal, first: int, end: int) -> Iterator[DealerAct]:
    receivers = (who for who, _ in deal.dealt[first:end])
    for who, packet in groupby(receivers):
        place = _PLACES.get(who) or seat_hand(who)
        yield DealerAct(PITCH, place, cards=len(list(packet)))


def _turns(before: Deal | None, after: Deal) -> Iterator[DealerAct]:
    """The shared cards that lay face down and are face up now."""
    hidden = shown_cards(before) if before else {}
    for place, cards in shown_cards(after).items():
        pairs = zip(hidden.get(place, ()), cards, strict=False)
        count = sum(was == FACE_DOWN and now >= 0 for was, now in pairs)
        if count:
            yield DealerAct(TURN, place, cards=count)


def _needs_turn(payments: Payments, deal: Deal, number: int) -> bool:
    """Whether a stop settles more than what a choice gave up."""
    return any(paid.spot.name not in deal.rounds[seat].forfeited for seat, paid in payments)


def _turn_up(hand: TrainingHand, turns: Sequence[DealerAct], book: RuleBook) -> Iterator[DealerAct]:
    yield from turns
    if any(act.place == "dealer" for act in turns):
        yield from (DealerAct(CALL, TABLE, words) for words in calls_of_dealer(hand, book))


def settle_acts(payments: Payments) -> Iterator[DealerAct]:
    """The acts that settle wagers, without those where no chip moves."""
    for seat, paid in payments:
        if paid.staked or paid.net:
            yield settle_act(seat, paid)


def settle_act(seat: int, paid: Settled) -> DealerAct:
    """Take, push or pay a wager, with the fewest chips."""
    place = seat_hand(seat)
    if paid.net > 0:
        return DealerAct(PAY, place, spot=paid.spot.name, chips=fewest_chips(paid.net))
    if paid.net == 0:
        return DealerAct(PUSH, place, spot=paid.spot.name)
    part = fewest_chips(-paid.net) if -paid.net < paid.staked else ()
    return DealerAct(TAKE, place, spot=paid.spot.name, chips=part)


# -- Calls ------------------------------------------------------------------------------------------


def list_calls(book: RuleBook) -> list[tuple[ProcedureStep, tuple[str, ...]]]:
    """The steps of the procedure at which the dealer says something, with the words in quotes."""
    steps = [step for step in book.steps if step.says and step.actor == "dealer"]
    return [(step, quoted_words(step)) for step in steps]


def quoted_words(step: ProcedureStep) -> tuple[str, ...]:
    """The words of a step's call that are in quotes, or all of it."""
    return tuple(_QUOTED.findall(step.says)) or (step.says,)


def calls_of_choice(book: RuleBook, choice: str) -> Iterator[str]:
    """The call after a choice, where the procedure has one with its name."""
    name = split_choice(choice)[0]
    for _, words in list_calls(book):
        yield from (said for said in words if _plain(said) == _plain(name))


def calls_of_dealer(hand: TrainingHand, book: RuleBook) -> Iterator[str]:
    """The call that the dealer's hand is good enough or not, where the procedure has it."""
    qualifies = dealer_qualifies(hand)
    for words in qualification_calls(book) if qualifies is not None else ():
        yield words[0 if qualifies else 1]


def qualification_calls(book: RuleBook) -> list[tuple[str, ...]]:
    """The two calls about the dealer's hand: it is good enough, and it is not."""
    return [words for _, words in list_calls(book) if len(words) == 2 and " not " in words[1]]


def closing_calls(book: RuleBook) -> Iterator[str]:
    """The last call of the round, which opens the next one."""
    calls = list_calls(book)
    if calls and calls[-1][0] == book.steps[-1]:
        yield from calls[-1][1][:1]


def _plain(words: str) -> str:
    return capitalised(words.strip(" .!?").lower())
