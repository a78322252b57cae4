"""Role history: the role of each account at any time, folded from the chain of the house.

A server checks the role of a session, but the ledger records a name only. A reader of the ledger needs the
history to decide whether that name had the permission at that time.
"""

from datetime import datetime, timedelta

from feltlab.errors import Refused
from feltlab.ledger.event import HOUSE_ACTOR, Event
from feltlab.pit.account_book import CREATED, DISABLED, ENABLED, PASSWORD_CHANGED, ROLE_CHANGED, AccountBook
from feltlab.pit.accounts import ADMIN
from feltlab.pit.approvals.codes import Codes
from feltlab.pit.event_kinds import kind_of
from feltlab.pit.roles import Permission, Role
from feltlab.text import listing

GRACE = timedelta(seconds=10)  # for which a request in flight may be recorded after its role ended
KEPT_KINDS = (CREATED, ROLE_CHANGED, DISABLED, ENABLED, PASSWORD_CHANGED)  # by whoever keeps the account


class RoleHistory:
    """The roles of all accounts after the events followed so far."""

    def __init__(self) -> None:
        self.book = AccountBook()
        self._earlier: dict[str, tuple[Role, datetime]] = {}  # the role before the present one, and its end
        self._codes = Codes()

    def follow(self, event: Event) -> None:
        """Follow an event of the house; other events change nothing."""
        self._codes = self._codes.after(event)
        name = event.data.get("account")
        before = self._role(name)
        self.book.follow([event])
        if name and before and before != self._role(name):
            self._earlier[name] = before, datetime.fromisoformat(event.at)

    def _role(self, name: str | None) -> Role | None:
        """The role of an account; None if it is unknown or disabled."""
        record = self.book.records.get(name) if name else None
        return None if record is None or record.account.disabled else record.account.role

    def roles_at(self, name: str, at: str) -> tuple[Role, ...]:
        """The role of an account at a moment, and the one before if it ended just then."""
        role = self._role(name)
        before, end = self._earlier.get(name, (None, None))
        is_recent = end is not None and datetime.fromisoformat(at) - end <= GRACE
        return tuple(one for one in (role, before if is_recent else None) if one)

    def may(self, name: str, permission: Permission, at: str) -> bool:
        return any(role.may(permission) for role in self.roles_at(name, at))

    def describe_objection(self, event: Event) -> str:
        """Why the account that an event names cannot have done it, or ''; to be called before `follow`."""
        if event.kind == CREATED and "code" in event.data:
            return self._describe_code_objection(event)
        kind = kind_of(event)
        permission = kind.permission_for(event.data) if kind else None
        if permission is None or _is_automatic(event):
            return ""
        if self.may(event.data["by"], permission, event.at):
            return self._describe_side_objection(event)
        roles = [role for role in Role if role.may(permission) and self._may_keep(role, event)]
        article = "an" if roles[0][0] == "a" else "a"
        return f"{event.kind!r} by {event.data['by']}, who was not {article} {listing(roles, 'or')}."

    def _describe_code_objection(self, event: Event) -> str:
        """Why an account cannot have been made with the code that its event names, or ''."""
        try:
            code = self._codes.check(event.data["code"], event.at)
        except Refused as refused:
            return f"{event.data['account']} was made with a code: {refused}"
        if code.role != event.data["role"]:
            return f"{event.data['account']} was made {event.data['role']} with a code for a {code.role}."
        return ""

    def _describe_side_objection(self, event: Event) -> str:
        """Why the keeper of an account is not of its side, or ''."""
        if event.kind not in KEPT_KINDS:
            return ""
        account, by = event.data["account"], event.data["by"]
        if any(self._may_keep(keeper, event) for keeper in self.roles_at(by, event.at)):
            return ""
        return f"{event.kind!r} of {account} by {by}, who does not keep the accounts of that side."

    def _may_keep(self, keeper: Role, event: Event) -> bool:
        """Whether a role keeps the account of an event, before and after it; yes for other events."""
        if event.kind not in KEPT_KINDS:
            return True
        record, after = self.book.records.get(event.data["account"]), event.data.get("role")
        roles = (record.account.role if record else None, Role.parse(after) if after else None)
        return all(keeper.may_keep(role) for role in roles if role)


def _is_automatic(event: Event) -> bool:
    """Did the server do it, or a new player for themselves?"""
    data = event.data
    if event.kind == PASSWORD_CHANGED and data["by"] == data["account"]:
        return True
    if event.kind != CREATED:
        kind = kind_of(event)
        return bool(data["by"] == HOUSE_ACTOR and kind and kind.by_house)
    own = data["by"] == data["account"] and data["role"] == Role.PLAYER
    return own or (data["by"], data["account"], data["role"]) == (HOUSE_ACTOR, ADMIN, Role.ADMINISTRATOR)
