"""The best play of a game with one choice on a card, by the reading of the hand.

Hands of one strength are one position of the card. Where the dealer shows a card and the best choice of some
reading depends on it, a chart has a column for each rank of the up card; its rows tell apart whether the hand
has a card of that rank.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feltlab.core.cards import RANKS, Cards
from feltlab.core.game import Game
from feltlab.core.round import Round
from feltlab.core.solver import Chart, StrategyCard
from feltlab.core.strategy.card_rows import CardIndex, CardRow, HandKey, index_runs
from feltlab.counting.one_street.class_counts import SLICES, Chosen, ClassCounts, NetTable, values_of
from feltlab.counting.tree.card_lines import card_of_street, rank_text, ranks_of, read_hand
from feltlab.counting.tree.positions import Positions
from feltlab.kernel import kernel
from feltlab.parallel.threads import map_in_threads, slices

Ints = NDArray[np.int64]
Lines = tuple[tuple[str, str], ...]
Shown = Callable[[Sequence[int]], Sequence[int]]
Strength = Callable[[Sequence[int]], int]  # of the player's cards; a group of classes has one
Places = dict[tuple[int, int], tuple[int, int, int]]  # by group and cell: chart, row and column
UP_RANKS = 14  # the last one is the joker's
MATCHES = 2  # the hand has no card of the up card's rank, or one
CELLS = UP_RANKS * MATCHES
TOP_RANKS = 4  # of a hand without a pair that a row of a chart tells apart


@dataclass(frozen=True)
class CardPositions:
    """The positions of a card: by group of classes and cell of a chart, the net of each choice."""

    game: Game
    counts: ClassCounts
    cells: NDArray[np.int32]  # by class: the cell of a chart
    sums: Ints  # sums[group, cell, choice], in parts of a unit
    hands: list[list[int]]  # by group: the cards that its reading is of
    readings: list[str]  # by group
    has_up: bool


def make_card(
    game: Game, counts: ClassCounts, nets: NetTable, chosen: Chosen, shown: Shown, strength: Strength
) -> StrategyCard:
    """The best play on a card, and the exact cost of following it."""
    board = _lay_out(game, counts, nets, shown)
    in_chart = _readings_by_up_card(board)
    choices = np.zeros(board.sums.shape[:2], np.uint8)
    lines, line_of = _write_lines(board, in_chart, choices)
    charts, places = _draw_charts(board, in_chart, choices)
    index = _index_cells(board, choices, line_of, places, strength)
    made = choices[counts.group, board.cells]
    lost, missed = _compare(counts, nets, made, chosen.choices)
    cost = Fraction(int(lost.sum()), int(counts.weights.sum()) * counts.deals * nets.parts)
    exceptions = tuple(_exceptions(game, counts, lost, chosen))
    return StrategyCard(lines, exceptions, cost, charts, len(counts.group), missed, index)


def read_for_card(round: Round, strength: Strength) -> HandKey:
    """The cell of the up card, if the dealer shows one, and the strength of the hand."""
    own = round.game.own_places
    hand = list(round.seen[:own])
    up = next((card for card in round.seen[own:] if card >= 0), None)
    cell = 0 if up is None else (up >> 2) * MATCHES + any(card >> 2 == up >> 2 for card in hand)
    return HandKey(f"cell {cell}", (strength(hand),))


def _index_cells(
    board: CardPositions, choices: NDArray[np.uint8], line_of: Ints, places: Places, strength: Strength
) -> CardIndex:
    """By cell, the rows of all groups in rising order of strength."""
    names = [choice.name for choice in board.game.choices]
    hands = board.counts.shoes[board.counts.examples(), : board.game.own_places].tolist()
    orders = [(strength(hand),) for hand in hands]
    index = {}
    for cell in range(board.sums.shape[1]):
        rows = []
        for group, order in enumerate(orders):
            made = names[choices[group, cell]]
            if line_of[group] >= 0:
                rows.append(CardRow(made, order, int(line_of[group])))
            elif (group, cell) in places:
                rows.append(CardRow(made, order, -1, *places[group, cell]))
        index[f"cell {cell}"] = index_runs(rows)
    return index


def _lay_out(game: Game, counts: ClassCounts, nets: NetTable, shown: Shown) -> CardPositions:
    own = game.own_places
    seen_up = np.flatnonzero(counts.shoes[0, own:] >= 0)
    cells = _cells(counts.shoes, own, own + int(seen_up[0])) if len(seen_up) else np.zeros(1, np.int32)
    cells = np.broadcast_to(cells, len(counts.group))
    sums = np.zeros((counts.columns.shape[1], CELLS if len(seen_up) else 1, len(counts.columns)), np.int64)

    def work(part: slice) -> Ints:
        found = np.zeros_like(sums)
        _add_cells(
            values_of(counts, nets, part), counts.weights[part], counts.group[part], cells[part], found
        )
        return found

    for found in map_in_threads(work, slices(len(cells), SLICES // 8)):
        sums += found
    hands = [list(shown(hand)) for hand in counts.shoes[counts.examples(), :own].tolist()]
    return CardPositions(
        game, counts, cells, sums, hands, [read_hand(game, hand) for hand in hands], bool(len(seen_up))
    )


def _cells(shoes: Any, own: int, up: int) -> NDArray[np.int32]:
    """By class: the rank of the up card, and whether the hand has a card of that rank."""
    rank = shoes[:, up] >> 2
    matches = (shoes[:, :own] >> 2 == rank[:, None]).any(axis=1)
    cells: NDArray[np.int32] = rank.astype(np.int32) * MATCHES + matches
    return cells


# -- Lines ------------------------------------------------------------------------------------------


def _readings_by_up_card(board: CardPositions) -> set[str]:
    """The readings for which the best choice of some row depends on the up card."""
    if not board.has_up:
        return set()
    found = set()
    for row in _rows(board, set(board.readings)):
        met = board.sums[row.groups].any(axis=(0, 2))
        if len({row.choice(board, cell) for cell in np.flatnonzero(met).tolist()}) > 1:
            found.add(board.readings[row.groups[0]])
    return found


def _write_lines(board: CardPositions, in_chart: set[str], choices: NDArray[np.uint8]) -> tuple[Lines, Ints]:
    """The lines of the readings that have no chart, in the tree's way; and by group, its line."""
    groups = [n for n, reading in enumerate(board.readings) if reading not in in_chart]
    line_of = np.full(len(board.readings), -1, np.int64)
    if not groups:
        return (), line_of
    weights = np.bincount(board.counts.group, board.counts.weights, board.counts.columns.shape[1])
    met = [int(weights[n]) for n in groups]
    totals = board.sums[groups].sum(axis=1).tolist()
    each = [[Fraction(net, n or 1) for net in row] for row, n in zip(totals, met, strict=True)]
    values = np.array(each, object).reshape(len(groups), -1)
    legal = board.counts.is_open[:, groups].T
    best = np.array([_best_of(row, may) for row, may in zip(totals, legal, strict=True)], np.int8)
    seen = np.array([board.hands[n] for n in groups], np.int8)
    street = card_of_street(
        board.game, Positions(seen, seen[:, :0], best, values, np.array(met, object), legal)
    )
    choices[groups] = street.choices[:, None]
    line_of[groups] = street.line_of
    return street.lines, line_of


