"""Signed heads of a pit: when they are signed, where they go, and receipts that hold without the house."""

import asyncio
import json
import os
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from feltlab.core.limits import STANDARD_LIMITS
from feltlab.errors import Refused, Unknown
from feltlab.games import GAMES
from feltlab.ledger import witnesses
from feltlab.ledger.heads import read_witness
from feltlab.ledger.ledger import Ledger
from feltlab.pit import history
from feltlab.pit.approvals import approve_all
from feltlab.pit.pit import PUBLIC_TIMERS, Pit, today
from feltlab.pit.verify import verify
from tests.ledger.test_signed_tip import append_event
from tests.support.browsers import open_browser
from tests.support.command_line import refusal, run
from tests.support.databases import raw

TABLE = "casino-war-1"
CHECKER = Path(witnesses.__file__).parents[1] / "web" / "static" / "check_receipt.html"


async def open_pit(folder: Path, *others: Path) -> Pit:
    """A pit with one table, at which a round was played."""
    pit = Pit(folder, witnesses=others)
    await pit.start()
    await pit.decide(lambda register: approve_all(register, pit.house, GAMES.values(), today()))
    live = await pit.open_table(TABLE, GAMES["casino-war"], "house", STANDARD_LIMITS, PUBLIC_TIMERS)
    await pit.give(lambda cage: cage.plan_welcome("ann"))
    await live.act(lambda table: table.sit("ann", 0, 10_000))
    await live.act(lambda table: table.wager("ann", 0, {"primary": 500}))
    await live.act(lambda table: table.ready("ann", 0))
    if live.table.turn is not None:
        await live.act(lambda table: table.choose("ann", 0, "surrender"))
    return pit


async def test_an_act_of_staff_is_signed_at_once_and_every_witness_has_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(witnesses, "HEAD_SECONDS", 3600.0)
    other = tmp_path / "other.jsonl"
    pit = await open_pit(tmp_path / "pit", other)
    await pit.table(TABLE).act(lambda table: table.close("sue", "the shift ends"))
    closed = pit.ledger.last_sequence()
    async with asyncio.timeout(30):
        while not pit.heads.last or pit.heads.last.size < closed:
            await asyncio.sleep(0.01)
    await pit.stop()
    assert other.read_bytes() == (tmp_path / "pit" / "heads.jsonl").read_bytes()
    with Ledger.open(tmp_path / "pit" / "ledger.sqlite", writer=False) as ledger:
        report = verify(ledger, heads=read_witness(other))
    assert report.witnessed > closed  # the stop is under the last head too
    assert not [problem for problem in report.problems if "witness" in str(problem)]


async def test_a_witness_that_was_away_gets_the_heads_that_it_lacks(tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    pit = await open_pit(tmp_path / "pit", tmp_path / "disk" / "heads.jsonl")
    (tmp_path / "disk").rename(tmp_path / "away")
    await pit.table(TABLE).act(lambda table: table.close("house"))
    pit.heads.sign()
    assert "cannot be written" in pit.heads.troubles[tmp_path / "disk" / "heads.jsonl"]
    (tmp_path / "away").rename(tmp_path / "disk")
    await pit.stop()
    assert not any(pit.heads.troubles.values())
    whole = (tmp_path / "pit" / "heads.jsonl").read_bytes()
    assert (tmp_path / "disk" / "heads.jsonl").read_bytes() == whole


async def test_a_torn_line_is_ended_before_the_next_head(tmp_path: Path) -> None:
    pit = await open_pit(tmp_path)
    await pit.stop()
    heads = tmp_path / "heads.jsonl"
    heads.write_bytes(heads.read_bytes()[:-40])
    before = len(read_witness(heads))
    pit = await open_pit_again(tmp_path)
    await pit.stop()
    assert len(read_witness(heads)) > before


async def test_a_ledger_that_was_put_back_is_on_record_at_the_next_start(tmp_path: Path) -> None:
    pit = await open_pit(tmp_path)
    await pit.stop()
    old = (tmp_path / "ledger.sqlite").read_bytes()
    pit = await open_pit_again(tmp_path)
    await pit.stop()
    assert not list(pit.ledger.events("house", kinds=("rolled-back",)))
    (tmp_path / "ledger.sqlite").write_bytes(old)
    pit = await open_pit_again(tmp_path)
    await pit.stop()
    (event,) = pit.ledger.events("house", kinds=("rolled-back",))
    assert "events are gone" in event.data["why"]


async def open_pit_again(folder: Path) -> Pit:
    pit = Pit(folder)
    await pit.start()
    return pit


def test_a_witness_that_cannot_be_written_is_refused_at_the_start(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="cannot be written"):
        Pit(tmp_path / "one", witnesses=[tmp_path / "missing" / "heads.jsonl"])
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(Refused, match="not an ordinary file"):
        Pit(tmp_path / "two", witnesses=[tmp_path / "pipe"])


# -- Receipts ---------------------------------------------------------------------------------------


def holds(receipt: dict[str, Any]) -> bool:
    """Check a receipt by nothing but SHA-256, Ed25519 and the text of RFC 6962."""
    digest = receipt["before"]
    for text in receipt["events"]:
        digest = sha256(f'["{digest}",{text[1:]}'.encode()).hexdigest()
    head, index = receipt["head"], receipt["sequence"] - 1
    node, last = sha256(b"\0" + bytes.fromhex(digest)).digest(), head["size"] - 1
    for sibling in map(bytes.fromhex, receipt["path"]):
        if index % 2 or index == last:
            node = sha256(b"\1" + sibling + node).digest()
            while index and index % 2 == 0:
                index, last = index // 2, last // 2
        else:
            node = sha256(b"\1" + node + sibling).digest()
        index, last = index // 2, last // 2
    message = json.dumps(["feltlab head", head["size"], head["root"], head["at"]], separators=(",", ":"))
    public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(head["key"]))
    public.verify(bytes.fromhex(head["signature"]), message.encode())
    return node.hex() == head["root"]


