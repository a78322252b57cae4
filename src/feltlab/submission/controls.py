"""A draft of the internal controls of a game: the controls of `controls.toml`, with the game's own facts."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from types import MappingProxyType

from feltlab.analysis.par_sheet import ParSheet
from feltlab.analysis.payouts import Payouts
from feltlab.analysis.wager_costs import WagerCost
from feltlab.core.game import Game
from feltlab.games.data import packet_data
from feltlab.games.data_files import build, read_data
from feltlab.shuffling.models import fitting_models
from feltlab.submission.aggregate_limits import AGGREGATE_LIMIT
from feltlab.submission.game_facts import (
    card_source,
    describe_decks,
    describe_odds,
    describe_shuffles,
    list_titles,
)
from feltlab.submission.packet_parts import fill_references
from feltlab.submission.venues import Venue
from feltlab.text import dollars, listing, percent

SOURCES = {"shoe": "the dealing shoe", "hand": "the dealer's hand", "shuffler": "the shuffler"}
LARGE_WIN_CENTS = 300_000  # a larger win is verified by a camera (WAC 230-15-320)


@dataclass(frozen=True)
class Control:
    """One control, and what the house has to complete."""

    does: str
    reference: str = ""  # for card rooms
    only_with: str = ""
    house: str = ""
    confirmed: bool = True


@dataclass(frozen=True)
class ControlTopic:
    title: str
    control: tuple[Control, ...]


@dataclass(frozen=True)
class _Controls:
    topic: tuple[ControlTopic, ...]


@cache
def _load_controls() -> _Controls:
    data, place = read_data("submission", "controls.toml")
    return build(_Controls, data, place)


def draft_controls(
    sheet: ParSheet, venue: Venue, limits: Mapping[str, int] = MappingProxyType({})
) -> Iterator[ControlTopic]:
    """The controls that hold for the game of a PAR sheet at the venue, in words.

    `limits` are the aggregate payout limits that the house has chosen, in cents by spot.
    """
    facts = game_facts(sheet.game, venue, limits, sheet.payouts, sheet.costs)
    return _fill_topics(sheet.game, venue, facts)


def list_controls(
    game: Game, venue: Venue, limits: Mapping[str, int] = MappingProxyType({})
) -> Iterator[ControlTopic]:
    """The controls of a game without those that need a proof."""
    return _fill_topics(game, venue, game_facts(game, venue, limits))


def _fill_topics(game: Game, venue: Venue, facts: Mapping[str, str]) -> Iterator[ControlTopic]:
    source = card_source(game)
    for topic in _load_controls().topic:
        fitting = (control for control in topic.control if control.only_with in ("", source))
        filled = (_fill(control, venue, facts) for control in fitting)
        yield replace(topic, control=tuple(control for control in filled if control.does))


def _fill(control: Control, venue: Venue, facts: Mapping[str, str]) -> Control:
    """The control with facts in place of their names, and the reference that the venue has."""
    does = fill_references(venue, control.does).format_map(facts).strip()
    house = control.house.format_map(facts)
    return replace(control, does=does, house=house, reference=_reference(control, venue))


def _reference(control: Control, venue: Venue) -> str:
    if not control.reference.startswith("WAC"):
        return control.reference
    if venue.caps:  # the rules for card rooms hold here
        return control.reference + ("" if control.confirmed else " (present text not confirmed)")
    return f"not confirmed; for card rooms {control.reference}"


# -- Facts ------------------------------------------------------------------------------------------


def game_facts(
    game: Game,
    venue: Venue,
    limits: Mapping[str, int],
    payouts: Payouts | None = None,
    costs: tuple[WagerCost, ...] = (),
) -> Mapping[str, str]:
    """The facts that `controls.toml` names in braces; '' leaves a control out."""
    return {
        "game": game.title,
        "deck": describe_decks(game),
        "cards": str(len(game.deck)),
        "seats": str(game.seats),
        "source": SOURCES[card_source(game)],
        "shuffled": describe_shuffles(game),
        "behind_cut": str(game.behind_cut),
        "shuffler": _describe_shuffler(game),
        "wagers": list_titles(list(game.wagers)),
        "chips": _describe_chips(game),
        "raises": _describe_raises(game),
        "hidden_cards": _describe_hidden_cards(game),
        "favourable": _describe_favourable(costs),
        "cap": _describe_cap(venue),
        "aggregate": _describe_limits(game, limits) if limits else _describe_aggregate(payouts),
        "open_aggregate": _open_limits(payouts, limits),
        "large_wins": _describe_large_wins(payouts) if payouts else "",
        "prize_funds": _describe_prize_funds(payouts) if payouts else "",
    }


def _describe_shuffler(game: Game) -> str:
    """The models that fit, and the mode that the rules name or the house has to name."""
    found = fitting_models(game)
    models = listing(found, "or")
    modes = listing(dict.fromkeys(mode for modes in found.values() for mode in modes), "or")
    if packet_data(game).shuffler:
        return f"The shuffler is an approved model: {models}. Its mode is {modes}."
    return (
        "The shuffler is an approved model. The rules name no mode: the house names the model and the mode. "
        f"By the number of cards, {models} fits in the mode {modes}."
    )


def _describe_raises(game: Game) -> str:
    raises = [spot for spot in game.spots if spot.raises]
    putting = [choice.name for choice in game.choices if choice.puts]
    if raises:
        return f"Later wagers are {list_titles(raises)} only."
    return f"Later money is put down by {listing(putting, 'or')} only." if putting else ""


def _describe_chips(game: Game) -> str:
    """The wagers that cannot be paid in whole dollars; '' where all can."""
    found = [spot for spot in game.wagers if game.step(spot) > 1]
    if not found:
        return ""
    listed = listing(f"{spot.title} in multiples of {dollars(100 * game.step(spot))}" for spot in found)
    return (
        f"Where the smallest chip is $1, these wagers are made so that every payment can be made: {listed}."
    )


def _describe_hidden_cards(game: Game) -> str:
    if not game.choices:
        return "Players have no choice to make, so a card that is seen early cannot be used."
    return (
        "Dealers protect every card that the rules keep face down, the bottom card included: a card that is "
        "seen before a player chooses can be used. Who sees one calls the supervisor."
    )


def _describe_favourable(costs: tuple[WagerCost, ...]) -> str:
    """A warning about wagers whose added cost is negative; '' where there are none."""
    found = [cost for cost in costs if cost.main < 0 and not cost.bet.equals]
    if not found:
        return ""
    listed = listing(f"{cost.bet.title} ({percent(-cost.main, 2)} of the wager)" for cost in found)
    return (
        f"At best play the player gains by adding: {listed}. The house decides whether it offers this "
        "at all, and with which limits."
    )


def _describe_cap(venue: Venue) -> str:
    if not venue.caps:
        return "The highest wager is to be confirmed against the tribe's compact."
    return f"No wager, raises included, exceeds {dollars(venue.caps[-1].cents)}."


def _describe_limits(game: Game, limits: Mapping[str, int]) -> str:
    """The aggregate payout limits that the house has chosen."""
    listed = listing(f"{dollars(cents)} for {game.spot(name).title}" for name, cents in limits.items())
    return (
        f"The house has set an aggregate payout limit, {AGGREGATE_LIMIT}: {listed}. It is printed on the "
        "layout or on a sign."
    )


def _open_limits(payouts: Payouts | None, limits: Mapping[str, int]) -> str:
    """The blanks that the house has still to fill in: the limits that it may set and has not given."""
    if payouts is None or not limits:
        return "the aggregate limit, if there is one"
    found = [
        limit.spot for limit in payouts.limits if limit.least is not None and limit.spot.name not in limits
    ]
    return f"the aggregate limit of {list_titles(found)}, if there is one" if found else ""


def _describe_aggregate(payouts: Payouts | None) -> str:
    rules = payouts.highest.payouts if payouts else None
    if payouts is None or rules is None:
        return (
            "Whether the house may limit what all players together are paid for a prize is to be confirmed."
        )
    found = [limit for limit in payouts.limits if limit.least is not None]
    if not found:
        return f"No prize pays {rules.limit_odds} to 1 or more, so the house sets no aggregate payout limit."
    listed = listing(f"{limit.spot.title} (up to {describe_odds(limit.top_odds)})" for limit in found)
    return (
        f"An aggregate payout limit is possible for {listed}, for each prize apart. It is at least "
        f"{rules.limit_odds} times the highest wager allowed at the table: "
        f"{dollars(rules.limit_odds * payouts.highest.cents)} at the legal maximum. It is printed on the "
        "layout or on a sign."
    )


def _describe_large_wins(payouts: Payouts) -> str:
    found = [exposure for exposure in payouts.exposures if exposure.wins > LARGE_WIN_CENTS]
    if not found:
        return ""
    listed = listing(f"{exposure.spot.title} ({dollars(exposure.wins)})" for exposure in found)
    return f"At the highest wager that the rules allow, these prizes can be that large: {listed}."


def _describe_prize_funds(payouts: Payouts) -> str:
    """The second highest of the large prizes, at the highest wager; '' where there are not two."""
    rules = payouts.highest.payouts
    if rules is None or not payouts.funds:
        return ""
    return (
        f"More than one odds-based prize can exceed {dollars(rules.funds_cents)}. The second highest, "
        f"{dollars(payouts.funds)} at the highest wager that the rules allow, is kept in the bank or as a "
        "line of credit. A lower table limit lowers it in proportion."
    )
