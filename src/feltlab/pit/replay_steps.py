"""A replayed round step by step, in words."""

import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from feltlab.core.deal import Deal
from feltlab.pit.irregularities.kinds import VOID
from feltlab.pit.irregularities.recorded import RecordedIrregularity
from feltlab.pit.recorded_round import RecordedRound
from feltlab.pit.replay import CALLS, CARDS, CHOICES, COUNTS, PAYMENTS, RETURNED, Replay
from feltlab.pit.table_state import cards_shown
from feltlab.text import dollars, signed_dollars

SEEDS = "seeds"  # the subject of a step before the cards
CORRECTIONS = "corrections"  # the subject of a step after the round


class ReplayStep(NamedTuple):
    """One step of a round, and how the rules differ from it."""

    text: str
    differs: str = ""
    about: str = ""  # the subject of a difference, or 'void'
    to: str = ""  # the receiver, chooser or payee: a seat from 1, 'dealer' or 'burnt'
    cards: tuple[str, ...] = ()
    cents: int = 0  # net of a payment, cost of a choice, or amount taken back
    spot: str = ""  # of a payment


def describe_steps(replay: Replay) -> Iterator[ReplayStep]:
    """Describe the round as a dealer would.

    Each difference is beside its step; those that belong to no step follow at the end.
    """
    described = ""
    for step in _describe_steps(replay):
        described += step.differs
        yield step
    for difference in replay.differences:
        if difference.sentence not in described:
            yield ReplayStep(f"({difference.about})", difference.sentence)


def _describe_steps(replay: Replay) -> Iterator[ReplayStep]:
    recorded = replay.recorded
    sealed = {(one.seat, one.digest) for one in recorded.sealed_seeds}
    for one in recorded.seeds:
        how = "reveals its sealed" if (one.seat, one.digest) in sealed else "adds the"
        yield ReplayStep(f"Seat {one.seat + 1} ({one.player}) {how} seed {one.seed}", about=SEEDS)
    for place, call in enumerate(recorded.calls):
        yield ReplayStep(f"The dealer calls: {call}", replay.difference(CALLS, place), CALLS)
    notes = _Notes(replay)
    yield from _describe_course(replay, notes)
    yield from notes.take()
    if recorded.void:
        yield ReplayStep(f"The round is void: {recorded.void}", about="void")
    for seat, cents in recorded.returned.items():
        text = f"{_seat_label(recorded, seat)} takes back {dollars(cents)}"
        differs = replay.difference(RETURNED, seat)
        if cents or differs:
            yield ReplayStep(text, differs, RETURNED, str(seat + 1), cents=cents)
    for correction in recorded.corrections:
        text = f"{'Drill: ' * correction.drill}{correction.by} corrects {correction} ({correction.reason})"
        to, cents = str(correction.seat + 1), correction.cents
        yield ReplayStep(text, about=CORRECTIONS, to=to, cents=cents, spot=correction.spot)


def _describe_course(replay: Replay, notes: "_Notes") -> Iterator[ReplayStep]:
    """Describe cards, choices and payments, and each irregularity at its moment, until one is void."""
    in_stages, shown, told, stops = replay.recorded.in_stages, 0, 0, 0
    for place, deal in enumerate(replay.deals):
        yield from _describe_choice(replay, place - 1)
        for stage in _stages(deal, stops) if in_stages else [deal]:
            yield from _describe_cards(replay, stage, shown)
            shown = len(stage.dealt)
            paid = len(stage.payments) + len(stage.due) if in_stages else told
            for payment in range(told, max(told, paid)):
                yield from notes.take(place, stage.settled, payment)
                yield from _describe_payments(replay, payment, payment + 1)
            told = max(told, paid)
            yield from notes.take(place, stage.settled, told)
            if notes.is_void:
                return
        stops = deal.stops
    yield from _describe_choice(replay, len(replay.deals) - 1)
    yield from _describe_payments(replay, told, len(replay.recorded.payments))


def _stages(deal: Deal, before: int) -> Iterator[Deal]:
    """A deal at each stop to settle all seats, but for the first ones, and as it is."""
    yield from (replace(deal, settled=stop) for stop in range(before, deal.stops))
    yield deal


