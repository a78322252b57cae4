"""What a seen card is worth in Rabbit Hunter: tiny decks exhausted through the rules."""

from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest

from feltlab.core.cards import RANKS
from feltlab.core.layout import NOT_PLACED
from feltlab.core.stake import check_stake
from feltlab.core.tally import Tally
from feltlab.games import GAMES
from feltlab.games.rabbit_hunter import rules, seen_cards
from feltlab.kernel import kernel
from tests.games.rabbit_hunter.test_solver import TINY

GAME = GAMES["rabbit-hunter"]
STAKES = (
    {"ante": 1},
    {"ante": Fraction(3, 7), "tens-up": Fraction(2, 5), "bad-beat": Fraction(1, 3)},
)
KINDS = ("dead", "dealer", "sixth")


@kernel
def _settle_every_deal(kernel_data, deck, five, choice, nets, found):
    """Add the net of every deal of a hand to the dealer's cards, the sixth card and the dead ones."""
    shoe, outcomes = np.empty(11, np.int8), np.empty(5, np.int8)
    shoe[:5] = five
    rest = np.empty(len(deck) - 5, np.int8)
    left = 0
    for card in deck:
        if not (five == card).any():
            rest[left] = card
            left += 1
    for s in range(left):
        shoe[5] = rest[s]
        for dealt in range(1 << left):
            size = 0
            for i in range(left):
                if dealt >> i & 1 and i != s and size < 6:
                    if size < 5:
                        shoe[6 + size] = rest[i]
                    size += 1
            if size != 5 or dealt >> s & 1:
                continue
            rules.settle(kernel_data, shoe, choice, outcomes)
            sixth, ante, play, tens_up, beat = outcomes
            net = nets[sixth + 1, ante + 1, play + 1, tens_up + 1, beat + 1]
            for i in range(left):
                kind = 2 if i == s else dealt >> i & 1
                found[kind, rest[i]] += net


def nets_by_outcomes(stake, unit):
    """The net of the stake in parts of a unit, by outcomes of all spots, each one more than its number."""
    tally, shape = Tally(GAME, {}), [len(spot.outcomes) + 1 for spot in GAME.spots]
    table = np.zeros(shape, np.int64)
    for outcomes in product(*(range(NOT_PLACED, size - 1) for size in shape)):
        if NOT_PLACED not in (
            outcomes[rules.AT_ANTE],
            outcomes[rules.AT_TENS_UP],
            outcomes[rules.AT_BAD_BEAT],
        ):
            net = sum(units * tally.net(GAME.spot(bet), outcomes) for bet, units in stake.items())
            table[tuple(n + 1 for n in outcomes)] = int(net * unit)
    return table


def exhaust(deck, stake, unit):
    """By kind of card and rank: the mean net of all deals, with the card unused and used."""
    nets = nets_by_outcomes(stake, unit)
    unused, used = np.zeros((2, 3, 52), np.int64)
    for five in combinations(deck, 5):
        found = np.zeros((3, 3, 52), np.int64)  # by choice, kind and card
        for choice in range(3):
            held = np.array(deck, np.int8), np.array(five, np.int8), np.array([choice], np.int8)
            _settle_every_deal(GAME.kernel_data, *held, nets, found[choice])
        blind = found[:, 2].sum(axis=1).argmax()
        unused += found[blind]
        used += found.max(axis=0)
    return unused, used


@pytest.mark.parametrize("deck", TINY.values(), ids=TINY)
@pytest.mark.parametrize("stake", STAKES, ids=["ante", "all"])
def test_every_deal_of_a_tiny_deck_says_the_same(deck, stake):
    stake, unit = check_stake(GAME, stake), 105
    deals = seen_cards.count_seen_deals(deck)
    hands = len(list(combinations(deck[1:], 5)))
    unused, used = exhaust(deck, stake, unit)
    for kind, card in enumerate(seen_cards.see_cards_of_deck(deck, GAME, stake)):
        assert card.key == KINDS[kind]
        for each in card.ranks:
            cards = [c for c in deck if RANKS[c >> 2] == each.rank]
            parts = unit * len(cards) * hands * deals[kind]
            assert each.chance == Fraction(len(cards), len(deck))
            assert each.unused == Fraction(int(unused[kind, cards].sum()), parts)
            assert each.used == Fraction(int(used[kind, cards].sum()), parts)
