"""The theory of a table, held to the proofs and to tables that are dealt card by card."""

import asyncio
import random
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from feltlab.core.cards import Cards
from feltlab.core.deal import Deal
from feltlab.core.stake import default_stake
from feltlab.digests import canonical_json
from feltlab.games import GAMES
from feltlab.pit.expectation import MIN_ALARM_ROUNDS, Expectation
from feltlab.pit.meters import NO_METERS, Meters
from feltlab.proving.proof import prove
from feltlab.simulation.seat_covariance import Covariance, seat_covariance, seat_covariances
from feltlab.workers.expectation import prove_expectation, theory
from tests.support.features import representatives

WAR = GAMES["casino-war"]
CLUB = WAR.with_options({"decks": "2"}).with_pays("tie", {"tie": Fraction(23, 2)})
ONE = [{"primary": 1000, "tie": 500}]
TWO = [{"primary": 1000, "tie": 700}, {"primary": 3000, "tie": 200}]

COIN = Expectation(
    "coin",
    "digest",
    {"a": "1"},
    {"a": 0.5, "b": 0.0},
    {"a a": 1.0, "a b": 0.25, "b b": 4.0},
    {"a a": 0.5},
    {},
)


def tables(game, wagers, rounds, seed):
    """The stakes and nets of all players, round by round, where all go to war; each round has a new shoe."""
    chance = random.Random(seed)
    for _ in range(rounds):
        dealt = Deal.start(game, Cards(chance.sample(game.deck.cards, 30)), wagers)
        while dealt.turn is not None:
            dealt = dealt.choose(dealt.turn, "war")
        settled = [settlement for _, settlement in dealt.settling]
        yield sum(each.staked for each in settled), sum(each.net for each in settled)


# -- Against the proofs -----------------------------------------------------------------------------


@pytest.mark.parametrize("game", [WAR, CLUB], ids=str)
def test_the_expected_win_is_the_edge_on_all_first_wagers(game):
    read, tally = NO_METERS, prove(game).tally
    for _ in range(7):
        read = read.after_round(ONE, 1500, 0)
    edges = {name: -tally.expected(game.spot(name)) for name in ("primary", "tie")}
    assert theory(game).expected_win(read) == 7 * (1000 * edges["primary"] + 500 * edges["tie"])


def test_it_is_the_element_of_risk_on_the_mean_handle():
    """The handle is random, as some go to war; its mean times the element of risk is the same win."""
    tally, spot = prove(WAR).tally, WAR.spot("primary")
    read = NO_METERS.after_round([{"primary": 1000}], 1000, 0)
    handle = 1000 * tally.average_wager(spot)
    assert theory(WAR).expected_win(read) == tally.element_of_risk(spot) * handle


@pytest.mark.parametrize("game", [WAR, CLUB], ids=str)
def test_the_variance_of_one_seat_is_that_of_its_law(game):
    read = NO_METERS.after_round(ONE, 1500, 0).after_round([{"tie": 300}], 300, 0)
    tally = prove(game).tally
    exact = tally.total_variance(ONE[0]) + 300**2 * tally.variance(game.spot("tie"))
    assert theory(game).variance(read) == exact
    assert theory(game).deviation(read) == pytest.approx(float(exact) ** 0.5, rel=1e-14)


def test_plain_numbers_say_the_same():
    known, read = theory(WAR), NO_METERS.after_round(TWO, 4900, 0).after_round(ONE, 1500, 0)
    assert known.expectation.expected_win(read) == pytest.approx(float(known.expected_win(read)), rel=1e-14)
    assert known.expectation.deviation(read) == pytest.approx(known.deviation(read), rel=1e-14)
    assert (known.expectation.game, known.expectation.digest) == (str(WAR), WAR.digest)


@pytest.mark.slow
def test_the_best_play_is_that_for_the_stake():
    """A fold there gives up every wager, so a player with a Tens Up wager folds less and gains on it."""
    game = GAMES["rabbit-hunter"]
    both = default_stake(game) | {"tens-up": Fraction(1)}
    alone, together = theory(game), theory(game, both)
    assert together.expectation.stake == {"ante": "1", "tens-up": "1", "bad-beat": "0"}
    assert together.means["tens-up"] < 0 < alone.means["tens-up"]
    assert together.means["tens-up"] == -prove(game, both).tally.expected(game.spot("tens-up"))


# -- Two seats --------------------------------------------------------------------------------------


def test_the_matrix_of_two_seats_holds_that_of_any_wagers():
    """Both are simulated with one seed, so they differ by rounding only."""
    proof, wagers = prove(WAR), {"primary": 1000, "tie": 500}
    matrix = seat_covariances(proof)
    summed = sum(wagers[a] * wagers[b] * found.value for (a, b), found in matrix.items())
    assert summed == pytest.approx(seat_covariance(proof, wagers).value, rel=1e-9)
    assert matrix["primary", "tie"] == matrix["tie", "primary"]


def test_two_ties_share_what_one_shoe_lets_them():
    """With the dealer's card known 23 of 311 cards tie, and after one tie 22 of 310; a tie nets 11 more."""
    exact = 11**2 * (Fraction(23 * 22, 311 * 310) - Fraction(23, 311) ** 2)
    found = theory(WAR).shared["tie tie"]
    assert found.value == pytest.approx(float(exact), rel=1e-12)
    assert found.is_exact


