"""The simulation in a PAR sheet: what it says is what was played, and it is played once."""

import pytest

from feltlab.analysis import simulation_check
from feltlab.analysis.par_sheet import par_sheet
from feltlab.analysis.simulation_check import check_by_simulation
from feltlab.proving.proof import prove
from feltlab.report.documents.simulation import simulation_blocks
from feltlab.simulation import run

ROUNDS = 50_000


def test_the_check_is_the_comparison_of_the_same_rounds() -> None:
    proof = prove("casino-war")
    check = check_by_simulation(proof, ROUNDS, seed=5)
    played = run.simulate("casino-war", rounds=ROUNDS, seed=5).compare(proof)
    assert check.comparison == played
    assert check.as_json() == {"rounds": ROUNDS, "seed": 5, "generator": check.generator, **played.as_json()}


def test_rounds_are_played_once(monkeypatch: pytest.MonkeyPatch) -> None:
    proof = prove("casino-war")
    first = check_by_simulation(proof, ROUNDS, seed=6)

    def again(*_: object, **__: object) -> None:
        raise AssertionError("simulated again")

    monkeypatch.setattr(run, "simulate", again)
    assert check_by_simulation(proof, ROUNDS, seed=6) == first
    with pytest.raises(AssertionError, match="simulated again"):
        check_by_simulation(proof, ROUNDS + 1, seed=6)


def test_a_wrong_proof_is_found() -> None:
    """Rounds of a player who surrenders do not agree with the law of one who goes to war."""
    proof, other = prove("casino-war", strategy="war"), prove("casino-war", strategy="surrender")
    counts = run.simulate("casino-war", strategy="surrender", rounds=ROUNDS, seed=1)
    assert counts.compare(other).verdict == "agrees"
    assert counts.compare(proof).verdict == "differs"


def test_the_sheet_names_rounds_seed_generator_and_every_test() -> None:
    check = check_by_simulation(prove("casino-war"), ROUNDS, seed=5)
    sheet = par_sheet("casino-war", simulated=check)
    words = str(list(simulation_blocks(sheet, check)))
    outcomes, choices = check.comparison.outcomes, check.comparison.choices
    for text in (
        "'50,000'",
        "('seed', '5')",
        simulation_check.GENERATOR,
        f"{outcomes.statistic:.2f} with 4 degrees of freedom, p = {outcomes.probability:.4f}",
        f"{choices.statistic:.2f} with 1 degree of freedom, p = {choices.probability:.4f}",
        "('verdict', 'agrees')",
    ):
        assert text in words
