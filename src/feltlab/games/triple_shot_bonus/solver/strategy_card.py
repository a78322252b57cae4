"""The best strategy on a card: choices by total and up-card, the exceptions, and the cost of ignoring them.

Hands of three cards or more have rows by their number of cards, since the sixth card cannot lose. While the
Hat Trick is alive, it has its own charts.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import comb, prod

import numpy as np

from feltlab.core.cards import RANKS as NAMES
from feltlab.core.game import Game
from feltlab.core.hands import blackjack
from feltlab.core.round import Round
from feltlab.core.solver import Chart, StrategyCard
from feltlab.core.stake import Stake
from feltlab.core.strategy.card_rows import CardRow, HandKey
from feltlab.core.tally import Tally
from feltlab.games.triple_shot_bonus import rules
from feltlab.games.triple_shot_bonus.solver.dealer import value_number
from feltlab.games.triple_shot_bonus.solver.hand_values import NO_CHOICE, Choices
from feltlab.games.triple_shot_bonus.solver.law import law as strategy_law
from feltlab.games.triple_shot_bonus.solver.strategies import (
    UPS,
    Rule,
    choices,
    playable_hands,
    tabulate_rule,
)
from feltlab.games.triple_shot_bonus.solver.strategy_classes import ALIVE, DEAD, open_pairs, open_states
from feltlab.parallel.threads import map_in_threads

Row = tuple[int, bool, int]  # how many cards, whether soft, the total; two aces are a total of 22
Cell = tuple[Row, str]  # row and up-card
ACES = (2, True, 22)
TITLES = ("Hat Trick alive", "no Hat Trick, or it is lost")
MAX_EXCEPTIONS = 40
SIZES = rules.PLAYER_CARDS - 2  # charts of a phase
INSURANCE = "insurance"  # the key of its choice


def card(game: Game, stake: Stake) -> StrategyCard:
    """The best strategy for a stake on a card."""
    phases = (ALIVE, DEAD) if stake.get("hat-trick") else (DEAD,)
    cells = {phase: best_cells(game, stake, phase) for phase in phases}
    charts = tuple(chart for phase in phases for chart in _charts(game, cells[phase], TITLES[phase]))
    exceptions = [line for phase in phases for line in _exceptions(game, stake, phase, cells[phase])]
    letters = tuple((choice.key.upper(), choice.name) for choice in game.choices[: rules.INSURE])
    lines = (*letters, ("insurance", "decline"), ("columns", "the dealer's up-card"))
    more = "three cards or more whose best choice depends on more than their total; ask feltlab advise"
    best = map_in_threads(lambda up: choices(game, stake, "optimal", up), range(len(NAMES)))
    charted = [_charted(cells, up) for up in range(len(NAMES))]
    cost = _expected(game, stake, best) - _expected(game, stake, charted)
    missed = [count_classes(phase, up, best, charted) for phase in phases for up in range(len(NAMES))]
    counts = (sum(total for total, _ in missed), sum(apart for _, apart in missed))
    index: dict[str, tuple[CardRow, ...]] = {INSURANCE: (CardRow("decline", line=len(letters)),)}
    for at, phase in enumerate(phases):
        index |= _index_cells(game, cells[phase], phase, at * SIZES)
    return StrategyCard(lines, (*_shorten(exceptions), more), cost, charts, *counts, index)


def read_hand(round: Round) -> HandKey:
    """Whether the Hat Trick is alive, the number of cards, their total, and the up-card."""
    if "decline" in round.choices:
        return HandKey(INSURANCE)
    held, up = list(round.view.player), round.seen[rules.UP]
    is_lost = rules.judge_war(held[0], up) == rules.WAR_LOST
    phase = DEAD if is_lost or "hat-trick" not in round.wagers else ALIVE
    total, soft = blackjack.total(np.array(held))
    ranks = "".join(NAMES[card >> 2] for card in sorted(held))
    return HandKey(_key_of(phase, (_row(ranks, total, soft), UPS[value_number(up)])))


def _key_of(phase: int, cell: Cell) -> str:
    (size, soft, total), up = cell
    return f"{phase} {size} {int(soft)} {total} {up}"


def _index_cells(
    game: Game, cells: Mapping[Cell, int], phase: int, first: int
) -> dict[str, tuple[CardRow, ...]]:
    """The cells of the charts of a phase, the first of which has this number."""
    places: dict[Row, tuple[int, int]] = {}
    for size in range(2, rules.PLAYER_CARDS):
        for n, span in enumerate(_merge_rows(game, cells, size)):
            places |= dict.fromkeys(span, (first + size - 2, n))
    index: dict[str, tuple[CardRow, ...]] = {}
    for (row, up), choice in cells.items():
        chart, at = places[row]
        found = CardRow(game.choices[choice].name, chart=chart, row=at, column=UPS.index(up))
        index[_key_of(phase, (row, up))] = (found,)
    return index


Phases = tuple[Choices, Choices]  # the Hat Trick alive, and lost


def _charted(cells: Mapping[int, Mapping[Cell, int]], up: int) -> Phases:
    alive, dead = (_rule(cells.get(phase, cells[DEAD])) for phase in (ALIVE, DEAD))
    return tabulate_rule(alive, up), tabulate_rule(dead, up)


def _expected(game: Game, stake: Stake, made: Sequence[Phases]) -> Fraction:
    law = strategy_law(game, lambda up: made[up])
    return Tally(game, law.counts).total_expected(stake)


def count_classes(phase: int, up: int, best: Sequence[Phases], charted: Sequence[Phases]) -> tuple[int, int]:
    """The classes of the complete strategy against an up-card, and those with another charted choice."""
    pairs, later = open_pairs(phase, up), open_states(phase, up)
    one, two = pairs[:, 0], pairs[:, 1]
    apart = best[up][phase].first[one, two] != charted[up][phase].first[one, two]
    later_apart = best[up][phase].later[later] != charted[up][phase].later[later]
    return len(pairs) + len(later), int(apart.sum() + later_apart.sum())


def _rule(cells: Mapping[Cell, int]) -> Rule:
    return lambda ranks, total, soft, up: cells.get((_row(ranks, total, soft), up), rules.STAND)


# -- Cells ------------------------------------------------------------------------------------------


def best_cells(game: Game, stake: Stake, phase: int) -> dict[Cell, int]:
    """By row and up-card, the choice that is best for most of its deals."""
    votes: dict[Cell, Counter[int]] = defaultdict(Counter)
    for row, _, up, choice, ways in _votes(game, stake, phase):
        votes[row, up][choice] += ways
    return {cell: found.most_common(1)[0][0] for cell, found in votes.items()}


def _votes(game: Game, stake: Stake, phase: int) -> Iterator[tuple[Row, str, str, int, int]]:
    """For every hand and up-card: row, ranks, up-card, best choice by ranks, number of deals."""
    for rank in range(len(NAMES)):
        found = choices(game, stake, "optimal-suit-blind", rank)[phase]
        up = UPS[value_number(4 * rank)]
        for ranks, row, choice, ways in (*_first(found, rank, phase), *_later(found, rank)):
            yield row, ranks, up, choice, ways


def _first(found: Choices, up: int, phase: int) -> Iterator[tuple[str, Row, int, int]]:
    for one, two in np.argwhere(found.first != NO_CHOICE).tolist():
        lost = rules.judge_war(one, 4 * up) == rules.WAR_LOST
        if one != two and 4 * up not in (one, two) and (phase == DEAD or not lost):
            ranks = "".join(NAMES[card >> 2] for card in sorted((one, two)))
            total, soft = blackjack.total(np.array((one, two)))
            yield ranks, _row(ranks, total, soft), int(found.first[one, two]), 1


def _later(found: Choices, up: int) -> Iterator[tuple[str, Row, int, int]]:
    for state, ranks, total, soft in playable_hands():
        if len(ranks) > 2:
            held = Counter(ranks)
            ways = prod(comb(4 - (rank == NAMES[up]), n) for rank, n in held.items())
            if ways:
                yield ranks, _row(ranks, total, soft), int(found.later[state]), ways


def _row(ranks: str, total: int, soft: bool) -> Row:
    return ACES if ranks == "AA" else (len(ranks), soft, total)


def _charts(game: Game, cells: Mapping[Cell, int], title: str) -> Iterator[Chart]:
    """A chart for each number of cards; neighbouring rows with the same choices are merged."""
    for size in range(2, rules.PLAYER_CARDS):
        rows = _merge_rows(game, cells, size)
        yield Chart(
            f"{title}: {size} cards", tuple(UPS), {_name(span): letters for span, letters in rows.items()}
        )


def _merge_rows(game: Game, cells: Mapping[Cell, int], size: int) -> dict[tuple[Row, ...], tuple[str, ...]]:
    """By neighbouring rows of one number of cards: the letters of their choices by up-card."""
    rows: dict[tuple[Row, ...], tuple[str, ...]] = {}
    for row in sorted({row for row, _ in cells if row[0] == size}):
        letters = tuple(_letter(game, cells.get((row, up))) for up in UPS)
        before = next(reversed(rows), ())
        together = bool(before) and rows[before] == letters and before[0][1] == row[1] and row != ACES
        rows[(*(before if together else ()), row)] = letters
        if together:
            del rows[before]
    return rows


def _letter(game: Game, choice: int | None) -> str:
    return "" if choice is None else game.choices[choice].key.upper()


def _name(span: tuple[Row, ...]) -> str:
    if span == (ACES,):
        return "A-A"
    first, last = span[0][2], span[-1][2]
    totals = str(first) if first == last else f"{first} to {last}"
    return f"soft {totals}" if span[0][1] else totals


# -- Exceptions -------------------------------------------------------------------------------------


def _exceptions(game: Game, stake: Stake, phase: int, cells: Mapping[Cell, int]) -> Iterator[str]:
    """Describe the pairs of cards whose best choice is not that of their cell."""
    apart: dict[tuple[str, int], dict[str, None]] = defaultdict(dict)  # up-cards in order, once each
    for row, ranks, up, choice, _ in _votes(game, stake, phase):
        if len(ranks) == 2 and choice != cells[row, up]:
            apart["-".join(reversed(ranks)), choice][up] = None
    for (ranks, choice), ups in apart.items():
        yield f"{TITLES[phase]}: {ranks} against {' '.join(ups)}, {game.choices[choice].name}"


def _shorten(lines: list[str]) -> tuple[str, ...]:
    more = len(lines) - MAX_EXCEPTIONS
    return (*lines[:MAX_EXCEPTIONS], f"{more} more pairs of ranks") if more > 0 else tuple(lines)
