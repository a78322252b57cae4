"""A strategy card from the positions of any game: lines by the reading of the hand, thresholds by ranks."""

from fractions import Fraction
from math import perm
from typing import Any

import numpy as np

from feltlab.core.choices import number_choices
from feltlab.core.game import Game
from feltlab.core.round import Round
from feltlab.core.solver import StrategyCard
from feltlab.core.stake import Stake
from feltlab.core.strategy.card_rows import CardRow, HandKey
from feltlab.core.tally import Tally
from feltlab.counting.tree.card_lines import StreetCard, card_of_street, ranks_of, read_hand
from feltlab.counting.tree.deals import DeckFaces, faces_of
from feltlab.counting.tree.decisions import Lookup, Record, look_up, write_down
from feltlab.counting.tree.positions import Positions, Solution, log_nothing, log_position, solve_positions
from feltlab.counting.tree.solve import plan_walk, walk_all
from feltlab.kernel import Array, kernel


def make_card(game: Game, stake: Stake) -> StrategyCard:
    """The best play on a card, and the exact cost of following its lines alone."""
    solution = solve_positions(game, stake)
    streets = [card_of_street(game, positions) for positions in solution.streets]
    lines, exceptions = list[tuple[str, str]](), list[str]()
    index: dict[str, tuple[CardRow, ...]] = {}
    for at, (name, street) in enumerate(zip(game.streets or ("",), streets, strict=False)):
        start = f"{name}: " if name else ""
        for (reading, mask), rows in street.index.items():
            moved = (row._replace(line=row.line + len(lines)) for row in rows)
            index[_key_of(at, mask, reading)] = tuple(moved)
        lines += [(start + when, choice) for when, choice in street.lines]
        exceptions += [start + words for words in street.exceptions]
    missed = sum(street.missed for street in streets)
    cost = _cost(solution, streets, stake) if missed else Fraction(0)
    classes = sum(street.classes for street in streets)
    return StrategyCard(tuple(lines), tuple(exceptions), cost, (), classes, missed, index)


def read_for_card(round: Round) -> HandKey:
    """The street, the open choices and the reading of a hand, and its ranks."""
    game, seen = round.game, round.seen
    made = number_choices(game, round.wagers, round.chosen)
    mask = int(game.rules.legal(game.kernel_data, np.array(seen, np.int8), made))
    held = [card for card in seen if card >= 0]
    return HandKey(_key_of(len(made), mask, read_hand(game, held)), ranks_of(held))


def _key_of(street: int, mask: int, reading: str) -> str:
    return f"{street} {mask} {reading}"


def _cost(solution: Solution, streets: list[StreetCard], stake: Stake) -> Fraction:
    if len(streets) == 1:
        return _cost_of_one_street(solution, streets[0])
    return _cost_of_many_streets(solution, streets, stake)


def _cost_of_one_street(solution: Solution, street: StreetCard) -> Fraction:
    """The mean of what each position loses."""
    game, positions = solution.game, solution.streets[0]
    seen = int((positions.seen[0] >= 0).sum())
    below = perm(len(game.deck) - seen, game.places - seen)
    lost = (_values(positions, positions.best) - _values(positions, street.choices)) * positions.weights
    deals = sum(solution.found.classes.weights.tolist()) * below
    return Fraction(int(lost.sum()), deals * solution.parts)


def _values(positions: Positions, choices: Array) -> Any:
    return positions.values[np.arange(len(choices)), choices].astype(object)


def _cost_of_many_streets(solution: Solution, streets: list[StreetCard], stake: Stake) -> Fraction:
    """Walk again with the choices of the card."""
    game, record = solution.game, solution.record
    best = _expected(game, stake, solution.found.counts)
    for paths, street in zip(solution.paths, streets, strict=True):
        _write_choices(record, faces_of(game), paths.seen, paths.made, street.choices[paths.position])
    player = Lookup(record, np.arange(64))
    found = walk_all(plan_walk(game, stake), look_up, player, log_position, log_nothing(game))
    return best - _expected(game, stake, found.counts)


def _expected(game: Game, stake: Stake, counts: Any) -> Fraction:
    return Tally(game, counts).total_expected(stake)


@kernel
def _write_choices(record: Record, faces: DeckFaces, seen: Array, made: Array, choices: Array) -> None:
    nothing = np.zeros(1, np.int64)
    for n in range(len(seen)):
        write_down(record, faces, seen[n], made[n], choices[n], nothing, 0)
