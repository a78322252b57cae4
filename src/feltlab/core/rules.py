"""The contract of a game's `rules.py`.

Its kernels take

- the **kernel data**: the options as numbers, and the tables that valuing hands needs;
- a seat's **shoe**: the cards that each area would receive, in order, as numbers: the player's first, then
  those of the areas that all seats share; an unknown card is `UNKNOWN`;
- the **choices** made so far, as numbers.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

from feltlab.core.cards import Deck
from feltlab.core.layout import Area, Choice, Option, Spot
from feltlab.kernel import Array


class Rules(Protocol):
    """The names that the `rules.py` of a game exports.

    Rules may also name `STREETS`: the first choice of a round is made on the first street, the second on the
    second. They may say what they do not read: with `SUITS = ALIKE`, renaming suits changes no outcome; with
    `SUITS = UNREAD`, no suit is ever read.
    """

    __file__: str | None
    __name__: str  # the module's
    NAME: str
    TITLE: str
    SUMMARY: str  # one line for a list of games
    DATE: str  # of the approval of these rules, as year-month-day
    AREAS: tuple[Area, ...]  # in the order of a seat's shoe
    OPTIONS: tuple[Option, ...]
    SPOTS: tuple[Spot, ...]  # in the order in which the dealer settles them
    CHOICES: tuple[Choice, ...]
    GAMES_PER_HAND: int  # the largest number of first wagers on one hand of cards

    def deck(self, options: Mapping[str, str]) -> Deck:
        """The cards that are shuffled."""

    def behind_cut(self, options: Mapping[str, str]) -> int:
        """The number of cards behind the cut card; the whole deck where every round is shuffled."""

    def kernel_data(self, options: Mapping[str, str]) -> Any:
        """The options and tables as the kernels take them."""

    def cards_needed(self, options: Mapping[str, str], seats: int) -> int:
        """The largest number of cards that a round with this many seats can use."""

    def dealing(self, kernel_data: Any, seats: Sequence[tuple[Array, Array]]) -> Iterator[tuple[int, int]]:
        """The receiver and the place of each card of the shoe in turn.

        `seats` holds each seat's shoe, which is filled card by card, and its choices. Between two cards,
        `(seat, CHOOSES)` lets a seat choose that has a choice open, and the dealer stops to move money:
        `(seat, COLLECTS)` takes what the seat has given up or bought, `(seat, SETTLES)` settles every
        wager of the seat that is decided, `(DEALER, SETTLES)` those of all seats. After the last card
        the dealer settles whatever is left. The receivers `DEALER` and `BOARD` count the places of their
        own area. A place beyond the player's cards is the dealer's card against that seat alone. Rules
        may define `hold_back(outcomes)`: before the last card it reopens outcomes that the cards decide
        already and the dealer settles later.
        """

    def legal(self, kernel_data: Any, shoe: Array, choices: Array) -> int:
        """A kernel: the choices that are open, a bit each; 0 when the round is over."""

    def visible(self, kernel_data: Any, shoe: Array, choices: Array, seen: Array) -> None:
        """A kernel: write each card of the shoe as the player may see it."""

    def settle(self, kernel_data: Any, shoe: Array, choices: Array, outcomes: Array) -> None:
        """A kernel: write the outcome of each spot, `OPEN` until the cards dealt so far decide it.

        Choices may run ahead of the cards. An outcome that is decided never changes.
        """

    def why(self, kernel_data: Any, shoe: Array, choices: Array, spot: str) -> str:
        """The hands behind a spot's outcome, in words."""

    def readings(self, held: Sequence[int]) -> Iterator[tuple[str, str]]:
        """The value of a hand in words: for each way to read it, its name and the reading."""
