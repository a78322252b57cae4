"""Ultimate Texas Hold'em: two cards each, five community cards; the earlier the raise, the larger it may be.

A seat's shoe: the player's two cards, the five community cards, the dealer's two cards.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from feltlab.core.cards import FACE_DOWN, Deck
from feltlab.core.hands import pocket, poker
from feltlab.core.layout import (
    ALIKE,
    BOARD,
    CHOOSES,
    NOT_PLACED,
    OPEN,
    SETTLES,
    Area,
    Choice,
    Option,
    Spot,
    are_known,
    board_area,
    dealer_area,
    packets,
    player_area,
    show,
)
from feltlab.core.paytable import PayTable, lose, push, win
from feltlab.kernel import Array, int64, lean

NAME = "ultimate-texas-holdem"
TITLE = "Ultimate Texas Hold'em"
SUMMARY = "Two cards each and five in common; one raise, the larger the earlier it is made."
DATE = "2026-11-17"
SUITS = ALIKE
STREETS = ("pre-flop", "flop", "river")

PLAY_WON, PLAY_LOST, PLAY_TIED = range(3)
PLAYED = PayTable("play", (win("better hand"), lose("worse hand"), push("tie")))

ANTE_FOLDED, ANTE_UNOPENED, ANTE_WON, ANTE_LOST, ANTE_TIED = range(5)
ANTE = PayTable(
    "ante",
    (lose("fold"), push("dealer does not open"), win("better hand"), lose("worse hand"), push("tie")),
)

BLIND_ROYAL, BLIND_STRAIGHT_FLUSH, BLIND_FOUR, BLIND_FULL_HOUSE, BLIND_FLUSH, BLIND_STRAIGHT = range(6)
BLIND_LESS, BLIND_LOST, BLIND_TIED, BLIND_FOLDED = range(6, 10)
BLIND = PayTable(
    "blind",
    (
        win("Royal Flush", 500),
        win("Straight Flush", 50),
        win("Four of a Kind", 10),
        win("Full House", 3),
        win("Flush", Fraction(3, 2)),
        win("Straight", 1),
        push("less than a straight"),
        lose("worse hand"),
        push("tie"),
        lose("fold"),
    ),
)

TRIPS_ROYAL, TRIPS_STRAIGHT_FLUSH, TRIPS_FOUR, TRIPS_FULL_HOUSE, TRIPS_FLUSH, TRIPS_STRAIGHT = range(6)
TRIPS_THREE, NO_TRIPS, TRIPS_FOLDED = range(6, 9)


def trips_table(name: str, *pays: int) -> PayTable:
    """Pays from a royal flush down to three of a kind."""
    hands = (
        "Royal Flush",
        "Straight Flush",
        "Four of a Kind",
        "Full House",
        "Flush",
        "Straight",
        "Three of a Kind",
    )
    wins = (win(hand, pay) for hand, pay in zip(hands, pays, strict=True))
    return PayTable(name, (*wins, lose("less than Three of a Kind"), lose("fold")))


TRIPS = (
    trips_table("1", 50, 40, 30, 9, 7, 4, 3),
    trips_table("2", 50, 40, 30, 8, 6, 5, 3),
    trips_table("3", 50, 40, 30, 8, 7, 4, 3),
    trips_table("4", 50, 40, 20, 7, 6, 5, 3),
)

BEAT_STRAIGHT_FLUSH, BEAT_FOUR, BEAT_FULL_HOUSE, BEAT_FLUSH, BEAT_STRAIGHT, BEAT_THREE, NO_BEAT = range(7)
BAD_BEAT = PayTable(
    "bad-beat",
    (
        win("Straight Flush", 7500),
        win("Four of a Kind", 500),
        win("Full House", 50),
        win("Flush", 30),
        win("Straight", 20),
        win("Three of a Kind", 9),
        lose("no bad beat"),
    ),
)

OPTIONS: tuple[Option, ...] = (
    Option("trips", tuple(t.name for t in TRIPS), "the Trips pay table"),
    Option("fold-loses-trips", ("no", "yes"), "does a fold lose Trips too?"),
)

SPOTS: tuple[Spot, ...] = (
    Spot("play", "Play", (PLAYED,), raises="ante", most_units=4),
    Spot("ante", "Ante", (ANTE,), required=True),
    Spot("blind", "Blind", (BLIND,), required=True, equals="ante"),
    Spot("trips", "Trips", TRIPS, option="trips", reads_dealer=False),
    Spot("bad-beat", "Bad Beat", (BAD_BEAT,)),
)
AT_PLAY, AT_ANTE, AT_BLIND, AT_TRIPS, AT_BAD_BEAT = range(5)

RAISE_4X, RAISE_3X, RAISE_2X, RAISE_1X, CHECK, FOLD = range(6)
CHOICES: tuple[Choice, ...] = (
    Choice("raise-4x", "4", "put down a Play wager of four times the Ante", "ante", puts=("play",) * 4),
    Choice("raise-3x", "3", "put down a Play wager of three times the Ante", "ante", puts=("play",) * 3),
    Choice("raise-2x", "2", "put down a Play wager of twice the Ante", "ante", puts=("play",) * 2),
    Choice("raise-1x", "1", "put down a Play wager equal to the Ante", "ante", puts=("play",)),
    Choice("check", "c", "wait for more community cards", "ante", house_rule=True),
    Choice(
        "fold", "f", "give up the Ante and the Blind", "ante", gives_up=("ante", "blind"), house_rule=True
    ),
)

HAND, COMMUNITY, FLOP = 2, 5, 3  # cards
AREAS: tuple[Area, ...] = (
    player_area(HAND, "the two cards", any_order=True),
    board_area(COMMUNITY, "the flop, then the turn and the river", any_order=True),
    dealer_area(HAND, "the two cards", any_order=True),
)
BOARD_END = HAND + COMMUNITY  # in a seat's shoe
GAMES_PER_HAND = 4


class UltimateHouse(NamedTuple):
    poker: poker.Tables
    fold_loses_trips: bool


def kernel_data(options: Mapping[str, str]) -> UltimateHouse:
    return UltimateHouse(poker.tables(), options["fold-loses-trips"] == "yes")


def deck(options: Mapping[str, str]) -> Deck:
    return Deck.standard()


def behind_cut(options: Mapping[str, str]) -> int:
    return len(deck(options))


def cards_needed(options: Mapping[str, str], seats: int) -> int:
    return HAND * (seats + 1) + COMMUNITY


def dealing(kernel_data: UltimateHouse, seats: Sequence[tuple[Array, Array]]) -> Iterator[tuple[int, int]]:
    """All cards first; then seats choose on each street, and what a fold loses is taken at once."""
    yield from packets(len(seats), HAND)
    for place in range(COMMUNITY):
        yield BOARD, place
    for street in range(len(STREETS)):
        for seat, (shoe, choices) in enumerate(seats):
            if len(choices) == street and legal(kernel_data, shoe, choices):
                yield seat, CHOOSES
            yield seat, SETTLES


@lean
def legal(kernel_data: UltimateHouse, shoe: Array, choices: Array) -> int:
    made = len(choices)
    if made == 0:
        return 1 << RAISE_4X | 1 << RAISE_3X | 1 << CHECK
    if choices[made - 1] != CHECK:
        return 0
    return 1 << RAISE_2X | 1 << CHECK if made == 1 else 1 << RAISE_1X | 1 << FOLD


@lean
def visible(kernel_data: UltimateHouse, shoe: Array, choices: Array, seen: Array) -> None:
    made = len(choices)
    if made > 0 and choices[made - 1] != CHECK:
        show(seen, shoe, len(shoe), FACE_DOWN)
    else:
        show(seen, shoe, HAND if made == 0 else HAND + FLOP if made == 1 else BOARD_END, FACE_DOWN)


@lean
def judge_blind(player: int) -> int:
    """The outcome of a Blind that is not beaten or tied, from the strength of the player's hand."""
    category = player >> 12
    return BLIND_STRAIGHT - (category - poker.STRAIGHT) if category >= poker.STRAIGHT else BLIND_LESS


