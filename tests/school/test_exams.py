"""Exams on a ledger of the school's own: in order, once, in time, and certified if they are passed."""

import json
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from feltlab.errors import Refused, Unknown
from feltlab.ledger.backup import SCHOOL_FILE
from feltlab.ledger.ledger import Ledger
from feltlab.report.renderers import text
from feltlab.school.exams.certificate import certificate_document
from feltlab.school.exams.exam import AskedQuestion, ExamTerms
from feltlab.school.exams.office import SchoolOffice
from feltlab.school.progress import write_csv

TERMS = ExamTerms(("casino-war", "three-card-poker"), 8, 75, 30)


class Clock:
    def __init__(self):
        self.ahead = timedelta()

    def __call__(self):
        return datetime.now(UTC) + self.ahead


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def office(tmp_path, clock):
    with Ledger.open(tmp_path / SCHOOL_FILE) as ledger:
        yield SchoolOffice(ledger, clock)


def begin(office, dealer="dora"):
    exam = office.set_exam("tess", TERMS)
    return office.start_attempt(dealer, exam.number, np.random.default_rng(1)).number


def answer_right(office, attempt, dealer="dora"):
    number, question = office.find_question(attempt, dealer)
    return office.answer(attempt, dealer, number, list(question.truth))


def take(office, attempt):
    while office.attempts[attempt].next_number:
        answer_right(office, attempt)


def test_a_right_exam_is_certified_and_everything_is_on_the_ledger(office):
    attempt = begin(office)
    take(office, attempt)
    done = office.find_attempt(attempt)
    assert (done.right, done.is_passed, done.cost) == (8, True, 0)
    assert office.certified_games("dora") == ["casino-war", "three-card-poker"]
    assert office.has_certificate("dora", "casino-war")
    assert not office.has_certificate("dora", "dj-wild")
    assert office.verify() == []
    replay = done.to_json(with_questions=True)["questions"]
    assert [each["answer"] for each in replay] == [each["truth"] for each in replay]
    issued = office.certificates[done.certificate]
    assert office.check_certificate(json.loads(json.dumps(issued.to_json()))) == issued
    page = text.render(certificate_document(issued))
    assert "dora may deal" in page
    assert issued.digest in page.replace("\n", "")


def test_a_restart_in_the_middle_changes_nothing(office, tmp_path, clock):
    attempt = begin(office)
    for _ in range(3):
        answer_right(office, attempt)
    before = office.find_question(attempt, "dora")
    office.ledger.close()
    with Ledger.open(tmp_path / SCHOOL_FILE) as ledger:
        again = SchoolOffice(ledger, clock)
        assert again.find_question(attempt, "dora")[0] == 4
        assert again.find_question(attempt, "dora")[1].to_json() == before[1].to_json()
        take(again, attempt)
        assert again.find_attempt(attempt).is_passed


def test_a_replay_shows_what_was_asked_whatever_a_later_version_would_ask(
    office, tmp_path, clock, monkeypatch
):
    attempt = begin(office)
    _, asked = office.find_question(attempt, "dora")
    answer_right(office, attempt)
    office.ledger.close()
    monkeypatch.setattr(AskedQuestion, "ask", lambda _: pytest.fail("It is made again."))
    with Ledger.open(tmp_path / SCHOOL_FILE) as ledger:
        (replay,) = SchoolOffice(ledger, clock).attempts[attempt].to_json(with_questions=True)["questions"]
    shown = json.loads(json.dumps(asked.to_json(with_truth=True)))
    assert {name: replay[name] for name in shown} == shown


def count_events(office):
    return office.ledger.last_sequence()


