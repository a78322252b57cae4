"""Makers' approvals: the games that makers submit, the steps of the state, and the changes of amendments."""

import asyncio

from starlette.responses import Response

from feltlab.games.offers import game_from_words
from feltlab.pit.approvals.documents import EnclosedDocument
from feltlab.pit.approvals.submissions import SubmissionTerms
from feltlab.pit.pit import today
from feltlab.pit.roles import Permission
from feltlab.server.api import submission_access
from feltlab.server.api.approvals import taker_of
from feltlab.server.approval_models import (
    ApprovalStep,
    SubmissionAnswer,
    SubmissionChangesAnswer,
    SubmitGame,
)
from feltlab.server.approval_view import change_to_data, submission_to_data
from feltlab.server.auth import Auth
from feltlab.server.responses import json_response
from feltlab.server.routing import Actor, Number, Reader, TheAuth, ThePit, new_router
from feltlab.server.sessions import Session
from feltlab.submission.packet import describe_version

router = new_router()


def require_reading(auth: Auth, session: Session) -> None:
    """Refuse whoever is no party to makers' approvals."""
    auth.require_any(session, Permission.AUDIT, Permission.SUPERVISE, Permission.SUBMIT)


@router.get("/submissions", responses={200: {"model": list[SubmissionAnswer]}})
async def list_submissions(pit: ThePit, auth: TheAuth, session: Reader) -> Response:
    """Every maker's approval, with its steps and the steps that are possible next; a maker's own, and others'
    that are approved."""
    require_reading(auth, session)
    found = await asyncio.to_thread(submission_access.list_submissions, pit, session)
    return json_response(list(map(submission_to_data, found)))


@router.post("/submissions", status_code=201, responses={201: {"model": SubmissionAnswer}})
async def submit_game(pit: ThePit, session: Actor, asked: SubmitGame) -> Response:
    """Submit a game to the state, for its maker; one that is approved already is amended."""
    taker, day = taker_of(session), asked.day or today()
    terms = await asyncio.to_thread(_read_terms, asked)
    register = await pit.decide(
        lambda book: book.record(book.submissions.plan_submission(terms, taker, day, asked.note))
    )
    return json_response(submission_to_data(register.submissions.all[-1]), 201)


def _read_terms(asked: SubmitGame) -> SubmissionTerms:
    """The terms of a submission; reading the rule sheet and checking signatures takes some milliseconds."""
    game = game_from_words(asked.game, {}, asked.pays)
    return SubmissionTerms(
        game,
        asked.maker,
        asked.reference,
        asked.rules_date or asked.day or today(),
        describe_version(game),
        {name: tuple(values) for name, values in asked.options.items()},
        tuple(asked.kinds),
        tuple(EnclosedDocument.check(d.name, d.sha256, d.signature, d.sha512) for d in asked.documents),
    )


@router.post("/submissions/{number}/steps", responses={200: {"model": SubmissionAnswer}})
async def step_submission(pit: ThePit, session: Actor, number: Number, asked: ApprovalStep) -> Response:
    """Take the next step of a maker's approval, or one that ends it, if it is a step of my side."""
    taker, rest = taker_of(session), (asked.day or today(), asked.note)
    await asyncio.to_thread(submission_access.check_own, pit, session, number)
    register = await pit.decide(
        lambda book: book.record(book.submissions.plan_step(number, asked.act, taker, *rest))
    )
    return json_response(submission_to_data(register.submissions[number]))


@router.get("/submissions/{number}/changes", responses={200: {"model": SubmissionChangesAnswer}})
async def list_changes(pit: ThePit, auth: TheAuth, session: Reader, number: Number) -> Response:
    """The changes of an amendment against the approved version, clause by clause and pay by pay."""
    require_reading(auth, session)
    await asyncio.to_thread(submission_access.find_submission, pit, session, number)
    before, changes = await asyncio.to_thread(pit.approvals.submissions.list_changes, number)
    amends = before.number if before else 0
    return json_response({"number": number, "amends": amends, "changes": list(map(change_to_data, changes))})
