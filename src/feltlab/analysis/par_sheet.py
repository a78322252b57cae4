"""PAR sheets: all that is proved of a game under one stake and one strategy, and what the house makes of it.

A sheet holds values: exact ones as Fractions, what rests on a session as floats. How it looks is the
business of `feltlab.report`.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from feltlab.analysis.audit import Finding, audit
from feltlab.analysis.session import (
    BANKROLL,
    SEATS,
    Month,
    RoundLaw,
    SessionPlan,
    foresee,
    moment,
    skewness,
    wagers,
)
from feltlab.core.game import Game
from feltlab.core.layout import Spot
from feltlab.core.paytable import Line
from feltlab.core.solver import StrategyCard
from feltlab.core.stake import Stake, check_stake, default_stake, has_choices
from feltlab.errors import Refused
from feltlab.games import solver_of
from feltlab.parallel.progress import Progress, nobody_listens
from feltlab.proving.exact_numbers import exact, exact_root, root
from feltlab.proving.proof import BetOutcome, Proof, cache_key, prove, strategy_card
from feltlab.proving.store import cached_json
from feltlab.simulation.comparison import Comparison
from feltlab.simulation.seat_covariance import seat_covariance

BET = 1000  # cents: a unit of the stake on the house's side, unless told otherwise
PACE = 60  # rounds an hour
SESSION_HOURS = 4
SPANS = {"an hour": 1, "a day of 16 hours": 16, "30 such days": 480}  # hours of one table
VOLATILITY = (Fraction(165, 100), Fraction(196, 100))  # deviations: about 90 % and 95 % of a normal law


@dataclass(frozen=True)
class Measures:
    """Of what a bet nets in a round, or the whole stake, in units."""

    nets: Mapping[Fraction, Fraction]  # with their probabilities
    average_wager: Fraction

    @cached_property
    def expected(self) -> Fraction:
        return moment(self.nets, Fraction(0), 1)

    @property
    def edge(self) -> Fraction:
        return -self.expected

    @property
    def element_of_risk(self) -> Fraction:
        return self.edge / self.average_wager

    @property
    def hit_frequency(self) -> Fraction:
        return self._chance(1)

    @property
    def push_frequency(self) -> Fraction:
        return self._chance(0)

    @property
    def loss_frequency(self) -> Fraction:
        return self._chance(-1)

    @cached_property
    def variance(self) -> Fraction:
        return moment(self.nets, self.expected, 2)

    @property
    def deviation(self) -> float:
        return root(self.variance)

    @property
    def skewness(self) -> float:
        return skewness(moment(self.nets, self.expected, 3), self.variance)

    def volatility(self, deviations: Fraction) -> float:
        return root(deviations**2 * self.variance)

    @property
    def largest(self) -> Fraction:
        """The most that the house can lose to it in a round."""
        return max(self.nets)

    def _chance(self, sign: int) -> Fraction:
        """That the net has this sign."""
        found = (chance for net, chance in self.nets.items() if (net > 0) - (net < 0) == sign)
        return sum(found, Fraction(0))

    def as_json(self) -> dict[str, Any]:
        shares = ("element_of_risk", "average_wager", "hit_frequency", "push_frequency", "loss_frequency")
        return {
            "expected": exact(self.expected),
            "house_edge": exact(self.edge),
            **{name: exact(getattr(self, name)) for name in shares},
            "variance": exact(self.variance),
            "std_dev": exact_root(self.variance),
            "skewness": self.skewness,
            "volatility_index": {str(float(z)): exact_root(z**2 * self.variance) for z in VOLATILITY},
            "largest_net": exact(self.largest),
        }


@dataclass(frozen=True)
class PayLine:
    """A line of a pay table, and what one unit more for each unit staked would do to the bet's edge."""

    spot: Spot
    line: Line
    count: int
    probability: Fraction

    @property
    def slope(self) -> Fraction:
        """The change of the edge for one more to one, every choice held as it is."""
        return -self.probability * self.line.staked * self.spot.size

    def as_json(self) -> dict[str, Any]:
        return {
            "spot": self.spot.name,
            "outcome": self.line.outcome,
            "pays": exact(self.line.pays),
            "staked": self.line.staked,
            "combinations": str(self.count),
            "probability": exact(self.probability),
            "edge_per_unit": exact(self.slope),
        }


