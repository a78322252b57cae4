"""Replays: a recorded round is dealt again by the rules, and every call, card and payment is compared.

While a shoe is in use its order is secret. The replay then puts the cards that were laid open in their
places, and any cards that are left over in the places of burnt and undealt cards. Nobody ever sees those,
so no choice and no payment can depend on them.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice, zip_longest
from typing import NamedTuple

from feltlab.core.cards import Cards
from feltlab.core.choices import name_choice
from feltlab.core.deal import Deal
from feltlab.errors import Refused
from feltlab.games.rules_history import earlier_name
from feltlab.pit.irregularities.hands import cards_due
from feltlab.pit.recorded_round import FACE_DOWN_TEXT, RecordedPayment, RecordedRound, parse_order
from feltlab.pit.table_state import cards_shown
from feltlab.text import dollars

# The subjects of a difference.
CALLS, CARDS, CHOICES, PAYMENTS, RETURNED = "calls", "cards", "choices", "payments", "returned"
COUNTS = "counts"  # of cards, in an irregularity


class Difference(NamedTuple):
    """A place where the record and the rules disagree."""

    about: str
    place: int  # which call, card, choice, payment or seat
    sentence: str


@dataclass(frozen=True)
class Replay:
    """A recorded round beside the same round dealt by the rules."""

    recorded: RecordedRound
    deals: tuple[Deal, ...]  # before the first choice, and after each choice
    differences: tuple[Difference, ...]

    @property
    def same(self) -> bool:
        return not self.differences

    @property
    def sentences(self) -> list[str]:
        note = " It was recorded under other rules." if self.recorded.under_other_rules else ""
        return [f"{difference.sentence}{note}" for difference in self.differences]

    def difference(self, about: str, place: int) -> str:
        """The sentence about the difference at a place, or ''."""
        return next((d.sentence for d in self.differences if (d.about, d.place) == (about, place)), "")


def replay_round(recorded: RecordedRound) -> Replay:
    """Deal a recorded round again, with the same choices, by the rules of today."""
    deals: list[Deal] = []
    differences = list(_play(recorded, deals) if recorded.calls else ())
    differences += _compare_counts(recorded, deals)
    differences += _compare_refunds(recorded) if recorded.void else ()
    return Replay(recorded, tuple(deals), tuple(differences))


def _play(recorded: RecordedRound, deals: list[Deal]) -> Iterator[Difference]:
    """Play the round, append each deal to `deals`, and yield the differences."""
    if not (recorded.order or recorded.laid_open):
        return  # a void round whose cards are still secret
    try:
        deals.append(Deal(recorded.game, _lay_out_shoe(recorded), recorded.seats))
    except Refused as refused:
        yield Difference(CARDS, 0, f"It cannot be dealt: {refused}")
        return
    yield from _compare_calls(recorded, deals[0])
    yield from _play_choices(recorded, deals)
    if recorded.void:
        payments = tuple(_due_payments(recorded, deals[-1]))[: len(recorded.payments)]
        yield from _compare_payments(recorded, payments)
        return
    if len(deals) > len(recorded.choices):
        yield from _compare_end(recorded, deals[-1])
        yield from _compare_last_stage(recorded, deals)
    else:
        due = cards_shown(deals[-1]).split()
        yield from _compare_cards(recorded.laid_open.split()[: len(due)], due)


def _play_choices(recorded: RecordedRound, deals: list[Deal]) -> Iterator[Difference]:
    seats = {seat.position - 1: n for n, seat in enumerate(recorded.seats)}
    for place, choice in enumerate(recorded.choices):
        chose = f"Seat {choice.seat + 1} chose {choice.choice!r}"
        try:
            turn = seats.get(choice.seat, -1)
            wagers = recorded.seats[turn].wagers if turn >= 0 else {}
            named = name_choice(recorded.game, wagers, choice.choice, choice.cents)
            after = deals[-1].choose(turn, named)
        except Refused as refused:
            yield Difference(CHOICES, place, f"{chose}, which the rules refuse: {refused}")
            return
        yield from _compare_stage(recorded, place, deals[-1])
        asked = deals[-1].asked
        cost = asked.cost(named) if asked else 0
        if cost != choice.cents:
            sentence = f"{chose} for {dollars(choice.cents)}; by the rules it costs {dollars(cost)}."
            yield Difference(CHOICES, place, sentence)
        deals.append(after)


def _lay_out_shoe(recorded: RecordedRound) -> Cards:
    """The cards that the round can take, in the revealed order, or those that were laid open."""
    size = max(recorded.game.cards_needed(len(recorded.seats)), recorded.laid_open.count(":"))
    order = recorded.dealt_order
    if order is not None:
        return Cards(order[recorded.start : recorded.start + size])
    fallen = [text.partition(":")[2] for text in recorded.laid_open.split()]
    known = parse_order(" ".join(card for card in fallen if card != FACE_DOWN_TEXT))
    left = (Counter(recorded.game.deck.cards) - Counter(known)).elements()
    shown = iter(known)
    places = [next(left if card == FACE_DOWN_TEXT else shown) for card in fallen]
    return Cards((*places, *islice(left, size - len(places))))


# -- Comparisons ------------------------------------------------------------------------------------


def _compare_calls(recorded: RecordedRound, deal: Deal) -> Iterator[Difference]:
    if recorded.calls != deal.calls:
        for place, (call, due) in enumerate(zip_longest(recorded.calls, deal.calls)):
            if call != due:
                yield Difference(
                    CALLS, place, f"The dealer called {call!r}; by the rules the call is {due!r}."
                )


def _compare_end(recorded: RecordedRound, deal: Deal) -> Iterator[Difference]:
    due = cards_shown(deal)
    if recorded.laid_open != due:
        yield from _compare_cards(recorded.laid_open.split(), due.split())
    used = recorded.start + len(deal.dealt)
    if recorded.used != used:
        sentence = f"{recorded.used} cards of the shuffle were used; by the rules it is {used}."
        yield Difference(CARDS, len(deal.dealt), sentence)
    if deal.turn is not None:
        sentence = f"It was settled while seat {deal.positions[deal.turn]} had to choose."
        yield Difference(CHOICES, len(recorded.choices), sentence)
    else:
        due_payments = tuple(_due_payments(recorded, deal))
        yield from _compare_payments(recorded, due_payments)
        yield from _compare_returns(recorded, _returned_by(recorded, due_payments))


def _compare_cards(laid: list[str], due: list[str]) -> Iterator[Difference]:
    for place, (shown, right) in enumerate(zip_longest(laid, due, fillvalue="none")):
        if shown != right:
            sentence = f"Card {place + 1} was laid open as {shown}; by the rules it is {right}."
            yield Difference(CARDS, place, sentence)


def _due_payments(recorded: RecordedRound, deal: Deal) -> Iterator[RecordedPayment]:
    """The payments by the rules, each outcome under the name that it had when it was recorded."""
    for place, (seat, paid) in enumerate(deal.payments):
        digest, outcome = recorded.digest_at(place), paid.outcome
        if digest != recorded.game.digest:
            units = deal.rounds[seat].units(paid.spot)
            outcome = earlier_name(recorded.game, digest, paid.spot.name, outcome, units)
        yield RecordedPayment(deal.positions[seat] - 1, paid.spot.name, outcome, paid.staked, paid.net)


def _compare_payments(recorded: RecordedRound, due: tuple[RecordedPayment, ...]) -> Iterator[Difference]:
    """A round that was settled at its end is not compared in the order of the stages."""
    if not recorded.in_stages:
        due = _in_recorded_order(recorded, due)
    if recorded.payments != due:
        for place, (paid, right) in enumerate(zip_longest(recorded.payments, due, fillvalue="none")):
            if paid != right:
                sentence = f"Payment {place + 1} is {paid}; by the rules it is {right}."
                yield Difference(PAYMENTS, place, sentence)


def _compare_stage(recorded: RecordedRound, place: int, deal: Deal) -> Iterator[Difference]:
    """Before a choice, exactly the wagers are settled that are decided by then."""
    settled, due = recorded.choices[place].settled, len(deal.payments)
    if recorded.in_stages and settled != due:
        sentence = f"Before choice {place + 1}, {settled} wagers were settled; by the rules it is {due}."
        yield Difference(PAYMENTS, min(settled, due), sentence)


def _compare_last_stage(recorded: RecordedRound, deals: list[Deal]) -> Iterator[Difference]:
    """Before all cards were laid open, everything was settled but the stop that ended the round."""
    end, total = deals[-1], len(deals[-1].payments)
    collected = 0  # after the last choice, at single seats
    if len(deals) > 1:
        later = end.stop_counts[deals[-2].stops :]
        collected = later[0][0] if later else total
    due = max(collected, *(after for _, after in end.stop_counts if after < total), 0)
    if recorded.in_stages and recorded.settled != due:
        settled = f"{recorded.settled} wagers were settled; by the rules it is {due}"
        sentence = f"Before the cards were laid open, {settled}."
        yield Difference(PAYMENTS, min(recorded.settled, due), sentence)


def _in_recorded_order(
    recorded: RecordedRound, due: tuple[RecordedPayment, ...]
) -> tuple[RecordedPayment, ...]:
    places = {(paid.seat, paid.spot): place for place, paid in enumerate(recorded.payments)}
    return tuple(sorted(due, key=lambda paid: places.get((paid.seat, paid.spot), len(places))))


def _returned_by(recorded: RecordedRound, payments: tuple[RecordedPayment, ...]) -> dict[int, int]:
    back = dict.fromkeys((seat.position - 1 for seat in recorded.seats), 0)
    for owed in payments:
        back[owed.seat] += owed.staked + owed.net
    return back


def _compare_counts(recorded: RecordedRound, deals: list[Deal]) -> Iterator[Difference]:
    """An irregularity names the number of cards that its hand had by the rules at that moment."""
    for place, noted in enumerate(recorded.irregularities):
        if noted.due is None or noted.choices >= len(deals):
            continue
        try:
            due = cards_due(replace(deals[noted.choices], settled=noted.stages)).get(noted.hand)
        except Refused:  # the round cannot have been at that stage
            due = None
        if due != noted.due:
            sentence = f"{noted.due} cards are recorded as due to {noted.hand}; by the rules it is {due}."
            yield Difference(COUNTS, place, sentence)


def _compare_refunds(recorded: RecordedRound) -> Iterator[Difference]:
    """A void round returns everything that lay on the felt; what was settled before stays settled."""
    back = {seat.position - 1: sum(seat.wagers.values()) for seat in recorded.seats}
    for choice in recorded.choices:
        back[choice.seat] = back.get(choice.seat, 0) + choice.cents
    for paid in recorded.payments:
        back[paid.seat] = back.get(paid.seat, 0) + paid.net
    return _compare_returns(recorded, back)


def _compare_returns(recorded: RecordedRound, due: Mapping[int, int]) -> Iterator[Difference]:
    if recorded.returned != due:
        for seat in sorted({*recorded.returned, *due}):
            got, right = recorded.returned.get(seat, 0), due.get(seat, 0)
            if got != right:
                sentence = f"Seat {seat + 1} took back {dollars(got)}; by the rules it is {dollars(right)}."
                yield Difference(RETURNED, seat, sentence)
