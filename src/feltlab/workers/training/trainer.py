"""The trainer of a server: decisions that wait ready for the next visitor, charts, and the hand of the day.

Workers deal the hands and value the choices. A hand with several decisions is dealt as a whole; the server
keeps the later ones, whose cards the player has not seen yet, until they are asked for by a random token.
"""

import asyncio
import secrets
from collections import OrderedDict, defaultdict, deque
from contextlib import suppress
from fractions import Fraction
from typing import Any

from feltlab.core.game import Game
from feltlab.core.round import Round
from feltlab.core.solver import StrategyCard
from feltlab.core.stake import has_choices
from feltlab.digests import canonical_json, sha256_hex
from feltlab.errors import Refused, Unknown
from feltlab.games import GAMES
from feltlab.games.offers import game_from_data, game_to_data
from feltlab.parallel.progress import Progress
from feltlab.proving.proof import stored_card, strategy_card
from feltlab.proving.store import cached_json
from feltlab.workers.coach import build_question, read_round
from feltlab.workers.protocol import Question, Worker, WorkerFailed, run_worker
from feltlab.workers.training.decisions import Data, describe_decision, stake_of
from feltlab.workers.training.hands import deal_hands, pick_daily, training_wagers
from feltlab.workers.training.row_counts import count_rows

MODULE = "feltlab.workers.training.trainer"
READY_HANDS = 6  # that wait for the next visitor
FIRST_HANDS = 2  # of a game that nobody has trained yet: they come sooner
ROW_SECONDS = 4.0  # to find hands of one row
MAX_QUEUES = 60
MAX_TOKENS = 5_000
MAX_ANSWERS = 500
ANSWER_SECONDS = 240.0  # a first solve compiles and tabulates
NO_ANSWER = "The trainer has no answer now; try again in a moment."

Queue = deque[list[Data]]

# -- In the server ----------------------------------------------------------------------------------


class Trainer:
    """Prepares decisions ahead, so that the next one is there at once."""

    def __init__(self) -> None:
        self._dealers = [Worker(MODULE), Worker(MODULE)]
        self._charter = Worker(MODULE)  # a chart may take long, and no hand should wait for it
        self._queues: OrderedDict[str, Queue] = OrderedDict()
        self._refills: dict[str, asyncio.Task[None]] = {}
        self._later: OrderedDict[str, tuple[str, list[Data]]] = OrderedDict()  # by token: later decisions
        self._answers: OrderedDict[bytes, Any] = OrderedDict()
        self._asked: dict[bytes, asyncio.Task[Any]] = {}
        self._charts: dict[bytes, asyncio.Task[Any]] = {}
        self._progress: dict[bytes, float] = defaultdict(float)
        self._turn = 0

    async def deal(self, game: Game, row: str = "", after: str = "") -> Data:
        """The next decision: of the same hand if the token leads on, or of a new hand."""
        key = canonical_json([game_to_data(game), row]).decode()
        known, later = self._later.pop(after, ("", []))
        decisions = later if known == key and later else await self._take_hand(key, game, row)
        token = secrets.token_urlsafe(12) if decisions[1:] else ""
        if token:
            self._later[token] = key, decisions[1:]
            if len(self._later) > MAX_TOKENS:
                self._later.popitem(last=False)
        return decisions[0] | {"after": token}

    async def _take_hand(self, key: str, game: Game, row: str) -> list[Data]:
        """A prepared hand; without one, the first of those that are dealt now."""
        for _ in range(2):  # the hands dealt meanwhile may have gone to others, or been forgotten
            queue = self._queues.setdefault(key, deque())
            self._queues.move_to_end(key)
            if queue:
                break
            await asyncio.shield(self._start_refill(key, game, row, FIRST_HANDS))
        if len(self._queues) > MAX_QUEUES:
            self._queues.popitem(last=False)
        queue = self._queues.get(key, deque())
        if not queue:
            raise Unknown("No hand of this row came up; it is too rare to drill." if row else NO_ANSWER)
        hand = queue.popleft()
        if len(queue) < READY_HANDS // 2:
            self._start_refill(key, game, row, READY_HANDS)
        return hand

    def _start_refill(self, key: str, game: Game, row: str, count: int) -> "asyncio.Task[None]":
        if key not in self._refills:
            self._refills[key] = asyncio.create_task(self._refill(key, game, row, count))
        return self._refills[key]

    async def _refill(self, key: str, game: Game, row: str, count: int) -> None:
        try:
            question = {"kind": "deal", **game_to_data(game), "count": count, "row": row}
            hands = await self._ask_dealer(question)
            self._queues.setdefault(key, deque()).extend(hands)
        finally:
            del self._refills[key]

    def forget_hands(self) -> None:
        """Drop the prepared hands: those dealt before a chart was known have no rows."""
        self._queues.clear()

    async def judge(self, round: Round) -> Data:
        """One decision, for a link."""
        question = {"kind": "judge", **build_question(round)}
        found: Data = await self._remember(canonical_json(question), question)
        return found | {"after": ""}

    async def daily(self, date: str) -> Data:
        """The hand of a day, the same for everybody."""
        question = {"kind": "daily", **game_to_data(daily_game(date)), "date": date}
        found: Data = await self._remember(canonical_json(question), question)
        return found | {"after": ""}

    async def _remember(self, key: bytes, question: Question) -> Any:
        """The answer to a question, which is asked once; it is worked out though a caller gives up."""
        if key in self._answers:
            return self._answers[key]
        if key not in self._asked:
            self._asked[key] = asyncio.create_task(self._ask_and_keep(key, question))
        return await asyncio.shield(self._asked[key])

    async def _ask_and_keep(self, key: bytes, question: Question) -> Any:
        try:
            self._answers[key] = found = await self._ask_dealer(question)
            if len(self._answers) > MAX_ANSWERS:
                self._answers.popitem(last=False)
            return found
        finally:
            del self._asked[key]

    def chart(self, game: Game) -> Data | float:
        """The strategy card with its rows by weight; until it is there, the share that is done."""
        question = {"kind": "chart", **game_to_data(game)}
        key = canonical_json(question)
        if key not in self._charts:
            self._charts[key] = asyncio.create_task(self._ask_chart(key, question))
        task = self._charts[key]
        if not task.done():
            return self._progress[key]
        if task.exception():
            del self._charts[key]
        found: Data = task.result()
        return found

    async def _ask_chart(self, key: bytes, question: Question) -> Any:
        def note(share: float) -> None:
            self._progress[key] = share

        try:
            found = await self._charter.ask(question, note)
        except WorkerFailed:
            raise Refused(NO_ANSWER) from None
        self.forget_hands()
        return found

    async def _ask_dealer(self, question: Question) -> Any:
        self._turn += 1
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                return await self._dealers[self._turn % len(self._dealers)].ask(question)
        except (TimeoutError, WorkerFailed):
            raise Refused(NO_ANSWER) from None

    async def close(self) -> None:
        """End the workers; the next question starts others."""
        tasks = [*self._refills.values(), *self._charts.values(), *self._asked.values()]
        for task in tasks:
            task.cancel()
        with suppress(Exception):
            await asyncio.gather(*tasks, return_exceptions=True)
        for worker in (*self._dealers, self._charter):
            await worker.close()


