"""Rabbit Hunter proved, held against the rules: tiny decks exhausted, single hands dealt out in full."""

from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
import pytest

from feltlab.core.cards import RANKS, Cards, cards
from feltlab.core.hands import poker
from feltlab.core.layout import NOT_PLACED
from feltlab.core.round import Round
from feltlab.core.tally import Tally
from feltlab.counting.removal import classes_of, count_avoiding, find_subsets, order_strengths, removal
from feltlab.games import GAMES
from feltlab.games.rabbit_hunter import rules
from feltlab.games.rabbit_hunter import thumb_rules as strategy
from feltlab.games.rabbit_hunter.choices import best_choices, choice_values, choices_of
from feltlab.games.rabbit_hunter.counts import (
    FULL_DECK,
    THRESHOLDS,
    _count_all,
    count_deals,
    joint_outcomes,
    outcome_numbers,
)
from feltlab.games.rabbit_hunter.solver import SOLVER, count_deals_of
from feltlab.kernel import kernel, plain_python
from feltlab.parallel.progress import nobody_listens
from tests.support.census import count_categories

GAME = GAMES["rabbit-hunter"]
DEALS = comb(52, 5) * 47 * comb(46, 5)
STAKES = (
    {"ante": 1},
    {"ante": 1, "tens-up": 1},
    {"ante": 1, "bad-beat": 1},
    {"ante": 1, "tens-up": 1, "bad-beat": 1},
    {"ante": 1, "bad-beat": 5},
    {"ante": Fraction(3, 7), "tens-up": Fraction(2, 5), "bad-beat": Fraction(1, 3)},
)


def units(stake):
    return {name: Fraction(amount) for name, amount in stake.items()}


def solved(strategy, stake=STAKES[0]):
    return SOLVER.solve(GAME, units(stake), strategy, nobody_listens)


def expected(strategy, stake):
    return Tally(GAME, solved(strategy, stake).counts).total_expected(units(stake))


def random_hands(size, times, seed=1):
    generator = np.random.default_rng(seed)
    return [np.sort(generator.choice(52, size, replace=False)).astype(np.uint8) for _ in range(times)]


def class_number(hand, deck=FULL_DECK):
    """The class of five cards in rising order."""
    found = np.empty(32, np.int64)
    find_subsets(removal(deck), hand, np.empty(32, np.int64), found)
    return int(found[31])


# -- Card removal -----------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [5, 6])
def test_dealers_counted_by_inclusion_and_exclusion_are_those_dealt_one_by_one(size):
    strength_at, index_of = order_strengths()
    cuts = np.array([0, 1, 500, 1277, 3000, 5000, 7000, len(strength_at)])
    for hand in random_hands(size, 4):
        rest = np.setdiff1d(np.arange(52), hand)
        dealers = np.array([*combinations(rest.tolist(), 5)], np.uint8)
        strengths = np.empty(len(dealers), np.uint16)
        poker.strengths(poker.tables(), dealers, strengths)
        dealt = [int((index_of[strengths] < cut).sum()) for cut in cuts]
        assert counted(hand, cuts).tolist() == dealt


def counted(hand, cuts, avoid=count_avoiding):
    found, place, below = np.empty((3, 1 << len(hand)), np.int64)
    find_subsets(removal(), hand, place, found)
    avoid(removal(), found, cuts, below[: len(cuts)])
    return below[: len(cuts)]


def test_counting_compiled_is_counting_interpreted():
    cuts = np.array([700, 4000])
    for hand in random_hands(6, 10):
        assert counted(hand, cuts).tolist() == counted(hand, cuts, plain_python(count_avoiding)).tolist()


@pytest.mark.parametrize(("size", "suits"), [(5, 2), (5, 3), (6, 2), (6, 4)])
def test_classes_of_a_deck_weigh_as_much_as_its_hands(size, suits):
    deck = tuple(4 * rank + suit for rank in (0, 4, 5, 8, 12) for suit in range(suits))
    hands, weights = classes_of(size, deck)
    assert weights.sum() == comb(len(deck), size)
    assert set(hands.flat) == set(deck)


