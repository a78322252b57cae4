"""The second factor of staff: codes of an authenticator by time (TOTP, RFC 6238), and recovery codes.

A secret is sealed in the vault, and its digest is on the ledger: one that was exchanged in the database is
not accepted. Who has a factor, and which codes were used, follows from events of the house. A code counts
once: the entry that records its use has a key, so even two servers do not accept it twice.
"""

import base64
import hashlib
import hmac
import secrets
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from threading import Lock
from urllib.parse import quote

from feltlab.digests import digest_json, sha256_hex
from feltlab.errors import Refused
from feltlab.ledger.event import HOUSE_CHAIN, Draft, Entry, Event, Key
from feltlab.ledger.ledger import Ledger
from feltlab.ledger.vault import Vault
from feltlab.pit.accounts import SignInRefused

ENROLLED, USED, RESET = FACTOR_KINDS = (
    "second-factor-enrolled",
    "second-factor-used",
    "second-factor-reset",
)
SECRET_BYTES = 20  # as long as the digest of SHA-1
STEP_SECONDS = 30
DRIFT_STEPS = 1  # by which the clock of a phone may differ, either way
CODE_DIGITS = 6
RECOVERY_CODES = 10
RECOVERY_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # none looks like another
ISSUER = "feltlab"
WRONG_CODE = "The code is wrong or was used already."


class CodeNeeded(Refused):
    """The password is right, and the code of the second factor is missing."""

    def __init__(self) -> None:
        super().__init__("Enter the code of your authenticator, or a recovery code.")


# -- Codes ------------------------------------------------------------------------------------------


def compute_code(secret: bytes, step: int) -> str:
    """The code of a step of thirty seconds since 1970: RFC 4226 with the step as counter."""
    digest = hmac.digest(secret, step.to_bytes(8, "big"), hashlib.sha1)
    start = digest[-1] & 15
    number = int.from_bytes(digest[start : start + 4], "big") & 0x7FFF_FFFF
    return f"{number % 10**CODE_DIGITS:0{CODE_DIGITS}}"


