"""Progressives as text: a TOML file that people write, JSON for events, and the digest of both."""

import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import Any

from feltlab.digests import digest_json
from feltlab.errors import Refused
from feltlab.files import read_limited
from feltlab.games.data_files import FilePlace, build
from feltlab.progressives.progressive import (
    Attachment,
    FoldRule,
    Level,
    Meter,
    MustHit,
    Overflow,
    Progressive,
    SeedPayer,
    ShareTie,
    TopTie,
)
from feltlab.progressives.rates import parse_cents, parse_rate, rate_text
from feltlab.text import dollars

MAX_FILE_BYTES = 1 << 18
NAME_PATTERN = re.compile(r"[a-z0-9][a-z0-9-]{0,63}", re.ASCII)


# -- Entries of the file ----------------------------------------------------------------------------


@dataclass(frozen=True)
class GameEntry:
    """A [[game]] of the file."""

    name: str
    cards: tuple[str, ...]


@dataclass(frozen=True)
class MeterEntry:
    """A [[meter]] of the file."""

    name: str
    seed: str
    rate: str
    reserve_rate: str = "0 %"
    hidden_rate: str = "0 %"
    seeded_by: SeedPayer = "reserve"
    cap: str = ""
    overflow: Overflow = "next"
    must_hit: tuple[str, ...] = ()
    must_hit_law: tuple[str, ...] = ()  # "25 % by $300"; uniform if it is empty


@dataclass(frozen=True)
class LevelEntry:
    """A [[level]] of the file."""

    name: str
    hands: tuple[str, ...] = ()  # the name itself if none are given
    share: str = ""
    fixed: str = ""
    meter: str = ""
    paid_from: str = "tray"
    pays: str = "for one"
    envy: str = ""


@dataclass(frozen=True)
class ProgressiveEntry:
    """The whole file."""

    name: str
    title: str
    date: str
    status: str
    bet: str
    reading: str
    house_rate: str
    game: tuple[GameEntry, ...]
    meter: tuple[MeterEntry, ...]
    level: tuple[LevelEntry, ...]
    fold: FoldRule = "stays"
    top_tie: TopTie = "split"
    share_tie: ShareTie = "simultaneous"
    source: str = ""


# -- From text --------------------------------------------------------------------------------------


def read_progressive(path: Path) -> Progressive:
    """The progressive in a TOML file."""
    content = read_limited(path, MAX_FILE_BYTES)
    try:
        text = content.decode()
    except UnicodeDecodeError:
        raise Refused(f"{path} is not text in UTF-8.") from None
    return parse_progressive(text, path.name)


