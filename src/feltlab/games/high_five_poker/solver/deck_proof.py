"""The proof of a deck: all deals counted, the best choice of every hand, the exceptions to the rule."""

from dataclasses import dataclass
from functools import cached_property
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from feltlab.core.cards import JOKER, RANKS
from feltlab.core.hands import poker
from feltlab.counting import showdown
from feltlab.counting.showdown import Meetings, StrengthOrder, Zone
from feltlab.counting.subsets import HAND, Ints, Subsets, subsets_of_standard_deck
from feltlab.counting.suits import Hands, strengths_of
from feltlab.errors import Refused
from feltlab.games.high_five_poker import rules
from feltlab.games.high_five_poker.solver.choices import (
    LISTED_NETS,
    Nets,
    Undecided,
    build_columns,
    choose_all,
    count_dealers,
    needed_weight,
    weigh_kinds,
)
from feltlab.parallel.progress import Progress, nobody_listens, part_of
from feltlab.parallel.threads import map_in_threads, slices

RULE_STRENGTH = poker.pair_of(RANKS.index("7"))  # hands from here on play, but for the exceptions
# From a pair of tens on, the bound shows that every hand is played; from nines on it would leave some open.
ZONE_END = poker.pair_of(RANKS.index("T"))
LOW_CARDS = 4 * RANKS.index("6")  # cards below this number are deuces to fives


class Holding(NamedTuple):
    """The features by which the choice of hands of about one strength differs."""

    lead: int  # category and leading rank of a pair, 0 of a high card
    joker: bool
    low: int  # cards below a six, which a dealer who does not qualify is likely to need


@dataclass(frozen=True)
class RuleExceptions:
    """The hands whose best choice is not that of the rule by strength, one for each class."""

    hands: Hands
    weights: Ints  # hands in the class
    order_indices: NDArray[np.uint16]
    choices: NDArray[np.uint8]
    kinds: Ints  # dealers not qualified, weaker and equal


@dataclass(frozen=True)
class DeckProof:
    """All that the law of any strategy follows from."""

    dealers: int  # hands that the dealer can have once the player's is known
    strengths: list[int]  # by order index
    meetings: Meetings
    exceptions: RuleExceptions
    examined: dict[Holding, int]  # the player's hands below the zone's end
    nets: Nets = LISTED_NETS

    @cached_property
    def gains(self) -> Ints:
        """The gain of each exception by playing instead of folding, summed over all dealers."""
        order_indices, which = np.unique(self.exceptions.order_indices, return_inverse=True)
        weights = [weigh_kinds(self.strengths[order_index], self.nets) for order_index in order_indices]
        weighed: Ints = (np.array(weights, np.int64)[which] * self.exceptions.kinds).sum(axis=1)
        return weighed - needed_weight(self.dealers, self.nets)


@dataclass(frozen=True)
class CountedDeck:
    """All deals of a deck counted; pays have no part in it."""

    found: Subsets
    zone_end: int
    strengths: NDArray[np.uint16]  # of the player's hands
    order: StrengthOrder
    meetings: Meetings
    zone: Zone


def count_deck(found: Subsets, zone_end: int, progress: Progress) -> CountedDeck:
    strengths = strengths_of(found.hands[HAND])
    order = showdown.order_strengths(strengths)
    qualified, end = order.at_least(rules.QUALIFIES), order.at_least(zone_end)
    meetings, zone = showdown.meet(found, order, qualified, end, progress)
    return CountedDeck(found, zone_end, strengths, order, meetings, zone)


def prove_choices(deck: CountedDeck, nets: Nets, progress: Progress = nobody_listens) -> DeckProof:
    """The best choice of every hand under these pays."""
    found, zone, strengths = deck.found, deck.zone, deck.strengths
    players, order_indices = found.hands[HAND], deck.order.index_of[strengths]
    dealers = comb(len(found.deck) - HAND, HAND)
    columns, need = build_columns(found, deck.order, zone, nets), needed_weight(dealers, nets)
    choices = choose_all(zone, columns, players, order_indices, need, part_of(progress, 0.8, 0.95))
    rule = np.where(strengths >= RULE_STRENGTH, rules.PLAY, rules.FOLD)
    exceptions = _exceptions(zone, found, order_indices, choices, np.flatnonzero(choices != rule))
    examined = count_holdings(
        strengths, players, found.weights[HAND], np.flatnonzero(strengths < deck.zone_end)
    )
    progress(1)
    return DeckProof(dealers, deck.order.strengths.tolist(), deck.meetings, exceptions, examined, nets)


def _exceptions(
    zone: Zone, found: Subsets, order_indices: NDArray[np.uint16], choices: NDArray[np.uint8], at: Ints
) -> RuleExceptions:
    hands, indices, kinds = found.hands[HAND][at], order_indices[at], np.empty((len(at), 3), np.int64)
    map_in_threads(
        lambda part: count_dealers(zone, hands[part], indices[part], kinds[part]),
        slices(len(at), showdown.SLICES),
    )
    return RuleExceptions(hands, found.weights[HAND][at], indices, choices[at], kinds)


def count_holdings(
    strengths: NDArray[np.uint16], hands: Hands, weights: Ints, at: Ints
) -> dict[Holding, int]:
    """Count the hands of each holding, among those at some places."""
    low, joker = (hands[at] < LOW_CARDS).sum(axis=1), (hands[at] == JOKER).any(axis=1)
    count = np.bincount(leads(strengths[at]) << 4 | joker << 3 | low, weights[at]).astype(np.int64)
    return {Holding(n >> 4, bool(n >> 3 & 1), n & 7): int(count[n]) for n in np.flatnonzero(count).tolist()}


def leads(strengths: NDArray[np.uint16]) -> Ints:
    """The category and leading rank of each strength; 0 of a high card."""
    return np.where(strengths >> 12, strengths >> 8, 0).astype(np.int64)


_counted: list[CountedDeck] = []  # the standard deck, which all pays share
_proved: dict[Nets, DeckProof] = {}  # its proofs, which all strategies share
MAX_PROOFS = 2  # kept in memory, some fifty megabytes each


def counted_deck(progress: Progress = nobody_listens) -> CountedDeck:
    """The game's own deck, counted once."""
    if not _counted:
        _counted.append(count_deck(subsets_of_standard_deck(), ZONE_END, part_of(progress, 0.2, 0.8)))
    return _counted[0]


def prove_standard_deck(progress: Progress = nobody_listens, nets: Nets = LISTED_NETS) -> DeckProof:
    """The proof of the game's own deck, computed once for each set of pays."""
    if nets not in _proved:
        progress(0)
        deck = counted_deck(progress)
        while len(_proved) >= MAX_PROOFS:
            del _proved[next(iter(_proved))]
        try:
            _proved[nets] = prove_choices(deck, nets, progress)
        except Undecided:
            raise Refused("Play and Ante pay too little to be solved: hands above nines may fold.") from None
    return _proved[nets]
