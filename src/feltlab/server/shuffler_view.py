"""The part of a table's view that only staff see: its shufflers, with the line on their display."""

from typing import Any

from feltlab.pit.roles import Permission
from feltlab.pit.seats import Phase
from feltlab.pit.shufflers.log import describe_shufflers
from feltlab.pit.table import Table
from feltlab.server.sessions import Session

STAFF = (Permission.DEAL, Permission.SUPERVISE, Permission.AUDIT)


def staff_fields(table: Table, session: Session | None) -> dict[str, Any]:
    """The shufflers for a session of staff; nothing for others."""
    if session is None or not any(session.role.may(permission) for permission in STAFF):
        return {}
    return {"machine": view_shufflers(table)}


def view_shufflers(table: Table) -> dict[str, Any]:
    """The shufflers of a table now."""
    now = describe_shufflers(table.machines, table.phase == Phase.BETTING)
    return now | {"message": table.message}
