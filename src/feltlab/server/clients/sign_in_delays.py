"""Wrong passwords slow down whoever sends them, and nobody else.

Failures are counted by the one who tries (an address, or a browser that signed in to this account before)
together with the account, and by address over all accounts. Each failure beyond the first few doubles the
wait. While an account is under attack from many addresses, an address that is new to it waits once before
its first try is looked at. The owner does not wait for others: a known browser, or an address from which
the account signed in within a month, has a count of its own and skips the other two.
"""

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field

from feltlab.errors import TooOften

MAX_REMEMBERED = 100_000  # of each kind; the oldest is forgotten first
FORGET_SECONDS = 24 * 3600.0  # a count without a failure for so long begins again
KNOWN_SECONDS = 30 * 24 * 3600.0  # an address with a good sign-in is known for so long
ATTACK_FAILURES = 20  # of an account, over all addresses, before strangers wait once
GREETING_SECONDS = 20.0  # that an address new to an account under attack waits


@dataclass(frozen=True)
class Growth:
    """The wait after a number of failures: none for the first few, then doubled with each."""

    free: int
    first_seconds: float
    most_seconds: float

    def seconds_after(self, failures: int) -> float:
        over = failures - self.free
        return 0.0 if over <= 0 else min(self.most_seconds, self.first_seconds * 2.0 ** min(over - 1, 60))


BY_PAIR = Growth(free=3, first_seconds=2, most_seconds=900)
BY_ADDRESS = Growth(free=15, first_seconds=2, most_seconds=900)
BY_ACCOUNT = Growth(free=ATTACK_FAILURES, first_seconds=0, most_seconds=0)


@dataclass
class Count:
    failures: int = 0
    at: float = 0.0  # of the last failure
    until: float = 0.0  # no try is looked at before


@dataclass
class Failures:
    """Failed tries by key, at most `MAX_REMEMBERED` of them."""

    growth: Growth
    clock: Callable[[], float]
    _counts: OrderedDict[str, Count] = field(default_factory=OrderedDict)

    def __len__(self) -> int:
        return len(self._counts)

    def count(self, key: str) -> int:
        return self._find(key).failures

    def seconds_left(self, key: str) -> float:
        return max(0.0, self._find(key).until - self.clock())

    def add(self, key: str) -> None:
        """Count a failure."""
        found, now = self._find(key), self.clock()
        failures = found.failures + 1
        self._keep(key, Count(failures, now, now + self.growth.seconds_after(failures)))

    def greet(self, key: str, seconds: float) -> None:
        """Have a key that is not counted yet wait before its first try."""
        now = self.clock()
        self._keep(key, Count(0, now, now + seconds))

    def take_back(self, key: str) -> None:
        """One failure was none."""
        found = self._find(key)
        failures = max(0, found.failures - 1)
        if failures:
            self._counts[key] = Count(failures, found.at, found.at + self.growth.seconds_after(failures))
        else:
            self.forget(key)

    def forget(self, key: str) -> None:
        self._counts.pop(key, None)

    def __contains__(self, key: str) -> bool:
        return self._find(key).at > 0

    def _find(self, key: str) -> Count:
        found = self._counts.get(key, Count())
        return found if self.clock() - found.at < FORGET_SECONDS else Count()

    def _keep(self, key: str, count: Count) -> None:
        self._counts[key] = count
        self._counts.move_to_end(key)
        if len(self._counts) > MAX_REMEMBERED:
            self._counts.popitem(last=False)


class SignInDelays:
    """The failures that are remembered, and the addresses that are known to accounts."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._pairs = Failures(BY_PAIR, clock)
        self._addresses = Failures(BY_ADDRESS, clock)
        self._accounts = Failures(BY_ACCOUNT, clock)
        self._known: OrderedDict[str, float] = OrderedDict()  # pairs of address and account, with the moment

    def begin(self, address: str, account: str, browser: str = "") -> None:
        """Refuse a try that comes too early; `browser` names one that signed in to this account before.

        The try counts as a failure until it succeeds: many at once are not looked at before they count.
        """
        key = _pair(browser or address, account)
        wait = self._pairs.seconds_left(key)
        if not browser and not self._is_known(key):
            wait = max(wait, self._addresses.seconds_left(address), self._greet(key, account))
        if wait:
            raise TooOften("wrong passwords", wait)
        self._pairs.add(key)
        self._addresses.add(address)
        self._accounts.add(account)

    def _greet(self, key: str, account: str) -> float:
        """The wait of a stranger whose first try is at an account under attack."""
        if self._accounts.count(account) < ATTACK_FAILURES or key in self._pairs:
            return 0.0
        self._pairs.greet(key, GREETING_SECONDS)
        return GREETING_SECONDS

    def take_back(self, address: str, account: str, browser: str = "") -> None:
        """One try was no failure."""
        self._pairs.take_back(_pair(browser or address, account))
        self._addresses.take_back(address)
        self._accounts.take_back(account)

    def note_success(self, address: str, account: str, browser: str = "") -> None:
        """Forget the failures of whoever signed in, and know the address."""
        self._pairs.forget(_pair(browser or address, account))
        self._addresses.take_back(address)
        self._accounts.take_back(account)
        key = _pair(address, account)
        self._known[key] = self._clock()
        self._known.move_to_end(key)
        if len(self._known) > MAX_REMEMBERED:
            self._known.popitem(last=False)

    def _is_known(self, key: str) -> bool:
        at = self._known.get(key)
        return at is not None and self._clock() - at < KNOWN_SECONDS


def _pair(who: str, account: str) -> str:
    return f"{who} {account}"
