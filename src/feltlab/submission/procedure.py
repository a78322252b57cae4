"""The dealing procedure of a game, step by step: a chapter of its rule sheet, as data for a dealer's page."""

from collections.abc import Iterator
from dataclasses import dataclass

from feltlab.core.game import Game
from feltlab.submission.rule_sheet import PROCEDURE, Clause, parse_rule_sheet
from feltlab.submission.venues import Venue


@dataclass(frozen=True)
class ProcedureStep:
    """One action at the table, at a moment of the round."""

    number: int  # from 1, through the whole round
    moment: str  # 'Before the deal', 'Settling War'
    actor: str  # 'dealer', 'player' or 'players'
    does: str
    says: str  # '' where nothing is said
    clauses: tuple[str, ...]  # the numbers of the clauses that the step follows


def procedure(game: Game, venue: Venue | None = None) -> tuple[ProcedureStep, ...]:
    """The steps of a round under the game's options, in order; a venue names its own procedures."""
    chapters = parse_rule_sheet(game, venue).chapters
    moments = (clause for chapter in chapters if chapter.title == PROCEDURE for clause in chapter.clauses)
    return tuple(step for clause in moments for step in _steps(clause))


def _steps(clause: Clause) -> Iterator[ProcedureStep]:
    moment = clause.text.partition(":")[0].removesuffix(".")
    for number, actor, does, says, clauses in clause.table[1:]:
        yield ProcedureStep(int(number), moment, actor, does, says, tuple(clauses.split(", ")))
