"""The trainer in a real browser: answers by key, verdicts, the lit row, the exam, the hand of the day."""

import re
from dataclasses import replace
from fractions import Fraction

import pytest

from feltlab.core.position import write_position
from feltlab.core.round import Round
from feltlab.games import GAMES
from feltlab.proving.proof import strategy_card
from feltlab.server.rate_limits import RateLimit
from feltlab.workers.training.hands import training_wagers
from tests.support.at_table import tab_to
from tests.support.browsers import DESKTOP
from tests.support.pages import CARD

GAME = "triple-shot-rummy"  # a quick solver, and a card of two rows
READY = "#answers button:not(:disabled)"
BEST_HAND = write_position(Round.of(GAMES[GAME], "As Ah Ad", "", ante=1000))  # no points: play


@pytest.fixture(scope="module", autouse=True)
def _card():
    """The chart is in the store, so that every decision has its row from the first hand on."""
    game = GAMES[GAME]
    wagers = training_wagers(game)
    strategy_card(game, {spot.name: Fraction(spot.name in wagers) for spot in game.wagers})


def test_a_key_answers_and_the_verdict_lights_the_row(new_page):
    page = new_page(viewport={"width": 1280, "height": 720})
    page.goto(f"/train/{GAME}?{BEST_HAND}")
    page.wait_for_selector(READY)
    page.wait_for_selector(".chart .lines")
    page.keyboard.press("f")
    assert "Fold costs $" in page.inner_text("#verdict")
    assert "Play wins" in page.inner_text("#verdict .why")
    assert page.locator(".chart tr.lit").inner_text().endswith("Play")
    assert page.locator("#goes-on").bounding_box()["y"] < 720 - 44  # nothing below the fold
    page.keyboard.press("Enter")
    page.wait_for_selector(READY)
    stored = page.evaluate(f"JSON.parse(localStorage.getItem('feltlab-train-{GAME}'))")
    assert (stored["count"], stored["right"], len(stored["missed"])) == (1, 0, 1)


def test_a_missed_hand_returns_after_three_others(new_page):
    page = new_page(viewport=DESKTOP)
    page.goto(f"/train/{GAME}?{BEST_HAND}")
    for _ in range(4):
        page.wait_for_selector(READY)
        page.locator("#answers button").last.click()  # fold, which was wrong in the first hand
        page.wait_for_selector(".verdict-line")
        page.keyboard.press("Enter")
        page.wait_for_selector(READY)
    assert page.inner_text("#task").startswith("You missed this hand before.")


def test_an_exam_is_silent_and_ends_with_a_score_and_practice(new_page):
    page = new_page()
    page.goto(f"/train/{GAME}?mode=exam")
    for n in range(20):
        page.wait_for_selector(f"#task:has-text('decision {n + 1} of')")
        page.wait_for_selector(READY)
        assert page.locator(".verdict-line").count() == 0
        page.keyboard.press("p")
    page.wait_for_selector(".verdict.report")
    percent = int(re.findall(r"(\d+) %", page.inner_text("#task"))[0])
    mistakes = page.locator(".mistakes li").count()
    assert percent == 100 - 5 * mistakes
    assert ("Passed" in page.inner_text("#task")) == (percent >= 90)
    if mistakes:
        page.get_by_role("button", name="Practise these hands").click()
        assert f"Hand 1 of {mistakes}" in page.inner_text("#task")


def test_an_exam_and_the_hand_of_the_day_keep_their_verdict_until_the_answer(new_page, place, monkeypatch):
    monkeypatch.setattr("feltlab.workers.training.trainer.GAMES", {GAME: GAMES[GAME]})
    page = new_page()
    assert page.request.get(f"/api/train/{GAME}/next").json()["values"]  # in practice the verdict is instant
    page.request.get("/train/daily")
    for path in (f"/api/train/{GAME}/next?exam=1", "/api/train/daily"):
        asked = page.request.get(path).json()
        assert not asked.keys() & {"values", "row", "reason", "after"}
        verdict = page.request.post("/api/train/verdict", data={"token": asked["token"], "choice": "play"})
        assert verdict.json().keys() == {"values", "row", "reason", "after"}
    assert '"reason"' not in page.request.get("/train/daily").text()
    old = page.request.post("/api/train/verdict", data={"token": "daily 2020-01-01", "choice": "play"})
    assert (old.status, old.json()["error"]) == (404, "This is not the hand of today.")


