"""The pit by HTTP: answers, refusals, and that a refusal changes nothing."""

import asyncio

import orjson
import pytest

from feltlab.core.cards import cards
from feltlab.games import GAMES
from feltlab.ledger.event import Draft, Entry, Key
from feltlab.ledger.ledger import Ledger, LedgerDown
from feltlab.pit.approvals import approve_all
from feltlab.pit.pit import today
from feltlab.pit.roles import Role
from feltlab.shuffling.machine import commitment_of
from tests.support.felt import BY_HAND, wagers
from tests.support.running import SECRET, WAR, Client, open_waiting_table, refused

TABLE = f"{WAR}-1"


@pytest.fixture
async def ann(house):
    """A guest at seat 1 with $200."""
    ann = await house.guest()
    assert (await ann.at(TABLE, "sit", seat=1, cents=20_000)).status_code == 200
    return ann


# -- Play -------------------------------------------------------------------------------------------


async def test_a_guest_begins_with_a_thousand_dollars(house):
    guest = await house.guest()
    found = (await guest.get("session")).json()
    assert (found["role"], found["balance"], found["acts"]) == ("guest", 100_000, ["play"])


async def play(client, table, seat):
    """Play a round with the first choice that is open; returns the view after it."""
    view = (await client.get(f"tables/{table}")).json()
    game, round = GAMES[view["game"]], view["round"]
    wagers = {spot.name: 1000 for spot in game.wagers[: game.rules.GAMES_PER_HAND]}
    assert (await client.at(table, "wager", seat=seat, round=round, wagers=wagers)).status_code == 200
    found = await client.at(table, "ready", seat=seat, round=round)
    while found.json()["round"] == round:
        (choices,) = [place["choices"] for place in found.json()["seats"] if "choices" in place]
        choice = next(one["choice"] for one in choices if not one["barred"])
        found = await client.at(table, "choose", seat=seat, round=round, choice=choice)
        assert found.status_code == 200, found.text
    return found.json()


@pytest.mark.parametrize("game", GAMES)
async def test_a_round_of_every_game_is_played_and_money_is_conserved(house, game):
    guest, table = await house.guest(), f"{game}-1"
    await guest.at(table, "sit", seat=1, cents=50_000)
    view = await play(guest, table, 1)
    paid = sum(payment["net"] for payment in view["payments"])
    assert view["seats"][0]["bankroll"] == 50_000 + paid
    left = await guest.at(table, "leave", seat=1)
    assert left.json()["seats"][0]["player"] == ""
    assert (await guest.get("session")).json()["balance"] == 100_000 + paid
    cage = house.pit.cage
    assert cage.issued == sum(cage.balances.values()) + cage.at_tables


async def test_a_finished_round_has_its_cards_and_later_its_order(house):
    guest, table = await house.guest(), "high-five-poker-1"
    await guest.at(table, "sit", seat=1, cents=50_000)
    view = await play(guest, table, 1)
    told = (await guest.get(f"tables/{table}/rounds/1")).json()
    assert [payment["net"] for payment in told["payments"]] == [p["net"] for p in view["payments"]]
    assert told["commitment"] == commitment_of(cards(told["order"]), told["salt"])
    assert f"1:{view['seats'][0]['cards'][0]}" in told["dealt"].split()
    (line,) = (await guest.get(f"tables/{table}/rounds", last=5)).json()
    assert line["round"] == 1


async def test_the_order_of_a_shoe_stays_secret_while_cards_are_dealt_from_it(house, ann):
    await play(ann, TABLE, 1)
    told = (await ann.get(f"tables/{TABLE}/rounds/1")).json()
    assert (told["order"], told["salt"]) == (None, None)
    refused(await ann.get(f"tables/{TABLE}/rounds/2"), 409, "not over")
    supervisor = await house.as_(Role.SUPERVISOR)
    assert (await supervisor.at(TABLE, "close", why="night")).status_code == 200
    told = (await ann.get(f"tables/{TABLE}/rounds/1")).json()
    assert told["commitment"] == commitment_of(cards(told["order"]), told["salt"])


async def test_a_refill_needs_a_low_balance(house, ann):
    refused(await ann.post("refill"), 409)
    await ann.at(f"{WAR}-1", "buy", seat=1, cents=79_000)
    found = await ann.post("refill", key="r")
    assert found.json()["balance"] == 100_000
    assert (await ann.post("refill", key="r")).json()["repeated"] is True


