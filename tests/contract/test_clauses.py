"""Rule sheets, tests and pay tables say the same.

Every clause of docs/rules has a test that bears its number, and what a sheet prints of a pay table is
what the game pays.
"""

import ast
import re
from collections import defaultdict
from pathlib import Path

import pytest

from feltlab.games import GAMES
from tests.support.game_data import data_of

TESTS = Path(__file__).parents[1] / "games"
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
    path = TESTS / game.replace("-", "_") / "test_rules.py"
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    names = (node.name for node in nodes if isinstance(node, ast.FunctionDef))
    return {(int(found[1]), int(found[2])) for found in map(TEST.match, names) if found}


def dotted(found: set[Clause]) -> list[str]:
    return [f"{section}.{number}" for section, number in sorted(found)]


@pytest.mark.parametrize("game", GAMES)
def test_every_clause_has_a_test(game: str) -> None:
    assert dotted(set(clauses(game)) - clauses_tested(game)) == []


@pytest.mark.parametrize("game", GAMES)
def test_every_test_has_a_clause(game: str) -> None:
    assert dotted(clauses_tested(game) - set(clauses(game))) == []


@pytest.mark.parametrize("game", GAMES)
def test_clauses_stand_in_order_below_their_sections(game: str) -> None:
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
    assert dotted(without) == []


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
    assert printed(game)
    for names, odds in printed(game).items():
        assert odds == offered(game)[names]
