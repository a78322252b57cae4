"""Rabbit Hunter Stud Poker: five cards each, and a sixth that the player may buy.

A seat's shoe: the player's five cards and the sixth, the dealer's five cards.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from feltlab.core.cards import FACE_DOWN, RANKS, Deck
from feltlab.core.hands import poker
from feltlab.core.layout import (
    ALIKE,
    BURNT,
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
from feltlab.core.paytable import PayTable, lose, push, refund, win
from feltlab.kernel import Array, lean

NAME = "rabbit-hunter"
TITLE = "Rabbit Hunter Stud Poker"
SUMMARY = "Five cards each, and a sixth face down that you may buy."
DATE = "2023-06-14"
SUITS = ALIKE

OPTIONS: tuple[Option, ...] = ()

PRICE = PayTable("sixth-card", (lose("bought"),))

FOLDED, UNOPPOSED, WON, LOST, TIED = range(5)
ANTE = PayTable(
    "ante",
    (
        lose("fold"),
        refund("dealer does not qualify"),
        win("better hand"),
        lose("worse hand"),
        push("tie"),
    ),
)

PLAY_WON, PLAY_LOST, PLAY_TIED = range(3)
PLAYED = PayTable("play", (win("better hand"), lose("worse hand"), push("tie")))

ROYAL, STRAIGHT_FLUSH, FOUR, FULL_HOUSE, FLUSH, STRAIGHT, THREE, TWO_PAIR, TENS, NO_TENS, TENS_FOLDED = range(
    11
)
TENS_UP = PayTable(
    "tens-up",
    (
        win("Royal Flush", 500),
        win("Straight Flush", 100),
        win("Four of a Kind", 50),
        win("Full House", 30),
        win("Flush", 10),
        win("Straight", 7),
        win("Three of a Kind", 5),
        win("Two Pair", 2),
        win("Tens Up", 1),
        lose("less than a pair of Tens"),
        lose("fold"),
    ),
)

BEATEN, NOT_BEATEN, BEAT_FOLDED = range(3)
BAD_BEAT = PayTable("bad-beat", (win("bad beat", 10), lose("no bad beat"), lose("fold")))

SPOTS: tuple[Spot, ...] = (
    Spot("sixth-card", "Sixth Card", (PRICE,), raises="ante"),
    Spot("ante", "Ante", (ANTE,), required=True),
    Spot("play", "Play", (PLAYED,), raises="ante"),
    Spot("tens-up", "Tens Up", (TENS_UP,), at_most="ante", reads_dealer=False),
    Spot("bad-beat", "Two Way Bad Beat", (BAD_BEAT,)),
)
AT_SIXTH, AT_ANTE, AT_PLAY, AT_TENS_UP, AT_BAD_BEAT = range(5)

FOLD, PLAY, BUY = range(3)
CHOICES: tuple[Choice, ...] = (
    Choice(
        "fold",
        "f",
        "give up all your wagers",
        "ante",
        gives_up=("ante", "tens-up", "bad-beat"),
        house_rule=True,
    ),
    Choice("play", "p", "put down a Play wager equal to the Ante", "ante", puts=("play",)),
    Choice("buy", "b", "play, and buy the sixth card for as much again", "ante", puts=("play", "sixth-card")),
)

PLAYER_CARDS, DEALER_CARDS = 6, 5
AREAS: tuple[Area, ...] = (
    player_area(PLAYER_CARDS, "the five cards, then the sixth", any_order=True),
    dealer_area(DEALER_CARDS, "the five cards, without the burned one", any_order=True),
)
SIXTH = 5
PACKET = 6
GAMES_PER_HAND = 3
QUALIFIES = poker.ACE_HIGH
PAIR_OF_TENS = poker.pair_of(RANKS.index("T"))


class RabbitHouse(NamedTuple):
    poker: poker.Tables


def kernel_data(options: Mapping[str, str]) -> RabbitHouse:
    return RabbitHouse(poker.tables())


def deck(options: Mapping[str, str]) -> Deck:
    return Deck.standard()


def behind_cut(options: Mapping[str, str]) -> int:
    return len(deck(options))


def cards_needed(options: Mapping[str, str], seats: int) -> int:
    return PACKET * (seats + 1)


def dealing(kernel_data: RabbitHouse, seats: Sequence[tuple[Array, Array]]) -> Iterator[tuple[int, int]]:
    """The top card of each player's packet is set aside as the sixth card; the dealer's is burned."""
    for seat in range(len(seats)):
        for place in (SIXTH, *range(SIXTH)):
            yield seat, place
    yield BURNT, 0
    for place in range(DEALER_CARDS):
        yield DEALER, place
    for seat, (shoe, choices) in enumerate(seats):
        if legal(kernel_data, shoe, choices):
            yield seat, CHOOSES
        yield seat, COLLECTS


@lean
def legal(kernel_data: RabbitHouse, shoe: Array, choices: Array) -> int:
    return 1 << FOLD | 1 << PLAY | 1 << BUY if len(choices) == 0 else 0


@lean
def visible(kernel_data: RabbitHouse, shoe: Array, choices: Array, seen: Array) -> None:
    show(seen, shoe, len(shoe) if len(choices) else SIXTH, FACE_DOWN)
    if len(choices) and choices[0] != BUY:
        seen[SIXTH] = FACE_DOWN


@lean
def judge(player: int, dealer: int) -> tuple[int, int, int]:
    """The outcomes of Ante, Play and Bad Beat for a player who plays, from the strengths of the hands."""
    beaten = BEATEN if player != dealer and min(player, dealer) >= PAIR_OF_TENS else NOT_BEATEN
    qualified = dealer >= QUALIFIES
    if player > dealer:
        return WON if qualified else UNOPPOSED, PLAY_WON, beaten
    if player < dealer:
        return LOST if qualified else UNOPPOSED, PLAY_LOST, beaten
    return TIED if qualified else UNOPPOSED, PLAY_TIED, beaten


@lean
def judge_tens_up(player: int) -> int:
    """The outcome of Tens Up from the strength of the hand that the player ends with."""
    if player < PAIR_OF_TENS:
        return NO_TENS
    return TENS - ((player >> 12) - poker.PAIR)


@lean
def settle(kernel_data: RabbitHouse, shoe: Array, choices: Array, outcomes: Array) -> None:
    outcomes[:] = OPEN
    if len(choices) == 0:
        return
    if choices[0] == FOLD:
        outcomes[AT_SIXTH] = outcomes[AT_PLAY] = NOT_PLACED
        outcomes[AT_ANTE] = FOLDED
        outcomes[AT_TENS_UP] = TENS_FOLDED
        outcomes[AT_BAD_BEAT] = BEAT_FOLDED
        return
    bought = choices[0] == BUY
    outcomes[AT_SIXTH] = 0 if bought else NOT_PLACED
    if not are_known(shoe[: PLAYER_CARDS if bought else SIXTH]):
        return
    player = poker.strength(kernel_data.poker, shoe[: PLAYER_CARDS if bought else SIXTH])
    outcomes[AT_TENS_UP] = judge_tens_up(player)
    if are_known(shoe[PLAYER_CARDS:]):
        dealer = poker.strength(kernel_data.poker, shoe[PLAYER_CARDS:])
        outcomes[AT_ANTE], outcomes[AT_PLAY], outcomes[AT_BAD_BEAT] = judge(player, dealer)


def why(kernel_data: RabbitHouse, shoe: Array, choices: Array, spot: str) -> str:
    bought = BUY in choices
    player = poker.read(shoe[: PLAYER_CARDS if bought else SIXTH].tolist())
    if spot == "sixth-card":
        return "the price stays with the house"
    if FOLD in choices:
        return f"folded with {player.name}"
    if spot == "tens-up":
        return player.name
    dealer = poker.read(shoe[PLAYER_CARDS:].tolist())
    if spot == "ante" and dealer.strength < QUALIFIES:
        return f"{player.name} against {dealer.name}"
    return poker.describe_showdown(player, dealer)


def readings(held: Sequence[int]) -> Iterator[tuple[str, str]]:
    if SIXTH <= len(held) <= PLAYER_CARDS:
        yield "hand", poker.read(held).name
