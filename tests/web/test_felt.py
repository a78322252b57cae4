"""The felt in a real browser: everything on screen, cards before names before payments, chips that travel."""

import pytest

from feltlab.core.limits import STANDARD_LIMITS
from feltlab.games import GAMES
from feltlab.pit.players.names import call_player
from tests.support.at_table import CHOOSING, Mouse, open_page, wait_for_round, wait_until
from tests.support.browsers import DESKTOP, PHONE
from tests.support.features import representatives
from tests.support.felt import wagers
from tests.support.game_data import data_of
from tests.support.prepared import beginning, shuffles_of

BONUS, POKER = "triple-shot-bonus", "high-five-poker"
FOLD_GAMES = representatives("a board", "most cards of a player", "most first wagers", "most choices")
ZOOMED = {"width": 720, "height": 450}  # 1440 x 900 at 200 %
SCREENS = [{"width": 1280, "height": 720}, DESKTOP, PHONE, ZOOMED]

# -- On screen --------------------------------------------------------------------------------------

OUTSIDE = """(selectors) => selectors.flatMap((selector) => [...document.querySelectorAll(selector)]
    .filter((one) => one.checkVisibility()).map((one) => [selector, one.getBoundingClientRect()])
    .filter(([, box]) => Math.min(box.left, box.top) < -1
        || box.right > innerWidth + 1 || box.bottom > innerHeight + 1)
    .map(([selector, box]) => `${selector} ${JSON.stringify(box)}`))"""
OVERLAPS = """([ones, others]) => {
    const boxes = (selector) => [...document.querySelectorAll(selector)]
        .filter((one) => one.checkVisibility()).map((one) => one.getBoundingClientRect());
    return boxes(ones).flatMap((a) => boxes(others).map((b) => [a, b])).filter(([a, b]) =>
        Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2 &&
        Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2).map((two) => JSON.stringify(two)); }"""
NEEDED = [
    "#message",
    "#own-hand .face",
    "#dealer-hand .face",
    "#board-hand .face",
    ".spot",
    ".seat",
    "#clock",
]


def check_screens(page, *more):
    """Everything needed is on every screen, and nothing covers the spots or the cards."""
    for screen in SCREENS:
        page.set_viewport_size(screen)
        page.wait_for_timeout(50)
        assert page.evaluate(OUTSIDE, [*NEEDED, *more]) == [], screen
        for one, other in [
            *(
                (".spot", "#control"),
                (".spot", ".seat"),
                (".spot", ".hand .face"),
                ("#own-hand .face", "#control"),
            ),
            *(("#message", "#money"), ("#dealer-hand .face", ".seat"), ("#own-hand .face", ".seat-name")),
        ]:
            assert page.evaluate(OVERLAPS, [one, other]) == [], (screen, one, other)


@pytest.mark.parametrize("game", FOLD_GAMES)
def test_everything_is_on_screen_with_all_seats_taken(new_page, open_table, place, game):
    live = open_table(game)
    guests = [place.do(place.house.guest()) for _ in live.table.places[1:]]
    for seat, guest in enumerate(guests, 2):
        assert place.do(guest.at(live.table.name, "sit", seat=seat, cents=50_000)).status_code == 200
        said = {"seat": seat, "round": 1}
        bets = wagers(GAMES[game], STANDARD_LIMITS)
        assert place.do(guest.at(live.table.name, "wager", **said, wagers=bets)).status_code == 200
    own = Mouse(new_page(viewport=DESKTOP), live).sit()
    own.wager()
    check_screens(own.page, "#chips button", "#bet-buttons button")
    own.deal()
    for seat, guest in enumerate(guests, 2):
        place.do(guest.at(live.table.name, "ready", seat=seat, round=1))
    while live.table.round == 1:
        seat = live.table.turn
        choice = live.table.rounds[seat].choices[0]
        if seat:
            place.do(guests[seat - 1].at(live.table.name, "choose", seat=seat + 1, round=1, choice=choice))
            continue
        own.page.wait_for_selector(CHOOSING)
        check_screens(own.page, "#choices button")
        chosen = live.table.rounds[0].chosen
        own.choose(choice)
        while live.table.round == 1 and live.table.rounds[0].chosen == chosen:
            own.page.wait_for_timeout(20)
    wait_for_round(own.page, 2)
    check_screens(own.page, "#results li", "#chips button", "#bet-buttons button")


