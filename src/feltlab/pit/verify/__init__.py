"""Is everything in a ledger as a sound server would have written it?

The digests tell whether events were changed since they were written. This goes further: it follows every
table, the cage, the accounts and the register of approvals from event to event, by the rules, and so finds
what was wrong when it was written, even if all digests were made to fit. It reads the ledger once, as it
was written, and remembers a table's state and no more than one shuffle of it, however many rounds there are.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any, NamedTuple

import orjson
from sqlalchemy import Row, func, select

from feltlab.core.cards import Cards
from feltlab.errors import Refused
from feltlab.ledger.chains import Problem, verify_chains
from feltlab.ledger.database import EVENTS
from feltlab.ledger.event import ANCHORS, CAGE_CHAIN, HOUSE_ACTOR, HOUSE_CHAIN, Event
from feltlab.ledger.ledger import Ledger, LedgerDown
from feltlab.parallel.progress import Progress, nobody_listens
from feltlab.pit.approvals import Approvals
from feltlab.pit.cage import Cage
from feltlab.pit.event_kinds import MONEY_MOVES, TABLE_KINDS
from feltlab.pit.meters import Meters
from feltlab.pit.recorded_round import FACE_DOWN_TEXT, RecordedRound, parse_order
from feltlab.pit.replay import replay_round
from feltlab.pit.role_history import Staff
from feltlab.pit.seat_numbers import from_record
from feltlab.pit.seats import ROUND_PHASES, Phase
from feltlab.pit.table import Table
from feltlab.shuffling.machine import BACKUP, MAIN, commitment_of
from feltlab.text import dollars, listing

MOST_PROBLEMS = 1_000  # that are kept; the others are counted
CHAINS_PART = 0.2  # of the time of a full verification goes to the digests, about
NOT_SOUND = (Refused, ValueError, KeyError, TypeError, AttributeError, IndexError)  # data that no table wrote

COUNTS = {  # what a report counts, and how it is called
    "events": "events",
    "chains": "chains",
    "settled": "rounds settled",
    "voids": "rounds void",
    "replayed": "rounds played again",
    "under_other_rules": "of those, recorded under other rules",
    "commitments": "commitments checked",
    "secret": "shuffles still secret",
}

Sentences = Iterator[str]


@dataclass
class Report:
    """What was read, and what was found."""

    events: int = 0
    chains: int = 0
    settled: int = 0  # rounds
    voids: int = 0
    replayed: int = 0
    under_other_rules: int = 0  # of those
    commitments: int = 0  # that were held against the order revealed
    secret: int = 0  # shuffles that are still in use
    issued: int = 0  # cents
    balances: int = 0
    at_tables: int = 0
    won: int = 0  # by the house
    anchor: str = ""  # the digest of the last one
    anchors: int = 0
    problems: list[Problem] = field(default_factory=list)
    more: int = 0  # problems beyond those

    @property
    def sound(self) -> bool:
        return not self.problems

    def add(self, problem: Problem) -> None:
        if len(self.problems) < MOST_PROBLEMS:
            self.problems.append(problem)
        else:
            self.more += 1

    def as_json(self) -> dict[str, Any]:
        told = [{"chain": p.chain, "number": p.number, "problem": p.sentence} for p in self.problems]
        return {**vars(self), "problems": told, "sound": self.sound}


def verify(ledger: Ledger, progress: Progress = nobody_listens, fast: bool = False) -> Report:
    """Verify a whole ledger, while it may be written; `fast` does not play the rounds again."""
    report = Report()
    last, part = _last(ledger), 0.5 if fast else CHAINS_PART
    for problem in verify_chains(ledger, lambda read: progress(part * min(1.0, read / max(1, last)))):
        report.add(problem)
    following = _Following(report, fast)
    try:
        for row in ledger.rows(select(EVENTS).where(EVENTS.c.sequence <= last).order_by(EVENTS.c.sequence)):
            following.read(row)
            if report.events % 1_000 == 0:
                progress(part + (1 - part) * report.events / last)
        following.end()
    except LedgerDown as error:
        report.add(Problem("", report.events + 1, str(error)))
    progress(1.0)
    return report


def _last(ledger: Ledger) -> int:
    """The sequence of the last event; what is written from now on is left to the next time."""
    (row,) = ledger.rows(select(func.coalesce(func.max(EVENTS.c.sequence), 0)))
    return int(row[0])


# -- All chains together ----------------------------------------------------------------------------


class _Move(NamedTuple):
    """Money on its way between the cage and a seat."""

    kind: str  # of the cage's event
    table: str
    seat: int
    player: str
    cents: int

    def __str__(self) -> str:
        way = "to" if self.kind == "to-table" else "from"
        return f"{dollars(self.cents)} of {self.player} {way} seat {self.seat} of {self.table}"


class _Following:
    """Follows all chains at once, in the order in which they were written."""

    def __init__(self, report: Report, fast: bool) -> None:
        self.report, self.fast = report, fast
        self.chains: set[str] = set()
        self.tables: dict[str, _Followed] = {}
        self.cage, self.register, self.staff = Cage(), Approvals(), Staff()
        self.moment = ""
        self.moves: list[tuple[_Move, Event]] = []  # of this moment, that the cage has not told yet

    def read(self, row: Row[Any]) -> None:
        _, chain, number, kind, round, at, data, digest = tuple(row)
        self.report.events += 1
        self.chains.add(chain)
        try:
            event = Event(chain, number, kind, round, at, orjson.loads(data), digest)
            self._follow(event)
        except NOT_SOUND as error:
            self._problem(chain, number, f"it cannot be followed ({_reason(error)}).")

    def _follow(self, event: Event) -> None:
        if event.at != self.moment:
            self._unmatched()
            self.moment = event.at
        if event.chain == CAGE_CHAIN:
            self._on_cage(event)
        elif event.chain == HOUSE_CHAIN:
            self._in_house(event)
        elif event.chain == ANCHORS:
            self.report.anchor, self.report.anchors = event.digest, event.number
        else:
            self._on_table(event)

    def _problem(self, chain: str, number: int, told: str) -> None:
        self.report.add(Problem(chain, number, f"{chain} {number}: {told}"))

    def _in_house(self, event: Event) -> None:
        self._by_whom(event)
        self.staff.after(event)
        self.register = self.register.after(event)

    def _by_whom(self, event: Event) -> None:
        objection = self.staff.objection(event)
        if objection:
            self._problem(event.chain, event.number, objection)

    def _on_table(self, event: Event) -> None:
        followed = self.tables.setdefault(event.chain, _Followed(self.report, self.fast))
        if not followed.was_announced(event):
            self._by_whom(event)
        for number, told in followed.after(event, self.register):
            self._problem(event.chain, number, told)
        if event.kind in MONEY_MOVES and event.data["cents"]:
            data, way = event.data, TABLE_KINDS[event.kind].cage_kind
            move = _Move(way, event.chain, data["seat"], data["player"], data["cents"])
            self.moves.append((move, event))

    # -- Money ---------------------------------------------------------------------------------------

    def _on_cage(self, event: Event) -> None:
        for told in _gives(self.cage, event):
            self._problem(event.chain, event.number, told)
        try:
            self.cage.after(event)
        except Refused as refused:
            self._problem(event.chain, event.number, str(refused))
            self.cage = Cage.from_events([event]) if event.kind == "standing" else self.cage
            self.cage.number = event.number
        if event.kind in ("to-table", "from-table"):
            data = event.data
            self._match(_Move(event.kind, data["table"], data["seat"], data["account"], data["cents"]), event)

    def _match(self, move: _Move, event: Event) -> None:
        """A move stands in both chains, written together: first at the table, then in the cage."""
        for place, (known, _) in enumerate(self.moves):
            if known == move:
                del self.moves[place]
                return
        self._problem(event.chain, event.number, f"{move}, of which the table knows nothing.")

    def _unmatched(self) -> None:
        for move, event in self.moves:
            self._problem(event.chain, event.number, f"{move}, of which the cage knows nothing.")
        self.moves = []

    def end(self) -> None:
        """What can be said only when everything was read."""
        self._unmatched()
        for name, followed in self.tables.items():
            for number, told in followed.end():
                self._problem(name, number, told)
        self._count()
        found = self.report.balances + self.report.at_tables + self.report.won
        if found != self.report.issued:
            parts = f"accounts have {dollars(self.report.balances)}, {dollars(self.report.at_tables)} is at"
            parts += f" the tables and the houses' tables won {dollars(self.report.won)}"
            told = f"{dollars(self.report.issued)} was issued, but {parts}: together {dollars(found)}."
            self._problem(CAGE_CHAIN, self.cage.number, told)

    def _count(self) -> None:
        report, tables = self.report, self.tables.values()
        report.chains = len(self.chains)
        report.issued, report.balances = self.cage.issued, sum(self.cage.balances.values())
        report.at_tables = sum(followed.table.chips for followed in tables if followed.table)
        report.won = sum(followed.won for followed in tables)
        report.secret = sum(followed.shuffle is not None for followed in tables)


GIFTS = {"welcome": Cage.plan_welcome, "refill": Cage.plan_refill}  # a server issues nothing else


def _gives(cage: Cage, event: Event) -> Sentences:
    """Money is made only as the cage itself would make it."""
    data = event.data
    if event.kind == "standing" and not cage.number and any(data.values()):
        yield "it begins with money that nobody issued."
    if event.kind != "issued":
        return
    plan = GIFTS.get(data["why"])
    try:
        due = sum(draft.data["cents"] for draft in plan(cage, data["account"])) if plan else 0
    except Refused as refused:
        yield f"{data['account']} was given a {data['why']}. {refused}"
        return
    if data["cents"] != due:
        told = f"{dollars(data['cents'])} was issued to {data['account']} as {data['why']!r}"
        yield f"{told}, and by the rules of the cage {dollars(due)} is."


def _reason(error: Exception) -> str:
    said = str(error).rstrip(".")
    return said if isinstance(error, Refused) else f"{type(error).__name__}: {said}"


# -- A table ----------------------------------------------------------------------------------------


class _Committed(NamedTuple):
    """A shuffle whose order is still a secret."""

    name: str
    commitment: str
    may_be_odd: bool  # the shuffler was made to fail, to see what happens
    laid_open: tuple[tuple[int, int, str], ...] = ()  # number of the event, offset, cards
    dealt: bool = False  # to players


class _Followed:
    """A table, event by event, with the round that is on and the shuffle in use."""

    def __init__(self, report: Report, fast: bool) -> None:
        self.report, self.fast = report, fast
        self.table: Table | None = None
        self.round: RecordedRound | None = None
        self.number = 0  # of the event that ended the round
        self.shuffle: _Committed | None = None
        self.won = 0
        self.drilled, self.in_use = False, MAIN

    def after(self, event: Event, register: Approvals) -> Iterator[tuple[int, str]]:
        """Follow an event; what is wrong with it, and with a round that is complete now."""
        if event.kind != "order":
            yield from self.end()
        if event.kind == "opened":
            yield from ((event.number, told) for told in self._opens(event, register))
        elif self.table is None:
            yield event.number, f"{event.kind!r} in a table that was never opened."
        else:
            yield from ((event.number, told) for told in self._goes_on(event, self.table))

    def was_announced(self, event: Event) -> bool:
        """Is this the end of a table by whom announced it, and may have left since?"""
        table = self.table
        return bool(event.kind == "closed" and table and table.closes and event.data["by"] == table.closes)

    def end(self) -> Iterator[tuple[int, str]]:
        """Play a round again that is over. Its cards may be shown after its end, so this comes later."""
        if self.round is None or not self.round.ended:
            return
        round, self.round = self.round, None
        if not self.fast:
            self.report.replayed += 1
            self.report.under_other_rules += round.under_other_rules
            yield from (
                (self.number, f"round {round.round}: {told}") for told in replay_round(round).sentences
            )

    def _opens(self, event: Event, register: Approvals) -> Sentences:
        before, table = self.table, Table.from_event(event)
        if before:
            if before.phase != Phase.CLOSED:
                yield "it was opened while it was open."
            table = replace(table, round=before.round, cycles=before.cycles)
        same_rules = before is not None and before.digest == table.digest
        if table.meters != (before.meters if before and same_rules else Meters()):
            yield "its meters are not those with which it was closed."
        yield from _approved(event, register)
        self.table, self.drilled, self.in_use = table, False, MAIN

    def _goes_on(self, event: Event, table: Table) -> Sentences:
        yield from _fits(event, table)
        yield from self._checked(event, table)
        if self.round or event.kind == "standing":
            blank = self.round or RecordedRound(table.name, 0, table.game, table.digest)
            self.round = blank.after(event, table)
        self.table = table.after(event)

    def _checked(self, event: Event, table: Table) -> Sentences:
        check = CHECKS.get(event.kind)
        if check:
            yield from check(table, from_record(event.data))
        own = _OWN.get(event.kind)
        if own:
            yield from own(self, event, table)

    # -- Shuffles ------------------------------------------------------------------------------------

    def _shuffled(self, event: Event, table: Table) -> Sentences:
        data = event.data
        if self.shuffle:
            yield f"shuffle {self.shuffle.name} was replaced before its order was shown."
        if (data["cycle"], data["shuffle"]) != (table.cycles + 1, f"{table.name}/{table.cycles + 1}"):
            yield f"shuffle {data['shuffle']} stands where {table.name}/{table.cycles + 1} belongs."
        self.shuffle = _Committed(data["shuffle"], data["commitment"], self.drilled)

    def _order(self, event: Event, table: Table) -> Sentences:
        data, shuffle = event.data, self.shuffle
        if shuffle is None or data["shuffle"] != shuffle.name:
            yield f"the order of {data['shuffle']} is shown, which is not in use."
            return
        self.shuffle, order = None, parse_order(data["order"])
        self.report.commitments += 1
        if commitment_of(order, data["salt"]) != shuffle.commitment:
            yield f"order and salt of {shuffle.name} do not give the commitment made before."
        if sorted(order) != sorted(table.game.deck.cards) and (shuffle.dealt or not shuffle.may_be_odd):
            yield f"the order of {shuffle.name} is not the deck of {table.game.title}."
        for number, start, laid in shuffle.laid_open:
            yield from _not_in(order, number, start, laid)

    def _no_more_bets(self, event: Event, table: Table) -> Sentences:
        if self.shuffle is None:
            yield "bets were closed when the order of the cards was shown already."
        else:
            self.shuffle = self.shuffle._replace(dealt=True)

    def _revealed(self, event: Event, table: Table) -> Sentences:
        if self.shuffle:
            laid = (event.number, table.start, event.data["dealt"])
            self.shuffle = self.shuffle._replace(laid_open=(*self.shuffle.laid_open, laid))
        return iter(())

    def _fault(self, event: Event, table: Table) -> Sentences:
        if self.shuffle:
            self.shuffle = self.shuffle._replace(may_be_odd=True)
        self.drilled, self.in_use = False, BACKUP
        return iter(())

    def _drill(self, event: Event, table: Table) -> Sentences:
        self.drilled = True
        return iter(())

    def _changed(self, event: Event, table: Table) -> Sentences:
        """The other shuffler is put into use, and it works."""
        if event.data["shuffler"] == self.in_use:
            yield f"the {self.in_use} shuffler is in use already."
        self.drilled, self.in_use = False, event.data["shuffler"]

    def _lost(self, event: Event, table: Table) -> Sentences:
        """An order that nobody can show any more is held against nothing."""
        if self.shuffle is None or event.data["shuffle"] != self.shuffle.name:
            yield f"{event.data['shuffle']} was lost, and it is not in use."
        self.shuffle = None

    # -- Rounds --------------------------------------------------------------------------------------

    def _standing(self, event: Event, table: Table) -> Sentences:
        due = _standing_of(table) | {"shuffler": self.in_use}
        if self.shuffle:
            due |= {"shuffle": self.shuffle.name, "commitment": self.shuffle.commitment}
        else:
            yield "a round begins without a commitment to its cards."
        for key, value in due.items():
            if event.data[key] != value:
                yield _unlike(key, event.data[key], value)

    def _settled(self, event: Event, table: Table) -> Sentences:
        self.number = event.number
        self.report.settled += 1
        self.won -= sum(paid[4] for paid in event.data["payments"])
        return iter(())

    def _void(self, event: Event, table: Table) -> Sentences:
        self.number = event.number
        self.report.voids += 1
        return iter(())


_OWN: Mapping[str, Callable[[_Followed, Event, Table], Sentences]] = {
    "shuffled": _Followed._shuffled,
    "order": _Followed._order,
    "no-more-bets": _Followed._no_more_bets,
    "revealed": _Followed._revealed,
    "fault": _Followed._fault,
    "drill": _Followed._drill,
    "shuffler": _Followed._changed,
    "lost": _Followed._lost,
    "standing": _Followed._standing,
    "settled": _Followed._settled,
    "void": _Followed._void,
}


def _approved(event: Event, register: Approvals) -> Sentences:
    """Was the approval in force that day, for exactly these rules?"""
    data, day = event.data, date.fromisoformat(event.at[:10])
    try:
        approval = register[data["approval"]]
    except Refused as unknown:
        yield f"it was opened without an approval. {unknown}"
        return
    if approval.game != data["game"] or not approval.in_force(day, data["digest"]):
        yield f"it was opened under {approval}, which was not in force for these rules on {day}."


def _not_in(order: Cards, number: int, start: int, laid: str) -> Sentences:
    """Cards that were laid open, and do not lie in the order where the round began."""
    shown = [text.partition(":")[2] for text in laid.split()]
    lying = str(Cards(order[start : start + len(shown)])).split()
    if len(lying) < len(shown) or any(
        a not in (b, FACE_DOWN_TEXT) for a, b in zip(shown, lying, strict=False)
    ):
        yield f"the order does not have the cards that event {number} laid open."


# -- What may happen when ---------------------------------------------------------------------------


def _fits(event: Event, table: Table) -> Sentences:
    """May this happen now, and does it name the round that is on?"""
    kind = TABLE_KINDS.get(event.kind)
    if kind is None or table.phase not in kind.phases:
        yield f"{event.kind!r} cannot happen in the phase {table.phase.value!r}."
    due = table.round + (event.kind == "standing")
    if event.round != due:
        yield f"it names round {event.round} in round {due}."


def _standing_of(table: Table) -> dict[str, Any]:
    """What the events before a standing add up to."""
    return {
        "round": table.round + 1,
        "seats": table.seats_snapshot,
        "cycles": table.cycles,
        "used": table.used,
        "meters": table.meters.to_json(),
        "alarm": table.alarm,
        "void": table.void_reason,
    }


def _unlike(key: str, told: Any, due: Any) -> str:
    if key != "seats" or len(told) != len(due):
        return f"the standing has {key} {_short(told)}, and the events before it come to {_short(due)}."
    wrong = [(n, a, b) for n, (a, b) in enumerate(zip(told, due, strict=True), 1) if a != b]
    seats = listing(
        f"seat {n} has {_short(a)}, and the events before it come to {_short(b)}" for n, a, b in wrong
    )
    return f"the standing is wrong: {seats}."


def _short(value: Any) -> str:
    if isinstance(value, dict) and "cents" in value:
        return f"{value['player']} with {dollars(value['cents'])} {value['last'] or ''}".strip()
    said = str(value if value not in (None, "") else "nobody" if value is None else "none")
    return said if len(said) < 200 else f"{said[:200]}..."


# -- What each act has to respect -------------------------------------------------------------------


def _sits(table: Table, data: Mapping[str, Any]) -> Sentences:
    if table.places[data["seat"]]:
        yield f"seat {data['seat'] + 1} was taken."
    yield from _positive(data)


def _buys(table: Table, data: Mapping[str, Any]) -> Sentences:
    yield from _own_seat(table, data)
    yield from _positive(data)


def _positive(data: Mapping[str, Any]) -> Sentences:
    if data["cents"] <= 0:
        yield f"{dollars(data['cents'])} buys nothing."


def _own_seat(table: Table, data: Mapping[str, Any]) -> Sentences:
    place = table.places[data["seat"]]
    holder = place.player if place else "nobody"
    if holder != data["player"]:
        yield f"{data['player']} acted for seat {data['seat'] + 1}, which {holder} holds."


def _leaves(table: Table, data: Mapping[str, Any]) -> Sentences:
    yield from _own_seat(table, data)
    place = table.places[data["seat"]]
    chips = place.bankroll + place.on_felt if place else 0
    if data["cents"] != chips:
        yield f"seat {data['seat'] + 1} left with {dollars(data['cents'])} of {dollars(chips)}."
    if table.phase in ROUND_PHASES and data["seat"] in table.playing:
        yield f"seat {data['seat'] + 1} left while its wagers stood."


def _wagers(table: Table, data: Mapping[str, Any]) -> Sentences:
    yield from _own_seat(table, data)
    place, put = table.places[data["seat"]], sum(data["wagers"].values())
    for spot, cents in data["wagers"].items():
        try:
            table.limits.check(table.game.spot(spot), cents)
        except Refused as refused:
            yield f"seat {data['seat'] + 1} wagered outside the limits: {refused}"
    if place and put > place.bankroll + place.on_felt:
        yield f"seat {data['seat'] + 1} wagered {dollars(put)} of {dollars(place.bankroll + place.on_felt)}."


def _closes_bets(table: Table, data: Mapping[str, Any]) -> Sentences:
    if data["playing"] != table.bettors:
        have, due = (listing(seat + 1 for seat in seats) for seats in (data["playing"], table.bettors))
        yield f"seats {have} are dealt in, and seats {due} have wagered."


def _chooses(table: Table, data: Mapping[str, Any]) -> Sentences:
    place, seat = table.places[data["seat"]], data["seat"] + 1
    if data["player"] == HOUSE_ACTOR:
        if not table.game.choice(data["choice"]).house_rule:
            yield f"the house chose {data['choice']!r} for seat {seat}, which is not the house rule."
    else:
        yield from _own_seat(table, data)
    if data["seat"] not in table.playing:
        yield f"seat {seat} chose, and is not in the round."
    if place and not 0 <= data["cents"] <= place.bankroll:
        yield f"seat {seat} put down {dollars(data['cents'])} of {dollars(place.bankroll)}."


def _settles(table: Table, data: Mapping[str, Any]) -> Sentences:
    """Each seat's payments are for what it has on the felt, and come to what it takes back."""
    staked, back = Counter[int](), Counter[int]()
    for seat, _, _, stake, net in data["payments"]:
        staked[seat] += stake
        back[seat] += stake + net
    felt = {seat: place.on_felt for seat in table.playing if (place := table.places[seat])}
    yield from _sums("has payments for", staked, felt)
    yield from _sums("took back", {int(seat): cents for seat, cents in data["returned"].items()}, back)