# -- What is refused changes nothing ----------------------------------------------------------------

HUGE = 10**30
WAGER = {"seat": 1, "round": 1, "wagers": {"primary": 1000}}
REFUSED = [
    ("wager", WAGER | {"round": 0}, 409, "Round 0 is over; round 1 is in play."),
    ("wager", WAGER | {"round": 7}, 409, "has not begun"),
    ("wager", WAGER | {"wagers": {"primary": 40_100}}, 409, "at most $400"),
    ("wager", WAGER | {"wagers": {"primary": 40_000, "tie": 40_000}}, 409, "at this table"),
    ("wager", WAGER | {"wagers": {"primary": -1000}}, 422, "wagers.primary"),
    ("wager", WAGER | {"wagers": {"primary": HUGE}}, 422, "wagers.primary"),
    ("wager", WAGER | {"wagers": {"primary": 10.0}}, 422, "whole number"),
    ("wager", WAGER | {"wagers": {"primary": True}}, 422, "whole number"),
    ("wager", WAGER | {"wagers": {"primary": "1000"}}, 422, "whole number"),
    ("wager", WAGER | {"wagers": {"nothing": 1000}}, 404, "nothing"),
    ("wager", WAGER | {"wagers": []}, 422, "object"),
    ("wager", WAGER | {"seat": 2}, 409, "empty"),
    ("wager", WAGER | {"seat": 99}, 409, "seats 1 to 7"),
    ("wager", WAGER | {"seat": 0}, 422, "seat"),
    ("wager", WAGER | {"more": 1}, 422, "more is not a field"),
    ("wager", {"seat": 1, "wagers": {}}, 422, "round is missing"),
    ("ready", {"seat": 1, "round": -1}, 422, "round"),
    ("choose", {"seat": 1, "round": 1, "choice": "war"}, 409, "bets are still taken"),
    ("choose", {"seat": 1, "round": 1, "choice": ""}, 422, "choice"),
    ("sit", {"seat": 1, "cents": 10_000}, 409, "taken"),
    ("sit", {"seat": 2, "cents": 10_000}, 409, "only one seat"),
    ("buy", {"seat": 1, "cents": 10**11}, 409, "more than"),
    ("buy", {"seat": 1, "cents": 0}, 422, "cents"),
]


@pytest.mark.parametrize(("act", "body", "status", "words"), REFUSED)
async def test_a_refusal_changes_nothing(house, ann, act, body, status, words):
    before = house.state()
    refused(await ann.at(TABLE, act, **body), status, words)
    assert house.state() == before


BROKEN = [
    b"",
    b"{",
    b"[]",
    b"null",
    b"7",
    b'{"seat":1,"round":1,"wagers":{"primary":NaN}}',
    b'{"seat":1,"round":1,"wagers":{"primary":Infinity}}',
    b'{"seat":1,"seat":1,"round":1,"wagers":{}}',
    b'{"seat":1,"round":1,"wagers":{"\\ud800":1000}}',
    b'{"seat":1,"round":1,"wagers":{"primary":1e999}}',
    b'{"seat":1,"round":1,"wagers":{"primary":' + b"9" * 5000 + b"}}",
    b'{"seat":1,"round":1,"wagers":' + b"[" * 30_000 + b"]" * 30_000 + b"}",
    b'{"seat":1,"round":1,"wagers":' + b'{"a":' * 5000 + b"1" + b"}" * 5000 + b"}",
    b"\xff\xfe{",
    '{"seat":1,"round":1,"wagers":{}}'.encode("utf-16"),
    b'\xef\xbb\xbf{"seat":1,"round":1,"wagers":{}}',
]


@pytest.mark.parametrize("body", BROKEN, ids=range(len(BROKEN)))
async def test_a_body_that_is_not_a_request_is_refused(house, ann, body):
    before = house.state()
    found = await ann.http.post(
        f"/api/tables/{TABLE}/wager", content=body, headers={"Content-Type": "application/json"}
    )
    refused(found, 422)
    assert house.state() == before


@pytest.mark.parametrize(
    "kind", ["", "text/plain", "application/x-www-form-urlencoded", "application/xml; json"]
)
async def test_a_body_of_another_kind_is_refused(ann, kind):
    body = orjson.dumps(WAGER)
    refused(
        await ann.http.post(f"/api/tables/{TABLE}/wager", content=body, headers={"Content-Type": kind}), 415
    )