def test_learning_begins_when_the_strategy_card_is_there(new_page):
    """Until then the page says how far the card is: the step, its share if that is known, and the seconds."""
    page, said = new_page(), {"seconds": 7, "steps": 2}
    waits = [
        {**said, "progress": 0.0, "ahead": 2, "step": 1},
        {**said, "progress": 0.0, "ahead": 0, "step": 1},
        {**said, "progress": 0.5, "ahead": 0, "step": 2},
    ]

    def wait_thrice(route):
        if waits:
            route.fulfill(status=202, json={"working": waits.pop(0)})
        else:
            route.continue_()

    page.route("**/api/train/*/chart*", wait_thrice)
    page.goto(f"/train/{GAME}?mode=learn")
    page.wait_for_selector("#verdict:has-text('being worked out after 2 others.')")
    page.wait_for_selector("#verdict:has-text('being worked out: step 1 of 2, 7 s so far.')")
    page.wait_for_selector("#verdict:has-text('being worked out: step 2 of 2, 50 %, 7 s so far.')")
    page.wait_for_selector("#task:has-text('Row 1 of 2.')")
    page.wait_for_selector(READY)


def test_the_trainer_sends_no_unseen_card(new_page):
    page = new_page()
    for _ in range(3):
        answer = page.request.get(f"/api/train/{GAME}/next")
        assert len(set(CARD.findall(answer.text()))) == 3  # the player's


def test_an_impossible_link_is_refused_in_a_sentence(new_page):
    page = new_page()
    for query, sentence in (("player=As+As+Ad", "As is given 2 times"), ("what=1", "no setting 'what'")):
        answer = page.request.get(f"/api/train/{GAME}/position?{query}")
        assert answer.status == 409
        assert sentence in answer.json()["error"]
    assert page.request.get("/api/train/no-game/next").status == 404
    for row in ("zz7", "line/7"):
        answer = page.request.get(f"/api/train/{GAME}/next?row={row}")
        assert (answer.status, f"has no row '{row}'" in answer.json()["error"]) == (404, True)


def test_the_hand_of_the_day_is_one_for_everybody_and_is_shared_in_a_line(new_page, place, monkeypatch):
    monkeypatch.setattr("feltlab.workers.training.trainer.GAMES", {GAME: GAMES[GAME]})  # a quick solver
    first, second = new_page(), new_page()
    for page in (first, second):
        page.goto("/train/daily")
        page.wait_for_selector(READY)
    assert first.inner_text("#own") == second.inner_text("#own")
    first.locator("#answers button").first.click()
    first.wait_for_selector(".share-line")
    assert re.match(r"feltlab, hand of \d{4}-\d\d-\d\d: ", first.locator(".share-line").input_value())
    first.goto("/train")
    assert "1 day in a row" in first.inner_text("#daily-state")


def test_progress_follows_the_account_to_another_browser(new_page):
    first, second = new_page(), new_page()
    assert first.request.post("/api/session/guest").ok
    second.context.add_cookies(first.context.cookies())
    first.goto(f"/train/{GAME}?{BEST_HAND}")
    first.wait_for_selector(READY)
    with first.expect_response(f"**/api/train/{GAME}/progress") as saved:
        first.keyboard.press("p")
    assert saved.value.ok
    second.goto("/train")
    second.wait_for_selector(f'[data-game="{GAME}"] [data-progress]:has-text("1 decision, 100 % right")')
    assert "Your progress is kept for your account" in second.inner_text("#storage")
    second.goto(f"/train/{GAME}?mode=mixed")
    second.wait_for_selector(READY)
    with second.expect_response(f"**/api/train/{GAME}/progress"):
        second.keyboard.press("p")
    first.goto("/train")
    first.wait_for_selector(f'[data-game="{GAME}"] [data-progress]:has-text("2 decisions")')


# -- For everybody ----------------------------------------------------------------------------------

