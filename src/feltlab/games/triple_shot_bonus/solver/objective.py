"""The objective of the choices: what Blackjack and the Hat Trick are worth beside each other.

War and Poker do not depend on the choices, so a stake on them changes none.
"""

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
from feltlab.games.triple_shot_bonus.solver.dealer import DEALER_ENDS, PLAYED_ENDS, dealer_law, value_number
from feltlab.games.triple_shot_bonus.solver.hand_values import MAX_PAY, SolvedUpCard, solve_hands
from feltlab.games.triple_shot_bonus.solver.labels import BLACKJACK, labels, net_of, outcomes
from feltlab.games.triple_shot_bonus.solver.reading import AS_RULED, BonusReading, is_blackjack_lost
from feltlab.games.triple_shot_bonus.solver.states import PARTS


def stake_units(stake: Stake, wager: str) -> Fraction:
    return Fraction(stake.get(wager, 0))


@dataclass(frozen=True)
class Objective:
    """The weights of Blackjack and the Hat Trick, in the smallest whole numbers."""

    blackjack: int  # for each of `nets`
    hat_trick: int  # for a Hat Trick won instead of lost
    nets: tuple[int, ...]  # by number of Blackjack's outcome with its units; see `blackjack_nets`
    unit: Fraction  # one of these numbers, in units of the stake

    @classmethod
    def of(cls, game: Game, stake: Stake) -> "Objective":
        lines = game.pay_table(game.spot("hat-trick")).lines
        swing = lines[rules.ALL_THREE].pays - lines[rules.BLACKJACK_TOOK_IT].pays
        return cls.weighed(game, stake_units(stake, "blackjack"), swing * stake_units(stake, "hat-trick"))

    @classmethod
    def weighed(cls, game: Game, blackjack: Fraction, hat_trick: Fraction) -> "Objective":
        """The objective for units on Blackjack, and units between a won and a lost Hat Trick."""
        nets, parts = blackjack_nets(game)
        blackjack /= parts
        whole = lcm(blackjack.denominator, hat_trick.denominator)
        common = gcd(int(blackjack * whole), int(hat_trick * whole)) or 1
        unit = Fraction(common, whole)
        objective = cls(int(blackjack / unit), int(hat_trick / unit), nets, unit)
        most = max(map(abs, nets))
        if PARTS * max(most, most * objective.blackjack, objective.hat_trick) >= MAX_PAY:
            raise Refused("The Blackjack and Hat Trick wagers are too far apart to be solved; round them.")
        return objective

    @classmethod
    def named(cls, game: Game, stake: Stake, strategy: str) -> "Objective":
        """The objective of a strategy that is the best for some purpose."""
        if strategy == "hat-trick":
            return cls.weighed(game, Fraction(0), Fraction(1))
        return blackjack_alone(game) if strategy == "blackjack-optimal" else cls.of(game, stake)

    def pay(self, six_card_rule: bool, read: BonusReading = AS_RULED) -> NDArray[np.int64]:
        """By purpose (this objective, then Blackjack alone), label and column of the odds."""
        found = outcomes(six_card_rule, read.peeks)[:, : PLAYED_ENDS if read.peeks else DEALER_ENDS]
        net = np.array(self.nets)[found] * PARTS
        kept = np.array([[not is_blackjack_lost(read, hand) for hand in row] for row in found.tolist()])
        first = np.hstack((self.blackjack * net, self.hat_trick * kept))
        return np.stack((first, np.hstack((net, 0 * kept)))).astype(np.int64)


def blackjack_nets(game: Game) -> tuple[tuple[int, ...], int]:
    """The nets of Blackjack's outcomes with their units, in whole parts of a unit, and the parts of one.

    The net is 0 for a blackjack, with which nothing is chosen, and for what cannot be.
    """
    lines, found = game.pay_table(BLACKJACK).lines, outcomes(game.kernel_data.six_card_rule, peeks=False)
    numbers = {*found.ravel().tolist(), rules.DEALER_NATURAL} - {rules.NATURAL}
    nets = [
        net_of(lines, number) if number in numbers else Fraction(0) for number in range(BLACKJACK.numbers)
    ]
    parts = lcm(*(net.denominator for net in nets))
    return tuple(int(net * parts) for net in nets), parts


def blackjack_alone(game: Game) -> Objective:
    """The objective of a player whose Hat Trick is lost."""
    return Objective.weighed(game, Fraction(1), Fraction(0))


def check_insurance(game: Game) -> None:
    """Refuse pays that make insurance worth taking, since this solver always declines it.

    At most 16 of 49 unseen cards are tens.
    """
    pays = game.pay_table(game.spot("insurance")).lines[rules.INSURED].pays
    if pays > MAX_INSURANCE_PAY:
        raise Refused(f"Insurance is solved only up to {MAX_INSURANCE_PAY} to 1: above, it is worth taking.")


MAX_INSURANCE_PAY = Fraction(49 - 16, 16)  # to 1


def solve_up_card(
    hits_soft_17: bool,
    six_card_rule: bool,
    objective: Objective,
    up: int,
    suits_seen: bool,
    read: BonusReading = AS_RULED,
) -> SolvedUpCard:
    """Solve an up-card of this rank for an objective."""
    law = dealer_law(hits_soft_17, value_number(4 * up))
    pay = objective.pay(six_card_rule, read)
    return solve_hands(law, labels(six_card_rule), pay, up, suits_seen, read.hits_21)


# For one position after another; each entry takes some twenty megabytes.
solve_up_card_cached = lru_cache(maxsize=8)(solve_up_card)
