"""Games by what they have: for tests that are expensive for each game and find faults of features.

A test that must hold for the rules of every game runs on every game. A test of a page, a paper or a process
finds the same fault in every game with the same features, so it runs on a few games that together have them
all. They are chosen by the games' own data; a new game joins them if it has something new.
"""

from collections.abc import Callable, Iterable, Mapping

import pytest

from feltlab.core.cards import JOKER
from feltlab.core.game import Game
from feltlab.core.layout import ON_STREET
from feltlab.games import GAMES
from tests.support.game_data import data_of

FEATURES: Mapping[str, Callable[[Game], bool]] = {
    "a board": lambda game: "board" in game.area_starts,
    "no dealer's hand": lambda game: "dealer" not in game.area_starts,
    "streets": lambda game: bool(game.streets),
    "units on the spot of a street": lambda game: any(ON_STREET in choice.puts for choice in game.choices),
    "raises of several units": lambda game: any(spot.most_units > 1 for spot in game.spots),
    "a raise on its first wager": lambda game: any(
        not game.spot(put).follows for choice in game.choices for put in choice.puts if put != ON_STREET
    ),
    "a bonus": lambda game: any(spot.bonus_on for spot in game.spots),
    "equal wagers": lambda game: any(spot.equals for spot in game.spots),
    "a price": lambda game: any(spot.is_price for spot in game.spots),
    "any amount": lambda game: any(choice.any_amount for choice in game.choices),
    "one first wager": lambda game: len(game.wagers) == 1,
    "several decks": lambda game: len(game.deck) > len(set(game.deck.cards)),
    "a joker": lambda game: JOKER in game.deck.cards,
    "a second seat": lambda game: game.allows_second_seat or any(o.second_seat for o in game.rules.OPTIONS),
    "options": lambda game: bool(game.rules.OPTIONS),
}
SIZES: Mapping[str, Callable[[Game], int]] = {
    "first wagers": lambda game: len(game.wagers),
    "choices": lambda game: len(game.choices),
    "cards of a player": lambda game: game.own_places,
    "cards on the table": lambda game: game.places,
    "lines of pay tables": lambda game: sum(len(game.pay_table(spot).lines) for spot in game.spots),
}


def features_of(game: Game, among: Iterable[Game] = tuple(GAMES.values())) -> frozenset[str]:
    """The features of a game, and the sizes in which no other game exceeds it."""
    games = tuple(among)
    largest = (f"most {name}" for name, size in SIZES.items() if size(game) == max(map(size, games)))
    return frozenset([*(name for name, has in FEATURES.items() if has(game)), *largest])


def representatives(*wanted: str, among: Iterable[str] = tuple(GAMES)) -> list[str]:
    """The names of a few games that together have these features, or every feature.

    A game with a slow proof is taken only for what no other game has; of the rest, the one that adds most.
    """
    games = [GAMES[name] for name in among]
    found = {game.name: features_of(game, games) for game in games}
    missing = frozenset[str]().union(*found.values())
    missing = missing & frozenset(wanted) if wanted else missing
    chosen = set[str]()
    for slow in (False, True):
        offered = [name for name in found if data_of(name).slow_proof == slow]
        while missing & frozenset().union(*(found[name] for name in offered)):
            best = max(offered, key=lambda name: len(found[name] & missing))
            missing -= found[best]
            chosen.add(best)
    return [name for name in found if name in chosen]


# Parameters for tests of papers and of what is computed from a proof.
EVERY_KIND = [
    pytest.param(name, marks=[pytest.mark.slow] * data_of(name).slow_proof) for name in representatives()
]
