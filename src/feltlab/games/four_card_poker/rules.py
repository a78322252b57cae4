"""Four Card Poker: the best four of five cards against the dealer's best four of six; equal hands win.

A seat's shoe: the player's five cards, the dealer's up card, the dealer's five other cards.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from feltlab.core.cards import ACE, FACE_DOWN, Deck
from feltlab.core.hands import four_card, poker
from feltlab.core.layout import (
    ALIKE,
    CHOOSES,
    COLLECTS,
    DEALER,
    NOT_PLACED,
    OPEN,
    Area,
    Choice,
    Option,
    Spot,
    are_known,
    dealer_area,
    player_area,
    show,
)
from feltlab.core.paytable import PayTable, lose, push, win
from feltlab.kernel import Array, lean

NAME = "four-card-poker"
TITLE = "Four Card Poker"
SUMMARY = "The best four of five cards against the dealer's best four of six."
DATE = "2026-11-17"
SUITS = ALIKE

PLAY_WON, PLAY_LOST = range(2)
PLAYED = PayTable("play", (win("better or equal hand"), lose("worse hand")))

ANTE_FOLDED, ANTE_WON, ANTE_LOST = range(3)
ANTE = PayTable("ante", (lose("fold"), win("better or equal hand"), lose("worse hand")))

BONUS_FOUR, BONUS_STRAIGHT_FLUSH, BONUS_THREE, NO_BONUS = range(4)
BONUS = PayTable(
    "bonus",
    (
        win("Four of a Kind", 25),
        win("Straight Flush", 20),
        win("Three of a Kind", 2),
        push("no bonus"),
    ),
)

UP_FOUR, UP_STRAIGHT_FLUSH, UP_THREE, UP_FLUSH, UP_STRAIGHT, UP_TWO_PAIR, UP_ACES, LESS_THAN_ACES = range(8)


def aces_up_table(name: str, *pays: int) -> PayTable:
    """Pays of four of a kind, straight flush, three, flush, straight, two pair and a pair of aces."""
    hands = (
        "Four of a Kind",
        "Straight Flush",
        "Three of a Kind",
        "Flush",
        "Straight",
        "Two Pair",
        "pair of Aces",
    )
    wins = (win(hand, pay) for hand, pay in zip(hands, pays, strict=True))
    return PayTable(name, (*wins, lose("less than a pair of Aces")))


ACES_UP = (
    aces_up_table("1", 50, 40, 9, 6, 4, 2, 1),
    aces_up_table("2", 50, 30, 7, 6, 5, 2, 1),
    aces_up_table("3", 50, 40, 8, 5, 4, 3, 1),
    aces_up_table("4", 50, 40, 7, 5, 4, 3, 1),
    aces_up_table("5", 50, 40, 8, 6, 5, 2, 1),
    aces_up_table("6", 50, 40, 9, 5, 4, 2, 1),
)

OPTIONS: tuple[Option, ...] = (Option("aces-up", tuple(t.name for t in ACES_UP), "the Aces Up pay table"),)

SPOTS: tuple[Spot, ...] = (
    Spot("play", "Play", (PLAYED,), raises="ante", most_units=3),
    Spot("ante", "Ante", (ANTE,)),
    Spot("bonus", "Bonus", (BONUS,), bonus_on="ante", reads_dealer=False),
    Spot("aces-up", "Aces Up", ACES_UP, option="aces-up", reads_dealer=False),
)
AT_PLAY, AT_ANTE, AT_BONUS, AT_ACES_UP = range(4)

PLAY_3X, PLAY_2X, PLAY_1X, FOLD = range(4)
CHOICES: tuple[Choice, ...] = (
    Choice("play-3x", "3", "put down three times the Ante", "ante", puts=("play",) * 3),
    Choice("play-2x", "2", "put down twice the Ante", "ante", puts=("play",) * 2),
    Choice("play-1x", "1", "put down a Play wager equal to the Ante", "ante", puts=("play",)),
    Choice("fold", "f", "give up the Ante", "ante", gives_up=("ante",), house_rule=True),
)

HAND, DEALER_HAND = 5, 6  # cards of each side
UP_CARD = HAND  # its place in the shoe
AREAS: tuple[Area, ...] = (
    player_area(HAND, "the five cards", any_order=True),
    dealer_area(DEALER_HAND, "the up card, then the other five", any_order=True),
)
GAMES_PER_HAND = 2
PAIR_OF_ACES = four_card.pair_of(ACE)


class FourCardHouse(NamedTuple):
    hands: poker.Tables  # of four-card hands


def kernel_data(options: Mapping[str, str]) -> FourCardHouse:
    return FourCardHouse(four_card.tables())


def deck(options: Mapping[str, str]) -> Deck:
    return Deck.standard()


def behind_cut(options: Mapping[str, str]) -> int:
    return len(deck(options))


def cards_needed(options: Mapping[str, str], seats: int) -> int:
    return HAND * seats + DEALER_HAND


def dealing(kernel_data: FourCardHouse, seats: Sequence[tuple[Array, Array]]) -> Iterator[tuple[int, int]]:
    for seat in range(len(seats)):
        for place in range(HAND):
            yield seat, place
    for place in range(DEALER_HAND):
        yield DEALER, place
    for seat, (shoe, choices) in enumerate(seats):
        if legal(kernel_data, shoe, choices):
            yield seat, CHOOSES
        yield seat, COLLECTS


@lean
def legal(kernel_data: FourCardHouse, shoe: Array, choices: Array) -> int:
    return 1 << PLAY_3X | 1 << PLAY_2X | 1 << PLAY_1X | 1 << FOLD if len(choices) == 0 else 0


@lean
def visible(kernel_data: FourCardHouse, shoe: Array, choices: Array, seen: Array) -> None:
    show(seen, shoe, len(shoe) if len(choices) else UP_CARD + 1, FACE_DOWN)


@lean
def judge_showdown(player: int, dealer: int) -> tuple[int, int]:
    """The outcomes of Play and Ante for a player who plays, from the strengths of the hands."""
    return (PLAY_WON, ANTE_WON) if player >= dealer else (PLAY_LOST, ANTE_LOST)


@lean
def judge_bonus(player: int) -> int:
    """The outcome of the bonus on the Ante from the strength of the player's hand."""
    category = player >> 12
    return four_card.FOUR - category if category >= four_card.THREE else NO_BONUS


