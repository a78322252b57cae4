"""Perft for felt: every deal of a tiny deck to one seat, and every way to play each, counted.

`perft/<name>.txt` holds the counts. They are found twice: through the kernels `legal`, `visible` and
`settle`, and through the slow referee. Written by

    python -m tests.support.perft --write
"""

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations, permutations
from pathlib import Path
from typing import NamedTuple

import numpy as np

from feltlab.core.cards import UNKNOWN, cards
from feltlab.core.game import Game
from feltlab.core.layout import NOT_PLACED
from feltlab.games import GAMES
from tests.support.referee import REFEREES

FOLDER = Path(__file__).parents[1] / "games"

DRAWS = {"war": 1, "hit": 1, "double": 1, "split": 2}  # the player's cards that a choice brings

Hand = tuple[int, ...]
Made = tuple[str, ...]


@dataclass(frozen=True)
class Case:
    """A game and a deck so small that everything can happen to it."""

    name: str
    deck: str
    deal: Sequence[tuple[str, int]]  # before any choice: who receives how many cards, as a combination
    options: Mapping[str, str] = field(default_factory=dict)
    of: str = ""  # the game, where the case is named otherwise

    @cached_property
    def game(self) -> Game:
        return GAMES[self.of or self.name].with_options(self.options)

    @property
    def path(self) -> Path:
        game = self.of or self.name
        return FOLDER / game.replace("-", "_") / f"perft{self.name.removeprefix(game)}.txt"


BONUS_DEAL = (("player", 1), ("dealer", 1), ("player", 1), ("dealer", 1))
CASES = (
    # Two and three of a rank: ties, and wars that tie again.
    Case("casino-war", "Ac Ad Ah Kc Kd 9c 9d 9h 2c 2d", (("player", 1), ("dealer", 1)), {"decks": "1"}),
    # Four aces and the joker, a royal flush in spades, a straight flush up to the nine of hearts.
    Case("high-five-poker", "As Ac Ad Ah Jk Ks Qs Js 9h 8h 7h 6h 5c 5d", (("player", 7), ("dealer", 7))),
    # Pairs around the sixes with which the dealer qualifies, and no straight.
    Case(
        "high-five-poker-pairs", "2c 2d 3h 3s 5c 5d 7h 7s 7d 9c 9d Jh Kc Kd",
        (("player", 7), ("dealer", 7)), {"trips": "APP-03"}, "high-five-poker",
    ),
    # Two of each rank of a royal flush: pairs around the tens, straights that tie, hands without an ace.
    Case(
        "rabbit-hunter", "As Ks Qs Js Ts Ac Kd Qh Jd Td 2h",
        (("player", 5), ("player", 1), ("dealer", 5)),
    ),
    # Runs, pairs and triples worth 0, loose high cards above 20, straights and flushes of six.
    Case("triple-shot-rummy", "Ah Kh Qh Jh Th Tc Td 5c 2s 2d", (("player", 3), ("dealer", 3))),
    # Aces to split and insure, tens for blackjacks, a royal flush; the dealer hits soft 17.
    Case("triple-shot-bonus", "As Ah Ks Qs Js Ts Th 6h 5s", BONUS_DEAL),
    # Small cards, so that six of them do not bust.
    Case(
        "triple-shot-bonus-stand", "As Ah 2s 2h 3s 6s Th Ts 9h", BONUS_DEAL,
        {"soft-17": "stand", "six-card-rule": "off"}, "triple-shot-bonus",
    ),
)  # fmt: skip


# -- Two readings of the rules ----------------------------------------------------------------------


class Engine(NamedTuple):
    """What may be chosen, how many cards each side still needs, and each spot's outcome."""

    open: Callable[[Hand, Hand, Made], tuple[str, ...]]
    needs: Callable[[Hand, Hand, Made], tuple[int, int]]
    settle: Callable[[Hand, Hand, Made], tuple[str | None, ...]]


