"""A passkey in software: a P-256 key that answers the questions of a page as a browser and its device do."""

import base64
import hashlib
import json
import secrets
from typing import Any

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from fido2 import cbor
from fido2.cose import ES256

USER_PRESENT, HAS_CREDENTIAL = 0x01, 0x40


def encode(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def client_data(kind: str, challenge: str, origin: str) -> bytes:
    said = {"type": f"webauthn.{kind}", "challenge": challenge, "origin": origin, "crossOrigin": False}
    return json.dumps(said).encode()


class SoftPasskey:
    """One credential. Its counter goes up by a step with each use; a synced passkey has the step 0."""

    def __init__(self, origin: str, step: int = 1) -> None:
        self.origin, self.step, self.counter = origin, step, 0
        self.id, self._key = secrets.token_bytes(32), ec.generate_private_key(ec.SECP256R1())

    @property
    def cose(self) -> bytes:
        """The public key, as authenticators write it."""
        return cbor.encode(ES256.from_cryptography_key(self._key.public_key()))

    @property
    def private(self) -> bytes:
        return self._key.private_numbers().private_value.to_bytes(32, "big")

    def _data(self, host: str, flags: int, more: bytes = b"") -> bytes:
        return (
            hashlib.sha256(host.encode()).digest() + bytes([flags]) + self.counter.to_bytes(4, "big") + more
        )

    def create(self, options: dict[str, Any], **changed: str) -> dict[str, str]:
        """The answer to the options for a new passkey; `origin`, `host` or `challenge` may be changed."""
        said = {
            "origin": self.origin,
            "host": options["rp"]["id"],
            "challenge": options["challenge"],
        } | changed
        credential = bytes(16) + len(self.id).to_bytes(2, "big") + self.id + self.cose
        data = self._data(said["host"], USER_PRESENT | HAS_CREDENTIAL, credential)
        attestation = cbor.encode({"fmt": "none", "attStmt": {}, "authData": data})
        asked = client_data("create", said["challenge"], said["origin"])
        return {"client_data": encode(asked), "attestation": encode(attestation)}

    def prove(self, options: dict[str, Any], **changed: str) -> dict[str, str]:
        """The answer to the options for a proof; `origin`, `host` or `challenge` may be changed."""
        said = {"origin": self.origin, "host": options["rpId"], "challenge": options["challenge"]} | changed
        self.counter += self.step
        data = self._data(said["host"], USER_PRESENT)
        asked = client_data("get", said["challenge"], said["origin"])
        signature = self._key.sign(data + hashlib.sha256(asked).digest(), ec.ECDSA(hashes.SHA256()))
        parts = {"id": self.id, "client_data": asked, "authenticator_data": data, "signature": signature}
        return {name: encode(part) for name, part in parts.items()}
