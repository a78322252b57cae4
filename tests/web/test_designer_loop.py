"""The designer's loop: designs side by side in the address, played at once, and drafted as an approval."""

import asyncio
import re
from contextlib import asynccontextmanager
from html import unescape

import httpx
import pytest

from feltlab.analysis.design.pays import design
from feltlab.games import GAMES
from feltlab.pit.approvals import approve_all
from feltlab.pit.pit import Pit, today
from feltlab.pit.roles import Role
from feltlab.text import percent
from feltlab.web.app import app
from feltlab.web.pages.lab.waiting import work_of
from tests.support.running import HERE, House

DESIGNER = "/lab/casino-war/design/tie"


@asynccontextmanager
async def visiting(folder, role=None):
    """A visitor of a house without tables."""
    pit = Pit(folder)
    await pit.start()
    await pit.decide(lambda book: approve_all(book, pit.house, GAMES.values(), today()))
    house = House(pit)
    house.app = made = app(pit)
    try:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(made), base_url=HERE) as visitor:
            visitor.headers["accept"] = "text/html"
            if role:
                visitor.cookies.set("feltlab-session", (await house.as_(role)).session)
            yield visitor
    finally:
        await work_of(made).close()
        await pit.stop()


async def ready(visitor, path):
    async with asyncio.timeout(600):
        while (found := await visitor.get(path)).status_code == 202 or "data-working" in found.text:
            await asyncio.sleep(0.2)
    assert found.status_code == 200, found.text
    return unescape(found.text)


def link(page, words):
    """The address of a link by its words."""
    (address,) = set(re.findall(rf'href="([^"]+)"[^>]*>{words}</a>', page))
    return address


async def test_designs_stay_in_the_address_side_by_side(tmp_path):
    async with visiting(tmp_path) as visitor:
        page = await ready(visitor, f"{DESIGNER}?option-decks=1&pay-tie=11")
        kept = link(page, "Keep beside others")
        assert kept == f"{DESIGNER}?option-decks=1&pay-tie=11&v1-tie=11"
        page = await ready(visitor, f"{DESIGNER}?option-decks=1&pay-tie=12&v1-tie=11&v2-tie=9")
        data = (await visitor.get(f"{DESIGNER}.json?option-decks=1&pay-tie=12&v1-tie=11&v2-tie=9")).json()
    game = GAMES["casino-war"].with_options({"decks": "1"})
    costs = [percent(design(game, "tie", {"tie": pay}).cost) for pay in (11, 9, 12)]
    assert re.findall(r'data-figure="variant \d cost">([^<]+)<', page) == costs
    assert '<input type="hidden" name="v2-tie" value="9">' in page
    first = data["variants"]["rows"][0]
    assert first["use"] == "?option-decks=1&pay-tie=11&v1-tie=11&v2-tie=9"
    assert first["remove"] == "?option-decks=1&pay-tie=12&v1-tie=9"
    assert first["design"]["other_play"] is False


async def test_a_design_is_played_with_its_pays_and_options(tmp_path):
    async with visiting(tmp_path) as visitor:
        page = await ready(visitor, f"{DESIGNER}?option-decks=1&pay-tie=21/2")
        address = link(page, "Play this table")
        assert address == "/play/casino-war?option-decks=1&pay-tie/tie=21/2"
        path, _, query = address.partition("?")
        asks = (await visitor.get(f"{path}.json?{query}")).json()["asks"]
    assert asks == {"game": "casino-war", "options": {"decks": "1"}, "pays": {"tie": {"tie": "21/2"}}}


async def test_a_raise_of_the_bet_is_played_on_its_own_spot(tmp_path):
    async with visiting(tmp_path) as visitor:
        name = "pay-play: fewer points with 0"
        found = await ready(visitor, f"/lab/triple-shot-rummy/design/ante?{name}=5")
    assert link(found, "Play this table").endswith("?pay-play/fewer+points+with+0=5")


WHO = {Role.ADMINISTRATOR: "Apply for this approval", Role.MAKER: "Submit this design"}


@pytest.mark.parametrize("role", WHO)
async def test_a_maker_submits_a_design_and_a_house_applies_for_it(tmp_path, role):
    async with visiting(tmp_path, role) as visitor:
        page = await ready(visitor, f"{DESIGNER}?option-decks=1&pay-tie=11")
        address = link(page, WHO[role])
        form = unescape((await visitor.get(address)).text)
        refused = await visitor.get("/approvals?game=casino-war&pay-tie/tie=lots")
    assert re.search(r'<textarea name="pays"[^>]*>tie tie 11</textarea>', form)
    if role is Role.ADMINISTRATOR:
        assert re.search(r'name="options.decks".*?<option selected>1</option>', form, re.DOTALL)
    assert refused.status_code == 422


async def test_others_read_who_drafts_and_bad_designs_are_one_sentence(tmp_path):
    async with visiting(tmp_path) as visitor:
        page = await ready(visitor, DESIGNER)
        assert "A maker can submit this design to the state" in page
        assert "Submit this design" not in page
        for query in ("v1-tie=lots", "v1-nothing=3", "v5-tie=3"):
            found = await visitor.get(f"{DESIGNER}?{query}")
            assert found.status_code in (404, 409), query
            assert "<p" in found.text
