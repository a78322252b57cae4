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

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil, floor
from typing import Any

from feltlab.core.game import FINEST, MOST_PAYS, Game
from feltlab.core.layout import Spot
from feltlab.core.paytable import Line
from feltlab.core.stake import Stake, default_stake, read_stake
from feltlab.core.tally import Tally
from feltlab.errors import Refused, Unknown
from feltlab.parallel.progress import Progress, nobody_listens
from feltlab.proving.exact_numbers import exact, exact_root
from feltlab.proving.proof import Proof, cache_key, prove
from feltlab.text import listing

TOLERANCE = Fraction(1, 400)  # a quarter of a percentage point
LOWEST = Fraction(-1)  # no table is sought that gives more than it takes in
PASSES = 4  # of the search, each with the law of the closest table so far
MOST_PROVED = 4  # games that each pass proves again; a proof takes seconds
MOST_NODES = 200_000  # of the search; they take about a second
MORE_STEPS = 60  # of change beyond the least with which the target could be reached


# -- A bet and its lines ----------------------------------------------------------------------------


@dataclass(frozen=True)
class BetLine:
    """A line of a bet's pay tables: how often it is paid, and what it adds to the mean."""

    spot: Spot
    line: Line
    present: Fraction  # what it paid before
    probability: Fraction

    @property
    def returned(self) -> Fraction:
        """Its share of the mean net, in units of the first wager."""
        return self.probability * self.line.net * self.spot.size


@dataclass(frozen=True)
class Design:
    """A bet before and after a change of its pays."""

    bet: Spot
    before: Proof
    after: Proof

    @property
    def edge_before(self) -> Fraction:
        return -self.before.tally.expected(self.bet)

    @cached_property
    def edge(self) -> Fraction:
        return -self.after.tally.expected(self.bet)

    @property
    def resolved(self) -> bool:
        """Does the best play depend on what was changed, so that it was solved anew?"""
        keys = (cache_key(proof.game, proof.stake, proof.strategy) for proof in (self.before, self.after))
        return next(keys) != next(keys)

    @property
    def replayed(self) -> bool:
        """Did the best play become another?"""
        return self.before.law.counts != self.after.law.counts

    @cached_property
    def lines(self) -> list[BetLine]:
        """In the order of the tables, those of the first wager before those of its raises."""
        return [line for spot in spots_of(self.after.game, self.bet) for line in self._lines_on(spot)]

    def _lines_on(self, spot: Spot) -> Iterator[BetLine]:
        tables = (proof.game.pay_table(spot).lines for proof in (self.before, self.after))
        counts, deals = self.after.tally.outcomes(spot), self.after.tally.deals
        for present, line in zip(*tables, strict=True):
            yield BetLine(spot, line, present.pays, Fraction(counts[line.outcome], deals))

    @cached_property
    def changed(self) -> list[BetLine]:
        """Lines that pay other than before, without those that only follow the line below them."""
        return [line for line in self.lines if line.line.pays != line.present and line.line.listed]

    @property
    def change(self) -> Fraction:
        """By how many units all lines together."""
        return sum((abs(line.line.pays - line.present) for line in self.changed), Fraction(0))

    def as_json(self) -> dict[str, Any]:
        return {
            "pays": {called(self.bet, line): str(line.line.pays) for line in self.changed},
            "change": str(self.change),
            "re-solved": self.resolved,
            "other_play": self.replayed,
            "before": _measures(self.before, self.bet),
            "after": _measures(self.after, self.bet),
            "lines": [self._line_json(line) for line in self.lines],
        }

    def _line_json(self, line: BetLine) -> dict[str, Any]:
        return {
            "outcome": called(self.bet, line),
            "present": str(line.present),
            "pays": str(line.line.pays),
            "probability": exact(line.probability),
            "return": exact(line.returned),
        }


def _measures(proof: Proof, bet: Spot) -> dict[str, Any]:
    tally = proof.tally
    return {
        "house_edge": exact(-tally.expected(bet)),
        "hit_frequency": exact(tally.hit_frequency(bet)),
        "std_dev": exact_root(tally.variance(bet)),
        "stake_expected": exact(tally.total_expected(proof.stake)),
    }


