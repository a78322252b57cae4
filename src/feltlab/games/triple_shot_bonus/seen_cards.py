"""The worth of a seen card in Triple Shot Bonus.

War and Poker do not depend on choices: a dead card or a known hole card removes a card from those that they
are dealt from, and changes nothing else. Blackjack is solved again for each value of the up-card and of the
card seen (`seen_blackjack`). A stake on the Hat Trick would tie the three together; it is not proved.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from math import comb

import numpy as np
from numpy.typing import NDArray

from feltlab.core.cards import RANKS
from feltlab.core.game import Game
from feltlab.core.solver import DEAD_CARD, SeenCard, SeenRank
from feltlab.core.stake import Stake
from feltlab.counting.seen_cards import whole_parts
from feltlab.counting.suits import classes, strengths_of
from feltlab.games.triple_shot_bonus import rules
from feltlab.games.triple_shot_bonus.seen_blackjack import SeenBlackjack, ValueChoices
from feltlab.games.triple_shot_bonus.solver.dealer import IN_DECK, VALUES, value_number
from feltlab.games.triple_shot_bonus.solver.labels import BLACKJACK, net_of
from feltlab.games.triple_shot_bonus.solver.states import SIX
from feltlab.parallel.progress import Progress, part_of

HOLE_CARD = "the dealer's hole card"
METHOD = (
    "Blackjack by backward induction over the values of the player's cards, for each value of the up-card "
    "and of the card seen, in whole numbers; War and Poker counted from the other 51 cards."
)
HAT_TRICK = "not proved for a stake on the Hat Trick, which ties the choices of Blackjack to War and Poker"


def see_cards(game: Game, stake: Stake, progress: Progress) -> tuple[SeenCard, ...]:
    if stake["hat-trick"]:
        return SeenCard("dead", DEAD_CARD, HAT_TRICK), SeenCard("dealer", HOLE_CARD, HAT_TRICK)
    dead = see_blackjack(game, stake, "dead", part_of(progress, 0.0, 0.5))
    hole = see_blackjack(game, stake, "hole", part_of(progress, 0.5, 1.0))
    return (
        SeenCard("dead", DEAD_CARD, METHOD, tuple(_see_ranks(game, stake, dead))),
        SeenCard("dealer", HOLE_CARD, METHOD, tuple(_see_ranks(game, stake, hole))),
    )


def _see_ranks(game: Game, stake: Stake, blackjack: list[tuple[Fraction, Fraction]]) -> Iterator[SeenRank]:
    """Each rank of the card seen, with the nets of all three games."""
    for rank, name in enumerate(RANKS):
        same = stake["war"] * expect_war(game, rank) + stake["poker"] * expect_poker(game, rank)
        unused, used = blackjack[value_number(4 * rank)]
        yield SeenRank(name, Fraction(1, len(RANKS)), same + unused, same + used)


# -- War and Poker ----------------------------------------------------------------------------------


def expect_war(game: Game, gone: int) -> Fraction:
    """The expected net of War when a card of this rank is gone."""
    lines = game.pay_table(game.spot("war")).lines
    left = [4 - (rank == gone) for rank in range(len(RANKS))]
    total = Fraction(0)
    for mine in range(len(RANKS)):
        for up in range(len(RANKS)):
            ways = left[mine] * (left[up] - (mine == up))
            total += ways * lines[rules.judge_war(4 * mine, 4 * up)].pays
    return total / (51 * 50)


@cache
def count_poker() -> NDArray[np.int64]:
    """By outcome of Poker: the hands of six cards, and after them their cards of each rank."""
    hands, weights = classes(SIX)
    made = np.array([rules.judge_poker(strength) for strength in range(1 << 16)])[strengths_of(hands)]
    found = np.zeros((rules.NO_JACKS + 1, 1 + len(RANKS)), np.int64)
    for outcome in range(len(found)):
        of = made == outcome
        found[outcome, 0] = weights[of].sum()
        for place in range(SIX):
            found[outcome, 1:] += _count_ranks(hands[of, place], weights[of])
    return found


def _count_ranks(cards: NDArray[np.uint8], weights: NDArray[np.int64]) -> NDArray[np.int64]:
    """The weights of the cards of each rank; floats hold them exactly."""
    return np.bincount(cards >> 2, weights, len(RANKS)).astype(np.int64)


def expect_poker(game: Game, gone: int) -> Fraction:
    """The expected net of Poker when a card of this rank is gone: hands with any one of the four."""
    lines = game.pay_table(game.spot("poker")).lines
    found = count_poker()
    nets = (
        (4 * int(found[outcome, 0]) - int(found[outcome, 1 + gone])) * lines[outcome].pays
        for outcome in range(len(found))
    )
    return sum(nets, Fraction(0)) / (4 * comb(51, SIX))


# -- Blackjack --------------------------------------------------------------------------------------


def see_blackjack(game: Game, stake: Stake, seen: str, progress: Progress) -> list[tuple[Fraction, Fraction]]:
    """By value of the card seen: the expected net of Blackjack with the knowledge unused, and used."""
    units, data = stake["blackjack"], game.kernel_data
    insurance = game.spot("insurance")
    won, lost = (game.pay_table(insurance).lines[n].pays for n in (rules.INSURED, rules.NOT_NEEDED))
    lines = game.pay_table(game.spot("blackjack")).lines
    nets = [net_of(lines, number) for number in range(BLACKJACK.numbers)]
    sizes = [insurance.size * won, insurance.size * lost, *nets]
    (win, lose, *whole), parts = whole_parts([net * units for net in sizes])
    rule = data.hits_soft_17, data.six_card_rule, tuple(whole), (win, lose)
    base = [SeenBlackjack(*rule, up).play()[1] for up in range(VALUES)]
    found = []
    for value in range(VALUES):
        found.append(_see_value(rule, base, seen, value, parts))
        progress((value + 1) / VALUES)
    return found


def _see_value(
    rule: tuple[bool, bool, tuple[int, ...], tuple[int, int]],
    base: list[ValueChoices],
    seen: str,
    value: int,
    parts: int,
) -> tuple[Fraction, Fraction]:
    """The expected nets, unused and used, over all up-cards beside a card of this value."""
    sums = [Fraction(0), Fraction(0)]
    for up in range(VALUES):
        ways = int(IN_DECK[up]) - (up == value)
        known = (value,), ()
        one = SeenBlackjack(*rule, up, *(known if seen == "dead" else known[::-1]))
        for n, follow in enumerate((base[up], None)):
            sums[n] += Fraction(ways * one.total(one.play(follow)[0]), one.orders)
    unused, used = (total / (51 * parts) for total in sums)
    return unused, used
