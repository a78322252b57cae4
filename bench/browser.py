"""The pages in a real browser: from a click to the frame that draws its result, the first page, layout shift.

`feltlab serve` runs in its own process. Chromium clicks at its tables, first while nobody else acts, then
while this process plays a hundred others over WebSockets, one action a second each. Browser, players and
server share the machine, so the CPU time of page and server is printed beside the time that passes: on a busy
machine the time grows and the CPU time does not; in a slow program both grow.
"""

import asyncio
import os
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from statistics import median, quantiles
from typing import Any, NamedTuple

from _line import Line
from _tables import (
    WARM_UP_SECONDS,
    RunningServer,
    connect_to_table,
    play_everywhere,
    run_in_loop,
    run_server,
)

from feltlab.errors import Refused
from feltlab.games import GAMES

OTHER_TABLES = 100
# Few and many spots, streets, a board, stages: between them the most that a page has to draw.
CLICKED = ("casino-war", "triple-shot-bonus", "ultimate-texas-holdem", "let-it-ride")
MAX_CLICKS = 15  # at the table of each game
CLICK_SECONDS = 4.0  # for them: a busy machine gets fewer clicks, not more time
FIRST_PAGE = "/"
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
TARGET_MILLISECONDS = 50
PARTS = (
    "the page until the action is sent",
    "network and server until the first message",
    "the page until the result is in place",
    "layout, paint and the wait for a frame",
)
# The CPU time of the page's main thread, as Chromium calls its parts.
PAGE_METRICS = {
    "whole": "TaskDuration",
    "script": "ScriptDuration",
    "style": "RecalcStyleDuration",
    "layout": "LayoutDuration",
}

# Notes when an action is sent, when the first message after it arrives, and every shift of the layout.
WATCH = """window.shifts = 0;
  new PerformanceObserver((list) => list.getEntries().forEach((one) => (window.shifts += one.value)))
    .observe({ type: "layout-shift", buffered: true });
  const Plain = window.WebSocket;
  window.WebSocket = class extends Plain {
    constructor(...given) {
      super(...given);
      this.addEventListener("message", () => (window.arrived ??= performance.now()));
    }
    send(...given) {
      super.send(...given);
      window.sent ??= performance.now();
    }
  };"""

# Clicks the next button that is offered and waits for the frame after its result is drawn: the next choices,
# or the felt that is open for the next bets. No chip is put down before that, as a player would not.
PLAY = """async ([clicks, seconds]) => {
  const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
  const bet = (text) => document.querySelector(`[data-bet=${text}]`);
  const isOpen = () => !document.getElementById("betting").hidden;
  const choice = () => document.querySelector("#choices button:enabled");
  const isDrawn = () => choice() || (isOpen() && !bet("Rebet").disabled);
  let changed = 0; // when the script had drawn the result, before the browser laid it out and painted it
  const drawn = () => new Promise((done) => {
    const seen = new MutationObserver(() => {
      if (!isDrawn()) return;
      changed = performance.now();
      seen.disconnect();
      requestAnimationFrame(() => setTimeout(done));
    });
    seen.observe(document.getElementById("control"), { attributes: true, childList: true, subtree: true });
  });
  const says = () => document.getElementById("message").textContent;
  const usable = async (find) => {
    for (const start = performance.now(); !find() || find().disabled; await pause(5))
      if (performance.now() - start > 10000) throw new Error(`Nothing can be clicked: ${says()}`);
    return find();
  };
  const taken = [], end = performance.now() + 1000 * seconds;
  while (taken.length < clicks && (!taken.length || performance.now() < end)) {
    if (isOpen() && bet("Deal").disabled) {
      if (bet("Rebet").disabled) for (const spot of document.querySelectorAll("button.spot")) spot.click();
      else bet("Rebet").click();
    }
    const button = await usable(() => choice() ?? bet("Deal"));
    await pause(100);
    window.arrived = window.sent = undefined;
    const shifts = window.shifts;
    const start = performance.now(), after = drawn();
    button.click();
    await Promise.race([after, pause(10000)]);
    if (!isDrawn()) throw new Error(`No result is drawn: ${says()}`);
    const drawnAfter = performance.now() - start;
    await pause(50); // until the frame's shift is reported
    const { sent, arrived } = window, done = start + drawnAfter, moved = window.shifts - shifts;
    taken.push([drawnAfter, sent - start, arrived - sent, changed - arrived, done - changed, moved]);
  }
  return taken;
}"""


