"""Views of tables as JSON, each rendered once for all viewers who see the same."""

from typing import Any
from weakref import WeakKeyDictionary

import orjson

from feltlab.pit.live_table import LiveTable
from feltlab.pit.players.presence import Company
from feltlab.pit.table import Table
from feltlab.pit.view import view
from feltlab.server.table_access import describe_viewer, has_seat

Moment = tuple[Table | None, Company | None]


class ViewCache:
    """The views of each table as it is now: one for every seated player, and one for everybody else."""

    def __init__(self) -> None:
        self._rendered: WeakKeyDictionary[LiveTable, tuple[Moment, dict[str, bytes]]] = WeakKeyDictionary()

    def render(self, live: LiveTable, account: str, **more: Any) -> bytes:
        """The view for an account, with its version, the seconds left in the phase, and `more` fields."""
        more |= describe_viewer(live, account)
        first = orjson.dumps({"version": live.version, "seconds": live.seconds, **more})
        return first[:-1] + b"," + self._render_table(live, account)[1:]

    def _render_table(self, live: LiveTable, account: str) -> bytes:
        (table, company), views = self._rendered.get(live, ((None, None), {}))
        if table is not live.table or company is not live.company:
            views = {}
            self._rendered[live] = (live.table, live.company), views
        viewer = account if has_seat(live, account) else ""
        if viewer not in views:
            views[viewer] = orjson.dumps(view(live.table, viewer, live.company))
        return views[viewer]
