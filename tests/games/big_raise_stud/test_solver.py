"""The proof of Big Raise Stud Poker against the rules, deal by deal."""

from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
import pytest

from feltlab.core.cards import cards
from feltlab.core.layout import new_outcomes
from feltlab.core.round import Round
from feltlab.core.stake import check_stake, default_stake
from feltlab.games import GAMES, solver_of
from feltlab.games.big_raise_stud import rules
from feltlab.parallel.progress import nobody_listens
from feltlab.proving.advice import advise
from feltlab.proving.proof import prove
from tests.support.small_decks import try_everything, with_deck

GAME = GAMES["big-raise-stud"]
SMALL = with_deck(GAME, "Tc Td 6c 6d 4c 4d 2c 2d")
BOTH = check_stake(GAME, {"ante": 1, "three-card-bonus": 1})


@pytest.mark.parametrize("strategy", ["optimal", "cautious"])
def test_a_small_deck_has_the_law_of_every_deal(strategy: str) -> None:
    law = solver_of(GAME).solve(SMALL, BOTH, strategy, nobody_listens)
    slow = try_everything(SMALL, BOTH, cautious=strategy == "cautious")
    assert law.counts == slow.counts
    assert law.first_choices == {name: n for (_, name), n in slow.made.items()}


def test_every_deal_is_counted_once() -> None:
    law = prove(GAME).law
    assert sum(law.counts.values()) == sum(law.first_choices.values())
    assert sum(law.counts.values()) == comb(52, 3) * comb(49, 2) * 12  # in every order of three and of two


@pytest.mark.parametrize("hand", ["6s 6h 2d", "2s 4h 9d", "5s 6s 7s"])
def test_advice_is_the_mean_over_all_community_cards(hand: str) -> None:
    round = Round.of(GAME, hand, "", ante=100, three_card_bonus=100)
    others = [card for card in range(52) if card not in cards(hand)]
    for advice in advise(round):
        choice = GAME.choice_numbers[advice.choice]
        net = sum(_net(hand, board, choice) for board in combinations(others, 2))
        assert advice.expected == 100 * net / comb(49, 2)


def _net(hand: str, board: tuple[int, ...], choice: int) -> Fraction:
    outcomes = new_outcomes(len(GAME.spots))
    shoe = np.array([*cards(hand), *board], np.int8)
    rules.settle(GAME.kernel_data, shoe, np.array([choice], np.int8), outcomes)
    units = Counter(GAME.puts(GAME.choices[choice], 0))
    pairs = zip(GAME.spots, outcomes.tolist(), strict=True)
    return sum(
        (GAME.pay_table(spot).lines[n].pays * max(units[spot.name], 1) for spot, n in pairs if n >= 0),
        Fraction(0),
    )


def test_values_are_convex_in_the_raise() -> None:
    """The value of a raise is linear in its size, so only the fold, 1x and 4x are ever best alone."""
    made = prove(GAME).law.first_choices
    assert set(made) == {"raise-4x", "raise-1x", "fold"}
    assert prove(GAME, default_stake(GAME)).law.equal_positions == 0
