"""The slow referee of Four Card Poker.

It reads the best four cards by itself: every four of a hand, and every rule of the sheet's chapter 2.
"""

from collections import Counter
from functools import cache
from itertools import combinations

from tests.support.referee import ACE, Hand, Made, Options, Referee, Results, exact, no_more_cards, one_choice
from tests.support.slow_hands import rank, suit

KINDS = (
    "High Card", "Pair", "Two Pair", "Straight", "Flush", "Three of a Kind", "Straight Flush",
    "Four of a Kind",
)  # fmt: skip
SHAPES = {
    (1, 1, 1, 1): "High Card",
    (2, 1, 1): "Pair",
    (2, 2): "Two Pair",
    (3, 1): "Three of a Kind",
    (4,): "Four of a Kind",
}
RUNS = {(ACE, 4, 3, 2): 4} | {tuple(range(high, high - 4, -1)): high for high in range(5, ACE + 1)}
BONUS_PAYS = {"Four of a Kind": 25, "Straight Flush": 20, "Three of a Kind": 2}
ACES_UP_HANDS = (
    "Four of a Kind", "Straight Flush", "Three of a Kind", "Flush", "Straight", "Two Pair", "pair of Aces",
)  # fmt: skip
ACES_UP_PAYS = {
    "1": (50, 40, 9, 6, 4, 2, 1),
    "2": (50, 30, 7, 6, 5, 2, 1),
    "3": (50, 40, 8, 5, 4, 3, 1),
    "4": (50, 40, 7, 5, 4, 3, 1),
    "5": (50, 40, 8, 6, 5, 2, 1),
    "6": (50, 40, 9, 5, 4, 2, 1),
}
UNITS = {"play-1x": 1, "play-2x": 2, "play-3x": 3}


def best_four(hand: Hand) -> tuple[int, ...]:
    return _best_four(tuple(sorted(hand)))


@cache
def _best_four(hand: tuple[int, ...]) -> tuple[int, ...]:
    return max(map(_of_four, combinations(hand, 4)))


def _of_four(four: tuple[int, ...]) -> tuple[int, ...]:
    times = Counter(map(rank, four))
    order = sorted(times, key=lambda rank: (times[rank], rank), reverse=True)
    name, suited = SHAPES[tuple(times[rank] for rank in order)], len(set(map(suit, four))) == 1
    run = RUNS.get(tuple(order))
    if run:
        return KINDS.index("Straight Flush" if suited else "Straight"), run
    return KINDS.index("Flush" if suited else name), *order


def settle(options: Options, player: Hand, dealer: Hand, made: Made) -> Results:
    mine = best_four(player)
    aces_up = aces_up_bet(options, mine)
    if "fold" in made:
        return exact({"ante": ("fold", -1), "bonus": ("no bonus", 0), "aces-up": aces_up})
    (choice,) = made
    name = KINDS[mine[0]]
    bonus = (name, BONUS_PAYS[name]) if name in BONUS_PAYS else ("no bonus", 0)
    won = mine >= best_four(dealer)
    outcome, sign = ("better or equal hand", 1) if won else ("worse hand", -1)
    play = (outcome, sign * UNITS[choice])
    return exact({"play": play, "ante": (outcome, sign), "bonus": bonus, "aces-up": aces_up})


def aces_up_bet(options: Options, mine: tuple[int, ...]) -> tuple[str, int]:
    pays = dict(zip(ACES_UP_HANDS, ACES_UP_PAYS[options["aces-up"]], strict=True))
    name = "pair of Aces" if mine[:2] == (KINDS.index("Pair"), ACE) else KINDS[mine[0]]
    return (name, pays[name]) if name in pays else ("less than a pair of Aces", -1)


REFEREE = Referee(one_choice("play-3x", "play-2x", "play-1x", "fold"), no_more_cards, settle)
