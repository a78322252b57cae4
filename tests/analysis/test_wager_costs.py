"""What a wager costs: the figures follow from proofs, and every rendering shows the same ones."""

from collections.abc import Iterable
from fractions import Fraction
from functools import cache

import pytest

from feltlab.analysis.design.search import nearest_tables
from feltlab.analysis.par_sheet import par_sheet
from feltlab.analysis.wager_costs import WagerCost, wager_cost, wager_costs
from feltlab.core.stake import default_stake, read_stake
from feltlab.games import GAMES, solver_of
from feltlab.proving.proof import prove, prove_play
from feltlab.report.document import Block, Paragraph, TableBlock
from feltlab.report.documents.packet.signs import table_signs
from feltlab.report.documents.par_sheet import document
from feltlab.report.documents.wager_costs import ONLY_WAGER, REQUIRED
from feltlab.submission.packet import packet
from feltlab.submission.venues import venues
from feltlab.text import percent
from tests.support.command_line import answer, refusal, run
from tests.support.features import EVERY_KIND

RABBIT = GAMES["rabbit-hunter"]
TENS_UP_ADDS = Fraction(-21232882721, 303331768740)  # the difference of two proofs; -6.9999 %
every_game = pytest.mark.parametrize("name", EVERY_KIND)


@cache
def costs(name: str) -> dict[str, WagerCost]:
    game = GAMES[name]
    return {cost.bet.name: cost for cost in wager_costs(game, default_stake(game))}


@every_game
def test_the_added_cost_is_between_the_least_and_the_most(name: str) -> None:
    """No play serves a wager better than its own, and the loss of the others is least under theirs."""
    for cost in costs(name).values():
        assert cost.least <= cost.equal_edge
        if cost.added is not None:
            assert cost.most is not None
            assert cost.least <= cost.added <= cost.most


@every_game
def test_a_wager_that_no_choice_affects_has_one_edge(name: str) -> None:
    for cost in costs(name).values():
        if cost.added is not None and not cost.depends_on_play:
            assert cost.added == cost.least == cost.most == cost.own_edge


@every_game
def test_losses_are_those_of_proofs(name: str) -> None:
    for cost in costs(name).values():
        assert cost.loss == prove(name, cost.stake).loss == cost.joint_edge * sum(cost.stake.values())
        if cost.loss_without is not None:
            without = {bet: units for bet, units in cost.stake.items() if bet != cost.bet.name}
            assert cost.loss_without == prove(name, without).loss


@pytest.mark.slow
def test_tens_up_makes_a_round_of_rabbit_hunter_cheaper() -> None:
    """A round loses 0.090 units with the Ante alone, and 0.020 with one unit of Tens Up added."""
    found = costs("rabbit-hunter")["tens-up"]
    assert found.loss_without is not None
    assert (f"{float(found.loss_without):.6f}", f"{float(found.loss):.6f}") == ("0.090271", "0.020272")
    assert found.added == TENS_UP_ADDS
    assert (percent(found.least), percent(found.most or 0)) == ("-51.2778 %", "27.0975 %")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["rabbit-hunter", "triple-shot-bonus"])
def test_no_named_strategy_costs_less_than_the_least(name: str) -> None:
    """Rules of thumb are other plays: none loses less on a wager than the play that serves it alone."""
    for cost in costs(name).values():
        for strategy in solver_of(GAMES[name]).strategies:
            assert cost.least <= prove(name, cost.stake, strategy).house_edge(cost.bet.name)


def test_a_play_may_serve_a_wager_without_those_that_the_rules_require() -> None:
    served = {"primary": Fraction(0), "tie": Fraction(1)}
    assert prove_play(GAMES["casino-war"], served).house_edge("tie") == Fraction(58, 311)


@pytest.mark.slow
def test_a_wager_is_added_up_to_its_limit() -> None:
    """Tens Up may be at most the Ante: half an Ante takes half a unit of it, in the same proportions."""
    found = wager_cost(RABBIT, read_stake(RABBIT, {"ante": "1/2"}), RABBIT.spot("tens-up"))
    assert found
    assert (found.units, found.added) == (Fraction(1, 2), TENS_UP_ADDS)


def test_costs_survive_the_store() -> None:
    for cost in costs("casino-war").values():
        assert WagerCost.of_json(GAMES["casino-war"], cost.as_json()) == cost


