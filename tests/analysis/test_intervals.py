"""Intervals of the return and the reach of the volatility index, against laws that are known."""

from fractions import Fraction
from itertools import pairwise
from math import comb, sqrt

import numpy as np
import pytest

from feltlab.analysis.intervals import CONFIDENCES, ROUNDS, index_coverage, return_intervals
from feltlab.analysis.month import Month
from feltlab.analysis.par_sheet import par_sheet
from feltlab.analysis.session import RoundLaw
from feltlab.report.document import TableBlock
from feltlab.report.documents.house_side import POINTWISE
from feltlab.report.documents.par_sheet import document
from feltlab.report.numbers import percent_with_error

COIN = RoundLaw({100: Fraction(1, 2), -100: Fraction(1, 2)}, Fraction(100), 100)


def binomial(rounds: int, away: float) -> float:
    """The probability that heads less tails of a fair coin is no farther from zero."""
    inside = (comb(rounds, heads) for heads in range(rounds + 1) if abs(2 * heads - rounds) <= away)
    return sum(inside) / 2**rounds


def test_a_coin_is_within_its_index_as_often_as_the_binomial_law_says() -> None:
    found = index_coverage({Fraction(1): Fraction(1, 2), Fraction(-1): Fraction(1, 2)})
    for index in ("1.65", "1.96"):
        assert found[index]["1"] == pytest.approx(1)
        assert found[index]["100"] == pytest.approx(binomial(100, 10 * float(index)), abs=1e-10)
    assert found["1.96"]["1000000"] == pytest.approx(0.95, abs=1e-3)


def test_a_skewed_law_is_within_its_index_more_often_than_a_normal_one() -> None:
    """One win of 99 in a hundred rounds: a single round is near its mean in 99 of 100 cases."""
    found = index_coverage({Fraction(99): Fraction(1, 100), Fraction(-1): Fraction(99, 100)})
    assert found["1.65"]["1"] == pytest.approx(0.99)


def test_intervals_of_a_coin_are_percentiles_of_the_binomial_law() -> None:
    first = return_intervals(COIN, 100)[0]
    assert first.rounds == 1000
    for percent in CONFIDENCES:
        low, high = (round((end - 1) * 1000) for end in first.ends[percent])
        below = sum(comb(1000, heads) for heads in range(1001) if 2 * heads - 1000 < low) / 2**1000
        upto = sum(comb(1000, heads) for heads in range(1001) if 2 * heads - 1000 <= high) / 2**1000
        tail = (1 - percent / 100) / 2
        assert below < tail <= 1
        assert upto >= 1 - tail - 1e-9
        assert low == -high  # a fair coin is symmetric


def test_intervals_of_a_game_are_those_of_repeated_convolution() -> None:
    """1,000 rounds of Casino War, added round by round in doubles that never cancel."""
    sheet = par_sheet("casino-war")
    nets = {int(2 * net): float(chance) for net, chance in sheet.total.nets.items()}  # in half units
    lowest, highest = min(nets), max(nets)
    one = np.array([nets.get(net, 0.0) for net in range(lowest, highest + 1)])
    law, first = np.ones(1), sheet.intervals[0]
    for _ in range(first.rounds):
        law = np.convolve(law, one)
    returns = 1 + (np.arange(len(law)) + first.rounds * lowest) / 2 / first.rounds
    for percent, (low, high) in first.ends.items():
        tail = (1 - percent / 100) / 2
        assert law[returns < low - 1e-9].sum() < tail <= law[returns < low + 1e-9].sum()
        assert law[returns > high + 1e-9].sum() <= tail + 1e-9 < law[returns > high - 1e-9].sum() + 2e-9
        assert law[(returns > low - 1e-9) & (returns < high + 1e-9)].sum() >= percent / 100 - 1e-9


@pytest.mark.parametrize("name", ["casino-war", "triple-shot-rummy"])
def test_intervals_narrow_about_the_expected_return(name: str) -> None:
    sheet = par_sheet(name)
    expected = 1 - float(sheet.total.edge)
    assert [found.rounds for found in sheet.intervals] == list(ROUNDS)
    widths = []
    for found in sheet.intervals:
        (low, high), (lower, higher) = found.ends[90], found.ends[99]
        assert lower <= low <= expected <= high <= higher
        widths.append(high - low)
    for wide, narrow in pairwise(widths):
        assert wide / narrow == pytest.approx(sqrt(10), rel=0.05)


@pytest.mark.parametrize("name", ["casino-war", "triple-shot-rummy"])
def test_the_sheet_shows_what_its_json_has(name: str) -> None:
    sheet = par_sheet(name)
    data = sheet.as_json()
    tables = [block for block in document(sheet).sections[0].blocks if isinstance(block, TableBlock)]
    (holds,) = (table for table in tables if table.caption.startswith("How often the mean net"))
    known = [
        share for bet in data["index_holds"].values() for index in bet.values() for share in index.values()
    ]
    shown = [cell for row in holds.rows for cell in row[2:]]
    assert shown == [f"{100 * share:.2f} %" for share in known]
    (intervals,) = (table for table in tables if table.caption.startswith("Return to player of the stake"))
    for row, found in zip(intervals.rows, data["intervals"], strict=True):
        assert row[0] == f"{found['rounds']:,}"
        for cell, (low, high) in zip(row[1:], found["return_to_player"].values(), strict=True):
            assert cell == f"{100 * low:.3f} to {100 * high:.3f} %"


# -- Errors of the house's chances ------------------------------------------------------------------


def test_one_seat_needs_no_approximation() -> None:
    alone = Month(COIN, 1, 1, 100, 1000, 50.0)
    assert (alone.band_error(95), alone.loss_probability_error) == (0, 0)


def test_a_simulated_covariance_adds_its_error() -> None:
    exact, sampled = (Month(COIN, 1, 5, 100, 1000, 50.0, 3000.0, error) for error in (0.0, 200.0))
    assert exact.deviation_error == 0
    assert sampled.deviation_error > 0
    assert sampled.band_error(95) > exact.band_error(95) >= 0


def test_digits_follow_the_error() -> None:
    assert percent_with_error(0.40361, 0.005) == "40.36 ± 0.50 %"
    assert percent_with_error(0.15193, 0.00022) == "15.193 ± 0.022 %"
    assert percent_with_error(0.25, 0) == "25.0000 %"
    assert percent_with_error(1e-9, 1e-9) == "< 0.0001 %"


def test_the_chart_of_a_bankroll_says_what_a_band_is() -> None:
    (section,) = (part for part in document(par_sheet("casino-war")).sections if part.title == "The house")
    words = [block.words for block in section.blocks if hasattr(block, "words")]
    assert any(POINTWISE in text for text in words)
