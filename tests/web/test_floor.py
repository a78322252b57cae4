"""The floor and the pages to sign in: who may see what, and what can be done from there."""

import asyncio
import re
from html.parser import HTMLParser

import httpx
import pytest

from feltlab.pit.accounts import ADMIN, Role
from feltlab.pit.meters import FEWEST_ROUNDS
from feltlab.web.account import _next
from pit.running import SECRET, WAR

from .pages import expecting, opened, play, served, sign_in

TABLE = f"{WAR}-1"
STAFF = {Role.SUPERVISOR, Role.AUDITOR, Role.ADMINISTRATOR}
WHO = {
    "/floor": STAFF,
    f"/floor/tables/{TABLE}": STAFF,
    "/floor/approvals": STAFF,
    "/floor/open": {Role.SUPERVISOR, Role.ADMINISTRATOR},
    "/floor/ledger": {Role.AUDITOR, Role.ADMINISTRATOR},
    "/floor/accounts": {Role.ADMINISTRATOR},
}


@pytest.fixture
async def house(tmp_path):
    async with opened(tmp_path) as house:
        yield house


# -- Roles ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", WHO)
async def test_pages_of_the_floor_are_for_their_roles_alone(house, path):
    for role in Role:
        if role is Role.GUEST:
            continue
        visitor = await house.visitor(role)
        for address in (path, f"{path}.json"):
            found = await visitor.get(address)
            assert found.status_code == (200 if role in WHO[path] else 403), (role, address)
            if role not in WHO[path]:
                assert "meters" not in found.text.lower()
                assert "may not" in found.text


@pytest.mark.parametrize("path", WHO)
async def test_who_is_not_signed_in_is_asked_to_and_comes_back(house, path):
    nobody = await house.visitor()
    page = await nobody.get(path)
    assert page.status_code == 401
    assert f'href="/sign-in?next={path}"' in page.text
    assert (await nobody.get(f"{path}.json")).json() == {"error": "Sign in first, or play as a guest."}


async def test_an_ended_session_is_told_so_in_a_friendly_page(house):
    visitor = await house.visitor(Role.SUPERVISOR)
    house.pit.accounts.disable("the-supervisor", "test")
    page = await visitor.get("/floor")
    assert page.status_code == 401
    assert "sign in again" in page.text


async def test_links_are_shown_to_who_may_follow_them(house):
    for role in (None, Role.PLAYER, Role.SUPERVISOR, Role.AUDITOR, Role.ADMINISTRATOR):
        visitor = await house.visitor(role)
        page = (await visitor.get("/")).text
        assert ('href="/floor"' in page) == (role in STAFF)
        if role not in STAFF:
            continue
        floor = (await visitor.get("/floor")).text
        for link, may in WHO.items():
            if link.count("/") == 2:
                assert (f'href="{link}"' in floor) == (role in may), (role, link)


async def test_a_supervisor_sees_no_events_which_are_the_auditors(house):
    assert (await (await house.visitor(Role.SUPERVISOR)).get("/floor.json")).json()["events"] is None
    events = (await (await house.visitor(Role.AUDITOR)).get("/floor.json")).json()["events"]
    assert {"opened", "approval-step"} <= {event["kind"] for event in events}


async def test_an_auditor_is_offered_no_act(house):
    auditor = await house.visitor(Role.AUDITOR)
    for path in (f"/floor/tables/{TABLE}", "/floor/approvals"):
        assert "data-send" not in (await auditor.get(path)).text


# -- Pages ------------------------------------------------------------------------------------------


class Inline(HTMLParser):
    """What the Content-Security-Policy would stop."""

    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attributes):
        names = dict(attributes)
        if "style" in names or any(name.startswith("on") for name in names):
            self.found.append((tag, names))
        if tag == "form" and "data-send" in names and names.get("method") != "post":
            self.found.append((tag, names))  # without JavaScript a password would be in the address
        if tag == "style" or (tag == "script" and "src" not in names):
            self.found.append((tag, names))
        if any((names.get(name) or "").startswith(("http", "//")) for name in ("src", "href")):
            self.found.append((tag, names))


async def test_no_page_has_anything_inline_or_from_elsewhere(house):
    await play(house, WAR)
    expecting(house, TABLE, 0.05)
    visitor = await house.visitor(Role.ADMINISTRATOR)
    for path in (*WHO, "/sign-in", "/register", "/account", f"/tables/{TABLE}/rounds/1"):
        page = await visitor.get(path)
        assert page.status_code == 200, path
        reader = Inline()
        reader.feed(page.text)
        assert reader.found == [], path
        assert "Play money only" in page.text


