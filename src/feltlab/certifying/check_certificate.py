#!/usr/bin/env python3
"""Check a certificate of a casino card game without the program that wrote it.

    python check_certificate.py FOLDER [--nonce TEXT] [--samples N] [--no-recount] [--json]

This file needs Python 3.11 or later and numpy, and nothing else. It has its own reading of the rules of five
games, its own evaluators of hands and its own pay tables. It accepts a certificate (exit status 0) if

- every file matches the SHA-256 in the manifest, and there is no other file;
- the digest of the rules, the options, the pay tables and the stake are possible and belong together;
- the classes of the player's cards are canonical and distinct, and their weights add up to all hands;
- the counts of every class add up, and the recorded choice of every class is the best for the stake;
- the law of all outcomes, and every fraction, follows from the classes;
- the counts of every class are those that this file counts itself (left out with --no-recount);
- classes drawn with the verifier's nonce have the counts that dealing every single hand gives.

It rejects a certificate with exit status 1 and lists every check that failed. Exit status 2 means that
nothing could be checked. Take this file from the release that you trust, not from the certificate's folder.
"""

import argparse
import hashlib
import json
import os
import re
import secrets
import stat
import sys
import time
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb, lcm, perm
from typing import Any, NamedTuple, NoReturn

import numpy as np

FORMAT, VERSION = "feltlab-certificate", 1
MANIFEST = "manifest.json"
MAX_MANIFEST_BYTES = 1 << 25
MAX_FILE_BYTES = 1 << 29
MAX_TABLE_BYTES = 1 << 30
MAX_DIGITS = 80  # of a count; a fraction has two of three times this length
MAX_STAKE_DIGITS = 15
FILE_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")
SIGNATURE_NAME = re.compile(r"manifest\.json[a-z0-9._-]{0,40}\.sig")
DTYPES = {"|u1": 1, "<u2": 2, "<u4": 4, "<i8": 8}
NOT_PLACED = -1  # the outcome of a raise that was not made
NO_CHOICE = 255  # the choice of a class in which none opens

Array = Any  # a numpy array
Outcomes = tuple[int, ...]
Law = dict[Outcomes, int]


class Wrong(Exception):
    """A check that fails; the message is one sentence."""


class Unusable(Exception):
    """Nothing can be checked; the message is one sentence."""


def demand(condition: Any, sentence: str) -> None:
    if not condition:
        raise Wrong(sentence)


# == Reading a folder that may be hostile ================================================================


def read_bytes(folder: str, name: str, limit: int) -> bytes:
    """The content of an ordinary file; links, folders and devices are refused."""
    path = os.path.join(folder, name)
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    except (OSError, ValueError) as error:
        raise Wrong(f"{name} cannot be read: {getattr(error, 'strerror', 'the name is none')}.") from None
    found = os.fstat(handle)
    if not stat.S_ISREG(found.st_mode):
        os.close(handle)
        raise Wrong(f"{name} is not an ordinary file.")
    with os.fdopen(handle, "rb") as stream:
        demand(found.st_size <= limit, f"{name} has {found.st_size} bytes, more than {limit}.")
        try:
            return stream.read(limit + 1)
        except OSError as error:
            raise Wrong(f"{name} cannot be read: {error.strerror}.") from None


def canonical_json(data: Any) -> bytes:
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    demand(len(found) == len(pairs), "The manifest has two values under one name.")
    return found


def refuse_constant(text: str) -> NoReturn:
    raise Wrong(f"The manifest holds {text}, which is not a number.")


def parse_json(content: bytes) -> Any:
    try:
        return json.loads(
            content.decode(),
            object_pairs_hook=unique_keys,
            parse_constant=refuse_constant,
            parse_float=refuse_constant,
        )
    except (ValueError, RecursionError):
        raise Wrong("The manifest is not JSON.") from None


def is_text(value: Any, limit: int = 1 << 16) -> bool:
    return isinstance(value, str) and len(value) <= limit


def field(data: Mapping[str, Any], name: str, kind: type) -> Any:
    value = data.get(name) if isinstance(data, dict) else None
    demand(isinstance(value, kind) and not isinstance(value, bool), f"The manifest has no proper {name!r}.")
    return value


def read_count(text: Any, what: str) -> int:
    good = isinstance(text, str) and len(text) <= MAX_DIGITS and re.fullmatch("0|[1-9][0-9]*", text)
    demand(good, f"{what} is not a whole number in digits.")
    return int(text)


FRACTION = re.compile(r"(-?[0-9]{1,400})/([0-9]{1,400})")


def read_fraction(text: Any, what: str) -> Fraction:
    found = FRACTION.fullmatch(text) if is_text(text, 900) else None
    demand(found and found[2].strip("0"), f"{what} is not a fraction.")
    assert found
    return Fraction(int(found[1]), int(found[2]))


UNITS = re.compile(rf"(-?[0-9]{{1,{MAX_STAKE_DIGITS}}})(?:/([0-9]{{1,{MAX_STAKE_DIGITS}}}))?")


def read_units(text: Any, what: str) -> Fraction:
    """A short fraction: of a stake, a pay or a size."""
    found = UNITS.fullmatch(text) if is_text(text, 40) else None
    demand(found and (found[2] or "1").strip("0"), f"{what} is not a number of units.")
    assert found
    value = Fraction(int(found[1]), int(found[2] or 1))
    demand(str(value) == text, f"{what} is not in lowest terms.")
    return value


