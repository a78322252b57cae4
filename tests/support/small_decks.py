"""Games dealt from a few cards, and every deal of them in plain Python."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import groupby, permutations
from types import ModuleType
from typing import NamedTuple, cast

import numpy as np

from feltlab.core.cards import Deck, cards
from feltlab.core.game import Game
from feltlab.core.layout import new_outcomes
from feltlab.core.rules import Rules
from feltlab.core.stake import Stake

Shoe = tuple[int, ...]
Joint = tuple[int, ...]


def with_deck(game: Game, text: str) -> Game:
    """The same game with other cards."""
    rules = ModuleType(game.rules.__name__)
    vars(rules).update(vars(game.rules))
    deck = Deck(cards(text))
    vars(rules)["deck"] = lambda options: deck
    return Game(cast(Rules, rules), game.chosen, game.pays)


class EveryDeal(NamedTuple):
    """The law of the best play, by trying every choice on every deal."""

    counts: Counter[Joint]
    made: Counter[tuple[int, str]]  # by number of choices before, and choice
    first_values: dict[Shoe, dict[str, Fraction]]  # by cards seen first: the mean net of each choice


def try_everything(game: Game, stake: Stake, cautious: bool = False) -> EveryDeal:
    """Deal every shoe; a choice sees what `visible` shows, and nothing else."""
    shoes = list(permutations(game.deck.cards, game.places))
    found = EveryDeal(Counter(), Counter(), {})
    for group in _group_by_view(game, shoes, ()):
        part = _play(game, stake, group, (), cautious)
        found.counts.update(part.counts)
        found.made.update(part.made)
        found.first_values.update(part.first_values)
    return found


def _play(game: Game, stake: Stake, shoes: list[Shoe], chosen: tuple[int, ...], cautious: bool) -> EveryDeal:
    """The best play from shoes that look alike to the player."""
    legal = game.rules.legal(game.kernel_data, _array(shoes[0]), _array(chosen))
    if not legal:
        counts = Counter(_settle(game, shoe, chosen) for shoe in shoes)
        return EveryDeal(counts, Counter(), {})
    tried = {n: _follow(game, stake, shoes, (*chosen, n), cautious) for n in _order(game, legal, cautious)}
    nets = {n: net_of(game, stake, part.counts) for n, part in tried.items()}
    best = max(nets, key=nets.__getitem__)  # the first of equal ones
    made = tried[best].made + Counter({(len(chosen), game.choices[best].name): len(shoes)})
    values = {game.choices[n].name: net / len(shoes) for n, net in nets.items()}
    return EveryDeal(tried[best].counts, made, {} if chosen else {_view(game, shoes[0], ()): values})


def _order(game: Game, legal: int, cautious: bool) -> list[int]:
    """The open choices in the rules' order, which lists larger wagers first."""
    numbers = [n for n in range(len(game.choices)) if legal >> n & 1]
    return numbers[::-1] if cautious else numbers


def _follow(
    game: Game, stake: Stake, shoes: list[Shoe], chosen: tuple[int, ...], cautious: bool
) -> EveryDeal:
    parts = [_play(game, stake, group, chosen, cautious) for group in _group_by_view(game, shoes, chosen)]
    counts, made = Counter[Joint](), Counter[tuple[int, str]]()
    for part in parts:
        counts.update(part.counts)
        made.update(part.made)
    return EveryDeal(counts, made, {})


def _group_by_view(game: Game, shoes: Sequence[Shoe], chosen: tuple[int, ...]) -> list[list[Shoe]]:
    seen = {shoe: _view(game, shoe, chosen) for shoe in shoes}
    return [list(run) for _, run in groupby(sorted(shoes, key=seen.__getitem__), key=seen.__getitem__)]


def _view(game: Game, shoe: Shoe, chosen: tuple[int, ...]) -> Shoe:
    seen = _array(shoe)
    game.rules.visible(game.kernel_data, _array(shoe), _array(chosen), seen)
    return tuple(seen.tolist())


def _settle(game: Game, shoe: Shoe, chosen: tuple[int, ...]) -> Joint:
    outcomes = new_outcomes(len(game.spots))
    game.rules.settle(game.kernel_data, _array(shoe), _array(chosen), outcomes)
    puts = Counter(put for made, n in enumerate(chosen) for put in game.puts(game.choices[n], made))
    found = zip(game.spots, outcomes.tolist(), strict=True)
    return tuple(spot.number(number, puts[spot.name] + (not spot.follows)) for spot, number in found)


def net_of(game: Game, stake: Stake, counts: Counter[Joint]) -> Fraction:
    """The net of a stake over all these outcomes."""
    return sum((count * _net(game, stake, joint) for joint, count in counts.items()), Fraction(0))


def _net(game: Game, stake: Stake, joint: Joint) -> Fraction:
    net = Fraction(0)
    for spot, number in zip(game.spots, joint, strict=True):
        if number >= 0:
            outcome, units = spot.split_number(number)
            base = stake.get(spot.follows or spot.name, Fraction(0)) * spot.size
            net += base * units * game.pay_table(spot).lines[outcome].pays
    return net


def _array(numbers: Sequence[int]) -> "np.ndarray[tuple[int], np.dtype[np.int8]]":
    return np.array(numbers, np.int8)
