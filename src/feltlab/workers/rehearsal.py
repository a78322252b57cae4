"""The rehearsal of all games: a round that nobody sees compiles the rules of each.

After an upgrade that takes a minute. A server that opens at once defers it: its tables run the rules as plain
Python, which deals the same cards, while a worker compiles them into the cache. Then the server loads the
compiled code in a thread, game by game.
"""

import logging
from contextlib import suppress

from feltlab.core.game import Game
from feltlab.core.rehearsal import rehearse
from feltlab.games import GAMES, game_named
from feltlab.kernel import (
    INTERPRETED,
    cache_folder,
    compile_here,
    defer_compiling,
    is_compiling_deferred,
    resume_compiling,
)
from feltlab.parallel.daemon import run_in_daemon
from feltlab.parallel.progress import Progress
from feltlab.workers.protocol import Question, Worker, WorkerFailed, run_worker

MARK = "rehearsed"  # a file beside the compiled rules, once all of them are there
LOG = logging.getLogger(__name__)

# -- In the server ----------------------------------------------------------------------------------


def rehearse_or_defer() -> bool:
    """Rehearse now if the compiled rules are in the cache; otherwise defer, and return True."""
    folder = cache_folder()
    if INTERPRETED or (folder and (folder / MARK).exists()):
        for game in GAMES.values():
            rehearse(game)
        return False
    defer_compiling()
    return True


async def rehearse_deferred() -> None:
    """Have deferred games compiled, and load their compiled rules while the tables go on."""
    if not is_compiling_deferred():
        return
    worker = Worker("feltlab.workers.rehearsal")
    try:
        for game in GAMES.values():
            await _compile_elsewhere(worker, game)
            await run_in_daemon(_load, game)
    finally:
        resume_compiling()
        await worker.close()
    _mark_cache()


async def _compile_elsewhere(worker: Worker, game: Game) -> None:
    """Fill the cache; without a cache or a worker, the server compiles in its own thread."""
    if cache_folder():
        try:
            await worker.ask({"game": game.name})
        except WorkerFailed as failed:
            LOG.warning("The worker could not compile %s: %s", game.title, failed)


def _load(game: Game) -> None:
    with compile_here():
        rehearse(game)


def _mark_cache() -> None:
    if folder := cache_folder():
        with suppress(OSError):
            (folder / MARK).touch()


# -- In the worker ----------------------------------------------------------------------------------


def answer(question: Question, progress: Progress) -> None:
    rehearse(game_named(question["game"]))


if __name__ == "__main__":
    run_worker(answer)