class Certificate:
    """The folder, its manifest, and the tables as arrays."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        content = read_bytes(folder, MANIFEST, MAX_MANIFEST_BYTES)
        self.digest = hashlib.sha256(content).hexdigest()
        self.manifest = parse_json(content)
        demand(isinstance(self.manifest, dict), "The manifest is not an object.")
        self.is_canonical = content == canonical_json(self.manifest)
        self.contents: dict[str, bytes] = {}
        self.arrays: dict[str, Array] = {}

    def table(self, name: str, kinds: str, *shape: int) -> Array:
        """An array of the certificate; a shape of -1 takes any length. `kinds` are letters of dtypes."""
        demand(name in self.arrays, f"The table {name!r} is missing.")
        found = self.arrays[name]
        fits = len(found.shape) == len(shape) and all(
            n in (-1, m) for n, m in zip(shape, found.shape, strict=True)
        )
        demand(fits, f"The table {name!r} has the shape {list(found.shape)}.")
        demand(found.dtype.str[-2:] in kinds.split(), f"The table {name!r} has the type {found.dtype.str}.")
        return found

    def columns(self, name: str, spots: int) -> list[Outcomes]:
        """The joint outcome of each column of a table."""
        listed = field(field(self.manifest, "columns", dict), name, list)
        demand(
            all(isinstance(row, list) and len(row) == spots for row in listed)
            and all(type(n) is int and NOT_PLACED <= n < 64 for row in listed for n in row),
            f"The columns of {name!r} are not joint outcomes.",
        )
        demand(len({*map(tuple, listed)}) == len(listed), f"Two columns of {name!r} are the same outcome.")
        return [tuple(row) for row in listed]


def check_files(certificate: Certificate) -> str:
    """Every file that is listed is there and unchanged, and no other."""
    files = field(certificate.manifest, "files", dict)
    demand(0 < len(files) <= 200, "The manifest lists no files, or too many.")
    for name, listed in files.items():
        demand(
            FILE_NAME.fullmatch(name) and name != MANIFEST, f"{name[:80]!r} is not the name of a file here."
        )
        content = read_bytes(certificate.folder, name, MAX_FILE_BYTES)
        digest = hashlib.sha256(content).hexdigest()
        good = field(listed, "bytes", int) == len(content) and field(listed, "sha256", str) == digest
        demand(good, f"{name} is not the file whose size and SHA-256 the manifest lists.")
        certificate.contents[name] = content
    found = set(os.listdir(certificate.folder)) - {MANIFEST, *files}
    others = sorted(name for name in found if not SIGNATURE_NAME.fullmatch(name))
    demand(not others, f"{others[0][:80] if others else ''!r} is in the folder, but not in the manifest.")
    demand(certificate.is_canonical, "The manifest is not canonical JSON.")
    return f"{len(files)} files"


def unpack(content: bytes, compression: str, size: int, name: str) -> bytes:
    if compression == "none":
        return content
    demand(compression == "zlib", f"The table {name!r} is packed in an unknown way.")
    opened = zlib.decompressobj()
    try:
        data = opened.decompress(content, size + 1)
    except zlib.error:
        raise Wrong(f"The table {name!r} is damaged.") from None
    demand(opened.eof and not opened.unused_data, f"The table {name!r} does not end where it should.")
    return data


def check_tables(certificate: Certificate) -> str:
    """Every table has the type and the size that the manifest gives, and every file has its use."""
    tables = field(certificate.manifest, "tables", dict)
    total = 0
    for name, listed in tables.items():
        shape, kind = field(listed, "shape", list), field(listed, "dtype", str)
        good = (
            kind in DTYPES
            and 1 <= len(shape) <= 4
            and all(type(n) is int and 0 <= n < 1 << 32 for n in shape)
        )
        demand(good, f"The table {name[:80]!r} has no proper type or shape.")
        size = DTYPES[kind]
        for n in shape:
            size *= n
        total += size
        demand(total <= MAX_TABLE_BYTES, "The tables are larger than any certificate needs.")
        packed = certificate.contents.get(field(listed, "file", str))
        demand(packed is not None, f"The file of the table {name[:80]!r} is not listed.")
        data = unpack(packed or b"", field(listed, "compression", str), size, name)
        demand(len(data) == size, f"The table {name[:80]!r} has {len(data)} bytes, not {size}.")
        array = np.frombuffer(data, np.dtype(kind)).reshape(shape)
        demand(
            kind != "<i8" or not array.size or int(array.min()) >= 0, f"{name[:80]!r} has a negative number."
        )
        certificate.arrays[name] = array
    return f"{len(tables)} tables, {total:,} bytes"


# == The rules of the five games =======================================================================

Line = tuple[str, Fraction, int]  # an outcome, its pay for each unit staked, the units staked


class Place(NamedTuple):
    """A place for a wager or a raise, with its pay tables by name."""

    name: str
    tables: Mapping[str, tuple[Line, ...]]
    option: str = ""  # names the table
    raises: str = ""  # the wager that it belongs to
    size: Fraction = Fraction(1)  # in units of that wager
    required: bool = False
    at_most: str = ""


class Rules(NamedTuple):
    places: tuple[Place, ...]
    choices: tuple[str, ...]
    options: Mapping[str, tuple[str, ...]]

    def find(self, name: str) -> Place:
        return next(place for place in self.places if place.name == name)


def lines(text: str) -> tuple[Line, ...]:
    """Lines such as 'war won 1/2 x2': an outcome, its pay to one, and the units staked if not one."""
    found = []
    for part in text.split(";"):
        *words, last = part.split()
        staked = int(last[1:]) if re.fullmatch("x[0-9]", last) else 1
        pays = words.pop() if staked > 1 else last
        found.append((" ".join(words), Fraction(pays), staked))
    return tuple(found)


def one_table(name: str, text: str) -> dict[str, tuple[Line, ...]]:
    return {name: lines(text)}


def pay_columns(names: str, outcomes: str, *rows: str) -> dict[str, tuple[Line, ...]]:
    """Several tables side by side: a row of pays for each outcome, a column for each table."""
    columns = zip(*(row.split() for row in rows), strict=True)
    return {
        name: tuple(
            (outcome, Fraction(pay), 1) for outcome, pay in zip(outcomes.split("; "), column, strict=True)
        )
        for name, column in zip(names.split(), columns, strict=True)
    }


ONLY_YES_NO = ("no", "yes")
SETTLING = ("pick-and-pay", "lay-and-pay")

CASINO_WAR = Rules(
    (
        Place(
            "primary",
            one_table(
                "primary",
                "higher card 1; lower card -1; surrender -1/2; war won 1/2 x2; war tied 1 x2; war lost -1 x2",
            ),
            required=True,
        ),
        Place("tie", one_table("tie", "tie 10; no tie -1")),
    ),
    ("war", "surrender"),
    {"decks": tuple("12345678"), "war": ("one", "each"), "settling": SETTLING},
)

TRIPLE_SHOT_RUMMY = Rules(
    (
        Place(
            "play",
            one_table(
                "play",
                "dealer does not play 0; fewer points with 0 4; fewer points with 1 to 5 2;"
                "fewer points with 6 to 19 1; more points -1; tie 0",
            ),
            raises="ante",
        ),
        Place(
            "ante",
            one_table("ante", "fold -1; dealer does not play 1; fewer points 1; more points -1; tie 0"),
        ),
        Place(
            "pair-plus",
            pay_columns(
                "1 2 3 4 5 6",
                "Royal Flush; Straight Flush; Three of a Kind; Straight; Flush; Pair; less than a Pair",
                "40 40 40 50 50 50",
                "40 40 40 40 40 40",
                "30 30 30 30 30 30",
                "6 5 6 6 5 6",
                "4 4 3 4 4 3",
                "1 1 1 1 1 1",
                "-1 -1 -1 -1 -1 -1",
            ),
            option="pair-plus",
        ),
        Place(
            "six-card-bonus",
            pay_columns(
                "1 2 3 4",
                "Royal Flush; Straight Flush; Four of a Kind; Full House; Flush; Straight; Three of a Kind; "
                "less than Three of a Kind",
                "1000 1000 1000 1000",
                "200 200 200 200",
                "50 50 100 100",
                "25 25 20 20",
                "20 15 15 15",
                "10 10 9 10",
                "5 5 8 7",
                "-1 -1 -1 -1",
            ),
            option="six-card-bonus",
        ),
    ),
    ("play", "fold"),
    {
        "pair-plus": tuple("123456"),
        "six-card-bonus": tuple("1234"),
        "ante-mandatory": ONLY_YES_NO,
        "two-positions": ONLY_YES_NO,
        "settling": SETTLING,
        "dealt-by": ("shuffler", "hand"),
    },
)

RULES = {
    "casino-war": CASINO_WAR,
    "triple-shot-rummy": TRIPLE_SHOT_RUMMY,
}


class Game(NamedTuple):
    """The game of a certificate: rules, options, pays and stake."""

    name: str
    rules: Rules
    options: Mapping[str, str]
    tables: tuple[tuple[Line, ...], ...]  # by place, with the pays in force
    stake: Mapping[str, Fraction]
    custom: tuple[str, ...]  # pays that no listed table has

    def net(self, bet: str, outcomes: Outcomes) -> Fraction:
        """The net of a bet with its raises, for each unit of its first wager."""
        return sum((size * pays * staked for size, pays, staked in self._lines(bet, outcomes)), Fraction(0))

    def staked(self, bet: str, outcomes: Outcomes) -> Fraction:
        return sum((size * staked for size, _, staked in self._lines(bet, outcomes)), Fraction(0))

    def _lines(self, bet: str, outcomes: Outcomes) -> Iterator[tuple[Fraction, Fraction, int]]:
        for place, table, number in zip(self.rules.places, self.tables, outcomes, strict=True):
            if bet in (place.name, place.raises) and number != NOT_PLACED:
                _, pays, staked = table[number]
                yield place.size, pays, staked

    def total(self, outcomes: Outcomes) -> Fraction:
        """The net of the whole stake."""
        return sum((units * self.net(bet, outcomes) for bet, units in self.stake.items()), Fraction(0))

    @property
    def bets(self) -> list[str]:
        return [place.name for place in self.rules.places if not place.raises]

    def choice(self, name: str) -> int:
        return self.rules.choices.index(name)


def read_game(certificate: Certificate) -> Game:
    """The game of the manifest, if its options, pay tables and stake are possible."""
    manifest = certificate.manifest
    name = field(manifest, "game", str)
    demand(name in RULES, f"{name[:80]!r} is not a game that this checker knows.")
    rules = RULES[name]
    options = field(manifest, "options", dict)
    known = options.keys() == rules.options.keys()
    demand(
        known and all(v in rules.options[k] for k, v in options.items()), "The options are not the game's."
    )
    demand(tuple(field(manifest, "choices", list)) == rules.choices, "The choices are not the game's.")
    demand(field(manifest, "strategy", str) == "optimal", "The strategy is not called optimal.")
    tables, custom = read_pays(manifest, rules, options)
    stake = read_stake(manifest, rules, options)
    return Game(name, rules, options, tables, stake, custom)


def read_pays(
    manifest: Mapping[str, Any], rules: Rules, options: Mapping[str, str]
) -> tuple[tuple[tuple[Line, ...], ...], tuple[str, ...]]:
    """The pays in force; one that no listed table has must be named under `changed_pays`."""
    changed = {}
    for entry in field(manifest, "changed_pays", list):
        demand(
            isinstance(entry, list) and len(entry) == 3 and all(map(is_text, entry)),
            "A changed pay is unclear.",
        )
        changed[entry[0], entry[1]] = read_units(entry[2], "A changed pay")
    tables, used = [], set()
    for place in rules.places:
        listed = place.tables[options[place.option] if place.option else next(iter(place.tables))]
        used |= {(place.name, outcome) for outcome, pays, _ in listed if pays > 0}
        tables.append(tuple((o, changed.get((place.name, o), pays), staked) for o, pays, staked in listed))
    demand(
        changed.keys() <= used and all(pays > 0 for pays in changed.values()), "A changed pay is not a win's."
    )
    shown = [place_json(place, table) for place, table in zip(rules.places, tables, strict=True)]
    demand(field(manifest, "spots", list) == shown, "The pay tables are not those of the rules and options.")
    return tuple(tables), tuple(f"{spot}: {line} pays {pay}" for (spot, line), pay in changed.items())


def place_json(place: Place, table: Iterable[Line]) -> dict[str, Any]:
    return {
        "name": place.name,
        "raises": place.raises,
        "size": str(place.size),
        "lines": [[outcome, str(pays), staked] for outcome, pays, staked in table],
    }


def read_stake(manifest: Mapping[str, Any], rules: Rules, options: Mapping[str, str]) -> dict[str, Fraction]:
    listed = field(manifest, "stake", dict)
    wagers = [place for place in rules.places if not place.raises]
    demand(listed.keys() == {place.name for place in wagers}, "The stake does not name the game's wagers.")
    stake = {place.name: read_units(listed[place.name], "The stake") for place in wagers}
    demand(min(stake.values()) >= 0 and any(stake.values()), "The stake is negative or empty.")
    for place in wagers:
        required = place.required or options.get(f"{place.name}-mandatory") == "yes"
        demand(stake[place.name] or not required, f"The game requires a stake on {place.name}.")
        demand(
            not place.at_most or stake[place.name] <= stake[place.at_most],
            f"The stake on {place.name} is too high.",
        )
    return stake


def check_rules(certificate: Certificate) -> str:
    """The digest of the rules is that of their text, the options and the changed pays."""
    manifest = certificate.manifest
    demand("rules.txt" in certificate.contents, "The text of the rules is missing.")
    text = hashlib.sha256(certificate.contents["rules.txt"]).hexdigest()
    demand(field(manifest, "rules_text_digest", str) == text, "The text of the rules has another digest.")
    options = sorted(field(manifest, "options", dict).items())
    offered = json.dumps([text, options, field(manifest, "changed_pays", list)])
    digest = hashlib.sha256(offered.encode()).hexdigest()
    demand(field(manifest, "rules_digest", str) == digest, "The digest of the rules does not follow.")
    return digest[:16]


# == The law and the figures ===========================================================================


def read_law(certificate: Certificate, game: Game) -> Law:
    """The law of the manifest: how many deals lead to each joint outcome."""
    law: Law = {}
    sizes = [len(table) for table in game.tables]
    for entry in field(certificate.manifest, "law", list):
        demand(
            isinstance(entry, list) and len(entry) == 2 and isinstance(entry[0], list),
            "A line of the law is unclear.",
        )
        outcomes = tuple(entry[0])
        good = len(outcomes) == len(sizes) and all(type(n) is int for n in outcomes)
        good = good and all(NOT_PLACED <= n < size for n, size in zip(outcomes, sizes, strict=True))
        demand(good and outcomes not in law, "The law has an outcome that cannot be, or one twice.")
        law[outcomes] = read_count(entry[1], "A count of the law")
    demand(law and min(law.values()) > 0, "The law is empty or has a count of zero.")
    return law


def read_first_choices(certificate: Certificate, game: Game) -> dict[str, int]:
    listed = field(certificate.manifest, "first_choices", dict)
    demand(listed.keys() <= {"", *game.rules.choices}, "A first choice is not a choice of the game.")
    return {name: read_count(text, "A count of first choices") for name, text in listed.items()}


def mean(values: Iterable[Fraction], law: Law, deals: int) -> Fraction:
    counted: Counter[Fraction] = Counter()
    for value, count in zip(values, law.values(), strict=True):
        counted[value] += count
    return sum((value * count for value, count in counted.items()), Fraction(0)) / deals


def figures_of(game: Game, law: Law) -> dict[str, Any]:
    """All figures of a certificate, as text."""
    deals = sum(law.values())
    nets = {bet: [game.net(bet, outcomes) for outcomes in law] for bet in game.bets}
    staked = {bet: mean((game.staked(bet, o) for o in law), law, deals) for bet in game.bets}
    expected = {bet: mean(nets[bet], law, deals) for bet in game.bets}
    covariance = {
        a: {
            b: mean((x * y for x, y in zip(nets[a], nets[b], strict=True)), law, deals)
            - expected[a] * expected[b]
            for b in game.bets
        }
        for a in game.bets
    }
    bets = {
        bet: bet_figures(nets[bet], expected[bet], staked[bet], covariance[bet][bet], law)
        for bet in game.bets
    }
    units = game.stake
    net = sum((units[bet] * expected[bet] for bet in units), Fraction(0))
    wagered = sum((units[bet] * staked[bet] for bet in units), Fraction(0))
    variance = sum((units[a] * units[b] * covariance[a][b] for a in units for b in units), Fraction(0))
    total = {
        "expected": net,
        "average_wager": wagered,
        "element_of_risk": -net / wagered,
        "variance": variance,
    }
    return {
        "bets": bets,
        "total": as_text(total),
        "covariance": {a: as_text(row) for a, row in covariance.items()},
    }


def bet_figures(
    nets: Sequence[Fraction], expected: Fraction, staked: Fraction, variance: Fraction, law: Law
) -> dict[str, str]:
    deals = sum(law.values())
    found = {
        "expected": expected,
        "house_edge": -expected,
        "average_wager": staked,
        "element_of_risk": -expected / staked,
        "variance": variance,
        "net_win_probability": mean((Fraction(net > 0) for net in nets), law, deals),
        "net_push_probability": mean((Fraction(net == 0) for net in nets), law, deals),
    }
    return as_text(found)


def as_text(values: Mapping[str, Fraction]) -> dict[str, str]:
    return {name: f"{value.numerator}/{value.denominator}" for name, value in values.items()}


def check_figures(certificate: Certificate, game: Game, law: Law) -> str:
    claimed, found = field(certificate.manifest, "figures", dict), figures_of(game, law)
    demand(claimed.keys() == found.keys(), "The figures are not those of this format.")
    for part in ("bets", "covariance"):
        demand(
            field(claimed, part, dict).keys() == found[part].keys(), f"The figures of {part} are incomplete."
        )
        for name, values in found[part].items():
            compare_figures(claimed[part][name], values, f"{part} {name}")
    compare_figures(claimed["total"], found["total"], "total")
    net = Fraction(found["total"]["expected"])
    return f"the stake nets {float(net):+.8f} units a round"


def compare_figures(claimed: Any, found: Mapping[str, str], where: str) -> None:
    demand(
        isinstance(claimed, dict) and claimed.keys() == found.keys(),
        f"The figures of {where} are incomplete.",
    )
    for name, value in found.items():
        demand(claimed[name] == value, f"The figure {name} of {where} does not follow from the law.")


# == Classes with counts for each choice ===============================================================


class Classes(NamedTuple):
    """Classes of the player's cards with, by choice, the deals that lead to each joint outcome."""

    weights: Array  # int64: hands, or orders of cards, in each class
    deals: int  # of each hand
    choices: Array  # the recorded choice
    counts: Mapping[str, tuple[Array, list[Outcomes]]]  # by choice: [class, column], and its columns


