"""The gains of playing instead of folding beside every card that a player might see, summed by its rank.

A hand below two pair is valued exactly beside every card outside of it. From two pair on a bound shows that
every hand is played whatever card is seen, so the sums over all of them are enough.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from feltlab.core.cards import JOKER
from feltlab.core.hands import poker
from feltlab.counting.dealer_cards import SUIT_BITS, DealerWeights, link_cards, sum_cards
from feltlab.counting.seen_cards import HALF, HALF_LOW
from feltlab.counting.showdown import StrengthOrder
from feltlab.counting.showdown_ranks import DEALER, PLAYER, Cuts, SetCounts, meet_by_rank
from feltlab.counting.subsets import HAND, RANK_COUNT, Ints, Subsets
from feltlab.counting.suits import Hands
from feltlab.games.high_five_poker import rules
from feltlab.games.high_five_poker.seen_cards_bounds import HIGH_STRENGTH, STEPS, prove_all_play
from feltlab.games.high_five_poker.solver.choices import Nets, needed_weight, weigh_kinds
from feltlab.kernel import int64, kernel, lean
from feltlab.parallel.progress import Progress, nobody_listens
from feltlab.parallel.threads import map_in_threads, slices

SURE_STRENGTH = STEPS[0]  # hands from here on play whatever card is seen
DEAD, DEALERS = range(2)  # whose card is seen
UNUSED, USED = range(2)
BLOCK_COLUMNS = 16  # strengths of the player whose tables are read together
CHUNK_HANDS = 1 << 12
WEAKEST_SLICES = 64  # of the hands below a pair of sixes


@dataclass(frozen=True)
class SeenDeck:
    """All deals of a deck counted by the rank of a card; pays have no part in it."""

    found: Subsets
    order: StrengthOrder
    cuts: Cuts  # `first` is the first hand that is valued with all others of its strength
    counts: SetCounts
    met: Ints  # by rank, holder and kind: the deals of players from `first` on

    @cached_property
    def left(self) -> int:
        """The cards outside of a player's hand and a card seen."""
        return len(self.found.deck) - HAND - 1

    @property
    def dealers(self) -> tuple[int, int]:
        """The dealer's hands once a card is seen: a dead one, one of the dealer's."""
        return comb(self.left, HAND), comb(self.left, HAND - 1)

    @cached_property
    def rank_sizes(self) -> Ints:
        return np.bincount(self.found.deck >> 2, minlength=RANK_COUNT)

    @cached_property
    def hands_beside(self) -> NDArray[Any]:
        """By rank and order index: the hands of the player, once for each card of the rank outside."""
        every, *with_card = np.diff(self.counts.below[: self.found.first[2]], axis=1).astype(object)
        rows = self.found.number[self.found.deck.astype(np.int64) + 1]
        out = np.zeros((RANK_COUNT, len(every)), object)
        for rank, row in zip(self.found.deck >> 2, rows, strict=True):
            out[rank] += every - with_card[row - 1]
        return out


def count_seen_deck(found: Subsets, order: StrengthOrder, sure_strength: int, progress: Progress) -> SeenDeck:
    qualified, first = order.at_least(rules.QUALIFIES), order.at_least(sure_strength)
    cuts = Cuts(qualified, first, max(order.at_least(HIGH_STRENGTH), first))
    counts, met = meet_by_rank(found, order, cuts, progress)
    return SeenDeck(found, order, cuts, counts, met)


def sum_gains(
    deck: SeenDeck, strengths: NDArray[np.uint16], nets: Nets, progress: Progress = nobody_listens
) -> NDArray[Any]:
    """By kind of card, knowledge and rank: the gains by playing over all hands, cards and dealers.

    They are in parts of an Ante; whoever folds gains nothing.
    """
    indices = deck.order.index_of[strengths].astype(np.int64)
    sure = indices >= deck.cuts.first
    hands = deck.found.hands[HAND]
    prove_all_play(deck.found, deck.order, deck.counts, hands[sure], indices[sure], nets)
    sure_gains, single_gains = _sum_sure(deck, nets), _sum_single(deck, indices, ~sure, nets, progress)
    out: NDArray[Any] = sure_gains[:, np.newaxis] + single_gains
    return out


def _sum_sure(deck: SeenDeck, nets: Nets) -> NDArray[Any]:
    """By kind of card and rank, for the hands that are always played."""
    low, less, equal = weigh_kinds(STEPS[0], nets)
    weights = np.array([low, weigh_kinds(HIGH_STRENGTH, nets)[0], less, equal], object)
    met = deck.met.astype(object) @ weights
    everyone = met[:, PLAYER].sum() // HAND
    gains = np.array([deck.rank_sizes * everyone - met.sum(axis=1), met[:, DEALER]], object)
    hands = deck.hands_beside[:, deck.cuts.first :].sum(axis=1)
    dealers = np.array(deck.dealers, object)[:, np.newaxis]
    out: NDArray[Any] = gains - needed_weight(1, nets) * dealers * hands
    return out


# -- Hands one by one -----------------------------------------------------------------------------------


class SingleHands(NamedTuple):
    """The hands that are valued one by one, in the order of their column and their ranks.

    Column 0 is for the hands below the weakest that qualifies; then each strength has a column.
    """

    cards: Hands  # in rising order
    weights: Ints
    start: list[int]  # by column: where its hands begin


