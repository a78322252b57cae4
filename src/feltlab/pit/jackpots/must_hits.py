"""Must-hit-by meters: the bet that carries a meter to its secret amount wins it.

The bets of a round count in dealing order. The winner takes what the meter shows after the winning bet, at
most its upper bound; the bets after it feed the next jackpot, which begins at once. A round has at most one
such win of a meter. The bet wins and not the cards, so a round that becomes void changes nothing about it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from feltlab.errors import Refused
from feltlab.pit.jackpots.link import Commitment, Link, Lock, PendingClaim
from feltlab.pit.jackpots.triggers import Trigger
from feltlab.progressives.balances import add_bets, reset_meter, take_from, whole_cents
from feltlab.progressives.progressive import Meter
from feltlab.progressives.rates import meter_dollars, millicents
from feltlab.text import dollars

Hit = dict[str, Any]  # as an event records it


def secret_meters(link: Link) -> Iterator[Meter]:
    """The meters of a link that are won at a secret amount."""
    return (meter for meter in link.progressive.meters if meter.must_hit)


def describe_secret(meter: Meter) -> str:
    """'must hit by $500': the level of such a win."""
    assert meter.must_hit
    return f"must hit by {dollars(meter.must_hit.high_cents)}"


def find_winning_bet(link: Link, meter: Meter, amount: int, bets: int) -> int | None:
    """The bet, counted from 0, that carries a meter to an amount; None if these bets do not."""
    balance, cents = link.balances[meter.name], link.progressive.bet_cents
    if add_bets(meter, balance, cents, bets)[0].displayed < amount:
        return None
    return next(n for n in range(bets) if add_bets(meter, balance, cents, n + 1)[0].displayed >= amount)


def win_meter(
    before: Link,
    fed: Link,
    meter: Meter,
    trigger: Trigger,
    table: str,
    lock: Lock,
    players: Mapping[int, str],
    commitment: str,
) -> tuple[Link, Hit]:
    """A link whose bets are fed, after a meter was won by one of them, and the hit as an event records it.

    `before` is the link without these bets, `commitment` the digest of the next secret amount.
    """
    assert meter.must_hit
    winner = find_winning_bet(before, meter, trigger.amount, len(lock.seats))
    if winner is None:
        raise Refused(f"The bets do not carry {meter.name!r} of {before.name} to its secret amount.")
    seat, own = lock.seats[winner], before.balances[meter.name]
    shown = add_bets(meter, own, before.progressive.bet_cents, winner + 1)[0].displayed
    cents = whole_cents(min(shown, millicents(meter.must_hit.high_cents)))
    balance, reset = reset_meter(meter, take_from(fed.balances[meter.name], cents))
    is_frozen = bool(fed.verifiers) or fed.held < millicents(cents)
    number = fed.claim_number + is_frozen
    player, level = players[seat], describe_secret(meter)
    claim = PendingClaim(number, table, lock.round, seat, player, level, meter.name, cents)
    after = replace(
        fed,
        balances={**fed.balances, meter.name: balance},
        house=fed.house - reset.from_house,
        paid=fed.paid + (0 if is_frozen else millicents(cents)),
        hits=fed.hits + 1,
        claims=(*fed.claims, claim) if is_frozen else fed.claims,
        claim_number=number,
        commitments={**fed.commitments, meter.name: Commitment(commitment, fed.bets)},
    )
    hit = {"meter": meter.name, "seat": seat + 1, "player": player, "cents": cents}
    hit |= {"claim": number if is_frozen else 0, "amount": trigger.amount, "salt": trigger.salt}
    return after, hit | {"commitment": commitment}


def apply_hit(before: Link, fed: Link, table: str, lock: Lock, hit: Hit) -> Link:
    """The link after a hit on record; refuses one that the commitment or the rules do not have."""
    meter, trigger = before.progressive.meter_named(hit["meter"]), Trigger(hit["amount"], hit["salt"])
    bounds, committed = meter.must_hit, before.commitments.get(meter.name)
    if bounds is None or committed is None or committed.digest != trigger.digest:
        raise Refused(f"{before.name} reveals another secret amount of {meter.name!r} than it committed to.")
    if not millicents(bounds.low_cents) < trigger.amount <= millicents(bounds.high_cents):
        raise Refused(f"The secret amount of {meter.name!r} is not between the bounds of the rules.")
    if before.balances[meter.name].displayed >= trigger.amount and before.bets > committed.bets:
        raise Refused(f"{meter.name!r} of {before.name} was due at {meter_dollars(trigger.amount)}, before.")
    players = {hit["seat"] - 1: hit["player"]}
    if (hit["seat"] - 1) not in lock.seats:
        raise Refused(f"Seat {hit['seat']} made no bet on {before.name} in this round.")
    winner = find_winning_bet(before, meter, trigger.amount, len(lock.seats))
    if winner is None or lock.seats[winner] != hit["seat"] - 1:
        raise Refused(f"Another bet than that of seat {hit['seat']} wins {meter.name!r} of {before.name}.")
    after, due = win_meter(before, fed, meter, trigger, table, lock, players, hit["commitment"])
    if due != dict(hit):
        raise Refused(f"{before.name} paid {meter.name!r} another amount than its rules say.")
    return after
