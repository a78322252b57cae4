"""Steps of an exam that a page takes: set one, begin an attempt, answer it, download a certificate."""

import asyncio
from datetime import UTC, datetime
from typing import Annotated, Any

from fastapi import APIRouter
from pydantic import Field
from starlette.requests import Request
from starlette.responses import Response

from feltlab.errors import Refused, Unknown
from feltlab.game_folders import is_path
from feltlab.pit.roles import Permission
from feltlab.report.renderers import pdf
from feltlab.school.exams.certificate import certificate_document
from feltlab.school.exams.exam import ExamTerms
from feltlab.school.exams.office import SchoolOffice
from feltlab.school.progress import write_csv
from feltlab.server.models import RequestModel
from feltlab.server.responses import json_response
from feltlab.server.routing import Actor, Number, Reader
from feltlab.server.sessions import Session
from feltlab.web.page import Data
from feltlab.web.pages.school.error_prices import price_errors
from feltlab.web.pages.school.exams import find_attempt
from feltlab.web.pages.school.office import office_of
from feltlab.web.pages.school.practice import MAX_ANSWER_WORDS, MAX_WORD_CHARS
from feltlab.web.staff_request import require_any

router = APIRouter()
MAX_GAME_CHARS = 400
MAX_TITLE_CHARS = 80


class SetExam(RequestModel):
    """The terms of an exam."""

    games: list[Annotated[str, Field(max_length=MAX_GAME_CHARS)]]
    hands: int
    pass_percent: int
    minutes: int
    level: int
    title: str = Field(default="", max_length=MAX_TITLE_CHARS)


class ExamAnswer(RequestModel):
    """The answer to the question of this number."""

    question: int
    answer: list[Annotated[str, Field(max_length=MAX_WORD_CHARS)]] = Field(max_length=MAX_ANSWER_WORDS)


@router.post("/api/school/exams", include_in_schema=False)
async def set_exam(request: Request, session: Actor, terms: SetExam) -> Response:
    """Put an exam on record."""
    session.role.check(Permission.SUPERVISE)
    if paths := [game for game in terms.games if is_path(game)]:  # whose code would run here
        raise Refused(f"{paths[0]!r} is a path; an exam names games of this pit.")
    asked = ExamTerms(**terms.model_dump() | {"games": tuple(terms.games)})
    office = await asyncio.to_thread(office_of, request.app)
    return json_response((await asyncio.to_thread(office.set_exam, session.account, asked)).to_json())


@router.post("/api/school/exams/{number}/attempts", include_in_schema=False)
async def start_attempt(request: Request, session: Actor, number: Number) -> Response:
    """Begin an attempt; its clock runs from now on."""
    session.role.check(Permission.DEAL)
    office = await asyncio.to_thread(office_of, request.app)
    return json_response((await asyncio.to_thread(office.start_attempt, session.account, number)).to_json())


@router.get("/api/school/attempts/{number}", include_in_schema=False)
async def show_attempt(request: Request, session: Reader, number: Number) -> Response:
    """An attempt with its open question, or with its result and a replay of every hand when it is over."""
    office = await asyncio.to_thread(office_of, request.app)
    return json_response(await asyncio.to_thread(_describe_attempt, office, number, session))


def _describe_attempt(office: SchoolOffice, number: int, session: Session) -> Data:
    attempt = find_attempt(office, number, session)
    shown: dict[str, Any] = attempt.to_json(with_questions=bool(attempt.ended))
    if not attempt.ended:
        shown["question"] = office.find_question(number, attempt.dealer)[1].to_json()
    return shown | {"now": datetime.now(UTC).isoformat()}


@router.post("/api/school/attempts/{number}/answers", include_in_schema=False)
async def answer(request: Request, session: Actor, number: Number, given: ExamAnswer) -> Response:
    """Answer the open question; the verdict is shown when the attempt is over."""
    office = await asyncio.to_thread(office_of, request.app)
    await asyncio.to_thread(office.answer, number, session.account, given.question, given.answer)
    return json_response({"question": given.question})


@router.get("/api/school/progress.csv", include_in_schema=False)
async def export_progress(request: Request) -> Response:
    """Everybody's progress for a spreadsheet."""
    require_any(request, Permission.SUPERVISE, Permission.AUDIT)
    office = await asyncio.to_thread(office_of, request.app)
    headers = {"content-disposition": 'attachment; filename="school-progress.csv"'}
    progress = office.progress.all()
    costs = await price_errors(request.app, progress)
    text = write_csv(progress, lambda each: costs.get((each.dealer, each.game)))
    return Response(text, 200, headers, "text/csv; charset=utf-8")


@router.get("/school/certificates/{digest}.pdf", include_in_schema=False)
async def certificate(request: Request, digest: str) -> Response:
    """A certificate as PDF: the visitor's own, or any for the floor."""
    session = require_any(request, Permission.DEAL, Permission.SUPERVISE, Permission.AUDIT)
    office = await asyncio.to_thread(office_of, request.app)
    found = office.certificates.get(digest)
    may_see_all = session.role.may(Permission.SUPERVISE) or session.role.may(Permission.AUDIT)
    if found is None or not (may_see_all or found.dealer == session.account):
        raise Unknown("There is no such certificate of yours.")
    made = await asyncio.to_thread(pdf.render, certificate_document(found))
    name = f"certificate-{found.dealer}-{found.number}.pdf"
    return Response(made, 200, {"content-disposition": f'attachment; filename="{name}"'}, "application/pdf")