async def test_meters_stand_beside_the_theory(house):
    await play(house, WAR, 3)
    expecting(house, TABLE, 0.05)
    visitor = await house.visitor(Role.AUDITOR)
    (line,) = [line for line in (await visitor.get("/floor.json")).json()["tables"] if line["table"] == TABLE]
    read, bar = house.pit.table(TABLE).table.meters, line["bar"]
    assert line["meters"]["win"] == read.win
    assert line["meters"]["hold"] == read.hold
    assert bar["band"][0] < bar["expected"] < bar["band"][1]
    assert 0 < bar["drawn"]["low"] < bar["drawn"]["expected"] < bar["drawn"]["high"] < 300
    assert bar["inside"] == (bar["band"][0] <= read.win <= bar["band"][1])
    page = (await visitor.get(f"/floor/tables/{TABLE}")).text
    assert bar["said"] in page
    assert f'href="/tables/{TABLE}/rounds/3"' in page


async def test_without_a_theory_the_page_says_so(house):
    visitor = await house.visitor(Role.AUDITOR)
    assert "No round was settled so far." in (await visitor.get("/floor")).text
    await play(house, WAR)
    assert "The theory is not proved yet." in (await visitor.get("/floor")).text


async def test_an_alarm_is_seen(house):
    expecting(house, TABLE, 50.0)  # nothing wins so much: it rings as soon as it may
    await play(house, WAR, FEWEST_ROUNDS)
    page = await (await house.visitor(Role.SUPERVISOR)).get("/floor")
    assert "1 table has left the band." in page.text
    assert "below the 99.9 % band" in page.text
    assert "card table alarmed" in page.text
    assert "band outside" in page.text


async def test_opening_takes_options_and_pays_from_an_approval(house):
    visitor = await house.visitor(Role.SUPERVISOR)
    told = (await visitor.get("/floor/open.json", params={"approval": 5})).json()
    assert told["game"] == "triple-shot-bonus"
    assert told["name"] == "triple-shot-bonus-2"
    assert (await visitor.get("/floor/open", params={"approval": 99})).status_code == 404
    assert (await visitor.get("/floor/open", params={"game": "nothing"})).status_code == 404


async def test_approvals_tell_what_can_be_done_next_to_administrators(house):
    page = (await (await house.visitor(Role.ADMINISTRATOR)).get("/floor/approvals")).text
    assert 'id="step-1-withdraw"' in page
    told = (await (await house.visitor(Role.AUDITOR)).get("/floor/approvals.json")).json()
    assert [found["in_force"] for found in told["approvals"]] == [True] * 5
    assert {act["act"] for act in told["approvals"][0]["possible"]} == {"withdraw", "lapse"}


async def test_accounts_show_no_password(house):
    page = await (await house.visitor(Role.ADMINISTRATOR)).get("/floor/accounts")
    assert "the-administrator" in page.text
    assert "argon2" not in page.text


@pytest.mark.parametrize(
    "asked", ["//evil.example", "https://evil.example", "/\\evil.example", "floor", "/a\nb"]
)
def test_going_on_after_signing_in_stays_here(asked):
    class Request:
        query_params = httpx.QueryParams(next=asked)

    assert _next(Request()) == ""


# -- The ledger -------------------------------------------------------------------------------------


async def test_the_ledger_is_verified_when_asked_for(house):
    await play(house, WAR, 2)
    auditor = await house.visitor(Role.AUDITOR)
    assert (await auditor.post("/floor/ledger/verify")).status_code == 403  # no CSRF token
    csrf = (await auditor.get("/api/session")).json()["csrf"]
    begun = await auditor.post("/floor/ledger/verify", headers={"X-CSRF-Token": csrf})
    assert begun.status_code == 202
    told = (await auditor.get("/floor/ledger.json")).json()
    assert (told["working"], told["by"]) == (0, "the-auditor")
    assert "Working for" in (await auditor.get("/floor/ledger")).text
    for _ in range(600):
        told = (await auditor.get("/floor/ledger.json")).json()
        if told["working"] is None:
            break
        await asyncio.sleep(0.1)
    assert told["failed"] == ""
    assert told["report"]["sound"] is True
    assert ["rounds settled", "2"] in told["report"]["rows"]
    assert "Everything is sound." in (await auditor.get("/floor/ledger")).text


async def test_a_supervisor_cannot_have_the_ledger_verified(house):
    supervisor = await house.visitor(Role.SUPERVISOR)
    csrf = (await supervisor.get("/api/session")).json()["csrf"]
    found = await supervisor.post("/floor/ledger/verify", headers={"X-CSRF-Token": csrf})
    assert found.status_code == 403


# -- In a browser -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A house of its own, for here roles and accounts change; one administrator is at work in it."""
    with served(tmp_path_factory.mktemp("floor")) as place:
        for role in (Role.PLAYER, Role.SUPERVISOR, Role.AUDITOR, Role.ADMINISTRATOR):
            place.do(place.house.as_(role))
        gone = place.house.pit.accounts.disable(ADMIN, "the-administrator")
        place.do(place.house.pit.note(*gone.drafts))
        yield place


