"""Roles, the permissions of each, and the side to which each belongs.

An account keeps the side of its first role for good: nobody who works for a house decides for the state,
and nobody who decides plays.
"""

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
    ADMINISTER = "administer"  # take the steps of an approval that are the house's
    SUBMIT = "submit"  # take the steps that are the maker's
    REGULATE = "regulate"  # take the steps that are the state's
    OVERSEE = "oversee"  # take the steps that are the tribe's
    ENROL = "enrol"  # keep the accounts of one's own side


class Side(StrEnum):
    """A party to an approval, or a player."""

    PLAYER = "player"
    HOUSE = "house"
    MAKER = "maker"
    STATE = "state"
    TRIBE = "tribe"

    @property
    def in_words(self) -> str:
        """'the state', for a sentence."""
        return SIDE_TITLES[self]

    @property
    def decides_by(self) -> Permission:
        """The permission that a member needs to take a step of this side."""
        return STEP_PERMISSIONS[self]

    @property
    def is_outside(self) -> bool:
        """Whether its first account is made with a one-time code, because the house may not make it."""
        return self in (Side.MAKER, Side.STATE, Side.TRIBE)


SIDE_TITLES = {
    Side.PLAYER: "the players",
    Side.HOUSE: "the house",
    Side.MAKER: "the maker",
    Side.STATE: "the state",
    Side.TRIBE: "the tribe",
}
STEP_PERMISSIONS = {
    Side.PLAYER: Permission.PLAY,
    Side.HOUSE: Permission.ADMINISTER,
    Side.MAKER: Permission.SUBMIT,
    Side.STATE: Permission.REGULATE,
    Side.TRIBE: Permission.OVERSEE,
}


class Role(StrEnum):
    GUEST = "guest"
    PLAYER = "player"
    DEALER = "dealer"
    SUPERVISOR = "supervisor"
    AUDITOR = "auditor"
    ADMINISTRATOR = "administrator"
    MAKER = "maker"
    REGULATOR = "regulator"
    AGENCY = "agency"

    @classmethod
    def parse(cls, text: str) -> "Role":
        if text not in list(cls):
            raise Unknown(f"{text!r} is not a role; the roles are {listing(cls)}.")
        return cls(text)

    @property
    def permissions(self) -> frozenset[Permission]:
        return PERMISSIONS[self]

    @property
    def side(self) -> Side:
        return OUTSIDE_ROLES.get(self, Side.HOUSE if self.is_staff else Side.PLAYER)

    @property
    def is_staff(self) -> bool:
        """Staff works for the house or for another side: short sessions, and recorded sign-ins."""
        return Permission.PLAY not in self.permissions

    @property
    def sees_floor(self) -> bool:
        """Whether private tables are open to it: to the staff of the house, and to whoever audits."""
        return self.side == Side.HOUSE or self.may(Permission.AUDIT)

    def may(self, permission: Permission) -> bool:
        return permission in self.permissions

    @property
    def with_article(self) -> str:
        """'A dealer', 'An auditor'."""
        return f"{'An' if self[0] == 'a' else 'A'} {self}"

    def check(self, permission: Permission) -> None:
        if not self.may(permission):
            raise Forbidden(f"{self.with_article} may not {permission}.")

    def may_keep(self, role: "Role") -> bool:
        """Whether this role keeps accounts of another: members keep their own side's, the house players'."""
        if not self.may(Permission.ENROL):
            return False
        return role.side == self.side or (self.side, role.side) == (Side.HOUSE, Side.PLAYER)

    def check_keeps(self, role: "Role") -> None:
        """Refuse to keep an account of a side that is not one's own."""
        self.check(Permission.ENROL)
        if not self.may_keep(role):
            first = "; the first one needs a one-time code" if role.side.is_outside else ""
            raise Forbidden(f"Only members of {role.side.in_words} keep its accounts{first}.")


PERMISSIONS = {
    Role.GUEST: frozenset({Permission.PLAY}),
    Role.PLAYER: frozenset({Permission.PLAY}),
    Role.DEALER: frozenset({Permission.DEAL}),
    Role.SUPERVISOR: frozenset({Permission.DEAL, Permission.SUPERVISE}),
    Role.AUDITOR: frozenset({Permission.AUDIT}),
    Role.ADMINISTRATOR: frozenset(
        {
            Permission.DEAL,
            Permission.SUPERVISE,
            Permission.AUDIT,
            Permission.ADMINISTER,
            Permission.ENROL,
        }
    ),
    Role.MAKER: frozenset({Permission.SUBMIT, Permission.ENROL}),
    Role.REGULATOR: frozenset({Permission.REGULATE, Permission.AUDIT, Permission.ENROL}),
    Role.AGENCY: frozenset({Permission.OVERSEE, Permission.AUDIT, Permission.ENROL}),
}
OUTSIDE_ROLES = {Role.MAKER: Side.MAKER, Role.REGULATOR: Side.STATE, Role.AGENCY: Side.TRIBE}


def check_same_side(before: Role, after: Role) -> None:
    """Refuse a role of another side than the account's own."""
    if before.side != after.side:
        raise Refused(
            f"{before.with_article} belongs to {before.side.in_words}, and {after} is a role of"
            f" {after.side.in_words}: no account has roles of two sides."
        )
