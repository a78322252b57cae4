"""The browser of the tests: Chromium, driven by playwright. Tests are skipped if one is missing."""

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
NETWORK = ("Failed to load resource", "WebSocket connection")  # expected: a refusal, or a stopped server
SERVER_ERROR = "status of 5"  # in the message of a failed request
WAIT_MILLISECONDS = 120_000  # also on a machine that has much else to do


def require_playwright(kind: str = "sync_api") -> Any:
    """Playwright; skips the tests if it or Chromium is missing."""
    api = pytest.importorskip(f"playwright.{kind}", reason="playwright is not installed (extra: dev)")
    if CHROMIUM is None:
        pytest.skip("no Chromium was found; FELTLAB_CHROMIUM can name one", allow_module_level=True)
    return api


@contextmanager
def open_browser() -> Iterator[Any]:
    with (
        require_playwright().sync_playwright() as playwright,
        closing(
            playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS, timeout=WAIT_MILLISECONDS)
        ) as browser,
    ):
        yield browser


def collect_errors(page: Any) -> list[str]:
    """A list that collects a page's errors from now on: script errors and policy violations."""
    found: list[str] = []

    def heard(said: Any) -> None:
        if said.type == "error" and (SERVER_ERROR in said.text or not said.text.startswith(NETWORK)):
            found.append(said.text)

    page.on("pageerror", lambda error: found.append(str(error)))
    page.on("console", heard)
    return found


class Visits:
    """Opens pages, each for a new visitor, and collects their errors."""

    def __init__(self, browser: Any, address: str) -> None:
        self.browser, self.address = browser, address
        self.contexts: list[Any] = []
        self.watched: list[list[str]] = []

    def __call__(self, **options: Any) -> Any:
        settings = {"viewport": PHONE, "reduced_motion": "reduce", "base_url": self.address} | options
        context = self.browser.new_context(**settings)
        context.set_default_timeout(WAIT_MILLISECONDS)
        self.contexts.append(context)
        page = context.new_page()
        self.watched.append(collect_errors(page))
        return page

    def end(self) -> list[str]:
        """Close all pages; returns their errors."""
        for context in self.contexts:
            context.close()
        return [one for found in self.watched for one in found]
