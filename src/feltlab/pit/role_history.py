"""Who might do what at a time: accounts and their roles, folded from the chain of the house.

A server asks a session what its role may do; the ledger keeps only a name. So whoever reads the ledger
later needs this to tell whether someone of that name might have done it.
"""

from datetime import datetime, timedelta

from feltlab.ledger.event import HOUSE_ACTOR, Event
from feltlab.pit.accounts import ADMIN
from feltlab.pit.event_kinds import kind_of
from feltlab.pit.roles import Permission, Role
from feltlab.text import listing

ON_ITS_WAY = timedelta(seconds=10)  # for which what was asked for in a role may come after the role's end
CREATED, ROLE, DISABLED, ENABLED = OF_ACCOUNTS = (
    "account-created",
    "role-changed",
    "account-disabled",
    "account-enabled",
)


class Staff:
    """The accounts after the events that were followed."""

    def __init__(self) -> None:
        self._roles: dict[str, Role] = {}
        self._disabled: set[str] = set()
        self._lately: dict[str, tuple[Role, datetime]] = {}  # the role before the present one, and its end

    def after(self, event: Event) -> None:
        """Follow an event of the house; those of other things change nothing."""
        if event.kind not in OF_ACCOUNTS:
            return
        name: str = event.data["account"]
        was = self._role(name)
        if event.kind in (CREATED, ROLE):
            self._roles[name] = Role.parse(event.data["role"])
        elif event.kind == DISABLED:
            self._disabled.add(name)
        else:
            self._disabled.discard(name)
        if was and was != self._role(name):
            self._lately[name] = was, datetime.fromisoformat(event.at)

    def _role(self, name: str) -> Role | None:
        """None, if nobody may act under this name."""
        return None if name in self._disabled else self._roles.get(name)

    def may(self, name: str, act: Permission, at: str) -> bool:
        role = self._role(name)
        if role and role.may(act):
            return True
        if name not in self._lately:
            return False
        before, end = self._lately[name]
        return before.may(act) and datetime.fromisoformat(at) - end <= ON_ITS_WAY

    def objection(self, event: Event) -> str:
        """Why an event cannot be by whom it names, or ''; to be asked before it is followed."""
        kind = kind_of(event)
        act = kind.permission if kind else None
        if act is None or _of_itself(event) or self.may(event.data["by"], act, event.at):
            return ""
        roles = listing([role for role in Role if role.may(act)], "or")
        return f"{event.kind!r} by {event.data['by']}, who was not {roles}."


def _of_itself(event: Event) -> bool:
    """Did the server do it by itself, or somebody new for themselves?"""
    data = event.data
    if event.kind != CREATED:
        kind = kind_of(event)
        return bool(data["by"] == HOUSE_ACTOR and kind and kind.by_house)
    own = data["by"] == data["account"] and data["role"] == Role.PLAYER
    return own or (data["by"], data["account"], data["role"]) == (HOUSE_ACTOR, ADMIN, Role.ADMINISTRATOR)
