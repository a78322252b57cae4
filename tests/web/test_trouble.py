"""Trouble at a table: double clicks, slow networks, reloads, ended sessions, killed servers."""

import json

import pytest

from feltlab.pit.accounts import now_microseconds
from feltlab.pit.players.names import call_player
from feltlab.server.sessions import LIFETIME_SECONDS
from tests.support.at_table import (
    CHOOSING,
    ENDED,
    FREE,
    Mouse,
    card_names,
    check_results,
    open_page,
    wait_for_round,
    wait_until,
)
from tests.support.browsers import Visits
from tests.support.game_data import data_of
from tests.support.killable import Server
from tests.support.pages import play
from tests.support.prepared import shuffles_of

POKER, WAR = "high-five-poker", "casino-war"


@pytest.fixture
def seat(new_page, open_table):
    """A player of High Five Poker with wagers on the felt."""
    seat = Mouse(new_page(), open_table(POKER)).sit()
    seat.wager()
    return seat


def sent(page):
    """The actions that a page sends from now on."""
    acts = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: acts.append(json.loads(frame))))
    return acts


# -- Twice and late ---------------------------------------------------------------------------------


def test_a_double_click_acts_once(new_page, open_table):
    page = new_page()
    acts = sent(page)
    seat = Mouse(page, open_table(POKER)).sit()
    seat.wager()
    page.locator("[data-bet=Deal]").dblclick()
    page.wait_for_selector(CHOOSING)
    page.locator("[data-choice=play]").dblclick()
    wait_for_round(page, 2)
    assert [act["act"] for act in acts if act["act"] != "wager"] == ["sit", "ready", "choose"]
    assert "trouble" not in (page.locator("#message").get_attribute("class") or "")
    check_results(seat)


class Held:
    """A network that holds back the socket's messages until they are released."""

    def __init__(self, page):
        self.holds, self.waiting = False, []
        page.route_web_socket("**/live*", self._opened)

    def _opened(self, socket):
        server = socket.connect_to_server()
        socket.on_message(lambda message: self._passed(server, message))
        server.on_message(lambda message: self._passed(socket, message))

    def _passed(self, to, message):
        if self.holds:
            self.waiting.append((to, message))
        else:
            to.send(message)

    def let_go(self):
        self.holds = False
        for to, message in self.waiting:
            to.send(message)


def test_on_a_slow_network_the_page_waits_and_ends_in_the_right_state(new_page, open_table):
    page = new_page()
    network = Held(page)
    lag = page.context.new_cdp_session(page)
    lag.send("Network.enable")
    slow = {"offline": False, "latency": 200, "downloadThroughput": -1, "uploadThroughput": -1}
    lag.send("Network.emulateNetworkConditions", slow)
    seat = Mouse(page, open_table(POKER)).sit()
    seat.wager()
    network.holds = True
    seat.deal()
    page.wait_for_selector("[data-bet=Deal]:disabled")
    network.let_go()
    page.wait_for_selector(CHOOSING)
    network.holds = True
    seat.choose("play")
    page.wait_for_selector("[data-choice=play]:disabled")
    assert not page.locator(CHOOSING).count()
    assert page.locator("#results").is_hidden()
    network.let_go()
    wait_for_round(page, 2)
    check_results(seat)


def test_a_choice_that_comes_too_late_is_told_as_such(new_page, open_table, place):
    page = new_page()
    network = Held(page)
    seat = Mouse(page, open_table(POKER)).sit()
    seat.wager()
    seat.deal()
    page.wait_for_selector(CHOOSING)
    network.holds = True
    seat.choose("play")
    place.do(seat.live.act(lambda table: table.choose(seat.place.player, 0, "fold")))
    network.let_go()
    page.wait_for_selector("#message.trouble:text-is('Your choice came too late.')")
    wait_for_round(page, 2)


class HeldAnswers(Held):
    """A network that holds back answers only, so that views overtake them."""

    def _passed(self, to, message):
        if self.holds and "ok" in json.loads(message):
            self.waiting.append((to, message))
        else:
            to.send(message)


def test_the_bankroll_is_drawn_with_the_result_also_if_the_answer_comes_later(new_page, open_table):
    page = new_page()
    network = HeldAnswers(page)
    seat = Mouse(page, open_table(POKER)).sit()
    seat.wager()
    seat.deal()
    page.wait_for_selector(CHOOSING)
    network.holds = True
    seat.choose("play")
    wait_for_round(page, 2)
    check_results(seat)
    assert page.locator("[data-bet=Deal]").is_disabled()
    network.let_go()
    seat.rebet()
    page.wait_for_selector("[data-bet=Deal]:enabled")


def test_a_page_in_the_background_catches_up(new_page, open_table, place):
    live = open_table(POKER)
    page = open_page(new_page(), live.table.name)
    tab = page.context.new_cdp_session(page)
    tab.send("Page.setWebLifecycleState", {"state": "frozen"})
    place.do(play(place.house, POKER, 3, live.table.name))
    tab.send("Page.setWebLifecycleState", {"state": "active"})
    page.wait_for_selector("#round-number:text-is('round 4')", state="attached")
    page.wait_for_selector(ENDED)


# -- Together ---------------------------------------------------------------------------------------


