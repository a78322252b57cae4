"""What a dead card is worth in Casino War: every deal of one deck, card by card, through the rules."""

from collections import defaultdict
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest

from feltlab.core.stake import check_stake
from feltlab.core.tally import Tally
from feltlab.games import GAMES
from feltlab.games.casino_war import rules, seen_cards
from feltlab.parallel.progress import nobody_listens

ONE_DECK = GAMES["casino-war"].with_options({"decks": "1"})
STAKE = check_stake(ONE_DECK, {"primary": 1, "tie": Fraction(1, 2)})


def settle(shoe: tuple[int, ...], choices: list[int]) -> Fraction:
    """The net of the stake; the shoe is the player's card and war card, the dealer's card and war card."""
    outcomes = np.zeros(2, np.int8)
    rules.settle(ONE_DECK.kernel_data, np.array(shoe, np.int8), np.array(choices, np.int8), outcomes)
    first, tie = outcomes.tolist()
    units = 1 + choices.count(rules.WAR)
    return Tally(ONE_DECK, {(ONE_DECK.spot("primary").number(first, units), tie): 1}).total_expected(STAKE)


def exhaust(dead: int) -> Fraction:
    """The mean over every deal of the other 51 cards, with the better choice for each rank of a tie."""
    left = [card for card in range(52) if card != dead]
    apart, tied = Fraction(0), defaultdict(lambda: [Fraction(0), Fraction(0)])
    at_war = {1: settle((0, 8, 1, 4), [0]), 0: settle((0, 4, 1, 5), [0]), -1: settle((0, 4, 1, 8), [0])}
    surrendered = settle((0, 4, 1, 8), [1])
    for one, two in permutations(left, 2):
        if one >> 2 != two >> 2:
            apart += 49 * 48 * settle((one, 0, two, 0), [])
            continue
        rest = np.array([card for card in left if card not in (one, two)]) >> 2
        compared = np.sign(rest[:, None] - rest)[~np.eye(49, dtype=bool)]
        nets = tied[one >> 2]
        nets[0] += sum((int((compared == sign).sum()) * net for sign, net in at_war.items()), Fraction(0))
        nets[1] += 49 * 48 * surrendered
    return (apart + sum(map(max, tied.values()))) / (51 * 50 * 49 * 48)


@pytest.mark.parametrize("dead", [0, 25, 51])  # a deuce, an eight and an ace
def test_a_dead_card_is_worth_what_every_deal_says(dead: int) -> None:
    card, _ = seen_cards.see_cards(ONE_DECK, STAKE, nobody_listens)
    assert card.ranks[dead >> 2].used == exhaust(dead)


def test_no_card_of_the_dealers_can_be_seen_in_time() -> None:
    """When a choice is open, the dealer's card is face up and no war card has been dealt."""
    _, dealers = seen_cards.see_cards(ONE_DECK, STAKE, nobody_listens)
    assert not dealers.ranks
    seen, shoe = np.zeros(4, np.int8), np.array([0, 9, 1, 17], np.int8)
    assert rules.legal(ONE_DECK.kernel_data, shoe, np.zeros(0, np.int8))
    rules.visible(ONE_DECK.kernel_data, shoe, np.zeros(0, np.int8), seen)
    assert seen[rules.DEALERS] == 1
    assert seen[rules.AT_WAR] < 0
    assert seen[rules.DEALERS_AT_WAR] < 0
