"""Seconds to prove each game with an empty proof store and warm kernels, and again from the store.

The stake is one unit on every first wager, so that side bets are proved together with the main game. Each
proof runs in its own process, like a user's, so nothing is left in memory. Printed beside it are the deals of
the proof, the ends that the prover of any game visits or would visit, and the rounds a second of a plain
Python loop.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator

from _line import Line

from feltlab.core.stake import default_stake
from feltlab.counting.tree.estimate import estimate_ends
from feltlab.games import GAMES, has_solver
from feltlab.text import listing

PROVE = """
import json, pathlib, resource, sys, time
from feltlab.proving import store
from feltlab.games import GAMES
from feltlab.core.stake import read_stake
from feltlab.proving.proof import prove
folder = pathlib.Path(sys.argv[1])
store.cache_folder = lambda kind: folder
game = GAMES[sys.argv[2]]
stake = read_stake(game, dict(word.split("=") for word in sys.argv[3:]))
start = time.perf_counter()
proof = prove(game, stake)
taken = time.perf_counter() - start
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(json.dumps([taken, proof.tally.deals, peak]))
"""


def measure() -> Iterator[Line]:
    for name, game in GAMES.items():
        side_bets = [game.spot(bet) for bet, units in default_stake(game).items() if not units]
        words = [f"{bet.name}=1" for bet in side_bets]
        with tempfile.TemporaryDirectory() as folder:
            time_proof(folder, name, *words)  # compiles kernels and fills the store
            with tempfile.TemporaryDirectory() as empty:
                taken, deals, peak = time_proof(empty, name, *words)
            again, _, _ = time_proof(folder, name, *words)
        loop = f"a Python loop plays {python_loop(name):,.0f} rounds a second"
        visits = "would visit" if has_solver(game) else "visits"
        tree = f"the prover of any game {visits} about {estimate_ends(game):.2g} ends"
        beside = f"{deals:.3g} deals, peak {peak:,.0f} MB; {tree}; {loop}"
        with_bets = f", with {listing(bet.title for bet in side_bets)}" if side_bets else ""
        yield Line(f"{game.title}{with_bets}", taken, "s", beside)
        yield Line("  the same from the store", again, "s", "")


def time_proof(folder: str, name: str, *words: str) -> tuple[float, int, float]:
    run = [sys.executable, "-c", PROVE, folder, name, *words]
    answer = subprocess.run(run, capture_output=True, text=True, check=True, env=os.environ)
    taken, deals, peak = json.loads(answer.stdout)
    return taken, deals, peak


def python_loop(name: str, rounds: int = 500) -> float:
    """Rounds a second through `Round`, always by the first choice, after ten that load the kernels."""
    import numpy as np

    from feltlab.core.cards import Cards
    from feltlab.core.round import Round

    game, generator = GAMES[name], np.random.default_rng(1)
    wagers = {spot.name: 100 for spot in game.wagers}
    for n in range(10 + rounds):
        if n == 10:
            start = time.perf_counter()
        round = Round(game, Cards(generator.permutation(game.deck.cards)[: game.places].tolist()), wagers)
        while round.choices:
            round = round.choose(round.choices[0])
        assert round.settlement.wagers
    return rounds / (time.perf_counter() - start)
