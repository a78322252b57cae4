"""Everything that a client may have, in one place: the defaults, and what the start of a server changes."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from feltlab.errors import Refused, Unknown
from feltlab.server.clients.connection_counts import ConnectionCounts
from feltlab.server.rate_limits import (
    RateLimit,
    daily_limit,
    guest_limit,
    phrase_limit,
    position_limit,
    proposal_limit,
    request_limit,
    round_limit,
    sign_in_limit,
    table_limit,
)
from feltlab.text import listing

MB = 1_000_000  # bytes
MAX_LIMIT = 1_000_000_000
# By name: the default, and what it limits. A fast player plays a round in two seconds for sixteen hours; of
# 6 KB each, that is 173 MB.
LIMITS: Mapping[str, tuple[int, str]] = {
    "connections": (1_500, "connections of an address at a time"),
    "strangers": (256, "connections of an address without a session, at a time"),
    "sockets": (20, "tables that an account watches at a time"),
    "guests": (300, "guests and accounts that an address makes in a day"),
    "account-mb": (256, "MB of the ledger that an account writes in a day"),
    "address-mb": (2_048, "MB of the ledger that an address writes in a day"),
    "free-mb": (256, "MB that must be free on the disk before a round begins"),
}


def _default(name: str) -> int:
    return LIMITS[name][0]


def guests_a_day(count: int) -> RateLimit:
    return daily_limit(count, "new players")


def megabytes_a_day(count: int) -> RateLimit:
    return daily_limit(count * MB, "events")


@dataclass(frozen=True)
class Allowance:
    """The limits of a client."""

    sign_ins: RateLimit = field(default_factory=sign_in_limit)  # by address, or by known browser
    guests: RateLimit = field(default_factory=guest_limit)  # and new accounts, by address
    guests_a_day: RateLimit = field(default_factory=lambda: guests_a_day(_default("guests")))
    tables: RateLimit = field(default_factory=table_limit)  # that are opened for visitors, by address
    phrases: RateLimit = field(default_factory=phrase_limit)  # said, by account
    positions: RateLimit = field(default_factory=position_limit)  # that the trainer values, by address
    proposals: RateLimit = field(default_factory=proposal_limit)  # of progressives, by account
    rounds: RateLimit = field(default_factory=round_limit)  # read without a session, by address
    requests: RateLimit = field(default_factory=request_limit)  # by session, or by address without one
    account_bytes: RateLimit = field(default_factory=lambda: megabytes_a_day(_default("account-mb")))
    address_bytes: RateLimit = field(default_factory=lambda: megabytes_a_day(_default("address-mb")))
    sockets: int = _default("sockets")  # of an account at a time
    connections: int = _default("connections")  # of an address at a time
    strangers: int = _default("strangers")  # of these, connections without a session
    free_bytes: int = _default("free-mb") * MB  # on the disk; below it no round begins

    @classmethod
    def from_limits(cls, given: Mapping[str, str]) -> "Allowance":
        """The defaults with some limits of `LIMITS` changed."""
        made = cls()
        for name, text in given.items():
            made = made.change(name, _parse_limit(name, text))
        return made

    def change(self, name: str, count: int) -> "Allowance":
        """With another number for a limit of `LIMITS`."""
        match name:
            case "guests":
                return replace(self, guests_a_day=guests_a_day(count))
            case "account-mb":
                return replace(self, account_bytes=megabytes_a_day(count))
            case "address-mb":
                return replace(self, address_bytes=megabytes_a_day(count))
            case "free-mb":
                return replace(self, free_bytes=count * MB)
        numbers: dict[str, Any] = {name: count}
        return replace(self, **numbers)


def count_connections(allowance: Allowance, proxies: tuple[str, ...] = ()) -> ConnectionCounts:
    return ConnectionCounts(allowance.connections, allowance.strangers, proxies)


def _parse_limit(name: str, text: str) -> int:
    if name not in LIMITS:
        raise Unknown(f"{name!r} is not a limit; the limits are {listing(LIMITS)}.")
    number = int(text) if text.isascii() and text.isdecimal() and len(text) < 12 else 0
    if not 0 < number <= MAX_LIMIT:
        raise Refused(f"The limit {name} is a whole number from 1 to {MAX_LIMIT:,}, not {text!r}.")
    return number
