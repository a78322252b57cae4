"""Passkeys (WebAuthn): keys of a device or a security key with which staff proves a second factor.

The ledger has the public half of each, so a copy of the ledger proves nothing. The library `fido2` reads and
verifies what a browser sends; attestations, which name the maker of a key, are not asked for.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from fido2 import cbor
from fido2.cose import CoseKey
from fido2.server import Fido2Server
from fido2.utils import websafe_encode
from fido2.webauthn import (
    Aaguid,
    AttestationConveyancePreference,
    AttestationObject,
    AttestedCredentialData,
    AuthenticationResponse,
    AuthenticatorAssertionResponse,
    AuthenticatorAttestationResponse,
    AuthenticatorData,
    CollectedClientData,
    PublicKeyCredentialDescriptor,
    PublicKeyCredentialRpEntity,
    PublicKeyCredentialType,
    PublicKeyCredentialUserEntity,
    RegistrationResponse,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from feltlab.errors import Refused

SITE_NAME = "feltlab"
ALGORITHMS = (-7, -8, -257)  # ES256, EdDSA, RS256: every authenticator has one of them
CHALLENGE_SECONDS = 120
MAX_NAME_CHARS = 40
MAX_ID_BYTES = 1023  # by the standard
UNREADABLE = "The browser's answer about the passkey cannot be read."


class CounterWentBack(Refused):
    """A passkey counts its uses, and this use is not after the last one: there may be a copy of it."""

    def __init__(self, passkey: "Passkey", counter: int) -> None:
        super().__init__("The passkey's counter went back, so there may be a copy of it; use another factor.")
        self.why = f"the counter of passkey {passkey.name} went back from {passkey.counter} to {counter}"


@dataclass(frozen=True)
class Passkey:
    """The public half of a passkey."""

    id: str  # in hex
    key: str  # COSE, in hex
    name: str  # that its owner chose
    host: str  # of the site that it was made for, and the only one where it works
    counter: int = 0  # of the last use; synced passkeys do not count and have 0

    def digest(self, account: str) -> bytes:
        """Binds the key to its account and host; sealed in the vault, it is the server's word for both."""
        return sha256(f"feltlab passkey {account} {self.host} {self.id} {self.key}".encode()).digest()

    @property
    def credential(self) -> AttestedCredentialData:
        fields: Any = cbor.decode(bytes.fromhex(self.key))
        return AttestedCredentialData.create(Aaguid.NONE, bytes.fromhex(self.id), CoseKey.parse(fields))


@dataclass(frozen=True)
class Site:
    """The site whose page asks for a passkey: the name of its host, and its origin."""

    host: str
    origin: str


@dataclass(frozen=True)
class Registration:
    """What a browser answers about a new passkey."""

    client_data: bytes
    attestation: bytes


@dataclass(frozen=True)
class Assertion:
    """What a browser answers as the proof of a passkey."""

    id: bytes
    client_data: bytes
    authenticator_data: bytes
    signature: bytes


# -- Questions to a browser -------------------------------------------------------------------------


def ask_registration(site: Site, account: str, challenge: bytes, known: Iterable[Passkey]) -> dict[str, Any]:
    """The options with which a page asks its browser for a new passkey."""
    user = PublicKeyCredentialUserEntity(name=account, id=_user_id(account), display_name=account)
    options, _ = _server(site).register_begin(
        user,
        [_descriptor(one) for one in known],
        resident_key_requirement=ResidentKeyRequirement.DISCOURAGED,  # the name is typed anyway
        user_verification=UserVerificationRequirement.DISCOURAGED,  # the password was given
        challenge=challenge,
    )
    return _to_json(options.public_key)


def ask_proof(site: Site, challenge: bytes, known: Iterable[Passkey]) -> dict[str, Any] | None:
    """The options with which a page asks its browser for a proof; None without a passkey of this site."""
    usable = [_descriptor(one) for one in known if one.host == site.host]
    if not usable:
        return None
    options, _ = _server(site).authenticate_begin(
        usable, UserVerificationRequirement.DISCOURAGED, challenge=challenge
    )
    return _to_json(options.public_key)


