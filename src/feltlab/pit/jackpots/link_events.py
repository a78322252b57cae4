"""The fold of a link: how each kind of event changes it.

A fold computes every amount again and refuses an event that has another one, so a link that acts, a link
that is read back and a link that is verified go through the same arithmetic.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from feltlab.errors import Refused
from feltlab.pit.jackpots.decreases import Decrease
from feltlab.pit.jackpots.link import Commitment, Link, Lock, add_accrued, deduct_deposit
from feltlab.pit.jackpots.must_hits import apply_hit
from feltlab.pit.jackpots.winning import settle_claims
from feltlab.progressives.balances import Balance, add_round_bets, open_balances
from feltlab.progressives.payments import Claim
from feltlab.progressives.progressive_file import digest_progressive, progressive_from_json
from feltlab.progressives.rates import meter_dollars, millicents
from feltlab.values import replace_unchecked

Data = Mapping[str, Any]


def open_link(data: Data) -> Link:
    """The link of an event that opens one: meters at their seeds, which the house has put up."""
    progressive = progressive_from_json(data["progressive"])
    if digest_progressive(progressive) != data["digest"]:
        raise Refused(f"The rules of {data['link']} do not have the digest on record.")
    balances = open_balances(progressive)
    funded = millicents(data["cents"])
    house = funded - sum(balance.held for balance in balances.values())
    commitments = {meter: Commitment(digest, 0) for meter, digest in data.get("commitments", {}).items()}
    if set(commitments) != {meter.name for meter in progressive.meters if meter.must_hit}:
        raise Refused(f"{data['link']} does not commit to the secret amount of each must-hit-by meter.")
    link = Link(data["link"], progressive, data["verifiers"], balances=balances, commitments=commitments)
    return replace(link, house=house, funded=funded)


def apply(link: Link, kind: str, data: Data, at: str) -> Link:
    """The link after an event; refuses an event that no sound server writes."""
    if kind not in HANDLERS:
        raise Refused(f"{kind!r} is not a kind of event of a progressive.")
    after = HANDLERS[kind](link, data, at)
    after.check_conservation()
    return after


# -- Bets -------------------------------------------------------------------------------------------


def _apply_fed(link: Link, data: Data, at: str) -> Link:
    """The bets of a round are locked, and every meter rises; one of them may win a must-hit-by meter."""
    if data["cents"] != link.progressive.bet_cents:
        raise Refused(f"A bet on {link.name} is not {data['cents']} cents.")
    seats = tuple(seat - 1 for seat in data["seats"])
    after = feed_link(link, len(seats), at)
    for hit in data.get("hits", ()):
        after = apply_hit(link, after, data["table"], Lock(data["round"], seats, {}), hit)
    displayed = {name: balance.displayed for name, balance in after.balances.items()}
    if displayed != data["displayed"]:
        raise Refused(f"The meters of {link.name} rose by another amount than the rules say.")
    lock = Lock(data["round"], seats, displayed)
    return replace_unchecked(after, locks={**link.locks, data["table"]: lock})


def feed_link(link: Link, bets: int, at: str) -> Link:
    """A link after some bets, without their lock."""
    balances, _, house = add_round_bets(link.progressive, link.balances, bets)
    total = millicents(link.progressive.bet_cents) * bets
    return replace_unchecked(
        link,
        balances=balances,
        house=link.house + house,
        received=link.received + total,
        bets=link.bets + bets,
        accrued=add_accrued(link.accrued, at, total - house),
    )


def _apply_returned(link: Link, data: Data, at: str) -> Link:
    """The house returns the bets of a void round; the meters keep their parts."""
    cents = link.progressive.bet_cents * len(_lock(link, data).seats)
    if cents != data["cents"]:
        raise Refused(f"{link.name} returned another amount than the bets of the round.")
    return _pay_from_house(_unlock(link, data), cents)


def _apply_won(link: Link, data: Data, at: str) -> Link:
    """Claims of a round: jackpots freeze where persons verify them, everything else is paid."""
    lock = _lock(link, data)
    claims = [Claim(seat - 1, level) for seat, level in data["claims"]]
    won = settle_claims(
        link, lock, claims, dict(zip(lock.seats, data["players"], strict=True)), data["table"]
    )
    if won.to_json() != {key: data[key] for key in ("paid", "frozen", "displayed")}:
        raise Refused(f"{link.name} paid other amounts than its rules say.")
    return _unlock(won.link, data)


def _lock(link: Link, data: Data) -> Lock:
    lock = link.locks.get(data["table"])
    if lock is None or lock.round != data["round"]:
        raise Refused(f"No bets on {link.name} are locked in round {data['round']} of {data['table']}.")
    return lock


def _unlock(link: Link, data: Data) -> Link:
    locks = {table: lock for table, lock in link.locks.items() if table != data["table"]}
    return replace(link, locks=locks)


def _pay_from_house(link: Link, cents: int) -> Link:
    return replace(link, house=link.house - millicents(cents), paid=link.paid + millicents(cents))


# -- Claims -----------------------------------------------------------------------------------------


def _apply_verified(link: Link, data: Data, at: str) -> Link:
    claim = link.claim(data["claim"])
    if data["by"] in claim.verified_by:
        raise Refused(f"{data['by']} has verified claim {claim.number} already; another person has to.")
    seen = replace(claim, verified_by=(*claim.verified_by, data["by"]))
    return replace(link, claims=tuple(seen if each == claim else each for each in link.claims))


def _apply_paid(link: Link, data: Data, at: str) -> Link:
    claim = link.claim(data["claim"])
    if len(claim.verified_by) < link.verifiers:
        raise Refused(f"Claim {claim.number} of {link.name} needs {link.verifiers} persons who verify it.")
    if (claim.cents, claim.player) != (data["cents"], data["player"]):
        raise Refused(f"Claim {claim.number} of {link.name} is of another amount or player.")
    rest = tuple(each for each in link.claims if each != claim)
    return replace(link, claims=rest, paid=link.paid + millicents(claim.cents))


def _apply_refused(link: Link, data: Data, at: str) -> Link:
    """A claim that does not hold; once as many persons say so as verify one, its amount goes back."""
    claim = link.claim(data["claim"])
    if data["by"] in claim.refused_by:
        raise Refused(f"{data['by']} has refused claim {claim.number} already; another person has to.")
    if len(claim.refused_by) + 1 < link.verifiers:
        doubted = replace(claim, refused_by=(*claim.refused_by, data["by"]))
        return replace(link, claims=tuple(doubted if each == claim else each for each in link.claims))
    rest = tuple(each for each in link.claims if each != claim)
    if not claim.meter:
        return replace(link, claims=rest, house=link.house + millicents(claim.cents))
    balance, amount = link.balances[claim.meter], millicents(claim.cents)
    if claim.meter in link.commitments:  # the display may not jump past the next secret amount
        back = replace(balance, overflow=balance.overflow + amount)
    else:
        back = replace(balance, displayed=balance.displayed + amount)
    return replace(link, claims=rest, balances={**link.balances, claim.meter: back})


# -- The house --------------------------------------------------------------------------------------


def _apply_joined(link: Link, data: Data, at: str) -> Link:
    if data["table"] in link.tables:
        raise Refused(f"{data['table']} feeds {link.name} already.")
    return replace(link, tables=(*link.tables, data["table"]))


def _apply_left(link: Link, data: Data, at: str) -> Link:
    if data["table"] not in link.tables:
        raise Refused(f"{data['table']} does not feed {link.name}.")
    return replace(link, tables=tuple(table for table in link.tables if table != data["table"]))


def _apply_funded(link: Link, data: Data, at: str) -> Link:
    cents = millicents(data["cents"])
    return replace(link, house=link.house + cents, funded=link.funded + cents)


def _apply_deposited(link: Link, data: Data, at: str) -> Link:
    return replace(link, accrued=deduct_deposit(link.accrued, millicents(data["cents"])))


def _apply_decreased(link: Link, data: Data, at: str) -> Link:
    """A meter falls for one of the reasons of the law; the money goes where the reason says."""
    reason, amount = Decrease(data["reason"]), data["millicents"]
    balance = link.balances[data["meter"]]
    source = "reserve" if reason == Decrease.RECEIPTS else "displayed"
    if not 0 < amount <= getattr(balance, source):
        there = meter_dollars(getattr(balance, source))
        raise Refused(f"The {source} amount of {data['meter']!r} is {there}, less than the decrease.")
    _check_amount(link, data["meter"], balance, reason, amount)
    less = replace(balance, **{source: getattr(balance, source) - amount})
    if reason in (Decrease.ABOVE_CAP, Decrease.DISPLAY_FAULT):  # it stays the players'
        kept = "overflow" if reason == Decrease.ABOVE_CAP else "reserve"
        less = replace(less, **{kept: getattr(less, kept) + amount})
        return replace(link, balances={**link.balances, data["meter"]: less})
    return replace(link, balances={**link.balances, data["meter"]: less}, house=link.house + amount)


def _check_amount(link: Link, meter: str, balance: Balance, reason: Decrease, amount: int) -> None:
    """Refuse more than the cap or the seed accounts for."""
    rules = link.progressive.meter_named(meter)
    if reason == Decrease.SEED_RECOVERY and amount > millicents(rules.seed_cents):
        raise Refused(
            f"The seed of {meter!r} is {meter_dollars(millicents(rules.seed_cents))}; more is not recovered."
        )
    if reason == Decrease.ABOVE_CAP:
        cap = None if rules.cap_cents is None else millicents(rules.cap_cents)
        if cap is None or balance.displayed - amount < cap:
            raise Refused(f"Only what {meter!r} shows above its cap may be taken off for that reason.")


def _apply_closed(link: Link, data: Data, at: str) -> Link:
    if link.claims:
        raise Refused(f"{link.name} has claims that wait; pay or refuse them first.")
    return replace(link, closed=True, tables=())


HANDLERS: Mapping[str, Callable[[Link, Data, str], Link]] = {
    "table-joined": _apply_joined,
    "table-left": _apply_left,
    "fed": _apply_fed,
    "must-hit": _apply_fed,
    "bets-returned": _apply_returned,
    "won": _apply_won,
    "claim-verified": _apply_verified,
    "claim-paid": _apply_paid,
    "claim-refused": _apply_refused,
    "funded": _apply_funded,
    "deposited": _apply_deposited,
    "decreased": _apply_decreased,
    "link-closed": _apply_closed,
}
