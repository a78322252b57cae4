"""The figures of a packet: the PAR sheet of its game, and every pay table that the documents have, proved."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from feltlab.analysis.par_sheet import ParSheet, checked_sheet
from feltlab.analysis.wager_costs import WagerCost, wager_cost
from feltlab.core.game import Game
from feltlab.core.layout import Spot
from feltlab.core.paytable import Line, PayTable
from feltlab.core.stake import Stake, check_stake
from feltlab.games.data import printed_lines
from feltlab.parallel.progress import Progress, nobody_listens
from feltlab.proving.exact_numbers import exact
from feltlab.submission.packet import Packet


@dataclass(frozen=True)
class TableFigures:
    """A pay table of a wager, proved with the other options of the packet."""

    table: PayTable
    lines: tuple[Line, ...]  # those that are printed
    is_applied_for: bool
    hit_frequency: Fraction
    cost: WagerCost | None  # None for a raise, whose edge is part of its wager's

    def as_json(self) -> dict[str, Any]:
        return {
            "id": self.table.name,
            "applied_for": self.is_applied_for,
            "hit_frequency": exact(self.hit_frequency),
            "cost": self.cost and self.cost.as_json(),
        }


@dataclass(frozen=True)
class PacketFigures:
    """Everything that is proved for a packet."""

    sheet: ParSheet
    tables: Mapping[str, tuple[TableFigures, ...]]  # by spot, in the order of the documents

    def as_json(self) -> dict[str, Any]:
        tables = {spot: [table.as_json() for table in found] for spot, found in self.tables.items()}
        return {"par_sheet": self.sheet.as_json(), "pay_tables": tables}


def prove_packet(packet: Packet, progress: Progress = nobody_listens) -> PacketFigures:
    """Prove the figures of a packet; what is in the store is used again."""
    game = packet.game
    sheet = checked_sheet(game, progress, packet.venue.highest_wager)
    tables = {spot.name: tuple(_prove_tables(sheet, spot, progress)) for spot in game.spots}
    return PacketFigures(sheet, tables)


def _prove_tables(sheet: ParSheet, spot: Spot, progress: Progress) -> Iterator[TableFigures]:
    """The table in force and, where an option names one of several, the others too."""
    game, stake = sheet.game, sheet.proof.stake
    in_force = game.pay_table(spot)
    for table in spot.tables if spot.option else (in_force,):
        other = game.with_options({spot.option: table.name}) if spot.option else game
        lines, cost = tuple(printed_lines(other, spot)), _cost(other, stake, spot, progress)
        hit = cost.hit_frequency if cost else sheet.proof.tally.hit_frequency(spot)
        yield TableFigures(table, lines, table.name == in_force.name, hit, cost)


def _cost(game: Game, stake: Stake, spot: Spot, progress: Progress) -> WagerCost | None:
    return None if spot.follows else wager_cost(game, check_stake(game, stake), spot, progress)
