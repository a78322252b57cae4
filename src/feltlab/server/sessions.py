"""Sessions: signed texts that identify the sender of a request.

A session is a text,

    <id>.<microseconds since 1970>.<role>.<account>.<signature>

that the server signs and does not store. It ends with its lifetime, and at once when its account is changed
or disabled, or when it is signed out: from then on the ledger has a digest of its id. A browser sends a
cookie along with the requests of any page, so a request that changes something also needs a second token,
which only our pages know. In an Authorization header the session is enough.
"""

import hashlib
import hmac
import re
import secrets
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from itsdangerous import BadSignature, Signer

from feltlab.digests import sha256_hex
from feltlab.errors import Refused
from feltlab.ledger.event import HOUSE_CHAIN, Draft, Event
from feltlab.ledger.secret_files import load_or_create_secret, replace_secret
from feltlab.pit.accounts import Account, now_microseconds
from feltlab.pit.roles import Forbidden, Role
from feltlab.server.sign_in.challenges import Challenges

SIGNED_OUT = "signed-out"  # the kind of event
KEY_BYTES = 32
MAX_VERIFIED = 10_000  # tokens whose signature is remembered
HOUR_SECONDS = 3600
STAFF_LIFETIME_SECONDS = 12 * HOUR_SECONDS
LIFETIME_SECONDS = 30 * 24 * HOUR_SECONDS
# SHA-384 fills 64 letters without a bit to spare, so a signature has only one spelling.
SIGNATURE = r"[A-Za-z0-9_-]{64}"
TOKEN = re.compile(rf"[0-9a-f]{{32}}\.[0-9]{{1,18}}\.[a-z]{{1,16}}\.[a-z0-9._-]{{2,32}}\.{SIGNATURE}")

BROWSER_MARK = re.compile(rf"[0-9a-f]{{16}}\.[a-z0-9._-]{{2,32}}\.{SIGNATURE}")


class SignedOut(Refused):
    """A request without a valid session."""


@dataclass(frozen=True)
class Session:
    account: str
    role: Role
    id: str
    issued: int  # microseconds since 1970

    @property
    def digest(self) -> str:
        """Names the session on record without its id."""
        return sha256_hex(self.id.encode())

    @property
    def lifetime(self) -> int:
        """In seconds."""
        return STAFF_LIFETIME_SECONDS if self.role.is_staff else LIFETIME_SECONDS

    @property
    def ends(self) -> int:
        """In microseconds since 1970."""
        return self.issued + self.lifetime * 1_000_000


class Sessions:
    """Signs sessions and reads them.

    `valid_from` returns the moment from which an account's sessions are valid, or None if none is. Of several
    keys the last one signs, and all are accepted.
    """

    def __init__(
        self,
        keys: tuple[bytes, ...],
        valid_from: Callable[[str], int | None],
        clock: Callable[[], int] = now_microseconds,
        path: Path | None = None,
    ) -> None:
        self._path = path
        self._use(keys)
        self._valid_from, self._clock = valid_from, clock
        self._ended: dict[str, int] = {}  # digests of signed-out sessions, with when they would have ended

    @classmethod
    def load(cls, path: Path, valid_from: Callable[[str], int | None]) -> "Sessions":
        """Sessions with the keys of a file, 32 bytes each and the newest last; a missing file is made."""
        return cls(_load_keys(path), valid_from, path=path)

    def _use(self, keys: tuple[bytes, ...]) -> None:
        self._signer, self._csrf = _signer(keys, "session"), _signer(keys, "csrf")
        self._verified: dict[str, Session] = {}  # by token
        self.browsers, self.challenges = KnownBrowsers(keys), Challenges(_signer(keys, "passkey"))

    def rotate_key(self) -> None:
        """Sign with a new key from now on; sessions of the key before are valid until they end."""
        if self._path is not None:
            rotate_session_key(self._path)
            self._use(_load_keys(self._path))

    def reload_keys(self) -> None:
        """Read the keys again, which another server may have changed."""
        if self._path is not None:
            self._use(_load_keys(self._path))

    # -- Sign ---------------------------------------------------------------------------------------

    def issue(self, account: Account, at: int | None = None) -> Session:
        """A new session, as of the moment of the sign-in: a later change of the account ends it."""
        issued = self._clock() if at is None else at
        return Session(account.name, account.role, secrets.token_hex(16), issued)

    def sign(self, session: Session) -> str:
        text = f"{session.id}.{session.issued}.{session.role}.{session.account}"
        return self._signer.sign(text).decode()

    def csrf(self, session: Session) -> str:
        """The token that our pages send along with a request that changes something."""
        return self._csrf.get_signature(session.id).decode()

    # -- End ----------------------------------------------------------------------------------------

    def draft_end(self, session: Session) -> Draft:
        """The event that ends a session."""
        data = {"account": session.account, "session": session.digest, "ends": session.ends}
        return Draft(HOUSE_CHAIN, SIGNED_OUT, data)

    def follow(self, events: Iterable[Event | Draft]) -> None:
        """Note the sessions that events on record have ended; those that are over by now are forgotten."""
        self._ended |= {event.data["session"]: event.data["ends"] for event in events}
        now = self._clock()
        self._ended = {digest: ends for digest, ends in self._ended.items() if ends > now}

    def is_ended(self, session: Session) -> bool:
        """Whether a session was signed out."""
        return bool(self._ended) and session.digest in self._ended

    # -- Read ---------------------------------------------------------------------------------------

    def read(self, token: str) -> Session:
        session = self._verify(token)
        if self.is_ended(session):
            raise SignedOut("You signed out of this session; sign in again.")
        if self._clock() >= session.ends:
            raise SignedOut("The session has ended; sign in again.")
        begins = self._valid_from(session.account)
        if begins is None or session.issued < begins:
            raise SignedOut("The account has changed since; sign in again.")
        return session

    def check_csrf(self, session: Session, token: str | None) -> None:
        given = token or ""
        if not (re.fullmatch(SIGNATURE, given) and self._csrf.verify_signature(session.id, given)):
            raise Forbidden("The request does not come from a page of this session; load the page again.")

    def find_reader(self, cookie: str | None, authorization: str | None) -> Session:
        """The session of a request that changes nothing."""
        token = parse_bearer(authorization) if authorization is not None else cookie
        if not token:
            raise SignedOut("Sign in first, or play as a guest.")
        return self.read(token)

    def find_actor(self, cookie: str | None, authorization: str | None, csrf: str | None) -> Session:
        """The session of a request that changes something."""
        session = self.find_reader(cookie, authorization)
        if authorization is None:
            self.check_csrf(session, csrf)
        return session

    def _verify(self, token: str) -> Session:
        """The session that a token was signed for; looked up, if it was verified under these keys before."""
        found = self._verified.get(token)
        if found is None:
            found = self._unsign(token)
            if len(self._verified) >= MAX_VERIFIED:
                self._verified.clear()
            self._verified[token] = found
        return found

    def _unsign(self, token: str) -> Session:
        try:
            if not TOKEN.fullmatch(token):  # the decoder of signatures ignores strange letters
                raise BadSignature("not in our format")
            id, issued, role, account = self._signer.unsign(token).decode().split(".", 3)
            return Session(account, Role(role), id, int(issued))
        except (BadSignature, ValueError):  # or the role does not exist any more
            raise SignedOut("The session is not valid here; sign in again.") from None


