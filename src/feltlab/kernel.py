"""Kernels: functions that numba compiles. No other module imports numba.

`@kernel` compiles a function on first use. Four decisions are made here:

- **Compiled kernels release the GIL**, so threads use all cores without processes.
- **The cache is named by a digest of every source file that a kernel can depend on.** numba notices a
  change in the file of the cached function only: a changed helper in another file would silently
  return old numbers. A folder per digest makes that impossible.
- **A kernel is compiled once on a machine.** One process at a time compiles it; others that want it wait, and
  read it from the cache. numba's own index of a cache loses entries when two processes write it.
- **A broken cache never stops the program.** Where the user's cache directory cannot be written, is full or
  holds damaged files, kernels are compiled again.

`FELTLAB_INTERPRET=1` leaves every kernel plain Python, for a debugger or a coverage report.
"""

import hashlib
import os
import shutil
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from inspect import isfunction
from pathlib import Path
from typing import Any, TypeVar, cast

import numpy as np
import platformdirs
from numpy.typing import NDArray

from feltlab.byte_locks import one_process
from feltlab.game_folders import PREFIX, folder_digest, folders_of

Array = NDArray[np.signedinteger[Any]]  # cards, choices and outcomes, as rules pass them to kernels
int64 = cast(Callable[[Any], int], np.int64)  # an int to a type checker
Function = TypeVar("Function", bound=Callable[..., Any])

PACKAGE = Path(__file__).parent
INTERPRETED = os.environ.get("FELTLAB_INTERPRET", "") not in ("", "0")
FORGET_SECONDS = 30 * 24 * 3600  # after which an unused folder of the cache is deleted
MAX_WAIT_SECONDS = 60.0  # for another process that compiles a kernel; it may be stopped
FOLDER_DIGITS = 16  # of the digest of the sources
NO_KERNELS = (
    "certifying",
    "cli",
    "ledger",
    "pit",
    "report",
    "school",
    "server",
    "shuffling",
    "signing",
    "submission",
    "terminal",
    "web",
    "workers",
)  # and prove nothing


def source_digest(package: Path = PACKAGE) -> str:
    """The first digits of the digest of all sources, which name the folders of the cache."""
    return whole_source_digest(package)[:FOLDER_DIGITS]


def whole_source_digest(package: Path = PACKAGE) -> str:
    """The SHA-256 of the names and contents of all files below `package` that kernels can depend on."""
    digest = hashlib.sha256()
    for path in sorted(path for path in package.rglob("*") if path.suffix in (".py", ".toml")):
        name = path.relative_to(package)
        if name.parts[0] not in NO_KERNELS:
            digest.update(f"{name}\0".encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()


@cache
def cache_folder(kind: str = "kernels") -> Path | None:
    """The cache folder for exactly these sources; None where it cannot be written."""
    parent = Path(platformdirs.user_cache_dir("feltlab")) / kind
    folder = parent / source_digest()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            os.utime(folder)
    except OSError:
        return None
    _delete_old(parent)
    return folder


def _delete_old(parent: Path) -> None:
    with suppress(OSError):  # another process may be doing the same
        for folder in parent.iterdir():
            if time.time() - folder.stat().st_mtime > FORGET_SECONDS:
                shutil.rmtree(folder, ignore_errors=True)


def kernel(function: Function) -> Function:
    """Compile `function` on first use. It may call other kernels and read tuples of arrays."""
    return _compile(function)


def lean(function: Function) -> Function:
    """Compile a kernel that makes no arrays: reference counts would cost more than its own work."""
    return _compile(function, _nrt=False)


def inlined(function: Function) -> Function:
    """Compile a lean kernel that is inlined where it is called, for the busiest loops."""
    return _compile(function, _nrt=False, forceinline=True)


def _compile(function: Function, **options: bool) -> Function:
    if INTERPRETED:
        return function
    compiled = _compile_lazily(function, no_cfunc_wrapper=True, **options)
    _let_kernels_call(compiled, lambda: _compile_lazily(function, **WITHOUT_WRAPPERS, **options))
    _interpret_while_deferred(compiled)
    return cast(Function, compiled)


def _compile_lazily(function: Function, **options: bool) -> Any:
    """numba's dispatcher of a function, which compiles it on first use and caches that."""
    import numba

    njit: Any = numba.njit
    compiled = njit(nogil=True, error_model="numpy", **options)(function)
    inner = _inner_kernels(function)
    if folder := _cache_folder_for((function.__module__, *(name for name in inner if "." in name))):
        with _numba_cache_in(folder), suppress(OSError, RuntimeError):  # the folder was deleted meanwhile
            compiled.enable_caching()
            names = (*inner, "inner") if "no_cpython_wrapper" in options else inner
            compiled._cache = Cache(compiled._cache, folder / function.__module__, names)
            _compile_in_one_process(compiled, folder / "locks", f"{_whole_name(function)} {names}")
    return compiled


def _compile_in_one_process(compiled: Any, locks: Path, name: str) -> None:
    """Let one process at a time load a kernel from the cache, or compile and save it."""
    from numba.core.compiler_lock import global_compiler_lock

    load_or_compile = compiled.compile

    def wait_for_others(signature: Any) -> Any:
        with (
            global_compiler_lock,  # else two threads could wait for one another by way of two processes
            one_process(locks, f"{name} {signature}", MAX_WAIT_SECONDS),
        ):
            return load_or_compile(signature)

    compiled.compile = wait_for_others


# numba makes two wrappers for each function, by which Python and C call it. They unpack every array of every
# tuple, and take longer to compile than most kernels.
WITHOUT_WRAPPERS = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}


