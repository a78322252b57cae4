"""The walk of a bankroll over many rounds: how likely each end is, and how soon it has to stop.

A bankroll moves on a lattice whose step divides everything that a round can net. `chain` carries the
chance of every place on it from round to round, in floats and with a bound of what they lose; where that
would take too long, `simulate` draws sessions instead.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import expm1, fsum, gcd, log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feltlab.errors import Refused
from feltlab.kernel import kernel
from feltlab.parallel.progress import Progress, nobody_listens

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

MARKS = 48  # times at which the bankroll is looked at, besides the start
FAN = (0.05, 0.25, 0.5, 0.75, 0.95)  # the percentiles taken then
BLOCK = 128  # places that are moved together
CUT = 1e-15  # the chance of ever leaving the window of places that are kept
DUST = 1e-13  # what may be dropped inside of the window, over all rounds
ROUNDING = 2.0**-53  # of one operation with floats, relatively
MOST_PLACES = 1 << 22
MOST_WORK = 1e10  # moves of one place by one net; some seconds
FARTHEST = 1 << 62  # steps, in 64 bits


@dataclass(frozen=True)
class Walk:
    """How a bankroll starts and moves. A round is played from `room` cents below the start or higher."""

    nets: Mapping[int, Fraction]  # what a round nets, in cents, and how likely
    room: int
    rounds: int

    def __post_init__(self) -> None:
        if self.rounds * max(map(abs, self.nets)) >= FARTHEST:
            raise Refused("So many rounds for so much money are beyond what is computed here.")

    @cached_property
    def step(self) -> int:
        return gcd(*self.nets) or 1

    @property
    def floor(self) -> int:
        """The lowest place at which a round is played, in steps from the start."""
        return -(self.room // self.step)

    @cached_property
    def _likeliest(self) -> list[tuple[int, Fraction]]:
        return sorted(self.nets.items(), key=lambda net: (-net[1], net[0]))

    @cached_property
    def moves(self) -> Ints:
        """In steps, the likeliest first."""
        return np.array([net // self.step for net, _ in self._likeliest], np.int64)

    @cached_property
    def chances(self) -> Floats:
        return np.array([float(chance) for _, chance in self._likeliest])

    @property
    def marks(self) -> Ints:
        """The rounds after which the bankroll is looked at; the first is 0, the last is the last."""
        return np.unique(np.arange(MARKS + 1) * self.rounds // MARKS)

    def reach(self, sign: int) -> int:
        """How far up or down the walk ever gets, but for a chance below `CUT`.

        By Chernoff and Doob: the chance of ever being x above the start is at most
        exp(-t x) max(1, E exp(t move)) ** rounds, for any t; the best of some hundred is taken.
        """
        moves = sign * self.moves.astype(float)
        if moves.max() <= 0:
            return 0
        tries = np.geomspace(1e-9, 500, 400)[:, None] / np.abs(moves).max()
        with np.errstate(divide="ignore"):  # a chance too small for a float
            growth = np.logaddexp.reduce(tries * moves + np.log(self.chances), axis=1)
        far = (self.rounds * np.maximum(growth, 0) - log(CUT)) / tries[:, 0]
        return int(min(far.min() + 1, self.rounds * moves.max()))


@dataclass(frozen=True)
class Spread:
    """How likely each result is: for who plays all rounds, and for who has to stop."""

    results: Ints  # in cents, ascending
    full: Floats
    stopped: Floats

    @cached_property
    def chances(self) -> Floats:
        return self.full + self.stopped

    def chance(self, which: NDArray[np.bool_]) -> float:
        return fsum(self.chances[which])

    @property
    def ruin(self) -> float:
        return fsum(self.stopped)

    def percentile(self, share: float) -> int:
        """The least result that is not exceeded with this probability."""
        return int(self.results[_percentiles(self.chances, [share])[0]])


def _percentiles(chances: Floats, shares: Any) -> Ints:
    """The places of percentiles; what was lost to rounding does not move them."""
    upto = np.cumsum(chances)
    found: Ints = np.searchsorted(upto, np.array(shares) * upto[-1] - 1e-11)
    return found


@dataclass(frozen=True)
class Walked:
    """What became of a walk."""

    spread: Spread
    rounds: float  # played on average
    marks: Ints
    fan: Ints  # for each mark the percentiles of `FAN`, in cents from the start
    error: float = 0  # of a chain: no probability is farther off
    sessions: int = 0  # of a simulation: how many were drawn
    rounds_error: float = 0  # the bound of a chain, the standard error of a simulation


def walked(
    walk: Walk, seed: int = 1, progress: Progress = nobody_listens, most_work: float = MOST_WORK
) -> Walked:
    """The chain if it can be had, or a simulation."""
    return chain(walk, progress, most_work) or simulate(walk, seed, progress)


def summed(walk: Walk) -> Spread | None:
    """The result of all rounds for a bankroll without end; None where it would take too much memory.

    The transform of a round's law is raised to the power of the rounds. That rounds every chance by some
    1e-12 of a whole: good for bands, not for what is rarer.
    """
    low, high = -walk.reach(-1), walk.reach(1)
    size = 1 << (high - low + 1).bit_length()
    if size > MOST_PLACES:
        return None
    law = np.bincount(walk.moves % size, weights=walk.chances, minlength=size)
    chances = np.fft.irfft(np.fft.rfft(law) ** walk.rounds, size)
    places = np.arange(low, high + 1)
    found = np.maximum(chances[places % size], 0)
    return Spread(places * walk.step, found, np.zeros_like(found))


# -- The chain --------------------------------------------------------------------------------------


def chain(walk: Walk, progress: Progress = nobody_listens, most_work: float = MOST_WORK) -> Walked | None:
    """The chances of all places after each round; None where it would take too much of time or memory."""
    lowest = max(walk.floor + min(int(walk.moves.min()), 0), -walk.reach(-1)) - BLOCK
    size = walk.reach(1) + BLOCK - lowest
    size += -size % BLOCK
    if size > MOST_PLACES:
        return None
    state = _State.at_start(walk, lowest, size)
    marks, fan = walk.marks, [[0] * len(FAN)]
    for first, last in pairwise(marks):
        state.play(int(last - first), int(last) == walk.rounds, most_work)
        if state.work > most_work:
            return None
        fan.append([walk.step * (lowest + int(at)) for at in _percentiles(state.alive + state.stopped, FAN)])
        progress(last / walk.rounds)
    return state.end(walk, marks, np.array(fan))


@dataclass
class _State:
    """Where the bankroll may be, in the middle of a chain."""

    alive: Floats
    fresh: Floats  # all 0 between rounds
    stopped: Floats
    law: tuple[Ints, Floats, Floats]  # moves, their chances, and the chance of each and all less likely ones
    start: int  # its place in the arrays
    floor: int
    dust: float
    low: int  # nobody is alive below,
    high: int  # or from here on
    rounds: int = 0
    played: float = 0.0
    dropped: float = 0.0
    work: float = 0.0

    @classmethod
    def at_start(cls, walk: Walk, lowest: int, size: int) -> "_State":
        alive, fresh, stopped = np.zeros((3, size))
        alive[-lowest] = 1.0
        law = (walk.moves, walk.chances, np.cumsum(walk.chances[::-1])[::-1].copy())
        dust = DUST * BLOCK / (size * walk.rounds * len(walk.moves))
        floor = max(walk.floor - lowest, 0)
        return cls(alive, fresh, stopped, law, -lowest, floor, dust, -lowest, 1 - lowest)

    def play(self, rounds: int, to_the_end: bool, most_work: float) -> None:
        """Some rounds, or as many as work and survivors allow; after the very last one nobody has to stop."""
        for left in range(rounds, 0, -1):
            if self.low >= self.high or self.work > most_work:
                return
            self._move()
            if left > 1 or not to_the_end:
                self.stopped[self.low : self.floor] += self.alive[self.low : self.floor]
                self.alive[self.low : self.floor] = 0
                self.low = max(self.low, self.floor)

    def _move(self) -> None:
        mass, dropped, work, self.low, self.high = _round(
            self.alive, self.fresh, *self.law, self.dust, self.low, self.high
        )
        self.alive, self.fresh = self.fresh, self.alive
        self.rounds += 1
        self.played += mass
        self.dropped += dropped
        self.work += work

    def end(self, walk: Walk, marks: Ints, fan: Ints) -> Walked:
        at = np.flatnonzero(self.alive + self.stopped)
        spread = Spread(walk.step * (at - self.start), self.alive[at], self.stopped[at])
        # Nothing is negative, so no more is lost than each multiplication and addition on the way can lose.
        sums = BLOCK + len(self.alive) // BLOCK
        lost = expm1(ROUNDING * (self.rounds * (len(walk.moves) + 3) + sums))
        error = (self.dropped + lost) * (1 + lost)
        return Walked(spread, self.played, marks, fan, error, rounds_error=walk.rounds * error)


@kernel
def _round(
    alive: Floats,
    fresh: Floats,
    moves: Ints,
    chances: Floats,
    tails: Floats,
    dust: float,
    low: int,
    high: int,
) -> tuple[float, float, float, int, int]:
    """Move all that is alive, and leave nothing behind.

    Returns how much it was, what of it was dropped, the work done, and where survivors may be.
    """
    total, dropped, work = 0.0, 0.0, 0.0
    lowest, highest = len(fresh), 0
    for start in range(low - low % BLOCK, high, BLOCK):
        block = alive[start : start + BLOCK]
        mass = block.sum()
        work += BLOCK
        total += mass
        for n in range(len(moves)):
            if chances[n] * mass < dust:
                dropped += tails[n] * mass
                break
            to = start + moves[n]
            if to < 0 or to + BLOCK > len(fresh):
                dropped += chances[n] * mass
                continue
            target, chance = fresh[to : to + BLOCK], chances[n]
            for i in range(BLOCK):
                target[i] += chance * block[i]
            work += BLOCK
            lowest, highest = min(lowest, to), max(highest, to + BLOCK)
        block[:] = 0.0
    return total, dropped, work, lowest, highest


# -- Simulation -------------------------------------------------------------------------------------

STRIDES = (64, 4096)  # rounds that are drawn at once where nobody can have to stop within them
MOST_SESSIONS = 40_000
BATCH = 250  # sessions between two looks at the work done
MOST_DRAWS = 1e8
STRIDE_WORK = 2e9


def simulate(
    walk: Walk, seed: int = 1, progress: Progress = nobody_listens, most_sessions: int = MOST_SESSIONS
) -> Walked:
    """Sessions drawn from the law of a round, as many as time allows. The same seed draws the same ones."""
    random, tables = np.random.Generator(np.random.PCG64(seed)), _tables(walk)
    lowest, marks, draws = max(0, -int(walk.moves.min())), walk.marks, 0
    places: list[Ints] = []
    played: list[Ints] = []
    while draws < MOST_DRAWS and BATCH * len(places) < most_sessions:
        batch, rounds = np.zeros((BATCH, len(marks)), np.int64), np.zeros(BATCH, np.int64)
        draws += _sessions(random, *tables, lowest, walk.floor, marks, batch, rounds)
        places, played = [*places, batch], [*played, rounds]
        progress(max(draws / MOST_DRAWS, BATCH * len(places) / most_sessions))
    return _counted(walk, marks, walk.step * np.concatenate(places), np.concatenate(played))


def _tables(walk: Walk) -> tuple[Ints, Ints, Ints, Floats]:
    """For one round and each stride: its rounds, where its part ends; all moves, the chances up to each."""
    tables = [(1, walk.moves, walk.chances)]
    for rounds in (n for n in STRIDES if n <= walk.rounds):
        endless = Walk(walk.nets, rounds * max(map(abs, walk.nets)), rounds)
        if done := chain(endless, most_work=STRIDE_WORK):
            tables.append((rounds, done.spread.results // walk.step, done.spread.full))
    ends = np.cumsum([len(moves) for _, moves, _ in tables])
    upto = [np.cumsum(chances) / chances.sum() for _, _, chances in tables]
    moves = np.concatenate([moves for _, moves, _ in tables])
    return np.array([n for n, _, _ in tables]), ends, moves, np.concatenate(upto)


@kernel
def _sessions(
    random: np.random.Generator,
    strides: Ints,
    ends: Ints,
    moves: Ints,
    upto: Floats,
    lowest: int,
    floor: int,
    marks: Ints,
    places: Ints,
    played: Ints,
) -> int:
    """Draw a batch of sessions: their places at the marks, and the rounds played; how many draws it took."""
    draws = 0
    for session in range(len(played)):
        place, done = 0, 0
        for m in range(len(marks)):
            while done < marks[m] and place >= floor:
                n = len(strides) - 1
                while n and (strides[n] > marks[m] - done or place - floor < (strides[n] - 1) * lowest):
                    n -= 1
                first = ends[n - 1] if n else 0
                drawn = first + np.searchsorted(upto[first : ends[n]], random.random(), side="right")
                place += moves[min(drawn, ends[n] - 1)]
                done += strides[n]
                draws += 1
            places[session, m] = place
        played[session] = done
    return draws


def _counted(walk: Walk, marks: Ints, places: Ints, played: Ints) -> Walked:
    sessions = len(played)
    results, which = np.unique(places[:, -1], return_inverse=True)
    stopped, full = (
        np.bincount(which[those], minlength=len(results)) / sessions
        for those in (played < walk.rounds, played == walk.rounds)
    )
    spread = Spread(results, full, stopped)
    fan = np.quantile(places, FAN, axis=0, method="inverted_cdf").T.astype(np.int64)
    error = float(played.std(ddof=1)) / sessions**0.5
    return Walked(spread, float(played.mean()), marks, fan, 0, sessions, error)
