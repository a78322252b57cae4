"""The look of a game's felt: a colour and a pattern of the house's family, from `felt.toml` beside its rules.

A game without the file has a look that follows from its name. The style sheets draw each colour and pattern.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any
from zlib import crc32

from feltlab.core.game import Game
from feltlab.games.data_files import build, check_names, read_game_data

COLOURS = (
    *("emerald", "forest", "moss", "olive", "teal", "slate", "ink", "navy", "royal", "purple", "plum"),
    *("wine", "crimson", "rust"),
)
PATTERNS = ("diamonds", "lattice", "pinstripe", "chevrons", "waves", "rings", "suits", "leaves")


@dataclass(frozen=True)
class FeltLook:
    colour: str
    pattern: str


@cache
def felt_look(game: Game) -> FeltLook:
    """The look of a game, checked when it is read."""
    data, place = read_game_data(game.name, "felt.toml")
    look = build(FeltLook, {**_derive_look(game.name), **data}, place)
    check_names("colour", [look.colour], COLOURS, place)
    check_names("pattern", [look.pattern], PATTERNS, place)
    return look


def _derive_look(name: str) -> dict[str, Any]:
    number = crc32(name.encode())
    return {
        "colour": COLOURS[number % len(COLOURS)],
        "pattern": PATTERNS[number // len(COLOURS) % len(PATTERNS)],
    }
