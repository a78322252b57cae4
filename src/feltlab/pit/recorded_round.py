"""Recorded rounds, folded from the ledger's events alone: no vault and no key is needed."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache, reduce
from itertools import takewhile
from typing import Any, NamedTuple

from feltlab.core.cards import FACE_DOWN, Cards, card, name
from feltlab.core.game import Game
from feltlab.core.limits import STANDARD_LIMITS, Limits
from feltlab.core.seating import Seat
from feltlab.errors import Refused, Unknown
from feltlab.games.rules_history import rules_change
from feltlab.ledger.event import HOUSE_ACTOR, OTHER_CHAINS, Event
from feltlab.ledger.ledger import Ledger
from feltlab.pit.custody.archived_rounds import describe_archived
from feltlab.pit.event_kinds import ROUND_ENDS
from feltlab.pit.irregularities.recorded import (
    RecordedCorrection,
    RecordedIrregularity,
    list_marks,
    load_corrections,
)
from feltlab.pit.seat_numbers import from_record
from feltlab.pit.shufflers.seeds import (
    SealedSeed,
    SeatSeed,
    order_seeds,
    replace_sealed,
    seeds_from_record,
)
from feltlab.pit.table import Table
from feltlab.shuffling.seeds import mix_cards
from feltlab.text import dollars, listing
from feltlab.values import replace_unchecked

FACE_DOWN_TEXT = name(FACE_DOWN)
ORDERS_READ = 8

PLAIN_FIELDS = (
    *("table", "round", "digest", "shuffle", "commitment", "start", "salt", "laid_open", "used"),
    *("void", "began", "closed", "ended"),
)


class RecordedChoice(NamedTuple):
    """A choice, made by the player or by the house rule."""

    seat: int  # from 0
    by: str
    choice: str
    cents: int  # that it put down
    why: str = ""
    settled: int = 0  # wagers of the table that were settled before it
    bankroll: int = 0  # cents in front of the player before it

    @property
    def by_house(self) -> bool:
        return self.by == HOUSE_ACTOR


class RecordedPayment(NamedTuple):
    seat: int  # from 0
    spot: str
    outcome: str
    staked: int
    net: int

    def __str__(self) -> str:
        return f"seat {self.seat + 1} {self.spot} {self.outcome} {dollars(self.staked)} {dollars(self.net)}"


@dataclass(frozen=True)
class RecordedRound:
    """A round as it is on record."""

    table: str
    round: int
    game: Game  # with the options and pays of that time
    digest: str  # of the rules of that time
    limits: Limits = STANDARD_LIMITS
    shuffle: str = ""
    commitment: str = ""  # to the order of the cards
    start: int = 0  # cards of the shuffle that earlier rounds used
    order: Cards | None = None  # of the whole shuffle, once it is revealed
    salt: str = ""
    seeds: tuple[SeatSeed, ...] = ()  # that seats added to the shuffle
    sealed_seeds: tuple[SealedSeed, ...] = ()  # digests, on record before the bets closed in this round
    seats: tuple[Seat, ...] = ()  # those that wagered, without their choices
    calls: tuple[str, ...] = ()  # empty if no card was dealt
    in_stages: bool = False  # wagers were settled while the round went on
    choices: tuple[RecordedChoice, ...] = ()
    laid_open: str = ""
    settled: int = 0  # wagers that were settled before the cards were laid open
    used: int = 0
    payments: tuple[RecordedPayment, ...] = ()
    returned: Mapping[int, int] = field(default_factory=dict, hash=False)  # by seat, from the felt
    void: str = ""
    irregularities: tuple[RecordedIrregularity, ...] = ()
    corrections: tuple[RecordedCorrection, ...] = ()  # made since
    # The digests of earlier wordings under which it was played, and the wagers settled until the next one.
    carried: tuple[tuple[str, int], ...] = ()
    began: str = ""  # when betting opened
    closed: str = ""  # when betting closed
    ended: str = ""  # when the round was settled or void

    @property
    def name(self) -> str:
        return f"{self.table}:{self.round}"

    @property
    def dealt_order(self) -> Cards | None:
        """The order in which the shuffle was dealt, mixed by the seats' seeds, once it is revealed."""
        if self.order is None or not self.seeds:
            return self.order
        return mix_cards(self.order, self.salt, order_seeds(self.seeds))

    @property
    def under_other_rules(self) -> bool:
        """Another wording of the same rules is no other rules."""
        return not rules_change(self.game, self.digest).same_rules

    def digest_at(self, payment: int) -> str:
        """The digest of the rules under which a payment, counted from 0, was made."""
        return next((digest for digest, settled in self.carried if payment < settled), self.digest)

    @property
    def win(self) -> int:
        """The house's win, with the corrections made since."""
        return -sum(paid.net for paid in self.payments) - sum(made.cents for made in self.corrections)

    @property
    def marks(self) -> list[str]:
        """'irregularity', 'corrected' and 'drill', as far as they are true of the round."""
        return list_marks((one.drill for one in self.irregularities), (one.drill for one in self.corrections))

    def net_of(self, seat: int) -> int:
        """The net of a seat, counted from 0, with the corrections made since."""
        paid = sum(payment.net for payment in self.payments if payment.seat == seat)
        return paid + sum(made.cents for made in self.corrections if made.seat == seat)

    def as_json(self) -> dict[str, Any]:
        """Plain data, with seats numbered from 1."""
        seats = [{"seat": s.position, "player": s.player, "wagers": dict(s.wagers)} for s in self.seats]
        return {
            **{key: getattr(self, key) for key in PLAIN_FIELDS},
            "game": str(self.game),
            "under_other_rules": self.under_other_rules,
            "order": str(self.order) if self.order else "",
            "seeds": [seed.as_json() for seed in self.seeds],
            "sealed_seeds": [sealed.as_json() for sealed in self.sealed_seeds],
            "seats": seats,
            "calls": list(self.calls),
            "choices": [{**choice._asdict(), "seat": choice.seat + 1} for choice in self.choices],
            "payments": [{**payment._asdict(), "seat": payment.seat + 1} for payment in self.payments],
            "returned": {str(seat + 1): cents for seat, cents in self.returned.items()},
            "irregularities": [noted.as_json() for noted in self.irregularities],
            "corrections": [made.as_json() for made in self.corrections],
            "win": self.win,
            "marks": self.marks,
        }

    def after(self, event: Event, table: Table) -> "RecordedRound":
        """The round after an event; `table` is the table before it."""
        apply = _HANDLERS.get(event.kind)
        return apply(self, event, table) if apply else self

    def _begin(self, event: Event, table: Table) -> "RecordedRound":
        data = event.data
        shuffle = (data["shuffle"], data["commitment"], data["used"])
        terms = (table.name, data["round"], table.game, table.digest, table.limits)
        seeds = seeds_from_record(data.get("seeds", ()))
        return RecordedRound(*terms, *shuffle, seeds=seeds, began=event.at)

    def _carry_over(self, event: Event, table: Table) -> "RecordedRound":
        carried = (*self.carried, (self.digest, len(table.paid)))
        return replace_unchecked(self, digest=event.data["to"], carried=carried)

    def _change_cards(self, event: Event, table: Table) -> "RecordedRound":
        """A shuffle before betting closes replaces this round's cards; a later one is for the next round."""
        if self.ended or self.closed:
            return self
        fields = {key: event.data[key] for key in ("shuffle", "commitment")}
        return replace_unchecked(self, start=0, order=None, salt="", seeds=(), sealed_seeds=(), **fields)

    def _seal_seed(self, event: Event, table: Table) -> "RecordedRound":
        data = from_record(event.data)
        new = SealedSeed(data["seat"], data["player"], data["digest"])
        return replace_unchecked(self, sealed_seeds=replace_sealed(self.sealed_seeds, new))

    def _add_seed(self, event: Event, table: Table) -> "RecordedRound":
        data = from_record(event.data)
        given = SeatSeed(data["seat"], data["player"], data["seed"])
        return replace_unchecked(self, seeds=(*self.seeds, given))

    def _reveal_order(self, event: Event, table: Table) -> "RecordedRound":
        if event.data["shuffle"] != self.shuffle:
            return self
        return replace_unchecked(self, order=parse_order(event.data["order"]), salt=event.data["salt"])

    def _close_bets(self, event: Event, table: Table) -> "RecordedRound":
        seats = _wagered_seats(table, from_record(event.data)["playing"])
        calls, in_stages = tuple(event.data["calls"]), bool(event.data.get("stages"))
        return replace_unchecked(self, seats=seats, calls=calls, in_stages=in_stages, closed=event.at)

    def _choose(self, event: Event, table: Table) -> "RecordedRound":
        data = from_record(event.data)
        fields = (data["seat"], data["player"], data["choice"], data["cents"], data.get("why", ""))
        before = (len(table.paid), table.place(data["seat"]).bankroll)
        return replace_unchecked(self, choices=(*self.choices, RecordedChoice(*fields, *before)))

    def _lay_open(self, event: Event, table: Table) -> "RecordedRound":
        shown = {"laid_open": event.data["dealt"], "used": event.data["used"], "settled": len(table.paid)}
        return replace_unchecked(self, **shown)

    def _settle(self, event: Event, table: Table) -> "RecordedRound":
        data = from_record(event.data)
        payments = tuple(RecordedPayment(*payment) for payment in data["payments"])
        return replace_unchecked(self, payments=payments, returned=cents_returned(data), ended=event.at)

    def _note_irregularity(self, event: Event, table: Table) -> "RecordedRound":
        noted = RecordedIrregularity.from_event(event, len(self.choices), table)
        return replace_unchecked(self, irregularities=(*self.irregularities, noted))

    def _make_void(self, event: Event, table: Table) -> "RecordedRound":
        seats = self.seats or _wagered_seats(table, table.bettors)
        payments = tuple(RecordedPayment(*payment) for payment in table.paid)
        back = cents_returned(from_record(event.data))
        ending = {"void": event.data["reason"], "payments": payments, "returned": back, "ended": event.at}
        return replace_unchecked(self, seats=seats, **ending)


