"""The worth of each row of a strategy card: the price of doing the next best thing instead, exactly.

Every class of first hands is counted, each with the row that covers it.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from feltlab.analysis.first_choices import has_first_choices, list_first_choices
from feltlab.core.cards import UNKNOWN, Cards, cards
from feltlab.core.game import Game
from feltlab.core.round import Round
from feltlab.core.solver import StrategyCard
from feltlab.core.stake import Stake
from feltlab.core.strategy.card_rows import CardRow, find_row
from feltlab.core.strategy.table import StrategyRow
from feltlab.errors import Refused
from feltlab.games import solver_of
from feltlab.parallel.progress import Progress
from feltlab.proving.exact_numbers import exact
from feltlab.proving.proof import prove, strategy_card
from feltlab.proving.store import cached_json
from feltlab.workers.training.decisions import describe_row

MAX_CLASSES = 150_000  # of hands; they take some seconds
UNIT_CENTS = 1_000


@dataclass
class _Price:
    hands: int = 0
    lost: Fraction = Fraction(0)  # units, over all its hands


def find_row_prices(game: Game, stake: Stake, progress: Progress) -> list[dict[str, Any]]:
    """The rows that decide a first choice, the dearest first; they are stored, as laws are."""
    key = [str(game.as_proved), "row prices", {bet: str(units) for bet, units in stake.items()}]
    found: list[dict[str, Any]] = cached_json(key, lambda: price_rows(game, stake, progress))
    return found


def price_rows(game: Game, stake: Stake, progress: Progress) -> list[dict[str, Any]]:
    """The rows that decide a first choice, the dearest first; none where first hands are not counted."""
    if not has_first_choices(game) or solver_of(game).read_hand is None:
        return []
    table, card = list_first_choices(game, stake, progress), strategy_card(game, stake)
    if table.count > MAX_CLASSES or not card.index:
        return []
    found: dict[CardRow, _Price] = defaultdict(_Price)
    whole = 0
    for done, (row, hand) in enumerate(_read_hands(game, stake, card, table.rows), 1):
        if row is None:
            return []
        whole += hand.hands
        price = found[row._replace(least=())]
        price.hands += hand.hands
        price.lost += hand.hands * _next_best_cost(game, row, hand)
        progress(done / table.count)
    chosen = 1 - prove(game, stake).first_choices.get("none", Fraction(0))
    rows = [
        describe_row(card, row)
        | {
            "share": exact(chosen * price.hands / whole),
            "each": exact(price.lost / price.hands),
            "extra": exact(chosen * price.lost / whole),
        }
        for row, price in found.items()
    ]
    return sorted(rows, key=lambda row: -row["extra"]["value"])


def _read_hands(
    game: Game, stake: Stake, card: StrategyCard, rows: Iterator[StrategyRow]
) -> Iterator[tuple[CardRow | None, StrategyRow]]:
    """Each class of hands with its row; None if the class is not what the player sees at the first choice."""
    read = solver_of(game).read_hand
    wagers = {bet: int(units * UNIT_CENTS) for bet, units in stake.items() if units}
    for hand in rows:
        round = _first_round(game, wagers, hand)
        yield (find_row(card.index, read(round)) if read and round else None), hand


def _first_round(game: Game, wagers: dict[str, int], hand: StrategyRow) -> Round | None:
    """A round in which the player holds these cards and is to make the first choice."""
    try:
        held = cards(hand.hand)
    except Refused:  # a class of ranks
        return None
    round = Round(game, Cards([*held, *[UNKNOWN] * (game.places - len(held))]), wagers)
    seen = sum(card >= 0 for card in round.seen)
    return round if not hand.situation and seen == len(held) and round.choices else None


def _next_best_cost(game: Game, row: CardRow, hand: StrategyRow) -> Fraction:
    """The cost of the best other choice against the row's; below zero for an exception to the row."""
    chosen = game.choice_numbers[row.choice]
    others = [net for number, net in enumerate(hand.nets) if number != chosen and net is not None]
    made = hand.nets[chosen]
    if made is None or not others:
        return Fraction(0)
    return Fraction(made - max(others), hand.parts)
