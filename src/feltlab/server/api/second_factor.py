"""The second factor of my account: a secret for an authenticator, and recovery codes."""

import asyncio
from typing import Annotated, Any

from fastapi import Request
from pydantic import BaseModel, Field
from starlette.responses import Response

from feltlab.ledger.event import Entry
from feltlab.ledger.ledger import Repeated
from feltlab.pit.accounts import SignInRefused
from feltlab.pit.custody.second_factor import WRONG_CODE, SecondFactors, format_secret, format_uri
from feltlab.pit.pit import Pit
from feltlab.pit.roles import Forbidden
from feltlab.server.auth import Auth
from feltlab.server.models import RequestModel, Secret
from feltlab.server.responses import json_response
from feltlab.server.routing import Actor, Reader, TheAuth, ThePit, new_router
from feltlab.server.sessions import Session

router = new_router()
CodeText = Annotated[str, Field(max_length=64, description="six digits, or a recovery code")]


class Enrol(RequestModel):
    """My password, and a code of the secret that was shown to me."""

    password: Secret
    code: CodeText
    old_code: CodeText | None = None  # of the factor that I have already


class FactorAnswer(BaseModel):
    """Whether I have a second factor, and the recovery codes that are left."""

    enrolled: bool
    recovery_left: int


class SecretAnswer(FactorAnswer):
    """A new secret for my authenticator, which counts once it is confirmed."""

    secret: str
    uri: str


class RecoveryAnswer(FactorAnswer):
    """The recovery codes, shown once."""

    recovery: list[str]


def describe_factor(factors: SecondFactors, account: str) -> dict[str, Any]:
    return {"enrolled": factors.has(account), "recovery_left": factors.count_recovery(account)}


def check_staff(session: Session) -> None:
    if not session.role.is_staff:
        raise Forbidden("A second factor is for accounts of staff.")


@router.get("/session/second-factor", responses={200: {"model": FactorAnswer}})
async def show_factor(auth: TheAuth, session: Reader) -> Response:
    """Whether my account has a second factor."""
    check_staff(session)
    return json_response(describe_factor(auth.factors, session.account))


@router.post("/session/second-factor/secret", responses={200: {"model": SecretAnswer}})
async def show_secret(auth: TheAuth, session: Actor) -> Response:
    """A new secret for my authenticator; it counts once a code of it has been sent."""
    check_staff(session)
    secret = auth.pending_secrets.find(session.id)
    shown = {"secret": format_secret(secret), "uri": format_uri(session.account, secret)}
    return json_response(describe_factor(auth.factors, session.account) | shown)


@router.post("/session/second-factor", responses={200: {"model": RecoveryAnswer}})
async def enrol(request: Request, pit: ThePit, auth: TheAuth, session: Actor, asked: Enrol) -> Response:
    """Have the secret that was shown as my second factor; the answer has its recovery codes, once."""
    check_staff(session)
    begun = auth.begin_sign_in(request, session.account)
    await check_password(pit, auth, session.account, asked.password)
    if auth.factors.has(session.account):
        await spend_code(pit, auth, session.account, asked.old_code or "")
    secret = auth.pending_secrets.find(session.id)
    entry, codes = auth.factors.enrol(session.account, secret, asked.code)
    await write_factor(pit, auth, entry)
    auth.pending_secrets.forget(session.id)
    response = json_response(describe_factor(auth.factors, session.account) | {"recovery": codes})
    begun.succeed(response)
    return response


async def check_password(pit: Pit, auth: Auth, account: str, password: str) -> None:
    """Refuse a wrong password of an account that is signed in already."""
    try:
        await auth.hash_in_thread(pit.accounts.sign_in, account, password)
    except SignInRefused as refused:
        await pit.note(*refused.drafts)
        raise Forbidden("The password is wrong.") from None


async def spend_code(pit: Pit, auth: Auth, account: str, code: str) -> None:
    """Spend a code of an account's second factor, or refuse it; a refusal is on record."""
    try:
        entry = await asyncio.to_thread(auth.factors.use, account, code)
        await write_factor(pit, auth, entry)
    except Repeated:
        refused = SignInRefused(WRONG_CODE, "used code", account)
    except SignInRefused as wrong:
        refused = wrong
    else:
        return
    await pit.note(*refused.drafts)
    raise refused


async def reset_factor(pit: Pit, auth: Auth, account: str, by: str) -> None:
    """Take the factor of another account away, for somebody who has lost it."""
    entry = await asyncio.to_thread(auth.factors.reset, account, by)
    await write_factor(pit, auth, entry)


async def write_factor(pit: Pit, auth: Auth, entry: Entry) -> None:
    await pit.ledger.append(entry)
    pit.heads.wake()
    await asyncio.to_thread(auth.factors.sync)
