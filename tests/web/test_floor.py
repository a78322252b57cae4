"""The floor and the sign-in pages: which roles may see them, and the actions on them."""

import asyncio
import re
import sys
from dataclasses import replace
from html.parser import HTMLParser

import httpx
import pytest
from sqlalchemy import text

from feltlab.games import GAMES
from feltlab.pit.cage import WELCOME_CENTS
from feltlab.pit.expectation import MIN_ALARM_ROUNDS, quantile
from feltlab.pit.pit import today
from feltlab.pit.players.purse import money_at_tables
from feltlab.pit.regimes import DEMONSTRATOR
from feltlab.pit.roles import Role
from feltlab.pit.seats import Timers
from feltlab.text import dollars
from feltlab.web.filters import in_sentence
from feltlab.web.pages.account import _next_address
from tests.support.databases import raw
from tests.support.pages import open_house, play, serve_house, set_expectation, sign_in
from tests.support.running import SECRET, WAR, open_waiting_table

TABLE = f"{WAR}-1"
AUDITS = {Role.AUDITOR, Role.ADMINISTRATOR, Role.REGULATOR, Role.AGENCY}
STAFF = AUDITS | {Role.SUPERVISOR}
WHO = {
    "/floor": STAFF,
    f"/floor/tables/{TABLE}": STAFF,
    f"/floor/tables/{TABLE}/irregularities": STAFF,
    f"/floor/tables/{TABLE}/shufflers": STAFF | {Role.DEALER},
    "/floor/guide": STAFF | {Role.DEALER},
    "/floor/open": {Role.SUPERVISOR, Role.ADMINISTRATOR},
    "/floor/deal": {Role.DEALER, Role.SUPERVISOR, Role.ADMINISTRATOR},
    "/floor/events": AUDITS,
    "/floor/ledger": AUDITS,
    "/floor/requests": STAFF,
    "/floor/accounts": {Role.ADMINISTRATOR, Role.MAKER, Role.REGULATOR, Role.AGENCY},
}


@pytest.fixture
async def house(tmp_path):
    async with open_house(tmp_path) as house:
        yield house


# -- Roles ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", WHO)
async def test_each_page_of_the_floor_is_for_its_roles_only(house, path):
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
async def test_a_visitor_is_asked_to_sign_in_and_returns_to_the_page(house, path):
    nobody = await house.visitor()
    page = await nobody.get(path)
    assert page.status_code == 401
    assert f'href="/sign-in?next={path}"' in page.text
    assert (await nobody.get(f"{path}.json")).json() == {"error": "Sign in first, or play as a guest."}


async def test_the_floor_names_games_that_no_dealer_may_deal_where_a_certificate_is_required(house):
    supervisor, sentence = await house.visitor(Role.SUPERVISOR), "No dealer has a certificate for it."
    assert sentence not in (await supervisor.get("/floor")).text
    house.pit.books.may_deal = lambda dealer, game: False
    assert sentence in (await supervisor.get("/floor")).text


async def test_a_dealer_sees_which_tables_need_a_certificate(house):
    dealer, sentence = await house.visitor(Role.DEALER), "has no certificate for Casino War"
    assert sentence not in (await dealer.get("/floor/deal")).text
    house.pit.books.may_deal = lambda dealer, game: game != WAR
    assert (await dealer.get("/floor/deal")).text.count(sentence) == 1
    assert sentence not in (await (await house.visitor(Role.SUPERVISOR)).get("/floor/deal")).text


async def test_an_ended_session_gets_a_friendly_page(house):
    visitor = await house.visitor(Role.SUPERVISOR)
    house.pit.accounts.disable("the-supervisor", "test")
    page = await visitor.get("/floor")
    assert page.status_code == 401
    assert "sign in again" in page.text


async def test_a_page_links_only_to_pages_that_its_visitor_may_see(house):
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


async def test_a_supervisor_sees_no_events(house):
    assert (await (await house.visitor(Role.SUPERVISOR)).get("/floor.json")).json()["events"] is None
    events = (await (await house.visitor(Role.AUDITOR)).get("/floor.json")).json()["events"]
    assert {"opened", "account-created"} <= {event["kind"] for event in events}


