"""Roles, and the permissions of each."""

from enum import StrEnum

from feltlab.errors import Refused, Unknown
from feltlab.text import listing


class Forbidden(Refused):
    """The role or the request lacks the permission."""


class Permission(StrEnum):
    PLAY = "play"
    DEAL = "deal"  # call no more bets, deal, serve the shuffler
    SUPERVISE = "supervise"  # open, close, void, test a shuffler
    AUDIT = "audit"  # read everything, change nothing
    ADMINISTER = "administer"  # accounts, approvals


class Role(StrEnum):
    GUEST = "guest"
    PLAYER = "player"
    DEALER = "dealer"
    SUPERVISOR = "supervisor"
    AUDITOR = "auditor"
    ADMINISTRATOR = "administrator"

    @classmethod
    def parse(cls, text: str) -> "Role":
        if text not in list(cls):
            raise Unknown(f"{text!r} is not a role; the roles are {listing(cls)}.")
        return cls(text)

    @property
    def permissions(self) -> frozenset[Permission]:
        return PERMISSIONS[self]

    @property
    def is_staff(self) -> bool:
        """Staff works for the house: its sessions are short, and its sign-ins are recorded."""
        return Permission.PLAY not in self.permissions

    def may(self, permission: Permission) -> bool:
        return permission in self.permissions

    @property
    def with_article(self) -> str:
        """'A dealer', 'An auditor'."""
        return f"{'An' if self[0] == 'a' else 'A'} {self}"

    def check(self, permission: Permission) -> None:
        if not self.may(permission):
            raise Forbidden(f"{self.with_article} may not {permission}.")


PERMISSIONS = {
    Role.GUEST: frozenset({Permission.PLAY}),
    Role.PLAYER: frozenset({Permission.PLAY}),
    Role.DEALER: frozenset({Permission.DEAL}),
    Role.SUPERVISOR: frozenset({Permission.DEAL, Permission.SUPERVISE}),
    Role.AUDITOR: frozenset({Permission.AUDIT}),
    Role.ADMINISTRATOR: frozenset(
        {Permission.DEAL, Permission.SUPERVISE, Permission.AUDIT, Permission.ADMINISTER}
    ),
}
