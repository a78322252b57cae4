"""The strategies, and the law of each."""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from feltlab.core.hands import poker
from feltlab.core.solver import Law
from feltlab.core.tally import Outcomes
from feltlab.counting.showdown import Meetings
from feltlab.games.high_five_poker import rules
from feltlab.games.high_five_poker.solver.choices import FOLDED, judge_kinds
from feltlab.games.high_five_poker.solver.deck_proof import RULE_STRENGTH, DeckProof

METHOD = (
    "All deals counted by inclusion and exclusion over the cards that player and dealer would share, "
    "up to renaming suits; the choice of every hand proved by exact or bounding sums of that kind."
)

PAIRS = {f"pair-of-{number}s": poker.pair_of(number - 2) for number in range(6, 11)}
MIN_STRENGTH = {"never-fold": 0, **PAIRS}  # from which on a rule plays
STRATEGIES = {
    "optimal": "fold or play, whichever is better for the cards held",
    "never-fold": "always play",
    **{name: f"play a {name.replace('-', ' ')} or better" for name in PAIRS},
}


class TripsReading(NamedTuple):
    """A reading of Trips. The defaults are the rules; other values serve to prove other readings."""

    judge: Callable[[int], int] = rules.judge_trips  # its outcome, from the strength of the hand
    lost_by_fold: bool = False


AS_RULED = TripsReading()


def law(proof: DeckProof, strategy: str, trips: TripsReading = AS_RULED) -> Law:
    """The law of a strategy on the deck of the proof."""
    played = _meet_optimally(proof) if strategy == "optimal" else _meet_from(proof, MIN_STRENGTH[strategy])
    counts: Counter[Outcomes] = Counter()
    for order_index, strength in enumerate(proof.strengths):
        for outcomes, deals in _outcomes(proof, played, order_index, strength, trips):
            counts[outcomes] += deals
    plays = int(played.players.sum())
    folds = int(proof.meetings.players.sum()) - plays
    choices = {"play": plays * proof.dealers, "fold": folds * proof.dealers}
    return Law({outcomes: n for outcomes, n in counts.items() if n}, choices, METHOD)


def _meet_from(proof: DeckProof, min_strength: int) -> Meetings:
    """The dealers that hands from a strength on meet."""
    met, plays = proof.meetings, np.array(proof.strengths) >= min_strength
    return Meetings(met.players * plays, met.unqualified * plays, met.less * plays, met.equal * plays)


def _meet_optimally(proof: DeckProof) -> Meetings:
    """The dealers that hands meet under the rule, with its exceptions added or taken out."""
    exceptions, played = proof.exceptions, _meet_from(proof, RULE_STRENGTH)
    hands = np.where(exceptions.choices == rules.PLAY, exceptions.weights, -exceptions.weights)
    np.add.at(played.players, exceptions.order_indices, hands)
    for kind, met in enumerate((played.unqualified, played.less, played.equal)):
        np.add.at(met, exceptions.order_indices, hands * exceptions.kinds[:, kind])
    return played


def _outcomes(
    proof: DeckProof, played: Meetings, order_index: int, strength: int, read: TripsReading
) -> Iterator[tuple[Outcomes, int]]:
    """The joint outcomes of hands of one strength, and the number of deals of each."""
    trips = read.judge(strength)
    plays, hands = int(played.players[order_index]), int(proof.meetings.players[order_index])
    met = [int(kind[order_index]) for kind in (played.unqualified, played.less, played.equal)]
    for outcomes, deals in zip(judge_kinds(strength), (*met, plays * proof.dealers - sum(met)), strict=True):
        yield (*outcomes, trips), deals
    yield (*FOLDED, rules.NO_TRIPS if read.lost_by_fold else trips), (hands - plays) * proof.dealers
