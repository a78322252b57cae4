"""The strategy cards of a trainer: how they are asked for, and their parts that a page draws.

The card of a game as it is listed never waits for one under other options or pays, of which there is no end:
each kind has its own queue and worker.
"""

import re
import time
from fractions import Fraction
from typing import Any

from feltlab.core.game import Game
from feltlab.core.solver import StrategyCard
from feltlab.core.strategy.card_rows import CHART, LINE
from feltlab.errors import TooOften
from feltlab.games.offers import game_to_data
from feltlab.parallel.progress import Progress, part_of
from feltlab.proving.proof import strategy_card
from feltlab.proving.store import cached_json
from feltlab.workers.pool import DROP_SECONDS_WHEN_BUSY, MAX_WAITING, Pool, Working
from feltlab.workers.training.decisions import Data
from feltlab.workers.training.row_counts import count_rows

CHART_SECONDS = 0.8  # after which a page hears how far its card is
MAX_VARIANTS_WAITING = 6  # cards under other options or pays
MAX_LISTED_WAITING = 10 * MAX_WAITING  # cards of listed games: more than there are games
CARD_SHARE = 0.5  # from which on the card is made and its rows are weighed
ROW = re.compile(rf"{LINE}/(\d{{1,4}})|{CHART}/(\d{{1,4}})(?:/(\d{{1,4}})(?:/(\d{{1,4}}))?)?", re.ASCII)


def is_listed(game: Game) -> bool:
    """Has a game its listed options and pays?"""
    return not game.chosen and not game.pays


# -- In the server ----------------------------------------------------------------------------------


class Charts:
    """The cards that are made, or asked for."""

    def __init__(self, module: str) -> None:
        self._listed = Pool(module, max_workers=1, drops=False)
        self._variants = Pool(module, max_workers=1)
        self._asked: dict[str, tuple[str, float]] = {}  # by visitor: the variant that waits, and when

    async def answer(self, game: Game, visitor: str = "", seconds: float = CHART_SECONDS) -> Data:
        """The card of a game with its rows by weight; raises `Working` if it takes longer."""
        question = game_to_data(game)
        if is_listed(game):
            found: Data = await self._listed.answer("chart", seconds, MAX_LISTED_WAITING, **question)
            return found
        self._admit(visitor, game.digest)
        try:
            found = await self._variants.answer("chart", seconds, MAX_VARIANTS_WAITING, **question)
        except Working:
            self._asked[visitor] = game.digest, time.monotonic()
            raise
        except BaseException:
            self._asked.pop(visitor, None)
            raise
        self._asked.pop(visitor, None)
        return found

    async def prepare(self, game: Game) -> Data:
        """Have the card of a listed game made while nobody waits for a worker; nothing if it is refused."""
        task = await self._listed.prepare("chart", **game_to_data(game))
        return task.result or {}

    async def prepare_once(self, question: Data) -> Any:
        """The answer to another question, prepared likewise but not remembered; None if it is refused."""
        task = await self._listed.prepare(**question)
        self._listed.forget(task)
        return task.result

    def _admit(self, visitor: str, digest: str) -> None:
        """Refuse a visitor who waits for the card of another variant."""
        since = time.monotonic() - DROP_SECONDS_WHEN_BUSY
        self._asked = {one: asked for one, asked in self._asked.items() if asked[1] > since}
        if visitor and self._asked.get(visitor, (digest,))[0] != digest:
            raise TooOften("strategy cards", DROP_SECONDS_WHEN_BUSY)
        self._asked[visitor] = digest, time.monotonic()

    async def close(self) -> None:
        for pool in (self._listed, self._variants):
            await pool.close()


def describe_work(working: Working) -> Data:
    """How far a card is: in which step, and the share of the step that is done, where that is known."""
    said, done = working.as_json(), working.task.progress
    step = 1 if done < CARD_SHARE else 2
    share = (done - CARD_SHARE) / (1 - CARD_SHARE) if step == 2 else 0.0
    return said | {"step": step, "steps": 2, "progress": round(share, 4)}


def is_row_name(row: str) -> bool:
    """Could a strategy card have a row of this name?"""
    return bool(ROW.fullmatch(row))


def has_row(card: Data, row: str) -> bool:
    """Has a card this line, chart, row of a chart or cell?"""
    read = ROW.fullmatch(row)
    if not read:
        return False
    line, chart, at, column = (int(number) if number else None for number in read.groups())
    if line is not None:
        return line < len(card["lines"])
    if chart is None or chart >= len(card["charts"]):
        return False
    drawn = card["charts"][chart]
    return (at or 0) < len(drawn["rows"]) and (column or 0) < len(drawn["columns"])


# -- In the worker ----------------------------------------------------------------------------------


def make_chart(game: Game, wagers: dict[str, int], progress: Progress) -> Data:
    """The strategy card and what its rows are worth knowing."""
    card = strategy_card(game, {spot.name: Fraction(spot.name in wagers) for spot in game.wagers})
    progress(CARD_SHARE)
    key = [str(game.as_proved), "rows by weight", sorted(wagers.items())]
    rows = cached_json(key, lambda: count_rows(game, wagers, card, part_of(progress, CARD_SHARE, 1.0)))
    return draw_card(card) | {"rows": rows}


def draw_card(card: StrategyCard) -> Data:
    """The parts of a card that a page draws."""
    charts: list[dict[str, Any]] = [
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
