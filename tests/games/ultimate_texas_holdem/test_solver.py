"""Ultimate Texas Hold'em against the rules: every deal of small decks, single positions of the whole one."""

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
import pytest

from feltlab.core.cards import cards
from feltlab.core.hands import poker
from feltlab.core.layout import new_outcomes
from feltlab.core.round import Round
from feltlab.counting.boards.card_sets import PAIRS, card_sets
from feltlab.counting.boards.law import ChoiceTables, count_law
from feltlab.counting.boards.lines import list_showdowns
from feltlab.counting.boards.values import ROW_BYTES, deck_mask
from feltlab.counting.tree.solver import tree_solver
from feltlab.games import GAMES
from feltlab.games.figures import figures, figures_for_later
from feltlab.games.ultimate_texas_holdem import rules
from feltlab.games.ultimate_texas_holdem.solver import SOLVER
from feltlab.parallel.progress import nobody_listens
from feltlab.proving.proof import prove
from tests.support.small_decks import with_deck

GAME = GAMES["ultimate-texas-holdem"]
UNIT = {"ante": Fraction(1), "blind": Fraction(1)}
SIDE = UNIT | {"trips": Fraction(2), "bad-beat": Fraction(1, 2)}


def suits_of(ranks):
    return " ".join(rank + suit for rank in ranks for suit in "cdhs")


SMALL = [
    pytest.param("A72", {}, UNIT, id="three ranks"),
    pytest.param("AK2", {}, SIDE, id="with side bets"),
    pytest.param("AK2", {"fold-loses-trips": "yes"}, SIDE, id="trips lost by a fold"),
    pytest.param("AK82", {}, SIDE, id="four ranks", marks=pytest.mark.slow),
]


@pytest.mark.parametrize("strategy", ["optimal", "cautious"])
@pytest.mark.parametrize(("ranks", "options", "stake"), SMALL)
def test_every_deal_of_a_small_deck_through_the_rules(ranks, options, stake, strategy):
    game = with_deck(GAME.with_options(options), suits_of(ranks))
    fast = SOLVER.solve(game, stake, strategy, nobody_listens)
    slow = tree_solver().solve(game, stake, strategy, nobody_listens)
    orders = sum(slow.counts.values()) // sum(fast.counts.values())  # the walk tells cards of one hand apart
    assert {key: orders * count for key, count in fast.counts.items()} == slow.counts
    assert {s: {c: orders * n for c, n in row.items()} for s, row in fast.streets.items()} == slow.streets


def nets_of(hole, board, dealer, choices):
    """The net of one unit on every first wager, by the rules' own settlement."""
    outcomes, numbers = new_outcomes(5), [GAME.choice_numbers[choice] for choice in choices]
    rules.settle(
        GAME.kernel_data, np.array([*hole, *board, *dealer], np.int8), np.array(numbers, np.int8), outcomes
    )
    units = {"raise-4x": 4, "raise-3x": 3, "raise-2x": 2, "raise-1x": 1}.get(choices[-1], 0)
    found = Fraction(0)
    for spot, outcome in zip(GAME.spots, outcomes.tolist(), strict=True):
        if outcome >= 0:
            found += GAME.pay_table(spot).lines[outcome].pays * (units if spot.name == "play" else 1)
    return found


@pytest.mark.parametrize(("hole", "board"), [("Kd 4h", "Ks 9c 9d 2h 7s"), ("3c 2d", "Ah Kh 8s 5d 4c")])
def test_a_river_position_against_every_dealer(hole, board):
    ours, community = cards(hole), cards(board)
    others = [card for card in range(52) if card not in (*ours, *community)]
    round = Round.of(GAME, hole, board, "", ante=100, blind=100, trips=100, bad_beat=100).choose(
        "check", "check"
    )
    stake = dict.fromkeys(("ante", "blind", "trips", "bad-beat"), Fraction(1))
    for choice, value in SOLVER.values(round, stake).items():
        dealers = list(combinations(others, 2))
        total = sum(nets_of(ours, community, dealer, ("check", "check", choice)) for dealer in dealers)
        assert value == Fraction(total) / len(dealers)


