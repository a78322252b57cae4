"""Keys that change: everything from before stays readable and verifiable, also after a kill in the middle."""

import asyncio
import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from feltlab.errors import Refused
from feltlab.ledger import witnesses
from feltlab.ledger.head_keys import HeadKey, KeyTrust
from feltlab.ledger.heads import read_witness, sign_head
from feltlab.ledger.ledger import Ledger
from feltlab.ledger.vault import Vault
from feltlab.ledger.witnesses import load_successions
from feltlab.pit import history
from feltlab.pit.account_book import Account
from feltlab.pit.custody.key_watch import KeyWatch
from feltlab.pit.custody.keys import KeyRing
from feltlab.pit.pit import Pit
from feltlab.pit.roles import Role
from feltlab.pit.seats import Phase
from feltlab.pit.verify import verify
from feltlab.server.sessions import Sessions, SignedOut
from tests.pit.test_backup import DECK, SHOE, open_pit, play_out
from tests.pit.test_pit_witnesses import check_in_browser
from tests.support.command_line import refusal, run
from tests.support.databases import schema


def ring_of(pit: Pit) -> KeyRing:
    return KeyRing(pit.ledger, pit.books.vault, pit.heads, lambda: None)


async def rotate(pit: Pit, name: str) -> None:
    await asyncio.to_thread(ring_of(pit).rotate, name, "house")


async def start_again(folder: Path) -> Pit:
    pit = Pit(folder)
    await pit.start()
    return pit


async def test_the_vault_has_a_new_key_and_rounds_go_on_with_their_cards(tmp_path: Path) -> None:
    pit = await open_pit(tmp_path)
    old, cards = (tmp_path / "vault.key").read_bytes(), {}
    await rotate(pit, "vault")
    assert not any(map(Vault(old).opens, pit.ledger.sealed_records()))  # a key that leaked opens nothing more
    for name in (SHOE, DECK):
        cards[name] = pit.table(name).table.current_shuffle.order
    await pit.stop()
    pit = await start_again(tmp_path)
    assert {name: pit.table(name).table.current_shuffle.order for name in cards} == cards
    for name in (SHOE, DECK):
        await play_out(pit, name)
    await pit.stop()
    with Ledger.open(tmp_path / "ledger.sqlite", writer=False) as ledger:
        assert verify(ledger).problems == []
        assert [event.data["key"] for event in ledger.events("house", kinds=("key-rotated",))] == ["vault"]


async def test_a_kill_between_the_file_and_the_entry_loses_no_card(tmp_path: Path) -> None:
    pit = await open_pit(tmp_path)
    pit.books.vault.add_key()  # and then it is killed
    await pit.stop()
    pit = await start_again(tmp_path)
    assert all(pit.table(name).table.shuffle for name in (SHOE, DECK))
    await pit.stop()


async def test_heads_of_both_keys_are_believed_and_receipts_hold(tmp_path: Path) -> None:
    pit = await open_pit(tmp_path)
    first = pit.heads.public_key
    await play_out(pit, DECK)
    old = json.loads(json.dumps(history.write_receipt(pit.heads, DECK, 1)))
    await rotate(pit, "heads")
    second = pit.heads.public_key
    new = json.loads(json.dumps(history.write_receipt(pit.heads, DECK, 1)))
    await pit.stop()
    assert (old["head"]["key"], new["head"]["key"]) == (first, second)
    for key in (first, second):  # an auditor may know either
        heads = read_witness(tmp_path / "heads.jsonl", KeyTrust([key]))
        assert {head.key for head in heads} == {first, second}
    with Ledger.open(tmp_path / "ledger.sqlite", writer=False) as ledger:
        report = verify(ledger, heads=heads)
        assert (report.problems, report.witnessed) == ([], ledger.last_sequence() - 1)  # then an anchor
    found = await asyncio.to_thread(check_in_browser, [old, new, without_link(new)], first)
    assert [verdict.split(".")[0] for verdict, _ in found] == [
        "This receipt holds",
        "This receipt holds",
        "This receipt does not hold",
    ]


def without_link(receipt: dict[str, Any]) -> dict[str, Any]:
    """A receipt whose new key signed the succession alone."""
    forged = json.loads(json.dumps(receipt))
    forged["successions"][0]["signed"] = forged["successions"][0]["accepted"]
    return forged


async def test_the_old_key_is_not_believed_after_it_handed_over(tmp_path: Path) -> None:
    pit = await open_pit(tmp_path)
    key, file = (tmp_path / "heads.key").read_bytes(), tmp_path / "heads.jsonl"
    await rotate(pit, "heads")
    await pit.stop()
    other = tmp_path / "other"
    other.mkdir()
    (other / "heads.key").write_bytes(key)
    os.chmod(other / "heads.key", 0o600)
    with Ledger.open(tmp_path / "ledger.sqlite", writer=False) as ledger:
        thief = witnesses.HeadSigner(ledger, other)
        with pytest.raises(Refused, match=r"heads\.key is an old one here"):
            thief.sign()  # the program does not sign with it, but the thief has another one
        thief._tree.catch_up()
        head = sign_head(HeadKey(other / "heads.key"), thief._tree.size, thief._tree.root)
        file.write_bytes(file.read_bytes() + head.line)
        with pytest.raises(Refused, match="a key that had been replaced"):
            read_witness(file, KeyTrust((), load_successions(ledger)))


