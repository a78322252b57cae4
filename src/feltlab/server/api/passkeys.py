"""The passkeys of my account: register one, and remove one."""

import asyncio

from fastapi import Request
from starlette.responses import Response

from feltlab.errors import Refused
from feltlab.ledger.ledger import Repeated
from feltlab.pit.custody.passkeys import (
    Passkey,
    ask_proof,
    ask_registration,
    check_registration,
    parse_name,
    read_challenge,
)
from feltlab.server.api.second_factor import check_staff, describe_factor
from feltlab.server.auth import Auth
from feltlab.server.responses import json_response
from feltlab.server.routing import Actor, TheAuth, ThePit, new_router
from feltlab.server.sessions import Session
from feltlab.server.sign_in.factor_proofs import (
    OLD_CHALLENGE,
    PROVE,
    REGISTER,
    check_password,
    check_present_factor,
    write_factor,
)
from feltlab.server.sign_in.models import (
    FactorAnswer,
    PasskeyQuestions,
    RecoveryAnswer,
    RegisterPasskey,
    RemovePasskey,
)
from feltlab.server.sign_in.sites import find_site

router = new_router()


@router.post("/session/passkeys/options", responses={200: {"model": PasskeyQuestions}})
async def show_options(request: Request, auth: TheAuth, session: Actor) -> Response:
    """Options for my browser, each good for two minutes: to make a passkey, and to prove one that I have."""
    check_staff(session)
    site, known = find_site(request), auth.factors.list_passkeys(session.account)
    issue = auth.sessions.challenges.issue
    return json_response(
        {
            "create": ask_registration(site, session.account, issue(REGISTER, session.id), known),
            "prove": ask_proof(site, issue(PROVE, session.id), known),
        }
    )


@router.post("/session/passkeys", responses={200: {"model": RecoveryAnswer}})
async def register(
    request: Request, pit: ThePit, auth: TheAuth, session: Actor, asked: RegisterPasskey
) -> Response:
    """Have a passkey as a second factor; the answer has recovery codes, once, if I have none left."""
    check_staff(session)
    find_site(request)
    begun = auth.begin_sign_in(request, session.account)
    await check_password(pit, auth, session.account, asked.password)
    passkey, challenge = _read_passkey(request, auth, session, asked)
    entry, codes = await asyncio.to_thread(auth.factors.register_passkey, session.account, passkey, challenge)
    await check_present_factor(request, pit, auth, session, asked)
    try:
        await write_factor(pit, auth, entry)
    except Repeated:
        raise Refused(OLD_CHALLENGE) from None
    response = json_response(describe_factor(auth.factors, session.account) | {"recovery": codes})
    begun.succeed(response)
    return response


def _read_passkey(
    request: Request, auth: Auth, session: Session, asked: RegisterPasskey
) -> tuple[Passkey, bytes]:
    """The passkey that the browser has made, and the challenge that it answers."""
    answer, name = asked.credential.decode(), parse_name(asked.name)
    challenge = read_challenge(answer)
    if not auth.sessions.challenges.is_valid(challenge, REGISTER, session.id):
        raise Refused(OLD_CHALLENGE)
    return check_registration(find_site(request), challenge, answer, name), challenge


@router.post("/session/passkeys/remove", responses={200: {"model": FactorAnswer}})
async def remove(
    request: Request, pit: ThePit, auth: TheAuth, session: Actor, asked: RemovePasskey
) -> Response:
    """Remove a passkey of mine that is not my only factor."""
    check_staff(session)
    begun = auth.begin_sign_in(request, session.account)
    await check_password(pit, auth, session.account, asked.password)
    entry = await asyncio.to_thread(auth.factors.remove_passkey, session.account, asked.id)
    await check_present_factor(request, pit, auth, session, asked)
    await write_factor(pit, auth, entry)
    response = json_response(describe_factor(auth.factors, session.account))
    begun.succeed(response)
    return response
