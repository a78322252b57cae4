"""Requests and answers about the limits that players set for themselves."""

from typing import Annotated

from pydantic import BaseModel, Field

from feltlab.server.models import MAX_JSON_INT, Cents, RequestModel

Minutes = Annotated[int, Field(ge=1, le=MAX_JSON_INT, description="whole minutes")]


class SetLimits(RequestModel):
    """My limits, instead of those that I have; null is none."""

    loss: Cents | None = None
    minutes: Minutes | None = None
    reminder: Minutes | None = None


class LimitAnswer(BaseModel):
    loss: int | None
    minutes: int | None
    reminder: int | None


class PlayDayAnswer(BaseModel):
    """My day of play: the cents lost since it began, the minutes played, and its end since 1970."""

    lost: int
    minutes: int
    ends: int


class LimitsAnswer(BaseModel):
    """The limits that hold, those that I set last, when the latter replace the former, and my day of play.

    `reached` says which limit allows no wager now, and until when; "" if none does.
    """

    in_force: LimitAnswer
    wanted: LimitAnswer
    loosens: int | None
    day: PlayDayAnswer | None
    reached: str
