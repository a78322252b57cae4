"""What clients send, read strictly: by HTTP and by WebSocket through the same models.

What is not as it should be is refused in one sentence, before anything is done.
"""

import json
from collections.abc import Iterable, Mapping
from datetime import date
from typing import Annotated, Any, TypeVar

import orjson
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from feltlab.errors import Refused

MOST = 2**53  # beyond this, other readers of JSON round numbers
MOST_BYTES = 64 * 1024  # of a request
LONGEST = 200  # characters of a client's words in a sentence

Whole = Annotated[int, Field(ge=0, le=MOST)]
Cents = Annotated[int, Field(ge=1, le=MOST, description="whole cents")]
Seat = Annotated[int, Field(ge=1, le=MOST, description="numbered from 1")]
Round = Annotated[int, Field(ge=0, le=MOST, description="the round for which this is meant")]
Day = Annotated[date, Field(strict=False, description="as year-month-day; that of the letter")]
Word = Annotated[str, Field(min_length=1, max_length=64)]
Text = Annotated[str, Field(max_length=500)]
Secret = Annotated[str, Field(min_length=1, max_length=200)]
Seconds = Annotated[float, Field(ge=0, le=3600)]
# 2, 1/2 or 1.5, to 1.
Pay = Annotated[str, Field(pattern=r"^[0-9]{1,7}(/[1-9][0-9]{0,2}|\.[0-9]{1,2})?$")]
Options = Annotated[dict[Word, Word], Field(max_length=50)]
Pays = Annotated[dict[Word, dict[Word, Pay]], Field(max_length=50)]


class Malformed(Refused):
    """Something that cannot be read, whatever the state of the table."""


class Asked(BaseModel):
    """A request: no other fields, and no field of another type."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


# -- At a table -------------------------------------------------------------------------------------


class Sit(Asked):
    seat: Seat
    cents: Cents


class Buy(Asked):
    seat: Seat
    cents: Cents


class Leave(Asked):
    seat: Seat


class Wager(Asked):
    """Wagers instead of those that lie on the felt; none takes all back."""

    seat: Seat
    round: Round
    wagers: Annotated[dict[Word, Cents], Field(max_length=50)]


class Ready(Asked):
    seat: Seat
    round: Round


class Choose(Asked):
    seat: Seat
    round: Round
    choice: Word


class NoMoreBets(Asked):
    pass


class Advance(Asked):
    pass


# -- Of the house -----------------------------------------------------------------------------------


class LimitsAsked(Asked):
    minimum: Cents = 500
    maximum: Cents = 40_000
    step: Cents = 100


class TimersAsked(Asked):
    """Seconds of each phase; null waits for somebody, 0 passes at once."""

    betting: Seconds | None = None
    no_more_bets: Seconds | None = 0
    dealing: Seconds | None = 0
    choosing: Seconds | None = None
    reveal: Seconds | None = 0
    settling: Seconds | None = 0


class Terms(Asked):
    """A game under options and pays."""

    game: Word
    options: Options = {}
    pays: Pays = {}


class Open(Terms):
    name: Word
    limits: LimitsAsked = LimitsAsked()
    timers: TimersAsked = TimersAsked()


class Close(Asked):
    why: Text = ""


class Void(Asked):
    reason: Text
    round: Round | None = None  # the round that is on, unless told


class Drill(Asked):
    fault: Word


class ChangeShuffler(Asked):
    pass


class DraftApproval(Terms):
    day: Day | None = None
    begins: Day | None = None
    ends: Day | None = None
    note: Text = ""


class ApprovalStep(Asked):
    act: Word
    day: Day | None = None
    note: Text = ""


# -- Accounts ---------------------------------------------------------------------------------------


class SignIn(Asked):
    name: Word
    password: Secret


class Register(Asked):
    name: Word
    password: Secret
    role: Word = "player"


class ChangePassword(Asked):
    old: Secret
    new: Secret


class ChangeAccount(Asked):
    role: Word | None = None
    disabled: bool | None = None
    reset_password: bool = False


# -- Reading ----------------------------------------------------------------------------------------

Model = TypeVar("Model", bound=Asked)


def read(model: type[Model], data: Any) -> Model:
    try:
        return model.model_validate(data)
    except ValidationError as error:
        raise Malformed(sentence(error.errors(include_url=False, include_context=False))) from None


def parsed(text: str | bytes) -> Any:
    """What a JSON text says; numbers that JSON does not have, half characters and names that stand twice
    are refused."""
    try:
        orjson.loads(text)  # stricter than Python's reader, but it lets a name stand twice
        return json.loads(text, object_pairs_hook=_once)
    except RecursionError:
        raise Malformed("The request is nested too deeply.") from None
    except Malformed:
        raise
    except ValueError:
        raise Malformed("The request is not JSON.") from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise Malformed("A name stands twice in the request.")
    return found


_SAYS = {
    "missing": "is missing",
    "extra_forbidden": "is nothing that is asked for here",
    "int_type": "must be a whole number",
    "int_from_float": "must be a whole number",
    "string_type": "must be text",
    "dict_type": "must be an object of names and values",
    "model_type": "must be an object of names and values",
    "model_attributes_type": "must be an object of names and values",
    "bool_type": "must be true or false",
    "float_type": "must be a number",
}


def sentence(errors: Iterable[Mapping[str, Any]]) -> str:
    """What is wrong first, for who sent it."""
    first = next(iter(errors))
    place = [str(part) for part in first["loc"] if part not in ("body", "path", "query", "header")]
    what = shown(".".join(place)) or "The request"
    said = _SAYS.get(first["type"])
    if said:
        return f"{what} {said}."
    message = str(first["msg"])
    return f"{what}: {message[:1].lower()}{message[1:]}."


def shown(text: str) -> str:
    """A client's words, short and without what is not printed."""
    return "".join(sign for sign in text[:LONGEST] if sign.isprintable())
