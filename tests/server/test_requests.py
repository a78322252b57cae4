"""Two persons for what can hurt: one asks, another confirms, and alone nothing happens."""

import asyncio
from datetime import timedelta
from pathlib import Path

import pytest

from feltlab.ledger.ledger import Ledger
from feltlab.pit.custody import requests as custody
from feltlab.pit.custody.requests import plan_two_persons
from feltlab.pit.roles import Role
from feltlab.pit.seats import HOLD_SECONDS, REQUEST_HOLDS, Phase
from feltlab.pit.table import Table
from feltlab.pit.verify import verify
from tests.support.databases import raw
from tests.support.running import Client, refused, running

TABLE = "triple-shot-rummy-1"


@pytest.fixture
async def house(tmp_path):
    """A house of two persons, with a guest at seat 2 whose cards are dealt."""
    async with running(tmp_path) as house:
        made = house.pit.accounts.ensure_administrator()
        await house.pit.note(*made.drafts)
        for role in (Role.SUPERVISOR, Role.ADMINISTRATOR, Role.DEALER):
            await house.as_(role)
        await house.pit.note(*plan_two_persons(house.pit.ledger, True))
        house.ann = await house.guest()
        await house.ann.at(TABLE, "sit", seat=2, cents=20_000)
        await deal(house, 1)
        yield house


async def deal(house, round):
    wagers = {"ante": 1000, "pair-plus": 500}
    await house.ann.at(TABLE, "wager", seat=2, round=round, wagers=wagers)
    assert (await house.ann.at(TABLE, "ready", seat=2, round=round)).json()["phase"] == "choosing"


def sign_in(house, name):
    """A client with a session of an account."""
    sessions = house.app.state.auth.sessions
    return Client(house).known(sessions.sign(sessions.issue(house.pit.accounts[name])), name)


def find_problems(folder: Path) -> list[str]:
    with Ledger.open(folder / "ledger.sqlite", writer=False) as ledger:
        return [str(problem) for problem in verify(ledger, fast=True).problems]


async def test_a_void_after_cards_were_seen_waits_for_another_supervisor(house, tmp_path):
    sue, bob = await house.as_(Role.SUPERVISOR), await house.as_(Role.ADMINISTRATOR)
    asked = await sue.at(TABLE, "void", key="once", reason="a card fell", round=1)
    before = house.state()
    assert asked.status_code == 202
    assert asked.json()["request"]["asks"]["table"] == TABLE
    assert "waits for a second person" in asked.json()["waits"]
    assert house.state() == before  # alone it does not take effect
    assert (await sue.at(TABLE, "void", key="once", reason="a card fell", round=1)).status_code == 202
    refused(await sue.at(TABLE, "void", reason="a card fell", round=1), 409, "asks for this already")
    refused(await sue.post("requests/1/confirm"), 403, "A second person")
    refused(await house.ann.post("requests/1/confirm"), 403, "possible are supervisor and administrator")
    refused(await (await house.as_(Role.DEALER)).post("requests/1/confirm"), 403, "A dealer may not")
    refused(await bob.post("requests/2/confirm"), 404, "no request 2")
    assert house.state() == before
    done = await bob.post("requests/1/confirm")
    assert (done.status_code, done.json()["state"], done.json()["answered_by"]) == (
        200,
        "confirmed",
        bob.name,
    )
    table = house.pit.table(TABLE).table
    assert (table.round, table.last_void_reason, table.place(1).bankroll) == (2, "a card fell", 20_000)
    refused(await bob.post("requests/1/confirm"), 409, "confirmed by the-administrator already")
    assert [one["state"] for one in (await bob.get("requests")).json()] == ["confirmed"]
    assert find_problems(tmp_path) == []


async def test_an_irregularity_that_voids_needs_two_and_one_that_plays_on_does_not(house, tmp_path):
    sue, bob = await house.as_(Role.SUPERVISOR), await house.as_(Role.ADMINISTRATOR)
    noted = {"round": 1, "kind": "wrong-count", "hand": "seat 2", "decision": "void", "found": 4}
    assert (await sue.at(TABLE, "irregularity", **noted)).status_code == 202
    assert house.pit.table(TABLE).table.irregular == ()
    assert (await bob.post("requests/1/confirm")).status_code == 200
    assert house.pit.table(TABLE).table.round == 2
    await house.ann.at(TABLE, "wager", seat=2, round=2, wagers={"ante": 1000})
    before_cards = await sue.at(TABLE, "void", reason="a spilled drink", round=2)
    assert before_cards.status_code == 200  # nobody has seen a card
    assert find_problems(tmp_path) == []