def kernels(game: Game) -> Engine:
    rules, kernel_data = game.rules, game.kernel_data
    places, dealer_places = rules.PLAYER_CARDS, rules.DEALER_CARDS
    number = {choice.name: n for n, choice in enumerate(game.choices)}
    names = [(*spot.outcomes, None) for spot in game.spots]  # NOT_PLACED is -1, the last one

    def arrays(player: Hand, dealer: Hand, made: Made) -> tuple[np.ndarray, np.ndarray]:
        fill = [UNKNOWN] * (places - len(player)), [UNKNOWN] * (dealer_places - len(dealer))
        shoe = np.array([*player, *fill[0], *dealer, *fill[1]], np.int8)
        return shoe, np.array([number[name] for name in made], np.int8)

    def open_choices(player: Hand, dealer: Hand, made: Made) -> tuple[str, ...]:
        mask = rules.legal(kernel_data, *arrays(player, dealer, made))
        return tuple(name for name, n in number.items() if mask >> n & 1)

    def needs(player: Hand, dealer: Hand, made: Made) -> tuple[int, int]:
        shoe, choices = arrays(player, dealer, made)
        seen = np.empty_like(shoe)
        rules.visible(kernel_data, shoe, choices, seen)
        untold = (seen == UNKNOWN).tolist()
        return sum(untold[:places]), sum(untold[places:])

    def settle(player: Hand, dealer: Hand, made: Made) -> tuple[str | None, ...]:
        outcomes = np.full(len(names), NOT_PLACED, np.int8)
        rules.settle(kernel_data, *arrays(player, dealer, made), outcomes)
        return tuple(of[n] for of, n in zip(names, outcomes.tolist(), strict=True))

    return Engine(open_choices, needs, settle)


def referee(game: Game) -> Engine:
    judge, options = REFEREES[game.name], game.options

    def settle(player: Hand, dealer: Hand, made: Made) -> tuple[str | None, ...]:
        results = judge.settle(options, player, dealer, made)
        return tuple(results.get(spot.name, (None,))[0] for spot in game.spots)

    return Engine(
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
    for player, dealer, rest in starts(case):
        for made, outcomes in ends(engine, player, dealer, rest, ()):
            leaves[len(made)] += 1
            joint[outcomes] += 1
    spots: dict[str, Counter[str]] = {spot.name: Counter() for spot in case.game.spots}
    for outcomes, times in joint.items():
        for spot, outcome in zip(spots, outcomes, strict=True):
            if outcome is not None:
                spots[spot][outcome] += times
    return Counts(leaves, spots)


def starts(case: Case) -> Iterator[tuple[Hand, Hand, Hand]]:
    """Each side's cards before the first choice, and the rest of the deck."""
    dealt: list[tuple[Hand, Hand, Hand]] = [((), (), tuple(cards(case.deck)))]
    for who, size in case.deal:
        dealt = [
            (player + some, dealer, without(rest, some))
            if who == "player"
            else (player, dealer + some, without(rest, some))
            for player, dealer, rest in dealt
            for some in combinations(rest, size)
        ]
    yield from dealt


def without(rest: Hand, some: Hand) -> Hand:
    return tuple(card for card in rest if card not in some)


def ends(
    engine: Engine, player: Hand, dealer: Hand, rest: Hand, made: Made
) -> Iterator[tuple[Made, tuple[str | None, ...]]]:
    """Every way in which a round can go on from here: the choices made, and the outcomes."""
    open_now = engine.open(player, dealer, made)
    for name in open_now:
        for drawn in permutations(rest, DRAWS.get(name, 0)):
            yield from ends(engine, player + drawn, dealer, without(rest, drawn), (*made, name))
    if not open_now:
        yield from finishes(engine, player, dealer, rest, made)


def finishes(
    engine: Engine, player: Hand, dealer: Hand, rest: Hand, made: Made
) -> Iterator[tuple[Made, tuple[str | None, ...]]]:
    """Nothing is left to choose: the dealer draws one by one, the player is filled up."""
    filling, drawing = engine.needs(player, dealer, made)
    if drawing:
        for card in rest:
            yield from finishes(engine, player, (*dealer, card), without(rest, (card,)), made)
    else:
        for fill in combinations(rest, filling):
            yield made, engine.settle(player + fill, dealer, made)


# -- The file ---------------------------------------------------------------------------------------


def text(case: Case, counts: Counts) -> str:
    return "\n".join([*_head(case), *_body(case, counts)]) + "\n"


def _head(case: Case) -> Iterator[str]:
    options = ", ".join(f"{name}={value}" for name, value in case.options.items())
    steps = ", ".join(f"{who} {size}" for who, size in case.deal)
    yield f"{case.game.title}{f' ({options})' if options else ''}"
    yield f"deck    {cards(case.deck)}"
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
        each.path.write_text(text(each, count(each, kernels(each.game))))
