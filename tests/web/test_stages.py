"""Wagers that are settled while a round goes on, and insurance of any amount, in a real browser."""

from dataclasses import replace

import pytest

from feltlab.pit.roles import Role
from feltlab.pit.seats import Phase
from feltlab.pit.table import Table
from tests.support.at_table import CHOOSING, ENDED, Keyboard, Mouse, check_results, open_page, wait_until
from tests.support.browsers import DESKTOP, PHONE
from tests.support.pages import sign_in
from tests.support.prepared import beginning
from tests.support.running import SLOW, open_waiting_table

BONUS = "triple-shot-bonus"
KING_AGAINST_NINE = "Ks 9d 5h 7c"  # War wins; 15 against 16
NINE_AGAINST_ACE = "9s Ad 5h 7c"  # War loses; insurance is offered, and the dealer has no blackjack
BY_DEALER = replace(SLOW, paying=None)
WAR_SAID = "War wins: higher card, +$10."
WATCH = """window.heard = [];
    new MutationObserver(() => window.heard.push(document.getElementById('said').textContent))
        .observe(document.getElementById('said'), { childList: true, characterData: true, subtree: true });"""


def dealt(player):
    """A player with ten dollars on each wager, who has to choose."""
    player.sit()
    player.wager()
    player.deal()
    player.page.wait_for_selector(CHOOSING)
    return player


def amount(page, title):
    """An amount beside the felt: the bankroll, the chips on the felt, or the result of the visit."""
    return page.locator(f"#money span:has-text('{title}') b").inner_text()


# -- Money in stages --------------------------------------------------------------------------------


