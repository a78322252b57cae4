"""A player's own limits over HTTP and WebSocket, and after a restart."""

import asyncio
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest

from feltlab.core.limits import STANDARD_LIMITS
from feltlab.errors import Refused
from feltlab.games import GAMES
from feltlab.pit.approvals import approve_all
from feltlab.pit.pit import Pit, today
from feltlab.pit.roles import Role
from feltlab.pit.seats import Phase, Timers
from feltlab.pit.verify import verify
from tests.support.running import WAR, Client, House, ask_socket, listening, refused, watching

TABLE, OTHER = "war", "rummy"


@asynccontextmanager
async def opened(folder):
    """A house with two tables."""
    pit = Pit(folder)
    await pit.start()
    try:
        games = {TABLE: GAMES[WAR], OTHER: GAMES["triple-shot-rummy"]}
        if not pit.tables:
            await pit.decide(lambda book: approve_all(book, pit.house, games.values(), today()))
            for name, game in games.items():
                await pit.open_table(name, game, "house", STANDARD_LIMITS, Timers())
        yield House(pit)
    finally:
        await pit.stop()


async def sit_with_limit(house: House, cents: int) -> Client:
    guest = await house.guest()
    await guest.at(TABLE, "sit", seat=1, cents=50_000)
    found = await guest.post("limits", loss=cents)
    assert found.status_code == 200, found.text
    assert found.json()["in_force"] == {"loss": cents, "minutes": None, "reminder": None}
    return guest


def wager(guest, cents):
    return guest.at(TABLE, "wager", seat=1, round=1, wagers={"primary": cents})


async def test_a_wager_beyond_the_limit_is_refused_by_http_and_by_socket(tmp_path):
    async with opened(tmp_path) as house:
        guest = await sit_with_limit(house, 5_000)
        refused(await wager(guest, 3_000), 409, "You set a loss limit of $50 a day")
        assert (await wager(guest, 2_500)).status_code == 200
        day = (await guest.get("limits")).json()["day"]
        assert (day["lost"], day["minutes"]) == (0, 0)  # chips on the felt are not lost yet
        async with listening(house) as port, watching(port, TABLE, guest.session) as web:
            reply = await ask_socket(web, act="wager", seat=1, round=1, wagers={"primary": 3_000})
            assert (reply["ok"], reply["status"]) == (False, 409)
            assert "You set a loss limit of $50 a day" in reply["error"]
            assert (await ask_socket(web, act="wager", seat=1, round=1, wagers={"primary": 500}))["ok"]


async def test_a_limit_holds_after_a_restart_and_at_other_tables(tmp_path):
    async with opened(tmp_path) as house:
        guest = await sit_with_limit(house, 5_000)
        assert (await wager(guest, 2_000)).status_code == 200
    async with opened(tmp_path) as house:
        guest = Client(house).known(guest.session, guest.name)
        assert (await guest.get("limits")).json()["in_force"]["loss"] == 5_000
        refused(await wager(guest, 3_000), 409, "this round can lose $60, which is more than $50")
        # $40 are at risk at the first table, so $10 are left for another: less than Ante and Play.
        await guest.at(OTHER, "sit", seat=1, cents=10_000)
        asked = await guest.at(OTHER, "wager", seat=1, round=1, wagers={"ante": 1_000})
        refused(asked, 409, "this round can lose $20, which is more than $10")
        assert verify(house.pit.ledger).as_json()["problems"] == []


async def test_a_looser_limit_waits_and_bad_limits_are_one_sentence(tmp_path):
    async with opened(tmp_path) as house:
        guest = await sit_with_limit(house, 5_000)
        found = (await guest.post("limits", loss=9_000)).json()
        assert (found["in_force"]["loss"], found["wanted"]["loss"]) == (5_000, 9_000)
        assert found["loosens"]
        refused(await guest.post("limits", minutes=2), 409, "A time limit is from 5 to 1,440 minutes.")
        refused(await guest.post("limits", loss="much"), 422)
        refused(await Client(house).post("limits", loss=500), 401)
        refused(await (await house.as_(Role.DEALER)).post("limits", loss=500), 403)


async def test_the_limits_follow_a_guest_to_another_name(tmp_path):
    async with opened(tmp_path) as house:
        guest = await house.guest()
        await guest.post("limits", loss=5_000)
        suggested = (await guest.get("names")).json()["names"][0]
        named = (await guest.post("session/name", name=suggested)).json()
        renamed = Client(house).known(named["session"], named["account"])
        assert (await renamed.get("limits")).json()["in_force"]["loss"] == 5_000
        refused(await guest.get("limits"), 401, "signed out")
        refused(await guest.post("refill"), 401, "signed out")
        with pytest.raises(Refused, match="You have another name by now"):  # whatever session asks
            await house.pit.give(lambda cage: cage.plan_refill(guest.name))
    async with opened(tmp_path) as house:
        refused(await Client(house).known(guest.session, guest.name).post("refill"), 401, "signed out")
        with pytest.raises(Refused, match="You have another name by now"):
            await house.pit.give(lambda cage: cage.plan_refill(guest.name))
        assert verify(house.pit.ledger).as_json()["problems"] == []


