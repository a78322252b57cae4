"""Requests and answers about approvals."""

from datetime import date

from pydantic import BaseModel

from feltlab.server.models import Day, GameTerms, RequestModel, Text, Word


class DraftApproval(GameTerms):
    day: Day | None = None
    begins: Day | None = None
    ends: Day | None = None
    note: Text = ""


class ApprovalStep(RequestModel):
    act: Word
    day: Day | None = None
    note: Text = ""


class StepTakenAnswer(BaseModel):
    act: str
    state: str
    by: str
    day: str
    note: str


class PossibleStepAnswer(BaseModel):
    act: str
    responsible: str
    does: str
    asks: str


class ApprovalAnswer(BaseModel):
    number: int
    house: str
    kind: str
    game: str
    digest: str
    state: str
    options: dict[str, str]
    pays: list[list[str]]
    begins: date
    ends: date | None
    in_force: bool
    done: list[StepTakenAnswer]
    possible: list[PossibleStepAnswer]
