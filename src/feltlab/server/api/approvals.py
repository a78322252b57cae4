"""Approvals of games: their list, drafts and steps."""

from typing import Any

from starlette.responses import Response

from feltlab.pit.approvals import Approval
from feltlab.pit.pit import today
from feltlab.pit.roles import Permission
from feltlab.server.api.tables import read_game
from feltlab.server.approval_models import ApprovalAnswer, ApprovalStep, DraftApproval
from feltlab.server.responses import json_response
from feltlab.server.routing import Actor, Number, Reader, TheAuth, ThePit, new_router

router = new_router()


@router.get("/approvals", responses={200: {"model": list[ApprovalAnswer]}})
async def list_approvals(pit: ThePit, auth: TheAuth, session: Reader) -> Response:
    """Every approval, with its steps so far and the steps that are possible next."""
    auth.require_any(session, Permission.AUDIT, Permission.SUPERVISE)
    return json_response(list(map(_approval_json, pit.approvals)))


@router.post("/approvals", status_code=201, responses={201: {"model": ApprovalAnswer}})
async def draft_approval(pit: ThePit, session: Actor, asked: DraftApproval) -> Response:
    """Begin the approval of a game under options and pays."""
    session.role.check(Permission.ADMINISTER)
    days = (asked.day or today(), asked.begins, asked.ends, asked.note)
    game, by = read_game(asked), session.account
    register = await pit.decide(lambda register: register.draft(pit.house, game, by, *days))
    return json_response(_approval_json(register.approvals[-1]), 201)


@router.post("/approvals/{number}/steps", responses={200: {"model": ApprovalAnswer}})
async def step_approval(pit: ThePit, session: Actor, number: Number, asked: ApprovalStep) -> Response:
    """Take the next step of an approval, or one that ends it."""
    session.role.check(Permission.ADMINISTER)
    by, day = session.account, asked.day or today()
    register = await pit.decide(lambda register: register.step(number, asked.act, by, day, asked.note))
    return json_response(_approval_json(register[number]))


def _approval_json(approval: Approval) -> dict[str, Any]:
    plain = {name: getattr(approval, name) for name in ("number", "house", "kind", "game", "digest", "state")}
    possible = [
        {"act": step.name, "responsible": step.responsible, "does": step.does, "asks": step.asks}
        for step in approval.regime.possible_steps(approval.state)
    ]
    return {
        **plain,
        "options": dict(approval.options),
        "pays": [[spot, outcome, str(pay)] for spot, outcome, pay in approval.pays],
        "begins": approval.begins,
        "ends": approval.ends,
        "in_force": approval.is_in_force(today(), approval.digest),
        "done": [done.as_json() for done in approval.done],
        "possible": possible,
    }
