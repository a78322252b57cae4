"""The rule book of a game: the clause of its rule sheet or of the internal controls that decides a question.

A clause is found by its words (`clauses.toml`), by the outcomes that its source names in braces, or by the
rows of its table; `game_clauses.toml` names it where that finds none or a near one. So a game has a school as
soon as it has a rule sheet, and no clause is named in code.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cached_property, lru_cache

from feltlab.core.game import Game
from feltlab.core.layout import Spot
from feltlab.core.paytable import Line
from feltlab.games import GAMES
from feltlab.games.data_files import build, read_data
from feltlab.pit.irregularities.incident import FAULT_CLAUSES
from feltlab.pit.irregularities.kinds import irregularity_kind
from feltlab.submission.controls import list_controls
from feltlab.submission.procedure import ProcedureStep, procedure
from feltlab.submission.rule_sheet import (
    DEALING,
    IRREGULARITIES,
    PROCEDURE,
    SETTLING,
    Chapter,
    Clause,
    has_rule_sheet,
    parse_rule_sheet,
    read_rule_sheet,
)
from feltlab.submission.venues import venues

RULES, CONTROLS = "rules of play", "internal controls"
BESIDE = " beside "  # in a key of game_clauses.toml, between an outcome and one of another wager of the seat
_NUMBER = re.compile(r"\*\*(\d+\.\d+)\*\*")
_RESULT_WORDS = {
    "win": ("win", "paid", "pays", "decided"),
    "lose": ("lose", "loses", "taken"),
    "push": ("push", "pushes"),
    "refund": ("refund", "return", "pull"),
}


@dataclass(frozen=True)
class Citation:
    """A clause by its number and in its words."""

    number: str  # '7.1', or 'Game protection 1' of the controls
    text: str
    source: str = RULES

    def __str__(self) -> str:
        return f"{self.number}: {self.text}"


@dataclass(frozen=True)
class ClauseSearch:
    """The words by which a clause is found."""

    begins: tuple[str, ...] = ()
    contains: tuple[tuple[str, ...], ...] = ()
    chapter: tuple[str, ...] = ()
    control: str = ""
    otherwise: str = ""


@lru_cache(maxsize=1)
def _load_named() -> Mapping[str, Mapping[str, Sequence[str]]]:
    """By game, the numbers of clauses that no search finds."""
    data, _ = read_data("school", "game_clauses.toml")
    return data


@lru_cache(maxsize=1)
def _load_searches() -> Mapping[str, ClauseSearch]:
    data, place = read_data("school", "clauses.toml")
    entries = {name: entry for name, entry in data.items() if name != PHRASES}
    return {name: build(ClauseSearch, entry, place.child(name)) for name, entry in entries.items()}


@lru_cache(maxsize=1)
def _load_phrases() -> Mapping[str, tuple[str, ...]]:
    data, _ = read_data("school", "clauses.toml")
    return {outcome: tuple(phrases) for outcome, phrases in data[PHRASES].items()}


@dataclass(frozen=True)
class RuleBook:
    """The rule sheet, the procedure and the internal controls of a game under its options."""

    game: Game
    limits: Mapping[str, int] = field(default_factory=dict, hash=False)  # aggregate limits that are posted

    @cached_property
    def chapters(self) -> tuple[Chapter, ...]:
        """The chapters of the rule sheet; none for a game without one."""
        known = self.game.name in GAMES and has_rule_sheet(self.game.name)
        return parse_rule_sheet(self.game).chapters if known else ()

    @cached_property
    def steps(self) -> tuple[ProcedureStep, ...]:
        """The dealing procedure, step by step."""
        return procedure(self.game) if self.chapters else ()

    @cached_property
    def clauses(self) -> Mapping[str, Clause]:
        """Every clause by its number."""
        return {clause.number: clause for chapter in self.chapters for clause in chapter.clauses}

    @cached_property
    def controls(self) -> tuple[Citation, ...]:
        """The internal controls, numbered within their topics."""
        topics = list_controls(self.game, next(iter(venues().values())), self.limits)
        return tuple(
            Citation(f"{topic.title} {n}", control.does, CONTROLS)
            for topic in topics
            for n, control in enumerate(topic.control, 1)
        )

    # -- Clauses by their subject ---------------------------------------------------------------------

    def cite(self, subject: str) -> Citation:
        """The clause on a subject of `clauses.toml`, or the control that asks for the procedure."""
        return self._cached(subject)

    @cached_property
    def _cached(self) -> "_Cache":
        return _Cache(self)

    def find(self, subject: str) -> Citation:
        if named := self._find_named(subject):
            return cite_clause(named)
        search = _load_searches()[subject]
        found = next(self._find_clauses(search), None) if search.begins or search.contains else None
        if found:
            return cite_clause(found)
        if search.otherwise:
            return self.cite(search.otherwise)
        begins = search.control or _load_searches()["procedure"].control
        for control in self.controls:
            if control.text.startswith(begins):
                return control
        return self.cite("procedure")

    def _find_named(self, key: str) -> Clause | None:
        """The clause that game_clauses.toml names for a subject or an outcome."""
        named = _load_named().get(self.game.name, {})
        numbers = [number for known in named if fnmatchcase(key, known) for number in named[known]]
        return next((self.clauses[number] for number in numbers if number in self.clauses), None)

    def cite_hands(self, group: str, subject: str = "hands") -> Citation:
        """The clause on a group of cards: on its rank, or on the cards of it that play."""
        named = self._find_named(f"hands: {group}")
        return cite_clause(named) if named else self.cite(subject)

    def cite_at_once(self, outcome: str) -> Citation:
        """The clause on a wager that is settled as soon as a choice decides it, best of this outcome."""
        found = list(self._find_clauses(_load_searches()["at-once"]))
        best = max(found, key=lambda clause: _closeness(outcome, clause.text), default=None)
        return cite_clause(best) if best and _closeness(outcome, best.text) else self.cite("once")

    def cite_stake(self, sentence: str) -> Citation:
        """The clause on the chips of a wager, best of the one that a sentence names."""
        spots = [spot for spot in self.game.wagers if _mentions(sentence, spot)]
        found = list(self._find_clauses(_load_searches()["stakes"]))
        about = [clause for clause in found if any(_mentions(clause.text, spot) for spot in spots)]
        return cite_clause(about[0]) if about else self.cite("stakes")

    def _find_clauses(self, search: ClauseSearch) -> Iterator[Clause]:
        """The clauses that a search finds, the best first."""
        chapters = [c for c in self.chapters if c.title in search.chapter or not search.chapter]
        hidden = () if search.chapter else (PROCEDURE,)
        clauses = [clause for c in chapters if c.title not in hidden for clause in c.clauses]
        yield from (clause for clause in clauses if search.begins and clause.text.startswith(search.begins))
        for words in search.contains:
            yield from (clause for clause in clauses if all(word in clause.text for word in words))

    def cite_step(self, step: ProcedureStep) -> Citation:
        """The clause that asks for the call of a step: one on calls, or the one of the procedure itself."""
        rules = (self.clauses[number] for number in step.clauses if number in self.clauses)
        for clause in rules:
            if any(word in clause.text for word in CALL_WORDS):
                return cite_clause(clause)
        clauses = (clause for c in self.chapters if c.title == PROCEDURE for clause in c.clauses)
        found = next((clause for clause in clauses if clause.text.startswith(step.moment)), None)
        if found is None:
            return self.cite("procedure")
        return Citation(found.number, f"{found.text} Step {step.number}: {step.does}")

    def cite_qualification(self) -> Citation:
        """The clause that says which hands of the dealer are good enough."""
        deciding = {clause.number for clause in self._deciding}
        steps = [step for step in self.steps if '" or "' in step.says]
        numbers = [number for step in steps for number in step.clauses if number in deciding]
        return cite_clause(self.clauses[numbers[-1]]) if numbers else self.cite("once")

    def cite_irregularity(self, kind: str) -> Citation:
        """The clause on a kind of irregularity."""
        return self._cite_irregularity((irregularity_kind(kind).clause,))

    def cite_fault(self) -> Citation:
        """The clause on faults of the shuffler."""
        return self._cite_irregularity(FAULT_CLAUSES)

    def _cite_irregularity(self, beginnings: tuple[str, ...]) -> Citation:
        clauses = [clause for c in self.chapters if c.title == IRREGULARITIES for clause in c.clauses]
        found = next((clause for clause in clauses if clause.text.startswith(beginnings)), None)
        return cite_clause(found) if found else self.cite("dispute")

    # -- Clauses by an outcome ------------------------------------------------------------------------

    def cite_outcome(self, spot: Spot, outcome: str, beside: Iterable[str] = ()) -> Citation:
        """The clause that decides an outcome of a spot: one that names it, or the table that pays it.

        `beside` are the outcomes of the seat's other wagers, where they decide which clause holds.
        """
        line = next(line for line in self.game.pay_table(spot).lines if line.outcome == outcome)
        key = f"{spot.name}: {outcome}"
        keys = (*(f"{key}{BESIDE}{other}" for other in beside), key)
        known = next(filter(None, map(self._find_named, keys)), None)
        found = (
            known or self._named_by(spot, line) or self._in_table(spot, line) or self._in_words(spot, line)
        )
        if found is None:
            return self.cite("once")
        row = f" {line.outcome}: {line.odds}." if _has_row(found, line) else ""
        return Citation(found.number, found.text + row)

    @property
    def _deciding(self) -> list[Clause]:
        """The clauses that decide outcomes."""
        return [clause for c in self.chapters if c.title not in NOT_DECIDING for clause in c.clauses]

    @cached_property
    def _sources(self) -> Mapping[str, str]:
        """The source of each clause before anything in braces is replaced."""
        paragraphs = re.split(r"\n\s*\n", read_rule_sheet(self.game.name)) if self.chapters else []
        found = ((_NUMBER.match(text), text) for text in paragraphs)
        return {number[1]: text for number, text in found if number}

    def _named_by(self, spot: Spot, line: Line) -> Clause | None:
        """A sentence whose source names the pay of the outcome in braces."""
        name = f"{{{spot.name}: {line.outcome}}}"
        named = [c for c in self._deciding if name in self._sources.get(c.number, "")]
        return max(named, key=lambda clause: self._score(clause, spot, line), default=None)

    def _in_table(self, spot: Spot, line: Line) -> Clause | None:
        """A clause with a table that has a row for the outcome, best one about this spot alone."""
        named = [c for c in self._deciding if _has_row(c, line)]
        tables = {table.name for table in spot.tables}
        heads = {spot.name, spot.title.lower(), *tables}
        about = [c for c in named if _mentions(c.text, spot)]
        about += [c for c in named if heads & {cell.lower() for cell in c.table[0]}]
        return about[0] if about else None

    def _in_words(self, spot: Spot, line: Line) -> Clause | None:
        """The sentence that shares the most words with the outcome and its result."""
        scored = [(self._score(clause, spot, line), clause) for clause in self._deciding]
        best = max(scored, key=lambda pair: pair[0], default=None)
        return best[1] if best and best[0] >= MIN_SCORE else None

    def _score(self, clause: Clause, spot: Spot, line: Line) -> int:
        """How well a clause fits an outcome; a chapter on the spot names it in its title."""
        chapter = next(c for c in self.chapters if clause in c.clauses)
        titled = _mentions(chapter.title, spot) and not _mentions(clause.text, spot)
        return _score(clause.text, spot, line) + NAMED_SCORE * titled


CALL_WORDS = ("calls", "announces")  # of clauses that ask for a call
MIN_SCORE, NAMED_SCORE = 5, 6  # the least for a clause; the score for the name of the spot
NOT_DECIDING = (PROCEDURE, IRREGULARITIES, SETTLING, *DEALING, "Wagers", "Cards and deck")
APART = ("does not", "fold")  # words that an outcome and its clause both have, or neither
PHRASES = "phrases"  # the table of clauses.toml that has words of clauses by words of outcomes


class _Cache(dict[str, Citation]):
    """Citations by subject, found once."""

    def __init__(self, book: RuleBook) -> None:
        super().__init__()
        self.book = book

    def __call__(self, subject: str) -> Citation:
        if subject not in self:
            self[subject] = self.book.find(subject)
        return self[subject]


@lru_cache(maxsize=64)
def open_book(game: Game) -> RuleBook:
    """The rule book of a game, parsed once."""
    return RuleBook(game)


def cite_clause(clause: Clause) -> Citation:
    return Citation(clause.number, clause.text)


def _has_row(clause: Clause, line: Line) -> bool:
    return any(row[0].lower() == line.outcome.lower() for row in clause.table[1:])


def _mentions(text: str, spot: Spot) -> bool:
    return re.search(rf"\b{re.escape(spot.title)}\b", text, re.I) is not None


def _score(text: str, spot: Spot, line: Line) -> int:
    """How well a sentence fits an outcome: it names the spot, the result and the hands, and shares words."""
    lower, outcome = text.lower(), line.outcome.lower()
    words = set(re.findall(r"\w+", lower))
    verbs = [verb for result, verbs in _RESULT_WORDS.items() if result != "refund" for verb in verbs]
    if line.result != "refund" and not _stems(verbs, words):
        return 0
    meant = [phrases for name, phrases in _load_phrases().items() if name in outcome]
    phrased = any(phrase in lower for phrases in meant for phrase in phrases)
    strays = sum((mark in lower) != (mark in outcome) for mark in APART)
    named = NAMED_SCORE * _mentions(text, spot) + 3 * bool(_stems(_RESULT_WORDS[line.result], words))
    return named + 4 * phrased + _count_shared(outcome, words) - 6 * strays


def _count_shared(outcome: str, words: set[str]) -> int:
    """Words of the outcome that the text shares."""
    return sum(2 for word in re.findall(r"\w+", outcome) if len(word) > 2 and _stems((word,), words))


def _closeness(outcome: str, text: str) -> float:
    """How close a text comes to the words of an outcome: 'busts' is closer to 'bust' than 'busting'."""
    words = re.findall(r"\w+", text.lower())
    return sum(
        max((len(word) / len(found) for found in words if found.startswith(word)), default=0)
        for word in re.findall(r"\w{3,}", outcome.lower())
    )


def _stems(wanted: Sequence[str], words: set[str]) -> set[str]:
    return {word for word in words for stem in wanted if word.startswith(stem[:5])}
