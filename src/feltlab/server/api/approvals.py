"""Operators' approvals: their list, drafts, steps, and what the house files for their conditions."""

from typing import Any

from starlette.responses import Response

from feltlab.pit.pit import today
from feltlab.pit.regimes import Taker
from feltlab.pit.roles import Permission
from feltlab.server.api.tables import read_game
from feltlab.server.approval_models import (
    ApprovalAnswer,
    ApprovalStep,
    DraftApproval,
    FileCondition,
    WithdrawFiling,
)
from feltlab.server.approval_view import approval_to_data
from feltlab.server.responses import json_response
from feltlab.server.routing import Actor, Number, Reader, TheAuth, ThePit, new_router
from feltlab.server.sessions import Session

router = new_router()
Responses = dict[int | str, dict[str, Any]]
ANSWER: Responses = {200: {"model": ApprovalAnswer}}


def taker_of(session: Session) -> Taker:
    """The sender of a request as a member of a side, if the role may take steps of it."""
    session.role.check(session.role.side.decides_by)
    return Taker(session.account, session.role.side)


@router.get("/approvals", responses={200: {"model": list[ApprovalAnswer]}})
async def list_approvals(pit: ThePit, auth: TheAuth, session: Reader) -> Response:
    """Every operator's approval, with its steps, its conditions, and the steps that are possible next."""
    auth.require_any(session, Permission.AUDIT, Permission.SUPERVISE)
    return json_response([approval_to_data(pit, found) for found in pit.approvals])


@router.post("/approvals", status_code=201, responses={201: {"model": ApprovalAnswer}})
async def draft_approval(pit: ThePit, session: Actor, asked: DraftApproval) -> Response:
    """Begin the approval of a game that its maker's approval allows, for this house."""
    taker, day = taker_of(session), asked.day or today()
    game, rest = read_game(asked), (asked.begins, asked.ends, asked.note)
    register = await pit.decide(lambda register: register.draft(pit.house, game, taker, day, *rest))
    return json_response(approval_to_data(pit, register.approvals[-1]), 201)


@router.post("/approvals/{number}/steps", responses=ANSWER)
async def step_approval(pit: ThePit, session: Actor, number: Number, asked: ApprovalStep) -> Response:
    """Take the next step of an approval, or one that ends it, if it is a step of my side."""
    taker, day = taker_of(session), asked.day or today()
    register = await pit.decide(lambda register: register.step(number, asked.act, taker, day, asked.note))
    return json_response(approval_to_data(pit, register[number]))


@router.post("/approvals/{number}/filings", responses=ANSWER)
async def file_condition(pit: ThePit, session: Actor, number: Number, asked: FileCondition) -> Response:
    """File what a condition of an approval asks for, for the house."""
    taker, day, items = taker_of(session), asked.day or today(), asked.items
    register = await pit.decide(lambda book: book.file(number, asked.condition, items, taker, day))
    return json_response(approval_to_data(pit, register[number]))


@router.post("/approvals/{number}/filings/withdraw", responses=ANSWER)
async def withdraw_filing(pit: ThePit, session: Actor, number: Number, asked: WithdrawFiling) -> Response:
    """Take back what was filed for a condition; tables under the approval close after their round."""
    taker, rest = taker_of(session), (asked.day or today(), asked.note)
    register = await pit.decide(lambda book: book.withdraw_filing(number, asked.condition, taker, *rest))
    return json_response(approval_to_data(pit, register[number]))
