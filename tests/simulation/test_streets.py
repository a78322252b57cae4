"""Simulations of made-up games: streets, raises of several sizes, bonuses, and rounds without a choice."""

from collections import Counter
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest

from feltlab.core.cards import Cards
from feltlab.core.joint_numbers import decode, joint_code
from feltlab.core.round import Round
from feltlab.core.stake import default_stake
from feltlab.core.tally import Tally
from feltlab.errors import Refused
from feltlab.kernel import lean, plain_python
from feltlab.simulation import round_loop
from feltlab.simulation.plan import ROUNDS_PER_BATCH, SimulationPlan
from feltlab.simulation.round_loop import build_round, count_joint, new_round_arrays, new_round_counts
from feltlab.simulation.run import run_plan
from feltlab.simulation.user_strategy import UserStrategy
from tests.support.toy_games import STREETS, TWO_SIDES

ROUNDS = 50_000
BY_HAND = """
from tests.support.toy_games.streets import BET, BET_3, BET_4, CHECK, FOLD, count_matches

def decide(kernel_data, seen, legal, choices):
    rank = seen[0] >> 2
    if len(choices) == 0:
        return BET_4 if rank == kernel_data.ace else BET_3 if rank == 1 else CHECK
    if count_matches(seen, seen[0]):
        return BET
    return FOLD if choices[0] == CHECK else CHECK

def by_name(kernel_data, seen, legal, choices):
    return {0: "check", 1: "bet-3", 12: "bet-4"}[int(seen[0]) >> 2] if not len(choices) else "bet"

def opens_twice(kernel_data, seen, legal, choices):
    return BET_4
"""
WAGERS = {"ante": 500, "blind": 500, "ace": 100}


def plan_of(game, function="decide", rounds=ROUNDS, source=BY_HAND):
    strategy = UserStrategy(f"mine.py:{function}", source, function)
    return SimulationPlan.of(game, default_stake(game), strategy, rounds, 1)


def walk(player, compiler=lean):
    """The shoe, the choices and the joint outcome of every deal."""
    play, arrays = compiler(build_round(STREETS.rules, player.decide)), new_round_arrays(STREETS)
    code = joint_code(STREETS)
    for shoe in permutations(STREETS.deck.cards, STREETS.places):
        arrays.shoe[:] = shoe
        number = play(STREETS.kernel_data, player.data, code, arrays)
        yield shoe, tuple(arrays.choices[:2].tolist()), number


@pytest.fixture(scope="module")
def every_deal():
    return list(walk(plan_of(STREETS).player()))


@pytest.fixture(scope="module")
def law(every_deal):
    met = Counter(number for _, _, number in every_deal)
    return Tally(STREETS, dict(zip(decode(joint_code(STREETS), met), met.values(), strict=True)))


def test_a_law_pays_what_rounds_pay(every_deal):
    """Every hundredth deal as a round in cents: the bets of the law net the same."""
    code, names = joint_code(STREETS), [choice.name for choice in STREETS.choices]
    for shoe, choices, number in every_deal[::97]:
        round = Round(STREETS, Cards(shoe), WAGERS).choose(*(names[n] for n in choices))
        (outcomes,), tally = decode(code, [number]), Tally(STREETS, {})
        for bet in STREETS.wagers:
            spots = {spot.name for spot in STREETS.spots_of(bet.name)}
            wagers = [one for one in round.settlement.wagers if one.spot.name in spots]
            assert sum(one.net for one in wagers) == WAGERS[bet.name] * tally.net(bet, outcomes)
            assert sum(one.staked for one in wagers) == WAGERS[bet.name] * tally.staked(bet, outcomes)


def test_a_simulation_agrees_with_all_deals(law):
    found = run_plan(plan_of(STREETS)).tally
    assert found.deals == ROUNDS
    assert {*found.counts} == {*law.counts}
    for bet in STREETS.wagers:
        error = float(law.variance(bet) / ROUNDS) ** 0.5
        assert abs(float(found.expected(bet) - law.expected(bet))) < 4 * error
        assert abs(float(found.average_wager(bet) / law.average_wager(bet)) - 1) < 0.02


