"""The strategy card of Ultimate Texas Hold'em: a chart, then kinds of hands, at last the dealer's outs."""

from math import comb

import numpy as np

from feltlab.core.game import Game
from feltlab.core.hands import poker
from feltlab.core.round import Round
from feltlab.core.solver import StrategyCard
from feltlab.core.stake import Stake
from feltlab.core.strategy.card_rows import CardRow, HandKey
from feltlab.counting.boards.card_sets import card_sets, first_pairs, pocket_classes
from feltlab.counting.boards.chart import index_chart, pocket_chart, read_pocket
from feltlab.counting.boards.draws import add_by_cell, cells_of, describe_missed, read_cell, rule_by_kind
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

RIVER = "river"  # the key of all hands there
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
    index = index_chart(chart) | rule.index_lines("flop", 0)
    last = len(rule.lines)
    index[RIVER] = (CardRow("raise-1x", (-most,), line=last), CardRow("fold", line=last + 1))
    # Classes of the river are not counted.
    return StrategyCard(tuple(lines), exceptions, cost, (chart,), index=index)


def read_hand(round: Round) -> HandKey:
    """The hole cards, then their kind with the flop, then the cards that would beat them on the river."""
    hole, board = round.seen[: rules.HAND], round.seen[rules.HAND : rules.BOARD_END]
    known = [card for card in board if card >= 0]
    if not known:
        return HandKey(read_pocket(hole))
    if len(known) < rules.COMMUNITY:
        return HandKey(read_cell("flop", hole, known))
    return HandKey(RIVER, (-_count_outs(round, [*hole, *known], known),))


def _count_outs(round: Round, hand: list[int], board: list[int]) -> int:
    """The unseen cards that beat the player together with the board alone."""
    tables = poker.tables()
    own = poker.strength(tables, np.array(hand, np.int64))
    unseen = set(round.game.deck.cards) - set(hand)
    return sum(poker.strength(tables, np.array([*board, card], np.int64)) > own for card in unseen)


def best_of_checked(play: UltimatePlay) -> int:
    """The worth of all hands that are checked before the flop, at best play after it, in parts."""
    pairs = pocket_classes()[1].tolist()
    return sum(row[2] for row, pair in zip(play.gains, pairs, strict=True) if play.first[pair] < 0)


def count_deals(game: Game) -> int:
    """All deals, flops told apart."""
    cards = len(game.deck)
    return comb(cards, 2) * comb(cards - 2, 5) * comb(cards - 7, 2) * SPLITS
