"""Meters are sums of rounds in any order, and expectations follow from the meters alone."""

import subprocess
import sys
from collections import Counter
from dataclasses import FrozenInstanceError, replace
from math import sqrt

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from feltlab.core.limits import Limits
from feltlab.digests import canonical_json
from feltlab.errors import Refused
from feltlab.games import GAMES
from feltlab.pit.expectation import ALARM_BAND_PERCENT, MIN_ALARM_ROUNDS, Expectation, quantile
from feltlab.pit.meters import NO_METERS, Meters
from feltlab.pit.slips import Slip, open_slip

WAR = GAMES["casino-war"]
SPOTS = ("ante", "tens-up", "bad-beat")
WAGERS = st.dictionaries(st.sampled_from(SPOTS), st.integers(1, 10**12), min_size=1)
ROUNDS = st.tuples(
    st.lists(WAGERS, min_size=1, max_size=4), st.integers(0, 10**13), st.integers(-(10**13), 10**13)
)
COIN = Expectation(
    "coin",
    "digest",
    {"a": "1"},
    {"a": 0.5, "b": 0.0},
    {"a a": 1.0, "a b": 0.25, "b b": 4.0},
    {"a a": 0.5},
    {},
)


def after(rounds, meters=NO_METERS):
    for wagers, staked, net in rounds:
        meters = meters.after_round(wagers, staked, net)
    return meters


# -- Sums -------------------------------------------------------------------------------------------


def test_a_round_adds_its_stakes_and_the_win_of_the_house():
    """Two seats, $10 and $20 with $5 on the tie; the first goes to war, so $10 more are down."""
    read = NO_METERS.after_buy_in(10_000).after_round(
        [{"primary": 1000}, {"primary": 2000, "tie": 500}], 4500, -1500
    )
    assert (read.rounds, read.hands, read.voids) == (1, 2, 0)
    assert (read.drop, read.handle, read.win) == (10_000, 4500, 1500)
    assert read.first == {"primary": 3000, "tie": 500}
    assert read.squares == {
        "primary primary": 1000 * 1000 + 2000 * 2000,
        "primary tie": 2000 * 500,
        "tie tie": 500 * 500,
    }
    # Ordered pairs of seats: (1, 2) and (2, 1). Only the second seat has a tie.
    assert read.shared == {"primary primary": 2 * 1000 * 2000, "primary tie": 1000 * 500}
    assert read.hold == 0.15


def test_a_seat_alone_shares_nothing():
    assert after([([{"ante": 500, "tens-up": 500}], 1000, 0)] * 3).shared == {}


def test_a_void_round_is_counted_and_moves_no_money():
    read = after([([{"ante": 500}], 1000, 200)])
    assert read.after_void() == replace(read, voids=1)


def test_there_is_no_hold_before_anyone_buys_in():
    assert after([([{"ante": 500}], 1000, 200)]).hold is None


def test_meters_do_not_change():
    read = after([([{"ante": 500}], 1000, 200)])
    kept = read.to_json()
    after([([{"ante": 500}, {"tens-up": 5}], 1000, 200)], read)
    assert read.to_json() == kept
    with pytest.raises(FrozenInstanceError):
        read.rounds = 7


def test_the_order_in_which_wagers_are_named_does_not_matter():
    one = after([([{"ante": 500, "tens-up": 100}], 600, 0)])
    assert one == after([([{"tens-up": 100, "ante": 500}], 600, 0)])


@given(st.lists(ROUNDS, max_size=6), st.randoms(), st.integers(0, 6))
def test_meters_are_sums_in_any_order_and_however_they_are_split(rounds, random, at):
    whole = after(rounds)
    mixed = random.sample(rounds, len(rounds))
    assert after(mixed) == whole
    first, second = after(mixed[:at]), after(mixed[at:])
    assert first + second == whole
    assert whole - first == second
    assert whole - whole == NO_METERS


@given(st.lists(ROUNDS, max_size=4))
def test_products_are_those_of_all_pairs(rounds):
    """Compared with loops over every seat, every other seat and every two spots; each pair of spots once."""
    own, shared = Counter(), Counter()
    for seats, _, _ in rounds:
        for i, one in enumerate(seats):
            for j, other in enumerate(seats):
                for a in sorted(one):
                    for b in sorted(other):
                        if i == j and a <= b:
                            own[f"{a} {b}"] += one[a] * one[b]
                        if i != j and a <= b:
                            shared[f"{a} {b}"] += one[a] * other[b]
    read = after(rounds)
    assert (read.squares, read.shared) == (own, shared)


@given(st.lists(ROUNDS, max_size=5), st.integers(0, 10**30))
def test_meters_round_trip_through_the_ledger(rounds, drop):
    read = after(rounds).after_buy_in(drop).after_void()
    text = canonical_json(read.to_json())
    assert Meters.from_json(orjson.loads(text)) == read
    assert canonical_json(Meters.from_json(orjson.loads(text)).to_json()) == text


def test_numbers_that_other_readers_would_round_are_text():
    read = replace(NO_METERS, drop=2**53 - 1, handle=2**53, win=-(2**70), squares={"a a": 4})
    data = orjson.loads(canonical_json(read.to_json()))
    assert (data["drop"], data["handle"], data["win"]) == (
        2**53 - 1,
        "9007199254740992",
        "-1180591620717411303424",
    )
    assert data["squares"] == {"a a": "4"}


# -- What is expected -------------------------------------------------------------------------------