def find_step(secret: bytes, code: str, now: float) -> int | None:
    """The step around a moment to which a code belongs, or None."""
    present = int(now // STEP_SECONDS)
    steps = range(present - DRIFT_STEPS, present + DRIFT_STEPS + 1)
    given = code.encode("utf-8", "replace")
    return next((s for s in steps if hmac.compare_digest(compute_code(secret, s).encode(), given)), None)


def format_secret(secret: bytes) -> str:
    """The secret as people type it into an authenticator."""
    return base64.b32encode(secret).decode().rstrip("=")


def format_uri(account: str, secret: bytes) -> str:
    """The address that an authenticator reads from a QR code."""
    return f"otpauth://totp/{ISSUER}:{quote(account)}?secret={format_secret(secret)}&issuer={ISSUER}"


def new_secret() -> bytes:
    return secrets.token_bytes(SECRET_BYTES)


def _new_recovery_code() -> str:
    """Seventy-four random bits as three groups of letters, too many to be found from the digest."""
    return "-".join("".join(secrets.choice(RECOVERY_LETTERS) for _ in range(5)) for _ in range(3))


def _plain_code(text: str) -> str:
    """A code without the spaces and hyphens that people type or leave out."""
    return "".join(letter for letter in text.lower() if letter.isalnum())


# -- The factors of all accounts --------------------------------------------------------------------


@dataclass(frozen=True)
class Factor:
    """The second factor of an account."""

    digest: str  # of the secret
    recovery: frozenset[str]  # digests of the recovery codes that are left
    step: int = 0  # of the last code that was used


class SecondFactors:
    """The accounts with a second factor, folded from the ledger. Only `sync` and changes read the ledger."""

    def __init__(
        self,
        ledger: Ledger,
        vault: Vault,
        is_required: bool = False,  # for all of staff
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._ledger, self._vault, self.is_required, self._clock = ledger, vault, is_required, clock
        self._factors: dict[str, Factor] = {}
        self._reset_at: dict[str, int] = {}  # by account, in microseconds
        self._read, self._lock = 0, Lock()  # the number of the last event that was read
        self.sync()

    def sync(self) -> None:
        """Read what is new on the ledger; another server may have written it."""
        with self._lock:
            self._follow(self._ledger.events(HOUSE_CHAIN, after=self._read, kinds=FACTOR_KINDS))

    def _follow(self, events: Iterable[Event]) -> None:
        for event in events:
            account, self._read = event.data["account"], event.number
            if event.kind == ENROLLED:
                self._factors[account] = Factor(event.data["digest"], frozenset(event.data["recovery"]))
            elif event.kind == RESET:
                self._factors.pop(account, None)
                self._reset_at[account] = _to_microseconds(event.at)
            elif account in self._factors:
                self._factors[account] = _after_use(self._factors[account], event)

    def has(self, account: str) -> bool:
        return account in self._factors

    def sessions_from(self, account: str) -> int:
        """The moment in microseconds before which sessions have ended, because the factor was reset."""
        return self._reset_at.get(account, 0)

    def lacks(self, account: str, is_staff: bool) -> bool:
        """Whether an account of staff must set up its factor first."""
        return self.is_required and is_staff and not self.has(account)

    def count_recovery(self, account: str) -> int:
        """The number of recovery codes that are left."""
        return len(self._factors[account].recovery) if self.has(account) else 0

    # -- Changes ------------------------------------------------------------------------------------

    def enrol(self, account: str, secret: bytes, code: str) -> tuple[Entry, list[str]]:
        """The entry that gives an account this factor, and its recovery codes, which nobody stores."""
        step = find_step(secret, _plain_code(code), self._clock())
        if step is None:
            raise Refused("The code does not belong to this secret; compare the clock of your phone.")
        codes, digest = [_new_recovery_code() for _ in range(RECOVERY_CODES)], sha256_hex(secret)
        data = {"account": account, "digest": digest, "recovery": sorted(map(_digest_code, codes))}
        drafts = (Draft(HOUSE_CHAIN, ENROLLED, data), _draft_use(account, {"step": step}))
        sealed = {_vault_name(account, digest): self._vault.seal(secret)}
        return Entry(drafts, sealed, self._old_secret(account)), codes

    def use(self, account: str, code: str) -> Entry:
        """The entry that spends a code or a recovery code; refuses a wrong one."""
        self.sync()
        factor, plain = self._factors[account], _plain_code(code)
        spent = self._find_recovery(factor, plain) or self._find_code(account, factor, plain)
        if not spent:
            raise SignInRefused(WRONG_CODE, "wrong code", account)
        request = digest_json([account, spent])
        return Entry((_draft_use(account, spent),), key=Key(account, f"second-factor {request}", request))

    def reset(self, account: str, by: str) -> Entry:
        """The entry that takes the factor of an account away."""
        self.sync()
        if not self.has(account):
            raise Refused(f"{account} has no second factor.")
        if account == by:
            raise Refused("You cannot reset your own second factor; another member of your side does.")
        draft = Draft(HOUSE_CHAIN, RESET, {"account": account, "by": by})
        return Entry((draft,), unsealed=self._old_secret(account))

    # -- Parts --------------------------------------------------------------------------------------

    def _old_secret(self, account: str) -> tuple[str, ...]:
        return (_vault_name(account, self._factors[account].digest),) if self.has(account) else ()

    def _find_recovery(self, factor: Factor, plain: str) -> dict[str, str | int]:
        digest = _digest_code(plain)
        return {"recovery": digest} if digest in factor.recovery else {}

    def _find_code(self, account: str, factor: Factor, plain: str) -> dict[str, str | int]:
        step = find_step(self._open_secret(account, factor), plain, self._clock())
        return {} if step is None or step <= factor.step else {"step": step}

    def _open_secret(self, account: str, factor: Factor) -> bytes:
        sealed = self._ledger.load_sealed(_vault_name(account, factor.digest))
        secret = self._vault.unseal(sealed) if sealed else b""
        if sha256_hex(secret) != factor.digest:
            raise Refused(f"The secret of {account}'s second factor is not the one on record; have it reset.")
        return secret


def _to_microseconds(at: str) -> int:
    return round(datetime.fromisoformat(at).timestamp() * 1_000_000)


def _after_use(factor: Factor, event: Event) -> Factor:
    recovery = factor.recovery - {event.data.get("recovery", "")}
    return replace(factor, recovery=recovery, step=max(factor.step, event.data.get("step", 0)))


def _draft_use(account: str, spent: dict[str, str | int] | dict[str, int]) -> Draft:
    return Draft(HOUSE_CHAIN, USED, {"account": account, **spent})


def _digest_code(code: str) -> str:
    return sha256_hex(f"feltlab recovery {_plain_code(code)}".encode("utf-8", "replace"))


def _vault_name(account: str, digest: str) -> str:
    return f"second-factor {account} {digest[:16]}"
