"""Requests and answers about progressives."""

from typing import Annotated

from pydantic import BaseModel, Field

from feltlab.server.models import Cents, RequestModel, Seat, Text, Whole, Word

RulesText = Annotated[str, Field(max_length=1 << 16, description="rules as TOML, or the name of known ones")]
MAX_VERIFIERS = 2


class JackpotBet(RequestModel):
    seat: Seat
    on: bool
    round: Whole | None = None  # if given, the bet is for this round only


class CountBets(RequestModel):
    """The dealer's count of the bets on a progressive."""

    bets: Whole


class OpenJackpot(RequestModel):
    rules: RulesText
    verifiers: Annotated[int, Field(ge=1, le=MAX_VERIFIERS)] = MAX_VERIFIERS


class JackpotTable(RequestModel):
    table: Word


class ClaimNumber(RequestModel):
    claim: Whole


class RefuseClaim(RequestModel):
    claim: Whole
    why: Text


class FundJackpot(RequestModel):
    cents: Cents
    note: Text = ""


class DepositJackpot(RequestModel):
    cents: Cents
    reference: Text


class DecreaseJackpot(RequestModel):
    meter: Word
    cents: Cents
    reason: Text
    note: Text


class MeterAnswer(BaseModel):
    name: str
    cents: int
    must_hit: str  # 'must hit by $500', or '' if hands win the meter


class JackpotAnswer(BaseModel):
    """A progressive as everybody may see it."""

    name: str
    title: str
    status: str
    bet_cents: int
    meters: list[MeterAnswer]
    stopped: str
    pending: str
    tables: list[str]
    levels: list[dict[str, str]]


class StaffJackpotAnswer(JackpotAnswer):
    """A progressive with its money and its claims, for staff."""

    money: dict[str, int]
    claims: list[dict[str, str | int | list[str]]]
    undeposited_cents: int
