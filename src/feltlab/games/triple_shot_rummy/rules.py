"""Triple Shot Rummy: three cards each, the fewest points win; two side bets on the cards.

A seat's shoe: the player's three cards, the dealer's three cards.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from feltlab.core.cards import FACE_DOWN, Deck
from feltlab.core.hands import poker, rummy, three_card
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

NAME = "triple-shot-rummy"
TITLE = "Triple Shot Rummy"
SUMMARY = "Three cards each; the fewest rummy points win, with two side bets."
DATE = "2017-12-20"
SUITS = ALIKE

PLAY_UNOPPOSED, PLAY_ZERO, PLAY_FIVE, PLAY_NINETEEN, PLAY_LOST, PLAY_TIED = range(6)
PLAYED = PayTable(
    "play",
    (
        push("dealer does not play"),
        win("fewer points with 0", 4),
        win("fewer points with 1 to 5", 2),
        win("fewer points with 6 to 19", 1),
        lose("more points"),
        push("tie"),
    ),
)

ANTE_FOLDED, ANTE_UNOPPOSED, ANTE_WON, ANTE_LOST, ANTE_TIED = range(5)
ANTE = PayTable(
    "ante",
    (
        lose("fold"),
        win("dealer does not play"),
        win("fewer points"),
        lose("more points"),
        push("tie"),
    ),
)

PLUS_ROYAL, PLUS_STRAIGHT_FLUSH, PLUS_THREE, PLUS_STRAIGHT, PLUS_FLUSH, PLUS_PAIR, NO_PAIR = range(7)


def pair_plus(name: str, straight: int, flush: int, royal: int = 0) -> PayTable:
    """A royal flush without a line of its own is paid as a straight flush."""
    straight_flush = 40
    return PayTable(
        name,
        (
            win("Royal Flush", royal or straight_flush, listed=royal > 0),
            win("Straight Flush", straight_flush),
            win("Three of a Kind", 30),
            win("Straight", straight),
            win("Flush", flush),
            win("Pair", 1),
            lose("less than a Pair"),
        ),
    )


PAIR_PLUS = (
    pair_plus("1", straight=6, flush=4),
    pair_plus("2", straight=5, flush=4),
    pair_plus("3", straight=6, flush=3),
    pair_plus("4", straight=6, flush=4, royal=50),
    pair_plus("5", straight=5, flush=4, royal=50),
    pair_plus("6", straight=6, flush=3, royal=50),
)

ROYAL, STRAIGHT_FLUSH, FOUR, FULL_HOUSE, FLUSH, STRAIGHT, THREE, NO_THREE = range(8)


def six_card_bonus(name: str, four: int, full_house: int, flush: int, straight: int, three: int) -> PayTable:
    return PayTable(
        name,
        (
            win("Royal Flush", 1000),
            win("Straight Flush", 200),
            win("Four of a Kind", four),
            win("Full House", full_house),
            win("Flush", flush),
            win("Straight", straight),
            win("Three of a Kind", three),
            lose("less than Three of a Kind"),
        ),
    )


SIX_CARD_BONUS = (
    six_card_bonus("1", four=50, full_house=25, flush=20, straight=10, three=5),
    six_card_bonus("2", four=50, full_house=25, flush=15, straight=10, three=5),
    six_card_bonus("3", four=100, full_house=20, flush=15, straight=9, three=8),
    six_card_bonus("4", four=100, full_house=20, flush=15, straight=10, three=7),
)

OPTIONS: tuple[Option, ...] = (
    Option("pair-plus", tuple(t.name for t in PAIR_PLUS), "the Pair Plus pay table"),
    Option("six-card-bonus", tuple(t.name for t in SIX_CARD_BONUS), "the 6 Card Bonus pay table"),
    Option("ante-mandatory", ("no", "yes"), "must every seat make the Ante wager?"),
    Option("two-positions", ("no", "yes"), "may one player hold two adjacent seats?", second_seat=True),
    Option("settling", ("pick-and-pay", "lay-and-pay"), "how the dealer settles each seat", procedure=True),
    Option("dealt-by", ("shuffler", "hand"), "who shuffles the cards", procedure=True),
)

SPOTS: tuple[Spot, ...] = (
    Spot("play", "Play", (PLAYED,), raises="ante"),
    Spot("ante", "Ante", (ANTE,), required_by="ante-mandatory"),
    Spot("pair-plus", "Pair Plus", PAIR_PLUS, option="pair-plus", reads_dealer=False, called=True),
    Spot("six-card-bonus", "6 Card Bonus", SIX_CARD_BONUS, option="six-card-bonus"),
)
AT_PLAY, AT_ANTE, AT_PAIR_PLUS, AT_SIX_CARD_BONUS = range(4)

PLAY, FOLD = range(2)
CHOICES: tuple[Choice, ...] = (
    Choice("play", "p", "put down a Play wager equal to the Ante", "ante", puts=("play",)),
    Choice("fold", "f", "give up the Ante; other wagers stay", "ante", gives_up=("ante",), house_rule=True),
)

HAND = 3  # cards of each side
AREAS: tuple[Area, ...] = (
    player_area(HAND, "the three cards", any_order=True),
    dealer_area(HAND, "the three cards", any_order=True),
)
GAMES_PER_HAND = 4
DEALER_PLAYS = 20  # points or fewer


class RummyHouse(NamedTuple):
    poker: poker.Tables


def kernel_data(options: Mapping[str, str]) -> RummyHouse:
    return RummyHouse(poker.tables())


def deck(options: Mapping[str, str]) -> Deck:
    return Deck.standard()


def behind_cut(options: Mapping[str, str]) -> int:
    return len(deck(options))


def cards_needed(options: Mapping[str, str], seats: int) -> int:
    return HAND * (seats + 1)


def dealing(kernel_data: RummyHouse, seats: Sequence[tuple[Array, Array]]) -> Iterator[tuple[int, int]]:
    yield from packets(len(seats), HAND)
    for seat, (shoe, choices) in enumerate(seats):
        if legal(kernel_data, shoe, choices):
            yield seat, CHOOSES
        yield seat, COLLECTS


@lean
def legal(kernel_data: RummyHouse, shoe: Array, choices: Array) -> int:
    return 1 << PLAY | 1 << FOLD if len(choices) == 0 else 0


@lean
def visible(kernel_data: RummyHouse, shoe: Array, choices: Array, seen: Array) -> None:
    show(seen, shoe, len(shoe) if len(choices) else HAND, FACE_DOWN)


@lean
def judge(player: int, dealer: int) -> tuple[int, int]:
    """The outcomes of Play and Ante for a player who plays, from the points of the hands."""
    if dealer > DEALER_PLAYS:
        return PLAY_UNOPPOSED, ANTE_UNOPPOSED
    if player > dealer:
        return PLAY_LOST, ANTE_LOST
    if player == dealer:
        return PLAY_TIED, ANTE_TIED
    return PLAY_ZERO if player == 0 else PLAY_FIVE if player <= 5 else PLAY_NINETEEN, ANTE_WON


@lean
def judge_pair_plus(player: int) -> int:
    """The outcome of Pair Plus from the three-card strength of the player's hand."""
    return NO_PAIR - (player >> 12)


