"""Mississippi Stud: two own cards and three community cards; a bet or a fold before each of those.

A seat's shoe: the player's two cards, the three community cards.
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
    NOT_PLACED,
    ON_STREET,
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

NAME = "mississippi-stud"
TITLE = "Mississippi Stud"
SUMMARY = "Two cards and three community cards; bet up to three times the Ante before each, or fold."
DATE = "2026-11-17"
SUITS = ALIKE
STREETS = ("third", "fourth", "fifth")

ROYAL, STRAIGHT_FLUSH, FOUR, FULL_HOUSE, FLUSH, STRAIGHT, THREE, TWO_PAIR, JACKS, SIXES, LESS, FOLDED = range(
    12
)


def pay_table(name: str, straight: int) -> PayTable:
    return PayTable(
        name,
        (
            win("Royal Flush", 500),
            win("Straight Flush", 100),
            win("Four of a Kind", 40),
            win("Full House", 10),
            win("Flush", 6),
            win("Straight", straight),
            win("Three of a Kind", 3),
            win("Two Pair", 2),
            win("pair of Jacks or better", 1),
            push("pair of Sixes to Tens"),
            lose("less"),
            lose("fold"),
        ),
    )


PAYS = (pay_table("1", straight=4), pay_table("2", straight=5))
BONUS = three_card_bonus.pay_tables(lose("fold"))

OPTIONS: tuple[Option, ...] = (
    Option("pays", tuple(t.name for t in PAYS), "the pay table of the Ante and the bets"),
    Option("three-card-bonus", tuple(t.name for t in BONUS), "the 3 Card Bonus pay table", default="6"),
    Option("fold-loses-bonus", ("no", "yes"), "does a fold lose the 3 Card Bonus too?"),
)

SPOTS: tuple[Spot, ...] = (
    Spot("ante", "Ante", PAYS, option="pays", required=True),
    Spot("third", "Third Street", PAYS, option="pays", raises="ante", most_units=3),
    Spot("fourth", "Fourth Street", PAYS, option="pays", raises="ante", most_units=3),
    Spot(
        "fifth",
        "Fifth Street",
        tuple(PayTable(table.name, table.lines[:FOLDED]) for table in PAYS),
        option="pays",
        raises="ante",
        most_units=3,
    ),
    Spot("three-card-bonus", "3 Card Bonus", BONUS, option="three-card-bonus"),
)
AT_ANTE, AT_THIRD, AT_FOURTH, AT_FIFTH, AT_BONUS = range(5)

BET_3, BET_2, BET_1, FOLD = range(4)
CHOICES: tuple[Choice, ...] = (
    Choice("bet-3x", "3", "bet three times the Ante", "ante", puts=(ON_STREET,) * 3),
    Choice("bet-2x", "2", "bet twice the Ante", "ante", puts=(ON_STREET,) * 2),
    Choice("bet-1x", "1", "bet once the Ante", "ante", puts=(ON_STREET,)),
    Choice(
        "fold",
        "f",
        "give up the Ante and all bets",
        "ante",
        gives_up=("ante", "third", "fourth"),
        house_rule=True,
    ),
)

HAND, COMMUNITY = 2, 3
AREAS: tuple[Area, ...] = (
    player_area(HAND, "the two cards", any_order=True),
    board_area(COMMUNITY, "the three community cards, in the order in which they are turned", any_order=True),
)
GAMES_PER_HAND = 2
PAIR_OF_SIXES, PAIR_OF_JACKS = poker.pair_of(RANKS.index("6")), poker.pair_of(RANKS.index("J"))


class MississippiHouse(NamedTuple):
    poker: poker.Tables
    fold_loses_bonus: bool


def kernel_data(options: Mapping[str, str]) -> MississippiHouse:
    return MississippiHouse(poker.tables(), options["fold-loses-bonus"] == "yes")


def deck(options: Mapping[str, str]) -> Deck:
    return Deck.standard()


def behind_cut(options: Mapping[str, str]) -> int:
    return len(deck(options))


def cards_needed(options: Mapping[str, str], seats: int) -> int:
    return HAND * seats + COMMUNITY


def dealing(kernel_data: MississippiHouse, seats: Sequence[tuple[Array, Array]]) -> Iterator[tuple[int, int]]:
    """All cards first; then a street after the other, and what a fold loses is taken at once."""
    yield from ((seat, place) for seat in range(len(seats)) for place in range(HAND))
    yield from ((BOARD, place) for place in range(COMMUNITY))
    for street in range(len(STREETS)):
        for seat, (_, choices) in enumerate(seats):
            if len(choices) == street and not has_folded(choices):
                yield seat, CHOOSES
            yield seat, SETTLES


@lean
def has_folded(choices: Array) -> bool:
    return len(choices) > 0 and choices[len(choices) - 1] == FOLD


@lean
def legal(kernel_data: MississippiHouse, shoe: Array, choices: Array) -> int:
    if len(choices) == COMMUNITY or has_folded(choices):
        return 0
    return (1 << FOLD + 1) - 1


@lean
def visible(kernel_data: MississippiHouse, shoe: Array, choices: Array, seen: Array) -> None:
    """A card more after each bet; after a fold all of them, as other players or the bonus turn them."""
    show(seen, shoe, len(shoe) if has_folded(choices) else HAND + len(choices), FACE_DOWN)


@lean
def judge(best: int) -> int:
    """The outcome of the Ante and the bets, from the strength of the five cards."""
    category = best >> 12
    if category >= poker.TWO_PAIR:
        return poker.ROYAL - category
    if best >= PAIR_OF_JACKS:
        return JACKS
    return SIXES if best >= PAIR_OF_SIXES else LESS


@lean
def settle(kernel_data: MississippiHouse, shoe: Array, choices: Array, outcomes: Array) -> None:
    outcomes[:] = OPEN
    folded = has_folded(choices)
    if not folded and len(choices) < COMMUNITY:
        return
    if folded and kernel_data.fold_loses_bonus:
        outcomes[AT_BONUS] = three_card_bonus.FOLDED
    elif are_known(shoe[HAND:]):
        outcomes[AT_BONUS] = three_card_bonus.judge(shoe[HAND], shoe[HAND + 1], shoe[HAND + 2])
    if folded:
        for street in range(len(STREETS)):
            outcomes[AT_THIRD + street] = FOLDED if street < len(choices) - 1 else NOT_PLACED
        outcomes[AT_ANTE] = FOLDED
    elif are_known(shoe):
        outcomes[:AT_BONUS] = judge(poker.strength(kernel_data.poker, shoe))


def hold_back(outcomes: Array) -> None:
    """Before the last stop only what a fold loses is settled."""
    if outcomes[AT_ANTE] != FOLDED:
        outcomes[:AT_BONUS] = OPEN
    if outcomes[AT_BONUS] != three_card_bonus.FOLDED:
        outcomes[AT_BONUS] = OPEN


def why(kernel_data: MississippiHouse, shoe: Array, choices: Array, spot: str) -> str:
    stands = spot == "three-card-bonus" and not kernel_data.fold_loses_bonus
    if FOLD in choices and not stands:
        seen = shoe[: HAND + len(choices) - 1].tolist()
        return f"folded with {describe_part(seen)}"
    if spot == "three-card-bonus":
        return three_card.read(shoe[HAND:].tolist())
    return poker.read(shoe.tolist()).name


def readings(held: Sequence[int]) -> Iterator[tuple[str, str]]:
    if HAND <= len(held) < HAND + COMMUNITY:
        yield "hand", describe_part(held)
    if len(held) == HAND + COMMUNITY:
        yield "hand", poker.read(held).name
