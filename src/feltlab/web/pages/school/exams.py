"""Exams of the dealer school: those that are set, an attempt, and the trainer's page."""

import asyncio
from collections import defaultdict

from fastapi import APIRouter
from starlette.requests import Request

from feltlab.errors import Refused, Unknown
from feltlab.games import GAMES
from feltlab.pit.roles import Permission
from feltlab.school import LEVELS
from feltlab.school.exams.exam import ExamAttempt
from feltlab.school.exams.office import SchoolOffice
from feltlab.school.tables import RecordedTable
from feltlab.server.sessions import Session
from feltlab.submission.rule_sheet import has_rule_sheet
from feltlab.web.page import Data, add_page
from feltlab.web.pages.school.error_prices import price_errors
from feltlab.web.pages.school.office import office_of
from feltlab.web.pages.school.practice import describe_school_game, describe_tray
from feltlab.web.staff_request import require_any

router = APIRouter()
TABLES_SHOWN = 20


async def exams(request: Request) -> Data:
    """The exams that are set, the visitor's attempts and certificates."""
    session = require_any(request, Permission.DEAL)
    office = await asyncio.to_thread(office_of, request.app)
    mine = [attempt for attempt in office.attempts.values() if attempt.dealer == session.account]
    return {
        "title": "Exams",
        "exams": [_describe_exam(office, number) for number in sorted(office.exams, reverse=True)],
        "attempts": [office.find_attempt(one.number).to_json() for one in reversed(mine)],
        "may_deal": [GAMES[name].title for name in office.certified_games(session.account) if name in GAMES],
        "tables": _list_tables(office, session.account),
        "progress": [each.to_json() for each in office.progress.of_dealer(session.account)],
    }


def _list_tables(office: SchoolOffice, dealer: str) -> list[Data]:
    """The last tables that a dealer has dealt."""
    mine = [table for table in office.tables.values() if table.dealer == dealer]
    return [_describe_table(table) for table in mine[: -TABLES_SHOWN - 1 : -1]]


def _describe_table(table: RecordedTable) -> Data:
    return table.to_json() | {
        "title": _name_game(table.record["game"]),
        "acts": len(table.record["acts"]),
    }


def _name_game(words: str) -> str:
    """The title of a game and its options in words; of a game that is gone its name."""
    name, _, options = words.partition(" ")
    title = GAMES[name].title if name in GAMES else name
    return f"{title}, {options}" if options else title


def _describe_exam(office: SchoolOffice, number: int) -> Data:
    terms = office.exams[number]
    titles = [GAMES[words.split()[0]].title for words in terms.games if words.split()[0] in GAMES]
    return terms.to_json() | {"number": number, "titles": titles}


async def attempt(request: Request) -> Data:
    """One attempt: the visitor's own, or for the floor anybody's that is over."""
    session = require_any(request, Permission.DEAL, Permission.SUPERVISE, Permission.AUDIT)
    number = request.path_params["number"]
    if not number.isdecimal():
        raise Unknown(f"There is no attempt {number}.")
    office = await asyncio.to_thread(office_of, request.app)
    found = find_attempt(office, int(number), session)
    names = {words.split()[0] for words in found.exam.games}
    is_own = found.dealer == session.account
    title = found.exam.title or f"Exam {found.exam.number}"
    return {
        "title": title if is_own else f"{title}: {found.dealer}",
        "attempt": found.number,
        "games": {name: describe_school_game(GAMES[name]) for name in names if name in GAMES},
        "tray": describe_tray(),
        "back": "/school/exams" if is_own else "/school/trainer",
    }


def find_attempt(office: SchoolOffice, number: int, session: Session) -> ExamAttempt:
    """An attempt that a visitor may see: their own, or for the floor anybody's that is over."""
    if session.role.may(Permission.SUPERVISE) or session.role.may(Permission.AUDIT):
        found = office.find_attempt(number)
        if found.dealer != session.account and not found.ended:
            raise Refused("This exam is under way; its replay can be seen when it is over.")
        return found
    return office.find_attempt(number, session.account)


async def trainer(request: Request) -> Data:
    """Exams to set, and the class at a glance."""
    require_any(request, Permission.SUPERVISE, Permission.AUDIT)
    office = await asyncio.to_thread(office_of, request.app)
    pupils = await _describe_class(request, office)
    return {
        "title": "Trainer",
        "games": [{"name": g.name, "title": g.title} for g in GAMES.values() if has_rule_sheet(g.name)],
        "levels": list(LEVELS),
        "exams": [_describe_exam(office, number) for number in sorted(office.exams, reverse=True)],
        "attempts": [
            office.find_attempt(number).to_json() for number in sorted(office.attempts, reverse=True)
        ],
        "pupils": pupils,
        "bases": _list_bases(pupils),
        "tables": [_describe_table(table) for table in reversed(office.tables.values())][:TABLES_SHOWN],
    }


def _list_bases(pupils: list[Data]) -> list[str]:
    """The stake and the pace of each cost an hour, once each."""
    proved = (game["by_proofs"] for pupil in pupils for game in pupil["games"] if game["by_proofs"])
    return list(dict.fromkeys(each["basis"] for each in proved))


async def _describe_class(request: Request, office: SchoolOffice) -> list[Data]:
    """Each dealer with the progress in every game, its costs, and the games of the certificates."""
    found: dict[str, list[Data]] = defaultdict(list)
    costs = await price_errors(request.app, office.progress.all())
    for progress in office.progress.all():
        proved = costs.get((progress.dealer, progress.game))
        words = {"title": _name_game(progress.game), "by_proofs": proved}
        found[progress.dealer].append(progress.to_json() | words)
    return [
        {"dealer": dealer, "games": games, "may_deal": office.certified_games(dealer)}
        for dealer, games in sorted(found.items())
    ]


add_page(router, "/school/exams", "school/exams.html", exams)
add_page(router, "/school/attempts/{number}", "school/exam.html", attempt)
add_page(router, "/school/trainer", "school/trainer.html", trainer)
