"""Every drill of every game is made of rules and procedure alone, and judged by the settlement."""

import json

import numpy as np
import pytest

from feltlab.errors import Refused, Unknown
from feltlab.games import FOLDERS, GAMES
from feltlab.school import DRILLS, ask_question, deal_hand, drills_of, fewest_chips, judge_answer, open_book
from feltlab.school.drills.question import CHIPS, EVENT, HAND, ONE, SETTLE
from feltlab.school.drills.watch import PLANTERS, plant_error
from feltlab.school.hands import has_qualification
from tests.support.board_game import load_board_game
from tests.support.own_games import nothing_named

SEEDS = (0, 1)


@pytest.fixture(scope="module")
def toy_game(tmp_path_factory):
    """A made-up game with a rule sheet, as a user writes one."""
    with nothing_named():
        yield load_board_game(tmp_path_factory.mktemp("games") / "toy-streets")


def questions_of(game, drill):
    for seed in SEEDS:
        for level in (1, 5):
            try:
                yield ask_question(game, drill, seed, level)
            except Unknown:
                continue


def wrong_answers(question):
    """Answers that differ from the truth, as the form allows them."""
    truth = list(question.truth)
    if question.form in (ONE, HAND):
        return [[o.key, *truth[1:]] for o in question.options if o.key != truth[0]]
    if question.form == EVENT:
        return [["0", "none"]] if truth != ["0", "none"] else [["1", "late-bet"]]
    if question.form == CHIPS:
        return [[*truth, "100"], truth[:-1]]
    assert question.form == SETTLE
    return [truth[:-1], *([truth[::-1]] if len(truth) > 1 else [])]


def check_drill(game, drill):
    found = list(questions_of(game, drill))
    for question in found:
        assert judge_answer(game, question, question.truth).is_right
        again = ask_question(game, drill, question.seed, question.level)
        assert again.to_json(with_truth=True) == question.to_json(with_truth=True)
        assert "truth" not in json.loads(json.dumps(question.to_json()))
        for answer in wrong_answers(question):
            verdict = judge_answer(game, question, answer)
            assert not verdict.is_right
            for slip in verdict.slips:
                assert slip.clause.number
                assert slip.clause.text
                assert slip.house_cents >= 0
                assert slip.player_cents >= 0
            json.dumps(verdict.to_json())
    return found


@pytest.mark.parametrize("name", FOLDERS)
def test_every_game_has_every_drill(name):
    game = GAMES[name]
    wanted = {drill for drill in DRILLS if drill != "qualify" or has_qualification(game)}
    assert {drill.name for drill in drills_of(game)} == wanted
    for drill in wanted:
        assert check_drill(game, drill), drill


def test_a_made_up_game_gets_a_working_school(toy_game):
    wanted = {*DRILLS} - {"qualify", "call"}  # the dealer needs no hand, and the sheet has no calls
    assert {drill.name for drill in drills_of(toy_game)} == wanted
    for drill in wanted:
        assert check_drill(toy_game, drill), drill
    assert open_book(toy_game).cite_irregularity("wrong-count").number == "7.1"


@pytest.mark.parametrize("name", FOLDERS)
def test_every_outcome_has_a_clause_of_the_sheet(name):
    game = GAMES[name]
    book = open_book(game)
    for spot in game.spots:
        for line in game.pay_table(spot).lines:
            assert book.cite_outcome(spot, line.outcome).number in book.clauses


@pytest.mark.parametrize(
    ("name", "spot", "outcome", "clause"),
    [  # as the sheets in docs/rules say it
        ("casino-war", "primary", "war won", "6.6"),
        ("casino-war", "tie", "tie", "4.3"),
        ("three-card-poker", "ante", "worse hand", "6.4"),
        ("three-card-poker", "play", "dealer does not qualify", "6.2"),
        ("ultimate-texas-holdem", "blind", "tie", "6.5"),
        ("triple-shot-bonus", "insurance", "dealer blackjack", "7.4"),
        ("rabbit-hunter", "play", "better hand", "6.5"),
        ("let-it-ride", "bet-1", "pulled back", "5.4"),  # 5.1 offers the choice, 5.4 says what it does
    ],
)
def test_an_outcome_is_cited_with_its_own_clause(name, spot, outcome, clause):
    game = GAMES[name]
    assert open_book(game).cite_outcome(game.spot(spot), outcome).number == clause