async def test_a_body_that_is_too_large_is_refused_whole_or_in_pieces(house, ann):
    async def pieces():
        for _ in range(100):
            yield b" " * 1000

    for body in (b" " * 70_000, pieces()):
        found = await ann.http.post(
            f"/api/tables/{TABLE}/wager", content=body, headers={"Content-Type": "application/json"}
        )
        refused(found, 413)


async def test_unknown_addresses_and_methods_are_answered_in_a_sentence(house, ann):
    refused(await ann.get("nothing"), 404)
    refused(await ann.get("tables/nothing"), 404, "not a table")
    refused(await ann.get("games/faro"), 404, "not a game")
    refused(await ann.http.put("/api/tables"), 405)
    refused(await ann.get("tables/casino-war-1/rounds/x"), 422)
    refused(await ann.get("tables/casino-war-1/rounds", last=0), 422)


async def test_a_bet_after_no_more_bets_is_refused(house):
    await open_waiting_table(house)
    ann, dealer = await house.guest(), await house.as_(Role.DEALER)
    await ann.at("waiting", "sit", seat=1, cents=20_000)
    await ann.at("waiting", "wager", **WAGER)
    assert (await dealer.at("waiting", "no-more-bets")).json()["phase"] == "no more bets"
    before = house.state()
    refused(await ann.at("waiting", "wager", **WAGER), 409, "No more bets")
    refused(await ann.at("waiting", "buy", seat=1, cents=1000), 409, "between rounds")
    refused(await dealer.at("waiting", "no-more-bets"), 409)
    assert house.state() == before


async def test_the_dealer_ends_the_dealers_phases_and_never_chooses(house):
    await open_waiting_table(house, "high-five-poker")
    ann, dealer = await house.guest(), await house.as_(Role.DEALER)
    refused(await dealer.at("waiting", "advance"), 409, "does not wait for its dealer")
    await ann.at("waiting", "sit", seat=1, cents=20_000)
    await ann.at("waiting", "wager", seat=1, round=1, wagers={"ante": 1000})
    await dealer.at("waiting", "no-more-bets")
    assert (await dealer.at("waiting", "advance")).json()["phase"] == "dealing"
    assert (await dealer.at("waiting", "advance")).json()["phase"] == "choosing"
    refused(await dealer.at("waiting", "advance"), 409)
    assert (await ann.at("waiting", "choose", seat=1, round=1, choice="fold")).json()["phase"] == "reveal"
    assert (await dealer.at("waiting", "advance")).json()["phase"] == "settling"
    assert (await dealer.at("waiting", "advance")).json()["round"] == 2


async def _reach_paying(house):
    """A table of Triple Shot Bonus, whose first wagers are settled while the round goes on."""
    await open_waiting_table(house, "triple-shot-bonus", timers=BY_HAND)
    ann, dealer = await house.guest(), await house.as_(Role.DEALER)
    await ann.at("waiting", "sit", seat=1, cents=20_000)
    await ann.at("waiting", "wager", seat=1, round=1, wagers=wagers(GAMES["triple-shot-bonus"]))
    view = (await dealer.at("waiting", "no-more-bets")).json()
    while view["phase"] != "paying":
        view = (await dealer.at("waiting", "advance")).json()
    return dealer, view


async def test_of_many_clicks_of_the_dealer_one_ends_the_phase_that_the_dealer_saw(house):
    dealer, view = await _reach_paying(house)
    moment = {"round": 1, "phase": "paying", "stage": 1}
    assert moment == {name: view[name] for name in moment}
    answers = await asyncio.gather(*(dealer.at("waiting", "advance", **moment) for _ in range(6)))
    assert sorted(answer.status_code for answer in answers) == [200, *[409] * 5]
    after = (await dealer.get("tables/waiting")).json()
    done = next(answer.json() for answer in answers if answer.status_code == 200)
    assert (after["phase"], after["version"]) == (done["phase"], done["version"]), "the others did nothing"
    late = next(answer for answer in answers if answer.status_code == 409)
    refused(late, 409, f"The table is in the phase '{after['phase']}', not in 'paying'.")


