"""Pages to sign in, register, sign out and change a password; what they do is the API's."""

from urllib.parse import urlsplit

from fastapi import APIRouter
from starlette.requests import Request

from feltlab.pit.accounts import PASSWORD
from feltlab.pit.cage import REFILL_BELOW
from feltlab.pit.pit import Pit
from feltlab.pit.roles import Permission, Role
from feltlab.server.auth import Door
from feltlab.web.page import Data, add_page, visitor

router = APIRouter()


async def sign_in(request: Request) -> Data:
    return {"title": "Sign in", "next": _next(request), "shortest": PASSWORD[0], "known": _name(request)}


async def register(request: Request) -> Data:
    return {"title": "Register", "next": _next(request), "shortest": PASSWORD[0], "known": _name(request)}


async def account(request: Request) -> Data:
    """Who I am; needs a session."""
    door: Door = request.app.state.door
    pit: Pit = request.app.state.pit
    session = door.reader(request)
    balance, plays = pit.cage.balances.get(session.account, 0), session.role.may(Permission.PLAY)
    return {
        "title": "Your account",
        "account": session.account,
        "role": session.role.value,
        "balance": balance,
        "plays": plays,
        "refills": plays and balance < REFILL_BELOW,
        "work": _work(session.role),
        "shortest": PASSWORD[0],
    }


def _work(role: Role) -> Data | None:
    """Where staff goes from here."""
    if role.may(Permission.SUPERVISE) or role.may(Permission.AUDIT):
        return {"says": "Your tables are on the floor:", "link": "/floor", "title": "all tables"}
    if role.may(Permission.DEAL):
        return {"says": "Your tables wait for you:", "link": "/floor/deal", "title": "deal"}
    return None


def _name(request: Request) -> str:
    """Who is signed in already, guests apart."""
    found = visitor(request)
    return found["account"] if found and found["role"] != "guest" else ""


def _next(request: Request) -> str:
    """Where to go on: an address of this server, and no other."""
    asked = request.query_params.get("next", "")
    parts = urlsplit(asked)
    ours = asked.startswith("/") and not asked.startswith(("//", "/\\")) and not parts.netloc
    plain = asked.isprintable() and "{" not in asked  # braces would be filled in from the answer
    return asked if ours and plain else ""


add_page(router, "/sign-in", "sign-in.html", sign_in)
add_page(router, "/register", "register.html", register)
add_page(router, "/account", "account.html", account)
