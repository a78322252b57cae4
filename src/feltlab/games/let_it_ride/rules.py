"""Let It Ride: three own cards, two community cards, and three equal bets of which two may be taken back.

A seat's shoe: the player's three cards, the two community cards.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from feltlab.core.cards import FACE_DOWN, RANKS, Deck
from feltlab.core.hands import poker, three_card
from feltlab.core.hands.part_hand import describe_part
from feltlab.core.layout import (
    ALIKE,
    BOARD,
    CHOOSES,
    OPEN,
    SETTLES,
    Area,
    Choice,
    Option,
    Spot,
    are_known,
    board_area,
    player_area,
    show,
)
from feltlab.core.paytable import PayTable, lose, refund, win
from feltlab.core.side_bets import three_card_bonus
from feltlab.kernel import Array, lean

NAME = "let-it-ride"
TITLE = "Let It Ride"
SUMMARY = "Three cards and two community cards; take back two of three bets, or let them ride."
DATE = "2026-11-17"
SUITS = ALIKE
STREETS = ("first", "second")

ROYAL, STRAIGHT_FLUSH, FOUR, FULL_HOUSE, FLUSH, STRAIGHT, THREE, TWO_PAIR, TENS, LESS, PULLED = range(11)
HANDS = (
    "Royal Flush",
    "Straight Flush",
    "Four of a Kind",
    "Full House",
    "Flush",
    "Straight",
    "Three of a Kind",
    "Two Pair",
    "pair of Tens or better",
)
PAYS = {
    "1": (1000, 200, 50, 11, 8, 5, 3, 2, 1),
    "2": (500, 100, 50, 11, 8, 5, 3, 2, 1),
    "3": (500, 100, 25, 15, 10, 5, 3, 2, 1),
}
RIDES = tuple(PayTable(name, (*map(win, HANDS, pays), lose("less"))) for name, pays in PAYS.items())
TAKEN_BACK = refund("pulled back", wagered=False)
MAY_BE_PULLED = tuple(PayTable(table.name, (*table.lines, TAKEN_BACK)) for table in RIDES)
BONUS = three_card_bonus.pay_tables()

OPTIONS: tuple[Option, ...] = (
    Option("pays", tuple(PAYS), "the pay table of the bets"),
    Option("three-card-bonus", tuple(t.name for t in BONUS), "the 3 Card Bonus pay table", default="6"),
)

SPOTS: tuple[Spot, ...] = (
    Spot("bet-3", "Bet 3", RIDES, option="pays", required=True),
    Spot("bet-2", "Bet 2", MAY_BE_PULLED, option="pays", equals="bet-3"),
    Spot("bet-1", "Bet 1", MAY_BE_PULLED, option="pays", equals="bet-3"),
    Spot("three-card-bonus", "3 Card Bonus", BONUS, option="three-card-bonus"),
)
AT_BET_3, AT_BET_2, AT_BET_1, AT_BONUS = range(4)

RIDE, PULL = range(2)
CHOICES: tuple[Choice, ...] = (
    Choice("ride", "r", "let Bet 1 ride on the first street, Bet 2 on the second", "bet-3"),
    Choice("pull", "p", "take Bet 1 back on the first street, Bet 2 on the second", "bet-3", house_rule=True),
)

HAND, COMMUNITY = 3, 2
AREAS: tuple[Area, ...] = (
    player_area(HAND, "the three cards", any_order=True),
    board_area(COMMUNITY, "the first community card, then the second", any_order=True),
)
GAMES_PER_HAND = 4
PAIR_OF_TENS = poker.pair_of(RANKS.index("T"))


class LetItRideHouse(NamedTuple):
    poker: poker.Tables


def kernel_data(options: Mapping[str, str]) -> LetItRideHouse:
    return LetItRideHouse(poker.tables())


def deck(options: Mapping[str, str]) -> Deck:
    return Deck.standard()


def behind_cut(options: Mapping[str, str]) -> int:
    return len(deck(options))


def cards_needed(options: Mapping[str, str], seats: int) -> int:
    return HAND * seats + COMMUNITY


def dealing(kernel_data: LetItRideHouse, seats: Sequence[tuple[Array, Array]]) -> Iterator[tuple[int, int]]:
    """All cards first; then a street after the other, and a bet that is pulled goes back at once."""
    yield from ((seat, place) for seat in range(len(seats)) for place in range(HAND))
    yield from ((BOARD, place) for place in range(COMMUNITY))
    for street in range(len(STREETS)):
        for seat, (_, choices) in enumerate(seats):
            if len(choices) == street:
                yield seat, CHOOSES
            yield seat, SETTLES


@lean
def legal(kernel_data: LetItRideHouse, shoe: Array, choices: Array) -> int:
    return 1 << RIDE | 1 << PULL if len(choices) < COMMUNITY else 0


@lean
def visible(kernel_data: LetItRideHouse, shoe: Array, choices: Array, seen: Array) -> None:
    show(seen, shoe, HAND + len(choices), FACE_DOWN)


@lean
def judge(best: int) -> int:
    """The outcome of a bet that rides, from the strength of the five cards."""
    category = best >> 12
    if category >= poker.TWO_PAIR:
        return poker.ROYAL - category
    return TENS if best >= PAIR_OF_TENS else LESS


@lean
def settle(kernel_data: LetItRideHouse, shoe: Array, choices: Array, outcomes: Array) -> None:
    outcomes[:] = OPEN
    if are_known(shoe[:HAND]):
        outcomes[AT_BONUS] = three_card_bonus.judge(shoe[0], shoe[1], shoe[2])
    if len(choices) == len(STREETS) and are_known(shoe):
        outcomes[:AT_BONUS] = judge(poker.strength(kernel_data.poker, shoe))
    if len(choices) > 0 and choices[0] == PULL:
        outcomes[AT_BET_1] = PULLED
    if len(choices) > 1 and choices[1] == PULL:
        outcomes[AT_BET_2] = PULLED


def hold_back(outcomes: Array) -> None:
    """Before the last stop only bets that were pulled are returned."""
    outcomes[outcomes != PULLED] = OPEN


def why(kernel_data: LetItRideHouse, shoe: Array, choices: Array, spot: str) -> str:
    own = three_card.read(shoe[:HAND].tolist())
    if spot == "three-card-bonus":
        return own
    street = {"bet-1": 0, "bet-2": 1}.get(spot, len(choices))
    if street < len(choices) and choices[street] == PULL:
        return "taken back"
    return poker.read(shoe.tolist()).name


def readings(held: Sequence[int]) -> Iterator[tuple[str, str]]:
    if len(held) == HAND:
        yield "hand", three_card.read(held)
    if len(held) == HAND + 1:
        yield "hand", describe_part(held)
    if len(held) == HAND + COMMUNITY:
        yield "hand", poker.read(held).name
