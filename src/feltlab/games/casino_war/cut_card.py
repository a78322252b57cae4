"""Rounds of Casino War that are dealt from one shoe until the cut card is out.

A round uses more cards if there is a war. So the number of rounds in a shoe depends on its ties, and the
average round of a shoe is not quite the first one. Two facts make this countable:

- Cards that are not seen yet are exchangeable. Whether a round is played depends on the rounds before, and
  how it ends on cards that no earlier round compares.
- With one seat, a round compares one pair of cards, and a war a second pair. So only the law of matches among
  disjoint pairs is needed: of all pairs, which have two cards of one rank?

With more seats the same is sampled: the probability of a tie follows exactly from the cards that are left,
so only the composition of the shoe is random.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import count
from math import comb, factorial, perm
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from feltlab.core.game import Game
from feltlab.core.solver import CutCard, OutcomeShares
from feltlab.core.stake import Stake
from feltlab.core.tally import Outcomes
from feltlab.games.casino_war import rules
from feltlab.games.casino_war.solver import RANKS, decisions
from feltlab.kernel import lean

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def _outcome_shares(goes_to_war: bool, ties: Fraction, wars_tied: Fraction) -> dict[Outcomes, Fraction]:
    """The share of each joint outcome from those of ties, and of ties with a tied war.

    Given any cards left, a higher and a lower card of the player's are equally likely.
    """
    apart, war = (1 - ties) / 2, (ties - wars_tied) / 2
    shares: dict[Outcomes, Fraction] = {(end, rules.NOT_TIED): apart for end in (rules.WIN, rules.LOSE)}
    if not goes_to_war:
        return {**shares, (rules.SURRENDERED, rules.TIED): ties}
    primary, ends = rules.SPOTS[0], {rules.WAR_WON: war, rules.WAR_TIED: wars_tied, rules.WAR_LOST: war}
    return shares | {(primary.number(end, 2), rules.TIED): share for end, share in ends.items()}


def _goes_to_war(game: Game, stake: Stake, strategy: str) -> bool:
    return int(decisions(game, stake, strategy)[0]) == rules.WAR


# -- One seat, counted --------------------------------------------------------------------------------


class Matches:
    """The law of matches among disjoint pairs of cards of a shoe."""

    def __init__(self, decks: int) -> None:
        self._all = _all_match(decks)
        self.chance = cache(self._chance)

    def _chance(self, pairs: int, matching: int) -> Fraction:
        """The probability that, of these pairs, the first ones match and no other does."""
        if pairs == matching:
            return self._all[pairs]
        return self.chance(pairs - 1, matching) - self.chance(pairs, matching + 1)


def _all_match(decks: int) -> list[Fraction]:
    """By number of disjoint pairs, the probability that each of them holds two cards of one rank.

    The ways are a product over ranks of generating functions: n pairs of one rank take its cards in order.
    """
    copies = 4 * decks
    of_rank = [Fraction(perm(copies, 2 * n), factorial(n)) for n in range(copies // 2 + 1)]
    ways = [Fraction(1)]
    for _ in RANKS:
        longer = [Fraction(0)] * (len(ways) + len(of_rank) - 1)
        for n, some in enumerate(ways):
            for k, more in enumerate(of_rank):
                longer[n + k] += some * more
        ways = longer
    cards = copies * len(RANKS)
    return [factorial(n) * number / perm(cards, 2 * n) for n, number in enumerate(ways)]


def count_rounds(game: Game, stake: Stake, strategy: str) -> Mapping[Outcomes, Fraction]:
    """With one seat: the expected number of rounds of a shoe that end in each joint outcome.

    After some rounds and wars the number of cards used is known. Every order of the wars is equally likely,
    and the next round, if it is played, compares a fresh pair.
    """
    chance, war = Matches(game.kernel_data.decks).chance, _goes_to_war(game, stake, strategy)
    extra = 2 * rules.BURNED + 2 if war else 0
    rounds = ties = wars_tied = Fraction(0)
    for before in count():
        if not _is_played(game, 2 * before):
            break
        for wars in range(before + 1):
            if _is_played(game, 2 * before + extra * wars):
                orders = comb(before, wars)
                rounds += orders * chance(before, wars)
                ties += orders * chance(before + 1, wars + 1)
                wars_tied += orders * chance(before + 2, wars + 2)
    shares = _outcome_shares(war, ties / rounds, wars_tied / rounds)
    return {outcomes: rounds * share for outcomes, share in shares.items()}


def _is_played(game: Game, used: int, seats: int = 1) -> bool:
    """Is another round dealt from a shoe of which this many cards are used?"""
    return used == 0 or not game.needs_shuffle(used, seats)


# -- Several seats, sampled ---------------------------------------------------------------------------

BATCHES, BATCH_SHOES = 128, 1 << 11
DRAW_BITS = 32


class ShoePlan(NamedTuple):
    """The deal of a shoe to a full table."""

    seats: int
    goes_to_war: bool
    war_for_each: bool
    last: int  # a round begins while fewer cards are used
    shuffled: int  # cards that a shoe can use
    spacing: int  # about the cards of a round


def plan_shoe(game: Game, goes_to_war: bool, seats: int) -> ShoePlan:
    size = len(game.deck)
    last = next((used for used in range(1, size) if not _is_played(game, used, seats)), size)
    shuffled = min(size, last + game.cards_needed(seats))
    wars = seats / len(RANKS) * (2 * rules.BURNED + 2) if goes_to_war else 0.0
    return ShoePlan(
        seats, goes_to_war, game.kernel_data.war_for_each, last, shuffled, round(seats + 1 + wars)
    )


def sample_changes(
    game: Game, stake: Stake, strategy: str, seats: int, rng: np.random.Generator
) -> Sequence[OutcomeShares]:
    """Batches of random shoes: the change of the share of each outcome against a round from a full shoe."""
    war = _goes_to_war(game, stake, strategy)
    plan, nothing = plan_shoe(game, war, seats), _outcome_shares(war, Fraction(0), Fraction(0))
    deck = np.array([card >> 2 for card in game.deck.cards], np.int64)
    left, ties = np.zeros(len(RANKS), np.int64), np.zeros((2, len(deck)))
    found = []
    for _ in range(BATCHES):
        sums, draws = np.zeros(3), rng.integers(0, 1 << DRAW_BITS, (BATCH_SHOES, plan.shuffled), np.int64)
        play_shoes(plan, draws, deck, left, ties, sums)
        moved = _outcome_shares(war, *(Fraction(change) for change in (sums[1:] / sums[0]).tolist()))
        found.append({outcomes: float(share - nothing[outcomes]) for outcomes, share in moved.items()})
    return found


@lean
def play_shoes(plan: ShoePlan, draws: Ints, deck: Ints, left: Ints, ties: Floats, sums: Floats) -> None:
    """Add up the rounds of random shoes, and how far ties and tied wars are from those of a full shoe.

    Before any fixed place of a shoe, both probabilities have the mean of the full shoe. So their sum over
    evenly spaced places has the mean 0; taking it off leaves less chance in the sum over the rounds.
    """
    for shoe in range(len(draws)):
        _shuffle_shoe(plan, draws[shoe], deck, left, ties)
        used = 0
        while used == 0 or used < plan.last:
            sums[0] += 1
            for kind in range(2):
                sums[1 + kind] += ties[kind, used] - ties[kind, 0]
            used += _cards_of_round(plan, deck, used)
        for place in range(0, plan.last, plan.spacing):
            for kind in range(2):
                sums[1 + kind] -= ties[kind, place] - ties[kind, 0]


@lean
def _shuffle_shoe(plan: ShoePlan, draws: Ints, deck: Ints, left: Ints, ties: Floats) -> None:
    """Shuffle as far as cards are used; before each card, note the probabilities of a tie and a tied war.

    With n copies left of a rank, n (n - 1) ordered pairs match. Two pairs match in the square of their sum
    over all ranks, but for pairs of one rank: it has n (n - 1) (n - 2) (n - 3) ways, not (n (n - 1))^2.
    """
    size = len(deck)
    left[:] = size // len(left)
    pairs, surplus = len(left) * _pairs(left[0]), len(left) * _surplus(left[0])
    for place in range(plan.shuffled):
        cards = size - place
        if place < plan.last:
            ties[0, place] = pairs / _pairs(cards)
            ties[1, place] = (pairs * pairs - surplus) / (float(_pairs(cards)) * _pairs(cards - 2))
        other = place + (draws[place] * cards >> DRAW_BITS)
        rank = deck[other]
        deck[other] = deck[place]
        deck[place] = rank
        pairs -= _pairs(left[rank]) - _pairs(left[rank] - 1)
        surplus -= _surplus(left[rank]) - _surplus(left[rank] - 1)
        left[rank] -= 1


@lean
def _pairs(copies: int) -> int:
    return copies * (copies - 1)


@lean
def _surplus(copies: int) -> int:
    return _pairs(copies) * (_pairs(copies) - _pairs(copies - 2))


@lean
def _cards_of_round(plan: ShoePlan, deck: Ints, used: int) -> int:
    """The number of cards of the round that begins here."""
    dealers, tied = deck[used + plan.seats], 0
    for seat in range(plan.seats):
        if deck[used + seat] == dealers:
            tied += 1
    if not (tied and plan.goes_to_war):
        return plan.seats + 1
    wars = tied if plan.war_for_each else 1
    return plan.seats + 1 + tied + wars * (2 * rules.BURNED + 1)


CUT_CARD = CutCard(count_rounds, sample_changes)
