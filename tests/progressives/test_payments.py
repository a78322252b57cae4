"""The money of meters: nothing is lost, however many hands win in one round."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feltlab import Refused
from feltlab.progressives.balances import (
    Balance,
    add_bets,
    add_round_bets,
    check_cap,
    open_balances,
    reset_meter,
    take_from,
)
from feltlab.progressives.payments import Claim, pay_claims
from feltlab.progressives.progressive import Attachment, Level, Meter, Progressive

LEVELS = (
    Level("royal", ("Royal Flush",), share=Fraction(1), envy_cents=500),
    Level("straight flush", ("Straight Flush",), share=Fraction(1, 10)),
    Level("four", ("Four of a Kind",), fixed_cents=30_000),
    Level("full", ("Full House",), fixed_cents=5_000, from_meter=True, to_one=True),
)
MAIN = Meter("main", 1_000_00, Fraction(13, 20), Fraction(1, 20))


def made(**changes):
    given_ = Progressive(
        "p", "P", "", "test", 100, "poker", (Attachment("caribbean-stud", ("player",)),), (MAIN,), LEVELS,
        Fraction(3, 10),
    )  # fmt: skip
    return replace(given_, **changes)


def test_a_bet_is_split_exactly():
    balances, fed, house = add_round_bets(made(), open_balances(made()), 3)
    assert (fed["main"].displayed, fed["main"].reserve, house) == (195_000, 15_000, 90_000)
    assert balances["main"].displayed == 100_000_000 + 195_000


@given(st.fractions(0, 1, max_denominator=997), st.fractions(0, 1, max_denominator=101), st.integers(1, 60))
def test_parts_below_a_thousandth_are_carried_and_never_lost(rate, reserve, bets):
    meter = Meter("m", 0, rate, reserve)
    one_by_one = Balance(0)
    for _ in range(bets):
        one_by_one, _ = add_bets(meter, one_by_one, 7)
    at_once, _ = add_bets(meter, Balance(0), 7, bets)
    assert one_by_one == at_once
    assert at_once.displayed + at_once.carried[0] == rate * 7_000 * bets


@pytest.mark.parametrize("overflow", ["next", "reserve", "house"])
def test_money_above_the_cap_goes_where_the_rules_say(overflow):
    meter = replace(MAIN, cap_cents=1_000_00, overflow=overflow)
    balance, fed = add_bets(meter, Balance(100_000_000), 100, 2)
    assert balance.displayed == 100_000_000
    assert {"next": fed.overflow, "reserve": fed.reserve - 10_000, "house": fed.house}[overflow] == 130_000
    assert fed.total == 140_000
    after, _ = reset_meter(replace(meter, seed_cents=0), replace(balance, displayed=0))
    assert after.held == balance.held - 100_000_000


def test_a_cap_below_the_meter_is_refused():
    with pytest.raises(Refused, match="is below the meter, which shows \\$1,000"):
        check_cap(replace(MAIN, seed_cents=0, cap_cents=5), Balance(100_000_000))


def test_the_seed_comes_from_the_reserve_and_then_from_the_house():
    after, reset = reset_meter(MAIN, Balance(7, reserve=60_000_000, hidden=5))
    assert (reset.from_reserve, reset.from_house, reset.from_hidden) == (60_000_000, 40_000_000, 5)
    assert after == Balance(100_000_012)


LOCKED = {"main": Balance(200_000_777, reserve=150_000_000)}


def cents(paid):
    return [(payment.seat, payment.cents) for payment in paid.payments if not payment.is_envy]


def test_two_tops_split_or_the_first_takes_all():
    claims = [Claim(2, "royal"), Claim(4, "royal")]
    split = pay_claims(made(), LOCKED, claims, range(7))
    assert cents(split) == [(2, 100_000), (4, 100_000)]
    first = pay_claims(made(top_tie="first"), LOCKED, claims, range(7))
    assert cents(first) == [(2, 200_000), (4, 100_000)]
    assert first.balances["main"].displayed == 100_000_777
    assert [(r.from_reserve, r.from_house) for r in first.resets["main"]] == [
        (100_000_000, 0), (50_000_000, 50_000_000),
    ]  # fmt: skip


def test_two_shares_are_simultaneous_or_sequential():
    claims = [Claim(0, "straight flush"), Claim(1, "straight flush")]
    assert cents(pay_claims(made(), LOCKED, claims, range(7))) == [(0, 20_000), (1, 20_000)]
    after = pay_claims(made(share_tie="sequential"), LOCKED, claims, range(7))
    assert cents(after) == [(0, 20_000), (1, 18_000)]


def test_a_top_prize_takes_what_shares_of_the_round_leave():
    paid = pay_claims(made(), LOCKED, [Claim(0, "royal"), Claim(1, "straight flush")], (0, 1))
    assert cents(paid) == [(1, 20_000), (0, 180_000)]


def test_fixed_prizes_come_from_the_tray_or_the_meter():
    paid = pay_claims(made(), LOCKED, [Claim(0, "four"), Claim(1, "full")], (0, 1))
    four, full = paid.payments
    assert (four.tray_cents, four.meter_cents, full.tray_cents, full.meter_cents) == (30_000, 0, 0, 5_000)
    assert full.stake_cents == 100
    poor = pay_claims(made(), {"main": Balance(2_000_999)}, [Claim(1, "full")], (0, 1))
    assert (poor.payments[0].meter_cents, poor.payments[0].tray_cents) == (2_000, 3_000)


def test_envy_goes_to_every_other_bettor_for_each_hand():
    paid = pay_claims(made(), LOCKED, [Claim(1, "royal"), Claim(3, "royal")], (1, 3, 5))
    envy = [(payment.seat, payment.cents) for payment in paid.payments if payment.is_envy]
    assert envy == [(3, 500), (5, 500), (1, 500), (5, 500)]


@given(
    st.lists(st.sampled_from([level.name for level in LEVELS]), max_size=7),
    st.integers(0, 10**9),
    st.sampled_from(["split", "first"]),
    st.sampled_from(["simultaneous", "sequential"]),
)
def test_no_round_makes_or_loses_money(names, displayed, top_tie, share_tie):
    rules = made(top_tie=top_tie, share_tie=share_tie)
    before = {"main": Balance(displayed, reserve=33, hidden=7, overflow=5)}
    paid = pay_claims(rules, before, [Claim(seat, name) for seat, name in enumerate(names)], range(7))
    from_meter = 1000 * sum(payment.meter_cents for payment in paid.payments)
    from_house = sum(reset.from_house for resets in paid.resets.values() for reset in resets)
    assert paid.balances["main"].held == before["main"].held - from_meter + from_house
    assert paid.balances["main"].displayed >= 0


def test_claims_without_a_bet_and_twice_are_refused():
    with pytest.raises(Refused, match="Seat 3 made no bet"):
        pay_claims(made(), LOCKED, [Claim(2, "royal")], (0, 1))
    with pytest.raises(Refused, match="Seat 1 claims twice"):
        pay_claims(made(), LOCKED, [Claim(0, "royal"), Claim(0, "four")], (0, 1))
    with pytest.raises(Refused, match="has no level 'pair'"):
        pay_claims(made(), LOCKED, [Claim(0, "pair")], (0, 1))
    with pytest.raises(Refused, match="less than"):
        take_from(Balance(0), 1)
