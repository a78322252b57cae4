"""The frequency of each row of a strategy card and the price of a mistake there: the order of learning.

Counted over hands that a fixed seed deals, so that every server gives the same order. The values are exact;
the shares are those of the sample.
"""

from collections import defaultdict
from statistics import mean

import numpy as np

from feltlab.core.cards import Cards
from feltlab.core.game import Game
from feltlab.core.position import hide_unseen
from feltlab.core.round import Round
from feltlab.core.solver import StrategyCard
from feltlab.core.strategy.card_rows import CardRow
from feltlab.parallel.progress import Progress
from feltlab.proving.advice import advise
from feltlab.workers.training.decisions import Data, describe_row, row_of
from feltlab.workers.training.hands import Wagers, play_hand

SEED = 17
MAX_SAMPLE_HANDS = 1_500
SAMPLE_DECISIONS = 600
VALUED_PER_ROW = 3  # decisions whose values are computed


def count_rows(game: Game, wagers: Wagers, card: StrategyCard, progress: Progress) -> list[Data]:
    """The rows that the sample meets, those first that matter most."""
    met = _sample(game, wagers, card)
    total = sum(map(len, met.values()))
    rows = []
    for done, (row, decisions) in enumerate(met.items(), 1):
        cost = mean(_second_cost(one) for one in decisions[:VALUED_PER_ROW])
        share = len(decisions) / total
        weighed = {"share": share, "cost": cost, "weight": share * cost, "sample": total}
        rows.append(describe_row(card, row) | weighed)
        progress(done / len(met))
    return sorted(rows, key=lambda row: -row["weight"])


def _sample(game: Game, wagers: Wagers, card: StrategyCard) -> dict[CardRow, list[Round]]:
    """Decisions by their row."""
    random, deck = np.random.default_rng(SEED), np.array(game.deck.cards)
    met: dict[CardRow, list[Round]] = defaultdict(list)
    count = 0
    for _ in range(MAX_SAMPLE_HANDS):
        shoe = Cards(random.choice(deck, game.places, replace=False).tolist())
        for one in play_hand(Round(game, shoe, wagers), card):
            row = row_of(card, one)
            if row is not None:
                met[row._replace(least=())].append(one)
                count += 1
        if count >= SAMPLE_DECISIONS:
            break
    return met


def _second_cost(round: Round) -> float:
    """The cost of the second best choice, in units of the first wager."""
    advice = advise(hide_unseen(round))
    unit = next(iter(round.wagers.values()))
    return float(advice[1].cost) / unit if advice[1:] else 0.0