def parse_bearer(authorization: str) -> str:
    """The session in an Authorization header."""
    scheme, _, token = authorization.strip().partition(" ")
    if scheme.lower() != "bearer":
        raise SignedOut("The Authorization header must be Bearer and the session.")
    return token.strip()


def _signer(keys: tuple[bytes, ...], use: str) -> Signer:
    return Signer(list(keys), salt=f"feltlab {use}", key_derivation="hmac", digest_method=hashlib.sha384)


def _load_keys(path: Path) -> tuple[bytes, ...]:
    found = load_or_create_secret(path, lambda: secrets.token_bytes(KEY_BYTES))
    if len(found) % KEY_BYTES:
        raise Refused(f"{path} is damaged; remove it, and everybody must sign in again.")
    return tuple(found[i : i + KEY_BYTES] for i in range(0, len(found), KEY_BYTES))


def rotate_session_key(path: Path) -> None:
    """Add a new key to a file, which signs; of the earlier ones the last stays, and is accepted."""
    replace_secret(path, _load_keys(path)[-1] + secrets.token_bytes(KEY_BYTES))


# -- Browsers that have signed in before -----------------------------------------------------------


class KnownBrowsers:
    """Marks browsers that signed in to an account; a mark only saves its bearer from waiting for others."""

    def __init__(self, keys: tuple[bytes, ...]) -> None:
        self._signer = _signer(keys, "browser")

    @staticmethod
    def cookie_name(account: str) -> str:
        """The cookie that holds the mark of an account; a browser may have several."""
        return f"feltlab-known-{sha256_hex(account.encode())[:16]}"

    def mark(self, account: str, id: str = "") -> str:
        """A mark for a browser, with the id that it has already or a new one."""
        return self._signer.sign(f"{id or secrets.token_hex(8)}.{account}").decode()

    def find_id(self, account: str, mark: str) -> str:
        """The id of a browser with a valid mark of this account, or ''."""
        if not BROWSER_MARK.fullmatch(mark):
            return ""
        try:
            id, _, marked = self._signer.unsign(mark).decode().partition(".")
        except BadSignature:
            return ""
        return id if marked == account else ""


# -- Access from other machines ---------------------------------------------------------------------


def access_token(path: Path) -> str:
    """The token that every client must send if other machines can connect; made on first use."""
    try:
        return load_or_create_secret(path, lambda: secrets.token_urlsafe(32).encode()).decode("ascii").strip()
    except UnicodeDecodeError:
        raise Refused(f"{path} is damaged; remove it, and a new access token is made.") from None


def is_access_token(token: str, given: str) -> bool:
    """Is this the access token? The check takes the same time however much of it is right."""
    return hmac.compare_digest(token.encode(), given.encode("utf-8", "replace"))
