"""Reports receive values: nothing in `feltlab.report` proves, audits or simulates."""

import ast
from pathlib import Path

import pytest

import feltlab.report

SOURCES = sorted(Path(feltlab.report.__file__).parent.rglob("*.py"))
COMPUTES = {"prove", "prove_all", "par_sheet", "audit", "audit_report", "foresee", "simulate", "solver_of"}
COMPUTES |= {"cached_law", "cached_json", "products", "strategy_edges", "published_strategy_cost"}


def imported(path: Path) -> set[str]:
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    found = (node for node in nodes if isinstance(node, ast.ImportFrom))
    own = (node for node in found if not (node.module or "").startswith("feltlab.report"))
    return {alias.name for node in own for alias in node.names}


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_reports_compute_nothing(path: Path) -> None:
    assert imported(path) & COMPUTES == set()
