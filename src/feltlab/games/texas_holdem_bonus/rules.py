"""Texas Hold'em Bonus: pay twice the Ante to see the flop, then bet on the turn and on the river, or not.

A seat's shoe: the player's two cards, the five community cards, the dealer's two cards.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from feltlab.core.cards import ACE, FACE_DOWN, RANKS, Deck
from feltlab.core.hands import pocket, poker
from feltlab.core.layout import (
    ALIKE,
    BOARD,
    CHOOSES,
    COLLECTS,
    NOT_PLACED,
    ON_STREET,
    OPEN,
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

NAME = "texas-holdem-bonus"
TITLE = "Texas Hold'em Bonus"
SUMMARY = "Two cards each and five in common; pay to see the flop, then bet or check."
DATE = "2026-11-17"
SUITS = ALIKE
STREETS = ("pre-flop", "turn", "river")

WON, LOST, TIED = range(3)
SHOWDOWN = (win("better hand"), lose("worse hand"), push("tie"))

ANTE_FOLDED, ANTE_WON, ANTE_TOO_LOW, ANTE_LOST, ANTE_TIED = range(5)
ANTE = PayTable(
    "ante",
    (
        lose("fold"),
        win("better hand"),
        push("better hand, too low to pay"),
        lose("worse hand"),
        push("tie"),
    ),
)

ACES_TWICE, ACES, ACE_KING_SUITED, ACE_FACE_SUITED, ACE_KING, HIGH_PAIR, ACE_FACE, LOW_PAIR = range(8)
NO_BONUS, BONUS_FOLDED = range(8, 10)


def bonus_table(name: str, aces_twice: int = 0) -> PayTable:
    """Aces against aces without a line of their own are paid as aces."""
    aces = 30
    return PayTable(
        name,
        (
            win("A-A against the dealer's A-A", aces_twice or aces, listed=aces_twice > 0),
            win("A-A", aces),
            win("A-K suited", 25),
            win("A-Q or A-J suited", 20),
            win("A-K", 15),
            win("K-K, Q-Q or J-J", 10),
            win("A-Q or A-J", 5),
            win("2-2 to T-T", 3),
            lose("no bonus hand"),
            lose("fold"),
        ),
    )


BONUS = (bonus_table("1", aces_twice=1000), bonus_table("2"))

STRAIGHT, FLUSH = "straight", "flush"
OPTIONS: tuple[Option, ...] = (
    Option("ante-pays-from", (STRAIGHT, FLUSH), "the lowest better hand with which the Ante wins"),
    Option("bonus", tuple(t.name for t in BONUS), "the Bonus pay table"),
)

SPOTS: tuple[Spot, ...] = (
    Spot("flop", "Flop", (PayTable("flop", SHOWDOWN),), raises="ante", size=Fraction(2)),
    Spot("turn", "Turn", (PayTable("turn", SHOWDOWN),), raises="ante"),
    Spot("river", "River", (PayTable("river", SHOWDOWN),), raises="ante"),
    Spot("ante", "Ante", (ANTE,), required=True),
    Spot("bonus", "Bonus", BONUS, option="bonus"),
)
AT_FLOP, AT_TURN, AT_RIVER, AT_ANTE, AT_BONUS = range(5)

PLAY, FOLD, BET, CHECK = range(4)
CHOICES: tuple[Choice, ...] = (
    Choice("play", "p", "put down a Flop wager of twice the Ante", "ante", puts=("flop",)),
    Choice(
        "fold", "f", "give up the Ante and the Bonus", "ante", gives_up=("ante", "bonus"), house_rule=True
    ),
    Choice("bet", "b", "bet once the Ante on this street", "ante", puts=(ON_STREET,)),
    Choice("check", "c", "bet nothing on this street", "ante", house_rule=True),
)

HAND, COMMUNITY, FLOP_CARDS = 2, 5, 3
AREAS: tuple[Area, ...] = (
    player_area(HAND, "the two cards", any_order=True),
    board_area(COMMUNITY, "the flop, the turn, the river", any_order=True),
    dealer_area(HAND, "the two cards", any_order=True),
)
BOARD_END = HAND + COMMUNITY  # in a seat's shoe
GAMES_PER_HAND = 2
JACK, QUEEN, KING = (RANKS.index(rank) for rank in "JQK")


class HoldemBonusHouse(NamedTuple):
    poker: poker.Tables
    ante_pays_from: int  # a category


def kernel_data(options: Mapping[str, str]) -> HoldemBonusHouse:
    lowest = poker.STRAIGHT if options["ante-pays-from"] == STRAIGHT else poker.FLUSH
    return HoldemBonusHouse(poker.tables(), lowest)


def deck(options: Mapping[str, str]) -> Deck:
    return Deck.standard()


def behind_cut(options: Mapping[str, str]) -> int:
    return len(deck(options))


def cards_needed(options: Mapping[str, str], seats: int) -> int:
    return HAND * (seats + 1) + COMMUNITY


def dealing(kernel_data: HoldemBonusHouse, seats: Sequence[tuple[Array, Array]]) -> Iterator[tuple[int, int]]:
    """All cards first; then every seat that has not folded chooses on each street."""
    yield from packets(len(seats), HAND)
    for place in range(COMMUNITY):
        yield BOARD, place
    for street in range(len(STREETS)):
        for seat, (shoe, choices) in enumerate(seats):
            if len(choices) == street and legal(kernel_data, shoe, choices):
                yield seat, CHOOSES
            yield seat, COLLECTS


@lean
def legal(kernel_data: HoldemBonusHouse, shoe: Array, choices: Array) -> int:
    if len(choices) == 0:
        return 1 << PLAY | 1 << FOLD
    return 0 if is_over(choices) else 1 << BET | 1 << CHECK


@lean
def is_over(choices: Array) -> bool:
    """Has the player made the last choice?"""
    return len(choices) == 3 or (len(choices) > 0 and choices[0] == FOLD)


@lean
def visible(kernel_data: HoldemBonusHouse, shoe: Array, choices: Array, seen: Array) -> None:
    made = len(choices)
    if is_over(choices):
        show(seen, shoe, len(shoe), FACE_DOWN)
    else:
        show(seen, shoe, HAND if made == 0 else HAND + FLOP_CARDS + made - 1, FACE_DOWN)


@lean
def judge(
    kernel_data: HoldemBonusHouse, choices: Array, player: int, dealer: int, bonus: int, outcomes: Array
) -> None:
    """Write every outcome from the strengths of both hands and the Bonus, for a player who plays."""
    result = WON if player > dealer else LOST if player < dealer else TIED
    outcomes[AT_FLOP] = result
    outcomes[AT_TURN] = result if choices[1] == BET else NOT_PLACED
    outcomes[AT_RIVER] = result if choices[2] == BET else NOT_PLACED
    if result == WON:
        outcomes[AT_ANTE] = ANTE_WON if player >> 12 >= kernel_data.ante_pays_from else ANTE_TOO_LOW
    else:
        outcomes[AT_ANTE] = ANTE_LOST if result == LOST else ANTE_TIED
    outcomes[AT_BONUS] = bonus


@lean
def give_up(outcomes: Array) -> None:
    """Write the outcomes of a fold."""
    outcomes[AT_FLOP] = outcomes[AT_TURN] = outcomes[AT_RIVER] = NOT_PLACED
    outcomes[AT_ANTE], outcomes[AT_BONUS] = ANTE_FOLDED, BONUS_FOLDED


@lean
def judge_bonus(first: int, second: int) -> int:
    """The outcome of the Bonus by the player's two cards, unless both sides have aces."""
    high, low = max(first, second) >> 2, min(first, second) >> 2
    if high == low:
        return ACES if high == ACE else HIGH_PAIR if high >= JACK else LOW_PAIR
    if high < ACE or low < JACK:
        return NO_BONUS
    suited = first & 3 == second & 3
    if low == KING:
        return ACE_KING_SUITED if suited else ACE_KING
    return ACE_FACE_SUITED if suited else ACE_FACE


