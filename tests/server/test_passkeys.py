"""Passkeys as a second factor: registered, proved at sign-in, and refused if anything about them is wrong."""

import asyncio
import json
import sqlite3

import httpx
import pytest

from feltlab.pit.custody.second_factor import SecondFactors
from feltlab.pit.roles import Role
from feltlab.pit.verify import verify
from feltlab.server.network import Network
from feltlab.server.sign_in.challenges import Challenges
from tests.support.authenticators import SoftPasskey, encode
from tests.support.running import SECRET, House, refused, running

ORIGIN = "http://localhost"
NAME = "the-supervisor"


class Browser:
    """A browser at a page of the house, and its passkey."""

    def __init__(self, house, passkey=None, origin=ORIGIN):
        transport = httpx.ASGITransport(house.app, client=("127.0.0.1", 1))
        self.http = httpx.AsyncClient(transport=transport, base_url=origin)
        self.passkey = passkey or SoftPasskey(origin)

    async def sign_in(self, name=NAME, **more):
        return await self.http.post("/api/session", json={"name": name, "password": SECRET, **more})

    async def ask_sign_in(self, name=NAME):
        """The options for a proof, as the answer to the password alone has them."""
        answer = await self.sign_in(name)
        assert answer.status_code == 428, answer.text
        return answer.json()["passkey"]

    async def send(self, path, body=None):
        csrf = {"X-CSRF-Token": (await self.http.get("/api/session")).json()["csrf"]}
        return await self.http.post(f"/api/session/{path}", json=body, headers=csrf)

    async def options(self):
        answer = await self.send("passkeys/options")
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def register(self, name="blue key", credential=None, **more):
        credential = credential or self.passkey.create((await self.options())["create"])
        body = {"name": name, "password": SECRET, "credential": credential, **more}
        return await self.send("passkeys", body)


async def enrolled(house, role=Role.SUPERVISOR, **options):
    """A browser of staff that has registered its passkey, and the recovery codes."""
    await house.as_(role)
    browser = Browser(house, SoftPasskey(ORIGIN, **options))
    assert (await browser.sign_in(f"the-{role}")).status_code == 200
    answer = await browser.register()
    assert answer.status_code == 200, answer.text
    return browser, answer.json()["recovery"]


def why_refused(house):
    """The reasons on record, the oldest first."""
    return [
        event.data["why"] for event in house.pit.ledger.events("house") if event.kind == "sign-in-refused"
    ]


# -- Good -------------------------------------------------------------------------------------------


async def test_staff_registers_a_passkey_and_signs_in_with_it(house):
    browser, codes = await enrolled(house)
    assert len(set(codes)) == 10
    shown = (await browser.http.get("/api/session/second-factor")).json()
    assert shown["enrolled"]
    assert not shown["authenticator"]
    assert [(one["name"], one["host"]) for one in shown["passkeys"]] == [("blue key", "localhost")]
    stranger = Browser(house, browser.passkey)
    answer = await stranger.sign_in()
    assert answer.json()["error"] == "Use your passkey, or enter a recovery code."
    proof = browser.passkey.prove(answer.json()["passkey"])
    assert (await stranger.sign_in(passkey=proof)).status_code == 200
    used = [event for event in house.pit.ledger.events("house") if event.kind == "second-factor-used"]
    assert used[-1].data == {"account": NAME, "passkey": browser.passkey.id.hex(), "counter": 1}


async def test_a_recovery_code_replaces_the_passkey_once(house):
    _, codes = await enrolled(house)
    assert (await Browser(house).sign_in(code=codes[0])).status_code == 200
    refused(await Browser(house).sign_in(code=codes[0]), 401, "used already")


async def test_a_synced_passkey_does_not_count(house):
    browser, _ = await enrolled(house, step=0)
    for _ in range(3):
        stranger = Browser(house, browser.passkey)
        proof = browser.passkey.prove(await stranger.ask_sign_in())
        assert (await stranger.sign_in(passkey=proof)).status_code == 200


