"""The pictures of the README, taken from a real house with real proofs.

`tests/web/test_showcase.py` compares the figures on the photographed pages with the proofs.

python -m tests.support.showcase docs/images            takes all of them
python -m tests.support.showcase docs/images lab floor  takes some, with only the proofs that they need
"""

import asyncio
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any
from unittest.mock import patch

from PIL import Image

from feltlab.games import GAMES
from feltlab.pit.accounts import ADMIN
from feltlab.pit.roles import Role
from feltlab.shuffling import machine as shuffler
from feltlab.text import listing
from feltlab.workers.expectation import prove_expectation
from tests.support.browsers import open_browser
from tests.support.pages import Served, play, serve_house, sign_in
from tests.support.prepared import beginning
from tests.support.running import SECRET, Client, House

BONUS = "triple-shot-bonus"
WIDTH, HEIGHT, TALL = 1280, 800, 1000
PAGE_MILLISECONDS = 60_000  # for a page
PROOF_MILLISECONDS = 3_600_000  # for the first proof of every game
PREPARE_SECONDS = 3_600  # for rounds at every table, and the proofs of their expectations
MINE = 4  # the seat of the visitor
PEOPLE = {
    2: ("margaret", {"war": 500, "blackjack": 2500, "poker": 500}),
    6: ("augustus", {"war": 1000, "blackjack": 1000, "poker": 1000}),
}
CARDS = "9h As Qd 6c 9d 7c 8s Td"  # two each to seats 2, 4 and 6 and the dealer
LIKED = (  # choices of the guests: they fold nothing and raise little
    *("play", "war", "stand", "decline", "raise", "check", "pull"),
    *("raise-1x", "play-1x", "bet-1x"),
)
GUESTS = 10  # at each table, one after the other
ROUNDS_PER_GUEST = 8  # a round of Mississippi Stud can lose 11 units, and a guest has 90


# -- A house at work --------------------------------------------------------------------------------


async def make_player(house: House, name: str) -> Client:
    made = house.pit.accounts.create(name, SECRET, Role.PLAYER, by=ADMIN)
    await house.pit.note(*made.drafts)
    client = Client(house)
    found = await client.post("session", name=name, password=SECRET)
    return client.known(found.json()["session"], name)


async def play_everywhere(house: House, guests: int = GUESTS, games: Iterable[str] = GAMES) -> None:
    """Play rounds at the tables of these games, and prove the expected win of each."""
    for game in map(GAMES.__getitem__, games):
        house.pit.table(f"{game.name}-1").expectation, _ = await prove_expectation(game)
        for _ in range(guests):
            await play(house, game.name, ROUNDS_PER_GUEST, likes=LIKED)


async def seat_people(house: House) -> None:
    """Seat two more people at the table that is shown."""
    for seat, (name, _) in PEOPLE.items():
        person = await make_player(house, name)
        await person.at(f"{BONUS}-1", "sit", seat=seat, cents=50_000)


async def wager_for_people(house: House) -> None:
    """Put their wagers down and say that they are ready."""
    live = house.pit.table(f"{BONUS}-1")
    for seat, (name, stake) in PEOPLE.items():
        await live.act(lambda table, at=seat - 1, who=name, put=stake: table.wager(who, at, put))
        await live.act(lambda table, at=seat - 1, who=name: table.ready(who, at))


async def stand_for(house: House, seat: int) -> None:
    live = house.pit.table(f"{BONUS}-1")
    await live.act(lambda table: table.choose(PEOPLE[seat][0], seat - 1, "stand"))


# -- Pictures ---------------------------------------------------------------------------------------


@contextmanager
def page_of(place: Served, browser: Any, scheme: str, height: int) -> Iterator[Any]:
    context = browser.new_context(
        viewport={"width": WIDTH, "height": height},
        color_scheme=scheme,
        reduced_motion="reduce",
        base_url=place.address,
    )
    context.set_default_timeout(PAGE_MILLISECONDS)
    yield context.new_page()
    context.close()


def take_picture(page: Any, path: Path) -> None:
    page.evaluate("scrollTo(0, 0)")
    page.wait_for_timeout(300)
    Image.open(BytesIO(page.screenshot())).convert("RGB").save(path, optimize=True)


def lobby(page: Any, place: Served, games: Iterable[str] = GAMES) -> None:
    """The lobby, when the house edges of these games are proved."""
    page.goto("/")
    for game in games:
        page.wait_for_selector(f"#edges-{game} b", timeout=PROOF_MILLISECONDS)


def table(page: Any, place: Served) -> None:
    """A table with two other players, an open choice and the coach's hint."""
    with patch.object(shuffler, "shuffle_in_packets", lambda deck, packet: beginning(BONUS, CARDS)):
        place.do(play(place.house, BONUS))  # the shuffle for the next round is drawn at the end of one
    place.do(seat_people(place.house))
    page.goto(f"/tables/{BONUS}-1?coach=hint")
    page.wait_for_selector("body[data-ready]")
    page.locator(f"[data-seat='{MINE}'] .take").click()
    page.wait_for_selector("#own:not([hidden])")
    for spot in page.locator("button.spot").all():
        spot.click()
    page.wait_for_selector("[data-bet=Deal]:enabled")
    page.wait_for_timeout(300)
    place.do(wager_for_people(place.house))
    page.locator("[data-bet=Deal]:enabled").click()
    page.wait_for_selector("#message:has-text('Waiting for')")
    place.do(stand_for(place.house, 2))
    page.wait_for_selector(".worth")


def lab(page: Any, place: Served) -> None:
    page.goto(f"/lab/{BONUS}")
    page.wait_for_selector("#answer h2 >> text=Strategy card", timeout=PROOF_MILLISECONDS)
    page.wait_for_selector(".chart, table.chart, #answer table")
    page.wait_for_timeout(3000)


def findings(page: Any, place: Served) -> None:
    page.goto(f"/findings?game={BONUS}")
    page.wait_for_selector("text=in pictures", timeout=PROOF_MILLISECONDS)


def floor(page: Any, place: Served) -> None:
    sign_in(page, place, Role.ADMINISTRATOR)
    page.goto("/floor")


PICTURES = {"lobby": lobby, "table": table, "lab": lab, "findings": findings, "floor": floor}
PREPARED = ("floor",)  # show tables at which rounds were played
DARK, LONG = ("lab",), ("lobby",)


def main() -> None:
    folder, wanted = Path(sys.argv[1]), sys.argv[2:] or list(PICTURES)
    if unknown := [name for name in wanted if name not in PICTURES]:
        sys.exit(f"There is no picture {listing(unknown, 'or')}; there are {listing(PICTURES)}.")
    folder.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as data,
        serve_house(Path(data), proved=True) as place,
        open_browser() as browser,
    ):
        if any(name in PREPARED for name in wanted):
            asyncio.run_coroutine_threadsafe(play_everywhere(place.house), place.loop).result(PREPARE_SECONDS)
        for name in wanted:
            scheme, height = "dark" if name in DARK else "light", TALL if name in LONG else HEIGHT
            with page_of(place, browser, scheme, height) as page:
                PICTURES[name](page, place)
                take_picture(page, folder / f"{name}.png")


if __name__ == "__main__":
    main()
