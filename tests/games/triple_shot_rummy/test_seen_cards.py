"""What a seen card is worth in Triple Shot Rummy, held against the rules and against deals at random."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from feltlab.core.stake import check_stake, default_stake
from feltlab.core.tally import Tally
from feltlab.games import GAMES
from feltlab.games.triple_shot_rummy import rules, seen_cards
from feltlab.kernel import plain_python
from feltlab.parallel.progress import nobody_listens
from feltlab.proving.proof import prove

GAME = GAMES["triple-shot-rummy"]
ALL_THREE = check_stake(GAME, {"ante": 1, "pair-plus": Fraction(1, 3), "six-card-bonus": 2})
settle_rules = plain_python(rules.settle)


def net_of(shoe: list[int], choice: int, stake) -> Fraction:
    outcomes = np.zeros(len(GAME.spots), np.int8)
    rules.settle(GAME.kernel_data, np.array(shoe, np.int8), np.array([choice], np.int8), outcomes)
    return Tally(GAME, {tuple(outcomes.tolist()): 1}).total_expected(stake)


@pytest.mark.parametrize("choice", [rules.PLAY, rules.FOLD])
@pytest.mark.parametrize(("hand", "card"), [((0, 25, 50), 51), ((3, 30, 47), 7), ((0, 1, 2), 3)])
def test_the_sum_over_dealers_with_a_card_is_that_of_dealing_them(hand, card, choice) -> None:
    """All C(48, 2) = 1,128 dealer's hands that hold the card, each settled by the rules."""
    nets, plus, unit = seen_cards._nets(GAME, ALL_THREE)
    found = seen_cards.sum_nets(np.array([hand], np.uint8), nets.astype(np.int64), plus)
    left = [c for c in range(52) if c not in (*hand, card)]
    dealt = [net_of([*hand, card, *two], choice, ALL_THREE) for two in combinations(left, 2)]
    assert len(dealt) == seen_cards.HELD_BY_DEALER
    assert Fraction(int(found[choice, 0, card]), unit) == sum(dealt)


@pytest.mark.parametrize("stake", [default_stake(GAME), ALL_THREE], ids=["ante", "all three"])
def test_a_card_that_is_not_used_changes_nothing_on_average(stake) -> None:
    for card in seen_cards.see_cards(GAME, stake, nobody_listens):
        assert sum(each.chance for each in card.ranks) == 1
        assert card.unused == -prove(GAME, stake).loss
        assert all(each.used >= each.unused for each in card.ranks)


def test_side_bets_alone_leave_nothing_to_gain() -> None:
    stake = check_stake(GAME, {"six-card-bonus": 1})
    for card in seen_cards.see_cards(GAME, stake, nobody_listens):
        assert card.gain == 0


def test_stakes_in_tiny_parts_are_said_not_to_be_proved() -> None:
    stake = check_stake(GAME, {"ante": Fraction(1, 999_999_999_989), "pair-plus": 1})
    assert not any(card.ranks for card in seen_cards.see_cards(GAME, stake, nobody_listens))


def test_deals_at_random_agree() -> None:
    """2,000 hands with a card of the dealer's seen, each played for the better mean over 1,128 dealers."""
    stake, rng = default_stake(GAME), np.random.default_rng(11)
    nets, plus, unit = seen_cards._nets(GAME, stake)
    deals = [rng.choice(52, rules.HAND + 1, replace=False) for _ in range(2000)]
    hands = np.sort(np.array([deal[: rules.HAND] for deal in deals], np.uint8), axis=1)
    sums = seen_cards.sum_nets(hands, nets.astype(np.int64), plus)
    best = [sums[:, n, deal[rules.HAND]].max() / unit / 1128 for n, deal in enumerate(deals)]
    _, dealers = seen_cards.see_cards(GAME, stake, nobody_listens)
    assert abs(np.mean(best) - float(dealers.used)) < 4 * np.std(best) / np.sqrt(len(best))
