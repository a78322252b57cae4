"""The one door to numba.

`@kernel` compiles a function; nothing else in feltlab imports numba. Three decisions live here:

- **Compiled kernels release the GIL**, so threads share two cores without processes.
- **The cache is named by a digest of every source file of the package.** numba notices a change in
  the file of the cached function only: a changed helper in another file would silently return old
  numbers. A folder per digest makes that impossible.
- **No cache is better than no answer.** Where the user's cache directory cannot be written, kernels
  are compiled anew in each process.

`FELTLAB_INTERPRET=1` leaves every kernel plain Python, for a debugger or a coverage report.
"""

import hashlib
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import numpy as np
import platformdirs
from numpy.typing import NDArray

Array = NDArray[np.int8]  # cards, choices and outcomes, as the rules of a game pass them to kernels
int64 = cast(Callable[[Any], int], np.int64)  # what a kernel works with is an int to a type checker
Function = TypeVar("Function", bound=Callable[..., Any])

PACKAGE = Path(__file__).parent
INTERPRETED = os.environ.get("FELTLAB_INTERPRET", "") not in ("", "0")
FORGET_AFTER = 30 * 24 * 3600  # seconds; folders of sources long gone


def source_digest(package: Path = PACKAGE) -> str:
    """A digest of the names and texts of all Python files below `package`."""
    digest = hashlib.sha256()
    for path in sorted(package.rglob("*.py")):
        digest.update(f"{path.relative_to(package)}\0".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


@cache
def cache_folder() -> Path | None:
    """Where compiled kernels of exactly these sources are kept; None where nothing can be kept."""
    shelf = Path(platformdirs.user_cache_dir("feltlab")) / "kernels"
    folder = shelf / source_digest()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            os.utime(folder)
    except OSError:
        return None
    _forget_old(shelf)
    return folder


def _forget_old(shelf: Path) -> None:
    for folder in shelf.iterdir():
        with suppress(OSError):  # another process may be doing the same
            if time.time() - folder.stat().st_mtime > FORGET_AFTER:
                shutil.rmtree(folder, ignore_errors=True)


def kernel(function: Function) -> Function:
    """Compile `function` on first use. It may call other kernels and read tuples of arrays."""
    if INTERPRETED:
        return function
    import numba

    folder = cache_folder()
    with _numba_cache_in(folder):
        compiled = numba.njit(nogil=True, error_model="numpy", cache=folder is not None)(function)
    return cast(Function, compiled)


@contextmanager
def _numba_cache_in(folder: Path | None) -> Iterator[None]:
    """numba asks for its cache folder once, when a function is decorated; others keep theirs."""
    from numba import config

    before = getattr(config, "CACHE_DIR")  # noqa: B009 numba makes it at run time, unknown to a type checker
    setattr(config, "CACHE_DIR", str(folder or ""))  # noqa: B010
    try:
        yield
    finally:
        setattr(config, "CACHE_DIR", before)  # noqa: B010


def interpreted(function: Function) -> Function:
    """The plain Python behind a kernel."""
    return cast(Function, getattr(function, "py_func", function))