def _let_kernels_call(compiled: Any, make_inner: Callable[[], Any]) -> None:
    """Let other kernels call a version of a kernel that Python cannot call."""
    inner = cache(make_inner)
    compiled.get_call_template = lambda types, named: inner().get_call_template(types, named)
    compiled.get_overload = lambda signature: inner().get_overload(signature)


def _cache_folder_for(modules: tuple[str, ...]) -> Path | None:
    """The cache folder of a kernel of these modules: named also by the digest of games outside the package.

    None where a module is neither ours nor in such a game, since no digest covers it.
    """
    if not all(name.startswith(("feltlab.", f"{PREFIX}.")) for name in modules):
        return None
    parent = cache_folder()
    outside = sorted(folder_digest(folder) for folder in folders_of(iter(modules)))
    if parent is None or not outside:
        return parent
    folder = parent / "-".join(outside)
    with suppress(OSError):
        folder.mkdir(exist_ok=True)
        return folder
    return None


# -- Compiling later --------------------------------------------------------------------------------

_deferred = threading.Event()
_this_thread = threading.local()


def defer_compiling() -> None:
    """Let kernels without compiled code run as plain Python, so that a server need not wait for them.

    They give the same results, only slower. `compile_here` compiles them in a thread of its own; from then
    on every thread runs the compiled code.
    """
    _deferred.set()


def is_compiling_deferred() -> bool:
    return _deferred.is_set()


def resume_compiling() -> None:
    """Let every kernel compile on first use again."""
    _deferred.clear()


@contextmanager
def deferred_compiling() -> Iterator[None]:
    """Let kernels without compiled code run as plain Python meanwhile, as in a server that starts."""
    before = _deferred.is_set()
    _deferred.set()
    try:
        yield
    finally:
        if not before:
            _deferred.clear()


@contextmanager
def compile_here() -> Iterator[None]:
    """In this thread, let kernels compile on first use, also while compiling is deferred."""
    before = getattr(_this_thread, "compiles", False)
    _this_thread.compiles = True
    try:
        yield
    finally:
        _this_thread.compiles = before


