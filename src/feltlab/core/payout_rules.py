"""A venue's rules about the highest wager and about large prizes, as values with their citations."""

from dataclasses import dataclass
from fractions import Fraction

from feltlab.core.game import Game
from feltlab.core.layout import Spot


@dataclass(frozen=True)
class PayoutRules:
    """Rules about prizes that are paid by odds.

    An aggregate payout limit is the most that all players together are paid for one prize in one deal.
    """

    limit_odds: int  # to 1: no limit where the top odds are lower; the least limit counts no higher ones
    limit_reference: str
    limit_confirmed: bool
    funds_dollars: int  # of the prizes above this amount, the second highest must be kept available
    funds_reference: str
    funds_confirmed: bool

    @property
    def funds_cents(self) -> int:
        return 100 * self.funds_dollars


@dataclass(frozen=True)
class HighestWager:
    """The highest wager that a venue allows, for each raise too, and its rules about prizes."""

    venue: str  # its title
    cents: int
    reference: str
    since: str = ""  # 'since August 2023 (not confirmed)'
    payouts: PayoutRules | None = None

    def wager_on(self, game: Game, spot: Spot) -> int:
        """The wager on a spot, in cents, if every first wager is as high as its largest raise allows.

        A further unit that a choice adds to a first wager is not part of it.

        >>> from feltlab import GAMES
        >>> game = GAMES["caribbean-stud"]  # the Raise is twice the Ante
        >>> highest = HighestWager("Card room", 40_000, "a rule")
        >>> highest.wager_on(game, game.spot("ante")), highest.wager_on(game, game.spot("raise"))
        (20000, 40000)
        """
        first = game.spot(spot.follows or spot.name)
        highest = int(self.cents / largest_raise(game, first))
        highest -= highest % game.step(first)
        return int(highest * spot.size * (spot.most_units if spot.raises else 1))

    def least_limit(self, game: Game, spot: Spot) -> int | None:
        """The least aggregate payout limit of a spot's prize, in cents; None where none is allowed.

        >>> from feltlab import GAMES
        >>> game = GAMES["triple-shot-bonus"]  # Poker pays up to 500 to 1, War 1 to 1
        >>> rules = PayoutRules(50, "a rule", True, 25_000, "another", True)
        >>> highest = HighestWager("Card room", 30_000, "a third", payouts=rules)
        >>> highest.least_limit(game, game.spot("poker"))  # $300 times 50
        1500000
        >>> highest.least_limit(game, game.spot("war"))
        """
        if self.payouts is None or top_odds(game, spot) < self.payouts.limit_odds:
            return None
        return self.wager_on(game, spot) * self.payouts.limit_odds


def largest_raise(game: Game, first: Spot) -> Fraction:
    """The largest raise of a first wager, or of one that must equal it, in units of it; at least 1."""
    equal = game.equal_wagers(first.name)
    raises = (spot.size * spot.most_units for spot in game.spots if spot.raises in equal)
    return max([Fraction(1), *raises])


def top_odds(game: Game, spot: Spot) -> Fraction:
    """The highest pay of a spot's pay table, to 1."""
    return max(line.pays for line in game.pay_table(spot).lines)


def describe_reference(reference: str, confirmed: bool) -> str:
    """'WAC 230-15-490', or 'WAC 230-15-490, to be confirmed'."""
    return reference if confirmed else f"{reference}, to be confirmed"
