"""The solver of a showdown with one choice: a hand of the player against a hand of the dealer.

A game gives a reading of hands, the least strength that qualifies, and the judge of its own rules. The judge
is asked once for each strength of the player, choice, and kind of the dealer's hand.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from feltlab.core.cards import UNKNOWN
from feltlab.core.game import Game
from feltlab.core.layout import new_outcomes
from feltlab.core.solver import Decisions, Player, Solver
from feltlab.counting.dealer_kinds import (
    EQUAL,
    HIGHER,
    KINDS,
    LOWER,
    UNQUALIFIED,
    ReadHands,
    SeenClasses,
    Strengths,
    count_kinds,
    dealer_classes,
    seen_classes,
)
from feltlab.counting.one_street.class_counts import NOT_OPEN, ClassCounts, ColumnList
from feltlab.counting.one_street.limited_play import NO_LIMITS, LimitedPlays, add_limited_plays
from feltlab.counting.one_street.player import follow_choices
from feltlab.counting.one_street.solver import OneStreet, all_cards, one_street_solver
from feltlab.counting.set_classes import DeckSets, next_set, number_sets, rename_in_deck
from feltlab.counting.suits import Hands
from feltlab.counting.tree.deals import faces_of, first_places
from feltlab.counting.tree.solver import NONE, Named
from feltlab.kernel import Array, kernel
from feltlab.parallel.progress import Progress, part_of

Ints = NDArray[np.int64]
METHOD = (
    "Every class of cards that a player can see meets all dealer's hands by inclusion and exclusion over the"
    " player's cards, and the choice is made for each class in whole numbers."
)


class Showdown(NamedTuple):
    """The facts of a game that a showdown needs.

    `judge(kernel_data, choice, player, dealer, outcomes)` is a kernel of the rules: it writes the outcome of
    every spot, from the strengths of both hands. It may read of the dealer's strength only whether it
    qualifies and whether it is below, equal to or above the player's.
    """

    read: ReadHands  # the strength of every row of cards, the player's and the dealer's
    judge: Callable[[Any, int, int, int, Array], None]
    decides: tuple[str, ...]  # the bets that the best choice depends on
    qualifies: int = 0  # the least strength of a dealer's hand that qualifies
    shown: Callable[[Sequence[int]], Sequence[int]] = all_cards  # the cards of a hand that its reading is of
    method: str = METHOD


def showdown_solver(showdown: Showdown, named: Named = NONE, limited: LimitedPlays = NO_LIMITS) -> Solver:
    """The solver of a showdown, with the strategies and the limited plays that the game names."""
    street = OneStreet(
        partial(count_showdown, showdown),
        partial(count_hand, showdown),
        follow,
        showdown.decides,
        showdown.method,
        partial(read_strength, showdown),
        showdown.shown,
    )
    return add_limited_plays(one_street_solver(street, named), street, limited)


def read_strength(showdown: Showdown, hand: Sequence[int]) -> int:
    """The strength of one hand."""
    return int(showdown.read(np.array([hand], np.uint8))[0])


class ShowdownCards(NamedTuple):
    """The cards of a showdown: the deck's classes, what a player sees, and the size of the dealer's hand."""

    classes: DeckSets
    seen: SeenClasses
    dealer: int  # cards
    up: int  # the place of the up card in a seat's shoe, or -1


@lru_cache(maxsize=1)
def _table(cards: tuple[int, ...], renamings: bytes, own: int, dealer: int, up: int) -> ShowdownCards:
    deck = np.array(cards, np.uint8)
    classes = number_sets(deck, np.frombuffer(renamings, np.uint8).reshape(-1, len(deck)))
    return ShowdownCards(classes, seen_classes(classes, own, up >= 0), dealer, up)


def table_of(game: Game) -> ShowdownCards:
    """The cards of a game that is a showdown; the dealer shows one card at most."""
    deck = np.array(sorted(game.deck.cards), np.uint8)
    renamings = faces_of(game).renamings
    own = game.own_places
    places = first_places(game)
    up = int(places[own]) if len(places) > own else -1
    if len(places) > own + 1 or places[:own].tolist() != list(range(own)):
        raise ValueError(f"{game.title} shows more than the player's cards and one up card")
    return _table(tuple(deck.tolist()), rename_in_deck(deck, renamings).tobytes(), own, game.places - own, up)


# -- Counting ---------------------------------------------------------------------------------------


def count_showdown(showdown: Showdown, game: Game, progress: Progress) -> ClassCounts:
    """The counts of all classes of the cards that a player can see."""
    table = table_of(game)
    classes, seen = table.classes, table.seen
    progress(0.1)
    rest = part_of(progress, 0.1, 1.0)
    counts = count_kinds(classes, seen, table.dealer, showdown.read, showdown.qualifies, rest)
    levels = np.unique(showdown.read(classes.cards[dealer_classes(classes, table.dealer)[0]]))
    hand = seen.hand_of_row
    mine = showdown.read(classes.cards[seen.hands])
    shoes = np.full((len(counts), game.places), UNKNOWN, np.int8)
    shoes[:, : seen.hands.shape[1]] = classes.cards[seen.hands[hand]]
    if table.up >= 0:
        shoes[:, table.up] = classes.cards[seen.up]
    return _judge_classes(showdown, game, shoes, seen.weights, counts, mine[hand], levels)


def count_hand(showdown: Showdown, game: Game, seen: Array) -> ClassCounts:
    """The counts of one hand, by dealing every dealer's hand."""
    shoe = np.maximum(seen, UNKNOWN)
    own = game.own_places
    up = shoe[own:][shoe[own:] >= 0]
    rest = np.setdiff1d(np.array(game.deck.cards, np.int8), shoe[shoe >= 0]).astype(np.uint8)
    dealers = _every_hand(rest, up.astype(np.uint8), game.places - own)
    strengths, mine = showdown.read(dealers), showdown.read(shoe[None, :own].astype(np.uint8))
    kinds = _kinds_of(strengths, int(mine[0]), showdown.qualifies)
    counts = np.bincount(kinds, minlength=KINDS)[None]
    one = np.ones(1, np.int64)
    return _judge_classes(showdown, game, shoe[None], one, counts, mine, np.unique(strengths))


