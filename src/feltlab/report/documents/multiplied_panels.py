"""A wrong product of chances as a few panels of words and pictures: the print, the reason, the cost."""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

from feltlab.analysis.multiplied_chances import Product, even_chance, win_edge
from feltlab.games.data import shared_cards
from feltlab.report.numbers import count_of, decimal, describe_edge
from feltlab.text import listing, percent

Panel = dict[str, Any]
Row = dict[str, Any]
EVENT, PUBLISHED, PROVED = "narrow", "even", "behind"  # colours, the same throughout


def panels(product: Product) -> dict[str, Any]:
    """The panels of a bet, each with a title, some words, and what is drawn beside them."""
    makers = (_printed_panel, _cards_panel, _steps_panel, _rounds_panel, _money_panel)
    found = [make(product) for make in makers]
    return {"title": f"The {product.bet.title}, in pictures", "panels": found}


def _row(label: str, value: Fraction, kind: str) -> Row:
    return {"label": label, "value": float(value), "text": percent(value), "kind": kind}


def _panel(title: str, text: str, **drawn: Any) -> Panel:
    return {"title": title, "text": text, "rows": [], "shared": {}, "field": {}} | drawn


def _printed_panel(product: Product) -> Panel:
    rows = [_row(factor.event, Fraction(factor.value) / 100, EVENT) for factor in product.factors]
    rows.append(_row("all together, if multiplied", product.printed, PUBLISHED))
    many = count_of(len(product.factors), "event")
    text = f"The bet wins when {many} happen together: {listing(product.events)}. "
    text += f"The packet multiplies their chances and prints {product.figure.published}."
    return _panel("What was printed", text, rows=rows)


def _cards_panel(product: Product) -> Panel:
    """Cards of one deal, to show why one event says something about another."""
    text = "Chances may be multiplied only when one event says nothing about the others. "
    text += product.figure.because
    return _panel("The same cards decide everything", text, shared=shared_cards(product.proof.game.name))


def _steps_panel(product: Product) -> Panel:
    """The rounds that are left after each event: as multiplied, and as counted."""
    first, *others = range(len(product.factors))
    steps = (
        f"of the rounds with {listing(product.events[:n])}, {percent(product.chance([n], range(n)), 2)} "
        f"also have {product.events[n]}, not {percent(product.chance([n]), 2)}"
        for n in others
    )
    text = f"Take one event after the other, and count only the rounds that are left: {'; '.join(steps)}."
    rows = [_row(product.events[first], product.chance([first]), EVENT), *_left(product, others)]
    return _panel("Each event makes the next one likelier", text, rows=rows)


def _left(product: Product, others: Iterable[int]) -> Iterator[Row]:
    multiplied = product.chance([0])
    for n in others:
        multiplied *= product.chance([n])
        yield _row(f"and {product.events[n]}, if multiplied", multiplied, PUBLISHED)
        yield _row(f"and {product.events[n]}, counted", product.chance(range(n + 1)), PROVED)


def _rounds_panel(product: Product) -> Panel:
    """A thousand rounds: how many win by the print, how many do, and how many the house can afford."""
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
    marks = [{"label": f"even at {pay} to 1", "value": float(even_chance(pay))} for pay in product.pays]
    return _panel("A thousand rounds", text, field={"shares": shares, "marks": marks})


def _money_panel(product: Product) -> Panel:
    sources = (("as published", product.printed, PUBLISHED), ("as proved", product.hit, PROVED))
    rows = [
        _row(f"{pay} to 1, {label}", win_edge(chance, pay), kind)
        for pay in product.pays
        for label, chance, kind in sources
    ]
    kept = (f"at {pay} to 1 the house {describe_edge(win_edge(product.hit, pay))}" for pay in product.pays)
    text = f"The bars are house edges. Of each $100 wagered, {listing(kept)}. "
    return _panel("What it costs", f"{text}The bet is even at {decimal(product.even_pay)} to 1.", rows=rows)