# -- The judge --------------------------------------------------------------------------------------


@kernel
def _every_meeting(strength_at, starts, number, wrong):
    """Compare the judge's word on every dealer with its word where the dealer's interval starts."""
    for player in strength_at:
        tens_up = rules.judge_tens_up(player)
        for dealer in strength_at:
            start = 0
            for cut in (starts[0], starts[1], player, player + 1):
                if start < cut <= dealer:
                    start = cut
            said = rules.judge(player, dealer)
            wrong[0] += said != rules.judge(player, start)
            wrong[1] += number[said[0], said[1], tens_up, said[2]] < 0


def test_the_judge_says_the_same_within_an_interval_and_every_word_has_a_number():
    wrong = np.zeros(2, np.int64)
    _every_meeting(order_strengths()[0], np.array(THRESHOLDS), outcome_numbers(), wrong)
    assert wrong.tolist() == [0, 0]


# -- Tiny decks -------------------------------------------------------------------------------------


def product_deck(ranks, suits):
    return tuple(sorted(4 * RANKS.index(rank) + suit for rank in ranks for suit in range(suits)))


TINY = {
    "two suits: pairs, flushes, a straight, hands without an ace": product_deck("2359TJA", 2),
    "three suits: straights of two heights, full houses": product_deck("89TJQ", 3),
    "four suits: four of a kind": product_deck("9TA", 4),
}


@kernel
def _settle_every_deal(kernel_data, deck, five, choice, found):
    """Every sixth card and dealer through `settle`; outcomes, one more than their number, index `found`."""
    shoe, outcomes = np.empty(11, np.int8), np.empty(5, np.int8)
    shoe[:5] = five
    rest = np.empty(len(deck) - 6, np.int8)
    for sixth in deck:
        if (five == sixth).any():
            continue
        shoe[5] = sixth
        left = 0
        for card in deck:
            if card != sixth and not (five == card).any():
                rest[left] = card
                left += 1
        for a in range(left):
            for b in range(a):
                for c in range(b):
                    for d in range(c):
                        for e in range(d):
                            shoe[6], shoe[7], shoe[8], shoe[9], shoe[10] = (
                                rest[a], rest[b], rest[c], rest[d], rest[e],
                            )  # fmt: skip
                            rules.settle(kernel_data, shoe, choice, outcomes)
                            sixth_card, ante, play, tens_up, beat = outcomes
                            found[sixth_card + 1, ante + 1, play + 1, tens_up + 1, beat + 1] += 1


def settled(deck, five, choice):
    found = np.zeros([len(spot.outcomes) + 1 for spot in GAME.spots], np.int64)
    cards, held, played = (np.array(hand, np.int8) for hand in (deck, five, [choice]))
    _settle_every_deal(GAME.kernel_data, cards, held, played, found)
    return Counter({tuple(int(n) - 1 for n in at): int(found[tuple(at)]) for at in np.argwhere(found)})


def counted_outcomes(row, choice):
    named = zip(joint_outcomes(choice), row.tolist(), strict=True)
    return Counter({outcomes: n for outcomes, n in named if n})


@pytest.mark.parametrize("deck", TINY.values(), ids=TINY)
@pytest.mark.parametrize("choice", [rules.FOLD, rules.PLAY, rules.BUY])
def test_every_deal_of_a_tiny_deck_is_counted_as_the_rules_settle_it(deck, choice):
    counts = count_deals(deck)
    by_class = [Counter() for _ in counts.hands]
    for five in combinations(deck, 5):
        by_class[class_number(np.array(five, np.uint8), deck)] += settled(deck, five, choice)
    assert by_class == [counted_outcomes(row, choice) for row in counts.of(choice)]


