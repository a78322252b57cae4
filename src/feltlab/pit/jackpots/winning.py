"""The claims of a round: which are paid at once, which freeze, and the link after them.

A jackpot takes what its meter showed when the bets were locked, or what it shows now if another table has won
it since. Bets that came after the lock stay for the next jackpot, which begins at once.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from feltlab.pit.jackpots.link import Link, Lock, PendingClaim
from feltlab.progressives.balances import Balance
from feltlab.progressives.payments import Claim, Payment, RoundPayments, pay_claims
from feltlab.progressives.progressive import Meter
from feltlab.progressives.rates import millicents


@dataclass(frozen=True)
class WonClaims:
    """The link after the claims of a round, the payments that are made, and the jackpots that freeze."""

    link: Link
    payments: tuple[tuple[str, Payment], ...]  # to which player
    frozen: tuple[PendingClaim, ...]

    def to_json(self) -> dict[str, Any]:
        """As the event records it; seats count from 1."""
        return {
            "paid": [
                [each.seat + 1, player, each.level, each.meter_cents, each.tray_cents, each.stake_cents]
                for player, each in self.payments
            ],
            "frozen": [
                [claim.number, claim.seat + 1, claim.player, claim.level, claim.meter, claim.cents]
                for claim in self.frozen
            ],
            "displayed": {name: balance.displayed for name, balance in self.link.balances.items()},
        }


def settle_claims(
    link: Link, lock: Lock, claims: Sequence[Claim], players: Mapping[int, str], table: str
) -> WonClaims:
    """Pay the claims of a round from the meters as they were locked; players are given by seat."""
    progressive = link.progressive
    locked, since = split_since_lock(link, lock)
    won = pay_claims(progressive, locked, claims, lock.seats)
    tops = {level.name: progressive.meter_of(level).name for level in progressive.levels if level.is_top}
    frozen: list[PendingClaim] = []
    paid: list[tuple[str, Payment]] = []
    is_short = link.held < millicents(sum(each.cents for each in won.payments))
    for each in won.payments:
        player = players[each.seat]
        if is_short or (link.verifiers and each.level in tops):
            number, meter = link.claim_number + len(frozen) + 1, tops.get(each.level, "")
            claim = PendingClaim(number, table, lock.round, each.seat, player, each.level, meter, each.cents)
            frozen.append(claim)
        else:
            paid.append((player, each))
    after = replace(
        link,
        balances=_with_later_bets(link, won, since),
        house=link.house - _cost_of_house(won),
        paid=link.paid + millicents(sum(each.cents for _, each in paid)),
        hits=link.hits + sum(claim.level in tops for claim in claims),
        claims=(*link.claims, *frozen),
        claim_number=link.claim_number + len(frozen),
    )
    return WonClaims(after, tuple(paid), tuple(frozen))


def split_since_lock(link: Link, lock: Lock) -> tuple[dict[str, Balance], dict[str, int]]:
    """The balances with what may be won, and by meter what came in since the lock."""
    locked, since = {}, {}
    for name, balance in link.balances.items():
        winnable = min(balance.displayed, lock.displayed[name])
        locked[name] = replace(balance, displayed=winnable)
        since[name] = balance.displayed - winnable
    return locked, since


def _with_later_bets(link: Link, won: RoundPayments, since: Mapping[str, int]) -> dict[str, Balance]:
    return {
        meter.name: _add_within_cap(meter, won.balances[meter.name], since[meter.name])
        for meter in link.progressive.meters
    }


def _add_within_cap(meter: Meter, balance: Balance, amount: int) -> Balance:
    """Display an amount; what is above the cap is kept for the next jackpot."""
    shown = balance.displayed + amount
    above = max(0, shown - millicents(meter.cap_cents)) if meter.cap_cents is not None else 0
    return replace(balance, displayed=shown - above, overflow=balance.overflow + above)


def _cost_of_house(won: RoundPayments) -> int:
    """Thousandths of a cent that the house pays: fixed prizes, envy, returned bets, and seeds."""
    prizes = sum(each.tray_cents + each.stake_cents for each in won.payments)
    seeds = sum(reset.from_house for resets in won.resets.values() for reset in resets)
    return millicents(prizes) + seeds