async def test_an_auditor_is_offered_no_action(house):
    auditor = await house.visitor(Role.AUDITOR)
    for path in (f"/floor/tables/{TABLE}", "/approvals"):
        assert "data-send" not in (await auditor.get(path)).text


# -- Pages ------------------------------------------------------------------------------------------


class Inline(HTMLParser):
    """Finds everything that the content security policy forbids."""

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


class Sent(HTMLParser):
    """Finds the buttons of forms that forms.js sends, as the server sends them."""

    def __init__(self):
        super().__init__()
        self.inside, self.buttons = False, []

    def handle_starttag(self, tag, attributes):
        if tag == "form":
            self.inside = "data-send" in dict(attributes)
        if tag == "button" and self.inside:
            self.buttons.append(dict(attributes))

    def handle_endtag(self, tag):
        self.inside = self.inside and tag != "form"


@pytest.mark.parametrize("path", [*WHO, "/sign-in", "/register", "/account", f"/tables/{TABLE}/rounds/1"])
async def test_no_page_has_anything_inline_or_from_elsewhere(house, path):
    await play(house, WAR)
    set_expectation(house, TABLE, 0.05)
    page = await (await house.visitor(Role.ADMINISTRATOR)).get(path)
    assert page.status_code == 200
    inline, sent = Inline(), Sent()
    inline.feed(page.text)
    sent.feed(page.text)
    assert inline.found == []
    assert all("disabled" in button and button["autocomplete"] == "off" for button in sent.buttons)
    assert "Play money only" in page.text


async def test_meters_are_shown_beside_the_expected_win(house):
    await play(house, WAR, 3)
    set_expectation(house, TABLE, 0.05)
    visitor = await house.visitor(Role.AUDITOR)
    (line,) = [line for line in (await visitor.get("/floor.json")).json()["tables"] if line["table"] == TABLE]
    read, bar = house.pit.table(TABLE).table.meters, line["bar"]
    assert line["meters"]["win"] == read.win
    assert line["meters"]["hold"] == read.hold
    assert bar["band"][0] < bar["expected"] < bar["band"][1]
    assert 0 < bar["drawn"]["low"] < bar["drawn"]["expected"] < bar["drawn"]["high"] < 100
    assert bar["inside"] == (bar["band"][0] <= read.win <= bar["band"][1])
    page = (await visitor.get(f"/floor/tables/{TABLE}")).text
    assert bar["said"] in page
    assert f'href="/tables/{TABLE}/rounds/3"' in page


async def test_without_an_expected_win_the_page_says_so(house):
    visitor = await house.visitor(Role.AUDITOR)
    assert "No round has been settled yet." in (await visitor.get("/floor")).text
    await play(house, WAR)
    page = (await visitor.get("/floor")).text
    assert "There is no expected win to compare with. It is not proved yet." in page
    assert "The expected win of some tables is not proved yet." in page


async def test_all_tables_together_have_a_band(house):
    """Means add up, and so do variances: hypot(3, 4) deviations are 5."""
    for name, deviation in ((TABLE, 3.0), ("high-five-poker-1", 4.0)):
        await play(house, name[:-2])
        live = house.pit.table(name)
        theory = set_expectation(house, name, 0.05)
        factor = deviation / theory.deviation(live.table.meters)
        law = {pair: number * factor**2 for pair, number in theory.covariances.items()}
        live.expectation = replace(theory, covariances=law)
    bar = (await (await house.visitor(Role.AUDITOR)).get("/floor.json")).json()["bar"]
    reads = [house.pit.table(name).table.meters for name in (TABLE, "high-five-poker-1")]
    assert bar["expected"] == pytest.approx(sum(0.05 * sum(read.first.values()) for read in reads))
    assert bar["band"][1] - bar["expected"] == pytest.approx(5 * quantile(99.0))


