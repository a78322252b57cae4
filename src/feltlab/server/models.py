"""The requests that clients send and the answers that they get, as models for checks and documentation.

HTTP and WebSocket read requests strictly. The first error is refused in one sentence; nothing is done then.
"""

import re
from datetime import date
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, WithJsonSchema
from pydantic_core import PydanticCustomError

from feltlab.errors import Refused

MAX_JSON_INT = 2**53  # other readers of JSON round larger numbers
MAX_REQUEST_BYTES = 64 * 1024
MAX_QUOTED_CHARS = 200  # of a client's text in a sentence

Whole = Annotated[int, Field(ge=0, le=MAX_JSON_INT)]
Cents = Annotated[int, Field(ge=1, le=MAX_JSON_INT, description="whole cents")]
Seat = Annotated[int, Field(ge=1, le=MAX_JSON_INT, description="numbered from 1")]
Round = Annotated[int, Field(ge=0, le=MAX_JSON_INT, description="the round that this is meant for")]
Day = Annotated[date, Field(strict=False, description="year-month-day, as on the letter")]
Word = Annotated[str, Field(min_length=1, max_length=64)]
Text = Annotated[str, Field(max_length=500)]
Secret = Annotated[str, Field(min_length=1, max_length=200)]
Seconds = Annotated[float, Field(ge=0, le=3600)]
PAY_PATTERN = r"^[0-9]{1,7}(/[1-9][0-9]{0,2}|\.[0-9]{1,2})?$"


def _check_pay(text: str) -> str:
    if not re.fullmatch(PAY_PATTERN, text):
        raise PydanticCustomError("pay", "a pay is to 1 and is written like 2, 1/2 or 1.5")
    return text


Pay = Annotated[str, AfterValidator(_check_pay), WithJsonSchema({"type": "string", "pattern": PAY_PATTERN})]
Options = Annotated[dict[Word, Word], Field(max_length=50)]
Pays = Annotated[dict[Word, dict[Word, Pay]], Field(max_length=50)]


class Malformed(Refused):
    """A request that cannot be read, whatever the state of the table."""


