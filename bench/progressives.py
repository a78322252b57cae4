"""Progressives: chances and returns, a million bets on a ledger, and linked tables.

Each part can be run alone (`feltlab bench progressives --part ledger`):

- proofs: a simulated meter beside a plain loop over bets, and bets split exactly.
- ledger: a million bets with their wins written to a ledger, and every thousandth of a cent accounted for.
- rounds: tables in one process, without a link and on one, and the processor time of a round.
- tables: 500 tables over WebSockets that act once a second, without a link and on one.
"""

import asyncio
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from random import Random

import numpy as np
from _line import Line
from _tables import (
    median_and_p99,
    minimum_wagers,
    open_room,
    play_everywhere,
    processor_seconds,
    run_in_loop,
    run_server,
)
from tests.support.bulk_bets import read_account, write_bets

from feltlab import GAMES
from feltlab.analysis.progressives.level_chances import count_levels
from feltlab.analysis.progressives.meter_simulation import simulate_meter
from feltlab.analysis.progressives.returns import ProgressiveReturns
from feltlab.core.game import Game
from feltlab.errors import Refused
from feltlab.ledger.ledger import Ledger
from feltlab.pit.live_table import LiveTable
from feltlab.pit.pit import LEDGER_FILE, Pit
from feltlab.pit.seats import Phase
from feltlab.progressives.balances import add_round_bets, open_balances
from feltlab.progressives.catalogue import find_progressive
from feltlab.progressives.progressive import Meter, Progressive
from feltlab.web.serve import tune_garbage_collection

BETS = 1_000_000_000
LOOP_BETS = 300_000
SPLIT_ROUNDS = 20_000
LEDGER_BETS = 1_000_000
TABLES, SECONDS = 200, 10.0  # in one process
CLIENTS, CLIENT_SECONDS = 500, 20.0
LINKED = "five-aces-jackpot"  # at tables of High Five Poker


def measure(parts: tuple[str, ...] = ()) -> Iterator[Line]:
    with tempfile.TemporaryDirectory() as folder:
        for part in parts or PARTS:
            yield from PARTS[part](Path(folder, part))


def proofs(folder: Path) -> Iterator[Line]:
    """The time of each step, on a progressive over six cards with a share level."""
    rules = find_progressive("six-card-jackpot")
    count_levels(rules, GAMES["triple-shot-rummy"])  # compiled, and counted unless it is in the store
    returns = ProgressiveReturns(rules, count_levels(rules, GAMES["triple-shot-rummy"]).chances)
    start = time.perf_counter()
    history = simulate_meter(returns, rules.meters[0], BETS, np.random.default_rng(1))
    simulated = time.perf_counter() - start
    start, balances = time.perf_counter(), open_balances(rules)
    for _ in range(SPLIT_ROUNDS):
        balances, _, _ = add_round_bets(rules, balances, 7)
    added = time.perf_counter() - start
    ratio = bet_by_bet_seconds(returns, rules.meters[0], Random(1)) * BETS / simulated
    beside = f"standard error of the return {history.error:.5f}; {ratio:,.0f} times a loop over single bets"
    yield Line("simulated bets on a meter", BETS / simulated / 1e6, "million a second", beside)
    yield Line("rounds of seven bets split exactly", SPLIT_ROUNDS / added, "a second", "")


def bet_by_bet_seconds(returns: ProgressiveReturns, meter: Meter, random: Random) -> float:
    """The seconds of one bet in a plain loop that draws every bet, as a first attempt would be written."""
    chances = [(float(chance), float(level.share), level.is_top) for level, chance in returns.pairs]
    rise, seed = float(meter.rate * returns.bet), float(meter.seed_cents)
    shown, start = seed, time.perf_counter()
    for _ in range(LOOP_BETS):
        shown, left = shown + rise, random.random()
        for chance, share, is_top in chances:
            left -= chance
            if left < 0:
                shown = seed if is_top else shown * (1 - share)
                break
    return (time.perf_counter() - start) / LOOP_BETS


# -- A million bets ---------------------------------------------------------------------------------


