"""The pages of finished rounds; a round in progress shows no card."""

import hashlib
import re
from dataclasses import replace

import pytest

from feltlab.games import GAMES
from feltlab.pit.roles import Role
from feltlab.server.rate_limits import RateLimit
from feltlab.web.card_faces import card_face
from tests.support.pages import CARD, open_house, play
from tests.support.running import WAR, open_waiting_table


@pytest.fixture
async def house(tmp_path):
    async with open_house(tmp_path) as house:
        yield house


@pytest.mark.parametrize("game", GAMES)
async def test_every_game_has_pages_of_its_rounds_with_every_card_and_payment(house, game):
    table, nobody = await play(house, game), await house.visitor()
    page = await nobody.get(f"/tables/{table}/rounds/1")
    told = (await nobody.get(f"/tables/{table}/rounds/1.json")).json()
    by_api = (await (await house.guest()).get(f"tables/{table}/rounds/1")).json()
    assert page.status_code == 200
    assert told["same"] is True
    fell = [text.partition(":")[2] for text in by_api["dealt"].split()]
    shown = [card["card"] for hand in told["hands"] for card in hand["cards"]]
    assert sorted(shown) == sorted(card for card in fell if card != "##")
    assert sum(step["about"] == "payments" for step in told["steps"]) == len(by_api["payments"])
    for step in told["steps"]:
        assert f'id="step-{told["steps"].index(step) + 1}"' in page.text
    assert all(card_face(card)["said"] in page.text for card in shown)


async def test_the_page_contains_the_data_of_the_commitment_check(house):
    table, nobody = await play(house, "triple-shot-rummy"), await house.visitor()
    shuffle = (await nobody.get(f"/tables/{table}/rounds/1.json")).json()["shuffle"]
    text = f"{shuffle['salt']}:{shuffle['order']}"
    assert hashlib.sha256(text.encode()).hexdigest() == shuffle["commitment"]
    order = shuffle["order"].split()
    for place, card in enumerate(shuffle["fell"], shuffle["start"]):
        assert card in ("##", order[place])


async def test_a_visitor_without_a_session_reads_few_rounds(house):
    """Each is read from the ledger and dealt again, for nobody in particular."""
    table, nobody, guest = await play(house, WAR), await house.visitor(), await house.guest()
    auth = house.app.state.auth
    auth.allowance = replace(auth.allowance, rounds=RateLimit(1e-3, 2, what="rounds"))
    address = f"/tables/{table}/rounds/1"
    asked = [address, f"{address}.json", f"/api{address}/receipt", address]
    assert [(await nobody.get(one)).status_code for one in asked] == [200, 200, 429, 429]
    assert (await guest.get(f"tables/{table}/rounds/1")).status_code == 200


async def test_all_seats_of_a_round_are_on_its_page(house):
    table, guests = "triple-shot-rummy-1", [await house.guest() for _ in range(2)]
    for seat, guest in enumerate(guests, 1):
        await guest.at(table, "sit", seat=seat, cents=20_000)
        await guest.at(table, "wager", seat=seat, round=1, wagers={"ante": 1000})
    for seat, guest in enumerate(guests, 1):
        await guest.at(table, "ready", seat=seat, round=1)
    for seat, guest in enumerate(guests, 1):
        await guest.at(table, "choose", seat=seat, round=1, choice="fold")
    told = (await (await house.visitor()).get(f"/tables/{table}/rounds/1.json")).json()
    assert [hand["to"] for hand in told["hands"]] == ["dealer", "1", "2"]
    assert [len(hand["cards"]) for hand in told["hands"]] == [3, 3, 3]
    assert [hand["net"]["cents"] for hand in told["hands"][1:]] == [-1000, -1000]


async def test_the_order_of_a_shoe_in_use_is_secret(house):
    table, nobody = await play(house, WAR, 2), await house.visitor()
    page = await nobody.get(f"/tables/{table}/rounds/2")
    assert re.search(r"\d+ of its 312 cards were used", page.text)
    assert "leaves 78 cards or fewer, or when the table closes" in page.text  # clause 1.5 of the rules
    assert 'data-order=""' in page.text
    shown = (await nobody.get(f"/tables/{table}/rounds/2.json")).json()
    assert (shown["shuffle"]["order"], shown["shuffle"]["salt"]) == (None, None)


async def test_a_round_in_progress_shows_no_card(house):
    await open_waiting_table(house)
    guest, dealer = await house.guest(), await house.as_(Role.DEALER)
    await guest.at("waiting", "sit", seat=1, cents=20_000)
    await guest.at("waiting", "wager", seat=1, round=1, wagers={"primary": 1000})
    visitor = await house.visitor()
    phases = []
    for _ in range(6):
        page = await visitor.get("/tables/waiting/rounds/1")
        told = (await visitor.get("/tables/waiting/rounds/1.json")).json()
        if told["over"]:
            break
        phases.append(told["phase"])
        assert "This round is still in progress" in page.text
        assert not CARD.search(str(told))
        assert 'class="face' not in page.text
        await dealer.at("waiting", "no-more-bets" if told["phase"] == "betting" else "advance")
    assert phases[:3] == ["betting", "no more bets", "dealing"]


