"""Crazy 4 Poker: five cards each, the best four count; three times the Ante with a pair of aces or better.

A seat's shoe: the player's five cards, the dealer's five cards.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import comb
from typing import NamedTuple

from feltlab.core.cards import ACE, FACE_DOWN, RANKS, Deck
from feltlab.core.hands import four_card, poker
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

NAME = "crazy-4-poker"
TITLE = "Crazy 4 Poker"
SUMMARY = "Five cards each, the best four count; play up to three times the Ante with aces or better."
DATE = "2026-11-17"
SUITS = ALIKE

ANTE_FOLDED, ANTE_UNOPPOSED, ANTE_WON, ANTE_LOST, ANTE_TIED = range(5)
ANTE = PayTable(
    "ante",
    (lose("fold"), push("dealer does not qualify"), win("better hand"), lose("worse hand"), push("tie")),
)

PLAY_UNOPPOSED, PLAY_WON, PLAY_LOST, PLAY_TIED = range(4)
PLAYED = PayTable(
    "play",
    (win("dealer does not qualify"), win("better hand"), lose("worse hand"), push("tie")),
)

FOUR_ACES, SUPER_FOUR = range(2)
SUPER_STRAIGHT = SUPER_FOUR + four_card.FOUR - four_card.STRAIGHT
SUPER_PUSHED, SUPER_LOST, SUPER_FOLDED = range(SUPER_STRAIGHT + 1, SUPER_STRAIGHT + 4)
SUPER_BONUS = PayTable(
    "super-bonus",
    (
        win("four Aces", 200),
        win("Four of a Kind", 30),
        win("Straight Flush", 15),
        win("Three of a Kind", 2),
        win("Flush", Fraction(3, 2)),
        win("Straight"),
        push("less than a straight"),
        lose("worse hand, less than a straight"),
        lose("fold"),
    ),
)

QUEENS_PAIR = four_card.FOUR - four_card.PAIR
LESS_THAN_QUEENS, QUEENS_FOLDED = QUEENS_PAIR + 1, QUEENS_PAIR + 2


def queens_up_table(name: str, straight_flush: int, three: int) -> PayTable:
    return PayTable(
        name,
        (
            win("Four of a Kind", 50),
            win("Straight Flush", straight_flush),
            win("Three of a Kind", three),
            win("Flush", 4),
            win("Straight", 3),
            win("Two Pair", 2),
            win("pair of Queens or better"),
            lose("less than a pair of Queens"),
            lose("fold"),
        ),
    )


QUEENS_UP = (
    queens_up_table("1", 40, 8),
    queens_up_table("2", 40, 9),
    queens_up_table("3", 30, 9),
    queens_up_table("4", 30, 8),
    queens_up_table("5", 40, 7),
)

OPTIONS: tuple[Option, ...] = (
    Option("queens-up", tuple(table.name for table in QUEENS_UP), "the Queens Up pay table"),
)

MOST_UNITS = 3  # of Play
SPOTS: tuple[Spot, ...] = (
    Spot("ante", "Ante", (ANTE,), required=True),
    Spot("play", "Play", (PLAYED,), raises="ante", most_units=MOST_UNITS),
    Spot("super-bonus", "Super Bonus", (SUPER_BONUS,), equals="ante"),
    Spot("queens-up", "Queens Up", QUEENS_UP, option="queens-up", reads_dealer=False),
)
AT_ANTE, AT_PLAY, AT_SUPER_BONUS, AT_QUEENS_UP = range(4)

PLAY_3X, PLAY_2X, PLAY_1X, FOLD = range(4)
CHOICES: tuple[Choice, ...] = (
    Choice("play-3x", "3", "put down a Play wager of three times the Ante", "ante", puts=("play",) * 3),
    Choice("play-2x", "2", "put down a Play wager of twice the Ante", "ante", puts=("play",) * 2),
    Choice("play-1x", "1", "put down a Play wager equal to the Ante", "ante", puts=("play",)),
    Choice(
        "fold",
        "f",
        "give up all wagers",
        "ante",
        gives_up=("ante", "super-bonus", "queens-up"),
        house_rule=True,
    ),
)

HAND = 5  # cards of each side
AREAS: tuple[Area, ...] = (
    player_area(HAND, "the five cards", any_order=True),
    dealer_area(HAND, "the five cards", any_order=True),
)
GAMES_PER_HAND = 3
QUALIFIES = four_card.HIGH_CARD << 12 | comb(RANKS.index("K"), four_card.SIZE)  # king high: no lower four
RAISES = four_card.PAIR << 12 | ACE << 8  # the least hand that may play more than the Ante
QUEENS = four_card.PAIR << 12 | RANKS.index("Q") << 8


class Crazy4House(NamedTuple):
    tables: poker.Tables  # of four-card hands


def kernel_data(options: Mapping[str, str]) -> Crazy4House:
    return Crazy4House(four_card.tables())


def deck(options: Mapping[str, str]) -> Deck:
    return Deck.standard()


def behind_cut(options: Mapping[str, str]) -> int:
    return len(deck(options))


def cards_needed(options: Mapping[str, str], seats: int) -> int:
    return HAND * (seats + 1)


def dealing(kernel_data: Crazy4House, seats: Sequence[tuple[Array, Array]]) -> Iterator[tuple[int, int]]:
    yield from packets(len(seats), HAND)
    for seat, (shoe, choices) in enumerate(seats):
        if legal(kernel_data, shoe, choices):
            yield seat, CHOOSES
        yield seat, COLLECTS


@lean
def legal(kernel_data: Crazy4House, shoe: Array, choices: Array) -> int:
    if len(choices):
        return 0
    always = 1 << PLAY_1X | 1 << FOLD
    if not are_known(shoe[:HAND]) or four_card.strength(kernel_data.tables, shoe[:HAND]) < RAISES:
        return always
    return always | 1 << PLAY_2X | 1 << PLAY_3X


@lean
def visible(kernel_data: Crazy4House, shoe: Array, choices: Array, seen: Array) -> None:
    show(seen, shoe, len(shoe) if len(choices) else HAND, FACE_DOWN)


@lean
def judge_showdown(player: int, dealer: int) -> tuple[int, int]:
    """The outcomes of Ante and Play for a player who plays, from the strengths of the hands."""
    if dealer < QUALIFIES:
        return ANTE_UNOPPOSED, PLAY_UNOPPOSED
    if player > dealer:
        return ANTE_WON, PLAY_WON
    if player < dealer:
        return ANTE_LOST, PLAY_LOST
    return ANTE_TIED, PLAY_TIED


@lean
def judge_super_bonus(player: int, ante: int) -> int:
    """The outcome of the Super Bonus, from the strength of the player's hand and the outcome of the Ante."""
    category = player >> 12
    if category < four_card.STRAIGHT:
        return SUPER_LOST if ante == ANTE_LOST else SUPER_PUSHED
    if category == four_card.FOUR and player >> 8 & 15 == ACE:
        return FOUR_ACES
    return SUPER_FOUR + four_card.FOUR - category


