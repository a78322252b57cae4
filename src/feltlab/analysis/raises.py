"""Wagers that are made after the first cards: raises under a strategy, and offers of any amount.

The edge of a bet includes its raises. Here each raise is measured by itself, for each unit of it and given
that it is made. An offer of any amount is a wager of its own: its law does not depend on the play, and the
player may know cards that change it.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from feltlab.core.game import Game
from feltlab.core.layout import Spot
from feltlab.core.solver import OfferCounts
from feltlab.games import offers_of
from feltlab.proving.exact_numbers import exact
from feltlab.proving.proof import Proof


@dataclass(frozen=True)
class WagerOdds:
    """The ends of a wager, given that it is made; for each unit of it."""

    edge: Fraction
    hit_frequency: Fraction

    @classmethod
    def of(cls, game: Game, spot: Spot, counts: Mapping[int, int]) -> "WagerOdds":
        """From the number of deals, or of units, that lead to each outcome."""
        lines, deals = game.pay_table(spot).lines, sum(counts.values())
        won = sum((lines[n].pays * count for n, count in counts.items()), Fraction(0))
        hits = sum(count for n, count in counts.items() if lines[n].pays > 0)
        return cls(-won / deals, Fraction(hits, deals))

    @property
    def return_to_player(self) -> Fraction:
        return 1 - self.edge

    def as_json(self) -> dict[str, Any]:
        return {
            "house_edge": exact(self.edge),
            "return_to_player": exact(self.return_to_player),
            "hit_frequency": exact(self.hit_frequency),
        }


@dataclass(frozen=True)
class Raise:
    """A raise on a spot of its own, under the strategy of a proof."""

    spot: Spot
    made: Fraction  # the share of rounds in which it is made
    odds: WagerOdds

    def as_json(self) -> dict[str, Any]:
        return {"made": exact(self.made), **self.odds.as_json()}


@dataclass(frozen=True)
class OfferToHand:
    """An offer to a player with some knowledge."""

    known: str  # in words
    share: Fraction  # of all offers
    odds: WagerOdds

    def as_json(self) -> dict[str, Any]:
        return {"known": self.known, "share_of_offers": exact(self.share), **self.odds.as_json()}


@dataclass(frozen=True)
class Offer:
    """A wager of any amount that a choice offers: over all offers, and by what the player knows."""

    spot: Spot
    choice: str
    offered: Fraction  # the share of rounds
    odds: WagerOdds  # of a player who always takes it
    hands: tuple[OfferToHand, ...]  # from the best for the player to the worst

    @property
    def best(self) -> OfferToHand:
        return self.hands[0]

    @property
    def worth_taking(self) -> tuple[OfferToHand, ...]:
        """The hands with which the player gains by taking it: a wager of its own changes no other."""
        return tuple(hand for hand in self.hands if hand.odds.edge < 0)

    def as_json(self) -> dict[str, Any]:
        return {
            "choice": self.choice,
            "offered": exact(self.offered),
            **self.odds.as_json(),
            "hands": [hand.as_json() for hand in self.hands],
            "worth_taking": [hand.known for hand in self.worth_taking],
        }


def measure_raises(proof: Proof) -> tuple[Raise, ...]:
    """The raises that the strategy of a proof makes, in the order of the felt."""
    return tuple(_measure_raises(proof))


def _measure_raises(proof: Proof) -> Iterator[Raise]:
    game, tally = proof.game, proof.tally
    for spot in (spot for spot in game.spots if spot.raises):
        made = sum(tally.outcomes(spot).values())
        units = dict(enumerate(tally.units(spot).values()))
        if made:
            yield Raise(spot, Fraction(made, tally.deals), WagerOdds.of(game, spot, units))


def measure_offers(game: Game) -> tuple[Offer, ...]:
    """The wagers of any amount that choices of a game offer.

    >>> from feltlab import GAMES
    >>> [insurance] = measure_offers(GAMES["triple-shot-bonus"])
    >>> insurance.offered, insurance.odds.edge
    (Fraction(1, 13), Fraction(1, 17))
    """
    return tuple(_measure_offer(game, counts) for counts in offers_of(game))


def _measure_offer(game: Game, counts: OfferCounts) -> Offer:
    (spot,) = map(game.spot, game.choice(counts.choice).puts)
    every: Counter[int] = Counter()
    for found in counts.hands.values():
        every.update(found)
    offers = every.total()
    hands = [
        OfferToHand(known, Fraction(sum(found.values()), offers), WagerOdds.of(game, spot, found))
        for known, found in counts.hands.items()
    ]
    best_first = tuple(sorted(hands, key=lambda hand: hand.odds.edge))
    odds = WagerOdds.of(game, spot, every)
    return Offer(spot, counts.choice, Fraction(offers, counts.deals), odds, best_first)
