"""What stands on the felt: betting spots, the choices a player may make, the options of the house."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from feltlab.core.paytable import PayTable
from feltlab.kernel import Array, lean

# Who receives a card. Seats are numbered from 0, from the dealer's left.
DEALER = -1
BURNT = -2
# In place of a card's place: nothing is dealt until that seat has chosen.
CHOOSES = -1

NOT_PLACED = -1  # in place of an outcome: no wager stands on that spot


@dataclass(frozen=True)
class Option:
    """Something that the house decides within the rules. The first value is the default."""

    name: str
    values: tuple[str, ...]
    help: str
    default: str = ""
    second_seat: bool = False  # "yes" lets one player hold a second seat, next to the first

    def __post_init__(self) -> None:
        object.__setattr__(self, "default", self.default or self.values[0])


@dataclass(frozen=True)
class Spot:
    """A place for a wager: one of the first wagers, or a raise that a choice puts down."""

    name: str
    title: str
    tables: tuple[PayTable, ...] = field(repr=False)
    option: str = ""  # names the option that picks one of several tables
    required: bool = False
    required_by: str = ""  # or an option that makes it required
    at_most: str = ""  # another spot, whose wager this one may not exceed
    raises: str = ""  # for a raise: the first wager that it follows
    size: Fraction = Fraction(1)  # and its size in units of that wager
    reads_dealer: bool = True  # the dealer's cards have a part in its outcome
    stage: int = 0  # the pass over the table in which it is settled
    called: bool = False  # the dealer names the seats without this wager

    def __post_init__(self) -> None:
        if len({table.outcomes for table in self.tables}) != 1:
            raise ValueError(f"the pay tables of {self.name} name different outcomes")

    @property
    def outcomes(self) -> tuple[str, ...]:
        return self.tables[0].outcomes


@dataclass(frozen=True)
class Choice:
    """Something that a player may do when the rules offer it."""

    name: str
    key: str  # the single key that makes it at a terminal
    help: str
    wager: str  # open only while this first wager stands
    puts: tuple[str, ...] = ()  # the spots on which it puts one more unit down
    gives_up: tuple[str, ...] = ()  # the spots whose wagers it loses, whatever the cards
    house_rule: bool = False  # made for a player who is absent; it puts nothing down


def packets(seats: int, size: int) -> Iterator[tuple[int, int]]:
    """Deal a packet of cards to each seat and the last one to the dealer."""
    for who in (*range(seats), DEALER):
        for place in range(size):
            yield who, place


@lean
def show(seen: Array, shoe: Array, end: int, rest: int) -> None:
    """Let the player see the cards before a place; the others are all alike."""
    for place in range(len(shoe)):
        seen[place] = shoe[place] if place < end else rest
