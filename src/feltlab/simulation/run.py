"""Simulation: random shoes through the very rules that are dealt, `legal`, `visible` and `settle`.

The strategy sees what `visible` shows and nothing else. Work is cut into units of rounds, each with a
stream of its own, so the same seed gives the same tally, whoever plays which unit, and in what order.
"""

import hashlib
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property, lru_cache, partial
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from feltlab.core.cards import NOT_DEALT, Cards
from feltlab.core.game import Game
from feltlab.core.round import split_shoe
from feltlab.core.rules import Rules
from feltlab.core.solver import Player
from feltlab.core.stake import Stake
from feltlab.core.tally import Outcomes, Tally
from feltlab.errors import Refused
from feltlab.kernel import Array, inlined, interpreted, lean, source_digest
from feltlab.parallel.executor import Executor, ThreadExecutor
from feltlab.proving.proof import player_of
from feltlab.simulation.checkpoint import Checkpoint
from feltlab.simulation.streams import Stream, deal, stream
from feltlab.simulation.user_strategy import OwnStrategy, told
from feltlab.text import listing

UNIT = 1 << 20  # rounds that share a stream
MOST_ROUNDS = 10**13
MOST_SEED = (1 << 64) - 1
PARTS = 64  # at least, of a run on many machines
SAVE_EVERY = 1.0  # seconds between checkpoints
NO_CHOICE = -1  # in place of a first choice

Ints = NDArray[np.int64]
Told = Callable[[int], None]  # called now and then with the rounds that are done


# -- The loop ---------------------------------------------------------------------------------------


class Seat(NamedTuple):
    """Where rounds are played: each overwrites what the last one left."""

    shoe: Array
    seen: Array
    choices: Array
    outcomes: Array
    answer: Ints  # one that was illegal


class Counts(NamedTuple):
    """Rounds by the number of their joint outcome, and by first choice, those without any before."""

    joint: Ints
    first: Ints


def radix_of(game: Game) -> Ints:
    """The outcomes of each spot, and one more for a wager that is not placed: digits of a joint outcome."""
    return np.array([len(spot.outcomes) + 1 for spot in game.spots])


def new_seat(game: Game) -> Seat:
    places = game.rules.PLAYER_CARDS + game.rules.DEALER_CARDS
    shoe, seen, choices = np.zeros((3, places + 1), np.int8)
    return Seat(shoe[:-1], seen[:-1], choices, np.zeros(len(game.spots), np.int8), np.zeros(1, np.int64))


def round_of(rules: Rules, decide: Callable[..., int]) -> Callable[..., int]:
    """A function that plays the shoe of a seat to its end under one strategy, not compiled yet.

    It answers the number of the joint outcome, or for an illegal choice -1 less the choices made before.
    """
    legal, visible, settle = rules.legal, rules.visible, rules.settle

    def play(kernel_data: Any, data: Any, radix: Ints, seat: Seat) -> int:
        shoe, seen, choices, outcomes, answer = seat
        choices[0] = NO_CHOICE
        made = 0
        while True:
            open_now = legal(kernel_data, shoe, choices[:made])
            if open_now == 0:
                break
            visible(kernel_data, shoe, choices[:made], seen)
            choice = decide(data, seen, open_now)
            if not (0 <= choice < 63 and open_now >> choice & 1):
                answer[0] = choice
                return -1 - made
            choices[made] = choice
            made += 1
        settle(kernel_data, shoe, choices[:made], outcomes)
        number = 0
        for spot in range(len(radix)):
            number = number * radix[spot] + outcomes[spot] + 1
        return number

    return play


def loop_of(play: Callable[..., int], deal: Callable[..., None] = deal) -> Callable[..., int]:
    """A loop over random rounds, not compiled yet; it ends with 0, or with an illegal choice."""

    def loop(
        kernel_data: Any,
        data: Any,
        stream: Stream,
        deck: Array,
        radix: Ints,
        rounds: int,
        seat: Seat,
        counts: Counts,
    ) -> int:
        joint, first = counts
        for _ in range(rounds):
            deal(stream, deck, seat.shoe)
            number = play(kernel_data, data, radix, seat)
            if number < 0:
                return number
            joint[number] += 1
            first[seat.choices[0] + 1] += 1
        return 0

    return loop


def is_kernel(function: Callable[..., Any]) -> bool:
    return interpreted(function) is not function


