"""Slips: the readings that are signed when a table opens and when it closes."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from feltlab.core.game import Game
from feltlab.core.limits import Limits
from feltlab.errors import Refused
from feltlab.pit.expectation import Expectation
from feltlab.pit.meters import NO_METERS, Meters
from feltlab.text import dollars, money

SLIP_BAND_PERCENT = 99.0


@dataclass(frozen=True)
class Slip:
    """An open slip or a close slip.

    The meters of an open slip are the reading at that time; those of a close slip are the change since.
    """

    kind: str  # open or close
    table: str
    at: str
    by: str
    game: str
    digest: str
    limits: Limits
    chips: int  # that players have on the table
    meters: Meters
    expected: float | None = None  # win; None before it is proved
    band: tuple[float, float] | None = None  # of the win

    @property
    def hold(self) -> float | None:
        return self.meters.hold

    def close(
        self, at: str, by: str, chips: int, meters: Meters, expectation: Expectation | None = None
    ) -> "Slip":
        """The close slip of this open slip, from the reading at the end."""
        since = meters - self.meters
        end = replace(self, kind="close", at=at, by=by, chips=chips, meters=since)
        if expectation is None:
            return end
        if expectation.digest != self.digest:
            raise Refused(f"The expectation of {expectation.game} does not apply to {self.game}.")
        band = expectation.band(since, SLIP_BAND_PERCENT)
        return replace(end, expected=expectation.expected_win(since), band=band)

    def to_json(self) -> dict[str, Any]:
        """Plain data for the ledger. It contains the hold for its readers; `from_json` computes it again."""
        plain = {name: value for name, value in vars(self).items() if name not in ("limits", "meters")}
        return plain | {"limits": asdict(self.limits), "meters": self.meters.to_json(), "hold": self.hold}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Slip":
        fields = {name: value for name, value in data.items() if name != "hold"}
        fields |= {"limits": Limits(**data["limits"]), "meters": Meters.from_json(data["meters"])}
        return cls(**fields | {"band": tuple(data["band"]) if data["band"] else None})

    @property
    def rows(self) -> list[tuple[str, str]]:
        """The lines of the slip as it is shown: a title and an amount each."""
        read = self.meters
        rows = [("rounds", f"{read.rounds:,}"), ("voids", f"{read.voids:,}"), ("drop", dollars(read.drop))]
        rows += [("handle", dollars(read.handle)), ("win", dollars(read.win)), ("chips", dollars(self.chips))]
        rows += [("hold", f"{self.hold:.2%}")] if self.hold is not None else []
        rows += [("expected win", money(self.expected))] if self.expected is not None else []
        if self.band:
            rows.append((f"{SLIP_BAND_PERCENT:g} % band", " to ".join(map(money, self.band))))
        return rows


def open_slip(
    table: str, game: Game, limits: Limits, at: str, by: str, chips: int = 0, meters: Meters = NO_METERS
) -> Slip:
    return Slip("open", table, at, by, str(game), game.digest, limits, chips, meters)