def daily_game(date: str) -> Game:
    """The game of a day, over all games with choices."""
    playable = [game for game in GAMES.values() if game.choices]
    return playable[int(sha256_hex(f"daily {date}".encode())[:8], 16) % len(playable)]


# -- In the worker ----------------------------------------------------------------------------------


def answer(question: Question, progress: Progress) -> Any:
    """Deal hands, judge a decision, pick the hand of a day, or make a chart."""
    game = game_from_data(question)
    kind, wagers = question["kind"], training_wagers(game)
    if kind == "judge":
        round = read_round(question)
        return describe_decision(round, stored_card(game, stake_of(round)))
    stake = {spot.name: Fraction(spot.name in wagers) for spot in game.wagers}
    if not has_choices(game, stake):
        raise Refused(f"{game.title} has no choices to train.")
    if kind == "chart":
        return make_chart(game, wagers, progress)
    card = stored_card(game, stake)
    if kind == "daily":
        return pick_daily(game, wagers, card, question["date"])
    return deal_hands(game, wagers, card, question["count"], question["row"], ROW_SECONDS)


def make_chart(game: Game, wagers: dict[str, int], progress: Progress) -> Data:
    """The strategy card and what its rows are worth knowing."""
    card = strategy_card(game, {spot.name: Fraction(spot.name in wagers) for spot in game.wagers})
    progress(0.5)
    key = [str(game.as_proved), "rows by weight", sorted(wagers.items())]
    rows = cached_json(key, lambda: count_rows(game, wagers, card, lambda share: progress((1 + share) / 2)))
    return draw_card(card) | {"rows": rows}


def draw_card(card: StrategyCard) -> Data:
    """The parts of a card that a page draws."""
    charts = [
        {
            "title": chart.title,
            "columns": list(chart.columns),
            "rows": [[row, *cells] for row, cells in chart.rows.items()],
        }
        for chart in card.charts
    ]
    return {
        "lines": [list(line) for line in card.lines],
        "charts": charts,
        "exceptions": list(card.exceptions),
        "cost": float(card.cost),
    }


if __name__ == "__main__":
    run_worker(answer)
