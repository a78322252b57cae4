"""Hand values, computed the long way: no tables and no bits, every possibility tried.

Only tests use this. It takes card numbers as `feltlab.core.cards` writes them and shares nothing else with
`feltlab.core.hands`. Values are tuples that compare as the hands do. Ranks are 2 to 14 here, an ace 14.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import combinations, combinations_with_replacement, pairwise, product
from math import comb, prod
from typing import Any

JOKER = 52

Ranks = tuple[int, ...]
Value = tuple[int, ...]


def rank(card: int) -> int:
    return card // 4 + 2


def suit(card: int) -> int:
    return card % 4


def same_order(ours: Iterable[Any], theirs: Iterable[Any]) -> bool:
    """Do two valuations of the same hands agree about every pair of them, ties included?"""
    pairs = sorted(set(zip(ours, theirs, strict=True)))
    return all(a[0] < b[0] and a[1] < b[1] for a, b in pairwise(pairs))


# -- Poker ------------------------------------------------------------------------------------------

POKER = (
    "High Card", "Pair", "Two Pair", "Three of a Kind", "Straight", "Flush", "Full House",
    "Four of a Kind", "Straight Flush", "Royal Flush", "Five Aces",
)  # fmt: skip
SHAPES = {
    (1, 1, 1, 1, 1): "High Card",
    (2, 1, 1, 1): "Pair",
    (2, 2, 1): "Two Pair",
    (3, 1, 1): "Three of a Kind",
    (3, 2): "Full House",
    (4, 1): "Four of a Kind",
    (5,): "Five Aces",
}
RUNS = {(14, 5, 4, 3, 2): 5} | {tuple(range(high, high - 5, -1)): high for high in range(6, 15)}
JOKER_COMPLETES = ("Straight", "Flush", "Straight Flush", "Royal Flush")


def poker(hand: Iterable[int]) -> Value:
    """The best five of a hand: its category's place in `POKER`, then ranks in the order they count."""
    return max(map(_of_five, combinations(sorted(hand), 5)))


@cache
def _of_five(hand: tuple[int, ...]) -> Value:
    naturals = [card for card in hand if card != JOKER]
    if len(naturals) == 5:
        return _natural([rank(card) for card in hand], len({suit(card) for card in hand}) == 1)
    as_an_ace = _natural([14, *map(rank, naturals)], suited=False)
    tried = (_of_five((*naturals, card)) for card in range(52) if card not in naturals)
    return max([as_an_ace, *(value for value in tried if POKER[value[0]] in JOKER_COMPLETES)])


def _natural(ranks: list[int], suited: bool) -> Value:
    times = Counter(ranks)
    order = sorted(times, key=lambda rank: (times[rank], rank), reverse=True)
    name = SHAPES[tuple(times[rank] for rank in order)]
    if name == "High Card":
        run = RUNS.get(tuple(order))
        if run and suited:
            name = "Royal Flush" if run == 14 else "Straight Flush"
        elif suited or run:
            name = "Flush" if suited else "Straight"
        order = [run] if run else order
    return (POKER.index(name), *order)


def poker_census(naturals: int, joker: bool) -> list[int]:
    """How many hands of `naturals` of the 52 cards (and the joker) fall in each category of `POKER`.

    Ranks and suits are counted apart. Without a flush, a hand is worth what its ranks are worth, and
    its suits can be chosen in as many ways as leave every suit short of a flush. With one, it is its
    suited ranks beside the ranks of the other cards. At most one suit has a flush in seven cards.
    """
    count = Counter[int]()
    short = 4 if joker else 5
    for ranks in _rank_sets(naturals, 4):
        count[_of_ranks(ranks, joker)[0]] += _suitings(tuple(sorted(Counter(ranks).values())), short)
    for size in range(short, naturals + 1):
        for suited in combinations(range(2, 15), size):
            flush = _best([4 * (rank - 2) for rank in suited], joker)
            for others in _rank_sets(naturals - size, 3):
                best = max(flush, _of_ranks(tuple(sorted(suited + others)), joker))
                count[best[0]] += 4 * prod(comb(3, times) for times in Counter(others).values())
    return [count[category] for category in range(len(POKER))]


def _rank_sets(size: int, times: int) -> Iterator[Ranks]:
    for ranks in combinations_with_replacement(range(2, 15), size):
        if max(Counter(ranks).values(), default=0) <= times:
            yield ranks


