"""Requests and answers about approvals."""

from datetime import date
from typing import Annotated, Any

from pydantic import BaseModel, Field

from feltlab.pit.approvals.conditions import MAX_ITEM_CHARS
from feltlab.server.models import Day, GameTerms, Pays, RequestModel, Text, Word

Title = Annotated[str, Field(min_length=1, max_length=200)]
LongText = Annotated[str, Field(max_length=MAX_ITEM_CHARS)]
Hex256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Hex512 = Annotated[str, Field(pattern=r"^([0-9a-f]{128})?$")]

# -- Operators' approvals ---------------------------------------------------------------------------


class DraftApproval(GameTerms):
    day: Day | None = None
    begins: Day | None = None
    ends: Day | None = None
    note: Text = ""


class ApprovalStep(RequestModel):
    act: Word
    day: Day | None = None
    note: Text = ""


class FileCondition(RequestModel):
    """The filing for a condition: a text for each of its items."""

    condition: Word
    items: Annotated[dict[Title, LongText], Field(max_length=50)]
    day: Day | None = None


class WithdrawFiling(RequestModel):
    condition: Word
    note: Text
    day: Day | None = None


class StepTakenAnswer(BaseModel):
    """A step; `side` is that of the person who took it, or `demonstration`, or `server`."""

    act: str
    state: str
    by: str
    side: str
    day: str
    note: str


class PossibleStepAnswer(BaseModel):
    act: str
    responsible: str
    sides: list[str]
    does: str
    asks: str


class ConditionAnswer(BaseModel):
    """A condition; `why_not` says why it does not hold today."""

    name: str
    says: str
    reference: str
    items: list[str]
    confirmed: bool
    why_not: str
    holds: bool


class FilingAnswer(BaseModel):
    condition: str
    version: int
    items: dict[str, str]
    hash: str
    by: str
    day: str
    withdrawn: str


class ApprovalAnswer(BaseModel):
    """An operator's approval; `caution` says that no regulator gave it."""

    number: int
    house: str
    kind: str
    game: str
    digest: str
    state: str
    under: int
    demonstration: bool
    caution: str
    options: dict[str, str]
    pays: list[list[str]]
    begins: date
    ends: date | None
    in_force: bool
    why_not: str
    conditions: list[ConditionAnswer]
    filings: list[FilingAnswer]
    done: list[StepTakenAnswer]
    possible: list[PossibleStepAnswer]


# -- Makers' approvals ------------------------------------------------------------------------------


class DocumentRequest(RequestModel):
    """A document by its digests; a signature is in OpenSSH's format."""

    name: Title
    sha256: Hex256
    sha512: Hex512 = ""
    signature: Annotated[str, Field(max_length=4000)] = ""


class SubmitGame(RequestModel):
    """A game as its maker submits it: the values of options that operators may choose, and its pays."""

    game: Word
    maker: Title
    reference: Title
    rules_date: Day | None = None
    options: dict[Word, list[Word]] = Field(default_factory=dict, max_length=50)
    pays: Pays = Field(default_factory=dict)
    kinds: list[Word] = Field(default_factory=list, max_length=10)
    documents: list[DocumentRequest] = Field(default_factory=list, max_length=50)
    day: Day | None = None
    note: Text = ""


class ChangeAnswer(BaseModel):
    """A difference from the approved version; '' where something is new or gone."""

    what: str
    before: str
    now: str


class SubmissionAnswer(BaseModel):
    number: int
    game: str
    maker: str
    reference: str
    rules_date: date
    letter_day: date | None
    digest: str
    state: str
    in_force: bool
    why_not: str
    options: dict[str, list[str]]
    pays: list[list[str]]
    kinds: list[str]
    conditions: list[str]
    documents: list[dict[str, Any]]
    amends: int
    done: list[StepTakenAnswer]
    possible: list[PossibleStepAnswer]


class SubmissionChangesAnswer(BaseModel):
    """The changes of an amendment; `amends` is 0 for the first version of a game."""

    number: int
    amends: int
    changes: list[ChangeAnswer]


# -- Licences ---------------------------------------------------------------------------------------


class RecordLicence(RequestModel):
    number: Title
    maker: Title
    covers: Annotated[list[Word], Field(max_length=10)]
    begins: Day | None = None
    ends: Day | None = None
    day: Day | None = None


class EndLicence(RequestModel):
    number: Title
    note: Text
    day: Day | None = None


class ApproveModel(RequestModel):
    model: Title
    maker: Title
    day: Day | None = None


class EndModel(RequestModel):
    model: Title
    note: Text
    day: Day | None = None


class LicenceAnswer(BaseModel):
    side: str
    number: str
    maker: str
    covers: list[str]
    begins: str
    ends: str | None
    ended: str | None
    why: str
    valid: bool


class ApprovedModelAnswer(BaseModel):
    model: str
    maker: str
    day: str
    ended: str | None
    why: str
    valid: bool
