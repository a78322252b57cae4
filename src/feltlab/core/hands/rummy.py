"""Rummy points of three cards: the fewer the better.

A pair, a triple and a run of two or three in one suit count nothing; the other cards count their points.
An ace counts one and is low in runs, tens and pictures count ten, the others their face.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from feltlab.core.cards import ACE, Cards, plural, rank_of
from feltlab.errors import Refused
from feltlab.kernel import lean


@lean
def pips(card: int) -> int:
    """The place of a card in a run, from 1 for an ace to 13 for a king."""
    return 1 if card >> 2 == ACE else (card >> 2) + 2


@lean
def value(card: int) -> int:
    """The points of a card that is in no meld."""
    return min(pips(card), 10)


@lean
def melds(a: int, b: int) -> bool:
    """Are these two a pair, or a run in one suit?"""
    return a >> 2 == b >> 2 or ((a & 3) == (b & 3) and abs(pips(a) - pips(b)) == 1)


@lean
def meld_of_three(a: int, b: int, c: int) -> bool:
    """Are these three a triple, or a run in one suit?"""
    if a >> 2 == b >> 2 or b >> 2 == c >> 2 or a >> 2 == c >> 2:
        return a >> 2 == b >> 2 and b >> 2 == c >> 2
    suited = (a & 3) == (b & 3) and (b & 3) == (c & 3)
    return suited and max(pips(a), pips(b), pips(c)) - min(pips(a), pips(b), pips(c)) == 2


@lean
def points(a: int, b: int, c: int) -> int:
    """The points of three cards, in the reading with the fewest."""
    if meld_of_three(a, b, c):
        return 0
    fewest = value(a) + value(b) + value(c)
    if melds(a, b):
        fewest = value(c)
    if melds(a, c):
        fewest = min(fewest, value(b))
    if melds(b, c):
        fewest = min(fewest, value(a))
    return fewest


@dataclass(frozen=True)
class RummyHand:
    """Three cards: those in the meld, those left over, and the points of those."""

    points: int
    meld: Cards
    left: Cards

    @property
    def name(self) -> str:
        """'pair of Kings, 4 points', 'no meld, 23 points'."""
        count = "1 point" if self.points == 1 else f"{self.points} points"
        return f"{self._meld_name}, {count}"

    @property
    def _meld_name(self) -> str:
        if not self.meld:
            return "no meld"
        rank = rank_of(self.meld[0])
        if rank == rank_of(self.meld[1]):
            return f"{'pair' if len(self.meld) == 2 else 'triple'} of {plural(rank)}"
        return f"run {self.meld}"


def read(hand: Iterable[int]) -> RummyHand:
    """Name the meld and count the points.

    >>> from feltlab import cards
    >>> read(cards("Ks Kd 4h")).name, read(cards("9s 8s 4h")).name
    ('pair of Kings, 4 points', 'run 8s 9s, 4 points')
    """
    held = Cards(sorted(hand, key=pips))
    if len(held) != 3:
        raise Refused(f"A rummy hand has three cards, not {len(held)}.")
    if meld_of_three(*held):
        return RummyHand(0, held, Cards())
    readings = [RummyHand(sum(map(value, held)), Cards(), held)]
    for left in held:
        meld = Cards(card for card in held if card != left)
        if melds(*meld):
            readings.append(RummyHand(value(left), meld, Cards((left,))))
    return min(readings, key=lambda reading: reading.points)
