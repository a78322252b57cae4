"""PAR sheets: everything proved of a game under one stake and one strategy, and the house's side of it.

A sheet holds values only: exact ones as Fractions, those of a session as floats. `feltlab.report` renders it.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from feltlab.analysis.audit import Finding, audit, count_verdicts
from feltlab.analysis.house_side import DAY_HOURS, ROUNDS_PER_HOUR, UNIT_CENTS, HouseSide, house_side
from feltlab.analysis.intervals import NORMAL_COVERAGE, ReturnInterval, index_coverage, return_intervals
from feltlab.analysis.measures import DEFINITIONS, Measures
from feltlab.analysis.payouts import PayLine, Payouts, largest_payouts, pay_lines
from feltlab.analysis.player_edges import PlayerEdge, player_edges
from feltlab.analysis.progressives.progressive_proof import HitClock, ProgressiveProof, prove_progressive
from feltlab.analysis.raises import Offer, Raise, measure_offers, measure_raises
from feltlab.analysis.readings import ProvedReading, prove_readings
from feltlab.analysis.seen_cards import SeenCards, seen_cards
from feltlab.analysis.session import RoundLaw, wagers_in_cents
from feltlab.analysis.shoe_average import ShoeAverage, average_shoe
from feltlab.analysis.simulation_check import SimulationCheck, check_by_simulation
from feltlab.analysis.wager_costs import WagerCost, wager_costs
from feltlab.core.game import Game
from feltlab.core.layout import Spot
from feltlab.core.payout_rules import HighestWager
from feltlab.core.solver import StrategyCard
from feltlab.core.stake import Stake, check_stake, default_stake, has_choices
from feltlab.errors import Refused
from feltlab.games import find_game, solver_of
from feltlab.parallel.progress import Progress, nobody_listens
from feltlab.progressives.progressive import Progressive
from feltlab.proving.exact_numbers import exact, exact_shares, root
from feltlab.proving.proof import BetOutcome, Proof, prove, prove_two_seats, strategy_card
from feltlab.proving.store import cached_json


@dataclass(frozen=True)
class BetSheet:
    """One bet: its outcomes, its measures, and the weights of its pay lines."""

    bet: Spot
    units: Fraction  # of the stake
    outcomes: tuple[BetOutcome, ...]
    measures: Measures
    pay_lines: tuple[PayLine, ...]

    @property
    def title(self) -> str:
        return self.bet.title if self.units else f"{self.bet.title} (no stake)"

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
    """The edges of the bets under another strategy or another value of an option."""

    name: str
    words: str
    edges: Mapping[str, Fraction]  # by bet; empty where the stake is impossible
    expected: Fraction  # of the whole stake, in units
    average_wager: Fraction
    is_of_sheet: bool  # the strategy or value that the sheet is for

    @property
    def element_of_risk(self) -> Fraction:
        return -self.expected / self.average_wager

    def as_json(self) -> dict[str, Any]:
        found = {"words": self.words, "of_the_sheet": self.is_of_sheet}
        if not self.edges:
            return found
        return found | {
            "house_edges": {bet: exact(edge) for bet, edge in self.edges.items()},
            "expected": exact(self.expected),
            "average_wager": exact(self.average_wager),
            "element_of_risk": exact(self.element_of_risk),
        }


@dataclass(frozen=True)
class ParSheet:
    """A PAR sheet. Equal proofs make equal sheets: it contains no date of its making and no running time."""

    proof: Proof
    bets: tuple[BetSheet, ...]
    total: Measures  # of the stake
    strategies: tuple[Variant, ...]
    card: StrategyCard | None  # None where the player has no choice
    options: Mapping[str, tuple[Variant, ...]]
    costs: tuple[WagerCost, ...]  # of each wager at best play, whatever the strategy of the sheet
    intervals: tuple[ReturnInterval, ...]  # of the return of the stake
    house: HouseSide
    findings: tuple[Finding, ...]
    readings: tuple[ProvedReading, ...] = ()
    simulated: SimulationCheck | None = None
    raises: tuple[Raise, ...] = ()
    offers: tuple[Offer, ...] = ()
    shoe: ShoeAverage | None = None  # None where all cards are shuffled before every round
    payouts: Payouts | None = None  # None without a venue's highest wager
    seen: SeenCards | None = None  # what a card is worth that should not be seen
    progressives: tuple[ProgressiveProof, ...] = ()

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
    def index_holds(self) -> dict[str, dict[str, dict[str, float]]]:
        """By bet, and for the stake under "total": how often the volatility index holds."""
        found = {bet.bet.name: index_coverage(bet.measures.nets) for bet in self.bets}
        return {**found, "total": index_coverage(self.total.nets)}

    @cached_property
    def best(self) -> Variant:
        return max(self.strategies, key=lambda variant: variant.expected)

    @cached_property
    def player_edges(self) -> tuple[PlayerEdge, ...]:
        """The wagers and stakes that favour the player."""
        return player_edges(self.proof, self.costs)

    def cost(self, variant: Variant) -> Fraction:
        """The loss of a strategy against the best one, in units per round."""
        return self.best.expected - variant.expected

    def return_under(self, variant: Variant) -> Fraction:
        """The return to player of the stake under a variant: one minus its house edge."""
        return 1 + variant.expected / self.proof.first_wagers

    def _json_of(self, variant: Variant) -> dict[str, Any]:
        """A variant with the return of the stake, where the stake is possible."""
        returned = {"return_to_player": exact(self.return_under(variant))} if variant.edges else {}
        return variant.as_json() | returned

    def as_json(self) -> dict[str, Any]:
        proof, card = self.proof, self.card
        return {
            **self._identity_json(),
            "favours_player": [edge.as_json() for edge in self.player_edges],
            "definitions": DEFINITIONS,
            "bets": {sheet.bet.name: sheet.as_json() for sheet in self.bets},
            "total": self.total.as_json() | {"nets": _nets_json(self.total)},
            "costs": {cost.bet.name: cost.as_json() for cost in self.costs},
            "intervals": [interval.as_json() for interval in self.intervals],
            "index_holds": self.index_holds,
            "index_holds_if_normal": NORMAL_COVERAGE,
            "covariance": self._matrix(lambda a, b: exact(self.covariance(a, b))),
            "correlation": self._matrix(self.correlation),
            "first_choices": exact_shares(proof.first_choices),
            "streets": {street: exact_shares(made) for street, made in proof.streets.items()},
            "strategy_card": card and card.as_json() | {"cost": exact(card.cost)},
            "strategies": {v.name: self._json_of(v) | {"cost": exact(self.cost(v))} for v in self.strategies},
            "options_changed": {
                option: {variant.name: self._json_of(variant) for variant in variants}
                for option, variants in self.options.items()
            },
            "house": self.house.as_json(),
            "findings": [finding.as_json() for finding in self.findings],
            "finding_counts": count_verdicts(self.findings),
            "readings": [reading.as_json() for reading in self.readings],
            "simulated": self.simulated and self.simulated.as_json(),
            **self._laboratory_json(),
        }

    def _laboratory_json(self) -> dict[str, Any]:
        """The figures beyond the law of a round: raises, the shoe, the largest payouts, seen cards."""
        return {
            "raises": {found.spot.name: found.as_json() for found in self.raises},
            "offers": {found.spot.name: found.as_json() for found in self.offers},
            "average_round_of_a_shoe": self.shoe and self.shoe.as_json(),
            "highest_wager": self.payouts and self.payouts.as_json(),
            "seen_cards": self.seen and self.seen.as_json(),
            "progressives": {proof.progressive.name: proof.as_json() for proof in self.progressives},
        }

    def _identity_json(self) -> dict[str, Any]:
        game, proof = self.game, self.proof
        return {
            "game": game.name,
            "title": game.title,
            "options": dict(game.options),
            "rules_digest": game.digest,
            "rules_date": game.date,
            "stake": {bet: str(units) for bet, units in proof.stake.items()},
            "strategy": proof.strategy,
            "method": proof.law.method,
            "combinations": str(proof.tally.deals),
        }

    def _matrix(self, entry: Any) -> dict[str, Any]:
        return {a.bet.name: {b.bet.name: entry(a, b) for b in self.bets} for a in self.bets}


def _nets_json(total: Measures) -> list[dict[str, Any]]:
    """The law of the stake's net, the largest first."""
    found = sorted(total.nets.items(), reverse=True)
    return [{"net": exact(net), "probability": exact(share)} for net, share in found]


