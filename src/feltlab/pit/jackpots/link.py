"""A link: one progressive, the tables that feed it, and its money.

All money of a link is in one account at the cage, in whole cents. The link says whose it is, in thousandths
of a cent: what came in is displayed, reserved, hidden, in the overflow, the house's, or owed to a winner.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from fractions import Fraction
from typing import Any

from feltlab.core.game import MAX_SEATS
from feltlab.errors import Refused, Unknown
from feltlab.games import find_game
from feltlab.pit.jackpots.account import account_of
from feltlab.progressives.balances import Balance
from feltlab.progressives.progressive import Progressive
from feltlab.progressives.progressive_file import progressive_from_json, progressive_to_json
from feltlab.progressives.rates import MILLICENTS_PER_CENT, meter_dollars, millicents
from feltlab.text import dollars

DEPOSIT_DAYS = 7  # in which accrued money is deposited (WAC 230-15-455)
Accrued = tuple[tuple[str, int], ...]  # by day: its first moment, and thousandths of a cent


@dataclass(frozen=True)
class Lock:
    """The bets of a round that are locked, and the amounts that were displayed then."""

    round: int
    seats: tuple[int, ...]  # in dealing order
    displayed: Mapping[str, int] = field(hash=False)  # thousandths of a cent, by meter


@dataclass(frozen=True)
class Commitment:
    """The digest of the secret amount at which a meter is won."""

    digest: str
    bets: int  # of the link when it was made


@dataclass(frozen=True)
class PendingClaim:
    """A jackpot that is won and frozen until persons have verified the hand."""

    number: int
    table: str
    round: int
    seat: int
    player: str
    level: str
    meter: str  # from which it was taken; '' if the house pays it
    cents: int
    verified_by: tuple[str, ...] = ()
    refused_by: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {**vars(self), "verified_by": [*self.verified_by], "refused_by": [*self.refused_by]}


@dataclass(frozen=True)
class Link:
    """The state of a link, and everything that follows from it alone."""

    name: str
    progressive: Progressive
    verifiers: int  # persons who verify a jackpot before it is paid; none in a demonstration
    tables: tuple[str, ...] = ()
    balances: Mapping[str, Balance] = field(default_factory=dict, hash=False)  # by meter
    house: int = 0  # thousandths of a cent that are the house's; below zero, the house owes them
    funded: int = 0  # thousandths of a cent that the house has paid in, ever
    received: int = 0  # thousandths of a cent that bets have brought in, ever
    paid: int = 0  # thousandths of a cent that were paid to players, ever
    bets: int = 0
    hits: int = 0  # of levels that take a whole meter
    locks: Mapping[str, Lock] = field(
        default_factory=dict, hash=False
    )  # by table: of its last round with bets
    claims: tuple[PendingClaim, ...] = ()  # frozen, in the order in which they were won
    claim_number: int = 0  # of the last one
    accrued: Accrued = ()  # players' money that is not deposited yet
    closed: bool = False
    commitments: Mapping[str, Commitment] = field(default_factory=dict, hash=False)  # by must-hit-by meter

    @property
    def account(self) -> str:
        """The account of the link's money at the cage."""
        return account_of(self.name)

    @property
    def games(self) -> set[str]:
        """The names of the games whose tables may feed it."""
        return {find_game(attached.game).name for attached in self.progressive.attached}

    @property
    def pending_cents(self) -> int:
        return sum(claim.cents for claim in self.claims)

    @property
    def undeposited(self) -> int:
        """Thousandths of a cent that are to be deposited."""
        return sum(amount for _, amount in self.accrued)

    @property
    def undeposited_cents(self) -> int:
        """The whole cents that are to be deposited; a part of a cent counts as one."""
        return -(-self.undeposited // MILLICENTS_PER_CENT)

    @property
    def held(self) -> int:
        """Thousandths of a cent on the account: the players' money, the house's, and frozen jackpots."""
        players = sum(balance.held for balance in self.balances.values())
        return players + self.house + millicents(self.pending_cents)

    def check_conservation(self) -> None:
        """Refuse a state in which money appeared or vanished."""
        if self.received + self.funded != self.held + self.paid:
            came, is_here = self.received + self.funded, self.held + self.paid
            raise Refused(
                f"{self.name} received {meter_dollars(came)} and accounts for {meter_dollars(is_here)}."
            )

    def displayed(self) -> dict[str, int]:
        """The amount that each meter shows, in whole cents."""
        return {name: balance.displayed // MILLICENTS_PER_CENT for name, balance in self.balances.items()}

    def claim(self, number: int) -> PendingClaim:
        for claim in self.claims:
            if claim.number == number:
                return claim
        raise Unknown(f"{self.name} has no claim {number} that waits; a claim is paid or refused once.")

    def why_stopped(self, now: datetime) -> str:
        """Why the link takes no more bets, or ''."""
        if self.closed:
            return f"{self.progressive.title} is closed."
        if self.house < 0:
            owed = dollars(-(self.house // MILLICENTS_PER_CENT))
            return f"{self.progressive.title} is short of funds: the house owes it {owed} (WAC 230-15-455)."
        if self.is_deposit_overdue(now):
            return f"The weekly deposit of {self.progressive.title} is overdue (WAC 230-15-455)."
        return ""

    def is_deposit_overdue(self, now: datetime) -> bool:
        """Whether money of a day is not deposited after the days that the law gives it."""
        if not self.accrued:
            return False
        return now - datetime.fromisoformat(self.accrued[0][0]) > timedelta(days=DEPOSIT_DAYS)

    # -- As an event records it -----------------------------------------------------------------------

    def to_json(self) -> dict[str, Any]:
        """The whole link as a snapshot records it."""
        plain = ("name", "verifiers", "house", "funded", "received", "paid", "bets", "hits", "claim_number",
                 "closed")  # fmt: skip
        return {name: getattr(self, name) for name in plain} | {
            "progressive": progressive_to_json(self.progressive),
            "tables": [*self.tables],
            "balances": {name: _balance_json(balance) for name, balance in self.balances.items()},
            "locks": {
                table: [lock.round, [*lock.seats], dict(lock.displayed)] for table, lock in self.locks.items()
            },
            "claims": [claim.to_json() for claim in self.claims],
            "accrued": [[*day] for day in self.accrued],
            **self._commitments_json(),
        }

    def _commitments_json(self) -> dict[str, Any]:
        """Left out where there is none, as in snapshots from before they were made."""
        made = {meter: [each.digest, each.bets] for meter, each in self.commitments.items()}
        return {"commitments": made} if made else {}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Link":
        made = dict(data) | {
            "progressive": progressive_from_json(data["progressive"]),
            "tables": tuple(data["tables"]),
            "balances": {name: _balance_from_json(balance) for name, balance in data["balances"].items()},
            "locks": {table: Lock(lock[0], tuple(lock[1]), lock[2]) for table, lock in data["locks"].items()},
            "claims": tuple(
                PendingClaim(**claim | {who: tuple(claim[who]) for who in ("verified_by", "refused_by")})
                for claim in data["claims"]
            ),
            "accrued": tuple((moment, amount) for moment, amount in data["accrued"]),
            "commitments": {meter: Commitment(*made) for meter, made in data.get("commitments", {}).items()},
        }
        return cls(**made)


def add_accrued(accrued: Accrued, moment: str, amount: int) -> Accrued:
    """The money to be deposited after some more has accrued."""
    if not amount:
        return accrued
    if accrued and accrued[-1][0][:10] == moment[:10]:
        first, before = accrued[-1]
        return (*accrued[:-1], (first, before + amount))
    return (*accrued, (moment, amount))


def deduct_deposit(accrued: Accrued, amount: int) -> Accrued:
    """The money to be deposited after a deposit, which is of the oldest money first."""
    left = []
    for moment, owed in accrued:
        taken = min(owed, amount)
        amount -= taken
        if owed > taken:
            left.append((moment, owed - taken))
    return tuple(left)


def _balance_json(balance: Balance) -> dict[str, Any]:
    return {**vars(balance), "carried": [str(part) for part in balance.carried]}


def _balance_from_json(data: Mapping[str, Any]) -> Balance:
    first, second, third = map(Fraction, data["carried"])
    return Balance(**{**data, "carried": (first, second, third)})


def float_cents(progressive: Progressive) -> int:
    """The cents that the house keeps beside the seeds: the fixed prizes of the worst round at a table."""
    each = (level.fixed_cents * (not level.from_meter) + level.to_one * progressive.bet_cents
            + level.envy_cents * (MAX_SEATS - 1) for level in progressive.levels)  # fmt: skip
    return MAX_SEATS * max(max(each, default=0), progressive.bet_cents)


def seed_cents(progressive: Progressive) -> int:
    return sum(meter.seed_cents for meter in progressive.meters)