async def test_the_overview_counts_players_and_waiting_tables(house):
    guest = await house.guest()
    await open_waiting_table(house)
    await guest.at("waiting", "sit", seat=2, cents=30_000)
    await guest.at("waiting", "wager", seat=2, round=1, wagers={"primary": 2_500})
    visitor = await house.visitor(Role.SUPERVISOR)
    told = (await visitor.get("/floor.json")).json()
    assert (told["open"], told["seated"], told["chips"], told["waiting"]) == (
        len(GAMES) + 1,
        1,
        30_000,
        [],
    )
    (line,) = [line for line in told["tables"] if line["table"] == "waiting"]
    (place,) = line["players"]
    assert (place["seat"], place["player"], place["bankroll"]) == (2, guest.name, 27_500)
    assert line["doing"] == "Bets are open; 1 seat has $25 on the felt."
    await guest.at("waiting", "ready", seat=2, round=1)
    told = (await visitor.get("/floor.json")).json()
    assert told["waiting"] == ["waiting"]


async def test_a_dealer_sees_no_meters(house):
    page = (await (await house.visitor(Role.DEALER)).get("/floor/deal.json")).json()
    assert {line["table"] for line in page["tables"]} == set(house.pit.tables)
    assert not {"meters", "bar", "alarm", "chips"} & set(page["tables"][0])


async def test_dealers_and_supervisors_see_the_procedure_of_a_table(house):
    deal = await (await house.visitor(Role.DEALER)).get("/floor/deal")
    floor = await (await house.visitor(Role.SUPERVISOR)).get(f"/floor/tables/{TABLE}")
    for page in (deal.text, floor.text):
        assert "Burns three cards" in page
        assert "internal controls" in page  # of the house's kind of venue
        assert f'href="/rules/{WAR}#7.1"' in page
    told = (await (await house.visitor(Role.DEALER)).get("/floor/deal.json")).json()["procedures"]
    assert {found["table"] for found in told} == set(house.pit.tables)


async def test_any_round_is_recalled_by_table_and_number(house):
    await play(house, WAR, 17)
    auditor = await house.visitor(Role.AUDITOR)
    found = await auditor.get("/floor/recall", params={"table": TABLE, "round": 3})
    assert (found.status_code, found.headers["location"]) == (303, f"/tables/{TABLE}/rounds/3")
    assert (await auditor.get("/floor/recall", params={"table": "none", "round": 3})).status_code == 404
    assert (await auditor.get("/floor/recall", params={"table": TABLE, "round": "x"})).status_code == 409
    told = (await auditor.get(f"/floor/tables/{TABLE}.json")).json()
    assert [found["round"] for found in told["rounds"]][:2] == [17, 16]
    assert (told["older"], told["newer"]) == (4, None)
    told = (await auditor.get(f"/floor/tables/{TABLE}.json", params={"before": 4})).json()
    assert [found["round"] for found in told["rounds"]] == [3, 2, 1]
    assert (told["older"], told["newer"]) == (None, 19)


async def test_events_are_found_by_subject_and_table(house):
    supervisor, guest = await house.as_(Role.SUPERVISOR), await house.guest()
    await guest.at(TABLE, "sit", seat=1, cents=20_000)
    await guest.at(TABLE, "wager", seat=1, round=1, wagers={"primary": 1000})
    await supervisor.at(TABLE, "void", reason="a card was exposed")
    auditor = await house.visitor(Role.AUDITOR)
    told = (await auditor.get("/floor/events.json", params={"about": "rounds", "table": TABLE})).json()
    (event,) = told["events"]
    assert (event["kind"], event["round"]) == ("void", 1)
    assert event["says"] == "By the-supervisor: a card was exposed"
    page = (await auditor.get("/floor/events")).text
    assert f'href="/tables/{TABLE}/rounds/1"' in page
    assert (await auditor.get("/floor/events", params={"table": "none"})).status_code == 404


async def test_an_alarm_is_shown(house):
    set_expectation(house, TABLE, 50.0)  # no table wins that much: the alarm is raised as soon as possible
    await play(house, WAR, MIN_ALARM_ROUNDS)
    page = await (await house.visitor(Role.SUPERVISOR)).get("/floor")
    assert "1 table is outside the band" in page.text
    assert "below the 99.9 % band" in page.text
    assert "card table alarmed" in page.text
    assert "band outside" in page.text