@lean
def judge_queens_up(player: int) -> int:
    """The outcome of Queens Up from the strength of the player's hand."""
    return four_card.FOUR - (player >> 12) if player >= QUEENS else LESS_THAN_QUEENS


@lean
def judge(kernel_data: Crazy4House, choice: int, player: int, dealer: int, outcomes: Array) -> None:
    """Write the outcome of every spot from the strengths of the hands."""
    if choice == FOLD:
        outcomes[AT_ANTE], outcomes[AT_PLAY] = ANTE_FOLDED, NOT_PLACED
        outcomes[AT_SUPER_BONUS], outcomes[AT_QUEENS_UP] = SUPER_FOLDED, QUEENS_FOLDED
    else:
        ante, outcomes[AT_PLAY] = judge_showdown(player, dealer)
        outcomes[AT_ANTE] = ante
        outcomes[AT_SUPER_BONUS] = judge_super_bonus(player, ante)
        outcomes[AT_QUEENS_UP] = judge_queens_up(player)


@lean
def settle(kernel_data: Crazy4House, shoe: Array, choices: Array, outcomes: Array) -> None:
    outcomes[:] = OPEN
    if len(choices) == 0:
        return
    if choices[0] == FOLD:
        judge(kernel_data, FOLD, 0, 0, outcomes)
    elif are_known(shoe[:HAND]):
        player = four_card.strength(kernel_data.tables, shoe[:HAND])
        if are_known(shoe[HAND:]):
            dealer = four_card.strength(kernel_data.tables, shoe[HAND:])
            judge(kernel_data, choices[0], player, dealer, outcomes)
        else:
            outcomes[AT_QUEENS_UP] = judge_queens_up(player)


def why(kernel_data: Crazy4House, shoe: Array, choices: Array, spot: str) -> str:
    player = four_card.read(shoe[:HAND].tolist())
    if FOLD in choices:
        return f"folded with {player.name}"
    if spot == "queens-up" or (spot == "super-bonus" and player.strength >> 12 >= four_card.STRAIGHT):
        return player.name
    dealer = four_card.read(shoe[HAND:].tolist())
    if dealer.strength < QUALIFIES:
        return f"{player.name} against {dealer.name}"
    return four_card.describe_showdown(player, dealer)


def readings(held: Sequence[int]) -> Iterator[tuple[str, str]]:
    if four_card.SIZE <= len(held) <= HAND:
        yield "best four", four_card.read(held).name