@pytest.mark.parametrize("kind", PLANTERS)
def test_each_planted_error_is_named_with_its_clause(kind):
    game = GAMES["three-card-poker"]
    book = open_book(game)
    subjects = {
        "late-bet": "closed",
        "capped-bet": "closed",
        "pinched-bet": "closed",
        "switched-card": "exchanging",
    }
    for seed in range(30):
        draw = np.random.default_rng(seed)
        hand = deal_hand(game, draw, 3)
        planted = plant_error(kind, book, hand, draw)
        if planted:
            break
    else:
        pytest.fail(f"no hand gave an occasion for {kind}")
    if kind in subjects:
        assert planted.clause == book.cite(subjects[kind])
    elif kind == "flashed-card":
        assert planted.clause == book.cite_irregularity("exposed-card")
    elif kind == "wrong-order":
        assert planted.clause in (book.cite("order"), book.cite("direction"))
    else:
        assert planted.house_cents + planted.player_cents > 0


def test_a_wrong_direction_and_a_wrong_order_have_their_own_clauses():
    game = GAMES["three-card-poker"]
    question = next(
        q
        for q in (ask_question(game, "settle", seed, 3) for seed in range(20))
        if len({word.split()[0] for word in q.truth}) > 1
    )
    slips = judge_answer(game, question, question.truth[::-1]).slips
    assert {slip.kind for slip in slips} <= {"wrong-direction", "wrong-order"}
    assert {slip.clause.number for slip in slips if slip.kind == "wrong-direction"} == {"10.1"}
    for slip in slips:
        assert slip.clause.number == {"wrong-direction": "10.1", "wrong-order": "10.2"}[slip.kind]


def test_a_payment_costs_what_the_settlement_says():
    game = GAMES["casino-war"]
    questions = (ask_question(game, "payment", seed, 2) for seed in range(40))
    question = next(q for q in questions if q.facts.get("paid") and q.facts["paid"].net > 0)
    due = sum(map(int, question.truth))
    too_much = judge_answer(game, question, list(map(str, fewest_chips(due + 500)))).slips[0]
    too_little = judge_answer(game, question, list(map(str, fewest_chips(due - 50)))).slips[0]
    assert (too_much.house_cents, too_much.player_cents) == (500, 0)
    assert (too_little.house_cents, too_little.player_cents) == (0, 50)
    more_chips = judge_answer(game, question, ["50"] * (due // 50)).slips
    assert [slip.kind for slip in more_chips] == ["wrong-chips"]


@pytest.mark.parametrize(
    ("name", "words"),
    [  # by the pay lines of the two games
        ("triple-shot-bonus", ("lose half", "3 to 2", "1 to 1", "Colour them up")),
        ("casino-war", ("1 to 2", "lose half", "10 to 1", "Colour them up")),
    ],
)
def test_payments_have_half_losses_odd_pays_and_colouring_up(name, words):
    left = set(words)
    for seed in range(400):
        prompt = ask_question(GAMES[name], "payment", seed, 4).prompt
        left = {word for word in left if word not in prompt}
        if not left:
            return
    pytest.fail(f"no question has {left}")


@pytest.mark.parametrize(
    ("drill", "answer"),
    [
        ("settle", ["9 ante pay"]),
        ("settle", ["nonsense"]),
        ("payment", ["7"]),
        ("call", ["no such call"]),
        ("watch", ["0"]),
    ],
)
def test_an_answer_of_another_form_is_refused(drill, answer):
    game = GAMES["casino-war"]
    with pytest.raises(Refused):
        judge_answer(game, ask_question(game, drill, 1, 1), answer)


def test_unknown_drills_and_levels_are_refused():
    game = GAMES["casino-war"]
    with pytest.raises(Unknown):
        ask_question(game, "no-such-drill", 1)
    with pytest.raises(Unknown):
        ask_question(game, "settle", 1, 9)


def test_payments_at_odds_are_as_frequent_as_even_money():
    prompts = [ask_question(GAMES["casino-war"], "payment", seed, 3).prompt for seed in range(40)]
    paid = [prompt for prompt in prompts if "Colour" not in prompt]
    assert sum("1 to 1." in prompt for prompt in paid) < len(paid) / 2
    for odds in ("1 to 2.", "10 to 1.", "lose half."):
        assert any(odds in prompt for prompt in paid), odds


def test_an_amount_beside_the_posted_steps_is_named_with_the_limits():
    game = GAMES["casino-war"]
    questions = (ask_question(game, "limit", seed, 1) for seed in range(60))
    found = next(question for question in questions if "multiple of $1" in question.truth[0])
    (slip,) = judge_answer(game, found, ["accept"]).slips
    assert slip.clause == open_book(game).cite("limits")  # 2.5 asks for a multiple of two cents
