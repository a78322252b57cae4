"""A process of its own that writes a ledger: it does what the thread does, and its end loses nothing."""

import asyncio
import errno
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from functools import partial

import orjson
import pytest

from feltlab.errors import Refused
from feltlab.ledger.chains import verify_chains
from feltlab.ledger.database import LedgerDown, Unreachable
from feltlab.ledger.event import (
    PAYER,
    Assessment,
    Draft,
    Entry,
    EventRemoval,
    IndexPart,
    Key,
    LastSeen,
    Mention,
    MentionKey,
)
from feltlab.ledger.ledger import Ledger
from feltlab.ledger.signed_tip import TipSigner
from feltlab.ledger.terms import InUse
from feltlab.ledger.writing import writer_process
from feltlab.ledger.writing.lines import PIPE_BYTES, write_line
from feltlab.ledger.writing.packing import pack_failure, unpack_entry, unpack_failure
from feltlab.ledger.writing.pending import settle_future
from feltlab.ledger.writing.transaction import Overtaken, Repeated
from feltlab.ledger.writing.writer_process import ENDED, WriterProcess

MENTION = Mention("ann", 1, "casino-war", -250)
ONE = Entry((Draft("one", "wagered", {"seat": 3, "cents": 2500}, 7, (MENTION,)),))
PATIENCE_SECONDS = 20.0


def note(text, chain="one"):
    return Entry((Draft(chain, "noted", {"text": text}),))


def open_ledger(folder, **options):
    return Ledger.open(folder / "ledger.sqlite", has_process=True, signer=TipSigner(folder), **options)


def write(ledger, entry):
    future = asyncio.get_running_loop().create_future()
    ledger.write(entry, partial(settle_future, future))
    return future


@pytest.fixture
def ledger(tmp_path):
    with open_ledger(tmp_path) as opened:
        yield opened


def process_of(ledger):
    assert isinstance(ledger.writer, WriterProcess)
    return ledger.writer.process


def wait_until(holds):
    ends = time.monotonic() + PATIENCE_SECONDS
    while not holds():
        assert time.monotonic() < ends
        time.sleep(0.01)


def is_running(process):
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    with open(f"/proc/{process}/stat") as file:  # a dead child of another process may not be collected yet
        return file.read().rpartition(")")[2].split()[0] != "Z"


# -- Messages ---------------------------------------------------------------------------------------

EVERYTHING = Entry(
    (
        Draft(
            "one", "wagered", {"text": "ä\n\u2028\0", "cents": [1, 2.5, None], "deep": {"b": 1, "a": 2}}, 3
        ),
        Draft("cage", "to-table", {"cents": 5}, 0, (MENTION, MENTION._replace(account="bob"))),
    ),
    sealed={"one/1": b"gAAA=="},
    unsealed=("one/0",),
    key=Key("ann", "first", "b" * 64),
    seen=(LastSeen("one", 4), LastSeen("house", 9, ("limits-set",))),
    assessments=(Assessment(MentionKey("ann", 12, 1), "judged", 1.25, 0.5, 3, 1, "{}"),),
    indexed=IndexPart(((MENTION, 5, "one", 2, "2026-01-01"),), True),
    passwords={"ann": "$argon2id$"},
    resealed={"one/2": bytes(range(256))},
    removal=EventRemoval(
        2048, (("one", 40, ()), ("cage", 7, ("issued",))), (bytes(range(32)),), {"sound": True}
    ),
)


@pytest.mark.parametrize("entry", [EVERYTHING, ONE, Entry(())])
def test_an_entry_arrives_as_it_was(entry):
    line = write_line(entry)
    assert line.count(b"\n") == 1
    assert unpack_entry(orjson.loads(line)[0]) == replace(entry, claims=[], releases=[])


