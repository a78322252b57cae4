"""The lobby and the table in a real browser, by mouse and by keyboard."""

import json
import time

import pytest

from feltlab.games import FOLDERS, GAMES

MOST_BYTES = 100_000
MOST_CHOICES = 12
FREE = "#seats .take"
PATIENCE = 10.0  # seconds
NEXT_ROUND = "n => Number(document.getElementById('round-number').textContent.split(' ')[1]) > n"
ENDED = "#results:not([hidden])"


def until(page, true, arg=None):
    """Until an expression is true; playwright's own wait needs an eval, which the pages forbid."""
    end = time.monotonic() + PATIENCE
    while not page.evaluate(true, arg):
        assert time.monotonic() < end, f"It never came to {true}: {page.locator('#message').inner_text()}"
        page.wait_for_timeout(20)


def opened(page, game, query=""):
    page.goto(f"/tables/{game}-1{query}")
    page.wait_for_selector("body[data-ready]")
    return page


def seated(page, game, query="", seat=0):
    opened(page, game, query).locator(FREE).nth(seat).click()
    page.wait_for_selector("#own:not([hidden])")
    return page


def left(page):
    """Gone, so that the next test finds the table free."""
    page.get_by_text("Leave the table").click()
    until(page, "!document.getElementById('table').classList.contains('seated')")


def round_number(page):
    return int(page.locator("#round-number").inner_text().split()[1])


def is_over(page, before):
    return round_number(page) > before


def wait_for_step(page, before):
    """Until a choice is open or the round is over."""
    until(
        page,
        """before => document.querySelector('#choices button:enabled')
        || Number(document.getElementById('round-number').textContent.split(' ')[1]) > before""",
        arg=before,
    )


def said(page):
    return page.locator("#said").text_content()


# -- The lobby --------------------------------------------------------------------------------------


def test_lobby_shows_every_game_and_leads_to_it(browser_page):
    page = browser_page()
    received = []
    page.on("response", lambda response: received.append(len(response.body())))
    page.goto("/")
    for game in GAMES.values():
        section = page.locator("section.game", has=page.get_by_role("heading", name=game.title, exact=True))
        assert section.locator("svg[role=img]").count() == 1
        for way in ("Play", "Practise", "Prove", "Rules"):
            assert section.get_by_role("link", name=way).count() >= 1
    assert sum(received) < MOST_BYTES
    page.get_by_role("link", name="Play Casino War").click()
    page.wait_for_selector("body[data-ready]")
    assert page.get_by_role("heading", name="Casino War").count()


@pytest.mark.parametrize("width", [390, 820, 1440])
def test_nothing_is_wider_than_the_screen(browser_page, width):
    page = browser_page(viewport={"width": width, "height": 900})
    for path in ("/", "/tables/triple-shot-bonus-1"):
        page.goto(path)
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_pages_are_data_too(server):
    assert len(server.get("/index.json")["games"]) == len(GAMES)
    assert server.get("/tables/casino-war-1.json")["table"]["game"] == "casino-war"


@pytest.mark.parametrize("game", FOLDERS)
def test_rules_are_a_page(server, game):
    assert "<h2>" in server.get(f"/rules/{game}.json")["sheet"]


def test_a_wrong_table_is_a_friendly_page(browser_page):
    page = browser_page()
    assert page.goto("/tables/nothing").status == 404
    assert page.get_by_role("link", name="To the tables").count()


# -- A round ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", FOLDERS)
def test_a_round_by_mouse(browser_page, game):
    page = seated(browser_page(), game)
    before = round_number(page)
    for spot in page.locator("button.spot").all()[: GAMES[game].rules.GAMES_PER_HAND]:
        spot.click()
    page.locator("[data-bet=Deal]").click()
    for _ in range(MOST_CHOICES):
        wait_for_step(page, before)
        if is_over(page, before):
            break
        page.locator("#choices button:enabled").last.click()
        page.wait_for_timeout(50)
    page.wait_for_selector(ENDED)
    assert page.locator("#results li").count() >= 1
    assert page.locator("#results a").get_attribute("href") == f"/tables/{game}-1/rounds/{before}"
    assert page.locator("#own-hand svg").count() >= 1
    left(page)