# -- Making one -------------------------------------------------------------------------------------


def par_sheet(
    game: Game | str,
    stake: Mapping[str, Fraction | int] | None = None,
    strategy: str = "optimal",
    progress: Progress = nobody_listens,
    bet: int = UNIT_CENTS,
    simulated: SimulationCheck | None = None,
    highest: HighestWager | None = None,
    progressives: Sequence[Progressive] = (),
) -> ParSheet:
    """The PAR sheet of a game: its measures, pay lines, options, strategies and findings.

    `bet` is the unit in cents, `highest` the highest wager of a venue, for the largest payouts. Each of the
    `progressives` has a section. Proofs in the store are used again.

    >>> from feltlab import par_sheet
    >>> sheet = par_sheet("casino-war")
    >>> [bet.bet.title for bet in sheet.bets]
    ['Primary', 'Tie']
    >>> sheet.as_json()["game"]
    'casino-war'
    """
    game = find_game(game)
    stake = default_stake(game) if stake is None else check_stake(game, stake)
    put = wagers_in_cents(game, stake, bet)
    proof = prove(game, stake, strategy, progress)
    law = RoundLaw.of(proof, put)
    options = game.rules.OPTIONS
    house = house_side(proof, put, bet, law)
    return ParSheet(
        proof,
        tuple(_bet_sheet(proof, bet) for bet in game.wagers),
        _measures(law, proof, bet),
        tuple(_strategies(proof, progress)),
        strategy_card(game, stake) if has_choices(game, stake) else None,
        {o.name: tuple(_option(proof, o.name, o.values, progress)) for o in options if not o.procedure},
        wager_costs(game, stake, progress),
        return_intervals(law, sum(put.values())),
        house,
        tuple(_findings(game)),
        prove_readings(game, progress),
        simulated,
        measure_raises(proof),
        measure_offers(game),
        average_shoe(proof, house.seats),
        largest_payouts(proof, highest) if highest else None,
        seen_cards(game, stake, progress),
        tuple(prove_progressive(each, game, _clock_of(house), stake, bet) for each in progressives),
    )


