"""Random histories of a meter: the law of its wins where shares, hidden money or a cap leave no closed form.

Only wins happen to a meter besides its steady rise, so a history jumps from win to win. Each chain begins at
the exact mean of the meter, from which the mean never moves: estimates have no bias of the beginning.
"""

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from feltlab.analysis.progressives.returns import ProgressiveReturns
from feltlab.errors import Refused
from feltlab.progressives.progressive import Meter, Progressive

CHAINS = 256
MAX_BETS = 10**12
MAX_STEPS = 5_000_000  # wins of one chain
WANTED_WINS = 100_000  # of the whole meter, for the law of its wins
MAX_HITS = 10_000_000  # of all its levels, for the same
CAP_SEED = 19  # the same rules have the same figures every time
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class MeterHistory:
    """What many random bets did to a meter; amounts in cents."""

    bets: int
    returned: float  # of each bet, by this meter alone
    error: float  # the standard error of it
    wins: Floats  # the amounts of wins of the whole meter, in order
    put_in: float  # by bets and seeds
    paid: float
    left: float  # on the display and in hidden money, more than at the beginning
    overflow_share: float = 0.0  # of the contributions, above the cap
    taken: float = 0.0  # above the cap, by the reserve or the house

    @property
    def residue(self) -> float:
        """The share of the money that is neither paid nor left nor taken: 0 but for rounding."""
        return (self.put_in - self.paid - self.left - self.taken) / max(self.put_in, 1.0)

    def percentile(self, percent: float) -> float:
        """The amount that a win does not exceed in this percentage of wins."""
        if not len(self.wins):
            raise Refused("No win was simulated; simulate more bets.")
        return float(np.quantile(self.wins, percent / 100))


class Takers(NamedTuple):
    """The levels that take from a meter: chances within a hit, shares and fixed amounts."""

    any_chance: float
    bounds: Floats  # cumulative chances of the levels
    share: Floats
    fixed: Floats
    is_top: NDArray[np.bool_]


@dataclass
class _Chains:
    """The state of all chains while they run."""

    meter: Floats
    hidden: Floats
    bets_left: Floats
    paid: Floats
    seeds: Floats
    above: Floats  # the cap, since the beginning


