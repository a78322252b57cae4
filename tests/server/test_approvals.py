"""Approvals by HTTP: separate people take the steps of both regimes, and a house approves nothing itself."""

import asyncio
import hashlib

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from feltlab.games import GAMES
from feltlab.ledger.event import Draft
from feltlab.ledger.ledger import Ledger
from feltlab.pit.approvals import DEMO, approve_all
from feltlab.pit.approvals.codes import make_code
from feltlab.pit.approvals.office import Office
from feltlab.pit.pit import today
from feltlab.pit.roles import Role
from feltlab.pit.seats import Phase
from feltlab.pit.verify import verify
from feltlab.signing.ssh_signature import sign_bytes
from tests.support import approving
from tests.support.parties import approve, approve_game, do, file_all, license_makers, regulated
from tests.support.running import SECRET, WAR, Client, refused

KINDS = ("commercial", "tribal")
GREEDY = {"game": WAR, "pays": {"tie": {"tie": "99"}}}


def problems(folder):
    with Ledger.open(folder / "ledger.sqlite", writer=False) as ledger:
        return [str(problem) for problem in verify(ledger, fast=True).problems]


@pytest.mark.parametrize("kind", KINDS)
async def test_separate_people_bring_a_game_to_a_table_and_the_ledger_is_sound(tmp_path, kind):
    async with regulated(tmp_path, kind) as people:
        await approve_game(people, WAR)
        await license_makers(people)
        found = await approve(people, WAR)
        assert (found["under"], found["caution"], found["demonstration"]) == (1, "", False)
        sides = {"commercial": ["house", "house", "state"], "tribal": ["house", "tribe", "tribe", "state"]}
        assert [done["side"] for done in found["done"]] == sides[kind]
        assert len({done["by"] for done in found["done"]}) == len(set(sides[kind]))
        assert all(one["holds"] for one in found["conditions"])
        await do(people.supervisor, "tables", name="war", game=WAR)
    assert problems(tmp_path) == []


@pytest.mark.parametrize("kind", KINDS)
async def test_a_house_that_tries_to_approve_itself_is_refused_at_each_step(tmp_path, kind):
    async with regulated(tmp_path, kind) as people:
        boss, before = people.boss, people.house.pit.approvals
        refused(await boss.post("approvals", **GREEDY), 409, "No maker has submitted casino-war")
        refused(await boss.post("submissions", **GREEDY, maker="us", reference="1"), 403, "step of the maker")
        assert people.house.pit.approvals == before
        await do(people.maker, "submissions", **GREEDY, maker="them", reference="1")
        for act in ("approve", "attach", "refuse", "revoke"):
            refused(await boss.post("submissions/1/steps", act=act, note="x"), 403, "a step of the state")
        refused(await boss.post("submissions/1/steps", act="withdraw", note="x"), 403, "a step of the maker")
        refused(await boss.post("approvals", **GREEDY), 409, "is submitted and not yet approved")
        await do(people.regulator, "submissions/1/steps", act="refuse", note="99 to 1 is no pay for a tie")
        await approve_game(people, WAR)
        refused(await boss.post("approvals", **GREEDY), 409, "does not allow tie at 99 to 1 on tie")
        await do(boss, "approvals", game=WAR)
        await file_all(people, 1)
        path = [step.name for step in people.house.pit.approvals[1].regime.path[1:]]
        for act in (*path, "attach", "refuse", "revoke"):
            if (kind, act) != ("commercial", "submit"):
                refused(await boss.post("approvals/1/steps", act=act, note="x"), 403, "belongs to the house")
        refused(await boss.post("approvals/1/steps", act="lapse", note="x"), 403, "by the server alone")
        licence = {"number": "L", "maker": "us", "covers": ["cards"]}
        refused(await boss.post("licences", **licence), 403, "by the state or by the tribe")
        refused(await boss.post("shuffler-models", model="ACE", maker="us"), 403, "by the state")
        refused(await people.supervisor.post("tables", name="war", **GREEDY), 409)
        refused(await people.supervisor.post("tables", name="war", game=WAR), 409)


