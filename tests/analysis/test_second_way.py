"""Variance, skewness, covariance, hold, intervals and sensitivities, each computed again in a way of its own.

Casino War is dealt here from its rules alone; a bankroll is followed by a small chain of this file; a pay is
changed by one and proved again; and random rounds are held to the proof within their standard errors.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import product
from math import perm, sqrt

import numpy as np
import pytest

from feltlab.analysis.par_sheet import ParSheet, par_sheet
from feltlab.analysis.payouts import PayLine
from feltlab.core.game import Game
from feltlab.core.tally import Tally
from feltlab.games import GAMES
from feltlab.proving.proof import Proof, prove
from feltlab.simulation.run import simulate
from tests.support.features import EVERY_KIND

FIXED_STRATEGIES = {  # by rules of thumb, which look at no pay
    "casino-war": "war",
    "high-five-poker": "pair-of-7s",
    "rabbit-hunter": "ace-high",
    "triple-shot-bonus": "mimic-dealer",
    "triple-shot-rummy": "20-or-less",
    "caribbean-stud": "a-k-j-8-3",
    "crazy-4-poker": "quick",
    "four-card-poker": "simple",
    "high-card-flush": "t-8-6",
}
every_game = pytest.mark.parametrize("name", EVERY_KIND)
SMALL = ["casino-war", "triple-shot-rummy"]  # plain Python is slow where a round has many different nets

ROUNDS = 1 << 21
MOST_STANDARD_ERRORS = 5  # the seed is fixed, so this passes always or never


@cache
def sheet(name: str) -> ParSheet:
    return par_sheet(GAMES[name])


# -- Casino War, dealt here ---------------------------------------------------------------------------

PER_RANK = 24  # six decks
Law = dict[tuple[Fraction, Fraction], Fraction]  # the probability of each pair of nets: Primary, Tie


def war_law() -> Law:
    """Clauses 4.1 to 4.6 and 6.6 to 6.8, for a player who goes to war on every tie, by ranks alone."""
    found: dict[tuple[Fraction, Fraction], int] = defaultdict(int)
    for own, dealers, second, third in product(range(13), repeat=4):
        used = [own, dealers, second, third]
        ways = 1
        for at, rank in enumerate(used):
            ways *= PER_RANK - used[:at].count(rank)
        net = 1 if own > dealers else -1
        if own == dealers:  # on two units: 1 to 2, 1 to 1, or both are lost
            net = 1 if second > third else 2 if second == third else -2
        found[Fraction(net), Fraction(10 if own == dealers else -1)] += ways
    deals = perm(13 * PER_RANK, 4)
    assert sum(found.values()) == deals
    return {nets: Fraction(ways, deals) for nets, ways in found.items()}


def mean(values: Mapping[tuple[Fraction, Fraction], Fraction], power: tuple[int, int]) -> Fraction:
    return sum((p * a ** power[0] * b ** power[1] for (a, b), p in values.items()), Fraction(0))


def test_moments_of_casino_war_are_those_of_deals_made_here() -> None:
    data, law = sheet("casino-war").as_json(), war_law()
    means = {"primary": mean(law, (1, 0)), "tie": mean(law, (0, 1))}
    squares = {"primary": mean(law, (2, 0)), "tie": mean(law, (0, 2))}
    for at, bet in enumerate(("primary", "tie")):
        found = data["bets"][bet]
        variance = squares[bet] - means[bet] ** 2
        assert Fraction(found["expected"]["exact"]) == means[bet]
        assert Fraction(found["variance"]["exact"]) == variance
        third = sum(((nets[at] - means[bet]) ** 3 * p for nets, p in law.items()), Fraction(0))
        assert found["skewness"] == pytest.approx(float(third) / float(variance) ** 1.5)
    covariance = mean(law, (1, 1)) - means["primary"] * means["tie"]
    assert Fraction(data["covariance"]["primary"]["tie"]["exact"]) == covariance
    deviations = sqrt((squares["primary"] - means["primary"] ** 2) * (squares["tie"] - means["tie"] ** 2))
    assert data["correlation"]["primary"]["tie"] == pytest.approx(float(covariance) / deviations)


@pytest.mark.parametrize(("primary", "tie"), [(2, Fraction(1, 2)), (1, 3)])
def test_the_variance_of_a_stake_is_that_of_its_net(primary: int, tie: Fraction | int) -> None:
    total = par_sheet("casino-war", {"primary": primary, "tie": tie}).as_json()["total"]
    nets = [(primary * a + tie * b, p) for (a, b), p in war_law().items()]
    expected = sum((net * p for net, p in nets), Fraction(0))
    assert Fraction(total["expected"]["exact"]) == expected
    assert Fraction(total["variance"]["exact"]) == sum((p * (net - expected) ** 2 for net, p in nets))
    assert Fraction(total["house_edge"]["exact"]) == -expected / (primary + tie)
    assert {Fraction(found["net"]["exact"]) for found in total["nets"]} == {net for net, _ in nets}


# -- A bankroll, followed here ------------------------------------------------------------------------


def units_of(found: ParSheet) -> dict[int, float]:
    """The law of a round's net in whole parts of a unit, from the JSON of the sheet."""
    nets = {Fraction(row["net"]["exact"]): Fraction(row["probability"]["exact"]) for row in net_rows(found)}
    assert all((2 * net).denominator == 1 for net in nets)
    return {int(2 * net): float(p) for net, p in nets.items()}