async def test_opening_takes_options_and_pays_from_an_approval(house):
    visitor = await house.visitor(Role.SUPERVISOR)
    told = (await visitor.get("/floor/open.json", params={"approval": len(GAMES)})).json()
    assert told["under"]["game"] == list(GAMES)[-1]
    assert told["under"]["options"] == dict(house.pit.approvals[len(GAMES)].options)
    assert told["name"] == f"{list(GAMES)[-1]}-2"
    told = (await visitor.get("/floor/open.json", params={"game": "rabbit-hunter"})).json()
    assert told["under"]["number"] == 1 + list(GAMES).index("rabbit-hunter")
    assert (await visitor.get("/floor/open", params={"approval": 99})).status_code == 404
    assert (await visitor.get("/floor/open", params={"game": "nothing"})).status_code == 404


async def test_administrators_see_the_next_steps_of_an_approval(house):
    page = (await (await house.visitor(Role.ADMINISTRATOR)).get("/approvals")).text
    assert 'id="step-1-withdraw"' in page
    told = (await (await house.visitor(Role.AUDITOR)).get("/approvals.json")).json()
    assert [found["in_force"] for found in told["approvals"]] == [True] * len(GAMES)
    assert {act["act"] for act in told["approvals"][0]["possible"]} == {
        "withdraw",
        "attach",
        "revoke",
        "lapse",
    }
    assert told["approvals"][0]["tables"] == [f"{list(GAMES)[-1]}-1"]


async def test_an_approval_says_why_no_table_may_open_under_it(house):
    first, second = len(GAMES) + 1, len(GAMES) + 2
    eight = GAMES[WAR].with_options({"decks": "8"})
    for _ in (first, second):
        await house.pit.decide(lambda book: book.draft(house.pit.house, eight, DEMONSTRATOR, today()))
    boss = await house.as_(Role.ADMINISTRATOR)
    assert (await boss.post(f"approvals/{first}/steps", act="withdraw", note="a mistake")).status_code == 200
    visitor = await house.visitor(Role.SUPERVISOR)
    told = (await visitor.get("/approvals.json")).json()["approvals"]
    assert told[1]["why_not"].startswith(f"Approval {first} of casino-war is withdrawn since")
    assert told[0]["why_not"] == f"Approval {second} of casino-war is drafted and not yet approved."
    page = (await visitor.get("/floor/open", params={"approval": second})).text
    assert told[0]["why_not"] in page
    listed = (await visitor.get("/floor/open.json")).json()["not_in_force"]
    assert [one["why_not"] for one in listed] == [told[0]["why_not"]]  # one that was withdrawn is not listed
    assert told[0]["why_not"] in (await visitor.get("/floor/open")).text


def test_the_name_of_a_house_keeps_its_capital_inside_a_sentence():
    assert [in_sentence(name) for name in ("The Long Table", "Silver Reef", "Theo's")] == [
        *("the Long Table", "Silver Reef", "Theo's")
    ]


async def test_a_table_that_is_opened_again_offers_its_limits_and_timers(house):
    await open_waiting_table(house)
    await (await house.as_(Role.SUPERVISOR)).at("waiting", "close")
    told = await (await house.visitor(Role.SUPERVISOR)).get(
        "/floor/open.json", params={"name": "waiting", "approval": 1}
    )
    assert told.json()["again"] is True
    assert dict(told.json()["timers"])["dealing"] == ""


# -- Acts that are done once -----------------------------------------------------------------------


async def test_a_supervisors_action_is_performed_once_and_on_its_round_only(house):
    supervisor, guest = await house.as_(Role.SUPERVISOR), await house.guest()
    await guest.at(TABLE, "sit", seat=1, cents=20_000)

    async def wagers(round):
        await guest.at(TABLE, "wager", seat=1, round=round, wagers={"primary": 1000})

    await wagers(1)
    first = await supervisor.at(TABLE, "void", key="a", reason="a card fell", round=1)
    await wagers(2)
    again = await supervisor.at(TABLE, "void", key="a", reason="a card fell", round=1)
    assert (first.status_code, again.status_code, again.json()["repeated"]) == (200, 200, True)
    late = await supervisor.at(TABLE, "void", reason="a card fell", round=1)
    assert late.json() == {"error": "Round 1 is over; round 2 is in play."}
    assert house.pit.table(TABLE).table.bettors == [0]
    misused = await supervisor.at(TABLE, "close", key="a")
    assert misused.json() == {"error": "This key was used for another request."}
    for _ in range(2):
        await supervisor.at(TABLE, "drill", key="b", fault="jam")
    assert house.pit.table(TABLE).table.machines.main.cycles == 3, "after opening, void and drill"


