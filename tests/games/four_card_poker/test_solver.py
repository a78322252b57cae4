"""Four Card Poker's proof against its rules, by a small deck and by hands against all dealers."""

from fractions import Fraction
from functools import cache
from math import comb

import numpy as np
import pytest

from feltlab.core.cards import cards
from feltlab.core.layout import new_outcomes
from feltlab.core.round import Round
from feltlab.counting.dealer_kinds import EQUAL, HIGHER, LOWER
from feltlab.counting.one_street.class_counts import SLICES, nets_of, values_of
from feltlab.counting.showdown_solver import count_hand, count_showdown
from feltlab.counting.tree.solver import tree_solver
from feltlab.games import GAMES
from feltlab.games.four_card_poker import rules
from feltlab.games.four_card_poker.solver import SHOWDOWN, SOLVER
from feltlab.games.four_card_poker.strategies import STRATEGIES
from feltlab.parallel.progress import nobody_listens
from feltlab.parallel.threads import slices
from feltlab.proving.proof import prove
from tests.support.small_decks import with_deck

GAME = GAMES["four-card-poker"]
ANTE = GAME.spot("ante")
STAKE = {"ante": Fraction(1)}
DEALERS = comb(46, 5)
# Hands with the up card: it matches the pair, a kicker, a suit, or nothing.
SEEN = [
    "Tc Td Ah 9s 4c Th",
    "Tc Td Ah 9s 4c As",
    "Kh Qh 9h 5d 3s 8h",
    "2c 2d Ah Ks 9c 2s",
    "Ac Kd 9h 7s 3c 5d",
]


@cache
def counts_of_the_deck():
    return count_showdown(SHOWDOWN, GAME, nobody_listens)


def seen_shoe(text):
    return np.array([*cards(text), *[-1] * 5], np.int8)


def test_the_judge_says_what_the_rules_settle():
    """On random deals, and for every choice."""
    generator, settled, judged = np.random.default_rng(9), new_outcomes(4), new_outcomes(4)
    for _ in range(300):
        shoe = generator.permutation(52)[:11].astype(np.int8)
        player, dealer = (int(SHOWDOWN.read(shoe[None, part].astype(np.uint8))[0]) for part in HALVES)
        for choice in range(len(GAME.choices)):
            rules.settle(GAME.kernel_data, shoe, np.array([choice], np.int8), settled)
            rules.judge(GAME.kernel_data, choice, player, dealer, judged)
            assert settled.tolist() == judged.tolist()


HALVES = (slice(0, 5), slice(5, 11))


@pytest.mark.slow  # the tree is compiled for the game
def test_a_small_deck_as_the_rules_settle_it():
    """Every deal of fifteen cards with straights and flushes, through `legal` and `settle`."""
    small = with_deck(GAME, "2c 2d 2h 3c 3d 3h 4c 4d 4h 9c 9d 9h Ac Ad Ah")
    tree = tree_solver(STRATEGIES)
    for strategy in ("optimal", "cautious", "simple"):
        proved = SOLVER.solve(small, STAKE, strategy, nobody_listens)
        walked = tree.solve(small, STAKE, strategy, nobody_listens)
        orders = sum(walked.counts.values()) // sum(proved.counts.values())  # the tree deals cards in order
        assert {joint: n * orders for joint, n in proved.counts.items()} == dict(walked.counts)
        assert {name: n * orders for name, n in proved.first_choices.items()} == dict(walked.first_choices)


@pytest.mark.slow
def test_the_whole_deck():
    """Every deal is counted once, and hands meet the dealers that can be dealt."""
    counts = counts_of_the_deck()
    assert int(counts.weights.sum()) == comb(52, 5) * 47
    assert (counts.counts.sum(axis=1) == DEALERS).all()
    assert prove(GAME).tally.deals == comb(52, 5) * 47 * DEALERS == 167_439_136_344_480
    for text in SEEN:
        dealt = count_hand(SHOWDOWN, GAME, seen_shoe(text))
        assert dealt.counts[0].tolist() == counts.counts[find_class(counts, cards(text))].tolist()


def find_class(counts, seen):
    """The row of a class: the same ranks, and suits of the same pattern."""
    *held, up = (card >> 2 for card in seen)
    ranks = np.sort(counts.shoes[:, :5] >> 2, axis=1)
    near = np.flatnonzero((ranks == sorted(held)).all(axis=1) & (counts.shoes[:, 5] >> 2 == up)).tolist()
    return next(row for row in near if pattern(counts.shoes[row, :6].tolist()) == pattern(seen))


def pattern(seen):
    *held, up = seen
    suits = range(4)
    return sorted((sorted(card >> 2 for card in held if card & 3 == suit), up & 3 == suit) for suit in suits)


@pytest.mark.slow
def test_the_edges_of_the_named_plays():
    """2.78785 per Ante is printed as 2.79; 3.40 is printed for the simple strategy."""
    edges = {name: -prove(GAME, strategy=name).tally.expected(ANTE) for name in SOLVER.strategies}
    assert f"{float(edges['optimal']):.5%}" == "2.78785%"
    assert f"{float(edges['simple']):.2%}" == "3.40%"
    assert edges["optimal"] == edges["cautious"]
    assert edges["optimal"] < edges["up-card-rank"] < edges["own-hand"] < edges["simple"]


@pytest.mark.slow
def test_no_play_by_the_own_hand_loses_as_little_as_is_printed():
    """1.50 per money bet is printed; a play that does not read the up card loses 1.5757 or more.

    Give back that share of all wagers: then every choice of every hand together still wins nothing.
    """
    counts = counts_of_the_deck()
    nets, sums = nets_of(GAME, STAKE, counts), np.zeros((int(counts.group.max()) + 1, 4))
    for part in slices(len(counts.group), SLICES):
        values = values_of(counts, nets, part) * counts.weights[part, None]
        np.add.at(sums, counts.group[part], values / (nets.parts * counts.deals))
    wagers = np.array([1 + GAME.choices[n].puts.count("play") for n in range(4)])
    hands = np.bincount(counts.group, counts.weights)
    best = [(sums + share * hands[:, None] * wagers).max(axis=1).sum() for share in (0.015756, 0.015758)]
    assert best[0] < 0 < best[1]


@pytest.mark.slow
def test_twice_the_ante_is_never_the_only_best():
    """The value of a Play wager is linear in its size."""
    assert "play-2x" not in prove(GAME).law.first_choices
    assert prove(GAME).law.equal_positions == 7


@pytest.mark.parametrize("text", SEEN)
def test_kinds_of_dealers_give_the_value_of_each_choice(text):
    counts = count_hand(SHOWDOWN, GAME, seen_shoe(text)).counts[0]
    won, lost = int(counts[LOWER] + counts[EQUAL]), int(counts[HIGHER])
    assert won + lost == DEALERS
    round = Round.of(GAME, " ".join(text.split()[:5]), text.split()[5], ante=100)
    values = SOLVER.values(round, STAKE)
    assert values["fold"] == -1
    for units in (1, 2, 3):
        assert values[f"play-{units}x"] == Fraction((1 + units) * (won - lost), DEALERS)