def net_rows(found: ParSheet) -> list[dict[str, dict[str, str]]]:
    rows: list[dict[str, dict[str, str]]] = found.as_json()["total"]["nets"]
    return rows


def follow_bankroll(
    law: Mapping[int, float], start: int, need: int, rounds: int
) -> tuple[dict[int, float], float, float]:
    """The law of the last bankroll, the probability of ruin, and the mean number of rounds, in half units."""
    money, ended, played = {start: 1.0}, defaultdict(float), 0.0
    for _ in range(rounds):
        after: dict[int, float] = defaultdict(float)
        for at, p in money.items():
            if at < need:
                ended[at] += p
                continue
            played += p
            for net, chance in law.items():
                after[at + net] += p * chance
        money = after
    ruin = sum(ended.values())
    for at, p in money.items():
        ended[at] += p
    return dict(ended), ruin, played


@pytest.mark.parametrize("name", SMALL)
def test_hold_ruin_and_percentiles_of_a_session_are_those_of_a_chain_made_here(name: str) -> None:
    found = sheet(name)
    data = found.as_json()["house"]
    session, half_unit = data["session"], data["bet"] // 2
    start, need = session["bankroll"] // half_unit, session["need"] // half_unit
    last, ruin, played = follow_bankroll(units_of(found), start, need, session["rounds"])
    assert sum(last.values()) == pytest.approx(1)
    assert session["probability"]["ruin"]["value"] == pytest.approx(ruin, abs=1e-10)
    assert session["average"]["rounds"]["value"] == pytest.approx(played, abs=1e-8)
    lost = sum((start - at) * p for at, p in last.items()) / start
    assert session["average"]["hold"]["value"] == pytest.approx(lost, abs=1e-9)
    ahead = sum(p for at, p in last.items() if at > start)
    assert session["probability"]["ahead"]["value"] == pytest.approx(ahead, abs=1e-10)
    for percent, cents in session["percentiles"].items():
        assert cents == (percentile(last, int(percent) / 100) - start) * half_unit


def percentile(law: Mapping[int, float], share: float) -> int:
    """The lowest value up to which at least this share lies."""
    total = 0.0
    for value, p in sorted(law.items()):
        total += p
        if total >= share - 1e-12:
            return value
    raise ValueError("the law does not add up to one")


# -- Intervals and the volatility index ---------------------------------------------------------------


def sum_of_rounds(law: Mapping[int, float], rounds: int) -> dict[int, float]:
    """The law of the sum, by multiplying out binary powers without any transform."""
    low = min(law)
    power = np.zeros(max(law) - low + 1)
    for net, p in law.items():
        power[net - low] = p
    total, left = np.ones(1), rounds
    while left:
        total = np.convolve(total, power) if left & 1 else total
        left >>= 1
        power = np.convolve(power, power) if left else power
    return {at + rounds * low: p for at, p in enumerate(total.tolist())}


@pytest.mark.parametrize("name", SMALL)
def test_intervals_of_a_thousand_rounds_are_those_of_sums_made_here(name: str) -> None:
    found = sheet(name)
    law = sum_of_rounds(units_of(found), 1000)
    first = found.as_json()["intervals"][0]
    assert first["rounds"] == 1000
    staked = float(sum(found.proof.stake.values()))
    for percent, (low, high) in first["return_to_player"].items():
        tail = (1 - int(percent) / 100) / 2
        ends = [1 + percentile(law, share) / 2 / 1000 / staked for share in (tail, 1 - tail)]
        assert [low, high] == pytest.approx(ends, abs=1e-12)


