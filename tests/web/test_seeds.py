"""Seeds of the player's own: sealed and revealed by the browser, and checked in the replay of the round."""

from feltlab.pit.seats import Phase
from feltlab.pit.table import Table

GAME = "rabbit-hunter"


def test_the_browser_seals_and_reveals_a_seed_and_the_replay_checks_it(page, place, open_table):
    live = open_table(GAME)
    page.goto(f"/tables/{live.table.name}")
    page.wait_for_selector("body[data-ready]")
    assert page.locator("#seed").is_hidden()  # a watcher has none
    page.locator("#seats .take").first.click()
    page.wait_for_selector("#seed:not([hidden])")
    page.focus("#seed summary")
    page.keyboard.press("Space")  # Enter deals, unless the player goes by Tab
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    page.locator("#seed-state", has_text="Sealed as").wait_for()
    (sealed,) = live.table.sealed_seeds
    page.reload()  # the seed is kept in the browser
    page.wait_for_selector("body[data-ready]")
    wagers = {spot.name: 500 for spot in live.table.game.wagers if live.table.game.is_required(spot)}
    place.do(live.act(lambda table: table.wager(sealed.player, sealed.seat, wagers)))
    place.do(live.act(lambda table: table.no_more_bets("house")))
    page.locator("#seed-state", has_text="Your seed mixes these cards").wait_for(state="attached")
    (seed,) = live.table.seeds
    assert (len(seed.seed), seed.digest) == (32, sealed.digest)
    while live.table.phase != Phase.BETTING:
        place.do(live.act(Table.time_is_up))
    page.locator("#seed-state", has_text="Sealed as").wait_for(state="attached")  # for the next cards
    page.goto(f"/tables/{live.table.name}/rounds/1")
    page.wait_for_selector("#verdict[data-verdict=good]")
    assert "at its place in it, mixed by the seeds of the seats." in page.inner_text("#verdict")
    assert {seed.seed, sealed.digest} <= set(page.inner_text("#shuffle").replace(":", " ").split())
