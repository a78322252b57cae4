"""The covariance of two seats: counted exactly where a game does so, and in agreement with simulation."""

from fractions import Fraction
from math import perm

import pytest

from feltlab.core.solver import TwoSeats
from feltlab.core.stake import default_stake
from feltlab.games import GAMES, two_seats_of
from feltlab.proving.proof import prove
from feltlab.simulation import seat_covariance as module
from feltlab.simulation.seat_covariance import seat_covariance, seat_covariances

WAR = GAMES["casino-war"]


@pytest.mark.parametrize("war", ["one", "each"])
def test_the_pairs_have_the_law_of_one_seat_on_either_side(war: str) -> None:
    game = WAR.with_options({"war": war})
    count = two_seats_of(game).count_pairs
    assert count
    pairs, law = count(game, default_stake(game), "optimal"), prove(game).law
    assert sum(pairs.values()) == perm(312, 7)
    for side in (0, 1):
        found: dict[tuple[int, ...], Fraction] = {}
        for outcomes, n in pairs.items():
            found[outcomes[side]] = found.get(outcomes[side], Fraction(0)) + Fraction(n, perm(312, 7))
        assert found == {o: Fraction(n, sum(law.counts.values())) for o, n in law.counts.items()}


def test_two_seats_of_casino_war_correlate_by_0_29990() -> None:
    proof = prove("casino-war")
    shared = seat_covariance(proof, {"primary": 1})
    assert shared.is_exact
    assert f"{shared.value / float(proof.tally.variance(WAR.spot('primary'))):.5f}" == "0.29990"


def test_the_exact_covariance_agrees_with_the_simulated_one(monkeypatch: pytest.MonkeyPatch) -> None:
    proof = prove("casino-war", {"primary": 1, "tie": 1})
    exact = seat_covariances(proof)
    monkeypatch.setattr(module, "two_seats_of", lambda game: TwoSeats())
    for pair, simulated in seat_covariances(proof).items():
        assert not simulated.is_exact
        assert abs(simulated.value - exact[pair].value) < 4 * simulated.error
