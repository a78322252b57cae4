"""A wrong product of chances, told in pictures: what was multiplied, why that is wrong, what it costs."""

import json
from collections.abc import Iterable, Iterator
from fractions import Fraction
from importlib import resources
from typing import Any

from feltlab.analysis.multiplied_chances import Product
from feltlab.core.game import Game
from feltlab.games import FOLDERS
from feltlab.report.numbers import counted, decimal, kept, percent
from feltlab.text import listing

Panel = dict[str, Any]
Row = dict[str, Any]
EVENT, PUBLISHED, PROVED = "narrow", "even", "behind"  # colours, the same throughout


def story(product: Product) -> dict[str, Any]:
    """The panels of a bet: a title, some words, and what is drawn beside them."""
    panels = [_printed(product), _cards(product), _steps(product), _rounds(product), _money(product)]
    return {"title": f"The {product.bet.title}, in pictures", "panels": panels}


def _row(label: str, value: Fraction, kind: str) -> Row:
    return {"label": label, "value": float(value), "text": percent(value), "kind": kind}


def _panel(title: str, text: str, **drawn: Any) -> Panel:
    return {"title": title, "text": text, "rows": [], "shared": {}, "field": {}} | drawn


def _printed(product: Product) -> Panel:
    rows = [_row(factor.event, Fraction(factor.value) / 100, EVENT) for factor in product.factors]
    rows.append(_row("all together, if multiplied", product.printed, PUBLISHED))
    many = counted(len(product.factors), "event")
    text = f"The bet wins when {many} come together: {listing(product.events)}. "
    text += f"The packet multiplies their chances and prints {product.figure.published}."
    return _panel("What was printed", text, rows=rows)


def _cards(product: Product) -> Panel:
    """Why one event says something about another: for the eye, cards of one deal."""
    text = "Chances may be multiplied only when one event says nothing about the others. "
    text += product.figure.because
    return _panel("The same cards decide all of it", text, shared=_shared(product.proof.game))


def _shared(game: Game) -> dict[str, str]:
    """Cards of one deal by the part of a bet that reads them, where the game has such."""
    file = resources.files("feltlab.games") / FOLDERS[game.name] / "shared_cards.json"
    found: dict[str, str] = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    return found


def _steps(product: Product) -> Panel:
    """What is left after each event: as multiplied, and as it happens."""
    first, *others = range(len(product.factors))
    told = (
        f"of the rounds with {listing(product.events[:n])}, {percent(product.chance([n], range(n)), 2)} "
        f"also have {product.events[n]}, not {percent(product.chance([n]), 2)}"
        for n in others
    )
    text = f"Take one event after the other, and count only the rounds that are left: {'; '.join(told)}."
    rows = [_row(product.events[first], product.chance([first]), EVENT), *_left(product, others)]
    return _panel("Each makes the next likelier", text, rows=rows)


def _left(product: Product, others: Iterable[int]) -> Iterator[Row]:
    multiplied = product.chance([0])
    for n in others:
        multiplied *= product.chance([n])
        yield _row(f"and {product.events[n]}, if multiplied", multiplied, PUBLISHED)
        yield _row(f"and {product.events[n]}, counted", product.chance(range(n + 1)), PROVED)


def _pays(product: Product) -> list[Fraction]:
    return [max(line.net for line in table.lines) for table in product.bet.tables]


def _rounds(product: Product) -> Panel:
    """A thousand rounds: how many were promised to win, how many do, how many the house can bear."""
    ratio = product.hit / product.printed
    text = (
        f"Counted over every deal, the bet wins {percent(product.hit)} of the time, {decimal(ratio, 2)} "
        f"times as often as printed: {round(1000 * product.hit)} of a thousand rounds, not "
        f"{round(1000 * product.printed)}. Where the squares pass a line, the house loses at that pay."
    )
    shares = [
        {"label": "as proved", "value": float(product.hit), "kind": PROVED},
        {"label": "as published", "value": float(product.printed), "kind": PUBLISHED},
    ]
    marks = [{"label": f"even at {pay} to 1", "value": float(1 / (pay + 1))} for pay in _pays(product)]
    return _panel("A thousand rounds", text, field={"shares": shares, "marks": marks})


def _money(product: Product) -> Panel:
    sources = (("as published", product.printed, PUBLISHED), ("as proved", product.hit, PROVED))
    rows = [
        _row(f"{pay} to 1, {label}", _edge(chance, pay), kind)
        for pay in _pays(product)
        for label, chance, kind in sources
    ]
    told = (f"at {pay} to 1 it {kept(_edge(product.hit, pay))}" for pay in _pays(product))
    text = f"This is the house edge. Of each $100 that is wagered, {listing(told)}. "
    return _panel("What it costs", f"{text}The bet is even at {decimal(product.even_pay)} to 1.", rows=rows)


def _edge(chance: Fraction, pay: Fraction) -> Fraction:
    return 1 - chance * (pay + 1)