class Needed(NamedTuple):
    """The sums of weights from which on playing is as good as folding."""

    unseen: int
    dead: int
    dealers: int


Job = list[tuple[int, slice]]  # columns, and some of their hands


def _sum_single(
    deck: SeenDeck, indices: Ints, chosen: NDArray[np.bool_], nets: Nets, progress: Progress
) -> NDArray[Any]:
    hands, known = _list_hands(deck, indices, chosen), link_cards(deck.found, deck.order.tables)
    dead, dealers = deck.dealers
    needed = Needed(*(needed_weight(n, nets) for n in (dead + dealers, dead, dealers)))

    def work(job: Job) -> Ints:
        out = np.zeros((2, 2, RANK_COUNT, 2), np.int64)
        for weights, part in weigh_columns(deck, job, nets):
            for chunk in _cut(part):
                cards = hands.cards[chunk]
                sums = np.empty((len(cards), JOKER + 1), np.int64)
                sum_cards(known, weights, cards, sums)
                _add_gains(known.deck, cards, hands.weights[chunk], sums, needed, out)
        return out

    found = np.array(map_in_threads(work, _list_jobs(hands), progress)).astype(object).sum(axis=0)
    out: NDArray[Any] = (found[..., 1] << HALF) + found[..., 0]
    return out


def _list_hands(deck: SeenDeck, indices: Ints, chosen: NDArray[np.bool_]) -> SingleHands:
    cards, weights = deck.found.hands[HAND][chosen], deck.found.weights[HAND][chosen]
    column = np.maximum(indices[chosen] - deck.cuts.qualified + 1, 0)
    ranks = poker.tables().key[cards].sum(axis=1) >> SUIT_BITS & poker.SUM_MASK
    at = np.argsort(column << poker.SUM_BITS | ranks)
    start = np.searchsorted(column[at], np.arange(deck.cuts.first - deck.cuts.qualified + 2))
    return SingleHands(np.sort(cards[at], axis=1), weights[at], start.tolist())


def _list_jobs(hands: SingleHands) -> list[Job]:
    weakest: list[Job] = [[(0, part)] for part in slices(hands.start[1], WEAKEST_SLICES)]
    parts = [(n, slice(*pair)) for n, pair in enumerate(pairwise(hands.start))]
    return weakest + [parts[at : at + BLOCK_COLUMNS] for at in range(1, len(parts), BLOCK_COLUMNS)]


def _cut(part: slice) -> Iterator[slice]:
    for start in range(part.start, part.stop, CHUNK_HANDS):
        yield slice(start, min(start + CHUNK_HANDS, part.stop))


def weigh_columns(deck: SeenDeck, job: Job, nets: Nets) -> Iterator[tuple[DealerWeights, slice]]:
    """The weights of dealers for each column of a job, and its hands."""
    qualified, order = deck.cuts.qualified, np.arange(len(deck.order.strengths)) - deck.cuts.qualified
    edges = sorted({0, *(edge for column, _ in job for edge in (max(column - 1, 0), column))})
    below = _read_below(deck, edges)
    for column, part in job:
        player = int(deck.order.strengths[qualified + column - 1]) if column else 0
        unqualified, less, equal = weigh_kinds(player, nets)
        factors = unqualified - less, less - equal, equal
        columns = 0, max(column - 1, 0), column
        kind = np.int32 if max(unqualified, less, equal) * int(below.max()) < 1 << 31 else np.int64
        rows = [
            below[edges.index(edge)].astype(kind) * kind(n) for n, edge in zip(factors, columns, strict=True)
        ]
        hands = sum(n * (order < edge) for n, edge in zip(factors, columns, strict=True))
        yield DealerWeights(rows[0] + rows[1] + rows[2], np.asarray(hands, np.int64)), part


def _read_below(deck: SeenDeck, edges: list[int]) -> NDArray[np.int32]:
    """By edge and class: the hands that contain the set and are below the edge; the last is of no class."""
    few, counts = len(deck.counts.below), deck.counts
    out = np.zeros((len(edges), few + len(counts.five) + 1), np.int32)
    out[:, :few] = counts.below[:, [deck.cuts.qualified + edge for edge in edges]].T
    out[:, few:-1] = counts.five[:, edges].T
    return out


@kernel
def _add_gains(deck: Hands, hands: Hands, weights: Ints, sums: Ints, needed: Needed, out: Ints) -> None:
    """Add the gains of hands beside each card outside of them, by kind of card, knowledge and rank."""
    for n in range(len(hands)):
        everyone, held = int64(0), int64(0)
        for card in hands[n]:
            held |= int64(1) << card
        for card in deck:
            everyone += sums[n, card]
        everyone //= HAND
        plays = everyone >= needed.unseen
        for card in deck:
            if not held >> card & 1:
                dead, dealers = everyone - sums[n, card] - needed.dead, sums[n, card] - needed.dealers
                _add(out[DEAD], card >> 2, weights[n] * dead, plays)
                _add(out[DEALERS], card >> 2, weights[n] * dealers, plays)


@lean
def _add(out: Ints, rank: int, gain: int, plays: bool) -> None:
    """Add a gain in two halves, since the sum may need more than 64 bits."""
    if plays:
        out[UNUSED, rank, 0] += gain & HALF_LOW
        out[UNUSED, rank, 1] += gain >> HALF
    if gain > 0:
        out[USED, rank, 0] += gain & HALF_LOW
        out[USED, rank, 1] += gain >> HALF