async def test_accounts_show_no_password(house):
    page = await (await house.visitor(Role.ADMINISTRATOR)).get("/floor/accounts")
    assert "the-administrator" in page.text
    assert "argon2" not in page.text


@pytest.mark.parametrize(
    "asked", ["//evil.example", "https://evil.example", "/\\evil.example", "floor", "/a\nb", "/lab?{session}"]
)
def test_sign_in_redirects_to_this_server_only(asked):
    class Request:
        query_params = httpx.QueryParams(next=asked)

    assert _next_address(Request()) == ""


# -- The ledger -------------------------------------------------------------------------------------


async def verified(house):
    """The page of the ledger after a verification, and the progress that it showed."""
    auditor = await house.visitor(Role.AUDITOR)
    csrf = (await auditor.get("/api/session")).json()["csrf"]
    begun = await auditor.post("/floor/ledger/verify", headers={"X-CSRF-Token": csrf})
    assert begun.status_code == 202
    seen = []
    for _ in range(1200):
        told = (await auditor.get("/floor/ledger.json")).json()
        if told["working"] is None:
            return auditor, told, seen
        seen.append(told["percent"])
        assert told["by"] == "the-auditor"
        await asyncio.sleep(0.05)
    raise AssertionError("it does not end")


async def test_the_ledger_is_verified_on_demand(house):
    await play(house, WAR, 2)
    auditor = await house.visitor(Role.AUDITOR)
    assert (await auditor.post("/floor/ledger/verify")).status_code == 403  # no CSRF token
    auditor, told, seen = await verified(house)
    assert seen == sorted(seen)
    assert told["failed"] == ""
    assert told["report"]["sound"] is True
    rounds = next(part for part in told["report"]["checked"] if part["title"] == "Rounds")
    assert ["rounds settled", "2"] in rounds["rows"]
    assert "No problems found." in (await auditor.get("/floor/ledger")).text


async def test_a_problem_links_to_its_round(house):
    await play(house, WAR, 2)
    with raw(str(house.pit.folder / "ledger.sqlite")) as connection:
        changed = "UPDATE events SET data = replace(data, '\"net\":', '\"net\": ') || ' '"
        connection.execute(text(f"{changed} WHERE chain = '{TABLE}' AND kind = 'settled' AND round = 2"))
    auditor, told, _ = await verified(house)
    assert told["report"]["sound"] is False
    (found,) = told["report"]["places"]
    assert (found["place"], found["link"]) == (f"{TABLE}, round 2", f"/tables/{TABLE}/rounds/2")
    assert told["report"]["found"] == len(found["says"])
    page = (await auditor.get("/floor/ledger")).text
    assert found["link"] in page


async def test_a_verification_that_cannot_run_is_explained(house, monkeypatch):
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    _, told, _ = await verified(house)
    assert told["failed"].startswith("The verification could not be run.")


async def test_a_supervisor_cannot_have_the_ledger_verified(house):
    supervisor = await house.visitor(Role.SUPERVISOR)
    csrf = (await supervisor.get("/api/session")).json()["csrf"]
    found = await supervisor.post("/floor/ledger/verify", headers={"X-CSRF-Token": csrf})
    assert found.status_code == 403


# -- In a browser -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A separate house, because these tests change roles and accounts."""
    with serve_house(tmp_path_factory.mktemp("floor")) as place:
        yield place


def test_wrong_passwords_and_taken_names_are_refused_in_one_sentence(place, page):
    place.do(place.house.as_(Role.PLAYER))
    page.goto(f"{place.address}/sign-in")
    page.fill("[name=name]", "the-player")
    page.fill("[name=password]", "not this one at all")
    page.keyboard.press("Enter")
    page.wait_for_selector(".said:not(:empty)")
    assert page.inner_text(".said") == "The name or the password is wrong."
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
    page.wait_for_selector(".said[data-kind=done]:not(:empty)")
    page.goto(f"{place.address}/floor")
    assert "Not available for your role" in page.inner_text("h1")
    page.goto(f"{place.address}/account")
    page.click("#sign-out button")
    page.wait_for_url(f"{place.address}/")
    assert page.is_visible("text=Sign in")


