"""The follower of one table: its rounds, its shuffles, and everything that no sound server writes."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from feltlab.games.rules_history import are_same_rules
from feltlab.ledger.event import (
    Event,
)
from feltlab.pit.approvals import Approvals
from feltlab.pit.meters import Meters
from feltlab.pit.recorded_round import RecordedRound, parse_order
from feltlab.pit.replay import replay_round
from feltlab.pit.seat_numbers import from_record
from feltlab.pit.seats import Phase
from feltlab.pit.shufflers.checks import check_machines, check_opening
from feltlab.pit.shufflers.install import open_machines, used_models
from feltlab.pit.shufflers.seeds import order_seeds, seeds_to_record
from feltlab.pit.table import Table
from feltlab.pit.table_events import apply
from feltlab.pit.verify.irregularity_checks import IrregularityFollower
from feltlab.pit.verify.jackpot_checks import JackpotFollower
from feltlab.pit.verify.report import LedgerReport
from feltlab.pit.verify.table_checks import (
    CHECKS,
    Sentences,
    check_approval,
    check_laid_open,
    check_place,
    describe_wrong_standing,
    due_standing,
)
from feltlab.shuffling.machine import commitment_of
from feltlab.shuffling.seeds import mix_cards


class CommittedShuffle(NamedTuple):
    """A shuffle whose order is still secret."""

    name: str
    commitment: str
    may_be_odd: bool  # a drill made the shuffler fail
    laid_open: tuple[tuple[int, int, str], ...] = ()  # the event's number, its offset, its cards
    dealt: bool = False  # to players


class TableFollower:
    """Follows a table, its present round and its shuffle."""

    def __init__(self, report: LedgerReport, fast: bool, jackpots: JackpotFollower) -> None:
        self.report, self.fast, self.jackpots = report, fast, jackpots
        self.table: Table | None = None
        self.round: RecordedRound | None = None
        self.round_end = 0  # the number of the event that ended the round
        self.shuffle: CommittedShuffle | None = None
        self.won = 0
        self.irregularities, self.last_number = IrregularityFollower(), 0

    def follow(self, event: Event, register: Approvals) -> Iterator[tuple[int, str]]:
        """Follow an event; yield what is wrong with it, and with a round that is complete now."""
        number = event.number
        if event.kind != "order" and self.round and self.round.ended:
            yield from self.end_round()
        if event.kind == "opened":
            yield from ((number, sentence) for sentence in self._open(event, register))
        elif self.table is None:
            yield number, f"{event.kind!r} at a table that was never opened."
        else:
            for sentence in self._continue(event, self.table):
                yield number, sentence

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
            replay = replay_round(round)
            for sentence in replay.sentences:
                yield self.round_end, f"round {round.round}: {sentence}"
            self.jackpots.note_replay(replay, self.round_end)

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
        yield from check_approval(event, register, used_models(table.machines, table.game))
        self.report.private += table.is_private
        self.report.practice += table.practice
        if table.machines.modern:
            yield from check_opening(before.machines if before else None, table)
        self.table = table

    def _continue(self, event: Event, table: Table) -> Sentences:
        kind, data = event.kind, from_record(event.data)
        yield from check_place(event, table)
        yield from self.irregularities.follow(event, table)
        self.last_number = event.number
        yield from check_machines(table.machines, kind, event.data, table.game)
        if check := CHECKS.get(kind):
            yield from check(table, data)
        if handler := _HANDLERS.get(kind):
            yield from handler(self, event, table)
        if self.round or kind == "standing":
            round = self.round or RecordedRound(table.name, 0, table.game, table.digest)
            self.round = round.after(event, table)
        self.table = apply(table, kind, data, number=event.number)

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
        mixed = mix_cards(order, data["salt"], order_seeds(table.seeds))
        for number, start, laid in shuffle.laid_open:
            yield from check_laid_open(mixed, number, start, laid)

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
        if event.data.get("seeds", []) != seeds_to_record(table.seeds):
            yield "the standing has other seeds than the seats added to its shuffle."

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
