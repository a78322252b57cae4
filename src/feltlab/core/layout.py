"""The layout of a game: betting spots, the choices of a player, the options of the house."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from feltlab.core.paytable import PayTable
from feltlab.kernel import Array, lean

# The receiver of a card. Seats are numbered from 0, from the dealer's left.
DEALER = -1
BURNT = -2
# In place of the place of a card: before the next card is dealt,
CHOOSES = -1  # that seat has to choose;
COLLECTS = -2  # the dealer takes what that seat has given up, and the price of what it has bought;
SETTLES = -3  # the dealer takes or pays every wager of that seat, or of all seats, that is decided.

# In place of an outcome:
NOT_PLACED = -1  # there is no wager on that spot;
OPEN = -2  # the cards dealt so far do not decide it.


@dataclass(frozen=True)
class Option:
    """A decision that the rules leave to the house. The default is the first value, unless given."""

    name: str
    values: tuple[str, ...]
    help: str
    default: str = ""
    second_seat: bool = False  # "yes" lets one player hold a second seat, next to the first
    procedure: bool = False  # changes how the game is dealt, and no outcome: no proof depends on it

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
    reads_dealer: bool = True  # its outcome depends on the dealer's cards
    called: bool = False  # the dealer names the seats without this wager

    def __post_init__(self) -> None:
        if len({table.outcomes for table in self.tables}) != 1:
            raise ValueError(f"the pay tables of {self.name} name different outcomes")

    @property
    def outcomes(self) -> tuple[str, ...]:
        return self.tables[0].outcomes

    @property
    def is_price(self) -> bool:
        """Is this the price of something, which the dealer never returns?"""
        return all(line.result == "lose" for line in self.tables[0].lines)


@dataclass(frozen=True)
class Choice:
    """An action that the rules offer to a player."""

    name: str
    key: str  # the single key that makes it at a terminal
    help: str
    wager: str  # the first wager that the seat must have for this choice to open
    puts: tuple[str, ...] = ()  # the spots on which it puts one more unit down
    gives_up: tuple[str, ...] = ()  # the spots whose wagers it gives up
    any_amount: bool = False  # it may put down less than a unit
    house_rule: bool = False  # made for an absent player; it puts nothing down


def packets(seats: int, size: int) -> Iterator[tuple[int, int]]:
    """Deal a packet of cards to each seat, then one to the dealer."""
    for who in (*range(seats), DEALER):
        for place in range(size):
            yield who, place


@lean
def are_known(cards: Array) -> bool:
    """Are all these cards dealt and known?"""
    for card in cards:  # noqa: SIM110 - kernels have no generators
        if card < 0:
            return False
    return True


@lean
def show(seen: Array, shoe: Array, end: int, rest: int) -> None:
    """Let the player see the cards before place `end`; the others become `rest`."""
    for place in range(len(shoe)):
        seen[place] = shoe[place] if place < end else rest