@pytest.mark.parametrize("name", SMALL)
def test_the_index_holds_as_often_as_sums_made_here_say(name: str) -> None:
    found = sheet(name)
    expected, deviation = float(found.total.expected), found.total.deviation
    for index, holds in found.as_json()["index_holds"]["total"].items():
        for rounds in (1, 100):
            sums = sum_of_rounds(units_of(found), rounds)
            reach = float(index) * sqrt(rounds) * deviation
            inside = sum(p for net, p in sums.items() if abs(net / 2 - rounds * expected) <= reach)
            assert holds[str(rounds)] == pytest.approx(inside, abs=1e-8)


# -- Sensitivities ------------------------------------------------------------------------------------


def lines_of(found: ParSheet) -> Iterator[tuple[str, PayLine]]:
    """Every line that can be designed: a push has a slope too, but it cannot pay."""
    lines = ((bet.bet.name, line) for bet in found.bets for line in bet.pay_lines)
    return ((bet, line) for bet, line in lines if line.line.result == "win")


def raise_pay(game: Game, line: PayLine) -> Game:
    """The game in which one line pays one more; lines that are not printed on the table stay as they are."""
    table = game.pay_table(line.spot)
    pays = {one.outcome: one.pays for one in table.lines if one.result == "win"}
    return game.with_pays(line.spot.name, pays | {line.line.outcome: line.line.pays + 1})


@pytest.mark.slow
@pytest.mark.parametrize("name", FIXED_STRATEGIES)
def test_a_pay_that_is_one_higher_moves_the_edge_by_its_slope(name: str) -> None:
    """Under a strategy that looks at no pay; every line of every bet, proved again with the pay changed."""
    game, strategy = GAMES[name], FIXED_STRATEGIES[name]
    found = par_sheet(game, strategy=strategy)
    assert len([*lines_of(found)]) > 1
    for bet, line in lines_of(found):
        changed = raise_pay(game, line)
        after = prove(changed, found.proof.stake, strategy)
        before = found.proof.tally.expected(game.spot(bet))
        assert before - after.tally.expected(changed.spot(bet)) == line.slope, (bet, line.line.outcome)


@pytest.mark.parametrize("name", SMALL)
def test_a_player_who_adapts_to_a_higher_pay_gains_at_least_the_slope(name: str) -> None:
    """The best play for the old pays is still possible, so the slope is a bound for the best play."""
    game, found = GAMES[name], sheet(name)
    for bet, line in lines_of(found):
        if found.proof.stake.get(bet):
            changed = raise_pay(game, line)
            after = prove(changed, found.proof.stake)
            gain = after.tally.total_expected(found.proof.stake) - found.total.expected
            assert gain >= -line.slope * found.proof.stake[bet]


# -- Random rounds ------------------------------------------------------------------------------------


def moment(proof: Tally, bet: str, other: str, powers: tuple[int, int]) -> float:
    """The mean of powers of two bets' distances from their proved means, under a tally of either kind."""
    one, two = proof.game.spot(bet), proof.game.spot(other)
    at = {spot: float(PROVED[proof.game.name].tally.expected(spot)) for spot in (one, two)}
    total = 0.0
    for outcomes, count in proof.counts.items():
        a, b = (float(proof.net(spot, outcomes)) - at[spot] for spot in (one, two))
        total += count * a ** powers[0] * b ** powers[1]
    return total / proof.deals


PROVED: dict[str, Proof] = {}


@every_game
def test_variances_and_covariances_of_random_rounds_are_the_proved_ones(name: str) -> None:
    """Within standard errors of the law itself; also third moments, of which skewness is made."""
    game = GAMES[name]
    stake = {spot.name: 1 for spot in game.wagers}
    proof = PROVED[name] = prove(game, stake)
    played = simulate(game, stake, rounds=ROUNDS, seed=15).tally
    bets = [spot.name for spot in game.wagers]
    wanted = [(a, b, (1, 1)) for n, a in enumerate(bets) for b in bets[n:]] + [(a, a, (3, 0)) for a in bets]
    for one, other, (p, q) in wanted:
        proved = moment(proof.tally, one, other, (p, q))
        spread = moment(proof.tally, one, other, (2 * p, 2 * q)) - proved**2
        z = (moment(played, one, other, (p, q)) - proved) / sqrt(spread / ROUNDS)
        assert abs(z) < MOST_STANDARD_ERRORS, (one, other, p, q, z)
    covariance = moment(proof.tally, bets[0], bets[-1], (1, 1))
    assert float(proof.tally.covariance(game.spot(bets[0]), game.spot(bets[-1]))) == pytest.approx(covariance)
