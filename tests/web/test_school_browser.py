"""The dealer school in a real browser: every form of answer by keyboard, a whole table by touch."""

import asyncio
import json
import threading

import pytest

from feltlab.games import GAMES
from feltlab.pit.roles import Role
from feltlab.school import ask_question
from feltlab.school.exams.exam import ExamTerms
from feltlab.school.exams.office import SchoolOffice
from feltlab.web.pages.school.office import close_office, office_of
from feltlab.workers.seat_players import SeatPlayers
from tests.support.browsers import PHONE, Visits
from tests.support.killable import Server
from tests.support.pages import open_house, sign_in
from tests.support.running import SECRET
from tests.support.school import open_table

POKER = "three-card-poker"
LAPTOP = {"width": 1280, "height": 720}
HANDS = 8  # questions of an exam,
RESTARTED_HANDS = 4  # and of one whose server is killed
DRILLS = ("read-hand", "settle", "payment", "watch", "qualify")


def fits(page) -> bool:
    """Is nothing needed below the fold?"""
    return page.evaluate("document.querySelector('#go button').getBoundingClientRect().bottom <= innerHeight")


def answer_by_keys(page, question) -> None:
    truth, keys = list(question.truth), [option.key for option in question.options]
    press = page.keyboard.press
    if question.form == "chips":
        tray = page.evaluate("JSON.parse(document.getElementById('school-data').textContent).tray")
        for value in truth:
            press(str([chip["cents"] for chip in tray].index(int(value)) + 1))
    elif question.form == "settle":
        settle_by_keys(page, truth)
    elif question.form == "event":
        for _ in range(int(truth[0])):
            press("ArrowDown")
        press(str(keys.index(truth[1]) + 1))
    else:
        press(str(keys.index(truth[0]) + 1))
        for place in truth[1:]:
            press("asdfghjkl"[int(place)])
    press("Enter")


def settle_by_keys(page, truth) -> None:
    """Walk with the arrow keys to each wager, then take, push or pay."""
    wagers = page.eval_on_selector_all(
        ".wager", "all => all.map((one) => `${one.dataset.seat} ${one.dataset.spot}`)"
    )
    at = 0
    for word in truth:
        place, _, action = word.rpartition(" ")
        step = "ArrowRight" if wagers.index(place) >= at else "ArrowLeft"
        for _ in range(abs(wagers.index(place) - at)):
            page.keyboard.press(step)
        at = wagers.index(place)
        page.keyboard.press(str(("take", "push", "pay").index(action) + 1))


def test_every_form_of_answer_by_keyboard(new_page):
    page = new_page(viewport=LAPTOP, reduced_motion="reduce")
    for drill in DRILLS:
        with page.expect_response("**/api/school/*/question") as answered:
            page.goto(f"/school/{POKER}/drills?drill={drill}")
        shown = answered.value.json()
        page.wait_for_selector("#go .confirm")
        assert fits(page), drill
        answer_by_keys(page, ask_question(GAMES[POKER], drill, shown["seed"], shown["level"]))
        page.wait_for_selector("#verdict.good")
        page.keyboard.press("Enter")
        page.wait_for_selector("#go .confirm")
    assert page.inner_text("#score").startswith("Level")
    page.goto(f"/school/{POKER}")
    assert f"{len(DRILLS)} answers, 100 % right" in page.inner_text("main")


SCROLLERS = """[...document.querySelectorAll("main, main *")].filter((one) =>
  one.scrollWidth > one.clientWidth + 1 && ["auto", "scroll"].includes(getComputedStyle(one).overflowX)
  ).map((one) => one.className)"""


def test_nothing_of_the_manual_scrolls_sideways_on_a_phone(new_page):
    page = new_page(viewport=PHONE)
    page.goto(f"/school/{POKER}/manual")
    page.wait_for_selector(".fitting svg")
    assert page.evaluate(SCROLLERS) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.locator(".fitting label").first.click()  # enlarged, a drawing may
    assert len(page.evaluate(SCROLLERS)) == 1


