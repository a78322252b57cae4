"""An exam: its terms, set by a trainer, and an attempt of a dealer, both folded from events of the school."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from feltlab.core.game import Game
from feltlab.errors import Refused
from feltlab.games import GAMES
from feltlab.school.drills import SEEDS, ask_question, drills_of
from feltlab.school.drills.question import DrillQuestion
from feltlab.school.hands import LEVELS, Draw

MAX_HANDS, MAX_MINUTES, MAX_GAMES = 200, 480, 20
NO_QUESTION_TRIES = 20


def parse_game(words: str) -> Game:
    """A game by its name and options: 'NAME option=value'."""
    name, *options = words.split()
    pairs = [option.partition("=") for option in options]
    return GAMES[name].with_options({option: value for option, _, value in pairs})


@dataclass(frozen=True)
class ExamTerms:
    """An exam as a trainer sets it."""

    games: tuple[str, ...]  # words of each
    hands: int  # questions, over all games
    pass_percent: int
    minutes: int
    level: int = 3
    title: str = ""
    number: int = 0
    by: str = ""
    at: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "games", tuple(self.games))
        if not 1 <= len(self.games) <= MAX_GAMES or not all(words.split() for words in self.games):
            raise Refused(f"An exam is about one to {MAX_GAMES} games, not {len(self.games)}.")
        for value, most, what in (
            (self.hands, MAX_HANDS, "hands"),
            (self.pass_percent, 100, "percent to pass"),
            (self.minutes, MAX_MINUTES, "minutes"),
            (self.level, LEVELS[-1], "as its level"),
        ):
            if not 1 <= value <= most:
                raise Refused(f"An exam has 1 to {most} {what}, not {value}.")

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "games": list(self.games)}


@dataclass(frozen=True)
class AskedQuestion:
    """A question of an attempt by its arguments, and what became of it."""

    game: str
    drill: str
    seed: int
    level: int
    answer: tuple[str, ...] | None = None
    verdict: Mapping[str, Any] | None = field(default=None, hash=False)
    seconds: float = 0.0
    shown: Mapping[str, Any] | None = field(default=None, hash=False)  # the question as it was answered

    @property
    def is_right(self) -> bool:
        return bool(self.verdict and self.verdict["right"])

    def ask(self) -> DrillQuestion:
        """The question itself, made again."""
        return ask_question(parse_game(self.game), self.drill, self.seed, self.level)

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True)
class ExamAttempt:
    """A dealer's attempt at an exam."""

    number: int
    exam: ExamTerms
    dealer: str
    began: str
    questions: tuple[AskedQuestion, ...]
    ended: str = ""
    certificate: str = ""  # its digest, if it was passed

    @property
    def next_number(self) -> int:
        """The number of the question that is open, from 1; 0 when all are answered."""
        return next((n for n, asked in enumerate(self.questions, 1) if asked.answer is None), 0)

    @property
    def ends_at(self) -> datetime:
        return datetime.fromisoformat(self.began) + timedelta(minutes=self.exam.minutes)

    @property
    def right(self) -> int:
        return sum(asked.is_right for asked in self.questions)

    @property
    def percent(self) -> int:
        """The share of right answers, rounded down: who has 79.9 has not reached 80."""
        return 100 * self.right // len(self.questions)

    @property
    def is_passed(self) -> bool:
        return 100 * self.right >= self.exam.pass_percent * len(self.questions)

    @property
    def cost(self) -> int:
        """The cents that wrong answers would have moved wrongly."""
        return sum(asked.verdict["cost"] for asked in self.questions if asked.verdict)

    def add_answer(self, data: Mapping[str, Any]) -> "ExamAttempt":
        """The attempt with one more answer, as its event has it."""
        number, answer = data["number"], tuple(data["answer"])
        found = {"verdict": data["verdict"], "seconds": data["seconds"], "shown": data["shown"]}
        asked = replace(self.questions[number - 1], answer=answer, **found)
        return replace(self, questions=(*self.questions[: number - 1], asked, *self.questions[number:]))

    def to_json(self, with_questions: bool = False) -> dict[str, Any]:
        """Plain data; with questions it is a replay of every hand that was answered."""
        plain = {
            "number": self.number,
            "exam": self.exam.to_json(),
            "dealer": self.dealer,
            "began": self.began,
            "ends_at": self.ends_at.isoformat(),
            "ended": self.ended,
            "next": self.next_number,
            "hands": len(self.questions),
            "answered": sum(asked.answer is not None for asked in self.questions),
        }
        if self.ended:
            plain |= {
                "right": self.right,
                "percent": self.percent,
                "passed": self.is_passed,
                "cost": self.cost,
            }
            plain |= {"certificate": self.certificate}
        if with_questions:
            plain["questions"] = [_replay(asked) for asked in self.questions if asked.answer is not None]
        return plain


def _replay(asked: AskedQuestion) -> dict[str, Any]:
    """An answered question from the record: a later version may draw another one from the same seed."""
    return {
        **(asked.shown or {}),
        "answer": list(asked.answer or ()),
        "verdict": asked.verdict,
        "seconds": asked.seconds,
    }


def draw_questions(terms: ExamTerms, draw: Draw) -> tuple[AskedQuestion, ...]:
    """The questions of an attempt: games and drills in turn, so that each has its share."""
    games = [parse_game(words) for words in terms.games]
    drills = {game: [drill.name for drill in drills_of(game)] for game in games}
    found = []
    for n in range(terms.hands):
        game = games[n % len(games)]
        names = drills[game]
        found.append(_draw_question(game, names, n // len(games), terms.level, draw))
    return tuple(found)


def _draw_question(game: Game, drills: list[str], first: int, level: int, draw: Draw) -> AskedQuestion:
    """A question of the drill whose turn it is, or of the next one that has one."""
    for n in range(NO_QUESTION_TRIES):
        drill, seed = drills[(first + n // 3) % len(drills)], int(draw.integers(SEEDS))
        try:
            ask_question(game, drill, seed, level)
        except Refused:
            continue
        return AskedQuestion(str(game), drill, seed, level)
    raise Refused(f"{game.title} has no questions at level {level}.")
