"""Connections by address: nobody takes all places, and a newcomer finds one while others hold many.

A connection is a stranger's until a request on it has shown a session. When all places are taken, the
address with the most connections gives one up for an address that has fewer.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from ipaddress import ip_address, ip_network

MAX_REFUSED = 100  # connections that wait to be told why they are refused


@dataclass(eq=False)
class ConnectionPlace:
    """The place of one connection."""

    address: str
    drop: Callable[[], None] = lambda: None  # ends the connection
    is_stranger: bool = True


@dataclass
class ConnectionCounts:
    """The connections that are open, with the limits of an address."""

    limit: int
    strangers_limit: int
    proxies: tuple[str, ...] = ()  # whose connections are those of many clients
    refused: int = 0  # connections that wait to be told so
    _places: dict[str, dict[ConnectionPlace, None]] = field(default_factory=dict)  # by address, newest last
    _strangers: Counter[str] = field(default_factory=Counter)

    def take(self, address: str, drop: Callable[[], None] = lambda: None) -> ConnectionPlace | None:
        """A place for a connection; None if its address has too many."""
        held = self._places.get(address, ())
        if len(held) >= self.limit or self._strangers[address] >= self.strangers_limit:
            return None
        place = ConnectionPlace(address, drop)
        self._places.setdefault(address, {})[place] = None
        self._strangers[address] += 1
        return place

    def is_proxy(self, host: str) -> bool:
        """Whether the connections of a host are those of many clients."""
        try:
            return any(ip_address(host) in ip_network(proxy) for proxy in self.proxies)
        except ValueError:
            return False

    def leave(self, place: ConnectionPlace) -> None:
        held = self._places.get(place.address, {})
        if place not in held:
            return
        del held[place]
        if not held:
            del self._places[place.address]
        self._forget_stranger(place)

    def mark_known(self, place: ConnectionPlace) -> None:
        """A request on the connection has shown a valid session."""
        if place.is_stranger and place in self._places.get(place.address, ()):
            self._forget_stranger(place)
            place.is_stranger = False

    def _forget_stranger(self, place: ConnectionPlace) -> None:
        if place.is_stranger:
            self._strangers[place.address] -= 1
            if not self._strangers[place.address]:
                del self._strangers[place.address]

    def make_room(self, address: str) -> bool:
        """Drop a connection of the address with the most, if this one has fewer; strangers go first."""
        most: dict[ConnectionPlace, None] = max(self._places.values(), key=len, default={})
        if len(most) <= len(self._places.get(address, ())) + 1:
            return False
        newest = next(reversed(most))
        dropped = next((place for place in reversed(most) if place.is_stranger), newest)
        self.leave(dropped)
        dropped.drop()
        return True
