"""The list of signers that a verifier trusts: a file in OpenSSH's `allowed_signers` format.

ann@lab.example namespaces="laboratory@feltlab" ssh-ed25519 AAAAC3Nza…
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from feltlab.errors import Refused
from feltlab.files import read_limited
from feltlab.signing.ssh_signature import KEY_TYPE, Signature, read_public_key

MAX_LIST_BYTES = 1 << 20
OPTION = re.compile(r'(?P<name>[a-z-]+)(="(?P<value>[^"]*)")?', re.I)
MOMENTS = {8: "%Y%m%d", 12: "%Y%m%d%H%M", 14: "%Y%m%d%H%M%S"}


@dataclass(frozen=True)
class Signer:
    """A line of the list: who may sign with a key, for which purposes and when."""

    name: str
    public_key: bytes
    namespaces: tuple[str, ...] = ("*",)
    after: datetime | None = None
    before: datetime | None = None

    def may_sign(self, namespace: str, now: datetime) -> bool:
        in_time = (not self.after or self.after <= now) and (not self.before or now < self.before)
        return in_time and _matches(self.namespaces, namespace)


def _matches(patterns: Sequence[str], text: str) -> bool:
    """Does a list of patterns allow a text? As OpenSSH reads it: * and ? match, and ! forbids."""
    forbidden = any(_matches_one(pattern[1:], text) for pattern in patterns if pattern.startswith("!"))
    return not forbidden and any(_matches_one(pattern, text) for pattern in patterns)


def _matches_one(pattern: str, text: str) -> bool:
    wild = re.escape(pattern).replace(r"\*", ".*").replace(r"\?", ".")
    return bool(re.fullmatch(wild, text, re.S))


def find_signer(signers: Sequence[Signer], signature: Signature, now: datetime) -> str:
    """The name of the signer whose key this is and who may sign for its purpose, or ''."""
    return next(
        (
            signer.name
            for signer in signers
            if signer.public_key == signature.public_key and signer.may_sign(signature.namespace, now)
        ),
        "",
    )


def read_signers(path: Path) -> tuple[Signer, ...]:
    lines = read_limited(path, MAX_LIST_BYTES).decode("utf-8", "replace").splitlines()
    signers = []
    for number, line in enumerate(lines, 1):
        if line.strip() and not line.lstrip().startswith("#"):
            try:
                signers.append(_read_line(line))
            except ValueError as error:
                raise Refused(f"{path}, line {number}: {error}") from None
    if not signers:
        raise Refused(f"{path} lists no signers.")
    return tuple(signers)


def _read_line(line: str) -> Signer:
    """A line: names, options, the type of the key, the key, a comment."""
    names, _, rest = line.strip().partition(" ")
    head, kind, tail = rest.partition(KEY_TYPE.decode() + " ")
    if not kind:
        raise Refused("A line holds names, options and an Ed25519 key (ssh-ed25519).")
    if "!" in names:
        raise Refused("A name with ! forbids a signer, which is not supported here.")
    options = _read_options(head.strip())
    return Signer(
        names,
        read_public_key(tail.split()[0] if tail.split() else ""),
        tuple(options.get("namespaces", "*").split(",")),
        _read_moment(options.get("valid-after")),
        _read_moment(options.get("valid-before")),
    )


def _read_options(text: str) -> dict[str, str]:
    given = [(match["name"].lower(), match["value"] or "") for match in OPTION.finditer(text)]
    found = dict(given)
    unknown = set(found) - {"namespaces", "valid-after", "valid-before"}
    if unknown or OPTION.sub("", text).strip(", "):
        raise Refused(f"The options {text!r} are not known here.")
    if len(found) < len(given) or not all(found.values()):
        raise Refused(f"Each of the options {text!r} must be given once, with a value.")
    return found


def _read_moment(text: str | None) -> datetime | None:
    """A time as OpenSSH writes it, 20261231 or 20261231120000Z; here without Z it is UTC too."""
    if text is None:
        return None
    digits = text.removesuffix("Z")
    try:
        return datetime.strptime(digits, MOMENTS[len(digits)]).replace(tzinfo=UTC)
    except (KeyError, ValueError):
        raise Refused(f"{text!r} is not a time such as 20261231.") from None
