"""`feltlab school`: a drill, and a certificate against the school's ledger."""

import json

import numpy as np
import pytest

from feltlab.games import GAMES
from feltlab.ledger.backup import SCHOOL_FILE
from feltlab.ledger.ledger import Ledger
from feltlab.school import ask_question
from feltlab.school.exams.exam import ExamTerms
from feltlab.school.exams.office import SchoolOffice
from tests.support.command_line import run

GAME = "casino-war"


@pytest.fixture
def certified(tmp_path):
    """A folder with a school, and its only certificate as plain data."""
    with Ledger.open(tmp_path / SCHOOL_FILE) as ledger:
        office = SchoolOffice(ledger)
        office.set_exam("tess", ExamTerms((GAME,), 2, 50, 30))
        attempt = office.start_attempt("dora", 1, np.random.default_rng(1)).number
        while office.attempts[attempt].next_number:
            number, question = office.find_question(attempt, "dora")
            office.answer(attempt, "dora", number, list(question.truth))
        return tmp_path, next(iter(office.certificates.values())).to_json()


def test_a_question_is_asked_and_its_answer_judged():
    question = ask_question(GAMES[GAME], "settle", 3, 1)
    asked = run("school", "ask", GAME, "settle", "--seed", "3")
    assert question.prompt in asked.stdout
    right = run("school", "ask", GAME, "settle", *question.truth, "--seed", "3", "--json")
    assert json.loads(right.stdout)["right"] is True
    wrong = run("school", "ask", GAME, "settle", "1 primary push", "--seed", "3")
    assert "Wrong." in wrong.stdout
    assert "rules of play" in wrong.stdout
    assert "settle" in run("school", "drills", GAME).stdout
    assert run("school", "ask", GAME, "juggle").exit_code == 2


def test_a_certificate_is_checked_and_a_forged_one_refused(certified):
    folder, issued = certified
    place = ("--data", str(folder))
    real, forged = folder / "real.json", folder / "forged.json"
    written = run("school", "certificate", issued["digest"][:12], "-o", str(real), *place)
    assert written.exit_code == 0, written.stderr
    assert "dora may deal casino-war" in run("school", "check", str(real), *place).stdout
    printed = run("school", "check", issued["digest"][:16], *place)
    assert printed.stdout.startswith("dora may deal casino-war; attempt 1, 2 of 2 right")
    unknown = run("school", "check", "0" * 16, *place)
    assert unknown.exit_code == 2
    assert "0 certificates have a digest" in unknown.stderr
    forged.write_text(json.dumps({**issued, "dealer": "eve"}))
    refused = run("school", "check", str(forged), *place)
    assert refused.exit_code == 2
    assert refused.stderr.strip().count("\n") == 0
    assert "changed" in refused.stderr
    forged.write_bytes(b"%PDF-1.7 \xff")
    unreadable = run("school", "check", str(forged), *place)
    assert unreadable.exit_code == 2
    assert "check the digest instead" in unreadable.stderr
    exported = run("school", "progress", "--csv", *place).stdout.splitlines()
    assert exported[1].startswith("dora,casino-war,2,2,100")
    assert "attempt 1: dora" in run("school", "exams", *place).stdout


def test_a_folder_without_a_school_is_refused(tmp_path):
    refused = run("school", "progress", "--data", str(tmp_path))
    assert refused.exit_code == 2
    assert "There is no ledger" in refused.stderr
