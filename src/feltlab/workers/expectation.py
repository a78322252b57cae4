"""The expected win of a table: its mean and variance, from the proof of its game.

A server calls `prove_expectation`, which has a process of its own prove it: that may take minutes, and
gives way to everything else. `python -m feltlab.workers.expectation GAME [OPTION=VALUE ...]
[SPOT:OUTCOME=PAY ...] [--stake WAGER=UNITS ...]` prints it as JSON.

Means and the covariances of one seat's bets are exact. The covariances of two seats' bets, which play
against one dealer, are simulated. Players are assumed to play optimally for one stake, by default one unit
on each required wager. Another stake may change the best play, and then has another theory.
"""

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations_with_replacement
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import orjson

from feltlab.core.game import Game
from feltlab.core.stake import Stake, read_stake
from feltlab.core.tally import Tally
from feltlab.digests import canonical_json
from feltlab.errors import Refused, Unknown
from feltlab.games import GAMES
from feltlab.pit.expectation import Expectation, mean_of, variance_of
from feltlab.pit.meters import Meters, pair_name
from feltlab.proving.exact_numbers import root
from feltlab.workers.process import started

if TYPE_CHECKING:  # the process alone loads what proves and simulates; a server imports this module too
    from feltlab.proving.proof import Proof
    from feltlab.simulation.seat_covariance import Covariance

STAKE = "--stake"
MEEK = 10  # how far the process gives way to others


# -- In the server ----------------------------------------------------------------------------------


async def prove_expectation(
    game: Game, stake: Mapping[str, Any] = MappingProxyType({})
) -> tuple[Expectation | None, str]:
    """The expectation of a game, or None and a sentence that says why it is unknown.

    The stake is in units by wager; a wager that it leaves out is as in the default stake.
    """
    try:
        words = (*game.words, "--stake", *(f"{wager}={units}" for wager, units in stake.items()))
        command = (sys.executable, "-P", "-m", "feltlab.workers.expectation", *words)
        status, answer, complaint = await (await started(*command, complaints=True)).ended()
    except OSError as error:
        return None, _describe_unknown(game, f"{error.strerror or error}.")
    if status:
        said = complaint.decode(errors="replace").strip().splitlines()
        why = said[-1] if said else f"Its proof ended with status {status}."
        return None, _describe_unknown(game, why)
    return _parse_answer(game, answer)


def _parse_answer(game: Game, answer: bytes) -> tuple[Expectation | None, str]:
    try:
        found = Expectation.from_json(orjson.loads(answer))
    except (ValueError, KeyError, TypeError, AttributeError):
        return None, _describe_unknown(game, "Its proof cannot be read.")
    if found.digest != game.digest:
        return None, _describe_unknown(game, "Its rules have changed since they were loaded.")
    return found, ""


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
    shared: Mapping[str, "Covariance"] = field(hash=False)  # by pair: of bets of two seats of one round

    def expected_win(self, meters: Meters) -> Fraction:
        return Fraction(mean_of(meters, self.means))

    def variance(self, meters: Meters) -> Fraction:
        """The variance of the win; exact where every seat played alone."""
        return Fraction(variance_of(meters, self.covariances, self._shared))

    def deviation(self, meters: Meters) -> float:
        """The standard deviation of the win; a simulated variance below zero counts as zero."""
        return root(max(Fraction(0), self.variance(meters)))

    @property
    def _shared(self) -> dict[str, Fraction]:
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
    from feltlab.proving.proof import prove

    proof = prove(game, stake)
    means = {bet.name: -proof.tally.expected(bet) for bet in game.wagers}
    return Theory(game, proof.stake, means, dict(_covariances(proof.tally)), _shared(proof))


def _covariances(tally: Tally) -> Iterator[tuple[str, Fraction]]:
    for a, b in combinations_with_replacement(tally.game.wagers, 2):
        yield pair_name(a.name, b.name), tally.covariance(a, b)


def _shared(proof: "Proof") -> dict[str, "Covariance"]:
    """The covariances of two seats' bets by pair; none where a deck serves one seat only."""
    from feltlab.proving.store import cached_json
    from feltlab.simulation.seat_covariance import Covariance, seat_covariances

    if proof.game.seats < 2:
        return {}

    def compute() -> dict[str, list[float]]:
        found = seat_covariances(proof)
        return {pair_name(a, b): [covariance.value, covariance.error] for (a, b), covariance in found.items()}

    stake = {wager: str(units) for wager, units in proof.stake.items()}
    data = cached_json([str(proof.game), "seat covariances", stake], compute)
    return {name: Covariance(*numbers) for name, numbers in data.items()}


# -- In a process of its own ------------------------------------------------------------------------


def game_of(words: Sequence[str]) -> Game:
    """The game that these words tell from all others, as `Game.words` does."""
    if not words:
        raise Refused("The theory of which game? Give its name, then its options and pays.")
    game, options, pays = GAMES[words[0]], {}, []
    for word in words[1:]:
        name, value = _pair(word)
        if ":" in name:
            pays.append(_pay(game, word))
        else:
            options[name] = value
    return Game(game.rules, tuple(options.items()), tuple(pays))


def _pair(word: str) -> tuple[str, str]:
    name, equals, value = word.partition("=")
    if not equals:
        raise Refused(f"{word!r} is no NAME=VALUE.")
    return name, value


def _pay(game: Game, word: str) -> tuple[str, str, Fraction]:
    """A pay of the house, with its spot and outcome. Lines below are not changed: each has its own word."""
    line, _, pays = word.rpartition("=")
    spot, _, outcome = line.partition(":")
    if outcome not in game.spot(spot).outcomes:
        raise Unknown(f"{outcome!r} is not an outcome of {spot}.")
    try:
        return spot, outcome, Fraction(pays)
    except (ValueError, ZeroDivisionError):
        raise Refused(f"{pays!r} is not what {outcome!r} can pay, such as 5 or 3/2.") from None


def _asked(words: Sequence[str]) -> Theory:
    at = words.index(STAKE) if STAKE in words else len(words)
    game = game_of(words[:at])
    return theory(game, read_stake(game, dict(_pair(word) for word in words[at + 1 :])))


def main(words: Sequence[str]) -> int:
    os.nice(MEEK)  # tables are waited for, this is not
    try:
        found = _asked(words)
    except Refused as refused:
        print(refused, file=sys.stderr)
        return 2
    sys.stdout.buffer.write(canonical_json(found.expectation.to_json()) + b"\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
