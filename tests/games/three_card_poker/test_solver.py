"""The proof of Three Card Poker against the rules, deal by deal, and against symmetry."""

from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
import pytest

from feltlab.core.cards import Cards
from feltlab.core.hands.three_card import strength
from feltlab.core.layout import new_outcomes
from feltlab.core.round import Round
from feltlab.core.stake import check_stake, default_stake
from feltlab.games import GAMES, solver_of
from feltlab.games.three_card_poker import rules
from feltlab.parallel.progress import nobody_listens
from feltlab.proving.advice import advise
from feltlab.proving.proof import prove
from tests.support.small_decks import net_of, try_everything, with_deck

GAME = GAMES["three-card-poker"]
SMALL = with_deck(GAME, "Qc Qd 6c 6d 4c 4d 2c 2d")
ALL = check_stake(GAME, {"ante": 1, "pair-plus": 1, "six-card-bonus": 1})


@pytest.mark.parametrize("stake", [default_stake(GAME), ALL], ids=["ante", "all three"])
def test_a_small_deck_has_the_law_of_every_deal(stake) -> None:
    law = solver_of(GAME).solve(SMALL, stake, "optimal", nobody_listens)
    slow = try_everything(SMALL, stake)
    assert law.counts == slow.counts
    assert net_of(SMALL, stake, Counter(law.counts)) == net_of(SMALL, stake, slow.counts)


def test_every_deal_is_counted_once() -> None:
    law = prove(GAME).law
    assert sum(law.counts.values()) == sum(law.first_choices.values())
    assert sum(law.counts.values()) % (comb(52, 3) * comb(49, 3)) == 0
    assert law.equal_positions == 0


def test_neither_side_is_favoured_by_the_cards() -> None:
    """A player who never folds is better than the dealer as often as worse, counted when both qualify."""
    tally = prove(GAME, strategy="never-fold").tally
    ante = tally.outcomes(GAME.spot("ante"))
    below = Fraction(ante["dealer does not qualify"], tally.deals)  # the chance of jack high or less
    both_below = Fraction(sum(map(int, _count_both_below())), comb(52, 3) * comb(49, 3))
    better = Fraction(ante["better hand"], tally.deals)
    worse = Fraction(ante["worse hand"], tally.deals) - (below - both_below)
    assert better == worse


def _count_both_below() -> list[int]:
    """For each hand of jack high or less, the dealer's hands of jack high or less beside it."""
    hands = [hand for hand in combinations(range(52), 3) if strength(*hand) < rules.QUALIFIES]
    masks = np.array([sum(1 << card for card in hand) for hand in hands], np.int64)
    return [int((masks & mask == 0).sum()) for mask in masks]


@pytest.mark.parametrize("hand", ["Qs 6h 4d", "Qs 6h 3d", "2c 2d 9h", "Ac 2c 3c"])
def test_advice_is_the_mean_over_every_dealer(hand: str) -> None:
    round = Round.of(GAME, hand, "", ante=100, pair_plus=100, six_card_bonus=100)
    held = Cards(round.seen[:3])
    others = [card for card in range(52) if card not in held]
    for advice in advise(round):
        net = sum(
            _net(held, dealer, GAME.choice_numbers[advice.choice]) for dealer in combinations(others, 3)
        )
        assert advice.expected == 100 * net / comb(49, 3)


def _net(player: tuple[int, ...], dealer: tuple[int, ...], choice: int) -> Fraction:
    outcomes = new_outcomes(len(GAME.spots))
    shoe = np.array([*player, *dealer], np.int8)
    rules.settle(GAME.kernel_data, shoe, np.array([choice], np.int8), outcomes)
    pairs = zip(GAME.spots, outcomes.tolist(), strict=True)
    return sum((GAME.pay_table(spot).lines[n].pays for spot, n in pairs if n >= 0), Fraction(0))


def test_no_figure_of_best_play_depends_on_what_a_fold_does_to_pair_plus() -> None:
    """Best play folds no pair, so a Pair Plus that a fold loses has lost anyway."""
    keeps = GAME.with_options({"fold-loses-pair-plus": "no"})
    for bet in ("ante", "pair-plus"):
        assert prove(GAME, ALL).house_edge(bet) == prove(keeps, ALL).house_edge(bet)


def test_the_threshold_of_best_play() -> None:
    """Published as Q-6-4; the value of playing it is -0.993378, that of Q-6-3 is -1.00255."""
    values = {
        hand: {one.choice: one.expected / 100 for one in advise(Round.of(GAME, hand, "", ante=100))}
        for hand in ("Qs 6h 4d", "Qs 6h 3d")
    }
    assert round(float(values["Qs 6h 4d"]["play"]), 6) == -0.993378
    assert round(float(values["Qs 6h 3d"]["play"]), 5) == -1.00255
    card = solver_of(GAME).card(GAME, default_stake(GAME))
    assert (card.exceptions, card.cost) == ((), 0)
