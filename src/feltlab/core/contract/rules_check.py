"""The contract of rules, checked without a card: names, areas, spots, choices, streets and options.

What is wrong is refused with the file, the line and the reason.
"""

import ast
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from feltlab.core.layout import ALIKE, ON_STREET, UNREAD, Area, Choice, Option, Spot
from feltlab.errors import Refused
from feltlab.text import listing

TEXTS = ("NAME", "TITLE", "SUMMARY", "DATE")
LISTS: dict[str, type] = {"AREAS": Area, "OPTIONS": Option, "SPOTS": Spot, "CHOICES": Choice}
KERNELS = ("legal", "visible", "settle")
FUNCTIONS = ("deck", "behind_cut", "kernel_data", "cards_needed", "dealing", *KERNELS, "why", "readings")


def check_rules(rules: Any) -> None:
    """Refuse rules that break the contract."""
    for name, sentence in _mistakes(rules):
        raise rules_refusal(rules, name, sentence)


def rules_refusal(rules: Any, name: str, sentence: str) -> Refused:
    """A refusal that names the file of the rules and the line where a name is defined."""
    path = Path(str(rules.__file__))
    line = _lines_of(path.read_text(encoding="utf-8")).get(name, 1)
    return Refused(f"{path.parent.name}/{path.name}, line {line}: {sentence}.")


@cache
def _lines_of(source: str) -> dict[str, int]:
    """By name, the line on which a module defines it last."""
    lines = {}
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            lines[node.name] = node.lineno
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            lines[node.target.id] = node.lineno
        elif isinstance(node, ast.Assign):
            named = (name for target in node.targets for name in ast.walk(target))
            lines |= {name.id: node.lineno for name in named if isinstance(name, ast.Name)}
    return lines


Mistakes = Iterator[tuple[str, str]]  # the name that is wrong, and a sentence without its full stop


def _mistakes(rules: Any) -> Mistakes:
    checks: tuple[Callable[[Any], Mistakes], ...] = (
        _missing,
        _wrong_kinds,
        _areas,
        _spots,
        _wagers_per_hand,
        _options,
        _choices,
        _streets,
    )
    for check in checks:
        yield from check(rules)


def _missing(rules: Any) -> Mistakes:
    for name in (*TEXTS, *LISTS, "GAMES_PER_HAND", *FUNCTIONS):
        if not hasattr(rules, name):
            yield name, f"the rules do not define {name}"


def _wrong_kinds(rules: Any) -> Mistakes:
    for name in TEXTS:
        if not isinstance(getattr(rules, name), str) or not getattr(rules, name):
            yield name, f"{name} is a text"
    for name, kind in LISTS.items():
        if not all(isinstance(each, kind) for each in getattr(rules, name)):
            yield name, f"{name} is a tuple of {kind.__name__}"
    for name in FUNCTIONS:
        if not callable(getattr(rules, name)):
            yield name, f"{name} is a function"
    if getattr(rules, "SUITS", ALIKE) not in (ALIKE, UNREAD):
        yield "SUITS", "SUITS is ALIKE or UNREAD, or left out"
    most = rules.GAMES_PER_HAND
    if not isinstance(most, int) or most < 1:
        yield "GAMES_PER_HAND", "GAMES_PER_HAND is the largest number of first wagers on one hand, at least 1"


def _areas(rules: Any) -> Mistakes:
    names = [area.name for area in rules.AREAS]
    if names[:1] != ["player"]:
        yield "AREAS", "the first of the AREAS is the player's"
    yield from (("AREAS", f"two of the AREAS are called {name}") for name in _repeated(names))
    shared = [area.shared for area in rules.AREAS]
    if shared != sorted(shared):
        yield "AREAS", "areas that all seats share come after those of the player"
    if any(area.cards < 1 for area in rules.AREAS):
        yield "AREAS", "every area holds at least one card"


def _spots(rules: Any) -> Mistakes:
    names = [spot.name for spot in rules.SPOTS]
    first = [spot.name for spot in rules.SPOTS if not spot.follows]
    if not first:
        yield "SPOTS", "no spot takes a first wager"
    yield from (("SPOTS", f"two spots are called {name}") for name in _repeated(names))
    for spot in rules.SPOTS:
        for key in ("raises", "bonus_on", "equals", "at_most"):
            other = getattr(spot, key)
            if other and (other not in first or other == spot.name):
                yield "SPOTS", f"{key} of {spot.name} names {other!r}, but first wagers are {listing(first)}"
        for outcome in _repeated(spot.outcomes):
            yield "SPOTS", f"{spot.name} has two outcomes called {outcome!r}"