@pytest.mark.parametrize("lapse", ["licence", "model", "filing", "attached", "operator", "maker"])
async def test_what_lapses_closes_the_table_and_keeps_it_closed(tmp_path, lapse):
    async with regulated(tmp_path) as people:
        await approve_game(people, WAR)
        await license_makers(people)
        await approve(people, WAR)
        await do(people.supervisor, "tables", name="war", game=WAR)
        table, why = people.house.pit.table("war"), {"note": "it was unsafe"}
        state, boss = people.regulator, people.boss
        if lapse == "licence":
            await do(state, "licences/end", number="L-1", **why)
        elif lapse == "model":
            model = table.table.machines.main.model
            await do(state, "shuffler-models/end", model=model, **why)
        elif lapse == "filing":
            await do(boss, "approvals/1/filings/withdraw", condition="controls", **why)
        elif lapse == "attached":
            await do(state, "approvals/1/steps", act="attach", **why)
        elif lapse == "operator":
            await do(state, "approvals/1/steps", act="revoke", **why)
        else:
            await do(state, "submissions/1/steps", act="revoke", **why)
        assert table.table.phase == Phase.CLOSED
        (closed,) = people.house.pit.ledger.events("war", kinds=("closed",))
        refused(await people.supervisor.post("tables", name="war", game=WAR), 409, closed.data["why"])
    assert problems(tmp_path) == []


async def test_an_amendment_is_shown_clause_by_clause_and_pay_by_pay(tmp_path):
    async with regulated(tmp_path) as people:
        await approve_game(people, WAR, options={"decks": ["6"]})
        asked = {"game": WAR, "maker": "them", "reference": "2", "options": {"decks": ["6", "8"]}}
        await do(people.maker, "submissions", **asked, pays={"tie": {"tie": "11"}})
        found = (await people.regulator.get("submissions/2/changes")).json()
        assert (found["number"], found["amends"]) == (2, 1)
        changes = {one["what"]: (one["before"], one["now"]) for one in found["changes"]}
        assert changes["allowed values of decks"] == ("6", "6 and 8")
        assert changes["pay table tie: tie"] == ("10 to 1", "11 to 1")
        assert changes["clause 4.3"][0] == "A tie wager wins 10 to 1 when the first two cards are equal."
        await do(people.regulator, "submissions/2/steps", act="approve")
        assert (await do(people.boss, "approvals", game=WAR))["under"] == 1
        assert (await do(people.boss, "approvals", game=WAR, pays={"tie": {"tie": "11"}}))["under"] == 2


async def test_makers_do_not_see_each_others_submissions_before_they_are_approved(tmp_path):
    async with regulated(tmp_path) as people:
        code, draft = make_code(Role.MAKER, 7, "root")
        await people.house.pit.note(draft)
        claimed = await do(Client(people.house), "accounts/claim", code=code, name="rival", password=SECRET)
        rival = Client(people.house).known(claimed["session"], "rival")
        await do(people.maker, "accounts", name="colleague", password=SECRET, role="maker")
        signed = await do(Client(people.house), "session", name="colleague", password=SECRET)
        colleague = Client(people.house).known(signed["session"], "colleague")
        await do(people.maker, "submissions", game=WAR, maker="them", reference="1")
        assert (await rival.get("submissions")).json() == []
        assert [one["number"] for one in (await colleague.get("submissions")).json()] == [1]
        refused(await rival.get("submissions/1/changes"), 403, "not shown before it is approved")
        refused(await rival.post("submissions/1/steps", act="withdraw", note="x"), 403, "Only the maker")
        assert [one["name"] for one in (await rival.get("accounts")).json()] == ["rival"]
        patched = await rival.http.patch("/api/accounts/colleague", json={"disabled": True})
        refused(patched, 403, "members of its firm")
        await do(people.regulator, "submissions/1/steps", act="approve")
        assert [one["number"] for one in (await rival.get("submissions")).json()] == [1]
        assert (await rival.get("submissions/1/changes")).status_code == 200
        refused(await rival.post("submissions/1/steps", act="withdraw", note="x"), 403, "Only the maker")
        await do(colleague, "submissions/1/steps", act="withdraw", note="we found a fault")
    assert problems(tmp_path) == []


