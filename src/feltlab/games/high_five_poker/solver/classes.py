"""The classes of a certificate.

Below a pair of tens, every class of seven cards has its own row: the dealers who do not qualify, are weaker
and are equal. From a pair of tens on every hand is played, so a row for each strength is enough there.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from feltlab.core.game import Game
from feltlab.core.solver import ClassTables
from feltlab.core.stake import Stake
from feltlab.counting import showdown
from feltlab.counting.subsets import HAND, Ints
from feltlab.games.high_five_poker import rules
from feltlab.games.high_five_poker.solver.choices import Nets, count_dealers, needed_weight, weigh_kinds
from feltlab.games.high_five_poker.solver.deck_proof import (
    CountedDeck,
    DeckProof,
    counted_deck,
    prove_standard_deck,
)
from feltlab.parallel.progress import Progress, part_of
from feltlab.parallel.threads import map_in_threads, slices


def classes(game: Game, stake: Stake, progress: Progress) -> ClassTables:
    proof = prove_standard_deck(part_of(progress, 0.0, 0.7), Nets.of(game))
    deck, met = counted_deck(), proof.meetings
    at = np.flatnonzero(deck.strengths < deck.zone_end)
    order_indices = deck.order.index_of[deck.strengths[at]]
    kinds = _count_kinds(deck, deck.found.hands[HAND][at], order_indices, part_of(progress, 0.7, 1.0))
    arrays: dict[str, NDArray[Any]] = {
        "strengths.hands": met.players,
        "strengths.deals": np.stack([met.unqualified, met.less, met.equal], axis=1),
        "cards": deck.found.hands[HAND][at],
        "weights": deck.found.weights[HAND][at].astype(np.uint8),
        "choices": _choose(proof, order_indices, kinds),
        "kinds": kinds.astype(np.uint32),
    }
    return ClassTables(arrays, {})


def _count_kinds(
    deck: CountedDeck, hands: NDArray[np.uint8], order_indices: NDArray[np.uint16], progress: Progress
) -> Ints:
    kinds = np.empty((len(hands), 3), np.int64)
    map_in_threads(
        lambda part: count_dealers(deck.zone, hands[part], order_indices[part], kinds[part]),
        slices(len(hands), showdown.SLICES),
        progress,
    )
    return kinds


def _choose(proof: DeckProof, order_indices: NDArray[np.uint16], kinds: Ints) -> NDArray[np.uint8]:
    """The best choice of each class; one for which both are equal plays."""
    weights = np.array([weigh_kinds(strength, proof.nets) for strength in proof.strengths], np.int64)
    gains = (weights[order_indices] * kinds).sum(axis=1)
    plays = gains >= needed_weight(proof.dealers, proof.nets)
    return np.where(plays, rules.PLAY, rules.FOLD).astype(np.uint8)
