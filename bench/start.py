"""The wait of a newcomer: from `feltlab serve` with empty caches to the first page and the first round.

The same start with full caches stands beside.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

from _line import Line

from feltlab.games import GAMES
from feltlab.workers.rehearsal import MARK

COMPILING_SECONDS = 600  # at most


def measure() -> Iterator[Line]:
    with tempfile.TemporaryDirectory() as caches:
        cold = start(caches)
        warm = start(caches)
    for what in warm:
        yield Line(f"from the command to {what}", cold[what], "s", f"{warm[what]:.1f} s with full caches")
    yield Line("until the rules are compiled", cold["the compiled rules"], "s", "in the background")


def start(caches: str) -> dict[str, float]:
    """Seconds from the start of a server to each of its firsts."""
    begun = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder, serving(folder, caches) as port:
        seconds = {"the first page": time_page(port, begun)}
        player = Player(port)
        for game in GAMES:
            player.play(game)
            seconds.setdefault("the first settled round", time.perf_counter() - begun)
        seconds["a settled round of every game"] = time.perf_counter() - begun
        if wait_for_compiled(caches):
            seconds["the compiled rules"] = time.perf_counter() - begun
    return seconds


def wait_for_compiled(caches: str) -> bool:
    """Wait until the server has compiled its rules; False if they were compiled before."""
    found = list(Path(caches).rglob(MARK))
    end = time.monotonic() + COMPILING_SECONDS
    while not (marks := list(Path(caches).rglob(MARK))) and time.monotonic() < end:
        time.sleep(0.1)
    return marks != found


@contextmanager
def serving(folder: str, caches: str) -> Iterator[int]:
    command = [sys.executable, "-m", "feltlab", "serve", "--data", folder, "--port", "0"]
    environment = os.environ | {"XDG_CACHE_HOME": caches}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        try:
            assert process.stdout
            addresses = (re.search(r"http://\S+?:(\d+)/", line) for line in process.stdout)
            yield int(next(filter(None, addresses))[1])
        finally:
            process.terminate()


def time_page(port: int, begun: float) -> float:
    connection = HTTPConnection("127.0.0.1", port)
    connection.request("GET", "/", headers={"Accept": "text/html"})
    assert b"<h1" in connection.getresponse().read()
    return time.perf_counter() - begun


class Player:
    """A guest who plays one round of each game."""

    def __init__(self, port: int) -> None:
        self._connection = HTTPConnection("127.0.0.1", port)
        self._headers = {"Content-Type": "application/json"}
        self._headers["Authorization"] = f"Bearer {self._post('session/guest')['session']}"

    def _post(self, path: str, **body: Any) -> dict[str, Any]:
        self._connection.request("POST", f"/api/{path}", json.dumps(body), self._headers)
        answer: dict[str, Any] = json.loads(self._connection.getresponse().read())
        assert "error" not in answer, answer
        return answer

    def _wait_for(self, table: str) -> None:
        """Wait until a table is open."""
        while self._get_status(table) == 404:
            time.sleep(0.05)

    def _get_status(self, path: str) -> int:
        self._connection.request("GET", f"/api/{path}", headers=self._headers)
        response = self._connection.getresponse()
        response.read()
        return response.status

    def play(self, name: str) -> None:
        game, table = GAMES[name], f"tables/{name}-1"
        wagers = {spot.name: 1000 for spot in game.wagers[: game.rules.GAMES_PER_HAND]}
        self._wait_for(table)
        view = self._post(f"{table}/sit", seat=1, cents=15_000)
        at = {"seat": 1, "round": view["round"]}
        self._post(f"{table}/wager", **at, wagers=wagers)
        view = self._post(f"{table}/ready", **at)
        while view["round"] == at["round"]:
            view = self._post(f"{table}/choose", **at, choice=_first_choice(view))


def _first_choice(view: Mapping[str, Any]) -> str:
    (choices,) = [seat["choices"] for seat in view["seats"] if "choices" in seat]
    return next(str(one["choice"]) for one in choices if not one["barred"])