@cache
def _suitings(shape: Ranks, short: int) -> int:
    """The ways to choose suits for ranks that occur so often, with fewer than `short` cards in each."""
    ways = product(*(list(combinations("cdhs", times)) for times in shape))
    return sum(max(Counter(sum(way, ())).values()) < short for way in ways)


@cache
def _of_ranks(ranks: Ranks, joker: bool) -> Value:
    """The best five without regard to suits."""
    return max(_no_flush(five) for five in combinations((*ranks, *[0] * joker), 5))


@cache
def _no_flush(five: Ranks) -> Value:
    """Rising ranks (0 is the joker) with suits dealt out in turn: no flush, and no card twice."""
    return _of_five(tuple(4 * (rank - 2) + i % 4 if rank else JOKER for i, rank in enumerate(five)))


def _best(suited: list[int], joker: bool) -> Value:
    return max(map(_of_five, combinations([*suited, *[JOKER] * joker], 5)))


# -- Wild deuces and a wild joker -------------------------------------------------------------------

WILD = (
    "High Card", "Pair", "Two Pair", "Three of a Kind", "Straight", "Flush", "Full House",
    "Four of a Kind", "Straight Flush", "Five of a Kind", "Royal Flush", "Five Wilds",
)  # fmt: skip
WILD_SHAPES = {**SHAPES, (5,): "Five of a Kind"}
WILD_CARDS = (0, 1, 2, 3, JOKER)


def wild(hand: Iterable[int]) -> Value:
    """The best reading of five cards: its category's place in `WILD`, then ranks in the order they count."""
    return _wild(*wild_pattern(hand))


def wild_pattern(hand: Iterable[int]) -> tuple[Ranks, bool]:
    """What is read of a hand: the ranks of its natural cards, and whether they share a suit."""
    natural = [card for card in hand if card not in WILD_CARDS]
    return tuple(sorted(map(rank, natural))), len({suit(card) for card in natural}) <= 1


@cache
def _wild(natural: Ranks, suited: bool) -> Value:
    """Every wild card is tried as every rank, in the suit of the others and in another one.

    A rank that a natural card does not have is given to wild cards only in straights and flushes.
    """
    if not natural:
        return (WILD.index("Five Wilds"),)
    found = []
    for ranks in combinations_with_replacement(range(2, 15), 5 - len(natural)):
        five = (*natural, *ranks)
        joins = set(ranks) <= set(natural)
        found += [_wild_as(five, False)] if joins or is_run(five) else []
        found += [_wild_as(five, True)] if suited and len(set(five)) == 5 else []
    return max(found)


def _wild_as(five: Ranks, suited: bool) -> Value:
    times = Counter(five)
    order = sorted(times, key=lambda rank: (times[rank], rank), reverse=True)
    name = WILD_SHAPES[tuple(times[rank] for rank in order)]
    run = RUNS.get(tuple(order)) if len(order) == 5 else None
    if run and suited:
        return (WILD.index("Royal Flush"),) if run == 14 else (WILD.index("Straight Flush"), run)
    if run:
        return (WILD.index("Straight"), run)
    return (WILD.index("Flush" if suited else name), *order)


def is_run(five: Ranks) -> bool:
    return tuple(sorted(five, reverse=True)) in RUNS


def fits_a_run(ranks: Ranks) -> bool:
    """Is there a straight that contains these ranks?"""
    return any(set(ranks) <= set(run) for run in RUNS)


def wild_census() -> list[int]:
    """How many hands fall in each category of `WILD`: by ranks, and the ways to give them suits."""
    count = Counter[int]()
    for wilds in range(6):
        for natural in _rank_sets(5 - wilds, 4):
            if 2 not in natural:
                ways = comb(5, wilds) * prod(comb(4, times) for times in Counter(natural).values())
                one_suit = comb(5, wilds) * 4 if natural and len(set(natural)) == len(natural) else 0
                count[_wild(natural, False)[0]] += ways - one_suit
                count[_wild(natural, True)[0]] += one_suit
    return [count[category] for category in range(len(WILD))]


# -- Three cards ------------------------------------------------------------------------------------

THREE_CARD = (
    "High Card", "Pair", "Flush", "Straight", "Three of a Kind", "Straight Flush", "Royal Flush",
)  # fmt: skip


