"""The pay at which a bet breaks even: for each line alone, and with the strategy solved again."""

from dataclasses import dataclass
from fractions import Fraction

from feltlab.analysis.design.aim import Aim
from feltlab.analysis.design.pays import Design, spots_of
from feltlab.core.amounts import MAX_PAY_TO_ONE, SMALLEST_PAY_FRACTION
from feltlab.core.game import Game
from feltlab.core.layout import Spot
from feltlab.core.paytable import Line
from feltlab.parallel.progress import Progress, nobody_listens
from feltlab.proving.proof import Proof, cache_key, prove

MAX_GUESSES = 5  # pays that are proved one after the other before the search halves an interval


@dataclass(frozen=True)
class Slot:
    """A line whose pay may be changed, and the worth of each unit of it."""

    spot: Spot
    line: Line
    gain: Fraction  # in expected net, for each unit more
    chance: Fraction  # that it decides the wager
    order: int = 0  # it pays no less (1) or no more (-1) than the slot below it, which comes before it

    @property
    def pays(self) -> Fraction:
        return self.line.pays


def slots(game: Game, law: Proof, bet: Spot) -> list[Slot]:
    """The winning lines of a bet that can occur under a law, each table from the bottom up."""
    found: list[Slot] = []
    for spot in spots_of(game, bet):
        tally, table = law.tally, game.pay_table(spot)
        units, counts = tally.units(spot), tally.outcomes(spot)
        below: Slot | None = None
        for line in reversed(table.lines):
            paid = [line, *table.followers(line)]
            gain = Fraction(sum(units[each.outcome] for each in paid), tally.deals)
            chance = Fraction(sum(counts[each.outcome] for each in paid), tally.deals)
            if line.result == "win" and line.listed and gain:
                below = Slot(spot, line, gain * spot.size, chance, _order_of(line, chance, below))
                found.append(below)
    return found


def _order_of(line: Line, chance: Fraction, below: Slot | None) -> int:
    if below is None:
        return 0
    if line.pays == below.pays:
        return int(chance <= below.chance)
    return 1 if line.pays > below.pays else -1


def break_evens(proof: Proof, bet: Spot, aim: Aim) -> dict[tuple[str, str], Fraction]:
    """By spot and outcome, the pay at which the figure that a design aims at is zero.

    Strategy and other pays stay the same.
    """
    missing = aim.missing_net(proof.loss, Fraction(0))
    found = {(s.spot.name, s.line.outcome): s.pays + missing / s.gain for s in slots(proof.game, proof, bet)}
    return {line: pay for line, pay in found.items() if pay > 0}


def solve_break_even(proof: Proof, bet: Spot, aim: Aim, progress: Progress = nobody_listens) -> Design | None:
    """The pay, to a hundredth, with the cost nearest to zero, for a bet whose one pay changes the strategy.

    None for other bets. The slope of the expected net is the line's frequency, so each law shows where to
    look next.
    """
    lines = slots(proof.game, proof, bet)
    if len(lines) != 1 or not law_depends_on(proof, lines[0]):
        return None
    tried: dict[Fraction, Design] = {}
    found = Design(bet, aim, proof, proof)
    for _ in range(MAX_GUESSES):
        (slot,) = slots(found.after.game, found.after, bet)
        missing = aim.missing_net(found.after.loss, Fraction(0))
        pay = round((slot.pays + missing / slot.gain) / SMALLEST_PAY_FRACTION) * SMALLEST_PAY_FRACTION
        if pay in tried or not 0 < pay <= MAX_PAY_TO_ONE:
            break
        after = proof.game.with_pays(slot.spot.name, {slot.line.outcome: pay})
        found = tried[pay] = Design(bet, aim, proof, prove(after, proof.stake, progress=progress))
    _halve_interval(tried, lines[0], progress)
    return min(tried.values(), key=lambda made: abs(made.cost), default=None)


def _halve_interval(tried: dict[Fraction, Design], slot: Slot, progress: Progress) -> None:
    """Halve the interval between a pay that is too low and one that is too high, down to a hundredth."""
    while True:
        low = max((pay for pay, made in tried.items() if made.cost > 0), default=None)
        high = min((pay for pay, made in tried.items() if made.cost <= 0), default=None)
        near = any(
            abs(made.cost) * made.aim.scale <= slot.gain * SMALLEST_PAY_FRACTION for made in tried.values()
        )
        if near or low is None or high is None or high - low <= SMALLEST_PAY_FRACTION:
            return
        pay = round((low + high) / 2 / SMALLEST_PAY_FRACTION) * SMALLEST_PAY_FRACTION
        known = next(iter(tried.values()))
        after = known.before.game.with_pays(slot.spot.name, {slot.line.outcome: pay})
        proof = prove(after, known.before.stake, progress=progress)
        tried[pay] = Design(known.bet, known.aim, known.before, proof)


def law_depends_on(proof: Proof, slot: Slot) -> bool:
    """Does the law depend on the pay of this line?"""
    pays = slot.pays + 1 if slot.pays < MAX_PAY_TO_ONE else slot.pays - 1
    other = proof.game.with_pays(slot.spot.name, {slot.line.outcome: pays})
    return cache_key(other, proof.stake) != cache_key(proof.game, proof.stake)