@lean
def judge_trips(player: int) -> int:
    """The outcome of Trips from the strength of the player's hand."""
    category = player >> 12
    return TRIPS_THREE - (category - poker.THREE) if category >= poker.THREE else NO_TRIPS


@lean
def judge_bad_beat(player: int, dealer: int) -> int:
    """The outcome of Bad Beat from the strengths of both hands."""
    category = min(player, dealer) >> 12
    if player == dealer or category < poker.THREE:
        return NO_BEAT
    return BEAT_THREE - (category - poker.THREE)


@lean
def judge(kernel_data: UltimateHouse, choices: Array, player: int, dealer: int, outcomes: Array) -> None:
    """Write the outcome of every spot from the strengths of both hands, after the last choice."""
    if player == dealer:
        outcomes[AT_PLAY], outcomes[AT_ANTE], outcomes[AT_BLIND] = PLAY_TIED, ANTE_TIED, BLIND_TIED
    elif player < dealer:
        outcomes[AT_PLAY], outcomes[AT_ANTE], outcomes[AT_BLIND] = PLAY_LOST, ANTE_LOST, BLIND_LOST
    else:
        outcomes[AT_PLAY], outcomes[AT_ANTE], outcomes[AT_BLIND] = PLAY_WON, ANTE_WON, judge_blind(player)
    if dealer >> 12 < poker.PAIR:
        outcomes[AT_ANTE] = ANTE_UNOPENED
    outcomes[AT_TRIPS] = judge_trips(player)
    outcomes[AT_BAD_BEAT] = judge_bad_beat(player, dealer)
    if choices[len(choices) - 1] == FOLD:
        give_up(kernel_data, outcomes)


