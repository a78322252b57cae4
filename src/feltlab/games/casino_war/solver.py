"""The solver of Casino War. Suits do not matter and burned cards are never seen, so it counts ranks.

A deal is four cards in order: the player's, the dealer's, the player's at war, the dealer's at war.
"""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import perm
from typing import Any, NamedTuple

import numpy as np

from feltlab.core.game import Game
from feltlab.core.round import Round
from feltlab.core.solver import ClassTables, Decisions, Law, Player, Solver, StrategyCard
from feltlab.core.stake import Stake
from feltlab.core.strategy.card_rows import CardRow, HandKey
from feltlab.core.tally import Outcomes, Tally
from feltlab.games.casino_war import rules
from feltlab.kernel import Array, lean
from feltlab.parallel.progress import Progress, nobody_listens

RANKS = range(13)
TIE = "tie"  # the one key of the strategy card


class Faces(NamedTuple):
    """The cards that the rules can tell apart: two of the same face tie."""

    order: Sequence[int]  # by face: its place, from the lowest up; no two faces share one
    copies: int  # of each face in one deck


BY_RANK = Faces(RANKS, copies=4)
STRATEGIES = {
    "optimal": "the better of war and surrender",
    "war": "go to war on every tie",
    "surrender": "surrender on every tie",
}


def count_deals(cards: tuple[int, ...], decks: int, copies: int = BY_RANK.copies) -> int:
    """The number of ordered deals that have these faces; a deck holds some copies of each."""
    held: Counter[int] = Counter()
    ways = 1
    for rank in cards:
        ways *= copies * decks - held[rank]
        held[rank] += 1
    return ways


def settle_ranks(game: Game, ranks: tuple[int, ...], choice: int | None) -> Outcomes:
    """The outcomes of cards with these ranks, in the order of the deal, with the units of the wagers."""
    player, dealer, player_war, dealer_war = (4 * rank for rank in ranks)
    shoe: Any = np.array([player, player_war, dealer, dealer_war], np.int16)  # places may be above 31
    outcomes = np.zeros(len(game.spots), np.int8)
    rules.settle(game.kernel_data, shoe, np.array([] if choice is None else [choice], np.int8), outcomes)
    first, tie = outcomes.tolist()
    return game.spots[0].number(first, 2 if choice == rules.WAR else 1), tie


def law_of(game: Game, choice: int, faces: Faces = BY_RANK) -> Law:
    """The law of making one choice on every tie; without a tie any two cards may follow."""
    decks, copies = game.kernel_data.decks, faces.copies
    rest = len(game.deck) - 2
    every, place = range(len(faces.order)), faces.order
    counts: Counter[Outcomes] = Counter()
    for one, two in product(every, repeat=2):
        if place[one] != place[two]:
            ways = count_deals((one, two), decks, copies) * rest * (rest - 1)
            counts[settle_ranks(game, (place[one], place[two], 0, 0), None)] += ways
    not_tied = counts.total()
    for held in product(every, repeat=3):
        dealt = (held[0], *held)
        ranks = tuple(place[face] for face in dealt)
        counts[settle_ranks(game, ranks, choice)] += count_deals(dealt, decks, copies)
    chosen = {"": not_tied, rules.CHOICES[choice].name: counts.total() - not_tied}
    return Law(counts, chosen, "every order of four ranks, weighted by the cards of each rank in the shoe")


def solve(game: Game, stake: Stake, strategy: str, progress: Progress, faces: Faces = BY_RANK) -> Law:
    """All ranks are alike, so one choice is the best on every tie."""
    laws = {choice.name: law_of(game, number, faces) for number, choice in enumerate(game.choices)}
    if strategy in laws:
        return laws[strategy]
    primary = game.spot("primary")
    return max(laws.values(), key=lambda law: Tally(game, law.counts).expected(primary))


