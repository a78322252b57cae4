"""The lines of a strategy card for one street.

Hands are grouped by their reading in words. A group has one choice, or one from a hand of certain ranks up
and another below it. Readings of one family, such as 'Pair of Kings' and 'Pair of Tens', are merged where
they agree.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Any

import numpy as np

from feltlab.core.cards import RANK_NAMES, RANKS, plural, rank_of
from feltlab.core.game import Game
from feltlab.counting.tree.positions import Positions
from feltlab.kernel import Array

RANK_WORD = re.compile(rf"\b({'|'.join((*map(plural, range(13)), *RANK_NAMES))})\b(?! of a Kind)")
WHOLE_FAMILY = re.compile(r"(.+), \*( high)?")  # 'Three of a Kind, *'
MOST_EXCEPTIONS = 24  # lines of them; the rest is only counted
MOST_EXAMPLES = 4  # hands in one line
Ranks = tuple[int, ...]  # of the cards seen, highest first


@dataclass(frozen=True)
class StreetCard:
    """The lines of one street, and the choice that they make in each position."""

    lines: tuple[tuple[str, str], ...]
    exceptions: tuple[str, ...]
    choices: Array
    classes: int
    missed: int


@dataclass
class Group:
    """The positions of one reading, the higher ranks first, and what the card says about them."""

    reading: str
    at: list[int]
    ranks: list[Ranks]
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
            return [Segment(self.reading, self.reading, self.upper)]
        above, below = rank_text(self.ranks[self.cut - 1]), rank_text(self.ranks[self.cut])
        least, most = f"{self.reading}, {above}", f"{self.reading}, {below}"
        return [Segment(self.reading, least, self.upper), Segment(most, self.reading, self.lower)]


@dataclass(frozen=True)
class Segment:
    """A range of hands with one choice, by its highest and lowest."""

    high: str
    low: str
    choice: int

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
    lines = tuple((segment.words, names[segment.choice]) for segment in _merge(shown))
    exceptions = tuple(_exceptions(names, shown, positions, wrong))
    return StreetCard(lines, exceptions, choices, int(met.sum()), int(wrong.sum()))


def _worth(positions: Positions, choices: Array) -> Any:
    return positions.values[np.arange(len(choices)), choices]


# -- Groups -----------------------------------------------------------------------------------------


def _groups(game: Game, positions: Positions) -> list[Group]:
    found: dict[tuple[str, bytes], list[int]] = defaultdict(list)
    for n, (seen, legal) in enumerate(zip(positions.seen.tolist(), positions.legal, strict=True)):
        found[read_hand(game, [card for card in seen if card >= 0]), legal.tobytes()].append(n)
    return [_new_group(reading, at, positions) for (reading, _), at in found.items()]


def read_hand(game: Game, held: Sequence[int]) -> str:
    """The reading of the cards seen; the highest of them where the rules do not read so few."""
    words = [reading for _, reading in game.rules.readings(held)]
    return "; ".join(words) or f"{RANK_NAMES[max(map(rank_of, held))]} high"


def _new_group(reading: str, at: list[int], positions: Positions) -> Group:
    ranks = {n: ranks_of(positions.seen[n].tolist()) for n in at}
    ordered = sorted(at, key=ranks.__getitem__, reverse=True)
    return Group(reading, ordered, [ranks[n] for n in ordered])


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
    joined = [[_or_better(first), *others], *listed[top + 1 :]]
    if joined[-1][1:]:
        joined[-1][-1] = _or_less(joined[-1][-1])
    return joined


def _or_better(segment: Segment) -> Segment:
    return Segment(f"{segment.low} or better", f"{segment.low} or better", segment.choice)


def _or_less(segment: Segment) -> Segment:
    return Segment(f"{segment.high} or less", f"{segment.high} or less", segment.choice)


def _segments_of_family(family: list[Group]) -> list[Segment]:
    """From the highest rank down, with neighbours of one choice merged."""
    family = sorted(family, key=lambda group: group.order, reverse=True)
    segments = [segment for group in family for segment in group.segments]
    merged = []
    for choice, run in groupby(segments, key=lambda segment: segment.choice):
        found = list(run)
        merged.append(Segment(found[0].high, found[-1].low, choice))
    if len(merged) == 1 and len(family) > 1 and (named := WHOLE_FAMILY.fullmatch(family[0].family)):
        return [Segment(f"any {named[1]}", f"any {named[1]}", merged[0].choice)]
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
