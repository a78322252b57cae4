"""Private tables: one's own at once, shared by an invitation, closed to strangers, and used again."""

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from feltlab.core.limits import STANDARD_LIMITS
from feltlab.errors import Refused
from feltlab.games import GAMES
from feltlab.ledger.event import HOUSE_ACTOR
from feltlab.pit.approvals import DEMO
from feltlab.pit.approvals import House as PitHouse
from feltlab.pit.live_table import GRACE_SECONDS
from feltlab.pit.pit import PUBLIC_TIMERS, Pit
from feltlab.pit.players.names import call_player
from feltlab.pit.players.presence import AWAY, PRESENT_SECONDS, SOLO_AWAY, Presence
from feltlab.pit.players.solo import MAX_OWN_TABLES
from feltlab.pit.roles import Role
from feltlab.pit.seats import Phase
from feltlab.pit.verify import verify
from feltlab.server.rate_limits import RateLimit
from tests.support.pages import play_round
from tests.support.running import (
    WAR,
    Client,
    ask_socket,
    generous,
    listening,
    refused,
    running,
    wait_for_view,
    wait_until,
    watching,
)

FIRST = f"{WAR}-solo-1"
FOLDING = "high-five-poker"  # every round has a choice


async def open_solo(guest, game=WAR, **terms):
    found = await guest.post("solo", game=game, **terms)
    assert found.status_code == 201, found.text
    return found.json()


def own_seat(view):
    (seat,) = [seat for seat in view["seats"] if seat.get("yours")]
    return seat