def check_counts_add_up(classes: Classes, opened: Mapping[str, Array]) -> str:
    """Under every open choice the counts of a class add up to its deals; under others they are zero."""
    for name, (counts, _) in classes.counts.items():
        whole = np.where(opened[name], classes.weights * classes.deals, 0)
        bad = np.flatnonzero(counts.sum(axis=1, dtype=np.int64) != whole)
        demand(not len(bad), f"The counts of {name or 'no choice'} do not add up in {len(bad)} classes.")
    return f"{len(classes.weights):,} classes"


def value_rows(counts: Array, nets: Sequence[Fraction], unit: int) -> Array:
    """By class, the net of all its deals in whole parts of a unit; Python's ints where 64 bits overflow."""
    whole = [int(net * unit) for net in nets]
    biggest = max(map(abs, whole), default=0) * int(counts.sum(axis=1, dtype=np.int64).max(initial=0))
    kind: Any = np.int64 if biggest < 1 << 62 else object
    total = np.zeros(len(counts), kind)
    for column, net in enumerate(whole):
        if net:
            total += counts[:, column].astype(kind) * net
    return total


def check_best(classes: Classes, game: Game, opened: Mapping[str, Array]) -> str:
    """No open choice of a class has a higher expected net than the recorded one."""
    named = {name: [game.total(o) for o in columns] for name, (_, columns) in classes.counts.items()}
    unit = lcm(*(net.denominator for nets in named.values() for net in nets))
    values = {name: value_rows(counts, named[name], unit) for name, (counts, _) in classes.counts.items()}
    ties = 0
    for name in game.rules.choices:
        chosen = classes.choices == game.choice(name)
        demand(opened[name][chosen].all(), f"A class has the choice {name}, which is not open to it.")
        for other in game.rules.choices:
            rivals = chosen & opened[other]
            worse = (values[name] < values[other]) & rivals
            demand(not worse.any(), f"{int(worse.sum())} classes {name} although {other} is better.")
            ties += int(((values[name] == values[other]) & rivals).sum()) if name != other else 0
    none = classes.choices == NO_CHOICE
    any_open = np.any([opened[name] for name in game.rules.choices], axis=0)
    demand((none == ~any_open).all(), "A class has no choice although one is open to it.")
    return f"{ties:,} ties"