@pytest.mark.parametrize("stake", STAKES, ids=str)
def test_the_best_choices_on_a_tiny_deck_are_best_hand_by_hand(stake):
    deck = TINY["two suits: pairs, flushes, a straight, hands without an ace"]
    counts = count_deals(deck)
    chosen = best_choices(counts, GAME, units(stake))
    for number in range(0, len(counts.hands), 13):
        worth = []
        for choice in range(3):
            tally = Tally(GAME, settled(deck, counts.hands[number], choice))
            worth.append(tally.total_expected(units(stake)))
        assert worth[chosen[number]] == max(worth)


# -- The whole deck ---------------------------------------------------------------------------------


@pytest.mark.parametrize("choice", [rules.FOLD, rules.PLAY, rules.BUY])
def test_each_class_counts_all_its_deals(choice):
    counts = count_deals()
    assert counts.deals == 47 * comb(46, 5)
    assert counts.weights.sum() == comb(52, 5)
    assert (counts.of(choice).sum(axis=1, dtype=np.int64) == counts.weights * counts.deals).all()


def test_the_counts_of_a_class_are_those_of_dealing_one_of_its_hands():
    counts = count_deals()
    rare = [
        np.sort(np.array(cards(text), np.uint8))
        for text in ("2c 3c 4c 5c 7d", "Tc Jc Qc Kc Ac", "TcTdTh9c9d")
    ]
    for five in [*random_hands(5, 60), *rare]:
        number = class_number(five)
        for choice, deals in enumerate(count_deals_of(five.tolist())):
            assert counts.of(choice)[number].tolist() == (deals * counts.weights[number]).tolist()


@pytest.mark.slow
@pytest.mark.parametrize("hand", ["Kc Qc Jc 9c 2d", "Td Ts 9c 4h 2c"])
@pytest.mark.parametrize("choice", [rules.PLAY, rules.BUY])
def test_the_counts_of_one_hand_agree_with_the_rules_over_its_64_million_deals(hand, choice):
    five = tuple(sorted(cards(hand)))
    assert settled(FULL_DECK, five, choice) == counted_outcomes(count_deals_of(five)[choice], choice)


@pytest.mark.parametrize("strategy", SOLVER.strategies)
def test_a_law_counts_every_deal_once(strategy):
    law = solved(strategy)
    assert sum(law.counts.values()) == sum(law.first_choices.values()) == DEALS
    assert all(type(n) is int for n in law.counts.values())
    bought = sum(n for outcomes, n in law.counts.items() if outcomes[rules.AT_SIXTH] != NOT_PLACED)
    folded = sum(n for outcomes, n in law.counts.items() if outcomes[rules.AT_ANTE] == rules.FOLDED)
    assert (law.first_choices["buy"], law.first_choices["fold"]) == (bought, folded)


def test_without_buying_or_folding_player_and_dealer_are_alike():
    played = Tally(GAME, solved("never-fold").counts).outcomes(GAME.spot("play"))
    assert played["better hand"] == played["worse hand"]
    # The dealer has neither an ace nor a pair: C(12, 5) sets of ranks but 8 straights, 4**5 - 4 suits.
    ante = Tally(GAME, solved("never-fold").counts).outcomes(GAME.spot("ante"))
    assert ante["dealer does not qualify"] * comb(52, 5) == (comb(12, 5) - 8) * 1020 * DEALS


@pytest.mark.parametrize(("strategy", "size"), [("never-fold", 5), ("always-buy", 6)])
def test_tens_up_is_the_census_of_the_hands_that_the_player_ends_with(strategy, size):
    census = sum(count_categories(poker.tables(), size, 52, first) for first in range(53 - size)).tolist()
    found = Tally(GAME, solved(strategy).counts).outcomes(GAME.spot("tens-up"))
    each = DEALS // comb(52, size)
    assert each * comb(52, size) == DEALS
    for category in range(poker.TWO_PAIR, poker.ROYAL + 1):
        assert found[poker.CATEGORIES[category]] == census[category] * each
    low = census[poker.HIGH_CARD] * each + census[poker.PAIR] * each - found["Tens Up"]
    assert found["less than a pair of Tens"] == low
    if size == 5:  # five of thirteen pairs
        assert found["Tens Up"] * 13 == census[poker.PAIR] * each * 5


