"""The number of hands of each class beside up cards, without those that have a flush of their own."""

from feltlab.counting.up_cards.dealers import FLUSH_CARDS, HAND, RANKS, CardsBeside, Ints, KindPlaces
from feltlab.kernel import int64, lean


@lean
def count_ways(
    places: KindPlaces, beside: CardsBeside, rank: Ints, copies: Ints, ranks: int, ways: Ints
) -> None:
    """By set of the ranks in the shared suit: how many hands without a flush have these ranks."""
    ways[0] = 1
    for i in range(ranks):
        left = beside.kinds[rank[i]]
        with_it = places.choose[left, copies[i] - 1] * beside.kinds[RANKS + rank[i]]
        without = places.choose[left, copies[i]]
        for n in range(1 << i):
            ways[n | 1 << i] = ways[n] * with_it
            ways[n] *= without
    if ranks < FLUSH_CARDS:
        return
    ways[0] -= _count_flushes(beside, rank, copies, ranks, -1)
    for i in range(ranks):
        if ways[1 << i]:
            ways[1 << i] -= _count_flushes(beside, rank, copies, ranks, i)
    ways[(1 << ranks) - 1] = 0  # five or six ranks of the shared suit are a flush
    for i in range(ranks if ranks == HAND else 0):
        ways[(1 << ranks) - 1 ^ 1 << i] = 0


@lean
def _count_flushes(beside: CardsBeside, rank: Ints, copies: Ints, ranks: int, suited: int) -> int:
    """Count the hands with a flush of another suit; a card of the rank at `suited` is of the shared suit."""
    held, pair, size = int64(0), -1, 0
    for i in range(ranks):
        others = copies[i] - (i == suited)
        if others:
            held |= int64(1) << rank[i]
            size += 1
        if others == 2:
            pair = i
    if size < FLUSH_CARDS:
        return 0
    found = 0
    for suit in range(4):
        if suit == beside.suit:
            continue
        missing = held & ~beside.free[suit]
        if size == HAND:
            found += missing == 0
            for i in range(ranks):  # the other five are of this suit
                bit = int64(1) << rank[i]
                if missing & ~bit == 0:
                    found += beside.kinds[rank[i]] - (missing == 0)
        elif missing == 0:
            found += beside.kinds[rank[pair]] - 1 if pair >= 0 else 1
    return found
