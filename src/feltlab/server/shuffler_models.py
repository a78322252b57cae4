"""Requests and answers about shufflers."""

from typing import Annotated

from pydantic import BaseModel, Field

from feltlab.pit.shufflers.install import MachineTerms, ShufflerTerms
from feltlab.pit.shufflers.machines import STANDARD_PATIENCE, Patience
from feltlab.server.models import (
    MAX_JSON_INT,
    OpenTable,
    RequestModel,
    Round,
    Seat,
    TableAnswer,
    Text,
    Word,
)
from feltlab.shuffling.seeds import MAX_SEED_CHARS

ShortText = Annotated[str, Field(max_length=64)]
Step = Annotated[int, Field(ge=1, le=MAX_JSON_INT, description="of the seven steps")]
Count = Annotated[int, Field(ge=1, le=10_000)]


class SealSeed(RequestModel):
    """The SHA-256 of a text that mixes the cards, so that nobody alone chooses their order."""

    seat: Seat
    round: Round
    digest: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]


class RevealSeed(RequestModel):
    """A text that the seat has sealed."""

    seat: Seat
    round: Round
    seed: Annotated[str, Field(min_length=1, max_length=MAX_SEED_CHARS)]


class SelectMode(RequestModel):
    mode: Word
    shuffler: ShortText = ""  # by default the one in use


class ConsultGuide(RequestModel):
    fault: ShortText = ""  # by default the one that the shuffler shows


class ConfirmStep(RequestModel):
    step: Step


class TestShuffler(RequestModel):
    __test__ = False  # not a test of pytest

    shuffler: Word
    passed: bool = True
    note: Text = ""


class DealByHand(RequestModel):
    why: Text = ""


class MachineRequest(RequestModel):
    """A machine of a table that opens; what is left out stays as it is, or is the standard."""

    model: ShortText = ""
    serial: ShortText = ""
    mode: ShortText = ""

    def to_terms(self) -> MachineTerms:
        return MachineTerms(self.model, self.serial, self.mode)


class PatienceRequest(RequestModel):
    """The numbers of faults from which a shuffler counts as failing continually."""

    in_row: Count = STANDARD_PATIENCE.in_row
    faults: Count = STANDARD_PATIENCE.faults
    cycles: Count = STANDARD_PATIENCE.cycles


class ShufflersRequest(RequestModel):
    main: MachineRequest = MachineRequest()
    backup: MachineRequest = MachineRequest()
    patience: PatienceRequest | None = None

    def to_terms(self) -> ShufflerTerms:
        patience = Patience(**self.patience.model_dump()) if self.patience else None
        return ShufflerTerms(self.main.to_terms(), self.backup.to_terms(), patience)


class OpenTableRequest(OpenTable):
    shufflers: ShufflersRequest = ShufflersRequest()


class MachineAnswer(BaseModel):
    """A machine: its model and serial name, its state, and its counts."""

    shuffler: str
    model: str
    serial: str
    mode: str
    state: str
    cycles: int
    hands: int
    faults: int
    in_row: int


class StepAnswer(BaseModel):
    step: int
    does: str
    done: bool


class ShufflersAnswer(BaseModel):
    """The shufflers of a table, for staff."""

    in_use: str
    message: str
    guide: str
    waits: str
    machines: list[MachineAnswer]
    steps: list[StepAnswer]


class StaffTableAnswer(TableAnswer):
    """A table as its viewer may see it; staff see its shufflers too."""

    machine: ShufflersAnswer | None = None


class CountedMachineAnswer(MachineAnswer):
    by_fault: dict[str, int]


class CycleAnswer(BaseModel):
    """A cycle: the hands that were delivered from it, or the fault that stopped it."""

    at: str
    round: int
    cycle: int
    shuffler: str
    deck: str
    hands: int
    fault: str


class ActAnswer(BaseModel):
    at: str
    round: int
    kind: str
    shuffler: str
    by: str
    says: str


class LogAnswer(BaseModel):
    """The log of a table's shufflers, the newest first."""

    table: str
    machines: list[CountedMachineAnswer]
    cycles: list[CycleAnswer]
    acts: list[ActAnswer]
    now: ShufflersAnswer


class ModelModeAnswer(BaseModel):
    mode: str
    packet: int | None
    source: str


class ModelAnswer(BaseModel):
    """A model of shuffler, and by game the modes that fit."""

    model: str
    decks: int
    source: str
    applications: list[str]
    modes: list[ModelModeAnswer]
    fits: dict[str, list[str]]


class GuideAnswer(BaseModel):
    """The guide for a fault."""

    fault: str
    shows: str
    means: str
    first: str
    steps: list[str]
    service: str
