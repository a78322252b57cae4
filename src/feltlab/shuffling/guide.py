"""The guide of a shuffler: what to do about each fault, and how a machine is replaced.

`guide.toml` holds the texts.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from feltlab.errors import Unknown
from feltlab.games.data_files import build, read_data
from feltlab.text import listing

FAULTS_IN_ROW, FAULTS_IN_CYCLES, CYCLES = 3, 5, 100
CONTINUAL = (
    f"A shuffler fails continually when it has {FAULTS_IN_ROW} faults in a row, or {FAULTS_IN_CYCLES} in its "
    f"last {CYCLES} cycles."
)

LOCAL_PROCEDURE = (
    "Where the local regulator has approved other procedures for a shuffler that fails, those are followed."
)


@dataclass(frozen=True)
class FaultGuide:
    """A dealer's instructions for one kind of fault."""

    kind: str
    shows: str  # an example of the message line
    means: str
    first: str  # the dealer's first check
    steps: tuple[str, ...]
    service: str  # when to call service

    def to_json(self) -> dict[str, Any]:
        plain = {**vars(self), "fault": self.kind, "steps": list(self.steps)}
        del plain["kind"]
        return plain


@dataclass(frozen=True)
class ReplacementStep:
    name: str
    does: str


@dataclass(frozen=True)
class _Guide:
    fault: tuple[FaultGuide, ...]
    step: tuple[ReplacementStep, ...]


@cache
def _load_guide() -> _Guide:
    return build(_Guide, *read_data("shuffling", "guide.toml"))


def fault_guides() -> Mapping[str, FaultGuide]:
    """The guide of every fault, by its kind."""
    return {guide.kind: guide for guide in _load_guide().fault}


def find_guide(fault: str) -> FaultGuide:
    """The guide of a fault; hyphens may replace spaces."""
    guides = fault_guides()
    kind = fault.lower().replace("-", " ")
    if kind not in guides:
        raise Unknown(f"{fault!r} is not a fault; the faults are {listing(guides)}.")
    return guides[kind]


@cache
def replacement_steps() -> tuple[ReplacementStep, ...]:
    """The seven steps of a replacement, in order."""
    return _load_guide().step
