"""DJ Wild Stud Poker: five cards each against the dealer; deuces and the joker are wild.

A seat's shoe: the player's five cards, the dealer's five cards.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from feltlab.core.cards import FACE_DOWN, Deck
from feltlab.core.hands import wild
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

NAME = "dj-wild"
TITLE = "DJ Wild Stud Poker"
SUMMARY = "Five cards each, deuces and the joker wild; play twice the Ante or fold."
DATE = "2026-11-17"
SUITS = ALIKE
OPTIONS: tuple[Option, ...] = ()

PLAY_WON, PLAY_LOST, PLAY_TIED = range(3)
PLAYED = PayTable("play", (win("better hand"), lose("worse hand"), push("tie")))

ANTE_FOLDED, ANTE_WON, ANTE_LOST, ANTE_TIED = range(4)
ANTE = PayTable("ante", (lose("fold"), win("better hand"), lose("worse hand"), push("tie")))

BLIND_STRAIGHT, BLIND_LESS, BLIND_LOST, BLIND_TIED, BLIND_FOLDED = range(7, 12)
BLIND = PayTable(
    "blind",
    (
        win("Five Wilds", 1000),
        win("Royal Flush", 50),
        win("Five of a Kind", 10),
        win("Straight Flush", 9),
        win("Four of a Kind", 4),
        win("Full House", 3),
        win("Flush", 2),
        win("Straight", 1),
        push("less than a straight"),
        lose("worse hand"),
        push("tie"),
        lose("fold"),
    ),
)

SPOTS: tuple[Spot, ...] = (
    Spot("play", "Play", (PLAYED,), raises="ante", size=Fraction(2)),
    Spot("ante", "Ante", (ANTE,), required=True),
    Spot("blind", "Blind", (BLIND,), equals="ante"),
)
AT_PLAY, AT_ANTE, AT_BLIND = range(3)

PLAY, FOLD = range(2)
CHOICES: tuple[Choice, ...] = (
    Choice("play", "p", "put down a Play wager of twice the Ante", "ante", puts=("play",)),
    Choice("fold", "f", "give up Ante and Blind", "ante", gives_up=("ante", "blind"), house_rule=True),
)

HAND = 5  # cards of each side
AREAS: tuple[Area, ...] = (
    player_area(HAND, "the five cards", any_order=True),
    dealer_area(HAND, "the five cards", any_order=True),
)
GAMES_PER_HAND = 2


class WildHouse(NamedTuple):
    hands: wild.WildTables


def kernel_data(options: Mapping[str, str]) -> WildHouse:
    return WildHouse(wild.tables())


def deck(options: Mapping[str, str]) -> Deck:
    return Deck.standard(joker=True)


def behind_cut(options: Mapping[str, str]) -> int:
    return len(deck(options))


def cards_needed(options: Mapping[str, str], seats: int) -> int:
    return HAND * (seats + 1)


def dealing(kernel_data: WildHouse, seats: Sequence[tuple[Array, Array]]) -> Iterator[tuple[int, int]]:
    yield from packets(len(seats), HAND)
    for seat, (shoe, choices) in enumerate(seats):
        if legal(kernel_data, shoe, choices):
            yield seat, CHOOSES
        yield seat, COLLECTS


@lean
def legal(kernel_data: WildHouse, shoe: Array, choices: Array) -> int:
    return 1 << PLAY | 1 << FOLD if len(choices) == 0 else 0


@lean
def visible(kernel_data: WildHouse, shoe: Array, choices: Array, seen: Array) -> None:
    show(seen, shoe, len(shoe) if len(choices) else HAND, FACE_DOWN)


@lean
def judge_showdown(player: int, dealer: int) -> tuple[int, int, int]:
    """The outcomes of Play, Ante and Blind for a player who plays, from the strengths of the hands."""
    if player < dealer:
        return PLAY_LOST, ANTE_LOST, BLIND_LOST
    if player == dealer:
        return PLAY_TIED, ANTE_TIED, BLIND_TIED
    category = player >> 12
    if category < wild.STRAIGHT:
        return PLAY_WON, ANTE_WON, BLIND_LESS
    return PLAY_WON, ANTE_WON, BLIND_STRAIGHT - (category - wild.STRAIGHT)


@lean
def judge(kernel_data: WildHouse, choice: int, player: int, dealer: int, outcomes: Array) -> None:
    """Write the outcome of every spot from the strengths of the hands."""
    if choice == FOLD:
        outcomes[AT_PLAY], outcomes[AT_ANTE], outcomes[AT_BLIND] = NOT_PLACED, ANTE_FOLDED, BLIND_FOLDED
    else:
        outcomes[AT_PLAY], outcomes[AT_ANTE], outcomes[AT_BLIND] = judge_showdown(player, dealer)


@lean
def settle(kernel_data: WildHouse, shoe: Array, choices: Array, outcomes: Array) -> None:
    outcomes[:] = OPEN
    if len(choices) == 0:
        return
    if choices[0] == FOLD:
        judge(kernel_data, FOLD, 0, 0, outcomes)
    elif are_known(shoe):
        player = wild.strength(kernel_data.hands, shoe[:HAND])
        dealer = wild.strength(kernel_data.hands, shoe[HAND:])
        judge(kernel_data, PLAY, player, dealer, outcomes)


def why(kernel_data: WildHouse, shoe: Array, choices: Array, spot: str) -> str:
    player = wild.read(shoe[:HAND].tolist())
    if FOLD in choices:
        return f"folded with {player.name}"
    return wild.describe_showdown(player, wild.read(shoe[HAND:].tolist()))


def readings(held: Sequence[int]) -> Iterator[tuple[str, str]]:
    if len(held) == HAND:
        yield "hand", wild.read(held).name