def law_of_classes(classes: Classes, game: Game) -> tuple[Law, dict[str, int]]:
    """The law and the first choices that follow from the recorded choices."""
    law: Counter[Outcomes] = Counter()
    first: dict[str, int] = {}
    for name, (counts, columns) in classes.counts.items():
        rows = classes.choices == (game.choice(name) if name else NO_CHOICE)
        totals = exact_column_sums(counts[rows])
        law.update({outcomes: n for outcomes, n in zip(columns, totals, strict=True) if n})
        first[name] = sum(totals)
    return dict(law), first


def exact_column_sums(counts: Array) -> list[int]:
    """Sums that cannot overflow: the upper and the lower halves of the numbers are added apart."""
    wide = counts.astype(np.int64)
    high, low = (wide >> 31).sum(axis=0), (wide & (1 << 31) - 1).sum(axis=0)
    return [(int(h) << 31) + int(n) for h, n in zip(high, low, strict=True)]


def check_law(law: Law, first: Mapping[str, int], found: Law, choices: Mapping[str, int], deals: int) -> str:
    demand(sum(law.values()) == deals, "The law does not add up to the number of all deals.")
    demand(law == found, "The law does not follow from the classes and their choices.")
    made = {name: n for name, n in choices.items() if n}
    demand(
        {name: n for name, n in first.items() if n} == made,
        "The first choices do not follow from the classes.",
    )
    return f"{deals:,} deals, {len(law)} joint outcomes"


# == Cards up to suits =================================================================================
# A card is 4 * rank + suit with the deuce as rank 0; the joker is 52. A hand is four sets of ranks, one for
# each suit, and renaming suits permutes them. The canonical hand of a class has them in falling order.

JOKER = 52
JOKER_BIT = 1 << 52


def suit_masks(hands: Array) -> Array:
    """By hand and suit, the set of ranks as bits; the joker belongs to none."""
    masks = np.zeros((len(hands), 4), np.int64)
    for column in hands.T.astype(np.int64):
        for suit in range(4):
            masks[:, suit] |= np.where((column & 3 == suit) & (column < JOKER), 1 << (column >> 2), 0)
    return masks


def join_masks(masks: Array, joker: Array | int = 0) -> Array:
    joined = masks[:, 0] << 39 | masks[:, 1] << 26 | masks[:, 2] << 13 | masks[:, 3]
    return joined | joker * JOKER_BIT


def class_keys(hands: Array) -> Array:
    """The number of the class of each hand: its suits sorted, and whether it holds the joker."""
    masks = -np.sort(-suit_masks(hands), axis=1)
    return join_masks(masks, (hands == JOKER).any(axis=1).astype(np.int64))


def orbit_sizes(masks: Array) -> Array:
    """By canonical hand, the number of hands in its class: the different orders of its four sets."""
    same = masks[:, :3] == masks[:, 1:]
    one, two, three = same.T
    return np.select(
        [one & two & three, (one & two) | (two & three), one & three, one | two | three], [1, 4, 6, 12], 24
    )


def check_canonical(hands: Array, weights: Array, size: int, cards: int, whole: int) -> str:
    """Every hand is the canonical one of its class, no class occurs twice, and all weigh what they should."""
    demand(int(hands.max(initial=0)) < cards, "A class has a card that is not in the deck.")
    ordered = np.sort(hands, axis=1)
    demand((ordered[:, 1:] != ordered[:, :-1]).all(), "A class holds one card twice.")
    masks = suit_masks(hands)
    demand((masks[:, :3] >= masks[:, 1:]).all(), "A class is not in its canonical suits.")
    keys = join_masks(masks, (hands == JOKER).any(axis=1).astype(np.int64))
    demand(len(np.unique(keys)) == len(keys), "A class occurs twice.")
    demand((orbit_sizes(masks) == weights).all(), "A class has a wrong weight.")
    total = int(weights.sum(dtype=np.int64))
    demand(total == whole, f"The weights of the classes add up to {total:,} hands, not to {whole:,}.")
    return f"{len(keys):,} classes of {size} cards, {total:,} hands"


# == Hands of poker ====================================================================================
# A strength is a number: the category, then five ranks, in base 13. All strengths are then numbered from the
# weakest up, so that they fit sixteen bits. HIGH_CARD to FIVE_ACES are the categories.

(HIGH, PAIR, TWO_PAIR, THREE, STRAIGHT, FLUSH, FULL, FOUR, STRAIGHT_FLUSH, ROYAL, FIVE_ACES) = range(11)
ACE = 12
WHEEL = (ACE, 0, 1, 2, 3)


def pack_strength(category: int, *ranks: int) -> int:
    strength = category
    for rank in (*ranks, *(0,) * (5 - len(ranks))):
        strength = strength * 13 + rank
    return strength


def straight_top(present: Callable[[int], bool], wild: int = 0) -> int:
    """The highest rank of the best straight among these ranks, with some wild cards; -1 without one."""
    for top in range(ACE, 2, -1):
        needed = WHEEL if top == 3 else range(top - 4, top + 1)
        if sum(not present(rank) for rank in needed) <= wild:
            return top
    return -1


def unsuited_strength(counts: Sequence[int], joker: bool) -> int:
    """The best hand of these ranks without a flush; the joker is an ace or completes a straight."""
    held = list(counts)
    held[ACE] += joker
    best = matched_strength(held)
    top = straight_top(lambda rank: counts[rank] > 0, int(joker))
    return max(best, pack_strength(STRAIGHT, top)) if top >= 0 else best


def matched_strength(held: Sequence[int]) -> int:
    """The best hand by equal ranks alone."""
    groups = sorted(((n, rank) for rank, n in enumerate(held) if n), reverse=True)
    (first, one), *rest = groups
    second, two = rest[0] if rest else (0, 0)
    singles = sorted((rank for _, rank in groups), reverse=True)
    others = [rank for rank in singles if rank != one]
    if first == 5:
        return pack_strength(FIVE_ACES)
    if first == 4:
        return pack_strength(FOUR, one, others[0])
    if first == 3 and second >= 2:
        return pack_strength(FULL, one, max(rank for n, rank in rest if n >= 2))
    if first == 3:
        return pack_strength(THREE, one, *others[:2])
    if first == 2 and second == 2:
        return pack_strength(TWO_PAIR, one, two, next(rank for rank in others if rank != two))
    if first == 2:
        return pack_strength(PAIR, one, *others[:3])
    return pack_strength(HIGH, *singles[:5])


def suited_strength(mask: int, joker: bool) -> int:
    """The best flush of these ranks of one suit; in it the joker is the highest rank that is missing."""
    ranks = [rank for rank in range(ACE, -1, -1) if mask >> rank & 1]
    if len(ranks) + joker < 5:
        return 0
    top = straight_top(lambda rank: bool(mask >> rank & 1), int(joker))
    if top >= 0:
        return pack_strength(ROYAL if top == ACE else STRAIGHT_FLUSH, *(() if top == ACE else (top,)))
    if joker:
        ranks = sorted([*ranks, next(rank for rank in range(ACE, -1, -1) if rank not in ranks)], reverse=True)
    return pack_strength(FLUSH, *ranks[:5])


# Sums of up to seven of these numbers, each taken at most four times, are all different: `Poker` verifies it.
RANK_KEYS = (0, 1, 5, 22, 98, 453, 2031, 8698, 22854, 83661, 262349, 636345, 1479181)
JOKER_KEY = 1 << 23
KEY_BITS = (1 << 24) - 1
SUIT_SHIFT = 32  # above the key of the ranks, four bits count the cards of each suit
FIVE_OF_A_SUIT = 0x8888 << SUIT_SHIFT
EMPTY = 0x3333 << SUIT_SHIFT  # so that the fifth card of a suit sets its highest bit


def card_key(card: int) -> int:
    if card == JOKER:
        return JOKER_KEY + (0x1111 << SUIT_SHIFT)
    return RANK_KEYS[card >> 2] + (1 << SUIT_SHIFT + 4 * (card & 3))


CARD_KEYS = np.array([card_key(card) for card in range(53)])
CARD_BITS = np.array([1 << 13 * (card & 3) + (card >> 2) for card in range(52)] + [0])


@cache
def strength_list() -> Array:
    """Every strength that five cards can have, rising."""
    found = {suited_strength(sum(1 << r for r in ranks), False) for ranks in combinations(range(13), 5)}
    found |= {unsuited_strength(counts, False) for counts in rank_counts(5)}
    return np.array(sorted(found | {pack_strength(FIVE_ACES)}))