class RequestModel(BaseModel):
    """The base of all requests: refuses other fields and fields of another type."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


# -- At a table -------------------------------------------------------------------------------------


class Sit(RequestModel):
    seat: Seat
    cents: Cents


class Buy(RequestModel):
    seat: Seat
    cents: Cents


class Leave(RequestModel):
    seat: Seat


class Wager(RequestModel):
    """The wagers of a seat, instead of those on the felt; an empty object takes all back."""

    seat: Seat
    round: Round
    wagers: Annotated[dict[Word, Cents], Field(max_length=50)]


class Ready(RequestModel):
    seat: Seat
    round: Round


class Choose(RequestModel):
    """A choice; `cents` is for a choice of any amount, such as insurance, and by default the most."""

    seat: Seat
    round: Round
    choice: Word
    cents: Cents | None = None

    @property
    def full_choice(self) -> str:
        """The choice with its amount, as the rules read it."""
        return self.choice if self.cents is None else f"{self.choice}={self.cents}"


class NoMoreBets(RequestModel):
    pass


class Advance(RequestModel):
    """The end of a phase; a request that names the moment it was meant for cannot end a later phase."""

    round: Round | None = None
    phase: Word | None = None
    stage: Annotated[Whole, Field(description="as in the view of the table")] | None = None


# -- For the house ---------------------------------------------------------------------------------


class LimitsRequest(RequestModel):
    minimum: Cents = 500
    maximum: Cents = 40_000
    step: Cents = 100


class TimersRequest(RequestModel):
    """Seconds of each phase; null waits for somebody, 0 ends it at once."""

    betting: Seconds | None = None
    no_more_bets: Seconds | None = 0
    dealing: Seconds | None = 0
    choosing: Seconds | None = None
    reveal: Seconds | None = 0
    settling: Seconds | None = 0
    paying: Seconds | None = 0


class GameTerms(RequestModel):
    """A game under options and pays."""

    game: Word
    options: Options = {}
    pays: Pays = {}


class OpenTable(GameTerms):
    name: Word
    limits: LimitsRequest = LimitsRequest()
    timers: TimersRequest = TimersRequest()


class CloseTable(RequestModel):
    why: Text = ""


class VoidRound(RequestModel):
    reason: Text
    round: Round | None = None  # by default the round in play


class DrillFault(RequestModel):
    """A fault of the shuffler, or a kind of irregularity."""

    fault: Word


# -- Accounts ---------------------------------------------------------------------------------------


class Register(RequestModel):
    name: Word
    password: Secret
    role: Word = "player"


class ClaimAccount(RequestModel):
    """A one-time code, and the account to make with it."""

    code: Secret
    name: Word
    password: Secret


class ChangePassword(RequestModel):
    old: Secret
    new: Secret


class ChangeAccount(RequestModel):
    role: Word | None = None
    disabled: bool | None = None
    reset_password: bool = False
    reset_second_factor: bool = False


# -- Answers ----------------------------------------------------------------------------------------


class ErrorAnswer(BaseModel):
    """The reason why a request was not done, in one sentence."""

    error: str


class SessionAnswer(BaseModel):
    account: str
    name: str
    role: str
    acts: list[str]
    balance: int
    at_tables: dict[str, int]
    csrf: str
    ends: int
    session: str | None = None
    repeated: bool | None = None


class AccountAnswer(BaseModel):
    name: str
    role: str
    created: str
    disabled: bool
    password: str | None = None


class GameAnswer(BaseModel):
    game: str
    title: str
    summary: str


class TableSummary(BaseModel):
    """A line of the list of tables."""

    table: str
    game: str
    title: str
    options: dict[str, str]
    phase: str
    round: int
    limits: dict[str, int]
    seats: int
    taken: int
    private: bool
    practice: bool


class PayLineAnswer(BaseModel):
    outcome: str
    result: str
    pays: str


class SpotAnswer(BaseModel):
    """A spot; `raises`, `bonus_on` and `equals` name another spot or are empty, `fixed_cents` may be 0."""

    spot: str
    title: str
    raises: str
    bonus_on: str
    equals: str
    fixed_cents: int
    required: bool
    step: int
    pays: list[PayLineAnswer]


class LayoutChoiceAnswer(BaseModel):
    choice: str
    key: str
    help: str


class AreaAnswer(BaseModel):
    """An area for cards, and the most that it holds."""

    area: str
    cards: int


class LayoutAnswer(BaseModel):
    """The felt of a game: its areas, its wagers with their pays, its streets and its choices."""

    game: str
    title: str
    summary: str
    options: dict[str, str]
    digest: str
    seats: int
    areas: list[AreaAnswer]
    streets: list[str]
    spots: list[SpotAnswer]
    choices: list[LayoutChoiceAnswer]


class ChoiceAnswer(LayoutChoiceAnswer):
    """A choice that is open now, its cost, and why it is barred if it is.

    A choice of any amount may put down less than `cents`, in steps.
    Its kind is gives-up, goes-on or puts-down.
    """

    kind: str
    cents: int
    barred: str
    house_rule: bool
    any_amount: bool
    step: int


class GroupAnswer(BaseModel):
    """Cards that count together, by their positions in the hand and on the board."""

    title: str
    reading: str
    cards: list[int]
    board: list[int]


class SeatAnswer(BaseModel):
    """A seat; an empty one has the first five fields only, and `choices` are there in its player's turn."""

    seat: int
    player: str
    cards: list[str]
    reading: str
    groups: list[GroupAnswer]
    yours: bool | None = None
    name: str | None = None
    present: bool | None = None
    said: str | None = None
    bankroll: int | None = None
    wagers: dict[str, int] | None = None
    staked: int | None = None
    stakes: dict[str, int] | None = None
    ready: bool | None = None
    jackpot: int | None = None
    leaves: bool | None = None
    last: dict[str, int] | None = None
    choices: list[ChoiceAnswer] | None = None
    position: str | None = None


class PaymentAnswer(BaseModel):
    seat: int
    spot: str
    outcome: str
    result: str
    staked: int
    net: int
    why: str


class TableAnswer(BaseModel):
    """A table as its viewer may see it.

    `grace` and `away`: seconds after a lost connection until the house rule may choose, and the seat ends.
    """

    version: int
    seconds: float | None
    repeated: bool | None = None
    table: str
    game: str
    title: str
    phase: str
    stage: int
    round: int
    limits: dict[str, int]
    commitment: str
    seeds: list[dict[str, int | str | bool]]
    no_seed: str
    deck: str
    shuffler: str
    waits: str
    held: str
    calls: list[str]
    turn: int | None
    awaits: list[int]
    seats: list[SeatAnswer]
    dealer: list[str]
    dealer_reading: str
    dealer_groups: list[GroupAnswer]
    board: list[str]
    payments: list[PaymentAnswer]
    void: str
    shown: int | None
    timers: dict[str, float | None]
    closes: bool
    private: bool
    shared: bool
    own: bool
    practice: str
    grace: float
    away: float
    departed: str
    limit: str


class HealthAnswer(BaseModel):
    ok: bool
    version: str
    tables: int
