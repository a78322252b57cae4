"""Security: roles, cookies, pages of other sites, host names, access tokens and rate limits."""

import httpx
import pytest

from feltlab.pit.roles import Role
from feltlab.server.auth import SESSION_COOKIE
from feltlab.server.guard import HEADERS
from feltlab.server.network import Network
from feltlab.server.rate_limits import RateLimit
from tests.support.running import HERE, SECRET, WAR, Client, House, generous, refused

TABLE = f"{WAR}-1"
TOKEN = "a-very-long-access-token"


# -- Sessions ---------------------------------------------------------------------------------------


async def test_without_a_session_nothing_is_done(house):
    before, nobody = house.state(), Client(house)
    refused(await nobody.at(TABLE, "sit", seat=1, cents=1000), 401, "Sign in first")
    refused(await nobody.get("session"), 401)
    refused(await nobody.get(f"tables/{TABLE}/rounds"), 401)
    assert house.state() == before


@pytest.mark.parametrize(
    "given", ["Bearer nonsense", "Bearer ", "Basic YTpi", "Bearer \xff", "Bearer a.b.c.d.e"]
)
async def test_a_wrong_session_is_refused(house, given):
    before = house.state()
    http = httpx.AsyncClient(transport=httpx.ASGITransport(house.app), base_url=HERE)
    found = await http.post(
        f"/api/tables/{TABLE}/sit",
        json={"seat": 1, "cents": 1000},
        headers={"Authorization": given.encode("latin-1")},
    )
    refused(found, 401)
    assert house.state() == before


async def test_a_session_whose_role_was_changed_by_hand_is_refused(house):
    guest = await house.guest()
    forged = guest.session.replace(".guest.", ".administrator.", 1)
    refused(await guest.known(forged, guest.name).get("accounts"), 401, "not valid here")


async def test_another_players_seat_is_not_mine(house):
    ann, bob = await house.guest(), await house.guest()
    await ann.at(TABLE, "sit", seat=1, cents=20_000)
    before = house.state()
    for act, body in [
        ("wager", {"round": 1, "wagers": {"primary": 1000}}),
        ("ready", {"round": 1}),
        ("choose", {"round": 1, "choice": "war"}),
        ("buy", {"cents": 1000}),
        ("leave", {}),
    ]:
        refused(await bob.at(TABLE, act, seat=1, **body), 403, "Seat 1 is not yours.")
    assert house.state() == before


PLAYERS = ("sit", "buy", "leave", "wager", "ready", "choose")
BODIES = {
    "sit": {"seat": 1, "cents": 1000},
    "buy": {"seat": 1, "cents": 1000},
    "leave": {"seat": 1},
    "wager": {"seat": 1, "round": 1, "wagers": {"primary": 1000}},
    "ready": {"seat": 1, "round": 1},
    "choose": {"seat": 1, "round": 1, "choice": "war"},
    "no-more-bets": {},
    "advance": {},
    "close": {"why": "x"},
    "void": {"reason": "x"},
    "drill": {"fault": "jam"},
    "end-drill": {},
    "irregularity": {"round": 1, "kind": "exposed-card", "hand": "dealer", "decision": "void"},
    "corrections": {"round": 1, "seat": 1, "spot": "ante", "paid": 0, "due": 1, "reason": "x"},
    "select-mode": {"mode": "shoe"},
    "consult-guide": {"fault": "jam"},
    "replacement-step": {"step": 1},
    "test-shuffler": {"shuffler": "main"},
    "deal-by-hand": {"why": "x"},
}
DEALS = {"no-more-bets", "advance", "consult-guide", "replacement-step"}
SUPERVISES = {"close", "void", "drill", "end-drill", "irregularity", "corrections"}
SUPERVISES |= {"select-mode", "test-shuffler", "deal-by-hand"}
MAY = {
    Role.PLAYER: {*PLAYERS},
    Role.DEALER: DEALS,
    Role.SUPERVISOR: DEALS | SUPERVISES,
    Role.AUDITOR: set(),
    Role.ADMINISTRATOR: DEALS | SUPERVISES,
    Role.MAKER: set(),
    Role.REGULATOR: set(),
    Role.AGENCY: set(),
}
AUDITS = {Role.AUDITOR, Role.ADMINISTRATOR, Role.REGULATOR, Role.AGENCY}


@pytest.mark.parametrize("role", MAY)
async def test_an_action_without_permission_is_forbidden_and_changes_nothing(house, role):
    client, before = await house.as_(role), house.state()
    for act, body in BODIES.items():
        if act not in MAY[role] and act != "leave":  # which any seated account may do
            refused(await client.at(TABLE, act, **body), 403, f"{role} may not")
    assert house.state() == before


