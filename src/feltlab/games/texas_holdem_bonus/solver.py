"""The solver of Texas Hold'em Bonus: every board up to suits, all hole cards in order of strength."""

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from math import comb
from typing import Any

import numpy as np

from feltlab.core.cards import ACE
from feltlab.core.game import Game
from feltlab.core.round import Round
from feltlab.core.solver import Decisions, Law, Player, Solver, nets_on
from feltlab.core.stake import Stake
from feltlab.counting.boards.law import ChoiceTables, count_law
from feltlab.counting.boards.lines import net_tables
from feltlab.counting.boards.player import (
    BoardPlayer,
    board_player,
    makes_larger,
    pack_decisions,
    pack_marks,
    pair_of,
)
from feltlab.counting.boards.pockets import list_pockets, members_of, tabulate_pockets, value_hole
from feltlab.counting.boards.positions import Runouts, line_values, run_out
from feltlab.counting.boards.values import FOUR, ROW_BYTES, Wanted, add_values, deck_mask
from feltlab.counting.tree.solver import BEST, CAUTIOUS
from feltlab.games.texas_holdem_bonus import rules
from feltlab.games.texas_holdem_bonus.play import (
    BET_BOTH,
    BET_RIVER,
    BET_TURN,
    COMPARED,
    FLOPS,
    FOLDED,
    FOURS,
    GAIN_RIVER,
    GAIN_TURN,
    LINES,
    PLAYED,
    SPLITS,
    HoldemBonusPlay,
    best_play,
    deciding_stake,
    lines_of,
    pair_kinds,
    play_gain,
)
from feltlab.games.texas_holdem_bonus.strategy_card import make_card, read_hand
from feltlab.kernel import Array, int64, lean
from feltlab.parallel.progress import Progress

METHOD = "every board up to suits, with all pairs of hole cards in order of strength"
COMMUNITY = range(rules.COMMUNITY)


def _choice_tables(play: HoldemBonusPlay) -> ChoiceTables:
    """A code of a board has a bit for the bet after each flop, and for the bet after each four."""
    flops = [{i, j, k} for i in COMMUNITY for j in range(i) for k in range(j)]
    line_of = {(0, 0): PLAYED, (1, 0): BET_TURN, (0, 1): BET_RIVER, (1, 1): BET_BOTH}
    ways = np.zeros((1, 1 << FLOPS + FOURS, len(LINES)), np.uint8)
    codes = np.arange(1 << FLOPS + FOURS)
    for n, flop in enumerate(flops):
        for river in set(COMMUNITY) - flop:  # the card that is left out of the four
            turn_bet, river_bet = codes >> n & 1, codes >> FLOPS + river & 1
            for (on_turn, on_river), line in line_of.items():
                ways[0, :, line] += (turn_bet == on_turn) & (river_bet == on_river)
    boards = np.zeros((0, ROW_BYTES), np.uint8)
    return ChoiceTables(play.first, play.flops, play.fours, boards, ways, SPLITS)


def solve(game: Game, stake: Stake, strategy: str, progress: Progress) -> Law:
    """The joint law of all wagers under the best play."""
    play = best_play(game, stake, strategy == CAUTIOUS)
    found = count_law(deck_mask(game), lines_of(game), _choice_tables(play), pair_kinds())
    fold, checked, turn, river, both = found.lines
    streets = {
        "pre-flop": {"play": checked + turn + river + both, "fold": fold},
        "turn": {"bet": turn + both, "check": checked + river},
        "river": {"bet": river + both, "check": checked + turn},
    }
    made = {street: {name: n for name, n in row.items() if n} for street, row in streets.items()}
    return Law(found.counts, made["pre-flop"], METHOD, streets=made, equal_positions=play.equal)


# -- One position -------------------------------------------------------------------------------------


def values(round: Round, stake: Stake) -> dict[str, Fraction]:
    """The expected net of each open choice, with the best play after it."""
    hole, board = round.seen[: rules.HAND], round.seen[rules.HAND : rules.BOARD_END]
    known = [card for card in board if card >= 0]
    if not known:
        return value_hole(_pocket_values, round.game, stake, hole)
    lines, runouts = lines_of(round.game), run_out(round.game.deck.cards, hole, known)
    sums, parts = line_values(lines, stake, runouts, int(rules.judge_bonus(*hole)))
    played, turn, river = (sums[line].astype(object) for line in (PLAYED, BET_TURN, BET_RIVER))
    twice = _aces_twice(round.game, stake, hole, known)
    if len(known) == FOUR:
        base = sum((turn if round.chosen[1] == "bet" else played).tolist()) + 0
        bet = base + sum((river - played).tolist())
        found = {"bet": bet, "check": base}
    else:
        later = _best_rivers(runouts, river - played)
        found = {"bet": sum(turn.tolist()) * 2 + later, "check": sum(played.tolist()) * 2 + later}
    orders = 1 if len(known) == FOUR else 2
    deals = orders * len(runouts.cards) * runouts.dealers * parts
    return {choice: Fraction(total, deals) + twice for choice, total in found.items()}


