"""The costs of dealers' errors by the proofs, for the trainer."""

import asyncio
from collections.abc import Iterable
from fractions import Fraction

from fastapi import FastAPI

from feltlab.pit.event_kinds import ROUND_ENDS
from feltlab.pit.pit import Pit
from feltlab.school.error_costs import Odds, Pace, describe_error_costs, measure_pace
from feltlab.school.exams.exam import parse_game
from feltlab.school.progress import GameProgress
from feltlab.school.settling import name_spot_outcome
from feltlab.web.page import Data
from feltlab.web.pages.lab.waiting import answer_part, work_of

ROUNDS_READ = 200  # of each table
TABLES_READ = 20


async def price_errors(app: FastAPI, progress: Iterable[GameProgress]) -> dict[tuple[str, str], Data]:
    """By dealer and game, the costs; those whose proof is still computed are left out."""
    listed = list(progress)
    games = dict.fromkeys(each.game for each in listed)
    odds = {words: await _find_odds(app, words) for words in games if _has_errors(listed, words)}
    paces = {words: await asyncio.to_thread(find_pace, app.state.pit, words.split()[0]) for words in games}
    return {
        (each.dealer, each.game): describe_error_costs(each, odds.get(each.game) or {}, paces[each.game])
        for each in listed
        if not each.wrong or odds.get(each.game)
    }


def _has_errors(listed: list[GameProgress], words: str) -> bool:
    return any(each.wrong for each in listed if each.game == words)


async def _find_odds(app: FastAPI, words: str) -> Odds | None:
    """The chances of a game's outcomes; None while its proof is computed."""
    game = parse_game(words)
    question = {"game": game.name, "options": dict(game.chosen), "stake": {}, "strategy": "optimal"}
    found = await answer_part(work_of(app), "proof", **question)
    if "odds" not in found:
        return None
    return {
        name_spot_outcome(spot, line["outcome"]): Fraction(line["probability"]["exact"])
        for spot, lines in found["odds"].items()
        for line in lines
    }


def find_pace(pit: Pit, game: str) -> Pace:
    """The rounds an hour of the house's tables of a game, or of the PAR sheets while few were dealt."""
    names = [live.table.name for live in pit.public_tables if live.table.game.name == game]
    ends = (pit.ledger.last_events(name, ROUND_ENDS, ROUNDS_READ) for name in names[:TABLES_READ])
    return measure_pace([[event.at for event in found] for found in ends])
