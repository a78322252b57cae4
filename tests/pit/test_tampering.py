"""Rewriting by an insider who has the database and the code, and computes all digests and anchors again.

A ledger of two hundred events is changed in as many ways: each kind of event in it is taken out, doubled,
changed and moved in time, and some fifty ways are named. A verification with a witness finds each, whether
the insider cannot reach the witness's file, or can and has not the key of the heads.
"""

import asyncio
import copy
import json
import shutil
import sqlite3
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from sqlalchemy import insert

from feltlab.errors import Refused
from feltlab.ledger.database import EVENTS
from feltlab.ledger.head_keys import HeadKey, KeyTrust
from feltlab.ledger.heads import SignedHead, read_witness, sign_head
from feltlab.ledger.ledger import Ledger
from feltlab.ledger.table_copies import copy_tables
from feltlab.ledger.vault import Vault
from feltlab.pit.verify import verify
from feltlab.shuffling.machine import Shuffle
from tests.support.databases import raw, schema
from tests.support.insider import Events, bind_events, read_events, rewrite_ledger, sign_tip
from tests.support.rewritings import STORIES, find
from tests.support.witnessed_pit import OTHER, QUICK, TABLE, run_witnessed_pit

Change = Callable[[Events], None]


class House(NamedTuple):
    """A pit that has closed, the files of its witness and of a player, and the public key of its heads."""

    folder: Path
    witness: Path
    receipt: Path
    key: str
    size: int  # events that the last head confirms


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> House:
    place = tmp_path_factory.mktemp("witnessed")
    folder, witness, receipt = place / "pit", place / "heads.jsonl", place / "receipt.json"
    folder.mkdir()
    asyncio.run(run_witnessed_pit(folder, witness, receipt))
    last = read_witness(witness)[-1]
    return House(folder, witness, receipt, last.key, last.size)


def read_heads(house: House, file: Path) -> list[SignedHead]:
    """The heads of a file, as `verify --witness FILE --head-key HEX` reads them."""
    return read_witness(file, KeyTrust([house.key]))


def find_problems(ledger: Path | str, heads: list[SignedHead]) -> list[str]:
    with Ledger.open(ledger, writer=False) as opened:
        return [str(problem) for problem in verify(opened, fast=True, heads=heads).problems]


def test_the_ledger_is_sound_before_anybody_changes_it(house: House) -> None:
    for file in (house.witness, house.receipt):
        assert find_problems(house.folder / "ledger.sqlite", read_heads(house, file)) == []


# -- Every kind of event ----------------------------------------------------------------------------

KINDS = {
    "house": "started stopped sides-adopted approval-drafted approval-step account-created role-changed"
    " account-disabled account-enabled password-changed signed-in sign-in-refused signed-out tip-signed",
    "cage": "issued to-table from-table standing",
    "anchors": "anchor",
    TABLE: "opened shuffled standing seated bought wagered ready no-more-bets dealt revealed settled void"
    " order",
    OTHER: "opened shuffled standing seated drill order left closed",
}
PLACES = [(chain, kind) for chain, kinds in KINDS.items() for kind in kinds.split()]


def remove(events: Events, place: int) -> None:
    del events[place]


def double(events: Events, place: int) -> None:
    events.insert(place, copy.deepcopy(events[place]))


def alter(events: Events, place: int) -> None:
    events[place]["data"] |= {"note": "as it suits me"}


def move_moment(events: Events, place: int) -> None:
    moment = datetime.fromisoformat(events[place]["at"]) + timedelta(microseconds=1)
    events[place]["at"] = moment.isoformat(timespec="microseconds")


WAYS = (remove, double, alter, move_moment)


def change_kind(chain: str, kind: str, way: Callable[[Events, int], None]) -> Change:
    """A change of the first event of a kind in a chain."""

    def change(events: Events) -> None:
        way(events, next(n for n, e in enumerate(events) if (e["chain"], e["kind"]) == (chain, kind)))

    return change


# -- Named ways -------------------------------------------------------------------------------------


