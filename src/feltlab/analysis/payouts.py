"""The house's largest payouts with every wager at the highest that a venue allows, and its rules about them.

- *Exposure*: the most that each wager, a seat and a full table can win in one round.
- *Aggregate payout limits*: for each prize, whether the house may limit what all players together are paid
  for it in one deal, the least limit, and what that limit would cut.
- *Funds*: the prizes above an amount, the second highest of which must be kept available.

A prize is the pay table of a spot; its lines are the amounts. Odds are to 1, amounts are in cents.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import Any

from feltlab.core.game import Game
from feltlab.core.layout import Spot
from feltlab.core.payout_rules import HighestWager, PayoutRules, top_odds
from feltlab.core.paytable import Line
from feltlab.games.data import printed_lines
from feltlab.proving.exact_numbers import exact
from feltlab.proving.proof import Proof


@dataclass(frozen=True)
class SpotExposure:
    """The most that the wager on a spot can win, doubled wagers included."""

    spot: Spot
    wager: int
    wins: int

    def as_json(self, seats: int) -> dict[str, Any]:
        """Plain data; a full table has so many seats."""
        most = {"largest_win": self.wins, "largest_win_of_a_full_table": seats * self.wins}
        return {"wager": self.wager, **most}


@dataclass(frozen=True)
class PrizeLine:
    """A line of a prize: its pay at the highest wager, and how many winners pass the least limit."""

    line: Line
    cents: int
    probability: Fraction  # under the strategy of the sheet
    winners: int  # the fewest at once, with the highest wager each, who are together due more than the limit

    def as_json(self) -> dict[str, Any]:
        return {
            "outcome": self.line.outcome,
            "odds": exact(self.line.pays),
            "prize": self.cents,
            "probability": exact(self.probability),
            "fewest_winners_above_the_least_limit": self.winners,
        }


@dataclass(frozen=True)
class PrizeLimit:
    """The aggregate payout limit that the house may choose for a prize."""

    spot: Spot
    wager: int
    top_odds: Fraction
    least: int | None  # the least limit; None where no limit is allowed
    lines: tuple[PrizeLine, ...]  # those that a full table can bring above the least limit
    # What the least limit adds to the edge of the wager, for a lone player with the highest wager.
    added_alone: Fraction

    def as_json(self) -> dict[str, Any]:
        allowed = {
            "least_limit": self.least,
            "lines_that_can_pass_it": [line.as_json() for line in self.lines],
            "house_edge_added_for_a_lone_player": exact(self.added_alone),
        }
        found = {"wager": self.wager, "top_odds": exact(self.top_odds), "allowed": self.least is not None}
        return found | (allowed if self.least is not None else {})


@dataclass(frozen=True)
class LargePrize:
    """A line that pays more than the amount above which funds must be kept."""

    spot: Spot
    line: Line
    cents: int

    def as_json(self) -> dict[str, Any]:
        return {"spot": self.spot.name, "outcome": self.line.outcome, "prize": self.cents}


@dataclass(frozen=True)
class Payouts:
    """The largest payouts of a game with every wager at the highest that a venue allows."""

    highest: HighestWager
    seats: int  # of a full table
    exposures: tuple[SpotExposure, ...]
    occurs: int  # the most that a seat wins under the strategy of the sheet
    limits: tuple[PrizeLimit, ...]  # of every prize; empty without a rule
    large_prizes: tuple[LargePrize, ...]  # the highest first

    @property
    def bound(self) -> int:
        """No play and no cards win a seat more: every wager wins its most at once."""
        return sum(exposure.wins for exposure in self.exposures)

    @property
    def funds(self) -> int:
        """The amount that must be kept: the second highest of the large prizes."""
        return self.large_prizes[1].cents if len(self.large_prizes) > 1 else 0

    def as_json(self) -> dict[str, Any]:
        rules = self.highest.payouts
        found: dict[str, Any] = {
            "unit": "cents",
            "venue": self.highest.venue,
            "highest_wager": self.highest.cents,
            "reference": " ".join(filter(None, (self.highest.reference, self.highest.since))),
            "seats": self.seats,
            "exposures": {exposure.spot.name: exposure.as_json(self.seats) for exposure in self.exposures},
            "largest_win_of_a_seat_at_most": self.bound,
            "largest_win_of_a_seat_that_occurs": self.occurs,
            "largest_win_of_a_full_table_at_most": self.seats * self.bound,
        }
        return found | (self._prizes_json(rules) if rules else {})

    def _prizes_json(self, rules: PayoutRules) -> dict[str, Any]:
        return {
            "aggregate_limits": {limit.spot.name: limit.as_json() for limit in self.limits},
            "aggregate_limits_reference": rules.limit_reference,
            "aggregate_limits_confirmed": rules.limit_confirmed,
            "large_prizes_above": rules.funds_cents,
            "large_prizes": [prize.as_json() for prize in self.large_prizes],
            "funds_to_keep": self.funds,
            "funds_reference": rules.funds_reference,
            "funds_confirmed": rules.funds_confirmed,
        }


def largest_payouts(proof: Proof, highest: HighestWager) -> Payouts:
    """The largest payouts of a game under the strategy of a proof."""
    game, rules = proof.game, highest.payouts
    prizes = [spot for spot in game.spots if not spot.is_price]
    return Payouts(
        highest,
        game.seats,
        tuple(_expose(game, spot, highest) for spot in prizes),
        _largest_net(proof, highest),
        tuple(_limit_prize(proof, spot, highest, rules) for spot in prizes) if rules else (),
        tuple(_large_prizes(game, prizes, highest, rules.funds_cents)) if rules else (),
    )


def _expose(game: Game, spot: Spot, highest: HighestWager) -> SpotExposure:
    wager, lines = highest.wager_on(game, spot), game.pay_table(spot).lines
    return SpotExposure(spot, wager, int(wager * max(_most_won(spot, line) for line in lines)))


def _most_won(spot: Spot, line: Line) -> Fraction:
    """The most that a line wins for each unit of `HighestWager.wager_on`, which has all units of a raise."""
    return line.pays if spot.raises else line.pays * spot.most_units_of(line)


def _largest_net(proof: Proof, highest: HighestWager) -> int:
    tally = proof.tally
    wagers = {bet: highest.wager_on(proof.game, bet) for bet in proof.game.wagers}
    return int(max(sum(n * tally.net(bet, found) for bet, n in wagers.items()) for found in tally.counts))


# -- Aggregate payout limits --------------------------------------------------------------------------

Chances = Sequence[tuple[Line, Fraction]]  # of the lines of a prize


def _limit_prize(proof: Proof, spot: Spot, highest: HighestWager, rules: PayoutRules) -> PrizeLimit:
    game = proof.game
    wager, top = highest.wager_on(game, spot), top_odds(game, spot)
    least = highest.least_limit(game, spot)
    if least is None:
        return PrizeLimit(spot, wager, top, None, (), Fraction(0))
    chances = _chances(proof, spot)
    above = ((max(Fraction(0), line.pays - rules.limit_odds), chance) for line, chance in chances)
    cut = sum((odds * chance for odds, chance in above), Fraction(0))
    lines = tuple(_lines_above(spot, chances, wager, rules.limit_odds, game.seats))
    return PrizeLimit(spot, wager, top, least, lines, cut)


def _chances(proof: Proof, spot: Spot) -> Chances:
    """The lines of a spot with their probabilities, given that there is a wager on it."""
    lines, counts = proof.game.pay_table(spot).lines, proof.tally.outcomes(spot).values()
    made = sum(counts)
    return [(line, Fraction(n, made or 1)) for line, n in zip(lines, counts, strict=True)]


def _lines_above(spot: Spot, chances: Chances, wager: int, odds: int, seats: int) -> Iterator[PrizeLine]:
    """The lines of which a full table can have so many winners that they are due more than these odds."""
    for line, chance in chances:
        winners = floor(odds / line.pays) + 1 if line.pays > 0 else seats + 1
        if winners <= seats:
            yield PrizeLine(line, int(wager * _most_won(spot, line)), chance, winners)


# -- Funds --------------------------------------------------------------------------------------------


def _large_prizes(game: Game, prizes: Sequence[Spot], highest: HighestWager, above: int) -> list[LargePrize]:
    lines = ((spot, line) for spot in prizes for line in printed_lines(game, spot))
    found = (
        LargePrize(spot, line, int(highest.wager_on(game, spot) * _most_won(spot, line)))
        for spot, line in lines
    )
    return sorted((prize for prize in found if prize.cents > above), key=lambda prize: -prize.cents)


# -- The weights of pay lines -----------------------------------------------------------------------


@dataclass(frozen=True)
class PayLine:
    """A line of a pay table, its probability, and its weight in the house edge of the bet."""

    spot: Spot
    line: Line
    count: int
    probability: Fraction
    units: Fraction  # that it decides in a round on average, in units of the first wager

    @property
    def slope(self) -> Fraction:
        """The change of the edge if the line pays one more to one and the strategy stays the same."""
        return -self.units

    def as_json(self) -> dict[str, Any]:
        return {
            "spot": self.spot.name,
            "outcome": self.line.outcome,
            "pays": exact(self.line.pays),
            "combinations": str(self.count),
            "probability": exact(self.probability),
            "edge_per_unit": exact(self.slope),
        }


def pay_lines(proof: Proof, bet: Spot) -> Iterator[PayLine]:
    """The lines that can occur and do not lose, of the first wager and its raises."""
    deals = proof.tally.deals
    for spot in proof.game.spots_of(bet.name):
        counts, units = proof.tally.outcomes(spot), proof.tally.units(spot)
        for line in proof.game.pay_table(spot).lines:
            count = counts[line.outcome]
            if count and line.pays >= 0 and not line.refund:
                decided = spot.size * Fraction(units[line.outcome], deals)
                yield PayLine(spot, line, count, Fraction(count, deals), decided)
