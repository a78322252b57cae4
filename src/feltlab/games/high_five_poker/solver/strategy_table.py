"""The complete strategy: every class of seven cards below a pair of tens, and every strength from there on.

From a pair of tens on every single hand is played, which the proof shows by a bound; so there one row for
each strength is enough, with the mean value of its hands.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import comb, lcm
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from feltlab.core.cards import JOKER, name
from feltlab.core.game import Game
from feltlab.core.hands import poker
from feltlab.core.stake import Stake
from feltlab.core.strategy.table import StrategyRow, StrategyTable
from feltlab.core.tally import Outcomes, Tally
from feltlab.counting.subsets import HAND
from feltlab.games.high_five_poker import rules
from feltlab.games.high_five_poker.solver.choices import FOLDED, judge_kinds
from feltlab.games.high_five_poker.solver.classes import classes
from feltlab.games.high_five_poker.solver.deck_proof import CountedDeck, counted_deck
from feltlab.parallel.progress import Progress

NOTE = (
    "A value is the expected net of the whole stake in units. Below a pair of tens, a row is a class of "
    "hands that are alike up to the names of suits. From a pair of tens on, a row is a strength, all of "
    "whose hands are played; its hand is an example and its values are the means over its hands."
)
NAMES = [name(card) for card in range(JOKER + 1)]
CHUNK_ROWS = 1 << 14  # computed at once


class StakeNets(NamedTuple):
    """The nets of the stake by strength, in whole parts of a unit."""

    played: NDArray[Any]  # by order index: against a dealer not qualified, weaker, equal, stronger
    folded: NDArray[Any]  # by order index
    parts: int  # of a unit

    @classmethod
    def of(cls, game: Game, stake: Stake, strengths: list[int]) -> "StakeNets":
        tally = Tally(game, {})

        def net(outcomes: Outcomes) -> Fraction:
            return sum((n * tally.net(game.spot(bet), outcomes) for bet, n in stake.items()), Fraction(0))

        trips = [rules.judge_trips(strength) for strength in strengths]
        played = [
            [net((*kind, t)) for kind in judge_kinds(strength)]
            for strength, t in zip(strengths, trips, strict=True)
        ]
        folded = [net((*FOLDED, t)) for t in trips]
        parts = lcm(*(n.denominator for row in (*played, folded) for n in row))
        whole = [[int(n * parts) for n in row] for row in (*played, folded)]
        return cls(np.array(whole[:-1], object), np.array(whole[-1], object), parts)


def strategy_table(game: Game, stake: Stake, progress: Progress) -> StrategyTable:
    tables = classes(game, stake, progress).arrays
    deck = counted_deck()
    strengths = deck.order.strengths.tolist()
    nets, end = StakeNets.of(game, stake, strengths), deck.order.at_least(deck.zone_end)

    def rows() -> Iterator[StrategyRow]:
        yield from _class_rows(deck, tables, nets)
        yield from _strength_rows(deck, tables, nets, end)

    return StrategyTable(len(tables["cards"]) + len(strengths) - end, rows(), NOTE)


def _class_rows(
    deck: CountedDeck, tables: Mapping[str, NDArray[Any]], nets: StakeNets
) -> Iterator[StrategyRow]:
    """A row for each class below the zone's end, computed some thousands at a time."""
    cards, choices, weights = tables["cards"], tables["choices"], tables["weights"]
    at = deck.order.index_of[deck.strengths[deck.strengths < deck.zone_end]]
    dealers = comb(len(deck.found.deck) - HAND, HAND)
    for start in range(0, len(cards), CHUNK_ROWS):
        part = slice(start, start + CHUNK_ROWS)
        played = _sum_nets(nets.played[at[part]], tables["kinds"][part], dealers)
        folded = (nets.folded[at[part]] * dealers).tolist()
        hands, numbers = (
            cards[part].tolist(),
            zip(weights[part].tolist(), choices[part].tolist(), strict=True),
        )
        for hand, (weight, choice), values in zip(
            hands, numbers, zip(played, folded, strict=True), strict=True
        ):
            text = " ".join([NAMES[card] for card in hand])
            yield StrategyRow(text, "", weight, choice, _by_choice(*values), nets.parts * dealers)


def _strength_rows(
    deck: CountedDeck, tables: Mapping[str, NDArray[Any]], nets: StakeNets, end: int
) -> Iterator[StrategyRow]:
    """A row for each strength from the zone's end on, with the sums over all its hands."""
    dealers = comb(len(deck.found.deck) - HAND, HAND)
    strengths, examples = np.unique(deck.strengths, return_index=True)
    example = dict(zip(strengths.tolist(), examples.tolist(), strict=True))
    for n in range(end, len(deck.order.strengths)):
        hands = int(tables["strengths.hands"][n])
        (played,) = _sum_nets(nets.played[n : n + 1], tables["strengths.deals"][n : n + 1], hands * dealers)
        folded = int(nets.folded[n]) * hands * dealers
        cards = deck.found.hands[HAND][example[int(deck.order.strengths[n])]].tolist()
        text = " ".join([NAMES[card] for card in cards])
        situation = f"and every other hand as strong: {poker.read(cards).name}"
        values = _by_choice(played, folded)
        yield StrategyRow(text, situation, hands, rules.PLAY, values, nets.parts * hands * dealers)


def _sum_nets(nets: NDArray[Any], kinds: NDArray[Any], deals: int) -> list[int]:
    """By row, the net of all deals against a dealer of each kind; the last kind is the rest of them."""
    counted = kinds.astype(object)
    found: list[int] = ((nets[:, :3] - nets[:, 3:]) * counted).sum(axis=1).tolist()
    return [total + deals * stronger for total, stronger in zip(found, nets[:, 3].tolist(), strict=True)]


def _by_choice(played: int, folded: int) -> tuple[int, ...]:
    return (played, folded) if rules.PLAY < rules.FOLD else (folded, played)