def _describe_choice(replay: Replay, place: int) -> Iterator[ReplayStep]:
    if 0 <= place < len(replay.recorded.choices):
        choice = replay.recorded.choices[place]
        by = f" by the house rule: {choice.why}" if choice.by_house else ""
        cost = f" for {dollars(choice.cents)}" if choice.cents else ""
        name = choice.choice.replace("-", " ")
        text = f"{_seat_label(replay.recorded, choice.seat)} chooses {name}{cost}{by}"
        differs = replay.difference(CHOICES, place)
        yield ReplayStep(text, differs, CHOICES, str(choice.seat + 1), cents=choice.cents)


def _describe_cards(replay: Replay, deal: Deal, shown: int) -> Iterator[ReplayStep]:
    """Describe the cards that fell after the first `shown` cards, by receiver."""
    by_receiver: dict[str, list[tuple[int, str]]] = {}
    for place, text in enumerate(cards_shown(deal).split()[shown:], shown):
        to, _, card = text.partition(":")
        by_receiver.setdefault(to, []).append((place, card))
    for to, fell in by_receiver.items():
        receiver = _seat_label(replay.recorded, int(to) - 1) if to.isdigit() else to.capitalize()
        differs = filter(None, (replay.difference(CARDS, place) for place, _ in fell))
        cards = tuple(card for _, card in fell)
        yield ReplayStep(f"{receiver}: {' '.join(cards)}", " ".join(differs), CARDS, to, cards)


class _Notes:
    """The irregularities of a round that are not described yet."""

    def __init__(self, replay: Replay) -> None:
        self.replay, self.next, self.is_void = replay, 0, False

    def take(
        self, choices: int = sys.maxsize, stages: int | None = None, settled: int = sys.maxsize
    ) -> Iterator[ReplayStep]:
        """Describe those that were recorded by a moment: the choices, stages and payments before it."""
        moment = (choices, sys.maxsize if stages is None else stages, settled)
        recorded = self.replay.recorded.irregularities
        while not self.is_void and self.next < len(recorded) and _moment_of(recorded[self.next]) <= moment:
            yield _describe_irregularity(self.replay, self.next)
            self.is_void = recorded[self.next].decision == VOID
            self.next += 1


def _moment_of(noted: RecordedIrregularity) -> tuple[int, int, int]:
    return noted.choices, sys.maxsize if noted.stages is None else noted.stages, noted.settled


def _describe_irregularity(replay: Replay, place: int) -> ReplayStep:
    noted = replay.recorded.irregularities[place]
    decided = f"decided by clause {noted.clause}: {noted.decision}"
    text = f"{noted.by} records an irregularity, {decided}. {noted}"
    return ReplayStep(text, replay.difference(COUNTS, place), COUNTS)


def _describe_payments(replay: Replay, first: int, end: int) -> Iterator[ReplayStep]:
    """Describe the recorded payments from one place up to another."""
    due = {(s, wager.spot.name): wager for s, wager in replay.deals[-1].payments} if replay.deals else {}
    seats = {seat.position - 1: n for n, seat in enumerate(replay.recorded.seats)}
    titles = {spot.name: spot.title for spot in replay.recorded.game.spots}
    for place, paid in enumerate(replay.recorded.payments[first:end], first):
        wager_due = due.get((seats.get(paid.seat, -1), paid.spot))
        why = f" ({wager_due.why})" if wager_due else ""
        title = titles.get(paid.spot, paid.spot)
        wager = f"{_seat_label(replay.recorded, paid.seat)}, {title} {dollars(paid.staked)}"
        text = f"{wager}: {paid.outcome}, {signed_dollars(paid.net)}{why}"
        differs = replay.difference(PAYMENTS, place)
        yield ReplayStep(text, differs, PAYMENTS, str(paid.seat + 1), cents=paid.net, spot=paid.spot)


def _seat_label(recorded: RecordedRound, seat: int) -> str:
    players = {held.position - 1: held.player for held in recorded.seats}
    return f"Seat {seat + 1} ({players.get(seat, 'nobody')})"