class Clicks(NamedTuple):
    """The clicks at one table, or at several."""

    taken: list[list[float]]  # milliseconds from a click to the frame with its result, whole and in PARTS
    shift: float  # of the layout: the largest of a click, or of a page that loads
    page: Counter[str]  # milliseconds of CPU by PAGE_METRICS


class Phase(NamedTuple):
    """All clicks while some other tables are played."""

    clicks: Clicks
    server: float  # milliseconds of CPU a second
    load: float  # of the machine, over the last minute

    @property
    def whole(self) -> list[float]:
        return [milliseconds for milliseconds, *_ in self.clicks.taken]

    def part(self, n: int) -> float:
        return median(parts[n] for _, *parts in self.clicks.taken)

    def page(self, metric: str) -> float:
        """Milliseconds of CPU for each click."""
        return self.clicks.page[metric] / len(self.clicks.taken)


class Seen(NamedTuple):
    alone: Phase
    crowded: Phase
    shift: float  # of the first page
    first_page: dict[str, int]  # bytes by kind of file


def measure() -> Iterator[Line]:
    tell(f"Opening {len(GAMES) + OTHER_TABLES} tables.")
    with (
        tempfile.TemporaryDirectory() as folder,
        run_server(Path(folder), len(GAMES) + OTHER_TABLES) as running,
    ):
        seen: Seen = run_in_loop(look_at_pages(running))
    alone, crowded = seen.alone, seen.crowded
    for tables, phase in ((1, alone), (OTHER_TABLES, crowded)):
        load = f"load {phase.load:.1f} on {os.cpu_count()} cores"
        beside = f"target below {TARGET_MILLISECONDS} ms; {len(phase.whole)} clicks; {load}"
        acting = f"{tables} table{'s' * (tables > 1)} acting"
        yield Line(f"click to drawn result, median, {acting}", median(phase.whole), "ms", beside)
        yield Line(f"click to drawn result, p95, {acting}", percentile_95(phase.whole), "ms", "")
    for n, part in enumerate(PARTS):
        yield Line(f"of it, {part}, median", crowded.part(n), "ms", f"{alone.part(n):.1f} ms with 1 table")
    yield from describe_cpu(alone, crowded)
    yield describe_first_page(seen.first_page)
    shift = max(seen.shift, alone.clicks.shift, crowded.clicks.shift)
    yield Line("layout shift, the largest", shift, "", "of a click or a page; below 0.1")


def describe_cpu(alone: Phase, crowded: Phase) -> Iterator[Line]:
    """The CPU time of page and server, which does not depend on what else the machine does."""
    parts = ", ".join(f"{name} {crowded.page(name):.1f}" for name in PAGE_METRICS if name != "whole")
    beside = f"{parts}; {alone.page('whole'):.1f} ms with 1 table"
    yield Line("CPU time of the page for a click and the bets before it", crowded.page("whole"), "ms", beside)
    beside = f"with up to {OTHER_TABLES} actions a second; {alone.server:.0f} ms with 1 table"
    yield Line("CPU time of the server in a second", crowded.server, "ms", beside)


def describe_first_page(sizes: dict[str, int]) -> Line:
    """The bytes that a new visitor loads, with all tables listed; fonts apart."""
    fonts = sizes.get("font", 0) / 1000
    beside = f"target below 100 KB; fonts {fonts:.1f} KB, below 60 KB"
    tables = OTHER_TABLES + len(GAMES)
    return Line(
        f"first page besides fonts, {tables} tables", sum(sizes.values()) / 1000 - fonts, "KB", beside
    )


def percentile_95(taken: list[float]) -> float:
    return quantiles(taken, n=20)[18]


def tell(text: str) -> None:
    """Say what goes on, apart from the figures."""
    print(text, file=sys.stderr, flush=True)


def cpu_seconds(process: int) -> float:
    """The CPU seconds that a process has used."""
    user, system = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