async def test_a_click_for_another_stage_or_round_is_refused_and_an_old_client_names_none(house):
    dealer, _ = await _reach_paying(house)
    before = house.state()
    for moment, words in (
        ({"phase": "paying", "stage": 2}, "The table is at stage 1 of the round, not at 2."),
        ({"phase": "dealing", "stage": 1}, "The table is in the phase 'paying', not in 'dealing'."),
        ({"round": 2}, "Round 2 has not begun"),
        ({"round": 0}, "Round 0 is over"),
    ):
        refused(await dealer.at("waiting", "advance", **moment), 409, words)
    assert (await dealer.at("waiting", "advance", stage="1")).status_code in (400, 422)
    assert house.state() == before
    assert (await dealer.at("waiting", "advance")).status_code == 200


# -- Once -------------------------------------------------------------------------------------------


async def test_a_repeated_request_with_a_key_acts_once(house, ann):
    first = await ann.at(TABLE, "ready", key="k1", seat=1, round=1)
    assert "repeated" not in first.json()
    before = house.state()
    again = await ann.at(TABLE, "ready", key="k1", seat=1, round=1)
    assert (again.status_code, again.json()["repeated"]) == (200, True)
    assert again.json()["seats"] == first.json()["seats"]
    refused(await ann.at(TABLE, "ready", key="k2", seat=1, round=1), 409, "ready already")
    refused(await ann.at(TABLE, "ready", seat=1, round=1), 409, "ready already")
    refused(await ann.at(TABLE, "wager", key="k1", **WAGER), 409, "key was used for another")
    assert house.state() == before


async def test_a_repeat_that_the_table_would_accept_also_acts_once(house, ann):
    await ann.at(TABLE, "buy", key="b", seat=1, cents=1000)
    again = await ann.at(TABLE, "buy", key="b", seat=1, cents=1000)
    assert again.json()["repeated"] is True
    assert again.json()["seats"][0]["bankroll"] == 21_000
    other = await house.guest()  # another account has its own keys
    found = await other.at(TABLE, "sit", key="b", seat=2, cents=1000)
    assert "repeated" not in found.json()


async def test_a_key_outlives_its_round(house, ann):
    await ann.at(TABLE, "wager", **WAGER)
    first = await ann.at(TABLE, "ready", key="k", seat=1, round=1)
    assert first.status_code == 200
    again = await ann.at(TABLE, "ready", key="k", seat=1, round=1)
    assert again.json()["repeated"] is True


async def test_many_copies_of_a_request_at_once_act_once(house, ann):
    found = await asyncio.gather(*(ann.at(TABLE, "buy", key="same", seat=1, cents=1000) for _ in range(20)))
    assert {response.status_code for response in found} == {200}
    assert sum("repeated" not in response.json() for response in found) == 1
    assert house.pit.tables[TABLE].table.places[0].bankroll == 21_000


async def test_of_two_clients_that_act_for_one_seat_one_succeeds(house, ann):
    twin = Client(house).known(ann.session, ann.name)
    await ann.at(TABLE, "wager", **WAGER)
    found = await asyncio.gather(*(who.at(TABLE, "ready", seat=1, round=1) for who in (ann, twin)))
    assert sorted(response.status_code for response in found) == [200, 409]


async def test_of_many_players_who_take_a_seat_one_gets_it(house):
    guests = [await house.guest() for _ in range(8)]
    found = await asyncio.gather(*(guest.at(TABLE, "sit", seat=3, cents=1000) for guest in guests))
    assert sorted(response.status_code for response in found) == [200] + [409] * 7
    assert sorted(house.pit.cage.balance(guest.name) for guest in guests) == [99_000] + [100_000] * 7


async def test_of_many_supervisors_who_open_a_table_one_does(house):
    boss = await house.as_(Role.SUPERVISOR)
    found = await asyncio.gather(*(boss.post("tables", name="new-one", game=WAR) for _ in range(5)))
    assert sorted(response.status_code for response in found) == [201] + [409] * 4


# -- The house --------------------------------------------------------------------------------------