async def test_a_player_never_becomes_staff(house):
    player, boss = await house.as_(Role.PLAYER), await house.as_(Role.ADMINISTRATOR)
    for role in ("dealer", "administrator"):
        patched = await boss.http.patch(f"/api/accounts/{player.name}", json={"role": role})
        refused(patched, 409, "no account has roles of two sides")
    assert house.pit.accounts[player.name].role is Role.PLAYER


READING = {
    "accounts": {Role.ADMINISTRATOR, Role.MAKER, Role.REGULATOR, Role.AGENCY},
    "events": AUDITS,
    "ledger/heads": AUDITS,
    f"tables/{TABLE}/meters": AUDITS | {Role.SUPERVISOR},
    f"tables/{TABLE}/irregularities": AUDITS | {Role.SUPERVISOR},
    "slips": AUDITS | {Role.SUPERVISOR},
    "approvals": AUDITS | {Role.SUPERVISOR},
}


@pytest.mark.parametrize("role", MAY)
async def test_each_role_reads_only_what_it_may(house, role):
    client = await house.as_(role)
    for path, roles in READING.items():
        assert (await client.get(path)).status_code == (200 if role in roles else 403), path


@pytest.mark.parametrize("role", [role for role in MAY if role is not Role.ADMINISTRATOR])
async def test_only_permitted_roles_change_the_house(house, role):
    client, before = await house.as_(role), house.state()
    await house.as_(Role.DEALER)
    accounts, approvals = house.pit.accounts.all(), house.pit.approvals
    if role is not Role.SUPERVISOR:
        refused(await client.post("tables", name="mine", game=WAR), 403)
    refused(await client.post("approvals", game=WAR), 403)
    refused(await client.post("approvals/1/steps", act="withdraw"), 403)
    refused(await client.post("accounts", name="friend", password=SECRET, role="administrator"), 403)
    refused(await client.http.patch("/api/accounts/the-dealer", json={"disabled": True}), 403)
    assert (house.state(), house.pit.accounts.all(), house.pit.approvals) == (before, accounts, approvals)


async def test_a_disabled_account_is_signed_out_at_once(house):
    bea = await house.as_(Role.PLAYER)
    house.pit.accounts.disable(bea.name, by="test")
    before = house.state()
    refused(await bea.at(TABLE, "sit", seat=1, cents=1000), 401, "changed")
    assert house.state() == before


# -- Cookies and pages ------------------------------------------------------------------------------


async def browser(house):
    """A client that has its session in a cookie, and the token for changes."""
    client = Client(house)
    made = await client.post("session/guest")
    return client, made.json()["csrf"], made.headers["set-cookie"]


async def test_a_cookie_is_kept_from_scripts_and_other_sites(house):
    client, _, cookie = await browser(house)
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert "Secure" not in cookie  # there is no TLS on a loopback address
    secure = httpx.AsyncClient(transport=httpx.ASGITransport(house.app), base_url="https://127.0.0.1")
    assert "Secure" in (await secure.post("/api/session/guest")).headers["set-cookie"]
    assert (await client.get("session")).status_code == 200


@pytest.mark.parametrize("token", [None, "", "wrong", "x" * 64, "\xff" * 64])
async def test_with_a_cookie_a_change_needs_the_pages_token(house, token):
    client, right, _ = await browser(house)
    before, body = house.state(), {"seat": 1, "cents": 1000}
    headers = {} if token is None else {"X-CSRF-Token": token.encode("latin-1")}
    url = f"/api/tables/{TABLE}/sit"
    refused(await client.http.post(url, json=body, headers=headers), 403, "page")
    assert house.state() == before
    assert (await client.http.post(url, json=body, headers={"X-CSRF-Token": right})).status_code == 200


async def test_signing_out_forgets_the_cookie(house):
    client, csrf, _ = await browser(house)
    refused(await client.http.delete("/api/session"), 403)
    await client.http.delete("/api/session", headers={"X-CSRF-Token": csrf})
    assert SESSION_COOKIE not in client.http.cookies
    refused(await client.get("session"), 401)


async def test_a_copy_of_a_session_that_was_signed_out_is_worth_nothing_even_after_a_restart(house):
    client, csrf, _ = await browser(house)
    copy = {"Authorization": f"Bearer {client.http.cookies[SESSION_COOKIE]}"}
    assert (await Client(house, **copy).get("session")).status_code == 200
    await client.http.delete("/api/session", headers={"X-CSRF-Token": csrf})
    refused(await Client(house, **copy).get("session"), 401, "signed out")
    refused(await Client(House(house.pit), **copy).get("session"), 401, "signed out")


