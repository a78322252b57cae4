"""Data files of the package, checked when they are loaded.

An entry of a file becomes a dataclass: its fields are the keys, its annotations the types. A mistake is
refused in one sentence with the file and the line. `tomllib` tells no lines, so an entry is found by its
header and a key by its name below the header.
"""

import json
import re
import tomllib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from datetime import date
from importlib import resources
from types import UnionType
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from feltlab.errors import Refused
from feltlab.games import GameHome, home_of
from feltlab.text import listing

Value = TypeVar("Value")
KINDS = {str: "text", int: "a whole number", bool: "true or false", date: "a date"}


@dataclass(frozen=True)
class FilePlace:
    """The place of an entry in a data file."""

    file: str
    lines: tuple[str, ...]
    start: int = 0  # counted from 0
    header: str = ""  # "commercial" below [commercial]

    def child(self, key: str, number: int = 0) -> "FilePlace":
        """The place of the entry below a header; where there is no header, the line of the key."""
        header = f"{self.header}.{key}".lstrip(".")
        heads = (f"[{header}]", f"[[{header}]]")
        at = [n for n, line in enumerate(self.lines) if n >= self.start and line.strip() in heads]
        start = at[number] if number < len(at) else self._line_of(key)
        return FilePlace(self.file, self.lines, start, header)

    def _line_of(self, key: str) -> int:
        named = re.compile(rf"""[\s{{,]*["']?{re.escape(key)}["']?\s*[=:]""")
        found = (n for n in range(self.start, len(self.lines)) if named.match(self.lines[n]))
        return next(found, self.start)

    def refusal(self, sentence: str, key: str = "") -> Refused:
        """A refusal that names the line of a key, or of the entry."""
        line = self._line_of(key) if key else self.start
        return Refused(f"{self.file}, line {line + 1}: {sentence}.")


def read_data(*path: str) -> tuple[dict[str, Any], FilePlace]:
    """The content of a .toml or .json file below the package, and its beginning."""
    return _parse(_read_text(*path), "/".join(path))


def read_game_data(name: str, file: str) -> tuple[dict[str, Any], FilePlace]:
    """The content of a .toml or .json file beside a game's rules, and its beginning.

    A game from outside need not have it: then the content is empty.
    """
    home = home_of(name)
    if home.is_ours:
        return read_data("games", home.folder, file)
    found = home.file(file)
    return _parse(read_text_of(home, file) if found.is_file() else "", home.describe_file(file))


def read_text_of(home: GameHome, file: str) -> str:
    """The text of a file beside a game's rules."""
    try:
        return home.file(file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        raise Refused(f"{home.describe_file(file)} cannot be read as text in UTF-8.") from None


def _parse(text: str, name: str) -> tuple[dict[str, Any], FilePlace]:
    place = FilePlace(name, tuple(text.splitlines()))
    try:
        data = json.loads(text) if name.endswith(".json") else tomllib.loads(text)
    except ValueError as error:  # which names the line
        raise Refused(f"{place.file}: {error}.") from None
    return _table(data, place), place


def _read_text(*path: str) -> str:
    file = resources.files("feltlab").joinpath(*path)
    if not file.is_file():
        raise Refused(f"{'/'.join(path)} is missing.")
    return file.read_text(encoding="utf-8")


def build(kind: type[Value], data: Any, place: FilePlace) -> Value:
    """A dataclass from the keys and values of an entry."""
    known = {field.name: field for field in fields(kind)}  # type: ignore[arg-type]
    for key in _table(data, place):
        if key not in known:
            raise place.refusal(f"{key!r} is not a key; the keys are {listing(known)}", key)
    for name, field in known.items():
        if name not in data and _is_required(field):
            raise place.refusal(f"{name!r} is missing")
    types = get_type_hints(kind)
    return kind(**{key: _convert(types[key], value, place, key) for key, value in data.items()})


def _is_required(field: Field[Any]) -> bool:
    return field.default is MISSING and field.default_factory is MISSING


def _convert(wanted: Any, value: Any, place: FilePlace, key: str) -> Any:
    origin, inner = get_origin(wanted), get_args(wanted)
    if origin is UnionType:  # a field that may be None has a default
        return _convert(inner[0], value, place, key)
    if origin is tuple:
        return tuple(_convert_items(inner[0], value, place, key))
    if is_dataclass(wanted):
        return build(wanted, value, place.child(key))  # type: ignore[arg-type]
    if origin is Mapping:
        table = _table(value, place, key)
        return {name: _convert(inner[1], each, place, name) for name, each in table.items()}
    if origin is Literal and value not in inner:
        raise place.refusal(f"{value!r} is not a {key}; possible are {listing(inner)}", key)
    if origin is not Literal and type(value) is not wanted:
        raise place.refusal(f"{key!r} is {KINDS[wanted]}, not {value!r}", key)
    return value


def _table(value: Any, place: FilePlace, key: str = "") -> dict[str, Any]:
    if not isinstance(value, dict):
        raise place.refusal(f"{key!r} has names and values" if key else "an entry has keys and values", key)
    return value


def _convert_items(wanted: Any, value: Any, place: FilePlace, key: str) -> list[Any]:
    if not isinstance(value, list):
        raise place.refusal(f"{key!r} is a list", key)
    if is_dataclass(wanted):
        return [build(wanted, each, place.child(key, n)) for n, each in enumerate(value)]  # type: ignore[arg-type]
    return [_convert(wanted, each, place, key) for each in value]


def check_names(key: str, names: Iterable[str], known: Collection[str], place: FilePlace) -> None:
    """Refuse a name that is not known, with the line of its key."""
    for name in names:
        if name not in known:
            raise place.refusal(f"{key!r} names {name!r}, but possible are {listing(known)}", key)
