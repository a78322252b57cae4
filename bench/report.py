"""Seconds to write each game's PAR sheet from stored proofs, as a user's command, start-up included.

Beside it stands what Python needs to import the kernels' compiler alone, which every command that computes
waits for.
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
    """The best of three, after one that fills the store."""

    def taken() -> float:
        start = time.perf_counter()
        subprocess.run([sys.executable, *words], check=True, capture_output=True)
        return time.perf_counter() - start

    taken()
    return min(taken() for _ in range(3))
