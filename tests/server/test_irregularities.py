"""Irregularities, corrections and incidents by HTTP."""

import asyncio

import pytest

from feltlab.pit.roles import Role
from tests.support.running import refused

TABLE = "triple-shot-rummy-1"


@pytest.fixture
async def ann(house):
    """A guest at seat 2 whose cards are dealt."""
    ann = await house.guest()
    assert (await ann.at(TABLE, "sit", seat=2, cents=20_000)).status_code == 200
    await deal(ann, 1)
    return ann


async def deal(client, round):
    await client.at(TABLE, "wager", seat=2, round=round, wagers={"ante": 1000, "pair-plus": 500})
    assert (await client.at(TABLE, "ready", seat=2, round=round)).json()["phase"] == "choosing"


WRONG_COUNT = {"round": 1, "kind": "wrong-count", "hand": "seat 2", "decision": "void", "found": 4}


async def test_a_wrong_number_of_cards_is_recorded_and_everything_goes_back(house, ann):
    boss = await house.as_(Role.SUPERVISOR)
    found = (await boss.at(TABLE, "irregularity", **WRONG_COUNT)).json()
    assert (found["void"], found["round"]) == ("Seat 2 has 4 cards instead of 3.", 2)
    assert found["seats"][1]["bankroll"] == 20_000
    round = (await ann.get(f"tables/{TABLE}/rounds/1")).json()
    (noted,) = round["irregularities"]
    assert (noted["by"], noted["player"], noted["found"], noted["due"]) == ("the-supervisor", ann.name, 4, 3)


async def test_a_round_that_is_over_a_second_record_and_bad_words_are_refused(house, ann):
    boss = await house.as_(Role.SUPERVISOR)
    before = house.state()
    for change, status, words in [
        ({"round": 2}, 409, "Round 2 has not begun; round 1 is in play."),
        ({"kind": "rain"}, 404, "'rain' is not a kind of irregularity"),
        ({"decision": "laugh"}, 404, "'laugh' is not a decision"),
        ({"hand": "seat 1"}, 409, "its hands are seat 2 and dealer."),
        ({"found": 3}, 409, "Seat 2 has 3 cards, as the rules give it."),
        ({"found": None}, 409, "Say how many cards were found"),
        ({"found": "four"}, 422, "found"),
        ({"moon": 1}, 422, "moon"),
    ]:
        refused(await boss.at(TABLE, "irregularity", **{**WRONG_COUNT, **change}), status, words)
    assert house.state() == before
    assert (await boss.at(TABLE, "irregularity", **WRONG_COUNT)).status_code == 200
    refused(await boss.at(TABLE, "irregularity", **WRONG_COUNT), 409, "Round 1 is over; round 2 is in play.")


async def test_a_record_sent_twice_with_its_key_is_made_once(house, ann):
    boss = await house.as_(Role.SUPERVISOR)
    await boss.at(TABLE, "irregularity", key="one", **WRONG_COUNT)
    again = await boss.at(TABLE, "irregularity", key="one", **WRONG_COUNT)
    assert again.json()["repeated"]
    assert len(list(house.pit.ledger.events(TABLE, kinds=("irregularity",)))) == 1


async def test_the_kinds_come_with_their_decisions_and_clauses(house):
    boss = await house.as_(Role.SUPERVISOR)
    kinds = {kind["kind"]: kind for kind in (await boss.get(f"tables/{TABLE}/irregularities")).json()}
    assert kinds["wrong-count"]["clause"] == "11.1"
    assert kinds["exposed-card"]["decisions"].keys() == {"void", "play-on"}


async def paid(house, ann):
    """A finished round, and the body of a request that corrects its Ante by $7."""
    await ann.at(TABLE, "choose", seat=2, round=1, choice="fold")
    payments = (await ann.get(f"tables/{TABLE}/rounds/1")).json()["payments"]
    (net,) = [paid["net"] for paid in payments if paid["spot"] == "ante"]
    return {"round": 1, "seat": 2, "spot": "ante", "paid": net, "due": net + 700, "reason": "Misread."}


async def test_a_payment_is_corrected_once_with_both_sides(house, ann):
    boss, body = await house.as_(Role.SUPERVISOR), await paid(house, ann)
    before = house.pit.table(TABLE).table
    found = await boss.at(TABLE, "corrections", **body)
    assert found.json()["seats"][1]["bankroll"] == before.place(1).bankroll + 700
    assert house.pit.table(TABLE).table.meters.win == before.meters.win - 700
    refused(await boss.at(TABLE, "corrections", **body), 409, "as the-supervisor corrected it.")
    (made,) = (await boss.get(f"tables/{TABLE}/rounds/1")).json()["corrections"]
    assert (made["cents"], made["house"], made["at"]) == (700, -700, "seat 2")


async def test_of_corrections_at_the_same_moment_one_is_made(house, ann):
    boss, body = await house.as_(Role.SUPERVISOR), await paid(house, ann)
    found = await asyncio.gather(*(boss.at(TABLE, "corrections", **body) for _ in range(5)))
    assert sorted(answer.status_code for answer in found) == [200, 409, 409, 409, 409]


