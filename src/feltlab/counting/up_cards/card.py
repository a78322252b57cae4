"""A strategy card for a choice beside up cards: the least hand that wagers, by what the up cards show.

Three up cards are three of a kind, a pair, or have no pair. Without a pair, the least hand depends on the
highest up card, and on how many of the player's cards have the rank of an up card: the dealer lacks those.
Hands are told apart by *levels*: the two highest ranks without a pair, the rank of a pair, of the
higher pair or of three of a kind; then the kind of the hand. The least level is the one that gains most.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from feltlab.core.cards import RANKS, plural
from feltlab.core.game import Game
from feltlab.core.hands import poker
from feltlab.core.round import Round
from feltlab.core.solver import Chart, StrategyCard
from feltlab.core.stake import Stake
from feltlab.core.strategy.card_rows import CardIndex, CardRow, HandKey
from feltlab.counting.up_cards.dealers import HAND, LAST, UP, Ints
from feltlab.counting.up_cards.sweep import BETTER, CLASSES, GAIN, MATCHES, WORSE, UpCardSweep

NO_PAIR, PAIR, THREE = range(3)  # what up cards show
COLUMNS = ("none", "one", "two", "more")  # cards that match
TITLE = (
    "the least hand to {wager} with, if the up cards have no pair:"
    " by their highest card, and by how many of your cards have the rank of an up card"
)


class UpGroup(NamedTuple):
    """Up cards that the card treats alike."""

    shows: int
    rank: int  # of the three, the pair or the highest card


# The least level that wagers, by matches; the number of levels if none does, -1 if there is no hand.
LeastLevels = tuple[int, ...]


def make_card(
    game: Game, stake: Stake, found: UpCardSweep, parts: int, wager: str, give_up: str
) -> StrategyCard:
    """The card, and the exact cost of following it; `parts` of a unit are a gain of one."""
    groups = _group_ups(found.ups)
    limits = {group: _find_limits(group, found, at) for group, at in groups.items()}
    gain, missed = 0, 0
    for group, at in groups.items():
        for matches, limit in enumerate(limits[group]):
            sums = found.levels[at, :, matches].astype(object)
            gain += int((sums[:, max(limit, 0) :, GAIN].sum(axis=1) * found.weights[at]).sum())
            missed += int(sums[:, : max(limit, 0), CLASSES + BETTER].sum())
            missed += int(sums[:, max(limit, 0) :, CLASSES + WORSE].sum())
    deck = len(game.deck)
    deals = comb(deck, HAND) * comb(deck - HAND, UP) * comb(deck - HAND - UP, LAST)
    cost = Fraction(found.best_gain - gain, deals * parts) * stake[game.wagers[0].name]
    lines = [*_lines(limits, PAIR, wager), *_lines(limits, THREE, wager)]
    lines += [("no pair up: the hand in the chart or better", wager), ("less", give_up)]
    charts = (Chart(TITLE.format(wager=wager), COLUMNS, _rows(limits)),)
    classes = int(found.levels[..., CLASSES:].sum())
    index = _index_groups(limits, wager, give_up, len(lines))
    return StrategyCard(tuple(lines), (), cost, charts, classes, missed, index)


def read_for_card(round: Round) -> HandKey:
    """The show of the up cards and the number of own cards that match them; then the level of the hand."""
    own = round.game.own_places
    hand, up = round.seen[:own], [card for card in round.seen[own:] if card >= 0]
    ranks = {card >> 2 for card in up}
    matches = min(sum(card >> 2 in ranks for card in hand), MATCHES - 1)
    strength = int(poker.strength(poker.tables(), np.array(hand, np.int64)))
    level = int(np.searchsorted(level_strengths(), strength, side="right")) - 1
    return HandKey(_key_of(_group_of(up), matches), (level,))


def _key_of(group: UpGroup, matches: int) -> str:
    return f"{group.shows} {group.rank} {matches}"


def _index_groups(limits: dict[UpGroup, LeastLevels], wager: str, give_up: str, lines: int) -> CardIndex:
    """The rows of every group: a line for up cards with a pair, a cell of the chart for the others."""
    index, row, last = {}, 0, lines - 1
    line_of: dict[UpGroup, int] = {}
    for shows in (PAIR, THREE):
        own = [group for group in limits if group.shows == shows]
        start = len(set(line_of.values()))
        one_line = len([*_lines(limits, shows, wager)]) == 1
        line_of |= {group: start if one_line else start + n for n, group in enumerate(own)}
    for group, found in limits.items():
        for matches, limit in enumerate(found):
            if group.shows == NO_PAIR:
                cell = CardRow(wager, (limit,), chart=0, row=row, column=matches)
                rows = (cell, cell._replace(choice=give_up, least=()))
            else:
                rows = (CardRow(wager, (limit,), line_of[group]), CardRow(give_up, line=last))
            index[_key_of(group, matches)] = rows
        row += group.shows == NO_PAIR
    return index


def _group_ups(ups: Ints) -> dict[UpGroup, list[int]]:
    groups = defaultdict(list)
    for n, up in enumerate(ups.tolist()):
        groups[_group_of(up)].append(n)
    return dict(sorted(groups.items()))


def _group_of(up: Sequence[int]) -> UpGroup:
    ranks = sorted(card >> 2 for card in up)
    shows = UP - len(set(ranks))
    return UpGroup(shows, ranks[1] if shows else ranks[-1])


def _find_limits(group: UpGroup, found: UpCardSweep, at: list[int]) -> LeastLevels:
    """The limits that gain most; the same for all matches if the up cards have a pair."""
    sums = (found.levels[at].astype(object) * found.weights[at][:, None, None, None]).sum(axis=0)
    if group.shows != NO_PAIR:
        return (_find_limit(sums.sum(axis=1), _own_level(group)),) * MATCHES
    return tuple(_find_limit(sums[:, matches]) for matches in range(MATCHES))


def _find_limit(sums: NDArray[Any], preferred: int = -1) -> int:
    """The limit of levels with these sums; of equal ones the preferred one, or else the highest."""
    if not sums[:, CLASSES:].any():
        return -1
    above = np.append(np.cumsum(sums[::-1, GAIN])[::-1], 0).tolist()
    best = [n for n, gain in enumerate(above) if gain == max(above)]
    return preferred if preferred in best else best[-1]


def _own_level(group: UpGroup) -> int:
    """The level of hands that have what the up cards have: a pair, or three of a kind."""
    category = poker.PAIR if group.shows == PAIR else poker.THREE
    return int(np.searchsorted(level_strengths(), category << 12 | group.rank << 8))


# -- Words ------------------------------------------------------------------------------------------------


def level_strengths() -> Ints:
    """The lowest strength of each level."""
    high = [comb(first, 5) + comb(second, 4) for first in range(4, 13) for second in range(3, first)]
    by_rank = [
        category << 12 | rank << 8
        for category in (poker.PAIR, poker.TWO_PAIR, poker.THREE)
        for rank in range(13)
    ]
    others = [category << 12 for category in range(poker.STRAIGHT, poker.ROYAL + 1)]
    return np.unique([*high, *by_rank, *others])


def name_level(level: int) -> str:
    """The lowest hand of a level: 'A-K', '7-7', 'Two Pair, Kings', 'Flush'."""
    strengths = level_strengths().tolist()
    if level == 0:
        return "any"
    if level == len(strengths):
        return "none"
    strength = strengths[level]
    category, rank = strength >> 12, strength >> 8 & 15
    if category == poker.HIGH_CARD:
        first = max(n for n in range(13) if comb(n, 5) <= strength)
        second = max(n for n in range(first) if comb(n, 4) <= strength - comb(first, 5))
        return f"{RANKS[first]}-{RANKS[second]}"
    if category == poker.PAIR:
        return f"{RANKS[rank]}-{RANKS[rank]}"
    if category in (poker.TWO_PAIR, poker.THREE):
        return f"{poker.CATEGORIES[category]}, {plural(rank)}"
    return poker.CATEGORIES[category]


def _rows(limits: dict[UpGroup, LeastLevels]) -> dict[str, tuple[str, ...]]:
    """The cells of the chart, by highest up card."""
    return {
        f"{RANKS[group.rank]} high": tuple("" if n < 0 else name_level(n) for n in found)
        for group, found in limits.items()
        if group.shows == NO_PAIR
    }


def _lines(limits: dict[UpGroup, LeastLevels], shows: int, wager: str) -> Iterator[tuple[str, str]]:
    """One line if hands as good as the up cards wager, whatever their rank; else a line for each rank."""
    words = "a pair" if shows == PAIR else "three of a kind"
    least = {group: found[0] for group, found in limits.items() if group.shows == shows}
    if all(level == _own_level(group) for group, level in least.items()):
        yield f"{words} up: {words} as high, or better", wager
        return
    for group, level in least.items():
        yield f"{words} of {plural(group.rank)} up: {name_level(level)} or better", wager