# -- Strategies -------------------------------------------------------------------------------------


@pytest.mark.parametrize("stake", STAKES, ids=str)
def test_no_strategy_is_better_than_the_best(stake):
    best = expected("optimal", stake)
    for name in SOLVER.strategies:
        assert expected(name, stake) <= best


def test_the_best_choice_of_a_hand_has_the_highest_value():
    for stake in STAKES[:5]:
        chosen = best_choices(count_deals(), GAME, units(stake))
        for five in random_hands(5, 8, seed=7):
            values = SOLVER.values(a_round(Cards(five.tolist())), units(stake))
            best = GAME.choices[chosen[class_number(five)]].name
            assert values[best] == max(values.values())


def test_a_large_bad_beat_changes_choices():
    alone, beside = (solved("optimal", stake).first_choices for stake in (STAKES[0], STAKES[4]))
    assert beside["buy"] > 50 * alone["buy"]
    assert beside["fold"] < alone["fold"]


def test_choices_depend_on_the_proportions_of_a_stake_and_not_on_its_size():
    """The large stake has numbers beyond 64 bits."""
    for stake in STAKES[2:4]:
        large = {name: amount * Fraction(10**30 + 57, 7) for name, amount in units(stake).items()}
        small = best_choices(count_deals(), GAME, units(stake))
        assert (small == best_choices(count_deals(), GAME, large)).all()


def test_a_wager_of_nothing_is_no_wager():
    nothing = {"ante": 1, "tens-up": 0, "bad-beat": 0}
    assert solved("optimal", nothing).counts == solved("optimal").counts


@pytest.mark.parametrize(
    ("hand", "four_flush", "straight_draw"),
    [
        ("5c 6d 7h 8s Kc", False, 2), ("2c 4d 5h 6s 8c", False, 2), ("5c 6d 8h 9s Kc", False, 1),
        ("Ac 2d 3h 4s 9c", False, 1), ("Jc Qd Kh As 2c", False, 1), ("Ac 2d 3h 5s 6c", False, 1),
        ("3c 4d 5h 6s 7c", False, 0), ("2c 5c 9c Kc Jd", True, 0), ("2c 5c 9c Kc Jc", False, 0),
        ("9c Tc Jc Qc Qd", True, 2), ("2c 2d 7h 7s Kc", False, 0),
    ],
)  # fmt: skip
def test_draws_are_seen(hand, four_flush, straight_draw):
    seen = strategy.kinds(np.array([cards(hand)], np.uint8))
    assert (seen.four_flush.tolist(), seen.straight_draw.tolist()) == ([four_flush], [straight_draw])


@pytest.mark.parametrize(
    ("strategy", "hand", "choice"),
    [
        ("never-fold", "2c 3d 4h 5s 7c", "play"), ("always-buy", "2c 3d 4h 5s 7c", "buy"),
        ("pair", "2c 2d 3h 4s 5c", "play"), ("pair", "Ac Kd Qh Js 9c", "fold"),
        ("ace-king", "Ac Kd 4h 3s 2c", "play"), ("ace-king", "Ac Qd Jh Ts 9c", "fold"),
        ("ace-high", "Ac 6d 4h 3s 2c", "play"), ("ace-high", "Kc Qd Jh Ts 8c", "fold"),
        ("ace-high-and-draws", "5c 6c 7c 9c Kd", "buy"), ("ace-high-and-draws", "2c 6c 7c Jc Kd", "fold"),
        ("ace-high-and-draws", "5c 6c 7c 8c 8d", "play"), ("ace-high-and-draws", "5c 6c 7c 8c Ac", "play"),
        ("chase", "9c 9d 2h 5s 7c", "buy"), ("chase", "Tc Td 2h 5s 7c", "play"),
        ("chase", "Tc Td 9h 9s 7c", "buy"), ("chase", "2c 5c 9c Kc Jd", "buy"),
        ("chase", "5c 6c 7c 8c 9d", "play"), ("chase", "Kc Jd 9h 7s 2c", "fold"),
        ("chase", "Ac Jd 9h 7s 2c", "play"),
    ],
)  # fmt: skip
def test_rules_of_thumb_follow_their_descriptions(strategy, hand, choice):
    chosen = choices_of(strategy, count_deals(), GAME, units(STAKES[0]))
    number = class_number(np.sort(np.array(cards(hand), np.uint8)))
    assert GAME.choices[chosen[number]].name == choice


