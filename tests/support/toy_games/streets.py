"""Toy Streets: a card each, a board of three, and two streets; one to four units are bet on the first.

A seat's shoe: the player's card, the board, the dealer's card. The hand with more cards of its rank on the
board wins, then the higher card.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from feltlab.core.cards import ACE, FACE_DOWN, NOT_DEALT, RANK_NAMES, Deck, cards
from feltlab.core.layout import (
    BOARD,
    BURNT,
    CHOOSES,
    COLLECTS,
    DEALER,
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
    player_area,
    show,
)
from feltlab.core.paytable import PayTable, lose, push, win
from feltlab.kernel import Array, lean

NAME, TITLE = "toy-streets", "Toy Streets"
SUMMARY = "A card each, a board of three, and two streets."
DATE = "2000-01-01"
OPTIONS: tuple[Option, ...] = ()
STREETS = ("opening", "closing")

WON, LOST, TIED, FOLDED = range(4)
SHOWDOWN = (win("better hand"), lose("worse hand"), push("tie"))
MATCHED, UNMATCHED, NOTHING = range(3)
BLIND_LINES = (win("win with a match", 3), push("win without a match"), lose("no win"))
PAID, UNPAID = range(2)

SPOTS = (
    Spot("ante", "Ante", (PayTable("ante", (*SHOWDOWN, lose("fold"))),), required=True),
    Spot("blind", "Blind", (PayTable("blind", BLIND_LINES),), equals="ante"),
    Spot("opening", "Opening", (PayTable("opening", SHOWDOWN),), raises="ante", most_units=4),
    Spot("closing", "Closing", (PayTable("closing", SHOWDOWN),), raises="ante"),
    Spot(
        "double-match",
        "Double Match",
        (PayTable("double-match", (win("double match", 10), push("no double match"))),),
        bonus_on="ante",
        reads_dealer=False,
    ),
    Spot(
        "ace",
        "Ace",
        (PayTable("ace", (win("ace", 2), lose("no ace"))),),
        fixed_cents=100,
        reads_dealer=False,
    ),
)
AT_ANTE, AT_BLIND, AT_OPENING, AT_CLOSING, AT_DOUBLE_MATCH, AT_ACE = range(6)

CHECK, FOLD, BET, BET_2, BET_3, BET_4 = range(6)
CHOICES = (
    Choice("check", "c", "bet nothing on this street", "ante", house_rule=True),
    Choice("fold", "f", "give up", "ante", gives_up=("ante", "blind"), house_rule=True),
    Choice("bet", "1", "bet one Ante", "ante", puts=(ON_STREET,)),
    Choice("bet-2", "2", "bet two Antes", "ante", puts=(ON_STREET,) * 2),
    Choice("bet-3", "3", "bet three Antes", "ante", puts=(ON_STREET,) * 3),
    Choice("bet-4", "4", "bet four Antes", "ante", puts=(ON_STREET,) * 4),
)

AREAS: tuple[Area, ...] = (
    player_area(1, "the card"),
    board_area(3, "the three cards", any_order=True),
    dealer_area(1, "the card"),
)
PLAYERS, BOARD_START, DEALERS = 0, 1, 4
GAMES_PER_HAND = 3


class StreetsHouse(NamedTuple):
    ace: int


def deck(options: Mapping[str, str]) -> Deck:
    """Few enough cards to walk through every deal."""
    return Deck(cards("2c 2d 2h 3c 3d 3h Ac Ad Ah"))


def behind_cut(options: Mapping[str, str]) -> int:
    return len(deck(options))


def kernel_data(options: Mapping[str, str]) -> StreetsHouse:
    return StreetsHouse(ACE)


def cards_needed(options: Mapping[str, str], seats: int) -> int:
    return seats + 5


def dealing(kernel_data: StreetsHouse, seats: Sequence[tuple[Array, Array]]) -> Iterator[tuple[int, int]]:
    """A card to each seat and the dealer, the first street; one burned, the board, the second street."""
    for seat in (*range(len(seats)), DEALER):
        yield seat, 0
    yield from _ask(kernel_data, seats)
    yield BURNT, 0
    for place in range(3):
        yield BOARD, place
    yield from _ask(kernel_data, seats)


def _ask(kernel_data: StreetsHouse, seats: Sequence[tuple[Array, Array]]) -> Iterator[tuple[int, int]]:
    for seat, (shoe, choices) in enumerate(seats):
        street = int(are_known(shoe))
        if len(choices) == street and legal(kernel_data, shoe, choices):
            yield seat, CHOOSES
        yield seat, COLLECTS


@lean
def legal(kernel_data: StreetsHouse, shoe: Array, choices: Array) -> int:
    if len(choices) == 0:
        return 1 << CHECK | 1 << BET | 1 << BET_2 | 1 << BET_3 | 1 << BET_4
    if len(choices) == 1:
        return 1 << BET | 1 << (FOLD if choices[0] == CHECK else CHECK)
    return 0


@lean
def visible(kernel_data: StreetsHouse, shoe: Array, choices: Array, seen: Array) -> None:
    show(seen, shoe, DEALERS if len(choices) else BOARD_START, NOT_DEALT)
    seen[DEALERS] = shoe[DEALERS] if len(choices) == 2 else FACE_DOWN


@lean
def count_matches(shoe: Array, card: int) -> int:
    """The number of cards on the board that have the rank of a card."""
    matches = 0
    for place in range(BOARD_START, DEALERS):
        matches += shoe[place] >> 2 == card >> 2
    return matches


@lean
def settle(kernel_data: StreetsHouse, shoe: Array, choices: Array, outcomes: Array) -> None:
    outcomes[:] = OPEN
    if shoe[PLAYERS] >= 0:
        outcomes[AT_ACE] = PAID if shoe[PLAYERS] >> 2 == kernel_data.ace else UNPAID
    if len(choices) < 2:
        return
    if choices[1] == FOLD:
        outcomes[AT_ANTE], outcomes[AT_BLIND], outcomes[AT_DOUBLE_MATCH] = FOLDED, NOTHING, UNPAID
        outcomes[AT_OPENING] = outcomes[AT_CLOSING] = NOT_PLACED
        return
    if not are_known(shoe):
        return
    matches = count_matches(shoe, shoe[PLAYERS])
    mine = 16 * matches + (shoe[PLAYERS] >> 2)
    dealers = 16 * count_matches(shoe, shoe[DEALERS]) + (shoe[DEALERS] >> 2)
    result = WON if mine > dealers else LOST if mine < dealers else TIED
    outcomes[AT_ANTE] = result
    outcomes[AT_BLIND] = NOTHING if result != WON else MATCHED if matches else UNMATCHED
    outcomes[AT_OPENING] = NOT_PLACED if choices[0] == CHECK else result
    outcomes[AT_CLOSING] = result if choices[1] == BET else NOT_PLACED
    outcomes[AT_DOUBLE_MATCH] = PAID if matches == 2 else UNPAID


def why(kernel_data: StreetsHouse, shoe: Array, choices: Array, spot: str) -> str:
    return f"{RANK_NAMES[shoe[PLAYERS] >> 2]} against {RANK_NAMES[shoe[DEALERS] >> 2]}"


def readings(held: Sequence[int]) -> Iterator[tuple[str, str]]:
    yield from (("card", RANK_NAMES[card >> 2]) for card in held[:1])