def test_two_browsers_see_one_round_and_no_card_of_each_other(new_page, open_table):
    live = open_table(POKER)
    first, second = (Mouse(new_page(), live).sit(seat) for seat in (1, 2))
    for player in (first, second):
        player.wager()
        player.deal()
    watcher = open_page(new_page(), live.table.name)
    for player in (first, second):
        wait_until(player.page, "document.querySelectorAll('#own-hand svg').length === 7")
    hands = [frozenset(card_names(player.page)) - {"Joker"} for player in (first, second)]
    assert not hands[0] & hands[1]
    assert set(card_names(first.page, "[data-seat='2']")) == {"face down"}
    assert not second.page.locator("#choices button").count()
    first.choose("play")
    second.choose("play")
    for player in (first, second):
        wait_for_round(player.page, 2)
        check_results(player)
    wait_until(watcher, "document.querySelectorAll('#results li').length >= 4")
    dealers = [card_names(page, "#dealer-hand") for page in (first.page, second.page, watcher)]
    assert dealers[0] == dealers[1] == dealers[2]


# -- Interrupted ------------------------------------------------------------------------------------


def test_a_reload_during_a_round_changes_nothing(seat):
    seat.deal()
    seat.page.wait_for_selector(CHOOSING)
    held = card_names(seat.page)
    assert len(held) == 7
    seat.page.reload()
    seat.page.wait_for_selector(CHOOSING)
    assert card_names(seat.page) == held
    seat.choose("fold")
    wait_for_round(seat.page, 2)
    check_results(seat)


def test_a_reload_keeps_chips_that_are_on_the_felt(seat):
    seat.page.wait_for_selector("#message:has-text('$20 on the felt')")
    until_placed(seat)
    seat.page.reload()
    seat.page.wait_for_selector("#message:has-text('$20 on the felt')")
    seat.play("fold")


def until_placed(seat):
    for _ in range(500):
        if seat.place.on_felt == 2000:
            return
        seat.page.wait_for_timeout(20)
    raise AssertionError("The wagers do not arrive.")


def test_a_session_that_ends_during_a_round_can_be_renewed(seat, place, monkeypatch):
    seat.deal()
    seat.page.wait_for_selector(CHOOSING)
    later = LIFETIME_SECONDS * 1_000_000
    monkeypatch.setattr(place.house.app.state.auth.sessions, "_clock", lambda: now_microseconds() + later)
    seat.page.wait_for_selector("#banner:has-text('Your session has ended')")
    seat.page.wait_for_selector("#own", state="hidden")
    assert not seat.page.locator(CHOOSING).count()
    assert seat.page.locator(FREE).count() == len(seat.live.table.places) - 1
    again = seat.sit(2)
    assert again.place.player != seat.live.table.places[0].player
    waits = f"Waiting for {call_player(seat.live.table.places[0].player)}."
    seat.page.wait_for_selector(f"#message:text-is('{waits}')")


def test_a_closing_table_says_so_to_everyone(seat, new_page, place):
    watcher = open_page(new_page(), seat.live.table.name)
    place.do(seat.live.act(lambda table: table.close("house", "the day is over")))
    late = open_page(new_page(), seat.live.table.name)
    for page in (seat.page, watcher, late):
        page.wait_for_selector("#message:text-is('This table is closed.')")
        assert not page.locator(FREE).count()
        assert page.locator("#betting").is_hidden()
    seat.page.wait_for_selector("#money:has-text('$1,000')")  # the chips on the felt are returned


def test_a_table_that_closes_during_a_round_ends_the_round_first(new_page, open_table, shuffles, place):
    shuffles.extend(
        shuffles_of(POKER, [hand for hand in data_of(POKER).prepared_hands if hand.choices == "fold"])
    )
    seat = Mouse(new_page(), open_table(POKER)).sit()
    seat.wager()
    seat.deal()
    seat.page.wait_for_selector(CHOOSING)
    place.do(seat.live.act(lambda table: table.close("house", "the day is over")))
    seat.choose("fold")
    seat.page.wait_for_selector("#message:text-is('This table is closed.')")
    seat.page.wait_for_selector("#money:has-text('$980')")


# -- A power cut ------------------------------------------------------------------------------------


@pytest.fixture
def server(tmp_path):
    made = Server(tmp_path)
    yield made
    made.kill()


def test_a_killed_server_continues_the_same_round(chromium, server):
    visits = Visits(chromium, server.address)
    page = open_page(visits(), f"{POKER}-1")
    page.locator(FREE).first.click()
    page.locator("[data-spot=ante]").click()
    page.locator("[data-bet=Deal]").click()
    page.wait_for_selector(CHOOSING)
    held = card_names(page)
    server.kill()
    page.wait_for_selector("#banner:has-text('If the clock runs out before you are back')")
    page.wait_for_selector("#clock:text-matches('^[0-9]+ s$')")  # it runs on, with the time of grace
    page.locator("[data-choice=play]").click()  # waits until the table is back, and is performed once
    page.wait_for_selector("#message:text-is('This is sent as soon as the connection is back.')")
    server.start()
    page.wait_for_selector("#banner", state="hidden")
    wait_for_round(page, 2)
    assert card_names(page) == held
    assert page.locator("#results li").count() == 2
    assert not visits.end()
