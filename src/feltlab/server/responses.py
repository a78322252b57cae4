"""Responses: JSON, and for everything that was not done a status and one sentence."""

from typing import Any

import orjson
from starlette.exceptions import HTTPException
from starlette.responses import Response

from feltlab.errors import Refused, TooOften, Unknown
from feltlab.ledger.ledger import LedgerDown
from feltlab.pit.accounts import SignInRefused
from feltlab.pit.custody.second_factor import CodeNeeded
from feltlab.pit.roles import Forbidden
from feltlab.server.clients.budgets import DiskLow
from feltlab.server.models import ErrorAnswer, Malformed
from feltlab.server.sessions import SignedOut

# The status of an error is that of its first kind in this list.
STATUSES: tuple[tuple[type[Exception], int], ...] = (
    (LedgerDown, 503),
    (DiskLow, 503),
    (Malformed, 422),
    (Forbidden, 403),
    (SignedOut, 401),
    (SignInRefused, 401),
    (CodeNeeded, 428),
    (TooOften, 429),
    (Unknown, 404),
    (Refused, 409),
)
UNEXPECTED = "Something went wrong in the server; its log has the reason."
ERRORS = {
    401: "no session",
    403: "not for this role, seat or page",
    404: "unknown",
    409: "not possible now",
    413: "too large",
    415: "not JSON",
    422: "not readable",
    428: "the second factor is needed",
    429: "too often",
    503: "the ledger is down",
}
# FastAPI makes a validator for each model of each route; one status names the model, the others refer to it.
ERROR_CONTENT = {"application/json": {"schema": {"$ref": f"#/components/schemas/{ErrorAnswer.__name__}"}}}
ERROR_RESPONSES: dict[int | str, dict[str, Any]] = {
    status: {"description": description}
    | ({"model": ErrorAnswer} if status == 401 else {"content": ERROR_CONTENT})
    for status, description in ERRORS.items()
}


def status_of(error: Exception) -> int:
    return next((status for kind, status in STATUSES if isinstance(error, kind)), 500)


def sentence_of(error: Exception) -> str:
    """The message of an error that was written for clients; for any other error a general sentence."""
    return str(error) if isinstance(error, Refused | LedgerDown) else UNEXPECTED


def json_response(data: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    body = data if isinstance(data, bytes) else orjson.dumps(data)
    return Response(body, status, headers, "application/json")


def refusal_response(error: Exception) -> Response:
    headers = {"Retry-After": str(error.seconds)} if isinstance(error, TooOften) else None
    return json_response({"error": sentence_of(error)}, status_of(error), headers)


def http_error_response(error: HTTPException) -> Response:
    """The answer to an error of the router or of a request's reader."""
    sentences = {404: "This address does not exist.", 405: "This address does not take that method."}
    sentence = sentences.get(error.status_code, str(error.detail))
    return json_response({"error": sentence}, error.status_code, dict(error.headers or {}))
