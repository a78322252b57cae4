"""Which positions of a table one player may hold."""

from collections.abc import Sequence

from feltlab.core.game import Game
from feltlab.errors import Refused
from feltlab.text import listing


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
