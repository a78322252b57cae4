"""The best play by a part of what is seen, on a deck of fifteen cards."""

from fractions import Fraction

import numpy as np
import pytest

from feltlab.core.tally import Tally
from feltlab.counting.one_street.class_counts import choose_best, nets_of, values_of
from feltlab.counting.one_street.limited_play import choose_alike
from feltlab.counting.showdown_solver import count_showdown
from feltlab.counting.tree.solve import tie_order
from feltlab.games import GAMES
from feltlab.games.four_card_poker.solver import LIMITED, SHOWDOWN, SOLVER
from feltlab.parallel.progress import nobody_listens
from tests.support.small_decks import with_deck

GAME = with_deck(GAMES["four-card-poker"], "2c 2d 2h 3c 3d 3h 4c 4d 4h 9c 9d 9h Ac Ad Ah")
STAKE = {"ante": Fraction(1)}


@pytest.fixture(scope="module")
def counts():
    return count_showdown(SHOWDOWN, GAME, nobody_listens)


def test_who_reads_everything_makes_the_best_play(counts):
    best = choose_best(counts, nets_of(GAME, STAKE, counts), tie_order(GAME, False)[0]).choices
    every = np.arange(len(counts.group))
    assert (choose_alike(counts, every, GAME, STAKE) == best).all()


@pytest.mark.parametrize("name", LIMITED)
def test_what_is_read_alike_has_one_choice_and_no_better_one(name, counts):
    read = LIMITED[name].read(counts)
    choices = choose_alike(counts, read, GAME, STAKE)
    values = values_of(counts, nets_of(GAME, STAKE, counts), slice(0, len(read)))
    for seen in np.unique(read):
        rows = read == seen
        totals = counts.weights[rows] @ values[rows]
        assert len(set(choices[rows].tolist())) == 1
        assert totals[choices[rows][0]] == totals.max()


def test_a_law_has_every_deal_and_loses_more_than_the_best_play():
    laws = {
        name: SOLVER.solve(GAME, STAKE, name, nobody_listens)
        for name in ("optimal", "up-card-rank", "own-hand")
    }
    assert len({sum(law.counts.values()) for law in laws.values()}) == 1
    nets = [Tally(GAME, law.counts).total_expected(STAKE) for law in laws.values()]
    assert nets == sorted(nets, reverse=True)
    assert len(set(nets)) == 3


def test_the_keys_of_laws_differ_by_strategy_and_by_pays():
    game = GAMES["four-card-poker"]
    other = game.with_pays("ante", {"better or equal hand": 2})
    keys = [SOLVER.law_key(each, STAKE, name) for each in (game, other) for name in (*LIMITED, "optimal")]
    assert len({str(key) for key in keys}) == len(keys)
    simple = {str(SOLVER.law_key(each, STAKE, "simple")) for each in (game, other)}
    assert len(simple) == 1  # a rule of thumb does not depend on pays
