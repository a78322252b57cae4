"""Shufflers over the API: what staff see, what is refused, and the log."""

import re

from feltlab.pit.roles import Role
from tests.support.felt import CARD
from tests.support.running import refused

TABLE = "rabbit-hunter-1"


async def _fails(boss, guest, fault="short deck"):
    round = (await guest.get(f"tables/{TABLE}")).json()["round"]
    assert (await boss.at(TABLE, "drill", fault=fault)).status_code == 200
    await guest.at(TABLE, "wager", seat=1, round=round, wagers={"ante": 500})
    return (await boss.at(TABLE, "no-more-bets")).json()


async def test_staff_see_the_message_line_and_players_see_what_the_table_waits_for(house):
    boss, guest = await house.as_(Role.SUPERVISOR), await house.guest()
    await guest.at(TABLE, "sit", seat=1, cents=20_000)
    failed = await _fails(boss, guest)
    assert failed["machine"]["message"] == "DECK SHORT: 51 OF 52 CARDS"
    for role in (Role.DEALER, Role.AUDITOR, Role.ADMINISTRATOR):
        seen = (await (await house.as_(role)).get(f"tables/{TABLE}")).json()
        assert seen["machine"] == failed["machine"]
    shown = (await guest.get(f"tables/{TABLE}")).json()
    assert "machine" not in shown
    assert shown["waits"] == failed["waits"] == failed["machine"]["waits"]


async def test_no_line_names_a_card_before_the_bets_are_closed(house):
    boss, guest = await house.as_(Role.SUPERVISOR), await house.guest()
    await guest.at(TABLE, "sit", seat=1, cents=20_000)
    for fault in ("duplicate card", "foreign card"):
        drilled = (await boss.at(TABLE, "drill", fault=fault)).json()
        assert not CARD.findall(str(drilled["machine"]))
        failed = await _fails(boss, guest, fault)
        assert re.fullmatch(r"(DUPLICATE|FOREIGN CARD): \w\w", failed["machine"]["message"])
        await boss.at(TABLE, "consult-guide", fault=fault)


async def test_a_replacement_by_the_dealer_and_the_log_of_it(house):
    boss, dan, guest = await house.as_(Role.SUPERVISOR), await house.as_(Role.DEALER), await house.guest()
    await guest.at(TABLE, "sit", seat=1, cents=20_000)
    refused(await dan.at(TABLE, "replacement-step", step=1), 409, "No shuffler is being replaced")
    for fault in ("short deck", "long deck"):
        await _fails(boss, guest, fault)
        assert (await dan.at(TABLE, "consult-guide")).status_code == 200
    await _fails(boss, guest, "jam")
    before = house.state()
    refused(await dan.at(TABLE, "replacement-step", step=2), 409, "Step 2 is not next")
    refused(await dan.at(TABLE, "consult-guide"), 409, "The guide no longer helps.")
    refused(await boss.at(TABLE, "test-shuffler", shuffler="main"), 409, "in service")
    refused(await boss.at(TABLE, "select-mode", mode="Six Card Poker"), 409, "next is step 1")
    refused(await boss.at(TABLE, "deal-by-hand"), 409, "only after both")
    assert house.state() == before
    for step in range(1, 8):
        done = (await dan.at(TABLE, "replacement-step", key=f"step-{step}", step=step)).json()
        again = (await dan.at(TABLE, "replacement-step", key=f"step-{step}", step=step)).json()
        assert (again["repeated"], again["machine"]) == (True, done["machine"])
    assert (done["shuffler"], done["waits"]) == ("backup", "")
    log = (await dan.get(f"tables/{TABLE}/shufflers")).json()
    assert [machine["faults"] for machine in log["machines"]] == [3, 0]
    assert [act["kind"] for act in log["acts"][:7]] == ["replacement-step"] * 7
    assert log["machines"][0]["state"] == "out of service until tested"
    refused(await guest.get(f"tables/{TABLE}/shufflers"), 403)
    refused(await dan.get(f"tables/{TABLE}/shufflers", shuffler="third"), 409, "not a shuffler")


async def test_a_table_is_opened_with_machines_that_fit(house):
    boss = await house.as_(Role.SUPERVISOR)
    terms = {"name": "hunter-2", "game": "rabbit-hunter"}
    for shufflers, word in (
        ({"main": {"mode": "Pai Gow Poker"}}, "WRONG MODE"),
        ({"backup": {"model": "shoe shuffler"}}, "does not fit"),
        ({"main": {"model": "Dealer 9"}}, "not a model"),
    ):
        response = await boss.post("tables", **terms, shufflers=shufflers)
        assert response.status_code in (404, 409)
        assert word in response.json()["error"]
    machine = {"model": "i-Deal", "serial": "4711", "mode": "Six Card Poker"}
    patience = {"in_row": 1, "faults": 1, "cycles": 10}
    opened = await boss.post("tables", **terms, shufflers={"main": machine, "patience": patience})
    (main, _) = opened.json()["machine"]["machines"]
    assert {key: main[key] for key in machine} == machine


async def test_models_and_guides_are_for_everybody(house):
    guest = await house.guest()
    models = (await guest.get("shufflers")).json()
    assert {model["model"] for model in models} >= {"ACE", "i-Deal", "i-Deal Plus"}
    assert len((await guest.get("shufflers/guide")).json()) == 5
    assert (await guest.get("shufflers/guide/short-deck")).json()["fault"] == "short deck"
    refused(await guest.get("shufflers/guide/fire"), 404, "not a fault")
