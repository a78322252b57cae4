"""The expected win of a table: its mean and variance, from the proof of its game.

A server calls `prove_expectation`. The proof may take minutes, so a worker process makes it.

Means and the covariances of one seat's bets are exact. The covariances of two seats' bets, which play
against one dealer, are exact where the solver counts two seats, and else simulated. Players are assumed to
play optimally for one stake, by default one unit on each required wager. Another stake may change the best
play, and then has another theory.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations_with_replacement
from types import MappingProxyType
from typing import Any

from feltlab.core.game import Game
from feltlab.core.stake import Stake, read_stake
from feltlab.core.tally import Tally
from feltlab.errors import Refused
from feltlab.games.offers import game_from_data, game_to_data
from feltlab.parallel.progress import Progress
from feltlab.pit.expectation import Expectation, mean_of, variance_of
from feltlab.pit.meters import Meters, pair_name
from feltlab.proving.exact_numbers import root
from feltlab.proving.proof import Proof, prove
from feltlab.proving.store import cached_json
from feltlab.simulation.seat_covariance import Covariance, seat_covariances
from feltlab.workers.protocol import Question, WorkerFailed, ask_once, run_worker

# -- In the server ----------------------------------------------------------------------------------


async def prove_expectation(
    game: Game, stake: Mapping[str, Any] = MappingProxyType({})
) -> tuple[Expectation | None, str]:
    """The expectation of a game, or None and a sentence that says why it is unknown.

    The stake is in units by wager; a wager that it leaves out is as in the default stake.
    """
    units = {wager: str(units) for wager, units in stake.items()}
    try:
        data = await ask_once("feltlab.workers.expectation", {**game_to_data(game), "stake": units})
        expectation = Expectation.from_json(data)
    except (Refused, WorkerFailed) as error:
        return None, _describe_unknown(game, str(error))
    except (ValueError, KeyError, TypeError, AttributeError):
        return None, _describe_unknown(game, "Its answer cannot be read.")
    if expectation.digest != game.digest:
        return None, _describe_unknown(game, "Its rules have changed since they were loaded.")
    return expectation, ""


def _describe_unknown(game: Game, why: str) -> str:
    return f"The expected win of {game.title} is not known: {why}"


# -- The theory -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Theory:
    """The mean and covariances of the house's win, for one unit of each first wager.

    Pairs are named as in `Meters`.
    """

    game: Game
    stake: Stake = field(hash=False)
    means: Mapping[str, Fraction] = field(hash=False)  # by spot: the house's net
    covariances: Mapping[str, Fraction] = field(hash=False)  # by pair: of two bets of one seat
    shared: Mapping[str, Covariance] = field(hash=False)  # by pair: of bets of two seats of one round

    def expected_win(self, meters: Meters) -> Fraction:
        return Fraction(mean_of(meters, self.means))

    def variance(self, meters: Meters) -> Fraction:
        """The variance of the win; exact where every seat played alone."""
        return Fraction(variance_of(meters, self.covariances, self._seat_covariances))

    def deviation(self, meters: Meters) -> float:
        """The standard deviation of the win; a simulated variance below zero counts as zero."""
        return root(max(Fraction(0), self.variance(meters)))

    @property
    def _seat_covariances(self) -> dict[str, Fraction]:
        return {name: Fraction(covariance.value) for name, covariance in self.shared.items()}

    @property
    def expectation(self) -> Expectation:
        """The same in plain numbers, from which bands and alarms are computed."""
        means = {spot: float(mean) for spot, mean in self.means.items()}
        own = {name: float(covariance) for name, covariance in self.covariances.items()}
        shared = {name: covariance.value for name, covariance in self.shared.items()}
        errors = {name: covariance.error for name, covariance in self.shared.items()}
        stake = {wager: str(units) for wager, units in self.stake.items()}
        return Expectation(str(self.game), self.game.digest, stake, means, own, shared, errors)


def theory(game: Game, stake: Stake | None = None) -> Theory:
    """The theory of a game; earlier proofs and simulations come from the store."""
    proof = prove(game, stake)
    means = {bet.name: -proof.tally.expected(bet) for bet in game.wagers}
    return Theory(game, proof.stake, means, dict(_covariances(proof.tally)), _cached_seat_covariances(proof))


def _covariances(tally: Tally) -> Iterator[tuple[str, Fraction]]:
    for a, b in combinations_with_replacement(tally.game.wagers, 2):
        yield pair_name(a.name, b.name), tally.covariance(a, b)


def _cached_seat_covariances(proof: Proof) -> dict[str, Covariance]:
    """The covariances of two seats' bets by pair; none where a deck serves one seat only."""
    if proof.game.seats < 2:
        return {}

    def compute() -> dict[str, list[float]]:
        found = seat_covariances(proof)
        return {pair_name(a, b): [covariance.value, covariance.error] for (a, b), covariance in found.items()}

    stake = {wager: str(units) for wager, units in proof.stake.items()}
    data = cached_json([str(proof.game), "seat covariances, exact where counted", stake], compute)
    return {name: Covariance(*numbers) for name, numbers in data.items()}


# -- In the worker ----------------------------------------------------------------------------------


def answer(question: Question, progress: Progress) -> dict[str, Any]:
    """The expectation of a game for a stake, as JSON."""
    game = game_from_data(question)
    return theory(game, read_stake(game, question["stake"])).expectation.to_json()


if __name__ == "__main__":
    run_worker(answer)
