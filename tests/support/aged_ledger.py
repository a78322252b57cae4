"""Old ledgers, made quickly: rounds that were really played at every table, repeated as often as is asked.

Each table is played by one guest from a fresh shuffle to another one. That is its season: the guest sits
down, plays and leaves. A repetition has another guest, its own numbers of rounds and shuffles, and the same
cards; the last shuffle of a season is the first one of the next. Every event goes through the ledger's own
writer, so digests, anchors and mentions are right, and `ledger verify` finds nothing wrong.
"""

import asyncio
import re
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import groupby, zip_longest
from pathlib import Path
from typing import Any
from unittest.mock import patch

import orjson
from sqlalchemy import select

from feltlab.core.limits import STANDARD_LIMITS
from feltlab.games import GAMES
from feltlab.ledger.database import MENTIONS
from feltlab.ledger.event import (
    ANCHOR_CHAIN,
    CAGE_CHAIN,
    HOUSE_ACTOR,
    OTHER_CHAINS,
    TIP_SIGNED,
    Draft,
    Entry,
    Event,
    Mention,
    StoredEvent,
)
from feltlab.ledger.ledger import Ledger
from feltlab.ledger.signed_tip import TipSigner
from feltlab.ledger.vault import Vault
from feltlab.ledger.witnesses import HeadSigner
from feltlab.ledger.writing import transaction
from feltlab.pit.accounts import create_guest
from feltlab.pit.approvals import approve_all
from feltlab.pit.books import Books
from feltlab.pit.cage import WELCOME_CENTS, Cage
from feltlab.pit.live_table import LiveTable
from feltlab.pit.pit import Pit, today
from feltlab.pit.recovery import shuffle_from_event
from feltlab.pit.seats import Phase, Timers
from feltlab.shuffling.machine import Shuffle

KEY_FILES = ("vault.key", "heads.key", "invitations.key", "sessions.key")
ROUNDS_A_SEASON = 20  # at least
LOW_CENTS = 20_000  # a guest with less leaves
STEPS_AT_ONCE = 100  # rounds of a transaction; PostgreSQL ends one that is idle for five seconds
GrowingText = tuple[str | tuple[int, int], ...]  # parts of a text: itself, or a number and its growth


@dataclass(frozen=True)
class OldEvent:
    """An event of a season, to be repeated."""

    stored: StoredEvent
    data: dict[str, Any]
    mentions: tuple[Mention, ...]
    text: GrowingText = ()


@dataclass(frozen=True)
class Season:
    """The events of one table from the sitting down of a guest to the leaving, and what each adds."""

    table: str
    guest: str
    events: tuple[OldEvent, ...]
    rounds: int
    shuffles: int
    order: dict[str, Any]  # the event that showed the first shuffle


@dataclass(frozen=True)
class Aged:
    """An old ledger: its folder, its rounds, and one of its guests with a round of each table."""

    folder: Path
    rounds: int
    guest: str
    tables: tuple[str, ...]
    database: str = ""  # if it is not in the folder


# -- Playing ------------------------------------------------------------------------------------------


async def play_seasons(folder: Path, tables: int) -> int:
    """Open tables and play a season at each; the last sequence before the play."""
    pit = Pit(folder)
    await pit.start()
    await pit.decide(lambda register: approve_all(register, pit.house, GAMES.values(), today()))
    games = list(GAMES.values())
    for n in range(tables):
        name, game = f"{games[n % len(games)].name}-{n // len(games) + 1}", games[n % len(games)]
        await pit.open_table(name, game, HOUSE_ACTOR, STANDARD_LIMITS, Timers())
    before = pit.ledger.last_sequence()
    for live in pit.public_tables:
        await play_season(pit.books, live)
    await pit.stop()
    return before


async def play_season(books: Books, live: LiveTable) -> None:
    """Seat a guest with the welcome, play until the cards are fresh and the guest has had enough, leave."""
    guest = create_guest().name
    await books.issue(lambda cage: cage.plan_welcome(guest))
    await live.act(lambda table: table.sit(guest, 0, WELCOME_CENTS))
    wagers = {spot.name: STANDARD_LIMITS.minimum for spot in live.table.game.wagers}
    while not is_season_over(live):
        await live.act(lambda table: table.wager(guest, 0, wagers))
        await live.act(lambda table: table.ready(guest, 0))
        while live.table.phase == Phase.CHOOSING:
            await live.act(lambda table: table.choose(guest, 0, table.rounds[0].choices[0]))
    await live.act(lambda table: table.leave(guest, 0))


def is_season_over(live: LiveTable) -> bool:
    table = live.table
    is_enough = table.meters.rounds >= ROUNDS_A_SEASON or table.place(0).bankroll < LOW_CENTS
    return is_enough and table.used == 0


# -- Reading ------------------------------------------------------------------------------------------


