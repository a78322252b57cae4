"""Rate limits: how often a client may ask.

Each client has a bucket of `burst` tokens that fills at `rate` tokens a second; a request takes some. So in
any window of w seconds a client takes at most burst + rate * w. A bucket is one number, the moment at
which it will be full again; a client without a number has a full bucket.
"""

import time
from collections import OrderedDict
from collections.abc import Callable
from functools import lru_cache
from ipaddress import IPv6Address, ip_address

from feltlab.errors import TooOften

MAX_CLIENTS = 100_000
DAY_SECONDS = 24 * 3600
ROUNDING_SECONDS = 1e-6  # a client that waits exactly as long as it was asked to is not refused


class RateLimit:
    """The buckets of the clients that asked last, at most `max_clients` of them.

    The client whose last request is oldest is forgotten first, whether it was refused or not.
    """

    def __init__(
        self,
        rate: float,
        burst: float,
        max_clients: int = MAX_CLIENTS,
        what: str = "requests",
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        if not (rate > 0 and burst > 0 and max_clients > 0):
            raise ValueError("A rate, its burst and its number of clients must be more than 0.")
        self.rate, self.burst, self.max_clients, self.what = rate, burst, max_clients, what
        self._clock = clock
        self._full: OrderedDict[str, float] = OrderedDict()  # when each bucket is full, last asked last

    def __len__(self) -> int:
        return len(self._full)

    def take(self, client: str, cost: float = 1) -> float:
        """Take tokens: 0, or the seconds to wait if there are too few."""
        if not 0 < cost <= self.burst:
            raise ValueError(f"A cost is more than 0 and at most {self.burst:g}.")
        wait = self.seconds_until(client, cost)
        if wait:
            self._remember(client, self._full_at(client))
        else:
            self.charge(client, cost)
        return wait

    def seconds_until(self, client: str, cost: float = 1) -> float:
        """The seconds until a client could take tokens; 0 if there are enough."""
        wait = self._full_at(client) + (cost - self.burst) / self.rate - self._clock()
        return wait if wait > ROUNDING_SECONDS else 0.0

    def charge(self, client: str, cost: float) -> None:
        """Take tokens that are spent already, even more than there are."""
        self._remember(client, self._full_at(client) + cost / self.rate)

    def _full_at(self, client: str) -> float:
        now = self._clock()
        return max(now, self._full.get(client, now))

    def admit(self, client: str, cost: float = 1) -> None:
        """Take tokens, or refuse."""
        wait = self.take(client, cost)
        if wait:
            raise TooOften(self.what, wait)

    def _remember(self, client: str, full: float) -> None:
        self._full[client] = full
        self._full.move_to_end(client)
        if len(self._full) > self.max_clients:
            self._full.popitem(last=False)


def sign_in_limit() -> RateLimit:
    """Twenty a minute, right or wrong, since a password takes a core for fifty milliseconds."""
    return RateLimit(20 / 60, 20, what="sign-ins")


def guest_limit() -> RateLimit:
    return RateLimit(10 / 60, 20, what="new players")


def daily_limit(total: float, what: str) -> RateLimit:
    """A total that comes back over a day; half of it is there at once."""
    return RateLimit(total / DAY_SECONDS, total / 2, what=what)


def table_limit() -> RateLimit:
    return RateLimit(12 / 60, 24, what="new tables")


def phrase_limit() -> RateLimit:
    return RateLimit(1 / 4, 3, what="phrases")


def round_limit() -> RateLimit:
    """Old rounds that a visitor without a session reads: each is read from the ledger and dealt again."""
    return RateLimit(1, 30, what="rounds")


def position_limit() -> RateLimit:
    """A position needs a solver: nobody reads faster than this."""
    return RateLimit(2, 40, what="positions")


def proposal_limit() -> RateLimit:
    """New progressives: a worker process counts the chances of each before it opens."""
    return RateLimit(6 / 60, 6, what="new progressives")


def request_limit() -> RateLimit:
    return RateLimit(50, 200)


@lru_cache(maxsize=10_000)
def client_key(address: str) -> str:
    """The client at an address; in IPv6 its network of 64 bits, since one client has all of it."""
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if not isinstance(found, IPv6Address):
        return str(found)
    if found.ipv4_mapped:
        return str(found.ipv4_mapped)
    return f"{IPv6Address(int(found) >> 64 << 64)}/64"