@lean
def judge_aces_up(player: int) -> int:
    """The outcome of Aces Up from the strength of the player's hand."""
    if player < PAIR_OF_ACES:
        return LESS_THAN_ACES
    return four_card.FOUR - (player >> 12)


@lean
def judge(kernel_data: FourCardHouse, choice: int, player: int, dealer: int, outcomes: Array) -> None:
    """Write the outcome of every spot from the strengths of the hands."""
    outcomes[AT_ACES_UP] = judge_aces_up(player)
    if choice == FOLD:
        outcomes[AT_PLAY], outcomes[AT_ANTE], outcomes[AT_BONUS] = NOT_PLACED, ANTE_FOLDED, NO_BONUS
    else:
        outcomes[AT_PLAY], outcomes[AT_ANTE] = judge_showdown(player, dealer)
        outcomes[AT_BONUS] = judge_bonus(player)


@lean
def settle(kernel_data: FourCardHouse, shoe: Array, choices: Array, outcomes: Array) -> None:
    outcomes[:] = OPEN
    folded = len(choices) > 0 and choices[0] == FOLD
    if folded:
        outcomes[AT_PLAY], outcomes[AT_ANTE], outcomes[AT_BONUS] = NOT_PLACED, ANTE_FOLDED, NO_BONUS
    if not are_known(shoe[:HAND]):
        return
    player = four_card.strength(kernel_data.hands, shoe[:HAND])
    outcomes[AT_ACES_UP] = judge_aces_up(player)
    if folded or len(choices) == 0:
        return
    outcomes[AT_BONUS] = judge_bonus(player)
    if are_known(shoe[HAND:]):
        judge(kernel_data, choices[0], player, four_card.strength(kernel_data.hands, shoe[HAND:]), outcomes)


def why(kernel_data: FourCardHouse, shoe: Array, choices: Array, spot: str) -> str:
    player = four_card.read(shoe[:HAND].tolist())
    if spot == "aces-up":
        return player.name
    if FOLD in choices:
        return f"folded with {player.name}"
    if spot == "bonus":
        return player.name
    return four_card.describe_showdown(player, four_card.read(shoe[HAND:].tolist()))


def readings(held: Sequence[int]) -> Iterator[tuple[str, str]]:
    if four_card.SIZE <= len(held) <= DEALER_HAND:
        yield "hand", four_card.read(held).name
