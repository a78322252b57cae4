"""The lobby and the table in a real browser: content, chips and settings."""

import pytest

from feltlab.games import FOLDERS, GAMES
from feltlab.games.data import packet_data
from feltlab.pit.roles import Role
from feltlab.text import dollars
from tests.support.at_table import CHOOSING, ENDED, FREE, Mouse, card_names, open_page, wait_until
from tests.support.browsers import DESKTOP
from tests.support.game_data import data_of
from tests.support.pages import sign_in
from tests.support.prepared import shuffles_of

MAX_BYTES = 100_000  # the page and its files with a picture of each felt, besides fonts
POKER, WAR = "high-five-poker", "casino-war"


# -- The lobby --------------------------------------------------------------------------------------


def test_lobby_shows_every_game_and_leads_to_it(new_page):
    page = new_page()
    received = []
    page.on("response", lambda response: received.append((response.url, len(response.body()))))
    page.goto("/")
    for game in GAMES.values():
        section = page.locator("section.game", has=page.get_by_role("heading", name=game.title, exact=True))
        assert section.locator("svg[role=img]").count() == 1
        for way in ("Play", "Train", "How to play", "Rules", "Proof"):
            assert section.get_by_role("link", name=way).count() >= 1
    assert sum(size for url, size in received if not url.endswith(".woff2")) < MAX_BYTES
    page.get_by_role("link", name="Play Casino War", exact=True).click()
    page.wait_for_selector("body[data-ready]")
    assert page.get_by_role("heading", name="Casino War").count()


def test_the_lobby_knows_your_seat(new_page, open_table):
    live = open_table(WAR)
    seat = Mouse(new_page(), live).sit()
    seat.page.goto("/")
    line = seat.page.locator("#own-seats")
    assert f"Casino War {live.table.name}, seat 1, round 1 $200" in " ".join(line.inner_text().split())
    line.get_by_role("link").click()
    seat.page.wait_for_selector("body[data-ready]")
    seat.leave()
    seat.page.goto("/")
    assert seat.page.locator("#own-seats").inner_text().strip() == ""


MANY = 8  # games from which on a page has a box to find one


@pytest.mark.parametrize("path", ["/", "/lab"])
def test_a_long_list_of_games_can_be_searched(page, path):
    page.goto(path)
    box, entries = page.locator(".find input"), page.locator("main section[data-words]")
    assert entries.count() == len(GAMES)
    assert box.is_visible() == (len(GAMES) >= MANY)
    if len(GAMES) < MANY:
        return
    last = list(GAMES.values())[-1]
    box.fill(last.title.upper())
    shown = entries.locator("visible=true")
    assert last.title in shown.last.inner_text()
    assert shown.count() < len(GAMES)
    assert page.locator(".find [role=status]").inner_text() == f"{shown.count()} of {len(GAMES)}"
    box.fill("no game has these words")
    assert shown.count() == page.locator("[data-group]").locator("visible=true").count() == 0
    box.fill("")
    assert shown.count() == len(GAMES)


@pytest.mark.parametrize("width", [390, 820, 1440])
def test_nothing_is_wider_than_the_screen(new_page, width):
    page = new_page(viewport={"width": width, "height": 900})
    for path in ("/", "/tables/triple-shot-bonus-1"):
        page.goto(path)
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_every_page_is_also_json(page):
    assert len(page.request.get("/index.json").json()["games"]) == len(GAMES)
    assert page.request.get("/tables/casino-war-1.json").json()["table"]["game"] == WAR


@pytest.mark.parametrize("game", FOLDERS)
def test_rules_are_a_page(page, game):
    page.goto(f"/rules/{game}")
    assert page.get_by_role("heading", name=GAMES[game].title).count()
    assert page.locator("main h2").count() > 3


@pytest.mark.parametrize(
    "path",
    ["/nowhere", "/tables/nothing", "/tables/casino-war-1/rounds/99", "/rules/nothing", "/lab/nothing"],
)
def test_a_wrong_address_is_a_friendly_page(page, path):
    assert page.goto(path).status == 404
    page.get_by_role("link", name="Go to the tables").click()
    page.wait_for_url("**/")
    assert page.locator("section.game").count() == len(GAMES)


