"""My hands: the list of a player's rounds, its verdicts, and the way from a round to the trainer."""

import asyncio
import csv
import io
from fractions import Fraction
from urllib.parse import parse_qsl

import pytest

from feltlab.core.position import read_position
from feltlab.games import GAMES
from feltlab.proving.proof import prove
from tests.support.pages import open_house, play_round

POKER = "three-card-poker"
WAIT_SECONDS = 300


@pytest.fixture
async def house(tmp_path):
    async with open_house(tmp_path) as house:
        yield house


async def sit_and_play(house, game=POKER, rounds=1, likes=()):
    """A guest who plays rounds and stays seated, and a visitor with the guest's session."""
    guest, visitor = await house.guest(), await house.visitor()
    table = f"{game}-1"
    assert (await guest.at(table, "sit", seat=1, cents=50_000)).status_code == 200
    for _ in range(rounds):
        await play_round(guest, table, 1, likes)
    visitor.cookies.set("feltlab-session", guest.session)
    return guest, visitor


async def read_judged(visitor, address="/hands.json"):
    """The page as JSON, once everything on it is worked out."""
    async with asyncio.timeout(WAIT_SECONDS):
        while True:
            data = (await visitor.get(address)).json()
            if not data["totals"]["waiting"]:
                return data
            await asyncio.sleep(0.2)


async def test_rounds_are_listed_with_cards_and_results_before_they_are_judged(house):
    _, visitor = await sit_and_play(house, rounds=2)
    data = (await visitor.get("/hands.json")).json()
    page = (await visitor.get("/hands")).text
    records = [(await visitor.get(f"/tables/{POKER}-1/rounds/{n}.json")).json() for n in (2, 1)]
    for found, record in zip(data["rounds"], records, strict=True):
        own = next(hand for hand in record["hands"] if hand["to"] == "1")
        dealer = next(hand for hand in record["hands"] if hand["to"] == "dealer")
        assert found["result"] == own["net"]["cents"]
        assert found["cards"]["player"] == [card["card"] for card in own["cards"]]
        assert found["cards"]["dealer"] == [card["card"] for card in dealer["cards"]]
        assert f'href="/tables/{POKER}-1/rounds/{found["round"]}?back="' in page
    assert data["totals"]["rounds"] == 2
    assert data["totals"]["result"] == sum(found["result"] for found in data["rounds"])
    assert "being worked out" in page


async def test_verdicts_are_stored_and_add_up_to_the_result(house):
    _, visitor = await sit_and_play(house, rounds=3, likes=("fold",))
    data = await read_judged(visitor)
    totals = data["totals"]
    assert (totals["judged"], totals["decisions"]) == (3, 3)
    placed = GAMES[POKER].wagers[: GAMES[POKER].rules.GAMES_PER_HAND]  # by `play_round`
    proof = prove(GAMES[POKER], {spot.name: Fraction(1) for spot in placed})
    expected = -1000 * float(sum(proof.house_edge(spot.name) for spot in placed))
    for found in data["rounds"]:
        assert found["result"] == pytest.approx(found["expected"] - found["cost"] + found["luck"])
        assert found["expected"] == pytest.approx(expected)
        assert [made["choice"] for made in found["choices"]] == ["fold"]
        assert (found["cost"] > 0) == (found["mistakes"] == 1) == (found["choices"][0]["best"] == "play")
    assert totals["luck"] == pytest.approx(sum(found["luck"] for found in data["rounds"]))
    assert totals["accuracy"] == pytest.approx(1 - totals["mistakes"] / 3)
    await house.app.state.judge.close()  # from here on, only what is stored is known
    house.app.state.judge.ask = lambda _: pytest.fail("What is stored is worked out again.")
    again = (await visitor.get("/hands.json")).json()
    assert again["totals"] == totals
    replayed = (await visitor.get(f"/tables/{POKER}-1/rounds/3.json")).json()
    (decision,) = replayed["decisions"]
    assert decision["verdict"]["cost"] == data["rounds"][0]["cost"]
    assert [one["choice"] for one in decision["verdict"]["choices"] if one["made"]] == ["fold"]


async def test_only_ones_own_rounds_are_shown(house):
    guest, visitor = await sit_and_play(house)
    stranger = await house.visitor()
    nothing = (await stranger.get("/hands.json")).json()
    assert (nothing["rounds"], nothing["totals"]["rounds"]) == ([], 0)
    assert "You have played no round yet" in (await stranger.get("/hands")).text
    asked = await visitor.get("/hands?player=somebody-else")
    assert asked.status_code == 403
    assert "you can see only your own" in asked.text
    assert (await visitor.get(f"/hands?player={guest.name}")).status_code == 200
    assert (await stranger.get("/hands/rounds.csv")).status_code == 401
    assert (await stranger.get(f"/api/hands/summary?table={POKER}-1")).status_code == 401