@pytest.mark.parametrize(
    "failure",
    [
        LedgerDown("It is full; nothing was accepted."),
        Overtaken("table-1"),
        Repeated("c" * 64, 12),
        Refused("No."),
        InUse("x is in use."),
        Unreachable("x is gone."),
    ],
)
def test_a_failure_arrives_as_it_was(failure):
    arrived = unpack_failure(orjson.loads(orjson.dumps(pack_failure(failure))))
    assert (type(arrived), str(arrived), vars(arrived)) == (type(failure), str(failure), vars(failure))
    assert unpack_failure(pack_failure(None)) is None


def test_a_mistake_in_an_entry_arrives_as_one():
    mistake = UnicodeEncodeError("ascii", "ä", 0, 1, "ordinal not in range")
    arrived = unpack_failure(pack_failure(mistake))
    assert isinstance(arrived, ValueError)
    assert str(arrived) == str(mistake)
    assert isinstance(unpack_failure(pack_failure(RuntimeError("?"))), LedgerDown)


# -- Writing ----------------------------------------------------------------------------------------


def test_it_writes_what_the_thread_writes(tmp_path):
    stored = []
    for has_process in (False, True):
        folder = tmp_path / str(has_process)
        folder.mkdir()
        with Ledger.open(folder / "ledger.sqlite", has_process=has_process) as ledger:
            written = [ledger.append_blocking(entry) for entry in (ONE, note("ä"), ONE)]
            assert [event for events in written for event in events] == list(ledger.events("one"))
            assert ledger.last_moment == written[-1][0].at
            assert not list(verify_chains(ledger))
        with Ledger.open(folder / "ledger.sqlite", writer=False) as ledger:
            events = [*ledger.events("one"), *ledger.events("anchors")]
            stored.append([(event.chain, event.number, event.kind, event.round) for event in events])
            stored[-1].append([event.data for event in ledger.events("one")])
    assert stored[0] == stored[1]


async def test_entries_of_one_moment_share_a_transaction(ledger):
    written = await asyncio.gather(*(ledger.append(note(str(n))) for n in range(500)))
    assert [events[0].number for events in written] == list(range(1, 501))
    assert len({events[0].at for events in written}) < 100
    await asyncio.gather(*(write(ledger, note(str(n))) for n in range(50)))
    assert ledger.heads()["one"][0] == 550


def test_failures_come_back(ledger):
    key = Key("ann", "first", "b" * 64)
    ledger.append_blocking(replace(ONE, key=key))
    with pytest.raises(Repeated) as repeated:
        ledger.append_blocking(replace(ONE, key=key))
    assert repeated.value.request == key.request
    with pytest.raises(Overtaken, match="in one; nothing"):
        ledger.append_blocking(replace(ONE, seen=(LastSeen("one", 0),)))
    with pytest.raises(Refused, match="printable"):
        ledger.append_blocking(note("x", chain="a\nb"))
    with pytest.raises(TypeError):
        ledger.append_blocking(note(object()))
    assert ledger.append_blocking(replace(ONE, seen=(LastSeen("one", 1),)))[0].number == 2


async def test_the_payer_pays_for_what_is_written(ledger):
    class Payer:
        bytes = 0

        def charge(self, bytes):
            self.bytes += bytes

    PAYER.set(payer := Payer())
    await write(ledger, note("x" * 1000))
    assert 1000 < payer.bytes < 2000
    with pytest.raises(Overtaken):
        await write(ledger, replace(ONE, seen=(LastSeen("one", 0),)))
    assert payer.bytes < 2000


async def test_an_entry_may_be_larger_than_the_pipe(ledger):
    texts = ["x" * (3 * PIPE_BYTES), "y" * PIPE_BYTES, "z"]
    await asyncio.gather(*(write(ledger, note(text)) for text in texts))
    assert [event.data["text"] for event in ledger.events("one")] == texts


