"""The pay-table designer: what other pays make of a bet, and the tables nearest to an edge.

A law says how often every line is paid, so an edge is linear in the pays as long as the law stays the
same. Where the best play depends on a pay, the law is proved again, and the true figures are told.

The nearest tables are found by a search over whole (or half) pays: line by line, from the bottom of the
table up, with so many units of change to spend. A branch ends where the lines that are left cannot reach the
target with what is left to spend; the allowance grows until enough tables are found. Tables keep their
order: a line that paid more than the one below it, or as much and is rarer, never comes to pay less.

Where the play depends on some pays, the others are searched first, since the law stays the same. Then the
present play is taken for granted, what is found is proved, and the next search takes the play of the table
that came closest. If none of this comes near, each line alone is tried.
"""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from math import ceil, floor

from feltlab.analysis.design.break_even import Slot, law_depends_on, slots
from feltlab.analysis.design.pays import Design, bet_of
from feltlab.core.game import MOST_PAYS, Game
from feltlab.core.layout import Spot
from feltlab.core.stake import Stake
from feltlab.core.tally import Tally
from feltlab.errors import Refused
from feltlab.parallel.progress import Progress, nobody_listens
from feltlab.proving.proof import Proof, cache_key, prove
from feltlab.text import short_percent

TOLERANCE = Fraction(1, 400)  # a quarter of a percentage point
LOWEST = Fraction(-1)  # no table is sought that gives more than it takes in
PASSES = 4  # of the search, each with the law of the closest table so far
MOST_PROVED = 4  # games that each pass proves again; a proof takes seconds
MOST_NODES = 200_000  # of the search; they take about a second
MORE_STEPS = 60  # of change beyond the least with which the target could be reached


# -- A bet and its lines ----------------------------------------------------------------------------


# -- Pays -------------------------------------------------------------------------------------------


# -- Breaking even ----------------------------------------------------------------------------------


# -- The nearest tables -----------------------------------------------------------------------------


def nearest(
    game: Game,
    stake: Stake,
    bet: str,
    target: Fraction,
    step: Fraction = Fraction(1),
    count: int = 10,
    progress: Progress = nobody_listens,
) -> list[Design]:
    """Tables within a quarter of a percentage point of a target edge, the smallest change first.

    Where there is none, the closest ones. A changed pay is a multiple of the step.
    """
    spot, present = bet_of(game, bet), prove(game, stake, progress=progress)
    _check_target(present, spot, target, step)
    hunt = Hunt(present, spot, target, step, count, progress)
    hunt.search(present, [not law_depends_on(present, slot) for slot in slots(game, present, spot)])
    for _ in range(PASSES):
        if not hunt.search(hunt.closest().after):
            break
    if abs(hunt.closest().edge - target) > TOLERANCE:
        hunt.try_each_line()
    return _ranked(hunt.designs(), target)[:count]


class Hunt:
    """What was found so far for a target."""

    def __init__(
        self, present: Proof, bet: Spot, target: Fraction, step: Fraction, count: int, progress: Progress
    ) -> None:
        self.present, self.bet, self.target = present, bet, target
        self.step, self.count, self.progress = step, count, progress
        self.found: dict[Game, Design | None] = {present.game: Design(bet, present, present)}

    def designs(self) -> list[Design]:
        return [made for made in self.found.values() if made]

    def closest(self) -> Design:
        return min(self.designs(), key=lambda made: abs(made.edge - self.target))

    def search(self, law: Proof, free: Sequence[bool] | None = None) -> int:
        """Design what would be near the target under a law; answers how many games had to be proved again."""
        game, lines = self.present.game, slots(self.present.game, law, self.bet)
        need = float(-self.target - Tally(game, law.law.counts).expected(self.bet))
        tables = Search(lines, self.step, need, free or [True] * len(lines)).nearest(self.count)
        return self._design([_paying(game, lines, pays) for pays in tables], law)

    def try_each_line(self) -> None:
        """Bring each line alone as near to the target as it can, if the play stayed."""
        lines = slots(self.present.game, self.present, self.bet)
        need = -self.target - self.present.tally.expected(self.bet)
        tables = []
        for at, slot in enumerate(lines):
            pay = max(1, round((slot.pays + need / slot.gain) / self.step)) * self.step
            pays = tuple(pay if other is slot else other.pays for other in lines)
            off = abs(need - slot.gain * (pay - slot.pays))
            if off < abs(need) and abs(pay - slot.pays) <= MORE_STEPS * self.step and _ordered(lines, pays):
                tables.append((off, at, pays))
        self._design([_paying(self.present.game, lines, pays) for _, _, pays in sorted(tables)], self.present)

    def _design(self, games: Iterable[Game], law: Proof) -> int:
        proved = 0
        for after in games:
            if after not in self.found and proved < MOST_PROVED:
                proved += _key(after, law.stake) != _key(law.game, law.stake)
                self.found[after] = _designed(self.bet, self.present, after, self.progress)
        return proved


def _key(game: Game, stake: Stake) -> str:
    """What the law depends on; nothing where such pays cannot be solved."""
    try:
        return repr(cache_key(game, stake))
    except Refused:
        return ""


def _designed(bet: Spot, present: Proof, after: Game, progress: Progress) -> Design | None:
    try:
        return Design(bet, present, prove(after, present.stake, progress=progress))
    except Refused:
        return None