def rank_counts(size: int) -> Iterator[list[int]]:
    """How many cards of each rank, for every set of ranks that a deck can deal."""
    for ranks in combinations_with_replacement(range(13), size):
        counts = [0] * 13
        for rank in ranks:
            counts[rank] += 1
        if max(counts) <= 4:
            yield counts


def number_of(strength: int) -> int:
    """The number of the weakest hand that is at least this strong."""
    return int(np.searchsorted(strength_list(), strength))


def weakest(category: int, *ranks: int) -> int:
    """The number of the weakest hand of a category, or of one with these leading ranks."""
    return number_of(pack_strength(category, *ranks))


@cache
def categories() -> Array:
    """By number of a strength, its category."""
    return strength_list() // 13**5


class Poker:
    """The strengths of hands of one size, as numbers in `strength_list`."""

    def __init__(self, size: int, joker: bool = False) -> None:
        room = (2 if joker else 1) * JOKER_KEY
        self.ranks = np.zeros(room, np.uint16)
        for wild in (False, True)[: 1 + joker]:
            rows = list(rank_counts(size - wild))
            keys = np.array(rows) @ np.array(RANK_KEYS) + wild * JOKER_KEY
            demand(len(np.unique(keys)) == len(keys), "The keys of ranks are not unique.")
            self.ranks[keys] = np.searchsorted(
                strength_list(), [unsuited_strength(row, wild) for row in rows]
            )
        suited = [[suited_strength(mask, wild) for mask in range(1 << 13)] for wild in (False, True)]
        self.flushes = np.where(np.array(suited), np.searchsorted(strength_list(), suited), 0).astype(
            np.uint16
        )

    def read(self, keys: Array, cards_at: Callable[[Array], Array]) -> Array:
        """The strengths of hands, from the sums of their keys; `cards_at` gives the cards of some as bits."""
        found = self.ranks[keys & KEY_BITS]
        at = np.flatnonzero(keys.reshape(-1) & FIVE_OF_A_SUIT)
        if len(at):
            flat, cards = found.reshape(-1), cards_at(at)
            wild = keys.reshape(-1)[at] >> 23 & 1
            best = flat[at]
            for suit in range(4):
                best = np.maximum(best, self.flushes[wild, cards >> 13 * suit & 0x1FFF])
            flat[at] = best
        return found

    def strengths(self, hands: Array) -> Array:
        """The strength of each row of cards."""
        wide = hands.astype(np.int64)
        keys = CARD_KEYS[wide].sum(axis=1) + EMPTY
        return self.read(keys, lambda at: CARD_BITS[wide[at]].sum(axis=1))


@cache
def poker_of(size: int, joker: bool = False) -> Poker:
    return Poker(size, joker)


def all_sets(size: int, things: int = 52) -> Array:
    """Every set of some of the first cards, a row each."""
    return np.array(list(combinations(range(things), size)), np.uint8).reshape(-1, size)


# == Random leaves =====================================================================================


class Drawer:
    """Numbers below a bound from SHA-256 of the nonce and a counter, each equally likely."""

    def __init__(self, nonce: str, digest: str) -> None:
        self.seed, self.number = f"{nonce}\0{digest}".encode(), 0

    def below(self, bound: int) -> int:
        size = bound.bit_length() + 64  # the remainder is fair to one part in 2^64
        digits = b""
        while len(digits) * 8 < size:
            digits += hashlib.sha256(self.seed + self.number.to_bytes(8, "big")).digest()
            self.number += 1
        return int.from_bytes(digits, "big") % bound

    def weighted(self, weights: Array, count: int) -> list[int]:
        """Places drawn by weight."""
        edges = np.cumsum(weights.astype(np.int64))
        return [int(np.searchsorted(edges, self.below(int(edges[-1])), side="right")) for _ in range(count)]


CONFIDENCE = Fraction(99, 100)


def describe_bound(samples: int, spread: Fraction, whole: bool) -> str:
    """What could be wrong although every drawn class was right."""
    share = 1 - float(1 - CONFIDENCE) ** (1 / samples) if samples else 1.0
    chance = f"the chance to draw none of a share p of all deals is (1-p)^{samples}"
    drawn = f"{samples} classes drawn by weight were dealt out one hand at a time and are right"
    if whole:
        return (
            "Every class was recounted, so a wrong count can have escaped only through a mistake in this "
            f"checker's own method. As a test of that method, {drawn}. As {chance}, at 99 % confidence "
            f"the method counts less than {share:.3%} of the deals wrongly."
        )
    return (
        f"No recount was made; {drawn}. As {chance}, at 99 % confidence less than {share:.3%} of the deals "
        f"are in wrong classes. The net of a round varies by at most {float(spread):g} units, so these "
        f"could change the expected net by less than {share * float(spread):.4g} units."
    )


def spread_of(game: Game) -> Fraction:
    """An upper bound of the difference between two nets of the stake."""
    spread = Fraction(0)
    for place, table in zip(game.rules.places, game.tables, strict=True):
        nets = [pays * staked for _, pays, staked in table] + [Fraction(0)] * bool(place.raises)
        spread += game.stake[place.raises or place.name] * place.size * (max(nets) - min(nets))
    return spread


# == The course of the checks ==========================================================================


class Result(NamedTuple):
    name: str
    verdict: str  # "ok", "FAILED" or "skipped"
    detail: str
    seconds: float


class Run:
    """The checks of one certificate, one after the other."""

    def __init__(self, certificate: Certificate, options: argparse.Namespace) -> None:
        self.certificate, self.options = certificate, options
        self.results: list[Result] = []
        self.bound = ""
        self.drawer = Drawer(options.nonce, certificate.digest)

    def check(self, name: str, function: Callable[..., Any], *needs: Any) -> Any:
        """Run a check; the result, or None if it failed or if something that it needs is missing."""
        start = time.perf_counter()
        found, verdict, detail = None, "ok", ""
        if any(need is None for need in needs):
            verdict, detail = "skipped", "an earlier check failed"
        else:
            try:
                found = function(*needs)
                detail = found if isinstance(found, str) else ""
            except Wrong as wrong:
                verdict, detail = "FAILED", str(wrong)
            except (
                ArithmeticError,
                AttributeError,
                LookupError,
                MemoryError,
                TypeError,
                ValueError,
            ) as error:
                verdict, detail = (
                    "FAILED",
                    f"The data are not those of a certificate ({type(error).__name__}).",
                )
        self.report(Result(name, verdict, detail, time.perf_counter() - start))
        return found

    def report(self, result: Result) -> None:
        self.results.append(result)
        if not self.options.json:
            seconds = f"{result.seconds:8.2f} s"
            print(f"{result.verdict:8}{seconds}  {result.name}: {result.detail}".rstrip(": "), flush=True)

    @property
    def failed(self) -> list[Result]:
        return [result for result in self.results if result.verdict != "ok"]

    def samples(self, usual: int) -> int:
        return usual if self.options.samples is None else int(self.options.samples)

    def finish(self, game: Game, found: tuple[Law, dict[str, int]] | None, deals: int) -> None:
        """The checks that end every game: the law, the first choices and the figures."""
        law = self.check("the law can be read", read_law, self.certificate, game)
        first = self.check("the first choices can be read", read_first_choices, self.certificate, game)
        by_law, by_choice = found or (None, None)
        stated = self.check("the number of deals", check_deals, self.certificate, deals)
        self.check("the law follows", check_law, law, first, by_law, by_choice, deals if stated else None)
        self.check("the figures follow", check_figures, self.certificate, game, law)


def check_deals(certificate: Certificate, deals: int) -> str:
    claimed = read_count(field(certificate.manifest, "deals", str), "The number of deals")
    demand(claimed == deals, f"The number of deals is {deals:,}, not {claimed:,}.")
    return f"{deals:,}"


def load_classes(
    certificate: Certificate, game: Game, weights: Array, deals: int, names: Sequence[str]
) -> Classes:
    """The recorded choice of each class, and its counts under each choice."""
    choices = certificate.table("choices", "u1", len(weights))
    counts = {}
    for name in names:
        table = f"counts.{name or 'none'}"
        columns = certificate.columns(table, len(game.rules.places))
        counts[name] = (certificate.table(table, "u1 u2 u4 i8", len(weights), len(columns)), columns)
    return Classes(weights.astype(np.int64), deals, choices, counts)


Recounted = Mapping[str, Mapping[Outcomes, Array]]  # by choice and joint outcome: by class


def check_recounted(classes: Classes, recounted: Recounted) -> str:
    """The counts of every class are those that this checker has counted."""
    for name, (counts, columns) in classes.counts.items():
        found = dict(recounted[name])
        for column, outcomes in enumerate(columns):
            mine = found.pop(outcomes, np.zeros(len(counts), np.int64))
            bad = np.flatnonzero(counts[:, column].astype(np.int64) != mine)
            demand(
                not len(bad), f"A recount of {name or 'no choice'} finds other counts in {len(bad)} classes."
            )
        missing = [outcomes for outcomes, mine in found.items() if mine.any()]
        demand(not missing, f"A recount of {name or 'no choice'} finds an outcome without a column.")
    return f"{len(classes.weights):,} classes counted again"


