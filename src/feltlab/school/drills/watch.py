"""The drill of planted errors: watch a round, find the event that is wrong, and say what is wrong with it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from feltlab.core.cards import Cards
from feltlab.core.deal import Deal
from feltlab.core.seating import Seat
from feltlab.core.settlement import Settled
from feltlab.errors import Refused
from feltlab.pit.irregularities.hands import seat_hand
from feltlab.pit.irregularities.kinds import EXPOSED_CARD
from feltlab.school.chips import fewest_chips
from feltlab.school.course import ASK, COLLECT, PAY, PITCH, SETTLING_KINDS, DealerAct, list_acts
from feltlab.school.drills.frames import (
    DEALER_MOVES,
    WatchedEvent,
    add_moves,
    change_frames,
    change_wager,
    describe_move,
    exchange_card,
    expose_next,
    film_acts,
    insert_move,
    number_frames,
)
from feltlab.school.drills.question import EVENT, NONE, AnswerOption, DrillQuestion
from feltlab.school.hands import Draw, TrainingHand, deal_hand, payable_step
from feltlab.school.rule_book import Citation, RuleBook
from feltlab.school.settling import cite_wager, find_paid, order_slip
from feltlab.school.slips import DealerSlip, split_cost
from feltlab.text import dollars

NAME, TITLE = "watch", "Spot the error"
TRIES = 20
HONEST_SHARE = 0.15  # of the questions: nothing is wrong

# The kinds of planted errors, in words.
ERROR_TITLES: Mapping[str, str] = {
    "late-bet": "A bet after the betting was closed",
    "capped-bet": "Chips added to a wager",
    "pinched-bet": "Chips taken back from a wager",
    "switched-card": "A card was exchanged",
    "flashed-card": "A hidden card was seen",
    "wrong-payment": "A payment of the wrong amount",
    "wrong-order": "Wagers settled in the wrong order",
}


@dataclass(frozen=True)
class PlantedError:
    """An error in the events of a round."""

    kind: str
    at: int  # the place of its event, from 0
    events: tuple[WatchedEvent, ...]
    what: str  # in a sentence
    clause: Citation
    house_cents: int = 0
    player_cents: int = 0


Planter = Callable[[RuleBook, TrainingHand, Sequence[DealerAct], Draw], PlantedError | None]


def ask(book: RuleBook, draw: Draw, seed: int, level: int) -> DrillQuestion | None:
    """Ask for the planted error of a round, or nothing is wrong."""
    kinds = list(PLANTERS)
    wanted = kinds[int(draw.integers(len(kinds)))] if draw.random() >= HONEST_SHARE else ""
    for _ in range(TRIES):
        hand = deal_hand(book.game, draw, level)
        planted = plant_error(wanted, book, hand, draw) if wanted else None
        if planted or not wanted:
            return _build_question(book, hand, planted, draw, seed, level)
    return None


def plant_error(kind: str, book: RuleBook, hand: TrainingHand, draw: Draw) -> PlantedError | None:
    """The events of a hand with an error of one kind; None where this hand gives no occasion for it."""
    return PLANTERS[kind](book, hand, list_acts(hand, book), draw)


def _build_question(
    book: RuleBook, hand: TrainingHand, planted: PlantedError | None, draw: Draw, seed: int, level: int
) -> DrillQuestion:
    events = planted.events if planted else tuple(film_acts(hand, list_acts(hand, book)))
    marked = events[planted.at] if planted else None
    moved = add_moves(events, hand, level, draw)
    at = next((n + 1 for n, event in enumerate(moved) if event is marked), 0)
    frames, shows = number_frames(moved)
    titles = {**ERROR_TITLES, NONE: "Nothing is wrong"}
    return DrillQuestion(
        NAME,
        str(book.game),
        seed,
        level,
        "Watch the round, event by event. Which event is wrong, and what is it?",
        EVENT,
        (str(at), planted.kind) if planted else ("0", NONE),
        tuple(AnswerOption(key, title) for key, title in titles.items()),
        tuple(event.text for event in moved),
        frames,
        shows,
        felt=frames[0],
        facts={"planted": planted},
    )


def judge(question: DrillQuestion, answer: Sequence[str], book: RuleBook) -> tuple[list[DealerSlip], str]:
    planted: PlantedError | None = question.facts["planted"]
    if planted is None:
        says = "Nothing is wrong."
        if answer[1] == NONE:
            return [], says
        return [DealerSlip("false-alarm", says, book.cite("dispute"))], says
    says = f"Event {question.truth[0]}: {ERROR_TITLES[planted.kind].lower()}. {planted.what}"
    if tuple(answer) == question.truth:
        return [], says
    return [DealerSlip("missed-error", says, planted.clause, planted.house_cents, planted.player_cents)], says


# -- Places of a round ------------------------------------------------------------------------------


def _last_pitch(acts: Sequence[DealerAct]) -> int:
    """The place behind the last card that is dealt before a choice or a payment."""
    found = 0
    for n, act in enumerate(acts):
        if act.kind == PITCH:
            found = n + 1
        elif found:
            break
    return found


def _between(acts: Sequence[DealerAct], draw: Draw, seat: int, spot: str = "") -> int:
    """A random place behind the first cards and before a wager is settled, or before the seat's first one."""
    first = _last_pitch(acts)
    ends = [
        n
        for n, act in enumerate(acts)
        if act.kind == COLLECT or (act.kind in SETTLING_KINDS and act.seat == seat and spot in ("", act.spot))
    ]
    return int(draw.integers(first, max(first, ends[0]) + 1))


