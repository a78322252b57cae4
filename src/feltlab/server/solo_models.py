"""Requests and answers about private tables, names and phrases."""

from typing import Annotated

from pydantic import BaseModel, Field

from feltlab.server.models import GameTerms, RequestModel, Word


class OpenSolo(GameTerms):
    """A private table of my own, under these options and pays."""


class Say(RequestModel):
    """One of the polite phrases of this house."""

    phrase: Word


class ChooseName(RequestModel):
    """One of the names that this house suggests to guests."""

    name: Word


class InvitationAnswer(BaseModel):
    """The link by which others see a private table and sit at it, until it closes."""

    table: str
    link: str


class NamesAnswer(BaseModel):
    names: list[str]


class DepartureAnswer(BaseModel):
    """A seat of mine that was given up within a day, unless I have taken a seat since."""

    id: str
    table: str
    game: str
    seat: Annotated[int, Field(ge=1)]
    cents: int
    why: str
    said: str
