"""The comparison sees what is wrong and is quiet about what is right."""

from fractions import Fraction

import pytest

from feltlab.core.chi_square import ChiSquare, chi_square, chi_square_probability
from feltlab.core.stake import default_stake
from feltlab.core.tally import Tally
from feltlab.games import GAMES
from feltlab.proving.proof import prove
from feltlab.simulation.comparison import compare
from feltlab.simulation.plan import SimulationPlan
from feltlab.simulation.run import run_plan

WAR = GAMES["casino-war"]


@pytest.mark.parametrize(
    ("statistic", "freedom", "probability"),
    [  # the 5 % and 1 % points that tables of the distribution print
        (3.841, 1, 0.05),
        (5.991, 2, 0.05),
        (7.815, 3, 0.05),
        (18.307, 10, 0.05),
        (6.635, 1, 0.01),
        (124.342, 100, 0.05),
    ],
)
def test_the_tail_of_chi_square(statistic, freedom, probability):
    assert chi_square_probability(statistic, freedom) == pytest.approx(probability, abs=5e-5)


def test_far_tails_neither_overflow_nor_fall_short():
    assert chi_square_probability(0, 5) == 1
    assert chi_square_probability(1e5, 3) == 0
    assert chi_square_probability(5000, 5000) == pytest.approx(0.497, abs=0.01)


def test_rare_cells_are_taken_together():
    law = {"often": 90, "seldom": 6, "rare": 4}
    assert chi_square({"often": 90, "seldom": 6, "rare": 4}, law) == ChiSquare(0, 1)  # 6 and 4 make one of 10
    assert chi_square({"often": 9000, "seldom": 600, "rare": 400}, law).freedom == 2
    assert chi_square({"often": 5}, law) == ChiSquare(0, 0)


def test_a_perfect_sample_has_no_distance():
    proof = prove(WAR)
    found = compare(proof.tally, proof.law.first_choices, proof)
    assert found.verdict == "agrees"
    assert all(measure.z == 0 for measure in found.measures)
    edge = found.measures[0]
    assert (edge.bet.name, edge.name) == ("primary", "edge")
    assert edge.proved == -proof.tally.expected(WAR.spot("primary"))


def test_standard_errors_are_those_of_the_law():
    proof = prove(WAR)
    sample = Tally(WAR, dict.fromkeys(proof.law.counts, 1))
    edge = compare(sample, {}, proof).measures[0]
    variance = proof.tally.variance(WAR.spot("primary"))
    assert edge.error == pytest.approx((float(variance) / len(proof.law.counts)) ** 0.5)


def test_an_impossible_outcome_is_enough():
    proof = prove(WAR, strategy="war")
    surrendered = next(iter(set(prove(WAR, strategy="surrender").law.counts) - set(proof.law.counts)))
    found = compare(proof.tally + Tally(WAR, {surrendered: 1}), proof.law.first_choices, proof)
    assert found.verdict == "differs"
    assert "excludes" in found.in_words()


@pytest.mark.parametrize("rounds", [1, 2, 3, 10])
def test_few_rounds_say_nothing(rounds):
    run = run_plan(SimulationPlan.of(WAR, default_stake(WAR), "optimal", rounds, 1))
    found = compare(run.tally, run.first_choices, prove(WAR))
    assert (found.verdict, found.probability) == ("too few", 1.0)
    assert "too few rounds" in found.in_words()


def test_a_lopsided_pay_does_not_judge_few_rounds():
    """One lucky royal in a thousand rounds is no evidence against a proof."""
    game = GAMES["rabbit-hunter"]
    proof = prove(game)
    best = max(proof.law.counts, key=lambda outcomes: proof.tally.net(game.spot("tens-up"), outcomes))
    usual = {outcomes: round(1000 * n / proof.tally.deals) for outcomes, n in proof.law.counts.items()}
    lucky = Tally(game, {o: n for o, n in usual.items() if n} | {best: 1})
    judged = compare(lucky, {}, proof)
    assert judged.verdict != "differs"
    assert not all(measure.judges for measure in judged.measures)


def test_a_true_proof_is_seldom_called_unusual():
    """Of two hundred runs about two may look as one in a hundred does; ten never do."""
    proof = prove(WAR)
    verdicts = []
    for seed in range(200):
        run = run_plan(SimulationPlan.of(WAR, default_stake(WAR), "optimal", 50_000, seed))
        verdicts.append(compare(run.tally, run.first_choices, proof).verdict)
    assert "differs" not in verdicts
    assert verdicts.count("unusual") < 10


def test_what_is_not_proved_has_errors_of_the_sample():
    from feltlab.simulation.comparison import measure_tally

    run = run_plan(SimulationPlan.of(WAR, default_stake(WAR), "war", 100_000, 1))
    edge = next(measure_tally(run.tally))
    assert edge.proved is None
    assert not edge.judges
    variance = float(run.tally.variance(WAR.spot("primary")))
    assert edge.error == pytest.approx((variance / 100_000) ** 0.5)
    assert edge.simulated == -float(run.tally.expected(WAR.spot("primary")))


def test_measures_are_exact_where_the_proof_is():
    edge = compare(prove(WAR).tally, {}, prove(WAR)).measures[0]
    assert isinstance(edge.proved, Fraction)
