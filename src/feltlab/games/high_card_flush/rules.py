"""High Card Flush: seven cards each, the longest suit wins; two side bets on the player's own cards.

A seat's shoe: the player's seven cards, the dealer's seven cards.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from feltlab.core.cards import FACE_DOWN, Deck
from feltlab.core.hands import longest_suit
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

NAME = "high-card-flush"
TITLE = "High Card Flush"
SUMMARY = "Seven cards each; the longest suit wins, and longer suits may raise more."
DATE = "2026-11-17"
SUITS = ALIKE

RAISE_UNOPPOSED, RAISE_WON, RAISE_LOST, RAISE_TIED = range(4)
RAISED = PayTable(
    "raise",
    (push("dealer does not qualify"), win("better hand"), lose("worse hand"), push("tie")),
)

ANTE_FOLDED, ANTE_UNOPPOSED, ANTE_WON, ANTE_LOST, ANTE_TIED = range(5)
ANTE = PayTable(
    "ante",
    (lose("fold"), win("dealer does not qualify"), win("better hand"), lose("worse hand"), push("tie")),
)

NO_FLUSH = 4  # after seven, six, five and four cards


def flush_table(name: str, *pays: int) -> PayTable:
    """Pays of seven, six, five and four cards of a suit."""
    hands = ("seven cards", "six cards", "five cards", "four cards")
    wins = (win(hand, pay) for hand, pay in zip(hands, pays, strict=True))
    return PayTable(name, (*wins, lose("less than four cards")))


FLUSH_BONUS = (
    flush_table("1", 300, 100, 10, 1),
    flush_table("2", 100, 20, 10, 2),
    flush_table("3", 150, 20, 10, 2),
    flush_table("4", 200, 75, 5, 2),
)

NO_RUN = 5  # after runs of seven, six, five, four and three


def run_table(name: str, *pays: int) -> PayTable:
    """Pays of runs of seven, six, five, four and three cards of a suit."""
    hands = ("run of seven", "run of six", "run of five", "run of four", "run of three")
    wins = (win(hand, pay) for hand, pay in zip(hands, pays, strict=True))
    return PayTable(name, (*wins, lose("no run of three")))


STRAIGHT_FLUSH_BONUS = (
    run_table("1", 8000, 1000, 100, 60, 7),
    run_table("2", 500, 200, 100, 50, 9),
    run_table("3", 1000, 200, 100, 60, 8),
)

OPTIONS: tuple[Option, ...] = (
    Option("flush-bonus", tuple(t.name for t in FLUSH_BONUS), "the Flush Bonus pay table"),
    Option(
        "straight-flush-bonus",
        tuple(t.name for t in STRAIGHT_FLUSH_BONUS),
        "the Straight Flush Bonus pay table",
    ),
)

MOST_UNITS = 3
SPOTS: tuple[Spot, ...] = (
    Spot("ante", "Ante", (ANTE,), required=True),
    Spot("raise", "Raise", (RAISED,), raises="ante", most_units=MOST_UNITS),
    Spot("flush-bonus", "Flush Bonus", FLUSH_BONUS, option="flush-bonus", reads_dealer=False),
    Spot(
        "straight-flush-bonus",
        "Straight Flush Bonus",
        STRAIGHT_FLUSH_BONUS,
        option="straight-flush-bonus",
        reads_dealer=False,
    ),
)
AT_ANTE, AT_RAISE, AT_FLUSH, AT_RUN = range(4)

RAISE_3X, RAISE_2X, RAISE_1X, FOLD = range(4)
CHOICES: tuple[Choice, ...] = (
    Choice("raise-3x", "3", "raise three times the Ante", "ante", puts=("raise",) * 3),
    Choice("raise-2x", "2", "raise twice the Ante", "ante", puts=("raise",) * 2),
    Choice("raise-1x", "1", "raise once the Ante", "ante", puts=("raise",)),
    Choice("fold", "f", "give up the Ante; bonus wagers stay", "ante", gives_up=("ante",), house_rule=True),
)

HAND = 7  # cards of each side
AREAS: tuple[Area, ...] = (
    player_area(HAND, "the seven cards", any_order=True),
    dealer_area(HAND, "the seven cards", any_order=True),
)
GAMES_PER_HAND = 3
QUALIFIES = longest_suit.strength_named("932")
RAISE_2X_FROM, RAISE_3X_FROM = 5, 6  # cards of a suit


class FlushHouse(NamedTuple):
    qualifies: int  # the lowest strength with which the dealer qualifies
    raise_2x_from: int
    raise_3x_from: int


def kernel_data(options: Mapping[str, str]) -> FlushHouse:
    return FlushHouse(QUALIFIES, RAISE_2X_FROM, RAISE_3X_FROM)


def deck(options: Mapping[str, str]) -> Deck:
    return Deck.standard()


def behind_cut(options: Mapping[str, str]) -> int:
    return len(deck(options))


def cards_needed(options: Mapping[str, str], seats: int) -> int:
    return HAND * (seats + 1)


def dealing(kernel_data: FlushHouse, seats: Sequence[tuple[Array, Array]]) -> Iterator[tuple[int, int]]:
    yield from packets(len(seats), HAND)
    for seat, (shoe, choices) in enumerate(seats):
        if legal(kernel_data, shoe, choices):
            yield seat, CHOOSES
        yield seat, COLLECTS


@lean
def open_to(kernel_data: FlushHouse, size: int) -> int:
    """The choices that a longest suit of this size opens, a bit each."""
    choices = 1 << RAISE_1X | 1 << FOLD
    if size >= kernel_data.raise_2x_from:
        choices |= 1 << RAISE_2X
    if size >= kernel_data.raise_3x_from:
        choices |= 1 << RAISE_3X
    return choices


@lean
def legal(kernel_data: FlushHouse, shoe: Array, choices: Array) -> int:
    if len(choices) > 0 or not are_known(shoe[:HAND]):
        return 0
    return open_to(kernel_data, longest_suit.size_of(longest_suit.strength(shoe[:HAND])))


@lean
def visible(kernel_data: FlushHouse, shoe: Array, choices: Array, seen: Array) -> None:
    show(seen, shoe, len(shoe) if len(choices) else HAND, FACE_DOWN)


@lean
def judge(kernel_data: FlushHouse, player: int, dealer: int) -> tuple[int, int]:
    """The outcomes of Ante and Raise for a player who raises, from the strengths of the hands."""
    if dealer < kernel_data.qualifies:
        return ANTE_UNOPPOSED, RAISE_UNOPPOSED
    if player > dealer:
        return ANTE_WON, RAISE_WON
    if player < dealer:
        return ANTE_LOST, RAISE_LOST
    return ANTE_TIED, RAISE_TIED


@lean
def judge_flush(size: int) -> int:
    """The outcome of the Flush Bonus from the number of cards of the longest suit."""
    return HAND - size if size >= 4 else NO_FLUSH


@lean
def judge_run(length: int) -> int:
    """The outcome of the Straight Flush Bonus from the length of the longest run."""
    return HAND - length if length >= 3 else NO_RUN


@lean
def settle(kernel_data: FlushHouse, shoe: Array, choices: Array, outcomes: Array) -> None:
    outcomes[:] = OPEN
    if not are_known(shoe[:HAND]):
        return
    word = longest_suit.gather(shoe[:HAND])
    player = longest_suit.strength_of_word(word)
    outcomes[AT_FLUSH] = judge_flush(longest_suit.size_of(player))
    outcomes[AT_RUN] = judge_run(longest_suit.run_of_word(word))
    if len(choices) == 0:
        return
    if choices[0] == FOLD:
        outcomes[AT_ANTE], outcomes[AT_RAISE] = ANTE_FOLDED, NOT_PLACED
    elif are_known(shoe[HAND:]):
        dealer = longest_suit.strength(shoe[HAND:])
        outcomes[AT_ANTE], outcomes[AT_RAISE] = judge(kernel_data, player, dealer)


def why(kernel_data: FlushHouse, shoe: Array, choices: Array, spot: str) -> str:
    player = shoe[:HAND].tolist()
    if spot == "straight-flush-bonus":
        return longest_suit.read_run(player)
    hand = longest_suit.read(player)
    if spot == "flush-bonus":
        return hand
    if FOLD in choices:
        return f"folded with {hand}"
    return f"{hand} against {longest_suit.read(shoe[HAND:].tolist())}"


def readings(held: Sequence[int]) -> Iterator[tuple[str, str]]:
    if len(held) == HAND:
        yield "hand", longest_suit.read(held)
        yield "run", longest_suit.read_run(held)
