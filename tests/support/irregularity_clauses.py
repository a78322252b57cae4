"""Clauses on irregularities that all rule sheets share: one function for each."""

from feltlab.core.deal import Deal
from feltlab.core.game import Game
from feltlab.shuffling.guide import CYCLES, FAULTS_IN_CYCLES, FAULTS_IN_ROW, replacement_steps
from feltlab.submission.rule_sheet import parse_rule_sheet
from feltlab.submission.venues import venues
from tests.support.procedures import clause_of


def check_settled_stays(deal: Deal, number: str) -> None:
    """A deal that is void after some wagers were settled refunds the others and nothing else."""
    clause = clause_of(deal.game, number)
    assert clause is not None
    assert "stay settled" in clause.text
    settled = deal.payments
    assert settled, "nothing was settled before"
    void = deal.declare_void("a card too many")
    assert void.payments[: len(settled)] == settled
    assert {paid.result for _, paid in void.payments[len(settled) :]} == {"refund"}


def check_guide_first(game: Game, number: str) -> None:
    clause = clause_of(game, number)
    assert clause is not None
    assert clause.text.index("no card") < clause.text.index("guide")


def check_continual(game: Game, number: str) -> None:
    """The numbers by which live tables judge, and said to be our reading."""
    clause = clause_of(game, number)
    assert clause is not None
    assert (FAULTS_IN_ROW, FAULTS_IN_CYCLES, CYCLES) == (3, 5, 100)
    assert "three faults in a row, or at five in a hundred cycles" in clause.text
    assert "the numbers are ours" in clause.reading


def check_seven_steps(game: Game, number: str) -> None:
    clause = clause_of(game, number)
    assert clause is not None
    head, *rows = clause.table
    assert head == ("order", "action")
    assert rows == [(str(n), step.does) for n, step in enumerate(replacement_steps(), 1)]
    assert len(rows) == 7


def check_local_procedure(game: Game, number: str) -> None:
    """Each venue's own procedure goes before the general one."""
    for venue in venues().values():
        sheet = parse_rule_sheet(game, venue)
        (text,) = [clause.text for clause in sheet.clauses if clause.number == number]
        assert venue.house_procedure in text
