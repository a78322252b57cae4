"""The audit: verdicts by computation, figures that say where they stand."""

import json
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from fractions import Fraction
from typing import get_args

import pytest
from click.testing import CliRunner

from feltlab.analysis.audit import MEASURES, MULTIPLIED, audit, explain, judge
from feltlab.analysis.printed_digits import is_contradiction, round_like
from feltlab.cli.main import main
from feltlab.games import GAMES
from feltlab.games.data import Figure, FigureMeasure, figures

HALF = Figure("a", "page 1", "50.00%", "house_edge", "primary")


@pytest.mark.parametrize(
    ("proved", "verdict"),
    [
        (Fraction(1, 2), "agrees"),
        (Fraction(50004, 100000), "agrees"),
        (Fraction(500049999, 10**9), "agrees"),  # 50.0049999 % rounds down
        (Fraction(50005, 100000), "last digit"),  # a half rounds up
        (Fraction(49994, 100000), "last digit"),
        (Fraction(49984, 100000), "differs"),
        (Fraction(51, 100), "differs"),
    ],
)
def test_a_verdict_is_about_the_printed_digits(proved, verdict):
    assert judge(HALF, proved, {}) == verdict


def test_reasons_are_shown_by_computation():
    assert explain(HALF, Fraction(500099, 10**6), None) == "is truncated, not rounded"
    assert explain(HALF, Fraction(499901, 10**6), None) == "is rounded up, not to the nearest"
    assert explain(HALF, Fraction(4, 10), Fraction(1, 2)) == MULTIPLIED
    assert explain(HALF, Fraction(4, 10), Fraction(1, 3)) == ""


def test_rounding_both_ways():
    like = Decimal("0.00")
    assert round_like(Fraction(1, 3), like) == Decimal("33.33")
    assert round_like(Fraction(2, 3), like) == Decimal("66.67")
    assert round_like(Fraction(2, 3), like, ROUND_FLOOR) == Decimal("66.66")
    assert round_like(Fraction(1, 3), like, ROUND_CEILING) == Decimal("33.34")
    assert round_like(Fraction(-1, 3), like) == Decimal("-33.33")


def test_two_printed_values_contradict_when_rounding_cannot_reconcile_them():
    assert is_contradiction(Decimal("34.6"), Decimal("34.4604"))
    assert not is_contradiction(Decimal("9.5"), Decimal("9.4556"))
    assert not is_contradiction(Decimal("5.59"), Decimal("5.5857"))
    assert is_contradiction(Decimal("4.95"), Decimal("5.4445"))


def test_every_measure_that_a_file_may_name_is_computed():
    assert set(MEASURES) == set(get_args(FigureMeasure))


@pytest.mark.parametrize("name", list(GAMES))
def test_every_figure_is_complete_and_names_what_exists(name):
    game = GAMES[name]
    published = figures(game)
    names = [figure.name for figure in published]
    assert len(set(names)) == len(names)
    for figure in published:
        assert figure.where
        assert figure.value.is_finite()
        game.with_options(figure.options)
        for bet in filter(None, (figure.bet, *figure.bets)):
            assert bet in [spot.name for spot in game.wagers]
        for outcome in figure.outcomes:
            assert outcome in game.spot(figure.bet).outcomes
        assert {*filter(None, [figure.same_as]), *figure.independent} <= set(names)


def test_the_audit_of_the_rummy_packet():
    """Two last digits of twenty figures are not rounded to the nearest."""
    found = list(audit(["triple-shot-rummy"]))
    assert len(found) == 20
    wrong = {
        finding.figure: (finding.proved, finding.verdict, finding.note)
        for finding in found
        if finding.verdict != "agrees"
    }
    assert wrong == {
        "Pair Plus 6, house edge": ("7.095023%", "last digit", "is truncated, not rounded"),
        "6 Card Bonus 1, house edge": ("10.224790%", "last digit", "is rounded up, not to the nearest"),
    }


def test_json_is_a_list_of_findings_and_errors_found_are_no_error():
    result = CliRunner().invoke(main, ["audit", "casino-war", "--json"])
    assert result.exit_code == 0
    first = json.loads(result.stdout)[0]
    assert list(first) == ["game", "figure", "where", "published", "proved", "verdict", "note"]
    assert (first["published"], first["verdict"]) == ("2.33%", "agrees")


def test_a_packet_without_figures_is_said_to_have_none():
    result = CliRunner().invoke(main, ["audit", "rabbit-hunter"])
    assert (result.exit_code, result.stdout.strip()) == (0, "No figures are published.")
