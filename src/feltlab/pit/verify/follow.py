"""Followers: they fold the events of a ledger, and report each one that no sound server writes."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import chain
from typing import NamedTuple

import orjson

from feltlab.errors import Refused
from feltlab.games.rules_history import are_same_rules
from feltlab.ledger.chains import LedgerProblem
from feltlab.ledger.event import ANCHOR_CHAIN, CAGE_CHAIN, HOUSE_CHAIN, Event, StoredEvent
from feltlab.ledger.ledger import Ledger
from feltlab.pit.approvals import CARRIED_OVER, Approvals
from feltlab.pit.irregularities.recorded import CORRECTED
from feltlab.pit.meters import Meters
from feltlab.pit.recorded_round import RecordedRound, parse_order
from feltlab.pit.replay import replay_round
from feltlab.pit.role_history import RoleHistory
from feltlab.pit.seat_numbers import from_record
from feltlab.pit.seats import Phase
from feltlab.pit.shufflers.checks import check_machines, check_opening
from feltlab.pit.shufflers.install import open_machines
from feltlab.pit.table import Table
from feltlab.pit.verify.cage_checks import CageFollower
from feltlab.pit.verify.irregularity_checks import IrregularityFollower, check_corrections
from feltlab.pit.verify.report import LedgerReport
from feltlab.pit.verify.table_checks import (
    CHECKS,
    Sentences,
    check_approval,
    check_carried_approval,
    check_laid_open,
    check_place,
    describe_wrong_standing,
    due_standing,
)
from feltlab.shuffling.machine import commitment_of
from feltlab.text import dollars

# Errors of data that no server wrote.
MALFORMED = (Refused, ValueError, KeyError, TypeError, AttributeError, IndexError)


class LedgerFollower:
    """Follows all chains at once, in the order of writing."""

    def __init__(self, report: LedgerReport, fast: bool) -> None:
        self.report, self.fast = report, fast
        self.chains: set[str] = set()
        self.tables: dict[str, TableFollower] = {}
        self.cage, self.register, self.roles = CageFollower(), Approvals(), RoleHistory()
        self.moment = ""
        self.corrections: list[Event] = []  # to be compared with the payments that they correct

    def follow(self, stored: StoredEvent) -> None:
        _, chain, number, kind, round, at, data, digest = stored
        self.report.events += 1
        self.chains.add(chain)
        try:
            self._follow(Event(chain, number, kind, round, at, orjson.loads(data), digest))
        except MALFORMED as error:
            self._report(chain, number, f"it cannot be followed ({_describe_error(error)}).")

    def _follow(self, event: Event) -> None:
        if event.at != self.moment:
            self._end_moment()
            self.moment = event.at
        if event.chain == CAGE_CHAIN:
            for sentence in self.cage.follow(event):
                self._report(event.chain, event.number, sentence)
        elif event.chain == HOUSE_CHAIN:
            self._follow_house(event)
        elif event.chain == ANCHOR_CHAIN:
            self.report.anchor, self.report.anchors = event.digest, event.number
        else:
            self._follow_table(event)

    def _report(self, chain: str, number: int, sentence: str) -> None:
        self.report.add(LedgerProblem(chain, number, f"{chain} {number}: {sentence}"))

    def _follow_house(self, event: Event) -> None:
        self._check_permission(event)
        if event.kind == CARRIED_OVER:
            for sentence in check_carried_approval(event, self.register):
                self._report(event.chain, event.number, sentence)
        self.roles.follow(event)
        self.register = self.register.after(event)

    def _check_permission(self, event: Event) -> None:
        objection = self.roles.describe_objection(event)
        if objection:
            self._report(event.chain, event.number, objection)

    def _follow_table(self, event: Event) -> None:
        follower = self.tables.setdefault(event.chain, TableFollower(self.report, self.fast))
        if not follower.was_announced(event):
            self._check_permission(event)
        for number, sentence in follower.follow(event, self.register):
            self._report(event.chain, number, sentence)
        self.cage.expect_move(event)
        if event.kind == CORRECTED:
            self.corrections.append(event)

    def _end_moment(self) -> None:
        for event, sentence in self.cage.end_moment():
            self._report(event.chain, event.number, sentence)

    def finish(self, ledger: Ledger) -> None:
        """Check the last rounds, the corrections and the sums, once everything is read."""
        self._end_moment()
        for event, sentence in check_corrections(ledger, self.corrections):
            self._report(event.chain, event.number, sentence)
        for name, follower in self.tables.items():
            for number, sentence in chain(follower.end_round(), follower.end_irregularities()):
                self._report(name, number, sentence)
            if follower.shuffle and is_gone(ledger, name, follower.shuffle.name):
                sentence = f"the sealed cards of {follower.shuffle.name} are missing."
                self._report(name, follower.last_number, sentence)
        self._count()
        report = self.report
        total = report.balances + report.at_tables + report.won
        if total != report.issued:
            parts = f"accounts hold {dollars(report.balances)}, tables hold {dollars(report.at_tables)}"
            parts += f" and the house won {dollars(report.won)}: together {dollars(total)}"
            sentence = f"{dollars(report.issued)} was issued, but {parts}."
            self._report(CAGE_CHAIN, self.cage.cage.number, sentence)

    def _count(self) -> None:
        report, tables, cage = self.report, self.tables.values(), self.cage.cage
        report.chains = len(self.chains)
        report.issued, report.balances = cage.issued, sum(cage.balances.values())
        report.at_tables = sum(follower.table.chips for follower in tables if follower.table)
        report.won = sum(follower.won for follower in tables)
        report.won += sum(follower.table.win_in_round for follower in tables if follower.table)
        report.secret = sum(follower.shuffle is not None for follower in tables)


def is_gone(ledger: Ledger, table: str, shuffle: str) -> bool:
    """Whether a secret shuffle is missing from the vault, though no event since then took it out."""
    if ledger.load_sealed(shuffle) is not None:
        return False
    ends = ledger.last_events(table, ("order", "lost"), 1)
    return not any(event.data["shuffle"] == shuffle for event in ends)


def _describe_error(error: Exception) -> str:
    sentence = str(error).rstrip(".")
    return sentence if isinstance(error, Refused) else f"{type(error).__name__}: {sentence}"


# -- One table --------------------------------------------------------------------------------------


class CommittedShuffle(NamedTuple):
    """A shuffle whose order is still secret."""

    name: str
    commitment: str
    may_be_odd: bool  # a drill made the shuffler fail
    laid_open: tuple[tuple[int, int, str], ...] = ()  # the event's number, its offset, its cards
    dealt: bool = False  # to players


class TableFollower:
    """Follows a table, its present round and its shuffle."""

    def __init__(self, report: LedgerReport, fast: bool) -> None:
        self.report, self.fast = report, fast
        self.table: Table | None = None
        self.round: RecordedRound | None = None
        self.round_end = 0  # the number of the event that ended the round
        self.shuffle: CommittedShuffle | None = None
        self.won = 0
        self.irregularities, self.last_number = IrregularityFollower(), 0

    def follow(self, event: Event, register: Approvals) -> Iterator[tuple[int, str]]:
        """Follow an event; yield what is wrong with it, and with a round that is complete now."""
        if event.kind != "order":
            yield from self.end_round()
        if event.kind == "opened":
            yield from ((event.number, sentence) for sentence in self._open(event, register))
        elif self.table is None:
            yield event.number, f"{event.kind!r} at a table that was never opened."
        else:
            yield from ((event.number, sentence) for sentence in self._continue(event, self.table))

    def was_announced(self, event: Event) -> bool:
        """Does this event close the table for somebody who announced it, and may have lost the role since?"""
        table = self.table
        return bool(event.kind == "closed" and table and table.closes and event.data["by"] == table.closes)

    def end_round(self) -> Iterator[tuple[int, str]]:
        """Play a finished round again. This waits for the next event, as its order may follow its end."""
        if self.round is None or not self.round.ended:
            return
        round, self.round = self.round, None
        if not self.fast:
            self.report.replayed += 1
            self.report.under_other_rules += round.under_other_rules
            for sentence in replay_round(round).sentences:
                yield self.round_end, f"round {round.round}: {sentence}"

    def end_irregularities(self) -> Iterator[tuple[int, str]]:
        number = self.last_number
        return ((number, sentence) for sentence in self.irregularities.end())

    def _open(self, event: Event, register: Approvals) -> Sentences:
        before, table = self.table, Table.from_event(event)
        if before:
            if before.phase != Phase.CLOSED:
                yield "it was opened while it was open."
            machines = open_machines(before.machines, event.data, table.game, table.name)
            table = replace(table, round=before.round, cycles=before.cycles, machines=machines)
        same_rules = before is not None and are_same_rules(table.game, before.digest, table.digest)
        if table.meters != (before.meters if before and same_rules else Meters()):
            yield "its meters differ from those at its last close."
        yield from check_approval(event, register)
        self.report.private += table.is_private
        self.report.practice += table.practice
        if table.machines.modern:
            yield from check_opening(before.machines if before else None, table)
        self.table = table

    def _continue(self, event: Event, table: Table) -> Sentences:
        yield from check_place(event, table)
        yield from self._check(event, table)
        if self.round or event.kind == "standing":
            round = self.round or RecordedRound(table.name, 0, table.game, table.digest)
            self.round = round.after(event, table)
        self.table = table.after(event)

    def _check(self, event: Event, table: Table) -> Sentences:
        yield from self.irregularities.follow(event, table)
        self.last_number = event.number
        yield from check_machines(table.machines, event.kind, event.data, table.game)
        check = CHECKS.get(event.kind)
        if check:
            yield from check(table, from_record(event.data))
        handler = _HANDLERS.get(event.kind)
        if handler:
            yield from handler(self, event, table)

    # -- Shuffles -----------------------------------------------------------------------------------

    def _on_shuffled(self, event: Event, table: Table) -> Sentences:
        data, due = event.data, f"{table.name}/{table.cycles + 1}"
        if self.shuffle:
            yield f"shuffle {self.shuffle.name} was replaced before its order was shown."
        if (data["cycle"], data["shuffle"]) != (table.cycles + 1, due):
            yield f"shuffle {data['shuffle']} is in the place of {due}."
        self.shuffle = CommittedShuffle(data["shuffle"], data["commitment"], bool(table.machines.armed))

    def _on_order(self, event: Event, table: Table) -> Sentences:
        data, shuffle = event.data, self.shuffle
        if shuffle is None or data["shuffle"] != shuffle.name:
            yield f"the order of {data['shuffle']} is shown, but that shuffle is not in use."
            return
        self.shuffle, order = None, parse_order(data["order"])
        self.report.commitments += 1
        if commitment_of(order, data["salt"]) != shuffle.commitment:
            yield f"the order and salt of {shuffle.name} do not match its commitment."
        if sorted(order) != sorted(table.game.deck.cards) and (shuffle.dealt or not shuffle.may_be_odd):
            yield f"the order of {shuffle.name} is not the deck of {table.game.title}."
        for number, start, laid in shuffle.laid_open:
            yield from check_laid_open(order, number, start, laid)

    def _on_no_more_bets(self, event: Event, table: Table) -> Sentences:
        if self.shuffle is None:
            yield "bets closed after the order of the cards was shown."
        else:
            self.shuffle = self.shuffle._replace(dealt=True)

    def _on_revealed(self, event: Event, table: Table) -> Sentences:
        if self.shuffle:
            laid = (event.number, table.start, event.data["dealt"])
            self.shuffle = self.shuffle._replace(laid_open=(*self.shuffle.laid_open, laid))
        return iter(())

    def _on_fault(self, event: Event, table: Table) -> Sentences:
        if self.shuffle:
            self.shuffle = self.shuffle._replace(may_be_odd=True)
        return iter(())

    def _on_lost(self, event: Event, table: Table) -> Sentences:
        """The order of a lost shuffle can never be shown, so nothing is compared with it."""
        if self.shuffle is None or event.data["shuffle"] != self.shuffle.name:
            yield f"{event.data['shuffle']} was lost, but it was not in use."
        if event.data.get("why"):
            yield str(event.data["why"])
        self.shuffle = None

    # -- Rounds -------------------------------------------------------------------------------------

    def _on_standing(self, event: Event, table: Table) -> Sentences:
        due = due_standing(table)
        if self.shuffle:
            due |= {"shuffle": self.shuffle.name, "commitment": self.shuffle.commitment}
        else:
            yield "a round begins without a commitment to its cards."
        for key, value in due.items():
            if event.data[key] != value:
                yield describe_wrong_standing(key, event.data[key], value)

    def _on_settled(self, event: Event, table: Table) -> Sentences:
        self.round_end = event.number
        self.report.settled += 1
        self.won -= sum(payment[4] for payment in event.data["payments"])
        return iter(())

    def _on_corrected(self, event: Event, table: Table) -> Sentences:
        self.report.corrections += 1
        self.won -= event.data["cents"]
        return iter(())

    def _on_irregularity(self, event: Event, table: Table) -> Sentences:
        self.report.irregularities += 1
        return iter(())

    def _on_void(self, event: Event, table: Table) -> Sentences:
        self.round_end = event.number
        self.report.voids += 1
        self.won -= sum(paid[4] for paid in table.paid)
        return iter(())


_HANDLERS: Mapping[str, Callable[[TableFollower, Event, Table], Sentences]] = {
    "shuffled": TableFollower._on_shuffled,
    "order": TableFollower._on_order,
    "no-more-bets": TableFollower._on_no_more_bets,
    "revealed": TableFollower._on_revealed,
    "fault": TableFollower._on_fault,
    "lost": TableFollower._on_lost,
    "standing": TableFollower._on_standing,
    "settled": TableFollower._on_settled,
    "void": TableFollower._on_void,
    "irregularity": TableFollower._on_irregularity,
    "corrected": TableFollower._on_corrected,
}
