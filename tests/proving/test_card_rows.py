"""The row of a hand: every decision has one, and its choice is the best but for exceptions."""

from fractions import Fraction

import numpy as np
import pytest

from feltlab.core.cards import Cards
from feltlab.core.game import Game
from feltlab.core.position import hide_unseen
from feltlab.core.round import Round
from feltlab.core.solver import StrategyCard
from feltlab.core.strategy.card_rows import CardRow, HandKey, find_row, index_runs
from feltlab.games import GAMES, solver_of
from feltlab.proving.advice import advise
from feltlab.proving.proof import strategy_card
from feltlab.workers.training.hands import training_wagers

SEED = 11
DECISIONS = 25
QUICK = ("casino-war", "triple-shot-rummy")  # cards that take little time
PLAYED = [
    pytest.param(game, id=name, marks=[] if name in QUICK else [pytest.mark.slow])
    for name, game in GAMES.items()
    if game.choices
]


@pytest.mark.parametrize("game", PLAYED)
def test_every_decision_has_a_row_and_its_choice_is_best_but_for_exceptions(game: Game) -> None:
    wagers = training_wagers(game)
    card = strategy_card(game, {spot.name: Fraction(spot.name in wagers) for spot in game.wagers})
    read, missed, count = solver_of(game).read_hand, 0, 0
    assert read is not None
    random, deck = np.random.default_rng(SEED), np.array(game.deck.cards)
    while count < DECISIONS:
        shoe = Cards(random.choice(deck, game.places, replace=False).tolist())
        round = Round(game, shoe, wagers)
        while round.choices:
            count += 1
            row = find_row(card.index, read(hide_unseen(round)))
            assert row is not None
            assert _is_on_card(card, row, game)
            advice = {one.choice: one.cost for one in advise(hide_unseen(round))}
            missed += advice[row.choice] > 0
            round = round.choose(min(advice, key=advice.__getitem__))
    assert not missed or card.missed or card.exceptions


def _is_on_card(card: StrategyCard, row: CardRow, game: Game) -> bool:
    """Does the card have such a line, or a cell that is not empty?"""
    if row.line >= 0:
        return card.lines[row.line][1] == row.choice
    return bool(list(card.charts[row.chart].rows.values())[row.row][row.column])


def test_the_hands_of_a_key_fall_into_rows_by_their_order() -> None:
    rows = [CardRow("fold", (1,), 1), CardRow("fold", (2,), 1), CardRow("play", (5,), 0)]
    index = {"key": index_runs(rows)}
    assert [row.least for row in index["key"]] == [(5,), (1,)]
    assert [getattr(find_row(index, HandKey("key", (n,))), "name", None) for n in (0, 1, 4, 5, 9)] == [
        None, "line/1", "line/1", "line/0", "line/0",
    ]  # fmt: skip
    assert find_row(index, HandKey("other")) is None