def _best_of(values: Sequence[int], legal: Sequence[bool]) -> int:
    return max((n for n in range(len(values)) if legal[n]), key=values.__getitem__)


# -- Charts -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ChartRow:
    """The groups of one reading whose highest ranks agree."""

    name: str
    groups: list[int]

    def choice(self, board: CardPositions, cell: int) -> int:
        totals = board.sums[self.groups, cell].sum(axis=0).tolist()
        legal: list[bool] = np.asarray(board.counts.is_open[:, self.groups].all(axis=1)).tolist()
        return _best_of(totals, legal)


def _rows(board: CardPositions, readings: set[str]) -> list[ChartRow]:
    """The rows of some readings, the strongest first; groups are in rising order of strength."""
    found: dict[tuple[str, str], list[int]] = {}
    for n in range(len(board.hands) - 1, -1, -1):
        if board.readings[n] in readings:
            ranks = ranks_of(board.hands[n])
            top = [rank for rank in ranks if ranks.count(rank) > 1] or ranks[:TOP_RANKS]
            name = rank_text(tuple(top)) if len(set(ranks)) == len(ranks) else board.readings[n]
            found.setdefault((board.readings[n], name), []).append(n)
    return [ChartRow(name, groups) for (_, name), groups in found.items()]


def _draw_charts(
    board: CardPositions, in_chart: set[str], choices: NDArray[np.uint8]
) -> tuple[tuple[Chart, ...], Places]:
    """A chart for hands that match the up card, and one for those that do not; and where each group is."""
    places: Places = {}
    if not in_chart:
        return (), places
    names = [choice.name for choice in board.game.choices]
    rows = _rows(board, in_chart)
    charts = []
    ranks = np.flatnonzero(board.sums.any(axis=(0, 2)).reshape(UP_RANKS, MATCHES).any(axis=1)).tolist()
    for matches, title in enumerate(("no card of the up card's rank", "a card of the up card's rank")):
        listed = []
        for row in rows:
            cells = []
            for rank in ranks:
                cell = rank * MATCHES + matches
                made = row.choice(board, cell)
                choices[row.groups, cell] = made
                cells.append(names[made] if board.sums[row.groups, cell].any() else "")
            listed.append((row.name, cells))
        columns = tuple(RANKS[rank] if rank < len(RANKS) else "joker" for rank in ranks)
        merged, row_of = _merge_rows(listed)
        for row, at in zip(rows, row_of, strict=True):
            for column, rank in enumerate(ranks):
                places |= {
                    (n, rank * MATCHES + matches): (matches, at, column) for n in row.groups if at >= 0
                }
        charts.append(Chart(f"With {title}, by up card", columns, merged))
    return tuple(charts), places