async def test_passkeys_survive_a_restart_and_so_does_a_question(tmp_path):
    async with running(tmp_path) as first:
        browser, _ = await enrolled(first)
        waiting = Browser(first, browser.passkey)
        proof = browser.passkey.prove(await waiting.ask_sign_in())
    async with running(tmp_path) as again:
        cookies = waiting.http.cookies
        waiting = Browser(again, browser.passkey)
        waiting.http.cookies = cookies
        assert (await waiting.sign_in(passkey=proof)).status_code == 200
        refused(await waiting.sign_in(passkey=proof), 401)
    async with running(tmp_path) as last:  # a spent answer stays spent, also for the counter
        waiting = Browser(last, browser.passkey)
        waiting.http.cookies = cookies
        refused(await waiting.sign_in(passkey=proof), 401)


async def test_another_passkey_needs_a_proof_of_the_first(house):
    browser, codes = await enrolled(house)
    second = SoftPasskey(ORIGIN)
    asked = await browser.options()
    refused(await browser.register("spare", second.create(asked["create"])), 401)
    asked = await browser.options()
    proof = browser.passkey.prove(asked["prove"])
    answer = await browser.register("spare", second.create(asked["create"]), old_passkey=proof)
    assert answer.status_code == 200
    assert answer.json()["recovery"] == []  # those that are there go on
    refused(await browser.register("spare", old_code=codes[0]), 409, "registered already")
    browser.passkey = SoftPasskey(ORIGIN)
    refused(await browser.register("spare", old_code=codes[0]), 409, "choose another name")
    assert (await browser.register("third", old_code=codes[0])).status_code == 200


async def test_a_passkey_is_removed_but_not_the_last_factor(house):
    browser, codes = await enrolled(house)
    gone = browser.passkey
    body = {"password": SECRET, "id": gone.id.hex(), "old_code": codes[0]}
    refused(await browser.send("passkeys/remove", body), 409, "your only factor")
    browser.passkey = SoftPasskey(ORIGIN)
    assert (await browser.register("spare", old_code=codes[1])).status_code == 200
    refused(await browser.send("passkeys/remove", body | {"password": "wrong horse"}), 403, "password")
    refused(await browser.send("passkeys/remove", body | {"old_code": None}), 401)
    answer = await browser.send("passkeys/remove", body)
    assert [one["name"] for one in answer.json()["passkeys"]] == ["spare"]
    stranger = Browser(house)
    refused(await stranger.sign_in(passkey=gone.prove(await stranger.ask_sign_in())), 401, "not accepted")
    refused(await browser.send("passkeys/remove", body), 409, "does not have that passkey")


async def test_a_required_factor_may_be_a_passkey(tmp_path):
    async with running(tmp_path) as plain:
        house = House(plain.pit, require_second_factor=True)
        await house.as_(Role.SUPERVISOR)
        browser = Browser(house)
        await browser.sign_in()
        refused(await browser.http.get("/api/slips"), 403, "Set up your second factor first")
        assert (await browser.register()).status_code == 200
        assert (await browser.http.get("/api/slips")).status_code == 200


async def test_a_reset_takes_the_passkeys_away(house):
    browser, _ = await enrolled(house)
    boss = await house.as_(Role.ADMINISTRATOR)
    answer = await boss.http.patch(f"/api/accounts/{NAME}", json={"reset_second_factor": True})
    assert answer.status_code == 200
    refused(await browser.http.get("/api/session"), 401, "The account has changed since")
    assert (await Browser(house).sign_in()).status_code == 200
    assert not house.app.state.auth.factors.list_passkeys(NAME)


# -- Wrong ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "changed",
    [
        {"origin": "https://localhost"},
        {"origin": "http://localhost:81"},
        {"origin": "http://evil.example"},
        {"host": "evil.example"},
        {"challenge": encode(b"x" * 32)},
        {"challenge": ""},
    ],
    ids=str,
)
async def test_an_answer_about_something_else_is_refused(house, changed):
    browser, codes = await enrolled(house)
    stranger = Browser(house)
    proof = browser.passkey.prove(await stranger.ask_sign_in(), **changed)
    refused(await stranger.sign_in(passkey=proof), 401)
    assert why_refused(house) in (["wrong passkey"], ["passkey with another challenge"])
    other = SoftPasskey(ORIGIN)
    made = other.create((await browser.options())["create"], **changed)
    refused(await browser.register("other", made, old_code=codes[0]), 409)
    assert len(house.app.state.auth.factors.list_passkeys(NAME)) == 1


