"""Rounds dealt from one shoe until the cut card is out: the edge of their average against a full shoe's.

Where a round uses more cards for some results than for others, the number of rounds in a shoe depends on the
results. The average over all rounds played then differs from the first round of a shoe, which is what all
other figures are of.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from statistics import mean, stdev
from typing import Any

import numpy as np

from feltlab.analysis.session import Estimate
from feltlab.core.layout import Spot
from feltlab.core.solver import CutCard, OutcomeShares
from feltlab.core.tally import Outcomes
from feltlab.games import cut_card_of
from feltlab.proving.exact_numbers import exact
from feltlab.proving.proof import Proof, cache_key
from feltlab.proving.store import cached_json

SEED = 1


@dataclass(frozen=True)
class ShoeAverage:
    """The average round of a shoe under the strategy of a proof. Edges are for each unit of a first wager."""

    cards: int  # of the shoe
    behind_cut: int  # of them, behind the cut card
    rounds: Fraction  # expected in a shoe with one seat
    full_shoe: Mapping[str, Fraction]  # by bet, its edge in a round from a full shoe
    average: Mapping[str, Fraction]  # with one seat, over all rounds of a shoe
    seats: int
    changes: Mapping[str, Estimate]  # with this many seats, sampled: the average less the full shoe

    def change(self, bet: str) -> Fraction:
        """With one seat: the edge of the average round less that of a full shoe."""
        return self.average[bet] - self.full_shoe[bet]

    def as_json(self) -> dict[str, Any]:
        return {
            "cards": self.cards,
            "cards_behind_the_cut_card": self.behind_cut,
            "rounds_per_shoe_with_one_seat": exact(self.rounds),
            "house_edge_of_a_full_shoe": _exact_edges(self.full_shoe),
            "house_edge_of_the_average_round_with_one_seat": _exact_edges(self.average),
            "change_with_one_seat": {bet: exact(self.change(bet)) for bet in self.average},
            "seats_sampled": self.seats,
            "change_with_these_seats": {bet: found.as_json() for bet, found in self.changes.items()},
        }


def _exact_edges(edges: Mapping[str, Fraction]) -> dict[str, Any]:
    return {bet: exact(edge) for bet, edge in edges.items()}


def average_shoe(proof: Proof, seats: int) -> ShoeAverage | None:
    """The average round of a shoe; None where a game does not count it."""
    cut_card = cut_card_of(proof.game)
    if cut_card is None:
        return None
    counted, batches = _cached_rounds(proof, cut_card, seats)
    game, bets, rounds = proof.game, proof.game.wagers, sum(counted.values(), Fraction(0))
    return ShoeAverage(
        len(game.deck),
        game.behind_cut,
        rounds,
        {bet.name: proof.house_edge(bet.name) for bet in bets},
        {bet.name: _loss(proof, bet, counted) / rounds for bet in bets},
        seats,
        {bet.name: _estimate_change(proof, bet, batches) for bet in bets},
    )


def _cached_rounds(
    proof: Proof, cut_card: CutCard, seats: int
) -> tuple[Mapping[Outcomes, Fraction], Sequence[OutcomeShares]]:
    """The rounds with one seat, counted, and with several, sampled; stored, as laws are."""
    game, asked = proof.game, (proof.game, proof.stake, proof.strategy)
    key = ["rounds of a shoe", dict(game.options), cache_key(*asked), seats]

    def compute() -> Any:
        counted = cut_card.count_rounds(*asked)
        sampled = cut_card.sample_changes(*asked, seats, np.random.default_rng(SEED))
        return [
            [[*outcomes, str(n)] for outcomes, n in counted.items()],
            [[[*outcomes, share] for outcomes, share in batch.items()] for batch in sampled],
        ]

    counted, sampled = cached_json(key, compute)
    batches = [{tuple(outcomes): share for *outcomes, share in batch} for batch in sampled]
    return {tuple(outcomes): Fraction(n) for *outcomes, n in counted}, batches


def _loss(proof: Proof, bet: Spot, expected: Mapping[Outcomes, Fraction]) -> Fraction:
    return -sum((n * proof.tally.net(bet, outcomes) for outcomes, n in expected.items()), Fraction(0))


def _estimate_change(proof: Proof, bet: Spot, batches: Sequence[OutcomeShares]) -> Estimate:
    """The mean change over all batches, and its standard error."""
    nets = {outcomes: float(proof.tally.net(bet, outcomes)) for outcomes in batches[0]}
    changes = [-sum(share * nets[outcomes] for outcomes, share in batch.items()) for batch in batches]
    return Estimate(mean(changes), stdev(changes) / sqrt(len(changes)))
