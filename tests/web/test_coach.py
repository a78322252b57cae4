"""The coach in a real browser: hints, and an exam with a deliberate mistake."""

import pytest

from tests.support.at_table import CHOOSING, Mouse, open_page
from tests.support.features import representatives
from tests.support.game_data import data_of
from tests.support.prepared import shuffles_of

RUMMY, POKER = "triple-shot-rummy", "high-five-poker"
SOLVER_MILLISECONDS = 90_000  # with the start of its process
COACHED = representatives("a board", "streets", "any amount", "a price", "equal wagers", "most choices")
GAMES_BY_PACE = [pytest.param(game, marks=[pytest.mark.slow] * data_of(game).slow_advice) for game in COACHED]


@pytest.mark.parametrize("game", GAMES_BY_PACE)
def test_a_hint_shows_the_value_of_every_open_choice(new_page, open_table, shuffles, game):
    shuffles.extend(shuffles_of(game, [data_of(game).hand_with_choice]))
    seat = Mouse(new_page(), open_table(game), "?coach=hint").sit()
    seat.wager()
    seat.deal()
    seat.page.wait_for_selector("#coach .worth .best", timeout=SOLVER_MILLISECONDS)
    rows = seat.page.locator("#coach .worth li")
    told, valued = rows.all_inner_texts(), [row.get_attribute("data-valued") for row in rows.all()]
    open_ = [one.get_attribute("data-choice") for one in seat.page.locator(CHOOSING).all()]
    assert sorted(valued) == sorted(open_)
    assert ["best" in line for line in told] == [True] + [False] * (len(told) - 1)
    seat.choose(valued[-1])
    seat.page.wait_for_selector("#coach:has-text('was best')")


def test_an_exam_is_silent_then_reports_and_practises_exactly_the_mistakes(new_page, open_table, shuffles):
    """A hand without points is played once, which is right, and folded once, which is wrong."""
    best = data_of(RUMMY).prepared_hands[-1]
    shuffles.extend(shuffles_of(RUMMY, [best, best]))
    seat = Mouse(new_page(), open_table(RUMMY), "?coach=exam").sit()
    page = seat.page
    seat.wager()
    for choice, made in (("play", 1), ("fold", 2)):
        seat.deal()
        page.wait_for_selector(CHOOSING)
        seat.choose(choice)
        assert page.locator("#coach").inner_text().startswith("Exam is on: ")
        seat.page.wait_for_selector(f"#round-number:text-is('round {made + 1}')", state="attached")
        _wait_for_records(page, made)
        seat.rebet()
    assert "2 decisions recorded" in page.locator("#coach").inner_text()
    page.get_by_role("button", name="Report").click()
    report = page.locator("#report")
    assert "1 of 2 decisions were right" in report.inner_text()
    assert report.locator(".weakest li").count() == 1
    assert "You chose fold; play is better" in report.locator(".weakest li").inner_text()
    _practise(report)
    assert report.is_hidden()


def test_an_exam_names_decisions_that_wait_for_the_coach_or_have_no_values(new_page, open_table):
    page, held = new_page(), []
    page.route("**/advice?*", lambda route: held.append(route))
    seat = Mouse(page, open_table(POKER), "?coach=exam").sit()
    seat.wager()
    seat.play("play")
    page.wait_for_selector("#coach:has-text('nothing recorded yet; 1 being worked out.')")
    held[0].fulfill(status=409, json={"error": "You have no choice to make now."})  # the choice was quicker
    page.wait_for_selector("#coach:has-text('yet; 1 not recorded, without values from the coach.')")


def _practise(report):
    report.get_by_role("button", name="Practise these hands").click()
    assert "hand 1 of 1" in report.inner_text()
    report.get_by_role("button", name="Fold").click()
    assert "play is best" in report.get_by_role("status").inner_text()
    report.get_by_role("button", name="Play").click()
    assert "Right: play." in report.get_by_role("status").inner_text()
    report.get_by_role("button", name="Next hand").click()
    assert "0 of 1 right: 0 %." in report.inner_text()
    report.get_by_role("button", name="Once more").click()
    report.press("p")  # the key of the choice
    assert "Right: play." in report.get_by_role("status").inner_text()
    report.get_by_role("button", name="Next hand").click()
    assert "1 of 1 right: 100 %." in report.inner_text()
    report.get_by_role("button", name="Close").click()


def _wait_for_records(page, number):
    kept = f"JSON.parse(localStorage.getItem('feltlab-exam-{RUMMY}') || '[]').length"
    for _ in range(SOLVER_MILLISECONDS // 50):
        if page.evaluate(kept) == number:
            return
        page.wait_for_timeout(50)
    raise AssertionError("The exam does not note the decision.")


def test_the_coach_answers_only_the_player_whose_turn_it_is(new_page, open_table):
    live = open_table(POKER)
    address = f"/api/tables/{live.table.name}/advice?seat="
    page = open_page(new_page(), live.table.name)
    assert page.request.get(f"{address}1").status == 401
    Mouse(page, live).sit()
    assert page.request.get(f"{address}1").status == 409
    assert page.request.get(f"{address}2").status == 403