def test_choices_are_counted_by_street(every_deal):
    """A third of all cards is of each rank, so a third of all rounds opens with each choice."""
    names = [choice.name for choice in STREETS.choices]
    result = run_plan(plan_of(STREETS))
    assert list(result.streets) == ["opening", "closing"]
    assert result.streets["opening"] == result.first_choices
    for n, made in enumerate(result.streets.values()):
        expected = Counter(names[choices[n]] for _, choices, _ in every_deal)
        assert {*made} == {*expected}
        assert sum(made.values()) == ROUNDS
        for name, count in made.items():
            assert abs(count / ROUNDS - expected[name] / len(every_deal)) < 0.01
    assert {*result.streets["opening"]} == {"check", "bet-3", "bet-4"}


def test_the_json_names_units_and_streets(law):
    shown = run_plan(plan_of(STREETS, rounds=2000))._counts_json()
    assert {*shown["streets"]} == {"opening", "closing"}
    openings = {line["outcomes"]["opening"] for line in shown["tally"]}
    assert openings >= {"better hand with 4 units", "worse hand with 3 units", None}


def test_compiled_equals_interpreted(every_deal):
    player = plan_of(STREETS).player()
    plain = player._replace(decide=plain_python(player.decide))
    for deal, same, _ in zip(every_deal, walk(plain, plain_python), range(300), strict=False):
        assert deal == same


def test_a_strategy_answers_with_names_and_reads_earlier_choices():
    plan = plan_of(STREETS, "by_name", rounds=500)
    assert not plan.is_compiled
    result = run_plan(plan)
    assert result.streets["closing"] == {"bet": 500}
    with pytest.raises(Refused, match=r"answers bet-4 with \S+ on (\S\S ){2}\S\S against ##; open: .*bet"):
        run_plan(plan_of(STREETS, "opens_twice", rounds=10))


# -- Counting in a table ----------------------------------------------------------------------------


def test_a_table_counts_the_same_as_places_of_their_own(monkeypatch):
    dense = run_plan(plan_of(STREETS))
    monkeypatch.setattr(round_loop, "MOST_OWN_PLACES", 1)
    assert len(new_round_counts(STREETS).numbers) == round_loop.TABLE_PLACES
    table = run_plan(plan_of(STREETS))
    assert table.tally == dense.tally
    assert table.streets == dense.streets


@pytest.mark.filterwarnings("error")  # an overflow
@pytest.mark.parametrize("count", [count_joint, plain_python(count_joint)])
def test_numbers_of_any_size_share_a_small_table(count, monkeypatch):
    """Sixty numbers in 64 places collide, and each is found again."""
    monkeypatch.setattr(round_loop, "MOST_OWN_PLACES", 1)
    monkeypatch.setattr(round_loop, "TABLE_PLACES", 64)
    counts, rng = new_round_counts(STREETS), np.random.default_rng(1)
    numbers = [0, (1 << 62) - 1, *rng.integers(0, 1 << 62, 58).tolist()]
    for n, number in enumerate(numbers, 1):
        for _ in range(n):
            count(counts, np.int64(number))
    found = dict(zip(*(column.tolist() for column in counts.list_met()), strict=True))
    assert found == {number: n for n, number in enumerate(numbers, 1)}


def test_a_table_has_a_place_for_every_round_of_a_batch():
    """Whatever the rounds of a batch lead to, the search for a place ends."""
    assert round_loop.TABLE_PLACES >= ROUNDS_PER_BATCH


# -- Without a choice -------------------------------------------------------------------------------


def test_rounds_without_a_choice_are_simulated():
    """51 cards are left for the dealer, three of the player's own rank."""
    source = "def decide(kernel_data, seen, legal):\n    return 0\n"
    result = run_plan(plan_of(TWO_SIDES, source=source))
    assert result.first_choices == {"": ROUNDS}
    assert result.streets == {}
    ties = Fraction(result.tally.outcomes(TWO_SIDES.spot("player"))["tie"], ROUNDS)
    assert abs(float(ties) - 3 / 51) < 5 * (3 / 51 / ROUNDS) ** 0.5
