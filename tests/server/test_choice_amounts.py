"""Insurance of any amount by HTTP: up to half the wager, in chip steps, as far as the bankroll goes."""

import pytest

from feltlab.shuffling import machine as shuffler
from tests.support.prepared import beginning
from tests.support.running import running

BONUS = "triple-shot-bonus"
TABLE = f"{BONUS}-1"
NINE_AGAINST_ACE = "9s Ad 5h 7c"  # War loses, insurance is offered, and the dealer has no blackjack
WAGERS = {"war": 500, "blackjack": 500, "poker": 500}


@pytest.fixture
async def house(tmp_path, monkeypatch):
    monkeypatch.setattr(shuffler, "shuffle_in_packets", lambda *_: beginning(BONUS, NINE_AGAINST_ACE))
    async with running(tmp_path) as house:
        yield house


async def deal(house, cents=20_000):
    """A guest with these cents whose insurance is offered, and the seat in the view."""
    ann = await house.guest()
    for action, body in {
        "sit": {"cents": cents},
        "wager": {"round": 1, "wagers": WAGERS},
        "ready": {"round": 1},
    }.items():
        found = await ann.at(TABLE, action, seat=1, **body)
        assert found.status_code == 200, found.text
    return ann, found.json()["seats"][0]


def insure_of(seat):
    (found,) = [one for one in seat["choices"] if one["choice"] == "insure"]
    return found


async def insure(ann, **amount):
    return await ann.at(TABLE, "choose", seat=1, round=1, **{"choice": "insure", **amount})


async def test_the_view_says_how_much_and_in_which_steps(house):
    _, seat = await deal(house)
    found = insure_of(seat)
    assert (found["cents"], found["any_amount"], found["step"], found["barred"]) == (250, True, 100, "")


@pytest.mark.parametrize(
    ("amount", "cents"),
    [({}, 250), ({"cents": 250}, 250), ({"cents": 100}, 100), ({"choice": "insure=200"}, 200)],
)
async def test_any_amount_up_to_half_is_taken(house, amount, cents):
    ann, before = await deal(house)
    found = await insure(ann, **amount)
    assert found.status_code == 200, found.text
    paid = {one["spot"]: one for one in found.json()["payments"]}
    assert (paid["insurance"]["staked"], paid["insurance"]["net"]) == (cents, -cents)
    assert found.json()["seats"][0]["bankroll"] == before["bankroll"] - cents


@pytest.mark.parametrize(
    ("amount", "status", "words"),
    [
        ({"cents": 251}, 409, "at most $2.50"),
        ({"cents": 150}, 409, "a multiple of $1 or for $2.50"),
        ({"cents": 0}, 422, "cents"),
        ({"cents": -100}, 422, "cents"),
        ({"cents": "100"}, 422, "cents"),
        ({"choice": "insure=200", "cents": 100}, 409, "names no whole number of cents"),
        ({"choice": "decline", "cents": 100}, 409, "fixed by the rules"),
    ],
)
async def test_another_amount_is_refused_and_changes_nothing(house, amount, status, words):
    ann, before = await deal(house)
    found = await insure(ann, **amount)
    assert found.status_code == status, found.text
    assert words in found.json()["error"]
    assert (await ann.get(f"tables/{TABLE}")).json()["seats"][0] == before


async def test_a_small_bankroll_insures_for_what_it_has(house):
    ann, seat = await deal(house, 1_600)  # $1 is left beside three wagers of $5
    assert (insure_of(seat)["cents"], insure_of(seat)["barred"]) == (100, "")
    assert "you need $1.50 more" in (await insure(ann)).json()["error"]
    assert (await insure(ann, cents=100)).status_code == 200


async def test_an_empty_bankroll_cannot_insure(house):
    _, seat = await deal(house, 1_500)
    assert (insure_of(seat)["cents"], bool(insure_of(seat)["barred"])) == (250, True)
