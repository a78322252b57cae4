"""The five pictures of the README, taken from a house at work.

PYTHONPATH=tests python tests/web/showcase.py docs/images
"""

import asyncio
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image

from feltlab.games import GAMES
from feltlab.pit.accounts import ADMIN, Role
from feltlab.pit.meters import expectation_of
from pit.running import SECRET, Client, House
from web.browsers import browsing
from web.pages import Served, play, served, sign_in

BONUS, WAR = "triple-shot-bonus", "casino-war"
WIDTH, HEIGHT, TALL = 1280, 800, 1000
COLOURS = 192  # of a picture's palette: enough for felts, and small
PATIENCE = 180_000  # milliseconds for what is proved first
LIKED = ("play", "war", "stand")
GUESTS = 10  # at each table, one after the other: none plays until nothing is left


# -- A house at work --------------------------------------------------------------------------------


async def guest_called(house: House, name: str) -> Client:
    made = house.pit.accounts.create(name, SECRET, Role.PLAYER, by=ADMIN)
    await house.pit.note(*made.drafts)
    client = Client(house)
    found = await client.post("session", name=name, password=SECRET)
    return client.known(found.json()["session"], name)


async def played(house: House) -> None:
    """Rounds at every table, what the proofs expect of them, and people who stay."""
    for game in GAMES.values():
        house.pit.table(f"{game.name}-1").expectation, _ = await expectation_of(game)
        for _ in range(GUESTS):
            await play(house, game.name, 10, likes=LIKED)


async def seated(house: House) -> list[Client]:
    """Two more people at the table that is shown."""
    people = [await guest_called(house, name) for name in ("margaret", "augustus")]
    for seat, person in zip((2, 6), people, strict=True):
        await person.at(f"{BONUS}-1", "sit", seat=seat, cents=50_000)
    return people


async def wagers(people: list[Client], round: int) -> None:
    stakes = ({"war": 500, "blackjack": 2500, "poker": 500}, {"war": 1000, "blackjack": 1000, "poker": 1000})
    for seat, person, stake in zip((2, 6), people, stakes, strict=True):
        await person.at(f"{BONUS}-1", "wager", seat=seat, round=round, wagers=stake)
        await person.at(f"{BONUS}-1", "ready", seat=seat, round=round)


# -- Pictures ---------------------------------------------------------------------------------------


@contextmanager
def page_of(place: Served, browser: Any, scheme: str, height: int) -> Iterator[Any]:
    context = browser.new_context(
        viewport={"width": WIDTH, "height": height},
        color_scheme=scheme,
        reduced_motion="reduce",
        base_url=place.address,
    )
    context.set_default_timeout(PATIENCE)
    yield context.new_page()
    context.close()


def keep(page: Any, path: Path) -> None:
    page.evaluate("scrollTo(0, 0)")
    page.wait_for_timeout(300)
    taken = Image.open(BytesIO(page.screenshot())).convert("RGB")
    taken.quantize(COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)


def lobby(page: Any, place: Served) -> None:
    page.goto("/")
    page.wait_for_selector(f"#edges-{BONUS} b")


def table(page: Any, place: Served) -> None:
    """A choice with its hint, beside two others."""
    people = place.do(seated(place.house))
    page.goto(f"/tables/{BONUS}-1?coach=hint")
    page.wait_for_selector("body[data-ready]")
    page.locator("#seats .take >> nth=3").click()
    page.wait_for_selector("#own:not([hidden])")
    for spot in page.locator("button.spot").all():
        spot.click()
    while not page.locator(".worth").count():
        place.do(wagers(people, place.house.pit.table(f"{BONUS}-1").table.round))
        deal_or_wait(page, place, people)


def deal_or_wait(page: Any, place: Served, people: list[Client]) -> None:
    """Into the round, and on until this seat chooses or the round is over."""
    if page.locator("[data-bet=Rebet]:enabled").count():
        page.locator("[data-bet=Rebet]").click()
    page.locator("[data-bet=Deal]:enabled").click()
    live = place.house.pit.table(f"{BONUS}-1")
    while live.table.turn is not None and not page.locator("#choices button:enabled").count():
        place.do(stood(live, people))
        page.wait_for_timeout(100)
    page.wait_for_timeout(4000)


async def stood(live: Any, people: list[Client]) -> None:
    """Whoever else is in turn chooses the last that is offered."""
    turn = live.table.turn
    for seat, person in zip((1, 5), people, strict=True):
        if turn == seat:
            choice = live.table.rounds[seat].choices[-1]
            await person.at(live.table.name, "choose", seat=seat + 1, round=live.table.round, choice=choice)
    await asyncio.sleep(0)


def lab(page: Any, place: Served) -> None:
    page.goto(f"/lab/{BONUS}")
    page.wait_for_selector("#answer h2 >> text=Strategy card")
    page.wait_for_selector(".chart, table.chart, #answer table")
    page.wait_for_timeout(3000)


def findings(page: Any, place: Served) -> None:
    page.goto(f"/findings?game={BONUS}")
    page.wait_for_selector("text=in pictures")


def floor(page: Any, place: Served) -> None:
    sign_in(page, place, Role.ADMINISTRATOR)
    page.goto("/floor")


PICTURES = {"lobby": lobby, "table": table, "lab": lab, "findings": findings, "floor": floor}
DARK, LONG = ("lab",), ("table", "lobby")


def main() -> None:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    wanted = sys.argv[2:] or list(PICTURES)
    with tempfile.TemporaryDirectory() as data, served(Path(data)) as place, browsing() as browser:
        asyncio.run_coroutine_threadsafe(played(place.house), place.loop).result(600)
        for name in wanted:
            scheme, height = "dark" if name in DARK else "light", TALL if name in LONG else HEIGHT
            with page_of(place, browser, scheme, height) as page:
                PICTURES[name](page, place)
                keep(page, folder / f"{name}.png")


if __name__ == "__main__":
    main()
