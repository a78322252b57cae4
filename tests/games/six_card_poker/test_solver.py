"""The proof of Six Card Poker, held to the rules by small decks and by looking at every dealer of a hand."""

from collections import Counter
from fractions import Fraction
from itertools import combinations, product
from math import comb

import numpy as np
import pytest

from feltlab.core.cards import RANKS, Cards, cards
from feltlab.core.game import Game
from feltlab.core.hands import poker
from feltlab.core.layout import new_outcomes
from feltlab.core.round import Round
from feltlab.core.tally import Tally
from feltlab.counting.tree.solver import tree_solver
from feltlab.counting.up_cards.dealers import HAND, PLACES, UP, all_shapes, count_dealers, rank_keys
from feltlab.counting.up_cards.player import decide, new_player
from feltlab.counting.up_cards.solver import UpCardRules, _gains, _prove
from feltlab.counting.up_cards.sweep import SweepFindings, SweepTask, sweep_up, sweep_up_cards
from feltlab.counting.up_cards.zones import pack_zone, unpack_zone
from feltlab.errors import Refused
from feltlab.games import GAMES
from feltlab.games.six_card_poker import rules
from feltlab.games.six_card_poker.solver import RULES, SOLVER
from feltlab.kernel import kernel
from feltlab.parallel.progress import nobody_listens
from feltlab.proving.advice import advise
from feltlab.proving.proof import prove
from tests.support.small_decks import with_deck

GAME = GAMES["six-card-poker"]
ANTE = GAME.spot("ante")
STATES, DEALERS = comb(52, 6) * comb(46, 3), comb(43, 3)


def deck_of(ranks: str, suits: str) -> str:
    return " ".join(rank + suit for rank, suit in product(ranks, suits))


# -- Every hand beside some up cards ------------------------------------------------------------------


@kernel
def meet_all(tables, deck, up, gain, index_of, met):
    """Take every hand beside the up cards, and every dealer of it."""
    rest = np.array([card for card in deck if not (up == card).any()])
    at, hand = np.arange(HAND), np.empty(HAND, np.int64)
    while True:
        for i in range(HAND):
            hand[i] = rest[at[i]]
        six = count_dealers(tables, deck, hand, up, rules.QUALIFIES)
        order = index_of[poker.strength(tables, hand)]
        less, equal, unqualified = six[0] + six[3], six[1] + six[4], six[:3].sum()
        row = gain[order]
        total = row[0] * six.sum() + row[1] * less + row[2] * equal + row[3] * unqualified
        choice = 0 if total > 0 else 1 if total == 0 else 2
        met[choice, order, 0] += 1
        met[choice, order, 1] += less
        met[choice, order, 2] += equal
        met[choice, order, 3] += unqualified
        i = 0
        while i < HAND and at[i] + 1 == (at[i + 1] if i + 1 < HAND else len(rest)):
            i += 1
        if i == HAND:
            return
        at[i] += 1
        for j in range(i):
            at[j] = j


SEVEN_RANKS = "AKQJT63"  # a straight, hands with and without A-K


@pytest.mark.slow
@pytest.mark.parametrize(
    ("deck", "up"),
    [
        (deck_of(SEVEN_RANKS, "cd"), "Ac 6c Kd"),
        (deck_of(SEVEN_RANKS, "cd"), "Ac Qc 3c"),
        (deck_of(SEVEN_RANKS, "cdh"), "Jc 6d 3h"),
        (deck_of(SEVEN_RANKS, "cdhs"), "Jc 6d 3h"),
        (deck_of(SEVEN_RANKS, "cdhs"), "Jc 6c 6d"),
        (deck_of(SEVEN_RANKS, "cdhs"), "Ac Qc 3c"),
        (deck_of("K9875", "cdhs"), "Kc Kd Kh"),
    ],
)
def test_a_sweep_meets_the_dealers_of_every_single_hand(deck: str, up: str) -> None:
    held, shown = np.array(cards(deck)), np.array(cards(up))
    tables, shapes, gain = poker.tables(), all_shapes(), _gains(RULES, GAME)
    strengths = np.unique(shapes.strength)
    level, dealers = np.zeros(len(strengths), np.int64), comb(len(held) - HAND - UP, 3)
    slow, fast = np.zeros((2, 3, len(strengths), 4), np.int64)
    masks = np.zeros((3, len(shapes.order)), np.int64)
    found = SweepFindings(fast, np.zeros((1, 4, 4), np.int64), np.zeros(1, np.int64), *masks)
    task = SweepTask(tables, rank_keys(tables), PLACES, held, shapes, rules.QUALIFIES, gain, level, dealers)
    sweep_up(task, shown, 1, found)
    meet_all(tables, held, shown, gain, np.searchsorted(strengths, np.arange(1 << 16)), slow)
    assert slow[..., 0].sum() == comb(len(held) - UP, HAND)
    assert (fast == slow).all()


# -- Whole games --------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("deck", [deck_of("AK52", "cdhs"), deck_of("AKQJT94", "cd")])
def test_a_small_deck_through_the_rules_alone(deck: str) -> None:
    game, stake = with_deck(GAME, deck), {"ante": Fraction(1)}
    for strategy in ("optimal", "cautious"):
        ours = SOLVER.solve(game, stake, strategy, nobody_listens)
        tree = tree_solver().solve(game, stake, strategy, nobody_listens)
        assert shares(ours.counts) == shares(tree.counts)
        assert shares(ours.first_choices) == shares(tree.first_choices)