def test_the_tables_of_trainer_and_dealer_do_not_scroll_sideways_on_a_phone(new_page, place):
    dealt = {"right": False, "seconds": 4.0, "slips": [], "met": {}, "drill": "settle", "level": 1}
    office_of(place.house.app).record_practice("the-dealer", {**dealt, "game": "triple-shot-bonus"})
    for role, path in ((Role.SUPERVISOR, "/school/trainer"), (Role.DEALER, "/school/exams")):
        page = new_page(viewport=PHONE)
        sign_in(page, place, role, path)
        assert page.evaluate(SCROLLERS) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_phone_shows_the_seat_that_an_event_is_about(new_page):
    page = new_page(viewport=PHONE, reduced_motion="reduce")
    asked = next(
        found for seed in range(40) if has_many_seats(found := ask_question(GAMES[POKER], "watch", seed, 5))
    )
    page.route("**/api/school/*/question", lambda route: route.fulfill(json=asked.to_json()))
    page.goto(f"/school/{POKER}/drills?drill=watch")
    page.wait_for_selector("#go .confirm")
    page.locator(".event", has_text="seat 1.").first.click()
    inside = """() => { const [seat, felt] = [".school-seat[data-seat='1']", "#felt"].map((one) =>
      document.querySelector(one).getBoundingClientRect()); return seat.bottom <= felt.bottom + 1 }"""
    assert page.evaluate(inside)


def has_many_seats(question) -> bool:
    return len(question.felt["seats"]) >= 6


def test_keys_answer_after_a_drill_was_chosen_by_mouse(new_page):
    page = new_page(viewport=LAPTOP, reduced_motion="reduce")
    page.goto(f"/school/{POKER}/drills")
    page.wait_for_selector("#go .confirm")
    page.click("#drill")
    page.evaluate("document.getElementById('drill').value = 'limit'")
    with page.expect_response("**/api/school/*/question"):
        page.evaluate("document.getElementById('drill').dispatchEvent(new Event('change'))")
    page.wait_for_selector(".placard")
    page.keyboard.press("Escape")  # the list that the click has opened
    page.keyboard.press("1")
    page.wait_for_selector(".answer[aria-pressed=true]")


@pytest.fixture
def staying_in(monkeypatch):
    """Players stay in with every hand: no strategy has to be solved first."""

    async def list_none(self, game):
        return {}

    monkeypatch.setattr(SeatPlayers, "list_strategies", list_none)


def test_a_whole_table_by_touch_with_a_reload_between(new_page, place, staying_in):
    page = new_page(viewport=PHONE, has_touch=True, is_mobile=True, reduced_motion="reduce")
    sign_in(page, place, Role.DEALER, "/school/exams")
    with page.expect_request("**/api/school/*/table") as sent:
        page.goto(f"/school/{POKER}/table")
    dealt = json.loads(sent.value.post_data)
    session = open_table(GAMES[POKER], dealt["seed"], dealt["level"], dealt["seats"])
    page.wait_for_selector(".school-seat")
    for number, act in enumerate(session.due):
        if number == 4:
            page.reload()
            page.wait_for_selector(".made li")
        tap_act(page, act)
        page.wait_for_selector(f".made li:nth-child({number + 1}):last-child")
        assert page.locator("#verdict.bad").count() == 0, act
    assert "without a slip" in page.inner_text("#verdict")
    (table,) = office_of(place.house.app).tables.values()
    assert (table.dealer, table.record["right"]) == ("the-dealer", True)
    page.tap("#go .next")
    page.wait_for_selector(".made li", state="detached")
    check_table_replay(page, len(session.due))


