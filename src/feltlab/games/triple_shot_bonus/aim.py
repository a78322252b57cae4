"""What the choices are made for."""

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import gcd, lcm

import numpy as np
from numpy.typing import NDArray

from feltlab.errors import Refused
from feltlab.exact.law import Stake
from feltlab.game import Game
from feltlab.games.triple_shot_bonus import dealer, rules, worth
from feltlab.games.triple_shot_bonus.labels import labels, outcomes
from feltlab.games.triple_shot_bonus.states import PARTS


def units(stake: Stake, wager: str) -> Fraction:
    return Fraction(stake.get(wager, 0))


@dataclass(frozen=True)
class Aim:
    """What Blackjack and the Hat Trick are worth to the choices, in the smallest whole numbers."""

    blackjack: int  # for a unit won at Blackjack
    hat_trick: int  # for a Hat Trick won instead of lost
    unit: Fraction  # what one of these is, in units of the stake

    @classmethod
    def of(cls, game: Game, stake: Stake) -> "Aim":
        lines = game.pay_table(game.spot("hat-trick")).lines
        swing = lines[rules.ALL_THREE].net - lines[rules.BLACKJACK_TOOK_IT].net
        return cls.reduced(units(stake, "blackjack"), swing * units(stake, "hat-trick"))

    @classmethod
    def reduced(cls, blackjack: Fraction, hat_trick: Fraction) -> "Aim":
        whole = lcm(blackjack.denominator, hat_trick.denominator)
        common = gcd(int(blackjack * whole), int(hat_trick * whole)) or 1
        unit = Fraction(common, whole)
        aim = cls(int(blackjack / unit), int(hat_trick / unit), unit)
        if PARTS * max(2 * aim.blackjack, aim.hat_trick) >= worth.MOST_PAY:  # a double nets two units
            raise Refused("The Blackjack and Hat Trick wagers are too far apart to be solved; round them.")
        return aim

    def pay(self, six_card_rule: bool) -> NDArray[np.int64]:
        """By purpose (this aim, then Blackjack alone), label and column of the odds."""
        found = outcomes(six_card_rule)[:, : dealer.PLAYED]
        # Only a blackjack wins a fraction, and whoever has one does not choose.
        net = np.array([int(line.net) for line in rules.BLACKJACK[0].lines])[found] * PARTS
        kept = np.array([[not rules.blackjack_lost(hand) for hand in row] for row in found.tolist()])
        first = np.hstack((self.blackjack * net, self.hat_trick * kept))
        return np.stack((first, np.hstack((net, 0 * kept)))).astype(np.int64)


BLACKJACK_ALONE = Aim(1, 0, Fraction(1))
HAT_TRICK_ALONE = Aim(0, 1, Fraction(1))


def solved(hits_soft_17: bool, six_card_rule: bool, aim: Aim, up: int, suits_seen: bool) -> worth.Solved:
    """An up-card of this rank, solved for an aim."""
    law = dealer.law(hits_soft_17, dealer.value_of(4 * up))
    return worth.solved(law, labels(six_card_rule), aim.pay(six_card_rule), up, suits_seen)


solved_lately = lru_cache(maxsize=8)(solved)  # for one position after another: some twenty megabytes each
