"""The clock of players' limits, which never runs backwards and never stops."""

import time
from collections.abc import Callable
from datetime import datetime


class SteadyClock:
    """Seconds since 1970: those of the machine, unless its clock was set back.

    After that it goes on from the moment that it had shown, or that the ledger has on record, by the seconds
    that really pass. So neither a day of play nor a limit gets longer or shorter.
    """

    def __init__(
        self,
        last_on_record: Callable[[], str],  # the moment of the last event, or ''
        wall: Callable[[], float] = time.time,
        steady: Callable[[], float] = time.monotonic,
    ) -> None:
        self._last_on_record, self._wall, self._steady = last_on_record, wall, steady
        self._shown, self._seen = 0.0, steady()

    def __call__(self) -> float:
        recorded, steady = self._last_on_record(), self._steady()
        least = datetime.fromisoformat(recorded).timestamp() if recorded else 0.0
        self._shown = max(self._wall(), least, self._shown + steady - self._seen)
        self._seen = steady
        return self._shown
