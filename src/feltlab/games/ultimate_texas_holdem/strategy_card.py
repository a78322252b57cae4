"""The strategy card of Ultimate Texas Hold'em: a chart, then kinds of hands, at last the dealer's outs."""

from math import comb

import numpy as np

from feltlab.core.game import Game
from feltlab.core.solver import StrategyCard
from feltlab.core.stake import Stake
from feltlab.counting.boards.card_sets import card_sets, first_pairs, pocket_classes
from feltlab.counting.boards.chart import pocket_chart
from feltlab.counting.boards.draws import add_by_cell, cells_of, describe_missed, rule_by_kind
from feltlab.counting.boards.lines import net_tables
from feltlab.counting.boards.outs import MOST_OUTS, gains_by_outs
from feltlab.counting.boards.values import deck_mask
from feltlab.games.ultimate_texas_holdem import rules
from feltlab.games.ultimate_texas_holdem.play import (
    FOLDED,
    LINES,
    RAISED_1X,
    SPLITS,
    UltimatePlay,
    best_play,
    deciding_stake,
    lines_of,
)

CHART = "pre-flop: suited hands above the diagonal, unsuited hands below it, pairs on it"


def make_card(game: Game, stake: Stake) -> StrategyCard:
    """The best play on a card, and the exact cost of following its chart and lines alone."""
    play, deck = best_play(game, stake), deck_mask(game)
    goes_on = (play.first < 0).astype(np.uint8)
    gain = (play.after_flop[:, :, 0] - play.after_flop[:, :, 1]) * goes_on
    cells, weights = cells_of(rules.FLOP), card_sets(rules.FLOP).weights
    rule = rule_by_kind(add_by_cell(cells, gain, weights), "raise-2x", "check")
    flops = (rule.larger[cells] & (cells >= 0)).astype(np.uint8)
    tables = net_tables(lines_of(game), deciding_stake(game, stake), [(RAISED_1X, FOLDED)])
    by_outs = gains_by_outs(deck, goes_on, flops, tables, SPLITS)
    most = max(range(-1, MOST_OUTS + 1), key=lambda outs: sum(by_outs[: outs + 1]))
    raised = sum((play.after_flop[:, :, 0] * (flops & goes_on)).astype(object).sum(axis=1) * weights)
    worth = int(raised) + sum(by_outs[: most + 1])
    lines = [(f"flop: {when}", choice) for when, choice in rule.lines]
    unseen = len(game.deck) - rules.BOARD_END
    lines += [
        (f"river: at most {most} of {unseen} unseen cards would beat you with the board", "raise-1x"),
        ("river: otherwise", "fold"),
    ]
    first = first_pairs(rules.FLOP, deck) * goes_on
    missed = int(((flops != play.flops) & (gain != 0) & (first == 1)).sum())
    chart = pocket_chart(CHART, lambda pair: LINES[play.first[pair]][0] if play.first[pair] >= 0 else "check")
    whole = count_deals(game) * play.parts / stake["ante"]  # the best play is of one unit on the Ante
    on_flop = sum((np.abs(gain) * (flops != play.flops)).sum(axis=1).astype(object) * weights)
    cost, flop_cost = (best_of_checked(play) - worth) / whole, int(on_flop) / whole
    exceptions = (
        describe_missed("flop", missed, int(first.sum()), flop_cost),
        f"on the river, where counting cards costs {float(cost - flop_cost):.6f} units a round",
    )
    return StrategyCard(tuple(lines), exceptions, cost, (chart,))  # classes of the river are not counted


def best_of_checked(play: UltimatePlay) -> int:
    """The worth of all hands that are checked before the flop, at best play after it, in parts."""
    pairs = pocket_classes()[1].tolist()
    return sum(row[2] for row, pair in zip(play.gains, pairs, strict=True) if play.first[pair] < 0)


def count_deals(game: Game) -> int:
    """All deals, flops told apart."""
    cards = len(game.deck)
    return comb(cards, 2) * comb(cards - 2, 5) * comb(cards - 7, 2) * SPLITS
