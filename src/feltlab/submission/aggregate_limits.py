"""Aggregate payout limits that a house chooses to post, checked against the rules of its venue."""

from collections.abc import Mapping, Sequence
from functools import partial

from feltlab.core.game import Game
from feltlab.core.layout import Spot
from feltlab.core.payout_rules import HighestWager, PayoutRules
from feltlab.errors import Refused
from feltlab.submission.venues import Venue
from feltlab.text import dollars, parse_dollars, parse_pairs

FLAG = "--aggregate-limit"
AGGREGATE_LIMIT = "the most that the house pays all players together for one prize in one deal"


def read_aggregate_limits(game: Game, venue: Venue, given: Sequence[str]) -> Mapping[str, int]:
    """SPOT=DOLLARS words as cents by spot; refuses a limit that the rules do not allow."""
    words = parse_pairs(given, FLAG)
    if not words:
        return {}
    highest = venue.highest_wager
    if highest is None or highest.payouts is None:
        raise Refused(f"No rule about aggregate payout limits is known for a {venue.title.lower()}.")
    read = partial(_read_limit, game, highest, highest.payouts)
    return {name: read(game.spot(name), text) for name, text in words.items()}


def _read_limit(game: Game, highest: HighestWager, rules: PayoutRules, spot: Spot, text: str) -> int:
    least = highest.least_limit(game, spot)
    if least is None:
        raise Refused(
            f"{spot.title} may have no aggregate payout limit: its top odds are below {rules.limit_odds} "
            f"to 1 ({rules.limit_reference})."
        )
    cents = parse_dollars(text)
    if cents < least:
        raise Refused(
            f"The aggregate payout limit of {spot.title} must be at least {dollars(least)}, not "
            f"{dollars(cents)} ({rules.limit_reference})."
        )
    return cents