def test_war_is_paid_before_a_choice_and_the_bankroll_moves(new_page, open_table, shuffles):
    shuffles.append(beginning(BONUS, KING_AGAINST_NINE))
    seat = dealt(Mouse(new_page(viewport=DESKTOP), open_table(BONUS)))
    page = seat.page
    assert seat.live.table.phase == Phase.CHOOSING
    war = page.locator("[data-spot=war]")
    assert war.get_attribute("data-result") == "win"
    assert war.get_attribute("aria-label") == "War wins, +$10"
    assert war.locator(".spot-amount").inner_text() == "+$10"
    assert not war.locator(".chip").count()
    assert page.locator("[data-spot=blackjack] .spot-amount").inner_text() == "$10"
    assert page.locator("[data-spot=blackjack] .chip").count()
    assert (amount(page, "Chips here"), amount(page, "On the felt")) == ("$180", "$30")  # $200, four of $10
    assert amount(page, "This visit") == "+$10"  # paid, though the round goes on
    assert page.locator("#results h2").inner_text() == "Round 1, so far"
    assert "higher card" in page.locator("#results li").inner_text()
    assert not page.locator(ENDED).count()
    seat.choose("stand")
    page.wait_for_selector(ENDED)
    net = check_results(seat)
    assert page.locator("#results li b").all_inner_texts()[0] == "War"
    assert amount(page, "Chips here") == f"${200 + net // 100}"
    assert amount(page, "This visit").lstrip("+−$") == str(abs(net) // 100)


def test_a_payment_is_said_once(new_page, open_table, shuffles):
    shuffles.append(beginning(BONUS, KING_AGAINST_NINE))
    seat = Mouse(new_page(viewport=DESKTOP), open_table(BONUS)).sit()
    seat.page.evaluate(WATCH)
    seat.wager()
    seat.deal()
    seat.page.wait_for_selector(CHOOSING)
    seat.choose("stand")
    seat.page.wait_for_selector(ENDED)
    seat.rebet()  # changes the message
    seat.page.wait_for_selector("#message:has-text('Press Deal')")
    heard = seat.page.evaluate("window.heard")
    assert [text.count(WAR_SAID) for text in heard if WAR_SAID in text] == [1]
    assert sum("Poker " in text and "Place your bets" in text for text in heard) == 1


def test_a_page_that_is_opened_within_a_round_shows_what_was_settled(new_page, open_table, shuffles):
    shuffles.append(beginning(BONUS, KING_AGAINST_NINE))
    seat = dealt(Mouse(new_page(viewport=DESKTOP), open_table(BONUS)))
    page = seat.page
    page.reload()
    page.wait_for_selector(CHOOSING)
    assert page.locator("[data-spot=war]").get_attribute("data-result") == "win"
    assert not page.locator("[data-spot=war] .chip").count()
    assert amount(page, "Chips here") == "$180"
    seat.choose("stand")
    page.wait_for_selector(ENDED)
    assert amount(page, "This visit") != "$0"
    check_results(seat)


class Network:
    """A connection to a table that can be cut and mended."""

    def __init__(self, page):
        self.is_cut, self.sockets = False, []
        page.route_web_socket("**/live*", self._opened)

    def _opened(self, socket):
        if self.is_cut:
            socket.close()
            return
        self.sockets.append(socket)
        socket.connect_to_server()

    def cut(self):
        self.is_cut = True
        for socket in self.sockets:
            socket.close()


def test_a_stage_while_the_connection_is_lost_is_shown_and_said_once(new_page, open_table, place, shuffles):
    shuffles.append(beginning(BONUS, KING_AGAINST_NINE))
    page, live = new_page(viewport=DESKTOP), open_table(BONUS, BY_DEALER)
    network = Network(page)
    seat = Mouse(page, live).sit()
    page.evaluate(WATCH)
    seat.wager()
    seat.deal()
    page.wait_for_selector("#message:has-text('No more bets.')")
    place.do(live.act(Table.time_is_up))
    page.wait_for_selector("#message:has-text('Dealing.')")
    network.cut()
    page.wait_for_selector("#banner:not([hidden])")
    while live.table.phase != Phase.CHOOSING:
        place.do(live.act(Table.time_is_up))
    assert page.locator("[data-spot=war]").get_attribute("data-result") == ""
    network.is_cut = False
    page.wait_for_selector(CHOOSING)
    assert page.locator("[data-spot=war]").get_attribute("data-result") == "win"
    assert amount(page, "Chips here") == "$180"
    assert sum(WAR_SAID in text for text in page.evaluate("window.heard")) == 1


def test_chips_move_away_and_are_gone(new_page, open_table, shuffles):
    shuffles.append(beginning(BONUS, KING_AGAINST_NINE))
    seat = dealt(Mouse(new_page(viewport=DESKTOP, reduced_motion="no-preference"), open_table(BONUS)))
    chips = "document.querySelectorAll('[data-spot=war] .chip').length"
    assert seat.page.evaluate(chips)  # paid, and on their way to the player
    wait_until(seat.page, f"{chips} === 0")
    assert seat.page.evaluate(chips.replace("war", "blackjack"))


def test_other_players_and_spectators_see_the_payment_but_not_the_hand(new_page, open_table, shuffles):
    shuffles.append(beginning(BONUS, KING_AGAINST_NINE))
    seat = dealt(Mouse(new_page(viewport=DESKTOP), open_table(BONUS)))
    watching = open_page(new_page(viewport=DESKTOP), seat.live.table.name)
    line = watching.locator("#results li").inner_text()
    assert "Seat 1, War $10 wins: higher card." in line
    assert "+$10" in watching.locator("[data-seat='1'] .seat-stake").inner_text()
    seat.choose("stand")
    watching.wait_for_selector(ENDED)
    assert watching.locator("#results li").count() == 4


# -- Insurance --------------------------------------------------------------------------------------


def insured(seat):
    """The cents on insurance, as settled."""
    (paid,) = [cents for n, spot, _, cents, _ in seat.live.table.paid if spot == "insurance"]
    return paid


ZOOMED = [{"width": 720, "height": 450}, {"width": 640, "height": 400}]  # 1440x900 and 1280x800 at 200 %


@pytest.mark.parametrize("screen", [*ZOOMED, PHONE], ids=["720", "640", "phone"])
def test_no_choice_covers_the_amount_of_another(new_page, open_table, shuffles, screen):
    shuffles.append(beginning(BONUS, NINE_AGAINST_ACE))
    page = dealt(Mouse(new_page(viewport=screen), open_table(BONUS))).page
    controls = page.locator("#choices :is(button, input)")
    assert controls.count() == 5  # insure, less, the amount, more, decline
    reached = """one => { const box = one.getBoundingClientRect();
      return [[.1, .5], [.5, .5], [.9, .5]].every(([x, y]) =>
        one.contains(document.elementFromPoint(box.x + x * box.width, box.y + y * box.height))) }"""
    assert all(control.evaluate(reached) for control in controls.all())


def test_insurance_is_the_most_unless_the_player_takes_less(new_page, open_table, shuffles):
    shuffles.extend([beginning(BONUS, NINE_AGAINST_ACE)] * 2)
    seat = dealt(Mouse(new_page(viewport=DESKTOP), open_table(BONUS)))
    page = seat.page
    assert "Insure $5" in page.locator("[data-choice=insure]").inner_text()
    page.get_by_role("button", name="Less").click()
    assert page.locator(".amount input").input_value() == "$4"
    assert "Insure $4" in page.locator("[data-choice=insure]").inner_text()
    seat.choose("insure")
    wait_until(page, "document.querySelector('[data-spot=insurance]').dataset.result === 'lose'")
    assert insured(seat) == 400
    assert page.locator("[data-spot=insurance] .spot-amount").inner_text() == "−$4"


REFUSED = {"6": "at most $5, not $6.", "2.50": "a multiple of $1 or for $5", "no": "in dollars"}


def test_an_amount_that_the_table_refuses_is_shown_with_its_reason(new_page, open_table, shuffles):
    shuffles.append(beginning(BONUS, NINE_AGAINST_ACE))
    seat = dealt(Mouse(new_page(viewport=DESKTOP), open_table(BONUS)))
    page, field = seat.page, ".amount input"
    for text, reason in {
        "6": "at most $5, not $6.",
        "2.50": "a multiple of $1 or for $5",
        "no": "in dollars",
    }.items():
        page.locator(field).fill(text)
        seat.choose("insure")
        page.wait_for_selector(f"#message.trouble:has-text('{reason}')")
        assert reason in page.locator("#said").text_content()
    assert not [one for one in seat.live.table.paid if one[1] == "insurance"]
    page.locator(field).fill("3")
    page.locator(field).press("Enter")
    wait_until(page, "document.querySelector('[data-spot=insurance]').dataset.result === 'lose'")
    assert insured(seat) == 300


def test_insurance_is_chosen_by_keys_alone(new_page, open_table, shuffles):
    shuffles.append(beginning(BONUS, NINE_AGAINST_ACE))
    seat = dealt(Keyboard(new_page(viewport=DESKTOP), open_table(BONUS)))
    page = seat.page
    page.locator(".amount input").focus()
    for _ in range(2):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Tab")  # to the button beside it
    page.keyboard.press("i")
    wait_until(page, "document.querySelector('[data-spot=insurance]').dataset.result === 'lose'")
    assert insured(seat) == 300


# -- The dealer's page ------------------------------------------------------------------------------

STEPS = [  # the button of each step, and what is due before it
    ("No more bets", []),
    ("Deal the cards", []),
    ("Take and pay War", ["Seat 1, War $10: higher card; pay $10."]),
    ("Deal the next cards", []),
    ("Go on to the choices", []),
]


def test_a_dealer_sees_what_is_due_at_each_stage_and_settles_it(place, page, shuffles):
    shuffles.append(beginning(BONUS, KING_AGAINST_NINE))
    live = place.do(open_waiting_table(place.house, BONUS, "staged", BY_DEALER))
    guest = place.do(place.house.guest())
    place.do(guest.at("staged", "sit", seat=1, cents=20_000))
    wagers = {"war": 1000, "blackjack": 1000, "poker": 1000, "hat-trick": 1000}
    place.do(guest.at("staged", "wager", seat=1, round=1, wagers=wagers))
    sign_in(page, place, Role.DEALER, "/floor/deal")
    for says, due in STEPS:
        press(page, says, due)
    assert live.table.place(0).bankroll == 18_000
    place.do(guest.at("staged", "choose", seat=1, round=1, choice="stand"))
    page.wait_for_selector("#table-staged .due li:has-text('Blackjack')")
    while live.table.round == 1:
        press(page, page.inner_text("#deal-staged button").removesuffix("at staged").strip())
    assert live.table.place(0).on_felt == 0


def press(page, says, due=None):
    """Press the dealer's button, which says this, after what is due is listed."""
    page.wait_for_selector(f"#deal-staged button:enabled:has-text('{says}')")
    assert due is None or page.locator("#table-staged .due li").all_inner_texts() == due
    page.click("#deal-staged button")
    page.wait_for_selector(f"#deal-staged button:has-text('{says}')", state="detached")
