"""A wrong product of chances, told in pictures: what was multiplied, why that is wrong, what it costs."""

import json
from collections.abc import Iterator, Mapping
from fractions import Fraction
from importlib import resources
from typing import Any

from feltlab.game import Game, listing
from feltlab.games import FOLDERS
from feltlab.independence import Product
from feltlab.report.numbers import counted, kept, percent

Panel = dict[str, Any]
Row = dict[str, Any]


def story(product: Product) -> dict[str, Any]:
    """The panels of a bet: a title, some words, and bars."""
    panels = [_printed(product), _given(product), _both(product), _money(product)]
    return {"title": f"The {product.bet.title}, in pictures", "panels": panels}


def _row(label: str, value: Fraction, kind: str) -> Row:
    return {"label": label, "value": float(value), "text": percent(value, 2), "kind": kind}


def _panel(title: str, text: str, rows: list[Row], marks: Mapping[str, Fraction] | None = None) -> Panel:
    lines = [{"label": label, "value": float(value)} for label, value in (marks or {}).items()]
    return {"title": title, "text": text, "rows": rows, "marks": lines, "shared": {}}


def _printed(product: Product) -> Panel:
    rows = [_row(factor.event, Fraction(factor.value) / 100, "even") for factor in product.factors]
    rows.append(_row("all together, if multiplied", product.printed, "behind"))
    many = counted(len(product.factors), "event")
    text = f"The bet wins when {many} come together: {listing(product.events)}. "
    text += f"The packet multiplies their chances and gets {percent(product.printed, 2)}."
    return _panel("What was printed", text, rows)


def _given(product: Product) -> Panel:
    """Each chance alone and among the rounds in which the other events happen."""
    text = (
        "Chances may be multiplied when one event says nothing about another. Here each says much: where the "
    )
    text += f"others happen, it happens more often. {product.figure.because}"
    panel = _panel("Why that is wrong", text, list(_given_rows(product)))
    return panel | {"shared": _shared(product.proof.game)}


def _shared(game: Game) -> dict[str, str]:
    """For the eye: cards of one deal by the part of a bet that reads them, where the game has such."""
    file = resources.files("feltlab.games") / FOLDERS[game.name] / "shared.json"
    found: dict[str, str] = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    return found


def _given_rows(product: Product) -> Iterator[Row]:
    every = range(len(product.factors))
    for n in every:
        others = [other for other in every if other != n]
        yield _row(f"{product.events[n]}, of all rounds", product.chance([n]), "even")
        yield _row("where the others happen", product.chance([n], others), "ahead")


def _pays(product: Product) -> list[Fraction]:
    return [max(line.net for line in table.lines) for table in product.bet.tables]


def _both(product: Product) -> Panel:
    rows = [_row("published", product.printed, "even"), _row("proved", product.hit, "behind")]
    marks = {f"even at {pay} to 1": 1 / (pay + 1) for pay in _pays(product)}
    ratio = float(product.hit / product.printed)
    text = (
        f"Counted over every deal, the bet wins {percent(product.hit, 2)} of the time: {ratio:.2f} times as "
    )
    text += "often as printed. Where a bar passes a line, the house loses at that pay."
    return _panel("What is true", text, rows, marks)


def _money(product: Product) -> Panel:
    rows = []
    for pay in _pays(product):
        for label, chance in (("as printed", product.printed), ("proved", product.hit)):
            edge = 1 - chance * (pay + 1)
            rows.append(_row(f"{pay} to 1, {label}", edge, "ahead" if edge > 0 else "behind"))
    first = _pays(product)[0]
    lost = kept(1 - product.hit * (first + 1))
    text = f"This is the house edge. At {first} to 1 the house {lost} on each $100. "
    return _panel("What it costs", f"{text}The bet is even at {float(product.even_pay):.4f} to 1.", rows)
