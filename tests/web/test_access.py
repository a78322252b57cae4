"""Accessibility: axe-core on every page, keyboard focus, and a stable layout."""

from importlib import resources

import pytest

from feltlab.pit.roles import Role
from tests.support.at_table import CHOOSING, Mouse, open_page
from tests.support.browsers import DESKTOP, PHONE
from tests.support.features import representatives
from tests.support.game_data import data_of
from tests.support.pages import play, set_expectation, sign_in
from tests.support.prepared import shuffles_of

pytestmark = pytest.mark.slow  # axe reads each page for seconds

WAR = "casino-war"
SCREENS = [("light", DESKTOP), ("dark", PHONE)]
PROOF_MILLISECONDS = 120_000
# A page has the faults of its parts: hands, spots, choices and fields. A few games have all of them.
GAMES = representatives(
    *("a board", "no dealer's hand", "any amount", "a price", "a bonus", "equal wagers"),
    *("most cards of a player", "most first wagers", "most choices"),
)
GRAVE = """() => axe.run(document, { resultTypes: ['violations'] }).then((found) => found.violations
    .filter((one) => ['serious', 'critical'].includes(one.impact))
    .flatMap((one) => one.nodes.map((node) => `${one.id}: ${node.target} ${node.any[0]?.message ?? ''}`)))"""


# -- axe --------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def axe():
    pytest.importorskip("axe_playwright_python", reason="axe-playwright-python is not installed (extra: dev)")
    return (resources.files("axe_playwright_python") / "axe.min.js").read_text()


def check(page, axe):
    """No serious or critical violation, in light on a desktop and in dark on a phone."""
    page.evaluate(axe)
    for scheme, screen in SCREENS:
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size(screen)
        found = page.evaluate(GRAVE)
        assert not found, f"{page.url}, {scheme}, {screen['width']}:\n" + "\n".join(found)


@pytest.mark.parametrize(
    "path",
    ["/", "/rules/casino-war", "/sign-in", "/register", "/claim", "/limits", "/hands", "/nowhere", "/floor"],
)
def test_pages_for_visitors_have_no_serious_accessibility_fault(page, axe, path):
    page.goto(path)
    check(page, axe)


def test_the_school_has_no_serious_accessibility_fault(page, axe):
    school = "/school/three-card-poker"
    for path in ("/school", school):
        page.goto(path)
        check(page, axe)
    for path in ("drills?drill=settle", "drills?drill=watch", "drills?drill=payment", "table"):
        page.goto(f"{school}/{path}")
        page.wait_for_selector(".school-seat")
        if path == "table":
            page.keyboard.press("d")
        check(page, axe)
    page.goto(f"{school}/manual")
    page.wait_for_selector("#questions", timeout=PROOF_MILLISECONDS)
    check(page, axe)


@pytest.mark.parametrize("game", GAMES)
def test_a_table_has_no_serious_accessibility_fault_in_any_state(page, axe, open_table, shuffles, game):
    shuffles.extend(shuffles_of(game, [data_of(game).hand_with_choice]))
    live = open_table(game)
    check(open_page(page, live.table.name), axe)
    seat = Mouse(page, live).sit()
    seat.wager()
    check(page, axe)
    seat.deal()
    page.wait_for_selector(CHOOSING)
    check(page, axe)
    for choice in data_of(game).hand_with_choice.choices.split():
        seat.choose(choice)
    page.wait_for_selector("#betting:not([hidden])")
    check(page, axe)
    page.goto(page.locator("#results a").get_attribute("href"))
    check(page, axe)


DONE = "main:not(:has([data-working]))"
LAB = {
    "/lab": "main table.known",  # one game proved, others perhaps in progress
    "/lab/casino-war": DONE,
    "/findings?game=casino-war": DONE,
    "/lab/casino-war/design/tie?pay-tie=11&v1-tie=12": DONE,
    "/games/casino-war": DONE,
    "/games/casino-war/evening": DONE,
}


@pytest.mark.parametrize(("path", "ready"), LAB.items(), ids=LAB)
def test_the_lab_has_no_serious_accessibility_fault(page, axe, path, ready):
    page.goto(path)
    page.locator(ready).first.wait_for(timeout=PROOF_MILLISECONDS)
    check(page, axe)


FLOOR = [
    "",
    "/tables/{table}",
    "/tables/{table}/irregularities?round=1",
    "/open",
    "/approvals",
    "/accounts",
    "/ledger",
]


def test_the_floor_and_the_account_have_no_serious_accessibility_fault(page, axe, place, open_table):
    table = place.do(play(place.house, WAR, 2, open_table(WAR).table.name))
    set_expectation(place.house, table, 0.05)
    sign_in(page, place, Role.ADMINISTRATOR)
    for path in (*(f"/floor{path}" for path in FLOOR), "/account"):
        page.goto(path.format(table=table))
        check(page, axe)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_trainer_has_no_serious_accessibility_fault(new_page, axe, scheme):
    page = new_page(color_scheme=scheme)
    page.goto("/train")
    check(page, axe)
    page.goto("/train/triple-shot-rummy?mode=mixed")
    page.wait_for_selector(".chart", state="attached")
    page.locator("#answers button").first.click()
    page.wait_for_selector(".verdict-line")
    check(page, axe)
    page.locator("#open-chart").click()
    check(page, axe)


