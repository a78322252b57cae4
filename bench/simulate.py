"""Rounds a second through each game's own rules under optimal play, on one thread and on two.

One thread is measured by its own time on the processor, which other programs do not lengthen; two threads by
the clock. Each game is compared with the speed that it has to reach and with a plain Python loop through
`Round`, and two of them with a public peer:

- eval7 deals two hands of seven cards in Python and values them in C, without choices or pays; its own
  compiled Monte Carlo draws five cards of a board for two given hands and an opponent's range;
- blackjack21 deals and plays one seat of blackjack in plain Python, hitting below 17.
"""

import random
import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import find_spec
from itertools import combinations
from typing import NamedTuple

import numpy as np
from _line import Line

from feltlab.core.cards import Cards
from feltlab.core.game import Game
from feltlab.core.round import Round
from feltlab.core.stake import default_stake
from feltlab.games import GAMES
from feltlab.parallel.executor import ThreadExecutor
from feltlab.simulation.plan import ROUNDS_PER_BATCH, SimulationPlan
from feltlab.simulation.run import prepare, run_plan

SECONDS = 1.0  # of each measurement, roughly
TARGET_PER_SECOND = 2e6  # rounds of any game on one thread


def measure() -> Iterator[Line]:
    for game in GAMES.values():
        one = measure_speed(game, 1)
        plain = per_second(partial(through_rounds, game), 500)
        peers = [
            ("the target", TARGET_PER_SECOND),
            ("a Python loop through Round", plain),
            *beside(game),
        ]
        ratios = (f"{format_ratio(one.busy / speed)} times {what} ({speed:,.0f}/s)" for what, speed in peers)
        yield Line(f"{game.title}, one thread", one.busy / 1e6, "M rounds/s", "; ".join(ratios))
        two = measure_speed(game, 2)
        beside_one = f"{two.elapsed / one.elapsed:.2f} times one by the clock"
        yield Line("  two threads", two.elapsed / 1e6, "M rounds/s", beside_one)


def format_ratio(ratio: float) -> str:
    return f"{ratio:,.0f}" if ratio >= 10 else f"{ratio:.2f}"


class Speed(NamedTuple):
    """Rounds a second: of the processor's time, and by the clock."""

    busy: float
    elapsed: float


def measure_speed(game: Game, threads: int) -> Speed:
    """The best of three runs, each of as many whole batches as fill the time."""

    def time_run(batches: int) -> tuple[float, float]:
        plan = SimulationPlan.of(game, default_stake(game), "optimal", batches * ROUNDS_PER_BATCH, 1)
        prepare(plan)
        before = time.process_time()
        elapsed = run_plan(plan, ThreadExecutor(threads)).seconds
        return time.process_time() - before, elapsed

    batches = threads * max(1, round(SECONDS / time_run(1)[0]))
    runs = [time_run(batches) for _ in range(3)]
    rounds = batches * ROUNDS_PER_BATCH
    return Speed(*(rounds / min(seconds) for seconds in zip(*runs, strict=True)))


def per_second(play: Callable[[int], object], count: int) -> float:
    play(10)
    start = time.perf_counter()
    play(count)
    return count / (time.perf_counter() - start)


def through_rounds(game: Game, count: int) -> None:
    """Play rounds in Python, always by the first choice."""
    generator = np.random.default_rng(1)
    wagers = {spot.name: game.step(spot) for spot in game.wagers}
    for _ in range(count):
        round = Round(game, Cards(generator.permutation(game.deck.cards)[: game.places].tolist()), wagers)
        while round.choices:
            round = round.choose(round.choices[0])
        assert round.settlement.wagers


# -- Peers ------------------------------------------------------------------------------------------


def beside(game: Game) -> Iterator[tuple[str, float]]:
    if game.name == "high-five-poker" and find_spec("eval7"):
        yield "eval7 in a Python loop", per_second(two_hands_of_seven, 30_000)
        yield "eval7's compiled hold'em showdown", per_second(compiled_showdown, 3_000_000)
    if game.name == "triple-shot-bonus" and find_spec("blackjack21"):
        yield "blackjack21, Blackjack alone", per_second(one_seat_of_blackjack, 10_000)


def two_hands_of_seven(count: int) -> None:
    from eval7 import Deck, evaluate

    random.seed(7)
    deck = Deck()
    for _ in range(count):
        cards = deck.sample(14)
        evaluate(cards[:7]), evaluate(cards[7:])


def compiled_showdown(count: int) -> float:
    import eval7

    deck = eval7.Deck().cards
    others = [(pair, 1.0) for pair in combinations(deck[2:], 2)]
    share: float = eval7.py_hand_vs_range_monte_carlo(deck[:2], others, [], count)
    return share


def one_seat_of_blackjack(count: int) -> None:
    from blackjack21 import DEFAULT_SUITS, Deck, GameState, Table

    random.seed(7)
    deck = Deck(DEFAULT_SUITS)
    table = Table([("player", 2)], deck, on_round_reset=deck.reset)  # shuffled before each round
    for _ in range(count):
        table.start_game()
        while table.state is GameState.PLAYERS_TURN:
            table.hit() if table.current_hand.total < 17 else table.stand()
