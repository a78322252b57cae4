"""Progressives for the lab's pages: the proof, and what one amount on the meter makes of it."""

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any

from feltlab.analysis.progressives.progressive_proof import HitClock, ProgressiveProof, prove_progressive
from feltlab.core.game import Game
from feltlab.core.stake import read_stake
from feltlab.errors import Refused
from feltlab.progressives.catalogue import find_progressive
from feltlab.progressives.progressive import Meter
from feltlab.proving.exact_numbers import exact

Data = dict[str, Any]
LINE_POINTS = 24
BEYOND_EVEN = Fraction(5, 4)  # the end of the slider, as a multiple of the break-even meter


@lru_cache(maxsize=8)
def prove_once(
    name: str, game: Game, stake: tuple[tuple[str, str], ...], unit_cents: int
) -> ProgressiveProof:
    """The proof of a progressive at a game, kept while its meter is dragged."""
    found = find_progressive(name)
    return prove_progressive(found, game, HitClock(), read_stake(game, dict(stake)), unit_cents)


def prove_for_page(name: str, game: Game, stake: Mapping[str, str], unit_cents: int) -> ProgressiveProof:
    return prove_once(name, game, tuple(sorted(stake.items())), unit_cents)


def look_at_meter(proof: ProgressiveProof, cents: int | None) -> Data:
    """The line of the return, the law of the win, and one amount on the first meter."""
    meter = proof.progressive.meters[0]
    if meter.must_hit:
        raise Refused("A meter that is won at a secret amount has no line.")
    low, high = _range(proof, meter)
    seen = proof.seen_cents if cents is None else cents
    if not low <= seen <= high:
        raise Refused(f"The meter on this page is from {low} to {high} cents.")
    amounts = [low + (high - low) * n // LINE_POINTS for n in range(LINE_POINTS + 1)]
    even = proof.break_even_of(meter)
    return {
        "name": meter.name,
        "low": low,
        "high": high,
        "cents": seen,
        "break_even": None if even is None else float(even),
        "joint_even": _joint_even(proof),
        "line": [[amount, float(_return_at(proof, meter, Fraction(amount)))] for amount in amounts],
        "law": [[float(amount), n / 100] for n, amount in proof.win_law(meter)],
        "at": _at(proof, meter, seen),
    }


def _range(proof: ProgressiveProof, meter: Meter) -> tuple[int, int]:
    """The slider: from the seed to beyond the break-even and the mean, within the cap."""
    even = proof.break_even_of(meter) or Fraction(0)
    high = int(BEYOND_EVEN * max(even, Fraction(proof.seen_cents), Fraction(meter.seed_cents)))
    return meter.seed_cents, min(high, meter.cap_cents) if meter.cap_cents is not None else high


def _return_at(proof: ProgressiveProof, meter: Meter, cents: Fraction) -> Fraction:
    """The return of a bet at an amount, with the other meters at their means."""
    amounts = {m.name: proof.returns.mean_seen(m) for m in proof.progressive.meters} | {meter.name: cents}
    return proof.returns.return_at(amounts)


def _joint_even(proof: ProgressiveProof) -> float | None:
    joint = proof.joint
    return float(joint.break_even) if joint and joint.break_even is not None and joint.has_moves else None


def _at(proof: ProgressiveProof, meter: Meter, cents: int) -> Data:
    found: Data = {"returned": exact(_return_at(proof, meter, Fraction(cents)))}
    if proof.joint:
        found["joint"] = proof.joint.as_json(cents)
    return found
