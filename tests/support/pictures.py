"""Pictures of every page, at every width and in both schemes, to be looked at.

python -m tests.support.pictures FOLDER [NAME ...]
"""

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from feltlab.games import GAMES
from feltlab.pit.roles import Role
from tests.support.browsers import browsing
from tests.support.pages import Served, play, served, sign_in

WIDTHS = {390: 844, 820: 1180, 1440: 900}
SCHEMES = ("light", "dark")
WAR = "casino-war"
PATIENCE = 120_000  # milliseconds for a page that is proved first


def at(path: str, wait: str = "main") -> Callable[[Any], None]:
    def open(page: Any) -> None:
        page.goto(path)
        page.wait_for_selector(wait, timeout=PATIENCE)

    return open


def seated(game: str, query: str = "") -> Callable[[Any], None]:
    """A seat is taken, a wager placed."""

    def open(page: Any) -> None:
        at(f"/tables/{game}-1{query}", "body[data-ready]")(page)
        page.locator("#seats .take").nth(2).click()
        page.wait_for_selector("#own:not([hidden])")
        for spot in page.locator("button.spot").all()[: GAMES[game].rules.GAMES_PER_HAND]:
            spot.click()

    return open


def choosing(game: str, query: str = "") -> Callable[[Any], None]:
    """A choice is open, if the cards leave one."""

    def open(page: Any) -> None:
        seated(game, query)(page)
        for _ in range(8):
            page.locator("[data-bet=Deal]").click()
            page.wait_for_timeout(600)
            if page.locator("#choices button:enabled").count():
                page.wait_for_timeout(2500 if query else 100)
                return
            page.locator("[data-bet=Rebet]").click()

    return open


def settled(game: str) -> Callable[[Any], None]:
    """A round is over."""

    def open(page: Any) -> None:
        choosing(game)(page)
        for _ in range(8):
            if not page.locator("#choices button:enabled").count():
                break
            page.locator("#choices button:enabled").last.click()
            page.wait_for_timeout(300)

    return open


VISITOR = {
    "lobby": at("/"),
    **{f"empty-{game}": at(f"/tables/{game}-1", "body[data-ready]") for game in (WAR,)},
    **{f"bets-{game}": seated(game) for game in GAMES},
    **{f"choice-{game}": choosing(game) for game in GAMES},
    **{f"result-{game}": settled(game) for game in GAMES},
    "hint": choosing("triple-shot-bonus", "?coach=hint"),
    "rules": at(f"/rules/{WAR}"),
    "round": at(f"/tables/{WAR}-1/rounds/1"),
    "sign-in": at("/sign-in"),
    "register": at("/register"),
    "missing": at("/nowhere"),
    "lab": at("/lab"),
    **{f"lab-{game}": at(f"/lab/{game}", "svg") for game in GAMES},
    "findings": at("/lab/triple-shot-bonus/findings"),
    "design": at("/lab/casino-war/design"),
}
STAFF = {
    "floor": at("/floor"),
    "floor-table": at(f"/floor/tables/{WAR}-1"),
    "floor-deal": at("/floor/deal"),
    "floor-open": at("/floor/open"),
    "floor-approvals": at("/floor/approvals"),
    "floor-accounts": at("/floor/accounts"),
    "floor-events": at("/floor/events"),
    "floor-ledger": at("/floor/ledger"),
    "account": at("/account"),
}


def pictures(place: Served, browser: Any, folder: Path, wanted: set[str]) -> None:
    for width, height in WIDTHS.items():
        for scheme in SCHEMES:
            for staff, pages in ((False, VISITOR), (True, STAFF)):
                named = {name: show for name, show in pages.items() if not wanted or name in wanted}
                taken(place, browser, folder, (width, height, scheme), named, staff)


def taken(
    place: Served,
    browser: Any,
    folder: Path,
    screen: tuple[int, int, str],
    pages: dict[str, Callable[[Any], None]],
    staff: bool,
) -> None:
    width, height, scheme = screen
    for name, show in pages.items():
        context = browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme=scheme,
            reduced_motion="reduce",
            base_url=place.address,
        )
        page = context.new_page()
        if staff:
            sign_in(page, place, Role.ADMINISTRATOR)
        try:
            show(page)
        except Exception as error:
            print(name, width, scheme, str(error).splitlines()[0])
        page.wait_for_timeout(150)
        page.screenshot(path=folder / f"{name}-{width}-{scheme}.png", full_page=True)
        if page.locator("text=Leave the table").count():
            page.locator("text=Leave the table").click()
            page.wait_for_timeout(100)
        context.close()


def main() -> None:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as data, served(Path(data)) as place, browsing() as browser:
        for game in GAMES:
            place.do(play(place.house, game, 30))
        pictures(place, browser, folder, set(sys.argv[2:]))


if __name__ == "__main__":
    main()
