"""The audit: verdicts by computation, figures that say where they stand."""

import json
from dataclasses import replace
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from fractions import Fraction
from types import SimpleNamespace
from typing import get_args

import pytest
from click.testing import CliRunner

from feltlab.analysis import published_measures
from feltlab.analysis.audit import MULTIPLIED, audit, audit_figure, explain, judge
from feltlab.analysis.printed_digits import is_contradiction, round_like
from feltlab.analysis.published_measures import MEASURES, find_bases
from feltlab.cli.main import main
from feltlab.errors import Refused
from feltlab.games import GAMES
from feltlab.games.figures import Figure, FigureMeasure, figures
from feltlab.proving.exact_numbers import root
from feltlab.proving.proof import Proof, prove

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
    assert {*MEASURES, "best_choice"} == set(get_args(FigureMeasure))


@pytest.mark.parametrize("name", list(GAMES))
def test_every_figure_is_complete_and_names_what_exists(name):
    game = GAMES[name]
    published = figures(game)
    names = [figure.name for figure in published]
    assert len(set(names)) == len(names)
    for figure in published:
        assert figure.where
        assert figure.measure == "best_choice" or figure.value.is_finite()
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


# -- Bases and rules for equal values ----------------------------------------------------------------

RUMMY = GAMES["triple-shot-rummy"]  # the Ante and its Play: the two bases differ
ANTE = {"name": "made up", "where": "page 1", "bet": "ante"}


def printed_percent(share: Fraction) -> str:
    return f"{round_like(share, Decimal('0.0000'))}%"


def longer_percent(share: Fraction) -> str:
    """With the four digits more that a finding gives."""
    return f"{round_like(share, Decimal('0.00000000'))}%"


@pytest.fixture(scope="module")
def rummy() -> Proof:
    return prove(RUMMY)


def test_an_edge_per_money_bet_agrees_and_says_so(rummy: Proof) -> None:
    risk, edge = rummy.tally.element_of_risk(RUMMY.spot("ante")), rummy.house_edge("ante")
    printed = printed_percent(risk)
    found = audit_figure(RUMMY, Figure(published=printed, measure="house_edge", **ANTE), {})
    assert (found.verdict, found.proved) == ("agrees", longer_percent(risk))
    assert found.note == f"agrees per money bet: {longer_percent(risk)} of all that is bet"
    assert f"per Ante it is {longer_percent(edge)}" in found.reason
    assert found.error == Fraction(printed[:-1]) / 100 - risk


def test_an_element_of_risk_may_be_an_edge_per_ante(rummy: Proof) -> None:
    edge = printed_percent(rummy.house_edge("ante"))
    found = audit_figure(RUMMY, Figure(published=edge, measure="element_of_risk", **ANTE), {})
    assert (found.verdict, found.note.split(":")[0]) == ("agrees", "agrees per Ante")


def test_a_return_is_tried_per_money_bet_too(rummy: Proof) -> None:
    kept = printed_percent(1 - rummy.tally.element_of_risk(RUMMY.spot("ante")))
    found = audit_figure(RUMMY, Figure(published=kept, measure="return", **ANTE), {})
    assert (found.verdict, found.note.split(":")[0]) == ("agrees", "agrees per money bet")


def test_an_edge_of_a_rule_of_thumb_agrees_under_its_name() -> None:
    other = "15-or-less"
    edge = prove(RUMMY, strategy=other).house_edge("ante")
    found = audit_figure(RUMMY, Figure(published=printed_percent(edge), measure="house_edge", **ANTE), {})
    assert found.verdict == "agrees"
    assert f"per Ante under the strategy {other}: {longer_percent(edge)}" in found.note


def test_a_figure_on_no_basis_differs_with_each_value(rummy: Proof) -> None:
    figure = Figure(published="77.7700%", measure="house_edge", **ANTE)
    found = audit_figure(RUMMY, figure, {})
    assert found.verdict == "differs"
    assert found.note.startswith("fits on no basis: per Ante ")
    bases = find_bases(RUMMY, figure)
    plain = [basis for basis in bases if not basis.thumb_rule]
    assert [basis.words for basis in plain] == ["per Ante", "per money bet"]
    for basis in plain:
        assert f"{basis.words} {longer_percent(basis.value)}" in found.note
    rules = {basis.thumb_rule for basis in bases} - {""}
    assert found.note.endswith(f"; nor under {len(rules)} named strategies")


def test_a_figure_for_a_named_strategy_is_tried_with_that_strategy_only(rummy: Proof) -> None:
    named = Figure(published="77.77%", measure="house_edge", strategy="never-fold", **ANTE)
    assert [basis.words for basis in find_bases(RUMMY, named)] == ["per Ante", "per money bet"]


@pytest.fixture
def cautious(monkeypatch: pytest.MonkeyPatch) -> Proof:
    """A game that offers `cautious`: here the proof of another strategy bears the name."""
    stands_in = prove(RUMMY, strategy="never-fold")
    known = SimpleNamespace(strategies={"optimal": "", "cautious": ""})
    monkeypatch.setattr(published_measures, "solver_of", lambda game: known)
    real = published_measures.prove_strategy
    monkeypatch.setattr(
        published_measures,
        "prove_strategy",
        lambda game, strategy: stands_in if strategy == "cautious" else real(game, strategy),
    )
    return stands_in


