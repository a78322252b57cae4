"""The page of a game, its print, and a player's own limits, in a real browser."""

from dataclasses import replace

import pytest

from feltlab.web.pages.lab import waiting
from tests.support.at_table import Mouse, open_page
from tests.support.browsers import DESKTOP, PHONE

PROOF_MILLISECONDS = 120_000
DONE = "main:not(:has([data-working]))"
TABLET = {"width": 820, "height": 1180}
FITS = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"


def test_the_parts_of_a_game_arrive_in_place_and_fit_every_width(page, monkeypatch):
    page.goto("/games/casino-war")
    page.evaluate("window.same = true")
    page.locator(DONE).first.wait_for(timeout=PROOF_MILLISECONDS)
    assert page.evaluate("window.same")  # without a reload
    monkeypatch.setattr(waiting, "PART_SECONDS", 0)  # every part comes after the page, as on a busy server
    page.get_by_label("How many decks are in the shoe").select_option("1")
    page.locator('[data-figure="tie costs"]', has_text="was").wait_for(timeout=PROOF_MILLISECONDS)
    page.locator(DONE).first.wait_for(timeout=PROOF_MILLISECONDS)
    assert "was" in page.locator('[data-figure="tie costs"]').inner_text()  # still, with all parts there
    monkeypatch.undo()
    assert "option-decks=1" in page.url
    for screen in (DESKTOP, TABLET, PHONE):
        page.set_viewport_size(screen)
        assert page.evaluate(FITS), screen
    page.get_by_role("link", name="With your own bankroll").click()
    page.locator(DONE).first.wait_for(timeout=PROOF_MILLISECONDS)
    page.get_by_label("Bankroll, in $").fill("100")
    page.get_by_role("heading", name="180 rounds with $100").wait_for(timeout=PROOF_MILLISECONDS)
    assert "bankroll=100" in page.url
    assert page.locator(".fan-plot .middle").count() == 1
    assert page.evaluate(FITS)


SEEN = """(places) => Object.fromEntries(places.map((place) => [place,
    [...document.querySelectorAll(place)].filter((one) => one.checkVisibility()).length]))"""


@pytest.mark.parametrize("path", ["/games/casino-war", "/lab/casino-war", "/rules/casino-war"])
def test_a_printed_page_is_black_on_white_with_everything_to_read_and_nothing_to_press(page, path):
    page.goto(path)
    page.locator(DONE).first.wait_for(timeout=PROOF_MILLISECONDS)
    page.emulate_media(media="print", color_scheme="dark")
    hidden = ["nav", "button", ".button", "form", "header", "footer", "progress", ".links", ".doors"]
    seen = page.evaluate(SEEN, [*hidden, "h1", "table"])
    assert not any(seen[place] for place in hidden)
    assert seen["h1"] == 1
    assert seen["table"] == page.locator("table").count()  # those in closed details, too
    colours = "getComputedStyle(document.body)"
    assert page.evaluate(f"{colours}.color") == "rgb(0, 0, 0)"
    assert page.evaluate(f"{colours}.backgroundColor") == "rgb(255, 255, 255)"


def test_a_player_sets_limits_and_the_table_keeps_them_and_reminds(page, place, open_table):
    book = place.house.pit.books.limits
    page.clock.install()
    seat = Mouse(page, open_table("casino-war")).sit()
    page.goto("/limits")
    page.get_by_label("Loss limit").fill("30")
    page.get_by_label("Reminder").fill("5")
    page.get_by_role("button", name="Set my limits").click()
    page.locator(".said", has_text="Your limits are set.").wait_for()
    page.locator("#day", has_text="the limit is a loss of $30").wait_for()
    assert page.get_by_label("Loss limit").input_value() == "30"  # sent again, it removes nothing
    before = book.clock
    try:
        page.goto(f"/tables/{seat.live.table.name}")
        page.wait_for_selector("body[data-ready]")
        account = next(place.player for place in seat.live.table.places if place)
        books = place.house.pit.books
        for minutes in range(7):  # the time of play that counts is that between wagers
            book.clock = lambda later=60 * minutes: before() + later
            place.do(books.note_wager(account, 100_000))
        page.clock.run_for(31_000)
        dialog = page.get_by_role("dialog", name="You have played 6 minutes")
        dialog.wait_for()
        assert "Your limit is a loss of $30." in dialog.inner_text()
        dialog.get_by_role("button", name="Go on playing").click()
        assert not dialog.count()
    finally:
        book.clock = before


def test_a_visitor_who_sets_a_limit_becomes_a_guest_and_a_reached_limit_is_told(page, place, open_table):
    page.goto("/limits")
    page.get_by_label("Loss limit").fill("150")
    page.get_by_role("button", name="Set my limits").click()
    page.locator(".said", has_text="Your limits are set.").wait_for()
    page.locator("#purse", has_text=" · $1,000").wait_for()
    live, known = open_table("casino-war"), page.request.get("/api/session").json()
    sat = page.request.post(
        f"/api/tables/{live.table.name}/sit",
        data={"seat": 1, "cents": 10_000},
        headers={"X-CSRF-Token": known["csrf"]},
    )
    assert sat.ok
    open_page(page, live.table.name)
    page.locator("[data-spot=primary]").click()
    page.get_by_role("button", name="Buy $100 more").wait_for()
    book, account = place.house.pit.books.limits, known["account"]
    events = place.house.pit.ledger.events
    while not any(event.data["account"] == account for event in events("house", kinds=("play-day-noted",))):
        page.wait_for_timeout(20)
    page.wait_for_timeout(300)  # until the book has followed the event
    book._days[account] = replace(book._days[account], cents=115_000)  # $150 were lost since
    page.locator("[data-bet=Clear]").click()
    page.locator("#message", has_text="You set a loss limit of $150 a day and have lost $150").wait_for()
    assert " UTC." in page.locator("#message").inner_text()
    assert not page.get_by_role("button", name="Buy").count()
