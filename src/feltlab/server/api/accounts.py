"""Accounts: players register themselves, administrators manage all."""

import asyncio
from dataclasses import asdict

from fastapi import Request
from starlette.responses import Response

from feltlab.pit.accounts import AccountChange
from feltlab.pit.pit import Pit
from feltlab.pit.roles import Forbidden, Permission, Role
from feltlab.server.api.sessions import record_change, start_session
from feltlab.server.auth import Auth, address_of
from feltlab.server.models import AccountAnswer, ChangeAccount, Register, SessionAnswer
from feltlab.server.responses import json_response
from feltlab.server.routing import Actor, Name, Reader, TheAuth, ThePit, new_router

router = new_router()


@router.post("/accounts", status_code=201, responses={201: {"model": AccountAnswer | SessionAnswer}})
async def register(request: Request, pit: ThePit, auth: TheAuth, asked: Register) -> Response:
    """Make an account: a player's own, with a session, or any account for an administrator."""
    visitor = auth.find_reader(request)
    role = Role.parse(asked.role)
    if visitor and visitor.role.may(Permission.ADMINISTER):
        auth.require_actor(request)
        change = await _create(pit, auth, asked, role, visitor.account)
        return json_response(asdict(change.account), 201)
    if role is not Role.PLAYER:
        raise Forbidden("Only an administrator may make accounts of staff.")
    auth.allowance.guests.admit(address_of(request))
    change = await _create(pit, auth, asked, role, "")
    return await start_session(request, change.account, change.at, 201)


async def _create(pit: Pit, auth: Auth, asked: Register, role: Role, by: str) -> AccountChange:
    change = await auth.hash_in_thread(pit.accounts.create, asked.name, asked.password, role, by)
    await record_change(pit, change)
    return change


@router.get("/accounts", responses={200: {"model": list[AccountAnswer]}})
async def list_accounts(pit: ThePit, session: Reader) -> Response:
    """All accounts, for administrators."""
    session.role.check(Permission.ADMINISTER)
    return json_response([asdict(account) for account in await asyncio.to_thread(pit.accounts.all)])


@router.patch("/accounts/{name}", responses={200: {"model": AccountAnswer}})
async def change_account(
    pit: ThePit, auth: TheAuth, session: Actor, name: Name, asked: ChangeAccount
) -> Response:
    """Change an account's role, disable or enable it, or reset its password; its sessions end."""
    session.role.check(Permission.ADMINISTER)
    by, accounts, password = session.account, pit.accounts, ""
    if asked.role is not None:
        role = Role.parse(asked.role)
        await record_change(pit, await asyncio.to_thread(accounts.set_role, name, role, by))
    if asked.disabled is not None:
        switch = accounts.disable if asked.disabled else accounts.enable
        await record_change(pit, await asyncio.to_thread(switch, name, by))
    if asked.reset_password:
        change = await auth.hash_in_thread(accounts.reset_password, name, by)
        await record_change(pit, change)
        password = change.password
    account = await asyncio.to_thread(accounts.__getitem__, name.lower())
    return json_response(asdict(account) | ({"password": password} if password else {}))
