"""The time from a click in a real browser to the frame that draws its result.

`feltlab serve` runs in its own process; this one plays a hundred of its tables over WebSockets, and Chromium
one further table of each game. The same clicks at a server without other players are printed beside.
"""

import asyncio
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from _line import Line
from _tables import (
    WARM_UP_SECONDS,
    RunningServer,
    median_and_p99,
    play_everywhere,
    run_in_loop,
    run_server,
)

from feltlab.errors import Refused
from feltlab.games import GAMES

OTHER_TABLES = 100
CLICKS = 60  # at the table of each game
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]

# Clicks the next button that is offered and waits for the frame after its result was drawn.
PLAY = """async (clicks) => {
  const $ = (id) => document.getElementById(id);
  const drawn = () => new Promise((done) => {
    const seen = new MutationObserver(() => {
      seen.disconnect();
      requestAnimationFrame(() => setTimeout(done));
    });
    seen.observe($("said"), { childList: true, characterData: true, subtree: true });
  });
  const bet = (text) => document.querySelector(`[data-bet=${text}]`);
  const usable = async (find) => {
    while (!find() || find().disabled) await new Promise((done) => setTimeout(done, 5));
    return find();
  };
  const next = () => document.querySelector("#choices button:enabled") ?? bet("Deal");
  const taken = [];
  while (taken.length < clicks) {
    if (bet("Deal").closest("[hidden]") === null && bet("Deal").disabled) {
      if (bet("Rebet").disabled) for (const spot of document.querySelectorAll("button.spot")) spot.click();
      else bet("Rebet").click();
    }
    const button = await usable(next);
    await new Promise((done) => setTimeout(done, 100));
    const start = performance.now(), after = drawn();
    button.click();
    await after;
    taken.push(performance.now() - start);
  }
  return taken;
}"""


def measure() -> Iterator[Line]:
    alone, crowded = measure_clicks(0), measure_clicks(OTHER_TABLES)
    for what, n in (("median", 0), ("p99", 1)):
        beside = f"{median_and_p99(alone)[n]:.1f} ms at a server without other players; target below 50 ms"
        figure = median_and_p99(crowded)[n]
        yield Line(f"click to drawn result, {what}, {OTHER_TABLES} tables", figure, "ms", beside)


def measure_clicks(others: int) -> list[float]:
    """The seconds that each click took while this many other tables are played."""
    with tempfile.TemporaryDirectory() as folder, run_server(Path(folder), len(GAMES) + others) as running:
        clicks: list[float] = run_in_loop(click_while_others_play(running))
        return clicks


async def click_while_others_play(running: RunningServer) -> list[float]:
    tables = list(running.sessions)
    mine, others = tables[: len(GAMES)], tables[len(GAMES) :]
    crowd = running._replace(sessions={name: running.sessions[name] for name in others})
    play = asyncio.create_task(play_everywhere(crowd, float("inf")))
    await asyncio.sleep(WARM_UP_SECONDS if others else 0)
    try:
        return await click_in_browser(running, mine)
    finally:
        play.cancel()
        await asyncio.gather(play, return_exceptions=True)


async def click_in_browser(running: RunningServer, tables: list[str]) -> list[float]:
    from playwright.async_api import async_playwright

    chromium = os.environ.get("FELTLAB_CHROMIUM") or shutil.which("chromium")
    if chromium is None:
        raise Refused("Chromium is not installed.")
    url, taken = running.url.replace("ws://", "http://"), []
    async with async_playwright() as driver:
        browser = await driver.chromium.launch(executable_path=chromium, args=FLAGS)
        for table in tables:
            context = await browser.new_context(base_url=url, reduced_motion="reduce")
            await context.add_cookies(
                [{"name": "feltlab-session", "value": running.sessions[table], "url": url}]
            )
            page = await context.new_page()
            await page.goto(f"/tables/{table}")
            await page.wait_for_selector("body[data-ready]")
            taken += [each / 1000 for each in await page.evaluate(PLAY, CLICKS)]
            await context.close()
        await browser.close()
    return taken
