"""The judge: works out verdicts on finished rounds, and stores each beside its mention in the index.

Two workers value the choices of rounds and a third proves what stakes are worth, so that a game whose values
take many seconds delays no other: the first worker leaves such games to the second. A round that nobody asks
for any more is dropped from the queue.
"""

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import orjson

from feltlab.errors import Refused, TooOften
from feltlab.ledger.event import Assessment, Entry, MentionKey
from feltlab.ledger.ledger import Ledger, LedgerDown
from feltlab.ledger.mentions import IndexedMention, find_mentions, find_sequence
from feltlab.pit.event_kinds import ROUND_ENDS
from feltlab.pit.hands.mentions import JUDGED, UNJUDGED, VALUED
from feltlab.workers.lane import run_lane
from feltlab.workers.protocol import Worker, WorkerFailed
from feltlab.workers.stake_values import StakeValues

MODULE = "feltlab.workers.verdicts"
ANSWER_SECONDS = 600.0  # at most
DROP_SECONDS = 20.0  # without anybody asking
RETRY_SECONDS = 300.0  # until a round is judged again whose worker failed
SLOW_SECONDS = 4.0  # of a game's later answers, from which on only the second worker values it
MAX_WAITING = 2_000  # rounds
LOG = logging.getLogger(__name__)

Data = dict[str, Any]
RoundPlace = tuple[str, int]  # a table and a round


@dataclass
class RoundRequest:
    """A round whose choices wait for their values."""

    table: str
    round: int
    game: str
    asked: float = field(default_factory=time.monotonic)
    is_running: bool = False

    @property
    def place(self) -> RoundPlace:
        return self.table, self.round

    @property
    def is_forgotten(self) -> bool:
        return not self.is_running and time.monotonic() - self.asked > DROP_SECONDS


class JudgeLane:
    """A worker, and how long it takes for the rounds of each game."""

    def __init__(self, takes_slow: bool) -> None:
        self.worker, self.takes_slow = Worker(MODULE), takes_slow
        self._seconds: dict[str, float] = {}  # of a game's last answer; the first, which prepares, counts 0

    def choose(self, requests: Iterable[RoundRequest]) -> RoundRequest | None:
        """The request to serve next: fast games first, or slow games first in the lane that takes them."""
        ranked = [(self._seconds.get(one.game, 0.0), one) for one in requests if not one.is_running]
        if self.takes_slow:
            return max(ranked, key=lambda pair: pair[0], default=(0.0, None))[1]
        fast = [pair for pair in ranked if pair[0] < SLOW_SECONDS]
        return min(fast, key=lambda pair: pair[0], default=(0.0, None))[1]

    async def value(self, request: RoundRequest, database: str) -> Data:
        question = {"kind": "round", "database": database, "table": request.table, "round": request.round}
        began = time.monotonic()
        async with asyncio.timeout(ANSWER_SECONDS):
            verdict: Data = await self.worker.ask(question)
        seconds = time.monotonic() - began
        self._seconds[request.game] = seconds if request.game in self._seconds else 0.0
        return verdict

    async def close(self) -> None:
        await self.worker.close()
        self._seconds.clear()


