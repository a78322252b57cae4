"""A stake: the units on each first wager."""

import re
from collections.abc import Mapping
from fractions import Fraction

from feltlab.core.game import Game
from feltlab.core.layout import Spot
from feltlab.errors import Refused
from feltlab.text import listing

Stake = Mapping[str, Fraction]  # units on each first wager


def default_stake(game: Game) -> dict[str, Fraction]:
    """One unit on each required wager, or on the first wager where none is required.

    >>> from feltlab import GAMES
    >>> {bet: str(units) for bet, units in default_stake(GAMES["casino-war"]).items()}
    {'primary': '1', 'tie': '0'}
    """
    required = [spot for spot in game.wagers if game.is_required(spot)] or game.wagers[:1]
    return {spot.name: Fraction(spot in required) for spot in game.wagers}


def read_stake(game: Game, given: Mapping[str, str]) -> dict[str, Fraction]:
    """The default stake with some wagers changed.

    >>> from feltlab import GAMES
    >>> read_stake(GAMES["casino-war"], {"tie": "1/2"})["tie"]
    Fraction(1, 2)
    """
    return check_stake(
        game, default_stake(game) | {name: _read_units(name, text) for name, text in given.items()}
    )


UNITS_PATTERN = re.compile(r"-?(\d{1,12}|\d{0,12}\.\d{1,12}|\d{1,12}/\d{1,12})", re.ASCII)


def _read_units(name: str, text: str) -> Fraction:
    try:
        return Fraction(text if UNITS_PATTERN.fullmatch(text) else "")
    except (ValueError, ZeroDivisionError):
        raise Refused(f"{name}={text} is not a number of units, such as 1, 0.5 or 3/2.") from None


def check_stake(game: Game, stake: Mapping[str, Fraction | int]) -> dict[str, Fraction]:
    """A stake with every wager in it, in the game's order."""
    known = [spot.name for spot in game.wagers]
    for name in stake:
        if name not in known:
            raise Refused(f"{name!r} is not a wager of {game.title}; its wagers are {listing(known)}.")
    checked = {name: Fraction(stake.get(name, 0)) for name in known}
    for spot in game.wagers:
        _check_units(game, spot, checked)
    if not any(checked.values()):
        raise Refused("The stake is empty; at least one wager must be placed.")
    return checked


def _check_units(game: Game, spot: Spot, stake: Stake) -> None:
    if stake[spot.name] < 0:
        raise Refused(f"The stake on {spot.name} may not be negative.")
    if game.is_required(spot) and not stake[spot.name]:
        raise Refused(f"{game.title} requires the {spot.title} wager.")
    if spot.equals and stake[spot.name] != stake[spot.equals]:
        raise Refused(f"The {spot.title} wager must equal the {game.spot(spot.equals).title}.")
    if spot.at_most and stake[spot.name] > stake[spot.at_most]:
        raise Refused(f"The {spot.title} wager may not be more than the {game.spot(spot.at_most).title}.")


def has_choices(game: Game, stake: Stake) -> bool:
    """Does the stake include a wager that a choice belongs to?"""
    return any(stake.get(choice.wager) for choice in game.choices)
