"""Strategies that are published for Caribbean Stud Poker. All but one raise a pair and fold less than A-K."""

from math import comb

from feltlab.core.cards import RANKS
from feltlab.core.hands import poker
from feltlab.counting.tree.solver import NamedStrategy
from feltlab.games.caribbean_stud.rules import FOLD, HAND, QUALIFIES, RAISE, UP_CARD, CaribbeanHouse
from feltlab.kernel import Array, lean

JACK, QUEEN, KING = (RANKS.index(rank) for rank in "JQK")
PAIR = poker.PAIR << 12
# The number of lower sets of five ranks, as a high card's strength counts them: from A-K-J-8-3.
A_K_J_8_3 = QUALIFIES + comb(JACK, 3) + comb(RANKS.index("8"), 2) + RANKS.index("3")


@lean
def _strength(data: CaribbeanHouse, seen: Array) -> int:
    return poker.strength(data.poker, seen[:HAND])


@lean
def _has_rank(seen: Array, rank: int) -> bool:
    """Does the player hold a card of this rank?"""
    for place in range(HAND):  # noqa: SIM110 - kernels have no generators
        if seen[place] >> 2 == rank:
            return True
    return False


@lean
def _fourth_rank(seen: Array) -> int:
    """The fourth highest rank of a hand without a pair."""
    fourth = -1
    for place in range(HAND):
        higher = 0
        for other in range(HAND):
            higher += seen[other] >> 2 > seen[place] >> 2
        if higher == 3:
            fourth = seen[place] >> 2
    return fourth


@lean
def _from(strength: int, least: int) -> int:
    """Raise hands of at least this strength."""
    return RAISE if strength >= least else FOLD


@lean
def three_rules(data: CaribbeanHouse, seen: Array, legal: int, choices: Array) -> int:
    strength = _strength(data, seen)
    if strength >= PAIR or strength < QUALIFIES:
        return _from(strength, PAIR)
    up = seen[UP_CARD] >> 2
    queen = _has_rank(seen, QUEEN)
    if up >= KING:
        return RAISE if queen or _has_rank(seen, JACK) else FOLD
    if _has_rank(seen, up):
        return RAISE
    return RAISE if queen and up < _fourth_rank(seen) else FOLD


@lean
def a_k_j_8_3(data: CaribbeanHouse, seen: Array, legal: int, choices: Array) -> int:
    return _from(_strength(data, seen), A_K_J_8_3)


@lean
def match_rank(data: CaribbeanHouse, seen: Array, legal: int, choices: Array) -> int:
    matches = _has_rank(seen, seen[UP_CARD] >> 2)
    return _from(_strength(data, seen), QUALIFIES if matches else PAIR)


@lean
def pair_or_better(data: CaribbeanHouse, seen: Array, legal: int, choices: Array) -> int:
    return _from(_strength(data, seen), PAIR)


@lean
def ace_king(data: CaribbeanHouse, seen: Array, legal: int, choices: Array) -> int:
    return _from(_strength(data, seen), QUALIFIES)


@lean
def never_fold(data: CaribbeanHouse, seen: Array, legal: int, choices: Array) -> int:
    return RAISE


STRATEGIES = {
    "three-rules": NamedStrategy(
        "raise a pair or better; raise A-K if the up card is 2 to Q and matches one of your cards, if it is A"
        " or K and you hold a Q or J, or if it matches none, you hold a Q, and it is below your fourth card",
        three_rules,
    ),
    "a-k-j-8-3": NamedStrategy("raise A-K-J-8-3 or better", a_k_j_8_3),
    "match-rank": NamedStrategy(
        "raise a pair or better; raise A-K if the up card matches the rank of one of your cards", match_rank
    ),
    "pair-or-better": NamedStrategy("raise a pair or better", pair_or_better),
    "ace-king": NamedStrategy("raise A-K or better, what the dealer qualifies with", ace_king),
    "never-fold": NamedStrategy("always raise", never_fold),
}
