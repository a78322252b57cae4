"""The roles in which people sign, each with a namespace of its own in OpenSSH's format."""

import re

from feltlab.errors import Unknown
from feltlab.text import listing

ROLES = {
    "mathematician": "computed the figures",
    "second-reader": "checked them independently",
    "laboratory": "tested the game",
    "maker": "submits the game",
    "regulator": "approves it for the state",
    "agency": "approves it for the tribe",
}
SIGNATURE_SUFFIX = re.compile(rf"(?:\.(?P<role>{'|'.join(ROLES)})(?:\.[1-9]\d*)?)?\.sig", re.ASCII)


def namespace_of(role: str) -> str:
    """'mathematician@feltlab', the namespace to name to ssh-keygen."""
    if role not in ROLES:
        raise Unknown(f"{role!r} is not a role; the roles are {listing(ROLES)}.")
    return f"{role}@feltlab"


def role_of(namespace: str) -> str:
    """The role of a namespace, or '' if it is another program's."""
    role, _, program = namespace.partition("@")
    return role if program == "feltlab" and role in ROLES else ""


def match_signature(name: str, signed: str) -> re.Match[str] | None:
    """Match the name of a signature: `report.pdf.maker.sig`, or `report.pdf.sig` as ssh-keygen writes it."""
    return SIGNATURE_SUFFIX.fullmatch(name.removeprefix(signed)) if name.startswith(signed) else None