def test_the_cost_of_the_card_is_the_loss_of_its_choices():
    card = SOLVER.card(GAME, units(STAKES[0]))
    (chart,) = card.charts
    assert dict(zip(chart.columns, chart.rows["Ace high"], strict=True)) == {
        "no draw": "play", "gutshot": "play", "open": "play",
        "four flush": "play", "flush, gutshot": "buy", "flush, open": "buy",
    }  # fmt: skip
    counts = count_deals()
    (fold, play, buy), unit = choice_values(counts, GAME, units(STAKES[0]))
    best = int(np.maximum(np.maximum(fold, play), buy).sum())
    deals = int(counts.weights.sum()) * counts.deals
    names = [c.name for c in GAME.choices]
    spans = chart.rows.items()
    rows = {name: cells for spanned, cells in spans for name in strategy.ROWS if within(name, spanned)}
    places = strategy.grid_places(counts.hands)
    columns = len(chart.columns)
    chosen = np.array([names.index(rows[strategy.ROWS[p // columns]][p % columns]) for p in places])
    by_card = int(np.stack([fold, play, buy])[chosen, np.arange(len(chosen))].sum())
    assert card.cost == Fraction(best - by_card, unit * deals)
    assert 0 < card.cost < Fraction(1, 1000)


def test_the_card_of_a_crooked_stake_is_no_worse():
    """Whole parts of such a stake are far beyond 64 bits when summed over classes."""
    plain = SOLVER.card(GAME, units({"ante": 1, "tens-up": 0}))
    crooked = SOLVER.card(GAME, units({"ante": 1, "tens-up": Fraction(1, 9999991)}))
    assert crooked.charts == plain.charts
    assert 0 < crooked.cost - plain.cost < Fraction(1, 10**6) or crooked.cost <= plain.cost


def within(name, spanned):
    first, _, last = spanned.partition(" to ")
    at = [strategy.ROWS.index(part) for part in (first, last or first)]
    return at[0] <= strategy.ROWS.index(name) <= at[1]


# -- One hand ---------------------------------------------------------------------------------------


def a_round(five, **wagers):
    """Five cards, the sixth and the dealer's unknown."""
    return Round.of(GAME, five, "", **(wagers or {"ante": 100}))


def test_values_are_named_by_the_open_choices():
    open_round = a_round("As Ks Qs Js Ts")
    values = SOLVER.values(open_round, units({"ante": 2, "tens-up": 1, "bad-beat": 3}))
    assert tuple(values) == open_round.choices
    assert values["fold"] == -6
    # Nothing beats the only royal flush that can be: Ante (if the dealer qualifies), Play, 500 to 1; the
    # Bad Beat wins where the dealer has a pair of tens or better. Buying costs two units and gains nothing.
    assert values["play"] - values["buy"] == 2


def test_values_do_not_look_at_hidden_cards():
    told = Round.of(GAME, "Kc Qc Jc 9c 2d Tc", "Ah Ad 7d 6c 5s", ante=100)
    assert SOLVER.values(told, units(STAKES[0])) == SOLVER.values(a_round("Kc Qc Jc 9c 2d"), units(STAKES[0]))


def test_progress_runs_from_nothing_to_all():
    told = []
    _count_all(TINY["four suits: four of a kind"], told.append)
    assert told == sorted(told)
    assert told[-1] == 1.0
