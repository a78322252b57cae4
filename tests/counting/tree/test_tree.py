"""The prover of any game against every deal of small decks in plain Python, and against itself."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from math import perm

import pytest

from feltlab.core.cards import Cards
from feltlab.core.game import Game
from feltlab.core.round import Round
from feltlab.core.stake import default_stake
from feltlab.counting.tree import solver as tree
from feltlab.counting.tree.deals import faces_of, root_classes, total_deals
from feltlab.counting.tree.decisions import look_up
from feltlab.counting.tree.estimate import estimate_ends
from feltlab.counting.tree.positions import log_nothing, log_position
from feltlab.counting.tree.solve import plan_walk, walk_all
from feltlab.counting.tree.solver import tree_solver
from feltlab.errors import Refused
from feltlab.games import GAMES, solver_of
from feltlab.parallel.progress import nobody_listens
from feltlab.proving.proof import prove
from tests.support.small_decks import net_of, try_everything, with_deck
from tests.support.toy_games import STREETS

SOLVER = tree_solver()
EIGHT = "Qc Qd 6c 6d 4c 4d 2c 2d"  # two whole suits, so that suits are alike
SMALL = {
    "toy-streets": with_deck(STREETS, "2c 2d 3c 3d Ac Ad Ah"),
    "triple-shot-rummy": with_deck(GAMES["triple-shot-rummy"], EIGHT),
}
STAKED = {"ante": Fraction(1), "ace": Fraction(1), "three-card-bonus": Fraction(2), "pair-plus": Fraction(1)}


def stake_of(game: Game, side_bets: bool) -> dict[str, Fraction]:
    """The default stake, or one with side bets too."""
    staked = STAKED if side_bets else {}
    return {bet: max(units, staked.get(bet, Fraction(0))) for bet, units in default_stake(game).items()}


@pytest.mark.parametrize("side_bets", [False, True], ids=["main game", "side bets"])
@pytest.mark.parametrize("strategy", ["optimal", "cautious"])
@pytest.mark.parametrize("name", SMALL)
def test_the_law_is_that_of_every_deal(name: str, strategy: str, side_bets: bool) -> None:
    game = SMALL[name]
    stake = stake_of(game, side_bets)
    slow = try_everything(game, stake, strategy == "cautious")
    law = SOLVER.solve(game, stake, strategy, nobody_listens)
    assert sum(law.counts.values()) == total_deals(game)
    assert net_of(game, stake, Counter(law.counts)) == net_of(game, stake, slow.counts)
    if name != "toy-streets":  # its choices are not listed from the largest wager down
        assert law.counts == slow.counts
        assert law.first_choices == {name: n for (street, name), n in slow.made.items() if street == 0}


@pytest.mark.parametrize("name", SMALL)
def test_values_are_those_of_every_deal(name: str) -> None:
    game, stake = SMALL[name], default_stake(SMALL[name])
    first = try_everything(game, stake).first_values
    for seen in list(first)[:: max(len(first) // 8, 1)]:
        known = Cards(max(card, -1) for card in seen)
        round = Round(game, known, {bet: 100 for bet, units in stake.items() if units})
        assert SOLVER.values(round, stake) == first[seen]


@pytest.mark.parametrize("name", SMALL)
def test_a_player_who_looks_choices_up_has_the_same_law(name: str) -> None:
    game, stake = SMALL[name], default_stake(SMALL[name])
    player = SOLVER.player(game, "optimal", SOLVER.decisions(game, stake, "optimal"))
    assert player.decide is look_up
    followed = walk_all(plan_walk(game, stake), player.decide, player.data, log_position, log_nothing(game))
    assert followed.counts == SOLVER.solve(game, stake, "optimal", nobody_listens).counts


@pytest.mark.parametrize("name", ["casino-war", "triple-shot-rummy", "rabbit-hunter"])
def test_the_weights_of_classes_add_up_to_all_first_cards(name: str) -> None:
    game = GAMES[name]
    roots = root_classes(game, faces_of(game))
    seen = int((roots.shoes[0] >= 0).sum()) if len(roots.shoes) else 0
    assert sum(roots.weights.tolist()) == perm(len(game.deck), seen)


def test_a_game_that_is_too_large_is_refused_with_the_estimate(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree, "MOST_ENDS", 10.0)
    game = SMALL["triple-shot-rummy"]
    with pytest.raises(Refused, match=r"about \de\+\d+ deals to visit.* at most 1e\+01"):
        SOLVER.solve(game, default_stake(game), "optimal", nobody_listens)


@pytest.mark.parametrize("name", SMALL)
def test_the_estimate_is_within_a_factor_of_three(name: str) -> None:
    game = SMALL[name]
    found = walk_all(
        plan_walk(game, default_stake(game)), None, game.kernel_data, log_position, log_nothing(game)
    )
    assert 1 / 3 < estimate_ends(game) / found.ends < 3


def test_cautious_play_has_the_same_value_and_smaller_wagers() -> None:
    game = SMALL["toy-streets"]
    stake = default_stake(game)
    bold, careful = (SOLVER.solve(game, stake, name, nobody_listens) for name in ("optimal", "cautious"))
    assert net_of(game, stake, Counter(bold.counts)) == net_of(game, stake, Counter(careful.counts))
    assert (bold.equal_positions or 0) == (careful.equal_positions or 0)


@pytest.mark.slow
def test_casino_war_by_its_own_solver_and_by_the_tree() -> None:
    game = GAMES["casino-war"]
    stake = default_stake(game)
    own, by_tree = (
        solver.solve(game, stake, "optimal", nobody_listens) for solver in (solver_of(game), SOLVER)
    )
    deals = [Fraction(sum(law.counts.values())) for law in (own, by_tree)]
    joint = {*own.counts, *by_tree.counts}
    assert all(own.counts.get(j, 0) / deals[0] == by_tree.counts.get(j, 0) / deals[1] for j in joint)


def test_a_pay_table_without_a_stake_shares_the_law() -> None:
    """Rules read no pay, so only what is staked decides; a pay table without a stake needs no new walk."""
    game = GAMES["let-it-ride"]
    key, stake = solver_of(game).law_key, default_stake(game)
    other = game.with_options({"three-card-bonus": "2"})
    assert key(game, stake, "optimal") == key(other, stake, "optimal")
    assert key(game, stake, "optimal") != key(game.with_options({"pays": "2"}), stake, "optimal")
    fresh = prove(other, fresh=True).law
    assert replace(prove(game).law, seconds=fresh.seconds) == fresh


def test_a_wager_that_the_first_cards_settle_shares_the_law() -> None:
    """No choice changes it, so it moves no choice, whatever it pays; one that a fold loses does."""
    game = GAMES["let-it-ride"]
    key, stake = solver_of(game).law_key, default_stake(game)
    bonus = stake | {"three-card-bonus": Fraction(5)}
    other = game.with_options({"three-card-bonus": "2"})
    assert key(other, bonus, "optimal") == key(game, stake, "optimal")
    fresh = prove(other, bonus, fresh=True).law
    assert replace(prove(game).law, seconds=fresh.seconds) == fresh
    poker = GAMES["three-card-poker"]
    plus = default_stake(poker) | {"pair-plus": Fraction(1)}
    assert poker.options["fold-loses-pair-plus"] == "yes"
    assert solver_of(poker).law_key(poker, plus, "optimal") != solver_of(poker).law_key(
        poker, default_stake(poker), "optimal"
    )


def test_an_option_that_the_rules_read_has_a_law_of_its_own() -> None:
    game = GAMES["mississippi-stud"]
    key, stake = solver_of(game).law_key, default_stake(game)
    assert key(game, stake, "optimal") != key(
        game.with_options({"fold-loses-bonus": "yes"}), stake, "optimal"
    )


def test_a_named_strategy_looks_at_no_pay() -> None:
    game = GAMES["three-card-poker"]
    key, stake = solver_of(game).law_key, default_stake(game)
    other = game.with_options({"ante-bonus": "2"})
    assert key(game, stake, "never-fold") == key(other, stake, "never-fold")
    assert key(game, stake, "optimal") != key(other, stake, "optimal")