def _best_rivers(runouts: Runouts, gain: Any) -> int:
    """The gain of betting on the river after each turn where that pays, over all orders of two cards."""
    by_turn: dict[int, int] = {}
    for (one, other), own in zip(runouts.cards.tolist(), gain.tolist(), strict=True):
        by_turn[one] = by_turn.get(one, 0) + own
        by_turn[other] = by_turn.get(other, 0) + own
    return sum(max(total, 0) for total in by_turn.values())


def _aces_twice(game: Game, stake: Stake, hole: Any, known: Any) -> Fraction:
    """The gain of a Bonus on aces from dealers with the other two aces."""
    if rules.judge_bonus(*hole) != rules.ACES or any(card >> 2 == ACE for card in known):
        return Fraction(0)
    lines = game.pay_table(game.spot("bonus")).lines
    more = lines[rules.ACES_TWICE].pays - lines[rules.ACES].pays
    cards, missing = len(game.deck) - 2 - len(known), rules.COMMUNITY - len(known)
    chance = Fraction(comb(cards - 2, missing), comb(cards, missing) * comb(cards - missing, 2))
    return stake.get("bonus", Fraction(0)) * more * chance


def _pocket_values(game: Game, stake: Stake, pockets: Sequence[int]) -> dict[int, dict[str, Fraction]]:
    """By class of hole cards: the value of each choice before the flop."""
    members = members_of(pockets)
    lines, cards = lines_of(game), len(game.deck)
    tables = net_tables(lines, stake, COMPARED, rules.NO_BONUS)
    pairs = tuple(pair for own in members.values() for pair in own)
    wanted = Wanted(tables, flop_columns=(GAIN_TURN,), four_columns=(GAIN_RIVER,), pairs=pairs)
    sums = add_values(deck_mask(game), wanted)
    deals = comb(cards - 2, 5) * comb(cards - 7, 2) * SPLITS * tables.parts
    fold = lines.nets(stake)[FOLDED, 0, 0, 0]
    return {
        pocket: {
            "play": fold + Fraction(play_gain(lines, stake, sums, pocket), len(own) * deals),
            "fold": fold,
        }
        for pocket, own in members.items()
    }


# -- For simulation -----------------------------------------------------------------------------------


def decisions(game: Game, stake: Stake, strategy: str) -> Decisions:
    """The choices of a strategy: before the flop by pair, then by flop and by four community cards."""
    play = best_play(game, stake, strategy == CAUTIOUS)
    first = np.where(play.first < 0, rules.PLAY, rules.FOLD).astype(np.uint8)
    return pack_decisions(first, pack_marks(play.flops), pack_marks(play.fours))


@lean
def decide(data: BoardPlayer, seen: Array, legal: int, choices: Array) -> int:
    if len(choices) == 0:
        return int64(data.first[pair_of(seen)])
    if len(choices) == 1:
        return rules.BET if makes_larger(data, data.flops, seen, rules.FLOP_CARDS) else rules.CHECK
    return rules.BET if makes_larger(data, data.later, seen, FOUR) else rules.CHECK


def player(game: Game, strategy: str, made: Decisions) -> Player:
    return Player(decide, board_player(made, FOUR))


def law_key(game: Game, stake: Stake, strategy: str) -> object:
    """Choices depend on the pays of the Ante and its raises, and on those of the Bonus if it is staked."""
    units = deciding_stake(stake)
    paid = ["flop", "turn", "river", *(bet for bet, number in units.items() if number)]
    options = {name: game.options[name] for name in ("ante-pays-from",)}
    return [strategy, options, {bet: str(number) for bet, number in units.items()}, nets_on(game, *paid)]


SOLVER = Solver(
    BEST,
    solve,
    values,
    make_card,
    decisions,
    player,
    law_key,
    read_hand=read_hand,
    tabulate=partial(tabulate_pockets, _pocket_values),
    first_hands=list_pockets,
)