def ledger(folder: Path) -> Iterator[Line]:
    """Bets whose parts leave a remainder each time; refuses if a thousandth of a cent is missing."""
    rules = find_progressive(LINKED)
    meter = replace(rules.meters[0], rate=Fraction(1, 3), reserve_rate=Fraction(1, 7), cap_cents=500_000)
    rules = replace(rules, meters=(meter,), house_rate=Fraction(11, 21))
    folder.mkdir()
    with Ledger.open(folder / LEDGER_FILE) as written:
        start = time.perf_counter()
        write_bets(written, rules, LEDGER_BETS, Random(20))
        wrote = time.perf_counter()
        found = read_account(written, rules.name)
        read = time.perf_counter()
    link = found.link
    parts = {name: sum(getattr(balance, name) for balance in link.balances.values())
             for name in ("displayed", "reserve", "hidden", "overflow")}  # fmt: skip
    came = found.bet + link.funded
    parts |= {"house": link.house, "frozen": 1000 * link.pending_cents}
    if came != sum(parts.values()) + found.paid or found.at_cage != came - found.paid:
        raise Refused("The bets are not conserved.")
    told = ", ".join(f"{name} {amount:,}" for name, amount in parts.items())
    sizes = f"in {came:,} = paid {found.paid:,} + {told} thousandths of a cent; {link.hits:,} hits"
    yield Line("bets written to a ledger", link.bets / (wrote - start), "a second", f"{link.bets:,} bets")
    yield Line("bets followed from it, to the thousandth", link.bets / (read - wrote), "a second", sizes)


# -- Tables -----------------------------------------------------------------------------------------


def rounds(folder: Path) -> Iterator[Line]:
    for linked in (False, True):
        played, cpu = run_in_loop(rounds_a_second(folder / str(linked), linked))
        beside = f"{cpu:.2f} ms of processor time a round"
        yield Line(f"rounds, {TABLES} tables in process, {_name(linked)}", played, "rounds/s", beside)


async def rounds_a_second(folder: Path, linked: bool) -> tuple[float, float]:
    """Rounds a second, and milliseconds of processor time a round, after a second to warm up."""
    room = await open_room(folder, TABLES, "", *_games_and_link(linked))
    tune_garbage_collection()
    seats = [(room.pit, room.pit.table(name), player.name, linked) for name, player in room.players.items()]
    await asyncio.gather(*(play_seat(*seat, time.perf_counter() + 1) for seat in seats))
    start, cpu = time.perf_counter(), time.process_time()
    played = sum(await asyncio.gather(*(play_seat(*seat, start + SECONDS) for seat in seats)))
    taken, cpu = time.perf_counter() - start, time.process_time() - cpu
    await room.pit.stop()
    return played / taken, 1000 * cpu / played


async def play_seat(pit: Pit, live: LiveTable, player: str, linked: bool, until: float) -> int:
    """Play one seat until a moment, always by the first choice; the number of rounds."""
    put, played = minimum_wagers(live.table.game), 0
    while time.perf_counter() < until:
        await live.act(lambda table: table.wager(player, 0, put))
        if linked:
            await pit.jackpots.bet(live, player, 0, True)
        await live.act(lambda table: table.ready(player, 0))
        while live.table.phase == Phase.CHOOSING:
            await live.act(lambda table: table.choose(player, 0, table.rounds[0].choices[0]))
        played += 1
    return played


def tables(folder: Path) -> Iterator[Line]:
    for linked in (False, True):
        games, link = _games_and_link(linked)
        place = folder / str(linked)
        with run_server(place, CLIENTS, games=games, link=link) as running:
            before, begun = processor_seconds(running.process), count_rounds(place)
            met = run_in_loop(play_everywhere(running, CLIENT_SECONDS, linked))
            cpu, played = processor_seconds(running.process) - before, count_rounds(place) - begun
        late = [seconds for _, seconds in met.taken]
        middle, tail = median_and_p99(late)
        an_act = 1000 * met.processor_seconds / len(late)
        each = f"{1000 * cpu / played:.2f} ms of processor time a round, {an_act:.2f} an act"
        acts = f"{len(late) / CLIENT_SECONDS:,.0f} actions/s; {each}; target below 20 ms"
        yield Line(f"durable answer at {CLIENTS} tables, {_name(linked)}, median", middle, "ms", acts)
        longest = f"target below 150 ms; longest {1000 * max(late):.0f} ms"
        yield Line(f"durable answer at {CLIENTS} tables, {_name(linked)}, p99", tail, "ms", longest)


def count_rounds(folder: Path) -> int:
    database = sqlite3.connect(folder / LEDGER_FILE)
    with database:
        found = database.execute("select count(*) from events where kind = 'settled'").fetchone()[0]
    database.close()
    return int(found)


def _games_and_link(linked: bool) -> tuple[list[Game], Progressive | None]:
    link = find_progressive(LINKED)
    return [GAMES[link.attached[0].game]], link if linked else None


def _name(linked: bool) -> str:
    return "all on one link" if linked else "no link"


PARTS = {"proofs": proofs, "ledger": ledger, "rounds": rounds, "tables": tables}