def parse_name(text: str) -> str:
    """The name of a passkey, as its owner chose it."""
    name = " ".join(text.split())
    if not (name and name.isprintable() and len(name) <= MAX_NAME_CHARS):
        raise Refused(f"A passkey has a name of 1 to {MAX_NAME_CHARS} characters, like blue key.")
    return name


# -- Answers of a browser ---------------------------------------------------------------------------


def read_challenge(answer: Registration | Assertion) -> bytes:
    """The challenge that a browser says it has answered."""
    try:
        return CollectedClientData(answer.client_data).challenge
    except Exception:  # the library parses the bytes of a stranger, and names no errors
        raise Refused(UNREADABLE) from None


def check_registration(site: Site, challenge: bytes, answer: Registration, name: str) -> Passkey:
    """The new passkey of an answer; refuses an answer to another question."""
    try:
        attestation = AttestationObject(answer.attestation)
        made = attestation.auth_data.credential_data
        response = AuthenticatorAttestationResponse(
            client_data=CollectedClientData(answer.client_data), attestation_object=attestation
        )
        assert made is not None
        registration = RegistrationResponse(raw_id=made.credential_id, response=response)
        data = _server(site).register_complete(_state(challenge), registration)
        id, key, algorithm = made.credential_id, cbor.encode(made.public_key), made.public_key.get(3)
    except Exception:  # see read_challenge
        raise Refused("The passkey was not made by this page, or cannot be read; try again.") from None
    if algorithm not in ALGORITHMS or not 0 < len(id) <= MAX_ID_BYTES:
        raise Refused("Passkeys of this kind are not supported; use another one.")
    return Passkey(id.hex(), key.hex(), name, site.host, data.counter)


def check_proof(
    site: Site, challenge: bytes, answer: Assertion, known: Iterable[Passkey]
) -> tuple[Passkey, int] | None:
    """The passkey that signed an answer, and its counter; None if none of these did.

    A counter that is not after the last one is refused, unless the passkey has never counted.
    """
    usable = {one.id: one for one in known if one.host == site.host}
    try:
        data = AuthenticatorData(answer.authenticator_data)
        response = AuthenticatorAssertionResponse(
            client_data=CollectedClientData(answer.client_data),
            authenticator_data=data,
            signature=answer.signature,
        )
        credentials = [one.credential for one in usable.values()]
        proof = AuthenticationResponse(raw_id=answer.id, response=response)
        found = _server(site).authenticate_complete(_state(challenge), credentials, proof)
    except Exception:  # see read_challenge
        return None
    passkey = usable[found.credential_id.hex()]
    if (passkey.counter or data.counter) and data.counter <= passkey.counter:
        raise CounterWentBack(passkey, data.counter)
    return passkey, data.counter


# -- Parts ------------------------------------------------------------------------------------------


def _server(site: Site) -> Fido2Server:
    party = PublicKeyCredentialRpEntity(id=site.host, name=SITE_NAME)
    server = Fido2Server(
        party, AttestationConveyancePreference.NONE, verify_origin=lambda origin: origin == site.origin
    )
    server.allowed_algorithms = [one for one in server.allowed_algorithms if one.alg in ALGORITHMS]
    server.timeout = CHALLENGE_SECONDS * 1000  # type: ignore[assignment]  # the library's None is a default
    return server


def _state(challenge: bytes) -> dict[str, Any]:
    """What the library wants to know about its question."""
    return {"challenge": websafe_encode(challenge), "user_verification": None}


def _user_id(account: str) -> bytes:
    """Names the account to the authenticator, which shows it to nobody."""
    return sha256(f"feltlab {account}".encode()).digest()


def _descriptor(passkey: Passkey) -> PublicKeyCredentialDescriptor:
    return PublicKeyCredentialDescriptor(
        type=PublicKeyCredentialType.PUBLIC_KEY, id=bytes.fromhex(passkey.id)
    )


def _to_json(options: Any) -> dict[str, Any]:
    """Options as plain values, with base64url in place of bytes."""
    plain: dict[str, Any] = json.loads(json.dumps(dict(options)))
    return plain
