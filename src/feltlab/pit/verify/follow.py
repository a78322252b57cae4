"""Followers: they fold the events of a ledger, and report each one that no sound server writes."""

from collections.abc import Collection, Mapping
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import orjson

from feltlab.errors import Refused
from feltlab.ledger.chains import LedgerProblem
from feltlab.ledger.event import (
    ANCHOR_CHAIN,
    CAGE_CHAIN,
    HOUSE_CHAIN,
    JACKPOT_CHAIN,
    OTHER_CHAINS,
    Event,
    StoredEvent,
)
from feltlab.ledger.ledger import Ledger
from feltlab.pit.approvals import CARRIED_OVER, Approvals
from feltlab.pit.event_kinds import MONEY_MOVES, TABLE_KINDS, names_of
from feltlab.pit.irregularities.recorded import CORRECTED
from feltlab.pit.jackpots.sensors import JACKPOT_BET
from feltlab.pit.role_history import RoleHistory
from feltlab.pit.verify.account_checks import check_account_event, check_hashes
from feltlab.pit.verify.approval_checks import check_decision
from feltlab.pit.verify.cage_checks import CageFollower
from feltlab.pit.verify.irregularity_checks import check_corrections
from feltlab.pit.verify.jackpot_checks import JackpotFollower
from feltlab.pit.verify.report import LedgerReport
from feltlab.pit.verify.sealed_cards import check_sealed_cards
from feltlab.pit.verify.second_person import TWO_PERSON_KINDS, SecondPersonFollower
from feltlab.pit.verify.table_checks import check_carried_approval
from feltlab.pit.verify.table_follower import TableFollower
from feltlab.values import build_unchecked

# The kinds of events at a table that need a permission; most kinds need none.
ACTS_OF_STAFF = frozenset(names_of(TABLE_KINDS.values(), lambda kind: kind.permission or kind.is_by_side))
# Errors of data that no server wrote.
MALFORMED = (Refused, ValueError, KeyError, TypeError, AttributeError, IndexError)


class Share(NamedTuple):
    """A part of a ledger that is verified by itself: some tables, or the rest."""

    tables: frozenset[str] = frozenset()
    has_rest: bool = False  # the house, the cage, the anchors, and the money that moves at all tables

    @property
    def chains(self) -> frozenset[str]:
        """The chains of which all events are read; every table needs the house's and the links."""
        return self.tables | (set(OTHER_CHAINS) if self.has_rest else {HOUSE_CHAIN, JACKPOT_CHAIN})

    @property
    def kinds(self) -> Collection[str]:
        """The kinds of events that are read of all other tables."""
        return MONEY_MOVES if self.has_rest else ()