def test_the_page_that_deals_in_has_no_serious_accessibility_fault(page, axe):
    page.route("**/api/**", lambda route: None)  # it waits for a seat as long as nobody answers
    page.goto("/play/casino-war")
    check(page, axe)


def test_my_hands_and_a_limit_have_no_serious_accessibility_fault(page, axe, open_table):
    seat = Mouse(page, open_table("triple-shot-rummy")).sit()
    seat.wager()
    seat.play("fold")
    page.goto("/hands")
    page.locator(".hands-list, table").first.wait_for()
    check(page, axe)
    page.goto("/limits")
    check(page, axe)


def test_axe_finds_a_planted_fault(page, axe):
    page.goto("/sign-in")
    page.evaluate("document.querySelector('label').replaceWith(document.querySelector('label input'))")
    with pytest.raises(AssertionError, match="label"):
        check(page, axe)


# -- By ear and by keyboard -------------------------------------------------------------------------

STOPS = "a[href], button:enabled, select, input, summary"
FOCUSED = """(stops) => {
  const one = document.activeElement, style = getComputedStyle(one), box = one.getBoundingClientRect();
  const all = [...document.querySelectorAll(stops)].filter((other) => other.checkVisibility());
  return { stop: all.indexOf(one),
    seen: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2,
    inside: box.bottom > 0 && box.top < innerHeight, says: one.outerHTML.slice(0, 120) };
}"""


@pytest.mark.parametrize("screen", [PHONE, DESKTOP], ids=["phone", "desktop"])
@pytest.mark.parametrize("state", ["betting", "choosing"])
def test_tab_reaches_every_control_in_order_with_visible_focus(new_page, open_table, shuffles, state, screen):
    shuffles.extend(shuffles_of("rabbit-hunter", [data_of("rabbit-hunter").hand_with_choice]))
    seat = Mouse(new_page(viewport=screen), open_table("rabbit-hunter")).sit()
    page = seat.page
    seat.wager()
    if state == "choosing":
        seat.deal()
        page.wait_for_selector(CHOOSING)
    stops = page.locator(STOPS).locator("visible=true").count()
    page.evaluate("document.activeElement.blur()")
    page.locator("body").evaluate("body => { body.tabIndex = -1; body.focus(); }")
    for n in range(stops):
        page.keyboard.press("Tab")
        found = page.evaluate(FOCUSED, STOPS)
        assert found["stop"] == n, found
        assert found["seen"], found
        assert found["inside"], found


def test_a_screen_reader_hears_what_happens(page, open_table, shuffles):
    shuffles.extend(shuffles_of("rabbit-hunter", [data_of("rabbit-hunter").hand_with_choice]))
    seat = Mouse(page, open_table("rabbit-hunter")).sit()
    seat.wager()
    seat.deal()
    page.wait_for_selector(CHOOSING)
    said = page.locator("#said[aria-live=polite]")
    assert "You: Two of Clubs" in said.text_content()
    assert "Your choice: fold, key f; play, key p; buy, key b." in said.text_content()
    seat.choose("fold")
    page.wait_for_selector("#betting:not([hidden])")
    assert "Ante loses: fold, −$10." in said.text_content()


# -- Where things stand -----------------------------------------------------------------------------

MAX_SHIFT = 0.1  # rated good; 1 is a whole screen that moves by its height
WATCH = """window.shifts = [];
    new PerformanceObserver((list) => list.getEntries().forEach((one) => window.shifts.push(
        [one.value, one.sources.map((source) => source.node?.id || source.node?.className || '?').join(' ')],
    ))).observe({ type: 'layout-shift', buffered: true });"""


@pytest.mark.parametrize("screen", [PHONE, DESKTOP], ids=["phone", "desktop"])
@pytest.mark.parametrize("game", GAMES)
def test_the_layout_does_not_shift_during_a_round(new_page, open_table, shuffles, game, screen):
    """Every shift counts, even one right after a click."""
    shuffles.extend(shuffles_of(game, [data_of(game).hand_with_choice]))
    page = new_page(viewport=screen)
    page.add_init_script(WATCH)
    seat = Mouse(page, open_table(game)).sit()
    seat.wager()
    page.evaluate("window.shifts = []")
    seat.play(*data_of(game).hand_with_choice.choices.split())
    page.wait_for_timeout(100)  # until the last frame is drawn and reported
    shifts = page.evaluate("window.shifts")
    assert sum(value for value, _ in shifts) < MAX_SHIFT, shifts


ZOOMED = {"width": 720, "height": 450}  # 1440 x 900 at 200 %
BOXES = """() => {
  const box = (part) => document.querySelector(part).getBoundingClientRect();
  document.querySelector('.stage').scrollIntoView({ block: 'start' });
  return [box('.stage .hand:not(.dealer) .row'), box('.walk')];
}"""


def test_at_200_percent_the_cards_of_a_round_and_its_steps_are_on_one_screen(page, open_table):
    seat = Mouse(page, open_table("triple-shot-rummy")).sit()
    seat.wager()
    seat.play("fold")
    page.goto(page.locator("#results a").get_attribute("href"))
    page.set_viewport_size(ZOOMED)
    cards, steps = page.evaluate(BOXES)
    assert cards["right"] < steps["left"]  # no button over a card
    assert max(cards["bottom"], steps["bottom"]) <= ZOOMED["height"]
