"""The kinds of irregularities and the decisions on each, from `irregularities.toml`."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

from feltlab.core.game import Game
from feltlab.errors import Unknown
from feltlab.games.data_files import build, read_data
from feltlab.submission.rule_sheet import IRREGULARITIES, Clause, parse_rule_sheet
from feltlab.text import listing

WRONG_COUNT, EXPOSED_CARD, WRONG_SEAT, WRONG_PAYMENT = (
    "wrong-count",
    "exposed-card",
    "wrong-seat",
    "wrong-payment",
)
VOID, PLAY_ON, CORRECT = "void", "play-on", "correct"


@dataclass(frozen=True)
class IrregularityKind:
    """A kind of irregularity, and the decisions that are possible."""

    name: str
    title: str
    clause: str  # the beginning of its clause in each rule sheet
    decisions: tuple[str, ...]
    drill: str  # what the staff assumes in a drill
    while_choosing: tuple[str, ...] = ()  # the decisions while a seat has yet to choose; () has all
    after_choosing: tuple[str, ...] = ()  # the decisions once all choices are made
    counts: bool = False  # the record has the number of cards found and due
    reading: str = ""  # the house's reading where the documents are silent

    def check_decision(self, decision: str) -> None:
        if decision not in self.decisions:
            possible = f"possible {'is' if len(self.decisions) == 1 else 'are'} {listing(self.decisions)}"
            raise Unknown(f"{decision!r} is not a decision on {self.title.lower()}; {possible}.")

    def decisions_at(self, is_choosing: bool) -> tuple[str, ...]:
        """The decisions that the rules provide for, while a seat has yet to choose or afterwards."""
        return (self.while_choosing if is_choosing else self.after_choosing) or self.decisions

    @property
    def is_of_round_in_play(self) -> bool:
        """Whether it is recorded while its round is in play, and not once the round is over."""
        return CORRECT not in self.decisions


@dataclass(frozen=True)
class _KindsFile:
    kind: tuple[IrregularityKind, ...]
    decisions: Mapping[str, str]  # in words, by name


@cache
def _load_kinds() -> _KindsFile:
    data, place = read_data("pit", "irregularities", "irregularities.toml")
    return build(_KindsFile, data, place)


def irregularity_kinds() -> tuple[IrregularityKind, ...]:
    return _load_kinds().kind


def irregularity_kind(name: str) -> IrregularityKind:
    """The kind of a name; refuses other names."""
    for kind in irregularity_kinds():
        if kind.name == name:
            return kind
    known = listing(kind.name for kind in irregularity_kinds())
    raise Unknown(f"{name!r} is not a kind of irregularity; the kinds are {known}.")


def describe_decision(name: str) -> str:
    """A decision in a sentence."""
    return _load_kinds().decisions[name]


def find_clause(kind: str, game: Game) -> Clause:
    """The clause about a kind of irregularity, in the rule sheet of a game under its options."""
    beginning = irregularity_kind(kind).clause
    clause = find_clause_by_beginning((beginning,), game)
    if clause is None:
        raise Unknown(f"The rule sheet of {game} has no clause that begins {beginning!r}.")
    return clause


@lru_cache(maxsize=256)
def find_clause_by_beginning(beginnings: tuple[str, ...], game: Game) -> Clause | None:
    """The clause on irregularities with one of these beginnings, if the game's rule sheet has one."""
    chapter = next(c for c in parse_rule_sheet(game).chapters if c.title == IRREGULARITIES)
    return next((clause for clause in chapter.clauses if clause.text.startswith(beginnings)), None)
