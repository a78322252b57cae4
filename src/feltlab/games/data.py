"""What a packet says of a game beyond its rules: `packet.toml` beside them."""

import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import resources
from typing import Any

from feltlab.core.cards import Cards, cards
from feltlab.core.deal import Deal, Seat
from feltlab.core.game import Game
from feltlab.core.stake import default_stake
from feltlab.games import FOLDERS

EXAMPLE_CENTS = 1000  # on each wager of the example
EXAMPLE_SEATS = 3


@dataclass(frozen=True)
class Particulars:
    shuffler: str  # the shuffler's mode, where one is named
    rack_card: tuple[str, ...]  # how to play, for players
    example_cards: Cards  # the first cards of a shoe
    example_choices: tuple[str, ...]  # in the order in which seats are asked


def particulars(game: Game) -> Particulars:
    folder = resources.files("feltlab.games") / FOLDERS[game.name]
    data: dict[str, Any] = tomllib.loads((folder / "packet.toml").read_text(encoding="utf-8"))
    example = data["example"]
    return Particulars(
        data["shuffler"],
        tuple(data["rack_card"]),
        cards(example["cards"]),
        tuple(example["choices"]),
    )


def example(game: Game) -> Iterator[Deal]:
    """A deal to three seats, before and after each choice; the second seat has only the wagers it must."""
    known = particulars(game)
    every = {spot.name: EXAMPLE_CENTS for spot in game.wagers}
    least = {name: EXAMPLE_CENTS for name, units in default_stake(game).items() if units}
    seats = [Seat(least if n == 1 else every) for n in range(EXAMPLE_SEATS)]
    deal = Deal(game, _shoe(game, known.example_cards), tuple(seats))
    yield deal
    for choice in known.example_choices:
        assert deal.turn is not None
        deal = deal.choose(deal.turn, choice)
        yield deal


def _shoe(game: Game, first: Cards) -> Cards:
    """These cards on top of the others in their order."""
    return Cards((*first, *(Counter(game.deck.cards) - Counter(first)).elements()))


def cards_at_once(game: Game) -> int:
    """How many cards the first seat receives before another does: a packet, or one card."""
    receivers = [who for who, _ in next(example(game)).dealt]
    return next(n for n, who in enumerate(receivers) if who != receivers[0])