@lean
def settle(kernel_data: HoldemBonusHouse, shoe: Array, choices: Array, outcomes: Array) -> None:
    outcomes[:] = OPEN
    if not is_over(choices):
        return
    if choices[0] == FOLD:
        give_up(outcomes)
        return
    if not are_known(shoe[:HAND]):
        return
    bonus = judge_bonus(shoe[0], shoe[1])
    if are_known(shoe):
        if bonus == ACES and shoe[BOARD_END] >> 2 == ACE and shoe[BOARD_END + 1] >> 2 == ACE:
            bonus = ACES_TWICE
        player = poker.strength(kernel_data.poker, shoe[:BOARD_END])
        dealer = poker.strength(kernel_data.poker, shoe[HAND:])
        judge(kernel_data, choices, player, dealer, bonus, outcomes)
    elif bonus != ACES:
        outcomes[AT_BONUS] = int64(bonus)


def why(kernel_data: HoldemBonusHouse, shoe: Array, choices: Array, spot: str) -> str:
    mine = pocket.read(*shoe[:HAND].tolist())
    if FOLD in choices:
        return f"folded with {mine}"
    if spot == "bonus":
        dealers = pocket.read(*shoe[BOARD_END:].tolist())
        return f"{mine} against {dealers}" if judge_bonus(*shoe[:HAND].tolist()) == ACES else mine
    player, dealer = poker.read(shoe[:BOARD_END].tolist()), poker.read(shoe[HAND:].tolist())
    return poker.describe_showdown(player, dealer)


def readings(held: Sequence[int]) -> Iterator[tuple[str, str]]:
    if len(held) >= 5:
        yield "hand", poker.read(held).name
    elif len(held) == HAND:
        yield "hand", pocket.read(*held)