async def test_a_supervisor_opens_closes_voids_and_drills(house):
    boss, ann = await house.as_(Role.SUPERVISOR), await house.guest()
    timers = {"betting": 1.5, "choosing": None}
    opened = await boss.post("tables", name="east-2", game=WAR, options={"decks": "6"}, timers=timers)
    assert opened.status_code == 201, opened.text
    await ann.at("east-2", "sit", seat=1, cents=20_000)
    await ann.at("east-2", "wager", **WAGER)
    voided = await boss.at("east-2", "void", reason="a card fell")
    assert voided.json()["seats"][0]["bankroll"] == 20_000
    refused(await boss.at("east-2", "drill", fault="fire"), 409, "not a fault")
    assert (await boss.at("east-2", "drill", fault="jam")).status_code == 200
    await ann.at("east-2", "wager", **WAGER | {"round": 2})
    failed = await ann.at("east-2", "ready", seat=1, round=2)
    assert (failed.json()["round"], failed.json()["shuffler"]) == (3, "main")
    assert failed.json()["waits"].startswith("The shuffler shows 'JAM: CLEAR THE PATH'")
    assert failed.json()["seats"][0]["bankroll"] == 20_000
    assert (await boss.at("east-2", "close")).json()["phase"] == "closed"
    refused(await boss.at("east-2", "close"), 409, "closed")
    assert house.pit.cage.balance(ann.name) == 100_000


async def test_a_table_needs_an_approval_for_its_options_and_pays(house):
    boss = await house.as_(Role.SUPERVISOR)
    eight = {"name": "eight", "game": WAR, "options": {"decks": "8"}}
    refused(await boss.post("tables", **eight), 409, "decks=6")
    refused(await boss.post("tables", **eight | {"options": {"decks": "nine"}}), 409, "decks=nine")
    refused(await boss.post("tables", **eight | {"limits": {"maximum": 50_000}}), 409, "cap")
    refused(await boss.post("tables", **eight | {"name": "No Name"}), 409, "name")
    refused(await boss.post("tables", **eight | {"pays": {"tie": {"tie": "1/0"}}}), 422)
    eight_decks = GAMES[WAR].with_options({"decks": "8"})
    await house.pit.decide(lambda register: approve_all(register, house.pit.house, [eight_decks], today()))
    assert (await boss.post("tables", **eight)).status_code == 201


async def test_auditors_read_meters_events_heads_and_slips(house, ann):
    auditor, boss = await house.as_(Role.AUDITOR), await house.as_(Role.SUPERVISOR)
    await play(ann, TABLE, 1)
    found = (await auditor.get(f"tables/{TABLE}/meters")).json()
    assert (found["meters"]["rounds"], found["meters"]["drop"], found["expected"]) == (1, 20_000, None)
    await boss.at(TABLE, "close", why="night")
    kinds = [event["kind"] for event in (await auditor.get("events")).json()]
    assert {"opened", "closed", "started", "approval-step"} <= set(kinds)
    first, second = (await auditor.get("events", last=2)).json()
    older = (await auditor.get("events", last=1, before=first["sequence"])).json()
    assert older == [second]
    heads = (await auditor.get("ledger/heads")).json()
    assert set(heads) == set(house.pit.ledger.chains())
    slips = (await auditor.get("slips", table=TABLE)).json()
    assert [(slip["kind"], slip["meters"]["rounds"]) for slip in slips] == [("open", 0), ("close", 1)]
    assert (await auditor.get("approvals")).json()[0]["in_force"]


async def test_health_says_whether_the_ledger_is_written(house, monkeypatch):
    nobody = Client(house)
    assert (await nobody.get("health")).json()["ok"] is True
    monkeypatch.setattr(Ledger, "down", "The ledger cannot be written: disk full; nothing was accepted.")
    refused(await nobody.get("health"), 503, "disk full")


# -- When the ledger is down ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("act", "body"),
    [
        ("wager", WAGER),
        ("ready", {"seat": 1, "round": 1}),
        ("leave", {"seat": 1}),
        ("buy", {"seat": 1, "cents": 500}),
    ],
)
async def test_while_the_ledger_is_down_nothing_changes_and_afterwards_play_goes_on(
    house, ann, monkeypatch, act, body
):
    def down(*_):
        raise LedgerDown("The ledger cannot be written: disk full; nothing was accepted.")

    before = house.state()
    with monkeypatch.context() as patched:
        patched.setattr(Ledger, "append", down)
        patched.setattr(Ledger, "write", down)
        refused(await ann.at(TABLE, act, **body), 503, "disk full")
        refused(await Client(house).post("session/guest"), 503, "disk full")
    assert house.state() == before
    assert (await ann.at(TABLE, act, **body)).status_code == 200


