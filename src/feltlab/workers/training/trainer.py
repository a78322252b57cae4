"""The trainer of a server: decisions that wait ready for the next visitor, charts, and the hand of the day.

Workers deal the hands and value the choices. A hand with several decisions is dealt as a whole; the server
keeps the later ones, whose cards the player has not seen yet, until they are asked for by a random token.
"""

import asyncio
import secrets
from collections import OrderedDict, deque
from contextlib import suppress
from fractions import Fraction
from typing import Any

from feltlab.core.game import Game
from feltlab.core.round import Round
from feltlab.core.stake import has_choices
from feltlab.digests import canonical_json, sha256_hex
from feltlab.errors import Refused, Unknown
from feltlab.games import GAMES
from feltlab.games.offers import game_from_data, game_to_data
from feltlab.parallel.progress import Progress
from feltlab.proving.proof import stored_card
from feltlab.workers.coach import build_question, read_round
from feltlab.workers.pool import Working
from feltlab.workers.protocol import Question, run_worker
from feltlab.workers.training.charts import CHART_SECONDS, Charts, has_row, is_listed, is_row_name, make_chart
from feltlab.workers.training.decisions import Data, describe_decision, stake_of
from feltlab.workers.training.desk import NO_ANSWER, Desk
from feltlab.workers.training.hands import deal_hands, pick_daily, training_wagers
from feltlab.workers.training.sealed import SealedVerdicts

MODULE = "feltlab.workers.training.trainer"
READY_HANDS = 6  # that wait for the next visitor
FIRST_HANDS = 2  # of a game that nobody has trained yet: they come sooner
ROW_SECONDS = 4.0  # to find hands of one row
CARD_SECONDS = 8.0  # that a drill waits for its strategy card
MAX_QUEUES = 60
MAX_TOKENS = 5_000
MAX_ANSWERS = 500

Queue = deque[list[Data]]
QueueKey = tuple[bytes, str]  # a game and a row

# -- In the server ----------------------------------------------------------------------------------