_HANDLERS = {
    "standing": RecordedRound._begin,
    "carried-over": RecordedRound._carry_over,
    "shuffled": RecordedRound._change_cards,
    "seed-sealed": RecordedRound._seal_seed,
    "seeded": RecordedRound._add_seed,
    "order": RecordedRound._reveal_order,
    "no-more-bets": RecordedRound._close_bets,
    "chose": RecordedRound._choose,
    "revealed": RecordedRound._lay_open,
    "settled": RecordedRound._settle,
    "irregularity": RecordedRound._note_irregularity,
    "void": RecordedRound._make_void,
}


@lru_cache(maxsize=64)
def parse_order(text: str) -> Cards:
    """The order of a revealed shuffle. Each card's name is parsed once, as ledgers repeat them endlessly.

    A verification asks for an order several times in a row.
    """
    return Cards(map(_card, text.split()))


_card = lru_cache(maxsize=128)(card)


def _wagered_seats(table: Table, seats: Iterable[int]) -> tuple[Seat, ...]:
    held = ((seat + 1, table.places[seat]) for seat in seats)
    return tuple(Seat(place.wagers, (), place.player, position) for position, place in held if place)


def cents_returned(data: Mapping[str, Any]) -> dict[int, int]:
    """The cents that each seat took back in a round, from the event that ended it."""
    back = {int(seat): cents for seat, cents in data["returned"].items()}
    for seat, cents in data.get("before", {}).items():
        back[int(seat)] = back.get(int(seat), 0) + cents
    return back


