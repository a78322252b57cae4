"""My hands in a real browser: from the list to a round, its verdict and the trainer; and the summary."""

from tests.support.browsers import WAIT_MILLISECONDS
from tests.support.pages import play_round

GAME = "three-card-poker"


def seat_guest(place, page, table, rounds):
    """Let a guest play rounds over the API, and give the guest's session to a page."""

    async def play():
        guest = await place.house.guest()
        assert (await guest.at(table, "sit", seat=1, cents=50_000)).status_code == 200
        for _ in range(rounds):
            await play_round(guest, table, 1, ("fold",))
        return guest

    guest = place.do(play())
    page.context.add_cookies([{"name": "feltlab-session", "value": guest.session, "url": place.address}])
    page.set_default_timeout(WAIT_MILLISECONDS)
    return guest


def test_from_the_list_to_a_round_its_verdict_and_the_trainer(place, page, open_table):
    table = open_table(GAME).table.name
    seat_guest(place, page, table, 2)
    page.goto(f"{place.address}/hands?game={GAME}")
    page.wait_for_selector(".rounds .choice")  # the verdicts arrive while the page is open
    assert page.locator(".rounds tbody tr").count() == 2
    page.locator(".rounds tbody th a").first.click()
    assert page.locator("h1").inner_text().endswith("round 2")
    decision = page.locator("#decision-1")
    decision.locator(".worths tr.made").wait_for()
    assert decision.locator(".worths tr").count() == 2 + 1  # play, fold and the head
    assert decision.locator(".worths tr.made th").inner_text().startswith("Fold")
    assert page.locator("nav.beside a", has_text="Round 3").count() == 0  # it is not over
    step = decision.get_attribute("data-verdict-step")
    decision.locator(f'a[href="#step-{step}"]').click()
    page.wait_for_selector("#now .tag")  # the verdict beside the step
    position = decision.locator("a", has_text="Try again").get_attribute("href")
    page.locator(".ways-back a", has_text="My hands").click()
    page.wait_for_url(f"{place.address}/hands?game={GAME}#{table}-2-1")
    page.go_back()
    page.locator("#decision-1 a", has_text="Try again").click()
    page.wait_for_url(f"{place.address}{position}")
    assert page.locator("h1").count() == 1


def test_a_player_who_leaves_sees_a_summary_of_the_visit(place, page, open_table):
    table = open_table(GAME).table.name
    guest = seat_guest(place, page, table, 1)
    page.goto(f"{place.address}/tables/{table}")
    page.wait_for_selector("body[data-ready=yes]")
    place.do(play_round(guest, table, 1, ("fold",)))
    place.do(guest.at(table, "leave", seat=1))
    page.wait_for_selector("dialog.visit[open]")
    figures = page.locator(".visit-figures dd")
    assert figures.first.inner_text() == "1"  # the round since this page saw the seat
    assert page.locator("#visit-hands").get_attribute("href") == f"/hands?table={table}&first=2"
    page.click("#visit-close")
    page.wait_for_selector("dialog.visit", state="detached")
