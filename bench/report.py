"""Seconds to write each game's PAR sheet from stored proofs, as a user's command, start-up included.

The import of numba alone, which every command that computes waits for, is printed beside it.
"""

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from _line import Line

from feltlab.games import GAMES


def measure() -> Iterator[Line]:
    start = seconds("-c", "import numba")
    with tempfile.TemporaryDirectory() as folder:
        for name, game in GAMES.items():
            for suffix in ("pdf", "html"):
                file = Path(folder) / f"{name}.{suffix}"
                written = seconds("-m", "feltlab", "par", name, "-o", str(file))
                size, ratio = file.stat().st_size / 1024, written / start
                beside = f"{size:,.0f} KB; {ratio:.1f} times the import of numba ({start:.2f} s)"
                yield Line(f"{game.title}, {suffix.upper()}", written, "s", beside)


def seconds(*words: str) -> float:
    """The best of three runs, after one that fills the store."""

    def time_once() -> float:
        start = time.perf_counter()
        subprocess.run([sys.executable, *words], check=True, capture_output=True)
        return time.perf_counter() - start

    time_once()
    return min(time_once() for _ in range(3))