async def test_wagers_at_several_tables_at_once_stay_within_the_limit(tmp_path):
    async with opened(tmp_path) as house:
        guest = await sit_with_limit(house, 5_000)
        await guest.at(OTHER, "sit", seat=1, cents=10_000)
        bets = [wager(guest, 2_500), guest.at(OTHER, "wager", seat=1, round=1, wagers={"ante": 2_500})]
        assert sorted(bet.status_code for bet in await asyncio.gather(*bets)) == [200, 409]
        purse = house.pit.books.find_purse(guest.name, "", 0)
        assert purse.at_risk == 5_000


async def test_a_wager_whose_sender_stops_waiting_stays_within_the_limit(tmp_path):
    async with opened(tmp_path) as house:
        guest = await sit_with_limit(house, 5_000)
        await guest.at(OTHER, "sit", seat=1, cents=10_000)
        first = asyncio.create_task(wager(guest, 2_500))
        lock = house.pit.books.player_lock(guest.name)
        while not lock.locked():
            await asyncio.sleep(0)
        first.cancel()
        bet = await guest.at(OTHER, "wager", seat=1, round=1, wagers={"ante": 2_500})
        refused(bet, 409, "your wagers at other seats can lose the rest")


async def test_a_stricter_limit_refuses_the_wager_on_the_felt_as_ready(tmp_path):
    async with opened(tmp_path) as house:
        guest = await sit_with_limit(house, 5_000)
        await wager(guest, 2_500)
        await guest.post("limits", loss=3_000)
        refused(await guest.at(TABLE, "ready", seat=1, round=1), 409, "more than $30; take your wager back.")
        assert (await guest.at(TABLE, "wager", seat=1, round=1, wagers={})).status_code == 200
        await wager(guest, 1_500)
        assert (await guest.at(TABLE, "ready", seat=1, round=1)).status_code == 200


async def test_a_wager_beyond_a_stricter_limit_goes_back_when_the_betting_closes(tmp_path):
    async with opened(tmp_path) as house:
        guest, other = await sit_with_limit(house, 5_000), await house.guest()
        await other.at(TABLE, "sit", seat=2, cents=50_000)
        await wager(guest, 2_500)
        await other.at(TABLE, "wager", seat=2, round=1, wagers={"primary": 500})
        live = house.pit.table(TABLE)
        await guest.post("limits", loss=3_000)
        await live.act(lambda table: table.time_is_up())
        (closed,) = house.pit.ledger.last_events(TABLE, ("no-more-bets",), 1)
        assert closed.data["playing"] == [2]
        view = (await guest.get(f"tables/{TABLE}")).json()
        assert "more than $30; your wager went back to you." in view["limit"]
        assert (view["seats"][0]["bankroll"], view["seats"][0]["staked"]) == (50_000, 0)
        assert (await other.get(f"tables/{TABLE}")).json()["limit"] == ""
        assert verify(house.pit.ledger).as_json()["problems"] == []


async def test_betting_without_any_wager_within_the_limits_stays_open(tmp_path):
    async with opened(tmp_path) as house:
        guest = await sit_with_limit(house, 5_000)
        await wager(guest, 2_500)
        await guest.post("limits", loss=3_000)
        live = house.pit.table(TABLE)
        await live.act(lambda table: table.no_more_bets())  # as a dealer or another player closes it
        assert (live.table.phase, live.table.bettors) == (Phase.BETTING, [])
        assert (await wager(guest, 1_500)).status_code == 200
        assert (await guest.get(f"tables/{TABLE}")).json()["limit"] == ""


async def test_a_limit_that_is_reached_is_told_with_its_end(tmp_path):
    async with opened(tmp_path) as house:
        guest = await sit_with_limit(house, 5_000)
        assert (await guest.get("limits")).json()["reached"] == ""
        await wager(guest, 2_500)
        book = house.pit.books.limits
        book._days[guest.name] = replace(book._days[guest.name], cents=105_000)  # $50 were lost since
        for said in (
            (await guest.get("limits")).json()["reached"],
            (await guest.get(f"tables/{TABLE}")).json()["limit"],
        ):
            assert said.startswith("You set a loss limit of $50 a day and have lost $50; the tables are open")
            assert said.endswith(" UTC.")