def _ranked(found: Iterable[Design], target: Fraction) -> list[Design]:
    """Those within the tolerance by their change, or else the closest, none farther than what is paid now."""

    def off(made: Design) -> Fraction:
        return abs(made.edge - target)

    listed = list(found)
    within = [made for made in listed if off(made) <= TOLERANCE]
    if within:
        return sorted(within, key=lambda made: (made.change, off(made), len(made.changed)))
    closest = sorted(listed, key=lambda made: (off(made), made.change, len(made.changed)))
    now = next(at for at, made in enumerate(closest) if not made.changed)
    return closest[: max(now, 1)]


def _check_target(present: Proof, bet: Spot, target: Fraction, step: Fraction) -> None:
    lines = slots(present.game, present, bet)
    taken = sum((slot.gain * (slot.pays - min(step, slot.pays)) for slot in lines), Fraction(0))
    highest = taken - present.tally.expected(bet)
    if target < LOWEST:
        raise Refused(f"A target is at least {short_percent(LOWEST)}, not {short_percent(target)}.")
    if target > highest + TOLERANCE:
        units = "whole" if step == 1 else "half"
        raise Refused(
            f"No table of {bet.title} that pays {units} units has an edge of {short_percent(target)}: "
            f"as it is played now, {short_percent(highest)} is the most."
        )


def _ordered(lines: Sequence[Slot], pays: "Pays") -> bool:
    beside = zip(lines[1:], pays, pays[1:], strict=False)
    return all(slot.order * (pay - below) >= 0 for slot, below, pay in beside)


def _paying(game: Game, lines: Sequence[Slot], pays: "Pays") -> Game:
    for slot, pay in zip(lines, pays, strict=True):
        if pay != slot.pays:
            game = game.with_pays(slot.spot.name, {slot.line.outcome: pay})
    return game


Pays = tuple[Fraction, ...]  # by slot


class Search:
    """Tables with which a bet gains as much as it needs, by change; only free slots change."""

    def __init__(self, lines: Sequence[Slot], step: Fraction, need: float, free: Sequence[bool]) -> None:
        self.lines, self.step, self.need, self.free = lines, step, need, free
        self.now = [float(slot.pays) for slot in lines]
        self.gain = [float(slot.gain) for slot in lines]
        gains = [gain if free[at] else 0.0 for at, gain in enumerate(self.gain)]
        self.best = [max(gains[at:], default=0.0) for at in range(len(lines) + 1)]
        self.nodes = 0

    def nearest(self, count: int) -> list[Pays]:
        """Enough tables within the tolerance; where there is none, within twice as much, and so on."""
        tolerance = float(TOLERANCE)
        found: list[Pays] = []
        while any(self.free) and not found:
            found = sorted(self._growing(tolerance, count), key=self._rank)[:count]
            tolerance *= 2
        return found

    def _rank(self, pays: Pays) -> tuple[float, float, int]:
        """By change, then distance from the target, then lines changed."""
        changes = [float(pay) - now for pay, now in zip(pays, self.now, strict=True)]
        gained = sum(gain * change for gain, change in zip(self.gain, changes, strict=True))
        return (
            round(sum(map(abs, changes)), 6),
            abs(gained - self.need),
            sum(change != 0 for change in changes),
        )

    def _growing(self, tolerance: float, count: int) -> list[Pays]:
        step = float(self.step)
        least = max(0.0, abs(self.need) - tolerance) / self.best[0]
        allowed = step * floor(least / step)
        found: dict[Pays, None] = {}  # in order; what a pass finds, the next one finds again
        self.nodes = 0
        for _ in range(MORE_STEPS):
            found |= dict.fromkeys(map(tuple, self._tables(0, allowed, self.need, tolerance, [])))
            if len(found) >= count or self.nodes > MOST_NODES:
                break
            allowed += step
        return list(found)

    def _tables(
        self, at: int, left: float, need: float, tolerance: float, chosen: list[Fraction]
    ) -> Iterator[list[Fraction]]:
        """Tables that begin with the chosen pays, with so much change left to spend."""
        self.nodes += 1
        if at == len(self.lines):
            yield chosen
            return
        for pay in self._values(at, left, need, tolerance, chosen[-1] if chosen else Fraction(0)):
            change = float(pay) - self.now[at]
            rest, missing = left - abs(change), need - self.gain[at] * change
            reached = abs(missing) <= max(0.0, rest) * self.best[at + 1] + tolerance
            if reached and rest > -EPSILON and self.nodes <= MOST_NODES:
                yield from self._tables(at + 1, rest, missing, tolerance, [*chosen, pay])

    def _values(
        self, at: int, left: float, need: float, tolerance: float, below: Fraction
    ) -> Iterator[Fraction]:
        """What a line pays now, and the multiples of the step that leave the target in reach."""
        slot, now, gain = self.lines[at], self.now[at], self.gain[at]
        reach = left * self.best[at + 1] + tolerance
        low = max(now - left, now + (need - reach) / gain)
        high = min(now + left, now + (need + reach) / gain, float(MOST_PAYS))
        step = float(self.step)
        end = floor((high + EPSILON) / step) + 1 if self.free[at] else 0
        steps = range(max(1, ceil((low - EPSILON) / step)), end)
        for pay in dict.fromkeys((slot.pays, *(n * self.step for n in steps))):
            if slot.order * (pay - below) >= 0:
                yield pay


EPSILON = 1e-9
