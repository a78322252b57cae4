"""The lines of a strategy card for one street.

Hands are grouped by their reading in words. A group has one choice, or one from a hand of certain ranks up
and another below it. Readings of one family, such as 'Pair of Kings' and 'Pair of Tens', are merged where
they agree.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby, pairwise
from typing import Any

import numpy as np

from feltlab.core.cards import RANK_NAMES, RANKS, plural, rank_of
from feltlab.core.game import Game
from feltlab.core.strategy.card_rows import CardRow
from feltlab.counting.tree.positions import Positions
from feltlab.kernel import Array

RANK_WORD = re.compile(rf"\b({'|'.join((*map(plural, range(13)), *RANK_NAMES))})\b(?! of a Kind)")
WHOLE_FAMILY = re.compile(r"(.+), \*( high)?")  # 'Three of a Kind, *'
MOST_EXCEPTIONS = 24  # lines of them; the rest is only counted
MOST_EXAMPLES = 4  # hands in one line
WHOLE, UPPER, LOWER = "whole", "upper", "lower"  # parts of a group
Ranks = tuple[int, ...]  # of the cards seen, highest first


@dataclass(frozen=True)
class StreetCard:
    """The lines of one street, and the choice that they make in each position."""

    lines: tuple[tuple[str, str], ...]
    exceptions: tuple[str, ...]
    choices: Array
    classes: int
    missed: int
    index: Mapping[tuple[str, int], tuple[CardRow, ...]]  # by reading and open choices, a bit each
    line_of: Array  # by position: the number of its line, -1 where best play never comes


@dataclass
class Group:
    """The positions of one reading, the higher ranks first, and what the card says about them."""

    reading: str
    at: list[int]
    ranks: list[Ranks]
    mask: int = 0  # the open choices, a bit each
    cut: int = 0  # the first position that the second choice is made in; 0 if there is only one choice
    upper: int = 0  # the choice before it
    lower: int = 0
    worth: float = 0.0  # the mean value under the card

    @property
    def family(self) -> str:
        """'Pair of *'."""
        return RANK_WORD.sub("*", self.reading)

    @property
    def order(self) -> Ranks:
        """The places of its rank words, for sorting within the family."""
        words = RANK_WORD.findall(self.reading)
        return tuple(next(n for n in range(13) if word in (RANK_NAMES[n], plural(n))) for word in words)

    @property
    def segments(self) -> list["Segment"]:
        if not self.cut:
            return [Segment(self.reading, self.reading, self.upper, ((self, WHOLE),))]
        above, below = rank_text(self.ranks[self.cut - 1]), rank_text(self.ranks[self.cut])
        least, most = f"{self.reading}, {above}", f"{self.reading}, {below}"
        upper = Segment(self.reading, least, self.upper, ((self, UPPER),))
        return [upper, Segment(most, self.reading, self.lower, ((self, LOWER),))]

    def places(self, part: str) -> list[int]:
        """The positions of a part."""
        return {WHOLE: self.at, UPPER: self.at[: self.cut], LOWER: self.at[self.cut :]}[part]


@dataclass(frozen=True)
class Segment:
    """A range of hands with one choice, by its highest and lowest."""

    high: str
    low: str
    choice: int
    members: tuple[tuple[Group, str], ...] = field(default=(), compare=False)  # parts of groups

    @property
    def words(self) -> str:
        if self.high == self.low:
            return self.high
        if self.low.startswith(self.high):
            return f"{self.low} or better"
        return f"{self.high} or less" if self.high.startswith(self.low) else f"{self.high} to {self.low}"


def card_of_street(game: Game, positions: Positions) -> StreetCard:
    """The lines for the positions of one street."""
    groups = _groups(game, positions)
    choices = np.array(positions.best)
    for group in groups:
        _decide(group, positions)
        choices[group.at] = group.upper
        if group.cut:
            choices[group.at[group.cut :]] = group.lower
    met = np.array([weight > 0 for weight in positions.weights], np.bool_)
    wrong = met & (_worth(positions, choices) < _worth(positions, positions.best))
    names = [choice.name for choice in game.choices]
    shown = [group for group in groups if met[group.at].any()]
    segments = _merge(shown)
    lines = tuple((segment.words, names[segment.choice]) for segment in segments)
    exceptions = tuple(_exceptions(names, shown, positions, wrong))
    counts = int(met.sum()), int(wrong.sum())
    return StreetCard(lines, exceptions, choices, *counts, *_index_lines(segments, names, len(choices)))


def _index_lines(
    segments: list["Segment"], names: list[str], positions: int
) -> tuple[dict[tuple[str, int], tuple[CardRow, ...]], Array]:
    """The lines by reading and open choices, and by position."""
    index: dict[tuple[str, int], tuple[CardRow, ...]] = {}
    line_of = np.full(positions, -1, np.int64)
    for line, segment in enumerate(segments):
        for group, part in segment.members:
            least = group.ranks[group.cut - 1] if part == UPPER else ()
            row = CardRow(names[segment.choice], least, line)
            key = group.reading, group.mask
            index[key] = (row, *index.get(key, ())) if part == UPPER else (*index.get(key, ()), row)
            line_of[group.places(part)] = line
    return index, line_of


def _worth(positions: Positions, choices: Array) -> Any:
    return positions.values[np.arange(len(choices)), choices]


# -- Groups -----------------------------------------------------------------------------------------


def _groups(game: Game, positions: Positions) -> list[Group]:
    found: dict[tuple[str, bytes], list[int]] = defaultdict(list)
    for n, (seen, legal) in enumerate(zip(positions.seen.tolist(), positions.legal, strict=True)):
        found[read_hand(game, [card for card in seen if card >= 0]), legal.tobytes()].append(n)
    return [_new_group(reading, at, positions) for (reading, _), at in found.items()]


def open_mask(legal: Sequence[bool]) -> int:
    """The open choices as one number, a bit each."""
    return sum(1 << n for n, is_open in enumerate(legal) if is_open)


def read_hand(game: Game, held: Sequence[int]) -> str:
    """The reading of the cards seen; the highest of them where the rules do not read so few."""
    words = [reading for _, reading in game.rules.readings(held)]
    return "; ".join(words) or f"{RANK_NAMES[max(map(rank_of, held))]} high"


def _new_group(reading: str, at: list[int], positions: Positions) -> Group:
    ranks = {n: ranks_of(positions.seen[n].tolist()) for n in at}
    ordered = sorted(at, key=ranks.__getitem__, reverse=True)
    mask = open_mask(positions.legal[at[0]].tolist())
    return Group(reading, ordered, [ranks[n] for n in ordered], mask)


def ranks_of(seen: Sequence[int]) -> Ranks:
    """The ranks of the cards seen, those that are held most often first."""
    held = [rank_of(card) for card in seen if card >= 0]
    return tuple(sorted(held, key=lambda rank: (held.count(rank), rank), reverse=True))


def rank_text(ranks: Ranks) -> str:
    """'Q-6-4'."""
    return "-".join(RANKS[rank] for rank in ranks)


def _decide(group: Group, positions: Positions) -> None:
    """The one choice, or the two with a cut between them, that lose least."""
    each, weights = positions.values[group.at].astype(object), positions.weights[group.at]
    met = int(weights.sum())
    if met:
        each *= weights[:, None]
    open_now = np.flatnonzero(positions.legal[group.at[0]])
    above = np.cumsum(each[:, open_now], axis=0)
    total = above[-1]
    group.upper = group.lower = int(open_now[total.argmax()])
    best = total.max()
    for cut in range(1, len(group.at)):
        if group.ranks[cut] != group.ranks[cut - 1]:
            split = above[cut - 1].max() + (total - above[cut - 1]).max()
            if split > best:
                best, group.cut = split, cut
                group.upper = int(open_now[above[cut - 1].argmax()])
                group.lower = int(open_now[(total - above[cut - 1]).argmax()])
    group.worth = float(best) / (met or 1)


# -- Lines ------------------------------------------------------------------------------------------


def _merge(groups: list[Group]) -> list[Segment]:
    """The segments of all families, the best family first."""
    families = defaultdict(list)
    for group in groups:
        families[group.family].append(group)
    ordered = sorted(families.values(), key=lambda family: -max(group.worth for group in family))
    listed = _join_top([_segments_of_family(family) for family in ordered], ordered)
    return [segment for segments in listed for segment in segments]


def _join_top(listed: list[list[Segment]], families: list[list[Group]]) -> list[list[Segment]]:
    """One line 'Pair of Aces or better' in place of whole families above it with the same choice.

    The families below must hold nothing better: 'Straight Flush, Five high or better' would also mean pairs.
    """
    top = 0
    for (first, *others), below in pairwise(listed):
        if others or first.choice != below[0].choice:
            break
        top += 1
    first, *others = listed[top]
    least = min(group.worth for group in families[top] if group.upper == first.choice)
    if not top or any(group.worth > least for family in families[top + 1 :] for group in family):
        return listed
    above = tuple(member for segments in listed[:top] for one in segments for member in one.members)
    joined = [[_or_better(replace(first, members=above + first.members)), *others], *listed[top + 1 :]]
    if joined[-1][1:]:
        joined[-1][-1] = _or_less(joined[-1][-1])
    return joined


def _or_better(segment: Segment) -> Segment:
    words = f"{segment.low} or better"
    return replace(segment, high=words, low=words)


def _or_less(segment: Segment) -> Segment:
    words = f"{segment.high} or less"
    return replace(segment, high=words, low=words)


def _segments_of_family(family: list[Group]) -> list[Segment]:
    """From the highest rank down, with neighbours of one choice merged."""
    family = sorted(family, key=lambda group: group.order, reverse=True)
    segments = [segment for group in family for segment in group.segments]
    merged = []
    for choice, run in groupby(segments, key=lambda segment: segment.choice):
        found = list(run)
        members = tuple(member for segment in found for member in segment.members)
        merged.append(Segment(found[0].high, found[-1].low, choice, members))
    if len(merged) == 1 and len(family) > 1 and (named := WHOLE_FAMILY.fullmatch(family[0].family)):
        return [replace(merged[0], high=f"any {named[1]}", low=f"any {named[1]}")]
    return merged


# -- Exceptions -------------------------------------------------------------------------------------


def _exceptions(names: list[str], groups: list[Group], positions: Positions, wrong: Any) -> Iterator[str]:
    """The hands with a better choice than the lines make, by reading and choice."""
    found: list[tuple[int, str]] = []
    for group in groups:
        by_choice: dict[int, list[int]] = defaultdict(list)
        for n, at in enumerate(group.at):
            if wrong[at]:
                by_choice[int(positions.best[at])].append(n)
        for choice, places in by_choice.items():
            found.append((len(places), _exception(group, places, names[choice])))
    found.sort(key=lambda item: -item[0])
    yield from (words for _, words in found[:MOST_EXCEPTIONS])
    if left := sum(count for count, _ in found[MOST_EXCEPTIONS:]):
        yield f"{left:,} more classes of hands"


def _exception(group: Group, places: list[int], choice: str) -> str:
    hands = list(dict.fromkeys(rank_text(group.ranks[n]) for n in places))
    more = len(hands) - MOST_EXAMPLES
    others = f" and {more} more" if more > 0 else ""
    return f"{group.reading}, {', '.join(hands[:MOST_EXAMPLES])}{others}: {choice}"
