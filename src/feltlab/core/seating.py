"""Seats: betting positions in play, and which of them one player may hold."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from feltlab.core.game import Game
from feltlab.errors import Refused
from feltlab.text import listing
from feltlab.values import set_frozen


def check_seating(game: Game, positions: Sequence[int], players: Sequence[str]) -> None:
    """Refuse positions that are held twice, or that one player may not hold together.

    `players` names the player of each position; a player without a name holds that position only.
    """
    if len({*positions}) < len(positions):
        raise Refused(f"The positions {listing(positions)} are not one for each seat.")
    for player in dict.fromkeys(filter(None, players)):
        held = [position for position, holder in zip(positions, players, strict=True) if holder == player]
        check_held(game, player, held)


def check_held(game: Game, player: str, positions: Sequence[int]) -> None:
    """Refuse positions that one player may not hold together, numbered as printed at the table.

    >>> from feltlab import GAMES
    >>> check_held(GAMES["casino-war"], "Ann", [3, 2])
    Traceback (most recent call last):
    feltlab.errors.Refused: Ann may hold only one seat at this table, not seats 2 and 3.
    """
    if len(positions) < 2:
        return
    positions = sorted(positions)
    seats = f"seats {listing(positions)}"
    if not game.allows_second_seat:
        raise Refused(f"{player} may hold only one seat at this table, not {seats}.")
    if len(positions) > 2 or abs(positions[0] - positions[1]) != 1:
        raise Refused(f"{player} may hold two seats only if they are adjacent, not {seats}.")


@dataclass(frozen=True)
class Seat:
    """A betting position in play: its wagers, its choices and its player."""

    wagers: Mapping[str, int] = field(hash=False)  # mappings have no hash
    chosen: tuple[str, ...] = ()
    player: str = ""  # without a name, a player who holds this seat only
    position: int = 0  # the number printed at the table; 0 stands for its order in the deal, from 1

    def __post_init__(self) -> None:
        set_frozen(self, wagers=MappingProxyType(dict(self.wagers)), chosen=tuple(self.chosen))

    def __reduce__(self) -> tuple[Any, ...]:
        return Seat, (dict(self.wagers), self.chosen, self.player, self.position)
