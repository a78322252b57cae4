"""Casino War: one card each, the higher wins; a tie may go to war.

A seat's shoe: the player's card and war card, the dealer's card and war card.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from feltlab.core.cards import NOT_DEALT, RANK_NAMES, Deck
from feltlab.core.layout import (
    BURNT,
    CHOOSES,
    DEALER,
    OPEN,
    SETTLES,
    UNREAD,
    Area,
    Choice,
    Option,
    Spot,
    dealer_area,
    player_area,
    show,
)
from feltlab.core.paytable import PayTable, lose, win
from feltlab.kernel import Array, lean

NAME = "casino-war"
TITLE = "Casino War"
SUMMARY = "One card each; the higher wins, and a tie may go to war."
DATE = "2023-06-14"
SUITS = UNREAD

OPTIONS: tuple[Option, ...] = (
    Option("decks", tuple("12345678"), "how many decks are in the shoe", default="6"),
    Option("war", ("one", "each"), "is there one war for all seats, or a war for each?", procedure=True),
    Option("settling", ("pick-and-pay", "lay-and-pay"), "how the dealer settles each seat", procedure=True),
)

WIN, LOSE, SURRENDERED, WAR_WON, WAR_TIED, WAR_LOST = range(6)
PRIMARY = PayTable(
    "primary",
    (
        win("higher card", unraised=True),
        lose("lower card", unraised=True),
        lose("surrender", Fraction(-1, 2), unraised=True),
        win("war won", Fraction(1, 2)),
        win("war tied"),
        lose("war lost"),
    ),
)

TIED, NOT_TIED = range(2)
TIE = PayTable("tie", (win("tie", 10), lose("no tie")))

SPOTS: tuple[Spot, ...] = (
    Spot("primary", "Primary", (PRIMARY,), required=True, most_units=2),
    Spot("tie", "Tie", (TIE,)),
)

WAR, SURRENDER = range(2)
CHOICES: tuple[Choice, ...] = (
    Choice("war", "w", "match your wager and draw again", "primary", puts=("primary",)),
    Choice("surrender", "s", "give up half your wager", "primary", house_rule=True),
)

CARDS = 2  # of each side
ORDER = "the card, then the war card"
AREAS: tuple[Area, ...] = (player_area(CARDS, ORDER), dealer_area(CARDS, ORDER))
FIRST, AT_WAR, DEALERS, DEALERS_AT_WAR = range(4)
BURNED = 3  # before each side's war card
GAMES_PER_HAND = len(SPOTS)


class WarHouse(NamedTuple):
    decks: int
    war_for_each: bool


def kernel_data(options: Mapping[str, str]) -> WarHouse:
    return WarHouse(int(options["decks"]), options["war"] == "each")


def deck(options: Mapping[str, str]) -> Deck:
    return Deck.standard(int(options["decks"]))


def behind_cut(options: Mapping[str, str]) -> int:
    """A quarter of the shoe, but at least the cards that a full table can use."""
    return max(cards_needed(options, 7), len(deck(options)) // 4)


def cards_needed(options: Mapping[str, str], seats: int) -> int:
    wars = seats if options["war"] == "each" else 1
    return seats + 1 + seats + wars * (2 * BURNED + 1)


def dealing(kernel_data: WarHouse, seats: Sequence[tuple[Array, Array]]) -> Iterator[tuple[int, int]]:
    """One card each; then the seats are settled from the dealer's right, and those that tied choose.

    Each war follows its choice, or one war for all that go follows the last choice.
    """
    for seat in range(len(seats)):
        yield seat, 0
    yield DEALER, 0
    for seat, (shoe, choices) in reversed(list(enumerate(seats))):
        yield seat, SETTLES
        if legal(kernel_data, shoe, choices):
            yield seat, CHOOSES
        if kernel_data.war_for_each and WAR in choices:
            yield from war([seat], seat, DEALERS_AT_WAR)
        if len(choices):
            yield seat, SETTLES
    at_war = [seat for seat, (_, choices) in enumerate(seats) if WAR in choices]
    if at_war and not kernel_data.war_for_each:
        yield from war(at_war, DEALER, 1)


def war(seats: Sequence[int], against: int, place: int) -> Iterator[tuple[int, int]]:
    """Burn three, a card to each seat; burn three, a card to the dealer, against all seats or one."""
    yield from [(BURNT, 0)] * BURNED
    for seat in seats:
        yield seat, 1
    yield from [(BURNT, 0)] * BURNED
    yield against, place


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
    outcomes[:] = OPEN
    if shoe[FIRST] < 0 or shoe[DEALERS] < 0:
        return
    first = compare(shoe[FIRST], shoe[DEALERS])
    outcomes[1] = NOT_TIED if first else TIED
    if first:
        outcomes[0] = WIN if first > 0 else LOSE
    elif len(choices) == 0:
        return
    elif choices[0] == SURRENDER:
        outcomes[0] = SURRENDERED
    elif shoe[AT_WAR] >= 0 and shoe[DEALERS_AT_WAR] >= 0:
        second = compare(shoe[AT_WAR], shoe[DEALERS_AT_WAR])
        outcomes[0] = WAR_WON if second > 0 else WAR_TIED if second == 0 else WAR_LOST


def why(kernel_data: WarHouse, shoe: Array, choices: Array, spot: str) -> str:
    pairs = [(FIRST, DEALERS)]
    if spot == "primary" and WAR in choices:
        pairs.append((AT_WAR, DEALERS_AT_WAR))
    against = (f"{RANK_NAMES[shoe[p] >> 2]} against {RANK_NAMES[shoe[d] >> 2]}" for p, d in pairs)
    return ", then ".join(against)


def readings(held: Sequence[int]) -> Iterator[tuple[str, str]]:
    if 1 <= len(held) <= CARDS:
        yield from zip(("card", "war card"), (RANK_NAMES[card >> 2] for card in held), strict=False)
