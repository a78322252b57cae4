"""Accounts on the floor: those of the visitor's side, with the forms that change them."""

import asyncio
from dataclasses import asdict

from fastapi import APIRouter
from starlette.requests import Request

from feltlab.pit.accounts import PASSWORD_CHARS, Account
from feltlab.pit.roles import Permission, Role
from feltlab.web.page import Data, add_page
from feltlab.web.staff_request import pit_of, require_any

router = APIRouter()


async def accounts(request: Request) -> Data:
    session, pit = require_any(request, Permission.ENROL), pit_of(request)
    found = [one for one in await asyncio.to_thread(pit.accounts.all) if session.role.may_keep(one.role)]
    factors = request.app.state.auth.factors
    return {
        "title": "Accounts",
        "accounts": [_describe_account(one) | {"factor": factors.has(one.name)} for one in found],
        "roles": [role.value for role in Role if role is not Role.GUEST and session.role.may_keep(role)],
        "me": session.account,
        "shortest": PASSWORD_CHARS[0],
    }


def _describe_account(account: Account) -> Data:
    """An account, and the roles that it can have: those of its own side."""
    roles = [role.value for role in Role if role is not Role.GUEST and role.side == account.role.side]
    return asdict(account) | {"role": account.role.value, "roles": roles}


add_page(router, "/floor/accounts", "floor/accounts.html", accounts)
