"""Sessions: the chain held to exhausted walks and to closed forms, the simulation to the chain."""

from collections import Counter
from fractions import Fraction
from math import comb, fsum
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from feltlab.analysis.bankroll_walk import Walk, chain, simulate
from feltlab.analysis.month import Month
from feltlab.analysis.session import RoundLaw, SessionPlan, foresee, wagers_in_cents
from feltlab.core.stake import read_stake
from feltlab.errors import Refused
from feltlab.games import GAMES
from feltlab.proving.exact_numbers import root
from feltlab.proving.proof import prove
from feltlab.report.documents.session_plot import SHOWN_SHARES, Histogram, axis_marks, draw_terminal
from tests.support.command_line import answer, refusal, run

WAR = GAMES["casino-war"]
COIN = {1: Fraction(1, 2), -1: Fraction(1, 2)}
THREE = {5: Fraction(1, 7), 0: Fraction(2, 7), -2: Fraction(4, 7)}
RARE = {5000: Fraction(1, 10**6), 3: Fraction(1, 5), -1: 1 - Fraction(1, 5) - Fraction(1, 10**6)}


def law(nets, need=None):
    return RoundLaw(nets, Fraction(need or -min(nets)), need or -min(nets))


def exhausted(walk):
    """Every path in Fractions: results of who played all rounds, of who had to stop, and rounds played."""
    alive, stopped, played = Counter({0: Fraction(1)}), Counter(), Fraction(0)
    for n in range(walk.rounds):
        playing = {at: chance for at, chance in alive.items() if at >= -walk.room}
        stopped.update({at: chance for at, chance in alive.items() if at < -walk.room})
        assert n or not stopped
        played += sum(playing.values())
        alive = Counter()
        for at, chance in playing.items():
            for net, p in walk.nets.items():
                alive[at + net] += chance * p
    return alive, stopped, played


def assert_exhausted(walk):
    done, (full, stopped, played) = chain(walk), exhausted(walk)
    results = [int(result) for result in done.spread.results]
    for found, right in ((done.spread.full, full), (done.spread.stopped, stopped)):
        off = sum(
            abs(Fraction(p) - right[result]) for result, p in zip(results, map(float, found), strict=True)
        )
        missing = sum(chance for result, chance in right.items() if result not in results)
        assert off + missing <= done.error < 1e-11
    assert abs(Fraction(done.rounds) - played) <= done.rounds_error


@pytest.mark.parametrize("nets", [COIN, THREE, {3: Fraction(1, 3), -2: Fraction(2, 3)}, {7: Fraction(1)}])
@pytest.mark.parametrize("room", [0, 1, 2, 7, 1000])
@pytest.mark.parametrize("rounds", [1, 2, 30])
def test_the_chain_is_what_exhausting_all_walks_gives(nets, room, rounds):
    assert_exhausted(Walk(nets, room, rounds))


@settings(max_examples=60, deadline=None)
@given(
    st.dictionaries(st.integers(-40, 90), st.integers(1, 9), min_size=1, max_size=5),
    st.integers(0, 100),
    st.integers(1, 12),
)
def test_so_it_is_for_any_small_law(weights, room, rounds):
    total = sum(weights.values())
    assert_exhausted(Walk({net: Fraction(n, total) for net, n in weights.items()}, room, rounds))