@pytest.mark.parametrize("name", FOLDERS)
def test_the_felt_prints_the_layouts_notices(new_page, open_table, name):
    page = Mouse(new_page(), open_table(name)).sit().page
    for notice in packet_data(GAMES[name]).notice:
        place = (
            f".spot-place:has([data-spot={notice.spot}]) .spot-notice" if notice.spot else ".felt-title small"
        )
        assert notice.text in " ".join(page.locator(place).all_inner_texts())
    page.set_viewport_size({"width": 390, "height": 844})  # a phone has no room at the spots
    phone = page.locator(".felt-notices").inner_text()
    assert all(notice.text in phone for notice in packet_data(GAMES[name]).notice)
    assert page.get_by_role("link", name="Rules", exact=True).get_attribute("href") == f"/rules/{name}"


# -- Chips ------------------------------------------------------------------------------------------


def on_the_felt(player):
    """The chips on each spot in the page, and at the server once it has received them."""
    page, spots = player.page, [spot.name for spot in player.live.table.game.wagers]
    shown = {spot: page.locator(f"[data-spot={spot}] .spot-amount").inner_text() for spot in spots}
    for _ in range(100):
        known = {spot: player.place.wagers.get(spot, 0) for spot in spots}
        if {spot: dollars(cents) if cents else "" for spot, cents in known.items()} == shown:
            return tuple(known.values())
        page.wait_for_timeout(20)
    raise AssertionError(f"The page shows {shown}, the table has {known}.")


def test_chips_are_put_down_undone_doubled_cleared_and_put_down_again(new_page, open_table, shuffles):
    shuffles.extend(shuffles_of(WAR, [hand for hand in data_of(WAR).prepared_hands if not hand.choices]))
    seat = Mouse(new_page(), open_table(WAR)).sit()
    page = seat.page
    bet = {name: page.locator(f"[data-bet={name}]") for name in ("Rebet", "Double", "Undo", "Clear", "Deal")}
    assert all(button.is_disabled() for button in bet.values())
    page.locator("[data-spot=primary]").click()
    page.locator("#chips button").last.click()
    page.locator("[data-spot=tie]").click()
    assert on_the_felt(seat) == (500, 10_000)
    bet["Undo"].click()
    assert on_the_felt(seat) == (500, 0)
    bet["Double"].click()
    assert on_the_felt(seat) == (1000, 0)
    bet["Clear"].click()
    assert on_the_felt(seat) == (0, 0)
    assert bet["Deal"].is_disabled()
    bet["Undo"].click()
    assert on_the_felt(seat) == (1000, 0)
    seat.play()
    bet["Rebet"].click()
    assert on_the_felt(seat) == (1000, 0)
    seat.play()
    bet["Double"].click()
    assert on_the_felt(seat) == (2000, 0)


def test_chips_are_taken_back_by_key(new_page, open_table):
    seat = Mouse(new_page(viewport=DESKTOP), open_table(WAR)).sit()
    for key in "2cx":  # Primary is to the right of Tie
        seat.page.keyboard.press(key)
    assert on_the_felt(seat) == (3000, 0)
    seat.page.keyboard.press("Shift+X")
    assert on_the_felt(seat) == (2500, 0)
    seat.page.keyboard.press("0")
    assert on_the_felt(seat) == (0, 0)


def test_a_refused_wager_shows_the_reason(new_page, open_table):
    seat = Mouse(new_page(), open_table("rabbit-hunter")).sit()
    seat.page.locator("#chips button").first.click()
    seat.page.locator("[data-spot=ante]").click()
    wait_until(seat.page, "document.getElementById('message').textContent.includes('$5')")
    seat.page.locator("[data-bet=Clear]").click()
    wait_until(seat.page, "document.getElementById('message').textContent.includes('Place')")


# -- Money ------------------------------------------------------------------------------------------


