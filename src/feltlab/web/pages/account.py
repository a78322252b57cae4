"""Pages to sign in, register, claim an account with a code, and change a password.

Their forms are sent to the API.
"""

from textwrap import wrap
from urllib.parse import urlsplit

import segno
from fastapi import APIRouter
from starlette.requests import Request

from feltlab.pit.accounts import PASSWORD_CHARS
from feltlab.pit.cage import REFILL_BELOW_CENTS
from feltlab.pit.custody.second_factor import format_secret, format_uri
from feltlab.pit.pit import Pit
from feltlab.pit.players.purse import money_at_tables
from feltlab.pit.roles import Permission, Role
from feltlab.server.api.second_factor import check_staff, describe_factor
from feltlab.server.auth import Auth
from feltlab.server.sign_in.sites import find_obstacle, find_site
from feltlab.web.page import Data, add_page, describe_visitor

router = APIRouter()


async def sign_in(request: Request) -> Data:
    return {"title": "Sign in", **_form_data(request)}


async def register(request: Request) -> Data:
    return {"title": "Register", **_form_data(request)}


async def claim(request: Request) -> Data:
    return {"title": "Claim an account", **_form_data(request)}


def _form_data(request: Request) -> Data:
    return {"next": _next_address(request), "shortest": PASSWORD_CHARS[0], "known": _account_name(request)}


async def account(request: Request) -> Data:
    """The visitor's own account; needs a session."""
    auth: Auth = request.app.state.auth
    pit: Pit = request.app.state.pit
    session = auth.require_reader(request)
    balance, plays = pit.cage.balances.get(session.account, 0), session.role.may(Permission.PLAY)
    return {
        "title": "Your account",
        "account": session.account,
        "role": session.role.value,
        "money": balance + sum(money_at_tables(pit.tables, session.account).values()),
        "plays": plays,
        "refills": plays and balance < REFILL_BELOW_CENTS,
        "work": _work_link(session.role),
        "shortest": PASSWORD_CHARS[0],
        "factor": describe_factor(auth.factors, session.account) if session.role.is_staff else None,
    }


async def second_factor(request: Request) -> Data:
    """The visitor's passkeys, and a secret for an authenticator as a QR code and as text; for staff."""
    auth: Auth = request.app.state.auth
    session = auth.require_reader(request)
    check_staff(session)
    secret = auth.pending_secrets.find(session.id)
    uri, obstacle = format_uri(session.account, secret), find_obstacle(request)
    hosts = [one.host for one in auth.factors.list_passkeys(session.account)]
    return {
        "title": "Second factor",
        "account": session.account,
        "required": auth.factors.is_required,
        **describe_factor(auth.factors, session.account),
        "obstacle": obstacle,
        "provable": not obstacle and find_site(request).host in hosts,
        "secret": " ".join(wrap(format_secret(secret), 4)),
        "uri": uri,
        "qr": segno.make(uri, error="m").svg_inline(border=4, omitsize=True),
    }


def _work_link(role: Role) -> Data | None:
    """A link to the page from which this role works; None for players."""
    if role.side.is_outside:
        return {"says": "You decide about games here:", "link": "/approvals", "title": "go to the approvals"}
    if role.may(Permission.SUPERVISE) or role.may(Permission.AUDIT):
        return {"says": "You can see all tables on the floor:", "link": "/floor", "title": "go to the floor"}
    if role.may(Permission.DEAL):
        return {"says": "You deal from the floor:", "link": "/floor/deal", "title": "go to your tables"}
    return None


def _account_name(request: Request) -> str:
    """The account that is signed in already; guests do not count."""
    found = describe_visitor(request)
    return found["account"] if found and found["role"] != "guest" else ""


def _next_address(request: Request) -> str:
    """The page to go on to: an address of this server only."""
    asked = request.query_params.get("next", "")
    parts = urlsplit(asked)
    ours = asked.startswith("/") and not asked.startswith(("//", "/\\")) and not parts.netloc
    plain = asked.isprintable() and "{" not in asked  # the form would fill in braces from the answer
    return asked if ours and plain else ""


add_page(router, "/sign-in", "account/sign_in.html", sign_in)
add_page(router, "/register", "account/register.html", register)
add_page(router, "/claim", "account/claim.html", claim)
add_page(router, "/account/second-factor", "account/second_factor.html", second_factor)
add_page(router, "/account", "account/account.html", account)