async def test_documents_are_hashed_and_their_signatures_checked(tmp_path):
    content = b"The rules of play."
    signature = sign_bytes(content, Ed25519PrivateKey.generate(), "maker@feltlab").to_text()
    digests = {"sha256": hashlib.sha256(content).hexdigest(), "sha512": hashlib.sha512(content).hexdigest()}
    document = {"name": "rules.pdf", "signature": signature, **digests}
    async with regulated(tmp_path) as people:
        asked = {"game": WAR, "maker": "them", "reference": "1"}
        other = document | {"sha512": "0" * 128}
        answer = await people.maker.post("submissions", **asked, documents=[other])
        refused(answer, 409, "The signature of 'rules.pdf' does not hold")
        found = await do(people.maker, "submissions", **asked, documents=[document])
        assert found["documents"][0]["signer"].startswith("maker SHA256:")


async def test_the_demonstration_house_says_that_no_regulator_gave_its_approvals(house):
    boss = await house.as_(Role.ADMINISTRATOR)
    found = (await boss.get("approvals")).json()
    assert len(found) == len(GAMES)
    for one in found:
        assert one["demonstration"]
        assert "no regulator gave this approval" in one["caution"]
        assert {done["side"] for done in one["done"]} == {"demonstration"}


async def test_a_decision_of_another_server_is_seen_and_never_overwritten(tmp_path):
    async with regulated(tmp_path) as people:
        pit = people.house.pit
        other = Office(pit.ledger, lambda: None)
        await approve_game(people, WAR)
        await other.refresh()
        assert other.register.submissions[1].state == "approved"
        both = [approve_game(people, WAR), other.decide(lambda book: approving.submit(book, GAMES[WAR]))]
        await asyncio.gather(*both)
        await pit.office.refresh()
        await other.refresh()
        assert other.register.submissions == pit.approvals.submissions
        assert [one.number for one in pit.approvals.submissions] == [1, 2, 3]


DAY = today().isoformat()
STEP = {"approval": 1, "act": "approve", "state": "approved", "day": DAY, "note": ""}


@pytest.mark.parametrize(
    ("kind", "data", "says"),
    [
        ("approval-step", {**STEP, "by": "admin"}, "belongs to no side."),
        ("approval-step", {**STEP, "by": "admin", "side": "house"}, "and admin belongs to the house."),
        (
            "approval-step",
            {**STEP, "by": "admin", "side": "state"},
            "by admin, who was not a",
        ),
        (
            "approval-step",
            {**STEP, "by": "house", "side": "state"},
            "by house cannot be of the side",
        ),
        ("approval-step", {**STEP, "by": "house", "side": "demonstration"}, "is no demonstration."),
        ("sides-adopted", {"version": "1", "approvals": []}, "sides were adopted before."),
    ],
)
async def test_an_insider_who_writes_an_approval_into_the_ledger_is_found(tmp_path, kind, data, says):
    async with regulated(tmp_path) as people:
        await approve_game(people, WAR)
        await do(people.boss, "approvals", game=WAR)
        await file_all(people, 1)
        await do(people.boss, "approvals/1/steps", act="submit")
        await people.house.pit.note(Draft("house", kind, data))
    found = problems(tmp_path)
    assert any(says in problem for problem in found), found


async def test_an_insider_who_opens_a_table_under_a_demonstration_is_found(tmp_path):
    async with regulated(tmp_path) as people:
        pit = people.house.pit
        await pit.decide(lambda register: approve_all(register, DEMO, [GAMES[WAR]], today()))
        refused(await people.supervisor.post("tables", name="war", game=WAR), 409, "has no approval")
        pit.house, pit._why_unapproved = DEMO, lambda table: ""  # the insider's server
        await do(people.supervisor, "tables", name="war", game=WAR)
    (found,) = problems(tmp_path)
    assert "which was given to The demonstration house, not to The Long Table" in found


async def test_an_insider_who_opens_a_table_against_a_condition_is_found(tmp_path):
    async with regulated(tmp_path) as people:
        await approve_game(people, WAR)
        await license_makers(people)
        await approve(people, WAR)
        pit = people.house.pit
        pit._admit = lambda table, approval: table  # the insider's server
        pit._why_unapproved = lambda table: ""
        await do(people.regulator, "shuffler-models/end", model="shoe shuffler", note="it jams")
        await do(people.supervisor, "tables", name="war", game=WAR)
    (found,) = problems(tmp_path)
    assert "the state has not approved the shuffler shoe shuffler" in found
