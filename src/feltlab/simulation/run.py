"""Running a simulation: batches of rounds on an executor, with progress and a checkpoint."""

import secrets
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache, partial
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from feltlab.core.cards import NOT_DEALT, Cards
from feltlab.core.game import Game
from feltlab.core.joint_numbers import Ints, decode
from feltlab.core.solver import Player
from feltlab.core.stake import check_stake, default_stake
from feltlab.core.tally import Tally
from feltlab.errors import Refused
from feltlab.games import find_game
from feltlab.kernel import inlined, lean
from feltlab.parallel.executor import Executor, ThreadExecutor
from feltlab.parallel.progress import Progress, nobody_listens
from feltlab.simulation.checkpoint import Checkpoint, recorded_value
from feltlab.simulation.plan import SimulationPlan
from feltlab.simulation.result import SimulationResult
from feltlab.simulation.round_loop import (
    RoundArrays,
    RoundCounts,
    build_loop,
    build_round,
    new_round_arrays,
    new_round_counts,
)
from feltlab.simulation.streams import new_stream
from feltlab.simulation.user_strategy import UserStrategy, describe_error, is_user_strategy
from feltlab.text import listing

MIN_PARTS = 64  # of a run on many machines, so that none is idle for long at the end
SAVE_SECONDS = 1.0  # between checkpoints
WORDS = {"board": "on", "dealer": "against"}  # before the cards of an area


def simulate(
    game: Game | str,
    stake: Mapping[str, Fraction | int] | None = None,
    strategy: str | UserStrategy = "optimal",
    rounds: int = 1_000_000,
    seed: int | None = None,
    *,
    executor: Executor | None = None,
    checkpoint: Path | None = None,
    progress: Progress = nobody_listens,
) -> SimulationResult:
    """Play random rounds of a game through its own rules.

    `strategy` is the name of a strategy, or a function in a file such as "mine.py:decide". The same seed
    gives the same tally; without one, the seed is that of the checkpoint or a random one.

    >>> from feltlab import prove, simulate
    >>> result = simulate("casino-war", rounds=100_000, seed=1)
    >>> result.compare(prove("casino-war")).verdict
    'agrees'
    """
    game = find_game(game)
    stake = default_stake(game) if stake is None else check_stake(game, stake)
    if isinstance(strategy, str) and is_user_strategy(strategy):
        strategy = UserStrategy.read(strategy)
    plan = SimulationPlan.of(game, stake, strategy, rounds, choose_seed(seed, checkpoint))
    return run_plan(plan, executor, checkpoint, progress)


def choose_seed(seed: int | None, checkpoint: Path | None) -> int:
    """The seed that was asked for, that of the checkpoint, or a random one."""
    if seed is not None:
        return seed
    recorded = recorded_value(checkpoint, "seed") if checkpoint else None
    return recorded if isinstance(recorded, int) else secrets.randbits(32)


def run_plan(
    plan: SimulationPlan,
    executor: Executor | None = None,
    checkpoint: Path | None = None,
    progress: Progress = nobody_listens,
) -> SimulationResult:
    """Play all rounds of a plan; with a checkpoint, those that are not in it yet."""
    executor = executor or ThreadExecutor()
    if isinstance(executor, ThreadExecutor):
        prepare(plan)  # so that solving and compiling are not in the time of the rounds
    else:
        _ = plan.is_compiled  # refuses a user's file with an error before a cluster is started
    start = time.perf_counter()
    saved = Checkpoint(checkpoint, plan.identity()) if checkpoint else None
    try:
        run = _Run(plan, saved)
        before = run.rounds_done()
        run.play(executor, progress)
    finally:
        if saved:
            saved.close()
    seconds = time.perf_counter() - start
    return SimulationResult(
        plan, run.tally(), run.first_choices(), run.streets(), plan.rounds - before, seconds
    )


# -- Batches ----------------------------------------------------------------------------------------