@pytest.mark.parametrize("is_on_record", [False, True])
async def test_a_kill_in_the_middle_of_a_succession(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_on_record: bool
) -> None:
    """Before the event is on record the old key goes on; after it, the next start takes the new one."""
    pit = await open_pit(tmp_path)
    first = pit.heads.public_key
    killed = RuntimeError("killed")

    def die(*_: object) -> None:
        raise killed

    with monkeypatch.context() as patch:
        patch.setattr(witnesses, "move_next_key", die) if is_on_record else patch.setattr(
            pit.ledger, "append_blocking", die
        )
        with pytest.raises(RuntimeError, match="killed"):
            await rotate(pit, "heads")
    pit.heads.last = None
    await pit.stop()
    pit = await start_again(tmp_path)
    assert (pit.heads.public_key != first) == is_on_record
    assert not (tmp_path / "heads.key.next").exists()
    await pit.stop()
    with Ledger.open(tmp_path / "ledger.sqlite", writer=False) as ledger:
        assert verify(ledger, heads=read_witness(tmp_path / "heads.jsonl", KeyTrust([first]))).problems == []


async def test_a_lost_key_of_heads_is_on_record(tmp_path: Path) -> None:
    pit = await open_pit(tmp_path)
    first = pit.heads.public_key
    await pit.stop()
    (tmp_path / "heads.key").unlink()
    for _ in range(2):
        pit = await start_again(tmp_path)
        second = pit.heads.public_key
        await pit.stop()
    with Ledger.open(tmp_path / "ledger.sqlite", writer=False) as ledger:
        (event,) = ledger.events("house", kinds=("key-lost",))
        assert second in event.data["why"]
        with pytest.raises(Refused, match="another key"):
            read_witness(tmp_path / "heads.jsonl")
        both = read_witness(tmp_path / "heads.jsonl", KeyTrust([first, second]))
        assert verify(ledger, heads=both).problems == []


def test_sessions_of_the_key_before_stay_valid_and_older_ones_end(tmp_path: Path) -> None:
    from feltlab.pit.accounts import create_guest

    sessions = Sessions.load(tmp_path / "sessions.key", lambda _: 0)
    token = sessions.sign(sessions.issue(create_guest()))
    sessions.rotate_key()
    newer = sessions.sign(sessions.issue(create_guest()))
    again = Sessions.load(tmp_path / "sessions.key", lambda _: 0)
    assert again.read(token)
    assert again.read(newer)
    again.rotate_key()
    assert again.read(newer)
    with pytest.raises(SignedOut):
        again.read(token)


async def test_the_command_rotates_the_keys_of_a_pit_that_does_not_run(tmp_path: Path) -> None:
    pit = await open_pit(tmp_path)
    assert "in use" in refusal("ledger", "rotate-key", "vault", "--data", str(tmp_path))
    await pit.stop()
    for key in ("vault", "heads", "sessions"):
        done = run("ledger", "rotate-key", key, "--data", str(tmp_path))
        assert (done.exit_code, done.stderr) == (0, ""), done.output
    pit = await start_again(tmp_path)
    assert pit.table(DECK).table.phase != Phase.BETTING  # the round under way goes on
    await pit.stop()
    checked = run("ledger", "verify", "--data", str(tmp_path), "--witness", str(tmp_path / "heads.jsonl"))
    assert checked.exit_code == 0, checked.output
    assert "holds no keys" in refusal("ledger", "rotate-key", "vault", "--data", str(tmp_path / "none"))


# -- Another server -----------------------------------------------------------------------------------


class Follower:
    """The keys of a second server on the same database, in the same folder or in one of its own."""

    def __init__(self, url: str, folder: Path) -> None:
        self.ledger = Ledger.open(url, writer=False)
        self.vault = Vault.open(folder / "vault.key")
        self.heads = witnesses.HeadSigner(self.ledger, folder)
        self.sessions = Sessions.load(folder / "sessions.key", lambda _: 0)
        self.keys = KeyWatch(self.ledger, self.vault, self.heads.wake)
        self.keys.followers.append(self.sessions.reload_keys)
        self.keys.begin()


async def test_a_change_of_keys_reaches_another_server(tmp_path: Path, postgres: str) -> None:
    with schema(postgres) as url:
        pit = Pit(tmp_path / "a", url)
        await pit.start()
        sessions = Sessions.load(tmp_path / "a" / "sessions.key", lambda _: 0)
        shutil.copytree(tmp_path / "a", tmp_path / "b")
        same, apart = Follower(url, tmp_path / "a"), Follower(url, tmp_path / "b")
        ring = KeyRing(pit.ledger, pit.books.vault, pit.heads, sessions.rotate_key)
        for key in ("vault", "heads", "sessions"):
            await asyncio.to_thread(ring.rotate, key, "house")
        token = sessions.sign(sessions.issue(Account("ann", Role.PLAYER, False, "")))
        same.keys.follow()
        assert same.vault.unseal(pit.books.vault.seal(b"cards")) == b"cards"
        assert same.vault.fingerprint == pit.books.vault.fingerprint
        assert same.heads.sign().key == pit.heads.public_key  # it signs with the new key from then on
        assert same.sessions.read(token).account == "ann"
        apart.keys.follow()
        assert "copy its vault.key here" in apart.keys.trouble
        with pytest.raises(Refused, match=r"heads\.key is an old one here"):
            apart.heads.sign()
        with pytest.raises(SignedOut):
            apart.sessions.read(token)
        for name in ("vault.key", "heads.key", "sessions.key"):
            shutil.copy(tmp_path / "a" / name, tmp_path / "b" / name)
        apart.keys.follow()  # it goes on without a restart
        assert (apart.keys.trouble, apart.sessions.read(token).account) == ("", "ann")
        assert apart.heads.sign().key == pit.heads.public_key
        await pit.stop()
        for server in (same, apart):
            server.ledger.close()