def test_single_positions_of_a_small_deck():
    game = with_deck(GAME, suits_of("AK2"))
    hands = (("Ac 2d", "Kc Kd 2c", 1), ("2c 2d", "Ac Kd 2h", 1), ("Ac 2d", "Kc Kd 2c As Ks", 2))
    for player, board, checks in (*hands, ("Ac 2d", "", 0)):
        round = Round.of(game, player, board, "", ante=100, blind=100, trips=200, bad_beat=50)
        round = round.choose(*["check"] * checks)
        assert SOLVER.values(round, SIDE) == tree_solver().values(round, SIDE)


@pytest.mark.slow
def test_the_whole_deck():
    proof = prove(GAME)
    assert proof.tally.deals == 27_813_810_024_000  # C(52,2) C(50,2) C(48,5), with the flop told apart
    card = SOLVER.card(GAME, UNIT)
    assert card.charts[0].rows["A"] == ("raise-4x",) * 13  # any ace raises
    # Published as 2.3 % with no strategy named: between the best play and the card.
    assert proof.loss < Fraction(23, 1000) < proof.loss + card.cost < Fraction(1, 40)


@pytest.mark.parametrize("ranks", ["AK72"])
def test_a_card_costs_twice_as_much_with_twice_the_stake(ranks):
    game = with_deck(GAME, suits_of(ranks))
    one = SOLVER.card(game, UNIT)
    two = SOLVER.card(game, {bet: 2 * units for bet, units in UNIT.items()})
    assert (two.lines, two.cost) == (one.lines, 2 * one.cost)
    assert one.cost > 0


# -- The hand that loses ------------------------------------------------------------------------------

EQUAL_HANDS = -1
FIRST_LINE = 0


@dataclass(frozen=True)
class LosingHands:
    """Lines of play whose only outcome is the category of the hand that loses."""

    choices: tuple[tuple[str, ...], ...] = (("raise-4x",),)
    kinds: int = 1

    @property
    def outcomes(self):
        found = {}
        for category, result, player, dealer in list_showdowns():
            loser = EQUAL_HANDS if player == dealer else min(player, dealer) >> 12
            found[FIRST_LINE, 0, category, result] = (loser,)
        return found


@pytest.mark.slow
def test_the_published_counts_of_the_hand_that_loses():
    """Every deal up to the order of the community cards; also the counts that no outcome of Bad Beat has."""
    first = np.full(PAIRS, FIRST_LINE)
    flops, fours = np.zeros((len(card_sets(3).cards), PAIRS), np.uint8), np.zeros((0, PAIRS), np.uint8)
    no_marks, ways = np.zeros((0, ROW_BYTES), np.uint8), np.zeros((1, 1 << 10, 1), np.uint8)
    choices = ChoiceTables(first, flops, fours, no_marks, ways, orders=1)
    found = count_law(deck_mask(GAME), LosingHands(), choices).counts
    assert sum(found.values()) == comb(52, 2) * comb(50, 2) * comb(48, 5)
    printed = {figure.outcomes[0]: figure.published for figure in figures(GAME) if figure.of}
    printed |= {
        later.name.removeprefix("Bad Beat, "): later.published.removesuffix(" of 2,781,381,002,400")
        for later in figures_for_later(GAME)
        if later.name.startswith("Bad Beat, ")
    }
    names = [*poker.CATEGORIES[:10], "equal hands"]
    words = {
        "High Card": "losing hand high card",
        "Pair": "losing hand a pair",
        "Two Pair": "losing hand two pair",
    }
    for category, name in zip([*range(10), EQUAL_HANDS], names, strict=True):
        if name != "Royal Flush":  # never loses
            assert f"{found[(category,)]:,}" == printed[words.get(name, name)]