class LedgerFollower:
    """Follows all chains at once, in the order of writing, or those of a share of the ledger."""

    def __init__(self, report: LedgerReport, fast: bool, share: Share | None = None) -> None:
        self.report, self.fast, self.share = report, fast, share
        self.chains: set[str] = set()
        self.tables: dict[str, TableFollower] = {}
        self.cage, self.register, self.roles = CageFollower(), Approvals(), RoleHistory()
        self.jackpots = JackpotFollower()
        self.second_person = SecondPersonFollower(self.roles)
        self.moment = ""
        self.corrections: list[Event] = []  # to be compared with the payments that they correct
        self.verified: Mapping[str, int] = {}  # by chain, the events that were verified before
        self.key: Path | None = None  # of the vault

    def follow(self, stored: StoredEvent) -> None:
        _, chain, number, kind, round, at, data, digest = stored
        if self._is_mine(chain):
            self.report.events += 1
            self.chains.add(chain)
        try:
            parsed = orjson.loads(data)
            event = build_unchecked(
                Event, chain=chain, number=number, kind=kind, round=round, at=at, data=parsed, digest=digest
            )
            self._follow(event)
        except MALFORMED as error:
            self._report(chain, number, f"it cannot be followed ({_describe_error(error)}).")

    def _is_mine(self, chain: str) -> bool:
        """Whether this follower reports on a chain; others may be followed for what they say about it."""
        share = self.share
        return share is None or chain in share.tables or (share.has_rest and chain in OTHER_CHAINS)

    def _follow(self, event: Event) -> None:
        if event.at != self.moment:
            self._end_moment()
            self.moment = event.at
        if event.chain not in OTHER_CHAINS:
            self._follow_table(event)
        elif event.chain == CAGE_CHAIN:
            for sentence in self.cage.follow(event):
                self._report(event.chain, event.number, sentence)
            self.jackpots.follow_cage(event)
        elif event.chain == JACKPOT_CHAIN:
            self._check_permission(event)
            for sentence in self.jackpots.follow(event):
                self._report(event.chain, event.number, sentence)
        elif event.chain == HOUSE_CHAIN:
            self._follow_house(event)
        elif event.chain == ANCHOR_CHAIN:
            self.report.anchor, self.report.anchors = event.digest, event.number

    def _report(self, chain: str, number: int, sentence: str) -> None:
        if self._is_mine(chain):
            self.report.add(_problem(chain, number, sentence))

    def _follow_house(self, event: Event) -> None:
        self._check_permission(event)
        for sentence in check_account_event(event, self.roles):
            self._report(event.chain, event.number, sentence)
        if event.kind == CARRIED_OVER:
            for sentence in check_carried_approval(event, self.register):
                self._report(event.chain, event.number, sentence)
        for sentence in (*self.second_person.follow_house(event), *check_decision(event, self.register)):
            self._report(event.chain, event.number, sentence)
        self.roles.follow(event)
        self.register = self.register.after(event)

    def _check_permission(self, event: Event) -> None:
        objection = self.roles.describe_objection(event)
        if objection:
            self._report(event.chain, event.number, objection)

    def _follow_table(self, event: Event) -> None:
        if event.kind == JACKPOT_BET:
            self.jackpots.follow_bet(event)
        if not self._is_mine(event.chain):
            self.cage.expect_move(event)
            return
        follower = self.tables.get(event.chain)
        if follower is None:
            follower = self.tables[event.chain] = TableFollower(self.report, self.fast, self.jackpots)
        if event.kind in ACTS_OF_STAFF and not follower.was_announced(event):
            self._check_permission(event)
        if event.kind in TWO_PERSON_KINDS:
            for sentence in self.second_person.follow_table(event, follower.table):
                self._report(event.chain, event.number, sentence)
        for number, sentence in follower.follow(event, self.register):
            self._report(event.chain, number, sentence)
        if event.kind in MONEY_MOVES and (self.share is None or self.share.has_rest):
            self.cage.expect_move(event)
        if event.kind == CORRECTED:
            self.corrections.append(event)

    def _end_moment(self) -> None:
        """Report what one transaction left at one end only; in most of them no money moves."""
        if self.cage.is_waiting:
            for event, sentence in self.cage.end_moment():
                self.report.add(_problem(event.chain, event.number, sentence))
        if self.jackpots.is_waiting:
            for name, number, sentence in self.jackpots.end_moment():
                self._report(name, number, sentence)

    def finish(self, ledger: Ledger) -> None:
        """Check the last rounds and the corrections, and count, once everything is read."""
        self._end_moment()
        is_archive = ledger.is_archive  # which has neither passwords nor sealed cards
        for number, sentence in () if is_archive else check_hashes(ledger, self.roles.book):
            self._report(HOUSE_CHAIN, number, sentence)
        for event, sentence in check_corrections(ledger, self.corrections):
            if event.number > self.verified.get(event.chain, 0):
                self._report(event.chain, event.number, sentence)
        for sentence in () if is_archive else self.jackpots.check_secrets(ledger, self.key):
            self._report(JACKPOT_CHAIN, self.jackpots.book.number, sentence)
        for name, follower in self.tables.items():
            for number, sentence in chain(follower.end_round(), follower.end_irregularities()):
                self._report(name, number, sentence)
            number, secret = follower.last_number, follower.shuffle
            if secret and not is_archive:
                sealed = (secret.name, secret.commitment, self.key)
                if sentence := check_sealed_cards(ledger, name, number, *sealed):
                    self._report(name, number, sentence)
        self._end_moment()
        self._count()

    def _count(self) -> None:
        report, tables, cage = self.report, self.tables.values(), self.cage.cage
        report.chains = len(self.chains)
        report.issued, report.balances = cage.issued, sum(cage.balances.values())
        report.at_tables = sum(follower.table.chips for follower in tables if follower.table)
        report.won_at = {name: follower.won for name, follower in self.tables.items()}
        report.won = sum(report.won_at.values())
        report.won += sum(follower.table.win_in_round for follower in tables if follower.table)
        report.secret = sum(follower.shuffle is not None for follower in tables)


def _problem(chain: str, number: int, sentence: str) -> LedgerProblem:
    return LedgerProblem(chain, number, f"{chain} {number}: {sentence}")


def _describe_error(error: Exception) -> str:
    sentence = str(error).rstrip(".")
    return sentence if isinstance(error, Refused) else f"{type(error).__name__}: {sentence}"
