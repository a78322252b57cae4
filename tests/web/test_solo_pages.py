"""A table of one's own in a real browser: one click, an invitation, strangers, and the pages around it."""

import pytest

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
            assert "This table is private" in found.text
    lobby = (await hers.get("/")).text
    assert "your own table" in lobby
    assert "practice" in lobby
    assert name not in (await eves.get("/")).text
    for role in (Role.SUPERVISOR, Role.AUDITOR):
        staff = await house.visitor(role)
        floor = (await staff.get("/floor")).text
        assert name in floor
        assert "practice" in floor
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