def parse_progressive(text: str, file: str = "progressive.toml") -> Progressive:
    """A progressive from TOML; a mistake is refused with the file, and its line where it is known."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise Refused(f"{file}: {error}.") from None
    except RecursionError:
        raise Refused(f"{file} nests its lists too deeply.") from None
    return _from_entry(build(ProgressiveEntry, data, FilePlace(file, tuple(text.splitlines()))), file)


def progressive_from_json(data: Mapping[str, Any]) -> Progressive:
    """A progressive from what `progressive_to_json` wrote."""
    return _from_entry(build(ProgressiveEntry, dict(data), FilePlace("progressive", ())), "progressive")


def _from_entry(entry: ProgressiveEntry, file: str) -> Progressive:
    if not NAME_PATTERN.fullmatch(entry.name):
        raise Refused(f"{file}: a progressive's name has small letters, digits and hyphens, at most 64.")
    try:
        date.fromisoformat(entry.date)
    except ValueError:
        raise Refused(f"{file}: the date {entry.date!r} is not one such as 2026-11-17.") from None
    try:
        return Progressive(
            entry.name,
            entry.title,
            entry.date,
            entry.status,
            parse_cents(entry.bet),
            entry.reading,
            tuple(Attachment(game.name, game.cards) for game in entry.game),
            tuple(map(_parse_meter, entry.meter)),
            tuple(map(_parse_level, entry.level)),
            parse_rate(entry.house_rate),
            entry.fold,
            entry.top_tie,
            entry.share_tie,
            entry.source,
        )
    except Refused as refusal:
        raise Refused(f"{file}: {refusal}") from None


def _parse_meter(entry: MeterEntry) -> Meter:
    if len(entry.must_hit) not in (0, 2):
        raise Refused(f"Meter {entry.name!r}: must_hit is a list of two amounts.")
    if entry.must_hit_law and not entry.must_hit:
        raise Refused(f"Meter {entry.name!r}: must_hit_law needs must_hit.")
    return Meter(
        entry.name,
        parse_cents(entry.seed),
        parse_rate(entry.rate),
        parse_rate(entry.reserve_rate),
        parse_rate(entry.hidden_rate),
        entry.seeded_by,
        parse_cents(entry.cap) if entry.cap else None,
        entry.overflow,
        _parse_must_hit(entry) if entry.must_hit else None,
    )


def _parse_must_hit(entry: MeterEntry) -> MustHit:
    low, high = map(parse_cents, entry.must_hit)
    return MustHit(low, high, tuple(map(_parse_knot, entry.must_hit_law)))


def _parse_knot(text: str) -> tuple[int, Fraction]:
    chance, by, amount = text.partition(" by ")
    if not by:
        raise Refused(f"{text!r} is not a knot of a law, such as 25 % by $300.")
    return parse_cents(amount), parse_rate(chance)


def _parse_level(entry: LevelEntry) -> Level:
    for key, value, possible in (
        ("paid_from", entry.paid_from, ("tray", "meter")),
        ("pays", entry.pays, ("for one", "to one")),
    ):
        if value not in possible:
            raise Refused(
                f"Level {entry.name!r}: {key} is {' or '.join(map(repr, possible))}, not {value!r}."
            )
    return Level(
        entry.name,
        entry.hands or (entry.name,),
        parse_rate(entry.share) if entry.share else Fraction(0),
        parse_cents(entry.fixed) if entry.fixed else 0,
        entry.meter,
        entry.paid_from == "meter",
        entry.pays == "to one",
        parse_cents(entry.envy) if entry.envy else 0,
    )


# -- To text ----------------------------------------------------------------------------------------


def progressive_to_json(progressive: Progressive) -> dict[str, Any]:
    """All of a progressive as text and lists, which JSON and TOML can hold; defaults are left out."""
    written = {
        key: getattr(progressive, key)
        for key in ("name", "title", "date", "status", "reading", "fold", "top_tie", "share_tie", "source")
    }
    written |= {"bet": dollars(progressive.bet_cents), "house_rate": rate_text(progressive.house_rate)}
    return _without_defaults(ProgressiveEntry, written) | {
        "game": [{"name": each.game, "cards": [*each.cards]} for each in progressive.attached],
        "meter": [*map(_meter_json, progressive.meters)],
        "level": [*map(_level_json, progressive.levels)],
    }


def _without_defaults(entry: type, written: dict[str, Any]) -> dict[str, Any]:
    """The keys of an entry in its order, without those that have their default."""
    return {
        field.name: written[field.name]
        for field in fields(entry)
        if field.name in written and (field.default is MISSING or written[field.name] != field.default)
    }


def _meter_json(meter: Meter) -> dict[str, Any]:
    written: dict[str, Any] = {
        "name": meter.name,
        "seed": dollars(meter.seed_cents),
        "rate": rate_text(meter.rate),
        "reserve_rate": rate_text(meter.reserve_rate),
        "hidden_rate": rate_text(meter.hidden_rate),
        "seeded_by": meter.seeded_by,
        "cap": "" if meter.cap_cents is None else dollars(meter.cap_cents),
        "overflow": meter.overflow,
    }
    if meter.must_hit:
        written["must_hit"] = [dollars(meter.must_hit.low_cents), dollars(meter.must_hit.high_cents)]
        knots = [f"{rate_text(chance)} by {dollars(cents)}" for cents, chance in meter.must_hit.knots]
        written |= {"must_hit_law": knots} if knots else {}
    return _without_defaults(MeterEntry, written)


def _level_json(level: Level) -> dict[str, Any]:
    written = {
        "name": level.name,
        "hands": [] if level.hands == (level.name,) else [*level.hands],
        "share": rate_text(level.share) if level.share else "",
        "fixed": dollars(level.fixed_cents) if level.fixed_cents else "",
        "meter": level.meter,
        "paid_from": "meter" if level.from_meter else "tray",
        "pays": "to one" if level.to_one else "for one",
        "envy": dollars(level.envy_cents) if level.envy_cents else "",
    }
    return {key: value for key, value in _without_defaults(LevelEntry, written).items() if value != []}


def digest_progressive(progressive: Progressive) -> str:
    """The digest of a progressive's rules; an approval and a table's events are bound to it."""
    return digest_json(progressive_to_json(progressive))


def progressive_text(progressive: Progressive) -> str:
    """A progressive as the TOML file that `parse_progressive` reads back."""
    data = progressive_to_json(progressive)
    lines = [
        f"{key} = {_toml(value)}" for key, value in data.items() if key not in ("game", "meter", "level")
    ]
    for header in ("game", "meter", "level"):
        for entry in data[header]:
            lines += ["", f"[[{header}]]", *(f"{key} = {_toml(value)}" for key, value in entry.items())]
    return "\n".join(lines) + "\n"


def _toml(value: Any) -> str:
    """A text or a list of texts in TOML, whose basic strings JSON's are."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
