"""Requests and answers about signing in, second factors and passkeys."""

import base64
import binascii
from typing import Annotated, Any

from pydantic import BaseModel, Field

from feltlab.pit.custody.passkeys import MAX_NAME_CHARS, Assertion, Registration
from feltlab.server.models import ErrorAnswer, Malformed, RequestModel, Secret, Word

BASE64_PATTERN = r"^[A-Za-z0-9_-]*$"
CodeText = Annotated[str, Field(max_length=64, description="six digits, or a recovery code")]
Base64 = Annotated[str, Field(max_length=4096, pattern=BASE64_PATTERN, description="base64url")]
LongBase64 = Annotated[str, Field(max_length=32768, pattern=BASE64_PATTERN, description="base64url")]
PasskeyName = Annotated[str, Field(min_length=1, max_length=MAX_NAME_CHARS)]
PasskeyId = Annotated[str, Field(min_length=2, max_length=2046, pattern=r"^[0-9a-f]+$")]


def decode_base64(text: str) -> bytes:
    try:
        return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except binascii.Error:
        raise Malformed("The answer about a passkey must be base64url.") from None


# -- Requests ---------------------------------------------------------------------------------------


class PasskeyProof(RequestModel):
    """The browser's answer to a challenge, signed by a passkey."""

    id: Base64
    client_data: Base64
    authenticator_data: Base64
    signature: Base64

    def decode(self) -> Assertion:
        parts = (self.id, self.client_data, self.authenticator_data, self.signature)
        return Assertion(*map(decode_base64, parts))


class NewPasskey(RequestModel):
    """The browser's answer about a new passkey."""

    client_data: Base64
    attestation: LongBase64

    def decode(self) -> Registration:
        return Registration(decode_base64(self.client_data), decode_base64(self.attestation))


class SignIn(RequestModel):
    name: Word
    password: Secret
    code: Annotated[str, Field(max_length=64)] | None = None  # of the second factor
    passkey: PasskeyProof | None = None  # in place of the code


class FactorChange(RequestModel):
    """My password, and a proof of the factor that I have already: a code or a passkey."""

    password: Secret
    old_code: CodeText | None = None
    old_passkey: PasskeyProof | None = None


class Enrol(FactorChange):
    """My password, and a code of the secret that was shown to me."""

    code: CodeText


class RegisterPasskey(FactorChange):
    """My password, and a new passkey with a name of my choice."""

    name: PasskeyName
    credential: NewPasskey


class RemovePasskey(FactorChange):
    """My password, and the passkey that I no longer use."""

    id: PasskeyId


# -- Answers ----------------------------------------------------------------------------------------


class PasskeyAnswer(BaseModel):
    """A passkey of mine, and the host where it works."""

    id: str
    name: str
    host: str


class FactorAnswer(BaseModel):
    """Whether I have a second factor, which, and the recovery codes that are left."""

    enrolled: bool
    recovery_left: int
    authenticator: bool
    passkeys: list[PasskeyAnswer]


class SecretAnswer(FactorAnswer):
    """A new secret for my authenticator, which counts once it is confirmed."""

    secret: str
    uri: str


class RecoveryAnswer(FactorAnswer):
    """The recovery codes, shown once; none if those that I have go on."""

    recovery: list[str]


class PasskeyQuestions(BaseModel):
    """Options for my browser: to make a passkey, and to prove one that I have at this address."""

    create: dict[str, Any]
    prove: dict[str, Any] | None


class FactorNeeded(ErrorAnswer):
    """The password is right, and the second factor is missing."""

    passkey: dict[str, Any] | None = None  # options for the browser, if a passkey works at this address