def simulate_meter(
    returns: ProgressiveReturns,
    meter: Meter,
    bets: int,
    random: np.random.Generator,
    start: float | None = None,
) -> MeterHistory:
    """Random histories of a meter over some bets in all, from its mean or from `start` cents."""
    if not 1 <= bets <= MAX_BETS:
        raise Refused(f"A simulation of a meter takes 1 to {MAX_BETS:,} bets, not {bets:,}.")
    if meter.must_hit:
        raise Refused(f"Meter {meter.name!r} is won at a secret amount; its law is exact.")
    takers, each = _takers(returns, meter), max(bets // CHAINS, 1)
    if each * takers.any_chance > MAX_STEPS:
        raise Refused(f"{bets:,} bets would hit meter {meter.name!r} too often to be simulated.")
    start = float(returns.mean_seen(meter)) if start is None else start
    first = min(start, meter.cap_cents) if meter.cap_cents is not None else start
    hidden = float(meter.hidden_rate * returns.bet / returns.top_chance(meter))  # its mean
    chains = _Chains(
        np.full(CHAINS, float(first)),
        np.full(CHAINS, hidden),
        np.full(CHAINS, float(each)),
        *np.zeros((3, CHAINS)),
    )
    wins = [won for won in _run(returns, meter, takers, chains, random) if len(won)]
    fed = each * CHAINS * float(returns.bet)
    put_in = fed * float(meter.rate + meter.hidden_rate) + chains.seeds.sum()
    shares = chains.paid / (each * float(returns.bet))
    left = float((chains.meter + chains.hidden).sum() - (first + hidden) * CHAINS)
    error = float(shares.std(ddof=1) / np.sqrt(CHAINS))
    amounts = np.concatenate(wins) if wins else np.zeros(0)
    above = float(chains.above.sum())
    overflow = above / (fed * float(meter.rate)) if meter.rate else 0.0
    taken = above if meter.overflow != "next" else 0.0
    paid = float(chains.paid.sum())
    return MeterHistory(
        each * CHAINS, float(shares.mean()), error, amounts, put_in, paid, left, overflow, taken
    )


def bets_to_simulate(returns: ProgressiveReturns, meter: Meter) -> int:
    """The bets after which the law of a meter's wins is known well, within a few seconds of work."""
    wanted = WANTED_WINS / float(returns.top_chance(meter) or 1)
    return max(int(min(wanted, MAX_HITS / _takers(returns, meter).any_chance, MAX_BETS)), 1)


def measure_returns(progressive: Progressive, chances: tuple[Fraction, ...]) -> ProgressiveReturns:
    """The returns of a progressive; the overflow of a cap is simulated where it has no closed form."""
    returns = ProgressiveReturns(progressive, chances)
    without_caps = replace(progressive, meters=tuple(replace(m, cap_cents=None) for m in progressive.meters))
    free, random = ProgressiveReturns(without_caps, chances), np.random.default_rng(CAP_SEED)
    above = {
        meter.name: simulate_meter(
            returns, meter, bets_to_simulate(returns, meter), random, float(free.mean_seen(uncapped))
        ).overflow_share
        for meter, uncapped in zip(progressive.meters, without_caps.meters, strict=True)
        if meter.cap_cents is not None and not meter.must_hit and not returns.is_closed(meter)
    }
    return replace(returns, simulated_overflow=above)


def _takers(returns: ProgressiveReturns, meter: Meter) -> Takers:
    on = [*returns.progressive.levels_on(meter)]
    pairs = [(level, float(p)) for level, p in returns.pairs if level in on and p]
    chances = np.array([p for _, p in pairs])
    if not len(chances) or not any(level.is_top for level, _ in pairs):
        raise Refused(f"Nobody can win meter {meter.name!r}.")
    return Takers(
        float(chances.sum()),
        np.cumsum(chances) / chances.sum(),
        np.array([float(level.share) for level, _ in pairs]),
        np.array([float(level.fixed_cents) for level, _ in pairs]),
        np.array([level.is_top for level, _ in pairs]),
    )


def _run(
    returns: ProgressiveReturns, meter: Meter, takers: Takers, chains: _Chains, random: np.random.Generator
) -> list[Floats]:
    """Let all chains jump from hit to hit until their bets are made; returns the wins of the whole meter."""
    bet, wins = float(returns.bet), []
    while (chains.bets_left > 0).any():
        gap = random.geometric(takers.any_chance, CHAINS).astype(np.float64)
        hit = gap <= chains.bets_left
        _feed(meter, chains, np.minimum(gap, chains.bets_left) * bet)
        chains.bets_left -= np.minimum(gap, chains.bets_left)
        level = np.searchsorted(takers.bounds, random.random(CHAINS), side="right").clip(
            max=len(takers.share) - 1
        )
        taken = np.minimum(takers.share[level] * chains.meter + takers.fixed[level], chains.meter) * hit
        top = hit & takers.is_top[level]
        chains.meter -= taken
        chains.paid += taken
        wins.append(taken[top])
        begun = chains.hidden * top
        if meter.cap_cents is not None:  # what does not fit stays hidden
            begun = np.minimum(begun, np.maximum(meter.cap_cents - chains.meter - meter.seed_cents, 0))
        chains.meter += top * meter.seed_cents + begun
        chains.seeds += top * meter.seed_cents
        chains.hidden -= begun
    return wins


def _feed(meter: Meter, chains: _Chains, staked: Floats) -> None:
    """Add contributions; what is above a cap joins the next jackpot, the reserve or the house."""
    chains.hidden += staked * float(meter.hidden_rate)
    chains.meter += staked * float(meter.rate)
    if meter.cap_cents is not None:
        above = np.maximum(chains.meter - meter.cap_cents, 0)
        chains.meter -= above
        chains.above += above
        if meter.overflow == "next":
            chains.hidden += above