def cut_half(events: Events) -> None:
    del events[len(events) // 2 :]


def cut_after_last_anchor(events: Events) -> None:
    del events[find(events, "anchor", nth=-2) + 1 :]


def cut_all_but_one(events: Events) -> None:
    del events[1:]


def cut_last_round(events: Events) -> None:
    del events[find(events, "standing", TABLE, nth=-2) :]


def swap(place: int, other: int) -> Change:
    def swap_events(events: Events) -> None:
        events[place], events[other] = events[other], events[place]

    return swap_events


def swap_chains(events: Events) -> None:
    """Neighbours of two chains in one transaction change places: no moment and no number differs."""
    place = find(events, "to-table")
    events[place - 1], events[place] = events[place], events[place - 1]


def swap_rounds(events: Events) -> None:
    first, second = (find(events, "standing", TABLE, nth=n) for n in (1, 2))
    events[first]["data"], events[second]["data"] = events[second]["data"], events[first]["data"]


def pay_more(events: Events) -> None:
    data = events[find(events, "settled", TABLE)]["data"]
    data["payments"][0][4] += 100
    data["returned"][str(data["payments"][0][0])] = data["returned"].get(str(data["payments"][0][0]), 0) + 100


def change_result(events: Events) -> None:
    data = events[find(events, "settled", TABLE)]["data"]
    data["payments"][0][2] = "won" if data["payments"][0][2] != "won" else "lost"


def change_order(events: Events) -> None:
    data = events[find(events, "order")]["data"]
    data["order"] = " ".join(reversed(data["order"].split()))


def change_commitment(events: Events) -> None:
    events[find(events, "shuffled")]["data"]["commitment"] = "00" * 32


def change_wager(events: Events) -> None:
    events[find(events, "wagered", nth=1)]["data"]["wagers"] = {"primary": 100}


def change_player(events: Events) -> None:
    for event in events:
        if event["data"].get("player") == "ann":
            event["data"]["player"] = "mal"


def insert_round(events: Events) -> None:
    first, last = find(events, "standing", TABLE), find(events, "standing", TABLE, nth=1)
    events[last:last] = copy.deepcopy(events[first:last])


def issue_money(events: Events) -> None:
    place = find(events, "issued")
    events.insert(
        place + 1, copy.deepcopy(events[place]) | {"data": events[place]["data"] | {"account": "mal"}}
    )


def make_administrator(events: Events) -> None:
    events[find(events, "account-created", nth=3)]["data"]["role"] = "administrator"


def insert_promotion(events: Events) -> None:
    place = find(events, "role-changed")
    data = events[place]["data"] | {"account": "ann", "was": "player", "role": "administrator"}
    events.insert(place, copy.deepcopy(events[place]) | {"data": data})


def insert_account(events: Events) -> None:
    place = find(events, "account-created", nth=1)
    data = events[place]["data"] | {"account": "mal", "role": "administrator"}
    events.insert(place, copy.deepcopy(events[place]) | {"data": data})


def exchange_hash_digest(events: Events) -> None:
    events[find(events, "password-changed")]["data"]["hash_digest"] = "00" * 32


def backdate_approval(events: Events) -> None:
    events[find(events, "approval-step")]["data"]["day"] = "2001-01-01"


def remove_kind(kind: str) -> Change:
    def remove_all(events: Events) -> None:
        events[:] = [event for event in events if event["kind"] != kind]

    return remove_all


def remove_table(events: Events) -> None:
    events[:] = [event for event in events if event["chain"] != OTHER]


def rename_table(events: Events) -> None:
    for event in events:
        event["chain"] = "casino-war-2" if event["chain"] == TABLE else event["chain"]


def move_all_moments(events: Events) -> None:
    for place in range(len(events)):
        move_moment(events, place)


def squeeze_moments(events: Events) -> None:
    for event in events:
        event["at"] = events[0]["at"]


def fork(events: Events) -> None:
    """Another end of the same length."""
    half = len(events) // 2
    events[half:] = [copy.deepcopy(event) for event in events[half - 1 :: -1]][: len(events) - half]


def excuse(kind: str) -> Change:
    """Cut the end off, and put an event on record that says that the ledger went back."""

    def cut_with_excuse(events: Events) -> None:
        del events[len(events) // 2 :]
        why = {"why": "The disk failed."}
        events.append(copy.deepcopy(events[-1]) | {"chain": "house", "kind": kind, "round": 0, "data": why})

    return cut_with_excuse


NAMED: tuple[Change, ...] = (
    *(swap_chains, swap_rounds, pay_more, change_result, change_order, change_commitment, change_wager),
    *(change_player, insert_round, issue_money, make_administrator, insert_promotion, insert_account),
    *(exchange_hash_digest, backdate_approval, remove_table, rename_table, move_all_moments, fork),
    *(swap(3, 4), swap(20, 60), swap(0, 100)),
    *(remove_kind(kind) for kind in ("signed-in", "drill", "started", "sign-in-refused", "void", "anchor")),
    *STORIES,
)
# These leave an earlier state behind. An insider who cuts the witness's file back too needs no signature, so
# it takes a head that somebody else kept, such as a player's receipt.
CUTS: tuple[Change, ...] = (
    *(cut_half, cut_after_last_anchor, cut_all_but_one, cut_last_round, squeeze_moments),
    *(excuse("rolled-back"), excuse("restored")),
)


def name_of(value: object) -> str:
    return getattr(value, "__qualname__", str(value)).replace(".<locals>", "")


def list_rewritings() -> dict[str, Change]:
    """Every kind of rewriting by its name."""
    every = [(place, way) for place in PLACES for way in WAYS if (way, place[0]) != (alter, "anchors")]
    kinds = {f"{way.__name__}-{'-'.join(place)}": change_kind(*place, way) for place, way in every}
    return kinds | {f"{name_of(change)}-{n}": change for n, change in enumerate(NAMED)}


REWRITINGS = list_rewritings()
AT_RANDOM = {(TABLE, kind) for kind in ("choosing", "chose", "paid")}  # only after a tie


def test_every_kind_of_event_is_rewritten_in_more_than_130_ways(house: House) -> None:
    assert len(REWRITINGS) + len(CUTS) + len(STATEMENTS) > 130
    found = {(event["chain"], event["kind"]) for event in read_events(house.folder)}
    assert found - AT_RANDOM == set(PLACES)


@pytest.mark.parametrize("name", REWRITINGS)
def test_a_witness_exposes_every_rewriting(house: House, tmp_path: Path, name: str) -> None:
    forged = rewrite_ledger(house.folder, tmp_path, REWRITINGS[name])
    heads = read_heads(house, house.witness)
    assert any("The witness" in problem for problem in find_problems(forged, heads))
    # An insider without the key can only take heads out of the witness's file: those that would not fit.
    kept = heads_that_fit(house, forged, heads)
    assert len(kept) < len(heads)
    assert find_problems(forged, kept) if kept else True  # a file without heads is refused


@pytest.mark.parametrize("change", CUTS, ids=name_of)
def test_a_witness_or_a_receipt_exposes_every_cut(house: House, tmp_path: Path, change: Change) -> None:
    forged = rewrite_ledger(house.folder, tmp_path, change)
    for file in (house.witness, house.receipt):
        found = find_problems(forged, read_heads(house, file))
        assert any("The witness" in problem for problem in found)


def heads_that_fit(house: House, forged: Path, heads: list[SignedHead]) -> list[SignedHead]:
    """The heads of events before the first one that is not as it was."""
    with (
        Ledger.open(house.folder / "ledger.sqlite", writer=False) as one,
        Ledger.open(forged, writer=False) as two,
    ):
        pairs = zip(one.digests(0), two.digests(0), strict=False)
        same = next((n for n, (a, b) in enumerate(pairs) if a != b), two.last_sequence())
    return [head for head in heads if head.size <= same]


# -- Files ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["old.sqlite", "torn.sqlite"])
def test_an_older_copy_and_a_deleted_log_are_exposed(house: House, tmp_path: Path, name: str) -> None:
    shutil.copy(house.folder / name, tmp_path / "ledger.sqlite")
    (problem,) = find_problems(tmp_path / "ledger.sqlite", read_heads(house, house.witness))
    assert "were taken out" in problem


def test_no_witness_of_an_insider_without_the_key_is_believed(house: House, tmp_path: Path) -> None:
    lines, other = house.witness.read_bytes().splitlines(), HeadKey(tmp_path / "other.key")
    first = json.loads(lines[0])
    written = [
        sign_head(other, head.size, bytes.fromhex(head.root)).line for head in read_witness(house.witness)
    ]
    forgeries: dict[str, bytes] = {
        "is empty": b"",
        "all heads are signed with another key": b"".join(written),
        "one head is signed with another key": lines[0] + b"\n" + written[1],
        "a head has another size": json.dumps(first | {"size": first["size"] + 1}).encode() + b"\n",
        "a head has another root": json.dumps(first | {"root": "00" * 32}).encode() + b"\n",
        "a head has another moment": json.dumps(first | {"at": "2001"}).encode() + b"\n",
        "a head names the key, and another signed it": json.dumps(
            json.loads(written[0]) | {"key": house.key}
        ).encode()
        + b"\n",
        "no line is a head": b"\n".join(line[:40] for line in lines) + b"\n",
    }
    for content in forgeries.values():
        (tmp_path / "witness").write_bytes(content)
        with pytest.raises(Refused):
            read_heads(house, tmp_path / "witness")


HASH = QUICK.hash("a password of mine")
INSERT = "INSERT INTO events (sequence, chain, number, kind, round, at, data, digest)"
STATEMENTS = {
    "a password is exchanged": f"UPDATE accounts SET password = '{HASH}' WHERE name = 'admin'",
    "an account is added": f"INSERT INTO accounts VALUES ('mal', '{HASH}')",
    "an account is taken out": "DELETE FROM accounts WHERE name = 'sue'",
    "two accounts change passwords": "UPDATE accounts SET password ="
    " (SELECT password FROM accounts AS other WHERE other.name <> accounts.name"
    " AND other.name IN ('ann', 'sue')) WHERE name IN ('ann', 'sue')",
    "accounts have roles again": "ALTER TABLE accounts ADD COLUMN role TEXT DEFAULT 'administrator'",
    "sealed cards are taken out": "DELETE FROM vault",
    "a ledger poses as an old one": "DELETE FROM meta WHERE name = 'linked'",
    "links begin later": "UPDATE meta SET value = '50' WHERE name = 'linked'",
    "a digest is changed": "UPDATE events SET digest = upper(digest) WHERE sequence = 40",
    "a sequence is left out": "UPDATE events SET sequence = sequence + 1000 WHERE sequence > 100",
    "a number is left out": "UPDATE events SET number = number + 1000 WHERE sequence = 150",
    "data are no JSON": "UPDATE events SET data = 'x' WHERE sequence = 30",
    "data have another type": "UPDATE events SET data = NULL WHERE sequence = 30",
    "a round has another number": "UPDATE events SET round = 99 WHERE sequence = 150",
    "an event is in another chain": "UPDATE events SET chain = 'cage' WHERE sequence = 150",
    "an event is before the first": f"{INSERT}"
    " SELECT 0, 'cage', 0, 'issued', 0, at, data, digest FROM events WHERE kind = 'issued' LIMIT 1",
    "a sequence is negative": f"{INSERT}"
    " SELECT -5, 'house', 0, kind, 0, at, data, digest FROM events WHERE kind = 'account-created' LIMIT 1",
    "a name is there twice": """UPDATE events SET data = '{"cents":1,' || substr(data, 2)"""
    " WHERE kind = 'to-table'",
    "data have other spaces": "UPDATE events SET data = replace(data, ':', ': ') WHERE sequence = 30",
    "a moment is written otherwise": "UPDATE events SET at = replace(at, '+00:00', 'Z') WHERE sequence = 76",
}


@pytest.mark.parametrize("how", STATEMENTS)
def test_a_change_by_hand_is_exposed(house: House, tmp_path: Path, how: str) -> None:
    place = tmp_path / "ledger.sqlite"
    shutil.copy(house.folder / "ledger.sqlite", place)
    with sqlite3.connect(place) as database:
        for action in ("UPDATE", "DELETE", "replace"):
            database.execute(f"DROP TRIGGER events_no_{action}")
        if "data = NULL" in STATEMENTS[how]:
            database.execute("PRAGMA writable_schema = 1")
            database.execute("UPDATE sqlite_master SET sql = replace(sql, 'data TEXT NOT NULL', 'data TEXT')")
    database.close()
    with sqlite3.connect(place) as database:
        database.execute(STATEMENTS[how])
    database.close()
    assert find_problems(place, read_heads(house, house.witness))


def test_a_ledger_without_links_poses_as_an_old_one(house: House, tmp_path: Path) -> None:
    """Every digest fits again, as the first versions computed it, and so does a signature by a stolen key.

    Only a witness can tell.
    """
    place, events = tmp_path / "ledger.sqlite", read_events(house.folder)
    bind_events(events, len(events) + 1)
    shutil.copy(house.folder / "ledger.sqlite", place)
    with sqlite3.connect(place) as database:
        database.execute("DROP TRIGGER events_no_UPDATE")
        database.execute("DELETE FROM meta WHERE name = 'linked'")
        rows = [(event["digest"], _write_json(event["data"]), event["sequence"]) for event in events]
        database.executemany("UPDATE events SET digest = ?, data = ? WHERE sequence = ?", rows)
        sign_tip(database, HeadKey(house.folder / "heads.key"))
    database.close()
    assert find_problems(place, []) == []
    assert any("The witness" in found for found in find_problems(place, read_heads(house, house.witness)))


def _write_json(data: dict[str, Any]) -> str:
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


EXCHANGES = {
    "another shuffle under the name": "UPDATE vault SET sealed = :other WHERE name = :name",
    "an order of the insider's": "UPDATE vault SET sealed = :known WHERE name = :name",
    "sealed by another key": "UPDATE vault SET sealed = :foreign WHERE name = :name",
    "something else": "UPDATE vault SET sealed = :text WHERE name = :name",
}


@pytest.mark.parametrize("how", EXCHANGES)
def test_exchanged_sealed_cards_are_found_with_the_key(house: House, tmp_path: Path, how: str) -> None:
    """Without the key nobody can tell; with it, every secret shuffle is compared with its commitment."""
    place, key = tmp_path / "ledger.sqlite", house.folder / "vault.key"
    shutil.copy(house.folder / "ledger.sqlite", place)
    vault = Vault.open(key)
    with sqlite3.connect(place) as database:
        name, sealed = database.execute("SELECT name, sealed FROM vault ORDER BY name").fetchone()
        shuffle = Shuffle.from_bytes(vault.unseal(sealed))
        other = vault.seal(replace(shuffle, name="another/1").to_bytes())
        known = vault.seal(replace(shuffle, order=shuffle.order[::-1]).to_bytes())
        foreign = Vault.open(tmp_path / "other.key").seal(shuffle.to_bytes())
        values = {"name": name, "other": other, "known": known, "foreign": foreign, "text": vault.seal(b"{}")}
        database.execute(EXCHANGES[how], values)
    database.close()
    with Ledger.open(place, writer=False) as ledger:
        assert verify(ledger, fast=True).sound
        (problem,) = verify(ledger, fast=True, key=key).problems
    assert f"the sealed cards of {name}" in str(problem)
    with Ledger.open(house.folder / "ledger.sqlite", writer=False) as ledger:
        assert verify(ledger, fast=True, key=key).sound


# -- PostgreSQL -------------------------------------------------------------------------------------


@pytest.mark.parametrize("change", [swap_chains, make_administrator, pay_more, cut_half], ids=name_of)
def test_a_witness_exposes_a_rewriting_on_postgresql(house: House, postgres: Any, change: Change) -> None:
    events, heads = read_events(house.folder), read_heads(house, house.witness)
    change(events)
    bind_events(events)
    for event in events:
        event["data"] = _write_json(event["data"])
    with schema(postgres) as url:
        with (
            Ledger.open(house.folder / "ledger.sqlite", writer=False) as ledger,
            ledger.reading() as source,
            raw(url) as target,
        ):
            copy_tables(source, target)
        assert find_problems(url, heads) == []
        with raw(url) as connection:
            connection.execute(EVENTS.delete())
            connection.execute(insert(EVENTS), events)
        assert any("The witness" in problem for problem in find_problems(url, heads))