def three_card(hand: Iterable[int]) -> Value:
    """Its category's place in `THREE_CARD`, then ranks in the order they count."""
    hand = tuple(hand)
    times = Counter(map(rank, hand))
    order = sorted(times, key=lambda rank: (times[rank], rank), reverse=True)
    suited = len(set(map(suit, hand))) == 1
    run = {(14, 3, 2): 3, **{(high, high - 1, high - 2): high for high in range(4, 15)}}.get(tuple(order))
    if run:
        straight_flush = "Royal Flush" if run == 14 else "Straight Flush"
        return (THREE_CARD.index(straight_flush if suited else "Straight"), run)
    name = {3: "Flush" if suited else "High Card", 2: "Pair", 1: "Three of a Kind"}[len(order)]
    return (THREE_CARD.index(name), *order)


def rummy(hand: Iterable[int]) -> list[tuple[int, frozenset[int]]]:
    """Every reading of a hand, fewest points first: the points left over, and the cards melded."""
    hand = frozenset(hand)
    melds = [frozenset(some) for size in range(len(hand) + 1) for some in combinations(hand, size)]
    readings = [(sum(map(_points, hand - meld)), meld) for meld in melds if not meld or _is_meld(meld)]
    return sorted(readings, key=lambda reading: reading[0])


def _points(card: int) -> int:
    return {14: 1, 11: 10, 12: 10, 13: 10}.get(rank(card), rank(card))


def _is_meld(some: frozenset[int]) -> bool:
    if len(some) < 2:
        return False
    places = sorted(1 if rank(card) == 14 else rank(card) for card in some)
    one_suit = len(set(map(suit, some))) == 1
    return len(set(places)) == 1 or (one_suit and places == list(range(places[0], places[0] + len(some))))


# -- Longest suits ----------------------------------------------------------------------------------


def longest_suit(hand: Iterable[int]) -> Value:
    """How many cards the longest suit has, then its ranks from the top; of equally long ones the higher."""
    hand = list(hand)
    suits = [sorted((rank(card) for card in hand if suit(card) == one), reverse=True) for one in range(4)]
    return max((len(ranks), *ranks) for ranks in suits)


def longest_run(hand: Iterable[int]) -> int:
    """The most consecutive cards of one suit, with the ace above the king or below the two."""
    held = {(suit(card), rank(card)) for card in hand}
    held |= {(one, 1) for one, high in held if high == 14}
    return max(next(n for n in range(15) if (one, low + n) not in held) for one, low in held)


# -- Blackjack --------------------------------------------------------------------------------------


def blackjack(hand: Iterable[int]) -> tuple[int, bool]:
    """The best total, over every way to count the aces, and whether an ace counts eleven in it."""
    values = [(1, 11) if rank(card) == 14 else (min(rank(card), 10),) for card in hand]
    ways = [(sum(way), 11 in way) for way in product(*values)]
    standing = [way for way in ways if way[0] <= 21]
    return max(standing) if standing else min(ways)


# -- Four cards -------------------------------------------------------------------------------------

FOUR_CARD = (
    "High Card", "Pair", "Two Pair", "Straight", "Flush", "Three of a Kind", "Straight Flush",
    "Four of a Kind",
)  # fmt: skip
FOUR_CARD_SHAPES = {
    (1, 1, 1, 1): "High Card",
    (2, 1, 1): "Pair",
    (2, 2): "Two Pair",
    (3, 1): "Three of a Kind",
    (4,): "Four of a Kind",
}


def four_card(hand: Iterable[int]) -> Value:
    """The best four of a hand: its category's place in `FOUR_CARD`, then ranks in the order they count."""
    return max(map(_of_four, combinations(sorted(hand), 4)))


@cache
def _of_four(hand: tuple[int, ...]) -> Value:
    times = Counter(map(rank, hand))
    order = sorted(times, key=lambda rank: (times[rank], rank), reverse=True)
    name = FOUR_CARD_SHAPES[tuple(times[rank] for rank in order)]
    if name == "High Card":
        suited = len(set(map(suit, hand))) == 1
        runs = {(14, 4, 3, 2): 4} | {tuple(range(high, high - 4, -1)): high for high in range(5, 15)}
        run = runs.get(tuple(order))
        if run:
            return (FOUR_CARD.index("Straight Flush" if suited else "Straight"), run)
        name = "Flush" if suited else name
    return (FOUR_CARD.index(name), *order)
