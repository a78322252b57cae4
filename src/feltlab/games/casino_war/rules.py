"""Casino War: one card each, the higher wins; a tie may go to war.

A seat's shoe: the player's card and war card, the dealer's card and war card.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from feltlab.core.cards import NOT_DEALT, RANK_NAMES, Deck
from feltlab.core.layout import BURNT, CHOOSES, DEALER, Choice, Option, Spot, show
from feltlab.core.paytable import PayTable, lose, win
from feltlab.kernel import Array, lean

NAME = "casino-war"
TITLE = "Casino War"
SUMMARY = "One card each; the higher wins, and a tie may go to war."
DATE = "2023-06-14"
PLAYER_ORDER = "the card, then the war card"
DEALER_ORDER = "the card, then the war card"

OPTIONS: tuple[Option, ...] = (
    Option("decks", tuple("12345678"), "how many decks are in the shoe", default="6"),
)

WIN, LOSE, SURRENDERED, WAR_WON, WAR_TIED, WAR_LOST = range(6)
PRIMARY = PayTable(
    "primary",
    (
        win("higher card"),
        lose("lower card"),
        lose("surrender", Fraction(-1, 2)),
        win("war won", Fraction(1, 2), staked=2),
        win("war tied", 1, staked=2),
        lose("war lost", staked=2),
    ),
)

TIED, NOT_TIED = range(2)
TIE = PayTable("tie", (win("tie", 10), lose("no tie")))

SPOTS: tuple[Spot, ...] = (
    Spot("primary", "Primary", (PRIMARY,), required=True),
    Spot("tie", "Tie", (TIE,)),
)

WAR, SURRENDER = range(2)
CHOICES: tuple[Choice, ...] = (
    Choice("war", "w", "match your wager and draw again", "primary", puts=("primary",)),
    Choice("surrender", "s", "give up half your wager", "primary", house_rule=True),
)

PLAYER_CARDS = DEALER_CARDS = 2
FIRST, AT_WAR, DEALERS, DEALERS_AT_WAR = range(4)
BURNED = 3  # before each side's war card
GAMES_PER_HAND = len(SPOTS)


class WarHouse(NamedTuple):
    decks: int


def kernel_data(options: Mapping[str, str]) -> WarHouse:
    return WarHouse(int(options["decks"]))


def deck(options: Mapping[str, str]) -> Deck:
    return Deck.standard(int(options["decks"]))


def behind_cut(options: Mapping[str, str]) -> int:
    """A quarter of the shoe, but at least the cards that a full table can use."""
    return max(cards_needed(7), len(deck(options)) // 4)


def cards_needed(seats: int) -> int:
    return 2 * (seats + 1) + 2 * BURNED


def dealing(kernel_data: WarHouse, seats: Sequence[tuple[Array, Array]]) -> Iterator[tuple[int, int]]:
    """One card each; seats that tied choose, from the dealer's right; then one war for all that go."""
    for seat in range(len(seats)):
        yield seat, 0
    yield DEALER, 0
    for seat, (shoe, choices) in reversed(list(enumerate(seats))):
        if legal(kernel_data, shoe, choices):
            yield seat, CHOOSES
    at_war = [seat for seat, (_, choices) in enumerate(seats) if WAR in choices]
    if at_war:
        yield from [(BURNT, 0)] * BURNED
        for seat in at_war:
            yield seat, 1
        yield from [(BURNT, 0)] * BURNED
        yield DEALER, 1


@lean
def compare(player: int, dealer: int) -> int:
    """1, 0 or -1 as the player's card is higher, equal or lower; the ace is high."""
    if player >> 2 == dealer >> 2:
        return 0
    return 1 if player >> 2 > dealer >> 2 else -1


@lean
def legal(kernel_data: WarHouse, shoe: Array, choices: Array) -> int:
    if len(choices) == 0 and shoe[FIRST] >= 0 and compare(shoe[FIRST], shoe[DEALERS]) == 0:
        return 1 << WAR | 1 << SURRENDER
    return 0


@lean
def visible(kernel_data: WarHouse, shoe: Array, choices: Array, seen: Array) -> None:
    show(seen, shoe, len(shoe), NOT_DEALT)
    if len(choices) == 0 or choices[0] != WAR:
        seen[AT_WAR] = seen[DEALERS_AT_WAR] = NOT_DEALT


@lean
def settle(kernel_data: WarHouse, shoe: Array, choices: Array, outcomes: Array) -> None:
    first = compare(shoe[FIRST], shoe[DEALERS])
    outcomes[1] = NOT_TIED if first else TIED
    if first:
        outcomes[0] = WIN if first > 0 else LOSE
    elif choices[0] == SURRENDER:
        outcomes[0] = SURRENDERED
    else:
        second = compare(shoe[AT_WAR], shoe[DEALERS_AT_WAR])
        outcomes[0] = WAR_WON if second > 0 else WAR_TIED if second == 0 else WAR_LOST


def why(kernel_data: WarHouse, shoe: Array, choices: Array, spot: str) -> str:
    pairs = [(FIRST, DEALERS)]
    if spot == "primary" and WAR in choices:
        pairs.append((AT_WAR, DEALERS_AT_WAR))
    against = (f"{RANK_NAMES[shoe[p] >> 2]} against {RANK_NAMES[shoe[d] >> 2]}" for p, d in pairs)
    return ", then ".join(against)


def readings(held: Sequence[int]) -> Iterator[tuple[str, str]]:
    if 1 <= len(held) <= PLAYER_CARDS:
        yield from zip(("card", "war card"), (RANK_NAMES[card >> 2] for card in held), strict=False)