def test_the_variance_of_two_seats_is_that_of_dealt_tables():
    """The standard error of a variance is that of the squares of which it is the mean."""
    rounds, known = 6000, theory(WAR)
    read = NO_METERS.after_round(TWO, 4900, 0)
    squares = [(net + float(known.expected_win(read))) ** 2 for _, net in tables(WAR, TWO, rounds, seed=3)]
    error = np.std(squares) / rounds**0.5
    assert abs(np.mean(squares) - float(known.variance(read))) < 4 * error
    alone = replace(known, shared=dict.fromkeys(known.shared, Covariance(0.0, 0.0)))
    assert abs(np.mean(squares) - float(alone.variance(read))) > 4 * error  # it is seats that share


def test_no_variance_is_negative():
    known = replace(theory(WAR), shared={"primary primary": Covariance(-99.0, 0.0)})
    assert known.deviation(NO_METERS.after_round([{"primary": 5}] * 2, 10, 0)) == 0.0


# -- Alarms -----------------------------------------------------------------------------------------


def readings(game, rounds, seed):
    read = NO_METERS.after_buy_in(100_000)
    for staked, net in tables(game, TWO, rounds, seed):
        read = read.after_round(TWO, staked, net)
        yield read


def test_a_fair_table_rings_no_alarm():
    expected = theory(WAR).expectation
    *_, read = (read for read in readings(WAR, 3000, seed=5) if not expected.describe_alarm(read))
    assert read.rounds == 3000
    low, high = expected.band(read, 99.9)
    assert low < read.win < high
    assert read.hold == read.win / 100_000


def test_a_table_that_pays_wrongly_rings_an_alarm():
    """A higher card that pays 3 to 2 gives every player about 23 % of the wager too much."""
    expected, rigged = theory(WAR).expectation, WAR.with_pays("primary", {"higher card": Fraction(3, 2)})
    rung = next(filter(None, map(expected.describe_alarm, readings(rigged, 3000, seed=5))))
    assert "below the 99.9 % band" in rung
    assert int(rung.split()[1].replace(",", "")) >= MIN_ALARM_ROUNDS


@pytest.mark.slow
@pytest.mark.parametrize("name", representatives())
def test_every_game_has_a_theory(name):
    known = theory(GAMES[name])
    wagers = {spot.name: 1 for spot in GAMES[name].wagers}
    one, two = (Meters().after_round([wagers] * seats, 0, 0) for seats in (1, 2))
    assert known.variance(one) == prove(GAMES[name]).tally.total_variance(wagers)
    assert known.variance(one) < known.variance(two) < 4 * known.variance(one)


# -- In a worker, as a server asks for it -----------------------------------------------------------


async def test_a_worker_proves_the_expectation_of_a_game_with_its_options_and_pays():
    """With 8 decks 31 of the 415 other cards tie, so a tie that pays 11 costs 1 - 12 * 31/415."""
    game = WAR.with_options({"decks": "8"}).with_pays("tie", {"tie": Fraction(11)})
    found, why = await prove_expectation(game)
    assert why == ""
    assert (found.game, found.digest) == (str(game), game.digest)
    assert found.stake == {"primary": "1", "tie": "0"}
    assert found.means["tie"] == pytest.approx(1 - 12 * 31 / 415)
    assert found.covariances.keys() == found.shared.keys() == {"primary primary", "primary tie", "tie tie"}


async def test_a_worker_proves_the_expectation_of_a_stake():
    found, why = await prove_expectation(CLUB, {"tie": 1})
    assert (found, why) == (theory(CLUB, {"primary": Fraction(1), "tie": Fraction(1)}).expectation, "")


async def test_a_stake_that_the_game_refuses_is_explained():
    found, why = await prove_expectation(WAR, {"primary": 0})
    assert found is None
    assert why == "The expected win of Casino War is not known: Casino War requires the Primary wager."


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ('#!/bin/sh\necho \'{"failed": "MemoryError"}\'\n', "MemoryError."),
        ("#!/bin/sh\nexit 3\n", "Its process ended with status 3."),
        ("#!/bin/sh\nkill -9 $$\n", "Its process ended with status -9."),
        ("#!/bin/sh\necho '{\"game\": 1}'\n", "Its answer cannot be read."),
        ('#!/bin/sh\necho \'{"result": {"game": 1}}\'\n', "Its answer cannot be read."),
        ("#!/bin/sh\necho nonsense\n", "Its answer cannot be read."),
        (
            f"#!/bin/sh\necho '{canonical_json({'result': COIN.to_json()}).decode()}'\n",
            "Its rules have changed",
        ),
        ("", "Exec format error."),
        (None, "No such file or directory."),
    ],
)
async def test_a_worker_that_fails_is_explained_in_a_sentence(program, said, tmp_path, monkeypatch):
    path = tmp_path / "python"
    if program is not None:
        path.write_text(program)
        path.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(path))
    found, why = await prove_expectation(WAR)
    assert found is None
    assert why.startswith(f"The expected win of Casino War is not known: {said}")


async def test_a_caller_that_is_cancelled_ends_the_worker(tmp_path, monkeypatch):
    path, told = tmp_path / "python", tmp_path / "pid"
    path.write_text(f"#!/bin/sh\necho $$ > {told}.part; mv {told}.part {told}; exec sleep 1000\n")
    path.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(path))
    waiting = asyncio.create_task(prove_expectation(WAR))
    while not told.exists():
        await asyncio.sleep(0.01)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert subprocess.run(["kill", "-0", told.read_text().strip()], capture_output=True).returncode