def test_seats_and_level_may_change_while_the_first_table_is_still_betting(new_page, staying_in):
    page = new_page(viewport=LAPTOP, reduced_motion="no-preference")
    page.goto(f"/school/{POKER}/table")
    page.wait_for_selector(".school-seats[data-seats='3']")  # its players put down their bets now
    page.select_option("#level", "2")
    page.select_option("#seats", "4")
    page.wait_for_selector(".school-seats[data-seats='4']")
    page.wait_for_selector("#verdict:has-text('The wagers are down')")
    page.click(".act[data-kind=call]")
    page.locator("#answers .answer", has_text="No more bets.").click()
    page.wait_for_selector(".made li:nth-child(1)")
    assert page.locator(".school-seat").count() == 4
    assert not page.locator("#verdict.bad").count()


def check_table_replay(page, acts: int) -> None:
    """The table on record is drawn again, act by act."""
    page.goto("/school/exams")
    page.locator("a[href='/school/tables/1']").click()
    page.wait_for_selector(".school-seat")
    assert page.inner_text("#prompt") == f"Act 0 of {acts}"
    for number in range(1, 6):
        page.keyboard.press("ArrowRight")
        page.wait_for_selector(f"#prompt:text-is('Act {number} of {acts}')")
    assert page.locator("#felt .face").count()


def tap_act(page, act) -> None:
    """Make an act as a finger does: the act, its place, its chips."""
    partly = act.kind == "take" and act.chips
    page.tap(f".act[data-kind={'part' if partly else act.kind}]")
    if act.kind in ("collect", "end"):
        return
    if act.spot:
        page.locator(f".wager[data-seat='{act.place.split()[1]}'][data-spot='{act.spot}']").tap()
    else:
        text = act.words if act.kind == "call" else act.place.capitalize()
        page.locator("#answers .answer", has_text=text).first.tap()
    if act.chips:
        tap_chips(page, act.chips)
        page.tap("#go .confirm")


# -- Exams ------------------------------------------------------------------------------------------


def answer_by_touch(page, question) -> None:
    truth, keys = list(question.truth), [option.key for option in question.options]
    if question.form == "chips":
        tap_chips(page, map(int, truth))
    elif question.form == "settle":
        for word in truth:
            seat, spot, action = word.split(" ")
            page.locator(f".wager[data-seat='{seat}'][data-spot='{spot}']").tap()
            page.tap(f".act-{action}")
    else:
        if question.form == "event" and truth[0] != "0":
            page.locator(".event").nth(int(truth[0]) - 1).tap()
        option = truth[1] if question.form == "event" else truth[0]
        page.locator(".options .answer").nth(keys.index(option)).tap()
        for place in truth[1:] if question.form == "hand" else ():
            page.locator(".card-choice").nth(int(place)).tap()
    page.tap("#go .confirm")


def tap_chips(page, values) -> None:
    tray = page.evaluate("JSON.parse(document.getElementById('school-data').textContent).tray")
    for value in values:
        page.locator(".tube .chip.big").nth([chip["cents"] for chip in tray].index(value)).tap()


def check_replay(page) -> None:
    """Every hand is drawn again: the table, the answer, the verdict."""
    for number in range(HANDS):
        page.locator(".hand-number").nth(number).click()
        page.wait_for_selector(f"#prompt .number:has-text('Question {number + 1},')")
        assert page.locator("#verdict.good").count() == 1
        assert page.locator("#felt .school-seat").count()
        assert not page.locator("#felt.bare").count()
        assert page.locator("#answers .wrong").count() == 0


