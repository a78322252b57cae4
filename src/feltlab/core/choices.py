"""Choices as they are made: a name, and the cents that it names where a player may put down less."""

from collections.abc import Mapping, Sequence

import numpy as np

from feltlab.core.game import Game
from feltlab.errors import Refused
from feltlab.kernel import Array
from feltlab.text import parse_dollars

_NO_CHOICES: Array = np.array([], np.int8)  # nobody writes into it


def number_choices(game: Game, wagers: Mapping[str, int], chosen: Sequence[str]) -> Array:
    """Choices as the rules number them. A seat without a wager to choose for passes."""
    if game.chosen_for.isdisjoint(wagers):
        chosen = game.passing
    if not chosen:
        return _NO_CHOICES
    return np.array([game.choice_numbers[split_choice(choice)[0]] for choice in chosen], np.int8)


def name_choice(game: Game, wagers: Mapping[str, int], name: str, cents: int) -> str:
    """A choice with the cents that it put down, where it could have put down more."""
    choice = game.choice(name)
    if not choice.any_amount:
        return name
    spot = game.spot(choice.puts[0])
    most = wagers.get(spot.raises, 0) * spot.size
    return name if cents == most else f"{name}={cents}"


def parse_choice(typed: str) -> str:
    """A choice as people type it, with dollars, as the rules read it, with cents.

    >>> parse_choice("hit"), parse_choice("insure=2.50")
    ('hit', 'insure=250')
    """
    name, equals, amount = typed.partition("=")
    if not equals:
        return typed
    cents = parse_dollars(amount)
    if cents < 0:
        raise Refused(f"{amount!r} is less than $0.")
    return f"{name}={cents}"


def split_choice(choice: str) -> tuple[str, int | None]:
    """A choice and the cents that it names, if it names any.

    >>> split_choice("hit"), split_choice("insure=250")
    (('hit', None), ('insure', 250))
    """
    name, equals, cents = choice.partition("=")
    if not equals:
        return choice, None
    if not (cents.isascii() and cents.isdigit()):
        raise Refused(f"{choice!r} names no whole number of cents.")
    return name, int(cents)