class Clock:
    """A clock that a test turns."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


async def test_one_request_seats_a_guest_at_a_private_table(house):
    ann = await house.guest()
    view = await open_solo(ann)
    assert (view["table"], view["private"], view["own"], view["practice"]) == (FIRST, True, True, "")
    assert (own_seat(view)["bankroll"], own_seat(view)["present"]) == (20_000, True)
    assert own_seat(view)["name"] == call_player(ann.name) != ann.name
    assert view["timers"] == {**view["timers"], "betting": None, "choosing": None}
    again = await ann.post("solo", game=WAR)
    assert (again.status_code, again.json()["table"]) == (200, FIRST)
    assert house.pit.cage.balances[ann.name] == 80_000
    await play_round(ann, FIRST, own_seat(view)["seat"])
    assert house.pit.table(FIRST).table.meters.rounds == 1
    assert verify(house.pit.ledger).problems == []


async def test_strangers_are_refused_and_see_nothing(house):
    ann, eve = await house.guest(), await house.guest()
    seat = own_seat(await open_solo(ann))["seat"]
    await play_round(ann, FIRST, seat)
    for stranger in (eve, Client(house)):
        refused(await stranger.get(f"tables/{FIRST}"), 403, "private")
        assert FIRST not in [one["table"] for one in (await stranger.get("tables")).json()]
    refused(await eve.at(FIRST, "sit", seat=2, cents=1000), 403, "private")
    refused(await eve.at(FIRST, "say", phrase="Hello"), 403, "private")
    refused(await eve.at(FIRST, "invite"), 403, "private")
    refused(await eve.get(f"tables/{FIRST}/rounds"), 403, "private")
    for round in (1, 2):
        refused(await eve.get(f"tables/{FIRST}/rounds/{round}"), 403, "private")
    refused(await eve.get(f"tables/{FIRST}", invite="x" * 22), 403, "private")
    async with listening(house) as port:
        with pytest.raises(InvalidStatus):
            await watching(port, FIRST, eve.session).__aenter__()
    sue = await house.as_(Role.SUPERVISOR)
    assert (await sue.get(f"tables/{FIRST}")).status_code == 200
    assert FIRST in [one["table"] for one in (await sue.get("tables")).json()]
    assert [one["round"] for one in (await ann.get(f"tables/{FIRST}/rounds")).json()] == [1]


async def test_an_invitation_lets_others_in_and_clocks_run_for_two(house):
    ann, bob = await house.guest(), await house.guest()
    mine = own_seat(await open_solo(ann))["seat"]
    link = (await ann.at(FIRST, "invite")).json()["link"]
    assert (await ann.at(FIRST, "invite")).json()["link"] == link
    code = link.partition("?invite=")[2]
    assert len(code) == 22
    assert code not in str([event.data for event in house.pit.ledger.events(FIRST)])
    await ann.at(FIRST, "wager", seat=mine, round=1, wagers={"primary": 1000})
    live = house.pit.table(FIRST)
    assert live.seconds is None  # alone at the table, nobody is hurried
    sat = await bob.http.post(f"/api/tables/{FIRST}/sit?invite={code}", json={"seat": 1, "cents": 20_000})
    assert sat.status_code == 200, sat.text
    assert sat.json()["own"] is False
    assert live.seconds is not None
    assert FIRST in [one["table"] for one in (await bob.get("tables")).json()]  # without the code from now on
    refused(await bob.at(FIRST, "invite"), 403, "Only the owner")
    await ann.at(FIRST, "leave", seat=mine)
    assert live.table.phase == Phase.BETTING
    await bob.at(FIRST, "leave", seat=1)
    assert live.table.phase == Phase.CLOSED
    eve = await house.guest()
    assert (await eve.get(f"tables/{FIRST}", invite=code)).json()["phase"] == "closed"
    await open_solo(ann)
    refused(await (await house.guest()).get(f"tables/{FIRST}", invite=code), 403, "private")
    assert verify(house.pit.ledger).problems == []


async def test_closed_tables_are_used_again_and_their_old_owners_are_strangers(house):
    ann, bob = await house.guest(), await house.guest()
    seat = own_seat(await open_solo(ann))["seat"]
    await play_round(ann, FIRST, seat)
    async with listening(house) as port, watching(port, FIRST, ann.session) as web:
        await wait_for_view(web, lambda view: view["own"])
        await ann.at(FIRST, "leave", seat=seat)
        await wait_for_view(web, lambda view: view["phase"] == "closed")
        chains = set(house.pit.ledger.chains())
        view = await open_solo(bob, options={"decks": "8"})
        assert (view["table"], view["round"], set(house.pit.ledger.chains())) == (FIRST, 3, chains)
        with pytest.raises(ConnectionClosed) as closed:
            await wait_for_view(web, lambda view: False)
        assert closed.value.rcvd.code == 4403
    refused(await ann.get(f"tables/{FIRST}"), 403, "private")
    assert (await ann.get(f"tables/{FIRST}/rounds/1")).status_code == 200  # her own round stays hers
    refused(await bob.get(f"tables/{FIRST}/rounds/1"), 403, "private")
    assert (await bob.get(f"tables/{FIRST}/rounds")).json() == []


async def test_other_options_and_pays_make_a_practice_table(house):
    ann = await house.guest()
    view = await open_solo(ann, options={"decks": "8"}, pays={"tie": {"tie": "12"}})
    assert view["practice"].startswith("Practice table")
    table = house.pit.table(view["table"]).table
    assert (table.approval, table.practice) == (0, True)
    await play_round(ann, table.name, own_seat(view)["seat"])
    report = verify(house.pit.ledger)
    assert (report.problems, report.private, report.practice) == ([], 1, 1)
    refused(await ann.post("solo", game=WAR, pays={"tie": {"nothing": "2"}}), 404)
    refused(await ann.post("solo", game=WAR, pays={"tie": {"tie": "-2"}}), 422)
    refused(await ann.post("solo", game="nothing"), 404)
    house.pit.house = PitHouse(DEMO.name, DEMO.kinds)  # a house of its own approvals
    refused(await ann.post("solo", game=WAR, options={"decks": "4"}), 409, "is for decks")
    assert (await ann.post("solo", game=FOLDING)).status_code == 201


async def test_an_account_has_few_tables_and_a_key_opens_one(house):
    ann = await house.guest()
    for game in list(GAMES)[:MAX_OWN_TABLES]:
        assert (await ann.post("solo", game=game, key=f"key {game}".replace(" ", "-"))).status_code == 201
    one = list(GAMES)[MAX_OWN_TABLES]
    refused(await ann.post("solo", game=one), 409, f"You have {MAX_OWN_TABLES} tables of your own already")
    assert sum(live.table.is_private for live in house.pit.tables.values()) == MAX_OWN_TABLES
    refused(await (await house.as_(Role.DEALER)).post("solo", game=one), 403)
    refused(await Client(house).post("solo", game=one), 401)
    terms = GAMES[WAR], HOUSE_ACTOR, STANDARD_LIMITS, PUBLIC_TIMERS
    with pytest.raises(Refused, match="for private tables"):
        await house.pit.open_table(f"{WAR}-solo-9", *terms)


async def test_a_private_table_survives_a_restart_in_mid_round(tmp_path):
    async with running(tmp_path) as house:
        ann = await house.guest()
        view = await open_solo(ann, FOLDING)
        name, seat = view["table"], own_seat(view)["seat"]
        link = (await ann.at(name, "invite")).json()["link"]
        await ann.at(name, "wager", seat=seat, round=1, wagers={"ante": 1000})
        before = (await ann.at(name, "ready", seat=seat, round=1)).json()
        assert before["phase"] == "choosing"
    pit = Pit(tmp_path)
    await pit.start()
    try:
        table = pit.table(name).table
        assert (table.owner, table.phase, table.timers) == (ann.name, Phase.CHOOSING, PUBLIC_TIMERS)
        assert pit.invitations.admits(table, link.partition("=")[2])
        assert not pit.public_tables or all(not live.table.is_private for live in pit.public_tables)
        await pit.table(name).act(lambda table: table.leave(ann.name, seat - 1))
        assert pit.table(name).table.phase == Phase.CLOSED
    finally:
        await pit.stop()


async def test_a_lost_connection_gets_a_time_of_grace(house, monkeypatch):
    ann, bob = await house.guest(), await house.guest()
    table = f"{FOLDING}-1"
    live = house.pit.table(table)
    async with listening(house) as port, watching(port, table, bob.session) as his:
        async with watching(port, table, ann.session) as hers:
            for web, seat in ((hers, 1), (his, 2)):
                await ask_socket(web, act="sit", seat=seat, cents=20_000)
                await ask_socket(web, act="wager", seat=seat, round=1, wagers={"ante": 1000})
            await ask_socket(hers, act="ready", seat=1, round=1)
            await ask_socket(his, act="ready", seat=2, round=1)
            await wait_until(lambda: live.table.turn == 0)
            view = (await bob.get(f"tables/{table}")).json()
            assert (view["awaits"], view["grace"]) == ([1], GRACE_SECONDS)
            live._cancel_timer()  # three seconds are left
            live._moment = moment = live._moment
            live._call_in(3)
        await wait_until(lambda: live.seconds > GRACE_SECONDS - 2)
        live._lengthen_clock()
        assert live._graced == moment  # once for each choice
        clock = Clock()
        clock.now = PRESENT_SECONDS + live.presence._clock()
        monkeypatch.setattr(live.presence, "_clock", clock)
        live._look_at_company()
        view = await wait_for_view(his, lambda view: not view["seats"][0]["present"])
        assert view["seats"][1]["present"]


async def test_absent_players_are_not_waited_for_and_lose_their_seats(house, monkeypatch):
    ann, bob = await house.guest(), await house.guest()
    table, live = f"{WAR}-1", house.pit.table(f"{WAR}-1")
    clock = Clock()
    monkeypatch.setattr(live, "presence", Presence(clock))
    for guest, seat in ((ann, 1), (bob, 2)):
        await guest.at(table, "sit", seat=seat, cents=20_000)
        await guest.at(table, "wager", seat=seat, round=1, wagers={"primary": 1000})
        await guest.at(table, "ready", seat=seat, round=1)
    while live.table.turn is not None:
        await live.act(lambda one: one.time_is_up())
    round = live.table.round
    clock.now += PRESENT_SECONDS
    view = (await bob.at(table, "wager", seat=2, round=round, wagers={"primary": 1000})).json()
    assert view["awaits"] == [2]  # not the seat whose player is away
    await bob.at(table, "ready", seat=2, round=round)
    await wait_until(lambda: live.table.phase != Phase.BETTING or live.table.round > round)
    assert live.table.playing in ((1,), ())
    while live.table.turn is not None:
        await live.act(lambda one: one.time_is_up())
    clock.now += 60
    await bob.get(f"tables/{table}")
    chips = live.table.place(0).bankroll
    await house.pit.give_up_seats(live)
    assert [bool(place) for place in live.table.places[:2]] == [False, True]
    assert [event.data["why"] for event in house.pit.ledger.last_events(table, ("left",), 1)] == [AWAY]
    (told,) = (await ann.get("departures")).json()
    assert (told["table"], told["cents"]) == (table, chips)
    assert "nobody was at the seat for a minute" in told["said"]
    assert (await ann.get(f"tables/{table}")).json()["departed"] == told["said"]
    assert (await bob.get(f"tables/{table}")).json()["departed"] == ""
    await open_solo(ann)
    assert (await ann.get("departures")).json() == []


async def test_at_ones_own_table_minutes_away_lose_nothing(house, monkeypatch):
    ann = await house.guest()
    view = await open_solo(ann, FOLDING)
    name, seat = view["table"], own_seat(view)["seat"]
    live, clock = house.pit.table(name), Clock()
    monkeypatch.setattr(live, "presence", Presence(clock))
    await ann.at(name, "wager", seat=seat, round=1, wagers={"ante": 1000})
    await ann.at(name, "ready", seat=seat, round=1)
    clock.now += 600
    await house.pit.give_up_seats(live)
    assert live.table.phase == Phase.CHOOSING
    clock.now += 300
    await house.pit.give_up_seats(live)  # the house rule plays the round, and the table closes
    assert live.table.phase == Phase.CLOSED
    assert house.pit.cage.balances[ann.name] == 99_000
    assert [one["why"] for one in (await ann.get("departures")).json()] == [SOLO_AWAY]
    assert verify(house.pit.ledger).problems == []


async def test_phrases_are_polite_few_and_shown_at_the_seat(tmp_path):
    async with running(tmp_path, allowance=generous(phrases=RateLimit(1e-3, 2))) as house:
        ann = await house.guest()
        view = await open_solo(ann)
        last = house.pit.ledger.last_sequence()
        async with listening(house) as port, watching(port, FIRST, ann.session) as web:
            assert (await ask_socket(web, act="say", phrase="Good luck"))["ok"]
            seen = await wait_for_view(web, lambda view: own_seat(view)["said"])
            assert own_seat(seen)["said"] == "Good luck"
            assert (await ask_socket(web, act="say", phrase="Sod off"))["status"] == 409
            assert (await ask_socket(web, act="say", phrase="Good luck"))["status"] == 429
        assert house.pit.ledger.last_sequence() == last
        assert view["own"]


async def test_a_guest_chooses_another_name_and_keeps_the_money(house):
    ann = await house.guest()
    seat = own_seat(await open_solo(ann))["seat"]
    name = (await ann.get("names")).json()["names"][0]
    refused(await ann.post("session/name", name=name), 409, "Leave your seats first")
    await ann.at(FIRST, "leave", seat=seat)
    refused(await ann.post("session/name", name="Sod Off"), 409, "one of the names")
    found = (await ann.post("session/name", name=name)).json()
    assert (found["name"], call_player(found["account"]), found["balance"]) == (name, name, 100_000)
    assert house.pit.cage.balances[ann.name] == 0
    assert verify(house.pit.ledger).problems == []
    player = await house.as_(Role.PLAYER)
    refused(await player.post("session/name", name=name), 403, "Only a guest")


async def test_a_pay_that_cannot_be_paid_is_refused_in_plain_words(house):
    ann = await house.guest()
    said = "Under these pays the Tie wager must be a multiple of $0.03 to pay whole cents, and $10 is not."
    refused(await ann.post("solo", game=WAR, pays={"tie": {"tie": "1/3"}}), 409, said)
    for pay in ("-5", "1e9", "", "1/0", "2\n"):
        asked = await ann.post("solo", game=WAR, pays={"tie": {"tie": pay}})
        refused(asked, 422, "pays.tie.tie: a pay is to 1 and is written like 2, 1/2 or 1.5.")


async def test_a_repeated_request_for_a_table_says_so(house):
    ann = await house.guest()
    first, again = [await ann.post("solo", key="k", game=WAR) for _ in range(2)]
    assert (first.status_code, again.status_code) == (201, 200)
    assert ("repeated" in first.json(), again.json()["repeated"]) == (False, True)
    refused(await ann.post("solo", key="k", game=FOLDING), 409, "This key was used for another request.")


async def test_a_guest_keeps_private_rounds_under_another_name(house):
    ann = await house.guest()
    seat = own_seat(await open_solo(ann))["seat"]
    await play_round(ann, FIRST, seat)
    await ann.at(FIRST, "leave", seat=seat)
    for name in ("Quiet Heron", "Calm Otter"):
        named = (await ann.post("session/name", name=name)).json()
        ann = Client(house).known(named["session"], named["account"])
    assert (await ann.get(f"tables/{FIRST}/rounds/1")).status_code == 200
    eve = await house.guest()
    refused(await eve.get(f"tables/{FIRST}/rounds/1"), 403, "private")
    assert verify(house.pit.ledger).problems == []


async def test_a_socket_stops_at_once_when_its_session_is_signed_out(house):
    ann = await house.guest()
    await open_solo(ann)
    async with listening(house) as port, watching(port, FIRST, ann.session) as web:
        assert (await ask_socket(web, act="say", phrase="Hello"))["ok"]
        await ann.http.delete("/api/session")
        with pytest.raises(ConnectionClosed) as closed:
            await ask_socket(web, act="say", phrase="Hello")
        assert closed.value.rcvd.code == 4401
