"""The checker's own evaluators, against slow readings of the same hands written here."""

import random
from itertools import combinations, permutations

import numpy as np
import pytest

from feltlab.certifying import check_certificate as checker
from feltlab.games import GAMES


@pytest.mark.parametrize("name", checker.RULES)
def test_options_choices_and_pay_tables_are_those_of_the_rules(name):
    """The checker's reading was written apart; a change of the rules has to be made in both."""
    game, own = GAMES[name], checker.RULES[name]
    assert own.options == {option.name: tuple(option.values) for option in game.rules.OPTIONS}
    assert own.choices == tuple(choice.name for choice in game.choices)
    for spot, place in zip(game.spots, own.places, strict=True):
        tables = {
            t.name: tuple((x.outcome, x.pays, spot.most_units_of(x)) for x in t.lines) for t in spot.tables
        }
        assert place.tables == tables
        assert (place.name, place.raises, place.size) == (spot.name, spot.raises or "", spot.size)
        assert (place.option, place.at_most) == (spot.option or "", spot.at_most or "")
        assert place.required == spot.required


def slow_five(hand):
    """Five natural cards: a category and the ranks that decide, best first."""
    ranks = sorted((card >> 2 for card in hand), reverse=True)
    groups = sorted(((ranks.count(rank), rank) for rank in set(ranks)), reverse=True)
    flush = len({card & 3 for card in hand}) == 1
    top = -1
    if len(groups) == 5:
        top = ranks[0] if ranks[0] - ranks[4] == 4 else 3 if ranks == [12, 3, 2, 1, 0] else -1
    shape = [n for n, _ in groups]
    order = [rank for _, rank in groups]
    if top >= 0 and flush:
        return (9 if top == 12 else 8, [] if top == 12 else [top])
    if shape[0] == 4:
        return 7, order
    if shape == [3, 2]:
        return 6, order
    if flush:
        return 5, ranks
    if top >= 0:
        return 4, [top]
    return {3: 3, 2: 2 if shape[:2] == [2, 2] else 1, 1: 0}[shape[0]], order


def slow_best(hand):
    """The best five of some cards; a joker is tried as every card that it may stand for."""
    if checker.JOKER not in hand:
        return max(slow_five(five) for five in combinations(hand, 5))
    natural = [card for card in hand if card != checker.JOKER]
    found = [slow_five(five) for five in combinations(natural, 5)]
    for four in combinations(natural, 4):
        if all(card >> 2 == 12 for card in four):
            return 10, []
        for card in set(range(52)) - set(four):
            category, ranks = slow_five((*four, card))
            if card >> 2 == 12 or category in (4, 5, 8, 9):
                found.append((category, ranks))
    return max(found)


def strength_of(found):
    category, ranks = found
    return checker.number_of(checker.pack_strength(category, *ranks))


@pytest.mark.parametrize(("size", "cards"), [(5, 52), (6, 52), (7, 53)])
def test_poker_strengths_are_those_of_a_slow_reading(size, cards):
    generator = random.Random(size)
    hands = [generator.sample(range(cards), size) for _ in range(120)]
    suited = [card for card in range(cards) if card & 3 == 0]
    others = range(1, 48, 4)
    hands += [generator.sample(suited, 5) + generator.sample(others, size - 5) for _ in range(60)]
    if cards > 52:
        hands += [[*generator.sample(range(52), size - 1), checker.JOKER] for _ in range(60)]
        hands += [[48, 49, 50, 51, checker.JOKER, 0, 5], [0, 4, 8, 12, checker.JOKER, 50, 41]]
    found = checker.poker_of(size, cards > 52).strengths(np.array(hands))
    for hand, strength in zip(hands, found.tolist(), strict=True):
        assert strength == strength_of(slow_best(hand)), hand


def test_there_are_7462_strengths_and_five_aces():
    assert len(checker.strength_list()) == 7463


@pytest.mark.parametrize(
    ("hand", "points"),
    [
        ((0, 5, 14), 10),  # deuce, trey and five of other suits
        ((48, 0, 4), 0),  # ace, deuce, trey of one suit
        ((44, 48, 21), 18),  # king and ace of one suit are no run: 10 + 1 + 7
        ((40, 44, 21), 7),  # queen and king of one suit are one
        ((32, 33, 21), 7),  # a pair of tens
        ((0, 1, 2), 0),
    ],
)
def test_rummy_points(hand, points):
    assert checker.rummy_points(hand) == points


def test_pair_plus_outcomes_of_all_hands_have_their_known_numbers():
    counts = np.bincount([checker.pair_plus_outcome(hand) for hand in combinations(range(52), 3)])
    # Royal 4; straight flushes 48 - 4; threes 13 * 4; straights 720; flushes 1,096; pairs 3,744; the rest.
    assert counts.tolist() == [4, 44, 52, 720, 1096, 3744, 16440]


def test_classes_of_cards_are_the_orbits_of_renaming_suits():
    sets = checker.colex_sets(3, 52)[::3]
    seen = {}
    for hand, key in zip(sets.tolist(), checker.class_keys(sets).tolist(), strict=True):
        orbit = min(tuple(sorted(card & ~3 | to[card & 3] for card in hand)) for to in permutations(range(4)))
        assert seen.setdefault(key, orbit) == orbit
    assert len(seen) > 1500


def test_weights_are_the_sizes_of_orbits():
    classes = checker.set_classes(4, 52)
    keys = checker.class_keys(classes.hands)
    assert (checker.orbit_sizes(checker.key_masks(keys)) == classes.weights).all()
    assert len(keys) == 16432
    longer = checker.add_a_card(checker.class_keys(checker.set_classes(3, 52).hands))
    assert (np.sort(keys) == longer).all()


@pytest.mark.parametrize("hits", [True, False])
def test_the_dealer_counted_by_sets_is_the_dealer_dealt_card_by_card(hits):
    values = np.array([[1, 1, 0, 1, 0, 0, 1, 0, 0, 2]])
    for up in (0, 5, 9):
        left = (np.array(checker.IN_DECK) - values[0] - np.eye(10, dtype=int)[up]).tolist()
        out = [0] * 7
        checker.deal_dealer(left, np.eye(10, dtype=int)[up].tolist(), hits, 1, out)
        assert checker.dealer_ways(values, up, hits)[0].tolist() == out
        assert sum(out) == checker.ORDERS


def test_draws_are_fair_and_depend_on_nonce_and_manifest():
    drawer = checker.Drawer("a", "b")
    counts = np.bincount([drawer.below(5) for _ in range(5000)])
    assert counts.min() > 850  # mean 1,000, standard deviation 28
    first = [checker.Drawer(nonce, digest).below(10**9) for nonce in "ab" for digest in "cd"]
    assert len(set(first)) == 4
    assert checker.Drawer("a", "c").below(10**9) == first[0]


def test_places_are_drawn_by_weight():
    drawn = checker.Drawer("x", "y").weighted(np.array([0, 3, 0, 1]), 2000)
    counts = np.bincount(drawn, minlength=4)
    assert counts[0] == counts[2] == 0
    assert 1400 < counts[1] < 1600  # mean 1,500, standard deviation 19