# -- Reading them from a ledger ---------------------------------------------------------------------


def table_names(ledger: Ledger) -> list[str]:
    return [chain for chain in ledger.chains() if chain not in OTHER_CHAINS]


def load_round(ledger: Ledger, table: str, round: int) -> RecordedRound:
    """Load a finished round, with the corrections of its payments."""
    _check_table(ledger, table)
    return _add_corrections(_load_round(ledger, table, round), load_corrections(ledger, table))


def _load_round(ledger: Ledger, table: str, round: int) -> RecordedRound:
    events = ledger.events(table, round=round)
    begins = next((event for event in events if event.kind == "standing"), None)
    if begins is None:
        raise Unknown(describe_archived(ledger, table, round) or f"{table} has played no round {round}.")
    recorded = _fold_round(load_opened_table(ledger, begins), [begins, *events])
    if not recorded.ended:
        raise Refused(f"Round {round} of {table} is not over: nothing is settled or returned yet.")
    return recorded if recorded.order else _add_order(ledger, recorded, begins.number)


def load_opened_table(ledger: Ledger, before: Event) -> Table:
    """The table as it was last opened before an event, carried over to another digest and shared since."""
    (opened,) = ledger.last_events(before.chain, ("opened",), 1, before.number)
    changed = ledger.events(before.chain, after=opened.number, kinds=("carried-over", "shared"))
    earlier = takewhile(lambda event: event.number < before.number, changed)
    return reduce(Table.after, earlier, Table.from_event(opened))