class PreparedPlan(NamedTuple):
    """A plan's strategy, solved, and its loop, compiled."""

    player: Player
    loop: Callable[..., int]


_preparing = Lock()


def prepare(plan: SimulationPlan) -> PreparedPlan:
    """Solve and compile what the batches of a plan need, once on each machine."""
    with _preparing:  # threads that start together would each solve the game
        return _prepare(plan)


@lru_cache(maxsize=4)
def _prepare(plan: SimulationPlan) -> PreparedPlan:
    player = plan.player()
    play = build_round(plan.game.rules, player.decide)
    loop = lean(build_loop(inlined(play))) if plan.is_compiled else build_loop(play)
    loop(*_loop_arguments(plan, player, 0), 0, new_round_arrays(plan.game), new_round_counts(plan.game))
    return PreparedPlan(player, loop)


class BatchCounts(NamedTuple):
    """The joint outcomes that some batches met with their counts, and the choices made in them."""

    joint: Counter[int]
    made: Ints

    @classmethod
    def of(cls, counts: RoundCounts) -> "BatchCounts":
        numbers, found = counts.list_met()
        return cls(Counter(dict(zip(numbers.tolist(), found.tolist(), strict=True))), counts.made)

    def add(self, other: "BatchCounts") -> None:
        self.joint.update(other.joint)
        self.made[:] += other.made


def play_batches(plan: SimulationPlan, batches: range) -> BatchCounts:
    """Play some batches, on any machine."""
    prepared, total = prepare(plan), no_batches(plan)
    for batch in batches:
        counts = new_round_counts(plan.game)
        _play_batch(plan, prepared, batch, counts)
        total.add(BatchCounts.of(counts))
    return total


def no_batches(plan: SimulationPlan) -> BatchCounts:
    """The counts of no batches."""
    return BatchCounts(Counter(), np.zeros_like(new_round_counts(plan.game).made))


def _play_batch(plan: SimulationPlan, prepared: PreparedPlan, batch: int, counts: RoundCounts) -> None:
    arrays, rounds = new_round_arrays(plan.game), plan.rounds_in(range(batch, batch + 1))
    arguments = _loop_arguments(plan, prepared.player, batch)
    failure = ""
    try:
        ended = prepared.loop(*arguments, rounds, arrays, counts)
    except (Exception, SystemExit) as error:
        if not isinstance(plan.strategy, UserStrategy):
            raise
        failure = describe_error(error, plan.strategy_name)
    if failure:  # raised here, without the user's traceback, which may be endless
        raise Refused(f"{plan.strategy_name} fails {_describe_hand(plan.game, arrays)}: {failure}.")
    if ended < 0:
        raise _illegal_choice(plan, arrays, -1 - ended)


def _loop_arguments(plan: SimulationPlan, player: Player, batch: int) -> tuple[Any, ...]:
    """The arguments of the loop up to the number of rounds."""
    deck = np.array(plan.game.deck.cards, np.int8)
    return plan.game.kernel_data, player.data, new_stream(plan.seed, batch), deck, plan.code


def _illegal_choice(plan: SimulationPlan, arrays: RoundArrays, made: int) -> Refused:
    game, answer = plan.game, int(arrays.answer[0])
    mask = game.rules.legal(game.kernel_data, arrays.shoe, arrays.choices[:made])
    open_now = [choice.name for n, choice in enumerate(game.choices) if mask >> n & 1]
    known = 0 <= answer < len(game.choices)
    answered = game.choices[answer].name if known else f"{answer}, which is no choice,"
    hand = _describe_hand(game, arrays)
    return Refused(f"{plan.strategy_name} answers {answered} {hand}; open: {listing(open_now)}.")


