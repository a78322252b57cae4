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
import signal
import stat
import sys
import time
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from fractions import Fraction
from functools import cache
from io import TextIOWrapper
from itertools import combinations, combinations_with_replacement, permutations
from math import comb, lcm, perm
from typing import Any, NamedTuple, NoReturn

import numpy as np

FORMAT, VERSION = "feltlab-certificate", 2
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
        raise Wrong(
            f"{name} cannot be read: {getattr(error, 'strerror', 'its name is not valid')}."
        ) from None
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
        try:
            self.is_canonical = content == canonical_json(self.manifest)
        except (UnicodeEncodeError, RecursionError):
            raise Wrong("The manifest holds text that is not Unicode, or lists that are too deep.") from None
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

Line = tuple[str, Fraction, int]  # an outcome, its pay for each unit staked, the most units staked


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
    """Lines such as 'war won 1/2 x2': an outcome, its pay to one, and the most units staked if not one."""
    found = []
    for part in text.split(";"):
        *words, last = part.split()
        most = int(last[1:]) if re.fullmatch("x[0-9]", last) else 1
        pays = words.pop() if most > 1 else last
        found.append((" ".join(words), Fraction(pays), most))
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
        return sum((size * pays * units for size, pays, units in self._lines(bet, outcomes)), Fraction(0))

    def staked(self, bet: str, outcomes: Outcomes) -> Fraction:
        return sum((size * units for size, _, units in self._lines(bet, outcomes)), Fraction(0))

    def _lines(self, bet: str, outcomes: Outcomes) -> Iterator[tuple[Fraction, Fraction, int]]:
        """The size, the pay and the units of each wager of a bet."""
        for place, table, number in zip(self.rules.places, self.tables, outcomes, strict=True):
            if bet in (place.name, place.raises) and number != NOT_PLACED:
                units, outcome = divmod(number, len(table))
                yield place.size, table[outcome][1], 1 + units

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
        tables.append(tuple((o, changed.get((place.name, o), pays), most) for o, pays, most in listed))
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
        "lines": [[outcome, str(pays), most] for outcome, pays, most in table],
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
    for entry in field(certificate.manifest, "law", list):
        demand(
            isinstance(entry, list) and len(entry) == 2 and isinstance(entry[0], list),
            "A line of the law is unclear.",
        )
        outcomes = tuple(entry[0])
        good = len(outcomes) == len(game.tables) and all(type(n) is int for n in outcomes)
        good = good and all(can_be(table, n) for table, n in zip(game.tables, outcomes, strict=True))
        demand(good and outcomes not in law, "The law has an outcome that cannot be, or one twice.")
        law[outcomes] = read_count(entry[1], "A count of the law")
    demand(law and min(law.values()) > 0, "The law is empty or has a count of zero.")
    return law


def can_be(table: tuple[Line, ...], number: int) -> bool:
    """Is this an outcome with as many units as it can have? Each further unit adds the size of the table."""
    units, outcome = divmod(number, len(table))
    return number == NOT_PLACED or (number >= 0 and 1 + units <= table[outcome][2])


def read_first_choices(certificate: Certificate, game: Game) -> dict[str, int]:
    listed = field(certificate.manifest, "first_choices", dict)
    demand(listed.keys() <= {"", *game.rules.choices}, "A first choice is not a choice of the game.")
    return {name: read_count(text, "A count of first choices") for name, text in listed.items()}


def mean(values: Iterable[Fraction], law: Law, deals: int) -> Fraction:
    counted: Counter[Fraction] = Counter()
    for value, count in zip(values, law.values(), strict=True):
        counted[value] += count
    return sum((value * count for value, count in counted.items()), Fraction(0)) / deals


def covariances(
    nets: Mapping[str, Sequence[Fraction]], expected: Mapping[str, Fraction], bet: str, law: Law
) -> dict[str, Fraction]:
    """The covariance of one bet with each bet."""
    deals = sum(law.values())
    products = {other: [x * y for x, y in zip(nets[bet], nets[other], strict=True)] for other in nets}
    return {
        other: mean(values, law, deals) - expected[bet] * expected[other]
        for other, values in products.items()
    }


def figures_of(game: Game, law: Law) -> dict[str, Any]:
    """All figures of a certificate, as text."""
    deals = sum(law.values())
    nets = {bet: [game.net(bet, outcomes) for outcomes in law] for bet in game.bets}
    staked = {bet: mean((game.staked(bet, o) for o in law), law, deals) for bet in game.bets}
    expected = {bet: mean(nets[bet], law, deals) for bet in game.bets}
    covariance = {a: covariances(nets, expected, a, law) for a in game.bets}
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
        beyond = (counts > whole[:, None]).any(axis=1)  # a sum of 64 bits could wrap around
        bad = np.flatnonzero(beyond | (counts.sum(axis=1, dtype=np.int64) != whole))
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
CARD_BITS = np.array([1 << 13 * (card & 3) + (card >> 2) for card in range(52)] + [0])  # suit by suit


def suit_masks(hands: Array) -> Array:
    """By hand and suit, the set of ranks as bits; the joker belongs to none."""
    bits = CARD_BITS[hands].sum(axis=1)
    return np.stack([bits >> 13 * suit & 0x1FFF for suit in range(4)], axis=1)


def join_masks(masks: Array, joker: Array | int = 0) -> Array:
    joined = masks[:, 0] << 39 | masks[:, 1] << 26 | masks[:, 2] << 13 | masks[:, 3]
    return joined | joker * JOKER_BIT


def canonical_keys(masks: Sequence[Array]) -> Array:
    """The number of the class of each hand, from the sets of ranks of its four suits: they are sorted."""
    found = list(masks)
    for i, j in ((0, 1), (2, 3), (0, 2), (1, 3), (1, 2)):
        found[i], found[j] = np.maximum(found[i], found[j]), np.minimum(found[i], found[j])
    return found[0] << 39 | found[1] << 26 | found[2] << 13 | found[3]


def class_keys(hands: Array) -> Array:
    """The number of the class of each hand: its suits sorted, and whether it holds the joker."""
    bits = CARD_BITS[hands].sum(axis=1)
    keys = canonical_keys([bits >> 13 * suit & 0x1FFF for suit in range(4)])
    return keys | (hands == JOKER).any(axis=1).astype(np.int64) * JOKER_BIT


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
    demand(len(distinct(keys)) == len(keys), "A class occurs twice.")
    demand((orbit_sizes(masks) == weights).all(), "A class has a wrong weight.")
    total = int(weights.sum(dtype=np.int64))
    demand(total == whole, f"The weights of the classes add up to {total:,} hands, not to {whole:,}.")
    return f"{len(keys):,} classes of {size} cards, {total:,} hands"


# == Hands of poker ====================================================================================
# A strength is a number: the category, then five ranks, in base 13. All strengths are then numbered from the
# weakest up, so that they fit sixteen bits. HIGH_CARD to FIVE_ACES are the categories.

(HIGH, PAIR, TWO_PAIR, THREE, STRAIGHT, FLUSH, FULL, FOUR, STRAIGHT_FLUSH, ROYAL, FIVE_ACES) = range(11)
ACE = 12


def pack_strength(category: int, *ranks: int) -> int:
    strength = category
    for rank in (*ranks, *(0,) * (5 - len(ranks))):
        strength = strength * 13 + rank
    return strength


STRAIGHTS = [(top, 0b11111 << top - 4) for top in range(ACE, 3, -1)] + [(3, 0b1111 | 1 << ACE)]


@cache
def straight_top(mask: int, wild: int) -> int:
    """The highest rank of the best straight among ranks as bits, with some wild cards; -1 without one."""
    return next((top for top, needed in STRAIGHTS if (needed & ~mask).bit_count() <= wild), -1)


def unsuited_strength(counts: Sequence[int], joker: bool) -> int:
    """The best hand of these ranks without a flush; the joker is an ace or completes a straight."""
    held = list(counts)
    held[ACE] += joker
    best = matched_strength(held)
    top = straight_top(sum(1 << rank for rank, n in enumerate(counts) if n), int(joker))
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
    top = straight_top(mask, int(joker))
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


@cache
def strength_list() -> Array:
    """Every strength that five cards can have, rising."""
    found = {suited_strength(sum(1 << r for r in ranks), False) for ranks in combinations(range(13), 5)}
    found |= {unsuited_strength(counts, False) for counts in rank_counts(5)}
    return np.array(sorted(found | {pack_strength(FIVE_ACES)}))


