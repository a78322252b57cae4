"""Caribbean Stud Poker: five cards each, one of the dealer's face up; raise twice the Ante or fold.

A seat's shoe: the player's five cards, the dealer's up card, the dealer's other four cards.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import comb
from typing import NamedTuple

from feltlab.core.cards import FACE_DOWN, Deck
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

NAME = "caribbean-stud"
TITLE = "Caribbean Stud Poker"
SUMMARY = "Five cards each, one of the dealer's face up; raise twice the Ante or fold."
DATE = "2026-11-17"
SUITS = ALIKE

ANTE_FOLDED, ANTE_UNOPPOSED, ANTE_WON, ANTE_LOST, ANTE_TIED = range(5)
ANTE = PayTable(
    "ante",
    (lose("fold"), win("dealer does not qualify"), win("better hand"), lose("worse hand"), push("tie")),
)

WON_WITH_LESS = poker.ROYAL - poker.PAIR  # the outcome of a Raise that wins with a pair or less
RAISE_UNOPPOSED, RAISE_LOST, RAISE_TIED = range(WON_WITH_LESS + 1, WON_WITH_LESS + 4)


def raise_table(name: str, royal: int) -> PayTable:
    return PayTable(
        name,
        (
            win("Royal Flush", royal),
            win("Straight Flush", 50),
            win("Four of a Kind", 20),
            win("Full House", 7),
            win("Flush", 5),
            win("Straight", 4),
            win("Three of a Kind", 3),
            win("Two Pair", 2),
            win("less than two pair"),
            push("dealer does not qualify"),
            lose("worse hand"),
            push("tie"),
        ),
    )


RAISE_PAYS = (raise_table("1", 100), raise_table("2", 250))

OPTIONS: tuple[Option, ...] = (
    Option("pays", tuple(table.name for table in RAISE_PAYS), "the pay table of the Raise"),
)

SPOTS: tuple[Spot, ...] = (
    Spot("ante", "Ante", (ANTE,), required=True),
    Spot("raise", "Raise", RAISE_PAYS, option="pays", raises="ante", size=Fraction(2)),
)
AT_ANTE, AT_RAISE = range(2)

RAISE, FOLD = range(2)
CHOICES: tuple[Choice, ...] = (
    Choice("raise", "r", "put down a Raise of twice the Ante", "ante", puts=("raise",)),
    Choice("fold", "f", "give up the Ante", "ante", gives_up=("ante",), house_rule=True),
)

HAND = 5  # cards of each side
UP_CARD = HAND  # its place
AREAS: tuple[Area, ...] = (
    player_area(HAND, "the five cards", any_order=True),
    dealer_area(HAND, "the up card, then the other four", any_order=True),
)
GAMES_PER_HAND = 1
QUALIFIES = poker.HIGH_CARD << 12 | poker.ACE_HIGH + comb(11, 4)  # ace and king, then any three


class CaribbeanHouse(NamedTuple):
    poker: poker.Tables


def kernel_data(options: Mapping[str, str]) -> CaribbeanHouse:
    return CaribbeanHouse(poker.tables())


def deck(options: Mapping[str, str]) -> Deck:
    return Deck.standard()


def behind_cut(options: Mapping[str, str]) -> int:
    return len(deck(options))


def cards_needed(options: Mapping[str, str], seats: int) -> int:
    return HAND * (seats + 1)


def dealing(kernel_data: CaribbeanHouse, seats: Sequence[tuple[Array, Array]]) -> Iterator[tuple[int, int]]:
    yield from packets(len(seats), HAND)
    for seat, (shoe, choices) in enumerate(seats):
        if legal(kernel_data, shoe, choices):
            yield seat, CHOOSES
        yield seat, COLLECTS


@lean
def legal(kernel_data: CaribbeanHouse, shoe: Array, choices: Array) -> int:
    return 1 << RAISE | 1 << FOLD if len(choices) == 0 else 0


@lean
def visible(kernel_data: CaribbeanHouse, shoe: Array, choices: Array, seen: Array) -> None:
    show(seen, shoe, len(shoe) if len(choices) else UP_CARD + 1, FACE_DOWN)


@lean
def judge_showdown(player: int, dealer: int) -> tuple[int, int]:
    """The outcomes of Ante and Raise for a player who raises, from the strengths of the hands."""
    if dealer < QUALIFIES:
        return ANTE_UNOPPOSED, RAISE_UNOPPOSED
    if player < dealer:
        return ANTE_LOST, RAISE_LOST
    if player == dealer:
        return ANTE_TIED, RAISE_TIED
    return ANTE_WON, min(poker.ROYAL - (player >> 12), WON_WITH_LESS)


@lean
def judge(kernel_data: CaribbeanHouse, choice: int, player: int, dealer: int, outcomes: Array) -> None:
    """Write the outcome of every spot from the strengths of the hands."""
    if choice == FOLD:
        outcomes[AT_ANTE], outcomes[AT_RAISE] = ANTE_FOLDED, NOT_PLACED
    else:
        outcomes[AT_ANTE], outcomes[AT_RAISE] = judge_showdown(player, dealer)


@lean
def settle(kernel_data: CaribbeanHouse, shoe: Array, choices: Array, outcomes: Array) -> None:
    outcomes[:] = OPEN
    if len(choices) == 0:
        return
    if choices[0] == FOLD:
        judge(kernel_data, FOLD, 0, 0, outcomes)
    elif are_known(shoe):
        player = poker.strength(kernel_data.poker, shoe[:HAND])
        dealer = poker.strength(kernel_data.poker, shoe[HAND:])
        judge(kernel_data, RAISE, player, dealer, outcomes)


def why(kernel_data: CaribbeanHouse, shoe: Array, choices: Array, spot: str) -> str:
    player = poker.read(shoe[:HAND].tolist())
    if FOLD in choices:
        return f"folded with {player.name}"
    dealer = poker.read(shoe[HAND:].tolist())
    if dealer.strength < QUALIFIES:
        return f"{player.name} against {dealer.name}"
    return poker.describe_showdown(player, dealer)


def readings(held: Sequence[int]) -> Iterator[tuple[str, str]]:
    if len(held) == HAND:
        yield "hand", poker.read(held).name
