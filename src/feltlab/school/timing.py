"""Human timing: the seconds that the program's players take, and the rounds an hour that are the target."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any
from zlib import crc32

import numpy as np

from feltlab.games.data_files import build, read_data
from feltlab.school.hands import TrainingHand

SECONDS_PER_HOUR = 3600


@dataclass(frozen=True)
class SecondsRange:
    low: float
    high: float


@dataclass(frozen=True)
class RoundsTarget:
    rounds: tuple[int, ...]  # an hour, by level
    seat_share: float  # of a round's time that each further seat adds


@dataclass(frozen=True)
class Timing:
    choose: SecondsRange
    bet: SecondsRange
    target: RoundsTarget


@cache
def load_timing() -> Timing:
    return build(Timing, *read_data("school", "timing.toml"))


def target_rounds(level: int, seats: int) -> float:
    """The rounds an hour that a dealer of a level reaches with this many seats."""
    target = load_timing().target
    return target.rounds[level - 1] / (1 + target.seat_share * (seats - 1))


def target_seconds(level: int, seats: int) -> float:
    """The seconds that a round may take at the target."""
    return SECONDS_PER_HOUR / target_rounds(level, seats)


@dataclass(frozen=True)
class PlayerAnswer:
    """The choice of a program's player, and the seconds until it is made."""

    seat: int  # from 0
    choice: str
    seconds: float

    def to_json(self) -> Mapping[str, Any]:
        return {"seat": self.seat + 1, "choice": self.choice, "seconds": self.seconds}


def answer_of(hand: TrainingHand, seat: int, made: int) -> PlayerAnswer:
    """The answer of a seat that has made some choices before; the same hand answers the same."""
    draw = np.random.default_rng([crc32(str(hand.shoe).encode()), seat, made])
    pause = load_timing().choose
    seconds = round(float(draw.uniform(pause.low, pause.high)), 1)
    return PlayerAnswer(seat, hand.chosen[seat][made], seconds)
