"""The table that a question is about: wagers under limits, cards at the moment of a call or a misdeal."""

import pytest

from feltlab.games import FOLDERS, GAMES
from feltlab.school import ask_question, judge_answer
from feltlab.school.drills.frames import HIDDEN, SHOE

SEEDS = range(12)


def ask_all(game, drill, level=2, seeds=SEEDS):
    return [ask_question(game, drill, seed, level) for seed in seeds]


@pytest.mark.parametrize("name", FOLDERS)
def test_no_question_has_an_empty_felt(name):
    for drill in ("call", "limit", "misdeal", "payment"):
        for question in ask_all(GAMES[name], drill):
            seats = question.felt["seats"]
            lies = [seat["wagers"] or seat["cards"] or seat.get("stack") for seat in seats]
            if drill == "call" and question.facts["step"].moment == "After the round":
                lies += [question.felt.get(place) for place in GAMES[name].shared_areas]
            assert any(lies), question.prompt


def test_the_question_for_war_is_asked_at_a_tie():
    asked = [q for q in ask_all(GAMES["casino-war"], "call", seeds=range(40)) if "War or" in q.truth[0]]
    assert asked
    for question in asked:
        ranks = {seat["cards"][0] for seat in question.felt["seats"] if seat["wagers"]}
        assert question.felt["dealer"][0] in ranks


def test_insurance_is_offered_with_an_ace_up():
    game = GAMES["triple-shot-bonus"]
    asked = [q for q in ask_all(game, "call", seeds=range(40)) if q.truth[0] == '"Insurance?"']
    assert asked
    assert all(q.felt["dealer"].startswith("A") and q.felt["dealer"].endswith(HIDDEN) for q in asked)


def test_no_option_of_a_call_is_there_twice():
    for name in FOLDERS:
        for question in ask_all(GAMES[name], "call"):
            assert len({option.text for option in question.options}) == len(question.options)


def test_one_card_too_many_lies_on_the_table():
    game = GAMES["ultimate-texas-holdem"]
    asked = [q for q in ask_all(game, "misdeal", seeds=range(60)) if "too many" in q.prompt]
    due = {"Seat": 2, "The dealer": 2, "The board": 5}
    for question in asked:
        who = next(who for who in due if question.prompt.startswith(who))
        number = int(question.prompt.split()[1]) - 1 if who == "Seat" else 0
        cards = question.felt["seats"][number]["cards"] if who == "Seat" else question.felt[who.split()[1]]
        assert len(cards.split()) == due[who] + 1


def test_while_a_seat_has_yet_to_choose_the_dealers_cards_lie_face_down():
    game = GAMES["ultimate-texas-holdem"]
    asked = [q for q in ask_all(game, "misdeal", seeds=range(60)) if "yet to choose" in q.prompt]
    assert asked
    for question in asked:
        assert HIDDEN in question.felt["dealer"]


def test_where_no_card_lies_face_down_the_next_card_of_the_shoe_is_seen():
    asked = [q for q in ask_all(GAMES["casino-war"], "misdeal", seeds=range(60)) if "was seen" in q.prompt]
    assert asked
    for question in asked:
        assert question.prompt.startswith("The next card of the shoe was seen.")
        assert question.felt[SHOE]


@pytest.mark.parametrize(
    ("name", "words", "clause"),
    [  # the clauses on wagers that depend on each other, of docs/rules
        ("ultimate-texas-holdem", "must equal", "3.1"),
        ("let-it-ride", "must equal", "3.1"),
        ("rabbit-hunter", "may not be more than", "3.3"),
    ],
)
def test_a_wager_that_does_not_fit_another_is_refused_with_its_clause(name, words, clause):
    game = GAMES[name]
    asked = [q for q in ask_all(game, "limit", seeds=range(60)) if words in q.truth[0]]
    assert asked
    for question in asked:
        assert judge_answer(game, question, ["accept"]).slips[0].clause.number == clause


def test_only_one_option_of_a_limit_is_true():
    """A second reason that holds as well would be a right answer that counts as wrong."""
    game = GAMES["ultimate-texas-holdem"]
    for question in ask_all(game, "limit", seeds=range(80)):
        wagers = question.facts.get("wagers", {})
        if wagers.get("blind") != wagers.get("ante") and "equal" not in question.truth[0]:
            assert not any("must equal" in option.text for option in question.options)
