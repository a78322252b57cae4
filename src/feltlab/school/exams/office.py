"""The school's office: exams, attempts, certificates and practice on a ledger of the school's own.

Every event is on the disk before anybody hears of it, and all that is known is folded from the events, so an
attempt goes on after a restart where it stopped. The chain `school` has one round for each attempt.
"""

import secrets
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from threading import RLock
from typing import Any

import numpy as np

from feltlab.errors import Refused, Unknown
from feltlab.ledger.backup import SCHOOL_FILE
from feltlab.ledger.chains import LedgerProblem, verify_chains, verify_tip
from feltlab.ledger.event import Draft, Entry, Event
from feltlab.ledger.head_keys import KEY_FILE, HeadKey
from feltlab.ledger.ledger import Ledger
from feltlab.ledger.signed_tip import TipSigner
from feltlab.school.drills import judge_answer
from feltlab.school.drills.question import DrillQuestion
from feltlab.school.exams.certificate import DealerCertificate, certify_attempt
from feltlab.school.exams.exam import AskedQuestion, ExamAttempt, ExamTerms, draw_questions, parse_game
from feltlab.school.hands import Draw
from feltlab.school.progress import PRACTISED, ProgressBook
from feltlab.school.tables import RecordedTable, table_key

CHAIN = "school"
EXAM_SET, STARTED, ANSWERED, ENDED, CERTIFIED = (
    "exam-set",
    "exam-started",
    "exam-answered",
    "exam-ended",
    "certificate",
)
SEED_BITS = 63


