"""The laws of Triple Shot Bonus under other readings of its rules."""

from collections.abc import Mapping
from fractions import Fraction
from functools import partial

import numpy as np

from feltlab.core.cards import ACE, RANKS
from feltlab.core.game import Game
from feltlab.core.solver import SolveLaw
from feltlab.core.stake import Stake
from feltlab.games.triple_shot_bonus import rules
from feltlab.games.triple_shot_bonus.solver import solve
from feltlab.games.triple_shot_bonus.solver.count import join_parts
from feltlab.games.triple_shot_bonus.solver.dealer import DEALER_BUST, DEALER_NATURAL
from feltlab.games.triple_shot_bonus.solver.hand_values import Choices
from feltlab.games.triple_shot_bonus.solver.labels import LEVELS, total_level
from feltlab.games.triple_shot_bonus.solver.law import count_ways
from feltlab.games.triple_shot_bonus.solver.reading import AS_RULED, BonusReading, war_outcomes
from feltlab.games.triple_shot_bonus.solver.strategies import choices


def solve_with(**read: bool) -> SolveLaw:
    return partial(solve, read=BonusReading(**read))


OTHER_LAWS: Mapping[str, SolveLaw] = {
    "ace-low": solve_with(ace_low=True),
    "tens-tie": solve_with(tens_tie=True),
    "no-hit-on-21": solve_with(hits_21=False),
    "no-peek": solve_with(peeks=False),
    "push-loses-hat-trick": solve_with(push_keeps=False),
    "bust-loses-poker": solve_with(bust_keeps_poker=False),
}

# -- A 21 on a split ace as a blackjack ----------------------------------------------------------------

TWENTY_ONE = total_level(21)


def pay_split_blackjacks(game: Game, stake: Stake, strategy: str) -> dict[str, Fraction]:
    """The gain of a unit on Blackjack if a ten on a split ace is a blackjack.

    It then wins what a blackjack pays, also against a dealer's 21 of more cards. Splitting only gains, and
    aces are split already, so the best choices stay the same.
    """
    natural = game.pay_table(game.spot("blackjack")).lines[rules.NATURAL].pays
    gained, ways_of_all = Fraction(0), 0
    for up in range(len(RANKS)):
        made = choices(game, stake, strategy, up)
        check_aces_split(made, up)
        wars = war_outcomes(AS_RULED, up)
        played, split = count_ways(game, up, wars, *made)
        ways_of_all += sum(join_parts(played[at]) for at in np.ndindex(played.shape[:-1]))
        for six, label, end in np.argwhere(split.any(axis=-1)).tolist():
            ways = join_parts(split[six, label, end])
            ways_of_all += ways
            gained += ways * sum(_gain(level, end, natural) for level in divmod(label, LEVELS))
    return {"blackjack": gained / ways_of_all}


def check_aces_split(made: tuple[Choices, Choices], up: int) -> None:
    """Make sure that a strategy splits two aces, with the Hat Trick alive or lost."""
    if any(chosen.first[4 * ACE + 2, 4 * ACE + 3] != rules.SPLIT_ACES for chosen in made):
        raise ValueError(f"aces are not split against {RANKS[up]}")


def _gain(level: int, end: int, natural: Fraction) -> Fraction:
    """The gain of one hand of a split, by its level and the dealer's end."""
    if level != TWENTY_ONE or end == DEALER_NATURAL:
        return Fraction(0)
    tied = end != DEALER_BUST and end + 17 == 21
    return natural - (0 if tied else 1)


EXTRA_NETS = {"split-blackjacks": pay_split_blackjacks}
