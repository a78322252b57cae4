"""The first page stays small: compressed answers, and a short list of tables for each game."""

import gzip
import re
from urllib.parse import urljoin

import pytest
from starlette.datastructures import Headers

from feltlab.core.limits import STANDARD_LIMITS
from feltlab.games import GAMES
from feltlab.pit.seats import Timers
from feltlab.web.compression import accepts_gzip
from feltlab.web.page import STATIC, static_address
from feltlab.web.pages.lobby import MAX_TABLES_LISTED
from tests.support.pages import open_house

TABLES = 9  # of one game
OTHER_TABLES = 100  # besides one of each game
MAX_BYTES, MAX_FONT_BYTES = 100_000, 60_000  # of the first page
# What a page names: its files in HTML, the modules of a script, the pictures and fonts of a style.
NAMED = re.compile(r"""(?:src|href)="(/static/[^"]+)"|from "(\.[^"]+)"|url\("?([^")#]+)"?\)""")


@pytest.fixture
async def house(tmp_path):
    async with open_house(tmp_path) as house:
        yield house


async def test_a_game_with_many_tables_lists_the_busiest_and_links_to_all(house):
    game = GAMES["casino-war"]
    for n in range(2, TABLES + 1):
        await house.pit.open_table(f"casino-war-{n}", game, "house", STANDARD_LIMITS, Timers())
    guest, player = await house.guest(), await house.visitor()
    assert (await guest.at("casino-war-9", "sit", seat=1, cents=10_000)).status_code == 200
    (listed,) = [one for one in (await player.get("/index.json")).json()["games"] if one["name"] == game.name]
    assert listed["table_count"] == TABLES
    assert len(listed["tables"]) == MAX_TABLES_LISTED
    assert listed["tables"][-1]["table"] == "casino-war-9"  # somebody sits there
    assert f"All {TABLES} tables" in (await player.get("/")).text
    page = (await player.get("/tables")).text
    assert all(f'href="/tables/casino-war-{n}"' in page for n in range(1, TABLES + 1))


async def test_the_lobby_and_text_files_are_compressed_if_the_client_takes_that(house):
    nobody = await house.visitor()
    for address in ("/", "/tables", static_address("css/style.css"), static_address("js/lobby.js")):
        small = await nobody.get(address, headers={"accept-encoding": "br, gzip"})
        plain = await nobody.get(address, headers={"accept-encoding": "identity"})
        assert small.headers["content-encoding"] == "gzip"
        assert "content-encoding" not in plain.headers
        assert small.headers["vary"] == plain.headers["vary"] == "accept-encoding"
        assert small.content == plain.content  # the client unpacks it
        assert int(small.headers["content-length"]) < len(plain.content) / 2
    style = (STATIC / "css/style.css").read_bytes()
    assert int((await nobody.get(static_address("css/style.css"))).headers["content-length"]) <= len(
        gzip.compress(style, 9)
    )


async def test_pages_of_one_visitor_and_fonts_are_sent_as_they_are(house):
    nobody = await house.visitor()
    for address in ("/tables/casino-war-1", "/hands", static_address("fonts/figtree.woff2")):
        answer = await nobody.get(address, headers={"accept-encoding": "gzip"})
        assert "content-encoding" not in answer.headers


async def test_a_compressed_file_that_has_not_changed_is_not_sent_again(house):
    nobody = await house.visitor()
    address = static_address("css/style.css")
    tag = (await nobody.get(address)).headers["etag"]
    assert (await nobody.get(address, headers={"if-none-match": tag})).status_code == 304


@pytest.mark.parametrize(
    ("offered", "taken"), [("gzip", True), ("br;q=1.0, GZIP;q=0.5", True), ("gzip; q=0", False), ("", False)]
)
def test_a_client_takes_gzip_if_it_says_so(offered, taken):
    assert accepts_gzip(Headers({"accept-encoding": offered})) is taken


async def load_with_files(visitor, address):
    """The bytes of a page as they travel, and of every file that it names, by address."""
    sizes, waiting = {}, [address]
    while waiting:
        found = waiting.pop()
        if found in sizes:
            continue
        answer = await visitor.get(found, headers={"accept-encoding": "gzip"})
        assert answer.status_code == 200, found
        sizes[found] = int(answer.headers["content-length"])
        if not found.endswith((".woff2", ".svg")):
            waiting += [urljoin(found, next(filter(None, names))) for names in NAMED.findall(answer.text)]
    return sizes


async def test_the_first_page_of_a_large_house_is_small(house):
    """Every pattern of a felt is counted, though a browser loads only those that it draws."""
    games = list(GAMES.values())
    for n in range(OTHER_TABLES):
        game = games[n % len(games)]
        await house.pit.open_table(f"{game.name}-more-{n}", game, "house", STANDARD_LIMITS, Timers())
    visitor = await house.visitor()
    tables = [one["table_count"] for one in (await visitor.get("/index.json")).json()["games"]]
    assert sum(tables) == OTHER_TABLES + len(GAMES)
    sizes = await load_with_files(visitor, "/")
    fonts = {name for name in sizes if name.endswith(".woff2")}
    kinds = {name.rpartition(".")[2] for name in sizes}
    assert kinds >= {"css", "js", "woff2", "/"}
    assert sum(sizes[name] for name in sizes.keys() - fonts) < MAX_BYTES
    assert sum(sizes[name] for name in fonts) < MAX_FONT_BYTES
