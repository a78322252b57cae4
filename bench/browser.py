"""How long a player waits in a real browser: from a click to the frame in which its result is drawn.

`feltlab serve` runs in a process of its own with a hundred tables that are played over WebSockets from this
one; Chromium has a further table for each game. The same clicks at a server with nobody else stand beside.
"""

import asyncio
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from _line import Line
from _tables import WARM_UP, Open, everyone, in_loop, middle_and_tail, server

from feltlab.errors import Refused
from feltlab.games import GAMES

OTHERS = 100  # tables beside those of the browser
CLICKS = 60  # at the table of a game
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]

# Clicks on what is offered next, and waits for the frame after the view of its result has been drawn.
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
    alone, crowded = clicks_beside(0), clicks_beside(OTHERS)
    for what, n in (("median", 0), ("p99", 1)):
        beside = f"{middle_and_tail(alone)[n]:.1f} ms at a server with nobody else; target below 50 ms"
        figure = middle_and_tail(crowded)[n]
        yield Line(f"click to drawn result, {what}, {OTHERS} tables", figure, "ms", beside)


def clicks_beside(others: int) -> list[float]:
    """The seconds that each click took, beside so many other tables."""
    with tempfile.TemporaryDirectory() as folder, server(Path(folder), len(GAMES) + others) as running:
        return in_loop(clicked(running))


async def clicked(running: Open) -> list[float]:
    tables = list(running.sessions)
    mine, others = tables[: len(GAMES)], tables[len(GAMES) :]
    crowd = running._replace(sessions={name: running.sessions[name] for name in others})
    play = asyncio.create_task(everyone(crowd, float("inf")))
    await asyncio.sleep(WARM_UP if others else 0)
    try:
        return await browsed(running, mine)
    finally:
        play.cancel()
        await asyncio.gather(play, return_exceptions=True)


async def browsed(running: Open, tables: list[str]) -> list[float]:
    from playwright.async_api import async_playwright

    chromium = os.environ.get("FELTLAB_CHROMIUM") or shutil.which("chromium")
    if chromium is None:
        raise Refused("No Chromium is on this machine.")
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