@pytest.mark.parametrize("game", FOLDERS)
def test_a_round_by_keyboard(browser_page, game):
    """Seat, chips, deal and choices without a mouse."""
    page = opened(browser_page(viewport={"width": 1440, "height": 900}), game)
    page.locator(FREE).first.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("#own:not([hidden])")
    page.evaluate("document.activeElement.blur()")
    before = round_number(page)
    for n, spot in enumerate(GAMES[game].wagers, 1):
        if GAMES[game].requires(spot) or n == 1:
            page.keyboard.press(str(n))
            page.keyboard.press("x")
    page.keyboard.press("d")
    page.keyboard.press("u")
    until(page, "document.getElementById('message').textContent.startsWith('$')")
    page.keyboard.press("Enter")
    for _ in range(MOST_CHOICES):
        wait_for_step(page, before)
        if is_over(page, before):
            break
        assert "Your choice: " in said(page)
        page.keyboard.press(page.locator("#choices button:enabled kbd").first.inner_text())
        page.wait_for_timeout(50)
    page.wait_for_selector(ENDED)
    assert "You: " in said(page)
    left(page)


def test_the_table_says_why_it_does_not_take_a_wager(browser_page):
    page = seated(browser_page(), "rabbit-hunter")
    page.locator("#chips button").first.click()
    page.locator("[data-spot=ante]").click()
    until(page, "document.getElementById('message').textContent.includes('$5')")
    page.locator("[data-bet=Clear]").click()
    until(page, "document.getElementById('message').textContent.includes('Place')")
    left(page)


# -- Together, and through trouble ------------------------------------------------------------------

POKER = "high-five-poker"


def dealt(page):
    """A hand of High Five Poker, with its choice open."""
    page.locator("[data-spot=ante]").click()
    page.locator("[data-bet=Deal]").click()


def cards(page, where="#own-hand"):
    return page.locator(f"{where} svg").evaluate_all("all => all.map(one => one.getAttribute('aria-label'))")


def test_two_browsers_see_one_round_and_no_card_of_each_other(browser_page):
    first, second = browser_page(), browser_page()
    seated(first, POKER)
    seated(second, POKER)
    before = round_number(first)
    dealt(first)
    dealt(second)
    watcher = opened(browser_page(), POKER)
    for page in (first, second):
        until(page, "document.querySelectorAll('#own-hand svg').length === 7")
    hands = [frozenset(cards(page)) for page in (first, second)]
    assert not (hands[0] - {"Joker"}) & (hands[1] - {"Joker"})
    first.locator("[data-choice=play]").click()
    second.locator("[data-choice=play]").click()
    for page in (first, second):
        page.wait_for_selector(ENDED)
    _check_frames(first, before)
    _check_frames(second, before)
    until(watcher, "document.querySelectorAll('#results li').length >= 4")
    assert cards(first, "#dealer-hand") == cards(second, "#dealer-hand") == cards(watcher, "#dealer-hand")
    for page in (first, second):
        left(page)


def _check_frames(page, before):
    """While the round is on, a frame has open cards in the viewer's own hand alone."""
    views = [json.loads(frame) for frame in page.frames_seen]
    choosing = [view for view in views if view.get("phase") == "choosing" and view["round"] == before]
    assert choosing
    for view in choosing:
        hidden = [seat["cards"] for seat in view["seats"] if not seat.get("yours")] + [view["dealer"]]
        assert {card for hand in hidden for card in hand} <= {"##"}
        assert "order" not in view
        assert "salt" not in json.dumps(view)


def test_a_reload_in_mid_round_changes_nothing(browser_page):
    page = seated(browser_page(), POKER)
    dealt(page)
    page.wait_for_selector("#choices button:enabled")
    held = cards(page)
    page.reload()
    page.wait_for_selector("#choices button:enabled")
    assert cards(page) == held
    page.keyboard.press("f")
    page.wait_for_selector(ENDED)
    left(page)


def test_a_killed_server_goes_on_in_the_same_round(browser_page, server):
    page = seated(browser_page(), POKER)
    dealt(page)
    page.wait_for_selector("#choices button:enabled")
    held, before = cards(page), round_number(page)
    server.kill()
    page.wait_for_selector("#banner:not([hidden])")
    page.locator("[data-choice=play]").click()  # waits until the table is back, and is done once
    server.start()
    page.wait_for_selector("#banner", state="hidden")
    page.wait_for_selector(ENDED)
    assert cards(page) == held
    assert round_number(page) == before + 1
    left(page)


