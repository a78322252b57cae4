"""The page of a table's irregularities, and its downloads."""

import pytest

from feltlab.pit.roles import Role
from feltlab.pit.seats import Timers
from tests.support.pages import open_house, sign_in
from tests.support.running import open_waiting_table

RUMMY = "triple-shot-rummy"


@pytest.fixture
async def house(tmp_path):
    async with open_house(tmp_path) as house:
        yield house


async def void_a_round(house, table):
    """A round in which the dealer has one card too many."""
    guest, boss = await house.guest(), await house.as_(Role.SUPERVISOR)
    await guest.at(table, "sit", seat=1, cents=20_000)
    await guest.at(table, "wager", seat=1, round=1, wagers={"ante": 1000})
    await guest.at(table, "ready", seat=1, round=1)
    asked = {"round": 1, "kind": "wrong-count", "hand": "dealer", "decision": "void", "found": 4}
    assert (await boss.at(table, "irregularity", **asked)).status_code == 200


@pytest.mark.parametrize("suffix", ["pdf", "txt", "json", "html"])
async def test_an_incident_report_is_downloaded(house, suffix):
    table = f"{RUMMY}-1"
    await void_a_round(house, table)
    auditor = await house.visitor(Role.AUDITOR)
    found = await auditor.get(f"/floor/tables/{table}/rounds/1/incident.{suffix}")
    assert found.status_code == 200
    assert f'filename="incident-{table}-1.{suffix}"' in found.headers["content-disposition"]
    assert found.content.startswith(b"%PDF-") or b"4 cards instead of 3" in found.content


async def test_reports_are_for_staff_and_for_rounds_with_an_incident(house):
    table = f"{RUMMY}-1"
    await void_a_round(house, table)
    player = await house.visitor(Role.PLAYER)
    assert (await player.get(f"/floor/tables/{table}/rounds/1/incident.pdf")).status_code == 403
    boss = await house.visitor(Role.SUPERVISOR)
    assert (await boss.get(f"/floor/tables/{table}/rounds/1/incident.doc")).status_code == 404
    assert "has played no round 9" in (await boss.get(f"/floor/tables/{table}/rounds/9/incident.pdf")).text
    page = await boss.get(f"/floor/tables/{table}/irregularities?round=9")
    assert "has played no round 9" in page.text


async def test_the_page_speaks_to_people_and_lists_an_incident_once(house):
    table = f"{RUMMY}-1"
    await void_a_round(house, table)
    guest, boss = await house.guest(), await house.as_(Role.SUPERVISOR)
    await guest.at(table, "sit", seat=2, cents=20_000)
    await boss.at(table, "drill", fault="wrong-payment")
    await guest.at(table, "wager", seat=2, round=2, wagers={"ante": 1000})
    await boss.at(table, "no-more-bets")
    await guest.at(table, "choose", seat=2, round=2, choice="fold")
    asked = {"round": 2, "seat": 2, "spot": "ante", "paid": -1000, "due": 500, "reason": "Misread."}
    assert (await boss.at(table, "corrections", **asked)).status_code == 200
    auditor = await house.visitor(Role.AUDITOR)
    text = (await auditor.get(f"/floor/tables/{table}/irregularities?round=2")).text
    incidents = text[text.index('id="incidents"') :]
    assert incidents.count("<tr>") == 3  # the heading, the correction of the drill, the void round
    assert "Payment corrected" in incidents
    assert "from -$10 to +$5: +$15 to" in incidents
    assert "The dealer has 4 cards instead of 3. Wagers that are still open are returned" in incidents
    assert ("drill</span>" in incidents, " cents" in incidents, "wrong-count" in incidents) == (
        True,
        False,
        False,
    )
    assert ("Payments of a round" in text, "Correct a payment" in text) == (True, False)
    dealer = await house.visitor(Role.DEALER)
    refused = await dealer.get(f"/floor/tables/{table}/irregularities")
    assert refused.status_code == 403
    assert "A dealer may not see this; possible are supervisor, auditor, administrator" in refused.text


def test_narrow_screens_cut_no_column(place, page):
    place.do(void_a_round(place.house, f"{RUMMY}-1"))
    sign_in(page, place, Role.SUPERVISOR, f"/floor/tables/{RUMMY}-1/irregularities")
    for width in (390, 768):
        page.set_viewport_size({"width": width, "height": 900})
        for address in ("irregularities", "shufflers"):
            page.goto(f"{place.address}/floor/tables/{RUMMY}-1/{address}")
            page.wait_for_selector(".restack")
            for box in page.locator(".scroll:has(> .restack)").all():
                assert box.evaluate("box => box.scrollWidth - box.clientWidth") <= 1, (width, address)


def test_a_supervisor_records_a_drill_and_corrects_a_payment(place, page):
    place.do(open_waiting_table(place.house, RUMMY, "irregular", Timers()))
    guest = place.do(place.house.guest())
    place.do(guest.at("irregular", "sit", seat=2, cents=20_000))
    address = "/floor/tables/irregular/irregularities"
    sign_in(page, place, Role.SUPERVISOR, address)
    page.select_option("#drill select", "wrong-count")
    page.click("#drill button")
    page.wait_for_selector("text=Assume that a hand on the table has one card too many.")
    place.do(guest.at("irregular", "wager", seat=2, round=1, wagers={"ante": 1000}))
    place.do(guest.at("irregular", "ready", seat=2, round=1))
    page.wait_for_selector("#record button:enabled")
    page.select_option("#record [name=hand]", "dealer")
    page.fill("#record [name=found]", "4")
    page.click("#record button")
    page.wait_for_selector("#incidents >> text=Drill: The dealer has 4 cards instead of 3.")
    assert place.house.pit.table("irregular").table.place(1).bankroll == 20_000
    place.do(guest.at("irregular", "wager", seat=2, round=2, wagers={"ante": 1000}))
    place.do(guest.at("irregular", "ready", seat=2, round=2))
    place.do(guest.at("irregular", "choose", seat=2, round=2, choice="fold"))
    page.goto(f"{place.address}{address}?round=2")
    page.fill("#correct-2-ante [name=due]", "5.50")
    page.fill("#correct-2-ante [name=reason]", "The player had not folded.")
    page.click("#correct-2-ante button")
    page.wait_for_selector("#correct-2-ante .said[data-kind=done]:not(:empty)")
    assert place.house.pit.table("irregular").table.place(1).bankroll == 20_000 + 550
    page.click("#record button", force=True)  # nothing is on the table: the button is disabled
    with page.expect_download() as download:
        page.locator("#incidents a:text('PDF')").first.click()
    assert download.value.suggested_filename == "incident-irregular-2.pdf"
