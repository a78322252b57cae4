"""Two seats of one table. They share the dealer's hand, so they win and lose together more often than not.

The law of one seat cannot tell by how much, so their covariance is simulated: both seats are dealt from
one deck against one dealer, and each is played to its end by the same strategy.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feltlab.game import Game
from feltlab.kernel import Array, inlined, lean
from feltlab.proof import Proof, player_of
from feltlab.simulate import Ints, Seat, new_seat, radix_of, round_of
from feltlab.stream import Stream, deal, stream
from feltlab.tally import Tally

ROUNDS = 1 << 20
Floats = NDArray[np.float64]


def loop_of(play: Callable[..., int]) -> Callable[..., None]:
    """A loop over random rounds of two seats: the sum of the products of their nets, and of its squares."""

    def loop(
        house: Any,
        knows: Any,
        stream: Stream,
        deck: Array,
        radix: Ints,
        rounds: int,
        seat: Seat,
        cards: Array,
        players: int,
        nets: Floats,
        sums: Floats,
    ) -> None:
        shoe = seat.shoe
        for _ in range(rounds):
            deal(stream, deck, cards)
            product = 1.0
            for start in (0, players):
                for i in range(players):
                    shoe[i] = cards[start + i]
                for i in range(players, len(shoe)):
                    shoe[i] = cards[players + i]
                product *= nets[play(house, knows, radix, seat)]
            sums[0] += product
            sums[1] += product * product

    return loop


@dataclass(frozen=True)
class Covariance:
    """Of the nets of two seats in one round, in cents squared."""

    value: float
    error: float  # standard


NO_COVARIANCE = Covariance(0.0, 0.0)  # of a seat alone


def seat_covariance(
    proof: Proof, wagers: Mapping[str, int], seed: int = 1, rounds: int = ROUNDS
) -> Covariance:
    """The covariance of two seats with these wagers, in cents, under the strategy of a proof."""
    game, player = proof.game, player_of(proof.game, proof.stake, proof.strategy)
    play = lean(loop_of(inlined(round_of(game.rules, player.decide))))
    deck, radix, players = np.array(game.deck.cards, np.int8), radix_of(game), game.rules.PLAYER_CARDS
    cards, sums = np.empty(2 * players + game.rules.DEALER_CARDS, np.int8), np.zeros(2)
    table = (new_seat(game), cards, players, _nets(proof.tally, game, wagers), sums)
    play(game.house, player.knows, stream(seed, 0), deck, radix, rounds, *table)
    product, square = sums / rounds
    mean = float(sum(cents * proof.tally.expected(game.spot(name)) for name, cents in wagers.items()))
    return Covariance(float(product - mean**2), sqrt((square - product**2) / rounds))


def _nets(tally: Tally, game: Game, wagers: Mapping[str, int]) -> Floats:
    """By number of joint outcome, what the wagers net."""
    radix = radix_of(game)
    nets = np.zeros(int(radix.prod()))
    bets = [(game.spot(name), cents) for name, cents in wagers.items()]
    for outcomes in tally.counts:
        number = np.ravel_multi_index([n + 1 for n in outcomes], radix.tolist())
        nets[number] = float(sum(cents * tally.net(bet, outcomes) for bet, cents in bets))
    return nets