def test_chips_beyond_the_bankroll_are_not_put_down(new_page, open_table):
    seat = Mouse(new_page(), open_table(POKER)).sit()
    seat.page.locator("[data-cents='10000']").click()
    for _ in range(3):
        seat.page.locator("[data-spot=ante]").click()
    seat.page.wait_for_selector("#message:has-text('You have too few chips here for that.')")
    assert seat.page.locator("[data-spot=ante] .spot-amount").inner_text() == "$200"
    assert dollars(0) in seat.page.locator("#money").inner_text()


def test_enter_deals_after_a_click(new_page, open_table):
    seat = Mouse(new_page(), open_table(POKER)).sit()
    seat.page.locator("[data-spot=ante]").click()
    seat.page.keyboard.press("Enter")
    seat.page.wait_for_selector(CHOOSING)
    assert seat.place.wagers["ante"] == 500


def test_more_chips_are_bought_when_there_are_few(new_page, open_table, shuffles):
    lost = [hand for hand in data_of(POKER).prepared_hands if hand.wins == -30]
    shuffles.extend(shuffles_of(POKER, lost))
    seat = Mouse(new_page(), open_table(POKER)).sit()
    assert not seat.page.get_by_role("button", name="Buy").count()
    seat.wager()
    seat.play("play")
    assert seat.place.bankroll == 20_000 - 3_000
    seat.page.get_by_role("button", name="Buy $100 more").click()
    seat.page.wait_for_selector("#money:has-text('Chips here $270'):has-text('All play money $970')")
    assert seat.place.bankroll == 27_000


def test_a_broke_player_can_refill(new_page, open_table, place):
    page, elsewhere = new_page(), open_table(POKER).table.name
    page.goto("/")
    page.request.post("/api/session/guest")
    known = page.request.get("/api/session").json()
    headers = {"X-CSRF-Token": known["csrf"]}
    spent = page.request.post(
        f"/api/tables/{elsewhere}/sit", data={"seat": 1, "cents": 99_900}, headers=headers
    )
    assert spent.ok
    open_page(page, open_table(WAR).table.name)
    page.wait_for_selector("#money:has-text('$1')")
    page.get_by_role("button", name="Refill").click()
    page.wait_for_selector("#money:has-text('All play money $1,999')")  # $999 of it at the other table
    assert place.house.pit.cage.balances[known["account"]] == 100_000
    assert not page.get_by_role("button", name="Refill").count()


def test_play_money_is_one_amount_everywhere(new_page, open_table):
    live, page = open_table(WAR), new_page(viewport=DESKTOP)
    Mouse(page, live).sit()
    page.wait_for_selector("#purse:has-text(' · $1,000')")
    assert "All play money $1,000" in page.locator("#money").inner_text().replace("\n", " ")
    second = Mouse(page, open_table(POKER)).sit()
    page.wait_for_selector("#purse:has-text(' · $1,000')")
    page.goto("/")
    assert "with $1,000 of play money, $400 of it at your tables" in page.locator(".me").inner_text()
    assert page.locator("#purse").inner_text().endswith(" · $1,000")
    open_page(page, second.live.table.name)
    second.leave()
    page.goto("/")
    assert "$200 of it at your table" in page.locator(".me").inner_text()


@pytest.mark.parametrize("game", ["rabbit-hunter", WAR, "triple-shot-bonus"])
def test_a_number_key_selects_the_spot_with_that_badge_from_left_to_right(new_page, open_table, game):
    page = Mouse(new_page(viewport=DESKTOP), open_table(game)).sit().page
    spots = page.locator("button.spot").all()
    spots.sort(key=lambda spot: spot.bounding_box()["x"])
    assert [spot.locator("kbd").inner_text() for spot in spots] == [str(n + 1) for n in range(len(spots))]
    for n, spot in enumerate(spots, 1):
        page.keyboard.press(str(n))
        assert "picked" in spot.get_attribute("class")
        page.wait_for_selector(f"#message:has-text('{spot.get_attribute('data-title')} is selected')")
        page.keyboard.press("x")
        assert spot.locator(".spot-amount").inner_text() == "$5"


