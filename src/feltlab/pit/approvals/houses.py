"""Houses, their kinds of venue, and what the rule pack of a venue allows at a table."""

from dataclasses import dataclass
from datetime import date

from feltlab.core.game import Game
from feltlab.core.limits import Limits
from feltlab.errors import Refused
from feltlab.pit.regimes import regime_of
from feltlab.submission.venues import Venue, venue
from feltlab.text import dollars
from feltlab.values import set_frozen


@dataclass(frozen=True)
class House:
    """A house that banks tables, and its kinds of venue, each from a day on until the next begins."""

    name: str
    kinds: tuple[tuple[date, str], ...]
    has_practice: bool = False  # visitors may open private tables that no approval covers

    def __post_init__(self) -> None:
        set_frozen(self, kinds=tuple(sorted(self.kinds)))
        if not self.name.strip() or not self.kinds:
            raise Refused("A house has a name and a kind.")
        for _, kind in self.kinds:
            regime_of(kind)

    @classmethod
    def of(cls, name: str, kind: str, has_practice: bool = False) -> "House":
        """A house that has always been of one kind."""
        return cls(name, ((date.min, kind),), has_practice)

    def kind(self, day: date) -> str:
        for begins, kind in reversed(self.kinds):
            if begins <= day:
                return kind
        raise Refused(f"{self.name} opens on {self.kinds[0][0]}.")

    def venue(self, day: date) -> Venue:
        """The rule pack that holds for it on a day."""
        return venue(self.kind(day))

    @property
    def is_demonstration(self) -> bool:
        return self.name == DEMO_NAME


DEMO_NAME = "The demonstration house"
DEMO = House.of(DEMO_NAME, "commercial", has_practice=True)  # for play money only
DEMO_CAUTION = "A demonstration for play money: no regulator gave this approval."


def check_limits(venue: Venue, limits: Limits, game: Game, day: date) -> None:
    """Refuse a table that the venue's rule pack does not allow on a day.

    A raise is a wager of its own and at most the maximum, so the maximum speaks for raises too.
    """
    cap = venue.cap_in_force(day)
    if cap and limits.maximum > cap.cents:
        when = cap.since or f"on {day}"
        raise Refused(
            f"The maximum, {dollars(limits.maximum)}, is above the cap of {dollars(cap.cents)} a wager that"
            f" is in force {when} ({venue.limits_reference})."
        )
    games, most = game.rules.GAMES_PER_HAND, venue.games_per_hand
    if most and games > most:
        raise Refused(
            f"One hand of {game.title} takes wagers on {games} games, and the venue allows at most {most}"
            f" ({venue.games_reference})."
        )


def check_progressive(venue: Venue, game: Game) -> None:
    """Refuse a progressive at a game whose hand takes wagers on as many games as the venue allows already."""
    games, most = min(len(game.wagers), game.rules.GAMES_PER_HAND), venue.games_per_hand
    if most and games + 1 > most:
        raise Refused(
            f"One hand of {game.title} takes wagers on {games} games, and a progressive is one more; the"
            f" venue allows at most {most} ({venue.games_reference})."
        )
