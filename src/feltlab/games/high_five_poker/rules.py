"""High Five Poker: seven cards each from 53, the best five against the dealer's.

A seat's shoe: the player's seven cards, the dealer's seven cards.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from feltlab.core.cards import ACE, FACE_DOWN, RANKS, Deck
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

NAME = "high-five-poker"
TITLE = "High Five Poker"
SUMMARY = "Seven cards each and a joker; your best five against the dealer's."
DATE = "2023-06-14"
SUITS = ALIKE

ANTE_FOLDED, ANTE_UNOPPOSED, ANTE_WON, ANTE_LOST, ANTE_TIED = range(5)
ANTE = PayTable(
    "ante",
    (
        lose("fold"),
        win("dealer does not qualify"),
        win("better hand"),
        lose("worse hand"),
        push("tie"),
    ),
)

PLAY_UNOPPOSED, PLAY_UNOPPOSED_STRAIGHT, PLAY_WON, PLAY_LOST, PLAY_TIED = range(5)
PLAYED = PayTable(
    "play",
    (
        push("dealer does not qualify"),
        win("dealer does not qualify, straight or better"),
        win("better hand"),
        lose("worse hand"),
        push("tie"),
    ),
)

(
    FIVE_ACES, ROYAL, STRAIGHT_FLUSH, FOUR, FULL_HOUSE_ACES, FULL_HOUSE, FLUSH, STRAIGHT, THREE, NO_TRIPS,
) = range(10)  # fmt: skip


def trips(name: str, full_house_of_aces: int) -> PayTable:
    return PayTable(
        name,
        (
            win("Five Aces", 200),
            win("Royal Flush", 100),
            win("Straight Flush", 50),
            win("Four of a Kind", 40),
            win("Full House (Aces Up)", full_house_of_aces),
            win("Full House (Other)", 7),
            win("Flush", 4),
            win("Straight", 2),
            win("Three of a Kind", 1),
            lose("less than Three of a Kind"),
        ),
    )


TRIPS = (trips("APP-01", 20), trips("APP-02", 25), trips("APP-03", 15))

OPTIONS: tuple[Option, ...] = (Option("trips", tuple(t.name for t in TRIPS), "the Trips pay table"),)

SPOTS: tuple[Spot, ...] = (
    Spot("play", "Play", (PLAYED,), raises="ante"),
    Spot("ante", "Ante", (ANTE,), required=True),
    Spot("trips", "Trips", TRIPS, option="trips", reads_dealer=False),
)
AT_PLAY, AT_ANTE, AT_TRIPS = range(3)

PLAY, FOLD = range(2)
CHOICES: tuple[Choice, ...] = (
    Choice("play", "p", "put down a Play wager equal to the Ante", "ante", puts=("play",)),
    Choice("fold", "f", "give up the Ante", "ante", gives_up=("ante",), house_rule=True),
)

HAND = 7  # cards of each side
AREAS: tuple[Area, ...] = (
    player_area(HAND, "the seven cards", any_order=True),
    dealer_area(HAND, "the seven cards", any_order=True),
)
GAMES_PER_HAND = 2
QUALIFIES = poker.pair_of(RANKS.index("6"))


class HighFiveHouse(NamedTuple):
    poker: poker.Tables


def kernel_data(options: Mapping[str, str]) -> HighFiveHouse:
    return HighFiveHouse(poker.tables())


def deck(options: Mapping[str, str]) -> Deck:
    return Deck.standard(joker=True)


def behind_cut(options: Mapping[str, str]) -> int:
    return len(deck(options))


def cards_needed(options: Mapping[str, str], seats: int) -> int:
    return HAND * (seats + 1)


def dealing(kernel_data: HighFiveHouse, seats: Sequence[tuple[Array, Array]]) -> Iterator[tuple[int, int]]:
    yield from packets(len(seats), HAND)
    for seat, (shoe, choices) in enumerate(seats):
        if legal(kernel_data, shoe, choices):
            yield seat, CHOOSES
        yield seat, COLLECTS


@lean
def legal(kernel_data: HighFiveHouse, shoe: Array, choices: Array) -> int:
    return 1 << PLAY | 1 << FOLD if len(choices) == 0 else 0


@lean
def visible(kernel_data: HighFiveHouse, shoe: Array, choices: Array, seen: Array) -> None:
    show(seen, shoe, len(shoe) if len(choices) else HAND, FACE_DOWN)


@lean
def judge(player: int, dealer: int) -> tuple[int, int]:
    """The outcomes of Play and Ante for a player who plays, from the strengths of the hands."""
    if dealer < QUALIFIES:
        return PLAY_UNOPPOSED_STRAIGHT if player >= poker.STRAIGHT << 12 else PLAY_UNOPPOSED, ANTE_UNOPPOSED
    if player > dealer:
        return PLAY_WON, ANTE_WON
    return (PLAY_LOST, ANTE_LOST) if player < dealer else (PLAY_TIED, ANTE_TIED)


@lean
def judge_trips(player: int) -> int:
    """The outcome of Trips from the strength of the player's hand."""
    category = player >> 12
    if category < poker.THREE:
        return NO_TRIPS
    if category < poker.FULL_HOUSE:
        return THREE - (category - poker.THREE)
    if category == poker.FULL_HOUSE:
        return FULL_HOUSE_ACES if player >> 8 & 15 == ACE else FULL_HOUSE
    return FOUR - (category - poker.FOUR)


@lean
def settle(kernel_data: HighFiveHouse, shoe: Array, choices: Array, outcomes: Array) -> None:
    outcomes[:] = OPEN
    if not are_known(shoe[:HAND]):
        return
    player = poker.strength(kernel_data.poker, shoe[:HAND])
    outcomes[AT_TRIPS] = judge_trips(player)
    if len(choices) == 0:
        return
    if choices[0] == FOLD:
        outcomes[AT_PLAY] = NOT_PLACED
        outcomes[AT_ANTE] = ANTE_FOLDED
    elif are_known(shoe[HAND:]):
        dealer = poker.strength(kernel_data.poker, shoe[HAND:])
        outcomes[AT_PLAY], outcomes[AT_ANTE] = judge(player, dealer)


def why(kernel_data: HighFiveHouse, shoe: Array, choices: Array, spot: str) -> str:
    player = poker.read(shoe[:HAND].tolist())
    if spot == "trips":
        return player.name
    if FOLD in choices:
        return f"folded with {player.name}"
    dealer = poker.read(shoe[HAND:].tolist())
    if dealer.strength < QUALIFIES:
        return f"{player.name} against {dealer.name}"
    return poker.describe_showdown(player, dealer)


def readings(held: Sequence[int]) -> Iterator[tuple[str, str]]:
    if len(held) == HAND:
        yield "hand", poker.read(held).name
