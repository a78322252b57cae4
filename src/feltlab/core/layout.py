"""The layout of a game: betting spots, the choices of a player, the options of the house."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from feltlab.core.paytable import Line, PayTable
from feltlab.kernel import Array, lean

# The receiver of a card. Seats are numbered from 0, from the dealer's left.
DEALER = -1
BURNT = -2
BOARD = -3  # the cards that all seats share
# In place of the place of a card: before the next card is dealt,
CHOOSES = -1  # that seat has to choose;
COLLECTS = -2  # the dealer takes what that seat has given up, and the price of what it has bought;
SETTLES = -3  # the dealer takes or pays every wager of that seat, or of all seats, that is decided.

# In place of an outcome:
NOT_PLACED = -1  # there is no wager on that spot;
OPEN = -2  # the cards dealt so far do not decide it.


# Of the suits, rules read
ALIKE = "alike"  # only which cards share one: renaming suits changes no outcome;
UNREAD = "unread"  # nothing at all.

ON_STREET = "street"  # in place of a spot that a choice puts a unit on: the spot named like the street


@dataclass(frozen=True)
class Area:
    """A place for cards in a seat's shoe: the player's hand, the board, the dealer's hand.

    A seat's shoe holds the areas of the player first, then those that all seats share.
    """

    name: str  # "player", "dealer", "board"
    cards: int  # the largest number that it can hold
    order: str  # in which it receives them, for users who type them
    shared: bool = False  # by all seats
    any_order: bool = False  # among cards that a player comes to see together, order means nothing

    @property
    def whose(self) -> str:
        """'the player's', 'the board's'."""
        return f"the {self.name}'s"


def player_area(cards: int, order: str, any_order: bool = False) -> Area:
    return Area("player", cards, order, any_order=any_order)


def dealer_area(cards: int, order: str, any_order: bool = False) -> Area:
    return Area("dealer", cards, order, shared=True, any_order=any_order)


def board_area(cards: int, order: str, any_order: bool = False) -> Area:
    return Area("board", cards, order, shared=True, any_order=any_order)


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
    """A place for a wager or a bonus.

    A wager is one of the first wagers, or a raise that a choice puts down. A bonus has no stake of its own:
    it is paid on the stake of another wager.
    """

    name: str
    title: str
    tables: tuple[PayTable, ...] = field(repr=False)
    option: str = ""  # names the option that picks one of several tables
    required: bool = False
    required_by: str = ""  # or an option that makes it required
    at_most: str = ""  # another spot, whose wager this one may not exceed
    raises: str = ""  # for a raise: the first wager that it follows
    size: Fraction = Fraction(1)  # and the size of one unit of it, in units of that wager
    most_units: int = 1  # that can be on it: a raise has those that choices put there, a first wager one more
    bonus_on: str = ""  # for a bonus: the first wager on whose stake it is paid
    equals: str = ""  # another first wager, which this one must equal
    fixed_cents: int = 0  # the only amount that it can have, if not 0
    reads_dealer: bool = True  # its outcome depends on the dealer's cards
    called: bool = False  # the dealer names the seats without this wager

    def __post_init__(self) -> None:
        if len({table.outcomes for table in self.tables}) != 1:
            raise ValueError(f"the pay tables of {self.name} name different outcomes")

    @property
    def outcomes(self) -> tuple[str, ...]:
        return self.tables[0].outcomes

    @property
    def follows(self) -> str:
        """The first wager that a raise or a bonus belongs to; empty for a first wager."""
        return self.raises or self.bonus_on

    # A law counts an outcome together with the units that stand on the spot, as one number: the outcome's
    # own for one unit, and as many more as there are outcomes for each further unit.

    def number(self, outcome: int, units: int) -> int:
        """The number under which laws count an outcome with this many units on the spot."""
        return outcome if outcome < 0 else outcome + len(self.outcomes) * (max(units, 1) - 1)

    def split_number(self, number: int) -> tuple[int, int]:
        """The outcome and the units behind a number."""
        units, outcome = divmod(number, len(self.outcomes))
        return outcome, units + 1

    @property
    def numbers(self) -> int:
        """The number of different numbers."""
        return len(self.outcomes) * self.most_units

    def name_number(self, number: int) -> str:
        """'win', or 'win with 4 units' where the units differ. A first wager has one unit if not said."""
        outcome, units = self.split_number(number)
        differ = self.most_units > 1 and (units > 1 or bool(self.raises))
        many = f" with {units} unit{'s' * (units > 1)}" if differ else ""
        return f"{self.outcomes[outcome]}{many}"

    def most_units_of(self, line: Line) -> int:
        """The most units that can be on the spot when a line of its pay table decides it."""
        return 1 if line.unraised else self.most_units

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
    puts: tuple[str, ...] = ()  # the spots on which it puts one more unit down, once for each unit
    gives_up: tuple[str, ...] = ()  # the spots whose wagers it gives up
    any_amount: bool = False  # it may put down less than a unit
    house_rule: bool = False  # made for an absent player; it puts nothing down


def new_outcomes(spots: int) -> Array:
    """Room for the outcome of each spot."""
    return np.empty(spots, np.int16)


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