def check_classes(
    run: Run, game: Game, classes: Classes | None, opened: Mapping[str, Array] | None, deals: int
) -> None:
    """The checks of classes that have counts for each choice."""
    run.check("counts add up", check_counts_add_up, classes, opened)
    run.check("every choice is the best", check_best, classes, game, opened)
    found = None
    if classes is not None:
        found = run.check("the law of the classes", law_of_classes, classes, game)
    run.finish(game, found, deals)


def open_everywhere(classes: Classes) -> dict[str, Array]:
    return {name: np.ones(len(classes.weights), np.bool_) for name in classes.counts}


# == Casino War ========================================================================================

HIGHER, LOWER, GAVE_UP, WAR_WON, WAR_TIED, WAR_LOST = range(6)
TIED, NOT_TIED = range(2)


def check_casino_war(run: Run, game: Game) -> None:
    certificate, cards = run.certificate, 52 * int(game.options["decks"])
    rest = perm(cards - 2, 2)
    weights = run.check("weights partition the deals", war_weights, certificate, game)
    names = ("", *game.rules.choices)
    classes = run.check("classes can be read", load_classes, certificate, game, weights, rest, names)
    opened = run.check("choices open on a tie", war_open, certificate, classes)
    check_classes(run, game, classes, opened, cards * (cards - 1) * rest)
    counted = None if run.options.no_recount else run.check("recount", war_recount, certificate, game)
    if not run.options.no_recount:
        run.check("recount agrees", check_recounted, classes, counted)
        run.bound = "Every class was recounted from all orders of four ranks; nothing was sampled."


def war_weights(certificate: Certificate, game: Game) -> Array:
    """Every pair of ranks occurs once, with the number of its orders of cards."""
    ranks = certificate.table("ranks", "u1", -1, 2).astype(np.int64)
    weights = certificate.table("weights", "i8", len(ranks))
    demand(int(ranks.max(initial=0)) < 13, "A class has a rank that is not in the deck.")
    demand(
        len(ranks) == 169 == len(np.unique(ranks @ [13, 1])), "A pair of ranks is missing or occurs twice."
    )
    copies = 4 * int(game.options["decks"])
    right = copies * np.where(ranks[:, 0] == ranks[:, 1], copies - 1, copies)
    demand((weights == right).all(), "A class has a wrong weight.")
    return weights


def war_open(certificate: Certificate, classes: Classes) -> dict[str, Array]:
    ranks = certificate.table("ranks", "u1", -1, 2)
    tied = ranks[:, 0] == ranks[:, 1]
    return {"": ~tied, "war": tied, "surrender": tied}


def war_recount(certificate: Certificate, game: Game) -> Recounted:
    copies = 4 * int(game.options["decks"])
    cards = 13 * copies
    ranks = certificate.table("ranks", "u1", -1, 2)
    found: dict[str, dict[Outcomes, Array]] = {"": {}, "war": {}, "surrender": {}}

    def add(choice: str, outcomes: Outcomes, row: int, ways: int) -> None:
        found[choice].setdefault(outcomes, np.zeros(len(ranks), np.int64))[row] += ways

    for row, (mine, dealers) in enumerate(ranks.tolist()):
        first = copies * (copies - (mine == dealers))
        if mine != dealers:
            outcome = HIGHER if mine > dealers else LOWER
            add("", (outcome, NOT_TIED), row, first * (cards - 2) * (cards - 3))
            continue
        for one in range(13):
            for two in range(13):
                ways = first * (copies - 2 * (one == mine)) * (copies - 2 * (two == mine) - (one == two))
                outcome = WAR_WON if one > two else WAR_TIED if one == two else WAR_LOST
                add("war", (outcome, TIED), row, ways)
                add("surrender", (GAVE_UP, TIED), row, ways)
    return found


# == Triple Shot Rummy =================================================================================

(UNOPPOSED, WON_ZERO, WON_FIVE, WON_NINETEEN, RUMMY_LOST, RUMMY_TIED) = range(6)  # of Play
ANTE_AFTER = {UNOPPOSED: 1, WON_ZERO: 2, WON_FIVE: 2, WON_NINETEEN: 2, RUMMY_LOST: 3, RUMMY_TIED: 4}
BONUS_OUTCOMES = 8
DEALER_PLAYS_WITH = 20


def card_points(card: int) -> int:
    """Ace 1, face value, and ten for ten, jack, queen and king."""
    return 1 if card >> 2 == ACE else min((card >> 2) + 2, 10)


def low_rank(card: int) -> int:
    """The place of a card in a run, where the ace is low."""
    return ((card >> 2) + 1) % 13


def makes_zero(cards: Sequence[int]) -> bool:
    """Are two or three cards of one rank, or a run in one suit?"""
    if len({card >> 2 for card in cards}) == 1:
        return True
    places = sorted(map(low_rank, cards))
    return len({card & 3 for card in cards}) == 1 and places == [*range(places[0], places[0] + len(cards))]


def rummy_points(hand: Sequence[int]) -> int:
    """The fewest points of three cards."""
    if makes_zero(hand):
        return 0
    total = sum(map(card_points, hand))
    matched = [
        total - card_points(a) - card_points(b) for a, b in combinations(hand, 2) if makes_zero((a, b))
    ]
    return min([total, *matched])


def pair_plus_outcome(hand: Sequence[int]) -> int:
    """Royal, straight flush, three, straight, flush, pair or less, numbered from 0."""
    ranks = sorted(card >> 2 for card in hand)
    flush = len({card & 3 for card in hand}) == 1
    straight = ranks in ([0, 1, ACE], [*range(ranks[0], ranks[0] + 3)])
    if straight and flush:
        return 0 if ranks[0] == ACE - 2 else 1
    if ranks[0] == ranks[2]:
        return 2
    return 3 if straight else 4 if flush else 5 if ranks[0] == ranks[1] or ranks[1] == ranks[2] else 6


@cache
def bonus_outcomes() -> Array:
    """By number of a strength, the outcome of a bet that wins from three of a kind up."""
    order = {ROYAL: 0, STRAIGHT_FLUSH: 1, FOUR: 2, FULL: 3, FLUSH: 4, STRAIGHT: 5, THREE: 6}
    return np.array([order.get(int(category), 7) for category in categories()])


def check_rummy(run: Run, game: Game) -> None:
    certificate = run.certificate
    whole, dealers = comb(52, 3), comb(49, 3)
    run.check("weights partition the deals", rummy_partition, certificate, whole)
    weights = run.check("weights can be read", lambda: certificate.table("weights", "u1", -1))
    names = game.rules.choices
    classes = run.check("classes can be read", load_classes, certificate, game, weights, dealers, names)
    opened = None if classes is None else open_everywhere(classes)
    check_classes(run, game, classes, opened, whole * dealers)
    if not run.options.no_recount:
        counted = run.check("recount", rummy_recount, certificate, weights)
        run.check("recount agrees", check_recounted, classes, counted)
        run.bound = "Every class was recounted by dealing it every hand of the dealer; nothing was sampled."


def rummy_partition(certificate: Certificate, whole: int) -> str:
    hands = certificate.table("cards", "u1", -1, 3)
    return check_canonical(hands, certificate.table("weights", "u1", len(hands)), 3, 52, whole)


def rummy_recount(certificate: Certificate, weights: Array) -> Recounted:
    hands = certificate.table("cards", "u1", len(weights), 3)
    others = all_sets(3).astype(np.int64)
    keys, bits = CARD_KEYS[others].sum(axis=1), CARD_BITS[others].sum(axis=1)
    points = np.array([rummy_points(hand) for hand in others.tolist()])
    poker = poker_of(6)
    found: dict[str, dict[Outcomes, Array]] = {"play": {}, "fold": {}}
    for row, (hand, weight) in enumerate(zip(hands.tolist(), weights.tolist(), strict=True)):
        held = int(CARD_BITS[hand].sum())
        free = np.flatnonzero(bits & held == 0)
        cards = bits[free] | held
        six = poker.read(keys[free] + (EMPTY + int(CARD_KEYS[hand].sum())), cards.__getitem__)
        play = rummy_play(rummy_points(hand), points[free])
        table = np.bincount(play * BONUS_OUTCOMES + bonus_outcomes()[six], minlength=48)
        plus = pair_plus_outcome(hand)
        for code in np.flatnonzero(table).tolist():
            made, bonus = divmod(code, BONUS_OUTCOMES)
            for choice, beside in (("play", (made, ANTE_AFTER[made])), ("fold", (NOT_PLACED, 0))):
                rows = found[choice].setdefault((*beside, plus, bonus), np.zeros(len(hands), np.int64))
                rows[row] += weight * int(table[code])
    return found


