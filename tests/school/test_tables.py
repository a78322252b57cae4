"""Whole tables: on record once with result and slips, with real bets, and weighed by the proofs."""

from datetime import UTC, datetime, timedelta
from fractions import Fraction

import pytest

from feltlab.analysis.house_side import ROUNDS_PER_HOUR
from feltlab.errors import Refused, Unknown
from feltlab.games import GAMES
from feltlab.ledger.backup import SCHOOL_FILE
from feltlab.ledger.ledger import Ledger
from feltlab.school import deal_perfectly
from feltlab.school.course import PAY, DealerAct
from feltlab.school.error_costs import PAR_PACE, Pace, describe_error_costs, measure_pace, prove_odds
from feltlab.school.exams.office import SchoolOffice
from feltlab.school.progress import GameProgress, write_csv
from feltlab.school.tables import TableSeed, describe_table
from feltlab.school.timing import load_timing
from tests.support.school import open_table

GAME = GAMES["casino-war"]
SEED = TableSeed(5, 2, 3)
PLAYERS = ("stay-in",) * 3


@pytest.fixture
def office(tmp_path):
    with Ledger.open(tmp_path / SCHOOL_FILE) as ledger:
        yield SchoolOffice(ledger)


def deal(overpaid=False):
    """A table dealt to its end, without a slip or with every payment too high."""
    session = open_table(GAME, SEED.seed, SEED.level, SEED.seats)
    while session.due:
        act = session.due[0]
        more = (*act.chips, 500) if overpaid and act.kind == PAY else act.chips
        session = session.perform(DealerAct(act.kind, act.place, act.words, act.spot, more))
    return describe_table(session, SEED, PLAYERS, 90.0)


def test_a_table_is_on_record_once_with_its_slips_and_in_progress(office, tmp_path):
    record = deal(overpaid=True)
    assert office.record_table("dora", record) == 1
    assert office.record_table("dora", record) == 1  # sent again after a reload
    assert office.record_table("otto", record) == 2
    (progress,) = office.progress.of_dealer("dora")
    assert (progress.tables, progress.rounds_an_hour) == (1, 40)
    assert progress.slips["wrong-amount"] == len(record["slips"]) > 0
    assert progress.cost == record["cost"] == 500 * len(record["slips"])
    with pytest.raises(Refused, match="another dealer"):
        office.find_table(1, "otto")
    with pytest.raises(Unknown, match="no table 9"):
        office.find_table(9)
    office.ledger.close()
    with Ledger.open(tmp_path / SCHOOL_FILE, writer=False) as ledger:
        again = SchoolOffice(ledger)
        assert again.find_table(1, "dora").record == record
        assert again.verify() == []


def test_a_perfect_table_has_no_slip(office):
    record = deal()
    assert record["right"]
    assert record["slips"] == []
    assert len(record["acts"]) == len(open_table(GAME, 5, 2, 3).due)
    assert deal_perfectly(open_table(GAME, 5, 2, 3)).slips == ()


def test_seats_follow_named_strategies_and_half_of_them_the_best_play():
    names = [name for seed in range(200) for name in TableSeed(seed, 3, 7).choose_strategies(["a", "b", "c"])]
    assert set(names) == {"a", "b", "c"}
    assert 0.6 < names.count("a") / len(names) < 0.74  # a half, and a third of the other half
    assert TableSeed(1, 3, 4).choose_strategies([]) == ("stay-in",) * 4
    assert TableSeed(1, 3, 4).choose_strategies(["a", "b"]) == TableSeed(1, 3, 4).choose_strategies(
        ["a", "b"]
    )


def test_bets_are_real_amounts_that_come_one_after_the_other():
    _, wagers = TableSeed(9, 4, 7).deal(GAMES["three-card-poker"])
    assert len({cents for seat in wagers for cents in seat.values()}) > 1
    assert all(cents % 50 == 0 for seat in wagers for cents in seat.values())
    pause = load_timing().bet
    assert all(pause.low <= seconds <= pause.high for seconds in TableSeed(9, 4, 7).bet_seconds())


# -- Costs by the proofs ----------------------------------------------------------------------------


def test_an_error_is_weighed_by_the_chance_of_its_outcome():
    """A tie of the first two cards: of the 311 other cards of six decks 23 have the rank of the first."""
    odds = prove_odds(GAME)
    assert odds["tie: tie"] == Fraction(23, 311)
    progress = GameProgress("dora", "casino-war")
    slip = {
        "kind": "wrong-amount",
        "house_cents": 5_000,
        "player_cents": 0,
        "wager": "tie: tie",
        "staked": 500,
    }
    for slips in ([slip], [], [], []):  # one of four ties paid wrongly
        progress.add(
            {
                "drill": "payment",
                "level": 1,
                "right": not slips,
                "seconds": 3.0,
                "slips": slips,
                "met": {"tie: tie": 1},
            }
        )
    found = describe_error_costs(progress, odds, Pace(50, "here"))
    # $50 wrong on $5 is $100 on $10; a quarter of 23 in 311 hands
    hand = Fraction(23, 311) / 4 * 10_000
    assert found["hand_cents"] == round(float(hand), 2)
    assert found["hour_cents"] == round(50 * hand)
    assert found["basis"] == "per seat with $10 on each wager, 50 rounds an hour here"
    assert (found["wagers"][0]["met"], found["wagers"][0]["wrong"]) == (4, 1)
    line = write_csv([progress], lambda _: found).splitlines()[1]
    assert f"{found['hour_cents'] / 100:.2f}" in line


def test_the_pace_is_that_of_the_house_once_it_has_dealt_enough():
    began = datetime(2026, 1, 1, tzinfo=UTC)
    moments = [(began + timedelta(seconds=45 * n)).isoformat() for n in range(31)]
    late = [(began + timedelta(hours=9 + n)).isoformat() for n in range(3)]  # a closed table is no slow one
    assert measure_pace([moments, late]).rounds == 80
    assert "30 rounds of this house" in measure_pace([moments, late]).source
    assert measure_pace([moments[:10]]) == PAR_PACE == Pace(ROUNDS_PER_HOUR, "as in the PAR sheets")
