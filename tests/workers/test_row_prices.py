"""The price of each row of a strategy card, held to proofs of the same mistake."""

from fractions import Fraction

from feltlab.core.stake import default_stake
from feltlab.games import GAMES
from feltlab.parallel.progress import nobody_listens
from feltlab.proving.proof import prove
from feltlab.workers.row_prices import price_rows


def test_not_following_a_row_costs_what_the_strategy_without_it_costs() -> None:
    """Folding only what the card folds, or nothing: the rows of a card with two lines are two proofs."""
    game, best = GAMES["triple-shot-rummy"], prove("triple-shot-rummy")
    play, fold = price_rows(game, default_stake(game), nobody_listens)
    assert (play["choice"], fold["choice"]) == ("play", "fold")
    assert Fraction(play["share"]["exact"]) == best.first_choices["play"]
    never_fold = prove(game, strategy="never-fold")
    assert Fraction(fold["extra"]["exact"]) == never_fold.loss - best.loss
    assert Fraction(play["extra"]["exact"]) == 1 - best.loss  # who always folds loses the Ante


def test_a_game_whose_classes_are_ranks_has_no_prices_of_rows() -> None:
    game = GAMES["casino-war"]
    assert price_rows(game, default_stake(game), nobody_listens) == []