async def test_a_denied_and_an_expired_request_take_no_effect(house, monkeypatch):
    sue, bob = await house.as_(Role.SUPERVISOR), await house.as_(Role.ADMINISTRATOR)
    await sue.at(TABLE, "void", reason="one", round=1)
    refused(await bob.post("requests/1/deny", why=" "), 409, "needs a reason")
    assert (await bob.post("requests/1/deny", why="no reason to")).json()["state"] == "denied"
    refused(await bob.post("requests/1/confirm"), 409, "denied by")
    monkeypatch.setattr(custody, "REQUEST_LIFETIME", timedelta(0))
    await sue.at(TABLE, "void", reason="two", round=1)
    await asyncio.sleep(0.01)
    refused(await bob.post("requests/2/confirm"), 409, "expired")
    assert house.pit.table(TABLE).table.round == 1


async def test_a_request_to_void_holds_the_round_once_and_lapses(house, tmp_path):
    sue, bob = await house.as_(Role.SUPERVISOR), await house.as_(Role.ADMINISTRATOR)
    live = house.pit.table(TABLE)
    await sue.at(TABLE, "void", reason="late", round=1)
    assert 50 < live.seconds <= HOLD_SECONDS
    fold = {"seat": 2, "round": 1, "choice": "fold"}
    refused(await house.ann.at(TABLE, "choose", **fold), 409, "holds the round for a minute at most")
    seen = (await house.ann.get(f"tables/{TABLE}")).json()
    assert (seen["held"], seen["phase"]) == (REQUEST_HOLDS, "choosing")
    await live.act(Table.time_is_up)  # nobody confirms, and the clock ends the hold
    assert (live.table.hold, live.table.phase) == (0, Phase.CHOOSING)
    await sue.at(TABLE, "void", reason="once more", round=1)
    assert live.table.hold == 0  # one person cannot stop a table for longer
    assert (await house.ann.at(TABLE, "choose", **fold)).status_code == 200
    refused(await bob.post("requests/1/confirm"), 409, "Round 1 is over")
    assert {one["state"] for one in (await bob.get("requests")).json()} == {"waits"}
    assert find_problems(tmp_path) == []


async def test_a_denied_request_lets_the_round_go_on_at_once(house, tmp_path):
    sue, bob = await house.as_(Role.SUPERVISOR), await house.as_(Role.ADMINISTRATOR)
    live = house.pit.table(TABLE)
    await sue.at(TABLE, "void", reason="late", round=1)
    assert live.table.hold == 1
    await bob.post("requests/1/deny", why="the card was face down")
    assert live.table.hold == 0
    assert (await house.ann.at(TABLE, "choose", seat=2, round=1, choice="fold")).status_code == 200
    assert find_problems(tmp_path) == []
    await house.pit.stop()
    with raw(str(tmp_path / "ledger.sqlite")) as connection:  # as if the hold had not ended
        connection.exec_driver_sql(
            "UPDATE events SET kind = 'alarm', data = '{\"alarm\":\"\"}' WHERE kind = 'hold-ended'"
        )
    assert "'chose' happened while request 1 held the round." in " ".join(find_problems(tmp_path))


async def test_a_correction_moves_money_once_and_only_after_two(house, tmp_path):
    sue, bob = await house.as_(Role.SUPERVISOR), await house.as_(Role.ADMINISTRATOR)
    await house.ann.at(TABLE, "choose", seat=2, round=1, choice="fold")
    wrong = {"round": 1, "seat": 2, "spot": "ante", "paid": -1000, "due": 0, "reason": "It was a push."}
    settled = house.pit.table(TABLE).table.place(1).bankroll  # the bonus bet may have won
    before = house.state()
    refused(await sue.post(f"tables/{TABLE}/corrections", **{**wrong, "paid": 7}), 409, "on record")
    assert (await sue.post(f"tables/{TABLE}/corrections", **wrong)).status_code == 202
    assert house.state() == before
    assert (await bob.post("requests/1/confirm")).status_code == 200
    assert house.pit.table(TABLE).table.place(1).bankroll == settled + 1_000
    assert find_problems(tmp_path) == []


async def test_a_key_changes_after_two_and_verify_finds_an_act_of_one(house, tmp_path):
    sue, bob = await house.as_(Role.SUPERVISOR), await house.as_(Role.ADMINISTRATOR)
    carol = sign_in(house, "admin")
    refused(await sue.post("keys/heads/rotate"), 403, "may not administer")
    refused(await bob.post("keys/moon/rotate"), 409, "possible are vault, heads and sessions")
    before = house.pit.heads.public_key
    assert (await bob.post("keys/heads/rotate")).status_code == 202
    refused(await sue.post("requests/1/confirm"), 403, "may not administer")
    assert house.pit.heads.public_key == before
    assert (await carol.post("requests/1/confirm")).status_code == 200
    assert house.pit.heads.public_key != before
    assert find_problems(tmp_path) == []
    await sue.at(TABLE, "void", reason="a card fell", round=1)
    await bob.post("requests/2/confirm")
    await house.pit.stop()
    with raw(str(tmp_path / "ledger.sqlite")) as connection:  # as if nobody had confirmed it
        connection.exec_driver_sql(
            'UPDATE events SET data = replace(data, \'"by":"the-administrator","request":2\', '
            '\'"by":"the-supervisor","request":2\') WHERE kind = \'request-confirmed\''
        )
        connection.exec_driver_sql(
            "UPDATE events SET data = replace(data, ',\"request\":1', '') WHERE kind = 'key-rotated'"
        )
    problems = " ".join(find_problems(tmp_path))
    assert "request 2 was confirmed by the-supervisor, who had made it" in problems
    assert "'key-rotated' by the-administrator alone; it needs two persons" in problems


