"""Proofs of a second factor: a code or a passkey is checked and spent, and a refusal is on record."""

import asyncio
import secrets

from starlette.requests import HTTPConnection
from starlette.responses import Response

from feltlab.ledger.event import Entry
from feltlab.ledger.ledger import Repeated
from feltlab.pit.accounts import SignInRefused
from feltlab.pit.custody.passkeys import CHALLENGE_SECONDS, Passkey, ask_proof, read_challenge
from feltlab.pit.custody.second_factor import WRONG_CODE, WRONG_PASSKEY, CodeNeeded
from feltlab.pit.pit import Pit
from feltlab.pit.roles import Forbidden
from feltlab.server.auth import Auth, set_cookie
from feltlab.server.responses import json_response
from feltlab.server.sessions import Session
from feltlab.server.sign_in.models import FactorChange, PasskeyProof
from feltlab.server.sign_in.sites import find_obstacle, find_site
from feltlab.text import listing

ATTEMPT_COOKIE = "feltlab-attempt"  # binds a challenge to the browser that gave the password
SIGN_IN, PROVE, REGISTER = "sign-in", "prove", "register"  # purposes of challenges
OLD_CHALLENGE = "This question to your passkey is too old, or was not asked here; try again."


async def check_password(pit: Pit, auth: Auth, account: str, password: str) -> None:
    """Refuse a wrong password of an account that is signed in already."""
    try:
        await auth.hash_in_thread(pit.accounts.sign_in, account, password)
    except SignInRefused as refused:
        await pit.note(*refused.drafts)
        raise Forbidden("The password is wrong.") from None


async def check_present_factor(
    request: HTTPConnection, pit: Pit, auth: Auth, session: Session, asked: FactorChange
) -> None:
    """Spend a proof of the factor that an account has already; without a factor nothing is asked."""
    if not auth.factors.has(session.account):
        return
    if asked.old_passkey:
        await spend_passkey(request, pit, auth, session.account, asked.old_passkey, PROVE, session.id)
    else:
        await spend_code(pit, auth, session.account, asked.old_code or "")


async def spend_code(pit: Pit, auth: Auth, account: str, code: str) -> None:
    """Spend a code of an account's second factor, or refuse it."""
    try:
        entry = await asyncio.to_thread(auth.factors.use, account, code)
        await write_factor(pit, auth, entry)
    except Repeated:
        await _refuse(pit, SignInRefused(WRONG_CODE, "used code", account))
    except SignInRefused as wrong:
        await _refuse(pit, wrong)


async def spend_passkey(
    request: HTTPConnection,
    pit: Pit,
    auth: Auth,
    account: str,
    proof: PasskeyProof,
    purpose: str,
    subject: str,
) -> None:
    """Spend the answer of a passkey of an account, or refuse it."""
    site, answer = find_site(request), proof.decode()
    challenge = read_challenge(answer)
    if not auth.sessions.challenges.is_valid(challenge, purpose, subject):
        await _refuse(pit, SignInRefused(OLD_CHALLENGE, "passkey with another challenge", account))
    try:
        entry = await asyncio.to_thread(auth.factors.use_passkey, account, site, challenge, answer)
        await write_factor(pit, auth, entry)
    except Repeated:
        await _refuse(pit, SignInRefused(WRONG_PASSKEY, "used answer of a passkey", account))
    except SignInRefused as wrong:
        await _refuse(pit, wrong)


async def _refuse(pit: Pit, refused: SignInRefused) -> None:
    await pit.note(*refused.drafts)
    raise refused


async def write_factor(pit: Pit, auth: Auth, entry: Entry) -> None:
    await pit.ledger.append(entry)
    pit.heads.wake()
    await asyncio.to_thread(auth.factors.sync)


# -- At sign-in -------------------------------------------------------------------------------------


def ask_factor(request: HTTPConnection, auth: Auth, account: str) -> Response:
    """Ask for the second factor of an account whose password was right."""
    passkeys, has_codes = auth.factors.list_passkeys(account), auth.factors.has_authenticator(account)
    attempt = secrets.token_hex(16)
    question = None
    if passkeys and not find_obstacle(request):
        challenge = auth.sessions.challenges.issue(SIGN_IN, attempt_subject(account, attempt))
        question = ask_proof(find_site(request), challenge, passkeys)
    if question is None:
        raise CodeNeeded() if has_codes else CodeNeeded(_describe_elsewhere(passkeys))
    codes = "a code of your authenticator, or a recovery code" if has_codes else "a recovery code"
    response = json_response({"error": f"Use your passkey, or enter {codes}.", "passkey": question}, 428)
    set_cookie(response, request, ATTEMPT_COOKIE, attempt, CHALLENGE_SECONDS)
    return response


def attempt_subject(account: str, attempt: str) -> str:
    """The subject of a challenge at sign-in: the account, and the browser's attempt."""
    return f"{account}|{attempt}"


def _describe_elsewhere(passkeys: list[Passkey]) -> str:
    hosts = listing(sorted({one.host for one in passkeys}))
    return f"Your passkeys work at {hosts} only; sign in there, or enter a recovery code."