@pytest.mark.parametrize(
    "origin",
    ["http://evil.example", "null", "http://127.0.0.1:99", "http://127.0.0.1.evil.example", "http://[", ""],
)
async def test_a_page_of_another_site_does_nothing_here(house, origin):
    before = house.state()
    nobody = Client(house, Origin=origin)
    refused(await nobody.post("session/guest"), 403, "another site")
    assert house.state() == before
    assert (await Client(house, Origin=HERE).post("session/guest")).status_code == 201


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "", "[", "10.0.0.1"])
async def test_another_name_that_leads_here_is_refused(house, host):
    refused(await Client(house, Host=host).get("tables"), 421)


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1:8700", "[::1]:8700", "LOCALHOST:1"])
async def test_the_names_of_this_machine_are_accepted(house, host):
    assert (await Client(house, Host=host).get("tables")).status_code == 200


async def test_every_answer_has_the_headers_that_protect_pages(house):
    nobody = Client(house)
    for path in ("/api/tables", "/api/nothing", "/docs", "/nothing", "/api/session"):
        found = await nobody.http.get(path)
        assert HEADERS.items() <= dict(found.headers).items()
        assert (found.headers.get("cache-control") == "no-store") == path.startswith("/api")
    away = await Client(house, Host="evil.example").get("tables")
    assert HEADERS.items() <= dict(away.headers).items()


@pytest.mark.parametrize("path", ["/docs", "/docs/style.css", "/api/tables", "/openapi.json"])
async def test_head_is_answered_wherever_get_is(house, path):
    found, whole = await Client(house).http.head(path), await Client(house).http.get(path)
    assert (found.status_code, found.content) == (200, b"")
    assert found.headers == whole.headers
    refused(await Client(house).http.get("/api/session/guest"), 405)


# -- The access token -------------------------------------------------------------------------------


@pytest.fixture
async def guarded(house):
    return House(house.pit, token=TOKEN, network=Network("0.0.0.0"))


@pytest.mark.parametrize(
    "path", ["/api/tables", "/api/health", "/docs", "/openapi.json", "/api/session/guest", "/"]
)
async def test_without_the_token_nothing_is_shown(guarded, path):
    for headers in (
        {},
        {"X-Access-Token": "wrong"},
        {"X-Access-Token": ""},
        {"Cookie": "feltlab-access=wrong"},
    ):
        refused(await Client(guarded, **headers).http.get(path), 401, "access token")
    refused(await Client(guarded).http.get(path + "?token=wrong"), 401)
    refused(await Client(guarded).http.post(path + f"?token={TOKEN}"), 401)


async def test_the_token_opens_by_header_or_once_by_address(guarded):
    assert (await Client(guarded, **{"X-Access-Token": TOKEN}).get("tables")).status_code == 200
    page = Client(guarded)
    found = await page.http.get(f"/api/tables?token={TOKEN}&a=1")
    assert (found.status_code, found.headers["location"]) == (303, "/api/tables?a=1")
    assert TOKEN not in found.headers["set-cookie"]
    assert (await page.get("tables")).status_code == 200


async def test_a_redirect_never_leads_to_another_site(guarded):
    found = await Client(guarded).http.get(f"http://127.0.0.1//evil.example/?token={TOKEN}")
    assert found.headers["location"].startswith("/evil.example")


async def test_a_server_at_all_addresses_accepts_addresses_but_no_strange_names(guarded):
    known = {"X-Access-Token": TOKEN}
    assert (await Client(guarded, Host="10.1.2.3:8700", **known).get("tables")).status_code == 200
    refused(await Client(guarded, Host="evil.example", **known).get("tables"), 421)


# -- Rate limits ------------------------------------------------------------------------------------


async def test_sign_ins_are_limited(house):
    few = House(house.pit, allowance=generous(sign_ins=RateLimit(1, 2, what="sign-ins")))
    for _ in range(2):
        refused(await Client(few).post("session", name="bea", password="a wrong password"), 401)
    found = await Client(few).post("session", name="carl", password="a wrong password")
    refused(found, 429, "Too many sign-ins")
    assert found.headers["retry-after"] == "1"


async def test_new_guests_and_requests_are_limited(house):
    few = House(house.pit, allowance=generous(guests=RateLimit(1, 1), requests=RateLimit(0.1, 3)))
    guest = await few.guest()
    refused(await Client(few).post("session/guest"), 429)
    for _ in range(3):
        await guest.get("session")
    before = house.state()
    refused(await guest.at(TABLE, "sit", seat=1, cents=1000), 429)
    assert house.state() == before


# -- Failures ---------------------------------------------------------------------------------------


async def test_an_unexpected_error_is_answered_without_its_reason(house, monkeypatch):
    from feltlab.pit.pit import Pit

    def broken(self, name):
        raise RuntimeError("secret of the house")

    monkeypatch.setattr(Pit, "table", broken)
    transport = httpx.ASGITransport(house.app, raise_app_exceptions=False)
    found = await httpx.AsyncClient(transport=transport, base_url=HERE).get(f"/api/tables/{TABLE}")
    assert found.status_code == 500
    assert "secret" not in found.text
    assert HEADERS.items() <= dict(found.headers).items()