def test_both_rules_for_equal_values_are_tried(cautious: Proof) -> None:
    average = cautious.tally.average_wager(RUMMY.spot("ante"))
    assert average == 2  # who always plays puts down Ante and Play
    found = audit_figure(RUMMY, Figure(published="2.0000", measure="average_wager", **ANTE), {})
    assert found.note == "agrees with the smaller wager at equal value: 2.00000000"
    found = audit_figure(RUMMY, Figure(published="7.0000", measure="average_wager", **ANTE), {})
    assert found.verdict == "differs"
    assert "with the larger wager at equal value 1." in found.note
    assert "with the smaller wager at equal value 2.00000000" in found.note


def test_a_game_without_the_second_rule_is_not_asked() -> None:
    found = audit_figure(RUMMY, Figure(published="7.0000", measure="average_wager", **ANTE), {})
    assert (found.verdict, found.note) == ("differs", "")


# -- Counts, single hands, choices -------------------------------------------------------------------


def test_a_count_is_audited_of_all_cases() -> None:
    """Of 22,100 hands of three cards 52 are three of a kind."""
    entry = {"measure": "probability", "bet": "pair-plus", "outcomes": ("Three of a Kind",), "of": "22,100"}
    right = audit_figure(RUMMY, Figure("threes", "page 1", "52", **entry), {})
    assert (right.verdict, right.proved, right.error) == ("agrees", "52", 0)
    wrong = audit_figure(RUMMY, Figure("threes", "page 1", "50", **entry), {})
    assert (wrong.verdict, wrong.error) == ("differs", Fraction(-2, 22100))


def test_outcomes_of_several_spots_in_one_deal_are_audited(rummy: Proof) -> None:
    """The Play pushes in exactly the deals in which the Ante wins against a dealer who does not play."""
    ante = rummy.tally.outcomes(RUMMY.spot("ante"))["dealer does not play"]
    together = {"ante": "dealer does not play", "play": "dealer does not play"}
    deals = rummy.tally.deals
    figure = Figure("no play", "page 1", f"{ante:,}", "probability", together=together, of=f"{deals:,}")
    assert audit_figure(RUMMY, figure, {}).verdict == "agrees"
    never = replace(figure, published="0", together={"ante": "fold", "play": "dealer does not play"})
    assert audit_figure(RUMMY, never, {}).verdict == "agrees"


def test_a_mean_net_is_audited(rummy: Proof) -> None:
    net = f"{float(-rummy.house_edge('ante')):.6f}"
    assert audit_figure(RUMMY, Figure(published=net, measure="expected", **ANTE), {}).verdict == "agrees"


def test_a_plain_number_is_audited(rummy: Proof) -> None:
    deviation = f"{root(rummy.tally.variance(RUMMY.spot('ante'))):.4f}"
    found = audit_figure(RUMMY, Figure(published=deviation, measure="deviation", **ANTE), {})
    assert (found.verdict, found.proved[:6]) == ("agrees", deviation)


def test_the_value_of_a_single_hand_and_its_best_choice_are_audited() -> None:
    """A tie of nines: surrender loses half a unit, and war is better."""
    war = GAMES["casino-war"]
    hand = {"cards": "9s", "dealer": "9d"}
    value = Figure("surrender", "page 1", "-0.50", "choice_value", choice="surrender", **hand)
    assert audit_figure(war, value, {}).verdict == "agrees"
    assert audit_figure(war, replace(value, published="-0.60"), {}).verdict == "differs"
    over = replace(value, published="0.00", over="surrender")
    assert audit_figure(war, over, {}).verdict == "agrees"
    best = Figure("tie", "page 1", "war", "best_choice", **hand)
    assert audit_figure(war, best, {}).verdict == "agrees"
    wrong = audit_figure(war, replace(best, published="surrender"), {})
    assert (wrong.verdict, wrong.proved, wrong.error) == ("differs", "war", 0)
    assert wrong.note.startswith("costs 0.1")  # units; the example of `advise` has 92.47 of 500 cents


def test_the_share_of_a_choice_is_audited(rummy: Proof) -> None:
    share = printed_percent(rummy.first_choices["fold"])
    figure = Figure("folds", "page 1", share, "choice_share", choice="fold")
    assert audit_figure(RUMMY, figure, {}).verdict == "agrees"
    with pytest.raises(Refused, match="no choices on the street 'river'"):
        audit_figure(RUMMY, replace(figure, street="river"), {})


def test_a_word_before_a_number_does_not_count() -> None:
    assert Figure("a", "b", "about 8%", "house_edge").value == 8
    assert Figure("a", "b", "2,268", "probability", of="270,725").value == 2268


def test_an_address_stands_beside_the_place() -> None:
    figure = replace(HALF, source="https://example.com/page")
    assert figure.place == "page 1, https://example.com/page"
    assert HALF.place == "page 1"
