"""The pay tables nearest to a target: an added cost of the wager or a joint edge of the stake.

A law says how often every line is paid, so the figure is linear in the pays while the law stays the same. If
the best strategy depends on a pay, the law is proved again, and the figures shown are the proved ones.

The search goes over whole (or half) pays, line by line from the bottom of the table up, with a budget of
change. A branch ends where the remaining lines cannot reach the target with the remaining budget; the budget
grows until enough tables are found. Tables keep their order: a line that paid more than the line below it, or
as much while being rarer, never comes to pay less.

If the strategy depends on some pays, the other pays are searched first, because the law stays the same. Then
the present strategy is assumed, the tables found are proved, and the next search assumes the strategy of the
closest table. If nothing comes near, each line is tried alone.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from math import ceil, floor

from feltlab.analysis.design.aim import AIM_TITLES, Aim, aim_at
from feltlab.analysis.design.break_even import Slot, law_depends_on, slots
from feltlab.analysis.design.pays import Design, find_bet
from feltlab.core.amounts import MAX_PAY_TO_ONE
from feltlab.core.game import Game
from feltlab.core.layout import Spot
from feltlab.core.stake import Stake
from feltlab.core.tally import Tally
from feltlab.errors import Refused
from feltlab.parallel.progress import Progress, nobody_listens
from feltlab.proving.proof import Proof, cache_key, prove
from feltlab.text import short_percent

TOLERANCE = Fraction(1, 400)  # a quarter of a percentage point
MIN_TARGET = Fraction(-1)  # edge; below it, the house would pay out twice what it takes in
MAX_PASSES = 4  # each with the law of the closest table so far
MAX_PROOFS = 4  # of each pass; a proof takes seconds
MAX_NODES = 200_000  # visited; they take about a second
MAX_EXTRA_STEPS = 60  # of change beyond the least that could reach the target


def nearest_tables(
    game: Game,
    stake: Stake,
    bet: str,
    target: Fraction,
    step: Fraction = Fraction(1),
    count: int = 10,
    progress: Progress = nobody_listens,
    aim: str = "added",
) -> list[Design]:
    """Tables within a quarter of a percentage point of a target, the smallest change first.

    If there is none, the closest tables. A changed pay is a multiple of the step.
    """
    spot, present = find_bet(game, bet), prove(game, stake, progress=progress)
    aimed = aim_at(aim, game, stake, spot, progress)
    _check_target(present, spot, aimed, target, step)
    hunt = DesignHunt(Design(spot, aimed, present, present), target, step, count, progress)
    hunt.search(present, [not law_depends_on(present, slot) for slot in slots(game, present, spot)])
    for _ in range(MAX_PASSES):
        if not hunt.search(hunt.closest().after):
            break
    if abs(hunt.closest().cost - target) > TOLERANCE:
        hunt.try_each_line()
    return _rank_designs(hunt.designs(), target)[:count]


class DesignHunt:
    """The designs found so far for a target."""

    def __init__(
        self, unchanged: Design, target: Fraction, step: Fraction, count: int, progress: Progress
    ) -> None:
        self.unchanged, self.target, self.progress = unchanged, target, progress
        self.step, self.count = step, count
        self.present, self.bet, self.aim = unchanged.before, unchanged.bet, unchanged.aim
        self.found: dict[Game, Design | None] = {self.present.game: unchanged}

    def designs(self) -> list[Design]:
        return [made for made in self.found.values() if made]

    def closest(self) -> Design:
        return min(self.designs(), key=lambda made: abs(made.cost - self.target))

    def search(self, law: Proof, free: Sequence[bool] | None = None) -> int:
        """Add tables that are near the target under a law; returns how many of them were proved again."""
        game, lines = self.present.game, slots(self.present.game, law, self.bet)
        loss = -Tally(game, law.law.counts).total_expected(self.present.stake)
        need, tolerance = float(self.aim.missing_net(loss, self.target)), float(TOLERANCE * self.aim.scale)
        search = PaySearch(lines, self.step, need, free or [True] * len(lines))
        tables = search.tables(self.count, tolerance)
        return self._design([_apply(game, lines, pays) for pays in tables], law)

    def try_each_line(self) -> None:
        """Bring each line alone as near to the target as it gets under the present strategy."""
        lines = slots(self.present.game, self.present, self.bet)
        need = self.aim.missing_net(self.present.loss, self.target)
        tables = []
        for at, slot in enumerate(lines):
            pay = max(1, round((slot.pays + need / slot.gain) / self.step)) * self.step
            pays = tuple(pay if other is slot else other.pays for other in lines)
            off = abs(need - slot.gain * (pay - slot.pays))
            if (
                off < abs(need)
                and abs(pay - slot.pays) <= MAX_EXTRA_STEPS * self.step
                and _is_ordered(lines, pays)
            ):
                tables.append((off, at, pays))
        self._design([_apply(self.present.game, lines, pays) for _, _, pays in sorted(tables)], self.present)

    def _design(self, games: Iterable[Game], law: Proof) -> int:
        proved = 0
        for after in games:
            if after not in self.found and proved < MAX_PROOFS:
                proved += _key_or_nothing(after, law.stake) != _key_or_nothing(law.game, law.stake)
                self.found[after] = _try_design(self.unchanged, after, self.progress)
        return proved


def _key_or_nothing(game: Game, stake: Stake) -> str:
    """The key of a law; '' if such pays cannot be solved."""
    try:
        return repr(cache_key(game, stake))
    except Refused:
        return ""


def _try_design(unchanged: Design, after: Game, progress: Progress) -> Design | None:
    try:
        return replace(unchanged, after=prove(after, unchanged.before.stake, progress=progress))
    except Refused:
        return None


def _rank_designs(found: Iterable[Design], target: Fraction) -> list[Design]:
    """Designs within the tolerance, the least change first; or else the closest, up to the present table."""

    def off(made: Design) -> Fraction:
        return abs(made.cost - target)

    listed = list(found)
    within = [made for made in listed if off(made) <= TOLERANCE]
    if within:
        return sorted(within, key=lambda made: (made.change, off(made), len(made.changed)))
    closest = sorted(listed, key=lambda made: (off(made), made.change, len(made.changed)))
    now = next(at for at, made in enumerate(closest) if not made.changed)
    return closest[: max(now, 1)]


def _check_target(present: Proof, bet: Spot, aim: Aim, target: Fraction, step: Fraction) -> None:
    lines = slots(present.game, present, bet)
    taken = sum((slot.gain * (slot.pays - min(step, slot.pays)) for slot in lines), Fraction(0))
    highest = aim.cost(present.loss) + taken / aim.scale
    if target < MIN_TARGET:
        raise Refused(f"A target is at least {short_percent(MIN_TARGET)}, not {short_percent(target)}.")
    if target > highest + TOLERANCE:
        units = "whole" if step == 1 else "half"
        raise Refused(
            f"No table of {bet.title} that pays {units} units has the {AIM_TITLES[aim.name]} "
            f"{short_percent(target)}: under the present strategy, {short_percent(highest)} is the most."
        )


def _is_ordered(lines: Sequence[Slot], pays: "Pays") -> bool:
    beside = zip(lines[1:], pays, pays[1:], strict=False)
    return all(slot.order * (pay - below) >= 0 for slot, below, pay in beside)


def _apply(game: Game, lines: Sequence[Slot], pays: "Pays") -> Game:
    for slot, pay in zip(lines, pays, strict=True):
        if pay != slot.pays:
            game = game.with_pays(slot.spot.name, {slot.line.outcome: pay})
    return game


Pays = tuple[Fraction, ...]  # by slot


class PaySearch:
    """A search for tables that raise the expected net of a bet by what it needs; only free slots change."""

    def __init__(self, lines: Sequence[Slot], step: Fraction, need: float, free: Sequence[bool]) -> None:
        self.lines, self.step, self.need, self.free = lines, step, need, free
        self.now = [float(slot.pays) for slot in lines]
        self.gain = [float(slot.gain) for slot in lines]
        gains = [gain if free[at] else 0.0 for at, gain in enumerate(self.gain)]
        self.best = [max(gains[at:], default=0.0) for at in range(len(lines) + 1)]
        self.nodes = 0

    def tables(self, count: int, tolerance: float) -> list[Pays]:
        """Enough tables within the tolerance; if there is none, within twice the tolerance, and so on."""
        found: list[Pays] = []
        while any(self.free) and not found:
            found = sorted(self._growing(tolerance, count), key=self._rank)[:count]
            tolerance *= 2
        return found

    def _rank(self, pays: Pays) -> tuple[float, float, int]:
        """A sort key: by change, then distance from the target, then number of changed lines."""
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
        found: dict[Pays, None] = {}  # in order; a later pass finds them again
        self.nodes = 0
        for _ in range(MAX_EXTRA_STEPS):
            found |= dict.fromkeys(map(tuple, self._tables(0, allowed, self.need, tolerance, [])))
            if len(found) >= count or self.nodes > MAX_NODES:
                break
            allowed += step
        return list(found)

    def _tables(
        self, at: int, left: float, need: float, tolerance: float, chosen: list[Fraction]
    ) -> Iterator[list[Fraction]]:
        """Tables that begin with the chosen pays, with this much change left to spend."""
        self.nodes += 1
        if at == len(self.lines):
            yield chosen
            return
        for pay in self._values(at, left, need, tolerance, chosen[-1] if chosen else Fraction(0)):
            change = float(pay) - self.now[at]
            rest, missing = left - abs(change), need - self.gain[at] * change
            reached = abs(missing) <= max(0.0, rest) * self.best[at + 1] + tolerance
            if reached and rest > -EPSILON and self.nodes <= MAX_NODES:
                yield from self._tables(at + 1, rest, missing, tolerance, [*chosen, pay])

    def _values(
        self, at: int, left: float, need: float, tolerance: float, below: Fraction
    ) -> Iterator[Fraction]:
        """The present pay of a line, and the multiples of the step that leave the target in reach."""
        slot, now, gain = self.lines[at], self.now[at], self.gain[at]
        reach = left * self.best[at + 1] + tolerance
        low = max(now - left, now + (need - reach) / gain)
        high = min(now + left, now + (need + reach) / gain, float(MAX_PAY_TO_ONE))
        step = float(self.step)
        end = floor((high + EPSILON) / step) + 1 if self.free[at] else 0
        steps = range(max(1, ceil((low - EPSILON) / step)), end)
        for pay in dict.fromkeys((slot.pays, *(n * self.step for n in steps))):
            if slot.order * (pay - below) >= 0:
                yield pay


EPSILON = 1e-9