@dataclass(frozen=True)
class BetSheet:
    """One bet: how it ends, what that comes to, and what its pay lines weigh."""

    bet: Spot
    units: Fraction  # of the stake
    outcomes: tuple[BetOutcome, ...]
    measures: Measures
    pay_lines: tuple[PayLine, ...]

    def as_json(self) -> dict[str, Any]:
        outcomes = [
            {
                "outcome": o.name,
                "net": exact(o.net),
                "combinations": str(o.count),
                "probability": exact(o.probability),
                "return": exact(o.returned),
            }
            for o in self.outcomes
        ]
        return {
            "title": self.bet.title,
            "stake": str(self.units),
            **self.measures.as_json(),
            "outcomes": outcomes,
            "pay_lines": [line.as_json() for line in self.pay_lines],
        }


@dataclass(frozen=True)
class Variant:
    """What the bets come to under another strategy or another value of an option."""

    name: str
    words: str
    edges: Mapping[str, Fraction]  # by bet; empty where the stake is not possible
    expected: Fraction  # of the whole stake, in units
    average_wager: Fraction
    stands: bool  # it is that of the sheet

    def as_json(self) -> dict[str, Any]:
        found = {"words": self.words, "of_the_sheet": self.stands}
        if not self.edges:
            return found
        return found | {
            "house_edges": {bet: exact(edge) for bet, edge in self.edges.items()},
            "expected": exact(self.expected),
            "average_wager": exact(self.average_wager),
        }


def _nets_key(law: RoundLaw) -> dict[str, str]:
    return {str(net): str(chance) for net, chance in law.nets.items()}


@dataclass(frozen=True)
class HouseSide:
    """A table with every seat taken by such players, and one of their sessions."""

    wagers: Mapping[str, int]  # of each seat, in cents
    bet: int  # cents a unit
    law: RoundLaw
    seats: int
    covariance: float  # of two seats, in cents squared
    session: Mapping[str, Any]  # as `Prospect.as_json` tells it

    @cached_property
    def spans(self) -> dict[str, Month]:
        return {name: self._month(hours * PACE) for name, hours in SPANS.items()}

    def _month(self, rounds: int) -> Month:
        played = self.session["average"]["rounds"]["value"]
        bankroll = self.session["bankroll"]
        return Month(self.law, 1, self.seats, rounds, bankroll, played, self.covariance)

    @property
    def correlation(self) -> float:
        """Of the nets of two seats in a round."""
        return self.covariance / float(self.law.variance)

    @property
    def exposure(self) -> int:
        """More than this a round cannot cost the house, in cents: as if all seats won their most at once."""
        return self.seats * max(self.law.nets)

    def as_json(self) -> dict[str, Any]:
        return {
            "unit": "cents",
            "bet": self.bet,
            "wagers": dict(self.wagers),
            "seats": self.seats,
            "rounds_per_hour": PACE,
            "largest_exposure": self.exposure,
            "spans": {name: span.as_json() for name, span in self.spans.items()},
            "session": {"hours": SESSION_HOURS, **self.session},
        }


