"""Tables that open before their rules are compiled: the same rounds before and after the switch."""

import subprocess
import sys
from collections import Counter

import pytest

from feltlab import kernel
from feltlab.games import GAMES
from feltlab.workers import rehearsal
from feltlab.workers.protocol import Worker

# Plays one round of every game as plain Python, lets a thread compile, and plays the same rounds again.
SWITCH = """
import random, sys, threading
from feltlab.core.cards import Cards
from feltlab.core.deal import Deal
from feltlab.core.rehearsal import rehearse
from feltlab.games import GAMES
from feltlab.kernel import compile_here, defer_compiling, resume_compiling

def play(game, seed):
    chance = random.Random(seed)
    wagers = {spot.name: 10_000 for spot in game.wagers[: game.rules.GAMES_PER_HAND]}
    deal = Deal.start(game, Cards(chance.sample(game.deck.cards, len(game.deck.cards))), [wagers])
    while not deal.over:
        deal = deal.choose(0, chance.choice(deal.rounds[0].choices))
    return str(deal.rounds[0].settlement), str(deal.rounds[0].view)

def compile_in_thread(game):
    with compile_here():
        rehearse(game)

for game in map(GAMES.__getitem__, sys.argv[1:]):
    defer_compiling()
    before = [play(game, seed) for seed in range(5)]
    assert not game.rules.settle.signatures, "it was compiled"
    thread = threading.Thread(target=compile_in_thread, args=[game])
    thread.start()
    thread.join()
    assert game.rules.settle.signatures, "it was not compiled"
    after = [play(game, seed) for seed in range(5)]
    resume_compiling()
    assert before == after, game
    print(game.name)
"""


@pytest.mark.slow
def test_compiled_rules_take_over_and_rounds_stay_the_same():
    done = subprocess.run([sys.executable, "-c", SWITCH, *GAMES], capture_output=True, text=True, timeout=600)
    assert done.stderr == ""
    assert done.stdout.split() == list(GAMES)


@pytest.fixture
def rehearsed(monkeypatch, tmp_path):
    """The games that this process rehearsed; its cache is an empty folder."""
    counted = Counter()
    monkeypatch.setattr(rehearsal, "rehearse", lambda game: counted.update([game.name]))
    monkeypatch.setattr(rehearsal, "cache_folder", lambda: tmp_path)
    yield counted
    kernel.resume_compiling()


async def test_a_first_start_defers_and_a_later_one_does_not(rehearsed, tmp_path, monkeypatch):
    asked = []

    async def ask(worker, question):
        assert kernel.is_compiling_deferred()
        asked.append(question["game"])

    monkeypatch.setattr(Worker, "ask", ask)
    assert rehearsal.rehearse_or_defer()
    assert not rehearsed
    await rehearsal.rehearse_deferred()
    assert asked == list(rehearsed) == list(GAMES)
    assert not kernel.is_compiling_deferred()
    assert (tmp_path / rehearsal.MARK).exists()
    assert not rehearsal.rehearse_or_defer()
    assert set(rehearsed.values()) == {2}


async def test_without_a_worker_the_server_compiles_in_its_own_thread(rehearsed, monkeypatch, caplog):
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    assert rehearsal.rehearse_or_defer()
    await rehearsal.rehearse_deferred()
    assert list(rehearsed) == list(GAMES)
    assert "could not compile" in caplog.text


async def test_nothing_is_rehearsed_again_unless_it_was_deferred(rehearsed):
    await rehearsal.rehearse_deferred()
    assert not rehearsed


def test_the_workers_answer_compiles_one_game(rehearsed):
    rehearsal.answer({"game": "casino-war"}, lambda share: None)
    assert list(rehearsed) == ["casino-war"]