def rummy_play(mine: int, dealers: Array) -> Array:
    """The outcome of Play against each number of the dealer's points."""
    won = WON_ZERO if mine == 0 else WON_FIVE if mine <= 5 else WON_NINETEEN
    compared = np.where(mine < dealers, won, np.where(mine == dealers, RUMMY_TIED, RUMMY_LOST))
    return np.where(dealers > DEALER_PLAYS_WITH, UNOPPOSED, compared)


# == Sets of cards and their classes ===================================================================


@cache
def colex_sets(size: int, cards: int) -> Array:
    """Every set of some cards, ordered by its highest card, then the next; each row rising."""
    if size == 0:
        return np.zeros((1, 0), np.uint8)
    lower = colex_sets(size - 1, cards)
    parts = [lower[: comb(top, size - 1)] for top in range(size - 1, cards)]
    tops = np.repeat(np.arange(size - 1, cards, dtype=np.uint8), [len(part) for part in parts])
    return np.column_stack([np.concatenate(parts), tops])


CHOOSE = np.array([[comb(card, size) for card in range(53)] for size in range(8)])


def places_of(hands: Array, columns: Sequence[int]) -> Array:
    """The row in `colex_sets` of some cards of each hand; hands are rising."""
    place = np.zeros(len(hands), np.int64)
    for size, column in enumerate(columns, 1):
        place += CHOOSE[size][hands[:, column]]
    return place


class SetClasses(NamedTuple):
    """The classes of all sets of one size."""

    number: Array  # by row of `colex_sets`
    hands: Array  # one set of each class, rising
    weights: Array