@dataclass(frozen=True)
class ParSheet:
    """The sheet. Equal proofs make equal sheets: no clock is read, and no seconds are told."""

    proof: Proof
    bets: tuple[BetSheet, ...]
    total: Measures  # of the stake
    strategies: tuple[Variant, ...]
    card: StrategyCard | None  # None where there is nothing to choose
    options: Mapping[str, tuple[Variant, ...]]
    house: HouseSide
    findings: tuple[Finding, ...]
    simulated: Comparison | None = None

    @property
    def game(self) -> Game:
        return self.proof.game

    @cached_property
    def _covariances(self) -> dict[frozenset[str], Fraction]:
        bets, of = self.game.wagers, self.proof.tally.covariance
        return {frozenset((a.name, b.name)): of(a, b) for n, a in enumerate(bets) for b in bets[n:]}

    def covariance(self, one: BetSheet, other: BetSheet) -> Fraction:
        return self._covariances[frozenset((one.bet.name, other.bet.name))]

    def correlation(self, one: BetSheet, other: BetSheet) -> float:
        variances = one.measures.variance * other.measures.variance
        covariance = self.covariance(one, other)
        sign = (covariance > 0) - (covariance < 0)
        return sign * root(covariance**2 / variances) if variances else 0.0

    @cached_property
    def best(self) -> Variant:
        return max(self.strategies, key=lambda variant: variant.expected)

    def cost(self, variant: Variant) -> Fraction:
        """What a strategy loses against the best one, in units a round."""
        return self.best.expected - variant.expected

    def as_json(self) -> dict[str, Any]:
        proof, card = self.proof, self.card
        return {
            "game": self.game.name,
            "title": self.game.title,
            "options": dict(self.game.options),
            "rules_digest": self.game.digest,
            "rules_date": self.game.date,
            "stake": {bet: str(units) for bet, units in proof.stake.items()},
            "strategy": proof.strategy,
            "method": proof.law.method,
            "combinations": str(proof.tally.deals),
            "definitions": DEFINITIONS,
            "bets": {sheet.bet.name: sheet.as_json() for sheet in self.bets},
            "total": self.total.as_json(),
            "covariance": self._matrix(lambda a, b: exact(self.covariance(a, b))),
            "correlation": self._matrix(self.correlation),
            "first_choices": {name: exact(share) for name, share in proof.first_choices.items()},
            "strategy_card": card and card.as_json() | {"cost": exact(card.cost)},
            "strategies": {v.name: v.as_json() | {"cost": exact(self.cost(v))} for v in self.strategies},
            "options_changed": {
                option: {variant.name: variant.as_json() for variant in variants}
                for option, variants in self.options.items()
            },
            "house": self.house.as_json(),
            "findings": [finding.as_json() for finding in self.findings],
            "simulated": self.simulated and self.simulated.as_json(),
        }

    def _matrix(self, entry: Any) -> dict[str, Any]:
        return {a.bet.name: {b.bet.name: entry(a, b) for b in self.bets} for a in self.bets}


DEFINITIONS = {
    "unit": "one first wager; everything that is not in dollars is in units of it",
    "combinations": "equally likely deals that end so, under the strategy of this sheet",
    "net": "what the outcome wins or loses, raises included",
    "return": "probability times net; the returns of a bet add up to its expected net",
    "house edge": "the expected loss for each unit of the first wager; negative, it is the player's",
    "element of risk": "the expected loss for each unit put down, raises included",
    "average wager": "the mean of what is put down in a round, raises included",
    "hit frequency": "the probability that the bet nets more than nothing",
    "push frequency": "the probability that the bet nets nothing",
    "loss frequency": "the probability that the bet nets less than nothing",
    "variance": "the mean squared distance of a round's net from its mean",
    "standard deviation": "the root of the variance",
    "skewness": "the third central moment over the third power of the standard deviation",
    "volatility index": "1.65 or 1.96 standard deviations of one round; over n rounds the mean net stays "
    "within the index over the root of n around its expectation, in about 90 % or 95 % of cases",
    "covariance": "of two bets, one unit each, on the same hand; the correlation is its share of the two "
    "standard deviations",
    "cost": "what a strategy loses against the best one, for the stake of this sheet",
    "sensitivity": "the change of the edge when a line pays one more to one, the strategy held; options are "
    "proved anew for each value, and who plays optimally plays best for it",
    "theoretical win": "the expected win of the house",
    "handle": "all that is put down, raises included",
    "drop": "the money that players buy in for",
    "hold": "the share of the drop that the house keeps; a player who plays on puts the same money down "
    "many times, so it is not the edge",
    "ruin": "a player has less left, before the last round, than a round can put down",
    "bands": "where the win lies with this probability, by the law of all rounds together, drawn out as far "
    "as seats that share a dealer win and lose together; that is simulated",
    "largest exposure": "the largest net of one seat times the seats: a bound, which one deck may not reach",
}


# -- Making one -------------------------------------------------------------------------------------


def par_sheet(
    game: Game,
    stake: Stake | None = None,
    strategy: str = "optimal",
    progress: Progress = nobody_listens,
    bet: int = BET,
    simulated: Comparison | None = None,
) -> ParSheet:
    """The sheet of a game; what was proved before is taken from the store."""
    stake = default_stake(game) if stake is None else check_stake(game, stake)
    put = wagers(game, stake, bet)
    proof = prove(game, stake, strategy, progress)
    law = RoundLaw.of(proof, put)
    return ParSheet(
        proof,
        tuple(_bet_sheet(proof, bet) for bet in game.wagers),
        _measures(law, proof, bet),
        tuple(_strategies(proof, progress)),
        strategy_card(game, stake) if has_choices(game, stake) else None,
        {o.name: tuple(_option(proof, o.name, o.values, progress)) for o in game.rules.OPTIONS},
        _house(proof, put, bet, law),
        tuple(_findings(game)),
        simulated,
    )


