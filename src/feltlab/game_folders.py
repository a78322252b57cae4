"""Games that live outside the package: folders that a user named, imported as packages.

A folder is imported only when a user names it, on the command line or in `FELTLAB_GAMES`, which worker
processes inherit. Its modules are known as `feltlab_yours.<folder>_<digest of its path>`.

A process keeps the rules that it imported first. Whatever it stores is named by the digest of those sources,
also if the files have changed since.
"""

import hashlib
import importlib
import os
import re
import sys
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from types import ModuleType

from feltlab.errors import Refused

PREFIX = "feltlab_yours"
ENVIRONMENT = "FELTLAB_GAMES"  # folders, separated as in PATH
EXPECTED = "FELTLAB_EXPECTED_SOURCES"  # set for worker processes: a digest of the folders' sources
RULES = "rules"
NOT_COMPILED = (
    "this cannot be compiled; kernels work with numbers, arrays, tuples and other kernels,"
    " and a @lean kernel makes no list and no array"
)


def is_path(text: str) -> bool:
    """Does this name a folder, not a game? A name has no slash, and begins with neither a dot nor ~."""
    return "/" in text or text.startswith((".", "~"))


def package_of(folder: Path) -> str:
    """The package under which a folder is imported; the path tells folders of one name apart."""
    words = re.sub(r"\W", "_", folder.name)
    return f"{PREFIX}.{words}_{hashlib.sha256(str(folder).encode()).hexdigest()[:8]}"


def named_folders() -> tuple[Path, ...]:
    """The folders that the user has named so far."""
    given = os.environ.get(ENVIRONMENT, "")
    return tuple(Path(each) for each in given.split(os.pathsep) if each)


def find_folder(text: str) -> Path:
    """The folder of a game that the user has written as a path."""
    folder = Path(text).expanduser()
    folder = folder.parent if folder.name == f"{RULES}.py" else folder
    if not folder.is_dir():
        raise Refused(f"{text} is not a folder with a game.")
    if not (folder / f"{RULES}.py").is_file():
        raise Refused(f"{text} is not a game: it has no {RULES}.py.")
    return folder.resolve()


def name_folder(folder: Path) -> None:
    """Remember a folder with a game, for this process and those that it starts."""
    if folder not in named_folders():
        os.environ[ENVIRONMENT] = os.pathsep.join(map(str, (*named_folders(), folder)))


def games_below(text: str) -> list[Path]:
    """The games in a folder: the folder itself, or every folder in it that has rules."""
    folder = Path(text).expanduser()
    if not folder.is_dir():
        raise Refused(f"{text} is not a folder.")
    found = (
        [folder]
        if (folder / f"{RULES}.py").is_file()
        else sorted(path.parent for path in folder.glob(f"*/{RULES}.py"))
    )
    if not found:
        raise Refused(f"{text} has no game: no folder in it has a {RULES}.py.")
    return found


def import_rules(folder: Path) -> ModuleType:
    """The rules in a folder. What is wrong with them is refused with the file and the line."""
    return import_beside(folder, RULES)


def import_beside(folder: Path, name: str) -> ModuleType:
    """A module of a game's folder, such as its rules. What is wrong is refused with the file and the line."""
    package = package_of(folder)
    _make_package(PREFIX, [])
    _make_package(package, [str(folder)])
    is_first = folder not in _digests
    folder_digest(folder)  # of the sources as they are imported
    try:
        with _without_bytecode(), redirect_stdout(sys.stderr):  # standard output is for answers
            return importlib.import_module(f"{package}.{name}")
    except (Exception, SystemExit) as error:
        if is_first:
            forget_folder(folder)
        raise _import_refusal(error, folder) from None


def _import_refusal(error: Exception | SystemExit, folder: Path) -> Refused:
    if isinstance(error, Refused):
        return error
    if isinstance(error, SyntaxError):
        where = Path(error.filename or f"{RULES}.py").name
        line = f", line {error.lineno}" if error.lineno else ""
        return Refused(f"{folder.name}/{where}{line}: {error.msg}.")
    return Refused(f"{describe_place(error, folder)}: {describe_error(error)}.")


def forget_folder(folder: Path) -> None:
    """Import a folder again when it is next named: the user mends it, perhaps while this process goes on."""
    package = package_of(folder)
    for module in [name for name in sys.modules if f"{name}.".startswith(f"{package}.")]:
        del sys.modules[module]
    _digests.pop(folder, None)


