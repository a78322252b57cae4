"""Mistakes and their price: each is a difference of two proofs."""

from fractions import Fraction
from math import comb

import pytest

from feltlab.analysis.first_choices import list_first_choices
from feltlab.analysis.mistakes import choice_mistakes, find_mistakes, strategy_mistakes
from feltlab.core.stake import default_stake
from feltlab.games import GAMES
from feltlab.proving.proof import prove


def test_a_strategy_costs_the_difference_of_its_loss() -> None:
    war, best = GAMES["casino-war"], prove("casino-war")
    (mistake,) = strategy_mistakes(best)
    assert mistake.name == "surrender"
    assert mistake.extra == prove(war, strategy="surrender").loss - best.loss > 0


def test_one_wrong_choice_everywhere_costs_what_the_strategy_that_makes_it_costs() -> None:
    """Playing where folding is best is never folding: summed by classes, and proved as a law of its own."""
    best = prove("triple-shot-rummy")
    wrong = {(one.best, one.made): one for one in choice_mistakes(best)}
    never_fold = prove("triple-shot-rummy", strategy="never-fold")
    assert wrong["fold", "play"].extra == never_fold.loss - best.loss
    assert wrong["fold", "play"].share == best.first_choices["fold"]
    assert wrong["play", "fold"].share == best.first_choices["play"]
    # Folding always loses the unit on the Ante; and it is the sum of both: nothing is left to choose.
    assert best.loss + wrong["play", "fold"].extra == Fraction(1)


def test_a_mistake_with_a_name_is_listed_once_and_the_dearest_first() -> None:
    game = GAMES["triple-shot-rummy"]
    found = find_mistakes(game, default_stake(game))
    prices = [Fraction(one["extra"]["exact"]) for one in found["strategies"]]
    assert prices == sorted(prices, reverse=True)
    assert [(one["best"], one["made"]) for one in found["choices"]] == [("play", "fold")]
    assert len(set(prices)) == len(prices)


def test_a_stake_without_a_choice_has_no_mistakes() -> None:
    game = GAMES["triple-shot-rummy"]
    stake = {spot.name: Fraction(spot.name == "pair-plus") for spot in game.wagers}
    assert find_mistakes(game, stake) == {"strategies": [], "choices": []}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ultimate-texas-holdem", "texas-holdem-bonus"])
def test_first_choices_before_a_board_are_counted_by_hole_cards(name: str) -> None:
    """Later choices have too many classes for a list; first ones are as often the best as the law says."""
    game = GAMES[name]
    listed = list(list_first_choices(game, default_stake(game)).rows)
    assert (len(listed), sum(row.hands for row in listed)) == (169, comb(52, 2))
    shares = prove(game).first_choices
    for best, share in shares.items():
        rows = [row for row in listed if game.choices[row.choice].name == best]
        assert Fraction(sum(row.hands for row in rows), comb(52, 2)) == share
        priced = [one for one in find_mistakes(game, default_stake(game))["choices"] if one["best"] == best]
        assert priced
        assert all(Fraction(one["share"]["exact"]) == share for one in priced)
