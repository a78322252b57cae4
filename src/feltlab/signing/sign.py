"""Signing a file or a folder, and verifying what was signed.

A signature is a file of its own beside what it signs: `report.pdf.mathematician.sig`, or `report.pdf.sig` if
ssh-keygen made it. A folder is signed
through its manifest, so a byte that changes anywhere in the folder is found. Signatures accumulate; keys are
read, never stored.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from feltlab.errors import Refused
from feltlab.files import read_limited, write_file
from feltlab.signing.manifest import MANIFEST_FILE, MAX_FILE_BYTES, find_damage
from feltlab.signing.roles import match_signature, namespace_of, role_of
from feltlab.signing.signers import Signer, find_signer
from feltlab.signing.ssh_signature import BrokenSignature, Signature, read_signature, sign_bytes

MAX_SIGNATURE_BYTES = 1 << 16
UNKNOWN_KEY = "no signer on the list has this key for this role now"


@dataclass(frozen=True)
class CheckedSignature:
    """A signature beside what was signed, and what is wrong with it."""

    file: str
    role: str  # '' if it could not be read
    fingerprint: str
    signer: str  # by the list of signers; '' without one
    problem: str  # '' if it holds


@dataclass(frozen=True)
class SignedState:
    """The result of checking a file or a folder and its signatures."""

    signed_file: str
    damage: tuple[str, ...]  # sentences about a folder's files
    signatures: tuple[CheckedSignature, ...]

    @property
    def holds(self) -> bool:
        sound = not any(signature.problem for signature in self.signatures)
        return not self.damage and bool(self.signatures) and sound


def sign_path(path: Path, key: Ed25519PrivateKey, role: str) -> Path:
    """Sign a file, or a folder through its manifest; returns the signature's file.

    A folder that is not as its manifest says is refused. A key signs once in a role: its signature has
    always the same bytes.
    """
    namespace, target = namespace_of(role), signed_file(path)
    if damage := next(find_damage(path), "") if path.is_dir() else "":
        raise Refused(f"{path} is damaged: {damage}")
    signature = sign_bytes(read_limited(target, MAX_FILE_BYTES), key, namespace).to_text()
    place = _free_place(target, role, signature)
    write_file(place, signature.encode())
    return place


def verify_path(
    path: Path, signers: Sequence[Signer] | None = None, now: datetime | None = None
) -> SignedState:
    """Check a folder against its manifest, and every signature beside a file or a manifest."""
    target, now = signed_file(path), now or datetime.now(UTC)
    content = read_limited(target, MAX_FILE_BYTES)
    return SignedState(
        target.name,
        tuple(find_damage(path)) if path.is_dir() else (),
        tuple(_check(target, place, content, signers, now) for place in find_signatures(target)),
    )


def signed_file(path: Path) -> Path:
    """The file whose bytes are signed: the file itself, or a folder's manifest."""
    if not path.is_dir():
        return path
    if not (path / MANIFEST_FILE).is_file():
        raise Refused(f"{path} has no {MANIFEST_FILE}; certificates and packets have one.")
    return path / MANIFEST_FILE


def find_signatures(target: Path) -> Iterator[Path]:
    return (place for place in sorted(target.parent.iterdir()) if match_signature(place.name, target.name))


def _free_place(target: Path, role: str, signature: str) -> Path:
    """The file for a signature: that of the same signature, or one that does not exist yet."""
    number, place = 1, target.with_name(f"{target.name}.{role}.sig")
    while place.exists() and read_limited(place, MAX_SIGNATURE_BYTES) != signature.encode():
        number += 1
        place = target.with_name(f"{target.name}.{role}.{number}.sig")
    return place


def _check(
    target: Path, place: Path, content: bytes, signers: Sequence[Signer] | None, now: datetime
) -> CheckedSignature:
    named = match_signature(place.name, target.name)
    named_role = named["role"] if named else None
    try:
        signature = read_signature(read_limited(place, MAX_SIGNATURE_BYTES).decode("ascii", "replace"))
    except (BrokenSignature, Refused) as error:
        return CheckedSignature(place.name, "", "", "", str(error).rstrip("."))
    role = role_of(signature.namespace)
    problem = _find_problem(named_role, signature, role, content)
    signer = find_signer(signers, signature, now) if signers is not None and not problem else ""
    if signers is not None and not problem and not signer:
        problem = UNKNOWN_KEY
    return CheckedSignature(place.name, role, signature.fingerprint, signer, problem)


def _find_problem(named_role: str | None, signature: Signature, role: str, content: bytes) -> str:
    """The fault of a signature, or ''; the file's name may say a role, and the signature always has one."""
    if not role:
        return f"it was made for {signature.namespace!r}, which is no role here"
    if named_role not in (None, role):
        return f"it was made for {signature.namespace!r}, not for the role that its name says"
    try:
        signature.check(content)
    except BrokenSignature as error:
        return str(error)
    return ""