class Judge:
    """The queue of a server's rounds that are not judged yet."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._requests: OrderedDict[RoundPlace, RoundRequest] = OrderedDict()
        self._weighing: dict[MentionKey, asyncio.Task[None]] = {}  # that wait for the value of their stake
        self._failed: dict[RoundPlace, float] = {}  # when it may be tried again
        self._stakes = StakeValues(MODULE)
        self._lanes = [JudgeLane(takes_slow=False), JudgeLane(takes_slow=True)]
        self._tasks: list[asyncio.Task[None]] = []
        self._more = asyncio.Event()

    def ask(self, mentions: Iterable[IndexedMention]) -> None:
        """Judge the rounds of these mentions as far as they are not judged yet, the first ones first."""
        for mention in mentions:
            if mention.state == VALUED:
                self._weigh(mention)
            elif not mention.state and not self.has_failed(mention.chain, mention.round):
                self._queue(mention)
        if self._requests:
            self._wake()

    def has_failed(self, table: str, round: int) -> bool:
        """Whether no verdict on a round is to be expected for now."""
        return self._failed.get((table, round), 0.0) > time.monotonic()

    async def close(self) -> None:
        """End the workers."""
        tasks = [*self._tasks, *self._weighing.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._stakes.close()

    def _fail(self, table: str, round: int, error: BaseException) -> None:
        LOG.warning("Round %s of %s could not be judged: %s", round, table, error)
        self._failed[table, round] = time.monotonic() + RETRY_SECONDS

    # -- The values of choices -----------------------------------------------------------------------

    def _queue(self, mention: IndexedMention) -> None:
        place = (mention.chain, mention.round)
        if place in self._requests:
            self._requests[place].asked = time.monotonic()
        elif len(self._requests) >= MAX_WAITING:
            raise TooOften("questions about rounds", 10)
        else:
            self._requests[place] = RoundRequest(*place, mention.label)

    def _wake(self) -> None:
        self._more.set()
        self._tasks = [task for task in self._tasks if not task.done()]
        if not self._tasks:
            self._tasks = [asyncio.create_task(self._run(lane)) for lane in self._lanes]

    async def _run(self, lane: JudgeLane) -> None:
        await run_lane(partial(self._next, lane), partial(self._serve, lane), self._more, lane.close)

    def _next(self, lane: JudgeLane) -> RoundRequest | None:
        for request in [one for one in self._requests.values() if one.is_forgotten]:
            del self._requests[request.place]
        return lane.choose(self._requests.values())

    async def _serve(self, lane: JudgeLane, request: RoundRequest) -> None:
        request.is_running = True
        try:
            await self._store_values(request, await lane.value(request, self._ledger.database.address))
        except Refused as refused:
            await self._store_refusal(request, str(refused))
        except (WorkerFailed, TimeoutError, LedgerDown) as error:
            self._fail(*request.place, error)
        finally:
            del self._requests[request.place]

    async def _store_values(self, request: RoundRequest, verdict: Data) -> None:
        sequence = await asyncio.to_thread(self._find_end, request)
        valued = tuple(_value_seat(sequence, verdict["game"], seat) for seat in verdict["seats"])
        await self._ledger.append(Entry((), assessments=valued))
        for mention in await asyncio.to_thread(find_mentions, self._ledger, [one.key for one in valued]):
            self._weigh(mention)

    async def _store_refusal(self, request: RoundRequest, why: str) -> None:
        """Store nothing but the sentence about a round that cannot be judged."""
        keys = await asyncio.to_thread(self._find_keys, request)
        note = orjson.dumps({"why": why}).decode()
        try:
            await self._ledger.append(
                Entry((), assessments=tuple(Assessment(key, UNJUDGED, note=note) for key in keys))
            )
        except LedgerDown as error:
            self._fail(*request.place, error)

    def _find_end(self, request: RoundRequest) -> int:
        return find_sequence(self._ledger, *request.place, ROUND_ENDS)

    def _find_keys(self, request: RoundRequest) -> list[MentionKey]:
        sequence = self._find_end(request)
        wagers = self._ledger.events(request.table, round=request.round, kinds=("wagered",))
        seats = {(event.data["player"], event.data["seat"]) for event in wagers}
        return [MentionKey(player, sequence, seat) for player, seat in seats]

    # -- The values of stakes ------------------------------------------------------------------------

    def _weigh(self, mention: IndexedMention) -> None:
        """Judge a round whose choices are valued, once it is known what its wagers are worth."""
        if mention.key not in self._weighing and not self.has_failed(mention.chain, mention.round):
            task = self._weighing[mention.key] = asyncio.create_task(self._store_worth(mention))
            task.add_done_callback(lambda _: self._weighing.pop(mention.key, None))

    async def _store_worth(self, mention: IndexedMention) -> None:
        note = orjson.loads(mention.note or "{}")
        stake = note.pop("stake")
        try:
            expected, why = await self._stakes.expect(stake["game"], stake["wagers"])
            judged = Assessment(
                mention.key,
                UNJUDGED if expected is None else JUDGED,
                expected,
                mention.cost or 0.0,
                mention.decisions or 0,
                mention.mistakes or 0,
                orjson.dumps(note | {"why": why}).decode(),
            )
            await self._ledger.append(Entry((), assessments=(judged,)))
        except (WorkerFailed, LedgerDown) as error:
            self._fail(mention.chain, mention.round, error)


def _value_seat(sequence: int, game: Data, seat: Data) -> Assessment:
    """The stored record of a seat's decisions. Choices of the house rule cost money, but are no mistakes."""
    own = [decision for decision in seat["decisions"] if not decision["by_house"]]
    note = {"decisions": seat["decisions"], "stake": {"game": game, "wagers": seat["wagers"]}}
    return Assessment(
        MentionKey(seat["player"], sequence, seat["seat"]),
        VALUED,
        None,
        sum(decision["cost"] for decision in seat["decisions"]),
        len(own),
        sum(decision["cost"] > 0 for decision in own),
        orjson.dumps(note).decode(),
    )