def read_season(ledger: Ledger, table: str, before: int) -> Season:
    stored = list(ledger.stored_events(chain=table))
    opening = [orjson.loads(event.data) for event in stored if event.sequence <= before][-1]
    events = [read_event(ledger, event) for event in stored if event.sequence > before]
    guest = next(event.data["player"] for event in events if event.stored.kind == "seated")
    end = [event.data for event in events if event.stored.kind == "standing"][-1]
    order = next(event.data for event in events if event.stored.kind == "order")
    rounds, shuffles = end["round"] - opening["round"], end["cycles"] - opening["cycles"]
    growth = {
        "standing": (subtract(end, opening) or {}) | {"shuffle": shuffles},
        "shuffled": {"cycle": shuffles, "shuffle": shuffles},
        "order": {"shuffle": shuffles},
    }
    for event in events:  # the last shuffle of a season is its first one again
        if event.stored.kind in growth and event.data["shuffle"] == end["shuffle"]:
            event.data["commitment"] = opening["commitment"]
    grown = (replace(one, text=split_text(one.data, growth.get(one.stored.kind, {}))) for one in events)
    return Season(table, guest, tuple(grown), rounds, shuffles, order)


def read_event(ledger: Ledger, stored: StoredEvent) -> OldEvent:
    rows = ledger.rows(select(MENTIONS).where(MENTIONS.c.sequence == stored.sequence))
    found = tuple(Mention(row.account, row.place, row.label, row.cents, row.state) for row in rows)
    return OldEvent(stored, orjson.loads(stored.data), found)


def subtract(end: Any, start: Any) -> Any:
    """The numbers by which one snapshot is more than another, in the same structure; None for none."""
    if isinstance(end, dict) and isinstance(start, dict):
        differences = {key: subtract(value, start.get(key, 0)) for key, value in end.items()}
        return {key: value for key, value in differences.items() if value} or None
    if isinstance(end, dict):
        return subtract(end, {})
    return as_number(end) - as_number(start)


def as_number(value: Any) -> int:
    return int(value) if isinstance(value, int) or (isinstance(value, str) and value.isdecimal()) else 0


def split_text(data: Mapping[str, Any], growth: Mapping[str, Any]) -> GrowingText:
    """The JSON text of an event in parts, so that it is quickly written as it is some seasons later."""
    numbers: list[tuple[int, int]] = []
    texts = re.split('"<number>"|<digits>', write_json(mark_numbers(data, growth, numbers)))
    return tuple(part for pair in zip_longest(texts, numbers) for part in pair if part is not None)


def mark_numbers(start: Any, growth: Any, numbers: list[tuple[int, int]]) -> Any:
    """Data with a mark in the place of each number that grows; the numbers are in the order of the text."""
    if isinstance(growth, dict):
        known = start if isinstance(start, dict) else {}
        keys = sorted({*known, *growth})
        return {key: mark_numbers(known.get(key, 0), growth.get(key), numbers) for key in keys}
    if not growth:
        return start
    name, slash, digits = start.rpartition("/") if isinstance(start, str) else ("", "", start)
    numbers.append((int(digits), growth))
    return f"{name}{slash}<digits>" if isinstance(start, str) else "<number>"


def join_text(parts: GrowingText, times: int) -> str:
    return "".join(part if isinstance(part, str) else str(part[0] + part[1] * times) for part in parts)


# -- Repeating ----------------------------------------------------------------------------------------


class Repeater:
    """Writes seasons of all tables side by side, a round of each in turn."""

    def __init__(self, ledger: Ledger, seasons: list[Season], clock: "OldClock") -> None:
        self.ledger, self.seasons, self.clock = ledger, seasons, clock
        self.cage = Cage()

    def write(self, *drafts: Draft, sealed: Mapping[str, bytes] = {}) -> None:
        for event in self.ledger.append_blocking(Entry(drafts, sealed)):
            if event.chain == CAGE_CHAIN:
                self.cage.after(event)
        if self.cage.is_snapshot_due:
            self.write(*self.cage.plan_snapshot())

    def repeat(self, times: int) -> None:
        drafts: list[Draft] = []
        total = times * sum(season.rounds + 1 for season in self.seasons)
        for n, step in enumerate(self._steps(times), 1):
            self.clock.passed = min(1.0, n / total)
            drafts += step
            if n % STEPS_AT_ONCE == 0:
                self.write(*drafts)
                drafts = []
        self.write(*drafts)

    def _steps(self, times: int) -> Iterator[list[Draft]]:
        running = [self._table_steps(season, times) for season in self.seasons]
        while running:
            for steps in list(running):
                step = next(steps, None)
                if step is None:
                    running.remove(steps)
                else:
                    yield step

    def _table_steps(self, season: Season, times: int) -> Iterator[list[Draft]]:
        for time in range(times):
            yield from split_rounds(repeat_season(season, time))

    def seal_shuffles(self, vault: Vault, times: int) -> None:
        """Put the shuffle of each table that is in play at the end into the vault."""
        for season in self.seasons:
            shuffle = replace(
                shuffle_of(season), name=rename_shuffle(season.order["shuffle"], season.shuffles * times)
            )
            self.write(sealed={shuffle.name: vault.seal(shuffle.to_bytes())})