# -- Units of work ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Plan:
    """What is simulated. Equal plans give equal tallies, bit for bit."""

    game: Game
    stake: tuple[tuple[str, Fraction], ...]  # in the game's order; what the optimal player plays for
    strategy: str | OwnStrategy
    rounds: int
    seed: int

    def __post_init__(self) -> None:
        if not 1 <= self.rounds <= MOST_ROUNDS:
            asked = self.rounds if abs(self.rounds) < 10**20 else f"{Decimal(self.rounds):.0e}"
            raise Refused(f"The number of rounds must be from 1 to {MOST_ROUNDS:.0e}, not {asked}.")
        if not 0 <= self.seed <= MOST_SEED:
            raise Refused(f"The seed must be from 0 to {MOST_SEED}, not {self.seed}.")

    @property
    def units(self) -> range:
        return range(-(-self.rounds // UNIT))

    def rounds_in(self, units: range) -> int:
        return min(units.stop * UNIT, self.rounds) - units.start * UNIT

    @property
    def strategy_name(self) -> str:
        return self.strategy if isinstance(self.strategy, str) else self.strategy.name

    @cached_property
    def radix(self) -> Ints:
        return radix_of(self.game)

    def counts(self) -> Counts:
        return Counts(
            np.zeros(int(self.radix.prod()), np.int64), np.zeros(len(self.game.choices) + 1, np.int64)
        )

    def player(self) -> Player:
        if isinstance(self.strategy, OwnStrategy):
            return self.strategy.player(self.game)
        return player_of(self.game, dict(self.stake), self.strategy)

    def identity(self) -> dict[str, Any]:
        """What a checkpoint knows a run by, in words that can be read."""
        own = self.strategy.source if isinstance(self.strategy, OwnStrategy) else ""
        return {
            "game": str(self.game),
            "seed": self.seed,
            "rounds": self.rounds,
            "strategy": self.strategy_name,
            "stake": " ".join(f"{bet}={units}" for bet, units in self.stake),
            "strategy file": hashlib.sha256(own.encode()).hexdigest(),
            "sources": source_digest(),
        }


class Ready(NamedTuple):
    """What playing a plan needs on each machine."""

    player: Player
    loop: Callable[..., int]
    compiled: bool


_one_at_a_time = Lock()


def ready(plan: Plan) -> Ready:
    with _one_at_a_time:  # threads that come together would each solve the game
        return _ready(plan)


@lru_cache(maxsize=4)
def _ready(plan: Plan) -> Ready:
    """A strategy that is plain Python is asked by plain Python."""
    player = plan.player()
    compiled = is_kernel(player.decide)
    play = round_of(plan.game.rules, player.decide)
    found = Ready(player, lean(loop_of(inlined(play))) if compiled else loop_of(play), compiled)
    found.loop(*_arguments(plan, player, 0), 0, new_seat(plan.game), plan.counts())  # compiles it
    return found


def play_units(plan: Plan, units: range) -> Counts:
    """Play some units, on whatever machine."""
    player, loop, _ = ready(plan)
    counts = plan.counts()
    for unit in units:
        _play_unit(plan, player, loop, unit, counts)
    return counts


def _play_unit(plan: Plan, player: Player, loop: Callable[..., int], unit: int, counts: Counts) -> None:
    seat, rounds = new_seat(plan.game), plan.rounds_in(range(unit, unit + 1))
    failed = ""
    try:
        ended = loop(*_arguments(plan, player, unit), rounds, seat, counts)
    except (Exception, SystemExit) as error:
        if not isinstance(plan.strategy, OwnStrategy):
            raise
        failed = told(error, plan.strategy_name)
    if failed:  # raised here, it drags no endless traceback along to another machine
        raise Refused(f"{plan.strategy_name} fails {_hand(plan.game, seat)}: {failed}.")
    if ended < 0:
        raise _illegal(plan, seat, -1 - ended)


def _arguments(plan: Plan, player: Player, unit: int) -> tuple[Any, ...]:
    """All that the loop takes before the rounds to be played."""
    deck = np.array(plan.game.deck.cards, np.int8)
    return plan.game.kernel_data, player.data, stream(plan.seed, unit), deck, plan.radix


def _illegal(plan: Plan, seat: Seat, made: int) -> Refused:
    game, answer = plan.game, int(seat.answer[0])
    mask = game.rules.legal(game.kernel_data, seat.shoe, seat.choices[:made])
    open_now = [choice.name for n, choice in enumerate(game.choices) if mask >> n & 1]
    known = 0 <= answer < len(game.choices)
    answered = game.choices[answer].name if known else f"{answer}, which is no choice,"
    return Refused(f"{plan.strategy_name} answers {answered} {_hand(game, seat)}; open: {listing(open_now)}.")


def _hand(game: Game, seat: Seat) -> str:
    """'with As Kd against 7c ##': what the strategy was last shown."""
    sides = split_shoe(game, Cards(seat.seen.tolist()))
    player, dealer = (Cards(card for card in side if card != NOT_DEALT) for side in sides)
    return f"with {player} against {dealer}"


# -- A run ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Simulation:
    """What was counted."""

    plan: Plan
    tally: Tally
    first_choices: Mapping[str, int]  # by name; rounds in which no choice opened are under ""
    played: int  # rounds of this run, which may have gone on from a checkpoint
    seconds: float  # that they took


def nobody(rounds: int) -> None:
    """Progress that nobody looks at."""


def simulate(
    plan: Plan, executor: Executor | None = None, checkpoint: Path | None = None, progress: Told = nobody
) -> Simulation:
    """Play all rounds of a plan."""
    executor = executor or ThreadExecutor()
    if isinstance(executor, ThreadExecutor):
        ready(plan)  # what the first unit would wait for
    start = time.perf_counter()
    kept = Checkpoint(checkpoint, plan.identity()) if checkpoint else None
    try:
        run = _Run(plan, kept)
        before = run.rounds_done()
        run.play(executor, progress)
    finally:
        if kept:
            kept.close()
    seconds = time.perf_counter() - start
    return Simulation(plan, run.tally(), run.first_choices(), plan.rounds - before, seconds)


class _Run:
    """The counts of a plan, growing."""

    def __init__(self, plan: Plan, kept: Checkpoint | None) -> None:
        self.plan, self.kept = plan, kept
        self.counts, self.done = plan.counts(), np.zeros(len(plan.units), np.bool_)
        if kept and kept.state:
            self._resume(kept.state)
            if not self._adds_up():
                raise Refused(f"The counts in {kept.path} do not add up to its rounds; it was left as it is.")

    def play(self, executor: Executor, progress: Told) -> None:
        work = partial(play_units, self.plan)
        saved, rounds = time.monotonic(), self.rounds_done()
        progress(rounds)
        try:
            for units, counts in executor.run(work, self._left(self._bundle(executor))):
                for mine, more in zip(self.counts, counts, strict=True):
                    mine += more
                self.done[units.start : units.stop] = True
                rounds += self.plan.rounds_in(units)
                progress(rounds)
                if time.monotonic() - saved > SAVE_EVERY:
                    self._save()
                    saved = time.monotonic()
        finally:
            self._save()

    def _bundle(self, executor: Executor) -> int:
        """Units in a part: what the executor likes, but never so many that workers stand idle at the end."""
        return min(executor.bundle, max(1, len(self.plan.units) // PARTS))

    def _left(self, bundle: int) -> Iterator[range]:
        """The units that are not done, so many at a time."""
        for gap in _ranges(~self.done):
            yield from (range(at, min(at + bundle, gap.stop)) for at in range(gap.start, gap.stop, bundle))

    def rounds_done(self) -> int:
        return sum(map(self.plan.rounds_in, _ranges(self.done)))

    def _adds_up(self) -> bool:
        return all(int(counted.sum()) == self.rounds_done() for counted in self.counts)

    def _save(self) -> None:
        """Unless an interrupt came between two sums: the last state is whole, and is kept."""
        if self.kept and self._adds_up():
            joint = np.flatnonzero(self.counts.joint)
            self.kept.save(
                {
                    "done": [[part.start, part.stop] for part in _ranges(self.done)],
                    "joint": [joint.tolist(), self.counts.joint[joint].tolist()],
                    "first": self.counts.first.tolist(),
                }
            )

    def _resume(self, state: Mapping[str, Any]) -> None:
        for start, stop in state["done"]:
            self.done[start:stop] = True
        numbers, counts = state["joint"]
        self.counts.joint[numbers] = counts
        self.counts.first[:] = state["first"]

    def tally(self) -> Tally:
        numbers = np.flatnonzero(self.counts.joint)
        digits = np.unravel_index(numbers, tuple(self.plan.radix.tolist()))
        outcomes = (np.stack(digits, axis=1) - 1).tolist()
        counts: dict[Outcomes, int] = dict(
            zip(map(tuple, outcomes), self.counts.joint[numbers].tolist(), strict=True)
        )
        return Tally(self.plan.game, counts)

    def first_choices(self) -> dict[str, int]:
        names = ["", *(choice.name for choice in self.plan.game.choices)]
        return {name: n for name, n in zip(names, self.counts.first.tolist(), strict=True) if n}


def _ranges(marked: NDArray[np.bool_]) -> list[range]:
    """The stretches of True."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], marked, [False]))))
    return [range(start, end) for start, end in edges.reshape(-1, 2).tolist()]


def plan_of(game: Game, stake: Stake, strategy: str | OwnStrategy, rounds: int, seed: int) -> Plan:
    return Plan(game, tuple(stake.items()), strategy, rounds, seed)
