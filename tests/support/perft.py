"""Perft for felt: every deal of a tiny deck to one seat, and every way to play each, counted.

`tests/games/<game>/perft.txt` holds the counts. They are found twice: through the kernels `legal`,
`visible` and `settle`, and through the slow referee. Written by

    python -m tests.support.perft --write
"""

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, permutations
from pathlib import Path
from typing import NamedTuple

import numpy as np

from feltlab.core.cards import UNKNOWN, cards
from feltlab.core.game import Game
from feltlab.core.layout import NOT_PLACED, new_outcomes
from feltlab.games import GAMES
from tests.support.game_data import TinyDeck, data_of, folder_of, referee_of

Hand = tuple[int, ...]
Made = tuple[str, ...]


@dataclass(frozen=True)
class Case:
    """A game under some options, and a tiny deck of it."""

    base: str
    tiny: TinyDeck

    @cached_property
    def game(self) -> Game:
        return GAMES[self.base].with_options(self.tiny.options)

    @property
    def name(self) -> str:
        return "-".join(filter(None, (self.base, self.tiny.name)))

    @property
    def path(self) -> Path:
        return folder_of(self.base) / f"{'-'.join(filter(None, ('perft', self.tiny.name)))}.txt"

    @property
    def draws(self) -> Mapping[str, int]:
        """The player's cards that a choice brings."""
        return data_of(self.base).draws


def cases_of(game: str) -> tuple[Case, ...]:
    return tuple(Case(game, tiny) for tiny in data_of(game).tiny_decks)


CASES = tuple(case for game in GAMES for case in cases_of(game))


# -- Two readings of the rules ----------------------------------------------------------------------


class Engine(NamedTuple):
    """One reading of the rules: the open choices, the cards that are missing, each spot's outcome."""

    draws: Mapping[str, int]
    open: Callable[[Hand, Hand, Made], tuple[str, ...]]
    needs: Callable[[Hand, Hand, Made], tuple[int, int]]
    settle: Callable[[Hand, Hand, Made], tuple[str | None, ...]]


def kernels(case: Case) -> Engine:
    game = case.game
    rules, kernel_data = game.rules, game.kernel_data
    places, shared_places = game.own_places, game.places - game.own_places
    number = {choice.name: n for n, choice in enumerate(game.choices)}
    names = [(*spot.outcomes, None) for spot in game.spots]  # NOT_PLACED is -1, the last one

    def arrays(player: Hand, shared: Hand, made: Made) -> tuple[np.ndarray, np.ndarray]:
        fill = [UNKNOWN] * (places - len(player)), [UNKNOWN] * (shared_places - len(shared))
        shoe = np.array([*player, *fill[0], *shared, *fill[1]], np.int8)
        return shoe, np.array([number[name] for name in made], np.int8)

    def open_choices(player: Hand, shared: Hand, made: Made) -> tuple[str, ...]:
        mask = rules.legal(kernel_data, *arrays(player, shared, made))
        return tuple(name for name, n in number.items() if mask >> n & 1)

    def needs(player: Hand, shared: Hand, made: Made) -> tuple[int, int]:
        shoe, choices = arrays(player, shared, made)
        seen = np.empty_like(shoe)
        rules.visible(kernel_data, shoe, choices, seen)
        untold = (seen == UNKNOWN).tolist()
        return sum(untold[:places]), sum(untold[places:])

    def settle(player: Hand, shared: Hand, made: Made) -> tuple[str | None, ...]:
        outcomes = np.full_like(new_outcomes(len(names)), NOT_PLACED)
        rules.settle(kernel_data, *arrays(player, shared, made), outcomes)
        return tuple(of[n] for of, n in zip(names, outcomes.tolist(), strict=True))

    return Engine(case.draws, open_choices, needs, settle)


def referee(case: Case) -> Engine:
    game = case.game
    judge, options = referee_of(game.name), game.options

    def settle(player: Hand, shared: Hand, made: Made) -> tuple[str | None, ...]:
        results = judge.settle(options, player, shared, made)
        return tuple(results.get(spot.name, (None,))[0] for spot in game.spots)

    return Engine(
        case.draws,
        lambda *state: judge.open_choices(options, *state),
        lambda *state: judge.needs(options, *state),
        settle,
    )


