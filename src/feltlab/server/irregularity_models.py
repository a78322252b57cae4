"""Requests and answers about irregularities and corrections."""

from typing import Annotated

from pydantic import BaseModel, Field

from feltlab.pit.irregularities.actions import MAX_CARDS_FOUND
from feltlab.server.models import MAX_JSON_INT, RequestModel, Round, Seat, Text, Word

Net = Annotated[
    int, Field(ge=-MAX_JSON_INT, le=MAX_JSON_INT, description="whole cents won; below zero, lost")
]


class RecordIrregularity(RequestModel):
    """An irregularity of the round in play: its kind, the hand, and the decision."""

    round: Round
    kind: Word
    hand: Annotated[str, Field(min_length=1, max_length=20, description="'dealer' or 'seat 2'")]
    decision: Word
    found: Annotated[int, Field(ge=0, le=MAX_CARDS_FOUND, description="cards in the hand")] | None = None
    note: Text = ""


class EndDrill(RequestModel):
    """The end of a drill of an irregularity, before it was recorded."""

    why: Text = ""


class CorrectPayment(RequestModel):
    """A payment of a finished round, as it was made and as it should have been; both are nets."""

    round: Annotated[int, Field(ge=1, le=MAX_JSON_INT, description="a finished round")]
    seat: Seat
    spot: Word
    paid: Net
    due: Net
    reason: Text


class IrregularityKindAnswer(BaseModel):
    """A kind of irregularity: its decisions in words, and the clause of the game."""

    kind: str
    title: str
    counts: bool
    decisions: dict[str, str]
    now: list[str]
    reading: str
    drill: str
    clause: str
    text: str