async def test_nobody_waits_to_send_while_the_process_is_stopped(ledger):
    os.kill(process_of(ledger), signal.SIGSTOP)
    try:
        start = time.monotonic()
        writing = [write(ledger, note("x" * 10_000)) for _ in range(500)]  # five times what the pipe takes
        assert time.monotonic() - start < 1
        await asyncio.sleep(0.2)
        assert not any(future.done() for future in writing)
    finally:
        os.kill(process_of(ledger), signal.SIGCONT)
    await asyncio.gather(*writing)
    assert ledger.heads()["one"][0] == 500


async def test_too_many_waiting_entries_are_refused(ledger, monkeypatch):
    monkeypatch.setattr(writer_process, "MAX_WAITING_ENTRIES", 3)
    os.kill(process_of(ledger), signal.SIGSTOP)
    writing = [write(ledger, ONE) for _ in range(3)]
    with pytest.raises(LedgerDown, match="cannot keep up"):
        write(ledger, ONE)
    os.kill(process_of(ledger), signal.SIGCONT)
    await asyncio.gather(*writing)


def test_closing_writes_what_waits_and_ends_the_process(tmp_path):
    async def write_some(ledger):
        for n in range(40):
            write(ledger, note(str(n)))

    ledger = open_ledger(tmp_path)
    process = process_of(ledger)
    asyncio.run(write_some(ledger))  # its event loop is gone before the last answers
    ledger.close()
    ledger.close()
    assert not is_running(process)
    with pytest.raises(LedgerDown, match="closed"):
        ledger.append_blocking(ONE)
    with Ledger.open(tmp_path / "ledger.sqlite", writer=False) as read:
        assert read.heads()["one"][0] == 40
        assert not list(verify_chains(read))


# -- Opening ----------------------------------------------------------------------------------------


def test_a_ledger_in_use_is_refused_in_the_same_words(ledger, tmp_path):
    said = []
    for has_process in (False, True):
        with pytest.raises(InUse) as refused:
            Ledger.open(tmp_path / "ledger.sqlite", has_process=has_process)
        said.append(str(refused.value))
    assert said[0] == said[1]


def test_a_signed_ledger_without_its_key_is_refused(tmp_path):
    open_ledger(tmp_path).close()
    with pytest.raises(Refused, match="is signed"):
        Ledger.open(tmp_path / "ledger.sqlite", has_process=True)


def test_a_process_that_cannot_start_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(writer_process, "SERVICE", "feltlab.no_such_module")
    with pytest.raises(Refused, match="its process has ended"):
        open_ledger(tmp_path)


# -- The end of a process or of its server ------------------------------------------------------------


async def test_a_process_that_is_killed_is_replaced(tmp_path):
    lost = threading.Event()
    with open_ledger(tmp_path) as ledger:
        ledger.watch_term(lost.set)
        assert (await ledger.append(ONE))[0].number == 1
        first, term = process_of(ledger), ledger.term
        os.kill(first, signal.SIGSTOP)
        writing = write(ledger, note("unknown"))
        os.kill(first, signal.SIGKILL)
        with pytest.raises(LedgerDown) as down:
            await writing
        assert str(down.value) == ledger.down == ENDED
        assert lost.wait(PATIENCE_SECONDS)
        assert ledger.is_lost
        with pytest.raises(LedgerDown, match="has ended"):
            await ledger.append(ONE)

        assert ledger.renew_term() > term
        assert (ledger.is_lost, ledger.down) == (False, "")
        assert process_of(ledger) != first
        assert (await ledger.append(ONE))[0].number in (2, 3)  # the entry before it may have been accepted
        assert not list(verify_chains(ledger))


def test_renewals_at_once_start_one_process(tmp_path):
    with open_ledger(tmp_path) as ledger:
        os.kill(process_of(ledger), signal.SIGKILL)
        wait_until(lambda: ledger.is_lost)
        with ThreadPoolExecutor() as threads:
            terms = list(threads.map(lambda _: ledger.renew_term(), range(4)))
        assert len(set(terms)) == 1
        assert ledger.append_blocking(ONE)[0].number == 1
        assert not list(verify_chains(ledger))