def test_bad_answers_are_refused_and_change_nothing(office, clock):
    attempt = begin(office)
    other = begin(office, "otto")
    given = office.find_question(attempt, "dora")[1].truth
    answer_right(office, attempt)
    before = count_events(office)
    for number, dealer, question, answer, why in (
        (attempt, "dora", 1, given, "answered already"),
        (attempt, "dora", 5, given, "next question is 2"),
        (attempt, "otto", 2, given, "another dealer's"),
        (other, "dora", 1, given, "another dealer's"),
        (99, "dora", 1, given, "no attempt"),
        (attempt, "dora", 2, ["nonsense"] * 300, "at most"),
    ):
        with pytest.raises(Refused, match=why):
            office.answer(number, dealer, question, list(answer))
    assert count_events(office) == before
    with pytest.raises(Refused, match="under way"):
        office.start_attempt("dora", 1)
    with pytest.raises(Unknown):
        office.start_attempt("dora", 7)
    assert count_events(office) == before
    clock.ahead = timedelta(minutes=31)
    with pytest.raises(Refused, match="time of this exam is over"):
        answer_right(office, attempt)
    assert not office.attempts[attempt].is_passed
    assert office.attempts[attempt].right == 1
    assert office.certified_games("dora") == []


@pytest.mark.parametrize(
    "changes",
    [{"dealer": "eve"}, {"games": ["dj-wild"]}, {"digest": "0" * 64}, {"right": 9}, {"number": 7}],
)
def test_a_forged_certificate_is_refused(office, changes):
    attempt = begin(office)
    take(office, attempt)
    real = office.certificates[office.attempts[attempt].certificate].to_json()
    with pytest.raises(Refused, match=r"changed|ledger"):
        office.check_certificate({**real, **changes})
    for nonsense in ({}, [], "x", None, {"dealer": "eve"}):
        with pytest.raises(Refused, match="not a dealer's certificate"):
            office.check_certificate(nonsense)


def test_a_certificate_with_a_fitting_digest_that_nobody_issued_is_refused(office):
    attempt = begin(office)
    take(office, attempt)
    real = office.certificates[office.attempts[attempt].certificate]
    forged = type(real).from_json({**real.to_json(), "dealer": "eve"})
    with pytest.raises(Refused, match="not on the school's ledger"):
        office.check_certificate({**forged.to_json(), "digest": forged.compute_digest()})


@pytest.mark.parametrize(
    "bad",
    [{"games": ()}, {"hands": 0}, {"hands": 10**6}, {"pass_percent": 101}, {"minutes": 0}, {"level": 9}],
)
def test_terms_that_no_exam_can_have_are_refused(bad):
    with pytest.raises(Refused):
        ExamTerms(**{**TERMS.to_json(), **bad})


def test_an_exam_about_an_unknown_game_is_refused(office):
    with pytest.raises(Refused):
        office.set_exam("tess", ExamTerms(("no-such-game",), 5, 80, 10))
    assert office.exams == {}


def test_a_wrong_answer_counts_in_progress_with_its_cost(office):
    exam = office.set_exam("tess", ExamTerms(("casino-war",), 7, 100, 30))
    attempt = office.start_attempt("dora", exam.number, np.random.default_rng(5)).number
    while office.attempts[attempt].next_number:
        number, question = office.find_question(attempt, "dora")
        wrong = question.form == "chips"
        office.answer(attempt, "dora", number, ["100000"] if wrong else list(question.truth))
    done = office.find_attempt(attempt)
    assert (done.right, done.is_passed) == (6, False)
    assert done.cost > 0
    (progress,) = office.progress.of_dealer("dora")
    assert progress.cost == done.cost
    assert progress.slips["wrong-amount"] == 1
    office.record_practice(
        "=dora()",
        {"game": "casino-war", "drill": "table", "level": 2, "right": True, "seconds": 60.0, "slips": []},
    )
    assert office.progress.of_dealer("=dora()")[0].rounds_an_hour == 60
    exported = write_csv(office.progress.all()).splitlines()
    assert len(exported) == 3
    assert exported[1].startswith("'=dora()")


def test_a_rewritten_event_is_found(office, tmp_path):
    attempt = begin(office)
    take(office, attempt)
    office.ledger.close()
    with closing(sqlite3.connect(tmp_path / SCHOOL_FILE)) as database, database:
        for (trigger,) in database.execute(
            "SELECT name FROM sqlite_master WHERE type = 'trigger'"
        ).fetchall():
            database.execute(f"DROP TRIGGER {trigger}")
        changed = "replace(data, '\"right\":true', '\"right\":false')"
        database.execute(f"UPDATE events SET data = {changed} WHERE kind = 'exam-answered'")
    with Ledger.open(tmp_path / SCHOOL_FILE, writer=False) as ledger:
        assert SchoolOffice(ledger).verify() != []
