"""The dealer's view of a session: the cards on the table, the wagers left, the calls made."""

from collections import Counter
from typing import Any

from feltlab.core.cards import FACE_DOWN, Cards
from feltlab.school.course import ASK, PITCH, SETTLING_KINDS, TURN, describe_act, list_calls
from feltlab.school.hands import shown_cards
from feltlab.school.rule_book import RuleBook
from feltlab.school.session import DealingSession, places_of
from feltlab.school.timing import target_seconds


def view_session(session: DealingSession) -> dict[str, Any]:
    """A session as plain data for a page; what is due next is not in it."""
    hand = session.hand
    return {
        "game": str(hand.game),
        "title": hand.game.title,
        "level": hand.level,
        "seats": [view_seat(session, seat) for seat in range(len(hand.wagers))],
        "shared": {name: str(cards) for name, cards in shared_cards(session).items()},
        "spots": {spot.name: spot.title for spot in hand.game.spots},
        "places": list(places_of(hand)),
        "calls": known_calls(session.book, session),
        "made": [describe_act(act, hand) for act in session.made],
        "answers": [dict(answer.to_json()) for answer in session.answers],
        "slips": [slip.to_json() for slip in session.slips],
        "cost": session.cost,
        "over": session.is_over,
        "target_seconds": round(target_seconds(hand.level, len(hand.wagers)), 1),
    }


def known_calls(book: RuleBook, session: DealingSession) -> list[str]:
    """All calls of the game, in the order of the procedure."""
    said = [words for _, calls in list_calls(book) for words in calls]
    return list(dict.fromkeys([*session.hand.states[0].calls, *said]))


def view_seat(session: DealingSession, seat: int, is_open: bool = False) -> dict[str, Any]:
    """A seat's wagers, cards and choices; its cards are face up for a camera that sees all of them."""
    hand, asked = session.hand, _asked(session)
    round = hand.states[asked].rounds[seat]
    gone = {(act.seat, act.spot) for act in session.done if act.kind in SETTLING_KINDS}
    stakes = {spot.name: round.staked(spot) for spot in hand.game.spots if round.staked(spot)}
    return {
        "seat": seat + 1,
        "wagers": {name: cents for name, cents in stakes.items() if (seat, name) not in gone},
        "cards": str(_seat_cards(session, seat, is_open)),
        "chosen": [answer.choice for answer in session.answers if answer.seat == seat],
    }


def _asked(session: DealingSession) -> int:
    return sum(act.kind == ASK for act in session.done)


def _dealt(session: DealingSession) -> Counter[str]:
    """The cards that each place has received."""
    counts: Counter[str] = Counter()
    for act in session.done:
        if act.kind == PITCH:
            counts[act.place] += act.cards
    return counts


def _seat_cards(session: DealingSession, seat: int, is_open: bool) -> Cards:
    """A seat's cards: face up where the procedure deals them so, or when all seats have chosen."""
    count = _dealt(session)[f"seat {seat + 1}"]
    held = session.hand.deal.rounds[seat].view.player[:count]
    has_chosen = all(act.kind != ASK for act in session.due)
    if is_open or has_chosen or deals_face_up(session.book):
        return Cards(held)
    return Cards(FACE_DOWN for _ in held)


def deals_face_up(book: RuleBook) -> bool:
    """Whether the procedure deals the players' cards face up."""
    return any(step.does.startswith("Deals") and "face up" in step.does for step in book.steps)


def shared_cards(session: DealingSession) -> dict[str, Cards]:
    """The board's and the dealer's cards as they lie: a card is turned when the dealer has turned it."""
    asked, states = _asked(session), session.hand.states
    waiting = _turns_ahead(session)
    counts, found = _dealt(session), {}
    for place, cards in shown_cards(states[asked]).items():
        before = shown_cards(states[asked - 1])[place] if asked and place in waiting else cards
        found[place] = Cards(before[: counts[place]])
    return found


def _turns_ahead(session: DealingSession) -> set[str]:
    """The places whose cards are to be turned before the next seat is asked."""
    found = set()
    for act in session.due:
        if act.kind == ASK:
            break
        if act.kind == TURN:
            found.add(act.place)
    return found