def values(round: Round, stake: Stake) -> dict[str, Fraction]:
    """The expected net of war and of surrender, given the tie on the table."""
    game, tied = round.game, round.seen[rules.FIRST] >> 2
    found = {}
    for number, choice in enumerate(game.choices):
        total, weighed = Fraction(0), 0
        for war in product(RANKS, repeat=2):
            ranks = (tied, tied, *war)
            ways = count_deals(ranks, game.kernel_data.decks)
            tally = Tally(game, {settle_ranks(game, ranks, number): 1})
            total += ways * tally.total_expected(stake)
            weighed += ways
        found[choice.name] = total / weighed
    return found


def card(game: Game, stake: Stake) -> StrategyCard:
    """One line, since every tie is alike."""
    best = next(name for name in solve(game, stake, "optimal", nobody_listens).first_choices if name)
    index = {TIE: (CardRow(best, line=0),)}
    return StrategyCard((("on a tie", best),), (), Fraction(0), classes=len(RANKS), index=index)


def read_hand(round: Round) -> HandKey:
    return HandKey(TIE)


# -- For simulation -----------------------------------------------------------------------------------


def decisions(game: Game, stake: Stake, strategy: str) -> Decisions:
    """The one choice that is made on every tie."""
    made = solve(game, stake, strategy, nobody_listens).first_choices
    return np.array([n for n, choice in enumerate(game.choices) if choice.name in made], np.uint8)


@lean
def decide(data: int, seen: Array, legal: int, choices: Array) -> int:
    return data


def player(game: Game, strategy: str, made: Decisions) -> Player:
    return Player(decide, int(made[0]))


# -- For a certificate ----------------------------------------------------------------------------------

NO_CHOICE = 255
Pair = tuple[int, int]  # the first ranks of player and dealer


def classes(game: Game, stake: Stake, progress: Progress) -> ClassTables:
    """By pair of first ranks: the orders of its cards, the choice, and the deals of each outcome."""
    decks, pairs = game.kernel_data.decks, list(product(RANKS, RANKS))
    (best,) = decisions(game, stake, "optimal").tolist()
    counted = {"none": _count(game, pairs, None)}
    counted |= {choice.name: _count(game, pairs, number) for number, choice in enumerate(game.choices)}
    columns = {f"counts.{name}": tuple(sorted(found)) for name, found in counted.items()}
    arrays: dict[str, Any] = {
        f"counts.{name}": np.array([found[o] for o in sorted(found)], np.int64).T
        for name, found in counted.items()
    }
    arrays |= {
        "ranks": np.array(pairs, np.uint8),
        "weights": np.array([count_deals(pair, decks) for pair in pairs], np.int64),
        "choices": np.array([best if one == two else NO_CHOICE for one, two in pairs], np.uint8),
    }
    return ClassTables(arrays, columns)


def _count(game: Game, pairs: Sequence[Pair], choice: int | None) -> dict[Outcomes, list[int]]:
    """By joint outcome and pair: the deals that lead there under a choice, or under none without a tie."""
    found: dict[Outcomes, list[int]] = {}
    for at, pair in enumerate(pairs):
        if (pair[0] == pair[1]) == (choice is not None):
            for outcomes, ways in _deals(game, pair, choice):
                found.setdefault(outcomes, [0] * len(pairs))[at] += ways
    return found


def _deals(game: Game, pair: Pair, choice: int | None) -> list[tuple[Outcomes, int]]:
    decks = game.kernel_data.decks
    if choice is None:
        ways = count_deals(pair, decks) * perm(len(game.deck) - 2, 2)
        return [(settle_ranks(game, (*pair, 0, 0), None), ways)]
    dealt = [(*pair, *war) for war in product(RANKS, repeat=2)]
    return [(settle_ranks(game, ranks, choice), count_deals(ranks, decks)) for ranks in dealt]


def law_key(game: Game, stake: Stake, strategy: str) -> object:
    """The better choice depends on the pays of a war, and on no other pay."""
    lines = game.pay_table(game.spot("primary")).lines
    war = [str(lines[outcome].pays) for outcome in (rules.WAR_WON, rules.WAR_TIED)]
    return [game.options["decks"], strategy, war if strategy == "optimal" else None]


SOLVER = Solver(
    STRATEGIES, solve, values, card, decisions, player, law_key, classes=classes, read_hand=read_hand
)