@lean
def judge_six_card_bonus(six: int) -> int:
    """The outcome of 6 Card Bonus from the strength of the six cards."""
    return THREE - ((six >> 12) - poker.THREE) if six >> 12 >= poker.THREE else NO_THREE


@lean
def settle(kernel_data: RummyHouse, shoe: Array, choices: Array, outcomes: Array) -> None:
    outcomes[:] = OPEN
    if not are_known(shoe[:HAND]):
        return
    outcomes[AT_PAIR_PLUS] = judge_pair_plus(three_card.strength(shoe[0], shoe[1], shoe[2]))
    complete = are_known(shoe[HAND:])
    if complete:
        outcomes[AT_SIX_CARD_BONUS] = judge_six_card_bonus(poker.strength(kernel_data.poker, shoe))
    if len(choices) == 0:
        return
    if choices[0] == FOLD:
        outcomes[AT_PLAY] = NOT_PLACED
        outcomes[AT_ANTE] = ANTE_FOLDED
    elif complete:
        player = rummy.points(shoe[0], shoe[1], shoe[2])
        outcomes[AT_PLAY], outcomes[AT_ANTE] = judge(player, rummy.points(shoe[3], shoe[4], shoe[5]))


def why(kernel_data: RummyHouse, shoe: Array, choices: Array, spot: str) -> str:
    player, dealer = shoe[:HAND].tolist(), shoe[HAND:].tolist()
    if spot == "pair-plus":
        return three_card.read(player)
    if spot == "six-card-bonus":
        return poker.read(player + dealer).name
    if FOLD in choices:
        return f"folded with {rummy.read(player).name}"
    return f"{rummy.read(player).name} against {rummy.read(dealer).name}"


def readings(held: Sequence[int]) -> Iterator[tuple[str, str]]:
    if len(held) == HAND:
        yield "rummy", rummy.read(held).name
        yield "Pair Plus", three_card.read(held)
