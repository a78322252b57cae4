"""Three Card Poker: three cards each against the dealer, with bonuses on the own hand and on both hands.

A seat's shoe: the player's three cards, the dealer's three cards.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from feltlab.core.cards import FACE_DOWN, RANKS, Deck
from feltlab.core.hands import poker, three_card
from feltlab.core.layout import (
    ALIKE,
    CHOOSES,
    NOT_PLACED,
    OPEN,
    SETTLES,
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

NAME = "three-card-poker"
TITLE = "Three Card Poker"
SUMMARY = "Three cards each; play or fold against a dealer who needs a queen."
DATE = "2026-11-17"
SUITS = ALIKE

PLAY_UNOPPOSED, PLAY_WON, PLAY_LOST, PLAY_TIED = range(4)
PLAYED = PayTable(
    "play",
    (push("dealer does not qualify"), win("better hand"), lose("worse hand"), push("tie")),
)

ANTE_FOLDED, ANTE_UNOPPOSED, ANTE_WON, ANTE_LOST, ANTE_TIED = range(5)
ANTE = PayTable(
    "ante",
    (lose("fold"), win("dealer does not qualify"), win("better hand"), lose("worse hand"), push("tie")),
)

BONUS_STRAIGHT_FLUSH, BONUS_THREE, BONUS_STRAIGHT, NO_BONUS = range(4)


def ante_bonus_table(name: str, straight_flush: int, three: int, straight: int) -> PayTable:
    return PayTable(
        name,
        (
            win("Straight Flush", straight_flush),
            win("Three of a Kind", three),
            win("Straight", straight),
            push("no bonus"),
        ),
    )


ANTE_BONUS = (
    ante_bonus_table("1", 5, 4, 1),
    ante_bonus_table("2", 4, 3, 1),
    ante_bonus_table("3", 3, 2, 1),
    ante_bonus_table("4", 5, 3, 1),
)

ROYAL, STRAIGHT_FLUSH, THREE, STRAIGHT, FLUSH, PAIR, NO_PAIR, PAIR_FOLDED = range(8)


def pair_plus_table(name: str, *pays: int) -> PayTable:
    """Pays of a royal flush (A-K-Q suited), straight flush, three of a kind, straight, flush and pair."""
    hands = ("Royal Flush", "Straight Flush", "Three of a Kind", "Straight", "Flush", "Pair")
    wins = (win(hand, pay) for hand, pay in zip(hands, pays, strict=True))
    return PayTable(name, (*wins, lose("less than a Pair"), lose("fold")))


PAIR_PLUS = (
    pair_plus_table("1", 40, 40, 30, 6, 4, 1),
    pair_plus_table("2", 40, 40, 30, 5, 4, 1),
    pair_plus_table("3", 40, 40, 30, 6, 3, 1),
    pair_plus_table("4", 50, 40, 30, 6, 4, 1),
    pair_plus_table("5", 50, 40, 30, 5, 4, 1),
    pair_plus_table("6", 50, 40, 30, 6, 3, 1),
    pair_plus_table("7", 35, 35, 33, 6, 4, 1),
    pair_plus_table("8", 40, 40, 25, 6, 4, 1),
    pair_plus_table("9", 35, 35, 25, 6, 4, 1),
    pair_plus_table("10", 40, 40, 20, 6, 4, 1),
    pair_plus_table("11", 100, 40, 30, 5, 4, 1),
    pair_plus_table("12", 50, 50, 30, 6, 3, 1),
    pair_plus_table("13", 200, 40, 30, 6, 3, 1),
)

SIX_ROYAL, SIX_STRAIGHT_FLUSH, SIX_FOUR, SIX_FULL_HOUSE, SIX_FLUSH, SIX_STRAIGHT, SIX_THREE, NO_SIX = range(8)


def six_card_table(name: str, *pays: int) -> PayTable:
    """Pays of a royal flush, straight flush, four of a kind, full house, flush, straight and three."""
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
    return PayTable(name, (*wins, lose("less than Three of a Kind")))


SIX_CARD_BONUS = (
    six_card_table("1", 1000, 200, 50, 25, 20, 10, 5),
    six_card_table("2", 1000, 200, 50, 25, 15, 10, 5),
    six_card_table("3", 1000, 200, 100, 20, 15, 9, 8),
    six_card_table("4", 1000, 200, 100, 20, 15, 10, 7),
    six_card_table("5", 1000, 200, 100, 20, 15, 10, 5),
    six_card_table("6", 1000, 200, 50, 20, 15, 10, 7),
)

OPTIONS: tuple[Option, ...] = (
    Option("ante-mandatory", ("no", "yes"), "must every seat make the Ante?"),
    Option("ante-bonus", tuple(t.name for t in ANTE_BONUS), "the Ante Bonus pay table"),
    Option("pair-plus", tuple(t.name for t in PAIR_PLUS), "the Pair Plus pay table"),
    Option("fold-loses-pair-plus", ("yes", "no"), "does a fold lose Pair Plus too?"),
    Option("six-card-bonus", tuple(t.name for t in SIX_CARD_BONUS), "the 6 Card Bonus pay table"),
)

SPOTS: tuple[Spot, ...] = (
    Spot("play", "Play", (PLAYED,), raises="ante"),
    Spot("ante", "Ante", (ANTE,), required_by="ante-mandatory"),
    Spot("ante-bonus", "Ante Bonus", ANTE_BONUS, option="ante-bonus", bonus_on="ante", reads_dealer=False),
    Spot("pair-plus", "Pair Plus", PAIR_PLUS, option="pair-plus", reads_dealer=False),
    Spot("six-card-bonus", "6 Card Bonus", SIX_CARD_BONUS, option="six-card-bonus"),
)
AT_PLAY, AT_ANTE, AT_ANTE_BONUS, AT_PAIR_PLUS, AT_SIX = range(5)

PLAY, FOLD = range(2)
CHOICES: tuple[Choice, ...] = (
    Choice("play", "p", "put down a Play wager equal to the Ante", "ante", puts=("play",)),
    Choice("fold", "f", "give up the Ante", "ante", gives_up=("ante",), house_rule=True),
)
PASSES = ("play",)  # who has no Ante keeps the cards for the side bets

HAND = 3  # cards of each side
AREAS: tuple[Area, ...] = (
    player_area(HAND, "the three cards", any_order=True),
    dealer_area(HAND, "the three cards", any_order=True),
)
GAMES_PER_HAND = 3
QUALIFIES = three_card.HIGH_CARD << 12 | RANKS.index("Q") << 8


class ThreeCardHouse(NamedTuple):
    poker: poker.Tables
    fold_loses_pair_plus: bool


def kernel_data(options: Mapping[str, str]) -> ThreeCardHouse:
    return ThreeCardHouse(poker.tables(), options["fold-loses-pair-plus"] == "yes")


def deck(options: Mapping[str, str]) -> Deck:
    return Deck.standard()


def behind_cut(options: Mapping[str, str]) -> int:
    return len(deck(options))


def cards_needed(options: Mapping[str, str], seats: int) -> int:
    return HAND * (seats + 1)


def dealing(kernel_data: ThreeCardHouse, seats: Sequence[tuple[Array, Array]]) -> Iterator[tuple[int, int]]:
    """All cards first; then every seat chooses, and what a fold loses is taken at once."""
    yield from packets(len(seats), HAND)
    for seat, (shoe, choices) in enumerate(seats):
        if legal(kernel_data, shoe, choices):
            yield seat, CHOOSES
        yield seat, SETTLES


@lean
def legal(kernel_data: ThreeCardHouse, shoe: Array, choices: Array) -> int:
    return 1 << PLAY | 1 << FOLD if len(choices) == 0 else 0


@lean
def visible(kernel_data: ThreeCardHouse, shoe: Array, choices: Array, seen: Array) -> None:
    show(seen, shoe, len(shoe) if len(choices) else HAND, FACE_DOWN)


@lean
def judge(player: int, dealer: int) -> tuple[int, int]:
    """The outcomes of Play and Ante for a player who plays, from the strengths of the hands."""
    if dealer < QUALIFIES:
        return PLAY_UNOPPOSED, ANTE_UNOPPOSED
    if player > dealer:
        return PLAY_WON, ANTE_WON
    if player < dealer:
        return PLAY_LOST, ANTE_LOST
    return PLAY_TIED, ANTE_TIED


@lean
def judge_ante_bonus(player: int) -> int:
    """The outcome of the Ante Bonus from the strength of the player's hand."""
    category = player >> 12
    if category >= three_card.STRAIGHT_FLUSH:
        return BONUS_STRAIGHT_FLUSH
    if category == three_card.THREE:
        return BONUS_THREE
    return BONUS_STRAIGHT if category == three_card.STRAIGHT else NO_BONUS


