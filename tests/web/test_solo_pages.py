"""A table of one's own in a real browser: one click, an invitation, strangers, and the pages around it."""

import re

import pytest

from feltlab.pit.pit import PUBLIC_TIMERS
from feltlab.pit.players.names import call_player
from feltlab.pit.players.presence import AWAY
from feltlab.pit.roles import Role
from tests.support.pages import open_house, play_round

WAR = "casino-war"


@pytest.fixture
async def house(tmp_path):
    async with open_house(tmp_path) as house:
        yield house


async def open_solo(house, game=WAR, **terms):
    guest = await house.guest()
    return guest, (await guest.post("solo", game=game, **terms)).json()


async def visit(house, guest):
    """A browser with the session of a guest."""
    client = await house.visitor()
    client.cookies.set("feltlab-session", guest.session)
    return client


async def test_pages_of_a_private_table_are_for_its_players_and_the_floor(house):
    ann, view = await open_solo(house, pays={"tie": {"tie": "12"}})
    name = view["table"]
    await play_round(ann, name, next(seat["seat"] for seat in view["seats"] if seat["player"]))
    hers, eves = await visit(house, ann), await house.visitor()
    for path in (f"/tables/{name}", f"/tables/{name}/rounds/1", f"/tables/{name}/rounds/2"):
        assert (await hers.get(path)).status_code == 200, path
        for page in (path, f"{path}.json"):
            found = await eves.get(page)
            assert found.status_code == 403, page
            assert (
                "private table: only its players" if "rounds" in page else "This table is private"
            ) in found.text
        said = (await eves.get(path)).text
        assert ("another player&#39;s private round" if "rounds" in path else "This table is private") in said
    lobby = (await hers.get("/")).text
    assert "your own table" in lobby
    assert "practice" in lobby
    assert name not in (await eves.get("/")).text
    for role in (Role.SUPERVISOR, Role.AUDITOR):
        staff = await house.visitor(role)
        floor = (await staff.get("/floor")).text
        assert name in floor
        assert "practice" in floor
        assert all(line["table"] != name for line in (await staff.get("/floor.json")).json()["events"] or ())
        assert "practice table without an approval" in (await staff.get(f"/floor/tables/{name}")).text
    assert name not in (await (await house.visitor(Role.DEALER)).get("/floor/deal")).text


async def test_the_page_that_deals_in_reads_options_and_pays_and_changes_nothing(house):
    visitor, before = await house.visitor(), house.pit.ledger.last_sequence()
    page = "/play/casino-war.json?option-decks=8&pay-tie/tie=12&coach=hint"
    found = (await visitor.get(page)).json()
    assert found["asks"] == {"game": WAR, "options": {"decks": "8"}, "pays": {"tie": {"tie": "12"}}}
    assert "<noscript>" in (await visitor.get(f"/play/{WAR}")).text
    for wrong, status in (("option-decks=99", 409), ("pay-tie=3", 409), ("pay-tie/tie=x", 422), ("x=1", 409)):
        assert (await visitor.get(f"/play/{WAR}?{wrong}")).status_code == status, wrong
    assert (await visitor.get("/play/nothing")).status_code == 404
    assert house.pit.ledger.last_sequence() == before


# -- In a browser -----------------------------------------------------------------------------------


def test_one_click_from_the_lobby_to_a_hand_and_another_person_by_a_link(new_page, place):
    pit, ann, bob, eve = place.house.pit, new_page(), new_page(), new_page()
    ann.goto("/")
    ann.get_by_role("link", name="Play Casino War", exact=True).click()
    ann.wait_for_selector("body[data-ready] #own:not([hidden])")
    name = ann.url.rpartition("/")[2]
    live = pit.table(name)
    assert live.table.is_solo
    ann.locator("[data-spot=primary]").click()
    ann.locator("[data-bet=Deal]").click()
    ann.wait_for_selector("#own-hand svg")
    assert eve.goto(f"/tables/{name}").status == 403
    owner = live.table.owner
    place.do(live.act(lambda table: table.share(owner, "salt", PUBLIC_TIMERS)))
    bob.goto(f"/tables/{name}?invite={pit.invitations.code(live.table)}")
    bob.wait_for_selector("body[data-ready]")
    bob.locator("#seats .take").first.click()
    bob.wait_for_selector("#own:not([hidden])")
    guest = next(seat for seat, one in enumerate(live.table.places) if one and one.player != owner)
    named = ann.locator("#seats .seat").nth(guest)
    named.filter(
        has_text=re.compile(call_player(live.table.places[guest].player).replace(" ", "[ -]"), re.I)
    ).wait_for()
    bob.goto("/")
    assert f"the table of {call_player(owner)}" in bob.locator("#own-seats").inner_text()
    assert eve.goto(f"/tables/{name}").status == 403
    ann.goto("/")
    ann.locator("#own-seats a").first.click()
    ann.wait_for_url(f"**/tables/{name}")


def test_the_menu_fits_a_phone_the_coach_has_its_name_and_an_invitation_says_that_it_is_copied(new_page):
    page = new_page(permissions=["clipboard-read", "clipboard-write"])
    page.goto(f"/play/{WAR}")
    page.wait_for_selector("body[data-ready] #own:not([hidden])")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.locator("#coach-mode option:checked").inner_text() == "Coach: off"
    page.locator("#invite").click()
    page.locator("#message", has_text="Link copied.").wait_for()
    assert "?invite=" in page.evaluate("navigator.clipboard.readText()")
    page.locator(".menu summary").click()
    links = page.locator(".menu nav a")
    assert links.all_inner_texts() == ["Tables", "Train", "School", "My hands", "Lab", "Findings", "Sign in"]
    for box in (link.bounding_box() for link in links.all()):
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= page.viewport_size["width"]


def test_a_seat_given_up_is_told_in_the_lobby_until_it_is_read(new_page, place, open_table):
    live, pit, page = open_table(WAR), place.house.pit, new_page()
    page.goto(f"/tables/{live.table.name}")
    page.wait_for_selector("body[data-ready]")
    page.locator("#seats .take").first.click()
    page.wait_for_selector("#own:not([hidden])")
    page.goto("/")
    player = live.table.places[0].player
    place.do(live.act(lambda table: table.leave(player, 0, AWAY)))
    page.reload()
    notice = page.locator(".departure")
    assert "was given up: nobody was at the seat for a minute. $200 went back" in notice.inner_text()
    notice.get_by_role("button").click()
    page.reload()
    page.wait_for_function("document.querySelector('.departure').hidden")
    assert [one.cents for one in pit.books.departures.of(player)] == [20_000]