def _merge_rows(listed: list[tuple[str, list[str]]]) -> tuple[dict[str, tuple[str, ...]], list[int]]:
    """Join neighbours that agree wherever both have a choice; and the number of each row, -1 if empty."""
    runs: list[tuple[str, str, list[str]]] = []
    row_of = []
    for name, cells in listed:
        if not any(cells):
            row_of.append(-1)
            continue
        if runs and all(a == b or not a or not b for a, b in zip(runs[-1][2], cells, strict=True)):
            first, _, before = runs.pop()
            runs.append((first, name, [a or b for a, b in zip(before, cells, strict=True)]))
        else:
            runs.append((name, name, cells))
        row_of.append(len(runs) - 1)
    spans = {first if first == last else f"{first} to {last}": tuple(cells) for first, last, cells in runs}
    return spans, row_of


# -- Exceptions -------------------------------------------------------------------------------------


def _compare(
    counts: ClassCounts, nets: NetTable, made: NDArray[np.uint8], best: NDArray[np.uint8]
) -> tuple[Ints, int]:
    """By class, what the card's choices lose in all its deals; and the classes in which they lose."""
    lost = np.empty(len(made), np.int64)

    def work(part: slice) -> None:
        values, rows = values_of(counts, nets, part), np.arange(len(made[part]))
        lost[part] = (values[rows, best[part]] - values[rows, made[part]]) * counts.weights[part]

    map_in_threads(work, slices(len(made), SLICES))
    return lost, int((lost > 0).sum())


def _exceptions(game: Game, counts: ClassCounts, lost: Ints, chosen: Chosen) -> Iterator[str]:
    """The share of hands with a better choice than the card's, and the hand that gains most by it."""
    better = lost > 0
    if not better.any():
        return
    worst = int((lost / counts.weights).argmax())
    own = game.own_places
    shown = Cards(card for card in counts.shoes[worst, own:].tolist() if card >= 0)
    against = f" against {shown}" if shown else ""
    hand = f"{Cards(counts.shoes[worst, :own].tolist())}{against}"
    met, every = int(counts.weights[better].sum()), int(counts.weights.sum())
    name = game.choices[int(chosen.choices[worst])].name
    yield f"{met:,} of {every:,} hands, most of all {hand}: {name}"


@kernel
def _add_cells(values: Ints, weights: Ints, group: Any, cells: Any, sums: Ints) -> None:
    for n in range(len(values)):
        for choice in range(values.shape[1]):
            sums[group[n], cells[n], choice] += weights[n] * values[n, choice]
