"""The covariance of two seats at one table: exact where a solver counts two seats, otherwise simulated.

Seats share the dealer's hand, so they tend to win and lose together. The law of one seat does not say how
much, so both seats are dealt from one deck against one dealer, and the same strategy plays each of them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feltlab.core.game import Game
from feltlab.core.joint_numbers import Ints, JointCode, joint_code
from feltlab.core.tally import Outcomes, Tally
from feltlab.games import two_seats_of
from feltlab.kernel import Array, inlined, lean
from feltlab.proving.proof import Proof, player_of
from feltlab.simulation.round_loop import RoundArrays, build_round, new_round_arrays
from feltlab.simulation.streams import Stream, deal_randomly, new_stream

DEFAULT_ROUNDS = 1 << 20
Floats = NDArray[np.float64]
Wagers = Mapping[str, int]  # in cents, or in units
SeatPairs = Mapping[tuple[Outcomes, Outcomes], int]


@lean
def find_place(numbers: Ints, number: int) -> int:
    """The place of a number among numbers in rising order."""
    low, high = 0, len(numbers) - 1
    while low < high:
        middle = (low + high) // 2
        if numbers[middle] < number:
            low = middle + 1
        else:
            high = middle
    return low


def build_two_seat_loop(play: Callable[..., int]) -> Callable[..., None]:
    """Build a loop, not compiled yet, over random rounds of two seats.

    A column of `nets` holds the net of one set of wagers, by the place of a joint outcome in `numbers`. For
    each pair of columns the loop sums the product of one seat's net and the other's, and its square. The
    seats are alike, so the product is the mean of both orders.
    """

    def loop(
        kernel_data: Any,
        data: Any,
        stream: Stream,
        deck: Array,
        code: JointCode,
        rounds: int,
        arrays: RoundArrays,
        cards: Array,
        players: int,
        numbers: Ints,
        nets: Floats,
        sums: Floats,
    ) -> None:
        shoe, columns = arrays.shoe, nets.shape[1]
        for _ in range(rounds):
            deal_randomly(stream, deck, cards)
            one = other = 0
            for start in (0, players):
                for i in range(players):
                    shoe[i] = cards[start + i]
                for i in range(players, len(shoe)):
                    shoe[i] = cards[players + i]
                one, other = other, find_place(numbers, play(kernel_data, data, code, arrays))
            for a in range(columns):
                for b in range(columns):
                    product = (nets[one, a] * nets[other, b] + nets[one, b] * nets[other, a]) / 2
                    sums[0, a, b] += product
                    sums[1, a, b] += product * product

    return loop


@dataclass(frozen=True)
class Covariance:
    """The covariance of the nets of two seats in one round, in squared cents or squared units."""

    value: float
    error: float  # its standard error; 0 if it is exact

    @property
    def is_exact(self) -> bool:
        return self.error == 0


NO_COVARIANCE = Covariance(0.0, 0.0)  # of a table with one seat


def seat_covariance(
    proof: Proof, wagers: Mapping[str, int], seed: int = 1, rounds: int = DEFAULT_ROUNDS
) -> Covariance:
    """The covariance of two seats with these wagers, in cents, under the strategy of a proof."""
    return _covariances(proof, [wagers], seed, rounds)[0, 0]


def seat_covariances(
    proof: Proof, seed: int = 1, rounds: int = DEFAULT_ROUNDS
) -> dict[tuple[str, str], Covariance]:
    """The covariance of any bet of one seat with any bet of another, in units of their first wagers."""
    bets = [bet.name for bet in proof.game.wagers]
    found = _covariances(proof, [{bet: 1} for bet in bets], seed, rounds)
    return {(bets[a], bets[b]): covariance for (a, b), covariance in found.items()}


def _covariances(
    proof: Proof, columns: Sequence[Mapping[str, int]], seed: int, rounds: int
) -> dict[tuple[int, int], Covariance]:
    """By pair of columns, the covariance of two seats that play for those two sets of wagers."""
    count = two_seats_of(proof.game).count_pairs
    if count is None:
        return _simulate_covariances(proof, columns, seed, rounds)
    pairs = count(proof.game, proof.stake, proof.strategy)
    return {
        (a, b): Covariance(float(_exact_covariance(proof, pairs, columns[a], columns[b])), 0.0)
        for a, b in np.ndindex(len(columns), len(columns))
    }


def _exact_covariance(proof: Proof, pairs: SeatPairs, one: Wagers, two: Wagers) -> Fraction:
    tally = proof.tally

    def net(wagers: Wagers, outcomes: Outcomes) -> Fraction:
        nets = (cents * tally.net(proof.game.spot(bet), outcomes) for bet, cents in wagers.items())
        return sum(nets, Fraction(0))

    products = sum(n * net(one, a) * net(two, b) for (a, b), n in pairs.items())
    means = tally.total_expected(one) * tally.total_expected(two)
    return Fraction(products) / sum(pairs.values()) - means


def _simulate_covariances(
    proof: Proof, columns: Sequence[Mapping[str, int]], seed: int, rounds: int
) -> dict[tuple[int, int], Covariance]:
    """By pair of columns, the covariance of two seats that play for those two sets of wagers."""
    game, player = proof.game, player_of(proof.game, proof.stake, proof.strategy)
    loop = lean(build_two_seat_loop(inlined(build_round(game.rules, player.decide))))
    deck, code, players = np.array(game.deck.cards, np.int8), joint_code(game), game.own_places
    cards, sums = np.empty(players + game.places, np.int8), np.zeros((2, *[len(columns)] * 2))
    table = (new_round_arrays(game), cards, players, *_nets(proof.tally, game, columns), sums)
    loop(game.kernel_data, player.data, new_stream(seed, 0), deck, code, rounds, *table)
    means = [float(proof.tally.total_expected(wagers)) for wagers in columns]
    return {
        (a, b): _covariance(sums[:, a, b] / rounds, means[a] * means[b], rounds)
        for a, b in np.ndindex(len(columns), len(columns))
    }


def _covariance(moments: Floats, means: float, rounds: int) -> Covariance:
    product, square = moments.tolist()
    return Covariance(product - means, sqrt(max(0.0, square - product**2) / rounds))


def _nets(tally: Tally, game: Game, columns: Sequence[Mapping[str, int]]) -> tuple[Ints, Floats]:
    """The numbers of the joint outcomes in rising order, and by place the net of each set of wagers."""
    radix = joint_code(game).radix.tolist()
    numbers = {
        int(np.ravel_multi_index([n + 1 for n in outcomes], radix)): outcomes for outcomes in tally.counts
    }
    bets = [[(game.spot(name), cents) for name, cents in wagers.items()] for wagers in columns]
    nets = [
        [float(sum(cents * tally.net(bet, numbers[number]) for bet, cents in put)) for put in bets]
        for number in sorted(numbers)
    ]
    return np.array(sorted(numbers)), np.array(nets)
