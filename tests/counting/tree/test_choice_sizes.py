"""Choices that differ only by their size share one walk, unless the rules read the size."""

from collections import Counter
from types import ModuleType
from typing import cast

import pytest

from feltlab.core.cards import Cards
from feltlab.core.game import Game
from feltlab.core.layout import OPEN
from feltlab.core.round import Round
from feltlab.core.rules import Rules
from feltlab.core.stake import default_stake
from feltlab.counting.tree.choice_sizes import sizes_of
from feltlab.counting.tree.positions import log_nothing, log_position
from feltlab.counting.tree.solve import TreeResult, follow_apart, plan_walk, walk_all
from feltlab.counting.tree.solver import tree_solver
from feltlab.games import GAMES
from feltlab.kernel import Array, lean
from feltlab.parallel.progress import nobody_listens
from tests.support.small_decks import net_of, try_everything, with_deck
from tests.support.toy_games import STREETS, streets

SMALL = with_deck(STREETS, "2c 2d 3c 3d Ac Ad Ah")
plain_settle, plain_legal, plain_visible = streets.settle, streets.legal, streets.visible


@lean
def settle_bet_4_as_won(
    kernel_data: streets.StreetsHouse, shoe: Array, choices: Array, outcomes: Array
) -> None:
    """A tie wins for a player who has bet four units."""
    plain_settle(kernel_data, shoe, choices, outcomes)
    if len(choices) == 2 and choices[0] == streets.BET_4 and outcomes[streets.AT_OPENING] == streets.TIED:
        outcomes[streets.AT_OPENING] = streets.WON


@lean
def forbid_bet_after_bet_4(kernel_data: streets.StreetsHouse, shoe: Array, choices: Array) -> int:
    """A player who has bet four units can only check."""
    if len(choices) == 1 and choices[0] == streets.BET_4:
        return 1 << streets.CHECK
    return plain_legal(kernel_data, shoe, choices)


@lean
def hide_board_after_bet_4(
    kernel_data: streets.StreetsHouse, shoe: Array, choices: Array, seen: Array
) -> None:
    """A player who has bet four units does not see the first card of the board."""
    plain_visible(kernel_data, shoe, choices, seen)
    if len(choices) == 1 and choices[0] == streets.BET_4:
        seen[streets.BOARD_START] = -2


def with_kernels(**kernels: object) -> Game:
    """Toy Streets with other kernels."""
    rules = ModuleType(SMALL.rules.__name__)
    vars(rules).update(vars(SMALL.rules) | kernels)
    return Game(cast(Rules, rules), SMALL.chosen, SMALL.pays)


UNLIKE = {
    "settle": with_kernels(settle=settle_bet_4_as_won),
    "legal": with_kernels(legal=forbid_bet_after_bet_4),
    "visible": with_kernels(visible=hide_board_after_bet_4),
}


def walk(game: Game, apart: bool = False) -> TreeResult:
    plan = plan_walk(game, default_stake(game))
    plan = follow_apart(plan) if apart else plan
    return walk_all(plan, None, game.kernel_data, log_position, log_nothing(game))


@pytest.mark.parametrize(
    ("name", "groups"),
    [
        ("mississippi-stud", ["bet-3x bet-2x bet-1x", "fold"]),
        ("big-raise-stud", ["raise-4x raise-3x raise-2x raise-1x", "fold"]),
        ("triple-shot-rummy", ["play", "fold"]),
        ("let-it-ride", ["ride", "pull"]),
    ],
)
def test_sizes_put_units_on_the_same_spots(name: str, groups: list[str]) -> None:
    game = GAMES[name]
    sizes = sizes_of(game)
    found = {" ".join(c.name for n, c in enumerate(game.choices) if mask >> n & 1) for mask in sizes.tolist()}
    assert found == set(groups)


def test_choices_with_as_many_units_are_not_sizes() -> None:
    """A double and a split both put one unit down; they deal other cards."""
    game = GAMES["triple-shot-bonus"]
    sizes = sizes_of(game)
    assert [int(mask).bit_count() for mask in sizes] == [1] * len(game.choices)


def test_one_walk_for_all_sizes_finds_the_same_as_one_walk_each() -> None:
    together, apart = walk(SMALL), walk(SMALL, apart=True)
    assert together.counts == apart.counts
    assert (together.made, together.equal) == (apart.made, apart.equal)
    assert together.values.tolist() == apart.values.tolist()
    assert together.ends < apart.ends / 2  # check and four bets, of which one is followed


@pytest.mark.parametrize("kernel", UNLIKE)
def test_rules_that_read_the_size_are_walked_choice_by_choice(kernel: str) -> None:
    game = UNLIKE[kernel]
    found, apart = walk(game), walk(game, apart=True)
    assert found.counts == apart.counts
    assert found.ends == apart.ends
    assert found.counts != walk(SMALL).counts


def test_rules_that_read_the_size_have_the_law_and_the_advice_of_every_deal() -> None:
    game = UNLIKE["settle"]
    stake = default_stake(game)
    slow, solver = try_everything(game, stake), tree_solver()
    law = solver.solve(game, stake, "optimal", nobody_listens)
    assert net_of(game, stake, Counter(law.counts)) == net_of(game, stake, slow.counts)
    seen, values = next(iter(slow.first_values.items()))
    round = Round(game, Cards(max(card, -1) for card in seen), {"ante": 100, "blind": 100})
    assert solver.values(round, stake) == values
    assert OPEN not in {number for joint in law.counts for number in joint}
