"""The second factor of staff: codes of an authenticator by time (TOTP, RFC 6238), passkeys, recovery codes.

A secret is sealed in the vault, and its digest is on the ledger: one that was exchanged in the database is
not accepted. Of a passkey the ledger has the public key, and the vault has a seal of it: one that was added
or exchanged in the database is not accepted either. Who has a factor follows from events of the house.
A code and a passkey's answer count once: the entry that records the use has a key, so even two servers do
not accept it twice.
"""

import base64
import hashlib
import hmac
import secrets
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from threading import Lock
from typing import Any
from urllib.parse import quote

from feltlab.digests import digest_json, sha256_hex
from feltlab.errors import Refused
from feltlab.ledger.event import HOUSE_CHAIN, Draft, Entry, Event, Key
from feltlab.ledger.ledger import Ledger
from feltlab.ledger.vault import Vault
from feltlab.pit.accounts import SignInRefused
from feltlab.pit.custody.passkeys import Assertion, CounterWentBack, Passkey, Site, check_proof

ENROLLED, USED, RESET, PASSKEY_REGISTERED, PASSKEY_REMOVED = FACTOR_KINDS = (
    "second-factor-enrolled",
    "second-factor-used",
    "second-factor-reset",
    "passkey-registered",
    "passkey-removed",
)
SECRET_BYTES = 20  # as long as the digest of SHA-1
STEP_SECONDS = 30
DRIFT_STEPS = 1  # by which the clock of a phone may differ, either way
CODE_DIGITS = 6
RECOVERY_CODES = 10
RECOVERY_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # none looks like another
MAX_PASSKEYS = 20  # of an account
ISSUER = "feltlab"
WRONG_PASSKEY = "The passkey was not accepted; try again, or enter a code."
WRONG_CODE = "The code is wrong or was used already."


class CodeNeeded(Refused):
    """The password is right, and the code of the second factor is missing."""

    def __init__(self, sentence: str = "Enter the code of your authenticator, or a recovery code.") -> None:
        super().__init__(sentence)


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


def _new_recovery_codes() -> list[str]:
    return [_new_recovery_code() for _ in range(RECOVERY_CODES)]


def _plain_code(text: str) -> str:
    """A code without the spaces and hyphens that people type or leave out."""
    return "".join(letter for letter in text.lower() if letter.isalnum())


# -- The factors of all accounts --------------------------------------------------------------------


@dataclass(frozen=True)
class Factor:
    """The second factor of an account: an authenticator, passkeys, or both."""

    digest: str = ""  # of the secret of an authenticator; '' without one
    recovery: frozenset[str] = frozenset()  # digests of the recovery codes that are left
    step: int = 0  # of the last code that was used
    passkeys: Mapping[str, Passkey] = field(default_factory=dict, hash=False)  # by id

    @property
    def parts(self) -> int:
        return bool(self.digest) + len(self.passkeys)