class SchoolOffice:
    """Writes and reads the ledger of a school; safe to call from several threads."""

    def __init__(
        self,
        ledger: Ledger,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        keys: tuple[str, ...] = (),  # that may sign the ledger, if they are known
    ) -> None:
        self.ledger, self._clock, self._keys = ledger, clock, keys
        self._lock = RLock()
        self.exams: dict[int, ExamTerms] = {}
        self.attempts: dict[int, ExamAttempt] = {}
        self.certificates: dict[str, DealerCertificate] = {}
        self.progress = ProgressBook()
        self.tables: dict[int, RecordedTable] = {}
        self._table_keys: set[tuple[Any, ...]] = set()
        for event in ledger.events(CHAIN):
            self._fold(event)

    @classmethod
    def open(cls, folder: Path, writer: bool = True) -> "SchoolOffice":
        """The office of a pit's folder."""
        signer = TipSigner(folder, may_renew=True) if writer else None
        ledger = Ledger.open(folder / SCHOOL_FILE, writer=writer, signer=signer)
        path = folder / KEY_FILE  # the pit's record says who may use it
        return cls(ledger, keys=(HeadKey(path).public,) if path.exists() else ())

    def close(self) -> None:
        self.ledger.close()

    # -- Events ---------------------------------------------------------------------------------------

    def _write(self, *drafts: Draft) -> None:
        for event in self.ledger.append_blocking(Entry(drafts)):
            self._fold(event)

    def _fold(self, event: Event) -> None:
        data = event.data
        if event.kind == EXAM_SET:
            self.exams[data["number"]] = ExamTerms(**{**data, "at": event.at})
        elif event.kind == STARTED:
            asked = tuple(AskedQuestion(*each) for each in data["questions"])
            exam = self.exams[data["exam"]]
            self.attempts[event.round] = ExamAttempt(event.round, exam, data["dealer"], event.at, asked)
        elif event.kind == ANSWERED:
            self._fold_answer(event)
        elif event.kind == ENDED:
            self.attempts[event.round] = replace(self.attempts[event.round], ended=event.at)
        elif event.kind == CERTIFIED:
            found = DealerCertificate.from_json(data)
            self.certificates[found.digest] = found
            self.attempts[event.round] = replace(self.attempts[event.round], certificate=found.digest)
        elif event.kind == PRACTISED:
            self.progress.add(data)
            if "seed" in data:
                self._fold_table(event)

    def _fold_table(self, event: Event) -> None:
        record = {name: value for name, value in event.data.items() if name != "dealer"}
        number = len(self.tables) + 1
        self.tables[number] = RecordedTable(number, event.data["dealer"], event.at, record)
        self._table_keys.add(self.tables[number].key)

    def _fold_answer(self, event: Event) -> None:
        data, attempt = event.data, self.attempts[event.round]
        asked = attempt.questions[data["number"] - 1]
        self.attempts[event.round] = attempt.add_answer(data)
        self.progress.add(
            {
                "dealer": attempt.dealer,
                "game": asked.game,
                "drill": asked.drill,
                "level": asked.level,
                "right": data["verdict"]["right"],
                "seconds": data["seconds"],
                "slips": data["verdict"]["slips"],
                "met": data["verdict"].get("met", {}),
            }
        )

    # -- Exams ----------------------------------------------------------------------------------------

    def set_exam(self, by: str, terms: ExamTerms) -> ExamTerms:
        """Put an exam on record; refuses games that are not known."""
        games = tuple(str(parse_game(words)) for words in terms.games)
        with self._lock:
            number = len(self.exams) + 1
            data = replace(terms, games=games, number=number, by=by).to_json()
            self._write(Draft(CHAIN, EXAM_SET, data))
            return self.exams[number]

    def start_attempt(self, dealer: str, exam: int, draw: Draw | None = None) -> ExamAttempt:
        """Begin an attempt: its questions are drawn now and are on record, so a restart changes nothing."""
        if exam not in self.exams:
            raise Unknown(f"There is no exam {exam}.")
        seed = secrets.randbits(SEED_BITS)
        questions = draw_questions(self.exams[exam], draw or np.random.default_rng(seed))
        with self._lock:
            if running := self._running(dealer):
                raise Refused(f"{dealer} has an exam under way: attempt {running.number}.")
            number = len(self.attempts) + 1
            listed = [[asked.game, asked.drill, asked.seed, asked.level] for asked in questions]
            data = {"exam": exam, "dealer": dealer, "questions": listed}
            self._write(Draft(CHAIN, STARTED, data, number))
            return self.attempts[number]

    def _running(self, dealer: str) -> ExamAttempt | None:
        mine = (attempt for attempt in self.attempts.values() if attempt.dealer == dealer)
        return next((attempt for attempt in mine if not self.find_attempt(attempt.number).ended), None)

    def find_attempt(self, number: int, dealer: str | None = None) -> ExamAttempt:
        """An attempt, ended if its time is up; refuses another dealer's."""
        with self._lock:
            attempt = self.attempts.get(number)
            if attempt is None:
                raise Unknown(f"There is no attempt {number}.")
            if dealer is not None and attempt.dealer != dealer:
                raise Refused("This exam is another dealer's.")
            if not attempt.ended and self._clock() > attempt.ends_at and self.ledger.term:
                self._end(attempt, "time")
            return self.attempts[number]

    def find_question(self, number: int, dealer: str) -> tuple[int, DrillQuestion]:
        """The number of the open question of an attempt, and the question."""
        attempt = self._find_open(number, dealer)
        return attempt.next_number, attempt.questions[attempt.next_number - 1].ask()

    def _find_open(self, number: int, dealer: str) -> ExamAttempt:
        attempt = self.find_attempt(number, dealer)
        if attempt.ended:
            late = "The time of this exam is over." if attempt.next_number else "This exam is over."
            raise Refused(late)
        return attempt

    def answer(self, number: int, dealer: str, question: int, answer: list[str]) -> Mapping[str, Any]:
        """Judge the answer to a question, once and in order; the last one ends the attempt."""
        with self._lock:
            attempt = self._find_open(number, dealer)
            if question < attempt.next_number:
                raise Refused(f"Question {question} is answered already.")
            if question != attempt.next_number:
                raise Refused(f"The next question is {attempt.next_number}, not {question}.")
            asked = attempt.questions[question - 1]
            shown = asked.ask()
            verdict = judge_answer(parse_game(asked.game), shown, answer)
            data = {
                "number": question,
                "shown": shown.to_json(with_truth=True),
                "answer": list(verdict.answer),
                "verdict": verdict.to_json(),
                "seconds": self._seconds_since(attempt, question),
            }
            self._write(Draft(CHAIN, ANSWERED, data, number))
            if not self.attempts[number].next_number:
                self._end(self.attempts[number], "finished")
            return data

    def _seconds_since(self, attempt: ExamAttempt, question: int) -> float:
        """The seconds since the question before was answered."""
        spent = sum(asked.seconds for asked in attempt.questions[: question - 1])
        gone = (self._clock() - datetime.fromisoformat(attempt.began)).total_seconds()
        return round(max(0.0, gone - spent), 1)

    def _end(self, attempt: ExamAttempt, why: str) -> None:
        """End an attempt; one that is passed gets its certificate in the same entry."""
        result = {"why": why, "right": attempt.right, "hands": len(attempt.questions), "cost": attempt.cost}
        drafts = [Draft(CHAIN, ENDED, {**result, "passed": attempt.is_passed}, attempt.number)]
        if attempt.is_passed:
            issued = certify_attempt(attempt, self._clock().date())
            drafts.append(Draft(CHAIN, CERTIFIED, issued.to_json(), attempt.number))
        self._write(*drafts)

    # -- Practice and certificates --------------------------------------------------------------------

    def record_practice(self, dealer: str, data: Mapping[str, Any]) -> None:
        """Put an answer of practice, or a table that was dealt, on record."""
        with self._lock:
            self._write(Draft(CHAIN, PRACTISED, {"dealer": dealer, **data}))

    def record_table(self, dealer: str, record: Mapping[str, Any]) -> int:
        """Put a table that was dealt to its end on record, once, and return its number."""
        with self._lock:
            if table_key(dealer, record) not in self._table_keys:
                self.record_practice(dealer, record)
                return len(self.tables)
            return next(n for n, each in self.tables.items() if each.key == table_key(dealer, record))

    def find_table(self, number: int, dealer: str | None = None) -> RecordedTable:
        """A table on record; refuses another dealer's."""
        if number not in self.tables:
            raise Unknown(f"There is no table {number}.")
        if dealer is not None and self.tables[number].dealer != dealer:
            raise Refused("This table was dealt by another dealer.")
        return self.tables[number]

    def certified_games(self, dealer: str) -> list[str]:
        """The names of the games that a dealer may deal by a certificate."""
        mine = (found for found in self.certificates.values() if found.dealer == dealer)
        return sorted({game.split()[0] for found in mine for game in found.games})

    def has_certificate(self, dealer: str, game: str) -> bool:
        return game in self.certified_games(dealer)

    def check_certificate(self, data: Any) -> DealerCertificate:
        """The certificate on record that equals a document; refuses one that was forged or changed."""
        return check_certificate(self.certificates, data)

    def verify(self) -> list[LedgerProblem]:
        """Every event of the school's ledger that the school did not write so."""
        return [*verify_chains(self.ledger), *verify_tip(self.ledger, self._keys)]


def check_certificate(known: Mapping[str, DealerCertificate], data: Any) -> DealerCertificate:
    """The certificate on record that equals a document; refuses one that was forged or changed."""
    try:
        given = DealerCertificate.from_json(data)
    except (KeyError, TypeError, ValueError, AttributeError):
        raise Refused("This is not a dealer's certificate.") from None
    if given.digest != given.compute_digest():
        raise Refused("The certificate was changed: its digest does not fit its words.")
    if known.get(given.digest) != given:
        raise Refused("The certificate is not on the school's ledger.")
    return given