async def test_an_action_whose_answer_was_lost_is_still_seen(house, ann, monkeypatch):
    write, down = Ledger.write, "The ledger cannot be written: gone; it is not known whether it was accepted."

    def lost(self, entry, then):
        write(self, entry, lambda failure: then(failure or LedgerDown(down)))

    with monkeypatch.context() as patched:
        patched.setattr(Ledger, "write", lost)
        refused(await ann.at(TABLE, "wager", key="w", **WAGER), 503)
    again = await ann.at(TABLE, "wager", key="w", **WAGER)
    assert again.json()["repeated"] is True
    assert again.json()["seats"][0]["wagers"] == {"primary": 1000}


# -- Accounts ---------------------------------------------------------------------------------------


async def test_a_player_registers_signs_in_and_changes_the_password(house):
    bea = Client(house)
    made = await bea.post("accounts", name="Bea", password=SECRET)
    assert (made.status_code, made.json()["account"], made.json()["balance"]) == (201, "bea", 100_000)
    refused(await Client(house).post("accounts", name="bea", password=SECRET), 409, "taken")
    refused(await Client(house).post("accounts", name="carl", password="short"), 409, "10 to 200")
    refused(await Client(house).post("session", name="bea", password="wrong password"), 401, "is wrong")
    refused(await Client(house).post("session", name="nobody", password=SECRET), 401, "is wrong")
    signed = (await Client(house).post("session", name="bea", password=SECRET)).json()
    bea.known(signed["session"], "bea")
    refused(await bea.post("session/password", old="wrong password", new=SECRET + "2"), 403, "is wrong")
    changed = await bea.post("session/password", old=SECRET, new=SECRET + "2")
    assert changed.status_code == 200
    refused(await bea.get("session"), 401, "changed")
    assert (await bea.known(changed.json()["session"], "bea").get("session")).json()["account"] == "bea"


async def test_an_administrator_makes_changes_and_disables_accounts(house):
    admin = await house.as_(Role.ADMINISTRATOR)
    refused(await admin.post("accounts", name="eve", password=SECRET, role="king"), 404, "not a role")
    made = await admin.post("accounts", name="eve", password=SECRET, role="dealer")
    assert made.json() == {
        "name": "eve",
        "role": "dealer",
        "disabled": False,
        "created": made.json()["created"],
    }
    eve = (await Client(house).post("session", name="eve", password=SECRET)).json()
    assert eve["acts"] == ["deal"]
    eve = Client(house).known(eve["session"], "eve")
    patched = await admin.http.patch("/api/accounts/eve", json={"disabled": True})
    assert patched.json()["disabled"] is True
    refused(await eve.get("session"), 401)
    refused(await Client(house).post("session", name="eve", password=SECRET), 401, "disabled")
    reset = await admin.http.patch("/api/accounts/eve", json={"disabled": False, "reset_password": True})
    again = await Client(house).post("session", name="eve", password=reset.json()["password"])
    assert again.status_code == 200
    refused(await admin.http.patch("/api/accounts/nobody", json={"disabled": True}), 404, "no account")
    refused(await admin.http.patch("/api/accounts/the-administrator", json={"disabled": True}), 409)
    assert {"eve", "the-administrator"} <= {one["name"] for one in (await admin.get("accounts")).json()}


# -- The documentation ------------------------------------------------------------------------------


async def test_the_documentation_lists_every_operation_and_loads_nothing_from_other_sites(house):
    nobody = Client(house)
    page = (await nobody.http.get("/docs")).text
    paths = (await nobody.http.get("/openapi.json")).json()["paths"]
    for path, methods in paths.items():
        for method in methods:
            assert f"{method.upper()} {path}" in page
    assert "http" not in page.replace("<!doctype html>", "").replace("HTTP", "")
    assert "<script" not in page
    assert (await nobody.http.get("/docs/style.css")).headers["content-type"].startswith("text/css")


async def test_games_and_tables_are_listed_for_everyone(house):
    nobody = Client(house)
    assert [game["game"] for game in (await nobody.get("games")).json()] == list(GAMES)
    assert (await nobody.get(f"games/{WAR}")).json()["spots"][0]["spot"] == "primary"
    assert len((await nobody.get("tables")).json()) == len(GAMES)
    assert (await nobody.get(f"tables/{TABLE}")).json()["phase"] == "betting"


async def test_a_key_of_the_ledger_can_be_looked_up(house):
    ledger, key = house.pit.ledger, Key("ann", "k", "digest")
    assert ledger.find_request(key) is None
    await ledger.append(Entry((Draft("house", "noted", {}),), key=key))
    assert ledger.find_request(key) == "digest"
