"""The joint law of all wagers under the choices of a strategy."""

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import permutations
from math import perm

import numpy as np
from numpy.typing import NDArray

from feltlab.core.cards import ACE, RANKS
from feltlab.core.game import Game
from feltlab.core.layout import NOT_PLACED
from feltlab.core.solver import Law
from feltlab.core.tally import Outcomes
from feltlab.games.triple_shot_bonus import rules
from feltlab.games.triple_shot_bonus.solver.count import count_strategy, join_parts
from feltlab.games.triple_shot_bonus.solver.dealer import dealer_law, value_number
from feltlab.games.triple_shot_bonus.solver.hand_values import NO_CHOICE, Choices
from feltlab.games.triple_shot_bonus.solver.labels import (
    BUSTED,
    DOUBLE_BUSTED,
    LABELS,
    SPLIT,
    labels,
    outcomes,
)
from feltlab.games.triple_shot_bonus.solver.reading import (
    AS_RULED,
    BonusReading,
    judge_hat_trick,
    war_outcomes,
)
from feltlab.parallel.progress import Progress, nobody_listens
from feltlab.parallel.threads import map_in_threads

Long = NDArray[np.int64]
Strategy = Callable[[int], tuple[Choices, Choices]]  # by up-card: Hat Trick alive, and lost

METHOD = (
    "Every order of the player's six cards, up to suits that cannot make a flush, against every hand of "
    "the dealer's, counted in whole numbers; choices by backward induction without rounding."
)
TEN_UPS = range(8, 12)  # ten to king


def law(
    game: Game,
    strategy: Strategy,
    progress: Progress = nobody_listens,
    read: BonusReading = AS_RULED,
) -> Law:
    """The joint law of all wagers, over all up-cards."""
    labels(game.kernel_data.six_card_rule)  # builds its tables before the threads need them
    counts: Counter[Outcomes] = Counter()
    first: Counter[str] = Counter()
    for found, made in map_in_threads(
        lambda up: count_against(game, up, *strategy(up), read), range(len(RANKS)), progress
    ):
        counts.update(found)
        first.update(made)
    return Law(counts, first, METHOD)


def count_against(
    game: Game, up: int, alive: Choices, dead: Choices, read: BonusReading = AS_RULED
) -> tuple[Counter[Outcomes], Counter[str]]:
    """The law against one up-card of any suit, and the first choices."""
    wars = war_outcomes(read, up)
    played, split = count_ways(game, up, wars, alive, dead)
    counts: Counter[Outcomes] = Counter()
    for war, name, end, made, ways in (*_played(played), *_split(split, int(wars[ACE]))):
        hand = int(outcomes(game.kernel_data.six_card_rule, read.peeks)[name, end])
        six = made if read.bust_keeps_poker or name not in (BUSTED, DOUBLE_BUSTED) else rules.NO_JACKS
        counts[war, NOT_PLACED, hand, six, judge_hat_trick(read, war, hand, six)] += 4 * ways
    return counts, _first_choices(game, up, wars, alive, dead, read)


def count_ways(game: Game, up: int, wars: Long, alive: Choices, dead: Choices) -> tuple[Long, Long]:
    """The ways against one up-card by War, label, dealer's end and Poker, in two parts; then of splits."""
    label = labels(game.kernel_data.six_card_rule)
    law = dealer_law(game.kernel_data.hits_soft_17, value_number(4 * up))
    return count_strategy(label, up, wars, law, alive, dead)


Counted = Iterator[tuple[int, int, int, int, int]]  # War, label, dealer's end, Poker, ways


def _played(counts: Long) -> Counted:
    for six, channel, end in np.argwhere(counts.any(axis=-1)).tolist():
        war, label = divmod(channel, LABELS)
        yield war, label, end, six, join_parts(counts[six, channel, end])


def _split(counts: Long, war: int) -> Counted:
    for six, label, end in np.argwhere(counts.any(axis=-1)).tolist():
        yield war, SPLIT + label, end, six, join_parts(counts[six, label, end])


def _first_choices(
    game: Game, up: int, wars: Long, alive: Choices, dead: Choices, read: BonusReading
) -> Counter[str]:
    """Count the first choices; against an ace the first is about insurance, which is always declined."""
    rest = perm(48, 12)  # orders of the cards after two of the player's, the up-card and the hole card
    made: Counter[str] = Counter()
    for one, two in permutations((card for card in range(52) if card != 4 * up), 2):
        lost = wars[one >> 2] == rules.WAR_LOST
        choice = int((dead if lost else alive).first[one, two])
        name = "" if choice == NO_CHOICE else game.choices[choice].name
        # With an ace under a ten the round is over before a choice opens, if the dealer looks.
        aces = 4 - (one >> 2 == ACE) - (two >> 2 == ACE) if up in TEN_UPS and read.peeks else 0
        made["decline" if up == ACE else name] += 4 * rest * (49 - aces)
        made["decline" if up == ACE else ""] += 4 * rest * aces
    return made