@contextmanager
def _without_bytecode() -> Iterator[None]:
    """Write no bytecode: Python takes it for current if a file is edited twice within a second."""
    before, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        yield
    finally:
        sys.dont_write_bytecode = before


def _make_package(name: str, path: list[str]) -> None:
    if name not in sys.modules:
        package = ModuleType(name)
        package.__path__ = path
        sys.modules[name] = package


def describe_place(error: BaseException, folder: Path) -> str:
    """'my-game/rules.py, line 12': the last line of the folder's own code that an error went through."""
    if place := _find_place(error, folder):
        return f"{folder.name}/{place[0]}, line {place[1]}"
    return f"{folder.name}/{RULES}.py"


def describe_own_mistake(error: BaseException) -> str:
    """A sentence about an error in a folder that the user named; '' if it comes from elsewhere."""
    for folder in named_folders():
        if _find_place(error, folder):
            return f"{describe_place(error, folder)}: {describe_error(error)}."
    return ""


def _find_place(error: BaseException, folder: Path) -> tuple[str, str] | None:
    """The file and the line of the folder's own code that an error comes from, if it does."""
    if _is_of_numba(error):
        found = re.search(rf"{re.escape(str(folder))}/(\w+\.py) \((\d+)\)", str(error))
        return (found[1], found[2]) if found else None
    frames = [f for f in traceback.extract_tb(error.__traceback__) if Path(f.filename).parent == folder]
    return (Path(frames[-1].filename).name, str(frames[-1].lineno)) if frames else None


def _is_of_numba(error: BaseException) -> bool:
    """Is this an error of the compiler? It names places in its message, the innermost first."""
    return type(error).__module__.startswith("numba.")


def describe_error(error: BaseException) -> str:
    """The first line of an error's message, with its kind unless it is a plain refusal of a value."""
    if _is_of_numba(error):
        return NOT_COMPILED
    message = str(error).strip().splitlines()[0].rstrip(".") if str(error).strip() else ""
    message = re.sub(r" \(/.*\)$", "", message)  # where Python found a module is of no use to a reader
    kind = type(error).__name__
    return message if isinstance(error, ValueError) and message else f"{kind}: {message}" if message else kind


def import_by_name(module: str) -> ModuleType:
    """A module of the package, or of a folder that the user named, also in a process that has not seen it."""
    if not module.startswith(f"{PREFIX}."):
        return importlib.import_module(module)
    folders = (folder for folder in named_folders() if module.startswith(f"{package_of(folder)}."))
    folder = folder_of(module) or next(folders, None)
    if folder is None:
        raise Refused(f"{module} is in no folder that this process knows; set {ENVIRONMENT} to its folder.")
    return import_beside(folder, module.split(".", 2)[2])


def folder_of(module: str) -> Path | None:
    """The folder of a module outside the package, if it is one."""
    if not module.startswith(f"{PREFIX}."):
        return None
    package = sys.modules.get(".".join(module.split(".")[:2]))
    return Path(next(iter(package.__path__))) if package and package.__path__ else None


def folders_of(modules: Iterator[str]) -> set[Path]:
    """The folders of all modules that are outside the package."""
    return {folder for module in modules if (folder := folder_of(module))}


# -- Digests of sources -----------------------------------------------------------------------------

_digests: dict[Path, str] = {}


def folder_digest(folder: Path) -> str:
    """A digest of all source files in a folder as this process imported them, for caches of what follows."""
    if folder not in _digests:
        digest = digest_sources(folder)
        _check_expected(folder, digest)
        _digests[folder] = digest
    return _digests[folder]


def digest_sources(folder: Path) -> str:
    """A digest of all source files in a folder as they are now."""
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*.py")):
        digest.update(f"{path.relative_to(folder)}\0".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def worker_environment() -> Mapping[str, str]:
    """The environment of a worker process, which must import the same rules as this process did."""
    expected = (f"{package_of(folder)}={digest}" for folder, digest in _digests.items())
    return os.environ | {EXPECTED: " ".join(expected)}


def _check_expected(folder: Path, digest: str) -> None:
    """Refuse sources that differ from those that the process which started this worker has imported."""
    expected = dict(pair.split("=") for pair in os.environ.get(EXPECTED, "").split())
    if expected.get(package_of(folder), digest) != digest:
        raise Refused(f"The files of {folder.name} have changed since the program started; start it again.")
