"""Rounds on record, and playing them again.

A recorded round is folded from the ledger's events alone: no vault and no key has a part in it. Replaying
deals it anew through the rules and compares everything that was said, dealt and paid.

While a shoe goes on its order is a secret. Then the cards that were laid open stand in their places, and
any cards that are left over stand for those that were burnt or never dealt. Nobody ever sees those, so no
choice and no payment can depend on them.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import islice, zip_longest
from typing import Any, NamedTuple

from feltlab.core.cards import FACE_DOWN, Cards, card, name
from feltlab.core.deal import Deal, Seat
from feltlab.core.game import Game
from feltlab.errors import Refused, Unknown
from feltlab.ledger.event import HOUSE_ACTOR, NOT_TABLES, Event
from feltlab.ledger.ledger import Ledger
from feltlab.pit.seat_numbers import read
from feltlab.pit.table import Table, laid_open
from feltlab.text import dollars, listing
from feltlab.values import replace_unchecked

ENDS = ("settled", "void")  # each round that was wagered on ends once, in one of these ways
DARK = name(FACE_DOWN)

PLAIN = (
    *("table", "round", "digest", "shuffle", "commitment", "start", "salt", "laid_open", "used"),
    *("void", "began", "closed", "ended"),
)

# What a difference is about.
CALLS, CARDS, CHOICES, PAYMENTS, RETURNED = "calls", "cards", "choices", "payments", "returned"


# -- On record --------------------------------------------------------------------------------------


class Made(NamedTuple):
    """A choice, and who made it: the player, or the house rule in their place."""

    seat: int  # as events count them, from 0
    by: str
    choice: str
    cents: int  # that it put down
    why: str = ""

    @property
    def by_house(self) -> bool:
        return self.by == HOUSE_ACTOR


class Paid(NamedTuple):
    seat: int
    spot: str
    outcome: str
    staked: int
    net: int

    def __str__(self) -> str:
        return f"seat {self.seat + 1} {self.spot} {self.outcome} {dollars(self.staked)} {dollars(self.net)}"


@dataclass(frozen=True)
class Recorded:
    """A round as the ledger tells it."""

    table: str
    round: int
    game: Game  # under the options and pays of that time
    digest: str  # of the rules of that time
    shuffle: str = ""
    commitment: str = ""  # to the order of the cards
    start: int = 0  # cards of the shuffle that were gone before
    order: Cards | None = None  # of the whole shuffle, once it was revealed
    salt: str = ""
    seats: tuple[Seat, ...] = ()  # those that wagered, without their choices
    calls: tuple[str, ...] = ()  # none, if no card was dealt
    choices: tuple[Made, ...] = ()
    laid_open: str = ""
    used: int = 0
    payments: tuple[Paid, ...] = ()
    returned: Mapping[int, int] = field(default_factory=dict, hash=False)  # by seat, from the felt
    void: str = ""
    began: str = ""  # when the betting did
    closed: str = ""  # when it was closed
    ended: str = ""  # when everything was paid or given back

    @property
    def name(self) -> str:
        return f"{self.table}:{self.round}"

    @property
    def under_other_rules(self) -> bool:
        return self.digest != self.game.digest

    @property
    def win(self) -> int:
        """What the house won."""
        return -sum(paid.net for paid in self.payments)

    def as_json(self) -> dict[str, Any]:
        """Plain data; seats are counted from one, as players do."""
        seats = [{"seat": s.position, "player": s.player, "wagers": dict(s.wagers)} for s in self.seats]
        return {
            **{key: getattr(self, key) for key in PLAIN},
            "game": str(self.game),
            "under_other_rules": self.under_other_rules,
            "order": str(self.order) if self.order else "",
            "seats": seats,
            "calls": list(self.calls),
            "choices": [{**made._asdict(), "seat": made.seat + 1} for made in self.choices],
            "payments": [{**paid._asdict(), "seat": paid.seat + 1} for paid in self.payments],
            "returned": {str(seat + 1): cents for seat, cents in self.returned.items()},
            "win": self.win,
        }

    def after(self, event: Event, table: Table) -> "Recorded":
        """The round after an event; the table is that before it."""
        follow = _FOLLOW.get(event.kind)
        return follow(self, event, table) if follow else self

    def _begins(self, event: Event, table: Table) -> "Recorded":
        data = event.data
        shuffle = (data["shuffle"], data["commitment"], data["used"])
        return Recorded(table.name, data["round"], table.game, table.digest, *shuffle, began=event.at)

    def _shuffled(self, event: Event, table: Table) -> "Recorded":
        """Before the betting is closed the cards may still be changed for others; later they are the next."""
        if self.ended or self.closed:
            return self
        told = {key: event.data[key] for key in ("shuffle", "commitment")}
        return replace_unchecked(self, start=0, order=None, salt="", **told)

    def _order(self, event: Event, table: Table) -> "Recorded":
        if event.data["shuffle"] != self.shuffle:
            return self
        return replace_unchecked(self, order=order_of(event.data["order"]), salt=event.data["salt"])

    def _closes(self, event: Event, table: Table) -> "Recorded":
        seats = _seats(table, read(event.data)["playing"])
        return replace_unchecked(self, seats=seats, calls=tuple(event.data["calls"]), closed=event.at)

    def _chose(self, event: Event, table: Table) -> "Recorded":
        data = read(event.data)
        made = Made(data["seat"], data["player"], data["choice"], data["cents"], data.get("why", ""))
        return replace_unchecked(self, choices=(*self.choices, made))

    def _revealed(self, event: Event, table: Table) -> "Recorded":
        return replace_unchecked(self, laid_open=event.data["dealt"], used=event.data["used"])

    def _settled(self, event: Event, table: Table) -> "Recorded":
        data = read(event.data)
        payments = tuple(Paid(*paid) for paid in data["payments"])
        return replace_unchecked(self, payments=payments, returned=_by_seat(data["returned"]), ended=event.at)

    def _voided(self, event: Event, table: Table) -> "Recorded":
        seats = self.seats or _seats(table, table.bettors)
        back = _by_seat(read(event.data)["returned"])
        return replace_unchecked(self, seats=seats, void=event.data["reason"], returned=back, ended=event.at)


_FOLLOW = {
    "standing": Recorded._begins,
    "shuffled": Recorded._shuffled,
    "order": Recorded._order,
    "no-more-bets": Recorded._closes,
    "chose": Recorded._chose,
    "revealed": Recorded._revealed,
    "settled": Recorded._settled,
    "void": Recorded._voided,
}


def order_of(text: str) -> Cards:
    """The order of a shuffle as it was revealed. A ledger names the same few cards without end."""
    return Cards(map(_card, text.split()))


_card = lru_cache(maxsize=128)(card)


def _seats(table: Table, seats: Iterable[int]) -> tuple[Seat, ...]:
    held = ((seat + 1, table.places[seat]) for seat in seats)
    return tuple(Seat(place.wagers, (), place.player, position) for position, place in held if place)


def _by_seat(returned: Mapping[str, int]) -> dict[int, int]:
    return {int(seat): cents for seat, cents in returned.items()}


# -- Finding them -----------------------------------------------------------------------------------


def tables(ledger: Ledger) -> list[str]:
    return [chain for chain in ledger.chains() if chain not in NOT_TABLES]


def recorded(ledger: Ledger, table: str, round: int) -> Recorded:
    """A round that is over."""
    _check_table(ledger, table)
    return _recorded(ledger, table, round)


def _recorded(ledger: Ledger, table: str, round: int) -> Recorded:
    events = ledger.events(table, round=round)
    begins = next((event for event in events if event.kind == "standing"), None)
    if begins is None:
        raise Unknown(f"{table} has played no round {round}.")
    found = _followed(_opened(ledger, begins), [begins, *events])
    if not found.ended:
        raise Refused(f"Nothing was settled or given back in round {round} of {table} so far.")
    return found if found.order else _with_order(ledger, found, begins.number)


def _opened(ledger: Ledger, before: Event) -> Table:
    """The table as it was last opened before an event."""
    opened = ledger.events(before.chain, kinds=("opened",))
    *_, last = (event for event in opened if event.number < before.number)
    return Table.of(last)


def _followed(table: Table, events: Iterable[Event]) -> Recorded:
    """The round of these events, up to the end of the round."""
    found = Recorded(table.name, 0, table.game, table.digest)
    for event in events:
        if found.ended and event.kind != "order":
            break
        found, table = found.after(event, table), table.after(event)
    return found


def _with_order(ledger: Ledger, found: Recorded, after: int) -> Recorded:
    """With the order of its shuffle, which a shoe reveals rounds later."""
    for event in ledger.events(found.table, after=after, kinds=("order",)):
        if event.data["shuffle"] == found.shuffle:
            return replace(found, order=order_of(event.data["order"]), salt=event.data["salt"])
    return found


def rounds(ledger: Ledger, table: str | None = None, last: int = 10) -> list[Recorded]:
    """The last rounds of a table, or of all, in the order in which they ended."""
    if table is not None:
        _check_table(ledger, table)
    of = [table] if table is not None else tables(ledger)
    ends = [event for chain in of for event in ledger.last(chain, ENDS, last)]
    ends.sort(key=lambda event: (event.at, event.chain, event.number))
    return [_recorded(ledger, end.chain, end.round) for end in ends[-last:]] if last else []


def _check_table(ledger: Ledger, table: str) -> None:
    known = tables(ledger)
    if table not in known:
        raise Unknown(f"{table!r} is not a table of this ledger; its tables are {listing(known[:20])}.")


# -- Playing them again -----------------------------------------------------------------------------


class Difference(NamedTuple):
    """Where the record and the rules do not agree."""

    about: str
    place: int  # which call, card, choice, payment or seat
    sentence: str


@dataclass(frozen=True)
class Replay:
    """A recorded round beside what the rules make of it."""

    recorded: Recorded
    deals: tuple[Deal, ...]  # the course of the deal: before the first choice, and after each
    differences: tuple[Difference, ...]

    @property
    def same(self) -> bool:
        return not self.differences

    @property
    def sentences(self) -> list[str]:
        told = " It was recorded under other rules." if self.recorded.under_other_rules else ""
        return [f"{difference.sentence}{told}" for difference in self.differences]

    def difference(self, about: str, place: int) -> str:
        """What differs there, or ''."""
        return next((d.sentence for d in self.differences if (d.about, d.place) == (about, place)), "")


def replayed(recorded: Recorded) -> Replay:
    """The round dealt anew, with the same choices, by the rules of today."""
    deals: list[Deal] = []
    found = list(_played(recorded, deals) if recorded.calls else ())
    found += _refunds(recorded) if recorded.void else ()
    return Replay(recorded, tuple(deals), tuple(found))


def _played(recorded: Recorded, deals: list[Deal]) -> Iterator[Difference]:
    """Plays the round, and says what differs on the way."""
    if not (recorded.order or recorded.laid_open):
        return  # void, and its cards are still secret
    try:
        deals.append(Deal(recorded.game, _shoe(recorded), recorded.seats))
    except Refused as refused:
        yield Difference(CARDS, 0, f"It cannot be dealt: {refused}")
        return
    yield from _other_calls(recorded, deals[0])
    yield from _choices(recorded, deals)
    if recorded.void:
        return
    if len(deals) > len(recorded.choices):
        yield from _end(recorded, deals[-1])
    else:
        due = laid_open(deals[-1]).split()
        yield from _other_cards(recorded.laid_open.split()[: len(due)], due)


def _choices(recorded: Recorded, deals: list[Deal]) -> Iterator[Difference]:
    seats = {seat.position - 1: n for n, seat in enumerate(recorded.seats)}
    for place, made in enumerate(recorded.choices):
        who = f"Seat {made.seat + 1} chose {made.choice!r}"
        try:
            turn = seats.get(made.seat, -1)
            after = deals[-1].choose(turn, made.choice)
        except Refused as refused:
            yield Difference(CHOICES, place, f"{who}, which the rules refuse: {refused}")
            return
        cost = deals[-1].rounds[turn].cost(made.choice)
        if cost != made.cents:
            told = f"{who} for {dollars(made.cents)}, and by the rules it costs {dollars(cost)}."
            yield Difference(CHOICES, place, told)
        deals.append(after)


def _shoe(recorded: Recorded) -> Cards:
    """As many cards as the round can take: in the order revealed, or as far as they were laid open."""
    size = max(recorded.game.rules.cards_needed(len(recorded.seats)), recorded.laid_open.count(":"))
    if recorded.order is not None:
        return Cards(recorded.order[recorded.start : recorded.start + size])
    fallen = [text.partition(":")[2] for text in recorded.laid_open.split()]
    known = order_of(" ".join(card for card in fallen if card != DARK))
    left = (Counter(recorded.game.deck.cards) - Counter(known)).elements()
    shown = iter(known)
    places = [next(left if card == DARK else shown) for card in fallen]
    return Cards((*places, *islice(left, size - len(places))))


# -- What differs -----------------------------------------------------------------------------------


def _other_calls(recorded: Recorded, deal: Deal) -> Iterator[Difference]:
    if recorded.calls != deal.calls:
        for place, (said, due) in enumerate(zip_longest(recorded.calls, deal.calls)):
            if said != due:
                yield Difference(CALLS, place, f"The dealer called {said!r}, and the rules have {due!r}.")


def _end(recorded: Recorded, deal: Deal) -> Iterator[Difference]:
    due = laid_open(deal)
    if recorded.laid_open != due:
        yield from _other_cards(recorded.laid_open.split(), due.split())
    used = recorded.start + len(deal.dealt)
    if recorded.used != used:
        told = f"{recorded.used} cards of the shuffle were used up, and by the rules {used}."
        yield Difference(CARDS, len(deal.dealt), told)
    if deal.turn is not None:
        told = f"It was settled while seat {deal.positions[deal.turn]} had to choose."
        yield Difference(CHOICES, len(recorded.choices), told)
    else:
        yield from _other_payments(recorded, tuple(_payments(deal)))


def _other_cards(laid: list[str], due: list[str]) -> Iterator[Difference]:
    for place, (shown, right) in enumerate(zip_longest(laid, due, fillvalue="none")):
        if shown != right:
            told = f"Card {place + 1} was laid open as {shown}, and by the rules it is {right}."
            yield Difference(CARDS, place, told)


def _payments(deal: Deal) -> Iterator[Paid]:
    for seat, paid in deal.payments:
        yield Paid(deal.positions[seat] - 1, paid.spot.name, paid.outcome, paid.staked, paid.net)


def _other_payments(recorded: Recorded, due: tuple[Paid, ...]) -> Iterator[Difference]:
    if recorded.payments != due:
        for place, (paid, right) in enumerate(zip_longest(recorded.payments, due, fillvalue="none")):
            if paid != right:
                told = f"Payment {place + 1} is {paid}, and by the rules it is {right}."
                yield Difference(PAYMENTS, place, told)
    back = dict.fromkeys((seat.position - 1 for seat in recorded.seats), 0)
    for owed in due:
        back[owed.seat] += owed.staked + owed.net
    yield from _other_returns(recorded, back)


def _refunds(recorded: Recorded) -> Iterator[Difference]:
    """What stood on the felt of a void round."""
    back = {seat.position - 1: sum(seat.wagers.values()) for seat in recorded.seats}
    for made in recorded.choices:
        back[made.seat] = back.get(made.seat, 0) + made.cents
    return _other_returns(recorded, back)


def _other_returns(recorded: Recorded, due: Mapping[int, int]) -> Iterator[Difference]:
    if recorded.returned != due:
        for seat in sorted({*recorded.returned, *due}):
            got, right = recorded.returned.get(seat, 0), due.get(seat, 0)
            if got != right:
                told = f"Seat {seat + 1} took back {dollars(got)}, and by the rules {dollars(right)}."
                yield Difference(RETURNED, seat, told)


# -- Step by step -----------------------------------------------------------------------------------


class Step(NamedTuple):
    """Something that happened in a round, and what the rules say otherwise."""

    text: str
    differs: str = ""
    about: str = ""  # one of the words for differences, or 'void'
    to: str = ""  # who received, chose or was paid: a seat from 1, 'dealer' or 'burnt'
    cards: tuple[str, ...] = ()
    cents: int = 0  # net of a payment, cost of a choice, or what was taken back


def steps(replay: Replay) -> Iterator[Step]:
    """The round as a dealer would tell it; each difference stands beside its step, and none is left out."""
    told = ""
    for step in _steps(replay):
        told += step.differs
        yield step
    for difference in replay.differences:
        if difference.sentence not in told:
            yield Step(f"({difference.about})", difference.sentence)


def _steps(replay: Replay) -> Iterator[Step]:
    recorded = replay.recorded
    for place, call in enumerate(recorded.calls):
        yield Step(f"The dealer calls: {call}", replay.difference(CALLS, place), CALLS)
    shown = 0
    for place, deal in enumerate(replay.deals):
        yield from _choice_before(replay, place - 1)
        yield from _fallen(replay, deal, shown)
        shown = len(deal.dealt)
    yield from _choice_before(replay, len(replay.deals) - 1)
    yield from _paid(replay)
    if recorded.void:
        yield Step(f"The round is void: {recorded.void}", about="void")
    for seat, cents in recorded.returned.items():
        told = f"{_who(recorded, seat)} takes back {dollars(cents)}"
        yield Step(told, replay.difference(RETURNED, seat), RETURNED, str(seat + 1), cents=cents)


def _choice_before(replay: Replay, place: int) -> Iterator[Step]:
    if 0 <= place < len(replay.recorded.choices):
        made = replay.recorded.choices[place]
        by = f" by the house rule: {made.why}" if made.by_house else ""
        cost = f" for {dollars(made.cents)}" if made.cents else ""
        told = f"{_who(replay.recorded, made.seat)} chooses {made.choice}{cost}{by}"
        differs = replay.difference(CHOICES, place)
        yield Step(told, differs, CHOICES, str(made.seat + 1), cents=made.cents)


def _fallen(replay: Replay, deal: Deal, shown: int) -> Iterator[Step]:
    """The cards that fell since so many were on the table, by who received them."""
    by_receiver: dict[str, list[tuple[int, str]]] = {}
    for place, text in enumerate(laid_open(deal).split()[shown:], shown):
        to, _, card = text.partition(":")
        by_receiver.setdefault(to, []).append((place, card))
    for to, fell in by_receiver.items():
        who = _who(replay.recorded, int(to) - 1) if to.isdigit() else to.capitalize()
        differs = filter(None, (replay.difference(CARDS, place) for place, _ in fell))
        cards = tuple(card for _, card in fell)
        yield Step(f"{who}: {' '.join(cards)}", " ".join(differs), CARDS, to, cards)


def _paid(replay: Replay) -> Iterator[Step]:
    deal = replay.deals[-1] if replay.deals else None
    due = deal.payments if deal and deal.over and not replay.recorded.void else []
    for place, paid in enumerate(replay.recorded.payments):
        why = f" ({due[place][1].why})" if place < len(due) else ""
        told = f"{_who(replay.recorded, paid.seat)}, {paid.spot} {dollars(paid.staked)}: {paid.outcome}"
        differs = replay.difference(PAYMENTS, place)
        said = f"{told}, {signed(paid.net)}{why}"
        yield Step(said, differs, PAYMENTS, str(paid.seat + 1), cents=paid.net)


def _who(recorded: Recorded, seat: int) -> str:
    players = {held.position - 1: held.player for held in recorded.seats}
    return f"Seat {seat + 1} ({players.get(seat, 'nobody')})"


def signed(cents: int) -> str:
    return f"+{dollars(cents)}" if cents > 0 else dollars(cents)