# -- Accounts ---------------------------------------------------------------------------------------


@pytest.fixture
async def first(tmp_path):
    """A house of two persons at its first start: one administrator, alone."""
    async with running(tmp_path) as house:
        made = house.pit.accounts.ensure_administrator()
        await house.pit.note(*made.drafts, *plan_two_persons(house.pit.ledger, True))
        yield house


async def test_one_administrator_creates_the_second_and_then_it_takes_both(first, tmp_path):
    admin = sign_in(first, "admin")
    new = {"password": "correct horse battery"}
    assert (await admin.post("accounts", name="pat", role="player", **new)).status_code == 201
    refused_alone = await admin.post("accounts", name="sue", role="supervisor", **new)
    assert refused_alone.status_code == 202  # but nobody can confirm it yet
    second = await admin.post("accounts", name="bob", role="administrator", **new)
    assert second.status_code == 201
    bob = sign_in(first, "bob")
    third = await admin.post("accounts", name="mine", role="administrator", **new)
    assert third.status_code == 202
    assert "the one that you sent is not kept" in third.json()["waits"]
    refused(await admin.post("accounts", name="mine", role="administrator", **new), 409, "already, and waits")
    refused(await admin.post("accounts", name="bob", role="auditor", **new), 409, "is taken")
    names = [account.name for account in first.pit.accounts.all()]
    assert names == ["admin", "bob", "pat"]
    done = (await bob.post("requests/1/confirm")).json()
    assert done["state"] == "confirmed"
    assert first.pit.accounts.sign_in("sue", done["password"]).account.role is Role.SUPERVISOR
    assert find_problems(tmp_path) == []


async def test_a_confirmed_act_that_is_refused_is_not_taken_for_done(first, tmp_path):
    admin, new = sign_in(first, "admin"), {"password": "correct horse battery"}
    await admin.post("accounts", name="bob", role="administrator", **new)
    assert (await admin.post("accounts", name="sue", role="supervisor", **new)).status_code == 202
    await admin.post("accounts", name="sue", role="player", **new)  # meanwhile the name is taken
    bob = sign_in(first, "bob")
    refused(await bob.post("requests/1/confirm"), 409, "is taken")
    (asked,) = (await admin.get("requests")).json()
    assert (asked["state"], asked["answered_by"]) == ("refused", "bob")
    assert "is taken" in asked["why"]
    refused(await bob.post("requests/1/confirm"), 409, "was refused by bob already")
    assert find_problems(tmp_path) == []


async def test_staff_is_changed_by_two_and_players_by_one(first, tmp_path):
    admin = sign_in(first, "admin")
    new = {"password": "correct horse battery"}
    await admin.post("accounts", name="bob", role="administrator", **new)
    await admin.post("accounts", name="pat", role="player", **new)
    bob = sign_in(first, "bob")
    headers = {"Content-Type": "application/json"}

    async def patch(who, name, body):
        return await who.http.patch(f"/api/accounts/{name}", content=body, headers=headers)

    assert (await patch(admin, "pat", '{"disabled": true}')).status_code == 200
    for body in ('{"role": "dealer"}', '{"disabled": true}', '{"reset_password": true}'):
        assert (await patch(admin, "bob", body)).status_code == 202
    assert first.pit.accounts["bob"].role is Role.ADMINISTRATOR  # alone he takes over nobody
    assert first.pit.accounts.sign_in("bob", "correct horse battery")
    asked = (await admin.get("requests")).json()
    assert [one["asks"]["change"] for one in asked] == ["a new password", "disabled", "role dealer"]
    assert (await bob.post("requests/1/confirm")).status_code == 200
    assert first.pit.accounts["bob"].role is Role.DEALER
    refused(await sign_in(first, "bob").post("requests/2/confirm"), 403, "may not")
    assert find_problems(tmp_path) == []


async def test_verify_finds_an_account_of_staff_that_one_person_made(first, tmp_path):
    admin = sign_in(first, "admin")
    await admin.post("accounts", name="bob", role="administrator", password="correct horse battery")
    made = first.pit.accounts.create("mine", "correct horse battery", Role.ADMINISTRATOR, by="admin")
    if made.drafts:
        await first.pit.note(*made.drafts)
    (problem,) = find_problems(tmp_path)
    assert "'account-created' of mine by admin alone; it needs two persons." in problem
