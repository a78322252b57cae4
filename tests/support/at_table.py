"""Players who use the page of a table, by mouse or by keyboard alone."""

import time
from typing import Any

from feltlab.pit.live_table import LiveTable
from feltlab.pit.view import view
from feltlab.text import dollars

FREE = "#seats .take"
ENDED = "#results:not([hidden]) a"  # the link to the replay
CHOOSING = "#choices button:enabled"
WAIT_SECONDS = 30.0  # seconds
MAX_TABS = 60  # more than a page has controls


def wait_until(page: Any, true: str, arg: Any = None) -> None:
    """Wait until an expression is true; playwright's own wait needs eval, which the pages forbid."""
    end = time.monotonic() + WAIT_SECONDS
    while not page.evaluate(true, arg):
        assert time.monotonic() < end, f"This never became true: {true}: {page.locator('main').inner_text()}"
        page.wait_for_timeout(20)


def wait_for_round(page: Any, number: int) -> None:
    """Wait until the betting for this round is open."""
    page.wait_for_selector(f"#round-number:text-is('round {number}')", state="attached")
    page.wait_for_selector("#betting:not([hidden])")


def open_page(page: Any, table: str, query: str = "") -> Any:
    page.goto(f"/tables/{table}{query}")
    page.wait_for_selector("body[data-ready]")
    return page


def card_names(page: Any, where: str = "#own-hand") -> list[str]:
    """The names of the cards for screen readers."""
    found: list[str] = page.locator(f"{where} svg").evaluate_all(
        "all => all.map(one => one.getAttribute('aria-label'))"
    )
    return found


class Mouse:
    """A player who uses the mouse."""

    def __init__(self, page: Any, live: LiveTable, query: str = "") -> None:
        self.page, self.live = open_page(page, live.table.name, query), live

    @property
    def place(self) -> Any:
        """The player's place at the server."""
        return self.live.table.places[self.seat - 1]

    def sit(self, seat: int = 1) -> "Mouse":
        self.seat = seat
        self._take(seat)
        self.page.wait_for_selector("#own:not([hidden])")
        return self

    def wager(self) -> None:
        """Put ten dollars on every first wager; a spot that must equal another is filled with it."""
        for spot in self.live.table.game.wagers:
            if not spot.equals:
                self._put(spot.name)

    def play(self, *choices: str) -> None:
        """Play a round from Deal to its end."""
        number = self.live.table.round
        self.deal()
        for choice in choices:
            self.choose(choice)
        wait_for_round(self.page, number + 1)

    def choose(self, choice: str) -> None:
        wait_until(self.page, f"document.querySelector('[data-choice={choice}]:enabled')")
        self._choose(choice)

    # -- With a mouse -------------------------------------------------------------------------------

    def _take(self, seat: int) -> None:
        self.page.locator(f"[data-seat='{seat}'] .take").click()

    def _put(self, spot: str) -> None:
        for _ in range(2):
            self.page.locator(f"[data-spot={spot}]").click()

    def rebet(self) -> None:
        self.page.locator("[data-bet=Rebet]").click()

    def deal(self) -> None:
        self.page.locator("[data-bet=Deal]").click()

    def _choose(self, choice: str) -> None:
        self.page.locator(f"[data-choice={choice}]").click()

    def leave(self) -> None:
        self.page.get_by_text("Leave the table").click()
        self.page.wait_for_selector("#own", state="hidden")


class Keyboard(Mouse):
    """A player who uses the keyboard alone."""

    def _take(self, seat: int) -> None:
        tab_to(self.page, f"[data-seat='{seat}'] .take")
        self.page.keyboard.press("Enter")

    def _put(self, spot: str) -> None:
        number = self.page.locator(f"[data-spot={spot}] kbd").text_content()
        for key in (number, "x", "x"):
            self.page.keyboard.press(key)

    def rebet(self) -> None:
        self.page.keyboard.press("r")

    def deal(self) -> None:
        self.page.wait_for_selector("[data-bet=Deal]:enabled")
        self.page.keyboard.press("Enter")

    def _choose(self, choice: str) -> None:
        self.page.keyboard.press(self.live.table.game.choice(choice).key)

    def leave(self) -> None:
        tab_to(self.page, "#sitting button:text('Leave the table')")
        self.page.keyboard.press("Enter")
        self.page.wait_for_selector("#own", state="hidden")


def tab_to(page: Any, selector: str) -> None:
    """Move the focus to a control with Tab."""
    wanted = page.locator(selector)
    for _ in range(MAX_TABS):
        page.keyboard.press("Tab")
        if wanted.evaluate("one => one === document.activeElement"):
            return
    raise AssertionError(f"Tab does not reach {selector}.")


# -- What is shown ----------------------------------------------------------------------------------


def signed(cents: int) -> str:
    return f"+{dollars(cents)}" if cents > 0 else dollars(cents).replace("-", "−")


def check_results(player: Mouse) -> int:
    """Check that the page shows the server's payments, in the list and on the spots; returns their sum."""
    page, table = player.page, player.live.table
    paid = [one for one in view(table, player.place.player)["payments"] if one["seat"] == player.seat]
    assert paid
    lines = page.locator("#results li").all()
    told = [one for one in paid if one["staked"] or one["net"]]  # a bonus of nothing on nothing is not told
    for line, one in zip(lines, told, strict=True):
        text = line.inner_text()
        assert line.locator(".figure").inner_text() == signed(one["net"])
        assert table.game.spot(one["spot"]).title in text
        assert one["outcome"].lower() in text.lower()  # the reason may begin with it
        assert one["why"] in text
        spot = page.locator(f".spot[data-spot={one['spot']}]")
        assert spot.get_attribute("data-result") == one["result"]
        assert signed(one["net"]) in spot.inner_text()
    assert dollars(player.place.bankroll) in page.locator("#money").inner_text()
    return sum(one["net"] for one in paid)
