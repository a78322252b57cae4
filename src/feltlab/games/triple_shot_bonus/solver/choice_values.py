"""The exact value of each open choice in one position."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import factorial

import numpy as np
from numpy.typing import NDArray

from feltlab.core.cards import ACE
from feltlab.core.game import Game
from feltlab.core.hands import blackjack, poker
from feltlab.core.round import Round
from feltlab.core.stake import Stake
from feltlab.games.triple_shot_bonus import rules
from feltlab.games.triple_shot_bonus.solver.dealer import (
    DEALER_ENDS,
    DEALER_NATURAL,
    PLAYED_ENDS,
    dealer_law,
    six_values,
    value_number,
)
from feltlab.games.triple_shot_bonus.solver.hand_values import (
    FIRST_CHOICES,
    SolvedUpCard,
    join_parts,
    weigh_first,
    weigh_later,
    weigh_split,
)
from feltlab.games.triple_shot_bonus.solver.labels import LEVEL_WITH_ACE, NATURAL, STOOD, outcomes
from feltlab.games.triple_shot_bonus.solver.objective import Objective, solve_up_card_cached, stake_units
from feltlab.games.triple_shot_bonus.solver.reading import AS_RULED, judge_hat_trick
from feltlab.games.triple_shot_bonus.solver.states import PARTS, SIX, States, find_state, states
from feltlab.kernel import kernel

Long = NDArray[np.int64]
Ways = Sequence[Sequence[int]]  # by Poker and dealer's end, the orders of the cards to come
ENDS = range(DEALER_ENDS)
PLAYED = range(PLAYED_ENDS)
CAUGHT = range(DEALER_NATURAL, DEALER_ENDS)


def values(round_: Round, stake: Stake) -> dict[str, Fraction]:
    """The expected net of the whole stake, in units, for each open choice and the best play after it."""
    position = Position.of(round_, stake)
    ways = _ways(round_.game, position.hand, position.up)
    if "insure" in round_.choices:
        return position.insuring(ways)
    lost = position.net("insurance", rules.NOT_NEEDED) if "insure" in round_.chosen else 0
    names = [choice.name for choice in round_.game.choices]
    played = position.playing(ways)
    return {names[choice]: net / _sum(ways, PLAYED) + lost for choice, net in played.items()}


@dataclass(frozen=True)
class Position:
    """The cards that a player sees when a choice is open, with suits renamed so that the up-card's is 0."""

    game: Game
    stake: Stake
    hand: tuple[int, ...]  # in the order in which it was dealt
    up: int  # its rank

    @classmethod
    def of(cls, round_: Round, stake: Stake) -> "Position":
        up = round_.view.dealer[0]
        swap = {up & 3: 0, 0: up & 3}
        hand = tuple(card & ~3 | swap.get(card & 3, card & 3) for card in round_.view.player)
        return cls(round_.game, stake, hand, up >> 2)

    @property
    def war(self) -> int:
        return rules.judge_war(self.hand[0], 4 * self.up)

    @property
    def objective(self) -> Objective:
        if self.war == rules.WAR_LOST:
            return Objective.weighed(self.game, stake_units(self.stake, "blackjack"), Fraction(0))
        return Objective.of(self.game, self.stake)

    # -- Nets, in units of the stake -----------------------------------------------------------------

    def net(self, spot: str, number: int) -> Fraction:
        """The net of an outcome with its units."""
        at = self.game.spot(spot)
        outcome, units = at.split_number(number)
        pays = self.game.pay_table(at).lines[outcome].pays
        return stake_units(self.stake, at.raises or spot) * at.size * units * pays

    def total(self, hand: int, six: int) -> Fraction:
        """The net of the whole stake without insurance."""
        all_three = self.net("hat-trick", judge_hat_trick(AS_RULED, self.war, hand, six))
        return self.net("war", self.war) + self.net("blackjack", hand) + self.net("poker", six) + all_three

    # -- Nets, summed over all ways ------------------------------------------------------------------

    def ended(self, label: int, ways: Ways, ends: range) -> Fraction:
        """The net of a hand under a label, summed over the ways to these ends of the dealer."""
        found = outcomes(self.game.kernel_data.six_card_rule)
        nets = (
            row[end] * self.total(int(found[label, end]), six) for six, row in enumerate(ways) for end in ends
        )
        return sum(nets, Fraction(0))

    def playing(self, ways: Ways) -> dict[int, Fraction]:
        """The net of each choice of play, summed over the ways in which the dealer has no blackjack."""
        data, objective = self.game.kernel_data, self.objective
        one = solve_up_card_cached(data.hits_soft_17, data.six_card_rule, objective, self.up, True)
        lost = self.net("war", self.war) + self.net("hat-trick", rules.BLACKJACK_TOOK_IT)
        nets = (_sum([row], PLAYED) * (lost + self.net("poker", six)) for six, row in enumerate(ways))
        fixed = sum(nets, Fraction(0))
        part = objective.unit / PARTS
        return {choice: fixed + part * value for choice, value in _value_choices(one, self.hand).items()}

    def insuring(self, ways: Ways) -> dict[str, Fraction]:
        """The expected net of each choice about insurance, with the best play after it."""
        if blackjack.is_blackjack(*self.hand):
            net = self.ended(NATURAL, ways, ENDS)
        else:
            net = max(self.playing(ways).values()) + self.ended(STOOD, ways, CAUGHT)
        won = _sum(ways, CAUGHT) * self.net("insurance", rules.INSURED)
        lost = _sum(ways, PLAYED) * self.net("insurance", rules.NOT_NEEDED)
        return {"insure": (net + won + lost) / _sum(ways, ENDS), "decline": net / _sum(ways, ENDS)}