def test_a_supervisor_opens_voids_and_closes_a_table(place, page):
    sign_in(page, place, Role.SUPERVISOR, "/floor/open")
    page.click(".choose >> text=Casino War")
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
    page.wait_for_selector("#void button:enabled")  # the page is up to date
    page.fill("#void [name=reason]", "a card was exposed")
    page.click("#void button")
    page.wait_for_selector("text=void: a card was exposed")
    assert page.inner_text("#void .said") == "The round is void; every wager has been returned."
    page.fill("#close [name=why]", "the day is over")
    page.click("#close button")
    page.wait_for_selector("text=Reopen")
    assert place.house.pit.table("by-hand").table.phase == "closed"
    page.click("tbody th a")
    page.wait_for_selector("text=takes back $10")
    page.goto(f"{place.address}/floor/tables/by-hand")
    page.click("text=Reopen")
    assert page.input_value("#open [name='limits.maximum']") == "250.5"
    page.click("#open button")
    page.wait_for_url(f"{place.address}/floor/tables/by-hand")
    assert place.house.pit.table("by-hand").table.phase == "betting"


def test_the_guide_and_the_seven_steps_of_a_replacement_are_buttons(place, page):
    place.do(open_waiting_table(place.house, name="drilled", timers=Timers()))
    table = place.house.pit.table("drilled")
    guest = place.do(place.house.guest())
    place.do(guest.at("drilled", "sit", seat=1, cents=20_000))
    sign_in(page, place, Role.SUPERVISOR, "/floor/tables/drilled")
    for round in (1, 2, 3):
        page.select_option("#drill select", "jam")
        page.click("#drill button")
        page.wait_for_selector("#drill small:has-text('set: the shuffler fails')")
        place.do(guest.at("drilled", "wager", seat=1, round=round, wagers={"primary": 1000}))
        place.do(guest.at("drilled", "ready", seat=1, round=round))
        page.wait_for_selector(f"#round-{round} >> text=JAM: CLEAR THE PATH")
        assert page.inner_text("#shuffler .display").endswith("JAM: CLEAR THE PATH")
        if round < 3:
            page.click("#guide-drilled button")
            page.wait_for_selector("#drill button:enabled")
    for step in range(1, 8):
        assert page.locator(".steps form").count() == 1, "only the next step has a button"
        page.click(f"#step-drilled-{step} button")
        page.wait_for_selector(f"#step-drilled-{step}", state="detached")
    page.wait_for_selector("#shuffler tr:has-text('backup') >> text=in use")
    page.fill("#test-main [name=note]", "a hundred cycles")
    page.click("#test-main button")
    page.wait_for_selector("#shuffler tr:has-text('main') >> text=stand-by")
    assert (table.table.machines.in_use, table.table.machines.main.out) == ("backup", False)
    page.goto(f"{place.address}/floor/tables/drilled/shufflers")
    assert page.locator("#acts-log li.bad").count() == 3
    assert "jam 3" in page.inner_text("#machines")


def test_a_dealer_deals_a_round_with_the_keyboard_alone(place, page):
    place.do(open_waiting_table(place.house, name="dealt"))
    guest = place.do(place.house.guest())
    place.do(guest.at("dealt", "sit", seat=1, cents=20_000))
    place.do(guest.at("dealt", "wager", seat=1, round=1, wagers={"tie": 500, "primary": 1000}))
    sign_in(page, place, Role.DEALER, "/floor/deal")
    page.focus("#deal-dealt button")
    for says in ("No more bets", "Deal the cards"):
        page.wait_for_selector(f"#deal-dealt >> text={says}")
        page.keyboard.press("Enter")
        page.wait_for_selector(f"#deal-dealt >> text={says}", state="detached")
    table = place.house.pit.table("dealt")
    for _ in range(8):
        if table.table.phase == "choosing":
            place.do(guest.at("dealt", "choose", seat=1, round=1, choice="surrender"))
        if table.table.round == 2:
            break
        shown = f"#table-dealt .tag >> text={table.table.phase}"
        page.wait_for_selector("#deal-dealt button:enabled")
        page.click("#deal-dealt button")
        page.wait_for_selector(shown, state="detached")
    assert table.table.round == 2
    assert page.is_visible("text=there are no wagers on the felt")


