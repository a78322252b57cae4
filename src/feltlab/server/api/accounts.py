"""Accounts: players register themselves, and the members of each side keep the accounts of their side."""

import asyncio
from collections.abc import Mapping
from dataclasses import asdict
from functools import partial
from typing import Any

from fastapi import Request
from starlette.responses import Response

from feltlab.errors import Refused
from feltlab.ledger.event import HOUSE_CHAIN, now
from feltlab.pit.accounts import Account, parse_name
from feltlab.pit.approvals.codes import CODE_KINDS, Code, check_first, digest_code, fold_codes, members_of
from feltlab.pit.custody.requests import CHANGE_ACCOUNT, CREATE_ACCOUNT
from feltlab.pit.pit import Pit
from feltlab.pit.roles import Forbidden, Permission, Role, Side
from feltlab.server.api.account_changes import change_account as apply_change
from feltlab.server.api.account_changes import (
    concerns_staff,
    create_account,
    describe_change,
    may_create_alone,
)
from feltlab.server.api.requests import ask_second_person, is_guarded
from feltlab.server.api.sessions import record_change, start_session
from feltlab.server.auth import address_of
from feltlab.server.models import AccountAnswer, ChangeAccount, ClaimAccount, Register, SessionAnswer
from feltlab.server.responses import json_response
from feltlab.server.routing import Actor, Name, Reader, TheAuth, ThePit, new_router
from feltlab.server.sessions import Session

router = new_router()


@router.post("/accounts", status_code=201, responses={201: {"model": AccountAnswer | SessionAnswer}})
async def register(request: Request, pit: ThePit, auth: TheAuth, asked: Register) -> Response:
    """Make an account: a player's own, with a session, or one of the side whose accounts I keep."""
    visitor = auth.find_reader(request)
    role = Role.parse(asked.role)
    if visitor and visitor.role.may(Permission.ENROL):
        auth.require_actor(request)
        visitor.role.check_keeps(role)
        if not await asyncio.to_thread(may_create_alone, pit, role) and await is_guarded(pit):
            return await ask_second_person(pit, visitor, CREATE_ACCOUNT, _plan_creation(pit, asked, role))
        change = await create_account(pit, auth, asked.name, asked.password, role, visitor.account)
        return json_response(asdict(change.account), 201)
    if role is not Role.PLAYER:
        raise Forbidden("Only a member who keeps the accounts of that side may make one of it.")
    auth.admit_guest(request)
    change = await create_account(pit, auth, asked.name, asked.password, role, "")
    return await start_session(request, change.account, change.at, 201)


def _plan_creation(pit: Pit, asked: Register, role: Role) -> dict[str, Any]:
    """The request for a new account of staff, whose password is made when it is confirmed."""
    name = parse_name(asked.name)
    if any(account.name == name for account in pit.accounts.all()):
        raise Refused(f"The name {name} is taken.")
    return {"account": name, "role": role.value}


@router.post("/accounts/claim", status_code=201, responses={201: {"model": SessionAnswer}})
async def claim_account(request: Request, pit: ThePit, auth: TheAuth, asked: ClaimAccount) -> Response:
    """Make the first account of a side with a one-time code, which is spent."""
    auth.allowance.sign_ins.admit(f"from {address_of(request)}")
    find = partial(_find_code, pit, asked.code)
    code = await asyncio.to_thread(find)
    create = partial(pit.accounts.create, asked.name, asked.password, code.role)
    change = await auth.hash_in_thread(partial(create, code=code.digest, check=find))
    await record_change(pit, change)
    return await start_session(request, change.account, change.at, 201)


def _find_code(pit: Pit, text: str) -> Code:
    """The code of a text, if an account may be made with it now."""
    codes = fold_codes(pit.ledger.events(HOUSE_CHAIN, kinds=CODE_KINDS))
    code = codes.check(digest_code(text), now())
    check_first(code.role, members_of(code.role, pit.accounts.all()), code.lost)
    return code


@router.get("/accounts", responses={200: {"model": list[AccountAnswer]}})
async def list_accounts(pit: ThePit, session: Reader) -> Response:
    """The accounts that I keep: those of my side, and those of players if my side is the house."""
    session.role.check(Permission.ENROL)
    found = await asyncio.to_thread(pit.accounts.all)
    return json_response([asdict(account) for account in found if _may_keep(pit, session, account)])


@router.patch("/accounts/{name}", responses={200: {"model": AccountAnswer}})
async def change_account(
    pit: ThePit, auth: TheAuth, session: Actor, name: Name, asked: ChangeAccount
) -> Response:
    """Change an account's role, disable or enable it, reset its password or its second factor."""
    session.role.check(Permission.ENROL)
    known = await asyncio.to_thread(pit.accounts.__getitem__, name.lower())
    session.role.check_keeps(known.role)
    if not _may_keep(pit, session, known):
        raise Forbidden("Only members of its firm keep the accounts of a maker.")
    fields = asked.model_dump(exclude_none=True)
    if concerns_staff(known.role, *_new_roles(fields)) and await is_guarded(pit):
        asks = {"account": known.name, "change": describe_change(fields), "fields": fields}
        return await ask_second_person(pit, session, CHANGE_ACCOUNT, asks)
    password = await apply_change(pit, auth, name, fields, session.account)
    account = await asyncio.to_thread(pit.accounts.__getitem__, name.lower())
    return json_response(asdict(account) | ({"password": password} if password else {}))


def _may_keep(pit: Pit, session: Session, account: Account) -> bool:
    """Whether the visitor keeps an account: that of another maker's firm only its own members keep."""
    if not session.role.may_keep(account.role):
        return False
    firms = {pit.accounts.firm_of(account.name), pit.accounts.firm_of(session.account)}
    return session.role.side != Side.MAKER or len(firms) == 1


def _new_roles(fields: Mapping[str, Any]) -> list[Role]:
    return [Role.parse(fields["role"])] if "role" in fields else []