def split_rounds(drafts: Iterable[Draft]) -> Iterator[list[Draft]]:
    """The drafts round by round; a move of the cage stays with the event that it belongs to."""
    step: list[Draft] = []
    for draft in drafts:
        if step and draft.chain != CAGE_CHAIN and draft.round != step[0].round:
            yield step
            step = []
        step.append(draft)
    yield step


def shuffle_of(season: Season) -> Shuffle:
    return shuffle_from_event(Event(season.table, 0, "order", 0, "", season.order))


def repeat_season(season: Season, time: int) -> Iterator[Draft]:
    """The drafts of a season, with those of the cage beside the events that move money."""
    guest = f"{season.guest}{time}"
    issue = {"account": guest, "cents": WELCOME_CENTS, "why": "welcome"}
    yield Draft(CAGE_CHAIN, "issued", issue)
    for old in season.events:
        stored, data = old.stored, old.data
        text = join_text(old.text, time).replace(season.guest, guest)
        mentions = tuple(one._replace(account=guest) for one in old.mentions)
        round = stored.round + season.rounds * time
        yield Draft(season.table, stored.kind, orjson.Fragment(text), round, mentions)  # type: ignore[arg-type]
        if stored.kind in ("seated", "left"):
            kind = "to-table" if stored.kind == "seated" else "from-table"
            move = {"account": guest, "table": season.table, "seat": data["seat"], "cents": data["cents"]}
            yield Draft(CAGE_CHAIN, kind, move)


def rename_shuffle(name: str, more: int) -> str:
    table, _, cycle = name.rpartition("/")
    return f"{table}/{int(cycle) + more}"


def write_json(data: Mapping[str, Any]) -> str:
    return orjson.dumps(data, option=orjson.OPT_SORT_KEYS).decode()


# -- The maker ----------------------------------------------------------------------------------------


def make_aged_ledger(
    folder: Path, rounds: int, tables: int = len(GAMES), database: str = "", days: int = 0
) -> Aged:
    """A pit with an old ledger of about this many rounds, spread over days up to now.

    With a database, its ledger is there and not in the folder.
    """
    with tempfile.TemporaryDirectory() as played:
        before = asyncio.run(play_seasons(Path(played), tables))
        folder.mkdir(parents=True, exist_ok=True)
        for name in KEY_FILES:
            if Path(played, name).exists():
                shutil.copy(Path(played, name), folder)
        with Ledger.open(Path(played, "ledger.sqlite"), writer=False) as old:
            return _repeat(old, before, folder, rounds, database, OldClock(days))


def _repeat(old: Ledger, before: int, folder: Path, rounds: int, database: str, clock: "OldClock") -> Aged:
    names = [name for name in old.chains() if name not in OTHER_CHAINS]
    seasons = [read_season(old, name, before) for name in names]
    times = max(1, round(rounds / sum(season.rounds for season in seasons)))
    with (
        patch.object(transaction, "now", clock.now),
        Ledger.open(database or folder / "ledger.sqlite", signer=TipSigner(folder)) as ledger,
    ):
        repeater = Repeater(ledger, seasons, clock)
        opening = (event for event in old.stored_events(last=before) if not _is_ledgers_own(event))
        for _, events in groupby(opening, key=lambda event: event.at):
            repeater.write(*(_draft_again(event, clock.start.date().isoformat()) for event in events))
        repeater.repeat(times)
        repeater.seal_shuffles(Vault.open(folder / "vault.key"), times)
        HeadSigner(ledger, folder).sign()
    made = sum(season.rounds for season in seasons) * times
    return Aged(folder, made, f"{seasons[0].guest}{times // 2}", tuple(names), database)


def _is_ledgers_own(event: StoredEvent) -> bool:
    """Whether the ledger itself wrote an event, and does so again."""
    return event.chain == ANCHOR_CHAIN or event.kind == TIP_SIGNED


def _draft_again(event: StoredEvent, day: str) -> Draft:
    """An event of the opening, on the first day of the old ledger."""
    text = event.data.replace(today().isoformat(), day)
    return Draft(event.chain, event.kind, orjson.loads(text), event.round)


class OldClock:
    """A clock that goes from some days ago to the present moment while a ledger is written."""

    def __init__(self, days: int) -> None:
        self.days, self.start = days, datetime.now(UTC) - timedelta(days=days)
        self.passed = 0.0  # of the days

    def now(self) -> str:
        """The moment as the ledger writes it; it never goes back."""
        at = self.start + self.passed * timedelta(days=self.days)
        return (at if self.days else datetime.now(UTC)).isoformat(timespec="microseconds")