# -- Settings ---------------------------------------------------------------------------------------


def test_settings_are_kept(new_page, open_table):
    page = open_page(new_page(), open_table(POKER).table.name)
    page.get_by_text("Settings").click()
    page.get_by_label("Four-colour deck").check()
    page.get_by_label("Sound").check()
    page.get_by_label("Dealing").select_option("fast")
    page.get_by_label("Coach").select_option("exam")
    page.reload()
    page.wait_for_selector("body[data-ready]")
    assert {"four", "quick"} <= set(page.locator("body").get_attribute("class").split())
    assert page.get_by_label("Sound", exact=True).is_checked()
    assert page.get_by_label("Coach").input_value() == "exam"


def test_escape_closes_the_settings(new_page, open_table):
    page = open_page(new_page(), open_table(POKER).table.name)
    page.get_by_text("Settings").click()
    page.get_by_label("Four-colour deck").focus()
    page.keyboard.press("Escape")
    assert not page.get_by_label("Four-colour deck").is_visible()
    assert page.evaluate("document.activeElement.textContent") == "Settings"
    page.get_by_text("Settings").click()
    page.evaluate("document.activeElement.blur()")  # wherever the focus is
    page.keyboard.press("Escape")
    assert not page.get_by_label("Four-colour deck").is_visible()


@pytest.mark.parametrize(("speed", "dealt", "quick"), [("normal", 7, 0), ("fast", 7, 7), ("instant", 0, 0)])
def test_cards_are_dealt_one_after_another_unless_switched_off(new_page, open_table, speed, dealt, quick):
    seat = Mouse(new_page(reduced_motion="no-preference"), open_table(POKER)).sit()
    seat.page.get_by_text("Settings").click()
    seat.page.get_by_label("Dealing").select_option(speed)
    seat.page.get_by_text("Settings").click()
    seat.wager()
    seat.deal()
    seat.page.wait_for_selector("#choices button:enabled")
    assert seat.page.locator("#own-hand .dealt").count() == dealt
    assert seat.page.locator(".quick #own-hand .dealt").count() == quick


AUDIO = """window.played = 0;
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function () { window.played += 1; return start.call(this); };"""


@pytest.mark.parametrize("on", [True, False])
def test_a_win_plays_a_sound_if_sound_is_on(new_page, open_table, shuffles, on):
    shuffles.extend(shuffles_of(POKER, data_of(POKER).prepared_hands[:1]))
    page = new_page()
    page.add_init_script(AUDIO)
    seat = Mouse(page, open_table(POKER)).sit()
    page.get_by_text("Settings").click()
    page.get_by_label("Sound").set_checked(on)
    page.get_by_text("Settings").click()
    seat.wager()
    seat.play("play")
    assert bool(page.evaluate("window.played")) == on


# -- Who may ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("role", [Role.DEALER, Role.SUPERVISOR, Role.AUDITOR, Role.ADMINISTRATOR])
def test_staff_are_offered_no_seat(new_page, place, open_table, role):
    page, table = new_page(), open_table(WAR).table.name
    sign_in(page, place, role, f"/tables/{table}")
    page.wait_for_selector("body[data-ready]")
    assert page.locator("#seats .seat").count() == len(place.house.pit.table(table).table.places)
    assert not page.locator(FREE).count()


def test_a_player_with_a_wager_is_dealt_a_hand(new_page, open_table, shuffles):
    hand = data_of(POKER).hand_with_choice
    shuffles.extend(shuffles_of(POKER, [hand]))
    seat = Mouse(new_page(), open_table(POKER)).sit()
    assert not card_names(seat.page)
    seat.wager()
    seat.deal()
    seat.page.wait_for_selector("#choices button:enabled")
    assert card_names(seat.page)[0] == "Ace of Hearts"
    assert set(card_names(seat.page, "#dealer-hand")) == {"face down"}
    seat.choose("play")
    seat.page.wait_for_selector(ENDED)
    assert "face down" not in card_names(seat.page, "#dealer-hand")