def test_a_wager_that_cannot_be_left_out_says_so_and_so_does_the_only_one() -> None:
    """The Primary of Casino War is required; beside it, with no Tie, there is no other wager."""
    blocks = document(par_sheet("casino-war")).sections[0].blocks
    primary, tie = rows_with(blocks, "added cost")
    assert primary[3:5] == ("required", "required")
    assert primary[6] == "only wager"
    assert "%" in tie[4]
    notes = [block.text for block in blocks if isinstance(block, Paragraph)]
    assert any("Required: the wager cannot be left out" in text for text in notes)


# -- Renderings -------------------------------------------------------------------------------------

SHOWN = ("joint_loss", "joint_loss_without", "added_cost", "least_alone", "most_alone")


def rows_with(blocks: Iterable[Block], title: str) -> tuple[tuple[str, ...], ...]:
    return next(b.rows for b in blocks if isinstance(b, TableBlock) and title in [c.title for c in b.columns])


def read_cell(cell: str) -> Fraction | None:
    if cell in (REQUIRED, ONLY_WAGER):
        return None
    return Fraction(cell.removesuffix(" %")) / (100 if "%" in cell else 1)


@every_game
def test_the_sheet_shows_the_costs_of_its_json(name: str) -> None:
    sheet = par_sheet(name)
    rows = rows_with(document(sheet).sections[0].blocks, "added cost")
    for row, found in zip(rows, sheet.as_json()["costs"].values(), strict=True):
        for cell, measure in zip(row[2:], SHOWN, strict=True):
            known = found[measure] and Fraction(found[measure]["exact"])
            read = read_cell(cell)
            assert (read is None) == (known is None)
            assert read is None or abs(read - known) <= Fraction(1, 2 * 10**6)  # both have six digits


@every_game
def test_the_sign_shows_them_too(name: str) -> None:
    sheet = par_sheet(name)
    sections = table_signs(packet(GAMES[name], next(iter(venues().values()))), sheet)
    rows = rows_with(next(s for s in sections if s.title == "Odds").blocks, "costs")
    for row, cost in zip(rows, sheet.costs, strict=True):
        assert row[0] == cost.bet.title
        assert row[2:4] == (percent(cost.hit_frequency, 2), percent(cost.main, 2))
        ends = (percent(cost.least, 2), percent(cost.most or 0, 2))
        assert row[4:] == (ends if cost.depends_on_play else ("", ""))


def test_prove_prints_what_each_wager_of_the_stake_costs() -> None:
    found = answer("prove", "casino-war", "--stake", "tie=1")["costs"]
    assert found["tie"]["added_cost"]["exact"] == "58/311"
    assert "added cost" in run("prove", "casino-war", "--stake", "tie=1").output
    assert answer("prove", "casino-war")["costs"] == {}  # one wager is the whole stake


# -- Designs ----------------------------------------------------------------------------------------


def test_a_design_aims_at_the_added_cost_or_at_the_joint_edge() -> None:
    """Tie at 11 to 1: 11.2540 % of the Tie; with a Primary beside it, (2.3301 + 11.2540) / 2 together."""
    words = ("design", "casino-war", "tie", "--pays", "tie=11")
    added, joint = answer(*words), answer(*words, "--aim", "joint")
    assert (added["aim"], joint["aim"]) == ("added", "joint")
    assert percent(Fraction(added["after"]["cost"]["exact"])) == "11.2540 %"
    assert joint["after"]["cost"] == joint["after"]["joint_edge"] == added["after"]["joint_edge"]
    assert "joint edge: 10.4898 % -> 6.792 %" in run(*words, "--aim", "joint").output


def test_tables_near_a_joint_edge_have_that_joint_edge() -> None:
    rummy = GAMES["triple-shot-rummy"]
    stake = read_stake(rummy, {"pair-plus": "2"})
    found = nearest_tables(rummy, stake, "pair-plus", Fraction(4, 100), count=3, aim="joint")
    assert found
    for made in found:
        assert made.cost == prove(made.after.game, stake).joint_edge
        assert abs(made.cost - Fraction(4, 100)) <= Fraction(1, 400)


def test_other_aims_and_empty_stakes_are_refused() -> None:
    assert "'added', 'joint'" in refusal("design", "casino-war", "tie", "--aim", "own")
    said = refusal("design", "casino-war", "tie", "--stake", "tie=0")
    assert said == "The design of a wager needs a stake on it; Tie has none."