async def test_a_void_round_shows_the_reason_and_the_returned_wagers(house):
    await open_waiting_table(house)
    guest, supervisor = await house.guest(), await house.as_(Role.SUPERVISOR)
    await guest.at("waiting", "sit", seat=1, cents=20_000)
    await guest.at("waiting", "wager", seat=1, round=1, wagers={"primary": 1000})
    await supervisor.at("waiting", "void", reason="a <card> was exposed")
    page = await (await house.visitor()).get("/tables/waiting/rounds/1")
    assert "void: a &lt;card&gt; was exposed" in page.text
    assert "takes back $10" in page.text


@pytest.mark.parametrize(
    "path", ["nowhere/rounds/1", f"{WAR}-1/rounds/2", f"{WAR}-1/rounds/{10**30}", f"{WAR}-1/rounds/0"]
)
async def test_wrong_addresses_are_friendly(house, path):
    page = await (await house.visitor()).get(f"/tables/{path}")
    assert page.status_code == 404
    assert "Go to the tables" in page.text
    as_json = await (await house.visitor()).get(f"/tables/{path}.json")
    assert (as_json.status_code, list(as_json.json())) == (404, ["error"])


def test_card_names_are_those_that_people_say():
    names = [card_face(card)["said"] for card in ("Ah", "Tc", "Jk", "##")]
    assert names == ["ace of hearts", "ten of clubs", "joker", "a card face down"]


# -- In a browser -----------------------------------------------------------------------------------


def test_a_browser_walks_the_steps_and_checks_the_commitment(page, place, open_table):
    table = place.do(play(place.house, "triple-shot-rummy", table=open_table("triple-shot-rummy").table.name))
    page.goto(f"/tables/{table}/rounds/1")
    page.wait_for_selector("[data-verdict=good]")
    assert "Your browser has computed the same digest" in page.inner_text("#verdict")
    _walk(page)
    _tampered(page, table)


def _walk(page):
    steps = page.locator("ol.steps > li").count()
    assert page.inner_text("#where") == f"Step {steps} of {steps}"
    page.keyboard.press("Home")
    assert page.locator(".stage .face:not(.later)").count() == 0
    seen = 0
    for number in range(1, steps + 1):
        if number % 2:
            page.keyboard.press("ArrowRight")
        else:
            page.click("[data-go=on]")
        assert page.inner_text("#where") == f"Step {number} of {steps}"
        assert page.get_attribute("[aria-current=step]", "id") == f"step-{number}"
        assert page.text_content("#now").split() == page.text_content(f"#step-{number}").split()
        shown = page.locator(".stage .face:not(.later)").count()
        assert shown >= seen
        seen = shown
    assert seen == page.locator(".stage .face").count() > 0
    page.click("[data-go=back]")
    assert page.url.endswith(f"#step-{steps - 1}")


def test_on_a_plain_connection_the_page_computes_digests_itself(page, place, open_table):
    own = open_table("triple-shot-rummy").table.name  # other tests sit at the tables of the house
    table = place.do(play(place.house, "triple-shot-rummy", table=own))
    page.add_init_script("Object.defineProperty(crypto, 'subtle', { value: undefined })")
    page.goto(f"/tables/{table}/rounds/1")
    page.wait_for_selector("[data-verdict=good]")
    made = page.evaluate(
        """async () => {
            const { sha256 } = await import("/static/any/js/shared/sha256.js");
            return Array.from({ length: 150 }, (_, n) => sha256("é".repeat(n) + "x".repeat(n % 3)));
        }"""
    )
    texts = ("é" * n + "x" * (n % 3) for n in range(150))  # every way to fill a block
    assert made == [hashlib.sha256(text.encode()).hexdigest() for text in texts]


def _tampered(page, table):
    """The page reports an order in which two cards were swapped on the way."""

    def swap(route):
        body = route.fetch().text()
        order = body.partition('data-order="')[2].partition('"')[0]
        first, second, rest = order.split(" ", 2)
        route.fulfill(body=body.replace(order, f"{second} {first} {rest}"), content_type="text/html")

    page.route("**/rounds/1", swap)
    page.goto(f"/tables/{table}/rounds/1")
    page.wait_for_selector("[data-verdict=bad]")
    assert "The published order does not match" in page.inner_text("#verdict")


def test_without_javascript_the_steps_are_a_list(new_page, place, open_table):
    table = place.do(play(place.house, "high-five-poker", table=open_table("high-five-poker").table.name))
    page = new_page(java_script_enabled=False)
    page.goto(f"/tables/{table}/rounds/1")
    assert page.locator("ol.steps > li:visible").count() > 5
    assert page.locator(".stage .face:visible").count() == 14
    assert not page.is_visible(".walk")