def _film_move(hand: TrainingHand, acts: Sequence[DealerAct], at: int, text: str) -> tuple[WatchedEvent, ...]:
    return tuple(insert_move(film_acts(hand, acts), at, text))


# -- Planting ---------------------------------------------------------------------------------------


def _plant_late_bet(
    book: RuleBook, hand: TrainingHand, acts: Sequence[DealerAct], draw: Draw
) -> PlantedError | None:
    free = [
        (seat, spot)
        for seat, wagers in enumerate(hand.wagers)
        for spot in book.game.wagers
        if spot.name not in wagers and not spot.equals and not spot.at_most
    ]
    if not free:
        return None
    seat, spot = free[int(draw.integers(len(free)))]
    cents = spot.fixed_cents or -(-500 // payable_step(book.game, spot)) * payable_step(book.game, spot)
    at = _between(acts, draw, seat)
    film = _film_move(hand, acts, at, describe_move(seat))
    shown = change_frames(film, at, change_wager(seat, spot.name, lambda _: cents))
    what = f"{seat_hand(seat).capitalize()} puts {dollars(cents)} on {spot.title} when the cards are out."
    cost = split_cost(_net_with(hand, seat, spot.name, cents), 0)
    return PlantedError("late-bet", at, tuple(shown), what, book.cite("closed"), **cost)


def _net_with(hand: TrainingHand, seat: int, spot: str, cents: int) -> int:
    """The net of a wager that was added to a seat, by the settlement of the same cards; 0 if it cannot be."""
    wagers = [dict(each) for each in hand.wagers]
    wagers[seat][spot] = cents
    try:
        seats = tuple(Seat(w, chosen) for w, chosen in zip(wagers, hand.chosen, strict=True))
        paid = Deal(hand.game, hand.shoe, seats).payments
    except Refused:
        return 0
    return sum(each.net for n, each in paid if (n, each.spot.name) == (seat, spot))


def _plant_capped_bet(
    book: RuleBook, hand: TrainingHand, acts: Sequence[DealerAct], draw: Draw
) -> PlantedError | None:
    return _plant_touched(book, hand, acts, draw, "capped-bet", lambda paid: paid.net > 0 and paid.staked > 0)


def _plant_pinched_bet(
    book: RuleBook, hand: TrainingHand, acts: Sequence[DealerAct], draw: Draw
) -> PlantedError | None:
    return _plant_touched(
        book, hand, acts, draw, "pinched-bet", lambda paid: paid.net < 0 and paid.staked > 0
    )


def _plant_touched(
    book: RuleBook,
    hand: TrainingHand,
    acts: Sequence[DealerAct],
    draw: Draw,
    kind: str,
    fits: Callable[[Settled], bool],
) -> PlantedError | None:
    """A player touches a wager between the cards and the settlement of it."""
    first = {name for wagers in hand.wagers for name in wagers}
    found = [(seat, paid) for seat, paid in hand.payments if fits(paid) and paid.spot.name in first]
    if not found:
        return None
    seat, paid = found[int(draw.integers(len(found)))]
    put = hand.wagers[seat].get(paid.spot.name, 0)
    is_pinched = kind == "pinched-bet"
    chips = max(100, put // 2 // 100 * 100) if is_pinched else put
    if not put or (is_pinched and chips >= put):
        return None
    at = _between(acts, draw, seat, paid.spot.name)
    film = _film_move(hand, acts, at, describe_move(seat))
    by = -chips if is_pinched else chips
    shown = change_frames(film, at, change_wager(seat, paid.spot.name, lambda cents: cents and cents + by))
    does = f"takes {dollars(chips)} off" if is_pinched else f"adds {dollars(chips)} to"
    what = f"{seat_hand(seat).capitalize()} {does} {paid.spot.title}."
    cost = chips if is_pinched else abs(paid.net)
    return PlantedError(kind, at, tuple(shown), what, book.cite("closed"), house_cents=cost)


def _plant_switched_card(
    book: RuleBook, hand: TrainingHand, acts: Sequence[DealerAct], draw: Draw
) -> PlantedError | None:
    seat = int(draw.integers(len(hand.wagers)))
    at = _between(acts, draw, seat)
    film = _film_move(hand, acts, at, describe_move(seat))
    held = film[at].frame["seats"][seat]["cards"].split()
    others = [card for card in hand.game.deck.cards if card not in hand.shoe]
    others = others or [card for card in hand.shoe if str(Cards([card])) not in held]
    if not held or not others:
        return None
    place = int(draw.integers(len(held)))
    card = str(Cards([others[int(draw.integers(len(others)))]]))
    if card == held[place]:
        return None
    shown = change_frames(film, at, exchange_card(seat, place, card))
    won = sum(max(0, paid.net) for n, paid in hand.payments if n == seat)
    what = f"The {held[place]} of {seat_hand(seat)} became the {card}."
    return PlantedError("switched-card", at, tuple(shown), what, book.cite("exchanging"), house_cents=won)


def _plant_flashed_card(
    book: RuleBook, hand: TrainingHand, acts: Sequence[DealerAct], draw: Draw
) -> PlantedError | None:
    ends = [n for n, act in enumerate(acts) if act.kind in (ASK, *SETTLING_KINDS, COLLECT)]
    at = int(draw.integers(1, ends[-1] + 1))
    film = list(_film_move(hand, acts, at, DEALER_MOVES))
    film[at] = expose_next(hand, film[at])
    what = f"The {film[at].frame['shoe']}, the next card of the shoe, was seen."
    return PlantedError("flashed-card", at, tuple(film), what, book.cite_irregularity(EXPOSED_CARD))


def _plant_wrong_payment(
    book: RuleBook, hand: TrainingHand, acts: Sequence[DealerAct], draw: Draw
) -> PlantedError | None:
    paying = [n for n, act in enumerate(acts) if act.kind == PAY]
    if not paying:
        return None
    at = paying[int(draw.integers(len(paying)))]
    act, paid = acts[at], find_paid(hand, acts[at])
    factor = 2 if draw.random() < 0.5 else 0.5
    wrong = int(act.cents * factor) // 100 * 100 or act.cents + 100
    if wrong == act.cents:
        wrong += 100
    changed = [*acts[:at], replace(act, chips=fewest_chips(wrong)), *acts[at + 1 :]]
    what = f"{paid.spot.title} of {act.place} wins {dollars(act.cents)}, not {dollars(wrong)}."
    clause, cost = cite_wager(book, hand, act.seat or 0, paid), split_cost(wrong, act.cents)
    return PlantedError("wrong-payment", at, tuple(film_acts(hand, changed)), what, clause, **cost)


def _plant_wrong_order(
    book: RuleBook, hand: TrainingHand, acts: Sequence[DealerAct], draw: Draw
) -> PlantedError | None:
    """Two settlements that follow each other, of different seats or of one, are exchanged."""
    pairs = [n for n, (a, b) in enumerate(pairwise(acts)) if _are_both_settled(a, b)]
    if not pairs:
        return None
    at = pairs[int(draw.integers(len(pairs)))]
    due, done = acts[at], acts[at + 1]
    swapped = [*acts[:at], done, due, *acts[at + 2 :]]
    slip = order_slip(book, (due.seat or 0, due.spot), (done.seat or 0, done.spot))
    return PlantedError("wrong-order", at, tuple(film_acts(hand, swapped)), slip.what, slip.clause)


def _are_both_settled(first: DealerAct, second: DealerAct) -> bool:
    return first.kind in SETTLING_KINDS and second.kind in SETTLING_KINDS


PLANTERS: Mapping[str, Planter] = {
    "late-bet": _plant_late_bet,
    "capped-bet": _plant_capped_bet,
    "pinched-bet": _plant_pinched_bet,
    "switched-card": _plant_switched_card,
    "flashed-card": _plant_flashed_card,
    "wrong-payment": _plant_wrong_payment,
    "wrong-order": _plant_wrong_order,
}
