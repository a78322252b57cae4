"""Rate limits: no window of time admits more than the burst and what the rate fills."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feltlab.errors import Refused, TooOften
from feltlab.server.rate_limits import ROUNDING_SECONDS, RateLimit, client_key, request_limit, sign_in_limit


class Clock:
    def __init__(self):
        self.now = 1000.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


def test_a_burst_is_taken_at_once_and_then_at_the_rate(clock):
    rates = RateLimit(2, 3, clock=clock)
    assert [rates.take("ann") for _ in range(4)] == [0, 0, 0, 0.5]
    clock.now += 0.5
    assert [rates.take("ann") for _ in range(2)] == [0, 0.5]


def test_a_bucket_does_not_overflow(clock):
    rates = RateLimit(2, 3, clock=clock)
    rates.take("ann")
    clock.now += 3600
    assert [rates.take("ann") for _ in range(4)] == [0, 0, 0, 0.5]


def test_clients_do_not_share(clock):
    rates = RateLimit(1, 1, clock=clock)
    assert [rates.take("ann"), rates.take("bob"), rates.take("ann")] == [0, 0, 1]


def test_a_refusal_costs_nothing(clock):
    rates = RateLimit(1, 2, clock=clock)
    rates.take("ann", 2)
    for _ in range(100):
        assert rates.take("ann") == 1
    clock.now += 1
    assert rates.take("ann") == 0


def test_a_request_may_cost_more(clock):
    rates = RateLimit(1, 10, clock=clock)
    assert rates.take("ann", 8) == 0
    assert rates.take("ann", 5) == 3


@pytest.mark.parametrize("cost", [0, -1, 2.5])
def test_a_cost_that_can_never_be_taken_is_a_programming_error(cost):
    with pytest.raises(ValueError, match="A cost is more than 0 and at most 2"):
        RateLimit(1, 2).take("ann", cost)


@pytest.mark.parametrize("given", [(0, 1, 1), (1, 0, 1), (1, 1, 0), (-1, 1, 1)])
def test_a_rate_of_zero_is_a_programming_error(given):
    with pytest.raises(ValueError, match="more than 0"):
        RateLimit(*given)


def test_memory_is_bounded_and_the_oldest_client_is_forgotten(clock):
    rates = RateLimit(1, 1, max_clients=2, clock=clock)
    rates.take("ann")
    rates.take("bob")
    rates.take("ann")  # refused, and still the last who asked
    rates.take("cal")
    assert len(rates) == 2
    assert rates.take("ann") > 0
    assert rates.take("bob") == 0


def test_no_more_clients_than_allowed_are_remembered(clock):
    rates = RateLimit(1, 1, max_clients=100, clock=clock)
    for n in range(10_000):
        rates.take(str(n))
    assert len(rates) == 100


def test_the_sentence_says_when_to_try_again(clock):
    rates = RateLimit(5 / 60, 5, what="sign-ins", clock=clock)
    for _ in range(5):
        rates.admit("ann")
    with pytest.raises(TooOften, match=r"^Too many sign-ins; try again in 12 seconds\.$") as refusal:
        rates.admit("ann")
    assert refusal.value.seconds == 12
    assert isinstance(refusal.value, Refused)
    clock.now += 11.5
    with pytest.raises(TooOften, match=r"in 1 second\.$"):
        rates.admit("ann")


def test_twenty_sign_ins_a_minute_and_two_hundred_requests_at_once():
    assert (sign_in_limit().rate * 60, sign_in_limit().burst) == (20, 20)
    assert (request_limit().rate, request_limit().burst) == (50, 200)


@pytest.mark.parametrize(
    ("address", "client"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("testclient", "testclient"),
    ],
)
def test_an_ipv6_address_counts_as_its_network(address, client):
    assert client_key(address) == client


COSTS = st.sampled_from([0.5, 1, 2, 3])
STEPS = st.lists(st.tuples(st.one_of(st.just(0.0), st.floats(0, 3)), COSTS), max_size=60)


@given(STEPS, st.floats(0.1, 100), st.floats(3, 50))
def test_no_window_admits_more_than_allowed(steps, rate, burst):
    clock = Clock()
    rates, taken = RateLimit(rate, burst, clock=clock), []
    for seconds, cost in steps:
        clock.now += seconds
        if rates.take("ann", cost) == 0:
            taken.append((clock.now, cost))
    for first, (begin, _) in enumerate(taken):
        total = 0.0
        for end, cost in taken[first:]:
            total += cost
            assert total <= burst + rate * (end - begin + ROUNDING_SECONDS) + 1e-6


@given(STEPS, st.floats(0.1, 100), st.floats(3, 50))
def test_a_client_that_waits_as_asked_is_served_and_others_are_not(steps, rate, burst):
    clock = Clock()
    rates = RateLimit(rate, burst, clock=clock)
    for seconds, cost in steps:
        clock.now += seconds
        wait = rates.take("ann", cost)
        assert 0 <= wait <= burst / rate + ROUNDING_SECONDS
        if wait > 10 * ROUNDING_SECONDS:
            clock.now += wait / 2
            assert rates.take("ann", cost) > 0
            clock.now += wait / 2
            assert rates.take("ann", cost) == 0