def test_a_key_covers_no_label(new_page, open_table, shuffles):
    shuffles.extend(shuffles_of(BONUS, [data_of(BONUS).hand_with_choice]))
    seat = Mouse(new_page(viewport=DESKTOP), open_table(BONUS)).sit()
    seat.wager()
    seat.deal()
    seat.page.wait_for_selector(CHOOSING)
    for screen in SCREENS:
        seat.page.set_viewport_size(screen)
        assert seat.page.evaluate(OVERLAPS, [".choice kbd", ".choice-text"]) == []
        assert seat.page.evaluate(OVERLAPS, [".spot > kbd", ".spot-title"]) == []


# -- The course of a round --------------------------------------------------------------------------

# Records what is on the felt in every frame.
RECORD = """() => { window.frames_ = []; const $ = (id) => document.getElementById(id);
    const look = (now) => {
        window.frames_.push({ now, backs: document.querySelectorAll('#dealer-hand .back').length,
            faces: document.querySelectorAll('#dealer-hand .face:not(.back)').length,
            name: $('dealer-groups').textContent + $('dealer-reading').textContent,
            chips: document.querySelectorAll('[data-spot=ante] .spot-chips .chip').length,
            flights: document.querySelectorAll('#flights .chip').length,
            lost: [...document.querySelectorAll('#flights > *')]
                .filter((one) => one.style.width === '0px').length,
            result: document.querySelector('[data-spot=ante]').dataset.result,
            lines: document.querySelectorAll('#results li').length,
            message: $('message').textContent, said: $('said').textContent, money: $('money').textContent });
        requestAnimationFrame(look); };
    requestAnimationFrame(look); }"""


def record_round(seat, choice):
    """The frames from a choice to the end of the round."""
    seat.page.evaluate(RECORD)
    seat.choose(choice)
    wait_until(seat.page, "document.getElementById('message').textContent.startsWith('You ')")
    seat.page.wait_for_timeout(1500)
    return seat.page.evaluate("window.frames_")


def first(frames, seen):
    return next(n for n, frame in enumerate(frames) if seen(frame))


@pytest.fixture
def dealt(new_page, open_table, shuffles):
    shuffles.extend(shuffles_of(POKER, data_of(POKER).prepared_hands[:1]))
    seat = Mouse(new_page(viewport=DESKTOP, reduced_motion="no-preference"), open_table(POKER)).sit()
    seat.wager()
    seat.deal()
    seat.page.wait_for_selector(CHOOSING)
    return seat


def test_cards_are_turned_then_named_then_paid(dealt):
    frames = record_round(dealt, "play")
    turned = first(frames, lambda frame: frame["faces"] == 7 and not frame["backs"])
    named = first(frames, lambda frame: frame["name"])
    paid = first(frames, lambda frame: frame["lines"])
    ended = first(frames, lambda frame: frame["message"].startswith("You "))
    said = first(frames, lambda frame: "You win" in frame["said"])
    assert turned <= named < paid < ended <= said
    assert paid <= first(frames, lambda frame: frame["result"]) < ended
    assert {frame["money"] for frame in frames[:ended]} == {frames[0]["money"]}  # nothing betrays the result


def test_chips_stay_until_they_are_paid_and_travel(dealt):
    frames = record_round(dealt, "play")
    paid = first(frames, lambda frame: frame["result"])
    assert all(frame["chips"] for frame in frames[:paid])
    travels = [n for n, frame in enumerate(frames) if frame["flights"]]
    assert any(n >= paid for n in travels)
    assert not any(frame["lost"] for frame in frames)  # in the corner, from a place that is not shown
    assert not frames[-1]["chips"]
    assert not frames[-1]["flights"]


