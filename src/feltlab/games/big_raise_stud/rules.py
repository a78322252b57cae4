"""Big Raise Stud Poker: three own cards and two community cards; fold, or raise up to four times the Ante.

A seat's shoe: the player's three cards, the two community cards.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from feltlab.core.cards import FACE_DOWN, RANKS, Deck
from feltlab.core.hands import poker, three_card
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
    player_area,
    show,
)
from feltlab.core.paytable import PayTable, lose, push, win
from feltlab.core.side_bets import three_card_bonus
from feltlab.kernel import Array, lean

NAME = "big-raise-stud"
TITLE = "Big Raise Stud Poker"
SUMMARY = "Three cards and two community cards; fold, or raise up to four times the Ante."
DATE = "2026-11-17"
SUITS = ALIKE

ROYAL, STRAIGHT_FLUSH, FOUR, FULL_HOUSE, FLUSH, STRAIGHT, THREE, TWO_PAIR, TENS, SIXES, LESS, FOLDED = range(
    12
)
HANDS = (
    win("Royal Flush", 500),
    win("Straight Flush", 100),
    win("Four of a Kind", 40),
    win("Full House", 8),
    win("Flush", 6),
    win("Straight", 4),
    win("Three of a Kind", 3),
    win("Two Pair", 2),
    win("pair of Tens or better", 1),
    push("pair of Sixes to Nines"),
    lose("less"),
)
BONUS = three_card_bonus.pay_tables(lose("fold"))

OPTIONS: tuple[Option, ...] = (
    Option("three-card-bonus", tuple(t.name for t in BONUS), "the 3 Card Bonus pay table", default="6"),
    Option("fold-loses-bonus", ("no", "yes"), "does a fold lose the 3 Card Bonus too?"),
)

SPOTS: tuple[Spot, ...] = (
    Spot("ante", "Ante", (PayTable("ante", (*HANDS, lose("fold"))),), required=True),
    Spot("raise", "Raise", (PayTable("raise", HANDS),), raises="ante", most_units=4),
    Spot("three-card-bonus", "3 Card Bonus", BONUS, option="three-card-bonus"),
)
AT_ANTE, AT_RAISE, AT_BONUS = range(3)

RAISE_4, RAISE_3, RAISE_2, RAISE_1, FOLD = range(5)
CHOICES: tuple[Choice, ...] = (
    Choice("raise-4x", "4", "raise four times the Ante", "ante", puts=("raise",) * 4),
    Choice("raise-3x", "3", "raise three times the Ante", "ante", puts=("raise",) * 3),
    Choice("raise-2x", "2", "raise twice the Ante", "ante", puts=("raise",) * 2),
    Choice("raise-1x", "1", "raise once the Ante", "ante", puts=("raise",)),
    Choice("fold", "f", "give up the Ante", "ante", gives_up=("ante",), house_rule=True),
)

HAND, COMMUNITY = 3, 2
AREAS: tuple[Area, ...] = (
    player_area(HAND, "the three cards", any_order=True),
    board_area(COMMUNITY, "the two community cards", any_order=True),
)
GAMES_PER_HAND = 2
PAIR_OF_SIXES, PAIR_OF_TENS = poker.pair_of(RANKS.index("6")), poker.pair_of(RANKS.index("T"))


class BigRaiseHouse(NamedTuple):
    poker: poker.Tables
    fold_loses_bonus: bool


def kernel_data(options: Mapping[str, str]) -> BigRaiseHouse:
    return BigRaiseHouse(poker.tables(), options["fold-loses-bonus"] == "yes")


def deck(options: Mapping[str, str]) -> Deck:
    return Deck.standard()


def behind_cut(options: Mapping[str, str]) -> int:
    return len(deck(options))


def cards_needed(options: Mapping[str, str], seats: int) -> int:
    return HAND * seats + COMMUNITY


def dealing(kernel_data: BigRaiseHouse, seats: Sequence[tuple[Array, Array]]) -> Iterator[tuple[int, int]]:
    """All cards first; then the choices, and what a fold loses is taken at once."""
    yield from ((seat, place) for seat in range(len(seats)) for place in range(HAND))
    yield from ((BOARD, place) for place in range(COMMUNITY))
    for seat, (_, choices) in enumerate(seats):
        if len(choices) == 0:
            yield seat, CHOOSES
        yield seat, SETTLES


@lean
def legal(kernel_data: BigRaiseHouse, shoe: Array, choices: Array) -> int:
    return (1 << FOLD + 1) - 1 if len(choices) == 0 else 0


@lean
def visible(kernel_data: BigRaiseHouse, shoe: Array, choices: Array, seen: Array) -> None:
    show(seen, shoe, len(shoe) if len(choices) else HAND, FACE_DOWN)


@lean
def judge(best: int) -> int:
    """The outcome of Ante and Raise, from the strength of the five cards."""
    category = best >> 12
    if category >= poker.TWO_PAIR:
        return poker.ROYAL - category
    if best >= PAIR_OF_TENS:
        return TENS
    return SIXES if best >= PAIR_OF_SIXES else LESS


@lean
def settle(kernel_data: BigRaiseHouse, shoe: Array, choices: Array, outcomes: Array) -> None:
    outcomes[:] = OPEN
    if len(choices) == 0:
        return
    folded = choices[0] == FOLD
    if folded:
        outcomes[AT_ANTE], outcomes[AT_RAISE] = FOLDED, NOT_PLACED
    elif are_known(shoe):
        outcomes[AT_ANTE] = outcomes[AT_RAISE] = judge(poker.strength(kernel_data.poker, shoe))
    if folded and kernel_data.fold_loses_bonus:
        outcomes[AT_BONUS] = three_card_bonus.FOLDED
    elif are_known(shoe[:HAND]):
        outcomes[AT_BONUS] = three_card_bonus.judge(shoe[0], shoe[1], shoe[2])


def hold_back(outcomes: Array) -> None:
    """Before the last stop only what a fold loses is settled."""
    if outcomes[AT_ANTE] != FOLDED:
        outcomes[:AT_BONUS] = OPEN
    if outcomes[AT_BONUS] != three_card_bonus.FOLDED:
        outcomes[AT_BONUS] = OPEN


def why(kernel_data: BigRaiseHouse, shoe: Array, choices: Array, spot: str) -> str:
    own = three_card.read(shoe[:HAND].tolist())
    stands = spot == "three-card-bonus" and not kernel_data.fold_loses_bonus
    if FOLD in choices and not stands:
        return f"folded with {own}"
    return own if spot == "three-card-bonus" else poker.read(shoe.tolist()).name


def readings(held: Sequence[int]) -> Iterator[tuple[str, str]]:
    if len(held) == HAND:
        yield "hand", three_card.read(held)
    if len(held) == HAND + COMMUNITY:
        yield "hand", poker.read(held).name
