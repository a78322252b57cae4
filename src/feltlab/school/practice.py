"""Practice: the level rises with success, and a question that was missed comes back.

Each drill of a game has a level. A missed question goes into the first box and comes back soon; each time
that it is answered right it moves on to a box that waits longer, and leaves the last one for good. Accuracy
comes first: speed counts only for right answers.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from feltlab.core.game import Game
from feltlab.errors import Refused
from feltlab.school.drills import SEEDS, drills_of, find_drill
from feltlab.school.hands import LEVELS, Draw
from feltlab.school.timing import target_seconds

BOX_WAITS = (2, 5, 12)  # questions until one of each box comes back
RIGHT_TO_RISE = 4  # right answers in a row, in time
WRONG_TO_FALL = 2  # wrong answers in a row
MAX_MISSED = 200  # questions that wait


@dataclass(frozen=True)
class MissedQuestion:
    """A question that comes back."""

    drill: str
    seed: int
    level: int
    box: int
    due: int  # the number of questions after which it is asked again


@dataclass(frozen=True)
class DrillState:
    """How well a drill goes."""

    level: int = 1
    streak: int = 0  # right answers in a row; negative: wrong ones
    asked: int = 0
    right: int = 0

    @property
    def accuracy(self) -> float:
        return self.right / self.asked if self.asked else 0.0


@dataclass(frozen=True)
class Practice:
    """The practice of one dealer in one game."""

    game: str
    drills: Mapping[str, DrillState] = field(default_factory=dict, hash=False)
    missed: tuple[MissedQuestion, ...] = ()
    asked: int = 0

    def state(self, drill: str) -> DrillState:
        return self.drills.get(drill, DrillState())

    def next_question(self, game: Game, draw: Draw, drill: str = "") -> tuple[str, int, int]:
        """The drill, seed and level to ask next: one that was missed and is due, or a new one."""
        waiting = [m for m in self.missed if m.due <= self.asked and drill in ("", m.drill)]
        if waiting:
            first = min(waiting, key=lambda missed: missed.due)
            return first.drill, first.seed, first.level
        chosen = drill or self._weakest(game, draw)
        return chosen, int(draw.integers(SEEDS)), self.state(chosen).level

    def _weakest(self, game: Game, draw: Draw) -> str:
        """A drill of the game, those that go badly more often."""
        names = [known.name for known in drills_of(game)]
        weights = [1.5 - self.state(name).accuracy for name in names]
        return str(draw.choice(names, p=[weight / sum(weights) for weight in weights]))

    def record(
        self, drill: str, seed: int, level: int, is_right: bool, seconds: float, seats: int = 1
    ) -> "Practice":
        """The practice after an answer."""
        find_drill(drill)
        in_time = seconds <= target_seconds(level, seats)
        state = _advance(self.state(drill), level, is_right, in_time)
        asked = self.asked + 1
        missed = _move_boxes(self.missed, drill, seed, level, is_right, asked)
        return replace(self, drills={**self.drills, drill: state}, missed=missed, asked=asked)

    def to_json(self) -> dict[str, Any]:
        return {
            "game": self.game,
            "asked": self.asked,
            "drills": {name: asdict(state) for name, state in self.drills.items()},
            "missed": [asdict(missed) for missed in self.missed],
        }


def read_practice(data: Mapping[str, Any]) -> Practice:
    """A practice from plain data; refuses data of another shape."""
    try:
        drills = {str(name): DrillState(**state) for name, state in data["drills"].items()}
        missed = tuple(MissedQuestion(**each) for each in data["missed"])
        practice = Practice(str(data["game"]), drills, missed[:MAX_MISSED], int(data["asked"]))
    except (KeyError, TypeError, ValueError, AttributeError):
        raise Refused("This is not the record of a practice.") from None
    if any(state.level not in LEVELS for state in drills.values()):
        raise Refused("This is not the record of a practice.")
    return practice


def _advance(state: DrillState, level: int, is_right: bool, in_time: bool) -> DrillState:
    """The state after an answer; only answers at the present level move it, and slow ones do not raise it."""
    counted = replace(state, asked=state.asked + 1, right=state.right + is_right)
    if level != state.level:
        return counted
    if not is_right:
        streak = min(state.streak, 0) - 1
        falls = streak <= -WRONG_TO_FALL
        return replace(counted, streak=0 if falls else streak, level=max(1, level - falls))
    streak = max(state.streak, 0) + in_time
    rises = streak >= RIGHT_TO_RISE and level < LEVELS[-1]
    return replace(counted, streak=0 if rises else streak, level=level + rises)


def _move_boxes(
    missed: Sequence[MissedQuestion], drill: str, seed: int, level: int, is_right: bool, asked: int
) -> tuple[MissedQuestion, ...]:
    """The boxes after an answer: a wrong one starts again in the first box."""
    key = (drill, seed, level)
    before = next((m for m in missed if (m.drill, m.seed, m.level) == key), None)
    others = tuple(m for m in missed if m is not before)
    box = 0 if not is_right else before.box + 1 if before else len(BOX_WAITS)
    if box >= len(BOX_WAITS):
        return others
    return (*others[-MAX_MISSED + 1 :], MissedQuestion(drill, seed, level, box, asked + BOX_WAITS[box]))
