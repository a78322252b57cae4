"""Seconds to prove each game's other readings with an empty proof store and warm kernels, and from the store.

Each run is a process of its own, like a user's command.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator

from _line import Line

from feltlab.games import GAMES

PROVE = """
import json, pathlib, sys, time
from feltlab.proving import store
from feltlab.analysis.readings import prove_readings
folder = pathlib.Path(sys.argv[1])
store.cache_folder = lambda kind: folder
start = time.perf_counter()
found = prove_readings(sys.argv[2])
taken = time.perf_counter() - start
print(json.dumps([taken, sum(bool(other.effects) for proved in found for other in proved.others)]))
"""


def measure() -> Iterator[Line]:
    for name, game in GAMES.items():
        with tempfile.TemporaryDirectory() as folder:
            time_readings(folder, name)  # compiles kernels and fills the store
            with tempfile.TemporaryDirectory() as empty:
                taken, proved = time_readings(empty, name)
            again, _ = time_readings(folder, name)
        beside = f"{proved:.0f} other readings, {taken / proved:.1f} s each"
        yield Line(f"{game.title}, other readings", taken, "s", beside)
        yield Line("  the same from the store", again, "s", "")


def time_readings(folder: str, name: str) -> tuple[float, float]:
    run = [sys.executable, "-c", PROVE, folder, name]
    answer = subprocess.run(run, capture_output=True, text=True, check=True, env=os.environ)
    taken, proved = json.loads(answer.stdout)
    return taken, proved