def append_for_ever(ledger):
    while True:
        ledger.append_blocking(ONE)


def test_a_process_that_is_killed_as_it_begins_is_lost_too(tmp_path):
    with open_ledger(tmp_path) as ledger:
        for _ in range(3):
            os.kill(process_of(ledger), signal.SIGKILL)
            wait_until(lambda: ledger.is_lost)
            ledger.renew_term()
        os.kill(process_of(ledger), signal.SIGKILL)
        with pytest.raises(LedgerDown):
            append_for_ever(ledger)


def test_no_process_can_be_started(tmp_path, monkeypatch):
    def refuse(*_, **__):
        raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")

    with open_ledger(tmp_path) as ledger:
        os.kill(process_of(ledger), signal.SIGKILL)
        wait_until(lambda: ledger.is_lost)
        with monkeypatch.context() as patched:
            patched.setattr(subprocess, "Popen", refuse)
            before = len(os.listdir("/proc/self/fd"))
            for _ in range(2):
                with pytest.raises(LedgerDown, match="no process can be started"):
                    ledger.renew_term()
            assert len(os.listdir("/proc/self/fd")) == before
        ledger.renew_term()
        assert ledger.append_blocking(ONE)[0].number == 1


def test_no_module_of_the_present_folder_is_run(tmp_path, monkeypatch):
    (tmp_path / "feltlab").mkdir()
    (tmp_path / "feltlab" / "__init__.py").write_text("raise SystemExit(1)")
    monkeypatch.chdir(tmp_path)
    with open_ledger(tmp_path) as ledger:
        assert ledger.append_blocking(ONE)[0].number == 1


def test_another_server_may_come_before_the_next_process(tmp_path):
    with open_ledger(tmp_path) as ledger:
        os.kill(process_of(ledger), signal.SIGKILL)
        wait_until(lambda: ledger.is_lost)
        with Ledger.open(tmp_path / "ledger.sqlite", signer=TipSigner(tmp_path)) as other:
            with pytest.raises(LedgerDown, match="in use"):
                ledger.renew_term()
            other.append_blocking(ONE)
        ledger.renew_term()
        assert ledger.append_blocking(ONE)[0].number == 2


SERVER = """
import sys, time
from feltlab.ledger.event import Draft, Entry
from feltlab.ledger.ledger import Ledger

ledger = Ledger.open(sys.argv[1], has_process=True)
print(ledger.writer.process, flush=True)
n = 0
while True:
    n += 1
    ledger.append_blocking(Entry((Draft("one", "noted", {"n": n}),)))
    print(n, flush=True)
"""


@contextmanager
def run_server(path):
    command = [sys.executable, "-c", SERVER, str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            yield server, int(server.stdout.readline())
        finally:
            server.kill()


@pytest.mark.parametrize("victim", ["server", "both"])
def test_the_process_ends_with_a_killed_server(tmp_path, victim):
    with run_server(tmp_path / "ledger.sqlite") as (server, process):
        said = [int(server.stdout.readline()) for _ in range(20)]
        server.kill()
        if victim == "both":
            os.kill(process, signal.SIGKILL)
        said += map(int, server.stdout.read().split())
    wait_until(lambda: not is_running(process))
    with Ledger.open(tmp_path / "ledger.sqlite") as ledger:
        assert [event.data["n"] for event in ledger.events("one")][: len(said)] == said
        assert ledger.heads()["one"][0] - len(said) in (0, 1)
        assert not list(verify_chains(ledger))


def test_signals_for_the_server_do_not_end_the_process(ledger):
    """A service manager sends SIGTERM to all processes of a service, and the server may still be writing."""
    os.kill(process_of(ledger), signal.SIGTERM)
    assert ledger.append_blocking(ONE)[0].number == 1
    assert os.getpgid(process_of(ledger)) != os.getpgrp()  # of an interrupt at the terminal
