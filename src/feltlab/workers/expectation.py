"""The theory of a table: the mean and the variance of its win, from the proof of its game.

Means and the covariances of one seat's bets are exact. What bets of two seats have in common, as they play
against one dealer, is simulated. Players are taken to play optimally for one stake, unless told otherwise
the default one of one unit on each required wager. Where a wager of another size or on another spot would
change the best play, the theory of that play is another.

`python -m feltlab.workers.expectation GAME [OPTION=VALUE ...] [SPOT:OUTCOME=PAY ...] [--stake
WAGER=UNITS ...]` prints it as JSON, for a pit that proves nothing itself.
"""

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations_with_replacement

from feltlab.core.game import Game
from feltlab.core.stake import Stake, read_stake
from feltlab.core.tally import Tally
from feltlab.digests import canonical_json
from feltlab.errors import Refused, Unknown
from feltlab.games import GAMES
from feltlab.pit.meters import Expectation, Meters, mean_of, pair, variance_of
from feltlab.proving.exact_numbers import root
from feltlab.proving.proof import Proof, prove
from feltlab.proving.store import cached_json
from feltlab.simulation.seat_covariance import Covariance, seat_covariances

STAKE = "--stake"
MEEK = 10  # how far the process gives way to others


@dataclass(frozen=True)
class Theory:
    """What a round is to bring the house, for each unit of its first wagers.

    Pairs are named as those of `Meters` are.
    """

    game: Game
    stake: Stake = field(hash=False)
    means: Mapping[str, Fraction] = field(hash=False)  # by spot, what the house nets
    covariances: Mapping[str, Fraction] = field(hash=False)  # by pair, of two bets of one seat
    shared: Mapping[str, Covariance] = field(hash=False)  # by pair, of bets of two seats of one round

    def expected(self, meters: Meters) -> Fraction:
        """What the house was to win."""
        return Fraction(mean_of(meters, self.means))

    def variance(self, meters: Meters) -> Fraction:
        """Of the win; exact where seats played alone."""
        return Fraction(variance_of(meters, self.covariances, self._shared))

    def deviation(self, meters: Meters) -> float:
        """The standard deviation of the win; what is simulated may be off, but no variance is negative."""
        return root(max(Fraction(0), self.variance(meters)))

    @property
    def _shared(self) -> dict[str, Fraction]:
        return {name: Fraction(covariance.value) for name, covariance in self.shared.items()}

    @property
    def expectation(self) -> Expectation:
        """The same in plain numbers; bands and alarms are asked of it."""
        means = {spot: float(mean) for spot, mean in self.means.items()}
        own = {name: float(covariance) for name, covariance in self.covariances.items()}
        shared = {name: covariance.value for name, covariance in self.shared.items()}
        errors = {name: covariance.error for name, covariance in self.shared.items()}
        stake = {wager: str(units) for wager, units in self.stake.items()}
        return Expectation(str(self.game), self.game.digest, stake, means, own, shared, errors)


def theory(game: Game, stake: Stake | None = None) -> Theory:
    """The theory of a game; what was proved and simulated before is taken from the store."""
    proof = prove(game, stake)
    means = {bet.name: -proof.tally.expected(bet) for bet in game.wagers}
    return Theory(game, proof.stake, means, dict(_covariances(proof.tally)), _shared(proof))


def _covariances(tally: Tally) -> Iterator[tuple[str, Fraction]]:
    for a, b in combinations_with_replacement(tally.game.wagers, 2):
        yield pair(a.name, b.name), tally.covariance(a, b)


def _shared(proof: Proof) -> dict[str, Covariance]:
    """By pair; nothing where a deck serves one seat only."""
    if proof.game.seats < 2:
        return {}

    def compute() -> dict[str, list[float]]:
        found = seat_covariances(proof)
        return {pair(a, b): [covariance.value, covariance.error] for (a, b), covariance in found.items()}

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