@cache
def set_classes(size: int, cards: int) -> SetClasses:
    sets = colex_sets(size, cards)
    keys = np.concatenate([class_keys(part) for part in np.array_split(sets, 1 + len(sets) // 200_000)])
    _, first, number, weights = np.unique(keys, return_index=True, return_inverse=True, return_counts=True)
    return SetClasses(number.astype(np.int32), sets[first], weights)


def key_masks(keys: Array) -> Array:
    return np.stack([keys >> 39 & 0x1FFF, keys >> 26 & 0x1FFF, keys >> 13 & 0x1FFF, keys & 0x1FFF], axis=1)


def hands_of_keys(keys: Array, size: int) -> Array:
    """The canonical hand of each class, rising."""
    cards = np.arange(53)
    shift = np.where(cards == JOKER, 52, 13 * (3 - (cards & 3)) + (cards >> 2))
    parts = []
    for part in np.array_split(keys, 1 + len(keys) // 200_000):
        held = (part[:, None] >> shift & 1).astype(np.bool_)
        parts.append(np.nonzero(held)[1].reshape(-1, size).astype(np.uint8))
    return np.concatenate(parts)


def add_a_card(keys: Array) -> Array:
    """The classes of all hands that have one more card, without a joker."""
    found = [np.zeros(0, np.int64)]
    for part in np.array_split(keys, 1 + len(keys) // 50_000):
        masks = key_masks(part)
        longer = []
        for suit in range(4):
            for rank in range(13):
                more = masks.copy()
                more[:, suit] |= 1 << rank
                more = more[more[:, suit] != masks[:, suit]]
                longer.append(join_masks(-np.sort(-more, axis=1)))
        found.append(np.unique(np.concatenate(longer)))
    return np.unique(np.concatenate(found))


# == Rabbit Hunter =====================================================================================

RABBIT_HUNTER = Rules(
    (
        Place("sixth-card", one_table("sixth-card", "bought -1"), raises="ante"),
        Place(
            "ante",
            one_table("ante", "fold -1; dealer does not qualify 0; better hand 1; worse hand -1; tie 0"),
            required=True,
        ),
        Place("play", one_table("play", "better hand 1; worse hand -1; tie 0"), raises="ante"),
        Place(
            "tens-up",
            one_table(
                "tens-up",
                "Royal Flush 500; Straight Flush 100; Four of a Kind 50; Full House 30; Flush 10; Straight 7;"
                "Three of a Kind 5; Two Pair 2; Tens Up 1; less than a pair of Tens -1; fold -1",
            ),
            at_most="ante",
        ),
        Place("bad-beat", one_table("bad-beat", "bad beat 10; no bad beat -1; fold -1")),
    ),
    ("fold", "play", "buy"),
    {},
)
RULES["rabbit-hunter"] = RABBIT_HUNTER
ANTE_REFUNDED, ANTE_WON, ANTE_LOST, ANTE_TIED = range(1, 5)
BEAT_LOST = 1
FOLDED_ALL = (NOT_PLACED, 0, NOT_PLACED, 10, 2)
CODES = 5 * 3 * 11 * 2  # of Ante, Play, Tens Up and Bad Beat together


@cache
def ace_high() -> int:
    return weakest(HIGH, ACE)


@cache
def pair_of_tens() -> int:
    return weakest(PAIR, 8)


@cache
def tens_up_outcomes() -> Array:
    """By number of a strength, the outcome of Tens Up."""
    found = ROYAL - categories()
    return np.where(np.arange(len(found)) < pair_of_tens(), 9, found)


def stud_codes(player: Array, dealer: Array) -> Array:
    """The outcomes of Ante, Play, Tens Up and Bad Beat together, from the numbers of both strengths."""
    play = np.where(player > dealer, 0, np.where(player < dealer, 1, 2))
    ante = np.where(dealer < ace_high(), ANTE_REFUNDED, np.array([ANTE_WON, ANTE_LOST, ANTE_TIED])[play])
    beaten = (play != 2) & (np.minimum(player, dealer) >= pair_of_tens())
    beat = np.where(beaten, 0, BEAT_LOST)
    return ((ante * 3 + play) * 11 + tens_up_outcomes()[player]) * 2 + beat


def stud_outcomes(code: int, bought: bool) -> Outcomes:
    rest, beat = divmod(code, 2)
    rest, tens = divmod(rest, 11)
    ante, play = divmod(rest, 3)
    return (0 if bought else NOT_PLACED, ante, play, tens, beat)


class StudTables:
    """By class of up to four cards, the five-card hands that contain it and are below each strength."""

    def __init__(self) -> None:
        self.end = len(strength_list())
        self.strength = poker_of(5).strengths(colex_sets(5, 52))  # by row of `colex_sets`
        self.below = [self._below(size) for size in range(5)]

    def _below(self, size: int) -> Array:
        reps, more = set_classes(size, 52).hands, colex_sets(5 - size, 52 - size)
        kind = np.uint8 if size == 4 else np.int32
        table = np.zeros((len(reps), self.end + 1), kind)
        for row, held in enumerate(reps):
            rest = np.setdiff1d(np.arange(52), held)
            hands = np.column_stack([np.tile(held, (len(more), 1)), rest[more]])
            hist = np.bincount(poker_of(5).strengths(hands), minlength=self.end)
            table[row, 1:] = np.cumsum(hist)
        return table

    def count(self, hands: Array, cuts: Array) -> Array:
        """By hand and cut, the dealer's hands that avoid the hand and are below the cut."""
        found = np.zeros(cuts.shape, np.int64)
        for size in range(6):
            sign = -1 if size % 2 else 1
            for columns in combinations(range(hands.shape[1]), size):
                place = places_of(hands, columns)
                if size == 5:
                    found += sign * (self.strength[place][:, None] < cuts)
                else:
                    found += sign * self.below[size][set_classes(size, 52).number[place][:, None], cuts]
        return found


def stud_meetings(tables: StudTables, hands: Array) -> tuple[Array, Array]:
    """By hand: the codes of outcomes that it can meet, and how many dealers lead to each."""
    player = poker_of(hands.shape[1]).strengths(hands).astype(np.int64)
    fixed = np.broadcast_to([ace_high(), pair_of_tens()], (len(hands), 2))
    cuts = np.sort(np.column_stack([player, player + 1, fixed]), axis=1)
    below = np.zeros((len(hands), 6), np.int64)
    below[:, 1:5] = tables.count(hands, cuts)
    below[:, 5] = comb(52 - hands.shape[1], 5)
    starts = np.column_stack([np.zeros(len(hands), np.int64), cuts])
    return stud_codes(player[:, None], np.minimum(starts, tables.end - 1)), np.diff(below, axis=1)


def check_rabbit_hunter(run: Run, game: Game) -> None:
    certificate = run.certificate
    whole, deals = comb(52, 5), 47 * comb(46, 5)
    run.check("weights partition the deals", stud_partition, certificate, whole)
    weights = run.check("weights can be read", lambda: certificate.table("weights", "u1", -1))
    names = game.rules.choices
    classes = run.check("classes can be read", load_classes, certificate, game, weights, deals, names)
    opened = None if classes is None else open_everywhere(classes)
    check_classes(run, game, classes, opened, whole * deals)
    if not run.options.no_recount:
        counted = run.check("recount", stud_recount, certificate, weights)
        run.check("recount agrees", check_recounted, classes, counted)
    samples = run.samples(40)
    run.check("drawn classes", stud_samples, run, classes, samples)
    run.bound = describe_bound(samples, spread_of(game), not run.options.no_recount)


def stud_partition(certificate: Certificate, whole: int) -> str:
    hands = certificate.table("cards", "u1", -1, 5)
    return check_canonical(hands, certificate.table("weights", "u1", len(hands)), 5, 52, whole)


@cache
def stud_code_list() -> Array:
    """The codes that can occur."""
    player = np.arange(len(strength_list()))[:, None]
    starts = np.column_stack(np.broadcast_arrays(0, player, player + 1, ace_high(), pair_of_tens()))
    return np.unique(stud_codes(player, np.minimum(starts.reshape(len(player), -1), len(player) - 1)))


def stud_recount(certificate: Certificate, weights: Array) -> Recounted:
    """Every class of five and of six cards against all dealers, by inclusion and exclusion."""
    hands = np.sort(certificate.table("cards", "u1", len(weights), 5), axis=1)
    tables, fives = StudTables(), set_classes(5, 52)
    row = np.full(len(fives.hands), -1, np.int64)  # by own number of a class: its row in the certificate
    row[fives.number[places_of(hands, range(5))]] = np.arange(len(hands))
    shape = len(hands), len(stud_code_list())
    played, bought = np.zeros((2, *shape), np.int64)
    add_meetings(played, np.arange(len(hands)), *stud_meetings(tables, hands), weights.astype(np.int64) * 42)
    keys = add_a_card(class_keys(fives.hands))
    for part in np.array_split(keys, 1 + len(keys) // 250_000):
        sixes, times = hands_of_keys(part, 6), orbit_sizes(key_masks(part))
        codes, dealers = stud_meetings(tables, sixes)
        for held in combinations(range(6), 5):
            add_meetings(bought, row[fives.number[places_of(sixes, held)]], codes, dealers, times)
    folded: dict[Outcomes, Array] = {FOLDED_ALL: weights.astype(np.int64) * 47 * comb(46, 5)}
    return {"fold": folded, "play": by_stud_outcome(played, False), "buy": by_stud_outcome(bought, True)}


def add_meetings(table: Array, rows: Array, codes: Array, dealers: Array, times: Array) -> None:
    """Add the dealers that each hand meets, to its row; sums of floats below 2^53 are exact."""
    place = rows[:, None] * table.shape[1] + np.searchsorted(stud_code_list(), codes)
    added = np.bincount(place.ravel(), (dealers * times[:, None]).ravel(), table.size)
    table += added.astype(np.int64).reshape(table.shape)


def by_stud_outcome(table: Array, bought: bool) -> dict[Outcomes, Array]:
    return {stud_outcomes(code, bought): table[:, at] for at, code in enumerate(stud_code_list().tolist())}


def stud_samples(run: Run, classes: Classes, samples: int) -> str:
    """Deal drawn classes every sixth card and every hand of the dealer."""
    hands = run.certificate.table("cards", "u1", len(classes.weights), 5)
    for at in run.drawer.weighted(classes.weights, samples):
        for name, found in zip(("play", "buy"), deal_stud(hands[at].astype(np.int64)), strict=True):
            counts, columns = classes.counts[name]
            claimed = {o: int(n) for o, n in zip(columns, counts[at].tolist(), strict=True) if n}
            weight = int(classes.weights[at])
            right = {stud_outcomes(code, name == "buy"): weight * int(n) for code, n in enumerate(found) if n}
            demand(claimed == right, f"The drawn class {at} has other counts when it is dealt out.")
    return f"{samples} classes dealt out"


def deal_stud(five: Array) -> tuple[Array, Array]:
    """By code of outcomes, the deals of one hand that play and that buy lead to."""
    rest = np.setdiff1d(np.arange(52), five)
    others, end = colex_sets(5, 47), len(strength_list())
    dealers = poker_of(5).strengths(rest[others]).astype(np.int64)
    holding = np.zeros(47 * end, np.int64)  # by sixth card and strength: the dealers who hold that card
    for column in others.T:
        holding += np.bincount(column.astype(np.int64) * end + dealers, minlength=47 * end)
    ends, whole = np.arange(end), np.bincount(dealers, minlength=end)
    mine = poker_of(5).strengths(five[None])[0]
    played = np.bincount(stud_codes(np.full(end, mine), ends), whole * 42, CODES)
    bought = np.zeros(CODES)
    for sixth, held in enumerate(holding.reshape(47, end)):
        six = poker_of(6).strengths(np.append(five, rest[sixth])[None])[0]
        bought += np.bincount(stud_codes(np.full(end, six), ends), whole - held, CODES)
    return played.astype(np.int64), bought.astype(np.int64)


# == The command =======================================================================================

CHECKS: dict[str, Callable[[Run, Game], None]] = {
    "casino-war": check_casino_war,
    "triple-shot-rummy": check_rummy,
    "rabbit-hunter": check_rabbit_hunter,
}


def check_certificate(run: Run) -> None:
    certificate = run.certificate
    run.check("files match the manifest", check_files, certificate)
    run.check("tables can be read", check_tables, certificate)
    run.check("the rules' digest", check_rules, certificate)
    game = run.check("options, pays and stake", read_game, certificate)
    if game is not None:
        CHECKS[game.name](run, game)
        if game.custom:
            run.bound += f" Pays that no listed table has: {'; '.join(game.custom)}."


def read_arguments(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="check_certificate.py", description="Check a certificate of a casino card game."
    )
    parser.add_argument("folder", help="the certificate's folder")
    parser.add_argument("--nonce", help="your own text, from which classes are drawn; random by default")
    parser.add_argument("--samples", type=int, help="how many classes are drawn and dealt out by brute force")
    parser.add_argument("--no-recount", action="store_true", help="leave the complete recount out")
    parser.add_argument("--json", action="store_true", help="print JSON")
    found = parser.parse_args(words)
    if found.samples is not None and not 0 <= found.samples <= 100_000:
        parser.error("--samples is a number from 0 to 100000.")
    found.nonce = secrets.token_hex(16) if found.nonce is None else found.nonce
    return found


def open_certificate(folder: str) -> Certificate:
    if not os.path.isdir(folder):
        raise Unusable(f"{folder} is not a folder.")
    if not os.path.lexists(os.path.join(folder, MANIFEST)):
        raise Unusable(f"{folder} has no {MANIFEST}.")
    try:
        certificate = Certificate(folder)
        kind, version = certificate.manifest.get("format"), certificate.manifest.get("format_version")
    except Wrong as wrong:
        raise Unusable(str(wrong)) from None
    if kind != FORMAT:
        raise Unusable(f"{folder} is not a certificate of this kind.")
    if version != VERSION or isinstance(version, bool):
        raise Unusable(
            f"The certificate has format version {str(version)[:20]}; this checker reads version {VERSION}."
        )
    return certificate


def main(words: Sequence[str] | None = None) -> int:
    options = read_arguments(words)
    try:
        run = Run(open_certificate(options.folder), options)
    except Unusable as unusable:
        print(f"check_certificate.py: {clean(str(unusable))}", file=sys.stderr)
        return 2
    start = time.perf_counter()
    print_heading(run)
    check_certificate(run)
    print_verdict(run, time.perf_counter() - start)
    return 1 if run.failed else 0


def clean(text: str) -> str:
    return "".join(char if char.isprintable() else "?" for char in text)[:500]


def print_heading(run: Run) -> None:
    if not run.options.json:
        manifest = run.certificate.manifest
        named = " ".join(clean(str(manifest.get(name)))[:200] for name in ("game", "options", "stake"))
        print(
            f"certificate {run.certificate.digest}\n{named}\nnonce {clean(run.options.nonce)}\n", flush=True
        )


def print_verdict(run: Run, seconds: float) -> None:
    reason = next((clean(f"{result.name}: {result.detail}") for result in run.failed), "")
    if run.options.json:
        print(json.dumps(verdict_json(run, reason, seconds), indent=2))
        return
    print()
    if reason:
        print(f"REJECTED. {reason}")
        print(f"Failed or skipped: {'; '.join(result.name for result in run.failed)}.")
    else:
        print(f"{run.bound}\nACCEPTED in {seconds:.1f} s.")


def verdict_json(run: Run, reason: str, seconds: float) -> dict[str, Any]:
    return {
        "accepted": not reason,
        "reason": reason,
        "manifest_sha256": run.certificate.digest,
        "nonce": run.options.nonce,
        "bound": "" if reason else run.bound,
        "seconds": round(seconds, 2),
        "checks": [result._asdict() for result in run.results],
    }


if __name__ == "__main__":
    try:
        sys.exit(main())
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(2)
    except KeyboardInterrupt:
        print("Interrupted.", file=sys.stderr)
        sys.exit(130)
