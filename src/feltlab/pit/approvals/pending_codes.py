"""One-time codes for a ledger that a server uses: a file in the pit's folder asks it to record one.

Whoever makes a code keeps it; the file has its digest only. The folder belongs to the user of the server, and
nobody else can write into it, as nobody else can read the keys beside it.
"""

import asyncio
import os
import re
import secrets
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import orjson

from feltlab.errors import Refused
from feltlab.ledger.event import HOUSE_CHAIN, Draft
from feltlab.ledger.ledger import LedgerDown
from feltlab.ledger.secret_files import load_secret, replace_secret
from feltlab.pit.accounts import Accounts
from feltlab.pit.approvals.codes import MADE, MAX_DAYS, check_first, members_of, parse_outside_role

FOLDER = "pending-codes"
WATCH_SECONDS, ANSWER_SECONDS, LOOK_SECONDS = 1.0, 30.0, 0.1
MAX_LOGIN_CHARS = 64
DIGEST = re.compile("[0-9a-f]{64}")
Note = Callable[[Draft], Awaitable[None]]


def ask_server(pit: Path, made: Draft, seconds: float = ANSWER_SECONDS) -> None:
    """Have the server that uses the ledger record a code; refuses with its reason, or without an answer."""
    folder = pit / FOLDER
    folder.mkdir(mode=0o700, exist_ok=True)
    asked = folder / f"{secrets.token_hex(16)}.asked"
    answer = asked.with_suffix(".answer")
    replace_secret(asked, orjson.dumps(made.data))
    try:
        why = _await_answer(answer, time.monotonic() + seconds)
    finally:
        asked.unlink(missing_ok=True)
        answer.unlink(missing_ok=True)
    if why:
        raise Refused(why)


def _await_answer(answer: Path, until: float) -> str:
    while time.monotonic() < until:
        with suppress(FileNotFoundError):
            return str(orjson.loads(load_secret(answer))["refused"])
        time.sleep(LOOK_SECONDS)
    return "The server that uses the ledger does not answer; is its --data folder another one?"


async def watch_codes(pit: Path, accounts: Accounts, note: Note) -> None:
    """Record the codes that files ask for, until it is cancelled."""
    while True:
        for asked in await asyncio.to_thread(_find_asked, pit / FOLDER):
            with suppress(LedgerDown, OSError):  # the next look tries again
                await _answer(asked, accounts, note)
        await asyncio.sleep(WATCH_SECONDS)


def _find_asked(folder: Path) -> list[Path]:
    """The files that ask and have no answer yet."""
    with suppress(OSError):
        if folder.stat().st_uid == os.geteuid() and not folder.stat().st_mode & 0o022:
            return [path for path in folder.glob("*.asked") if not path.with_suffix(".answer").exists()]
    return []


async def _answer(asked: Path, accounts: Accounts, note: Note) -> None:
    why = ""
    try:
        await note(await asyncio.to_thread(_read_draft, asked, accounts))
    except Refused as refused:
        why = str(refused)
    await asyncio.to_thread(replace_secret, asked.with_suffix(".answer"), orjson.dumps({"refused": why}))


def _read_draft(asked: Path, accounts: Accounts) -> Draft:
    """The event of a code that a file asks for; refuses what no `accounts code` writes."""
    try:
        data: dict[str, Any] = orjson.loads(load_secret(asked))
        role, lost = parse_outside_role(data["role"]), data.get("lost", False) is True
        ends, now = datetime.fromisoformat(data["expires"]), datetime.now(UTC)
        sound = now < ends <= now + timedelta(days=MAX_DAYS) and DIGEST.fullmatch(data["code"])
        login = str(data["login"])[:MAX_LOGIN_CHARS]
    except (ValueError, KeyError, TypeError):
        sound = None
    if not sound:
        raise Refused("The file does not ask for a code.")
    check_first(role, members_of(role, accounts.all()), lost)
    about = {"role": role.value, "code": data["code"], "expires": data["expires"], "login": login}
    return Draft(HOUSE_CHAIN, MADE, about | ({"lost": True} if lost else {}))