def test_mean_and_deviation_follow_from_the_sums():
    """Seats with (a, b) of (2, 1) and (4, 0): mean (2 + 4)/2; variance 4 + 2*2/4 + 4 + 16, shared 2*8/2."""
    read = after([([{"a": 2, "b": 1}, {"a": 4}], 7, 0)])
    shared = replace(COIN, shared={"a a": 0.5, "a b": 0.0})
    assert shared.expected_win(read) == 3.0
    assert shared.deviation(read) == sqrt(4 + 1 + 4 + 16 + 8)


def test_a_negative_variance_counts_as_zero():
    read = after([([{"a": 2}, {"a": 2}], 4, 0)])
    assert replace(COIN, shared={"a a": -1.5}).deviation(read) == 0.0


def test_a_band_is_that_of_a_normal_law():
    """95 % of a normal law lie within 1.959964 deviations, 99.9 % within 3.290527."""
    low, high = COIN.band(after([([{"a": 1}], 1, 0)] * 100), 95)
    assert (low, high) == (pytest.approx(50 - 19.59964), pytest.approx(50 + 19.59964))
    assert quantile(ALARM_BAND_PERCENT) == pytest.approx(3.290527)


@pytest.mark.parametrize("percent", [0, 100, -5, 250])
def test_a_band_of_no_percentage_is_refused(percent):
    with pytest.raises(Refused, match="more than 0 and less than 100"):
        quantile(percent)


@pytest.mark.parametrize(
    ("away", "said"), [(0, ""), (46, ""), (-46, ""), (47, "above"), (-47, "below")], ids=str
)
def test_an_alarm_rings_as_soon_as_the_win_leaves_its_band(away, said):
    """200 rounds of 1 on a: mean 100, deviation sqrt(200), and 3.290527 of them are 46.5."""
    read = replace(after([([{"a": 1}], 1, 0)] * MIN_ALARM_ROUNDS), win=100 + away)
    found = COIN.describe_alarm(read)
    assert bool(found) == bool(said)
    assert said in found
    if away == 47:
        assert found == "After 200 rounds the house has won $1.47, above the 99.9 % band of $0.53 to $1.47."


def test_no_alarm_rings_before_there_are_enough_rounds():
    read = replace(after([([{"a": 1}], 1, 0)] * (MIN_ALARM_ROUNDS - 1)), win=10**9)
    assert COIN.describe_alarm(read) == ""
    assert COIN.describe_alarm(read.after_round([{"a": 1}], 1, 0)) != ""


def test_an_expectation_round_trips_through_json():
    assert Expectation.from_json(orjson.loads(canonical_json(COIN.to_json()))) == COIN


# -- Slips ------------------------------------------------------------------------------------------


def slips(expectation=None):
    before = after([([{"primary": 1000}], 1000, -1000)] * 5).after_buy_in(50_000)
    opened = open_slip("war-1", WAR, Limits(), "2026-01-01T08:00:00+00:00", "ann", 7_000, before)
    later = after([([{"primary": 1000}], 1000, -500)] * 10, before).after_buy_in(20_000).after_void()
    return opened, opened.close("2026-01-01T16:00:00+00:00", "bob", 9_000, later, expectation)


def test_a_close_slip_has_the_change_since_the_open_slip():
    opened, closed = slips()
    assert (opened.kind, opened.by, opened.chips, opened.meters.rounds) == ("open", "ann", 7_000, 5)
    assert (closed.kind, closed.by, closed.chips, closed.table) == ("close", "bob", 9_000, "war-1")
    assert closed.meters == after([([{"primary": 1000}], 1000, -500)] * 10).after_buy_in(20_000).after_void()
    assert closed.hold == 0.25
    assert closed.expected is None
    assert (closed.game, closed.digest) == (str(WAR), WAR.digest)


def test_a_close_slip_shows_the_expected_win():
    fair = replace(COIN, digest=WAR.digest, means={"primary": 0.02}, covariances={"primary primary": 1.0})
    _, closed = slips(fair)
    assert closed.expected == pytest.approx(200)
    assert closed.band == fair.band(closed.meters, 99)
    assert closed.rows == [
        ("rounds", "10"),
        ("voids", "1"),
        ("drop", "$200"),
        ("handle", "$100"),
        ("win", "$50"),
        ("chips", "$90"),
        ("hold", "25.00%"),
        ("expected win", "$2.00"),
        # 2.575829 deviations of $10 sqrt(10) each way
        ("99 % band", "-$79.45 to $83.45"),
    ]


def test_the_expectation_of_another_game_is_refused():
    with pytest.raises(Refused, match="The expectation of coin does not apply to casino-war"):
        slips(COIN)


def test_slips_round_trip_through_the_ledger():
    fair = replace(COIN, digest=WAR.digest, means={"primary": 0.02}, covariances={"primary primary": 1.0})
    for slip in (*slips(), *slips(fair)):
        assert Slip.from_json(orjson.loads(canonical_json(slip.to_json()))) == slip


def test_meters_and_slips_load_no_solver():
    code = "import sys, feltlab.pit.slips; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert not {name for name in loaded if name.startswith(("feltlab.counting", "feltlab.games"))}
    assert not loaded & {
        "feltlab.proving.proof",
        "feltlab.simulation.seat_covariance",
        "feltlab.workers.expectation",
    }


def test_the_usual_stake_leaves_out_rare_wagers():
    meters = NO_METERS.after_round([{"ante": 1000, "trips": 500}], 1500, 0)
    assert meters.usual_stake == {"ante": 1, "trips": 1}
    assert meters.after_round([{"ante": 1000}], 1000, 0).usual_stake == {"ante": 1}
    assert NO_METERS.usual_stake == {}
