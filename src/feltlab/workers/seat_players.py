"""The players of a table that a dealer in training deals: each seat follows a named strategy of the game.

A strategy is the best play or another one that the game's solver names, as in proofs and simulations; a seat
sees only the cards that its player may see. Solving may take minutes, so it happens in a process of its own,
and a table that cannot wait has players with a simple rule: they stay in with every hand.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from feltlab.core.cards import Cards, cards
from feltlab.core.deal import Deal
from feltlab.core.game import Game
from feltlab.core.round import Round
from feltlab.core.seating import Seat
from feltlab.core.solver import Player
from feltlab.core.stake import default_stake
from feltlab.digests import canonical_json
from feltlab.errors import Refused
from feltlab.games import solver_of
from feltlab.games.offers import game_from_data, game_to_data
from feltlab.parallel.progress import Progress
from feltlab.proving.proof import player_of
from feltlab.workers.protocol import Question, Worker, WorkerFailed, ask_once, run_worker

MODULE = "feltlab.workers.seat_players"
STAY_IN = "stay-in"  # the rule of players without a strategy
STAY_IN_WORDS = "stays in with every hand, at the lowest raise"
MAX_STRATEGIES = 3  # of a game, the best play first,
CAUTIOUS = "cautious"  # and last the one that differs from it only between equal choices
MAX_ANSWERS = 500  # that are remembered
PREPARE_SECONDS = 4.0  # that a dealer waits for the strategies of a game
ANSWER_SECONDS = 60.0

Wagers = Sequence[Mapping[str, int]]
Chosen = tuple[tuple[str, ...], ...]

# -- In the server ----------------------------------------------------------------------------------


class SeatPlayers:
    """Asks a worker how seats play, and remembers its answers."""

    def __init__(self) -> None:
        self._worker = Worker(MODULE)
        self._answers: OrderedDict[bytes, Chosen] = OrderedDict()
        self._preparing: dict[str, asyncio.Task[dict[str, str]]] = {}

    async def list_strategies(self, game: Game) -> dict[str, str]:
        """The strategies of a game that can be followed, in words; none while they are being worked out."""
        key = str(game)
        if key not in self._preparing:
            question = {"kind": "strategies", **game_to_data(game)}
            self._preparing[key] = asyncio.create_task(ask_once(MODULE, question))
        try:
            return await asyncio.wait_for(asyncio.shield(self._preparing[key]), PREPARE_SECONDS)
        except TimeoutError:
            return {}
        except Refused:  # nothing can be solved here, now or later
            return {}
        except WorkerFailed:
            del self._preparing[key]
            return {}

    async def play(self, game: Game, shoe: Cards, wagers: Wagers, strategies: Sequence[str]) -> Chosen:
        """The choices of each seat; players without a strategy need no worker."""
        if set(strategies) <= {STAY_IN}:
            return play_seats(game, shoe, wagers, strategies)
        question = {
            "kind": "play",
            **game_to_data(game),
            "shoe": str(shoe),
            "wagers": [dict(each) for each in wagers],
            "strategies": list(strategies),
        }
        key = canonical_json(question)
        if key not in self._answers:
            self._remember(key, await self._ask(question))
        self._answers.move_to_end(key)
        return self._answers[key]

    async def _ask(self, question: Question) -> Chosen:
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                found = await self._worker.ask(question)
        except (TimeoutError, WorkerFailed):
            raise Refused("The players' strategy cannot be worked out now; try again.") from None
        return tuple(map(tuple, found["chosen"]))

    def _remember(self, key: bytes, answer: Chosen) -> None:
        self._answers[key] = answer
        if len(self._answers) > MAX_ANSWERS:
            self._answers.popitem(last=False)

    async def close(self) -> None:
        """End the workers; the next question starts another."""
        for task in self._preparing.values():
            task.cancel()
        await asyncio.gather(*self._preparing.values(), return_exceptions=True)
        self._preparing.clear()
        await self._worker.close()


# -- Playing ----------------------------------------------------------------------------------------


def name_strategies(game: Game) -> dict[str, str]:
    """The strategies that seats of a game may follow, the best play first, in words."""
    known = solver_of(game).strategies
    names = sorted(known, key=lambda name: name == CAUTIOUS)
    return {name: known[name] for name in names[:MAX_STRATEGIES]}


def play_seats(game: Game, shoe: Cards, wagers: Wagers, strategies: Sequence[str]) -> Chosen:
    """The choices of every seat of a deal, each by its strategy."""
    deal = Deal(game, shoe, tuple(map(Seat, wagers)))
    while deal.turn is not None:
        deal = deal.choose(deal.turn, choose_by(deal.rounds[deal.turn], strategies[deal.turn]))
    return tuple(seat.chosen for seat in deal.seats)


def choose_by(round: Round, strategy: str) -> str:
    """The choice that a strategy makes in a round."""
    game = round.game
    if strategy == STAY_IN:
        return _stay_in(round)
    player = _find_player(game, strategy)
    numbers = game.choice_numbers
    legal = sum(1 << numbers[name] for name in round.choices)
    made = np.array(round.chosen_numbers, np.int8)
    number = int(player.decide(player.data, np.array(round.seen, np.int8), legal, made))
    return next((name for name in round.choices if numbers[name] == number), _stay_in(round))


def _stay_in(round: Round) -> str:
    """The cheapest choice that gives nothing up."""
    staying = [name for name in round.choices if not round.game.choice(name).gives_up]
    return min(staying or round.choices, key=round.cost)


@lru_cache(maxsize=64)
def _find_player(game: Game, strategy: str) -> Player:
    return player_of(game, default_stake(game), strategy)


# -- In the worker ----------------------------------------------------------------------------------


def answer(question: Question, progress: Progress) -> dict[str, Any]:
    """The strategies of a game, solved and stored; or the choices of the seats of a deal."""
    game = game_from_data(question)
    if question["kind"] == "strategies":
        found = name_strategies(game)
        for name in found:
            _find_player(game, name)
        return found
    shoe, wagers = cards(question["shoe"]), question["wagers"]
    return {"chosen": play_seats(game, shoe, wagers, question["strategies"])}


if __name__ == "__main__":
    run_worker(answer)
