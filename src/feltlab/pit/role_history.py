"""Role history: the role of each account at any time, folded from the chain of the house.

A server checks the role of a session, but the ledger records a name only. A reader of the ledger needs the
history to decide whether that name had the permission at that time.
"""

from datetime import datetime, timedelta

from feltlab.ledger.event import HOUSE_ACTOR, Event
from feltlab.pit.accounts import ADMIN
from feltlab.pit.event_kinds import kind_of
from feltlab.pit.roles import Permission, Role
from feltlab.text import listing

GRACE = timedelta(seconds=10)  # for which a request in flight may be recorded after its role ended
CREATED, ROLE, DISABLED = "account-created", "role-changed", "account-disabled"
ACCOUNT_KINDS = (CREATED, ROLE, DISABLED, "account-enabled")


class RoleHistory:
    """The roles of all accounts after the events followed so far."""

    def __init__(self) -> None:
        self._roles: dict[str, Role] = {}
        self._disabled: set[str] = set()
        self._earlier: dict[str, tuple[Role, datetime]] = {}  # the role before the present one, and its end

    def follow(self, event: Event) -> None:
        """Follow an event of the house; other events change nothing."""
        if event.kind not in ACCOUNT_KINDS:
            return
        name: str = event.data["account"]
        before = self._role(name)
        if event.kind in (CREATED, ROLE):
            self._roles[name] = Role.parse(event.data["role"])
        elif event.kind == DISABLED:
            self._disabled.add(name)
        else:
            self._disabled.discard(name)
        if before and before != self._role(name):
            self._earlier[name] = before, datetime.fromisoformat(event.at)

    def _role(self, name: str) -> Role | None:
        """The role of an account; None if it is unknown or disabled."""
        return None if name in self._disabled else self._roles.get(name)

    def may(self, name: str, permission: Permission, at: str) -> bool:
        role = self._role(name)
        if role and role.may(permission):
            return True
        if name not in self._earlier:
            return False
        before, end = self._earlier[name]
        return before.may(permission) and datetime.fromisoformat(at) - end <= GRACE

    def describe_objection(self, event: Event) -> str:
        """Why the account that an event names cannot have done it, or ''; to be called before `follow`."""
        kind = kind_of(event)
        permission = kind.permission if kind else None
        if permission is None or _is_automatic(event) or self.may(event.data["by"], permission, event.at):
            return ""
        roles = [role for role in Role if role.may(permission)]
        article = "an" if roles[0][0] == "a" else "a"
        return f"{event.kind!r} by {event.data['by']}, who was not {article} {listing(roles, 'or')}."


def _is_automatic(event: Event) -> bool:
    """Did the server do it, or a new player for themselves?"""
    data = event.data
    if event.kind != CREATED:
        kind = kind_of(event)
        return bool(data["by"] == HOUSE_ACTOR and kind and kind.by_house)
    own = data["by"] == data["account"] and data["role"] == Role.PLAYER
    return own or (data["by"], data["account"], data["role"]) == (HOUSE_ACTOR, ADMIN, Role.ADMINISTRATOR)