def _every_hand(rest: Hands, up: Hands, size: int) -> Hands:
    """All dealer's hands from the rest of the deck, a row each, with the up card."""
    many = np.int64(1)
    for n in range(size - len(up)):
        many = many * (len(rest) - n) // (n + 1)
    hands = np.empty((many, size), np.uint8)
    hands[:, : len(up)] = up
    _write_hands(rest, hands[:, len(up) :])
    return hands


@kernel
def _write_hands(rest: Hands, hands: Hands) -> None:
    at = np.arange(hands.shape[1]).astype(np.uint8)
    for n in range(len(hands)):
        for i in range(len(at)):
            hands[n, i] = rest[at[i]]
        next_set(at, len(rest))


def _kinds_of(strengths: Strengths, mine: int, qualifies: int) -> Ints:
    kinds = np.where(strengths < mine, LOWER, np.where(strengths == mine, EQUAL, HIGHER))
    return np.where(strengths < qualifies, UNQUALIFIED, kinds)


# -- Judging ----------------------------------------------------------------------------------------


def _judge_classes(
    showdown: Showdown,
    game: Game,
    shoes: Array,
    weights: Ints,
    counts: NDArray[Any],
    mine: Strengths,
    levels: Strengths,
) -> ClassCounts:
    """Give every class its joint outcomes: a group is a strength of the player's hand."""
    strengths, group = np.unique(mine, return_inverse=True)
    columns = np.full((len(game.choices), len(strengths), KINDS), NOT_OPEN, np.int64)
    example = np.zeros(len(strengths), np.int64)
    example[group[::-1]] = np.arange(len(group))[::-1]
    met, outcomes = ColumnList(game), new_outcomes(len(game.spots))
    for n, strength in enumerate(strengths.tolist()):
        legal = game.rules.legal(game.kernel_data, shoes[example[n]], shoes[0, :0])
        for choice in (choice for choice in range(len(game.choices)) if legal >> choice & 1):
            for kind, dealer in _dealers_by_kind(strength, levels, showdown.qualifies):
                showdown.judge(game.kernel_data, choice, strength, dealer, outcomes)
                columns[choice, n, kind] = met.number(choice, outcomes.tolist())
    return ClassCounts(shoes, weights, counts, group.astype(np.int32), columns, met.outcomes)


def _dealers_by_kind(mine: int, levels: Strengths, qualifies: int) -> Iterator[tuple[int, int]]:
    """A strength of the dealer's hand for each kind that some deck could show."""
    qualified = int(np.searchsorted(levels, qualifies))
    low, high = (max(int(np.searchsorted(levels, mine, side)), qualified) for side in ("left", "right"))
    if qualified:
        yield UNQUALIFIED, int(levels[0])
    if low > qualified:
        yield LOWER, int(levels[low - 1])
    if high > low:
        yield EQUAL, mine
    if high < len(levels):
        yield HIGHER, int(levels[high])


# -- For simulation ---------------------------------------------------------------------------------


def follow(game: Game, made: Decisions) -> Player:
    """The player who makes the choice of its class with every hand."""
    table = table_of(game)
    return follow_choices(table.classes, table.seen, table.up, made)
