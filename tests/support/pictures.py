"""Screenshots of every page, at three widths in light and dark, for a person to look at.

python -m tests.support.pictures FOLDER [NAME ...]
"""

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from feltlab.games import GAMES
from feltlab.pit.roles import Role
from tests.support.browsers import open_browser
from tests.support.pages import Served, play, serve_house, sign_in

WIDTHS = {390: 844, 820: 1180, 1440: 900}
SCHEMES = ("light", "dark")
WAR = "casino-war"
PROOF_MILLISECONDS = 120_000


def show_page(path: str, wait: str = "main") -> Callable[[Any], None]:
    def open(page: Any) -> None:
        page.goto(path)
        page.wait_for_selector(wait, timeout=PROOF_MILLISECONDS)

    return open


def show_seat(game: str, query: str = "") -> Callable[[Any], None]:
    """A seat is taken and a wager placed."""

    def open(page: Any) -> None:
        show_page(f"/tables/{game}-1{query}", "body[data-ready]")(page)
        page.locator("#seats .take").nth(2).click()
        page.wait_for_selector("#own:not([hidden])")
        for spot in page.locator("button.spot").all()[: GAMES[game].rules.GAMES_PER_HAND]:
            spot.click()

    return open


def show_choice(game: str, query: str = "") -> Callable[[Any], None]:
    """A choice is open, unless the cards decide eight rounds at once."""

    def open(page: Any) -> None:
        show_seat(game, query)(page)
        for _ in range(8):
            page.locator("[data-bet=Deal]").click()
            page.wait_for_timeout(600)
            if page.locator("#choices button:enabled").count():
                page.wait_for_timeout(2500 if query else 100)
                return
            page.locator("[data-bet=Rebet]").click()

    return open


def show_result(game: str) -> Callable[[Any], None]:
    """A round has ended."""

    def open(page: Any) -> None:
        show_choice(game)(page)
        for _ in range(8):
            if not page.locator("#choices button:enabled").count():
                break
            page.locator("#choices button:enabled").last.click()
            page.wait_for_timeout(300)

    return open


VISITOR = {
    "lobby": show_page("/"),
    **{f"empty-{game}": show_page(f"/tables/{game}-1", "body[data-ready]") for game in (WAR,)},
    **{f"bets-{game}": show_seat(game) for game in GAMES},
    **{f"choice-{game}": show_choice(game) for game in GAMES},
    **{f"result-{game}": show_result(game) for game in GAMES},
    "hint": show_choice("triple-shot-bonus", "?coach=hint"),
    "rules": show_page(f"/rules/{WAR}"),
    "round": show_page(f"/tables/{WAR}-1/rounds/1"),
    "sign-in": show_page("/sign-in"),
    "register": show_page("/register"),
    "missing": show_page("/nowhere"),
    "lab": show_page("/lab", "table.known"),
    **{f"lab-{game}": show_page(f"/lab/{game}", "svg") for game in GAMES},
    "findings": show_page("/lab/triple-shot-bonus/findings", ".report"),
    "design": show_page("/lab/casino-war/design"),
}
STAFF = {
    "floor": show_page("/floor"),
    "floor-table": show_page(f"/floor/tables/{WAR}-1"),
    "floor-irregularities": show_page(f"/floor/tables/{WAR}-1/irregularities?round=1"),
    "floor-deal": show_page("/floor/deal"),
    "floor-open": show_page("/floor/open"),
    "floor-approvals": show_page("/floor/approvals"),
    "floor-accounts": show_page("/floor/accounts"),
    "floor-events": show_page("/floor/events"),
    "floor-ledger": show_page("/floor/ledger"),
    "floor-requests": show_page("/floor/requests"),
    "account": show_page("/account"),
}


def pictures(place: Served, browser: Any, folder: Path, wanted: set[str]) -> None:
    for width, height in WIDTHS.items():
        for scheme in SCHEMES:
            for staff, pages in ((False, VISITOR), (True, STAFF)):
                named = {name: show for name, show in pages.items() if not wanted or name in wanted}
                take_pictures(place, browser, folder, (width, height, scheme), named, staff)


def take_pictures(
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
    with tempfile.TemporaryDirectory() as data, serve_house(Path(data)) as place, open_browser() as browser:
        for game in GAMES:
            place.do(play(place.house, game, 30))
        pictures(place, browser, folder, set(sys.argv[2:]))


if __name__ == "__main__":
    main()