# -- The walk ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Counts:
    leaves: Counter[int]  # by the number of choices
    outcomes: dict[str, Counter[str]]  # by spot


def count(case: Case, engine: Engine) -> Counts:
    leaves, joint = Counter[int](), Counter[tuple[str | None, ...]]()
    for player, shared, rest in starts(case):
        for made, outcomes in ends(engine, player, shared, rest, ()):
            leaves[len(made)] += 1
            joint[outcomes] += 1
    spots: dict[str, Counter[str]] = {spot.name: Counter() for spot in case.game.spots}
    for outcomes, times in joint.items():
        for spot, outcome in zip(spots, outcomes, strict=True):
            if outcome is not None:
                spots[spot][outcome] += times
    return Counts(leaves, spots)


def starts(case: Case) -> Iterator[tuple[Hand, Hand, Hand]]:
    """The player's and the shared cards before the first choice, and the rest of the deck."""
    dealt: list[tuple[Hand, Hand, Hand]] = [((), (), tuple(cards(case.tiny.deck)))]
    for who, size in case.tiny.deal:
        dealt = [
            (player + some, shared, without(rest, some))
            if who == "player"
            else (player, shared + some, without(rest, some))
            for player, shared, rest in dealt
            for some in combinations(rest, size)
        ]
    yield from dealt


def without(rest: Hand, some: Hand) -> Hand:
    return tuple(card for card in rest if card not in some)


def ends(
    engine: Engine, player: Hand, shared: Hand, rest: Hand, made: Made
) -> Iterator[tuple[Made, tuple[str | None, ...]]]:
    """Every way in which a round can go on from here: the choices made, and the outcomes."""
    open_now = engine.open(player, shared, made)
    for name in open_now:
        for drawn in permutations(rest, engine.draws.get(name, 0)):
            yield from ends(engine, player + drawn, shared, without(rest, drawn), (*made, name))
    if not open_now:
        yield from finishes(engine, player, shared, rest, made)


def finishes(
    engine: Engine, player: Hand, shared: Hand, rest: Hand, made: Made
) -> Iterator[tuple[Made, tuple[str | None, ...]]]:
    """Nothing is left to choose: shared cards come one by one, the player is filled up."""
    filling, drawing = engine.needs(player, shared, made)
    if drawing:
        for card in rest:
            yield from finishes(engine, player, (*shared, card), without(rest, (card,)), made)
    else:
        for fill in combinations(rest, filling):
            yield made, engine.settle(player + fill, shared, made)


# -- The file ---------------------------------------------------------------------------------------


def text(case: Case, counts: Counts) -> str:
    return "\n".join([*_head(case), *_body(case, counts)]) + "\n"


def _head(case: Case) -> Iterator[str]:
    options = ", ".join(f"{name}={value}" for name, value in case.tiny.options.items())
    steps = ", ".join(f"{who} {size}" for who, size in case.tiny.deal)
    yield f"{case.game.title}{f' ({options})' if options else ''}"
    yield f"deck    {cards(case.tiny.deck)}"
    yield f"deal    {steps}"
    yield ""
    yield "Every deal of the deck to one seat and every legal sequence of choices is one leaf. Cards that"
    yield "are dealt together before a choice, and cards that only fill a hand up at the end, count as one"
    yield "combination; all others count in their order. Deals for which the deck is too short are left out."
    yield "Written by: python -m tests.support.perft --write"


def _body(case: Case, counts: Counts) -> Iterator[str]:
    yield ""
    yield "leaves by number of choices"
    for length, times in sorted(counts.leaves.items()):
        yield f"{times:12,}  {length}"
    for spot in case.game.spots:
        yield ""
        yield f"{spot.name}"
        for outcome in spot.outcomes:
            yield f"{counts.outcomes[spot.name][outcome]:12,}  {outcome}"


if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        sys.exit("Usage: python -m tests.support.perft --write")
    for each in CASES:
        each.path.write_text(text(each, count(each, kernels(each))))