SLIDES = """() => { window.slides = []; const animate = Element.prototype.animate;
    Element.prototype.animate = function (frames, how) {
        const place = [...this.parentNode.children].indexOf(this);
        if (frames.translate) window.slides.push([place, parseFloat(frames.translate[0])]);
        return animate.call(this, frames, how);
    }; }"""
LEFTS = "[...document.querySelectorAll('#own-hand > *')].map((card) => card.getBoundingClientRect().x)"


def test_cards_that_make_room_for_another_slide_from_where_they_lay(new_page, open_table, shuffles):
    shuffles.append(beginning(BONUS, "2s 9d 3h 7c 4d"))
    page = new_page(viewport=DESKTOP, reduced_motion="no-preference")
    seat = Mouse(page, open_table(BONUS)).sit()
    seat.wager()
    seat.deal()
    page.wait_for_selector(CHOOSING)
    wait_until(page, "document.getAnimations().length === 0")
    before = page.evaluate(LEFTS)
    page.evaluate(SLIDES)
    seat.choose("hit")
    page.wait_for_selector(CHOOSING)
    wait_until(page, "document.getAnimations().length === 0")
    ways = [old - new for old, new in zip(before, page.evaluate(LEFTS), strict=False)]
    assert len(ways) == 2
    assert [[n, pytest.approx(way, abs=1)] for n, way in enumerate(ways)] == page.evaluate("window.slides")
    assert all(ways)


@pytest.mark.parametrize("size", [(1024, 768), (1280, 720), (1280, 1000), (1440, 900), (1920, 1080)])
def test_rack_shoe_and_discards_lie_beside_the_printed_pays(new_page, open_table, size):
    width, height = size
    page = new_page(viewport={"width": width, "height": height})
    Mouse(page, open_table(BONUS))
    assert page.evaluate(OVERLAPS, [".furniture svg", ".print"]) == []


SHIFTS = """() => { window.shifts = []; const count = (list) => window.shifts.push(
        ...list.getEntries().filter((one) => !one.hadRecentInput).map((one) => one.value));
    new PerformanceObserver(count).observe({ type: 'layout-shift', buffered: true }); }"""


