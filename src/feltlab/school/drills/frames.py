"""The frames of a round that is watched: the table after every event, as a camera above it sees the cards.

An error is seen in the frames alone: a card that changes, chips that come or go, a card of the shoe that is
face up. The words of an event say who moves, and honest rounds have such moves too.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from feltlab.core.cards import Cards
from feltlab.pit.irregularities.hands import seat_hand
from feltlab.school.course import PAY, DealerAct, describe_act
from feltlab.school.hands import Draw, TrainingHand
from feltlab.school.session import DealingSession, open_session
from feltlab.school.session_view import shared_cards, view_seat

SHOE, HIDDEN = "shoe", "##"  # the place of the next card, and a card face down
DEALER_MOVES = "The dealer's hand is at the shoe."

Frame = dict[str, Any]


@dataclass(frozen=True)
class WatchedEvent:
    """An event in words, and the table after it."""

    text: str
    frame: Frame


def describe_move(seat: int) -> str:
    return f"{seat_hand(seat).capitalize()} reaches over the layout."


def film_acts(hand: TrainingHand, acts: Sequence[DealerAct]) -> list[WatchedEvent]:
    """The events of a round that is dealt by these acts, each with its frame."""
    session, events = open_session(hand), []
    for act in acts:
        before, session = session, session.perform(act)
        events.append(WatchedEvent(describe_act(act, hand), _take_frame(before, session, act)))
    return events


def _take_frame(before: DealingSession, after: DealingSession, act: DealerAct) -> Frame:
    """The table after an act; a wager that is paid still lies there, with the chips of the payment."""
    frame = freeze_table(after, is_open=True)
    if act.kind == PAY and act.seat is not None:
        was = view_seat(before, act.seat, is_open=True)["wagers"]
        seat = frame["seats"][act.seat]
        seat["wagers"] = {**seat["wagers"], act.spot: was.get(act.spot, 0)}
        seat["paid"] = {act.spot: act.cents}
    return {"seats": frame.pop("seats"), "spots": frame.pop("spots"), SHOE: HIDDEN, **frame}


def freeze_table(session: DealingSession, is_open: bool = False) -> Frame:
    """The table of a session as it lies; the seats' cards face up for a camera that sees all of them."""
    seats = [view_seat(session, seat, is_open) for seat in range(len(session.hand.wagers))]
    spots = {spot.name: spot.title for spot in session.game.spots}
    return {"seats": seats, "spots": spots, **{n: str(c) for n, c in shared_cards(session).items()}}


# -- Moves of hands ---------------------------------------------------------------------------------


def insert_move(events: Sequence[WatchedEvent], at: int, text: str) -> list[WatchedEvent]:
    """The events with a move that changes nothing."""
    return [*events[:at], WatchedEvent(text, events[at - 1].frame), *events[at:]]


def add_moves(
    events: Sequence[WatchedEvent], hand: TrainingHand, count: int, draw: Draw
) -> list[WatchedEvent]:
    """The events with moves that change nothing at random places behind the first event."""
    found = list(events)
    for _ in range(count):
        places = [n for n in range(1, len(found)) if found[n - 1].frame[SHOE] == HIDDEN]
        seat = int(draw.integers(len(hand.wagers) + 1))
        text = DEALER_MOVES if seat == len(hand.wagers) else describe_move(seat)
        found = insert_move(found, places[int(draw.integers(len(places)))], text)
    return found


def change_frames(
    events: Sequence[WatchedEvent], at: int, change: Callable[[Frame], Frame]
) -> list[WatchedEvent]:
    """The events with a change of every frame from one on."""
    return [each if n < at else WatchedEvent(each.text, change(each.frame)) for n, each in enumerate(events)]


def change_wager(seat: int, spot: str, change: Callable[[int], int]) -> Callable[[Frame], Frame]:
    """A change of the chips on a spot for as long as the seat has wagers."""

    def changed(frame: Frame) -> Frame:
        def apply(shown: Mapping[str, Any]) -> Mapping[str, Any]:
            wagers = shown["wagers"]
            if not wagers or (spot not in wagers and change(0) <= 0):
                return shown
            cents = change(wagers.get(spot, 0))
            order = [name for name in frame["spots"] if name in wagers or name == spot]
            return {**shown, "wagers": {name: cents if name == spot else wagers[name] for name in order}}

        return _change_seat(frame, seat, apply)

    return changed


def exchange_card(seat: int, place: int, card: str) -> Callable[[Frame], Frame]:
    """Another card at a place of a seat's hand."""

    def apply(shown: Mapping[str, Any]) -> Mapping[str, Any]:
        held = str(shown["cards"]).split()
        if place < len(held):
            held[place] = card
        return {**shown, "cards": " ".join(held)}

    return lambda frame: _change_seat(frame, seat, apply)


def expose_next(hand: TrainingHand, event: WatchedEvent) -> WatchedEvent:
    """The event with the next card of the shoe face up."""
    lying = [*event.frame["seats"], *({"cards": event.frame[name]} for name in hand.game.shared_areas)]
    dealt = sum(len(str(place["cards"]).split()) for place in lying)
    deck = [card for card in hand.game.deck.cards if card not in hand.shoe]
    left = [*hand.shoe[dealt:], *deck, *hand.shoe]
    return WatchedEvent(event.text, {**event.frame, SHOE: str(Cards([left[0]]))})


def _change_seat(frame: Frame, seat: int, change: Callable[[Mapping[str, Any]], Mapping[str, Any]]) -> Frame:
    seats = [change(shown) if n == seat else shown for n, shown in enumerate(frame["seats"])]
    return {**frame, "seats": seats}


# -- For a question ---------------------------------------------------------------------------------


def number_frames(events: Sequence[WatchedEvent]) -> tuple[tuple[Frame, ...], tuple[int, ...]]:
    """The different frames in order, and the number of the one after each event."""
    frames: list[Frame] = []
    numbers = []
    for event in events:
        if not frames or frames[-1] != event.frame:
            frames.append(event.frame)
        numbers.append(len(frames) - 1)
    return tuple(frames), tuple(numbers)


def describe_change(before: Frame, after: Frame) -> str:
    """The changes from one frame to the next in words, for a terminal and for screen readers."""
    found = []
    for was, now in zip(before["seats"], after["seats"], strict=True):
        name = f"seat {now['seat']}"
        if was["cards"] != now["cards"]:
            found.append(f"{name} {was['cards'] or 'no cards'} → {now['cards'] or 'no cards'}")
        for spot in {**was["wagers"], **now["wagers"]}:
            amounts = [shown["wagers"].get(spot, 0) / 100 for shown in (was, now)]
            if amounts[0] != amounts[1]:
                found.append(f"{name} {after['spots'][spot]} ${amounts[0]:g} → ${amounts[1]:g}")
        found += [f"{name} is paid ${cents / 100:g}" for cents in now.get("paid", {}).values()]
    areas = [name for name in after if name not in ("seats", "spots")]
    found += [
        f"{name} {before.get(name, '')} → {after[name]}" for name in areas if before.get(name) != after[name]
    ]
    return "; ".join(found)
