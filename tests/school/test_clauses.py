"""Each kind of error, planted in each game, is named with the clause that the rule sheet has for it.

`expected_clauses.toml` has the numbers, read off docs/rules: a list where the clause depends on the hand.
"""

import tomllib
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path

import numpy as np
import pytest

from feltlab.games import FOLDERS, GAMES
from feltlab.games.data_files import read_data
from feltlab.school import DealerAct, ask_question, deal_hand, judge_answer, open_book
from feltlab.school.course import ASK, CALL, COLLECT, END, PAY, PITCH, TAKE, TURN
from feltlab.school.drills.watch import PLANTERS, plant_error
from feltlab.school.rule_book import BESIDE
from feltlab.school.session import open_session
from feltlab.school.settling import cite_wager
from tests.support.school import open_table

EXPECTED = tomllib.loads((Path(__file__).parent / "expected_clauses.toml").read_text(encoding="utf-8"))
TABLES = 4  # that are dealt of each game,
SEATS = 3
QUESTIONS = 12  # and questions of each drill


def wrong_acts(session):
    """Acts that are wrong now, by the kind of the slip that they make."""
    due, seats = session.due[0], range(1, SEATS + 1)
    other = next((f"seat {n}" for n in seats if f"seat {n}" != due.place), "seat 1")
    if due.kind == CALL:
        yield "missed-call", next(act for act in session.due if act.kind != CALL)
    elif due.kind == PITCH and session.done:
        yield "misdeal", replace(due, place=other)
    elif due.kind == ASK:
        yield "wrong-turn-to-choose", DealerAct(ASK, other)
        yield "early-turn", DealerAct(TURN, "dealer" if "dealer" in session.game.shared_areas else "board")
    elif due.kind == COLLECT:
        yield "late-close", DealerAct(END, "table")
    wagers = session._wagers_due
    if len(wagers) > 1:
        kind = "wrong-order" if wagers[0].place == wagers[1].place else "wrong-direction"
        yield kind, wagers[1]


def table_slips(game):
    """The clauses of slips at whole tables, by kind."""
    found: dict[str, set[str]] = {}
    for seed in range(TABLES):
        session = open_table(game, seed, 5, min(SEATS, game.seats))
        while session.due:
            for kind, act in wrong_acts(session):
                slips = session.perform(act).slips[len(session.slips) :]
                assert kind in {slip.kind for slip in slips}, (kind, act)
                found.setdefault(kind, set()).update(
                    slip.clause.number for slip in slips if slip.kind == kind
                )
            session = session.perform(session.due[0])
    return found


def drill_slips(game):
    """The clauses of planted errors and of wrong answers, by kind."""
    found: dict[str, set[str]] = {}
    book = open_book(game)
    for kind in PLANTERS:
        for seed in range(QUESTIONS):
            draw = np.random.default_rng(seed)
            planted = plant_error(kind, book, deal_hand(game, draw, 3), draw)
            if planted and kind not in ("wrong-payment", "wrong-order"):  # those have clauses of their own
                found.setdefault(kind, set()).add(planted.clause.number)
    for kind in ("wrong-count", "exposed-card", "wrong-seat", "wrong-payment"):
        found[kind] = {book.cite_irregularity(kind).number}
    found["shuffler-fault"] = {book.cite_fault().number}
    if EXPECTED[game.name].get("wrong-qualification"):
        found["wrong-qualification"] = {book.cite_qualification().number}
    for seed in range(QUESTIONS):
        question = ask_question(game, "read-hand", seed, 2)
        wrong = next((o.key for o in question.options if o.key != question.truth[0]), None)
        if wrong:
            (slip,) = judge_answer(game, question, [wrong]).slips
            found.setdefault("misread-hand", set()).add(slip.clause.number)
    return found


@pytest.mark.parametrize("name", FOLDERS)
def test_each_kind_of_error_is_named_with_the_clause_of_the_sheet(name):
    game = GAMES[name]
    found = {**table_slips(game), **drill_slips(game)}
    plain = {kind: sorted(numbers) for kind, numbers in found.items()}
    assert plain == {kind: sorted(numbers) for kind, numbers in EXPECTED[name].items()}


def test_a_wager_settled_wrongly_is_named_with_the_clause_of_its_outcome():
    for name in ("casino-war", "triple-shot-bonus", "three-card-poker"):
        game = GAMES[name]
        session = open_session(deal_hand(game, np.random.default_rng(3), 4))
        while session.due:
            act = session.due[0]
            if act.kind in (PAY, TAKE) and not (act.kind == TAKE and act.chips):
                other = DealerAct(TAKE if act.kind == PAY else PAY, act.place, spot=act.spot, chips=(500,))
                (slip,) = session.perform(other).slips[len(session.slips) :]
                spot, _, outcome = slip.wager.partition(": ")
                assert slip.clause == open_book(game).cite_outcome(game.spot(spot), outcome)
            session = session.perform(act)


@pytest.mark.parametrize("name", read_data("school", "game_clauses.toml")[0])
def test_named_clauses_and_outcomes_exist(name):
    named, game = read_data("school", "game_clauses.toml")[0][name], GAMES[name]
    sheet = (Path(__file__).parents[2] / "docs" / "rules" / f"{name}.md").read_text(encoding="utf-8")
    outcomes = [f"{spot.name}: {outcome}" for spot in game.spots for outcome in spot.outcomes]
    for key, numbers in named.items():
        assert all(f"**{number}**" in sheet for number in numbers)
        if ": " in key and not key.startswith("hands"):
            for part in key.split(BESIDE):
                assert any(fnmatchcase(outcome, part) for outcome in outcomes), key


@pytest.mark.parametrize(
    ("name", "options", "spot", "outcome", "clause"),
    [  # where an option decides which clause holds
        ("ultimate-texas-holdem", {"fold-loses-trips": "yes"}, "trips", "fold", "5.6"),
        ("triple-shot-bonus", {"hat-trick": "6"}, "hat-trick", "none of the three lost", "11.2"),
        ("triple-shot-bonus", {"blackjack-pays": "6:5"}, "blackjack", "blackjack", "6.8"),
    ],
)
def test_an_option_decides_the_clause(name, options, spot, outcome, clause):
    game = GAMES[name].with_options(options)
    assert open_book(game).cite_outcome(game.spot(spot), outcome).number == clause


def test_a_raise_against_a_dealer_who_does_not_qualify_is_named_with_the_clause_on_that():
    game, found = GAMES["six-card-poker"], set()
    for seed in range(40):
        hand = deal_hand(game, np.random.default_rng(seed), 3)
        paid = {(seat, wager.spot.name): wager for seat, wager in hand.payments}
        for (seat, spot), wager in paid.items():
            if spot == "raise":
                qualified = paid[seat, "ante"].outcome != "dealer does not qualify"
                found.add((qualified, wager.outcome, cite_wager(open_book(game), hand, seat, wager).number))
    assert {number for qualified, _, number in found if not qualified} == {"6.2"}
    assert {(outcome, number) for qualified, outcome, number in found if qualified} >= {
        ("better hand", "6.3"),
        ("worse hand", "6.4"),
    }