def follow_factor(factors: dict[str, Factor], event: Event) -> None:
    """Change the factors of all accounts by an event of the house."""
    account = event.data["account"]
    factor = factors.get(account, Factor())
    if event.kind == RESET:
        factor = Factor()
    elif event.kind == ENROLLED:
        recovery = frozenset(event.data["recovery"])
        factor = replace(factor, digest=event.data["digest"], recovery=recovery, step=0)
    elif event.kind == PASSKEY_REGISTERED:
        factor = _after_registration(factor, event)
    elif event.kind == PASSKEY_REMOVED:
        left = {id: one for id, one in factor.passkeys.items() if id != event.data["passkey"]}
        factor = replace(factor, passkeys=left)
    elif event.kind == USED:
        factor = _after_use(factor, event)
    factors.pop(account, None)
    if factor.parts:
        factors[account] = factor


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
            self._read = event.number
            follow_factor(self._factors, event)
            if event.kind == RESET:
                self._reset_at[event.data["account"]] = _to_microseconds(event.at)

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

    def has_authenticator(self, account: str) -> bool:
        return bool(self._find(account).digest)

    def list_passkeys(self, account: str) -> list[Passkey]:
        """The passkeys of an account, the oldest first."""
        return list(self._find(account).passkeys.values())

    def _find(self, account: str) -> Factor:
        return self._factors.get(account, Factor())

    # -- Changes ------------------------------------------------------------------------------------

    def enrol(self, account: str, secret: bytes, code: str) -> tuple[Entry, list[str]]:
        """The entry that gives an account this factor, and its recovery codes, which nobody stores."""
        step = find_step(secret, _plain_code(code), self._clock())
        if step is None:
            raise Refused("The code does not belong to this secret; compare the clock of your phone.")
        codes, digest = _new_recovery_codes(), sha256_hex(secret)
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

    def register_passkey(self, account: str, passkey: Passkey, challenge: bytes) -> tuple[Entry, list[str]]:
        """The entry that gives an account a passkey, and recovery codes if it has none left."""
        self.sync()
        factor = self._find(account)
        if any(passkey.id in one.passkeys for one in self._factors.values()):
            raise Refused("This passkey is registered already.")
        if any(passkey.name == one.name for one in factor.passkeys.values()):
            raise Refused(f"You have a passkey named {passkey.name} already; choose another name.")
        if len(factor.passkeys) >= MAX_PASSKEYS:
            raise Refused(f"An account has at most {MAX_PASSKEYS} passkeys; remove one first.")
        codes = [] if factor.recovery else _new_recovery_codes()
        data = {"account": account, **_describe_passkey(passkey)}
        data |= {"recovery": sorted(map(_digest_code, codes))} if codes else {}
        drafts = (Draft(HOUSE_CHAIN, PASSKEY_REGISTERED, data),)
        sealed = {_passkey_seal(account, passkey.id): self._vault.seal(passkey.digest(account))}
        return Entry(drafts, sealed, key=_key_of(account, challenge)), codes

    def remove_passkey(self, account: str, id: str) -> Entry:
        """The entry that takes a passkey of an account away; the last factor stays."""
        self.sync()
        factor = self._find(account)
        if id not in factor.passkeys:
            raise Refused("Your account does not have that passkey.")
        if factor.parts == 1:
            raise Refused("This is your only factor; set up another one first, or have it reset.")
        data = {"account": account, "passkey": id, "name": factor.passkeys[id].name}
        draft = Draft(HOUSE_CHAIN, PASSKEY_REMOVED, data)
        return Entry((draft,), unsealed=(_passkey_seal(account, id),))

    def use_passkey(self, account: str, site: Site, challenge: bytes, answer: Assertion) -> Entry:
        """The entry that records the use of a passkey; refuses a wrong answer."""
        self.sync()
        try:
            found = check_proof(site, challenge, answer, self.list_passkeys(account))
        except CounterWentBack as back:
            raise SignInRefused(str(back), back.why, account) from None
        if found is None:
            raise SignInRefused(WRONG_PASSKEY, "wrong passkey", account)
        passkey, counter = found
        self._check_seal(account, passkey)
        draft = _draft_use(account, {"passkey": passkey.id, "counter": counter})
        return Entry((draft,), key=_key_of(account, challenge))

    def reset(self, account: str, by: str) -> Entry:
        """The entry that takes the factor of an account away."""
        self.sync()
        if not self.has(account):
            raise Refused(f"{account} has no second factor.")
        if account == by:
            raise Refused("You cannot reset your own second factor; another member of your side does.")
        draft = Draft(HOUSE_CHAIN, RESET, {"account": account, "by": by})
        seals = tuple(_passkey_seal(account, one.id) for one in self.list_passkeys(account))
        return Entry((draft,), unsealed=(*self._old_secret(account), *seals))

    # -- Parts --------------------------------------------------------------------------------------

    def _old_secret(self, account: str) -> tuple[str, ...]:
        digest = self._find(account).digest
        return (_vault_name(account, digest),) if digest else ()

    def _find_recovery(self, factor: Factor, plain: str) -> dict[str, str | int]:
        digest = _digest_code(plain)
        return {"recovery": digest} if digest in factor.recovery else {}

    def _find_code(self, account: str, factor: Factor, plain: str) -> dict[str, str | int]:
        if not factor.digest:
            return {}
        step = find_step(self._open_secret(account, factor), plain, self._clock())
        return {} if step is None or step <= factor.step else {"step": step}

    def _check_seal(self, account: str, passkey: Passkey) -> None:
        """Refuse a passkey that somebody wrote into the database without the key of the vault."""
        sealed = self._ledger.load_sealed(_passkey_seal(account, passkey.id))
        if not sealed or self._vault.unseal(sealed) != passkey.digest(account):
            sentence = f"The passkey {passkey.name} was not registered by this server; have it reset."
            raise SignInRefused(sentence, f"passkey {passkey.name} is not as it was registered", account)

    def _open_secret(self, account: str, factor: Factor) -> bytes:
        sealed = self._ledger.load_sealed(_vault_name(account, factor.digest))
        secret = self._vault.unseal(sealed) if sealed else b""
        if sha256_hex(secret) != factor.digest:
            raise Refused(f"The secret of {account}'s second factor is not the one on record; have it reset.")
        return secret


def _to_microseconds(at: str) -> int:
    return round(datetime.fromisoformat(at).timestamp() * 1_000_000)


def _describe_passkey(passkey: Passkey) -> dict[str, Any]:
    """A passkey as events have it."""
    about = {"key": passkey.key, "name": passkey.name, "host": passkey.host}
    return {"passkey": passkey.id, **about, "counter": passkey.counter}


def _after_registration(factor: Factor, event: Event) -> Factor:
    data = event.data
    passkey = Passkey(data["passkey"], data["key"], data["name"], data["host"], data["counter"])
    recovery = frozenset(data.get("recovery", ())) or factor.recovery
    return replace(factor, passkeys={**factor.passkeys, passkey.id: passkey}, recovery=recovery)


def _after_use(factor: Factor, event: Event) -> Factor:
    recovery = factor.recovery - {event.data.get("recovery", "")}
    passkeys, used = factor.passkeys, factor.passkeys.get(event.data.get("passkey", ""))
    if used:
        counter = max(used.counter, event.data["counter"])
        passkeys = {**passkeys, used.id: replace(used, counter=counter)}
    step = max(factor.step, event.data.get("step", 0))
    return replace(factor, recovery=recovery, step=step, passkeys=passkeys)


def _key_of(account: str, challenge: bytes) -> Key:
    """The key by which the database takes one answer to a challenge."""
    digest = sha256_hex(challenge)
    return Key(account, f"passkey {digest}", digest)


def _draft_use(account: str, spent: Mapping[str, str | int]) -> Draft:
    return Draft(HOUSE_CHAIN, USED, {"account": account, **spent})


def _digest_code(code: str) -> str:
    return sha256_hex(f"feltlab recovery {_plain_code(code)}".encode("utf-8", "replace"))


def _passkey_seal(account: str, id: str) -> str:
    """The name in the vault of the seal of a passkey."""
    return f"passkey {account} {sha256_hex(id.encode())[:16]}"


def _vault_name(account: str, digest: str) -> str:
    return f"second-factor {account} {digest[:16]}"
