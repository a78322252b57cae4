"""The solver of showdowns against the prover of any game, and single hands against every deal."""

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from itertools import combinations
from typing import NamedTuple, cast

import numpy as np
import pytest

from feltlab.core.cards import UNKNOWN
from feltlab.core.game import Game
from feltlab.core.layout import new_outcomes
from feltlab.core.rules import Rules
from feltlab.core.solver import Law, Solver
from feltlab.core.stake import Stake, default_stake, read_stake
from feltlab.core.tally import Outcomes, Tally
from feltlab.counting.one_street.class_counts import ClassCounts, choose_best, nets_of, values_of
from feltlab.counting.showdown_solver import Showdown, count_hand, count_showdown
from feltlab.counting.tree.solve import tie_order
from feltlab.counting.tree.solver import Named, tree_solver
from feltlab.games.caribbean_stud import rules as caribbean_rules
from feltlab.games.caribbean_stud import solver as caribbean
from feltlab.games.caribbean_stud.strategies import STRATEGIES as CARIBBEAN_NAMED
from feltlab.games.crazy_4_poker import rules as crazy_rules
from feltlab.games.crazy_4_poker import solver as crazy
from feltlab.games.crazy_4_poker.strategies import STRATEGIES as CRAZY_NAMED
from feltlab.parallel.progress import nobody_listens
from tests.support.small_decks import with_deck

SMALL = "9s Ts Js Qs Ks As 9h Th Jh Qh Kh Ah"


class SolverCase(NamedTuple):
    game: Game
    solver: Solver
    showdown: Showdown
    named: Named


TESTED = {
    "up card": SolverCase(
        Game(cast(Rules, caribbean_rules)), caribbean.SOLVER, caribbean.SHOWDOWN, CARIBBEAN_NAMED
    ),
    "best four": SolverCase(Game(cast(Rules, crazy_rules)), crazy.SOLVER, crazy.SHOWDOWN, CRAZY_NAMED),
}
every = pytest.mark.parametrize("tested", TESTED.values(), ids=TESTED)


def share(counts: Mapping[Outcomes, int]) -> dict[Outcomes, Fraction]:
    total = sum(counts.values())
    return {outcomes: Fraction(n, total) for outcomes, n in counts.items()}


def shares_chosen(law: Law) -> dict[str, Fraction]:
    total = sum(law.first_choices.values())
    return {choice: Fraction(n, total) for choice, n in law.first_choices.items()}


def stakes(game: Game) -> list[Stake]:
    """The default stake, and one with so much on a side bet that it decides."""
    extra = [spot.name for spot in game.wagers if not game.is_required(spot)]
    return [default_stake(game), *(read_stake(game, {name: "50"}) for name in extra)]


@pytest.mark.slow  # the tree is compiled for the games
@every
def test_laws_on_a_small_deck_are_those_of_the_tree(tested: SolverCase) -> None:
    game, tree = with_deck(tested.game, SMALL), tree_solver(tested.named)
    for stake in stakes(game):
        for strategy in ("optimal", "cautious", next(iter(tested.named))):
            fast = tested.solver.solve(game, stake, strategy, nobody_listens)
            slow = tree.solve(game, stake, strategy, nobody_listens)
            assert share(fast.counts) == share(slow.counts)
            assert shares_chosen(fast) == shares_chosen(slow)
            assert fast.equal_positions == slow.equal_positions


@every
def test_the_card_and_the_table_on_a_small_deck_have_the_law_of_best_play(tested: SolverCase) -> None:
    game, stake = with_deck(tested.game, SMALL), default_stake(tested.game)
    law = tested.solver.solve(game, stake, "optimal", nobody_listens)
    assert tested.solver.strategy_table is not None
    table = tested.solver.strategy_table(game, stake, nobody_listens)
    rows = list(table.rows)
    hands = sum(row.hands for row in rows)
    best = sum(row.hands * Fraction(row.nets[row.choice] or 0, row.parts) for row in rows) / hands
    assert best == Tally(game, law.counts).total_expected(stake)
    assert all(row.nets[row.choice] == max(net for net in row.nets if net is not None) for row in rows)
    card = tested.solver.card(game, stake)
    assert card.classes == len(rows) == table.count
    assert card.cost >= 0
    assert (card.cost > 0) == (card.missed > 0) == bool(card.exceptions)