def _describe_hand(game: Game, arrays: RoundArrays) -> str:
    """'with As Kd against 7c ##': the cards that the strategy was last shown."""
    areas = game.split_areas(arrays.seen.tolist()).items()
    seen = {name: Cards(card for card in held if card != NOT_DEALT) for name, held in areas}
    board, dealer = (f" {word} {seen[name]}" if seen.get(name) else "" for name, word in WORDS.items())
    return f"with {seen['player']}{board}{dealer}"


# -- A run ------------------------------------------------------------------------------------------


class _Run:
    """The counts of a plan while it is played, and the batches that are done."""

    def __init__(self, plan: SimulationPlan, checkpoint: Checkpoint | None) -> None:
        self.plan, self.checkpoint = plan, checkpoint
        self.counts, self.done = no_batches(plan), np.zeros(len(plan.batches), np.bool_)
        if checkpoint and checkpoint.state:
            self._resume(checkpoint.state)
            if not self._adds_up():
                raise Refused(
                    f"The counts in {checkpoint.path} do not add up to its rounds; it was left as it is."
                )

    def play(self, executor: Executor, progress: Progress) -> None:
        work = partial(play_batches, self.plan)
        saved, rounds = time.monotonic(), self.rounds_done()
        progress(rounds / self.plan.rounds)
        try:
            for batches, counts in executor.run(work, self._parts(self._batches_per_part(executor))):
                self.counts.add(counts)
                self.done[batches.start : batches.stop] = True
                rounds += self.plan.rounds_in(batches)
                progress(rounds / self.plan.rounds)
                if time.monotonic() - saved > SAVE_SECONDS:
                    self._save()
                    saved = time.monotonic()
        finally:
            self._save()

    def _batches_per_part(self, executor: Executor) -> int:
        """The executor's preference, reduced so that all workers are busy until the end."""
        return min(executor.batches_per_part, max(1, len(self.plan.batches) // MIN_PARTS))

    def _parts(self, size: int) -> Iterator[range]:
        """The batches that are not done, at most `size` at a time."""
        for gap in _ranges(~self.done):
            yield from (range(at, min(at + size, gap.stop)) for at in range(gap.start, gap.stop, size))

    def rounds_done(self) -> int:
        return sum(map(self.plan.rounds_in, _ranges(self.done)))

    def _adds_up(self) -> bool:
        return self.counts.joint.total() == int(self.counts.made[0].sum()) == self.rounds_done()

    def _save(self) -> None:
        """Save a checkpoint, unless Ctrl-C came between two sums: the last state is whole and stays."""
        if self.checkpoint and self._adds_up():
            joint = self.counts.joint
            self.checkpoint.save(
                {
                    "done": [[part.start, part.stop] for part in _ranges(self.done)],
                    "joint": [list(joint), list(joint.values())],
                    "made": self.counts.made.tolist(),
                }
            )

    def _resume(self, state: Mapping[str, Any]) -> None:
        for start, stop in state["done"]:
            self.done[start:stop] = True
        self.counts.joint.update(dict(zip(*state["joint"], strict=True)))
        self.counts.made[:] = state["made"]

    def tally(self) -> Tally:
        met = sorted(self.counts.joint.items())
        outcomes = decode(self.plan.code, (number for number, _ in met))
        return Tally(self.plan.game, dict(zip(outcomes, (count for _, count in met), strict=True)))

    def first_choices(self) -> dict[str, int]:
        return self._choices_made(0)

    def streets(self) -> dict[str, dict[str, int]]:
        """By street, the number of rounds in which each choice was made there."""
        return {street: self._choices_made(n) for n, street in enumerate(self.plan.game.streets)}

    def _choices_made(self, street: int) -> dict[str, int]:
        names = ["", *(choice.name for choice in self.plan.game.choices)]
        return {name: n for name, n in zip(names, self.counts.made[street].tolist(), strict=True) if n}


def _ranges(marked: NDArray[np.bool_]) -> list[range]:
    """The stretches of True."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], marked, [False]))))
    return [range(start, end) for start, end in edges.reshape(-1, 2).tolist()]
