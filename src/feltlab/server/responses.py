"""What clients are answered: JSON, and for everything that was not done one sentence."""

from typing import Any

import orjson
from pydantic import BaseModel
from sqlalchemy.exc import SQLAlchemyError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from feltlab.errors import Refused, TooOften, Unknown
from feltlab.ledger.ledger import LedgerDown
from feltlab.pit.accounts import SignInRefused
from feltlab.pit.roles import Forbidden
from feltlab.server.models import Malformed
from feltlab.server.sessions import SignedOut

# The first that fits says the status.
STATUS: tuple[tuple[type[Exception], int], ...] = (
    (LedgerDown, 503),
    (SQLAlchemyError, 503),
    (Malformed, 422),
    (Forbidden, 403),
    (SignedOut, 401),
    (SignInRefused, 401),
    (TooOften, 429),
    (Unknown, 404),
    (Refused, 409),
)
FAILED = "Something went wrong here, and nothing more is known."
NO_DATABASE = "The accounts cannot be read or written just now."


def status_of(error: Exception) -> int:
    return next((status for kind, status in STATUS if isinstance(error, kind)), 500)


def said_of(error: Exception) -> str:
    """The sentence of an error; none that was not written for clients reaches one."""
    if isinstance(error, SQLAlchemyError):
        return NO_DATABASE
    return str(error) if isinstance(error, Refused | LedgerDown) else FAILED


def answer(data: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    body = data if isinstance(data, bytes) else orjson.dumps(data)
    return Response(body, status, headers, "application/json")


def refusal(error: Exception) -> Response:
    headers = {"Retry-After": str(error.seconds)} if isinstance(error, TooOften) else None
    return answer({"error": said_of(error)}, status_of(error), headers)


def of_http(error: HTTPException) -> Response:
    """What the router or the reader of a request says."""
    told = {404: "There is nothing at this address.", 405: "This address does not take that method."}
    said = told.get(error.status_code, str(error.detail))
    return answer({"error": said}, error.status_code, dict(error.headers or {}))


# -- As the documentation tells them ----------------------------------------------------------------


class Problem(BaseModel):
    error: str


class SessionAnswer(BaseModel):
    account: str
    role: str
    acts: list[str]
    balance: int
    csrf: str
    ends: int
    session: str | None = None


class Choice(BaseModel):
    choice: str
    key: str
    help: str
    cents: int
    barred: str


class SeatAnswer(BaseModel):
    seat: int
    player: str
    cards: list[str]
    reading: str
    yours: bool | None = None
    bankroll: int | None = None
    wagers: dict[str, int] | None = None
    staked: int | None = None
    stakes: dict[str, int] | None = None
    ready: bool | None = None
    leaves: bool | None = None
    last: dict[str, int] | None = None
    choices: list[Choice] | None = None


class Payment(BaseModel):
    seat: int
    spot: str
    outcome: str
    result: str
    staked: int
    net: int
    why: str


class TableAnswer(BaseModel):
    """A table as its viewer may see it."""

    version: int
    seconds: float | None
    repeated: bool | None = None
    table: str
    game: str
    title: str
    phase: str
    round: int
    limits: dict[str, int]
    commitment: str
    deck: str
    shuffler: str
    calls: list[str]
    turn: int | None
    seats: list[SeatAnswer]
    dealer: list[str]
    dealer_reading: str
    payments: list[Payment]
    void: str
    closes: bool


PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {"model": Problem, "description": text}
    for status, text in {
        401: "no session",
        403: "not for this role, seat or page",
        404: "unknown",
        409: "not now",
        413: "too large",
        415: "not JSON",
        422: "not readable",
        429: "too often",
        503: "the ledger is down",
    }.items()
}