def called(bet: Spot, line: BetLine) -> str:
    """How a line is called on the command line: 'Flush', 'play: better hand'."""
    return line.line.outcome if line.spot == bet else f"{line.spot.name}: {line.line.outcome}"


def spots_of(game: Game, bet: Spot) -> list[Spot]:
    """A first wager's spot, then those of its raises."""
    return [bet, *(spot for spot in game.spots if spot.raises == bet.name)]


def bet_of(game: Game, name: str) -> Spot:
    """A bet by the name of its first wager."""
    bets = [spot.name for spot in game.wagers]
    spot = next((spot for spot in game.spots if spot.name == name), None)
    if spot is None:
        raise Unknown(f"{name!r} is not a bet of {game.title}; its bets are {listing(bets)}.")
    if spot.raises:
        raise Refused(f"{name!r} is a raise; design {spot.raises}, and call its lines '{name}: OUTCOME'.")
    return spot


def stake_for(game: Game, bet: Spot, given: Mapping[str, str]) -> dict[str, Fraction]:
    """The default stake with a unit on the bet, so that it is played for, and some wagers set."""
    units = {bet.name: "1"} if not default_stake(game)[bet.name] else {}
    return read_stake(game, units | dict(given))


# -- Pays -------------------------------------------------------------------------------------------

PAY = re.compile(r"\s*([^=]*?)\s*=\s*([^=,]*?)\s*(?:,|$)")
# '5', '2.5', '3/2', '3:2', '3 to 2'.
NUMBER = re.compile(r"(-?\d{1,12}(?:\.\d{1,12})?)(?:(?:/|:| to )(\d{1,12}))?", re.ASCII)


def read_pays(text: str) -> dict[str, Fraction]:
    """'flush=5, straight=3/2' as pays by name; names may contain commas."""
    pays: dict[str, Fraction] = {}
    at = 0
    while at < len(text):
        found = PAY.match(text, at)
        if not found or not found[1]:
            raise Refused(f"Pays are given as OUTCOME=PAY, such as flush=5, not {text[at:].strip()!r}.")
        if found[1] in pays:
            raise Refused(f"The pay of {found[1]!r} is given twice.")
        pays[found[1]] = _number(found[1], found[2])
        at = found.end()
    return pays


def _number(name: str, text: str) -> Fraction:
    found = NUMBER.fullmatch(text)
    if not found or (found[2] and not int(found[2])):
        raise Refused(f"{name}={text} is not a pay, such as 5, 3/2 or 2.5.")
    return Fraction(found[1]) / int(found[2] or 1)


def with_pays(game: Game, bet: Spot, pays: Mapping[str, Fraction]) -> Game:
    """The game with other pays on lines of a bet; those of its raises are called 'play: better hand'."""
    raises = {spot.name for spot in spots_of(game, bet)}
    given: set[tuple[str, ...]] = set()
    for name, pay in pays.items():
        spot, colon, outcome = (part.strip() for part in name.partition(":"))
        if colon and spot not in raises:
            raise Unknown(f"{spot!r} is no spot of this bet; its spots are {listing(sorted(raises))}.")
        at, outcome = (spot, outcome) if colon else (bet.name, name)
        line = (at, *(found.outcome for found in game.pay_table(game.spot(at)).called(outcome)))
        if line in given:
            raise Refused(f"The pay of {line[-1]!r} is given twice.")
        given.add(line)
        game = game.with_pays(at, {outcome: pay})
    return game


def design(
    game: Game, stake: Stake, bet: str, pays: Mapping[str, Fraction], progress: Progress = nobody_listens
) -> Design:
    """What other pays make of a bet, under the best play for the stake."""
    spot = bet_of(game, bet)
    after = with_pays(game, spot, pays)
    return Design(spot, prove(game, stake, progress=progress), prove(after, stake, progress=progress))


# -- Breaking even ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Slot:
    """A line whose pay may be changed, and what each unit of it is worth."""

    spot: Spot
    line: Line
    gain: Fraction  # of the mean net, for each unit more
    order: int = 0  # to pay no less (1) or no more (-1) than the slot before it, which stands below it

    @property
    def pays(self) -> Fraction:
        return self.line.pays