async def test_an_answer_counts_once(house):
    browser, _ = await enrolled(house, step=0)  # without a counter, only the challenge tells
    stranger = Browser(house)
    proof = browser.passkey.prove(await stranger.ask_sign_in())
    done = await asyncio.gather(*(stranger.sign_in(passkey=proof) for _ in range(3)))
    assert sorted(answer.status_code for answer in done) == [200, 401, 401]
    assert why_refused(house) == ["used answer of a passkey"] * 2
    made = SoftPasskey(ORIGIN).create((await browser.options())["create"])
    proof = browser.passkey.prove((await browser.options())["prove"])
    assert (await browser.register("second", made, old_passkey=proof)).status_code == 200
    refused(await browser.register("third", made, old_passkey=proof), 409, "registered already")


async def test_a_counter_that_goes_back_is_refused_and_on_record(house):
    browser, _ = await enrolled(house)
    for counter, status in ((6, 200), (6, 401), (3, 401), (0, 401), (7, 200)):
        stranger = Browser(house)
        browser.passkey.counter = counter - 1 if counter else 0
        browser.passkey.step = 1 if counter else 0
        proof = browser.passkey.prove(await stranger.ask_sign_in())
        answer = await stranger.sign_in(passkey=proof)
        assert answer.status_code == status, (counter, answer.text)
    went_back = [f"the counter of passkey blue key went back from 6 to {found}" for found in (6, 3, 0)]
    assert why_refused(house) == went_back


async def test_an_unknown_passkey_and_that_of_another_account_are_refused(house):
    browser, _ = await enrolled(house)
    other, _ = await enrolled(house, Role.AUDITOR)
    for passkey in (SoftPasskey(ORIGIN), other.passkey):
        stranger = Browser(house)
        refused(
            await stranger.sign_in(passkey=passkey.prove(await stranger.ask_sign_in())), 401, "not accepted"
        )
    stranger = Browser(house)
    question = await stranger.ask_sign_in("the-auditor")  # asked of one account, sent for another
    refused(await stranger.sign_in(passkey=browser.passkey.prove(question)), 401, "not asked here")
    made = browser.passkey.create((await other.options())["create"])
    proof = other.passkey.prove((await other.options())["prove"])
    refused(await other.register("theirs", made, old_passkey=proof), 409, "registered already")


async def test_a_question_is_for_one_attempt_one_purpose_and_one_session(house):
    browser, codes = await enrolled(house)
    asking, sending = Browser(house), Browser(house)
    proof = browser.passkey.prove(await asking.ask_sign_in())
    await sending.ask_sign_in()
    refused(await sending.sign_in(passkey=proof), 401, "not asked here")
    for_change = browser.passkey.prove((await browser.options())["prove"])
    refused(await sending.sign_in(passkey=for_change), 401, "not asked here")
    again = Browser(house)
    await again.sign_in(code=codes[0])
    made = SoftPasskey(ORIGIN).create((await again.options())["create"])
    refused(await browser.register("other", made, old_code=codes[1]), 409, "not asked here")


async def test_a_question_ends_after_two_minutes(house):
    browser, _ = await enrolled(house)
    stranger = Browser(house)
    proof = browser.passkey.prove(await stranger.ask_sign_in())
    challenges: Challenges = house.app.state.auth.sessions.challenges
    now = challenges._clock()
    challenges._clock = lambda: now + 122
    refused(await stranger.sign_in(passkey=proof), 401, "too old")


@pytest.mark.parametrize("part", ["id", "client_data", "authenticator_data", "signature"])
@pytest.mark.parametrize("junk", ["", "A", "AAAA", "e30", "W10", "_" * 4000])
async def test_junk_gets_one_sentence(house, part, junk):
    browser, _ = await enrolled(house)
    stranger = Browser(house)
    proof = browser.passkey.prove(await stranger.ask_sign_in()) | {part: junk}
    answer = await stranger.sign_in(passkey=proof)
    refused(answer, answer.status_code)
    assert answer.status_code in (401, 409, 422)