def _clock_of(house: HouseSide) -> HitClock:
    """The clock of one full table, as the sheet's section about the house has it."""
    return HitClock(1, house.seats, ROUNDS_PER_HOUR, DAY_HOURS)


def checked_sheet(
    game: Game, progress: Progress = nobody_listens, highest: HighestWager | None = None
) -> ParSheet:
    """The PAR sheet of a game with a simulation, as a submission packet has it."""
    check = check_by_simulation(prove(game, progress=progress), progress=progress)
    return par_sheet(game, progress=progress, simulated=check, highest=highest)


def _measures(law: RoundLaw, proof: Proof, bet: int) -> Measures:
    nets = {Fraction(net, bet): chance for net, chance in law.nets.items()}
    return Measures(nets, proof.average_wager, proof.first_wagers)


def _bet_sheet(proof: Proof, bet: Spot) -> BetSheet:
    outcomes = tuple(proof.outcomes(bet))
    nets: dict[Fraction, Fraction] = defaultdict(Fraction)
    for outcome in outcomes:
        nets[outcome.net] += outcome.probability
    hit = proof.tally.hit_frequency(bet)
    measures = Measures(nets, proof.tally.average_wager(bet), Fraction(1), hit)
    return BetSheet(bet, proof.stake[bet.name], outcomes, measures, tuple(pay_lines(proof, bet)))


def _strategies(proof: Proof, progress: Progress) -> Iterator[Variant]:
    for name, words in solver_of(proof.game).strategies.items():
        yield _variant(proof, name, words, proof.game, name, progress)


def _option(proof: Proof, option: str, values: Sequence[str], progress: Progress) -> Iterator[Variant]:
    """The game proved for each value of an option."""
    for value in values:
        game = proof.game.with_options({option: value})
        try:
            yield _variant(proof, value, "", game, proof.strategy, progress)
        except Refused as refused:  # the stake is not possible there
            yield Variant(value, str(refused), {}, Fraction(0), Fraction(0), False)
            continue
        if game.allows_second_seat and not proof.game.with_options({option: values[0]}).allows_second_seat:
            yield _two_seats(game, proof.stake, value, progress)


def _two_seats(game: Game, stake: Stake, value: str, progress: Progress) -> Variant:
    """A player at two seats, who sees both hands: proved, or said not to be."""
    name, found = f"{value}, one player at both", prove_two_seats(game, stake, progress)
    if found is None:
        return Variant(name, NO_TWO_SEATS, {}, Fraction(0), Fraction(0), False)
    edges = {bet.name: found.house_edge(bet.name) for bet in game.wagers}
    return Variant(name, TWO_SEATS_WORDS, edges, -found.loss, found.average_wager, False)


TWO_SEATS_WORDS = "for each seat of a player who knows both hands before choosing for either, at best play"
NO_TWO_SEATS = "a player who knows two hands may do better; that is not proved"


def _variant(proof: Proof, name: str, words: str, game: Game, strategy: str, progress: Progress) -> Variant:
    """Another game or strategy for the stake of a proof; its edges are stored beside its law."""
    stake = check_stake(game, proof.stake)
    same = (game, strategy) == (proof.game, proof.strategy)

    def compute() -> dict[str, Any]:
        found = proof if same else prove(game, stake, strategy, progress)
        edges = {bet.name: str(-found.tally.expected(bet)) for bet in game.wagers}
        return {"edges": edges, "average": str(found.average_wager)}

    staked = {bet: str(units) for bet, units in stake.items()}
    data = cached_json([str(game.as_proved), "edges", staked, strategy], compute)
    edges = {bet: Fraction(edge) for bet, edge in data["edges"].items()}
    expected = -sum((stake[bet] * edge for bet, edge in edges.items()), Fraction(0))
    return Variant(name, words, edges, expected, Fraction(data["average"]), same)


def _findings(game: Game) -> Iterator[Finding]:
    """The audit of all figures published for the game, each under its own options."""
    key = [game.name, "audit findings, each hand of a cell"]
    found = cached_json(key, lambda: [finding.as_json() for finding in audit([game.name])])
    return (Finding(**finding) for finding in found)
