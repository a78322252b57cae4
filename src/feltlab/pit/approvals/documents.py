"""Documents that are enclosed with a submission: their digests, and a signature where there is one."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from feltlab.errors import Refused
from feltlab.signing.roles import role_of
from feltlab.signing.ssh_signature import BrokenSignature, read_signature


@dataclass(frozen=True)
class EnclosedDocument:
    """A document by its digest; the document itself is with the regulator."""

    name: str
    sha256: str
    signature: str = ""  # in OpenSSH's format, of the document's bytes
    sha512: str = ""  # which a signature is checked against
    signer: str = ""  # the role and the fingerprint of the key, once the signature was checked

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "EnclosedDocument":
        fields = ("name", "sha256", "signature", "sha512", "signer")
        return cls(**{name: data.get(name, "") for name in fields})

    @classmethod
    def check(cls, name: str, sha256: str, signature: str = "", sha512: str = "") -> "EnclosedDocument":
        """A document whose signature, if it has one, was checked against its digests."""
        if not signature:
            return cls(name, sha256, "", sha512)
        try:
            read = read_signature(signature)
            digests = {b"sha256": sha256, b"sha512": sha512}
            read.check_digest(bytes.fromhex(digests.get(read.hash_name, "")))
        except BrokenSignature as broken:
            raise Refused(f"The signature of {name!r} does not hold: {str(broken).rstrip('.')}.") from None
        role = role_of(read.namespace) or read.namespace
        return cls(name, sha256, signature, sha512, f"{role} {read.fingerprint}")

    def as_json(self) -> dict[str, str]:
        found = {"name": self.name, "sha256": self.sha256}
        more = {"sha512": self.sha512, "signature": self.signature, "signer": self.signer}
        return found | {name: text for name, text in more.items() if text}
