"""Secrets that were shown and are not confirmed yet: in memory, for some minutes."""

import time
from collections import OrderedDict
from collections.abc import Callable

from feltlab.pit.custody.second_factor import new_secret

PENDING_SECONDS = 15 * 60
MAX_PENDING = 1_000  # the oldest is forgotten first


class PendingSecrets:
    """A new secret of each session that sets up its second factor; the same one until it is confirmed."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._secrets: OrderedDict[str, tuple[float, bytes]] = OrderedDict()  # by session, with the end

    def find(self, session: str) -> bytes:
        """The secret of a session; a new one if there is none."""
        ends, secret = self._secrets.get(session, (0.0, b""))
        if ends <= self._clock():
            ends, secret = self._clock() + PENDING_SECONDS, new_secret()
            self._secrets[session] = ends, secret
            self._secrets.move_to_end(session)
            if len(self._secrets) > MAX_PENDING:
                self._secrets.popitem(last=False)
        return secret

    def forget(self, session: str) -> None:
        self._secrets.pop(session, None)