class Trainer:
    """Prepares decisions ahead, so that the next one is there at once.

    A visitor is named by a text; a question that has to wait is refused if the visitor has another one open.
    """

    def __init__(self) -> None:
        # Links and changed games may need a new solve, for which the hands of listed games do not wait.
        self._listed, self._others = Desk(MODULE, 2), Desk(MODULE, 1)
        self._charts = Charts(MODULE)
        self._charted: OrderedDict[bytes, None] = OrderedDict()  # games whose card is known
        self._queues: OrderedDict[QueueKey, Queue] = OrderedDict()
        self._refills: dict[QueueKey, asyncio.Task[None]] = {}
        self._later: OrderedDict[str, tuple[QueueKey, list[Data]]] = OrderedDict()  # by token
        self._answers: OrderedDict[bytes, Data] = OrderedDict()
        self.sealed = SealedVerdicts()

    # -- Hands ----------------------------------------------------------------------------------------

    async def deal(self, game: Game, row: str = "", after: str = "", visitor: str = "") -> Data:
        """The next decision: of the same hand if the token leads on, or of a new hand."""
        if row:
            await self._check_row(game, row, visitor)
        key = _key_of(game), row
        known, later = self._later.pop(after, (None, []))
        decisions = later if known == key and later else await self._take_hand(key, game, visitor)
        token = secrets.token_urlsafe(12) if decisions[1:] else ""
        if token:
            self._later[token] = key, decisions[1:]
            if len(self._later) > MAX_TOKENS:
                self._later.popitem(last=False)
        return decisions[0] | {"after": token}

    async def _check_row(self, game: Game, row: str, visitor: str) -> None:
        """Refuse a row that the strategy card does not have, before a worker looks for its hands."""
        try:
            known = is_row_name(row) and has_row(await self.chart(game, visitor, CARD_SECONDS), row)
        except Working:
            raise Refused("The strategy card is being worked out; drill a row once it is there.") from None
        if not known:
            raise Unknown(f"The strategy card of {game.title} has no row {row!r}.")

    async def _take_hand(self, key: QueueKey, game: Game, visitor: str) -> list[Data]:
        """A prepared hand; without one, the first of those that are dealt now."""
        for _ in range(2):  # the hands dealt meanwhile may have gone to others, or been forgotten
            queue = self._queues.setdefault(key, deque())
            self._queues.move_to_end(key)
            if queue:
                break
            await asyncio.shield(self._start_refill(key, game, FIRST_HANDS, visitor))
        if len(self._queues) > MAX_QUEUES:
            self._queues.popitem(last=False)
        queue = self._queues.get(key, deque())
        if not queue:
            raise Unknown("No hand of this row came up; it is too rare to drill." if key[1] else NO_ANSWER)
        hand = queue.popleft()
        if len(queue) < READY_HANDS // 2 and not self._desk(game).is_busy:
            self._start_refill(key, game, READY_HANDS)
        return hand

    def _start_refill(self, key: QueueKey, game: Game, count: int, visitor: str = "") -> "asyncio.Task[None]":
        if key not in self._refills:
            self._refills[key] = asyncio.create_task(self._refill(key, game, count, visitor))
        return self._refills[key]

    async def _refill(self, key: QueueKey, game: Game, count: int, visitor: str) -> None:
        try:
            hands = await self._desk(game).ask(_ask_hands(game, count, key[1]), visitor)
            self._queues.setdefault(key, deque()).extend(hands)
        except Refused:
            if visitor:  # otherwise nobody waits, and the next visitor asks again
                raise
        finally:
            del self._refills[key]

    def _desk(self, game: Game) -> Desk:
        return self._listed if is_listed(game) else self._others

    # -- Single decisions -----------------------------------------------------------------------------

    async def judge(self, round: Round, visitor: str = "") -> Data:
        """One decision, for a link."""
        question = {"kind": "judge", **build_question(round)}
        return await self._remember(question, self._others, visitor) | {"after": ""}

    async def daily(self, date: str) -> Data:
        """The hand of a day, the same for everybody."""
        return await self._remember(_ask_daily(date), self._listed) | {"after": ""}

    async def _remember(self, question: Question, desk: Desk, visitor: str = "") -> Data:
        """The answer to a question that is asked once."""
        key = canonical_json(question)
        if key not in self._answers:
            self._answers[key] = await desk.ask(question, visitor)
            if len(self._answers) > MAX_ANSWERS:
                self._answers.popitem(last=False)
        return self._answers[key]

    # -- Charts ---------------------------------------------------------------------------------------

    async def chart(self, game: Game, visitor: str = "", seconds: float = CHART_SECONDS) -> Data:
        """The strategy card with its rows by weight; raises `Working` until it is there."""
        found = await self._charts.answer(game, visitor, seconds)
        self._note_card(game)
        return found

    def _note_card(self, game: Game) -> None:
        """Note that a card is known: hands that were dealt before have no rows."""
        name = _key_of(game)
        if name not in self._charted:
            self._queues = OrderedDict((key, queue) for key, queue in self._queues.items() if key[0] != name)
            self._charted[name] = None
            if len(self._charted) > MAX_QUEUES:
                self._charted.popitem(last=False)

    async def prepare(self, game: Game) -> None:
        """Have the card of a listed game made, the tables of its values, and the first hands of a visitor."""
        card = await self._charts.prepare(game)
        if not card:
            return
        self._note_card(game)
        for row in ("", *(row["name"] for row in card["rows"][:1])):
            hands = await self._charts.prepare_once(_ask_hands(game, FIRST_HANDS, row))
            self._queues.setdefault((_key_of(game), row), deque()).extend(hands or [])

    async def prepare_daily(self, date: str) -> None:
        """Have the hand of a day picked before anybody asks."""
        question = _ask_daily(date)
        if decision := await self._charts.prepare_once(question):
            self._answers[canonical_json(question)] = decision

    async def close(self) -> None:
        """End the workers; the next question starts others."""
        tasks = list(self._refills.values())
        for task in tasks:
            task.cancel()
        with suppress(Exception):
            await asyncio.gather(*tasks, return_exceptions=True)
        for part in (self._listed, self._others, self._charts):
            await part.close()


def _key_of(game: Game) -> bytes:
    return canonical_json(game_to_data(game))


def _ask_hands(game: Game, count: int, row: str) -> Data:
    return {"kind": "deal", **game_to_data(game), "count": count, "row": row}


def _ask_daily(date: str) -> Data:
    return {"kind": "daily", **game_to_data(daily_game(date)), "date": date}


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


if __name__ == "__main__":
    run_worker(answer)
