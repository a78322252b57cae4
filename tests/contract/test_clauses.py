"""Rule sheets, tests and pay tables agree.

Every clause of docs/rules has a test that bears its number, in test_rules.py or, for money in stages and the
handling of cards and chips, in test_procedure.py. What a sheet prints of a pay table is what the game pays.
"""

import ast
import re
from collections import defaultdict
from pathlib import Path

import pytest

from feltlab.games import GAMES
from tests.support.game_data import data_of, file_of, folder_of

SHEETS = Path(__file__).parents[2] / "docs" / "rules"

Clause = tuple[int, int]

SECTION = re.compile(r"## (\d+) \S")
CLAUSE = re.compile(r"\*\*(\d+)\.(\d+)\*\* \S")
TEST = re.compile(r"test_(\d+)_(\d+)_\w")
SOURCE = re.compile(r"^> Source: \S", re.MULTILINE)


def paragraphs(game: str) -> list[str]:
    return re.split(r"\n\s*\n", (SHEETS / f"{game}.md").read_text(encoding="utf-8"))


def clause_of(paragraph: str) -> Clause | None:
    found = CLAUSE.match(paragraph)
    return (int(found[1]), int(found[2])) if found else None


def clauses(game: str) -> list[Clause]:
    return [clause for clause in map(clause_of, paragraphs(game)) if clause]


def clauses_tested(game: str) -> set[Clause]:
    path = folder_of(game) / "test_rules.py"
    assert path.exists(), f"Write {file_of(game, 'test_rules.py')}: a test for each clause, by its number."
    more = folder_of(game) / "test_procedure.py"
    names = [*_functions(path), *(_functions(more) if more.exists() else ())]
    return {(int(found[1]), int(found[2])) for found in map(TEST.match, names) if found}


def _functions(path: Path) -> list[str]:
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    return [node.name for node in nodes if isinstance(node, ast.FunctionDef)]


def dotted(found: set[Clause]) -> list[str]:
    return [f"{section}.{number}" for section, number in sorted(found)]


@pytest.mark.parametrize("game", GAMES)
def test_every_clause_has_a_test(game: str) -> None:
    for section, number in sorted(set(clauses(game)) - clauses_tested(game)):
        path = file_of(game, "test_rules.py")
        pytest.fail(f"Write test_{section}_{number}_... in {path} for clause {section}.{number}.")


@pytest.mark.parametrize("game", GAMES)
def test_every_test_has_a_clause(game: str) -> None:
    for section, number in sorted(clauses_tested(game) - set(clauses(game))):
        pytest.fail(f"Write clause {section}.{number} in docs/rules/{game}.md, or rename its test.")


@pytest.mark.parametrize("game", GAMES)
def test_clauses_are_numbered_in_order_below_their_sections(game: str) -> None:
    below: dict[int, list[Clause]] = defaultdict(list)
    section = 0
    for paragraph in paragraphs(game):
        if heading := SECTION.match(paragraph):
            assert int(heading[1]) == section + 1
            section += 1
        elif clause := clause_of(paragraph):
            below[section].append(clause)
    assert below  # a sheet in another format would pass everything else
    for number, found in below.items():
        assert found == [(number, n) for n in range(1, len(found) + 1)]
    assert sorted(below) == [*range(1, section + 1)]


@pytest.mark.parametrize("game", GAMES)
def test_every_clause_names_its_source(game: str) -> None:
    without = {clause for text in paragraphs(game) if (clause := clause_of(text)) and not SOURCE.search(text)}
    assert not without, f"Write '> Source: ...' below the clauses {dotted(without)} of docs/rules/{game}.md."


# -- Pay tables of hands ----------------------------------------------------------------------------

Odds = dict[tuple[str, str], str]  # by hand and pay table


def printed(game: str) -> dict[tuple[str, ...], Odds]:
    """The wins in the sheet's tables of hands, by the names of the pay tables, a column each."""
    found = {}
    for paragraph in paragraphs(game):
        if paragraph.startswith("| hand |"):
            (_, *names), _, *rows = [
                [cell.strip() for cell in line.split("|")[1:-1]] for line in paragraph.splitlines()
            ]
            cells = {
                (hand, name): odds for hand, *pays in rows for name, odds in zip(names, pays, strict=True)
            }
            found[tuple(names)] = {at: odds for at, odds in cells.items() if odds not in ("", "lose")}
    return found


def offered(game: str) -> dict[tuple[str, ...], Odds]:
    """The wins that the game's own pay tables list."""
    return {
        tuple(table.name for table in spot.tables): {
            (line.outcome, table.name): line.odds
            for table in spot.tables
            for line in table.lines
            if line.listed and line.result == "win"
        }
        for spot in GAMES[game].spots
    }


@pytest.mark.parametrize("game", [game for game in GAMES if data_of(game).prints_hands])
def test_printed_pay_tables_are_those_of_the_game(game: str) -> None:
    assert printed(game), (
        f"Write a table '| hand | NAME |' with the names of a wager's pay tables in docs/rules/{game}.md,"
        f" or prints_hands=False in {file_of(game, 'data.py')} where no wager is paid by hands."
    )
    for names, odds in printed(game).items():
        assert odds == offered(game)[names], f"docs/rules/{game}.md prints other pays on {names}."