def shares(counts):
    total = sum(counts.values())
    return {key: Fraction(count, total) for key, count in counts.items() if count}


@pytest.mark.slow
def test_every_deal_is_counted_once() -> None:
    law = prove(GAME).law
    assert sum(law.counts.values()) == sum(law.first_choices.values()) == STATES * DEALERS
    assert STATES * DEALERS == 3_813_891_438_957_600  # the published number of deals


@pytest.mark.slow
def test_equal_choices_move_no_edge() -> None:
    """The published folds and wins are those of a player who folds where both choices are equal."""
    optimal, cautious = prove(GAME), prove(GAME, strategy="cautious")
    assert optimal.tally.expected(ANTE) == cautious.tally.expected(ANTE)
    folds = [proof.law.first_choices["fold"] // DEALERS for proof in (optimal, cautious)]
    assert folds[1] == 93_119_328_972  # published
    assert folds[1] - folds[0] == equal_states()
    assert optimal.law.equal_positions == cautious.law.equal_positions == 3_055  # classes, proved here


def equal_states() -> int:
    return int(_prove(RULES, GAME).met[1, :, 0].sum())


# -- Single hands -------------------------------------------------------------------------------------


def settled(shoe, choice: int) -> tuple[int, ...]:
    outcomes = new_outcomes(2)
    rules.settle(GAME.kernel_data, np.array(shoe, np.int8), np.array([choice], np.int8), outcomes)
    return tuple(outcomes.tolist())


@pytest.mark.parametrize(
    ("hand", "up"),
    [
        ("Ac Qd 9h 7s 4c 2d", "Kc 8h 5s"),
        ("8c 8d Kh 6s 4c 3d", "9c 9h 2s"),
        ("Ks 9s 7s 5s 3s 2d", "Ah Qh 4h"),
    ],
)
def test_advice_is_the_mean_over_every_dealer(hand: str, up: str) -> None:
    round = Round.of(GAME, hand, up, ante=100)
    held = Cards(round.seen[: HAND + UP])
    others = [card for card in range(52) if card not in held]
    for advice in advise(round):
        choice = [c.name for c in GAME.choices].index(advice.choice)
        counts = Counter(settled([*held, *last], choice) for last in combinations(others, 3))
        assert advice.expected == Tally(GAME, counts).total_expected({"ante": Fraction(100)})


@pytest.fixture(scope="module")
def found():
    return _prove(RULES, GAME)


@pytest.mark.slow
def test_the_player_of_simulations_makes_the_better_choice(found) -> None:
    """Random hands, and hands of the zone, beside random up cards, against all their dealers."""
    generator = np.random.default_rng(8)
    packed = unpack_zone(pack_zone(found.zones[0]))
    assert all((a == b).all() for a, b in zip(packed, found.zones[0], strict=True))
    player, tables, deck = new_player(packed, rules.RAISE, rules.FOLD), poker.tables(), np.arange(52)
    made = Counter()
    for _ in range(3000):
        seen = generator.permutation(52)[: HAND + UP]
        if generator.random() < 0.5:  # three suited cards up, and no pair
            suit = generator.integers(4)
            up = 4 * generator.permutation(13)[:UP] + suit
            seen[HAND:], seen[:HAND] = up, generator.permutation(np.setdiff1d(deck, up))[:HAND]
        six = count_dealers(tables, deck, seen[:HAND], seen[HAND:], rules.QUALIFIES)
        gain = int(six @ np.array([2, 1, 0, 3, 1, -1]))  # of a raise over a fold
        choice = decide(player, seen.astype(np.int8), 3, np.empty(0, np.int8))
        assert choice == (rules.RAISE if gain >= 0 else rules.FOLD), Cards(seen.tolist())
        made[choice] += 1
    assert min(made.values()) > 500


@pytest.mark.slow
def test_the_card_says_what_it_costs(found) -> None:
    card = SOLVER.card(GAME, {"ante": Fraction(1)})
    assert 0 < card.cost < Fraction(1, 400)
    assert card.lines == (
        ("a pair up: a pair as high, or better", "raise"),
        ("three of a kind up: three of a kind as high, or better", "raise"),
        ("no pair up: the hand in the chart or better", "raise"),
        ("less", "fold"),
    )
    assert card.classes > card.missed > 0
    (chart,) = card.charts
    assert list(chart.rows) == [f"{rank} high" for rank in RANKS[2:]]


def test_pays_beyond_64_bits_are_refused() -> None:
    gain = np.full((len(np.unique(all_shapes().strength)), 4), 10**8)
    with pytest.raises(Refused, match="too much"):
        sweep_up_cards(tuple(range(52)), rules.QUALIFIES, gain, gain[:, 0], nobody_listens)


def test_the_rules_are_the_judge_of_every_kind_of_dealer() -> None:
    assert isinstance(RULES, UpCardRules)
    assert RULES.judge is rules.judge
    assert Game(rules).name == GAME.name