def rank_counts(size: int) -> Iterator[list[int]]:
    """For every set of ranks that a deck can deal: the number of cards of each rank."""
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
        found = np.ascontiguousarray(self.ranks[keys & KEY_BITS])  # so that `flat` is the same memory
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
        self.seed, self.number = f"{nonce}\0{digest}".encode(errors="surrogateescape"), 0

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
UNCOUNTED = (
    "No recount was made, and of this game no classes are drawn: the counts add up, and all else follows "
    "from them, but nothing shows that they are right."
)


def describe_bound(samples: int, spread: Fraction, whole: bool) -> str:
    """The bound on the errors that could have escaped, in words."""
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
        nets = [pays * most for _, pays, most in table] + [Fraction(0)] * bool(place.raises)
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

HIGHER, LOWER, GAVE_UP, WAR_WON, WAR_TIED, WAR_LOST = 0, 1, 2, 6 + 3, 6 + 4, 6 + 5  # a war has two units
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
    else:
        run.bound = UNCOUNTED


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
    else:
        run.bound = UNCOUNTED


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


def distinct(numbers: Array) -> Array:
    """The different numbers, rising; faster than `np.unique`, which may hash."""
    ordered = np.sort(numbers)
    return ordered[np.append(True, ordered[1:] != ordered[:-1])] if len(ordered) else ordered