def _sum(ways: Ways, ends: range) -> int:
    return sum(row[end] for row in ways for end in ends)


def _value_choices(one: SolvedUpCard, hand: tuple[int, ...]) -> dict[int, int]:
    """By choice, its value for the objective."""
    out = np.zeros((FIRST_CHOICES, 2, 2), np.int64)
    open_now = [rules.HIT, rules.STAND]
    if len(hand) > 2:
        weigh_later(one, find_state(states(), True, np.array(hand)), out)
    else:
        weigh_first(states(), one, hand[0], hand[1], out)
        open_now.append(rules.DOUBLE)
    if [card >> 2 for card in hand] == [ACE, ACE]:
        weigh_split(states(), LEVEL_WITH_ACE, one, hand[0], hand[1], out[rules.SPLIT_ACES])
        open_now.append(rules.SPLIT_ACES)
    return {choice: join_parts(out[choice, 0]) for choice in open_now}


# -- Every completion of a hand ---------------------------------------------------------------------


@kernel
def _completions(tables: poker.Tables, table: States, hand: Long, rest: NDArray[np.uint8], out: Long) -> None:
    """Count, by Poker and six values, the ways to complete a hand with each set of cards in `rest`."""
    six = np.zeros(SIX, np.int64)
    six[: len(hand)] = hand
    for i in range(len(rest)):
        for j in range(rest.shape[1]):
            six[len(hand) + j] = rest[i, j]
        values = table.values[find_state(table, False, six)]
        out[rules.judge_poker(poker.strength(tables, six)), values] += 1


def _ways(game: Game, hand: tuple[int, ...], up: int) -> Ways:
    left = [card for card in range(52) if card not in (*hand, 4 * up)]
    rest = np.array(list(combinations(left, SIX - len(hand))), np.uint8)
    counts = np.zeros((rules.NO_JACKS + 1, len(six_values())), np.int64)
    _completions(game.kernel_data.poker, states(), np.array(hand), rest, counts)
    law = dealer_law(game.kernel_data.hits_soft_17, value_number(4 * up))
    orders = factorial(SIX - len(hand))
    by_six: Ways = (counts.astype(object) @ law.astype(object) * orders).tolist()
    return by_six
