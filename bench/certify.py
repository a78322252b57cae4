"""Seconds to write the certificate of each game and to check it whole, as a user's commands.

The checker runs in a process of its own, without feltlab; it recounts every class.
"""

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from _line import Line

from feltlab.games import GAMES


def measure() -> Iterator[Line]:
    with tempfile.TemporaryDirectory() as folder:
        for name, game in GAMES.items():
            place = Path(folder) / name
            run("-m", "feltlab", "certify", name, "-o", str(place))  # compiles kernels and fills the store
            written, _ = run("-m", "feltlab", "certify", name, "-o", str(place))
            size = sum(file.stat().st_size for file in place.iterdir()) / 1e6
            yield Line(f"{game.title}, certificate", written, "s", f"{size:,.1f} MB")
            checked, answer = run("-I", str(place / "check_certificate.py"), str(place), "--json")
            done = json.loads(answer)
            verdict = "accepted" if done["accepted"] else f"rejected: {done['reason']}"
            yield Line(
                "  checked by its own checker", checked, "s", f"{verdict}, {len(done['checks'])} checks"
            )


def run(*words: str) -> tuple[float, str]:
    start = time.perf_counter()
    done = subprocess.run([sys.executable, *words], check=False, capture_output=True, text=True)
    return time.perf_counter() - start, done.stdout
