"""The second factor of staff: codes that count once, recovery codes, and a factor that is required."""

import asyncio
import base64

import httpx
import pytest

from feltlab.errors import Refused
from feltlab.ledger.database import VAULT
from feltlab.pit.accounts import SignInRefused
from feltlab.pit.custody import second_factor
from feltlab.pit.custody.second_factor import SecondFactors, compute_code, find_step, format_uri
from feltlab.pit.roles import Role
from feltlab.web.app import app as web_app
from tests.support.running import HERE, SECRET, House, generous, refused, running

RFC_SECRET = b"12345678901234567890"


class Clock:
    now = 1_800_000_000.0

    def __call__(self):
        return self.now


@pytest.mark.parametrize(
    ("seconds", "code"),
    [
        (59, "94287082"),
        (1111111109, "07081804"),
        (1111111111, "14050471"),
        (1234567890, "89005924"),
        (2000000000, "69279037"),
        (20000000000, "65353130"),
    ],
)
def test_codes_are_those_of_rfc_6238(seconds, code):
    """Appendix B, SHA-1; it lists eight digits, of which ours are the last six."""
    assert compute_code(RFC_SECRET, seconds // 30) == code[2:]


def test_a_clock_may_differ_by_one_step():
    now = 1_800_000_015.0
    found = [
        find_step(RFC_SECRET, compute_code(RFC_SECRET, int(now // 30) + off), now) for off in range(-2, 3)
    ]
    assert found == [None, 59_999_999, 60_000_000, 60_000_001, None]


def test_an_authenticator_reads_the_address():
    uri = format_uri("ann", RFC_SECRET)
    assert uri == "otpauth://totp/feltlab:ann?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=feltlab"


# -- The fold ---------------------------------------------------------------------------------------


async def enrol(house, clock, account="ann", secret=RFC_SECRET):
    factors = SecondFactors(house.pit.ledger, house.pit.books.vault, clock=clock)
    entry, codes = factors.enrol(account, secret, compute_code(secret, int(clock.now // 30)))
    await house.pit.ledger.append(entry)
    factors.sync()
    clock.now += 60
    return factors, codes


async def spend(house, factors, code, account="ann"):
    await house.pit.ledger.append(factors.use(account, code))


async def test_a_code_counts_once_even_at_another_server(house):
    clock = Clock()
    factors, _ = await enrol(house, clock)
    other = SecondFactors(house.pit.ledger, house.pit.books.vault, clock=clock)
    code = compute_code(RFC_SECRET, int(clock.now // 30))
    entries = [factors.use("ann", code), other.use("ann", code)]  # both before either is written
    done = await asyncio.gather(*map(house.pit.ledger.append, entries), return_exceptions=True)
    assert sorted(type(one).__name__ for one in done) == ["Repeated", "tuple"]
    for each in (factors, other):
        with pytest.raises(SignInRefused, match="wrong or was used"):
            each.use("ann", code)
    clock.now += 30
    await spend(house, factors, compute_code(RFC_SECRET, int(clock.now // 30)))


async def test_a_recovery_code_counts_once(house):
    factors, codes = await enrol(house, Clock())
    assert len(set(codes)) == 10
    await spend(house, factors, codes[3].upper().replace("-", " "))
    with pytest.raises(SignInRefused):
        factors.use("ann", codes[3])
    assert factors.count_recovery("ann") == 9


async def test_the_ledger_has_no_secret_and_an_exchanged_one_is_refused(house):
    clock = Clock()
    factors, codes = await enrol(house, clock)
    await enrol(house, clock, "bob", b"x" * 20)
    text = "".join(event.data for event in house.pit.ledger.stored_events())
    for secret in (base64.b32encode(RFC_SECRET).decode(), RFC_SECRET.decode(), *codes):
        assert secret not in text
    with house.pit.ledger.database.writing.begin() as connection:  # an insider gives ann the secret of bob
        rows = connection.execute(VAULT.select().where(VAULT.c.name.like("second-factor %"))).all()
        sealed = {row.name.split()[1]: row for row in rows}
        assert RFC_SECRET not in sealed["ann"].sealed
        forged = VAULT.update().where(VAULT.c.name == sealed["ann"].name)
        connection.execute(forged.values(sealed=sealed["bob"].sealed))
    with pytest.raises(Refused, match="not the one on record"):
        factors.use("ann", compute_code(b"x" * 20, int(clock.now // 30)))


async def test_a_reset_is_recorded_and_not_by_oneself(house):
    factors, _ = await enrol(house, Clock())
    with pytest.raises(Refused, match="another member"):
        factors.reset("ann", "ann")
    await house.pit.ledger.append(factors.reset("ann", "boss"))
    factors.sync()
    assert not factors.has("ann")
    (event,) = house.pit.ledger.last_events("house", (second_factor.RESET,))
    assert event.data == {"account": "ann", "by": "boss"}
    assert not [row for row in house.pit.ledger.rows(VAULT.select()) if row.name.startswith("second-factor")]


# -- Over HTTP --------------------------------------------------------------------------------------


def browser(house, address="127.0.0.1"):
    return httpx.AsyncClient(transport=httpx.ASGITransport(house.app, client=(address, 1)), base_url=HERE)


async def sign_in(client, **more):
    return await client.post("/api/session", json={"name": "the-supervisor", "password": SECRET, **more})


async def set_up(house, client, clock, **more):
    """Set up a factor as the page does: the secret and the recovery codes."""
    csrf = {"X-CSRF-Token": (await client.get("/api/session")).json()["csrf"]}
    shown = (await client.post("/api/session/second-factor/secret", headers=csrf)).json()["secret"]
    secret = base64.b32decode(shown)
    code = compute_code(secret, int(clock.now // 30))
    body = {"password": SECRET, "code": code, **more}
    answer = await client.post("/api/session/second-factor", json=body, headers=csrf)
    assert answer.status_code == 200, answer.text
    return secret, answer.json()["recovery"]


async def test_staff_signs_in_with_a_code_that_counts_once(house):
    clock = house.app.state.auth.factors._clock = Clock()
    await house.as_(Role.SUPERVISOR)
    client = browser(house)
    await sign_in(client)
    secret, codes = await set_up(house, client, clock)
    stranger = browser(house)
    refused(await sign_in(stranger), 428, "Enter the code of your authenticator")
    refused(await sign_in(stranger, code=compute_code(secret, int(clock.now // 30))), 401, "used already")
    clock.now += 30
    code = compute_code(secret, int(clock.now // 30))
    assert (await sign_in(stranger, code=code)).status_code == 200
    refused(await sign_in(browser(house), code=code), 401, "used already")
    assert (await sign_in(browser(house), code=codes[0])).status_code == 200
    kinds = [event.kind for event in house.pit.ledger.events("house")]
    assert kinds.count("sign-in-refused") == 2


async def test_wrong_codes_are_slowed_like_wrong_passwords(house):
    clock = house.app.state.auth.factors._clock = Clock()
    await house.as_(Role.SUPERVISOR)
    client = browser(house)
    await sign_in(client)
    await set_up(house, client, clock)
    thief = httpx.AsyncClient(
        transport=httpx.ASGITransport(house.app, client=("203.0.113.9", 1)), base_url=HERE
    )
    statuses = [(await sign_in(thief, code="000000")).status_code for _ in range(8)]
    assert statuses == [401] * 4 + [429] * 4


async def test_another_factor_needs_a_code_of_the_present_one(house):
    clock = house.app.state.auth.factors._clock = Clock()
    await house.as_(Role.SUPERVISOR)
    client = browser(house)
    await sign_in(client)
    first, codes = await set_up(house, client, clock)
    csrf = {"X-CSRF-Token": (await client.get("/api/session")).json()["csrf"]}
    body = {"password": SECRET, "code": "123456"}
    refused(await client.post("/api/session/second-factor", json=body, headers=csrf), 401)
    second, _ = await set_up(house, client, clock, old_code=codes[0])
    assert first != second


async def test_an_administrator_resets_the_factor_of_another(house):
    clock = house.app.state.auth.factors._clock = Clock()
    await house.as_(Role.SUPERVISOR)
    client, boss = browser(house), await house.as_(Role.ADMINISTRATOR)
    await sign_in(client)
    await set_up(house, client, clock)
    answer = await boss.http.patch("/api/accounts/the-supervisor", json={"reset_second_factor": True})
    assert answer.status_code == 200
    refused(await client.get("/api/session"), 401, "The account has changed since")
    assert (await sign_in(browser(house))).status_code == 200
    player = await house.as_(Role.PLAYER)
    refused(await player.post("session/second-factor/secret"), 403)


async def test_a_required_factor_comes_before_everything_else(tmp_path):
    async with running(tmp_path) as plain:
        house = House(plain.pit, require_second_factor=True)
        clock = house.app.state.auth.factors._clock = Clock()
        await house.as_(Role.SUPERVISOR)
        client = browser(house)
        assert (await sign_in(client)).status_code == 200
        refused(await client.get("/api/slips"), 403, "Set up your second factor first")
        assert (await client.get("/api/session")).status_code == 200
        await set_up(house, client, clock)
        assert (await client.get("/api/slips")).status_code == 200
        guest = await house.guest()
        assert (await guest.get("session")).status_code == 200


async def test_the_page_shows_the_secret_and_comes_first_where_it_is_required(tmp_path):
    async with running(tmp_path) as plain:
        house = House(plain.pit)
        house.app = web_app(plain.pit, allowance=generous(), require_second_factor=True)
        await house.as_(Role.SUPERVISOR)
        client = browser(house)
        await sign_in(client)
        floor = await client.get("/floor", headers={"accept": "text/html"})
        assert (floor.status_code, floor.headers["location"]) == (303, "/account/second-factor")
        page = await client.get("/account/second-factor")
        assert "<svg" in page.text
        shown = (await client.get("/account/second-factor.json")).json()
        assert shown["secret"] in page.text  # the same until it is confirmed
