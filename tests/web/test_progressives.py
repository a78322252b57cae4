"""Progressives in a real browser: meters rise at every table, a hit freezes, two persons verify it."""

from dataclasses import replace
from fractions import Fraction

from feltlab.games import GAMES
from feltlab.ledger.event import HOUSE_ACTOR
from feltlab.pit.roles import Role
from feltlab.pit.table import Table
from feltlab.progressives.catalogue import find_progressive
from feltlab.progressives.hand_readings import reading_named
from feltlab.progressives.progressive import Level
from feltlab.server.auth import SESSION_COOKIE

GAME = "high-five-poker"
RISE_MILLISECONDS = 2_000


def every_hand_wins(name):
    """The progressive of the game, won by every hand."""
    rules = find_progressive("five-aces-jackpot")
    hands = tuple(reading_named(rules.reading).categories)
    return replace(rules, name=name, fold="stays", levels=(Level("any hand", hands, Fraction(1)),))


def meter_of(page):
    return page.locator("#jackpot-meter").inner_text()


def test_a_bet_raises_every_meter_and_a_hit_freezes_it(page, place, open_table):
    first, second = open_table(GAME), open_table(GAME)
    desk = place.house.pit.jackpots
    place.do(desk.open(every_hand_wins("any-hand"), HOUSE_ACTOR, 2))
    for live in (first, second):
        place.do(desk.join("any-hand", live.table.name, HOUSE_ACTOR))
    other = page.context.new_page()
    asked = []
    for one in (page, other):  # meters are pushed, not asked for
        one.on("request", lambda request: asked.append(request.url))
    other.goto(f"/tables/{second.table.name}")
    page.goto(f"/tables/{first.table.name}")
    page.wait_for_selector("body[data-ready]")
    page.locator("#seats .take").first.click()
    page.wait_for_selector("#jackpot-bet:not([hidden])")
    assert meter_of(page) == "$2,000.00"
    page.click("#jackpot-bet")
    page.locator("#jackpot-bet", has_text="Take back").wait_for()
    (seat, player) = next((n, one.player) for n, one in enumerate(first.table.places) if one)
    game = GAMES[GAME]
    wagers = {spot.name: 500 for spot in game.wagers if game.is_required(spot)}
    place.do(first.act(lambda table: table.wager(player, seat, wagers)))
    place.do(first.act(lambda table: table.no_more_bets("house")))
    for one in (page, other):
        one.locator("#jackpot-meter", has_text="$2,000.40").wait_for(timeout=10 * RISE_MILLISECONDS)
    round = first.table.round
    while first.table.round == round:
        place.do(first.act(Table.time_is_up))
    (claim,) = desk.book.find("any-hand").claims
    assert claim.cents == 200_040  # the value of the lock
    page.locator("#jackpot-meter", has_text="$2,000.00").wait_for(timeout=10 * RISE_MILLISECONDS)
    assert not [url for url in asked if url.endswith("/api/jackpots")]
    other.close()
    for role in (Role.SUPERVISOR, Role.ADMINISTRATOR):
        staff = place.do(place.house.as_(role))
        shown = place.do(staff.http.get("/floor/progressives", headers={"accept": "text/html"}))
        assert (shown.status_code, "$2,000.40 to" in shown.text) == (200, True)
        answer = place.do(staff.post("jackpots/any-hand/verify", claim=claim.number))
        assert answer.status_code == 200, answer.text
    assert desk.book.find("any-hand").claims == ()
    page.goto("/progressives")
    page.locator("h2", has_text="Five Aces Jackpot").wait_for()


def test_two_persons_verify_a_claim_on_their_phones(page, place, open_table):
    live = open_table(GAME)
    desk, name = place.house.pit.jackpots, "phone-hand"
    place.do(desk.open(every_hand_wins(name), HOUSE_ACTOR, 2))
    place.do(desk.join(name, live.table.name, HOUSE_ACTOR))
    guest = place.do(place.house.guest())
    player, game = guest.name, live.table.game
    wagers = {spot.name: 500 for spot in game.wagers if game.is_required(spot)}
    place.do(live.act(lambda table: table.sit(player, 0, 5_000)))
    place.do(live.act(lambda table: table.wager(player, 0, wagers)))
    place.do(desk.bet(live, player, 0, True))
    place.do(live.act(lambda table: table.no_more_bets("house")))
    while live.table.round == 1:
        place.do(live.act(Table.time_is_up))
    page.set_viewport_size({"width": 390, "height": 844})
    for role, left in ((Role.SUPERVISOR, 1), (Role.ADMINISTRATOR, 0)):
        staff = place.do(place.house.as_(role))
        page.context.clear_cookies()
        page.context.add_cookies([{"name": SESSION_COOKIE, "value": staff.session, "url": place.address}])
        page.goto("/floor/progressives")
        page.locator("details", has_text="Acts of staff").last.evaluate("it => it.open = true")
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        claim = page.locator(f"#claim-{name}-1")
        claim.get_by_role("button", name="Verify").click()
        claim.get_by_role("button", name="Verify").wait_for(state="detached")
        assert len(desk.book.find(name).claims) == left
    page.locator("details:has(form[id='close-phone-hand'])").evaluate("it => it.open = true")
    page.locator(f"#close-{name}").get_by_role("button", name="Close").click()
    page.locator("h2", has_text="closed").wait_for()
    assert desk.book.find(name).closed


def test_a_private_table_of_the_demonstration_feeds_the_progressive(page, place):
    desk = place.house.pit.jackpots
    rules = replace(find_progressive("rabbit-jackpot"), name="solo-rabbit")
    place.do(desk.open(rules, HOUSE_ACTOR, 0))
    page.goto("/play/rabbit-hunter")
    page.wait_for_selector("body[data-ready]")
    page.wait_for_selector("#jackpot-bet:not([hidden])")
    page.click("#jackpot-bet")
    page.locator("#jackpot-bet", has_text="Take back").wait_for()
    assert len(desk.book.find("solo-rabbit").tables) == 1
    shown = place.do(place.do(place.house.guest()).get("jackpots")).json()
    assert next(one["tables"] for one in shown if one["name"] == "solo-rabbit") == []
