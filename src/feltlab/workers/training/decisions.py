"""A decision as a trainer shows it: the cards seen, the value of each choice, the card's row, a reason."""

from fractions import Fraction
from typing import Any

from feltlab.core.cards import name
from feltlab.core.position import hide_unseen, position_query, write_position
from feltlab.core.round import Round
from feltlab.core.solver import StrategyCard
from feltlab.core.stake import Stake
from feltlab.core.strategy.card_rows import CardRow, find_row
from feltlab.errors import Refused
from feltlab.games import solver_of
from feltlab.proving.advice import Advice, advise
from feltlab.text import capitalised, round_fraction

Data = dict[str, Any]


def stake_of(round: Round) -> Stake:
    """The wagers of a round in units of the first one."""
    unit = next(iter(round.wagers.values()))
    return {spot.name: Fraction(round.wagers.get(spot.name, 0), unit) for spot in round.game.wagers}


def row_of(card: StrategyCard | None, round: Round) -> CardRow | None:
    """The row of the card that covers the hand, if the card is known and has one."""
    read = solver_of(round.game).read_hand
    return find_row(card.index, read(hide_unseen(round))) if card and read else None


def describe_decision(round: Round, card: StrategyCard | None) -> Data:
    """Everything that a trainer's page shows of a decision; no card that the player does not see."""
    seen = hide_unseen(round)
    advice, row = advise(seen), row_of(card, seen)
    unit = next(iter(seen.wagers.values()))
    return {
        "query": write_position(seen),
        "position": position_query(seen),
        "areas": {area: list(map(name, held)) for area, held in seen.view.areas.items()},
        "reading": seen.player_reading,
        "street": seen.game.streets[len(seen.chosen)] if seen.game.streets else "",
        "chosen": list(seen.chosen),
        "wagers": [
            {"title": seen.game.spot(bet).title, "cents": cents} for bet, cents in seen.wagers.items()
        ],
        "unit": unit,
        "measure": dict(zip(("cents", "words"), measure_of(seen), strict=True)),
        "choices": [_describe_choice(seen, choice) for choice in seen.choices],
        "values": [
            {"choice": one.choice, "expected": float(one.expected), "cost": float(one.cost)} for one in advice
        ],
        "row": describe_row(card, row) if card and row else None,
        "reason": give_reason(seen, advice, card, row),
    }


def _describe_choice(round: Round, choice: str) -> Data:
    known = round.game.choice(choice)
    return {
        "choice": choice,
        "key": known.key,
        "help": known.help,
        "cents": round.cost(choice),
    }


def describe_row(card: StrategyCard, row: CardRow) -> Data:
    """A row by its name, its places on the card, and in words."""
    return {**row._asdict(), "name": row.name, "words": row_words(card, row)}


def row_words(card: StrategyCard, row: CardRow) -> str:
    """'Pair of Twos or better', 'AK suited', 'soft 17, column 3'."""
    if row.line >= 0:
        return card.lines[row.line][0]
    chart = card.charts[row.chart]
    if chart.names:
        return chart.names[row.row][row.column]
    words = list(chart.rows)[row.row]
    column = chart.columns[row.column]
    return f"{words}, {column}" if " " in column or len(column) > 3 else f"{words}, column {column}"


# -- The reason -------------------------------------------------------------------------------------


def give_reason(round: Round, advice: list[Advice], card: StrategyCard | None, row: CardRow | None) -> str:
    """Two sentences from exact numbers: what each choice is worth, and what the card says."""
    return " ".join(filter(None, (_compare(round, advice), _quote_card(round, advice, card, row))))


def measure_of(round: Round) -> tuple[int, str]:
    """The cents for which a result is told as one dollar, and that in words.

    With one wager it is told for each dollar of it; a choice among several wagers concerns all of them.
    """
    if len(round.wagers) > 1:
        return 100, "with these wagers"
    ((bet, cents),) = round.wagers.items()
    return cents, f"for each dollar on the {round.game.spot(bet).title}"


def _compare(round: Round, advice: list[Advice]) -> str:
    cents, words = measure_of(round)
    parts = [f"{title_of(one.choice)} {_result(one.expected / cents)}" for one in advice]
    *first, last = parts
    listed = f"{', '.join(first)} and {last}" if first else last
    return f"On average, {words}, {listed}."


def title_of(choice: str) -> str:
    """A choice as its button names it: 'Raise 4x'."""
    return capitalised(choice.replace("-", " "))


def _result(value: Fraction) -> str:
    """'wins 12.4 ¢', 'loses $1.00'."""
    if not value:
        return "breaks even"
    return f"{'wins' if value > 0 else 'loses'} {in_cents(abs(value))}"


def in_cents(units: Fraction) -> str:
    """A part of a dollar as people say it: '62.1 ¢', '$1.50'."""
    cents = 100 * units
    if cents >= 100:
        return f"${round_fraction(units, 2):,f}"
    return f"{round_fraction(cents, 1):f} ¢" if cents >= Fraction(1, 20) else "less than 0.1 ¢"


def _quote_card(round: Round, advice: list[Advice], card: StrategyCard | None, row: CardRow | None) -> str:
    if card is None or row is None:
        return ""
    words, made = capitalised(row_words(card, row)), title_of(row.choice)
    best = next((one for one in advice if one.choice == row.choice), None)
    if best is None:
        raise Refused("The strategy card names a choice that is not open.")
    if not best.cost:
        return f"The card says: {words}: {made}."
    lost = in_cents(best.cost / measure_of(round)[0])
    return f"The card says: {words}: {made}; this hand is an exception, where that costs {lost}."