async def test_a_correction_at_the_cage_is_refused_beyond_the_balance(house, ann):
    boss, body = await house.as_(Role.SUPERVISOR), await paid(house, ann)
    await ann.at(TABLE, "leave", seat=2)
    assert (await boss.at(TABLE, "corrections", **body)).status_code == 200
    balance = house.pit.cage.balance(ann.name)
    await ann.at("casino-war-1", "sit", seat=1, cents=balance - 600)
    before = house.state()
    back = body | {"paid": body["due"], "due": body["paid"]}
    refused(await boss.at(TABLE, "corrections", **back), 409, "is more than the $6 of")
    assert house.state() == before


async def test_corrections_of_other_rounds_seats_and_wagers_are_refused(house, ann):
    boss, body = await house.as_(Role.SUPERVISOR), await paid(house, ann)
    before = house.state()
    for change, status, words in [
        ({"round": 2}, 409, "is not over"),
        ({"round": 99}, 404, "has played no round 99"),
        ({"seat": 1}, 409, "paid nothing on 'ante' at seat 1"),
        ({"spot": "moon"}, 409, "paid nothing on 'moon'"),
        ({"paid": body["paid"] + 1}, 409, "was not"),
        ({"due": body["paid"]}, 409, "nothing is wrong"),
        ({"due": -100_000}, 409, "$10 on ante comes to a net between -$10 and +$10"),
        ({"reason": " "}, 409, "needs a reason"),
        ({"due": 2.5}, 422, "due"),
    ]:
        refused(await boss.at(TABLE, "corrections", **body | change), status, words)
    assert house.state() == before


async def test_a_drill_of_a_wrong_count_is_marked_from_beginning_to_end(house, ann):
    boss = await house.as_(Role.SUPERVISOR)
    await ann.at(TABLE, "choose", seat=2, round=1, choice="fold")
    assert (await boss.at(TABLE, "drill", fault="wrong-count")).status_code == 200
    await deal(ann, 2)
    held = (await ann.at(TABLE, "choose", seat=2, round=2, choice="fold")).json()
    assert held["phase"] == "reveal"
    asked = {"round": 2, "kind": "wrong-count", "hand": "dealer", "decision": "void", "found": 4}
    found = (await boss.at(TABLE, "irregularity", **asked)).json()
    assert (found["round"], found["void"]) == (3, "Drill: The dealer has 4 cards instead of 3.")
    incident = (await boss.get(f"tables/{TABLE}/rounds/2/incident")).json()
    assert incident["drill"]
    named = [event["kind"] for event in incident["events"]]
    assert named == ["rehearsal", "paid", "irregularity", "void"]  # the folded Ante was taken at the fold
    assert [(seat["settled"], seat["refunded"]) for seat in incident["money"]] == [(-1000, 500)]


async def test_a_drill_of_a_wrong_payment_holds_the_round_that_is_dealt_next(house, ann):
    boss = await house.as_(Role.SUPERVISOR)
    await ann.at(TABLE, "choose", seat=2, round=1, choice="fold")
    assert (await boss.at(TABLE, "drill", fault="wrong-payment")).status_code == 200
    await deal(ann, 2)
    held = (await ann.at(TABLE, "choose", seat=2, round=2, choice="fold")).json()
    assert (held["phase"], held["round"], "drill" in held["held"]) == ("settling", 2, True)
    asked = {"round": 2, "seat": 2, "spot": "ante", "paid": -1000, "due": 500, "reason": "Misread."}
    refused(await boss.at(TABLE, "corrections", **asked | {"round": 1}), 409, "under way in round 2")
    found = (await boss.at(TABLE, "corrections", **asked)).json()
    assert (found["phase"], found["round"], found["held"]) == ("betting", 3, "")
    made = (await boss.get(f"tables/{TABLE}/rounds/2")).json()["corrections"]
    assert [(one["cents"], one["drill"]) for one in made] == [(1500, True), (-1500, True)]
    refused(await boss.at(TABLE, "end-drill"), 409, "No drill of an irregularity is under way.")


async def test_incidents_are_for_staff_and_only_where_something_went_wrong(house, ann):
    boss, auditor = await house.as_(Role.SUPERVISOR), await house.as_(Role.AUDITOR)
    await boss.at(TABLE, "irregularity", **WRONG_COUNT)
    found = (await auditor.get(f"tables/{TABLE}/rounds/1/incident")).json()
    assert found["entries"][0]["clause"] == "11.1"
    assert [(seat["put_down"], seat["refunded"]) for seat in found["money"]] == [(1500, 1500)]
    refused(await ann.get(f"tables/{TABLE}/rounds/1/incident"), 403)
    await deal(ann, 2)
    refused(await boss.get(f"tables/{TABLE}/rounds/2/incident"), 409, "is not over")
    await ann.at(TABLE, "choose", seat=2, round=2, choice="fold")
    refused(await boss.get(f"tables/{TABLE}/rounds/2/incident"), 404, "Nothing irregular is on record")
