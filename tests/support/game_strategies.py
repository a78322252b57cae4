"""Games, rounds and deals for tests: hypothesis strategies, and the same from a seeded generator."""

from collections.abc import Iterator, Mapping

import numpy as np
from hypothesis import strategies as st

from feltlab.core.cards import Cards
from feltlab.core.deal import Deal
from feltlab.core.game import Game
from feltlab.core.layout import Spot
from feltlab.core.round import Round
from feltlab.games import GAMES

MAX_STEPS = 500  # of the smallest size, in a wager


# -- Every game under some options ------------------------------------------------------------------


def variants(game: Game) -> Iterator[Game]:
    """The game itself, with each option changed alone to each value, and with all of them changed."""
    yield game
    for option in game.rules.OPTIONS:
        for value in option.values:
            if value != option.default:
                yield game.with_options({option.name: value})
    if len(game.rules.OPTIONS) > 1:
        yield game.with_options({option.name: option.values[-1] for option in game.rules.OPTIONS})


def label(game: Game) -> str:
    return " ".join([game.name, *(f"{name}={value}" for name, value in game.chosen)])


ALL_GAMES = tuple(GAMES.values())
ALL_VARIANTS = tuple(variant for game in ALL_GAMES for variant in variants(game))


def shoe_size(game: Game) -> int:
    return game.places


def smallest_wagers(game: Game) -> dict[str, int]:
    """Every first wager, at a size that all of them can have."""
    step = int(np.lcm.reduce([game.step(spot) for spot in game.wagers]))
    return {spot.name: step for spot in game.wagers}


# -- Hypothesis -------------------------------------------------------------------------------------


@st.composite
def games(draw: st.DrawFn) -> Game:
    game = draw(st.sampled_from(ALL_GAMES))
    return game.with_options({o.name: draw(st.sampled_from(o.values)) for o in game.rules.OPTIONS})


@st.composite
def wagers(draw: st.DrawFn, game: Game) -> dict[str, int]:
    """Wagers that the game accepts together; where none is required, at least one is placed."""
    standing = [spot for spot in game.wagers if game.is_required(spot) or draw(st.booleans())]
    placed: dict[str, int] = {}
    for spot in standing or [draw(st.sampled_from(game.wagers))]:
        placed[spot.name] = draw(_amounts(game, spot, placed))
    return placed


def _amounts(game: Game, spot: Spot, placed: Mapping[str, int]) -> st.SearchStrategy[int]:
    if spot.equals:
        return st.just(placed[spot.equals])
    step = game.step(spot)
    most = placed[spot.at_most] // step if spot.at_most else MAX_STEPS
    return st.integers(1, most).map(lambda steps: steps * step)


@st.composite
def shoes(draw: st.DrawFn, game: Game, size: int) -> Cards:
    """Some cards of the game's deck in order."""
    places = st.lists(st.integers(0, len(game.deck) - 1), min_size=size, max_size=size, unique=True)
    return Cards(game.deck.cards[place] for place in draw(places))


@st.composite
def rounds(draw: st.DrawFn, over: bool = False) -> Round:
    """A round of any game after some choices; `over` plays it to its end."""
    game = draw(games())
    round = Round(game, draw(shoes(game, shoe_size(game))), draw(wagers(game)))
    while not round.over and (over or draw(st.booleans())):
        round = round.choose(draw(st.sampled_from(round.choices)))
    return round


@st.composite
def deals(draw: st.DrawFn, over: bool = False) -> Deal:
    """A deal of any game to some of its seats."""
    game = draw(games())
    seats = draw(st.integers(1, game.seats))
    shoe = draw(shoes(game, game.cards_needed(seats)))
    deal = Deal.start(game, shoe, [draw(wagers(game)) for _ in range(seats)])
    while deal.turn is not None and (over or draw(st.booleans())):
        deal = deal.choose(deal.turn, draw(st.sampled_from(deal.rounds[deal.turn].choices)))
    return deal


# -- The same by the thousand, from a seeded generator ----------------------------------------------


def random_cards(game: Game, size: int, rng: np.random.Generator) -> Cards:
    deck = np.array(game.deck.cards)
    return Cards(rng.choice(deck, size, replace=False).tolist())


def random_round(game: Game, rng: np.random.Generator) -> Round:
    """Every first wager at its smallest, played to the end."""
    round = Round(game, random_cards(game, shoe_size(game), rng), smallest_wagers(game))
    while not round.over:
        round = round.choose(round.choices[rng.integers(len(round.choices))])
    return round


def random_deal(game: Game, seats: int, rng: np.random.Generator) -> Deal:
    shoe = random_cards(game, game.cards_needed(seats), rng)
    deal = Deal.start(game, shoe, [smallest_wagers(game)] * seats)
    while deal.turn is not None:
        choices = deal.rounds[deal.turn].choices
        deal = deal.choose(deal.turn, choices[rng.integers(len(choices))])
    return deal