@lean
def give_up(kernel_data: UltimateHouse, outcomes: Array) -> None:
    """Write the outcomes of the wagers that a fold loses."""
    outcomes[AT_PLAY], outcomes[AT_ANTE], outcomes[AT_BLIND] = NOT_PLACED, ANTE_FOLDED, BLIND_FOLDED
    if kernel_data.fold_loses_trips:
        outcomes[AT_TRIPS] = TRIPS_FOLDED


@lean
def settle(kernel_data: UltimateHouse, shoe: Array, choices: Array, outcomes: Array) -> None:
    outcomes[:] = OPEN
    made = len(choices)
    if made == 0 or choices[made - 1] == CHECK:
        return
    if are_known(shoe[:BOARD_END]):
        player = poker.strength(kernel_data.poker, shoe[:BOARD_END])
        if are_known(shoe[BOARD_END:]):
            dealer = poker.strength(kernel_data.poker, shoe[HAND:])
            judge(kernel_data, choices, player, int64(dealer), outcomes)
            return
        outcomes[AT_TRIPS] = judge_trips(player)
    if choices[made - 1] == FOLD:
        give_up(kernel_data, outcomes)


def hold_back(outcomes: Array) -> None:
    """Before the last stop only what a fold loses is settled."""
    folded = ((AT_ANTE, ANTE_FOLDED), (AT_BLIND, BLIND_FOLDED), (AT_TRIPS, TRIPS_FOLDED))
    for spot in range(len(outcomes)):
        if (spot, outcomes[spot]) not in folded:
            outcomes[spot] = OPEN


def why(kernel_data: UltimateHouse, shoe: Array, choices: Array, spot: str) -> str:
    player = poker.read(shoe[:BOARD_END].tolist())
    if FOLD in choices and (spot in ("ante", "blind") or (spot == "trips" and kernel_data.fold_loses_trips)):
        return f"folded with {player.name}"
    if spot == "trips":
        return player.name
    return poker.describe_showdown(player, poker.read(shoe[HAND:].tolist()))


def readings(held: Sequence[int]) -> Iterator[tuple[str, str]]:
    if len(held) >= 5:
        yield "hand", poker.read(held).name
    elif len(held) == HAND:
        yield "hand", pocket.read(*held)