@pytest.mark.parametrize("p", [Fraction(1, 2), Fraction(2, 5), Fraction(3, 5)])
def test_a_gamblers_ruin_has_its_closed_form(p):
    """A bankroll of b is first used up after n rounds with b/n C(n, (n-b)/2) p^((n-b)/2) q^((n+b)/2)."""
    b, rounds = 6, 120
    ruin = sum(
        Fraction(b, n) * comb(n, (n - b) // 2) * p ** ((n - b) // 2) * (1 - p) ** ((n + b) // 2)
        for n in range(b, rounds, 2)
    )
    found = foresee(SessionPlan(law({1: p, -1: 1 - p}), rounds, b)).ruin
    assert abs(found.value - ruin) <= found.error < 1e-11


def test_a_gamblers_ruin_in_the_long_run():
    p = Fraction(3, 5)
    found = foresee(SessionPlan(law({1: p, -1: 1 - p}), 5000, 5)).ruin
    assert found.value == pytest.approx((2 / 3) ** 5, abs=1e-11)


def test_a_player_who_cannot_win_is_ruined_when_the_money_is_gone():
    found = foresee(SessionPlan(law({-3: Fraction(1)}), 100, 10))
    assert (found.ruin.value, found.rounds.value, found.percentiles[50]) == (1, 3, -9)
    assert foresee(SessionPlan(law({-3: Fraction(1)}), 3, 10)).ruin.value == 0  # no round is left unplayed


@pytest.mark.parametrize("nets", [COIN, THREE, RARE])
def test_without_a_limit_the_chain_has_the_exact_moments(nets):
    plan = SessionPlan(law(nets), 200, 10_000)
    done = foresee(plan)
    assert done.ruin.value == 0
    results, chances = done.spread.results.astype(float), done.spread.chances
    mean = fsum(results * chances)
    deviation = fsum((results - mean) ** 2 * chances) ** 0.5
    assert mean == pytest.approx(float(plan.expected), abs=1e-7)
    assert deviation == pytest.approx(root(plan.variance), rel=1e-7)
    assert fsum((results - mean) ** 3 * chances) / deviation**3 == pytest.approx(plan.skewness, abs=1e-6)


def test_wald_agrees_with_the_distribution():
    done = foresee(SessionPlan(law(THREE), 300, 60))
    assert done.ruin.value > 0.1
    assert done.expected.value == pytest.approx(fsum(done.spread.results * done.spread.chances), abs=1e-8)


@settings(max_examples=30, deadline=None)
@given(st.integers(2, 200), st.integers(1, 50), st.integers(1, 300))
def test_more_money_is_never_ruined_sooner(bankroll, more, rounds):
    less, richer = (foresee(SessionPlan(law(THREE), rounds, money)) for money in (bankroll, bankroll + more))
    assert richer.ruin.value <= less.ruin.value + less.ruin.error + richer.ruin.error
    for done in (less, richer):
        ordered = list(done.percentiles.values())
        assert ordered == sorted(ordered)
        assert done.ahead.value + done.even.value + done.behind.value == pytest.approx(1, abs=1e-11)
        assert (np.diff(done.result.fan) >= 0).all()


@pytest.mark.parametrize(
    ("nets", "room", "rounds"), [(COIN, 20, 400), (THREE, 50, 300), (RARE, 300, 9000), (THREE, 10**5, 9000)]
)
def test_the_simulation_agrees_with_the_chain(nets, room, rounds):
    plan = SessionPlan(law(nets), rounds, room - min(nets))
    right, drawn = foresee(plan), foresee(plan, seed=5, most_work=0)
    assert (right.simulated, drawn.simulated > 1000) == (0, True)
    for name in ("ruin", "ahead", "even", "behind", "rounds", "expected"):
        wanted, found = getattr(right, name), getattr(drawn, name)
        assert abs(wanted.value - found.value) <= 4 * found.error + 1e-6, name
    for percent, net in drawn.percentiles.items():
        below, upto = right.spread.results < net, right.spread.results <= net
        margin = 4 * (percent / 100 * (1 - percent / 100) / drawn.simulated) ** 0.5
        assert right.spread.chance(below) - margin <= percent / 100 <= right.spread.chance(upto) + margin


def test_a_seed_draws_the_same_sessions_again():
    walk = Walk(THREE, 20, 100)
    first, again, other = (simulate(walk, seed, most_sessions=1000).rounds for seed in (7, 7, 8))
    assert first == again != other


def test_what_is_too_large_for_a_chain_is_simulated_and_says_so():
    fine = {1_000_003: Fraction(1, 2), -1_000_000: Fraction(1, 2)}
    done = foresee(SessionPlan(law(fine), 10_000, 100_000_000))
    assert done.simulated
    assert "simulation" in done.method


# -- From a proof -----------------------------------------------------------------------------------


def test_a_round_has_the_measures_of_its_proof():
    stake = read_stake(WAR, {"tie": "1/2"})
    proof = prove(WAR, stake)
    found = RoundLaw.of(proof, wagers_in_cents(WAR, stake, 1000))
    assert sum(found.nets.values()) == 1
    assert found.mean == 1000 * proof.tally.total_expected(stake)
    assert found.variance == 1000**2 * proof.tally.total_variance(stake)
    assert found.average == 1000 * proof.average_wager
    assert found.need == 2500  # the primary doubled in a war, and the tie


def test_wagers_are_the_games_own():
    with pytest.raises(Refused, match=r"1/2 times \$0\.05 is not a whole number of cents"):
        wagers_in_cents(WAR, {"primary": Fraction(1), "tie": Fraction(1, 2)}, 5)
    with pytest.raises(Refused, match="must be more than"):
        wagers_in_cents(WAR, {"primary": Fraction(1)}, 0)


# -- The month --------------------------------------------------------------------------------------


def month(nets, covariance=0, tables=2, seats=3, rounds=1000):
    return Month(law(nets), tables, seats, rounds, 100, 50, covariance)


def test_the_variance_of_a_table_has_each_pair_of_seats_twice():
    variance = law(THREE).variance
    assert month(THREE).variance == 2 * 3 * 1000 * variance
    assert month(THREE, Fraction(1, 3)).variance == 2 * 1000 * (3 * variance + 6 * Fraction(1, 3))
    assert month(THREE, variance).variance == 2 * 1000 * 9 * variance  # seats that win and lose together
    assert month(THREE, Fraction(1)).rounds_to_lead > month(THREE).rounds_to_lead
    assert month(THREE, Fraction(1)).band(95)[0] < month(THREE).band(95)[0]


def test_a_month_is_the_mean_of_its_rounds():
    found = month(THREE)
    assert found.player_rounds == 6000
    assert found.win == -6000 * law(THREE).mean == 6000 * Fraction(3, 7)
    assert found.sessions == 6000 / 50
    assert found.hold == pytest.approx(float(Fraction(3, 7)) * 50 / 100)


def test_bands_are_exact_and_the_corrected_law_is_near_them(monkeypatch):
    nets = {9: Fraction(1, 11), -1: Fraction(10, 11)}
    found = month(nets, tables=1, seats=1, rounds=400)
    spread = chain(Walk(nets, 10**6, 400)).spread
    behind = spread.chance(spread.results > 0) + spread.chance(spread.results == 0) / 2
    assert found.loss_probability == pytest.approx(spread.chance(spread.results >= 0), abs=1e-9)
    exact = (-spread.percentile(0.975), -spread.percentile(0.025))
    assert found.band(95) == pytest.approx(exact)
    monkeypatch.setattr("feltlab.analysis.month.sum_rounds", lambda walk: None)  # as if there were no memory
    corrected = month(nets, tables=1, seats=1, rounds=400)
    assert corrected.loss_probability == pytest.approx(behind, abs=0.002)
    assert corrected.band(95) == pytest.approx(exact, abs=10)


def test_the_house_leads_after_so_many_rounds_and_not_before():
    nets = {1: Fraction(45, 100), -1: Fraction(55, 100)}
    rounds = month(nets, seats=1).rounds_to_lead
    for n, sure in ((rounds, True), (rounds - 20, False)):
        spread = chain(Walk(nets, 10**6, n)).spread
        behind = spread.chance(spread.results > 0) + spread.chance(spread.results == 0) / 2
        assert (behind <= 0.01 + 1e-4) == sure
    assert month({1: Fraction(1, 2), -1: Fraction(1, 2)}).rounds_to_lead is None


# -- Pictures ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("nets", [COIN, THREE, RARE])
@pytest.mark.parametrize("columns", [10, 37, 72, 200])
def test_a_histogram_shows_nearly_all_and_fits(nets, columns):
    spread = foresee(SessionPlan(law(nets), 240, 100)).spread
    for enough in (0, 0.75):
        found = Histogram.of(spread, columns, enough)
        assert len(found.bars) * found.columns <= columns
        assert sum(bar.chance for bar in found.bars) > SHOWN_SHARES[1] - SHOWN_SHARES[0]
        assert any(bar.middle == 0 for bar in found.bars)


def test_bars_hold_equally_many_results():
    """Every second result of a coin is impossible: no bar is empty for that."""
    bars = Histogram.of(foresee(SessionPlan(law(COIN), 400, 1000)).spread, 70).bars
    tops = [bar.chance for bar in bars]
    middle = tops.index(max(tops))
    assert tops[:middle] == sorted(tops[:middle])


@pytest.mark.parametrize("width", [20, 60, 80, 160])
@pytest.mark.parametrize("rounds", [1, 2, 240])
def test_the_terminal_is_not_overrun(width, rounds):
    lines = draw_terminal(foresee(SessionPlan(law(THREE), rounds, 60)).spread, width).plain.split("\n")
    assert max(map(len, lines[1:])) <= width


@pytest.mark.parametrize(("rounds", "bankroll"), [(100_000, 30), (5, 2), (3, 10**6)])
def test_a_histogram_of_few_results_is_drawn_too(rounds, bankroll):
    for nets in (COIN, THREE, {-2: Fraction(1)}):
        assert (
            len(draw_terminal(foresee(SessionPlan(law(nets), rounds, bankroll)).spread, 80).plain.split("\n"))
            == 11
        )


def test_marks_are_round_and_few():
    assert list(axis_marks(-40_000, 43_000, 6)) == [-40_000, -20_000, 0, 20_000, 40_000]
    assert len(list(axis_marks(-1e12, 1e12, 7))) <= 8


# -- The command ------------------------------------------------------------------------------------


def test_json_has_what_was_asked_and_every_figure():
    found = answer("session", "casino-war", "--stake", "tie=1/2", "--hours", "2", "--bankroll", "500")
    assert found["wagers"] == {"primary": 1000, "tie": 500}
    session = found["session"]
    assert (session["rounds"], session["bankroll"], session["need"]) == (120, 50_000, 2500)
    assert list(session["probability"]) == ["ruin", "ahead", "even", "behind"]
    assert list(session["average"]) == ["expected", "rounds", "handle", "hold"]
    assert list(session["percentiles"]) == ["1", "5", "25", "50", "75", "95", "99"]
    assert len(session["bankroll_after"]) == 49
    assert session["bankroll_after"][0] == {"round": 0, "percentiles": [50_000] * 5}
    law = RoundLaw.of(prove(WAR, {"primary": Fraction(1), "tie": Fraction(1, 2)}), found["wagers"])
    assert Fraction(session["unlimited"]["expected"]["exact"]) == 120 * law.mean
    assert Fraction(session["edge_on_handle"]["exact"]) == law.edge
    assert found["month"]["player_rounds"] == 5 * 30 * 16 * 60
    assert found["month"]["hold"] == pytest.approx(session["average"]["hold"]["value"])


def test_the_bankroll_is_forty_stakes_by_default():
    assert answer("session", "casino-war", "--bet", "25")["session"]["bankroll"] == 100_000


def test_parts_of_a_round_are_not_played_but_one_is():
    assert answer("session", "casino-war", "--hours", "0.999")["session"]["rounds"] == 59
    assert answer("session", "casino-war", "--hours", "0.001")["session"]["rounds"] == 1


@pytest.mark.parametrize("columns", ["60", "80", "120"])
def test_it_is_printed_within_the_terminal(monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", columns)
    shown = run("session", "casino-war", "--stake", "tie=1").stdout
    for word in ("ruin", "hold", "skewness", "theoretical win", "$10 on tie", "Markov chain"):
        assert word in shown
    assert max(map(len, shown.splitlines())) <= int(columns)


def test_a_picture_is_the_same_bytes_each_time(tmp_path):
    first, again = tmp_path / "one.svg", tmp_path / "two.svg"
    for path in (first, again):
        assert run("session", "casino-war", "-o", str(path)).exit_code == 0
    assert first.read_bytes() == again.read_bytes()
    assert first.read_text().startswith("<?xml")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one.svg", "two.svg"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--hours", "0"), "--hours must be a number above 0, such as 4 or 2.5, not '0'."),
        (("--hours", "-1"), "--hours must be a number above 0, such as 4 or 2.5, not '-1'."),
        (("--hours", "nan"), "--hours must be a number above 0, such as 4 or 2.5, not 'nan'."),
        (("--hours", "1e9"), "A session of 60,000,000,000 rounds is too long; the most is 10,000,000."),
        (
            ("--hours", "1000000000"),
            "A session of 60,000,000,000 rounds is too long; the most is 10,000,000.",
        ),
        (
            ("--rounds-per-hour", "0.0"),
            "--rounds-per-hour must be a number above 0, such as 4 or 2.5, not '0.0'.",
        ),
        (("--hours-a-day", "25"), "--hours-a-day may be at most 24."),
        (("--seats", "8"), "A table of Casino War has at most 7 seats."),
        (("--bet", "0"), "The Primary wager must be more than $0, not $0."),
        (("--bet", "0.01"), "The Primary wager must be a multiple of $0.02 so that it pays whole cents."),
        (("--bet", "0.005"), "'0.005' is not an amount of dollars and whole cents."),
        (("--stake", "tie=1/3"), "The Tie wager of 1/3 times $10 is not a whole number of cents."),
        (("--bankroll", "19"), "A bankroll of $19 is less than the $20 that a round can require."),
        (("--bankroll", "-5"), "A bankroll of -$5 is less than the $20 that a round can require."),
        (("--bankroll", f"{10**15}"), "The bankroll may be at most $1,000,000,000,000."),
        (
            ("--strategy", "hope"),
            "'hope' is not a strategy of Casino War; they are optimal, war and surrender.",
        ),
        (("-o", "session.png"), "A picture is written as .svg, not as 'session.png'."),
        (
            ("-o", "/nowhere/session.svg"),
            "/nowhere/session.svg cannot be written: there is no folder /nowhere.",
        ),
    ],
)
def test_a_mistake_is_answered_by_one_sentence(words, sentence):
    assert refusal("session", "casino-war", *words) == sentence


def test_a_folder_is_not_written_over(tmp_path: Path):
    (tmp_path / "x.svg").mkdir()
    assert "cannot be written" in refusal("session", "casino-war", "-o", str(tmp_path / "x.svg"))
    assert [path.name for path in tmp_path.iterdir()] == ["x.svg"]
