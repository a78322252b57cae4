"""The cage: play money, and what each account has of it.

Its chain says what was issued, what went to the tables and what came back. Money is conserved: what was
issued is what accounts have and what is at the tables. `plan_...` says what is to be written and changes
nothing; `after` follows what was written. Between the two no other plan for the same account may be made,
and none at all around a standing.
"""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

from feltlab.core.game import MOST_CENTS
from feltlab.errors import Refused, Unknown
from feltlab.ledger.event import CAGE_CHAIN, Draft, Event
from feltlab.text import dollars

CHAIN = CAGE_CHAIN
WELCOME = 100_000  # cents, at the first visit and after a refill
REFILL_BELOW = 10_000  # cents
STANDING_EVERY = 5_000  # events
MOST_WON = 1 << 53  # cents that can come back from a table: all that JSON holds exactly


class Cage:
    """What the events of the cage add up to."""

    def __init__(self) -> None:
        self._balances: dict[str, int] = {}
        self.issued = 0  # cents, ever
        self.at_tables = 0  # cents taken there less those brought back: below zero while players win
        self.number = 0  # of the last event
        self._stood = 0  # the number of the last standing

    @classmethod
    def folded(cls, events: Iterable[Event]) -> "Cage":
        """The cage after these events: the whole chain, or what follows from one of its standings."""
        cage = cls()
        for event in events:
            cage.after(event)
        return cage

    @property
    def balances(self) -> Mapping[str, int]:
        return MappingProxyType(self._balances)

    @property
    def due(self) -> bool:
        """Is it time for a standing?"""
        return self.number - self._stood >= STANDING_EVERY

    def balance(self, account: str) -> int:
        if account not in self._balances:
            raise Unknown(f"The cage does not know {account}.")
        return self._balances[account]

    # -- What is to be written ----------------------------------------------------------------------

    def plan_issue(self, account: str, cents: int, why: str) -> tuple[Draft, ...]:
        return (_draft("issued", account=account, cents=_amount(cents), why=why),)

    def plan_welcome(self, account: str) -> tuple[Draft, ...]:
        """Nothing, if the account was here before."""
        return () if account in self._balances else self.plan_issue(account, WELCOME, "welcome")

    def plan_refill(self, account: str) -> tuple[Draft, ...]:
        balance = self.balance(account)
        if balance >= REFILL_BELOW:
            raise Refused(
                f"Play money is refilled below {dollars(REFILL_BELOW)}, and there are {dollars(balance)}."
            )
        return self.plan_issue(account, WELCOME - balance, "refill")

    def plan_pay_in(self, account: str, table: str, seat: int, cents: int) -> tuple[Draft, ...]:
        """To a table."""
        balance = self.balance(account)
        if _amount(cents) > balance:
            raise Refused(f"{dollars(cents)} is more than the {dollars(balance)} of {account}.")
        return (_draft("to-table", account=account, table=table, seat=seat, cents=cents),)

    def plan_pay_out(self, account: str, table: str, seat: int, cents: int) -> tuple[Draft, ...]:
        """Back from a table; more than was brought there, if the player has won, however much that is."""
        self.balance(account)
        return (
            _draft("from-table", account=account, table=table, seat=seat, cents=_amount(cents, MOST_WON)),
        )

    def plan_standing(self) -> tuple[Draft, ...]:
        """All there is, so that nothing before it need be read again."""
        return (_draft("standing", **self._state()),)

    # -- What was written ---------------------------------------------------------------------------

    def after(self, event: Event) -> None:
        """Follows an event of the chain; on a refusal nothing has changed."""
        if event.chain != CHAIN or event.kind not in _FOLLOW:
            raise Refused(f"{event.kind!r} in {event.chain!r} is no event of the cage.")
        begins = not self.number and event.kind == "standing"
        if not begins and event.number != self.number + 1:
            raise Refused(f"The cage is at event {self.number}, and event {event.number} does not follow.")
        _FOLLOW[event.kind](self, event.data)
        self.number = event.number
        if event.kind == "standing":
            self._stood = event.number

    def _issue(self, data: Mapping[str, Any]) -> None:
        self._add(data["account"], data["cents"])
        self.issued += data["cents"]

    def _pay_in(self, data: Mapping[str, Any]) -> None:
        self._add(data["account"], -data["cents"])
        self.at_tables += data["cents"]

    def _pay_out(self, data: Mapping[str, Any]) -> None:
        self._add(data["account"], data["cents"])
        self.at_tables -= data["cents"]

    def _stand(self, data: Mapping[str, Any]) -> None:
        """Where the fold begins it is believed; later it must say what the events before it do."""
        if self.number and dict(data) != self._state():
            raise Refused("The standing of the cage is not what its events add up to.")
        if data["issued"] != sum(data["balances"].values()) + data["at_tables"]:
            raise Refused("The standing of the cage does not conserve money.")
        self._balances = dict(data["balances"])
        self.issued, self.at_tables = data["issued"], data["at_tables"]

    def _add(self, account: str, cents: int) -> None:
        balance = self._balances.get(account, 0) + cents
        if balance < 0:
            raise Refused(f"{account} would have {dollars(balance)} at the cage.")
        self._balances[account] = balance

    def _state(self) -> dict[str, Any]:
        return {"balances": dict(self._balances), "issued": self.issued, "at_tables": self.at_tables}


_FOLLOW = {
    "issued": Cage._issue,
    "to-table": Cage._pay_in,
    "from-table": Cage._pay_out,
    "standing": Cage._stand,
}


def _draft(kind: str, **data: Any) -> Draft:
    return Draft(CHAIN, kind, data)


def _amount(cents: int, most: int = MOST_CENTS) -> int:
    if type(cents) is not int or not 0 < cents <= most:
        raise Refused(f"An amount is a whole number of cents, more than nothing and at most {dollars(most)}.")
    return cents
