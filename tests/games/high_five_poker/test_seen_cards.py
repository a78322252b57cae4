"""What a seen card is worth in High Five Poker: tiny decks settled by the rules, and dealers at random."""

from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
import pytest

from feltlab.core.cards import JOKER, cards
from feltlab.core.hands import poker
from feltlab.core.tally import Tally
from feltlab.counting.suits import strengths_of
from feltlab.games import GAMES
from feltlab.games.high_five_poker import rules, seen_cards
from feltlab.games.high_five_poker.solver.choices import LISTED_NETS, count_dealers, weigh_kinds
from feltlab.games.high_five_poker.solver.deck_proof import count_deck, counted_deck
from feltlab.parallel.progress import nobody_listens
from tests.games.high_five_poker.test_solver import NO_END, TINY_DECKS
from tests.support.tiny_subsets import subsets_of_deck

GAME = GAMES["high-five-poker"]


def net_of(hand, dealer, choice) -> Fraction:
    outcomes, shoe = np.zeros(len(GAME.spots), np.int8), np.array([*hand, *dealer], np.int8)
    rules.settle(GAME.kernel_data, shoe, np.array([choice], np.int8), outcomes)
    return Tally(GAME, {tuple(outcomes.tolist()): 1}).total_expected({"ante": Fraction(1)})


def mean_gain(hand, left, sees_dealer: bool) -> Fraction:
    """Over all cards left: the best choice with the card known less that without, each over all dealers."""
    every = {d: net_of(hand, d, rules.PLAY) for d in combinations(left, 7)}
    folded = net_of(hand, next(iter(every)), rules.FOLD)
    plays = sum(every.values()) / len(every) >= folded
    total = Fraction(0)
    for card in left:
        nets = [net for dealer, net in every.items() if (card in dealer) == sees_dealer]
        played = sum(nets, Fraction(0)) / len(nets)
        total += max(played, folded) - (played if plays else folded)
    return total / len(left)


@pytest.mark.parametrize("text", TINY_DECKS.values(), ids=TINY_DECKS)
def test_the_gain_of_a_hand_of_a_tiny_deck_is_that_of_settling_every_deal(text: str) -> None:
    tiny = sorted(cards(text))
    deck, rng = count_deck(subsets_of_deck(cards(text)), NO_END, nobody_listens), np.random.default_rng(3)
    gains = []
    for _ in range(60):
        hand = np.sort(rng.choice(np.array(tiny, np.uint8), 7, replace=False))
        strength = int(strengths_of(hand[np.newaxis])[0])
        left = [card for card in tiny if card not in hand]
        found = seen_cards.gain_exactly(deck, LISTED_NETS, hand, strength)
        known = [float(mean_gain(hand.tolist(), left, sees)) for sees in (False, True)]
        assert found == pytest.approx(known, abs=1e-12)
        gains.append(known)
    assert np.count_nonzero(gains, axis=0).all()  # cards do change choices in this deck


@pytest.mark.slow
def test_dealers_with_a_card_are_counted_on_the_whole_deck() -> None:
    """Every dealer's hand holds seven cards: the sums over all cards are seven times the solver's."""
    deck, rng = counted_deck(), np.random.default_rng(5)
    hands = np.sort(rng.random((200, 53)).argsort(axis=1)[:, :7], axis=1).astype(np.uint8)
    strengths = strengths_of(hands)
    hands, strengths = hands[strengths < deck.zone_end], strengths[strengths < deck.zone_end]
    kinds = np.zeros((len(hands), 3), np.int64)
    count_dealers(deck.zone, hands, deck.order.index_of[strengths], kinds)
    for hand, strength, known in zip(hands, strengths.tolist(), kinds, strict=True):
        held, weights = np.zeros(JOKER + 1, np.int64), weigh_kinds(strength)
        index = int(deck.order.index_of[strength])
        seen_cards.sum_cards(
            deck.zone,
            seen_cards.card_weights(deck.zone, index, len(deck.order.strengths), weights),
            hand,
            held,
        )
        assert held.sum() == 7 * known @ np.array(weights)


@pytest.mark.slow
def test_dealers_at_random_are_those_that_are_counted() -> None:
    """A pair of nines against 2,000 dealers with the joker, and all of them."""
    deck, rng = counted_deck(), np.random.default_rng(7)
    hand = np.sort(np.array(cards("9c 9d 2h 4s 6c Jd Kh"), np.uint8))
    strength = int(poker.strength(poker.tables(), hand))
    held = np.zeros(JOKER + 1, np.int64)
    weights = weigh_kinds(strength)
    index = int(deck.order.index_of[strength])
    counted = seen_cards.card_weights(deck.zone, index, len(deck.order.strengths), weights)
    seen_cards.sum_cards(deck.zone, counted, hand, held)
    rest = np.array([JOKER, *(c for c in range(52) if c not in hand)], np.uint8)
    drawn = seen_cards.draw_dealers(rng, rest, strength, LISTED_NETS).mean()
    known = held[JOKER] / comb(45, 6)
    assert abs(drawn - known) < 5 * max(weights) / 2 / np.sqrt(2 * seen_cards.SAMPLED_DEALERS)
    assert 0 < known < max(weights)