def _interpret_while_deferred(compiled: Any) -> None:
    """numba asks a kernel for code that fits the arguments, and calls what it gets: also plain Python."""
    compile_for = compiled._compile_for_args

    def compile_or_interpret(*arguments: Any, **named: Any) -> Any:
        if _deferred.is_set() and not getattr(_this_thread, "compiles", False):
            return compiled.py_func
        return compile_for(*arguments, **named)

    compiled._compile_for_args = compile_or_interpret


def compile_inner(function: Function) -> Function:
    """Let a user's function be called from another one that `compile_foreign` compiles.

    Anything else that can be called, such as an object or a kernel, stays as it is.
    """
    if INTERPRETED or not isfunction(function):
        return function
    import numba

    compiled: Any = numba.njit(nogil=True, boundscheck=True)(function)
    return cast(Function, compiled)


def compile_foreign(function: Function, *arguments: Any) -> Function | None:
    """Compile a user's function for such arguments; None unless it compiles and returns a whole number.

    Its indices are checked, and it is not cached.
    """
    if INTERPRETED:
        return None
    import numba

    try:
        compiled: Any = numba.njit(nogil=True, boundscheck=True)(function)
        compiled.compile(tuple(map(numba.typeof, arguments)))
    except Exception:  # numba raises many kinds of errors for code that it cannot compile
        return None
    whole = isinstance(compiled.nopython_signatures[0].return_type, numba.types.Integer)
    return cast(Function, compiled) if whole else None


def _inner_kernels(function: Callable[..., Any]) -> tuple[str, ...]:
    """The names of the kernels in the closure of a kernel, and in theirs; of an integer there, its text."""
    cells = [cell.cell_contents for cell in getattr(function, "__closure__", None) or ()]
    names = (str(cell) if isinstance(cell, int) else _whole_name(cell) for cell in cells)
    return (*names, *(name for cell in cells for name in _inner_kernels(plain_python(cell))))


def _whole_name(value: object) -> str:
    return f"{getattr(value, '__module__', '')}.{getattr(value, '__qualname__', value)}"


class Cache:
    """numba's cache of a function, in which any error counts as a miss.

    A full disk or a damaged file raises errors of many kinds. numba names a cache by the path and the time of
    the source file, and identifies the kernels inside a kernel by numbers that differ in every process. The
    sources of one cache folder never change, so the names of modules and kernels are used instead, and a
    second clone finds what the first has compiled.
    """

    def __init__(self, files: Any, place: Path, inner: tuple[str, ...] = ()) -> None:
        from numba.core import caching

        place.mkdir(exist_ok=True)
        self.locks = place.parent / "locks"
        index: Any = caching.IndexDataCacheFile
        self.files = files
        files._cache_path = str(place)
        files._cache_file = index(str(place), files._impl.filename_base, source_stamp="")
        if inner:
            files._index_key = lambda signature, codegen: (signature, codegen.magic_tuple(), inner)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.files, name)

    def load_overload(self, signature: Any, target: Any) -> Any:
        try:
            return self.files.load_overload(signature, target)
        except Exception:
            self.flush()  # otherwise a damaged index would never be replaced
            return None

    def save_overload(self, signature: Any, compiled: Any) -> None:
        with suppress(Exception), one_process(self.locks, self.files._cache_file._index_path):
            self.files.save_overload(signature, compiled)

    def flush(self) -> None:
        with suppress(Exception):
            self.files.flush()


@contextmanager
def _numba_cache_in(folder: Path) -> Iterator[None]:
    """Set numba's cache folder while a function is decorated, so that other packages keep theirs."""
    from numba import config

    before = getattr(config, "CACHE_DIR")  # noqa: B009 numba makes it at run time, unknown to a type checker
    setattr(config, "CACHE_DIR", str(folder))  # noqa: B010
    try:
        yield
    finally:
        setattr(config, "CACHE_DIR", before)  # noqa: B010


def plain_python(function: Function) -> Function:
    """The plain Python behind a kernel."""
    return cast(Function, getattr(function, "py_func", function))


def is_kernel(function: Callable[..., Any]) -> bool:
    """Is this function compiled?"""
    return plain_python(function) is not function
