"""What a browser is in these tests: Chromium, driven by playwright. Where one is missing, tests skip."""

import os
import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome")
CHROMIUM = os.environ.get("FELTLAB_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-dev-shm-usage"]
PHONE, DESKTOP = {"width": 390, "height": 844}, {"width": 1440, "height": 900}
NETWORK = ("Failed to load resource", "WebSocket connection")  # a refusal, or a server that is gone
BROKEN = "status of 5"  # an answer that says the server failed
SHORT = 30_000  # milliseconds until something is seen


def driver(kind: str = "sync_api") -> Any:
    """Playwright, if there is a browser for it too."""
    api = pytest.importorskip(f"playwright.{kind}", reason="playwright is not installed (extra: dev)")
    if CHROMIUM is None:
        pytest.skip("no Chromium was found; FELTLAB_CHROMIUM can name one", allow_module_level=True)
    return api


@contextmanager
def browsing() -> Iterator[Any]:
    with (
        driver().sync_playwright() as playwright,
        closing(playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)) as browser,
    ):
        yield browser


def complaints(page: Any) -> list[str]:
    """What breaks in a page from now on: errors of its scripts, and what its security policy stops."""
    found: list[str] = []

    def heard(said: Any) -> None:
        if said.type == "error" and (BROKEN in said.text or not said.text.startswith(NETWORK)):
            found.append(said.text)

    page.on("pageerror", lambda error: found.append(str(error)))
    page.on("console", heard)
    return found


class Visits:
    """Pages, each of a visitor of its own. What breaks in one of them is told at the end."""

    def __init__(self, browser: Any, address: str) -> None:
        self.browser, self.address = browser, address
        self.contexts: list[Any] = []
        self.watched: list[list[str]] = []

    def __call__(self, **options: Any) -> Any:
        settings = {"viewport": PHONE, "reduced_motion": "reduce", "base_url": self.address} | options
        context = self.browser.new_context(**settings)
        context.set_default_timeout(SHORT)
        self.contexts.append(context)
        page = context.new_page()
        self.watched.append(complaints(page))
        return page

    def end(self) -> list[str]:
        """What broke."""
        for context in self.contexts:
            context.close()
        return [one for found in self.watched for one in found]