def test_a_refusal_is_shown_beside_its_form(place, page):
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


def test_an_administrator_manages_accounts(place, page):
    sign_in(page, place, Role.ADMINISTRATOR)
    page.goto(f"{place.address}/floor/accounts")
    page.click("main summary")
    page.fill("#create [name=name]", "eye")
    page.fill("#create [name=password]", SECRET)
    page.select_option("#create [name=role]", "auditor")
    page.click("#create button")
    page.wait_for_selector("#disable-eye")
    for name in ("eye", "admin"):
        page.click(f"#disable-{name} button")
        page.wait_for_selector(f"#disable-{name} >> text=Enable")
        assert place.house.pit.accounts[name].disabled
    page.select_option("#role-the-administrator select", "dealer")
    page.click("#role-the-administrator button")
    page.wait_for_selector("#role-the-administrator .said:not(:empty)")
    assert re.search("administrator; create another", page.inner_text("#role-the-administrator .said"))


def test_a_new_password_is_shown_once_and_a_disabled_account_cannot_sign_in(place, page):
    accounts, note = place.house.pit.accounts, place.house.pit.note
    sign_in(page, place, Role.ADMINISTRATOR, "/floor/accounts")
    place.do(note(*accounts.create("forgetful", SECRET, Role.DEALER, by="the-administrator").drafts))
    page.reload()
    page.click("#password-forgetful button")
    page.wait_for_selector("#password-forgetful .said:not(:empty)")
    password = page.inner_text("#password-forgetful .said").rpartition(" ")[2]
    assert accounts.sign_in("forgetful", password).account.name == "forgetful"
    page.reload()
    assert password not in page.content()
    place.do(note(*accounts.disable("forgetful", "the-administrator").drafts))
    page.context.clear_cookies()
    page.goto(f"{place.address}/sign-in")
    page.fill("[name=name]", "forgetful")
    page.fill("[name=password]", password)
    page.keyboard.press("Enter")
    page.wait_for_selector(".said:not(:empty)")
    assert page.input_value("[name=name]") == "forgetful"
    assert page.url == f"{place.address}/sign-in"


def test_a_player_with_little_left_refills(place, page):
    pit = place.house.pit
    place.do(place.house.as_(Role.PLAYER))
    sign_in(page, place, Role.PLAYER, "/account")
    player = place.do(place.house.as_(Role.PLAYER))
    place.do(player.at("high-five-poker-1", "sit", seat=1, cents=99_500))
    page.reload()
    page.click("#refill button")
    page.wait_for_selector("#refill", state="detached")
    assert pit.cage.balances[player.name] == WELCOME_CENTS
    all_money = WELCOME_CENTS + sum(money_at_tables(pit.tables, player.name).values())
    assert f"play money\n{dollars(all_money)}" in page.inner_text("#me dl")


def test_the_ledger_page_waits_for_its_report(place, page):
    sign_in(page, place, Role.AUDITOR, "/floor/ledger")
    page.click("#verify-now button")
    page.wait_for_selector("progress")
    assert page.is_disabled("#verify-now button")
    page.wait_for_selector("#verify .sound, #verify .alarm", timeout=300_000)  # it runs at low priority
    assert "No problems found." in page.inner_text("#verify")
    assert page.is_enabled("#verify-now button")


# -- Slow, lost and ended --------------------------------------------------------------------------


def test_a_form_is_never_sent_before_its_script_runs(place, page):
    held = []
    page.route("**/js/floor/forms.js*", lambda route: held.append(route))
    page.goto(f"{place.address}/sign-in", wait_until="commit")
    page.fill("[name=name]", "the-player")
    page.fill("[name=password]", SECRET)
    page.keyboard.press("Enter")
    page.click("#sign-in button", force=True)
    assert page.is_disabled("#sign-in button")
    assert page.url == f"{place.address}/sign-in"
    for route in held:
        route.continue_()
    page.wait_for_selector("#sign-in button:enabled")
    assert page.input_value("[name=name]") == "the-player"


