"""The strategy card of Texas Hold'em Bonus: a chart before the flop, then kinds of hands on two streets."""

from fractions import Fraction
from math import comb

import numpy as np

from feltlab.core.game import Game
from feltlab.core.round import Round
from feltlab.core.solver import StrategyCard
from feltlab.core.stake import Stake
from feltlab.core.strategy.card_rows import CardRow, HandKey
from feltlab.counting.boards.card_sets import card_sets, first_pairs
from feltlab.counting.boards.chart import index_chart, pocket_chart, read_pocket
from feltlab.counting.boards.draws import add_by_cell, cells_of, describe_missed, read_cell, rule_by_kind
from feltlab.counting.boards.values import FOUR, deck_mask
from feltlab.games.texas_holdem_bonus import rules
from feltlab.games.texas_holdem_bonus.play import RIVERS, SPLITS, TURNS, best_play

CHART = "pre-flop: suited hands above the diagonal, unsuited hands below it, pairs on it"


def make_card(game: Game, stake: Stake) -> StrategyCard:
    """The best play on a card, and the exact cost of following its chart and lines alone."""
    play, deck = best_play(game, stake), deck_mask(game)
    goes_on = (play.first < 0).astype(np.uint8)
    lines, exceptions, costs, classes, missed = list[tuple[str, str]](), [], [], len(card_sets(2).cards), 0
    index = dict[str, tuple[CardRow, ...]]()
    cards = len(game.deck)
    deals = comb(cards, 2) * comb(cards - 2, 5) * comb(cards - 7, 2) * SPLITS
    whole = deals * play.parts / stake["ante"]  # the best play is of one unit on the Ante
    streets = (
        ("turn", rules.FLOP_CARDS, play.turn_gains, play.flops, TURNS),
        ("river", FOUR, play.river_gains, play.fours, RIVERS * FOUR),
    )
    for street, size, gains, best, orders in streets:
        gain, cells, weights = gains * goes_on, cells_of(size), card_sets(size).weights
        rule = rule_by_kind(add_by_cell(cells, gain, weights), "bet", "check")
        bets = (rule.larger[cells] & (cells >= 0)).astype(np.uint8)
        index |= rule.index_lines(street, len(lines))
        lines += [(f"{street}: {when}", choice) for when, choice in rule.lines]
        wrong = (bets != best) & (gain != 0)
        lost = orders * sum(((np.abs(gain) * wrong).sum(axis=1).astype(object) * weights).tolist())
        first = first_pairs(size, deck) * goes_on
        met, better = int(first.sum()), int((wrong & (first == 1)).sum())
        costs.append(lost / whole)
        exceptions.append(describe_missed(street, better, met, costs[-1]))
        classes, missed = classes + met, missed + better
    chart = pocket_chart(CHART, lambda pair: "play" if play.first[pair] < 0 else "fold")
    index |= index_chart(chart)
    cost = sum(costs, Fraction(0))
    return StrategyCard(tuple(lines), tuple(exceptions), cost, (chart,), classes, missed, index)


def read_hand(round: Round) -> HandKey:
    """The hole cards, then their kind with the community cards of the turn's and the river's wager."""
    hole, board = round.seen[: rules.HAND], round.seen[rules.HAND : rules.BOARD_END]
    known = [card for card in board if card >= 0]
    if not known:
        return HandKey(read_pocket(hole))
    return HandKey(read_cell("turn" if len(known) == rules.FLOP_CARDS else "river", hole, known))