def _wagers_per_hand(rules: Any) -> Mistakes:
    """One optional wager must be possible beside those that are required."""
    must = {spot.name for spot in rules.SPOTS if spot.required}
    required = [spot.name for spot in rules.SPOTS if must & {spot.name, spot.equals}]
    optional = [spot.name for spot in rules.SPOTS if not spot.follows and spot.name not in required]
    together, most = [*required, *optional[:1]], rules.GAMES_PER_HAND
    if most < len(together):
        yield (
            "GAMES_PER_HAND",
            f"GAMES_PER_HAND is {most}, so no seat could place {listing(together)} together",
        )


def _options(rules: Any) -> Mistakes:
    options = {option.name: option.values for option in rules.OPTIONS}
    yield from (("OPTIONS", f"two options are called {n}") for n in _repeated(o.name for o in rules.OPTIONS))
    for option in rules.OPTIONS:
        if option.default not in option.values:
            yield "OPTIONS", f"the default of {option.name}, {option.default!r}, is not one of its values"
    for spot in rules.SPOTS:
        for name in filter(None, (spot.option, spot.required_by)):
            if name not in options:
                yield "SPOTS", f"{spot.name} names the option {name!r}, which OPTIONS does not have"
        tables = {table.name for table in spot.tables}
        if spot.option in options and not tables.issuperset(options[spot.option]):
            missing = listing(value for value in options[spot.option] if value not in tables)
            yield "SPOTS", f"{spot.name} has no pay table called {missing}, a value of {spot.option}"


def _choices(rules: Any) -> Mistakes:
    first = [spot.name for spot in rules.SPOTS if not spot.follows]
    names = {spot.name for spot in rules.SPOTS if not spot.bonus_on}
    yield from (("CHOICES", f"two choices are called {n}") for n in _repeated(c.name for c in rules.CHOICES))
    yield from (("CHOICES", f"two choices have the key {k}") for k in _repeated(c.key for c in rules.CHOICES))
    for choice in rules.CHOICES:
        if len(choice.key) != 1:
            yield "CHOICES", f"the key of {choice.name} is a single character, not {choice.key!r}"
        if choice.wager not in first:
            yield "CHOICES", f"{choice.name} belongs to {choice.wager!r}; first wagers are {listing(first)}"
        for put in {*choice.puts, *choice.gives_up} - {ON_STREET} - names:
            yield "CHOICES", f"{choice.name} names {put!r}, which is no spot for a wager"
        if choice.house_rule and choice.puts:
            yield "CHOICES", f"{choice.name} is made for an absent player, so it must put nothing down"
    if rules.CHOICES and not any(choice.house_rule for choice in rules.CHOICES):
        yield "CHOICES", "no choice is marked house_rule, to be made for an absent player"
    if len(rules.CHOICES) > MOST_CHOICES:
        yield "CHOICES", f"there are {len(rules.CHOICES)} choices; at most {MOST_CHOICES} are possible"


MOST_CHOICES = 62


def _streets(rules: Any) -> Mistakes:
    streets = tuple(getattr(rules, "STREETS", ()))
    spots = {spot.name: spot for spot in rules.SPOTS}
    for choice in rules.CHOICES:
        places = streets if ON_STREET in choice.puts else ("",)
        if not places:
            yield "CHOICES", f"{choice.name} puts a unit on its street, but the rules name no STREETS"
        elif ON_STREET in choice.puts and not spots.keys() & set(streets):
            yield "STREETS", f"{choice.name} puts a unit on its street, but no spot is called like a street"
        for street in places:
            yield from _units(choice, street, spots)


def _units(choice: Choice, street: str, spots: dict[str, Spot]) -> Mistakes:
    for put, units in Counter(street if put == ON_STREET else put for put in choice.puts).items():
        spot = spots.get(put)
        if spot and units + (not spot.raises) > spot.most_units:
            many = f"{units} units" if spot.raises else f"{units} beside the first unit"
            yield "SPOTS", f"{choice.name} puts {many} on {put}, whose most_units is {spot.most_units}"


def _repeated(names: Iterable[str]) -> list[str]:
    return [name for name, count in Counter(names).items() if count > 1]