async def test_a_guest_keeps_the_rounds_under_another_name(house):
    guest, visitor = await sit_and_play(house, rounds=2)
    await guest.at(f"{POKER}-1", "leave", seat=1)
    visitor.cookies.set(
        "feltlab-session", (await guest.post("session/name", name="Quiet Heron")).json()["session"]
    )
    for address in ("/hands.json", "/hands/rounds.json"):
        assert [one["round"] for one in (await visitor.get(address)).json()["rounds"]] == [2, 1]
    found = (await visitor.get(f"/tables/{POKER}-1/rounds/2.json")).json()
    assert found["own_seats"] == [1]
    assert found["own_before"] == {"table": f"{POKER}-1", "round": 1}


@pytest.mark.parametrize(
    ("query", "status", "sentence"),
    [
        ("result=draw", 409, "is not a result"),
        ("mistakes=yes", 409, "is 1 or left out"),
        ("from=yesterday", 409, "is written like"),
        ("from=2025W011", 409, "is written like"),
        ("from=20250101", 409, "is written like"),
        ("from=2025-02-30", 409, "is written like"),
        ("to=9999-12-31", 409, "is before 9999-12-31"),
        ("from=2025-02-02&to=2025-02-01", 409, "comes before the first"),
        ("page=0", 409, "is not the number of a page"),
        ("page=-1", 409, "is not the number of a page"),
        ("page=7", 404, "There is no page 7"),
        ("first=x", 409, "is not the number of a round"),
    ],
)
async def test_filters_and_pages_that_are_none_are_refused(house, query, status, sentence):
    _, visitor = await sit_and_play(house, "casino-war")
    refused = await visitor.get(f"/hands.json?{query}")
    assert (refused.status_code, sentence in refused.text) == (status, True)


async def test_filters_pages_and_downloads(house, monkeypatch):
    from feltlab.web.pages import hands

    monkeypatch.setattr(hands, "ROUNDS_PER_PAGE", 2)
    guest, visitor = await sit_and_play(house, rounds=3)
    await guest.at("casino-war-1", "sit", seat=2, cents=20_000)
    await play_round(guest, "casino-war-1", 2)

    async def rounds(query):
        found = (await visitor.get(f"/hands.json?{query}")).json()["rounds"]
        return [(one["game"], one["round"]) for one in found]

    assert await rounds("") == [("casino-war", 1), (POKER, 3)]
    assert await rounds("page=2") == [(POKER, 2), (POKER, 1)]
    assert await rounds(f"game={POKER}&page=2") == [(POKER, 1)]
    assert await rounds(f"table={POKER}-1&first=3") == [(POKER, 3)]
    assert await rounds("to=2001-01-01") == []
    won, lost, even = [len(await rounds(f"game=casino-war&result={one}")) for one in ("won", "lost", "even")]
    assert won + lost + even == 1
    rows = list(csv.DictReader(io.StringIO((await visitor.get(f"/hands/rounds.csv?game={POKER}")).text)))
    told = (await visitor.get(f"/hands/rounds.json?game={POKER}")).json()["rounds"]
    assert [int(row["round"]) for row in rows] == [one["round"] for one in told] == [3, 2, 1]
    assert [round(100 * float(row["result"])) for row in rows] == [one["result"] for one in told]


async def test_the_page_of_a_round_leads_back_and_only_to_rounds_that_are_over(house):
    guest, visitor = await sit_and_play(house, rounds=2)
    await guest.at("casino-war-1", "sit", seat=2, cents=20_000)
    await play_round(guest, "casino-war-1", 2)
    first, last = [
        (await visitor.get(f"/tables/{POKER}-1/rounds/{n}.json?back=game%3Dx")).json() for n in (1, 2)
    ]
    assert (first["before"], first["after"], last["after"]) == (None, 2, None)
    assert last["own_before"] == {"table": f"{POKER}-1", "round": 1}
    assert last["own_after"] == {"table": "casino-war-1", "round": 1}
    assert first["mine"] == "/hands?game=x"
    stranger = (await (await house.visitor()).get(f"/tables/{POKER}-1/rounds/1.json")).json()
    assert (stranger["mine"], stranger["own_before"], stranger["own_seats"]) == (None, None, [])
    (decision,) = first["decisions"]
    path, _, query = decision["position"].partition("?")
    assert path == f"/train/{POKER}"
    assert read_position(GAMES[POKER], dict(parse_qsl(query))).choices == ("play", "fold")
    hidden = {card["card"] for hand in first["hands"] if hand["to"] == "dealer" for card in hand["cards"]}
    assert not any(card in decision["position"] for card in hidden)  # the dealer's cards were not seen then


async def test_the_summary_of_a_visit(house):
    _, visitor = await sit_and_play(house, rounds=3)
    told = (await visitor.get(f"/api/hands/summary?table={POKER}-1&first=2")).json()
    results = [one["result"] for one in (await visitor.get("/hands.json")).json()["rounds"]][:2]
    assert (told["totals"]["rounds"], told["totals"]["result"]) == (2, sum(results))
    assert (told["best"]["result"], told["worst"]["result"]) == (max(results), min(results))
    assert told["link"] == f"/hands?table={POKER}-1&first=2"
    assert (await visitor.get(f"/api/hands/summary?table={POKER}-1&first=0")).status_code == 422