ZOOMED = {"width": 720, "height": 450}  # 1440 x 900 at 200 %
MANY = {
    area: cards.split()
    for area, cards in (("dealer", "## ##"), ("board", "2c 7d Th Js Ac"), ("player", "3c 4d 5h 6s 8c 9d Kh"))
}
OUT_OF_VIEW = """(parts) => parts.flatMap((part) => {
  const { top, bottom } = document.querySelector(part).getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight ? [] : [`${part}: ${top} to ${bottom} of ${innerHeight}`];
})"""


def parts_out_of_view(page, *parts):
    """The parts of the page that are not wholly on the screen, and where they are."""
    return page.evaluate(OUT_OF_VIEW, list(parts))


@pytest.mark.parametrize("areas", [{}, MANY], ids=["three cards", "fourteen cards"])
def test_at_200_percent_cards_and_choices_are_on_one_screen(new_page, areas):
    page = new_page(viewport=ZOOMED)

    def deal_more(route):
        decision = route.fetch().json()
        route.fulfill(json=decision | {"areas": decision["areas"] | areas})

    page.route("**/api/train/*/next*", deal_more)
    page.goto(f"/train/{GAME}?mode=mixed")
    page.wait_for_selector(READY)
    assert parts_out_of_view(page, "#task", "#shared", "#own", "#answers") == []
    assert page.evaluate("document.documentElement.scrollWidth") <= ZOOMED["width"]


def test_on_a_low_screen_the_verdict_and_then_the_next_hand_come_into_view(new_page):
    page = new_page(viewport={"width": 640, "height": 360})  # 1280 x 720 at 200 %
    page.goto(f"/train/{GAME}?mode=mixed")
    page.wait_for_selector(READY)
    assert parts_out_of_view(page, "#goes-on")  # before the answer
    page.locator("#answers button").first.click()
    page.wait_for_selector(".verdict-line")
    assert parts_out_of_view(page, "#verdict", "#goes-on") == []
    page.keyboard.press("Enter")
    page.wait_for_selector(READY)
    assert parts_out_of_view(page, "#task", "#own", "#answers") == []


def test_by_keyboard_alone_a_hand_is_answered_and_the_chart_opened_and_closed(new_page):
    page = new_page(viewport=ZOOMED)
    page.goto(f"/train/{GAME}?mode=mixed")
    page.wait_for_selector(READY)
    tab_to(page, "#answers button >> nth=0")
    page.keyboard.press("Enter")
    page.wait_for_selector(".verdict-line")
    assert page.evaluate("document.activeElement.closest('#goes-on') !== null")  # Enter deals the next hand
    page.keyboard.press("Enter")
    page.wait_for_selector(READY)
    tab_to(page, "#open-chart")
    page.keyboard.press("Enter")
    page.wait_for_selector("dialog[open] .chart")
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog[open]", state="detached")
    assert page.evaluate("document.activeElement.id") == "open-chart"


def test_nothing_moves_in_the_trainer_for_those_who_ask_for_reduced_motion(new_page):
    page = new_page(reduced_motion="reduce")
    page.goto(f"/train/{GAME}?mode=mixed")
    page.wait_for_selector(READY)
    page.locator("#answers button").first.click()
    page.wait_for_selector(".verdict-line")
    assert page.evaluate("document.getAnimations().filter((one) => one.playState === 'running').length") == 0


def test_positions_are_limited_by_address_with_or_without_a_session(new_page, place, monkeypatch):
    auth = place.house.app.state.auth
    monkeypatch.setattr(auth, "allowance", replace(auth.allowance, positions=RateLimit(0.01, 2)))
    visitor, guest = new_page().request, new_page().request
    assert guest.post("/api/session/guest").ok
    asked = f"/api/train/{GAME}/position?{BEST_HAND}"
    assert [client.get(asked).status for client in (visitor, guest, visitor, guest)] == [200, 200, 429, 429]


def test_the_hand_of_the_day_names_its_game_before_the_answer(new_page):
    page = new_page()
    page.goto("/train/daily")
    title = page.get_by_role("heading", level=1).inner_text()
    assert title.rpartition(": ")[2] in {game.title for game in GAMES.values()}
