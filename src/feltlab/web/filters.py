"""Template filters: how templates write figures, cards, choices and drawings."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from markupsafe import Markup, escape

from feltlab import text
from feltlab.core.choices import split_choice
from feltlab.core.paytable import Line
from feltlab.report import numbers
from feltlab.report import svg as draw
from feltlab.text import capitalised
from feltlab.web.card_faces import card_face
from feltlab.web.evening_plots import FanPlot, ResultPlot
from feltlab.web.plots import Json, RoundsField, SharedCards, bar_scale, net_plot
from feltlab.web.trend_plot import TrendPlot

# -- Figures ----------------------------------------------------------------------------------------


def percent(value: Json, digits: int = 4) -> str:
    """A share that JSON gives exactly."""
    return text.percent(Fraction(value["exact"]), digits)


def edge(value: Json) -> str:
    """The house edge in words: '2.70 %', or '7.00 % in your favour'."""
    share = Fraction(value["exact"])
    return f"{text.percent(-share, 2)} in your favour" if share < 0 else text.percent(share, 2)


def signed(value: Json) -> str:
    return numbers.with_sign(Fraction(value["exact"]))


def chance(value: Json) -> str:
    return numbers.chance(Fraction(value["exact"])) if value["value"] else "0"


def gain(value: Json) -> str:
    return numbers.gain(Fraction(value["exact"]))


def one_in(value: Json) -> str:
    """A chance as people say it: '1 in 2.4', '1 in 649,740'."""
    share = Fraction(value["exact"])
    if not share:
        return "never"
    times = 1 / share
    return f"1 in {float(times):,.0f}" if times >= 20 else f"1 in {float(times):.3g}"


def cents_of(value: Json, cents: int) -> str:
    """A share of an amount in cents, as money; 'under 1¢' for one that rounds to nothing."""
    part = float(Fraction(value["exact"]) * cents)
    return "under 1¢" if 0 < part < 0.5 else text.money(part)


def pay(text: str) -> str:
    """'1,000 to 1', '3 to 2', 'push', 'lose'."""
    return Line("", Fraction(text)).odds


def signed_money(cents: float) -> str:
    """'+$1.20', '−$0.34', '$0.00': an amount that need not be whole, with a true minus sign."""
    whole = round(cents)
    sign = "+" if whole > 0 else "−" if whole < 0 else ""
    return f"{sign}${abs(whole) / 100:,.2f}"


def cost_in_words(cents: float) -> str:
    """'$0.92'; 'under 1¢' for a cost that rounds to nothing."""
    return text.money(cents) if round(cents) else "under 1¢"


# -- Cards ------------------------------------------------------------------------------------------


def cards(text: str) -> Markup:
    """Text in which hands such as 'Kd Ac' are drawn; a percentage keeps its sign on the same line."""
    text = text.replace(" %", "\N{NO-BREAK SPACE}%")
    pieces, at = [], 0
    for found in draw.HAND.finditer(text):
        pieces += [escape(text[at : found.start()]), hand(found[0])]
        at = found.end()
    return Markup("").join([*pieces, escape(text[at:])])


def hand(text: str) -> Markup:
    """Cards such as 'As Kd', drawn side by side; a screen reader says their names."""
    faces = [card_face(card) for card in text.split()]
    said = ", ".join(each["said"] for each in faces)
    signs = Markup("").join(map(card_sign, faces))
    return Markup('<span class="held" role="img" aria-label="{}">{}</span>').format(said, signs)


def card_sign(face: dict[str, str]) -> Markup:
    sign = '<span class="pip {colour}"><b>{rank}</b>{suit}</span>'
    return Markup(sign).format(**face)


# -- Choices ----------------------------------------------------------------------------------------


def choice_rows(proof: Json) -> list[Json]:
    """Bars for how often each choice is the first of a round."""
    return [
        {
            "label": "no choice" if name == "none" else name,
            "value": share["value"],
            "text": percent(share, 2),
            "kind": "narrow",
        }
        for name, share in proof["choices"].items()
    ]


def choice_colours(charts: list[Json]) -> dict[str, int]:
    """A colour number for each choice in the charts, in order of appearance."""
    cells = (cell for chart in charts for row in chart["rows"].values() for cell in row)
    return {choice: n % 6 for n, choice in enumerate(dict.fromkeys(filter(None, cells)))}


def words(choice: str) -> str:
    """A choice as people write it: 'raise 4x', 'insure for $2.50'."""
    name, cents = split_choice(choice)
    return name.replace("-", " ") + (f" for {text.dollars(cents)}" if cents is not None else "")


def drawing(svg: str, words: str) -> Markup:
    """A report's drawing, inline so that the page's colours apply, with a description for screen readers."""
    named = svg.replace("<svg ", f'<svg role="img" aria-label="{escape(words)}" ', 1)
    return Markup(named)  # `report.svg` has escaped its text


def in_sentence(name: str) -> str:
    """The name of a house inside a sentence: 'the Long Table', but 'Silver Reef'."""
    return f"the {name[4:]}" if name.startswith("The ") else name


FILTERS: dict[str, Callable[..., Any]] = {
    "percent": percent,
    "edge": edge,
    "small_percent": text.small_percent,
    "signed": signed,
    "chance": chance,
    "gain": gain,
    "one_in": one_in,
    "cents_of": cents_of,
    "signed_money": signed_money,
    "cost": cost_in_words,
    "words": words,
    "in_sentence": in_sentence,
    "pay": pay,
    "fraction": Fraction,
    "capitalised": capitalised,
    "cards": cards,
    "hand": hand,
    "face": card_face,
    "choice_rows": choice_rows,
    "choice_colours": choice_colours,
    "drawing": drawing,
    "bar_scale": bar_scale,
    "net_plot": net_plot,
    "result_plot": ResultPlot,
    "fan_plot": FanPlot,
    "rounds_field": RoundsField,
    "trend_plot": TrendPlot,
    "shared_cards": SharedCards,
}
