"""Rates: how often a client may ask.

Each client has a bucket of `burst` tokens that fills at `rate` tokens a second; an act takes some. So in
any window of w seconds a client takes at most burst + rate * w. A bucket is one number, the moment at
which it will be full again; a client without a number has a full bucket.
"""

import time
from collections import OrderedDict
from collections.abc import Callable
from ipaddress import IPv6Address, ip_address

from feltlab.errors import TooOften

MOST_CLIENTS = 100_000
SLACK = 1e-6  # seconds: who waits as long as told is not sent away by a rounding


class Rates:
    """The buckets of the clients that asked last, `most` at a time.

    Who asked longest ago is forgotten first, refused or not: a client that keeps asking stays known.
    """

    def __init__(
        self,
        rate: float,
        burst: float,
        most: int = MOST_CLIENTS,
        what: str = "requests",
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        if not (rate > 0 and burst > 0 and most > 0):
            raise ValueError("A rate, its burst and its clients must be more than nothing.")
        self.rate, self.burst, self.most, self.what = rate, burst, most, what
        self._clock = clock
        self._full: OrderedDict[str, float] = OrderedDict()  # when each bucket is full, last asked last

    def __len__(self) -> int:
        return len(self._full)

    def take(self, client: str, cost: float = 1) -> float:
        """Seconds to wait before this can be taken; 0 if it was taken."""
        if not 0 < cost <= self.burst:
            raise ValueError(f"A cost is more than nothing and at most {self.burst:g}.")
        now = self._clock()
        full = max(now, self._full.get(client, now))
        after = full + cost / self.rate
        wait = after - self.burst / self.rate - now
        taken = wait <= SLACK
        self._remember(client, after if taken else full)
        return 0.0 if taken else wait

    def admit(self, client: str, cost: float = 1) -> None:
        """Takes, or refuses."""
        wait = self.take(client, cost)
        if wait:
            raise TooOften(self.what, wait)

    def _remember(self, client: str, full: float) -> None:
        self._full[client] = full
        self._full.move_to_end(client)
        if len(self._full) > self.most:
            self._full.popitem(last=False)


def sign_ins() -> Rates:
    """Five a minute; asked for the address and for the name, so that neither many names nor many
    addresses make guessing fast."""
    return Rates(5 / 60, 5, what="sign-ins")


def acts() -> Rates:
    """What a session may do, whatever it does."""
    return Rates(50, 100)


def client_of(address: str) -> str:
    """Who asks from an address: in version 6 the network of 64 bits, since one client has all of it."""
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if not isinstance(found, IPv6Address):
        return str(found)
    if found.ipv4_mapped:
        return str(found.ipv4_mapped)
    return f"{IPv6Address(int(found) >> 64 << 64)}/64"
