"""A view: the cards of a round that the player may see."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from feltlab.core.cards import Cards

NOTHING = Cards()


@dataclass(frozen=True)
class View:
    """The cards that the player may see. A card face down is `FACE_DOWN`; undealt cards are left out."""

    areas: Mapping[str, Cards] = field(hash=False)  # by name; mappings have no hash

    @property
    def player(self) -> Cards:
        return self.areas["player"]

    @property
    def board(self) -> Cards:
        """The cards that all seats share; none in games without a board."""
        return self.areas.get("board", NOTHING)

    @property
    def dealer(self) -> Cards:
        """The dealer's cards; none in games without a dealer's hand."""
        return self.areas.get("dealer", NOTHING)
