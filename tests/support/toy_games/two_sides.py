"""Toy Two Sides: a card to each side, wagers on either of them, and no choice at all.

A seat's shoe: the player's card, the dealer's card.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from feltlab.core.cards import RANK_NAMES, Deck
from feltlab.core.layout import DEALER, OPEN, Area, Choice, Option, Spot, dealer_area, player_area, show
from feltlab.core.paytable import PayTable, lose, push, win
from feltlab.kernel import Array, lean

NAME, TITLE = "toy-two-sides", "Toy Two Sides"
SUMMARY = "The higher card wins; you may wager on either side."
DATE = "2000-01-01"
OPTIONS: tuple[Option, ...] = ()
WON, LOST, TIED = range(3)
SIDE = PayTable("side", (win("higher card"), lose("lower card"), push("tie")))
SPOTS = (Spot("player", "Player", (SIDE,)), Spot("dealer", "Dealer", (SIDE,)))
CHOICES: tuple[Choice, ...] = ()
AREAS: tuple[Area, ...] = (player_area(1, "the card"), dealer_area(1, "the card"))
GAMES_PER_HAND = 2


class TwoSidesHouse(NamedTuple):
    tie: int


def deck(options: Mapping[str, str]) -> Deck:
    return Deck.standard()


def behind_cut(options: Mapping[str, str]) -> int:
    return len(deck(options))


def kernel_data(options: Mapping[str, str]) -> TwoSidesHouse:
    return TwoSidesHouse(TIED)


def cards_needed(options: Mapping[str, str], seats: int) -> int:
    return seats + 1


def dealing(kernel_data: TwoSidesHouse, seats: Sequence[tuple[Array, Array]]) -> Iterator[tuple[int, int]]:
    for seat in (*range(len(seats)), DEALER):
        yield seat, 0


@lean
def legal(kernel_data: TwoSidesHouse, shoe: Array, choices: Array) -> int:
    return 0


@lean
def visible(kernel_data: TwoSidesHouse, shoe: Array, choices: Array, seen: Array) -> None:
    show(seen, shoe, len(shoe), 0)


@lean
def settle(kernel_data: TwoSidesHouse, shoe: Array, choices: Array, outcomes: Array) -> None:
    outcomes[:] = OPEN
    if shoe[0] < 0 or shoe[1] < 0:
        return
    player, dealer = shoe[0] >> 2, shoe[1] >> 2
    outcomes[0] = kernel_data.tie if player == dealer else WON if player > dealer else LOST
    outcomes[1] = kernel_data.tie if player == dealer else WON if dealer > player else LOST


def why(kernel_data: TwoSidesHouse, shoe: Array, choices: Array, spot: str) -> str:
    return f"{RANK_NAMES[shoe[0] >> 2]} against {RANK_NAMES[shoe[1] >> 2]}"


def readings(held: Sequence[int]) -> Iterator[tuple[str, str]]:
    yield from (("card", RANK_NAMES[card >> 2]) for card in held)
