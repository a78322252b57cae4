"""A published hold: the sessions for which it is true, held to sessions computed in other ways."""

from fractions import Fraction

import numpy as np
import pytest

from feltlab.analysis.audit import audit
from feltlab.analysis.bankroll_walk import Walk, chain, mean_rounds
from feltlab.analysis.hold_claim import audit_holds, find_window, hold_by_rounds
from feltlab.analysis.session import RoundLaw, SessionPlan, foresee
from feltlab.core.stake import default_stake
from feltlab.errors import Refused
from feltlab.games import GAMES, data_files, figures
from feltlab.games.figures import hold_claims
from feltlab.proving.proof import prove
from feltlab.report.document import TableBlock
from feltlab.report.documents.hold_claims import sections
from tests.support.command_line import answer, run

BONUS = GAMES["triple-shot-bonus"]
COIN = RoundLaw({100: Fraction(2, 5), -100: Fraction(3, 5)}, Fraction(100), 100)  # loses a fifth of a unit


def law_of(game: str) -> RoundLaw:
    proof = prove(GAMES[game])
    return RoundLaw.of(proof, {bet: 1000 for bet, units in default_stake(GAMES[game]).items() if units})


def exact_rounds(law: RoundLaw, bankroll: int, rounds: int) -> Fraction:
    """The mean number of rounds played, in fractions, place by place."""
    places, mean = {bankroll: Fraction(1)}, Fraction(0)
    for _ in range(rounds):
        playing = {money: chance for money, chance in places.items() if money >= law.need}
        mean += sum(playing.values(), Fraction(0))
        places = {}
        for money, chance in playing.items():
            for net, share in law.nets.items():
                places[money + net] = places.get(money + net, Fraction(0)) + chance * share
    return mean


def test_mean_rounds_of_a_coin_are_exact() -> None:
    found = mean_rounds(Walk(COIN.nets, 200, 30))
    assert found is not None
    played, error = found
    assert error < 1e-10
    for rounds in (0, 1, 3, 4, 10, 30):
        assert played[rounds] == pytest.approx(float(exact_rounds(COIN, 300, rounds)), abs=1e-12)


def test_mean_rounds_are_those_of_a_session() -> None:
    """The same chain, asked at one number of rounds only."""
    law = law_of("casino-war")
    walk = SessionPlan(law, 200, 20_000).walk
    found, session = mean_rounds(walk), chain(walk)
    assert found is not None
    assert session is not None
    assert found[0][-1] == pytest.approx(session.rounds, abs=1e-9)
    assert (np.diff(found[0]) <= 1 + 1e-12).all()


def test_the_hold_is_the_expected_loss_of_the_session_as_a_share_of_the_buy_in() -> None:
    law = law_of("triple-shot-rummy")
    holds, _ = hold_by_rounds(law, 40_000, 150)
    for rounds in (1, 50, 150):
        prospect = foresee(SessionPlan(law, rounds, 40_000))
        assert holds[rounds] == pytest.approx(prospect.hold.value, abs=1e-12)


def test_a_window_is_all_rounds_with_a_hold_in_the_range() -> None:
    low, high = Fraction(15, 100), Fraction(1, 4)
    window = find_window(COIN, 10, 1000, low, high)
    holds, _ = hold_by_rounds(COIN, 1000, 60)
    assert [n for n, hold in enumerate(holds) if low <= hold <= high] == [
        *range(window.first, window.last + 1)
    ]
    assert window.is_possible


def test_without_an_edge_there_is_no_window() -> None:
    fair = RoundLaw({100: Fraction(1, 2), -100: Fraction(1, 2)}, Fraction(100), 100)
    window = find_window(fair, 20, 2000, Fraction(15, 100), Fraction(1, 4))
    assert not window.is_possible
    assert window.rounds == "never"


def test_a_player_who_is_soon_broke_is_followed_to_the_end() -> None:
    """With two units most players stop early, and the hold grows slowly above a quarter."""
    window = find_window(COIN, 2, 200, Fraction(15, 100), Fraction(1, 4))
    assert float(exact_rounds(COIN, 200, window.last)) * 20 / 200 <= 0.25
    assert float(exact_rounds(COIN, 200, window.last + 1)) * 20 / 200 > 0.25


# -- The claim of the packet ------------------------------------------------------------------------


def test_the_claim_of_the_sell_sheet() -> None:
    (claim,) = hold_claims(BONUS)
    assert (claim.low, claim.high) == (Fraction(15, 100), Fraction(1, 4))
    assert [game for game in GAMES if hold_claims(GAMES[game])] == ["triple-shot-bonus"]


@pytest.mark.slow
def test_the_verdict_depends_on_the_session() -> None:
    (audited,) = audit_holds(BONUS)
    assert audited.verdict == "depends"
    assert [layout.words for layout in audited.never] == [
        "TSB-01, Hat Trick at 9 to 1",
        "TSB-02, Hat Trick at 9 to 1",
    ]
    for layout in audited.layouts:
        assert all(window.error < 1e-9 for window in layout.windows)
        for window in layout.windows if layout.edge > 0 else ():
            # Nobody is broke: the loss of a round, times the rounds, is the hold of the buy-in.
            assert window.first >= Fraction(15, 100) * window.buy_in / layout.edge
            assert window.first < Fraction(151, 1000) * window.buy_in / layout.edge + 1


@pytest.mark.slow
def test_the_audit_lists_it() -> None:
    found = next(f for f in audit("triple-shot-bonus") if f.verdict == "depends")
    assert (found.published, found.of, found.is_cell) == ("15% to 25%", None, False)
    assert found.proved.endswith("rounds")
    assert "buy-in of 20 times the wagers" in found.note
    assert "never with TSB-01, Hat Trick at 9 to 1" in found.note
    assert answer("audit", "triple-shot-bonus")[-181]["verdict"] == "depends"  # before 180 strategy cells
    assert "1 depends" in run("audit", "triple-shot-bonus").stdout


@pytest.mark.slow
def test_the_report_shows_every_layout_and_buy_in() -> None:
    (section,) = sections(tuple(audit_holds(BONUS)))
    (table,) = [block for block in section.blocks if isinstance(block, TableBlock)]
    assert len(table.rows) == 5
    assert all(len(row) == 2 + 4 for row in table.rows)
    assert table.rows[2][2:] == ("never",) * 4


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('"15% to 25%"', '"15 to 25"', "'15 to 25' is not a range, such as 15% to 25%"),
        ('{ poker = "TSB-02" }', '{ poker = "TSB-09" }', "TSB-09"),
        ('stake = { hat-trick = "1" }', 'stake = { hat-trick = "much" }', "not a number of units"),
    ],
)
def test_a_mistake_in_a_claim_is_refused(
    monkeypatch: pytest.MonkeyPatch, old: str, new: str, sentence: str
) -> None:
    real = data_files._read_text

    def changed(*path: str) -> str:
        before, found, after = real(*path).partition("[[hold]]")
        return before + found + after.replace(old, new, 1)

    monkeypatch.setattr(data_files, "_read_text", changed)
    figures._load_published.cache_clear()
    with pytest.raises(Refused, match=sentence):
        hold_claims(BONUS)
    monkeypatch.undo()
    figures._load_published.cache_clear()
    assert hold_claims(BONUS)
