"""The records of the trainer: the later one counts, sizes are limited, old files make room."""

import os

import pytest

from feltlab.errors import Refused
from feltlab.pit.players import training_records
from feltlab.pit.players.training_records import MAX_GAME_BYTES, TrainingRecords

GAME, OTHER = "casino-war", "rabbit-hunter"


@pytest.fixture
def records(tmp_path):
    return TrainingRecords(tmp_path / "training")


def test_the_later_record_of_a_game_counts_and_survives_a_restart(records, tmp_path):
    assert records.load("ann") == {}
    records.save("ann", GAME, 200, {"count": 2})
    assert records.save("ann", GAME, 100, {"count": 1}) == {"at": 200, "stored": {"count": 2}}
    records.save("ann", OTHER, 50, {"count": 9})
    again = TrainingRecords(tmp_path / "training")
    assert again.load("ann") == {
        GAME: {"at": 200, "stored": {"count": 2}},
        OTHER: {"at": 50, "stored": {"count": 9}},
    }
    assert again.load("bob") == {}


def test_a_record_from_the_future_does_not_stay_for_ever(records):
    kept = records.save("ann", GAME, 2**53, {"count": 1})
    assert kept["at"] < 2**53
    assert records.save("ann", GAME, 2**53, {"count": 2})["stored"] == {"count": 2}


def test_a_record_that_is_too_large_is_refused_and_the_old_one_stays(records):
    records.save("ann", GAME, 1, {"count": 1})
    with pytest.raises(Refused, match="bytes that are kept"):
        records.save("ann", GAME, 2, {"words": "x" * MAX_GAME_BYTES})
    assert records.load("ann")[GAME]["stored"] == {"count": 1}


def test_a_damaged_file_counts_as_none(records, tmp_path):
    records.save("ann", GAME, 1, {"count": 1})
    (path,) = (tmp_path / "training").glob("*.json")
    path.write_bytes(b'{"casino')
    assert records.load("ann") == {}
    assert records.save("ann", GAME, 2, {"count": 2})["at"] == 2


def test_the_file_changed_longest_ago_makes_room(records, tmp_path, monkeypatch):
    monkeypatch.setattr(training_records, "MAX_FILES", 2)
    for n, account in enumerate(("ann", "bob")):
        records.save(account, GAME, 1, {"count": n})
        os.utime(max((tmp_path / "training").glob("*.json"), key=os.path.getmtime), (n + 1, n + 1))
    records.save("cid", GAME, 1, {"count": 3})
    assert [bool(records.load(account)) for account in ("ann", "bob", "cid")] == [False, True, True]