def test_wrong_passwords_and_names_that_are_taken_are_one_sentence(place, page):
    place.do(place.house.as_(Role.PLAYER))
    page.goto(f"{place.address}/sign-in")
    page.fill("[name=name]", "the-player")
    page.fill("[name=password]", "not this one at all")
    page.keyboard.press("Enter")
    page.wait_for_selector(".said:not(:empty)")
    assert page.inner_text(".said") == "The name or the password is not right."
    page.goto(f"{place.address}/register")
    page.fill("[name=name]", "the-player")
    page.fill("[name=password]", SECRET)
    page.click("#register button")
    page.wait_for_selector(".said:not(:empty)")
    assert page.inner_text(".said") == "The name the-player is taken."


def test_a_player_registers_changes_the_password_and_signs_out(place, page):
    page.goto(f"{place.address}/register?next=/account")
    page.fill("[name=name]", "Newcomer")
    page.fill("[name=password]", SECRET)
    page.click("#register button")
    page.wait_for_url(f"{place.address}/account")
    assert "$1,000" in page.inner_text("main")
    page.fill("[name=old]", SECRET)
    page.fill("[name=new]", SECRET + " too")
    page.click("#password button")
    page.wait_for_selector(".said[data-kind=told]:not(:empty)")
    page.goto(f"{place.address}/floor")
    assert "This page is for others" in page.inner_text("h1")
    page.goto(f"{place.address}/account")
    page.click("#sign-out button")
    page.wait_for_url(f"{place.address}/")
    assert page.is_visible("text=Sign in")


def test_a_supervisor_opens_voids_and_closes_a_table(place, page):
    sign_in(page, place, Role.SUPERVISOR, "/floor/open")
    page.select_option(".chooser select", WAR)
    page.fill("#open [name=name]", "by-hand")
    page.fill("#open [name='limits.maximum']", "250.50")
    page.fill("#open [name='timers.betting']", "")
    page.click("#open button")
    page.wait_for_url(f"{place.address}/floor/tables/by-hand")
    table = place.house.pit.table("by-hand").table
    assert (table.limits.maximum, table.timers.betting, table.timers.choosing) == (25_050, None, 60)
    assert page.is_disabled("#void button")
    guest = place.do(place.house.guest())
    place.do(guest.at("by-hand", "sit", seat=1, cents=20_000))
    place.do(guest.at("by-hand", "wager", seat=1, round=1, wagers={"primary": 1000}))
    page.reload()
    page.fill("#void [name=reason]", "a card was exposed")
    page.click("#void button")
    page.wait_for_selector("text=void: a card was exposed")
    place.do(guest.at("by-hand", "leave", seat=1))
    page.fill("#close [name=why]", "the day is over")
    page.click("#close button")
    page.wait_for_selector("text=Open it again")
    assert place.house.pit.table("by-hand").table.phase == "closed"
    page.click("tbody th a")
    page.wait_for_selector("text=takes back $10")


def test_what_is_refused_stays_beside_its_form(place, page):
    sign_in(page, place, Role.SUPERVISOR, "/floor/open")
    page.fill("#open [name=name]", TABLE)
    page.click("#open button")
    page.wait_for_selector("#open .said:not(:empty)")
    assert page.inner_text("#open .said") == f"{TABLE} is open already."
    page.fill("#open [name='limits.minimum']", "much")
    page.click("#open button")
    page.wait_for_selector("#open .said >> text=An amount must be a number, not much.")
    page.context.clear_cookies()
    page.reload()
    assert "Please sign in" in page.inner_text("h1")


def test_an_administrator_drafts_an_approval_and_keeps_accounts(place, page):
    sign_in(page, place, Role.ADMINISTRATOR, "/floor/approvals")
    page.click("details.draft summary")
    page.select_option("#draft [name='options.decks']", "8")
    page.click("#draft button")
    page.wait_for_selector("#approval-6")
    for act in ("submit", "approve"):
        page.click("#approval-6 .next summary")
        page.click(f"#step-6-{act} button")
        page.wait_for_selector(f"#approval-6 >> text={'submitted' if act == 'submit' else 'in force'}")
        page.wait_for_selector(f"#step-6-{act}", state="detached")
    page.goto(f"{place.address}/floor/accounts")
    page.click("summary")
    page.fill("#create [name=name]", "eye")
    page.fill("#create [name=password]", SECRET)
    page.select_option("#create [name=role]", "auditor")
    page.click("#create button")
    page.wait_for_selector("#disable-eye")
    page.click("#disable-eye button")
    page.wait_for_selector("#disable-eye >> text=Enable")
    assert place.house.pit.accounts["eye"].disabled
    page.select_option("#role-the-administrator select", "player")
    page.click("#role-the-administrator button")
    page.wait_for_selector("#role-the-administrator .said:not(:empty)")
    assert re.search("administrator; make another", page.inner_text("#role-the-administrator .said"))


def test_the_ledger_page_waits_for_its_report(place, page):
    sign_in(page, place, Role.AUDITOR, "/floor/ledger")
    page.click("#verify-now button")
    page.wait_for_selector("[data-working]")
    page.wait_for_selector("text=Everything is sound.", timeout=90_000)
