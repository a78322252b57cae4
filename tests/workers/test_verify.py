"""The worker that verifies a ledger."""

import pytest

from feltlab.errors import Refused
from feltlab.ledger.database import Database
from feltlab.pit.pit import VAULT_FILE
from feltlab.workers.protocol import ask_once
from tests.support.pages import open_house, play


async def test_a_worker_reports_on_a_ledger(tmp_path):
    async with open_house(tmp_path) as house:
        await play(house, "casino-war")
        seen = []
        question = {"database": house.pit.ledger.database.address, "key": str(house.pit.folder / VAULT_FILE)}
        report = await ask_once("feltlab.workers.verify", question, seen.append)
    assert report["sound"] is True
    assert report["settled"] == 1
    assert seen
    assert all(0 <= share <= 1 for share in seen)
    assert seen == sorted(seen)


async def test_a_ledger_that_is_not_there_is_refused(tmp_path):
    question = {"database": Database.at(tmp_path / "none.sqlite").address, "key": ""}
    with pytest.raises(Refused, match="none"):
        await ask_once("feltlab.workers.verify", question)


@pytest.mark.parametrize("place", ["postgresql://felt:it%40s@db.example:54/pit", "sqlite:////tmp/a b.sqlite"])
def test_an_address_opens_the_same_database(place):
    database = Database.at(place)
    assert Database.at(database.address) == database