def add_a_card(keys: Array) -> Array:
    """The classes of all hands that have one more card, without a joker."""
    found = [np.zeros(0, np.int64)]
    for part in np.array_split(keys, 1 + len(keys) // 50_000):
        masks = [np.ascontiguousarray(mask) for mask in key_masks(part).T]
        longer = []
        for suit in range(4):
            for rank in range(13):
                more = list(masks)
                more[suit] = masks[suit] | 1 << rank
                longer.append(canonical_keys(more)[more[suit] != masks[suit]])
        found.append(distinct(np.concatenate(longer)))
    return distinct(np.concatenate(found))


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


# == High Five Poker ===================================================================================
# Sums over the dealer's hands that avoid the player's cards come from inclusion and exclusion: the number of
# hands that avoid P is the sum over the subsets S of P of (-1)^|S| times the number of hands that contain S.

HIGH_FIVE_POKER = Rules(
    (
        Place(
            "play",
            one_table(
                "play",
                "dealer does not qualify 0; dealer does not qualify, straight or better 1; better hand 1;"
                "worse hand -1; tie 0",
            ),
            raises="ante",
        ),
        Place(
            "ante",
            one_table("ante", "fold -1; dealer does not qualify 1; better hand 1; worse hand -1; tie 0"),
            required=True,
        ),
        Place(
            "trips",
            pay_columns(
                "APP-01 APP-02 APP-03",
                "Five Aces; Royal Flush; Straight Flush; Four of a Kind; Full House (Aces Up); "
                "Full House (Other); Flush; Straight; Three of a Kind; less than Three of a Kind",
                "200 200 200",
                "100 100 100",
                "50 50 50",
                "40 40 40",
                "20 25 15",
                "7 7 7",
                "4 4 4",
                "2 2 2",
                "1 1 1",
                "-1 -1 -1",
            ),
            option="trips",
        ),
    ),
    ("play", "fold"),
    {"trips": ("APP-01", "APP-02", "APP-03")},
)
RULES["high-five-poker"] = HIGH_FIVE_POKER
SEVEN, DECK53 = 7, 53
FIVE_DEALERS = comb(DECK53 - SEVEN, SEVEN)
FIVE_FOLDED = (NOT_PLACED, 0)
UNQUALIFIED, WEAKER, EQUAL, STRONGER = range(4)


@cache
def seven_numbers() -> Array:
    """The numbers of the strengths that seven of 53 cards can have, rising."""
    poker = poker_of(SEVEN, True)
    keys = [np.array(list(rank_counts(size))) @ np.array(RANK_KEYS) for size in (SEVEN, SEVEN - 1)]
    ranks = poker.ranks[np.concatenate([keys[0], keys[1] + JOKER_KEY])]
    return np.union1d(ranks, poker.flushes[poker.flushes > 0])


@cache
def seven_poker() -> Poker:
    """An evaluator of seven cards that gives the place in `seven_numbers`."""
    numbers = seven_numbers()
    place = np.zeros(int(numbers[-1]) + 1, np.uint16)
    place[numbers] = np.arange(len(numbers))
    poker = copy(poker_of(SEVEN, True))
    poker.ranks, poker.flushes = place[poker.ranks], place[poker.flushes]
    return poker


@cache
def sixes_qualify() -> int:
    """The place of the weakest hand that qualifies: a pair of sixes."""
    return int(np.searchsorted(seven_numbers(), weakest(PAIR, 4)))


@cache
def tens_begin() -> int:
    """The place of the weakest pair of tens; from there on no class has a row of its own."""
    return int(np.searchsorted(seven_numbers(), weakest(PAIR, 8)))


def trips_outcome(place: int) -> int:
    strength = int(strength_list()[seven_numbers()[place]])
    category, lead = strength // 13**5, strength // 13**4 % 13
    if category < THREE:
        return 9
    if category == FULL:
        return 4 if lead == ACE else 5
    order = {FIVE_ACES: 0, ROYAL: 1, STRAIGHT_FLUSH: 2, FOUR: 3, FLUSH: 6, STRAIGHT: 7, THREE: 8}
    return order[category]


def kinds_outcomes(place: int) -> tuple[tuple[int, int], ...]:
    """The outcomes of Play and Ante against a dealer not qualified, weaker, equal and stronger."""
    straight = seven_numbers()[place] >= weakest(STRAIGHT)
    return (int(straight), 1), (2, 2), (4, 4), (3, 3)


class FiveClasses(NamedTuple):
    """The tables of a certificate of High Five Poker."""

    hands: Array  # by strength: how many hands have it
    deals: Array  # by strength: the deals in which the dealer is not qualified, weaker, equal
    cards: Array  # by class below a pair of tens
    weights: Array
    choices: Array
    kinds: Array  # dealers not qualified, weaker, equal
    places: Array  # the strength of each class


def load_five(certificate: Certificate) -> FiveClasses:
    cards = certificate.table("cards", "u1", -1, SEVEN)
    demand(int(cards.max(initial=0)) < DECK53, "A class has a card that is not in the deck.")
    strengths, classes = len(seven_numbers()), len(cards)
    return FiveClasses(
        certificate.table("strengths.hands", "i8", strengths),
        certificate.table("strengths.deals", "i8", strengths, 3),
        cards,
        certificate.table("weights", "u1", classes).astype(np.int64),
        certificate.table("choices", "u1", classes),
        certificate.table("kinds", "u4", classes, 3).astype(np.int64),
        in_chunks(seven_poker().strengths, cards),
    )


def in_chunks(function: Callable[[Array], Array], rows: Array, size: int = 200_000) -> Array:
    return np.concatenate([function(part) for part in np.array_split(rows, 1 + len(rows) // size)])


def check_five_partition(five: FiveClasses) -> str:
    """The classes are all hands below a pair of tens, and the strengths are all hands."""
    end = tens_begin()
    total = sum(map(int, five.hands))
    demand(total == comb(DECK53, SEVEN), f"The strengths have {total:,} hands, not all hands.")
    demand(int(five.places.max(initial=0)) < end, "A class is as strong as a pair of tens.")
    below = int(five.hands[:end].sum())
    found = check_canonical(five.cards, five.weights, SEVEN, DECK53, below)
    sums = np.bincount(five.places, five.weights, len(five.hands)).astype(np.int64)
    demand((sums[:end] == five.hands[:end]).all(), "The classes of a strength are not all its hands.")
    return found


def check_five_sums(five: FiveClasses) -> str:
    """The counts of the classes add up to those of the strengths, and none exceeds all dealers."""
    end = tens_begin()
    demand((five.kinds.sum(axis=1) <= FIVE_DEALERS).all(), "A class meets more dealers than there are.")
    for kind in range(3):
        sums = exact_group_sums(five.places, five.kinds[:, kind] * five.weights, end)
        demand(sums == five.deals[:end, kind].tolist(), "The counts of classes and strengths differ.")
    rest = five.hands.astype(object) * FIVE_DEALERS - five.deals.astype(object).sum(axis=1)
    demand(min(rest) >= 0, "A strength has more deals than there are.")
    return f"{len(five.hands):,} strengths"


def exact_group_sums(groups: Array, values: Array, count: int) -> list[int]:
    """Sums of floats are exact below 2^53: the upper and the lower halves of the numbers are added apart."""
    high = np.bincount(groups, values >> 26, count).astype(np.int64)
    low = np.bincount(groups, values & (1 << 26) - 1, count).astype(np.int64)
    return [(int(h) << 26) + int(n) for h, n in zip(high[:count], low[:count], strict=True)]


def five_gains(game: Game, place: int) -> tuple[list[int], int]:
    """The gain of Play over losing it, against the first three kinds of dealer, and what a fold saves.

    All in whole parts of a unit; the trips wager is the same under both choices and is left out.
    """
    trips = trips_outcome(place)
    nets = [game.total((*outcomes, trips)) for outcomes in kinds_outcomes(place)]
    folded = game.total((*FIVE_FOLDED, trips))
    unit = lcm(*(net.denominator for net in (*nets, folded)))
    worst = nets[STRONGER]
    return [int((net - worst) * unit) for net in nets[:3]], int((folded - worst) * unit)


def check_five_choices(five: FiveClasses, game: Game) -> str:
    """Below a pair of tens, every class has the better choice; its gain is compared in whole numbers."""
    plays = five.choices == game.choice("play")
    demand((plays | (five.choices == game.choice("fold"))).all(), "A class has an unknown choice.")
    (unqualified, weaker, equal), saved = five_gains(game, 0)  # no hand below a straight differs
    biggest = max(abs(unqualified), abs(weaker), abs(equal), abs(saved)) * FIVE_DEALERS
    kinds = five.kinds if biggest < 1 << 61 else five.kinds.astype(object)
    gain = kinds[:, 0] * unqualified + kinds[:, 1] * weaker + kinds[:, 2] * equal - saved * FIVE_DEALERS
    demand(
        not (plays & (gain < 0)).any(),
        f"{int((plays & (gain < 0)).sum())} classes play although fold is better.",
    )
    folds = ~plays & (gain > 0)
    demand(not folds.any(), f"{int(folds.sum())} classes fold although play is better.")
    return f"{len(plays):,} classes, {int((gain == 0).sum())} ties"


def five_law(five: FiveClasses, game: Game) -> tuple[Law, dict[str, int]]:
    """The law of the recorded choices; from a pair of tens on every hand is played."""
    end, law = tens_begin(), Counter[Outcomes]()
    plays = five.choices == game.choice("play")
    at, weights = five.places[plays], five.weights[plays]
    hands = five.hands.tolist()
    played = np.bincount(at, weights, end).astype(np.int64).tolist() + hands[end:]
    met = [
        exact_group_sums(at, five.kinds[plays, kind] * weights, end) + five.deals[end:, kind].tolist()
        for kind in range(3)
    ]
    for place, number in enumerate(hands):
        trips, kinds = trips_outcome(place), [met[kind][place] for kind in range(3)]
        kinds.append(played[place] * FIVE_DEALERS - sum(kinds))
        for outcomes, deals in zip(kinds_outcomes(place), kinds, strict=True):
            law[(*outcomes, trips)] += deals
        law[(*FIVE_FOLDED, trips)] += (number - played[place]) * FIVE_DEALERS
    total = sum(played) * FIVE_DEALERS
    first = {"play": total, "fold": sum(hands) * FIVE_DEALERS - total}
    return {outcomes: n for outcomes, n in law.items() if n}, first


class SevenTables:
    """By class of cards S, the hands of seven that contain S, counted by strength."""

    def __init__(self) -> None:
        self.count = len(seven_numbers())
        self.first, self.last = sixes_qualify(), tens_begin()
        self.classes = [set_classes(size, DECK53) for size in range(6)]
        self.law = np.zeros((3, self.count), np.int64)  # not qualified, weaker (or not qualified), equal
        few = self._count_few()
        self.players = few[0][0]
        self.few = [np.cumsum(hist, axis=1)[:, self.first - 1 : self.last].T.copy() for hist in few]
        self.five = self._count_five()
        self.sixes, self.completed = self._count_six()
        self.law[2] -= self.players
        self.law[0, : self.first] -= self.players[: self.first]

    def _count_few(self) -> list[Array]:
        """Histograms for up to four cards: four by dealing three more, fewer by adding a card."""
        tables = [self._histograms_of_four()]
        for size in (3, 2, 1, 0):
            tables.insert(0, self._add_up(size, tables[0]))
        for size, table in enumerate(tables):
            self._meet(table, self.classes[size].weights * (-1) ** size)
        return tables

    def _histograms_of_four(self) -> Array:
        reps, more = self.classes[4].hands, colex_sets(3, DECK53 - 4).astype(np.int64)
        table = np.zeros((len(reps), self.count), np.int64)
        for row, held in enumerate(reps):
            rest = np.setdiff1d(np.arange(DECK53), held)
            keys, bits = CARD_KEYS[rest], CARD_BITS[rest]
            total = keys[more].sum(axis=1) + (EMPTY + int(CARD_KEYS[held].sum()))
            cards = bits[more].sum(axis=1) + int(CARD_BITS[held].sum())
            table[row] = np.bincount(seven_poker().read(total, cards.__getitem__), minlength=self.count)
        return table

    def _add_up(self, size: int, longer: Array) -> Array:
        """A hand that contains S contains S with each of its other cards."""
        table = []
        for held in self.classes[size].hands:
            rest = np.setdiff1d(np.arange(DECK53), held)
            more = np.sort(np.column_stack([np.tile(held, (len(rest), 1)), rest]), axis=1)
            rows = self.classes[size + 1].number[places_of(more, range(size + 1))]
            table.append(longer[rows].sum(axis=0) // (SEVEN - size))
        return np.array(table)

    def _meet(self, hist: Array, times: Array) -> None:
        """Add the meetings of two hands of seven that both contain S."""
        below = np.cumsum(hist, axis=1) - hist
        unqualified = hist[:, : self.first].sum(axis=1)
        self.law[0] += (times * unqualified) @ hist
        self.law[1] += np.einsum("i,ij,ij->j", times, hist, below)
        self.law[2] += np.einsum("i,ij,ij->j", times, hist, hist)

    def _count_five(self) -> Array:
        """By column of the zone and class of five: the hands that contain it and are below the column."""
        reps, weights = self.classes[5].hands, self.classes[5].weights
        table = np.empty((self.last - self.first + 1, len(reps)), np.uint16)
        for rows in np.array_split(np.arange(len(reps)), 1 + len(reps) // 500):
            found = self._complete(reps[rows], colex_sets(2, DECK53 - 5))
            at = np.arange(len(rows))[:, None] * self.count + found
            hist = np.bincount(at.ravel(), minlength=len(rows) * self.count).reshape(len(rows), self.count)
            self._meet(hist, -weights[rows])
            below = np.cumsum(hist, axis=1)
            table[:, rows] = below[:, self.first - 1 : self.last].T
        return table

    def _complete(self, held: Array, more: Array) -> Array:
        """The strengths of each of these sets with all further cards."""
        rest = rest_of(held)
        keys, bits, one, two = CARD_KEYS[rest], CARD_BITS[rest], more[:, 0], more[:, -1]
        total = CARD_KEYS[held].sum(axis=1)[:, None] + EMPTY + keys[:, one]
        mask = CARD_BITS[held].sum(axis=1)[:, None] + bits[:, one]
        if more.shape[1] == 2:
            total, mask = total + keys[:, two], mask + bits[:, two]
        return seven_poker().read(total, mask.reshape(-1).__getitem__)

    def _count_six(self) -> tuple[Array, Array]:
        """The classes of six as keys, and the strengths that a seventh card makes, rising."""
        fives = class_keys(self.classes[5].hands)
        natural = fives[fives < JOKER_BIT]
        keys = np.concatenate([add_a_card(natural), natural | JOKER_BIT])
        completed = np.empty((len(keys), DECK53 - 6), np.uint16)
        for rows in np.array_split(np.arange(len(keys)), 1 + len(keys) // 20_000):
            hands = hands_of_keys(keys[rows], 6)
            found = np.sort(self._complete(hands, np.arange(DECK53 - 6)[:, None]), axis=1)
            completed[rows] = found
            self._meet_sorted(found, orbit_sizes(key_masks(keys[rows])))
        return keys, completed

    def _meet_sorted(self, found: Array, times: Array) -> None:
        """Add the meetings within each rising row."""
        rows, size = found.shape
        places = np.broadcast_to(np.arange(size), (rows, size))
        differs = np.ones((rows, size), np.bool_)
        differs[:, 1:] = found[:, 1:] != found[:, :-1]
        start = np.maximum.accumulate(np.where(differs, places, 0), axis=1)
        last = np.ones((rows, size), np.bool_)
        last[:, :-1] = differs[:, 1:]
        end = np.minimum.accumulate(np.where(last, places + 1, size)[:, ::-1], axis=1)[:, ::-1]
        unqualified = np.broadcast_to((found < self.first).sum(axis=1)[:, None], (rows, size))
        for kind, values in enumerate((unqualified, start, end - start)):
            self.law[kind] += np.bincount(
                found.ravel(), (values * times[:, None]).ravel(), self.count
            ).astype(np.int64)

    def meetings(self) -> Array:
        """By strength, the deals in which the dealer is not qualified, weaker and equal."""
        unqualified, weaker, equal = self.law
        found = np.stack([unqualified, weaker - unqualified, equal], axis=1)
        found[: self.first, 1:] = 0
        return found

    def column(self, size: int, place: int) -> Array:
        """By class of a size: the hands that contain it and are below this place of the zone."""
        return (self.five if size == 5 else self.few[size])[place - self.first]


def rest_of(held: Array) -> Array:
    """By set of cards, the other cards of the deck."""
    free = np.ones((len(held), DECK53), np.bool_)
    free[np.arange(len(held))[:, None], held] = False
    return np.nonzero(free)[1].reshape(len(held), -1)


def five_recount(five: FiveClasses) -> SevenTables:
    """All strengths counted again: the sum over sets S of (-1)^|S| times the pairs that both contain S."""
    tables = SevenTables()
    demand((tables.players == five.hands).all(), "A recount finds other numbers of hands by strength.")
    bad = np.flatnonzero((tables.meetings() != five.deals).any(axis=1))
    demand(not len(bad), f"A recount finds other deals in {len(bad)} strengths.")
    return tables


def five_classes_recount(five: FiveClasses, tables: SevenTables) -> str:
    """Every class below a pair of tens counted again, strength by strength."""
    order = np.argsort(five.places, kind="stable")
    edges = np.searchsorted(five.places[order], np.arange(tables.first, tables.last + 1))
    groups = [(tables.first - 1, part) for part in chunks_of(order[: edges[0]])]
    for place in range(tables.first, tables.last):
        one, two = edges[place - tables.first : place - tables.first + 2]
        groups += [(place, part) for part in chunks_of(order[one:two])]
    for place, rows in groups:
        found = count_avoiding(tables, np.sort(five.cards[rows], axis=1), place)
        bad = int((found != five.kinds[rows]).any(axis=1).sum())
        demand(not bad, f"A recount finds other counts in {bad} classes of one strength.")
    return f"{len(order):,} classes counted again"


def chunks_of(rows: Array) -> list[Array]:
    return np.array_split(rows, 1 + len(rows) // 100_000) if len(rows) else []


def count_avoiding(tables: SevenTables, hands: Array, place: int) -> Array:
    """Dealers not qualified, weaker and equal that avoid each hand of one strength, or of one below sixes."""
    cuts = [tables.first] if place < tables.first else [tables.first, place, place + 1]
    found = np.zeros((len(hands), len(cuts)), np.int64)
    columns = [[tables.column(size, cut).astype(np.int64) for cut in cuts] for size in range(6)]
    for size in range(6):
        for chosen in combinations(range(SEVEN), size):
            at = tables.classes[size].number[places_of(hands, chosen)]
            for n in range(len(cuts)):
                found[:, n] += (-1) ** size * columns[size][n][at]
    for missing in range(SEVEN):
        rows = np.searchsorted(tables.sixes, class_keys(np.delete(hands, missing, axis=1)))
        for n, cut in enumerate(cuts):
            found[:, n] += (tables.completed[rows] < cut).sum(axis=1)
    if place < tables.first:  # the hand itself is one of those that do not qualify
        return np.column_stack([found[:, 0] - 1, np.zeros((len(hands), 2), np.int64)])
    return np.column_stack([found[:, 0], found[:, 1] - found[:, 0], found[:, 2] - 1 - found[:, 1]])


def check_strong_hands(game: Game, tables: SevenTables) -> str:
    """Every hand from a pair of tens on is better played: a lower bound of its gain decides.

    The terms of up to three cards of an inclusion and exclusion of numbers that are not negative are a lower
    bound. Dealers from a pair of tens on are taken as stronger, which is the worst for the player.
    """
    gains = [five_gains(game, place) for place in range(tables.last, tables.count)]
    unqualified, weaker = (min(gain[kind] / saved for gain, saved in gains) for kind in (0, 1))
    demand(min(unqualified, weaker) >= 0 and min(saved for _, saved in gains) > 0, "A fold would never lose.")
    scale = 1 << 12  # rounded down, so that the bound stays a bound
    weights = [int(unqualified * scale), int(weaker * scale)]
    sums = [weights_of_sets(tables, size, weights) for size in range(4)]
    natural = tables.sixes[tables.sixes < JOKER_BIT]
    seen = 0
    for keys in (add_a_card(natural), natural | JOKER_BIT):
        for part in np.array_split(keys, 1 + len(keys) // 200_000):
            hands = hands_of_keys(part, SEVEN)
            hands = hands[seven_poker().strengths(hands) >= tables.last]
            least = np.zeros(len(hands), np.int64)
            for size in range(4):
                for chosen in combinations(range(SEVEN), size):
                    least += sums[size][places_of(hands, chosen)]
            bad = int((least < scale * FIVE_DEALERS).sum())
            demand(not bad, f"The bound does not show that {bad} strong classes are better played.")
            seen += len(hands)
    return f"{seen:,} classes"


def weights_of_sets(tables: SevenTables, size: int, weights: Sequence[int]) -> Array:
    """By set of cards, with its sign: the weights of all dealers who hold it."""
    low, high = (tables.column(size, cut).astype(np.int64) for cut in (tables.first, tables.last))
    by_class = weights[0] * low + weights[1] * (high - low)
    return (-1) ** size * by_class[tables.classes[size].number]


def five_samples(run: Run, five: FiveClasses, samples: int) -> str:
    """Deal drawn classes all 53,524,680 hands of the dealer."""
    for at in run.drawer.weighted(five.weights, samples):
        found = deal_seven(five.cards[at].astype(np.int64), int(five.places[at]))
        demand(
            found == five.kinds[at].tolist(), f"The drawn class {at} has other counts when it is dealt out."
        )
    return f"{samples} classes dealt out"


def deal_seven(hand: Array, place: int) -> list[int]:
    rest = np.setdiff1d(np.arange(DECK53), hand)
    low = colex_sets(4, len(rest)).astype(np.int64)
    keys, bits = CARD_KEYS[rest[low]].sum(axis=1) + EMPTY, CARD_BITS[rest[low]].sum(axis=1)
    hist = np.zeros(len(seven_numbers()), np.int64)
    for tops in combinations(range(4, len(rest)), 3):
        below, top = comb(tops[0], 4), rest[list(tops)]
        cards = bits[:below] + int(CARD_BITS[top].sum())
        found = seven_poker().read(keys[:below] + int(CARD_KEYS[top].sum()), cards.__getitem__)
        hist += np.bincount(found, minlength=len(hist))
    first = sixes_qualify()
    if place < first:
        return [int(hist[:first].sum()), 0, 0]
    return [int(hist[:first].sum()), int(hist[first:place].sum()), int(hist[place])]


def check_high_five(run: Run, game: Game) -> None:
    certificate = run.certificate
    five = run.check("classes can be read", load_five, certificate)
    run.check("weights partition the deals", check_five_partition, five)
    run.check("counts add up", check_five_sums, five)
    run.check("every choice is the best", check_five_choices, five, game)
    found = None if five is None else run.check("the law of the classes", five_law, five, game)
    run.finish(game, found, comb(DECK53, SEVEN) * FIVE_DEALERS)
    if not run.options.no_recount:
        tables = run.check("recount of all strengths", five_recount, five)
        run.check("recount of all classes below tens", five_classes_recount, five, tables)
        run.check("tens and better are played", check_strong_hands, game, tables)
    samples = run.samples(5)
    run.check("drawn classes", five_samples, run, five, samples)
    run.bound = describe_bound(samples, spread_of(game), not run.options.no_recount)


# == Triple Shot Bonus =================================================================================
# The player's six cards are one stream: hits take the next card, and the cards that complete six are the
# rest. The dealer's cards come from what is left, in any order, so they may be dealt last.

HALF = Fraction(1, 2)
RESULTS = ("lose", "tie", "win")


def blackjack_lines(natural: str) -> tuple[Line, ...]:
    plain = lines(
        f"blackjack {natural}; six cards 1; win 1 x2; push 0 x2; lose -1 x2; bust -1 x2; dealer blackjack -1"
    )
    split = tuple(
        (f"split, {RESULTS[one]} and {RESULTS[two]}", HALF * (one + two - 2), 2)
        for one in range(3)
        for two in range(3)
    )
    return plain + split


TRIPLE_SHOT_BONUS = Rules(
    (
        Place("war", one_table("war", "higher card 1; tie -1/2; lower card -1"), required=True),
        Place(
            "insurance",
            one_table("insurance", "dealer blackjack 2; no dealer blackjack -1"),
            raises="blackjack",
            size=HALF,
        ),
        Place(
            "blackjack",
            {"3:2": blackjack_lines("3/2"), "6:5": blackjack_lines("6/5")},
            option="blackjack-pays",
            required=True,
        ),
        Place(
            "poker",
            pay_columns(
                "TSB-01 TSB-02",
                "Royal Flush; Straight Flush; Four of a Kind; Full House; Flush; Straight; Three of a Kind; "
                "Two Pair; Jacks or Better; less than a pair of Jacks",
                "500 200",
                "50 60",
                "20 20",
                "6 6",
                "5 5",
                "4 4",
                "2 2",
                "3/2 3/2",
                "1 1",
                "-1 -1",
            ),
            option="poker",
            required=True,
        ),
        Place(
            "hat-trick",
            pay_columns(
                "9 6",
                "none of the three lost; lost at War; lost at Blackjack; lost at Poker",
                "9 6",
                "-1 -1",
                "-1 -1",
                "-1 -1",
            ),
            option="hat-trick",
        ),
    ),
    ("hit", "stand", "double", "split", "insure", "decline"),
    {
        "soft-17": ("hit", "stand"),
        "blackjack-pays": ("3:2", "6:5"),
        "six-card-rule": ("on", "off"),
        "poker": ("TSB-01", "TSB-02"),
        "hat-trick": ("9", "6"),
        "poker-cards": ("face-up", "face-down"),
    },
)
RULES["triple-shot-bonus"] = TRIPLE_SHOT_BONUS
HIT, STAND, DOUBLE, SPLIT = range(4)
SIX = 6
NO_ODD = 13
WAR_LOSS = 2
NO_JACKS = 9
TWO_UNITS = 16  # what a second unit adds to the number of a Blackjack outcome: the size of its table
NATURAL_END = 6  # of the dealer: 17 to 21 are 0 to 4, a bust is 5
PLAYED_ENDS = 6
DRAWS = 9  # the hole card and all that the dealer can draw
ORDERS = perm(45, DRAWS)  # of the dealer's cards after the player's six and the up-card
# Labels of a hand that ended: 0 to 5 stood on up to 16, 17, ... 21; then these.
BUST, DOUBLED, DOUBLE_BUST, SIX_CARDS, NATURAL, LABELS = 6, 7, 13, 14, 15, 16


def rank_value(rank: int) -> int:
    """0 for an ace, 1 to 8 for deuce to nine, 9 for ten and faces."""
    return 0 if rank == ACE else min(rank + 1, 9)


RANK_VALUES = np.array([rank_value(rank) for rank in range(13)])
IN_DECK = (4,) * 9 + (16,)


def best_totals(counts: Array) -> tuple[Array, Array]:
    """By row of numbers of cards of each value: the Blackjack total, and whether it is soft."""
    hard = counts @ np.arange(1, 11)
    soft = (counts[..., 0] > 0) & (hard <= 11)
    return hard + 10 * soft, soft


def value_counts(ranks: Array) -> Array:
    """Numbers of cards of each value from those of each rank."""
    spread = np.zeros((13, 10), np.int64)
    spread[np.arange(13), RANK_VALUES] = 1
    return ranks.astype(np.int64) @ spread


# -- The dealer --


def dealer_stops(counts: Sequence[int], hits_soft_17: bool) -> int:
    """The end of the dealer's hand, or -1 if the dealer draws."""
    hard = sum(n * (value + 1) for value, n in enumerate(counts))
    soft = counts[0] > 0 and hard <= 11
    total = hard + 10 * soft
    if total > 21:
        return 5
    if total < 17 or (total == 17 and soft and hits_soft_17):
        return -1
    return NATURAL_END if total == 21 and sum(counts) == 2 else total - 17


Endings = list[tuple[tuple[int, ...], int, int]]  # the cards drawn by value, in how many orders, the end


@cache
def dealer_endings(up: int, hits_soft_17: bool) -> Endings:
    """Every hand in which a dealer can end on this up-card."""
    pending: Counter[tuple[int, ...]] = Counter({(0,) * 10: 1})
    found: Endings = []
    while pending:
        longer: Counter[tuple[int, ...]] = Counter()
        for drawn, orders in pending.items():
            for value in range(10):
                more = tuple(n + (v == value) for v, n in enumerate(drawn))
                if more[value] + (value == up) <= IN_DECK[value]:
                    longer[more] += orders
        pending = Counter()
        for drawn, orders in longer.items():
            held = [n + (v == up) for v, n in enumerate(drawn)]
            end = dealer_stops(held, hits_soft_17)
            if end >= 0:
                found.append((drawn, orders, end))
            else:
                pending[drawn] = orders
    return found


FALLING = np.array([[perm(n, k) for k in range(DRAWS + 1)] for n in range(17)])


def dealer_ways(values: Array, up: int, hits_soft_17: bool) -> Array:
    """By player's six values: the orders of nine cards that lead the dealer to each end."""
    held = np.eye(10, dtype=np.int64)[up]
    left = np.array(IN_DECK) - held - values
    possible = (left >= 0).all(axis=1)
    left = np.maximum(left, 0)
    ways = np.zeros((len(values), 7), np.int64)
    for drawn, orders, end in dealer_endings(up, hits_soft_17):
        size = sum(drawn)
        found = np.full(len(values), orders * perm(45 - size, DRAWS - size))
        for value, n in enumerate(drawn):
            if n:
                found = found * FALLING[left[:, value], n]
        ways[:, end] += found
    return np.where(possible[:, None], ways, 0)


def deal_dealer(left: list[int], held: list[int], hits_soft_17: bool, ways: int, out: list[int]) -> None:
    """Deal the dealer card by card, in every order, without any counting by sets."""
    size = sum(held)
    end = dealer_stops(held, hits_soft_17) if size > 1 else -1
    if end >= 0:
        out[end] += ways * perm(45 - (size - 1), DRAWS - (size - 1))
        return
    for value in range(10):
        if left[value]:
            ways_here = ways * left[value]
            left[value] -= 1
            held[value] += 1
            deal_dealer(left, held, hits_soft_17, ways_here, out)
            left[value] += 1
            held[value] -= 1


# -- The player's hands --
# A flush needs five of six cards in one suit. So a hand of three cards or more is *plain* if two or more of
# its cards are outside its longest suit: then only ranks matter. Otherwise it is given by its ranks, the rank
# of the one card of another suit if there is one, and whether the up-card is of its suit.

PLAIN_KIND, OTHER_SUIT, SAME_SUIT = range(3)
FIVES = 5 ** np.arange(13)  # a hand's ranks as a number: no rank comes more than four times


class Hands(NamedTuple):
    """All hands of one size, in the order of their keys."""

    keys: Array
    ranks: Array  # by rank: how many
    kind: Array
    odd: Array

    def find(self, keys: Array) -> Array:
        """The places of keys that exist."""
        return np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)


def hand_keys(ranks: Array, kind: Array, odd: Array) -> Array:
    return ranks.astype(np.int64) @ FIVES + (np.int64(1) << 32) * kind + (np.int64(1) << 36) * odd


def split_keys(keys: Array) -> Hands:
    ranks = (keys & 0xFFFFFFFF)[:, None] // FIVES % 5
    return Hands(keys, ranks, keys >> 32 & 3, keys >> 36)


@cache
def bonus_hands(size: int) -> Hands:
    """Every hand of this size."""
    plain = hand_keys(np.array(list(rank_counts(size))), np.array(0), np.array(NO_ODD))
    found = [plain]
    for own_size, odds in ((size, [NO_ODD]), (size - 1, range(13))):
        own = np.zeros((comb(13, own_size), 13), np.int64)
        rows = np.array(list(combinations(range(13), own_size)))
        own[np.arange(len(own))[:, None], rows] = 1
        for odd in odds:
            ranks = own + (np.arange(13) == odd)
            for kind in (OTHER_SUIT, SAME_SUIT):
                found.append(hand_keys(ranks, np.array(kind), np.array(odd)))
    return split_keys(np.unique(np.concatenate(found)))


def place_cards(cards: Array) -> Array:
    """The place of each row of cards among the hands of its size, the up-card being of suit 0."""
    size = cards.shape[1]
    rank, suit = cards >> 2, cards & 3
    ranks = (rank[:, :, None] == np.arange(13)).sum(axis=1)
    kind, odd = np.full(len(cards), PLAIN_KIND), np.full(len(cards), NO_ODD)
    for of in range(4):
        inside = suit == of
        suited = inside.sum(axis=1) >= size - 1
        kind[suited] = SAME_SUIT if of == 0 else OTHER_SUIT
        outside = np.where(inside, -1, rank).max(axis=1)
        odd = np.where(suited & (outside >= 0), outside, odd)
    return bonus_hands(size).find(hand_keys(ranks, kind, odd))


@cache
def next_hands(size: int) -> tuple[Array, Array]:
    """By hand and next card (of its suit, or of another; by rank): the next hand, and if it can be."""
    hands, longer = bonus_hands(size), bonus_hands(size + 1)
    suited, whole = hands.kind[:, None] > 0, hands.odd[:, None] == NO_ODD
    one = FIVES[None]
    base = hands.keys[:, None]
    ranks_only = hand_keys(hands.ranks, np.array(0), np.array(NO_ODD))[:, None]
    same = np.where(suited, base + one, -1)
    with_odd = base + one + (np.int64(1) << 36) * (np.arange(13)[None] - NO_ODD)
    other = np.where(suited & whole, with_odd, ranks_only + one)
    keys = np.concatenate([same, other], axis=1)
    at = longer.find(keys)
    return at, longer.keys[at] == keys


@cache
def next_ways(size: int, up: int) -> Array:
    """By hand and next card: how many cards lead there, if the up-card is of this rank."""
    hands = bonus_hands(size)
    ranks, kind, odd = hands.ranks, hands.kind[:, None], hands.odd[:, None]
    rank, is_up = np.arange(13)[None], np.arange(13)[None] == up
    in_suit = ranks - (rank == odd)
    same = np.where(kind > 0, 1 - in_suit - (is_up & (kind == SAME_SUIT)), 0)
    other = np.where(kind > 0, 3 - (rank == odd) - (is_up & (kind == OTHER_SUIT)), 4 - ranks - is_up)
    ways = np.maximum(np.concatenate([same, other], axis=1), 0)
    return np.where(next_hands(size)[1], ways, 0)


@cache
def hand_labels(size: int, six_card_rule: bool) -> Array:
    """By hand: its label if it draws no more cards."""
    total, _ = best_totals(value_counts(bonus_hands(size).ranks))
    label = np.where(total > 21, BUST, np.maximum(total - 16, 0))
    return np.where((total <= 21) & (size == SIX) & six_card_rule, SIX_CARDS, label)


@cache
def poker_outcomes() -> Array:
    """By hand of six cards: the outcome of Poker."""
    hands = bonus_hands(SIX)
    best = poker_of(SIX).ranks[hands.ranks @ np.array(RANK_KEYS)]
    own = hands.ranks - (hands.odd[:, None] == np.arange(13))
    masks = np.where(hands.kind > 0, (own > 0) @ (1 << np.arange(13)), 0)
    best = np.maximum(best, poker_of(SIX).flushes[0, masks])
    return np.where(best < weakest(PAIR, 9), NO_JACKS, ROYAL - categories()[best])


# -- Outcomes and values --


def compare_level(level: int, end: int) -> int:
    """0, 1 or 2 as a hand of this level loses, ties or wins against the dealer's end."""
    return 2 if end == 5 or level > end + 1 else 1 if level == end + 1 else 0


def blackjack_outcome(label: int, end: int) -> int:
    """The outcome of Blackjack with its units, from a label and the dealer's end."""
    if end == NATURAL_END:
        return 3 if label == NATURAL else 6
    if label >= LABELS:
        one, two = divmod(label - LABELS, 6)
        return TWO_UNITS + 7 + 3 * compare_level(one, end) + compare_level(two, end)
    special = {NATURAL: 0, SIX_CARDS: 1, BUST: 5, DOUBLE_BUST: TWO_UNITS + 5}
    if label in special:
        return special[label]
    if label >= DOUBLED:
        return TWO_UNITS + (4, 3, 2)[compare_level(label - DOUBLED, end)]
    return (4, 3, 2)[compare_level(label, end)]


def is_lost(outcome: int) -> bool:
    """Does this outcome of Blackjack lose the Hat Trick? Split aces must not lose money together."""
    outcome %= TWO_UNITS
    return outcome in (4, 5, 6) or (outcome >= 7 and sum(divmod(outcome - 7, 3)) < 2)


def hat_trick(war: int, outcome: int, poker: int) -> int:
    return 1 if war == WAR_LOSS else 2 if is_lost(outcome) else 3 if poker == NO_JACKS else 0


def bonus_pays(game: Game, alive: bool) -> Array:
    """By label and column (the dealer's end, then the end with Poker won): the gain in whole parts.

    War, Poker and the fixed loss of the Hat Trick are the same whatever is chosen, and are left out.
    """
    table, hat = game.tables[2], game.tables[4]
    swing = game.stake["hat-trick"] * (hat[0][1] - hat[2][1]) if alive else Fraction(0)
    rows = []
    for label in range(LABELS + 36):
        outcomes = [blackjack_outcome(label, end) for end in range(PLAYED_ENDS)]
        nets = [game.stake["blackjack"] * table[o % TWO_UNITS][1] * (1 + o // TWO_UNITS) for o in outcomes]
        rows.append(nets + [Fraction(0) if is_lost(o) else swing for o in outcomes])
    unit = lcm(*(net.denominator for row in rows for net in row))
    whole = np.array([[int(net * unit) for net in row] for row in rows], object)
    return whole // np.gcd.reduce(np.append(whole.ravel(), 0)) if whole.any() else whole


LIMB = 25  # numbers above 63 bits are kept as two: high * 2^25 + low


class Bonus:
    """One up-card, solved again for one objective. Arrays have the two parts of each number first."""

    def __init__(self, ways: Array, pays: Array, up: int, six_card_rule: bool) -> None:
        self.up, self.rule = up, six_card_rule
        biggest = int(abs(pays).sum(axis=1).max())
        kind: Any = np.int64 if biggest < 1 << 15 else object
        self.pays = pays.astype(kind)
        won = (poker_outcomes() != NO_JACKS)[:, None]
        columns = np.concatenate([ways[:, :PLAYED_ENDS], ways[:, :PLAYED_ENDS] * won], axis=1)
        self.odds = {SIX: np.stack([columns >> LIMB, columns & (1 << LIMB) - 1]).astype(kind)}
        self.value = {SIX: self.ended(SIX, 0)}
        self.hit: dict[int, Array] = {}
        self.stand: dict[int, Array] = {}
        for size in (5, 4, 3):
            self.odds[size] = self.draw(size, self.odds[size + 1])
            self.hit[size] = self.draw(size, self.value[size + 1])
            self.stand[size] = self.ended(size, 0)
            better = is_open(size, up) & (sign(self.hit[size] - self.stand[size]) > 0)
            self.value[size] = np.where(better, self.hit[size], self.stand[size])

    def draw(self, size: int, numbers: Array) -> Array:
        """The sum over the next card."""
        at, ways = next_hands(size)[0], next_ways(size, self.up)
        total = np.zeros((2, len(at), *numbers.shape[2:]), numbers.dtype)
        for column in range(26):
            times = ways[:, column].reshape(-1, *[1] * (numbers.ndim - 2)).astype(numbers.dtype)
            total += numbers[:, at[:, column]] * times
        return total

    def ended(self, size: int, shift: int) -> Array:
        """The value of every hand that draws no more; a shift turns the labels into those of a double."""
        return (self.odds[size] * self.pays[hand_labels(size, self.rule) + shift]).sum(axis=2)


def sign(parts: Array) -> Array:
    """The sign of numbers in two parts."""
    low = parts[1]
    high = parts[0] + (low >> LIMB)
    rest = low & (1 << LIMB) - 1
    return np.where(high > 0, 1, np.where(high < 0, -1, rest > 0)).astype(np.int64)


@cache
def is_open(size: int, up: int) -> Array:
    """By hand: may it be hit or stand? The up-card must not be one of its cards."""
    hands = bonus_hands(size)
    total, _ = best_totals(value_counts(hands.ranks))
    own = hands.ranks[:, up] - (hands.odd == up)
    dealt = (hands.ranks[:, up] < 4) & ~((hands.kind == SAME_SUIT) & (own > 0))
    return (total <= 21) & dealt & (size < SIX)


# -- Two cards --


@cache
def third_cards() -> Array:
    """The place of every three cards among the hands of three; 0 where two are the same."""
    cards = np.stack(np.meshgrid(*[np.arange(52)] * 3, indexing="ij"), axis=-1).reshape(-1, 3)
    return in_chunks(place_cards, cards).reshape(52, 52, 52)


@cache
def pair_totals() -> Array:
    counts = np.eye(10, dtype=np.int64)[RANK_VALUES[np.arange(52) >> 2]]
    return best_totals(counts[:, None] + counts[None])[0]


def free_thirds(up: int) -> Array:
    """By three cards: are all three different from one another and from the up-card?"""
    same = np.eye(52, dtype=np.bool_)
    free = ~(same[:, :, None] | same[:, None, :] | same[None])
    free[4 * up] = free[:, 4 * up] = free[:, :, 4 * up] = False
    return free


def first_values(one: Bonus) -> list[Array]:
    """By choice and two cards, the values of hit, stand, double and split; parts first."""
    free, at = free_thirds(one.up), third_cards()
    label = np.maximum(pair_totals() - 16, 0)

    def add_up(numbers: Array) -> Array:
        picked = numbers[:, at] * free.reshape(52, 52, 52, *[1] * (numbers.ndim - 2))
        return picked.sum(axis=3)

    stand = (add_up(one.odds[3]) * one.pays[label]).sum(axis=3)
    double = add_up(one.ended(3, DOUBLED))
    return [add_up(one.value[3]), stand, double, split_values(one)]


def split_values(one: Bonus) -> Array:
    found = np.zeros((2, 52, 52), one.pays.dtype)
    for first, second, cards, labels in split_hands(one.up):
        odds = one.odds[4][:, place_cards(cards)]
        found[:, first, second] = (odds * one.pays[LABELS + labels]).sum(axis=(1, 2))
    return found


def split_hands(up: int) -> Iterator[tuple[int, int, Array, Array]]:
    """Two aces, the cards that come on them, and the label of the two hands."""
    aces = [card for card in range(4 * ACE, 52) if card != 4 * up]
    for first, second in permutations(aces, 2):
        rest = [card for card in range(52) if card not in (first, second, 4 * up)]
        cards = np.array([(first, second, *drawn) for drawn in permutations(rest, 2)])
        level = np.maximum(np.where(cards >> 2 == ACE, 12, 12 + RANK_VALUES[cards >> 2]) - 16, 0)
        yield first, second, cards, 6 * level[:, 2] + level[:, 3]


def pairs_in_play(up: int) -> tuple[Array, Array]:
    """By two cards: can they be dealt, and does a choice open?"""
    dealt = ~np.eye(52, dtype=np.bool_)
    dealt[4 * up] = dealt[:, 4 * up] = False
    return dealt, dealt & (pair_totals() != 21)


class BonusChoices(NamedTuple):
    """The choices of a certificate; the second place says whether the Hat Trick is lost."""

    first: Array  # [up, lost, card, card]
    later: dict[int, Array]  # by size: [up, lost, hand]
    ways: Array  # [up's value, six values, end]
    values: Array


def load_bonus(certificate: Certificate) -> BonusChoices:
    ranks = certificate.table("states.ranks", "u1", -1, 13)
    kind = certificate.table("states.suited", "u1", len(ranks)).astype(np.int64)
    odd = certificate.table("states.odd", "u1", len(ranks)).astype(np.int64)
    demand(int(ranks.max(initial=0)) <= 4, "A hand has five cards of one rank.")
    keys, sizes = hand_keys(ranks, kind, odd), ranks.sum(axis=1)
    made = certificate.table("choices.later", "u1", 13, 2, len(ranks))
    later = {}
    for size in range(3, SIX + 1):
        rows = np.flatnonzero(sizes == size)
        order = rows[np.argsort(keys[rows], kind="stable")]
        right = len(rows) == len(bonus_hands(size).keys) and (keys[order] == bonus_hands(size).keys).all()
        demand(right, f"The hands of {size} cards are not all different hands.")
        later[size] = made[:, :, order]
    demand(len(ranks) == sum(len(bonus_hands(n).keys) for n in range(3, SIX + 1)), "A hand is no hand.")
    values = certificate.table("dealer.values", "u1", -1, 10).astype(np.int64)
    ways = certificate.table("dealer.ways", "i8", 10, len(values), 7)
    first = certificate.table("choices.first", "u1", 13, 2, 52, 52)
    return BonusChoices(first, later, ways, values)


def value_keys(values: Array) -> Array:
    return values @ (7 ** np.arange(10))


def check_dealer(game: Game, made: BonusChoices) -> str:
    """The dealer's law is that of a count of all hands in which the dealer can end."""
    for up in range(10):
        mine = dealer_ways(made.values, up, game.options["soft-17"] == "hit")
        bad = int((mine != made.ways[up]).any(axis=1).sum())
        demand(not bad, f"A recount of the dealer finds other ways for {bad} sets of six cards.")
    return f"{len(made.values):,} sets of six values, 10 up-cards"


def check_dealer_sums(made: BonusChoices) -> str:
    """Every set of six values occurs once, and its ways add up to all orders."""
    all_six = value_keys(np.unique(value_counts(bonus_hands(SIX).ranks), axis=0))
    demand(
        (made.values <= np.array(IN_DECK)).all() and (made.values.sum(axis=1) == SIX).all(),
        "Six cards are not six.",
    )
    demand(
        np.array_equal(np.sort(value_keys(made.values)), np.sort(all_six)),
        "The sets of six values are not complete.",
    )
    demand((made.ways <= ORDERS).all(), "The dealer has more ways than there are orders.")
    total = made.ways.sum(axis=2)
    possible = (made.values[None] + np.eye(10, dtype=np.int64)[:, None] <= np.array(IN_DECK)).all(axis=2)
    demand((total == np.where(possible, ORDERS, 0)).all(), "The dealer's ways do not add up to all orders.")
    return f"{total.size:,} sums"


def bonus_ways(made: BonusChoices, up: int) -> Array:
    """By hand of six cards: the dealer's ways."""
    order = np.argsort(value_keys(made.values))
    keys = value_keys(value_counts(bonus_hands(SIX).ranks))
    at = order[np.searchsorted(value_keys(made.values)[order], keys)]
    return made.ways[rank_value(up)][at]


def check_bonus_choices(game: Game, made: BonusChoices) -> str:
    """Every choice against every up-card is the best, with the Hat Trick alive and lost."""
    rule, ties, seen = game.options["six-card-rule"] == "on", 0, 0
    for lost, pays in enumerate((bonus_pays(game, True), bonus_pays(game, False))):
        for up in range(13):
            one = Bonus(bonus_ways(made, up), pays, up, rule)
            for check in (check_later, check_first):
                equal, positions = check(one, made, lost)
                ties, seen = ties + equal, seen + positions
    return f"{seen:,} positions, {ties:,} ties"


def check_later(one: Bonus, made: BonusChoices, lost: int) -> tuple[int, int]:
    ties = seen = 0
    for size in (3, 4, 5, SIX):
        choice, opened = made.later[size][one.up, lost], is_open(size, one.up)
        demand((choice[~opened] == NO_CHOICE).all(), "A hand that is over, or that cannot be, has a choice.")
        if size == SIX:
            continue
        demand(np.isin(choice[opened], (HIT, STAND)).all(), "A hand has a choice that is not open to it.")
        better = sign(one.hit[size] - one.stand[size])
        wrong = opened & (np.where(choice == HIT, better, -better) < 0)
        demand(
            not wrong.any(), f"{int(wrong.sum())} hands of {size} cards have a choice that is not the best."
        )
        ties, seen = ties + int((opened & (better == 0)).sum()), seen + int(opened.sum())
    return ties, seen


def check_first(one: Bonus, made: BonusChoices, lost: int) -> tuple[int, int]:
    choice = made.first[one.up, lost]
    _, opened = pairs_in_play(one.up)
    demand((choice[~opened] == NO_CHOICE).all(), "Two cards that are over have a choice.")
    demand((choice[opened] <= SPLIT).all(), "Two cards have an unknown choice.")
    values = first_values(one)
    aces = np.arange(52) >> 2 == ACE
    may_split = opened & aces[:, None] & aces[None]
    demand(may_split[choice == SPLIT].all(), "Two cards are split that are not aces.")
    chosen = np.stack(values)[np.minimum(choice, SPLIT), :, np.arange(52)[:, None], np.arange(52)]
    chosen = np.moveaxis(chosen, -1, 0)
    ties = 0
    for other in range(4):
        rivals = (may_split if other == SPLIT else opened) & (choice != other)
        less = sign(chosen - values[other])
        wrong = rivals & (less < 0)
        demand(not wrong.any(), f"{int(wrong.sum())} pairs of cards have a choice that is not the best.")
        ties += int((rivals & (less == 0)).sum())
    return ties, int(opened.sum())


# -- The law --


def bonus_law(game: Game, made: BonusChoices) -> tuple[Law, dict[str, int]]:
    law: Counter[Outcomes] = Counter()
    first: Counter[str] = Counter()
    for up in range(13):
        law.update(law_against(game, made, up))
        first.update(first_choices_against(game, made, up))
    return dict(law), dict(first)


def wars_against(up: int) -> Array:
    """By first card: does it win, tie or lose at War?"""
    rank = np.arange(52) >> 2
    return np.where(rank > up, 0, np.where(rank == up, 1, WAR_LOSS))


def law_against(game: Game, made: BonusChoices, up: int) -> Law:
    rule = game.options["six-card-rule"] == "on"
    ended = {size: np.zeros((3 * LABELS + 36, len(bonus_hands(size).keys)), np.int64) for size in range(3, 7)}
    reached = start_hands(made, up, rule, ended)
    for size in (3, 4, 5, SIX):
        longer = np.zeros((3, len(bonus_hands(min(size + 1, SIX)).keys)), np.int64)
        label = hand_labels(size, rule)
        for war in range(3):
            choice = made.later[size][up, int(war == WAR_LOSS)]
            stops = ~is_open(size, up) | (choice != HIT)
            rows = np.flatnonzero(stops & (reached[war] > 0))
            ended[size][war * LABELS + label[rows], rows] += reached[war, rows]
            if size < SIX:
                longer[war] = scatter(size, up, np.where(stops, 0, reached[war]))
        reached = longer
    return meet_dealer(bonus_ways(made, up), complete_hands(up, ended), 1 if up == ACE else 0)


def start_hands(made: BonusChoices, up: int, rule: bool, ended: dict[int, Array]) -> Array:
    """Deal three cards, or four where aces are split; the hands of three that go on, by War."""
    free, at, wars = free_thirds(up), third_cards(), wars_against(up)
    reached = np.zeros((3, len(bonus_hands(3).keys)), np.int64)
    lost = (wars == WAR_LOSS).astype(np.int64)
    choice = made.first[up, lost, np.arange(52)]  # [card, card]
    label = np.where(pair_totals() == 21, NATURAL, np.maximum(pair_totals() - 16, 0))
    one, two, three = np.nonzero(free & (choice != SPLIT)[:, :, None])
    made_choice, war, hand = choice[one, two], wars[one], at[one, two, three]
    goes_on = made_choice == HIT
    np.add.at(reached, (war[goes_on], hand[goes_on]), 1)
    stood = np.where(made_choice == DOUBLE, hand_labels(3, rule)[hand] + DOUBLED, label[one, two])
    np.add.at(ended[3], ((war * LABELS + stood)[~goes_on], hand[~goes_on]), 1)
    for first, second, cards, labels in split_hands(up):
        if choice[first, second] == SPLIT:
            np.add.at(ended[4], (3 * LABELS + labels, place_cards(cards)), 1)
    return reached


def scatter(size: int, up: int, counts: Array) -> Array:
    """Give every hand one more card, in all ways; sums of floats below 2^53 are exact."""
    at, ways = next_hands(size)[0], next_ways(size, up)
    rows = np.flatnonzero(counts)
    weights = counts[rows, None] * ways[rows]
    found = np.bincount(at[rows].ravel(), weights.ravel(), len(bonus_hands(size + 1).keys))
    return found.astype(np.int64)


def complete_hands(up: int, ended: dict[int, Array]) -> Array:
    """Deal every hand that ended up to six cards, by its channel."""
    for size in (3, 4, 5):
        for channel, counts in enumerate(ended[size]):
            if counts.any():
                ended[size + 1][channel] += scatter(size, up, counts)
    return ended[SIX]


def meet_dealer(ways: Array, hands: Array, war_of_aces: int) -> Law:
    """Let every channel of six cards meet the dealer; an up-card has four suits."""
    law: Counter[Outcomes] = Counter()
    high, low = ways >> LIMB, ways & (1 << LIMB) - 1
    poker = poker_outcomes()
    for channel, counts in enumerate(hands):
        war, label = divmod(channel, LABELS)
        if channel >= 3 * LABELS:
            war, label = war_of_aces, LABELS + channel - 3 * LABELS
        for six in range(NO_JACKS + 1) if counts.any() else ():
            held = np.where(poker == six, counts, 0)
            for end, (h, n) in enumerate(zip((held @ high).tolist(), (held @ low).tolist(), strict=True)):
                outcome = blackjack_outcome(label, end)
                deals = 4 * ((h << LIMB) + n)
                if deals:
                    law[war, NOT_PLACED, outcome, six, hat_trick(war, outcome, six)] += deals
    return dict(law)


def first_choices_against(game: Game, made: BonusChoices, up: int) -> Counter[str]:
    """Deals by first choice; against an ace it is about insurance, and an ace under a ten ends the round."""
    found: Counter[str] = Counter()
    wars, rest = wars_against(up), 4 * perm(48, 12)
    dealt, opened = pairs_in_play(up)
    for one, two in np.argwhere(dealt).tolist():
        if up == ACE:
            found["decline"] += 49 * rest
            continue
        aces = 4 - (one >> 2 == ACE) - (two >> 2 == ACE) if rank_value(up) == 9 else 0
        choice = int(made.first[up, int(wars[one] == WAR_LOSS), one, two])
        found[game.rules.choices[choice] if opened[one, two] else ""] += (49 - aces) * rest
        found[""] += aces * rest
    return found


def check_insurance(game: Game) -> str:
    """Insurance is declined: at most 16 of 49 unseen cards are tens, and nothing else depends on it."""
    pays = game.tables[1][0][1]
    demand(16 * pays <= 33, "Insurance may be worth taking, and the certificate always declines it.")
    return f"at most 16/49 x {pays} - 33/49 units"


def bonus_samples(run: Run, game: Game, made: BonusChoices, samples: int) -> str:
    """Draw six cards of the player and an up-card, and deal the dealer every order of cards."""
    keys = {int(key): at for at, key in enumerate(value_keys(made.values))}
    for _ in range(samples):
        deck = [rank_value(card >> 2) for card in range(52)]
        drawn = [deck.pop(run.drawer.below(len(deck))) for _ in range(7)]
        held = np.bincount(drawn[:6], minlength=10)
        left, out = np.bincount(deck, minlength=10).tolist(), [0] * 7
        start = np.bincount(drawn[6:], minlength=10).tolist()
        deal_dealer(left, start, game.options["soft-17"] == "hit", 1, out)
        at = keys[int(value_keys(held))]
        right = out == made.ways[drawn[6], at].tolist()
        demand(right, "The dealer's law of a drawn deal is another when it is dealt out.")
    return f"{samples} deals dealt out"


def check_bonus(run: Run, game: Game) -> None:
    certificate = run.certificate
    made = run.check("hands are all different", load_bonus, certificate)
    run.check("counts add up", check_dealer_sums, made)
    run.check("insurance is declined", check_insurance, game)
    recounts = not run.options.no_recount
    if recounts:
        run.check("recount of the dealer", check_dealer, game, made)
    run.check("every choice is the best", check_bonus_choices, game, made)
    found = None if made is None else run.check("the law of the choices", bonus_law, game, made)
    run.finish(game, found, perm(52, 16))
    samples = run.samples(20)
    run.check("drawn deals", bonus_samples, run, game, made, samples)
    run.bound = describe_bound(samples, spread_of(game), recounts)


# == The command =======================================================================================

CHECKS: dict[str, Callable[[Run, Game], None]] = {
    "casino-war": check_casino_war,
    "triple-shot-rummy": check_rummy,
    "rabbit-hunter": check_rabbit_hunter,
    "high-five-poker": check_high_five,
    "triple-shot-bonus": check_bonus,
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
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
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
        recounted = " WITHOUT A RECOUNT" if run.options.no_recount else ""
        print(f"{run.bound}\nACCEPTED{recounted} in {seconds:.1f} s.")


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


def run_program() -> int:
    """The exit status; 2 and a sentence on standard error if the verdict could not be printed."""
    try:
        status = main()
        if sys.stdout:
            sys.stdout.flush()
    except BrokenPipeError:
        discard_output()
    except OSError as error:
        discard_output()
        print(f"check_certificate.py: {error.strerror or error}.", file=sys.stderr)
    except KeyboardInterrupt:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # a second Ctrl-C would print a traceback
        print("Interrupted.", file=sys.stderr)
        return 130
    else:
        return status
    return 2


def discard_output() -> None:
    """Send what is left of the output nowhere, because Python would try to write it once more at the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(run_program())
