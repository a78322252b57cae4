"""Wrong passwords slow the attacker down, and never the owner."""

import httpx
import pytest

from feltlab.errors import TooOften
from feltlab.pit.roles import Role
from feltlab.server.clients import sign_in_delays
from feltlab.server.clients.sign_in_delays import ATTACK_FAILURES, GREETING_SECONDS, SignInDelays
from tests.support.running import HERE, SECRET, refused

OWNER, WRONG = "the-supervisor", "wrong wrong wrong"


class Clock:
    now = 1000.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def delays(clock):
    return SignInDelays(clock)


def count_tries(delays, clock, seconds, address="evil", account="ann", browser=""):
    """The wrong passwords that somebody can try in a time who waits exactly as long as asked."""
    end, tries = clock.now + seconds, 0
    while clock.now < end:
        try:
            delays.begin(address, account, browser)
            tries += 1
        except TooOften as early:
            clock.now += early.seconds
    return tries


def test_the_wait_of_an_attacker_doubles(delays, clock):
    """Four at once, then after 2, 4, ... 512 and from then on 900 seconds: 12 in 1,022 seconds."""
    assert count_tries(delays, clock, 1022) == 12
    assert count_tries(delays, clock, 24 * 3600) <= 97


def test_many_names_from_one_address_are_slowed_too(delays, clock):
    """Sixteen at once, then after 2, 4, ... 256 seconds."""
    end, tries = clock.now + 1022, 0
    while clock.now < end:
        try:
            delays.begin("evil", f"name-{tries}")
            tries += 1
        except TooOften as early:
            clock.now += early.seconds
    assert tries == 24


def test_tries_at_the_same_time_count_before_they_are_answered(delays):
    admitted = 0
    for _ in range(100):
        try:
            delays.begin("evil", "ann")
            admitted += 1
        except TooOften:
            pass
    assert admitted == 4  # the fourth begins the first wait


def test_the_owner_at_a_known_address_or_browser_waits_for_nobody(delays, clock):
    delays.begin("home", "ann")
    delays.note_success("home", "ann")
    for n in range(1000):  # from everywhere
        delays._pairs.add(f"evil-{n} ann")
        delays._accounts.add("ann")
    delays.begin("home", "ann")
    with pytest.raises(TooOften):
        delays.begin("hotel", "ann")
    delays.begin("hotel", "ann", "laptop")


def test_the_owner_at_a_new_address_waits_once_while_the_account_is_attacked(delays, clock):
    for n in range(ATTACK_FAILURES):
        delays.begin(f"evil-{n}", "ann")
    with pytest.raises(TooOften) as early:
        delays.begin("hotel", "ann")
    assert early.value.seconds == GREETING_SECONDS
    delays.begin("hotel", "bob")
    for n in range(50):  # others go on and do not make it longer
        with pytest.raises(TooOften):
            delays.begin(f"more-{n}", "ann")
    clock.now += GREETING_SECONDS
    delays.begin("hotel", "ann")


def test_a_browser_that_guesses_is_slowed_itself(delays, clock):
    assert count_tries(delays, clock, 1022, browser="stolen") == 12


def test_memory_is_bounded(delays, monkeypatch):
    monkeypatch.setattr(sign_in_delays, "MAX_REMEMBERED", 10)
    for n in range(100):
        delays.begin(f"{n}", f"name-{n}")
        delays.note_success(f"{n}", f"name-{n}")
        delays.begin(f"{n}", f"name-{n}")
    assert (len(delays._pairs), len(delays._addresses), len(delays._known)) == (10, 10, 10)


# -- Over HTTP --------------------------------------------------------------------------------------


def browser_at(house, address):
    transport = httpx.ASGITransport(house.app, client=(address, 1))
    return httpx.AsyncClient(transport=transport, base_url=HERE)


async def sign_in(browser, password, name=OWNER):
    return await browser.post("/api/session", json={"name": name, "password": password})


async def test_an_attacker_is_slowed_and_the_owner_signs_in(house):
    await house.as_(Role.SUPERVISOR)
    owner, evil = browser_at(house, "192.0.2.1"), browser_at(house, "203.0.113.9")
    assert (await sign_in(owner, SECRET)).status_code == 200
    statuses = [(await sign_in(evil, WRONG)).status_code for _ in range(8)]
    assert statuses == [401] * 4 + [429] * 4
    refused(await sign_in(evil, SECRET), 429, "Too many wrong passwords; try again in ")
    assert (await sign_in(owner, SECRET)).status_code == 200
    near = browser_at(house, "203.0.113.9")  # the owner's browser at the attacker's address
    near.cookies.update(owner.cookies)
    assert (await sign_in(near, SECRET)).status_code == 200
    strange = browser_at(house, "203.0.113.9")
    for name, value in owner.cookies.items():
        strange.cookies.set(name, value[:-1] + ("A" if value[-1] != "A" else "B"))
    assert (await sign_in(strange, SECRET)).status_code == 429


async def test_the_mark_of_a_browser_opens_nothing(house):
    await house.as_(Role.SUPERVISOR)
    owner = browser_at(house, "192.0.2.1")
    await sign_in(owner, SECRET)
    owner.cookies.delete("feltlab-session")
    assert list(owner.cookies)  # the mark is left
    refused(await owner.get("/api/session"), 401)
