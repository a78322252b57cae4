"""The walk of a bankroll over many rounds: the probability of each end, and of having to stop early.

A bankroll moves on a lattice whose step divides every net of a round. `chain` carries the probability of
every place from round to round, in floats and with a bound of their error; if that would take too long,
`simulate` draws sessions instead.
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

MARK_COUNT = 48  # times at which percentiles are taken, besides the start
FAN_SHARES = (0.05, 0.25, 0.5, 0.75, 0.95)  # those percentiles
BLOCK_PLACES = 128  # moved together
CUT_CHANCE = 1e-15  # of ever leaving the window of places that are kept
DUST_CHANCE = 1e-13  # that may be dropped inside the window, over all rounds
ROUNDING_ERROR = 2.0**-53  # of one operation with floats, relative
MAX_PLACES = 1 << 22
MAX_CHAIN_WORK = 1e10  # moves of one place by one net; they take some seconds
MAX_STEPS = 1 << 62  # from the start, to stay within 64 bits


@dataclass(frozen=True)
class Walk:
    """The moves of a bankroll. The player stops when it is more than `room` cents below the start."""

    nets: Mapping[int, Fraction]  # of a round, in cents, with their probabilities
    room: int
    rounds: int

    def __post_init__(self) -> None:
        if self.rounds * max(map(abs, self.nets)) >= MAX_STEPS:
            raise Refused("These are too many rounds for so much money: the results do not fit 64 bits.")

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
        """The nets in steps, the likeliest first."""
        return np.array([net // self.step for net, _ in self._likeliest], np.int64)

    @cached_property
    def chances(self) -> Floats:
        return np.array([float(chance) for _, chance in self._likeliest])

    @property
    def marks(self) -> Ints:
        """The rounds after which percentiles are taken, from 0 to the last."""
        return np.unique(np.arange(MARK_COUNT + 1) * self.rounds // MARK_COUNT)

    def reach(self, sign: int) -> int:
        """The farthest that the walk gets up or down, except with a probability below `CUT_CHANCE`.

        By Chernoff and Doob: the chance of ever being x above the start is at most
        exp(-t x) max(1, E exp(t move)) ** rounds, for any t; the best of some hundred is taken.
        """
        moves = sign * self.moves.astype(float)
        if moves.max() <= 0:
            return 0
        tries = np.geomspace(1e-9, 500, 400)[:, None] / np.abs(moves).max()
        with np.errstate(divide="ignore"):  # a chance too small for a float
            growth = np.logaddexp.reduce(tries * moves + np.log(self.chances), axis=1)
        far = (self.rounds * np.maximum(growth, 0) - log(CUT_CHANCE)) / tries[:, 0]
        return int(min(far.min() + 1, self.rounds * moves.max()))


@dataclass(frozen=True)
class Spread:
    """The probability of each result, split into players who finish and players who have to stop."""

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
    """The places of percentiles; rounding errors do not move them."""
    upto = np.cumsum(chances)
    found: Ints = np.searchsorted(upto, np.array(shares) * upto[-1] - 1e-11)
    return found


@dataclass(frozen=True)
class WalkResult:
    """The outcome of a walk, computed or simulated."""

    spread: Spread
    rounds: float  # mean number played
    marks: Ints
    fan: Ints  # for each mark the percentiles of `FAN`, in cents from the start
    error: float = 0  # bound for every probability of a chain
    sessions: int = 0  # drawn by a simulation
    rounds_error: float = 0  # the bound of a chain, the standard error of a simulation


def follow_walk(
    walk: Walk, seed: int = 1, progress: Progress = nobody_listens, most_work: float = MAX_CHAIN_WORK
) -> WalkResult:
    """The chain, or a simulation if the chain takes too much work."""
    return chain(walk, progress, most_work) or simulate(walk, seed, progress)


def sum_rounds(walk: Walk) -> Spread | None:
    """The result of all rounds for an unlimited bankroll; None if it takes too much memory.

    The Fourier transform of a round's law is raised to the power of the rounds. Every probability is then off
    by about 1e-12: good enough for bands, not for rarer results.
    """
    low, high = -walk.reach(-1), walk.reach(1)
    size = 1 << (high - low + 1).bit_length()
    if size > MAX_PLACES:
        return None
    law = np.bincount(walk.moves % size, weights=walk.chances, minlength=size)
    chances = np.fft.irfft(np.fft.rfft(law) ** walk.rounds, size)
    places = np.arange(low, high + 1)
    found = np.maximum(chances[places % size], 0)
    return Spread(places * walk.step, found, np.zeros_like(found))


# -- The chain --------------------------------------------------------------------------------------


def chain(
    walk: Walk, progress: Progress = nobody_listens, most_work: float = MAX_CHAIN_WORK
) -> WalkResult | None:
    """The probabilities of all places after each round; None if it takes too much time or memory."""
    state = _start_chain(walk)
    if state is None:
        return None
    marks, fan = walk.marks, [[0] * len(FAN_SHARES)]
    for first, last in pairwise(marks):
        state.play(int(last - first), int(last) == walk.rounds, most_work)
        if state.work > most_work:
            return None
        places = _percentiles(state.alive + state.stopped, FAN_SHARES)
        fan.append([walk.step * (int(at) - state.start) for at in places])
        progress(last / walk.rounds)
    return state.end(walk, marks, np.array(fan))


def mean_rounds(
    walk: Walk, progress: Progress = nobody_listens, most_work: float = MAX_CHAIN_WORK
) -> tuple[Floats, float] | None:
    """The mean number of rounds played within the first n, for each n, and a bound of its error.

    None if it takes too much time or memory.
    """
    state = _start_chain(walk)
    played = [0.0]
    while state and len(played) <= walk.rounds and state.work <= most_work:
        state.play(1, False, most_work)
        played.append(state.played)
        progress(len(played) / walk.rounds)
    if state is None or state.work > most_work:
        return None
    return np.array(played), walk.rounds * state.error(len(walk.moves))


def _start_chain(walk: Walk) -> "_State | None":
    """The chain before its first round; None if it takes too much memory."""
    lowest = max(walk.floor + min(int(walk.moves.min()), 0), -walk.reach(-1)) - BLOCK_PLACES
    size = walk.reach(1) + BLOCK_PLACES - lowest
    size += -size % BLOCK_PLACES
    return None if size > MAX_PLACES else _State.at_start(walk, lowest, size)


@dataclass
class _State:
    """The distribution of the bankroll in the middle of a chain."""

    alive: Floats
    fresh: Floats  # all 0 between rounds
    stopped: Floats
    law: tuple[Ints, Floats, Floats]  # moves, their chances, and the chance of each and all less likely ones
    start: int  # its place in the arrays
    floor: int
    dust: float
    low: int  # no player is alive below it,
    high: int  # or from it on
    rounds: int = 0
    played: float = 0.0
    dropped: float = 0.0
    work: float = 0.0

    @classmethod
    def at_start(cls, walk: Walk, lowest: int, size: int) -> "_State":
        alive, fresh, stopped = np.zeros((3, size))
        alive[-lowest] = 1.0
        law = (walk.moves, walk.chances, np.cumsum(walk.chances[::-1])[::-1].copy())
        dust = DUST_CHANCE * BLOCK_PLACES / (size * walk.rounds * len(walk.moves))
        floor = max(walk.floor - lowest, 0)
        return cls(alive, fresh, stopped, law, -lowest, floor, dust, -lowest, 1 - lowest)

    def play(self, rounds: int, to_the_end: bool, most_work: float) -> None:
        """Play some rounds, or fewer if work or survivors run out; nobody has to stop after the last one."""
        for left in range(rounds, 0, -1):
            if self.low >= self.high or self.work > most_work:
                return
            self._move()
            if left > 1 or not to_the_end:
                self.stopped[self.low : self.floor] += self.alive[self.low : self.floor]
                self.alive[self.low : self.floor] = 0
                self.low = max(self.low, self.floor)

    def _move(self) -> None:
        mass, dropped, work, self.low, self.high = _play_round(
            self.alive, self.fresh, *self.law, self.dust, self.low, self.high
        )
        self.alive, self.fresh = self.fresh, self.alive
        self.rounds += 1
        self.played += mass
        self.dropped += dropped
        self.work += work

    def error(self, moves: int) -> float:
        """A bound of the error of every probability, for a law of so many moves.

        Nothing is negative, so the error is at most that of each multiplication and addition on the way.
        """
        sums = BLOCK_PLACES + len(self.alive) // BLOCK_PLACES
        lost = expm1(ROUNDING_ERROR * (self.rounds * (moves + 3) + sums))
        return (self.dropped + lost) * (1 + lost)

    def end(self, walk: Walk, marks: Ints, fan: Ints) -> WalkResult:
        at = np.flatnonzero(self.alive + self.stopped)
        spread = Spread(walk.step * (at - self.start), self.alive[at], self.stopped[at])
        error = self.error(len(walk.moves))
        return WalkResult(spread, self.played, marks, fan, error, rounds_error=walk.rounds * error)


@kernel
def _play_round(
    alive: Floats,
    fresh: Floats,
    moves: Ints,
    chances: Floats,
    tails: Floats,
    dust: float,
    low: int,
    high: int,
) -> tuple[float, float, float, int, int]:
    """Move the whole distribution by one round and clear the old one.

    Returns its mass, the dropped mass, the work done, and the range in which survivors may be.
    """
    total, dropped, work = 0.0, 0.0, 0.0
    lowest, highest = len(fresh), 0
    for start in range(low - low % BLOCK_PLACES, high, BLOCK_PLACES):
        block = alive[start : start + BLOCK_PLACES]
        mass = block.sum()
        work += BLOCK_PLACES
        total += mass
        for n in range(len(moves)):
            if chances[n] * mass < dust:
                dropped += tails[n] * mass
                break
            to = start + moves[n]
            if to < 0 or to + BLOCK_PLACES > len(fresh):
                dropped += chances[n] * mass
                continue
            target, chance = fresh[to : to + BLOCK_PLACES], chances[n]
            for i in range(BLOCK_PLACES):
                target[i] += chance * block[i]
            work += BLOCK_PLACES
            lowest, highest = min(lowest, to), max(highest, to + BLOCK_PLACES)
        block[:] = 0.0
    return total, dropped, work, lowest, highest


# -- Simulation -------------------------------------------------------------------------------------

STRIDE_ROUNDS = (64, 4096)  # drawn at once while no player can have to stop within them
MAX_SESSIONS = 40_000
BATCH_SESSIONS = 250  # between two checks of the work done
MAX_DRAWS = 1e8
MAX_STRIDE_WORK = 2e9


def simulate(
    walk: Walk, seed: int = 1, progress: Progress = nobody_listens, most_sessions: int = MAX_SESSIONS
) -> WalkResult:
    """Sessions drawn from the law of a round, as many as time allows; equal seeds draw equal sessions."""
    random, tables = np.random.Generator(np.random.PCG64(seed)), _tables(walk)
    lowest, marks, draws = max(0, -int(walk.moves.min())), walk.marks, 0
    places: list[Ints] = []
    played: list[Ints] = []
    while draws < MAX_DRAWS and BATCH_SESSIONS * len(places) < most_sessions:
        batch, rounds = np.zeros((BATCH_SESSIONS, len(marks)), np.int64), np.zeros(BATCH_SESSIONS, np.int64)
        draws += _sessions(random, *tables, lowest, walk.floor, marks, batch, rounds)
        places, played = [*places, batch], [*played, rounds]
        progress(max(draws / MAX_DRAWS, BATCH_SESSIONS * len(places) / most_sessions))
    return _summarise_sessions(walk, marks, walk.step * np.concatenate(places), np.concatenate(played))


def _tables(walk: Walk) -> tuple[Ints, Ints, Ints, Floats]:
    """For one round and each stride: its rounds and the end of its part; all moves and cumulative chances."""
    tables = [(1, walk.moves, walk.chances)]
    for rounds in (n for n in STRIDE_ROUNDS if n <= walk.rounds):
        endless = Walk(walk.nets, rounds * max(map(abs, walk.nets)), rounds)
        if done := chain(endless, most_work=MAX_STRIDE_WORK):
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
    """Draw a batch of sessions: fill in places at the marks and rounds played; return the number of draws."""
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


def _summarise_sessions(walk: Walk, marks: Ints, places: Ints, played: Ints) -> WalkResult:
    sessions = len(played)
    results, which = np.unique(places[:, -1], return_inverse=True)
    stopped, full = (
        np.bincount(which[those], minlength=len(results)) / sessions
        for those in (played < walk.rounds, played == walk.rounds)
    )
    spread = Spread(results, full, stopped)
    fan = np.quantile(places, FAN_SHARES, axis=0, method="inverted_cdf").T.astype(np.int64)
    error = float(played.std(ddof=1)) / sessions**0.5
    return WalkResult(spread, float(played.mean()), marks, fan, 0, sessions, error)
