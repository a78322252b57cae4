"""Choices as they are made, and the money of one hand: what wagers and choices put on each spot.

A choice is a name, with the cents that it names where a player may put down less.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import ceil

import numpy as np

from feltlab.core.game import Game
from feltlab.core.layout import Choice, Spot
from feltlab.errors import Refused
from feltlab.kernel import Array
from feltlab.text import parse_dollars
from feltlab.values import cached_property, remember

MAX_KNOWN_BETS = 2_000  # of hands of all games, that are remembered
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


# -- Bets -------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Bets:
    """The wagers of one hand, in cents by spot, and the choices made so far."""

    game: Game
    wagers: Mapping[str, int]  # first wagers
    chosen: tuple[str, ...]

    @cached_property
    def played(self) -> Array:
        """The choices as the rules number them; nobody writes into it."""
        return number_choices(self.game, self.wagers, self.chosen)

    # -- On the felt ---------------------------------------------------------------------------------

    @cached_property
    def stakes(self) -> tuple[tuple[Spot, int], ...]:
        """The spots with wagers on them, and the cents; a bonus on one of them has no cents."""
        stakes = [(spot, self.staked(spot)) for spot in self.game.spots]
        return tuple([(spot, cents) for spot, cents in stakes if cents or spot.bonus_on in self.wagers])

    @cached_property
    def staked_spots(self) -> frozenset[str]:
        """The spots with wagers on them, and the bonuses on those."""
        return frozenset([spot.name for spot, _ in self.stakes])

    def staked(self, spot: Spot) -> int:
        """The cents on a spot now."""
        if spot.name in self._amounts:
            return self._amounts[spot.name]
        units = self.units(spot)
        return units and self.unit(spot) * units

    def units(self, spot: Spot) -> int:
        """The units on a spot now, whether or not a choice put down less than a whole one."""
        return self._puts.count(spot.name) + (not spot.follows)

    def unit(self, spot: Spot) -> int:
        """The cents of one unit on a spot."""
        return multiply_cents(self.wagers.get(spot.follows or spot.name, 0), spot.size)

    @cached_property
    def given_up(self) -> frozenset[str]:
        """The spots whose wagers a choice has given up."""
        return frozenset(spot for choice in self._chosen_choices for spot in choice.gives_up)

    @cached_property
    def forfeited(self) -> frozenset[str]:
        """The spots with wagers that the dealer takes because of a choice: given up, or a price."""
        return frozenset(s.name for s, _ in self.stakes if s.is_price or s.name in self.given_up)

    # -- By choices ----------------------------------------------------------------------------------

    def cost(self, choice: str) -> int:
        """The cents that a choice puts down: the amount that it names, or a unit on each of its spots."""
        name, cents = split_choice(choice)
        if cents is not None:
            return cents
        return remember(self, name, lambda: sum([self.unit(self.game.spot(put)) for put in self.puts(name)]))

    def puts(self, choice: str) -> tuple[str, ...]:
        """The spots on which a choice would put a unit now, once for each unit."""
        return self.game.puts(self.game.choice(choice), len(self.chosen))

    def raises(self, choice: str) -> tuple[tuple[Spot, int], ...]:
        """The spots on which a choice would put units now, and the cents on each, rounded up."""
        return remember(self, ("raises", choice), lambda: tuple(self._find_raises(choice)))

    def _find_raises(self, choice: str) -> Iterator[tuple[Spot, int]]:
        puts = self.puts(choice)
        for put in dict.fromkeys(puts):
            spot = self.game.spot(put)
            yield spot, ceil(spot.size * self.wagers.get(spot.follows or spot.name, 0) * puts.count(put))

    @cached_property
    def _puts(self) -> tuple[str, ...]:
        """The spots on which choices put a unit, once for each unit."""
        chosen = enumerate(self._chosen_choices)
        return tuple(put for made, choice in chosen for put in self.game.puts(choice, made))

    @cached_property
    def _chosen_choices(self) -> tuple[Choice, ...]:
        numbers = self.game.choice_numbers
        return tuple(self.game.choices[numbers[split_choice(choice)[0]]] for choice in self.chosen)

    @cached_property
    def _amounts(self) -> Mapping[str, int]:
        """The cents on each spot on which a choice put less than a unit."""
        pairs = zip(self.chosen, self._chosen_choices, strict=True)
        amounts = ((split_choice(named)[1], choice) for named, choice in pairs if choice.any_amount)
        return {spot: cents for cents, choice in amounts if cents is not None for spot in choice.puts}


def find_bets(game: Game, wagers: Mapping[str, int], chosen: tuple[str, ...]) -> Bets:
    """The bets of these wagers and choices; a live table meets the same ones again and again."""
    return _known_bets(game, tuple(wagers.items()), chosen)


@lru_cache(maxsize=MAX_KNOWN_BETS)
def _known_bets(game: Game, wagers: tuple[tuple[str, int], ...], chosen: tuple[str, ...]) -> Bets:
    return Bets(game, dict(wagers), chosen)


def multiply_cents(cents: int, units: Fraction) -> int:
    """An amount times a number of units; wagers come in steps, so this is whole cents."""
    numerator, denominator = units.as_integer_ratio()
    return cents * numerator // denominator
