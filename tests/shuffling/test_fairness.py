"""The battery: its laws are exact, fair shuffles pass, and every bad one fails."""

from collections import Counter
from itertools import permutations
from math import factorial, sqrt

import numpy as np
import pytest

from feltlab.core.cards import Cards
from feltlab.errors import Refused
from feltlab.games import GAMES
from feltlab.shuffling import fairness as tests
from feltlab.shuffling.bad_shuffles import BAD_SHUFFLES, fair_orders
from feltlab.shuffling.fairness import (
    apply_holm,
    collect_orders,
    is_fair,
    kept_neighbours_law,
    run_battery,
    runs_law,
    serial_moments,
)
from feltlab.shuffling.machine import shuffle_in_packets
from feltlab.shuffling.models import mode_of

SIZES = (5, 6, 7)


def all_orders(size):
    return np.array(list(permutations(range(size))), np.int16)


# -- The laws, over all orders ----------------------------------------------------------------------


@pytest.mark.parametrize("size", SIZES)
def test_runs_and_kept_neighbours_have_their_laws(size):
    steps = np.diff(all_orders(size))
    for law, counts in (
        (runs_law(size), (steps < 0).sum(1)),
        (kept_neighbours_law(size), (steps == 1).sum(1)),
    ):
        assert {k: n for k, n in law.items() if n} == Counter(counts.tolist())
        assert sum(law.values()) == factorial(size)


@pytest.mark.parametrize("size", [52, 53, 312])
def test_laws_of_whole_decks_count_every_order(size):
    assert sum(runs_law(size).values()) == sum(kept_neighbours_law(size).values()) == factorial(size)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    ("statistic", "freedom"),
    [(tests._test_positions, lambda n: (n - 1) ** 2), (tests._test_pairs, lambda n: n * n - 3 * n + 1)],
)
def test_the_mean_of_a_chi_square_is_its_freedom(size, statistic, freedom):
    """It holds for any number of shuffles, so one shuffle is averaged over all orders."""
    mean = np.mean([statistic(order[None])[0] for order in all_orders(size)])
    assert mean == pytest.approx(freedom(size), rel=1e-12)


@pytest.mark.parametrize("size", SIZES)
def test_counts_of_pairs_have_the_stated_covariance(size):
    """The covariance itself, over all orders: squares divided by it are chi-square in the limit."""
    orders = all_orders(size)
    tables = np.array([tests._tabulate(o[None], np.roll(o[None], -1, axis=1)).ravel() for o in orders], float)
    roots = np.linalg.eigvalsh(np.cov(tables.T, bias=True))
    chance = 1 / (size - 1)
    alike, apart = size * (size - 3) // 2, (size - 1) * (size - 2) // 2
    right = [0] * (size * size - alike - apart) + [chance] * alike
    assert roots == pytest.approx([*right, *[chance + 2 * chance / (size - 2)] * apart], abs=1e-9)


@pytest.mark.parametrize("size", SIZES)
def test_counts_of_positions_have_the_stated_covariance(size):
    places = np.arange(size)[None]
    tables = np.array([tests._tabulate(places, o[None]).ravel() for o in all_orders(size)], float)
    roots = np.linalg.eigvalsh(np.cov(tables.T, bias=True))
    right = [0] * (2 * size - 1) + [1 / (size - 1)] * (size - 1) ** 2
    assert roots == pytest.approx(right, abs=1e-9)


@pytest.mark.parametrize(("size", "lag"), [(5, 1), (5, 2), (6, 1), (6, 2), (7, 3), (8, 2)])
def test_serial_products_have_their_moments(size, lag):
    values = all_orders(size) - (size - 1) / 2
    products = (values * np.roll(values, -lag, axis=1)).sum(1)
    assert (products.mean(), products.var()) == pytest.approx(serial_moments(size), rel=1e-9)


# -- Judging ----------------------------------------------------------------------------------------


def test_holm_divides_the_level_among_the_tests_not_yet_failed():
    assert apply_holm([0.5, 0.002, 0.004], 0.01) == [True, False, False]  # 0.002 < 0.01 / 3, 0.004 < 0.01 / 2
    assert apply_holm([0.5, 0.004, 0.004], 0.01) == [True, True, True]  # 0.004 > 0.01 / 3, and all later pass
    assert apply_holm([], 0.01) == []


def test_too_even_is_as_suspicious_as_too_uneven():
    assert tests._judge(100.0, 100)[1] > 0.9
    assert tests._judge(20.0, 100)[1] < 1e-12
    assert tests._judge(300.0, 100)[1] < 1e-12


def test_too_few_shuffles_and_lost_cards_are_refused():
    with pytest.raises(Refused, match="over 10 shuffles for each card"):
        run_battery(fair_orders(np.random.default_rng(1), 520, 52))
    with pytest.raises(Refused, match="every card that it receives, once"):
        run_battery(collect_orders(lambda deck: Cards((deck[0], *deck[:-1])), 5, 100))


# -- Fair and bad -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", BAD_SHUFFLES)
@pytest.mark.parametrize("size", [52, 53])
def test_every_bad_shuffle_fails(name, size):
    verdicts = run_battery(BAD_SHUFFLES[name](np.random.default_rng(11), 20_000, size))
    assert min(verdict.p for verdict in verdicts) < 1e-12  # not by chance
    assert not is_fair(verdicts)


# A byte has only 256 values, too few for the places of a shoe.
@pytest.mark.parametrize("name", [name for name in BAD_SHUFFLES if "byte" not in name])
def test_every_bad_shuffle_of_a_shoe_fails(name):
    assert not is_fair(run_battery(BAD_SHUFFLES[name](np.random.default_rng(12), 5_000, 312)))


def test_a_machine_that_starts_from_its_last_order_fails_from_one_shuffle_to_the_next_only():
    verdicts = run_battery(
        BAD_SHUFFLES["seven riffles of the order before"](np.random.default_rng(3), 20_000, 52)
    )
    failed = {verdict.test for verdict in verdicts if not verdict.passed}
    assert failed
    assert all(test.endswith("from one shuffle to the next") for test in failed)


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_the_shuffler_passes_in_the_mode_of_every_game(game):
    """A fair machine fails once in a hundred times, and twice in a row once in ten thousand."""
    set_to = mode_of(game)

    def sample():
        times = 8_000 if set_to.cards < 100 else 4_000
        return collect_orders(lambda deck: shuffle_in_packets(deck, set_to.packet), set_to.cards, times)

    assert is_fair(run_battery(sample())) or is_fair(run_battery(sample()))


RUNS, SAMPLE = 200, 2_000


def test_p_values_of_a_fair_shuffle_are_uniform():
    """Kolmogorov's distance over 200 seeded runs; times the root of 200 it passes 2.2 once in 8,000."""
    chance = np.random.default_rng(2024)
    runs = [run_battery(fair_orders(chance, SAMPLE, 52)) for _ in range(RUNS)]
    for n, first in enumerate(runs[0]):
        ps = np.sort([run[n].p for run in runs])
        above = (np.arange(1, RUNS + 1) / RUNS - ps).max()
        below = (ps - np.arange(RUNS) / RUNS).max()
        assert max(above, below) * sqrt(RUNS) < 2.2, first.test
    assert sum(not is_fair(run) for run in runs) <= 8  # 2 expected at most; 9 or more: once in 4,000