def _measures(law: RoundLaw, proof: Proof, bet: int) -> Measures:
    nets = {Fraction(net, bet): chance for net, chance in law.nets.items()}
    return Measures(nets, proof.average_wager)


def _bet_sheet(proof: Proof, bet: Spot) -> BetSheet:
    outcomes = tuple(proof.outcomes(bet))
    nets: dict[Fraction, Fraction] = defaultdict(Fraction)
    for outcome in outcomes:
        nets[outcome.net] += outcome.probability
    measures = Measures(nets, proof.tally.average_wager(bet))
    return BetSheet(bet, proof.stake[bet.name], outcomes, measures, tuple(_pay_lines(proof, bet)))


def _pay_lines(proof: Proof, bet: Spot) -> Iterator[PayLine]:
    """The lines that occur and do not lose, of the first wager and its raises."""
    deals = proof.tally.deals
    for spot in (spot for spot in proof.game.spots if bet.name in (spot.name, spot.raises)):
        for line, count in zip(
            proof.game.pay_table(spot).lines, proof.tally.outcomes(spot).values(), strict=True
        ):
            if count and line.pays >= 0 and not line.refund:
                yield PayLine(spot, line, count, Fraction(count, deals))


def _strategies(proof: Proof, progress: Progress) -> Iterator[Variant]:
    for name, words in solver_of(proof.game).strategies.items():
        yield _variant(proof, name, words, proof.game, name, progress)


def _option(proof: Proof, option: str, values: Sequence[str], progress: Progress) -> Iterator[Variant]:
    """The game proved anew for each value of an option."""
    for value in values:
        game = proof.game.with_options({option: value})
        try:
            yield _variant(proof, value, "", game, proof.strategy, progress)
        except Refused as refused:  # the stake is not possible there
            yield Variant(value, str(refused), {}, Fraction(0), Fraction(0), False)


def _variant(proof: Proof, name: str, words: str, game: Game, strategy: str, progress: Progress) -> Variant:
    """Another game or strategy for the stake of a proof; its sums are stored beside its law."""
    stake = check_stake(game, proof.stake)
    same = (game, strategy) == (proof.game, proof.strategy)

    def compute() -> dict[str, Any]:
        found = proof if same else prove(game, stake, strategy, progress)
        edges = {bet.name: str(-found.tally.expected(bet)) for bet in game.wagers}
        return {"edges": edges, "average": str(found.average_wager)}

    staked = {bet: str(units) for bet, units in stake.items()}
    data = cached_json([str(game), "edges", staked, strategy], compute)
    edges = {bet: Fraction(edge) for bet, edge in data["edges"].items()}
    expected = -sum((stake[bet] * edge for bet, edge in edges.items()), Fraction(0))
    return Variant(name, words, edges, expected, Fraction(data["average"]), same)


def _house(proof: Proof, put: Mapping[str, int], bet: int, law: RoundLaw) -> HouseSide:
    seats, session = min(SEATS, proof.game.seats), _session(law, sum(put.values()))
    key = ["seats", cache_key(proof.game, proof.stake, proof.strategy), _nets_key(law)]
    shared = cached_json(key, lambda: seat_covariance(proof, put).value) if seats > 1 else 0.0
    return HouseSide(put, bet, law, seats, shared, session)


def _session(law: RoundLaw, first_wagers: int) -> Mapping[str, Any]:
    """A session of a player who buys in for the usual bankroll; a walk is stored, as laws are."""
    plan = SessionPlan(law, SESSION_HOURS * PACE, max(law.need, BANKROLL * first_wagers))
    key = ["session", _nets_key(law), str(law.average), plan.rounds, plan.bankroll, law.need]
    found: Mapping[str, Any] = cached_json(key, lambda: foresee(plan).as_json())
    return found


def _findings(game: Game) -> Iterator[Finding]:
    """The audit's, on the figures that are published for the game under whatever options."""
    found = cached_json(
        [game.name, "findings"], lambda: [finding.as_json() for finding in audit([game.name])]
    )
    return (Finding(**finding) for finding in found)
