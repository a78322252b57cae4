"""The solver of Ultimate Texas Hold'em: every board up to suits, all hole cards in order of strength."""

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from math import comb

import numpy as np

from feltlab.core.game import Game
from feltlab.core.round import Round
from feltlab.core.solver import Decisions, Law, Player, Solver, nets_on
from feltlab.core.stake import Stake
from feltlab.counting.boards.card_sets import PAIRS
from feltlab.counting.boards.law import FLOPS, ChoiceTables, count_law
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
from feltlab.counting.boards.positions import line_values, run_out
from feltlab.counting.boards.values import Wanted, add_values, deck_mask
from feltlab.counting.tree.solver import BEST, CAUTIOUS
from feltlab.games.ultimate_texas_holdem import rules
from feltlab.games.ultimate_texas_holdem.play import (
    FOLDED,
    GAIN_1X,
    GAIN_2X,
    LINES,
    RAISED_1X,
    RAISED_2X,
    SPLITS,
    UltimatePlay,
    best_play,
    deciding_stake,
    first_gains,
    lines_of,
)
from feltlab.games.ultimate_texas_holdem.strategy_card import make_card, read_hand
from feltlab.kernel import Array, int64, lean
from feltlab.parallel.progress import Progress

METHOD = "every board up to suits, with all pairs of hole cards in order of strength"


def _choice_tables(play: UltimatePlay) -> ChoiceTables:
    ways = np.zeros((2, 1 << FLOPS, len(LINES)), np.uint8)
    for code in range(1 << FLOPS):
        raised = code.bit_count()
        ways[:, code, RAISED_2X] = raised
        ways[1, code, RAISED_1X] = ways[0, code, FOLDED] = SPLITS - raised
    return ChoiceTables(play.first, play.flops, np.zeros((0, PAIRS), np.uint8), play.boards, ways, SPLITS)


def solve(game: Game, stake: Stake, strategy: str, progress: Progress) -> Law:
    """The joint law of all wagers under the best play."""
    play = best_play(game, stake, strategy == CAUTIOUS)
    found = count_law(deck_mask(game), lines_of(game), _choice_tables(play))
    four, three, two, one, fold = found.lines
    later, last = two + one + fold, one + fold
    streets = {
        "pre-flop": {"raise-4x": four, "raise-3x": three, "check": later},
        "flop": {"raise-2x": two, "check": last},
        "river": {"raise-1x": one, "fold": fold},
    }
    made = {street: {name: n for name, n in row.items() if n} for street, row in streets.items()}
    return Law(found.counts, made["pre-flop"], METHOD, streets=made, equal_positions=play.equal)


# -- One position -------------------------------------------------------------------------------------


def values(round: Round, stake: Stake) -> dict[str, Fraction]:
    """The expected net of each open choice, with the best play after it."""
    hole, known = (
        round.seen[: rules.HAND],
        [card for card in round.seen[rules.HAND : rules.BOARD_END] if card >= 0],
    )
    if not known:
        return value_hole(_pocket_values, round.game, stake, hole)
    runouts = run_out(round.game.deck.cards, hole, known)
    sums, parts = line_values(lines_of(round.game), stake, runouts)
    deals = len(runouts.cards) * runouts.dealers * parts
    last = {"raise-1x": sums[RAISED_1X], "fold": sums[FOLDED]}
    flop = {"raise-2x": sums[RAISED_2X], "check": np.maximum(sums[RAISED_1X], sums[FOLDED])}
    by_choice = last if len(known) == rules.COMMUNITY else flop
    return {choice: Fraction(sum(found.tolist()), deals) for choice, found in by_choice.items()}


def _pocket_values(game: Game, stake: Stake, pockets: Sequence[int]) -> dict[int, dict[str, Fraction]]:
    """By class of hole cards: the value of each choice before the flop."""
    members = members_of(pockets)
    pairs = tuple(pair for own in members.values() for pair in own)
    compared = [(RAISED_2X, FOLDED), (RAISED_1X, FOLDED), (FOLDED,)]
    tables = net_tables(lines_of(game), stake, compared)
    best = len(compared)  # of the functionals, and the number after the last
    found = add_values(deck_mask(game), Wanted(tables, GAIN_1X, flop_columns=(GAIN_2X, best), pairs=pairs))
    cards = len(game.deck)
    deals = comb(cards - 2, 5) * comb(cards - 7, 2) * SPLITS * tables.parts
    names = ("raise-4x", "raise-3x", "check")
    values = {}
    for pocket, own in members.items():
        folded = SPLITS * sum(found.holes[2, own].tolist())
        gains = zip(names, first_gains(found, pocket), strict=True)
        values[pocket] = {name: Fraction(gain + folded, len(own) * deals) for name, gain in gains}
    return values


# -- For simulation -----------------------------------------------------------------------------------


def decisions(game: Game, stake: Stake, strategy: str) -> Decisions:
    """The choices of a strategy: before the flop by pair, after it and on the river by set of cards."""
    play = best_play(game, stake, strategy == CAUTIOUS)
    choice = np.array([rules.RAISE_4X, rules.RAISE_3X, rules.CHECK], np.uint8)
    return pack_decisions(choice[play.first], pack_marks(play.flops), play.boards)


@lean
def decide(data: BoardPlayer, seen: Array, legal: int, choices: Array) -> int:
    if len(choices) == 0:
        return int64(data.first[pair_of(seen)])
    if len(choices) == 1:
        return rules.RAISE_2X if makes_larger(data, data.flops, seen, rules.FLOP) else rules.CHECK
    return rules.RAISE_1X if makes_larger(data, data.later, seen, rules.COMMUNITY) else rules.FOLD


def player(game: Game, strategy: str, made: Decisions) -> Player:
    return Player(decide, board_player(made, rules.COMMUNITY))


def law_key(game: Game, stake: Stake, strategy: str) -> object:
    """Choices depend on the pays of Play, Ante and Blind, and on those of Trips where a fold may lose it."""
    units = deciding_stake(game, stake)
    paid = ["play", *(bet for bet, number in units.items() if number)]
    options = {name: game.options[name] for name in ("fold-loses-trips",)}
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
