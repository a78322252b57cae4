"""The complete strategy: its classes are all hands, and its values are those of the solver for one hand."""

import csv
import gzip
import random
from fractions import Fraction
from math import comb
from pathlib import Path

import pytest

from feltlab import GAMES, Round
from feltlab.analysis.strategy_annex import csv_columns, csv_row, fraction_text, strategy_table
from feltlab.core.stake import Stake, default_stake, read_stake
from feltlab.core.strategy.table import StrategyRow, StrategyTable
from feltlab.errors import Refused
from feltlab.games import solver_of
from feltlab.report import annex
from feltlab.report.annex import AnnexFile

ALL_HANDS = {
    "casino-war": 13 * 24 * 23,  # orders of two cards of one rank, from six decks
    "rabbit-hunter": comb(52, 5),
    "triple-shot-rummy": comb(52, 3),
}
QUICK = ("casino-war", "triple-shot-rummy")


def rows_of(name: str, stake: Stake | None = None) -> list[StrategyRow]:
    table = strategy_table(GAMES[name], stake or default_stake(GAMES[name]))
    rows = list(table.rows)
    assert len(rows) == table.count
    return rows


def worth(row: StrategyRow) -> dict[int, Fraction]:
    return {n: Fraction(net, row.parts) for n, net in enumerate(row.nets) if net is not None}


def check_row(name: str, row: StrategyRow, round_: Round, stake: Stake) -> None:
    game = GAMES[name]
    expected = solver_of(game).values(round_, stake)
    assert {game.choices[n].name: value for n, value in worth(row).items()} == expected
    assert worth(row)[row.choice] == max(expected.values())


@pytest.mark.parametrize("name", QUICK)
def test_the_classes_are_all_hands(name: str) -> None:
    assert sum(row.hands for row in rows_of(name)) == ALL_HANDS[name]


@pytest.mark.parametrize("units", ["1", "1/3"])
def test_the_values_of_ties_are_those_of_the_solver(units: str) -> None:
    game = GAMES["casino-war"]
    stake = read_stake(game, {"primary": "1", "tie": units})
    for row in rows_of("casino-war", stake):
        rank = row.hand[0]
        check_row("casino-war", row, Round.of(game, f"{rank}s", f"{rank}d", primary=100), stake)


def test_the_values_of_three_cards_are_those_of_the_solver() -> None:
    game = GAMES["triple-shot-rummy"]
    stake = read_stake(game, {"ante": "1", "pair-plus": "1/2", "six-card-bonus": "2"})
    for row in random.Random(1).sample(rows_of("triple-shot-rummy", stake), 12):
        check_row("triple-shot-rummy", row, Round.of(game, row.hand, "", ante=100), stake)


@pytest.mark.slow
def test_the_values_of_five_cards_are_those_of_the_solver() -> None:
    game = GAMES["rabbit-hunter"]
    stake = read_stake(game, {"ante": "1", "tens-up": "1/2"})
    rows = rows_of("rabbit-hunter", stake)
    assert sum(row.hands for row in rows) == ALL_HANDS["rabbit-hunter"]
    for row in random.Random(1).sample(rows, 5):
        check_row("rabbit-hunter", row, Round.of(game, row.hand, "", ante=100), stake)


@pytest.mark.slow
def test_the_values_of_seven_cards_are_those_of_the_solver() -> None:
    game = GAMES["high-five-poker"]
    stake = read_stake(game, {"ante": "1", "trips": "1"})
    table = strategy_table(game, stake)
    drawn = set(random.Random(1).sample(range(2_700_000), 5))
    hands = count = 0
    for count, row in enumerate(table.rows, 1):
        hands += row.hands
        if count in drawn:
            check_row("high-five-poker", row, Round.of(game, row.hand, "", ante=100), stake)
    assert count == table.count
    assert hands == comb(53, 7)


def test_the_second_best_is_the_next_open_choice() -> None:
    assert StrategyRow("", "", 1, 0, (5, None, 3, 4), 10).second_cost == Fraction(1, 10)
    assert StrategyRow("", "", 1, 0, (5, None), 10).second_cost is None


def test_fractions_are_in_lowest_terms() -> None:
    assert [fraction_text(*pair) for pair in ((-14, 30), (6, 3), (0, 7))] == ["-7/15", "2", "0"]


def test_a_stake_without_a_choice_is_refused() -> None:
    game = GAMES["triple-shot-rummy"]
    with pytest.raises(Refused, match="nothing to choose"):
        strategy_table(game, read_stake(game, {"ante": "0", "pair-plus": "1"}))


# -- As a file --------------------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", [".csv", ".csv.gz"])
def test_a_file_has_every_row_and_equal_tables_are_equal_bytes(suffix: str, tmp_path: Path) -> None:
    game, stake = GAMES["casino-war"], default_stake(GAMES["casino-war"])
    paths = [tmp_path / f"{n}{suffix}" for n in "ab"]
    for path in paths:
        AnnexFile(path).write(game, strategy_table(game, stake))
    first, second = (path.read_bytes() for path in paths)
    assert first == second
    text = (gzip.decompress(first) if suffix == ".csv.gz" else first).decode()
    listed = list(csv.reader(text.splitlines()))
    assert listed == [csv_columns(game), *(csv_row(game, row) for row in rows_of("casino-war"))]
    # War after a tie of eights is worth -1006/3193, surrender -1/2: see methods.md of the game.
    assert listed[7] == ["8-8", "", "552", "war", "-1006/3193", "-1/2", "1181/6386"]


@pytest.mark.parametrize("name", ["strategy.txt", "strategy.gz", "strategy"])
def test_another_suffix_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(Refused, match=r"\.csv or \.csv\.gz"):
        AnnexFile(tmp_path / name)


def test_a_missing_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="there is no folder"):
        AnnexFile(tmp_path / "none" / "a.csv")


def test_a_large_table_is_written_compressed(tmp_path: Path) -> None:
    table = StrategyTable(annex.MAX_PLAIN_ROWS + 1, iter(()), "")
    AnnexFile(tmp_path / "a.csv.gz").check_size(table)
    with pytest.raises(Refused, match=r"name a \.csv\.gz file"):
        AnnexFile(tmp_path / "a.csv").check_size(table)


def test_a_file_larger_than_wanted_is_not_written(tmp_path: Path) -> None:
    """Neither if its beginning is too large, nor if only its end is."""
    path, game = tmp_path / "war.csv", GAMES["casino-war"]
    AnnexFile(path).write(game, strategy_table(game, default_stake(game)))
    size = path.stat().st_size
    path.unlink()
    for most in (0, size - 1):
        with pytest.raises(annex.AnnexTooLarge):
            AnnexFile(path).write(game, strategy_table(game, default_stake(game)), most)
        assert list(tmp_path.iterdir()) == []
    AnnexFile(path).write(game, strategy_table(game, default_stake(game)), size)
    assert path.stat().st_size == size


def test_a_failure_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("old")

    def broken():  # type: ignore[no-untyped-def]
        yield StrategyRow("8-8", "", 1, 0, (1, 0), 1)
        raise RuntimeError("no more")

    with pytest.raises(RuntimeError, match="no more"):
        AnnexFile(path).write(GAMES["casino-war"], StrategyTable(2, broken(), ""))
    assert [path.read_text(), len(list(tmp_path.iterdir()))] == ["old", 1]
