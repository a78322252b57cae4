"""A server that stands by accepts nothing, and says where the server at work is."""

from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
from starlette.responses import PlainTextResponse

from feltlab.ledger.ledger import Ledger
from feltlab.pit.pit import Pit
from feltlab.server.network import Network
from feltlab.web.entrance import AT_WORK, WRITER_ENDED, Entrance

PAGE = {"Accept": "text/html"}
SENTENCE = AT_WORK[1]


@pytest.fixture
async def pit(tmp_path: Path) -> AsyncIterator[Pit]:
    pit = Pit(tmp_path, address="https://a.felt.example/")
    await pit.start()
    yield pit
    await pit.stop()


def client_of(entrance: Entrance) -> httpx.AsyncClient:
    return httpx.AsyncClient(transport=httpx.ASGITransport(entrance), base_url="http://127.0.0.1")


def entrance_of(pit: Pit) -> Entrance:
    return Entrance(str(pit.folder / "ledger.sqlite"), Network(), "")


async def test_a_program_is_refused_and_a_page_is_sent_to_the_server_at_work(pit: Pit) -> None:
    async with client_of(entrance_of(pit)) as client:
        for method, path in (("GET", "/api/health"), ("POST", "/api/session/guest"), ("GET", "/index.json")):
            found = await client.request(method, path)
            assert found.status_code == 503
            assert found.json() == {"error": f"{SENTENCE} It is at https://a.felt.example/."}
            assert found.headers["retry-after"] == "2"
        found = await client.get("/tables/war?invite=x", headers=PAGE)
        assert found.status_code == 307
        assert found.headers["location"] == "https://a.felt.example/tables/war?invite=x"


async def test_without_an_address_a_page_says_what_happens(pit: Pit, tmp_path: Path) -> None:
    Ledger.open(tmp_path / "other").close()
    async with client_of(Entrance(str(tmp_path / "other"), Network(), "")) as client:
        found = await client.get("/", headers=PAGE)
        assert found.status_code == 503
        assert SENTENCE in found.text
        style = found.text.partition('rel="stylesheet" href="')[2].partition('"')[0]
        assert (await client.get(style)).status_code == 200
        assert (await client.get("/static/x/../../../etc/passwd")).status_code in (404, 503)


async def test_the_door_opens_with_the_pit_and_closes_when_its_term_is_lost(pit: Pit) -> None:
    entrance = entrance_of(pit)
    entrance.open(pit, PlainTextResponse("The pit."))
    async with client_of(entrance) as client:
        assert (await client.get("/api/health")).text == "The pit."
        pit.is_ready = False
        assert (await client.get("/api/health")).status_code == 503


async def test_a_pit_whose_writer_has_ended_says_so(tmp_path: Path) -> None:
    pit = Pit(tmp_path, own_writer=True)
    entrance = entrance_of(pit)
    entrance.open(pit, PlainTextResponse("The pit."))
    async with client_of(entrance) as client:  # it is not ready: nothing is read yet
        found = await client.get("/", headers=PAGE)
        assert (found.status_code, WRITER_ENDED[1] in found.text) == (503, True)
        assert (await client.get("/api/health")).json() == {"error": WRITER_ENDED[1]}
    pit.ledger.close()


async def test_only_names_of_this_server_are_answered(pit: Pit) -> None:
    async with client_of(entrance_of(pit)) as client:
        assert (await client.get("/", headers={"Host": "elsewhere.example"})).status_code == 421
