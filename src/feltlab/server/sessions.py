"""Sessions: signed cookies that say who sends a request.

A session is a text,

    <id>.<microseconds since 1970>.<role>.<account>.<signature>

that the server signs and keeps no copy of. It ends with its lifetime, and at once when its account is
changed or disabled. In a cookie the browser sends it by itself, whoever wrote the page, so an act then
needs a second token that only our pages know; in an Authorization header it is enough.
"""

import hashlib
import hmac
import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from itsdangerous import BadSignature, Signer

from feltlab.errors import Refused
from feltlab.ledger.secret_files import kept
from feltlab.pit.accounts import Account, microseconds
from feltlab.pit.roles import Forbidden, Role

KEY_BYTES = 32
HOUR = 3600
STAFF_LIFETIME = 12 * HOUR
LIFETIME = 30 * 24 * HOUR
# SHA-384 fills 64 letters without a bit to spare, so that a signature is written in one way only.
SIGNATURE = r"[A-Za-z0-9_-]{64}"
TOKEN = re.compile(rf"[0-9a-f]{{32}}\.[0-9]{{1,18}}\.[a-z]{{1,16}}\.[a-z0-9._-]{{2,32}}\.{SIGNATURE}")


class SignedOut(Refused):
    """A request that comes with no session that holds."""


@dataclass(frozen=True)
class Session:
    account: str
    role: Role
    id: str
    issued: int  # microseconds since 1970

    @property
    def lifetime(self) -> int:
        """In seconds."""
        return STAFF_LIFETIME if self.role.is_staff else LIFETIME

    @property
    def ends(self) -> int:
        """In microseconds since 1970."""
        return self.issued + self.lifetime * 1_000_000


class Sessions:
    """Signs sessions and reads them.

    `valid_from` says for an account from which moment its sessions hold, or None if none does. Of several
    keys the last one signs, and all are believed.
    """

    def __init__(
        self,
        keys: tuple[bytes, ...],
        valid_from: Callable[[str], int | None],
        clock: Callable[[], int] = microseconds,
    ) -> None:
        self._signer, self._csrf = _signer(keys, "session"), _signer(keys, "csrf")
        self._valid_from, self._clock = valid_from, clock

    @classmethod
    def kept(cls, path: Path, valid_from: Callable[[str], int | None]) -> "Sessions":
        """With the keys of a file, 32 bytes each and the newest last; made if there is none."""
        return cls(_keys(path), valid_from)

    # -- Sign ---------------------------------------------------------------------------------------

    def issue(self, account: Account, at: int | None = None) -> Session:
        """A new session, as of a moment: that of the sign-in, so that a change after it ends this too."""
        issued = self._clock() if at is None else at
        return Session(account.name, account.role, secrets.token_hex(16), issued)

    def sign(self, session: Session) -> str:
        text = f"{session.id}.{session.issued}.{session.role}.{session.account}"
        return self._signer.sign(text).decode()

    def csrf(self, session: Session) -> str:
        """What a page sends along with an act, to show that it is ours."""
        return self._csrf.get_signature(session.id).decode()

    # -- Read ---------------------------------------------------------------------------------------

    def read(self, token: str) -> Session:
        session = self._unsigned(token)
        if self._clock() >= session.ends:
            raise SignedOut("The session has ended; sign in again.")
        begins = self._valid_from(session.account)
        if begins is None or session.issued < begins:
            raise SignedOut("The account was changed since; sign in again.")
        return session

    def check_csrf(self, session: Session, token: str | None) -> None:
        given = token or ""
        if not (re.fullmatch(SIGNATURE, given) and self._csrf.verify_signature(session.id, given)):
            raise Forbidden("The request does not come from a page of this session; load the page again.")

    def reader(self, cookie: str | None, authorization: str | None) -> Session:
        """Who sends a request that changes nothing."""
        token = bearer(authorization) if authorization is not None else cookie
        if not token:
            raise SignedOut("Sign in first, or play as a guest.")
        return self.read(token)

    def actor(self, cookie: str | None, authorization: str | None, csrf: str | None) -> Session:
        """Who sends a request that changes something."""
        session = self.reader(cookie, authorization)
        if authorization is None:
            self.check_csrf(session, csrf)
        return session

    def _unsigned(self, token: str) -> Session:
        try:
            if not TOKEN.fullmatch(token):  # the decoder of signatures lets strange letters pass
                raise BadSignature("not as we write it")
            id, issued, role, account = self._signer.unsign(token).decode().split(".", 3)
            return Session(account, Role(role), id, int(issued))
        except (BadSignature, ValueError):  # or a role that there is no more
            raise SignedOut("The session is not one of ours; sign in again.") from None


def bearer(authorization: str) -> str:
    """The session in an Authorization header."""
    scheme, _, token = authorization.strip().partition(" ")
    if scheme.lower() != "bearer":
        raise SignedOut("The Authorization header must say Bearer and the session.")
    return token.strip()


def _signer(keys: tuple[bytes, ...], use: str) -> Signer:
    return Signer(list(keys), salt=f"feltlab {use}", key_derivation="hmac", digest_method=hashlib.sha384)


def _keys(path: Path) -> tuple[bytes, ...]:
    found = kept(path, lambda: secrets.token_bytes(KEY_BYTES))
    if len(found) % KEY_BYTES:
        raise Refused(f"{path} is damaged; remove it, and all must sign in again.")
    return tuple(found[i : i + KEY_BYTES] for i in range(0, len(found), KEY_BYTES))


# -- The way in for other machines ------------------------------------------------------------------


def access_token(path: Path) -> str:
    """What a client of another machine must show before anything else; made on first use."""
    try:
        return kept(path, lambda: secrets.token_urlsafe(32).encode()).decode("ascii").strip()
    except UnicodeDecodeError:
        raise Refused(f"{path} is damaged; remove it, and a new access token is made.") from None


def opens(token: str, given: str) -> bool:
    """Is this the access token? Answered in the same time, however much of it is right."""
    return hmac.compare_digest(token.encode(), given.encode("utf-8", "replace"))
