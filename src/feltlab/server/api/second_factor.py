"""The second factor of my account: a secret for an authenticator, and recovery codes."""

import asyncio
from typing import Any

from fastapi import Request
from starlette.responses import Response

from feltlab.pit.custody.second_factor import SecondFactors, format_secret, format_uri
from feltlab.pit.pit import Pit
from feltlab.pit.roles import Forbidden
from feltlab.server.auth import Auth
from feltlab.server.responses import json_response
from feltlab.server.routing import Actor, Reader, TheAuth, ThePit, new_router
from feltlab.server.sessions import Session
from feltlab.server.sign_in.factor_proofs import check_password, check_present_factor, write_factor
from feltlab.server.sign_in.models import Enrol, FactorAnswer, RecoveryAnswer, SecretAnswer

router = new_router()


def describe_factor(factors: SecondFactors, account: str) -> dict[str, Any]:
    passkeys = factors.list_passkeys(account)
    return {
        "enrolled": factors.has(account),
        "recovery_left": factors.count_recovery(account),
        "authenticator": factors.has_authenticator(account),
        "passkeys": [{"id": one.id, "name": one.name, "host": one.host} for one in passkeys],
    }


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
    await check_present_factor(request, pit, auth, session, asked)
    secret = auth.pending_secrets.find(session.id)
    entry, codes = auth.factors.enrol(session.account, secret, asked.code)
    await write_factor(pit, auth, entry)
    auth.pending_secrets.forget(session.id)
    response = json_response(describe_factor(auth.factors, session.account) | {"recovery": codes})
    begun.succeed(response)
    return response


async def reset_factor(pit: Pit, auth: Auth, account: str, by: str) -> None:
    """Take the factor of another account away, for somebody who has lost it."""
    entry = await asyncio.to_thread(auth.factors.reset, account, by)
    await write_factor(pit, auth, entry)
