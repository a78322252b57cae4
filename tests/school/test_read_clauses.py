"""The clauses of slips, compared with a reading of the rule sheets that shares nothing with the code.

`read_clauses.toml` was written from docs/rules alone, before any clause that the school cites was looked at.
"""

import tomllib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from feltlab.games import GAMES
from feltlab.school import DealerAct, ask_question, deal_hand, drills_of, judge_answer, open_book
from feltlab.school.course import ASK, CALL, COLLECT, END, PITCH, TURN
from feltlab.school.drills.watch import plant_error
from feltlab.school.session import open_session
from feltlab.school.settling import find_paid

READ = tomllib.loads((Path(__file__).parent / "read_clauses.toml").read_text(encoding="utf-8"))
TABLES, SEATS, QUESTIONS = 60, 3, 40
PLANTED = {
    "late-bet": "late bet",
    "capped-bet": "chips added",
    "pinched-bet": "chips taken back",
    "switched-card": "card exchanged",
    "flashed-card": "card seen",
}
REFUSED = {
    "must equal": "unequal wagers",
    "must be at least": "wager below the minimum",
    "may be at most": "wager above the maximum",
}


def name_pitch(session, due):
    """The key of a card that is due and goes elsewhere."""
    place = "seat" if due.place.startswith("seat") else due.place
    if any(act.kind == ASK for act in session.done):
        return f"card to the wrong place: {place}, after a choice"
    second = any((act.kind, act.place) == (PITCH, due.place) for act in session.done)
    return f"card to the wrong place: {place}{', second card' * second}"


def name_missed(session, wager):
    """The key of a wager that is left: its seat has just chosen, or it is settled with the others."""
    asked = [n for n, act in enumerate(session.done) if act.kind == ASK]
    if asked and {act.place for act in session.done[asked[-1] :]} == {wager.place}:
        return f"left after a choice: {find_paid(session.hand, wager).outcome}"
    return "wager not settled"


def list_mistakes(session):
    """Mistakes that can be made now: the key, the kind of the slip, and the act."""
    due = session.due[0]
    other = next(f"seat {n}" for n in range(1, SEATS + 2) if f"seat {n}" != due.place)
    if due.kind == CALL:
        yield f"missed call: {due.words}", "missed-call", next(a for a in session.due if a.kind != CALL)
    elif due.kind == PITCH and session.done:
        yield name_pitch(session, due), "misdeal", replace(due, place=other)
    elif due.kind == ASK:
        yield "asked out of turn", "wrong-turn-to-choose", DealerAct(ASK, other)
        for place in session.game.shared_areas:
            yield f"turned too early: {place}", "early-turn", DealerAct(TURN, place)
    elif due.kind == COLLECT:
        yield "cards not collected", "late-close", DealerAct(END, "table")
    wagers = session._wagers_due
    if wagers:
        yield name_missed(session, wagers[-1]), "missed-wager", session.due[len(wagers)]
    if len(wagers) > 1 and wagers[0].place == wagers[1].place:
        yield "wagers out of order", "wrong-order", wagers[1]
    elif len(wagers) > 1:
        yield "seats out of order", "wrong-direction", wagers[1]


def find_table_clauses(game):
    for seed in range(TABLES):
        session = open_session(deal_hand(game, np.random.default_rng(seed), 4, min(SEATS, game.seats)))
        while session.due:
            for key, kind, act in list_mistakes(session):
                slips = session.perform(act).slips[len(session.slips) :]
                yield key, [slip for slip in slips if slip.kind == kind][-1].clause
            session = session.perform(session.due[0])


def find_drill_clauses(game):
    for seed in range(QUESTIONS):
        question = ask_question(game, "read-hand", seed, 2)
        wrong = next((o.key for o in question.options if o.key != question.truth[0]), None)
        if wrong:
            yield "hand misread", judge_answer(game, question, [wrong]).slips[0].clause
            verdict = judge_answer(game, question, [question.truth[0]])
            yield "wrong cards play", verdict.slips[0].clause
        question = ask_question(game, "limit", seed, 2)
        key = next((key for words, key in REFUSED.items() if words in question.truth[0]), None)
        if key:
            yield key, judge_answer(game, question, ["accept"]).slips[0].clause
        if "qualify" in {drill.name for drill in drills_of(game)}:
            yield "qualification misjudged", open_book(game).cite_qualification()


def find_planted_clauses(game):
    for kind, key in PLANTED.items():
        for seed in range(QUESTIONS):
            draw = np.random.default_rng(seed)
            planted = plant_error(kind, open_book(game), deal_hand(game, draw, 3), draw)
            if planted:
                yield key, planted.clause


def find_outcome_clauses(game):
    for spot in game.spots:
        for outcome in spot.outcomes:
            yield f"{spot.name}: {outcome}", open_book(game).cite_outcome(spot, outcome)


@pytest.mark.parametrize("name", READ)
def test_each_mistake_is_named_with_the_clause_that_a_reader_names(name):
    game, read = GAMES[name], READ[name]
    wrong, met = set(), set()
    for find in (find_table_clauses, find_drill_clauses, find_planted_clauses, find_outcome_clauses):
        for key, clause in find(game):
            met.add(key)
            if key in read and clause.number not in read[key]["clause"]:
                wrong.add((key, str(clause), *read[key]["clause"]))
    assert not wrong
    assert not read.keys() - met


@pytest.mark.parametrize("name", READ)
def test_each_reason_is_in_the_words_of_its_clause(name):
    book = open_book(GAMES[name])
    controls = {control.number: control.text for control in book.controls}
    for key, found in READ[name].items():
        first = found["clause"][0]
        text = book.clauses[first].text if first in book.clauses else controls[first]
        assert found["words"] in text, key