@every
def test_the_player_makes_the_choice_of_every_class(tested: SolverCase) -> None:
    game, stake = with_deck(tested.game, SMALL), default_stake(tested.game)
    counts = count_showdown(tested.showdown, game, nobody_listens)
    made = tested.solver.decisions(game, stake, "optimal")
    best = choose_best(counts, nets_of(game, stake, counts), tie_order(game, False)[0])
    assert made.tolist() == best.choices.tolist()
    player, legal = tested.solver.player(game, "optimal", made), counts.legal[counts.group]
    generator = np.random.default_rng(5)
    for n in generator.choice(len(made), 300).tolist():
        shoe = counts.shoes[n].copy()
        known = shoe >= 0
        shoe[: game.own_places] = generator.permutation(shoe[: game.own_places])
        shoe[known] ^= generator.integers(2)  # cards are spades and hearts, so this exchanges both suits
        assert player.decide(player.data, shoe, legal[n], shoe[:0]) == made[n]


def slow_counts(game: Game, shoe: list[int], choice: int) -> Counter[Outcomes]:
    """Every deal of the unseen cards through the rules' own settlement."""
    places = [place for place, card in enumerate(shoe) if card < 0]
    rest = [card for card in game.deck.cards if card not in shoe]
    found: Counter[Outcomes] = Counter()
    whole, outcomes = np.array(shoe, np.int8), new_outcomes(len(game.spots))
    puts = Counter(game.choices[choice].puts)
    for more in combinations(rest, len(places)):
        whole[places] = more
        game.rules.settle(game.kernel_data, whole, np.array([choice], np.int8), outcomes)
        numbers = zip(game.spots, outcomes.tolist(), strict=True)
        found[
            tuple(spot.number(outcome, puts[spot.name] + (not spot.follows)) for spot, outcome in numbers)
        ] += 1
    return found


def counts_under(counts: ClassCounts, choice: int) -> dict[Outcomes, int]:
    columns = counts.columns[choice, counts.group[0]].tolist()
    found: Counter[Outcomes] = Counter()
    for column, count in zip(columns, counts.counts[0].tolist(), strict=True):
        if count:
            found[counts.outcomes[column]] += count
    return dict(found)


@every
def test_one_hand_of_a_small_deck_against_every_deal_by_the_rules(tested: SolverCase) -> None:
    game = with_deck(tested.game, SMALL)
    counts = count_showdown(tested.showdown, game, nobody_listens)
    for n in np.random.default_rng(1).choice(len(counts.group), 6).tolist():
        one = count_hand(tested.showdown, game, counts.shoes[n])
        assert one.counts[0].tolist() == counts.counts[n].tolist()
        for choice in np.flatnonzero(counts.is_open[:, counts.group[n]]).tolist():
            assert counts_under(one, choice) == slow_counts(game, counts.shoes[n].tolist(), choice)


@pytest.mark.slow
@every
def test_hands_of_the_full_deck_against_every_dealer(tested: SolverCase) -> None:
    game, stake = tested.game, default_stake(tested.game)
    counts = count_showdown(tested.showdown, game, nobody_listens)
    nets = nets_of(game, stake, counts)
    for n in np.random.default_rng(2).choice(len(counts.group), 12).tolist():
        one = count_hand(tested.showdown, game, counts.shoes[n])
        assert one.counts[0].tolist() == counts.counts[n].tolist()
        mine, other = values_of(one, nets_of(game, stake, one), slice(0, 1)), nets_of(game, stake, one).parts
        among_all = values_of(counts, nets, slice(n, n + 1))
        assert (mine * nets.parts).tolist() == (among_all * other).tolist()


def test_unseen_places_are_unknown() -> None:
    tested = TESTED["up card"]
    counts = count_showdown(tested.showdown, with_deck(tested.game, SMALL), nobody_listens)
    assert (counts.shoes[:, :6] >= 0).all()
    assert (counts.shoes[:, 6:] == UNKNOWN).all()