def _fold_round(table: Table, events: Iterable[Event]) -> RecordedRound:
    """Fold events into a round, up to its end."""
    recorded = RecordedRound(table.name, 0, table.game, table.digest)
    for event in events:
        if recorded.ended and event.kind != "order":
            break
        recorded, table = recorded.after(event, table), table.after(event)
    return recorded


def _add_order(ledger: Ledger, recorded: RecordedRound, after: int) -> RecordedRound:
    """Add the order of its shuffle, which a shoe reveals some rounds later."""
    order = find_order(ledger, recorded.table, recorded.shuffle, after)
    if order is None:
        return recorded
    return replace(recorded, order=parse_order(order.data["order"]), salt=order.data["salt"])


def find_order(ledger: Ledger, table: str, shuffle: str, after: int) -> Event | None:
    """The event that showed the order of a shuffle, after one that names it; None while it is secret.

    A table shows the order of a shuffle before it makes the next one, so the event is among the first.
    """
    orders = ledger.next_events(table, "order", after, ORDERS_READ)
    return next((event for event in orders if event.data["shuffle"] == shuffle), None)


def load_last_rounds(ledger: Ledger, table: str | None = None, last: int = 10) -> list[RecordedRound]:
    """Load the last rounds of one table or of all, in the order in which they ended."""
    if table is not None:
        _check_table(ledger, table)
    chains = [table] if table is not None else table_names(ledger)
    ends = [event for chain in chains for event in ledger.last_events(chain, ROUND_ENDS, last)]
    ends.sort(key=lambda event: (event.at, event.chain, event.number))
    rounds = [_load_round(ledger, end.chain, end.round) for end in ends[-last:]] if last else []
    made = {name: load_corrections(ledger, name) for name in {round.table for round in rounds}}
    return [_add_corrections(round, made[round.table]) for round in rounds]


def _add_corrections(round: RecordedRound, made: Iterable[RecordedCorrection]) -> RecordedRound:
    return replace(round, corrections=tuple(one for one in made if one.corrects == round.round))


def _check_table(ledger: Ledger, table: str) -> None:
    known = table_names(ledger)
    if table not in known:
        raise Unknown(f"{table!r} is not a table of this ledger; its tables are {listing(known[:20])}.")