async def look_at_pages(running: RunningServer) -> Seen:
    """Click while nobody else acts, then while all other tables are played."""
    tables = list(running.sessions)
    clicked = {game: tables[n] for n, game in enumerate(GAMES) if game in CLICKED}
    others = running._replace(sessions={name: running.sessions[name] for name in tables[len(GAMES) :]})
    seats = [asyncio.create_task(hold_seat(running, table)) for table in clicked.values()]
    async with open_chromium() as browser:
        shift, first_page = await open_first_page(browser, http_address(running))
        alone = await click_everywhere(browser, running, clicked, "1 table acting")
        crowd = asyncio.create_task(play_everywhere(others, float("inf")))
        await asyncio.sleep(WARM_UP_SECONDS)
        crowded = await click_everywhere(browser, running, clicked, f"{OTHER_TABLES} tables acting")
    for task in (*seats, crowd):
        task.cancel()
    await asyncio.gather(*seats, crowd, return_exceptions=True)
    return Seen(alone, crowded, shift, first_page)


async def hold_seat(running: RunningServer, table: str) -> None:
    """Watch a table as its player: a seat at which nobody is for a minute is given up."""
    socket = await connect_to_table(running.url, table, running.sessions[table])
    socket.listen(lambda _: None, lambda _: None)
    try:
        await asyncio.Event().wait()  # until the task is cancelled
    finally:
        socket.close()


def http_address(running: RunningServer) -> str:
    return running.url.replace("ws://", "http://")


@asynccontextmanager
async def open_chromium() -> AsyncIterator[Any]:
    from playwright.async_api import async_playwright

    chromium = os.environ.get("FELTLAB_CHROMIUM") or shutil.which("chromium")
    if chromium is None:
        raise Refused("Chromium is not installed.")
    async with async_playwright() as driver:
        browser = await driver.chromium.launch(executable_path=chromium, args=FLAGS)
        yield browser
        await browser.close()


async def click_everywhere(browser: Any, running: RunningServer, tables: dict[str, str], what: str) -> Phase:
    """The clicks at one table of each game, one after the other."""
    found, start, cpu = [], time.perf_counter(), cpu_seconds(running.process)
    for game, table in tables.items():
        at_table = await click_at_table(browser, http_address(running), table, running.sessions[table])
        found.append(at_table)
        tell(f"{what}, {GAMES[game].title}: median {median(all_ms[0] for all_ms in at_table.taken):.1f} ms.")
    server = 1000 * (cpu_seconds(running.process) - cpu) / (time.perf_counter() - start)
    page = sum((one.page for one in found), Counter[str]())
    taken = [each for one in found for each in one.taken]
    return Phase(Clicks(taken, max(one.shift for one in found), page), server, os.getloadavg()[0])


async def open_first_page(browser: Any, url: str) -> tuple[float, dict[str, int]]:
    """The layout shift of the first page, and its bytes by kind of file, as a new visitor loads it."""
    context = await browser.new_context(base_url=url)
    page = await context.new_page()
    await page.add_init_script(WATCH)
    sizes: Counter[str] = Counter()

    async def count(request: Any) -> None:
        found = await request.sizes()
        sizes[request.resource_type] += found["responseBodySize"] + found["responseHeadersSize"]

    page.on("requestfinished", count)
    await page.goto(FIRST_PAGE, wait_until="networkidle")
    shift = await page.evaluate("window.shifts")
    await context.close()
    return shift, dict(sizes)


async def click_at_table(browser: Any, url: str, table: str, session: str) -> Clicks:
    """Play at a table, as the player whose session this is."""
    context = await browser.new_context(base_url=url, reduced_motion="reduce")
    await context.add_cookies([{"name": "feltlab-session", "value": session, "url": url}])
    page = await context.new_page()
    await page.add_init_script(WATCH)
    await page.goto(f"/tables/{table}")
    await page.wait_for_selector("body[data-ready]")
    shift = await page.evaluate("window.shifts")
    meter = await context.new_cdp_session(page)
    await meter.send("Performance.enable", {"timeDomain": "threadTicks"})
    before = await read_cpu(meter)
    clicked = await page.evaluate(PLAY, [MAX_CLICKS, CLICK_SECONDS])
    after = await read_cpu(meter)
    await context.close()
    taken = [times for *times, _ in clicked]
    return Clicks(taken, max([shift, *(moved for *_, moved in clicked)]), after - before)


async def read_cpu(meter: Any) -> Counter[str]:
    """The milliseconds of CPU that a page's main thread has used, by PAGE_METRICS."""
    found = {one["name"]: one["value"] for one in (await meter.send("Performance.getMetrics"))["metrics"]}
    return Counter({name: 1000 * found[metric] for name, metric in PAGE_METRICS.items()})