def _voids(table: Table, data: Mapping[str, Any]) -> Sentences:
    """Every cent that stood goes back."""
    felt = {seat: place.on_felt for seat, place in enumerate(table.places) if place and place.on_felt}
    yield from _sums("took back", {int(seat): cents for seat, cents in data["returned"].items()}, felt)


def _sums(did: str, told: Mapping[int, int], due: Mapping[int, int]) -> Sentences:
    for seat in sorted({*told, *due}):
        if told.get(seat, 0) != due.get(seat, 0):
            have, right = dollars(told.get(seat, 0)), dollars(due.get(seat, 0))
            yield f"seat {seat + 1} {did} {have}, and {right} is right."


def _closes(table: Table, data: Mapping[str, Any]) -> Sentences:
    seats = [seat + 1 for seat, place in enumerate(table.places) if place]
    if seats:
        yield f"it was closed with players at seats {listing(seats)}."
    if data["meters"] != table.meters.to_json():
        yield _unlike("meters", data["meters"], table.meters.to_json())


CHECKS: Mapping[str, Callable[[Table, Mapping[str, Any]], Iterable[str]]] = {
    "seated": _sits,
    "bought": _buys,
    "left": _leaves,
    "leaving": _own_seat,
    "wagered": _wagers,
    "ready": _own_seat,
    "no-more-bets": _closes_bets,
    "chose": _chooses,
    "settled": _settles,
    "void": _voids,
    "closed": _closes,
}
