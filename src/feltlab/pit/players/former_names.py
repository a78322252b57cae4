"""The names that guests had before they chose another one, as the cage's chain records them.

A former name gets no money any more. What was played under it belongs to the account of the present name.
"""

from collections.abc import Iterable

from feltlab.ledger.event import CAGE_CHAIN, Event

RENAMED = "renamed"  # the kind of event


class FormerNames:
    """The former accounts of each guest."""

    def __init__(self) -> None:
        self._before: dict[str, str] = {}  # by account: the account that it took over
        self._former: set[str] = set()

    def is_former(self, account: str) -> bool:
        return account in self._former

    def list_former(self, account: str) -> tuple[str, ...]:
        """The former accounts of an account, the newest first."""
        found = [account]
        while found[-1] in self._before:
            found.append(self._before[found[-1]])
        return tuple(found[1:])

    def reload(self, events: Iterable[Event]) -> None:
        """Forget everything, and follow the events of the cage."""
        self._before.clear()
        self._former.clear()
        self.follow(events)

    def follow(self, events: Iterable[Event]) -> None:
        for event in events:
            if event.chain == CAGE_CHAIN and event.kind == RENAMED:
                self._before[event.data["to"]] = event.data["account"]
                self._former.add(event.data["account"])