def at_work(place, page, name):
    """A table with a wager, and a supervisor who is typing."""
    place.do(open_waiting_table(place.house, name=name))
    guest = place.do(place.house.guest())
    place.do(guest.at(name, "sit", seat=1, cents=20_000))
    place.do(guest.at(name, "wager", seat=1, round=1, wagers={"primary": 1000}))
    sign_in(page, place, Role.SUPERVISOR, f"/floor/tables/{name}")
    page.fill("#void [name=reason]", "a card fell")
    return guest


def test_a_refresh_keeps_focus_and_typed_text(place, page):
    guest = at_work(place, page, "followed")
    page.click("#slips summary")
    page.focus("#void [name=reason]")
    place.do(guest.at("followed", "wager", seat=1, round=1, wagers={"primary": 2000}))
    page.wait_for_selector("#now >> text=1 seat has $20 on the felt.")
    assert page.input_value("#void [name=reason]") == "a card fell"
    assert page.evaluate("document.activeElement.name") == "reason"
    assert page.get_attribute("#slips details", "open") is not None
    page.goto(f"{place.address}/floor")
    page.focus("#table-followed a")
    page.fill("#recall [name=round]", "12")
    page.focus("#table-followed a")
    place.do(guest.at("followed", "wager", seat=1, round=1, wagers={"primary": 3000}))
    page.wait_for_selector("#table-followed >> text=$30 on the felt")
    assert page.input_value("#recall [name=round]") == "12"
    assert page.evaluate("document.activeElement.textContent") == "followed"


def test_a_session_that_ends_while_typing_loses_no_text(place, page):
    at_work(place, page, "ended")
    kept = page.context.cookies()
    page.context.clear_cookies()
    page.click("#void button")
    page.wait_for_selector("#void .said a >> text=Sign in (in a new tab)")
    assert page.get_attribute("#void .said a", "target") == "_blank"
    assert page.input_value("#void [name=reason]") == "a card fell"
    page.wait_for_selector(".stale >> text=Your session has ended.")
    page.context.add_cookies(kept)
    page.click("#void button")
    page.wait_for_selector("#void .said >> text=The round is void")
    page.wait_for_selector(".stale", state="detached")


def test_a_double_click_acts_once_on_a_slow_network(place, page):
    at_work(place, page, "clicked")
    asked = []

    def slowly(route):
        asked.append(route)

    def go_on():
        for route in asked:
            route.continue_()

    page.route("**/api/tables/clicked/void", slowly)
    page.dblclick("#void button")
    page.wait_for_selector("#void .said >> text=Sending …")
    page.keyboard.press("Enter")
    go_on()
    page.wait_for_selector("#void .said >> text=The round is void")
    assert len(asked) == 1


def test_a_request_without_an_answer_is_repeated_with_the_same_key(place, page):
    at_work(place, page, "lost")
    keys = []

    def lost(route):
        keys.append(route.request.headers["idempotency-key"])
        route.fetch()  # the request arrives, the answer is lost
        route.abort()

    page.route("**/api/tables/lost/void", lost, times=1)
    page.click("#void button")
    page.wait_for_selector("#void .said >> text=this may or may not have been done")
    assert page.input_value("#void [name=reason]") == "a card fell"
    with page.expect_request("**/api/tables/lost/void") as asked:
        page.click("#void button")
    keys.append(asked.value.headers["idempotency-key"])
    page.wait_for_selector("#void .said >> text=The round is void")
    assert len(set(keys)) == 1
    assert place.house.pit.table("lost").table.meters.voids == 1


def test_a_page_whose_server_is_gone_shows_its_age(place, page):
    at_work(place, page, "gone")
    page.route("**/floor/tables/gone", lambda route: route.abort())
    page.wait_for_selector(".stale >> text=The server does not answer. You see the state of")
    page.unroute("**/floor/tables/gone")
    page.wait_for_selector(".stale", state="detached")


@pytest.mark.parametrize("width", [390, 820])
def test_no_page_of_the_floor_is_wider_than_its_screen(place, page, width):
    sign_in(page, place, Role.ADMINISTRATOR)
    page.set_viewport_size({"width": width, "height": 844})
    for path in (*WHO, "/account"):
        page.goto(f"{place.address}{path}")
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
