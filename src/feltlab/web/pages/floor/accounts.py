"""Accounts on the floor: the administrator's list, with the forms that change an account."""

import asyncio
from dataclasses import asdict

from fastapi import APIRouter
from starlette.requests import Request

from feltlab.pit.accounts import PASSWORD_CHARS
from feltlab.pit.roles import Permission, Role
from feltlab.web.page import Data, add_page
from feltlab.web.staff_request import pit_of, require_any

router = APIRouter()


async def accounts(request: Request) -> Data:
    session, pit = require_any(request, Permission.ADMINISTER), pit_of(request)
    found = await asyncio.to_thread(pit.accounts.all)
    return {
        "title": "Accounts",
        "accounts": [asdict(account) | {"role": account.role.value} for account in found],
        "roles": [role.value for role in Role if role is not Role.GUEST],
        "me": session.account,
        "shortest": PASSWORD_CHARS[0],
    }


add_page(router, "/floor/accounts", "floor/accounts.html", accounts)