def test_a_double_click_chooses_once(browser_page):
    page = seated(browser_page(), POKER)
    before = round_number(page)
    dealt(page)
    page.locator("[data-choice=play]").dblclick(no_wait_after=True)
    page.wait_for_selector(ENDED)
    assert round_number(page) == before + 1
    assert "trouble" not in (page.locator("#message").get_attribute("class") or "")
    left(page)


# -- The coach --------------------------------------------------------------------------------------


def test_coach_hints(browser_page):
    """In the game whose solver is quickest to its first answer."""
    page = seated(browser_page(), "triple-shot-rummy", "?coach=hint")
    page.locator("[data-spot=ante]").click()
    page.locator("[data-bet=Deal]").click()
    page.wait_for_selector("#coach .worth .best", timeout=60_000)
    assert page.locator("#coach .worth li").count() == 2
    worst = page.locator("#coach .worth li span").nth(3).inner_text().lower()
    page.locator(f"[data-choice={worst}]").click()
    page.wait_for_selector(ENDED)
    assert "was best" in page.locator("#coach").inner_text()
    left(page)


def test_exam_reports_and_practises_the_mistakes(browser_page):
    page = seated(browser_page(), "triple-shot-rummy", "?coach=exam")
    for choice in ("fold", "play"):  # over several hands, one of them is a mistake
        for _ in range(3):
            before = round_number(page)
            page.locator("[data-spot=ante]").click()
            page.locator("[data-bet=Deal]").click()
            page.locator(f"[data-choice={choice}]").click()
            until(page, NEXT_ROUND, arg=before)
            assert not page.locator("#coach").is_visible()
    end = time.monotonic() + 60
    kept = "JSON.parse(localStorage.getItem('feltlab-exam-triple-shot-rummy') || '[]').length"
    while page.evaluate(kept) < 6 and time.monotonic() < end:
        page.wait_for_timeout(100)
    page.locator("#exam-report").click()
    assert "of 6 decisions right" in page.locator("#report").inner_text()
    practise = page.get_by_role("button", name="Practise exactly those")
    if practise.count():  # nearly always
        practise.click()
        page.locator("#report .buttons button").first.click()
        assert page.get_by_role("button", name="Next hand").is_visible()
    page.keyboard.press("Escape")
    left(page)


def test_coach_is_for_the_player_in_turn_alone(server, browser_page):
    page = opened(browser_page(), POKER)
    refused = page.request.get(f"/api/tables/{POKER}-1/advice?seat=1")
    assert refused.status == 401
    seated(page, POKER)
    assert page.request.get(f"/api/tables/{POKER}-1/advice?seat=1").status == 409
    assert page.request.get(f"/api/tables/{POKER}-1/advice?seat=2").status == 403
    left(page)


# -- For everyone -----------------------------------------------------------------------------------

NAMELESS = """() => [...document.querySelectorAll('button, a, select, input, svg, summary')]
    .filter(one => !(one.getAttribute('aria-label') || one.textContent.trim() || one.labels?.length))
    .map(one => one.outerHTML)"""


def test_every_control_and_picture_has_a_name(browser_page):
    page = browser_page()
    page.goto("/")
    assert not page.evaluate(NAMELESS)
    seated(page, POKER)
    dealt(page)
    page.wait_for_selector("#choices button:enabled")
    assert not page.evaluate(NAMELESS)
    page.keyboard.press("f")
    page.wait_for_selector(ENDED)
    left(page)


def test_cards_are_dealt_one_after_another_unless_switched_off(browser_page):
    page = seated(browser_page(reduced_motion="no-preference"), POKER)
    for speed, moving in (("1", True), ("0", False)):
        page.evaluate("speed => localStorage.setItem('feltlab-speed', speed)", speed)
        dealt(page)
        page.wait_for_selector("#choices button:enabled")
        assert bool(page.locator("#own-hand .dealt").count()) is moving
        page.keyboard.press("f")
        page.wait_for_selector("#betting:not([hidden])")
    left(page)


def test_four_colours_are_kept(browser_page):
    page = opened(browser_page(), POKER)
    page.get_by_text("Settings").click()
    page.get_by_label("Four colours").check()
    page.reload()
    assert "four" in page.locator("body").get_attribute("class")
