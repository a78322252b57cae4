"""Incidents: everything on record about what went wrong in one round, for a report that is signed."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from feltlab.core.game import Game
from feltlab.errors import Unknown
from feltlab.ledger.event import HOUSE_ACTOR, HOUSE_CHAIN, Event
from feltlab.ledger.ledger import Ledger
from feltlab.pit.irregularities.hands import seat_hand
from feltlab.pit.irregularities.kinds import (
    CORRECT,
    WRONG_PAYMENT,
    describe_decision,
    find_clause,
    find_clause_by_beginning,
    irregularity_kind,
)
from feltlab.pit.irregularities.recorded import (
    CORRECTED,
    IRREGULARITY,
    RecordedCorrection,
    RecordedIrregularity,
)
from feltlab.pit.recorded_round import RecordedRound, load_round
from feltlab.pit.replay import CARDS, replay_round
from feltlab.pit.replay_steps import describe_steps
from feltlab.text import capitalised, dollars, signed_dollars

FAULT_CLAUSES = ("When the shuffler shows a fault", "When a shuffler shows a fault")  # how they begin
SETTLED_CLAUSE = "Wagers that were settled before"
# The events that a report names with their digests.
REPORTED_KINDS = (
    *("rehearsal", "drill-ended", "drill", "fault", IRREGULARITY),
    *("paid", "void", "settled", CORRECTED),
)


@dataclass(frozen=True)
class IncidentEntry:
    """One thing that went wrong, and what was decided."""

    kind: str
    title: str
    time: str
    by: str
    what: str  # in a sentence or two
    hand: str = ""
    player: str = ""
    found: int | None = None  # cards
    due: int | None = None
    decision: str = ""
    decided: str = ""  # the decision in a sentence
    clause: str = ""  # its number
    clause_text: str = ""
    reading: str = ""  # the house's, where the documents are silent
    drill: bool = False
    phase: str = ""  # of the table when it was recorded


@dataclass(frozen=True)
class SeatMoney:
    """The money of a seat in the round, in cents."""

    seat: int  # from 1
    player: str
    put_down: int
    settled: int  # net of the wagers that were settled
    refunded: int  # of those that were void
    corrected: int  # since


@dataclass(frozen=True)
class NamedEvent:
    """An event by its place in the chain."""

    number: int
    kind: str
    time: str
    digest: str


@dataclass(frozen=True)
class Incident:
    """The irregularities of a round, the money that they moved, and the events that record them."""

    table: str
    round: int
    game: str
    title: str  # of the game
    rules_date: str
    rules_digest: str
    began: str
    ended: str
    void: str
    entries: tuple[IncidentEntry, ...]
    money: tuple[SeatMoney, ...]
    events: tuple[NamedEvent, ...]
    house: str = ""
    hands: tuple[tuple[str, str], ...] = ()  # who had cards, and the cards as they lay
    settled: tuple[str, ...] = ()  # wagers that were taken or paid, in words
    returned: tuple[str, ...] = ()  # wagers that a void round gave back
    stays: str = ""  # the clause that settled wagers stay settled

    @property
    def is_drill(self) -> bool:
        return all(entry.drill for entry in self.entries)

    def as_json(self) -> dict[str, Any]:
        return {**asdict(self), "drill": self.is_drill}


def load_incident(ledger: Ledger, table: str, round: int) -> Incident:
    """Load what went wrong in a finished round; refuses a round in which nothing did."""
    recorded = load_round(ledger, table, round)
    events = [*ledger.events(table, round=round), *_corrections_of(ledger, table, round)]
    entries = tuple(_entries(recorded, events))
    if not entries:
        raise Unknown(f"Nothing irregular is on record about round {round} of {table}.")
    return Incident(
        table,
        round,
        str(recorded.game),
        recorded.game.title,
        recorded.game.rules.DATE,
        recorded.digest,
        recorded.began,
        recorded.ended,
        recorded.void,
        entries,
        tuple(_seat_money(recorded)),
        tuple(_named_events(events, round)),
        _house_name(ledger),
        tuple(_hands(recorded)),
        tuple(_settled_wagers(recorded)),
        tuple(_returned_wagers(recorded)) if recorded.void else (),
        _stays_settled(recorded),
    )


def _house_name(ledger: Ledger) -> str:
    """The house that last started a server on this ledger; '' if it is not on record."""
    started = ledger.last_events(HOUSE_CHAIN, ("started",), 1)
    return str(started[-1].data.get("house", "")) if started else ""


def _corrections_of(ledger: Ledger, table: str, round: int) -> Iterator[Event]:
    events = ledger.events(table, kinds=(CORRECTED,))
    return (event for event in events if event.data["corrects"] == round and event.round != round)


def _named_events(events: Iterable[Event], round: int) -> Iterator[NamedEvent]:
    for event in events:
        others = event.kind == CORRECTED and event.data["corrects"] != round
        if event.kind in REPORTED_KINDS and not others:
            yield NamedEvent(event.number, event.kind, event.at, event.digest)


# -- Entries ----------------------------------------------------------------------------------------


def _entries(recorded: RecordedRound, events: Sequence[Event]) -> Iterator[IncidentEntry]:
    drilled = any(event.kind == "drill" for event in events)
    faults = [event for event in events if event.kind == "fault"]
    yield from (_fault_entry(event, recorded.game, drilled) for event in faults)
    yield from (_irregularity_entry(noted, recorded.game) for noted in recorded.irregularities)
    voids = [event for event in events if event.kind == "void"]
    if voids and not faults and not recorded.irregularities:
        yield _void_entry(voids[0])
    yield from (_correction_entry(correction, recorded.game) for correction in recorded.corrections)


def _irregularity_entry(noted: RecordedIrregularity, game: Game) -> IncidentEntry:
    return IncidentEntry(
        noted.kind,
        irregularity_kind(noted.kind).title,
        noted.time,
        noted.by,
        str(noted),
        noted.hand,
        noted.player,
        noted.found,
        noted.due,
        noted.decision,
        describe_decision(noted.decision),
        *_clause(noted.kind, game),
        noted.drill,
        noted.phase,
    )


def _correction_entry(correction: RecordedCorrection, game: Game) -> IncidentEntry:
    return IncidentEntry(
        WRONG_PAYMENT,
        irregularity_kind(WRONG_PAYMENT).title,
        correction.time,
        correction.by,
        f"{'Drill: ' * correction.drill}{capitalised(str(correction))}. "
        f"{correction.reason.rstrip('.')}. {_beside_rules(correction)}",
        seat_hand(correction.seat),
        correction.player,
        None,
        None,
        CORRECT,
        describe_decision(CORRECT),
        *_clause(WRONG_PAYMENT, game),
        correction.drill,
    )


def _beside_rules(correction: RecordedCorrection) -> str:
    if correction.rules is None:
        return "The round could not be dealt again, so the rules' own amount is not known."
    return f"By the rules it is {signed_dollars(correction.rules)}."


def _clause(kind: str, game: Game) -> tuple[str, str, str]:
    clause = find_clause(kind, game)
    return clause.number, clause.text, clause.reading


def _fault_entry(event: Event, game: Game, drilled: bool) -> IncidentEntry:
    what = f"The {event.data['shuffler']} shuffler: {event.data['message']}"
    entry = IncidentEntry("shuffler-fault", "Shuffler fault", event.at, HOUSE_ACTOR, what, drill=drilled)
    clause = find_clause_by_beginning(FAULT_CLAUSES, game)
    if clause is None:
        return entry
    return replace(entry, clause=clause.number, clause_text=clause.text, reading=clause.reading)


def _void_entry(event: Event) -> IncidentEntry:
    return IncidentEntry("void", "Round voided", event.at, event.data["by"], event.data["reason"])


# -- Money ------------------------------------------------------------------------------------------


def _seat_money(recorded: RecordedRound) -> Iterator[SeatMoney]:
    for held in recorded.seats:
        seat = held.position - 1
        raised = sum(choice.cents for choice in recorded.choices if choice.seat == seat)
        put_down = sum(held.wagers.values()) + raised
        paid = [payment for payment in recorded.payments if payment.seat == seat]
        refunded = put_down - sum(payment.staked for payment in paid) if recorded.void else 0
        corrected = sum(correction.cents for correction in recorded.corrections if correction.seat == seat)
        net = sum(payment.net for payment in paid)
        yield SeatMoney(held.position, held.player, put_down, net, refunded, corrected)


# -- Cards and wagers -------------------------------------------------------------------------------


def _hands(recorded: RecordedRound) -> Iterator[tuple[str, str]]:
    """Each hand with its cards as they lay when the round ended, as far as they are not secret."""
    fell: dict[str, list[str]] = {}
    for step in describe_steps(replay_round(recorded)):
        if step.about == CARDS:
            fell.setdefault(step.to, []).extend(step.cards)
    for to, cards in fell.items():
        yield f"seat {to}" if to.isdigit() else to, " ".join(cards)


def _settled_wagers(recorded: RecordedRound) -> Iterator[str]:
    for paid in recorded.payments:
        wager = f"seat {paid.seat + 1} {paid.spot} {dollars(paid.staked)}"
        yield f"{wager}: {paid.outcome}, {signed_dollars(paid.net)}"


def _returned_wagers(recorded: RecordedRound) -> Iterator[str]:
    """The wagers of a void round that were still open; a raise is named by its choice."""
    paid = {(payment.seat, payment.spot) for payment in recorded.payments}
    for held in recorded.seats:
        for spot, cents in held.wagers.items():
            if (held.position - 1, spot) not in paid:
                yield f"seat {held.position} {spot} {dollars(cents)}"
    for choice in recorded.choices:
        puts = recorded.game.choice(choice.choice).puts
        if choice.cents and not any((choice.seat, spot) in paid for spot in puts):
            yield f"seat {choice.seat + 1} {choice.choice} {dollars(choice.cents)}"


def _stays_settled(recorded: RecordedRound) -> str:
    """The clause that settled wagers stay settled, where it was applied."""
    clause = find_clause_by_beginning((SETTLED_CLAUSE,), recorded.game)
    if clause is None or not (recorded.void and recorded.payments):
        return ""
    return f"Clause {clause.number}. {clause.text}"
