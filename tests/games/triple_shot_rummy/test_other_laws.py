"""Other readings of Triple Shot Rummy, held to hands read slowly and to every dealer."""

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import combinations

import numpy as np
import pytest

from feltlab.games.triple_shot_rummy import other_laws, rules
from feltlab.games.triple_shot_rummy.solver import RummyReading, count_outcomes
from tests.support import slow_hands

Hand = tuple[int, ...]
ALL = list(combinations(range(52), 3))
# The runs of two ranks, and those of three, written out: the ace is 14.
LOW = [{14, 2}, *({n, n + 1} for n in range(2, 13))]
HIGH = [*({n, n + 1} for n in range(2, 14))]
LOW_THREES = [{14, 2, 3}, *({n, n + 1, n + 2} for n in range(2, 12))]
HIGH_THREES = [*({n, n + 1, n + 2} for n in range(2, 13))]
RUNS = {
    "ace-both-ways": LOW + HIGH + LOW_THREES + HIGH_THREES,
    "ace-high": HIGH + HIGH_THREES,
    "ace-around": [*LOW, *HIGH, *LOW_THREES, *HIGH_THREES, {13, 14, 2}],
    "no-runs-of-tens": [r for r in LOW + LOW_THREES if len(r & {10, 11, 12, 13}) <= 1],
}
SCORES: dict[str, Callable[..., int]] = {
    "ace-both-ways": other_laws.score_with(other_laws.is_run_both_ways),
    "ace-high": other_laws.score_with(other_laws.is_high_run),
    "ace-around": other_laws.score_with(other_laws.is_run_around),
    "no-runs-of-tens": other_laws.score_with(other_laws.is_run_without_tens),
}


def melds(hand: Hand, runs: list[set[int]]) -> Iterator[frozenset[int]]:
    for size in (2, 3):
        for some in combinations(hand, size):
            ranks = {slow_hands.rank(card) for card in some}
            suited = len({slow_hands.suit(card) for card in some}) == 1
            if len(ranks) == 1 or (suited and len(ranks) == size and ranks in runs):
                yield frozenset(some)


def slow_score(hand: Hand, runs: list[set[int]]) -> int:
    left = [frozenset(hand), *(frozenset(hand) - meld for meld in melds(hand, runs))]
    return min(sum(map(slow_hands._points, some)) for some in left)


@pytest.mark.parametrize("name", RUNS)
def test_runs_are_those_written_out(name: str) -> None:
    assert all(SCORES[name](*hand) == slow_score(hand, RUNS[name]) for hand in ALL[::7])


def test_low_runs_score_as_the_rules_do() -> None:
    score = other_laws.score_with(other_laws.is_low_run)
    assert all(score(*hand) == other_laws.points(*hand) for hand in ALL)


def test_a_whole_hand_counts_zero_with_any_meld() -> None:
    for hand in ALL[::11]:
        readings = slow_hands.rummy(hand)
        has_meld = any(meld for _, meld in readings)
        assert other_laws.score_whole_hand(*hand) == (0 if has_meld else readings[0][0])


def test_a_pair_counts_before_a_run() -> None:
    for hand in ALL[::11]:
        readings = slow_hands.rummy(hand)
        pairs = [left for left, meld in readings if meld and len({slow_hands.rank(c) for c in meld}) == 1]
        assert other_laws.score_pairs_first(*hand) == (pairs or [left for left, _ in readings])[0]


@pytest.mark.parametrize("name", RUNS)
def test_a_hand_against_every_dealer(name: str) -> None:
    """The counts of Play's outcomes, judged deal by deal with slow scores."""
    hand = (0, 5, 48)  # 2c, 3d, Ac
    mine = slow_score(hand, RUNS[name])
    rest = [card for card in range(52) if card not in hand]
    slow = Counter(rules.judge(mine, slow_score(d, RUNS[name]))[0] for d in combinations(rest, 3))
    table = count_outcomes(np.array([hand], np.uint8), RummyReading(points=SCORES[name]))[0]
    assert {n: int(row.sum()) for n, row in enumerate(table) if row.any()} == dict(slow)


def test_an_unopposed_play_wins_by_its_table() -> None:
    hands = np.array([(0, 1, 4), (8, 33, 46), (32, 37, 46)], np.uint8)  # 3, 24 and 30 points
    as_ruled, bonus = count_outcomes(hands), count_outcomes(hands, RummyReading(unopposed_bonus=True))
    assert bonus[0, rules.PLAY_UNOPPOSED].sum() == 0
    gained = bonus[0, rules.PLAY_FIVE] - as_ruled[0, rules.PLAY_FIVE]
    assert (gained == as_ruled[0, rules.PLAY_UNOPPOSED]).all()
    assert (bonus[1:] == as_ruled[1:]).all()


def test_straights_with_an_ace_in_pair_plus() -> None:
    for hand in ALL:
        ranks = {slow_hands.rank(card) for card in hand}
        suited = len({slow_hands.suit(card) for card in hand}) == 1
        ruled = slow_hands.THREE_CARD[slow_hands.three_card(hand)[0]]
        without = ("Flush" if suited else "High Card") if ranks == {14, 2, 3} else ruled
        around = ("Straight Flush" if suited else "Straight") if ranks == {13, 14, 2} else ruled
        assert slow_hands.THREE_CARD[other_laws.rank_without_a23(*hand) >> 12] == without
        assert slow_hands.THREE_CARD[other_laws.rank_with_ka2(*hand) >> 12] == around
