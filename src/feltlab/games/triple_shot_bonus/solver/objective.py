"""What the choices are made for."""

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import gcd, lcm

import numpy as np
from numpy.typing import NDArray

from feltlab.core.game import Game
from feltlab.core.stake import Stake
from feltlab.errors import Refused
from feltlab.games.triple_shot_bonus import rules
from feltlab.games.triple_shot_bonus.solver import dealer
from feltlab.games.triple_shot_bonus.solver import hand_values as worth
from feltlab.games.triple_shot_bonus.solver.labels import labels, outcomes
from feltlab.games.triple_shot_bonus.solver.states import PARTS


def units(stake: Stake, wager: str) -> Fraction:
    return Fraction(stake.get(wager, 0))


@dataclass(frozen=True)
class Aim:
    """What Blackjack and the Hat Trick are worth to the choices, in the smallest whole numbers."""

    blackjack: int  # for one of `nets`
    hat_trick: int  # for a Hat Trick won instead of lost
    nets: tuple[int, ...]  # of Blackjack's outcomes, but for a blackjack: whoever has one does not choose
    unit: Fraction  # what one of these is, in units of the stake

    @classmethod
    def of(cls, game: Game, stake: Stake) -> "Aim":
        lines = game.pay_table(game.spot("hat-trick")).lines
        swing = lines[rules.ALL_THREE].net - lines[rules.BLACKJACK_TOOK_IT].net
        return cls.weighed(game, units(stake, "blackjack"), swing * units(stake, "hat-trick"))

    @classmethod
    def weighed(cls, game: Game, blackjack: Fraction, hat_trick: Fraction) -> "Aim":
        """For so many units on Blackjack, and a Hat Trick that makes so much difference."""
        nets, parts = blackjack_nets(game)
        blackjack /= parts
        whole = lcm(blackjack.denominator, hat_trick.denominator)
        common = gcd(int(blackjack * whole), int(hat_trick * whole)) or 1
        unit = Fraction(common, whole)
        aim = cls(int(blackjack / unit), int(hat_trick / unit), nets, unit)
        most = max(map(abs, nets))
        if PARTS * max(most, most * aim.blackjack, aim.hat_trick) >= worth.MOST_PAY:
            raise Refused("The Blackjack and Hat Trick wagers are too far apart to be solved; round them.")
        return aim

    @classmethod
    def named(cls, game: Game, stake: Stake, strategy: str) -> "Aim":
        """What a strategy that is best for something is best for."""
        if strategy == "hat-trick":
            return cls.weighed(game, Fraction(0), Fraction(1))
        return blackjack_alone(game) if strategy == "blackjack-optimal" else cls.of(game, stake)

    def pay(self, six_card_rule: bool) -> NDArray[np.int64]:
        """By purpose (this aim, then Blackjack alone), label and column of the odds."""
        found = outcomes(six_card_rule)[:, : dealer.PLAYED]
        net = np.array(self.nets)[found] * PARTS
        kept = np.array([[not rules.blackjack_lost(hand) for hand in row] for row in found.tolist()])
        first = np.hstack((self.blackjack * net, self.hat_trick * kept))
        return np.stack((first, np.hstack((net, 0 * kept)))).astype(np.int64)


def blackjack_nets(game: Game) -> tuple[tuple[int, ...], int]:
    """What Blackjack's outcomes net in whole parts of a unit, a blackjack left out, and how many make one."""
    nets = [line.net for line in game.pay_table(game.spot("blackjack")).lines]
    nets[rules.NATURAL] = Fraction(0)
    parts = lcm(*(net.denominator for net in nets))
    return tuple(int(net * parts) for net in nets), parts


def blackjack_alone(game: Game) -> Aim:
    return Aim.weighed(game, Fraction(1), Fraction(0))


def check_insurance(game: Game) -> None:
    """No solver here ever insures, so that must be right. At most 16 of 49 unseen cards are tens."""
    pays = game.pay_table(game.spot("insurance")).lines[rules.INSURED].pays
    if pays > MOST_INSURANCE:
        raise Refused(f"Insurance is solved only up to {MOST_INSURANCE} to 1: paid more, it is worth taking.")


MOST_INSURANCE = Fraction(49 - 16, 16)


def solved(hits_soft_17: bool, six_card_rule: bool, aim: Aim, up: int, suits_seen: bool) -> worth.Solved:
    """An up-card of this rank, solved for an aim."""
    law = dealer.law(hits_soft_17, dealer.value_of(4 * up))
    return worth.solved(law, labels(six_card_rule), aim.pay(six_card_rule), up, suits_seen)


solved_lately = lru_cache(maxsize=8)(solved)  # for one position after another: some twenty megabytes each