async def test_a_receipt_holds_in_python_and_in_the_offline_page(tmp_path: Path) -> None:
    pit = await open_pit(tmp_path)
    receipt = json.loads(json.dumps(history.write_receipt(pit.heads, TABLE, 1)))
    with pytest.raises(Unknown, match="finished no round 2"):
        history.write_receipt(pit.heads, TABLE, 2)
    await pit.stop()
    assert holds(receipt)
    kinds = [json.loads(text)[2] for text in receipt["events"]]
    assert kinds[0] == "standing"
    assert kinds[-1] == "settled"
    forged = receipt | {"events": [text.replace("500", "600") for text in receipt["events"]]}
    assert forged != receipt
    assert not holds(forged)
    found = await asyncio.to_thread(check_in_browser, [receipt, forged], receipt["head"]["key"])
    assert [verdict for verdict, _ in found] == ["This receipt holds.", "This receipt does not hold."]


def check_in_browser(receipts: list[dict[str, Any]], key: str) -> list[tuple[str, str]]:
    """The verdict and the steps of the offline page about each receipt."""
    with open_browser() as browser:
        page = browser.new_page(offline=True)
        page.goto(CHECKER.as_uri())
        found = []
        for receipt in receipts:
            page.fill("#key", key)
            page.fill("#text", json.dumps(receipt))
            page.click("#check")
            page.wait_for_function("document.querySelector('#steps').children.length >= 4")
            found.append((page.inner_text("#verdict"), page.inner_text("#steps")))
        return found


# -- The signed end ---------------------------------------------------------------------------------


def append_by_hand(folder: Path) -> None:
    """Give somebody money while no server runs; every digest fits."""
    with raw(str(folder / "ledger.sqlite")) as connection:
        append_event(connection, "cage", "issued", '{"account":"mal","cents":100000,"why":"welcome"}')


async def test_a_pit_does_not_go_on_with_events_that_no_server_signed(tmp_path: Path) -> None:
    pit = await open_pit(tmp_path)
    await pit.stop()
    append_by_hand(tmp_path)
    words = ("ledger", "verify", "--fast", "--data", str(tmp_path))
    done = run(*words)
    assert done.exit_code == 3
    assert "the last event was not signed" in done.output
    with pytest.raises(Refused, match="the last event was not signed, after event"):
        Pit(tmp_path)
    assert "was not signed" in refusal("accounts", "code", "regulator", "--data", str(tmp_path))
    pit = Pit(tmp_path, accepts_unsigned=True)
    await pit.start()
    await pit.stop()
    assert "the ledger was accepted as it was: the last event was not signed" in run(*words).output
    pit = await open_pit_again(tmp_path)
    await pit.stop()
