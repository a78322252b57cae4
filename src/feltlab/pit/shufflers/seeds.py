"""Seeds that seats have added to a shuffle, and sealed ones that are still to be revealed, as on record."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from feltlab.digests import sha256_hex
from feltlab.text import listing

SEED_SECONDS = 20.0  # after the end of the bets, until a sealed seed has to be revealed


class SeatSeed(NamedTuple):
    """A seed on record."""

    seat: int  # from 0
    player: str
    seed: str

    @property
    def digest(self) -> str:
        return sha256_hex(self.seed.encode())

    def as_json(self) -> dict[str, Any]:
        return {**self._asdict(), "seat": self.seat + 1}


class SealedSeed(NamedTuple):
    """The digest of a seed that its seat keeps to itself until the bets have closed."""

    seat: int  # from 0
    player: str
    digest: str  # SHA-256 in small hexadecimal digits

    def as_json(self) -> dict[str, Any]:
        return {**self._asdict(), "seat": self.seat + 1}


def replace_sealed(sealed: Iterable[SealedSeed], new: SealedSeed) -> tuple[SealedSeed, ...]:
    """The sealed seeds after a seat has sealed another one."""
    return (*(one for one in sealed if one.seat != new.seat), new)


def describe_unrevealed(sealed: Iterable[SealedSeed]) -> str:
    """Why a round is void whose sealed seeds were not all revealed."""
    seats = [one.seat + 1 for one in sealed]
    plural = "s" * (len(seats) > 1)
    return f"The sealed seed{plural} of seat{plural} {listing(seats)} came too late; no card had been dealt."


def order_seeds(seeds: Iterable[SeatSeed]) -> list[str]:
    """The texts of seeds in the order in which they mix: by seat, and at one seat as they were given."""
    return [one.seed for one in sorted(seeds, key=lambda one: one.seat)]


def seeds_to_record(seeds: Iterable[SeatSeed]) -> list[list[Any]]:
    return [[one.seat + 1, one.player, one.seed] for one in seeds]


def seeds_from_record(rows: Iterable[Sequence[Any]]) -> tuple[SeatSeed, ...]:
    return tuple(SeatSeed(seat - 1, player, seed) for seat, player, seed in rows)