@pytest.mark.parametrize(
    ("answer", "screen"),
    [(answer_by_keys, {"viewport": LAPTOP}), (answer_by_touch, {"viewport": PHONE, "has_touch": True})],
    ids=["keyboard", "touch"],
)
def test_a_whole_exam_with_a_reload_and_a_restart_in_the_middle(new_page, place, answer, screen):
    trainer = new_page(viewport=LAPTOP)
    sign_in(trainer, place, Role.SUPERVISOR, "/school/trainer")
    trainer.fill("[name=title]", f"Exam by {answer.__name__}")
    trainer.fill("[name=games]", f"{POKER}, casino-war")
    trainer.fill("[name=hands]", str(HANDS))
    trainer.select_option("[name=level]", "1")
    trainer.click("#set-exam button")
    trainer.wait_for_selector("#set-exam .said:has-text('set')")

    page = new_page(**screen)
    sign_in(page, place, Role.DEALER, "/school/exams")
    page.locator(".exam-list form button").first.click()
    page.wait_for_url("**/school/attempts/*")
    attempt = int(page.url.rpartition("/")[2])
    for number in range(1, HANDS + 1):
        page.wait_for_selector(f"#prompt .number:has-text('Question {number} of {HANDS}')")
        assert fits(page)
        if number == 2:
            page.reload()
            page.wait_for_selector(f"#prompt .number:has-text('Question {number} of')")
        if number == 3:  # the school's ledger is closed, and read again from the disk
            place.do(asyncio.to_thread(close_office, place.house.app))
        asked = office_of(place.house.app).attempts[attempt].questions[number - 1].ask()
        answer(page, asked)
    page.wait_for_selector("#result .result-line.good")
    assert "Passed: 100 %" in page.inner_text("#result")
    check_replay(page)
    with page.expect_download() as downloaded:
        page.click("#result .button >> nth=0")
    assert downloaded.value.path().read_bytes().startswith(b"%PDF")
    trainer.reload()
    assert "passed 100 %" in trainer.inner_text("main")


# -- A server that is killed ------------------------------------------------------------------------


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """`feltlab serve` in a process of its own, on a folder with staff and an exam."""
    folder = tmp_path_factory.mktemp("killed")
    preparing = threading.Thread(
        target=asyncio.run, args=(prepare_school(folder),)
    )  # the browser has a loop here
    preparing.start()
    preparing.join()
    made = Server(folder)
    yield made
    made.kill()


async def prepare_school(folder) -> None:
    async with open_house(folder) as house:
        for role in (Role.DEALER, Role.SUPERVISOR):
            await house.as_(role)
        office_of(house.app).set_exam("the-supervisor", ExamTerms((POKER,), RESTARTED_HANDS, 80, 60, 1))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("answer", "screen"),
    [(answer_by_keys, {"viewport": LAPTOP}), (answer_by_touch, {"viewport": PHONE, "has_touch": True})],
    ids=["keyboard", "touch"],
)
def test_an_exam_goes_on_after_the_server_was_killed_and_started_again(chromium, server, answer, screen):
    visits = Visits(chromium, server.address)
    page = visits(**screen)
    page.goto("/sign-in?next=/school/exams")
    page.fill("[name=name]", f"the-{Role.DEALER}")
    page.fill("[name=password]", SECRET)
    page.click("#sign-in button")
    page.wait_for_url("**/school/exams")
    page.locator(".exam-list form button").first.click()
    page.wait_for_url("**/school/attempts/*")
    attempt = int(page.url.rpartition("/")[2])
    for number in range(1, RESTARTED_HANDS + 1):
        asked = f"#prompt .number:has-text('Question {number} of {RESTARTED_HANDS}')"
        page.wait_for_selector(asked)
        if number == 2:
            page.reload()
            page.wait_for_selector(asked)
        question = read_question(server, attempt, number)
        if number == 3:
            server.kill()
            answer(page, question)  # nobody is there: the page says so and keeps the answer
            page.wait_for_selector("#verdict.bad")
            server.start()
            page.click("#go .confirm")
        else:
            answer(page, question)
    page.wait_for_selector("#result .result-line.good")
    assert "Passed: 100 %" in page.inner_text("#result")
    assert page.locator(".hand-number.good").count() == RESTARTED_HANDS
    errors = [error for error in visits.end() if "ERR_" not in error and "Failed to fetch" not in error]
    assert not errors


def read_question(server, attempt: int, number: int):
    """A question of an attempt, from the ledger that the server writes."""
    office = SchoolOffice.open(server.folder, writer=False)
    try:
        return office.attempts[attempt].questions[number - 1].ask()
    finally:
        office.close()
