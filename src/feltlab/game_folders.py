"""Games that live outside the package: folders that a user named, imported as packages.

A folder is imported only when a user names it, on the command line or in `FELTLAB_GAMES`, which worker
processes inherit. Its modules are known as `feltlab_yours.<folder>_<digest of its path>`.
"""

import hashlib
import importlib
import os
import re
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

from feltlab.errors import Refused

PREFIX = "feltlab_yours"
ENVIRONMENT = "FELTLAB_GAMES"  # folders, separated as in PATH
RULES = "rules"


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


def name_folder(text: str) -> Path:
    """Remember a folder with a game, for this process and those that it starts."""
    folder = Path(text).expanduser()
    folder = folder.parent if folder.name == f"{RULES}.py" else folder
    if not folder.is_dir():
        raise Refused(f"{text} is not a folder with a game.")
    if not (folder / f"{RULES}.py").is_file():
        raise Refused(f"{text} is not a game: it has no {RULES}.py.")
    folder = folder.resolve()
    if folder not in named_folders():
        os.environ[ENVIRONMENT] = os.pathsep.join(map(str, (*named_folders(), folder)))
    return folder


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
    _make_package(PREFIX, [])
    package = package_of(folder)
    _make_package(package, [str(folder)])
    try:
        return importlib.import_module(f"{package}.{RULES}")
    except Refused:
        raise
    except SyntaxError as error:
        where = Path(error.filename or RULES).name
        raise Refused(f"{folder.name}/{where}, line {error.lineno}: {error.msg}.") from None
    except Exception as error:
        raise Refused(f"{describe_place(error, folder)}: {describe_error(error)}.") from None


def _make_package(name: str, path: list[str]) -> None:
    if name not in sys.modules:
        package = ModuleType(name)
        package.__path__ = path
        sys.modules[name] = package


def describe_place(error: BaseException, folder: Path) -> str:
    """'my-game/rules.py, line 12': the last line of the folder's own code that an error went through."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if Path(f.filename).parent == folder]
    if not frames:
        return f"{folder.name}/{RULES}.py"
    return f"{folder.name}/{Path(frames[-1].filename).name}, line {frames[-1].lineno}"


def describe_error(error: BaseException) -> str:
    """The first line of an error's message, with its kind unless it is a plain refusal of a value."""
    message = str(error).strip().splitlines()[0].rstrip(".") if str(error).strip() else ""
    kind = type(error).__name__
    return message if isinstance(error, ValueError) and message else f"{kind}: {message}" if message else kind


def import_by_name(module: str) -> ModuleType:
    """A module of the package, or of a folder that the user named, also in a process that has not seen it."""
    if module.startswith(f"{PREFIX}.") and module not in sys.modules:
        for folder in named_folders():
            if module.startswith(f"{package_of(folder)}."):
                import_rules(folder)
    return importlib.import_module(module)


def folder_of(module: str) -> Path | None:
    """The folder of a module outside the package, if it is one."""
    if not module.startswith(f"{PREFIX}."):
        return None
    package = sys.modules.get(".".join(module.split(".")[:2]))
    return Path(next(iter(package.__path__))) if package and package.__path__ else None


def folders_of(modules: Iterator[str]) -> set[Path]:
    """The folders of all modules that are outside the package."""
    return {folder for module in modules if (folder := folder_of(module))}


def folder_digest(folder: Path) -> str:
    """A digest of all source files in a folder, for caches of what follows from them."""
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*.py")):
        digest.update(f"{path.relative_to(folder)}\0".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]
