"""The cage: the play money of each account.

Its chain records the money that was issued, that went to the tables and that came back. Money is
conserved: accounts and tables together hold what was issued. A `plan_...` method returns the drafts to
write and changes nothing; `after` follows the events that were written. Between the two no other plan for
the same account may be made, and no plan at all around a snapshot.
"""

from collections.abc import Iterable, Mapping
from copy import copy
from types import MappingProxyType
from typing import Any

from feltlab.core.amounts import MAX_WAGER_CENTS
from feltlab.errors import Refused, Unknown
from feltlab.ledger.event import CAGE_CHAIN, Draft, Event
from feltlab.text import dollars

WELCOME_CENTS = 100_000  # at the first visit and after a refill
REFILL_BELOW_CENTS = 10_000
SNAPSHOT_EVENTS = 5_000  # between two snapshots
MAX_PAYOUT_CENTS = 1 << 53  # from a table: the largest number that JSON holds exactly


class Cage:
    """The sum of the cage's events."""

    def __init__(self) -> None:
        self._balances: dict[str, int] = {}
        self.issued = 0  # cents, ever
        self.at_tables = 0  # cents taken to tables less those brought back: below zero while players win
        self.number = 0  # of the last event
        self._snapshot_number = 0  # of the last snapshot

    @classmethod
    def from_events(cls, events: Iterable[Event]) -> "Cage":
        """The cage after these events: the whole chain, or its events from a snapshot on."""
        cage = cls()
        for event in events:
            cage.after(event)
        return cage

    def copy(self) -> "Cage":
        made = copy(self)
        made._balances = dict(self._balances)
        return made

    @property
    def balances(self) -> Mapping[str, int]:
        return MappingProxyType(self._balances)

    @property
    def is_snapshot_due(self) -> bool:
        return self.number - self._snapshot_number >= SNAPSHOT_EVENTS

    def balance(self, account: str) -> int:
        if account not in self._balances:
            raise Unknown(f"The cage does not know {account}.")
        return self._balances[account]

    # -- Plans ---------------------------------------------------------------------------------------

    def plan_issue(self, account: str, cents: int, why: str) -> tuple[Draft, ...]:
        return (_draft("issued", account=account, cents=_amount(cents), why=why),)

    def plan_welcome(self, account: str) -> tuple[Draft, ...]:
        """Welcome an account; plan nothing if the cage knows it."""
        return () if account in self._balances else self.plan_issue(account, WELCOME_CENTS, "welcome")

    def plan_refill(self, account: str) -> tuple[Draft, ...]:
        balance = self.balance(account)
        if balance >= REFILL_BELOW_CENTS:
            raise Refused(
                f"Play money is refilled below {dollars(REFILL_BELOW_CENTS)}, and {account} has"
                f" {dollars(balance)}."
            )
        return self.plan_issue(account, WELCOME_CENTS - balance, "refill")

    def plan_rename(self, account: str, to: str) -> tuple[Draft, ...]:
        """Move the whole balance of a guest to the account of another name, which is new."""
        if to in self._balances:
            raise Refused(f"The cage knows {to} already.")
        return (_draft("renamed", account=account, to=to, cents=self.balance(account)),)

    def plan_pay_in(self, account: str, table: str, seat: int, cents: int) -> tuple[Draft, ...]:
        """Pay from an account to a seat."""
        balance = self.balance(account)
        if _amount(cents) > balance:
            raise Refused(f"{dollars(cents)} is more than the {dollars(balance)} of {account}.")
        return (_draft("to-table", account=account, table=table, seat=seat, cents=cents),)

    def plan_pay_out(self, account: str, table: str, seat: int, cents: int) -> tuple[Draft, ...]:
        """Pay from a seat back to an account: more than it brought there, if the player has won."""
        self.balance(account)
        return (
            _draft(
                "from-table", account=account, table=table, seat=seat, cents=_amount(cents, MAX_PAYOUT_CENTS)
            ),
        )

    def plan_jackpot(self, account: str, to: str, cents: int) -> tuple[Draft, ...]:
        """Pay from the account of a progressive to a player's."""
        self.balance(to)
        return (_draft("jackpot-paid", account=account, to=to, cents=_amount(cents, MAX_PAYOUT_CENTS)),)

    def plan_snapshot(self) -> tuple[Draft, ...]:
        """Record all balances, so that no event before this one need be read again."""
        return (_draft("standing", **self._state()),)

    # -- Events --------------------------------------------------------------------------------------

    def after(self, event: Event) -> None:
        """Follow an event of the chain; a refusal changes nothing."""
        if event.chain != CAGE_CHAIN or event.kind not in HANDLERS:
            raise Refused(f"{event.kind!r} in {event.chain!r} is not an event of the cage.")
        begins = not self.number and event.kind == "standing"
        if not begins and event.number != self.number + 1:
            raise Refused(f"The cage is at event {self.number}, and event {event.number} does not follow.")
        HANDLERS[event.kind](self, event.data)
        self.number = event.number
        if event.kind == "standing":
            self._snapshot_number = event.number

    def _issue(self, data: Mapping[str, Any]) -> None:
        self._add(data["account"], data["cents"])
        self.issued += data["cents"]

    def _rename(self, data: Mapping[str, Any]) -> None:
        if data["to"] in self._balances:
            raise Refused(f"The cage knows {data['to']} already.")
        self._add(data["account"], -data["cents"])
        self._add(data["to"], data["cents"])

    def _pay_in(self, data: Mapping[str, Any]) -> None:
        self._add(data["account"], -data["cents"])
        self.at_tables += data["cents"]

    def _pay_out(self, data: Mapping[str, Any]) -> None:
        self._add(data["account"], data["cents"])
        self.at_tables -= data["cents"]

    def _pay_jackpot(self, data: Mapping[str, Any]) -> None:
        self._add(data["account"], -data["cents"])
        self._add(data["to"], data["cents"])

    def _check_snapshot(self, data: Mapping[str, Any]) -> None:
        """Trust a snapshot that begins a fold; hold a later one to the sum of the events before it."""
        if self.number and dict(data) != self._state():
            raise Refused("The snapshot of the cage is not the sum of its events.")
        if data["issued"] != sum(data["balances"].values()) + data["at_tables"]:
            raise Refused("The snapshot of the cage does not conserve money.")
        self._balances = dict(data["balances"])
        self.issued, self.at_tables = data["issued"], data["at_tables"]

    def _add(self, account: str, cents: int) -> None:
        balance = self._balances.get(account, 0) + cents
        if balance < 0:
            raise Refused(f"{account} would have {dollars(balance)} at the cage.")
        self._balances[account] = balance

    def _state(self) -> dict[str, Any]:
        return {"balances": dict(self._balances), "issued": self.issued, "at_tables": self.at_tables}


HANDLERS = {
    "issued": Cage._issue,
    "renamed": Cage._rename,
    "to-table": Cage._pay_in,
    "from-table": Cage._pay_out,
    "jackpot-paid": Cage._pay_jackpot,
    "standing": Cage._check_snapshot,
}


def _draft(kind: str, **data: Any) -> Draft:
    return Draft(CAGE_CHAIN, kind, data)


def _amount(cents: int, most: int = MAX_WAGER_CENTS) -> int:
    if type(cents) is not int or not 0 < cents <= most:
        raise Refused(f"An amount is a whole number of cents, above zero and at most {dollars(most)}.")
    return cents