def slots(game: Game, law: Proof, bet: Spot) -> list[Slot]:
    """The wins of a bet that occur under a law, each table from the bottom up."""
    found: list[Slot] = []
    for spot in spots_of(game, bet):
        counts, table = law.tally.outcomes(spot), game.pay_table(spot)
        below: Slot | None = None
        for line in reversed(table.lines):
            paid = [line, *table.followers(line)]
            gain = Fraction(sum(counts[each.outcome] * each.staked for each in paid), law.tally.deals)
            if line.result == "win" and line.listed and gain:
                below = Slot(spot, line, gain * spot.size, _order(line, gain, below))
                found.append(below)
    return found


def _order(line: Line, gain: Fraction, below: Slot | None) -> int:
    if below is None:
        return 0
    if line.pays == below.pays:
        return int(gain / line.staked <= below.gain / (below.spot.size * below.line.staked))
    return 1 if line.pays > below.pays else -1


def break_evens(proof: Proof, bet: Spot) -> dict[tuple[str, str], Fraction]:
    """By spot and outcome: the pay at which the edge is nothing, if play and other pays stay as they are."""
    expected = proof.tally.expected(bet)
    found = {(s.spot.name, s.line.outcome): s.pays - expected / s.gain for s in slots(proof.game, proof, bet)}
    return {line: pay for line, pay in found.items() if pay > 0}


def solved_break_even(proof: Proof, bet: Spot, progress: Progress = nobody_listens) -> Design | None:
    """Of a bet with one pay that the play depends on: the pay, to a hundredth, nearest to no edge.

    The slope of the mean is the line's frequency, so each law tells where to look next.
    """
    lines = slots(proof.game, proof, bet)
    if len(lines) != 1 or not _decides(proof, lines[0]):
        return None
    tried: dict[Fraction, Design] = {}
    found = Design(bet, proof, proof)
    for _ in range(PASSES + 1):
        (slot,) = slots(found.after.game, found.after, bet)
        pay = Fraction(round((slot.pays + found.edge / slot.gain) * FINEST), FINEST)
        if pay in tried or not 0 < pay <= MOST_PAYS:
            break
        after = proof.game.with_pays(slot.spot.name, {slot.line.outcome: pay})
        found = tried[pay] = Design(bet, proof, prove(after, proof.stake, progress=progress))
    _halve(tried, lines[0], progress)
    return min(tried.values(), key=lambda made: abs(made.edge), default=None)


def _halve(tried: dict[Fraction, Design], slot: Slot, progress: Progress) -> None:
    """Look between a pay that is too low and one that is too high, until they are a hundredth apart."""
    while True:
        low = max((pay for pay, made in tried.items() if made.edge > 0), default=None)
        high = min((pay for pay, made in tried.items() if made.edge <= 0), default=None)
        near = any(abs(made.edge) <= slot.gain / FINEST for made in tried.values())
        if near or low is None or high is None or high - low <= Fraction(1, FINEST):
            return
        pay = Fraction(round((low + high) / 2 * FINEST), FINEST)
        known = next(iter(tried.values()))
        after = known.before.game.with_pays(slot.spot.name, {slot.line.outcome: pay})
        proof = prove(after, known.before.stake, progress=progress)
        tried[pay] = Design(known.bet, known.before, proof)


def _decides(proof: Proof, slot: Slot) -> bool:
    """Does the law depend on what this line pays?"""
    pays = slot.pays + 1 if slot.pays < MOST_PAYS else slot.pays - 1
    other = proof.game.with_pays(slot.spot.name, {slot.line.outcome: pays})
    return cache_key(other, proof.stake) != cache_key(proof.game, proof.stake)


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
    hunt.search(present, [not _decides(present, slot) for slot in slots(game, present, spot)])
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
        raise Refused(f"A target is at least {percent(LOWEST)}, not {percent(target)}.")
    if target > highest + TOLERANCE:
        units = "whole" if step == 1 else "half"
        raise Refused(
            f"No table of {bet.title} that pays {units} units has an edge of {percent(target)}: "
            f"as it is played now, {percent(highest)} is the most."
        )


def percent(share: Fraction) -> str:
    return f"{float(100 * share):.4f}".rstrip("0").rstrip(".") + " %"


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