@pytest.mark.parametrize("junk", ["", "A", "AAAA", "oA", encode(b"\x9f" * 20_000)])
async def test_junk_is_not_registered(house, junk):
    await house.as_(Role.SUPERVISOR)
    browser = Browser(house)
    await browser.sign_in()
    made = browser.passkey.create((await browser.options())["create"]) | {"attestation": junk}
    answer = await browser.register(credential=made)
    refused(answer, answer.status_code)
    assert answer.status_code in (409, 422)


async def test_a_registration_needs_the_password_a_name_and_staff(house):
    await house.as_(Role.SUPERVISOR)
    browser = Browser(house)
    await browser.sign_in()
    refused(await browser.register(password="wrong horse"), 403, "password")
    refused(await browser.register(name="   "), 409, "like blue key")
    player = await house.as_(Role.PLAYER)
    refused(await player.post("session/passkeys/options"), 403)


# -- Where passkeys do not work ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("origin", "words"), [("http://127.0.0.1", "bare address"), ("http://felt.example", "need https")]
)
async def test_an_address_without_passkeys_says_so(tmp_path, origin, words):
    async with running(tmp_path, network=Network(names=("felt.example",))) as house:
        browser, codes = await enrolled(house)
        other = Browser(house, browser.passkey, origin)
        refused(await other.sign_in(), 428, "Your passkeys work at localhost only")
        assert (await other.sign_in(code=codes[0])).status_code == 200
        refused(await other.send("passkeys/options"), 409, words)


async def test_a_name_with_https_has_passkeys_of_its_own(tmp_path):
    async with running(tmp_path, network=Network(names=("felt.example",))) as house:
        await house.as_(Role.SUPERVISOR)
        browser = Browser(house, origin="https://felt.example:8700")
        await browser.sign_in()
        assert (await browser.register()).status_code == 200
        other = Browser(house, browser.passkey, "https://felt.example:8700")
        proof = browser.passkey.prove(await other.ask_sign_in())
        assert (await other.sign_in(passkey=proof)).status_code == 200
        refused(await Browser(house).sign_in(), 428, "Your passkeys work at felt.example only")


# -- An insider -------------------------------------------------------------------------------------


def rewrite(house, change):
    """Change the data of the event that registered a passkey, as somebody with the database could."""
    with sqlite3.connect(house.pit.folder / "ledger.sqlite") as database:
        database.execute("DROP TRIGGER events_no_UPDATE")
        wanted = "WHERE kind = 'passkey-registered'"
        ((text,),) = database.execute(f"SELECT data FROM events {wanted}").fetchall()
        data = json.loads(text)
        change(data)
        database.execute(f"UPDATE events SET data = ? {wanted}", (json.dumps(data),))
    database.close()


def take_key(passkey):
    def change(data):
        data["passkey"] = passkey.id.hex()
        data["key"] = passkey.cose.hex()

    return change


async def test_an_exchanged_credential_has_no_effect_and_is_found(house):
    await enrolled(house)
    ledger, mine = house.pit.ledger, SoftPasskey(ORIGIN)
    before = verify(ledger).problems  # the accounts of this test have no administrator on record
    rewrite(house, take_key(mine))
    house.app.state.auth.factors = SecondFactors(ledger, house.pit.books.vault)  # as after a restart
    stranger = Browser(house)
    proof = mine.prove(await stranger.ask_sign_in())
    refused(await stranger.sign_in(passkey=proof), 401, "not registered by this server")
    found = [problem for problem in verify(ledger).problems if problem not in before]
    assert {problem.chain for problem in found} >= {"house"}


async def test_a_passkey_that_is_given_to_another_account_has_no_effect(house):
    browser, _ = await enrolled(house)
    await house.as_(Role.AUDITOR)
    rewrite(house, lambda data: data.update(account="the-auditor"))
    house.app.state.auth.factors = SecondFactors(house.pit.ledger, house.pit.books.vault)
    stranger = Browser(house)
    proof = browser.passkey.prove(await stranger.ask_sign_in("the-auditor"))
    refused(await stranger.sign_in("the-auditor", passkey=proof), 401, "not registered by this server")


async def test_the_ledger_has_no_secret_of_a_passkey(house):
    browser, codes = await enrolled(house)
    text = "".join(event.data for event in house.pit.ledger.stored_events())
    assert browser.passkey.cose.hex() in text  # the public half
    for secret in (browser.passkey.private.hex(), *codes):
        assert secret not in text
