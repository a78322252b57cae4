"""A pit on a real port, and real browsers before it."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
PHONE = {"width": 390, "height": 844}
PATIENCE = 60.0  # seconds until a server is open
SHORT = 10_000  # milliseconds until something is seen

# A pit whose doors let many guests in: the tests are all of one address.
SERVE = """
import sys
from pathlib import Path
from feltlab.pit.door import Allowance
from feltlab.pit.rates import Rates
from feltlab.web.serve import serve
plenty = Allowance(guests=Rates(1e6, 1e6), acts=Rates(1e6, 1e6))
serve("127.0.0.1", int(sys.argv[1]), Path(sys.argv[2]), None, True, print, print, plenty)
"""


class Server:
    """A server that can be killed and started again with what it has on record."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-c", SERVE, str(self.port), str(self.folder)]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, start_new_session=True)
        end = time.monotonic() + PATIENCE
        while not self._answers():
            assert self.process.poll() is None, "The server ended."
            assert time.monotonic() < end, "The server does not open."
            time.sleep(0.05)

    def _answers(self) -> bool:
        try:
            return bool(self.get("/api/health")["ok"])
        except OSError:
            return False

    def get(self, path: str):
        with urllib.request.urlopen(self.url + path, timeout=5) as answer:
            return json.load(answer)

    def kill(self) -> None:
        """As a power cut would."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    made = Server(tmp_path_factory.mktemp("pit"))
    yield made
    made.kill()


@pytest.fixture(scope="module")
def chromium():
    """A browser, or the reason why there is none.

    It runs an event loop of its own, which must end before another module's tests run theirs.
    """
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed (extra: browser)")
    if CHROMIUM is None:
        pytest.skip("no Chromium is on this machine")
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def browser_page(chromium, server):
    """Makes pages, each of a visitor of its own; what breaks in a page fails the test."""
    contexts, broken = [], []

    def make(**options):
        settings = {"viewport": PHONE, "reduced_motion": "reduce", "base_url": server.url} | options
        context = chromium.new_context(**settings)
        context.set_default_timeout(SHORT)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: broken.append(str(error)))
        page.on("console", lambda said: broken.append(said.text) if "Content Security" in said.text else None)
        seen: list[str | bytes] = []
        page.frames_seen = seen
        page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: seen.append(frame)))
        return page

    yield make
    for context in contexts:
        context.close()
    assert not broken
