"""The proof of Mississippi Stud against every deal of small decks, and against sums over sets of cards."""

from fractions import Fraction
from itertools import combinations
from math import comb, perm

import numpy as np
import pytest
from numpy.typing import NDArray

from feltlab.core.cards import cards
from feltlab.core.game import Game
from feltlab.core.hands import poker
from feltlab.core.round import Round
from feltlab.core.stake import check_stake
from feltlab.games import GAMES, solver_of
from feltlab.games.mississippi_stud import rules
from feltlab.parallel.progress import nobody_listens
from feltlab.proving.advice import advise
from feltlab.proving.proof import prove
from tests.support.small_decks import try_everything, with_deck

Ints = NDArray[np.int64]
GAME = GAMES["mississippi-stud"]
SMALL = with_deck(GAME, "Jc Jd 6c 6d 4c 4d 2c")  # not two whole suits: suits are not alike
EVEN = with_deck(GAME, "Jc Jd 6c 6d 4c 4d")
BOTH = check_stake(GAME, {"ante": 1, "three-card-bonus": 1})
SIZES = (1, 2, 3)


@pytest.mark.parametrize("game", [SMALL, EVEN], ids=["uneven suits", "two whole suits"])
@pytest.mark.parametrize("strategy", ["optimal", "cautious"])
def test_a_small_deck_has_the_law_of_every_deal(strategy: str, game: Game) -> None:
    law = solver_of(GAME).solve(game, BOTH, strategy, nobody_listens)
    slow = try_everything(game, BOTH, cautious=strategy == "cautious")
    assert law.counts == slow.counts
    for street, name in enumerate(GAME.streets):
        assert law.streets[name] == {choice: n for (at, choice), n in slow.made.items() if at == street}


def test_every_deal_is_counted_once() -> None:
    law = prove(GAME).law
    assert sum(law.counts.values()) == sum(law.first_choices.values()) == perm(52, 5)


def test_2x_is_never_the_only_best_choice() -> None:
    """The value of a bet is convex in its size: after the best play below, a maximum of linear functions."""
    for strategy, sizes in (("optimal", {"bet-3x", "bet-1x"}), ("cautious", {"bet-3x", "bet-1x"})):
        for made in prove(GAME, strategy=strategy).law.streets.values():
            assert set(made) == {*sizes, "fold"}


# -- Sums over sets of cards, which share nothing with the prover but the judge of five cards ---------


def pays_of_fives(game: Game) -> Ints:
    """The pay of a unit for every five cards, in the order of their numbers among the sets of five."""
    fives = sets_of(5).astype(np.uint8)
    strengths = np.empty(len(fives), np.uint16)
    poker.strengths(poker.tables(), fives, strengths)
    lines = game.pay_table(game.spot("ante")).lines
    judged = {int(s): int(lines[rules.judge(int(s))].pays) for s in np.unique(strengths)}
    found = np.vectorize(judged.__getitem__)(strengths).astype(np.int64)
    ordered = np.empty_like(found)
    ordered[numbers_of(fives)] = found
    return ordered


def sets_of(size: int) -> Ints:
    flat = np.fromiter((card for cards in combinations(range(52), size) for card in cards), np.int64)
    return flat.reshape(-1, size)


def numbers_of(sets: Ints) -> Ints:
    """The number of each set of rising cards among all sets of its size."""
    choose = np.array([[comb(n, k) for k in range(6)] for n in range(53)])
    return sum((choose[sets[:, k], k + 1] for k in range(sets.shape[1])), np.zeros(len(sets), np.int64))


def add_over_next_card(values: Ints, size: int) -> Ints:
    """For each set of `size` cards, the sum of the values of all sets with one more card."""
    larger = sets_of(size + 1)
    by_set, sums = values[numbers_of(larger)], np.zeros(comb(52, size), np.int64)
    for left_out in range(size + 1):
        np.add.at(sums, numbers_of(np.delete(larger, left_out, axis=1)), by_set)
    return sums


def expected_by_sets(game: Game) -> Fraction:
    """The expected net of one Ante: backward through the streets, by the units put down so far."""
    fifth = add_over_next_card(pays_of_fives(game), 4)
    of_four = {put: play_best([(put + n) * fifth for n in SIZES], put * 48) for put in range(3, 8)}
    fourth = {put: add_over_next_card(values, 3) for put, values in of_four.items()}
    of_three = {put: play_best([fourth[put + n] for n in SIZES], put * 49 * 48) for put in range(2, 5)}
    third = {put: add_over_next_card(values, 2) for put, values in of_three.items()}
    of_two = play_best([third[1 + n] for n in SIZES], 50 * 49 * 48)
    return Fraction(int(of_two.sum()), comb(52, 2) * 50 * 49 * 48)


def play_best(bets: list[Ints], lost: int) -> Ints:
    """The value of the best bet, or of a fold that loses everything on every deal."""
    return np.maximum.reduce([*bets, np.full_like(bets[0], -lost)])


@pytest.mark.slow
@pytest.mark.parametrize("pays", ["1", "2"])
def test_the_edge_by_sums_over_sets_of_cards(pays: str) -> None:
    game = GAME.with_options({"pays": pays})
    proof = prove(game)
    assert proof.tally.total_expected(proof.stake) == expected_by_sets(game)


def test_advice_on_the_fifth_street_is_the_mean_over_the_last_card() -> None:
    start = Round.of(GAME, "Ks 9h", "Kd 4c", ante=100).choose("bet-2x", "bet-3x")
    worth = {one.choice: one.expected for one in advise(start)}
    seen, lines = cards("Ks 9h Kd 4c"), GAME.pay_table(GAME.spot("ante")).lines
    fives = np.array([[*seen, card] for card in range(52) if card not in seen], np.uint8)
    mean = sum(lines[rules.judge(poker.strength(poker.tables(), five))].pays for five in fives) / len(fives)
    assert worth == {"bet-3x": 900 * mean, "bet-2x": 800 * mean, "bet-1x": 700 * mean, "fold": -600}


def test_sizes_are_followed_once_and_advice_depends_on_what_was_bet() -> None:
    """The same cards after other bets: a fold loses what was put down, so larger bets make it dearer."""
    for first, lost in (("bet-1x", 200), ("bet-3x", 400)):
        start = Round.of(GAME, "9s 4h", "2d", ante=100).choose(first)
        assert next(one.expected for one in advise(start) if one.choice == "fold") == -lost