@lean
def judge_pair_plus(player: int) -> int:
    """The outcome of Pair Plus from the strength of the player's hand."""
    return three_card.ROYAL - (player >> 12)


@lean
def judge_six(best: int) -> int:
    """The outcome of the 6 Card Bonus from the strength of the best five of both hands."""
    category = best >> 12
    if category < poker.THREE:
        return NO_SIX
    return SIX_THREE - (category - poker.THREE)


@lean
def settle(kernel_data: ThreeCardHouse, shoe: Array, choices: Array, outcomes: Array) -> None:
    outcomes[:] = OPEN
    if len(choices) == 0 or not are_known(shoe[:HAND]):
        return
    folded = choices[0] == FOLD
    player = three_card.strength(shoe[0], shoe[1], shoe[2])
    outcomes[AT_PAIR_PLUS] = judge_pair_plus(player)
    outcomes[AT_ANTE_BONUS] = judge_ante_bonus(player)
    if folded:
        outcomes[AT_PLAY], outcomes[AT_ANTE], outcomes[AT_ANTE_BONUS] = NOT_PLACED, ANTE_FOLDED, NO_BONUS
        if kernel_data.fold_loses_pair_plus:
            outcomes[AT_PAIR_PLUS] = PAIR_FOLDED
    if are_known(shoe[HAND:]):
        outcomes[AT_SIX] = judge_six(poker.strength(kernel_data.poker, shoe))
        if not folded:
            dealer = three_card.strength(shoe[HAND], shoe[HAND + 1], shoe[HAND + 2])
            outcomes[AT_PLAY], outcomes[AT_ANTE] = judge(player, dealer)


def hold_back(outcomes: Array) -> None:
    """Before the last stop only what a fold loses is settled."""
    for spot in range(len(outcomes)):
        if (spot, outcomes[spot]) not in ((AT_ANTE, ANTE_FOLDED), (AT_PAIR_PLUS, PAIR_FOLDED)):
            outcomes[spot] = OPEN


def why(kernel_data: ThreeCardHouse, shoe: Array, choices: Array, spot: str) -> str:
    player = three_card.read(shoe[:HAND].tolist())
    if spot == "six-card-bonus":
        return poker.read(shoe.tolist()).name
    if FOLD in choices and not (spot == "pair-plus" and not kernel_data.fold_loses_pair_plus):
        return f"folded with {player}"
    if spot in ("pair-plus", "ante-bonus"):
        return player
    return f"{player} against {three_card.read(shoe[HAND:].tolist())}"


def readings(held: Sequence[int]) -> Iterator[tuple[str, str]]:
    if len(held) == HAND:
        yield "hand", three_card.read(held)
