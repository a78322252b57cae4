"""Six Card Poker: six cards each, three of the dealer's face up; the best five compare.

A seat's shoe: the player's six cards, the dealer's three cards that are turned up, the dealer's last three.
"""

from collections.abc import Iterator, Mapping, Sequence
from math import comb
from typing import NamedTuple

from feltlab.core.cards import FACE_DOWN, RANKS, Deck
from feltlab.core.hands import poker
from feltlab.core.layout import (
    ALIKE,
    CHOOSES,
    COLLECTS,
    NOT_PLACED,
    OPEN,
    Area,
    Choice,
    Option,
    Spot,
    are_known,
    dealer_area,
    packets,
    player_area,
    show,
)
from feltlab.core.paytable import PayTable, lose, push, win
from feltlab.kernel import Array, lean

NAME = "six-card-poker"
TITLE = "Six Card Poker"
SUMMARY = "Six cards each, three of the dealer's face up; raise or fold, the best five win."
DATE = "2026-11-17"
SUITS = ALIKE

ANTE_FOLDED, ANTE_UNOPPOSED, ANTE_WON, ANTE_LOST, ANTE_TIED = range(5)
ANTE = PayTable(
    "ante",
    (lose("fold"), push("dealer does not qualify"), win("better hand"), lose("worse hand"), push("tie")),
)

RAISE_WON, RAISE_LOST, RAISE_TIED = range(3)
RAISED = PayTable("raise", (win("better hand"), lose("worse hand"), push("tie")))

OPTIONS: tuple[Option, ...] = ()

SPOTS: tuple[Spot, ...] = (
    Spot("ante", "Ante", (ANTE,), required=True),
    Spot("raise", "Raise", (RAISED,), raises="ante"),
)
AT_ANTE, AT_RAISE = range(2)

RAISE, FOLD = range(2)
CHOICES: tuple[Choice, ...] = (
    Choice("raise", "r", "put down a Raise equal to the Ante", "ante", puts=("raise",)),
    Choice("fold", "f", "give up the Ante", "ante", gives_up=("ante",), house_rule=True),
)

HAND = 6  # cards of each side
UP = 3  # of the dealer's cards
AREAS: tuple[Area, ...] = (
    player_area(HAND, "the six cards", any_order=True),
    dealer_area(HAND, "the three cards that are turned up, then the other three", any_order=True),
)
GAMES_PER_HAND = 1
QUALIFIES = poker.ACE_HIGH + comb(RANKS.index("K"), 4)  # ace and king: above every ace-high without a king


class SixCardHouse(NamedTuple):
    poker: poker.Tables


def kernel_data(options: Mapping[str, str]) -> SixCardHouse:
    return SixCardHouse(poker.tables())


def deck(options: Mapping[str, str]) -> Deck:
    return Deck.standard()


def behind_cut(options: Mapping[str, str]) -> int:
    return len(deck(options))


def cards_needed(options: Mapping[str, str], seats: int) -> int:
    return HAND * (seats + 1)


def dealing(kernel_data: SixCardHouse, seats: Sequence[tuple[Array, Array]]) -> Iterator[tuple[int, int]]:
    yield from packets(len(seats), HAND)
    for seat, (shoe, choices) in enumerate(seats):
        if legal(kernel_data, shoe, choices):
            yield seat, CHOOSES
        yield seat, COLLECTS


@lean
def legal(kernel_data: SixCardHouse, shoe: Array, choices: Array) -> int:
    return 1 << RAISE | 1 << FOLD if len(choices) == 0 else 0


@lean
def visible(kernel_data: SixCardHouse, shoe: Array, choices: Array, seen: Array) -> None:
    show(seen, shoe, len(shoe) if len(choices) else HAND + UP, FACE_DOWN)


@lean
def judge(player: int, dealer: int) -> tuple[int, int]:
    """The outcomes of Ante and Raise for a player who raises, from the strengths of the hands."""
    if player > dealer:
        raised, ante = RAISE_WON, ANTE_WON
    elif player < dealer:
        raised, ante = RAISE_LOST, ANTE_LOST
    else:
        raised, ante = RAISE_TIED, ANTE_TIED
    return ante if dealer >= QUALIFIES else ANTE_UNOPPOSED, raised


@lean
def settle(kernel_data: SixCardHouse, shoe: Array, choices: Array, outcomes: Array) -> None:
    outcomes[:] = OPEN
    if len(choices) == 0:
        return
    if choices[0] == FOLD:
        outcomes[AT_ANTE], outcomes[AT_RAISE] = ANTE_FOLDED, NOT_PLACED
    elif are_known(shoe):
        player = poker.strength(kernel_data.poker, shoe[:HAND])
        dealer = poker.strength(kernel_data.poker, shoe[HAND:])
        outcomes[AT_ANTE], outcomes[AT_RAISE] = judge(player, dealer)


def why(kernel_data: SixCardHouse, shoe: Array, choices: Array, spot: str) -> str:
    player = poker.read(shoe[:HAND].tolist())
    if FOLD in choices:
        return f"folded with {player.name}"
    dealer = poker.read(shoe[HAND:].tolist())
    if spot == "ante" and dealer.strength < QUALIFIES:
        return f"{dealer.name} does not qualify"
    return poker.describe_showdown(player, dealer)


def readings(held: Sequence[int]) -> Iterator[tuple[str, str]]:
    if len(held) == HAND:
        yield "hand", poker.read(held).name
