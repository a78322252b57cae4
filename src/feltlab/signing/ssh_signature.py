"""Ed25519 signatures in OpenSSH's format: `ssh-keygen -Y sign` and `-Y verify` write and read the same.

The format is OpenSSH's PROTOCOL.sshsig. The namespace is part of what is signed, so a signature in one role
cannot be shown as one in another.
"""

import base64
import binascii
import hashlib
import re
from dataclasses import dataclass

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_ssh_private_key

from feltlab.errors import Refused

MAGIC, VERSION = b"SSHSIG", 1
KEY_TYPE = b"ssh-ed25519"
BEGIN, END = "-----BEGIN SSH SIGNATURE-----", "-----END SSH SIGNATURE-----"
LINE_CHARS = 70
ARMOUR = re.compile(rf"{BEGIN}\r?\n((?:[A-Za-z0-9+/=]+\r?\n)+){END}\r?\n")
HASHES = {b"sha512": hashlib.sha512, b"sha256": hashlib.sha256}


class BrokenSignature(ValueError):
    """A signature that is not of these bytes, or no signature at all; the message says why."""


class PassphraseNeeded(Exception):
    """The key is locked, and no passphrase was given."""


@dataclass(frozen=True)
class Signature:
    """A signature as its file holds it; `check` says whether it is one of some bytes."""

    public_key: bytes  # 32 bytes
    namespace: str
    hash_name: bytes
    signed: bytes  # 64 bytes

    @property
    def fingerprint(self) -> str:
        """'SHA256:…', as ssh-keygen prints it."""
        return fingerprint(self.public_key)

    def check(self, content: bytes) -> None:
        """Raise `BrokenSignature` unless this is a signature of the content."""
        self.check_digest(HASHES[self.hash_name](content).digest())

    def check_digest(self, digest: bytes) -> None:
        """Raise `BrokenSignature` unless this is a signature of content with this digest."""
        try:
            signed = _signed_data(digest, self.namespace, self.hash_name)
            Ed25519PublicKey.from_public_bytes(self.public_key).verify(self.signed, signed)
        except InvalidSignature:
            raise BrokenSignature("it is not a signature of this content") from None

    def to_text(self) -> str:
        text = self.to_base64()
        lines = [text[n : n + LINE_CHARS] for n in range(0, len(text), LINE_CHARS)]
        return "\n".join([BEGIN, *lines, END, ""])

    def to_base64(self) -> str:
        fields = [_public_blob(self.public_key), self.namespace.encode(), b"", self.hash_name]
        blob = MAGIC + VERSION.to_bytes(4, "big") + b"".join(map(_pack, fields))
        return base64.b64encode(blob + _pack(_pack(KEY_TYPE) + _pack(self.signed))).decode()


def load_private_key(text: bytes, passphrase: str | None = None) -> Ed25519PrivateKey:
    """An Ed25519 key in OpenSSH's format, as `ssh-keygen -t ed25519` writes it."""
    try:
        key = load_ssh_private_key(text, passphrase.encode() if passphrase else None)
    except TypeError:  # a key without a passphrase is given one, or the other way round
        if passphrase is None:
            raise PassphraseNeeded from None
        return load_private_key(text)
    except UnsupportedAlgorithm:
        raise Refused("This key is of a kind that cannot be used; keys are Ed25519.") from None
    except ValueError:
        wrong = "The passphrase is wrong, or the file" if passphrase else "The file"
        raise Refused(f"{wrong} is not a private key that ssh-keygen wrote.") from None
    if not isinstance(key, Ed25519PrivateKey):
        raise Refused("Keys must be Ed25519: ssh-keygen -t ed25519 makes one.")
    return key


def sign_bytes(content: bytes, key: Ed25519PrivateKey, namespace: str) -> Signature:
    """Sign bytes for one purpose."""
    public = key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
    signed = key.sign(_signed_data(HASHES[b"sha512"](content).digest(), namespace, b"sha512"))
    return Signature(public, namespace, b"sha512", signed)


def read_signature(text: str) -> Signature:
    """Read the text of a signature's file; any change of it but for line breaks is found."""
    found = ARMOUR.fullmatch(text)
    if not found:
        raise BrokenSignature("it is not an SSH signature")
    encoded = "".join(found[1].split())
    try:
        blob = base64.b64decode(encoded, validate=True)
    except (binascii.Error, ValueError):
        raise BrokenSignature("its text is damaged") from None
    signature = _read_blob(blob)
    if signature.to_base64() != encoded:  # bits that base64 leaves unused, or a reserved field
        raise BrokenSignature("its text is damaged")
    return signature


def _read_blob(blob: bytes) -> Signature:
    head = MAGIC + VERSION.to_bytes(4, "big")
    fields = _unpack(blob[len(head) :], 5)
    if not blob.startswith(head):
        raise BrokenSignature("it is not an SSH signature of version 1")
    public, namespace, _reserved, hash_name, signature = fields
    kind, key = _unpack(public, 2)
    signed_kind, signed = _unpack(signature, 2)
    if (kind, signed_kind) != (KEY_TYPE, KEY_TYPE) or len(key) != 32 or len(signed) != 64:
        raise BrokenSignature("its key is not Ed25519")
    if hash_name not in HASHES:
        raise BrokenSignature("its hash is neither SHA-512 nor SHA-256")
    return Signature(key, namespace.decode("utf-8", "replace"), hash_name, signed)


def fingerprint(public_key: bytes) -> str:
    digest = base64.b64encode(hashlib.sha256(_public_blob(public_key)).digest()).decode()
    return f"SHA256:{digest.rstrip('=')}"


def read_public_key(text: str) -> bytes:
    """The 32 bytes of an Ed25519 key in base64, as a public key's file and a list of signers hold it."""
    try:
        kind, key = _unpack(base64.b64decode(text, validate=True), 2)
    except (binascii.Error, ValueError):
        raise Refused("A public key is damaged.") from None
    if kind != KEY_TYPE or len(key) != 32:
        raise Refused("Keys must be Ed25519 (ssh-ed25519).")
    return key


def _signed_data(digest: bytes, namespace: str, hash_name: bytes) -> bytes:
    return MAGIC + b"".join(map(_pack, (namespace.encode(), b"", hash_name, digest)))


def _public_blob(public_key: bytes) -> bytes:
    return _pack(KEY_TYPE) + _pack(public_key)


def _pack(field: bytes) -> bytes:
    return len(field).to_bytes(4, "big") + field


def _unpack(blob: bytes, count: int) -> list[bytes]:
    """Exactly this many fields; `BrokenSignature` if there are more or fewer."""
    fields = []
    for _ in range(count):
        size = int.from_bytes(blob[:4], "big")
        fields.append(blob[4 : 4 + size])
        if len(blob) < 4 + size:
            raise BrokenSignature("it is cut off")
        blob = blob[4 + size :]
    if blob:
        raise BrokenSignature("it is too long")
    return fields