@pytest.mark.parametrize("screen", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_the_layout_does_not_shift(new_page, open_table, shuffles, screen):
    shuffles.extend(shuffles_of(POKER, data_of(POKER).prepared_hands[:1]))
    live = open_table(POKER)
    seat = Mouse(new_page(viewport=screen, reduced_motion="no-preference"), live)
    seat.page.evaluate(SHIFTS)
    seat.sit()
    seat.wager()
    seat.play("play")
    assert sum(seat.page.evaluate("window.shifts")) < 0.1


def test_nothing_moves_for_those_who_ask_for_reduced_motion(new_page, open_table):
    seat = Mouse(new_page(viewport=DESKTOP), open_table(BONUS)).sit()
    seat.wager()
    seat.deal()
    wait_until(seat.page, "document.querySelectorAll('#own-hand .face').length > 1")
    assert seat.page.evaluate("document.getAnimations().length") == 0
    assert seat.page.locator("#flights > *").count() == 0


# -- Which cards count ------------------------------------------------------------------------------


def test_brackets_show_which_cards_count_for_what(new_page, open_table, shuffles):
    """War reads the first card, Blackjack those up to the last choice, Poker the best five of six."""
    shuffles.append(beginning(BONUS, "9s 6d 8h Tc"))
    seat = Mouse(new_page(viewport=DESKTOP), open_table(BONUS)).sit()
    page = seat.page
    seat.wager()
    seat.deal()
    page.wait_for_selector(CHOOSING)
    assert not page.locator("#own-groups .group").count()
    assert page.locator("#own-reading").inner_text() == "War: Nine; Blackjack: 17"
    seat.choose("stand")
    page.wait_for_selector("#own-groups .group >> nth=2")
    names = page.locator("#own-groups .group-name").all_inner_texts()
    assert names[:2] == ["War Nine", "Blackjack 17"]
    assert names[2].startswith("Poker ")
    first_card, second = (page.locator(f"#own-hand .face >> nth={n}").bounding_box() for n in (0, 1))
    war = page.locator("#own-groups .group >> nth=0").locator(".bracket").bounding_box()
    assert first_card["x"] <= war["x"] < war["x"] + war["width"] <= second["x"] + 1
    assert page.locator("#own-hand .face.idle").count() <= 1
    assert page.locator("#own-reading").text_content() == "; ".join(
        name.replace(" ", ": ", 1) for name in names
    )
    seat.rebet()
    wait_until(page, "!document.querySelector('#own-hand .face')")  # the old cards make room for new bets
    assert not page.locator("#own-groups .group").count()
    assert not page.locator("#dealer-hand .face").count()


def test_choices_differ_by_what_they_do_with_money(new_page, open_table):
    seat = Mouse(new_page(viewport=DESKTOP), open_table(POKER)).sit()
    seat.wager()
    seat.deal()
    seat.page.wait_for_selector(CHOOSING)
    kinds = {
        one.get_attribute("data-choice"): one.get_attribute("class")
        for one in seat.page.locator(".choice").all()
    }
    assert kinds == {"play": "choice puts-down", "fold": "choice gives-up"}


def test_every_game_has_a_look(page):
    page.goto("/")
    looks = page.locator("svg.picture").evaluate_all("all => all.map((one) => one.getAttribute('class'))")
    assert len(looks) == len(GAMES)
    fills = page.locator("svg.picture stop.p-lit").evaluate_all(
        "all => all.map((one) => getComputedStyle(one).stopColor)"
    )
    assert "rgb(0, 0, 0)" not in fills  # every colour is in the style sheet
    open_page(page, "casino-war-1")
    assert "url(" in page.locator(".felt").evaluate("one => getComputedStyle(one).backgroundImage")


# -- Company ----------------------------------------------------------------------------------------


def test_players_have_names_and_say_polite_phrases(new_page, open_table):
    live = open_table("casino-war")
    own, other = (
        Mouse(new_page(viewport=DESKTOP), live).sit(1),
        Mouse(new_page(viewport=DESKTOP), live).sit(2),
    )
    place = own.page.locator("[data-seat='2']")
    place.locator(".seat-name", has_text=call_player(other.place.player)).wait_for()
    say(other.page, "Good luck")
    place.locator(".bubble:text-is('Good luck')").wait_for()
    own.page.get_by_text("Settings").click()
    own.page.get_by_label("Hide what others say").check()
    say(other.page, "Thank you")
    wait_until(own.page, "!document.querySelector('[data-seat=\"2\"] .bubble').checkVisibility()")
    other.page.locator("#own-said:text-is('Thank you')").wait_for()


def say(page, phrase):
    page.locator("#say summary").click()
    page.get_by_role("button", name=phrase).click()


def test_the_chart_lights_the_row_of_the_hand(new_page, open_table, shuffles):
    shuffles.extend(shuffles_of(POKER, [data_of(POKER).hand_with_choice]))
    seat = Mouse(new_page(viewport=DESKTOP), open_table(POKER)).sit()
    seat.wager()
    seat.deal()
    seat.page.wait_for_selector(CHOOSING)
    with seat.page.expect_request("**/api/train/*/chart?*") as asked:
        seat.page.locator("#chart").click()
    assert "player=" in asked.value.url  # the cards that the player sees
    seat.page.locator(".chart-dialog[open]").wait_for()
    seat.page.keyboard.press("f")  # no choice is made behind the dialog
    seat.page.get_by_role("button", name="Close").click()
    assert seat.page.locator(CHOOSING).count() == 2
