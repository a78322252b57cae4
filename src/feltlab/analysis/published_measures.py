"""Published measures, computed from proofs, and the other bases that their authors may have meant.

An edge is printed per first wager or per money bet, and of the best play or of a rule of thumb. At equal
value the strategy `optimal` makes the larger wager and `cautious` the smaller: the edge is the same, but not
the average wager and what depends on it.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from feltlab.core.game import Game
from feltlab.core.layout import NOT_PLACED, Spot
from feltlab.core.round import Round
from feltlab.core.stake import default_stake
from feltlab.core.tally import Outcomes
from feltlab.errors import Refused
from feltlab.games import solver_of
from feltlab.games.figures import Figure
from feltlab.proving.advice import Advice, advise
from feltlab.proving.exact_numbers import root
from feltlab.proving.proof import Proof, prove

HAND_CENTS = 1000  # on each required wager of a single hand; its value is in units
OPTIMAL, CAUTIOUS = "optimal", "cautious"


@lru_cache(maxsize=16)  # many figures are about one proof
def prove_strategy(game: Game, strategy: str) -> Proof:
    """The proof of a game with its default stake."""
    return prove(game, strategy=strategy)


def proof_of(game: Game, figure: Figure) -> Proof:
    """The proof under the options and the strategy that a figure is published for."""
    return prove_strategy(game.with_options(figure.options), figure.strategy)


def measure(proof: Proof, figure: Figure) -> Fraction:
    """The proved value of what a figure states: a share, or units."""
    return MEASURES[figure.measure](proof, figure)


# -- Edges ------------------------------------------------------------------------------------------


def _edge(proof: Proof, figure: Figure) -> Fraction:
    """The loss for each unit of one first wager."""
    return -proof.tally.expected(proof.game.spot(figure.bet)) if figure.bet else proof.loss


def _joint_edge(proof: Proof, figure: Figure) -> Fraction:
    """The loss for each unit of all first wagers."""
    return _edge(proof, figure) / (1 if figure.bet else proof.first_wagers)


def _element_of_risk(proof: Proof, figure: Figure) -> Fraction:
    return _edge(proof, figure) / _average_wager(proof, figure)


def _average_wager(proof: Proof, figure: Figure) -> Fraction:
    return proof.tally.average_wager(proof.game.spot(figure.bet)) if figure.bet else proof.average_wager


def _mean_edge(proof: Proof, figure: Figure) -> Fraction:
    edges = [-proof.tally.expected(proof.game.spot(bet)) for bet in figure.bets]
    return sum(edges, Fraction(0)) / len(edges)


def _deviation(proof: Proof, figure: Figure) -> Fraction:
    """To the precision of a float: a root is no fraction."""
    tally = proof.tally
    bet = proof.game.spot(figure.bet) if figure.bet else None
    return Fraction(root(tally.variance(bet) if bet else tally.total_variance(proof.stake)))


# -- Chances ----------------------------------------------------------------------------------------


def _hit_frequency(proof: Proof, figure: Figure) -> Fraction:
    return proof.tally.hit_frequency(proof.game.spot(figure.bet))


def _win_frequency(proof: Proof, figure: Figure) -> Fraction:
    return proof.tally.win_frequency(proof.game.spot(figure.bet))


def _probability(proof: Proof, figure: Figure) -> Fraction:
    if figure.together:
        return _joint_probability(proof, figure.together)
    chances = _chances(proof, proof.game.spot(figure.bet))
    return sum((chances[outcome] for outcome in figure.outcomes), Fraction(0))


def _joint_probability(proof: Proof, together: Mapping[str, str]) -> Fraction:
    """The probability that several spots have these outcomes in one deal."""
    spots = [proof.game.spot(name) for name in together]
    wanted = {proof.game.spots.index(spot): spot.outcomes.index(together[spot.name]) for spot in spots}
    counts = proof.law.counts.items()
    found = sum(n for outcomes, n in counts if _has_outcomes(proof.game, outcomes, wanted))
    return Fraction(found, proof.tally.deals)


def _has_outcomes(game: Game, outcomes: Outcomes, wanted: Mapping[int, int]) -> bool:
    """Do the spots at these places have these outcomes, with any number of units?"""
    placed = ((game.spots[at], outcomes[at], number) for at, number in wanted.items())
    return all(found != NOT_PLACED and spot.split_number(found)[0] == n for spot, found, n in placed)


def _payout(proof: Proof, figure: Figure) -> Fraction:
    """The share of all wagers that outcomes pay back, the wager included."""
    bet = proof.game.spot(figure.bet)
    units = proof.tally.units(bet)
    lines = (line for line in proof.game.pay_table(bet).lines if line.outcome in figure.outcomes)
    return sum((units[line.outcome] * (line.pays + 1) for line in lines), Fraction(0)) / proof.tally.deals


def _chances(proof: Proof, bet: Spot) -> dict[str, Fraction]:
    tally = proof.tally
    return {name: Fraction(count, tally.deals) for name, count in tally.outcomes(bet).items()}


# -- Choices ----------------------------------------------------------------------------------------


def _choice_share(proof: Proof, figure: Figure) -> Fraction:
    """The share of all rounds in which a choice is made: first of all, or on a street."""
    if not figure.street:
        return proof.first_choices.get(figure.choice, Fraction(0))
    streets = proof.as_json().get("streets", {})
    if figure.street not in streets:
        raise Refused(f"The proof of {proof.game.title} counts no choices on the street {figure.street!r}.")
    share = streets[figure.street].get(figure.choice)
    return Fraction(share["exact"]) if share else Fraction(0)


def _choice_value(proof: Proof, figure: Figure) -> Fraction:
    """The expected net of a choice with the figure's cards, less that of another one if it names one."""
    values = {found.choice: found.expected for found in advise_hand(proof.game, figure)}
    return values[figure.choice] - (values[figure.over] if figure.over else 0)


def advise_hand(game: Game, figure: Figure) -> list[Advice]:
    """The value of each choice with the figure's cards, best first, in units of the default stake."""
    game = game.with_options(figure.options)
    stake = default_stake(game)
    wagers = {name: HAND_CENTS for name, units in stake.items() if units}
    held = {"player": figure.cards, "dealer": figure.dealer}
    return advise(Round.of(game, *(held.get(area.name, "") for area in game.areas), **wagers), stake)


MEASURES: Mapping[str, Callable[[Proof, Figure], Fraction]] = {
    "house_edge": _edge,
    "return": lambda proof, figure: 1 - _edge(proof, figure),
    "hit_frequency": _hit_frequency,
    "probability": _probability,
    "payout": _payout,
    "mean_edge": _mean_edge,
    "expected": lambda proof, figure: -_edge(proof, figure),
    "element_of_risk": _element_of_risk,
    "average_wager": _average_wager,
    "deviation": _deviation,
    "win_frequency": _win_frequency,
    "choice_share": _choice_share,
    "choice_value": _choice_value,
}


# -- Other bases ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Basis:
    """One way to understand a figure, and its value."""

    words: str  # "per money bet"; '' where there is only one basis
    value: Fraction
    tail: str = ""  # what the value is a share of, where that is not plain
    thumb_rule: str = ""  # the strategy, where it is not the figure's own best play


Compute = Callable[[Proof, Figure], Fraction]
EDGES = ("house_edge", "element_of_risk", "return")
OF_TIES = (
    *EDGES,  # per money bet
    "average_wager",
    "deviation",
    "hit_frequency",
    "win_frequency",
    "choice_share",
    "probability",
    "payout",
)
ALL_BET = " of all that is bet"


def find_bases(game: Game, figure: Figure) -> list[Basis]:
    """Every way to understand a figure that gives a value of its own; the first is the figure's own way."""
    found: dict[Fraction, Basis] = {}
    for strategy, rule, thumb_rule in _strategies(game, figure):
        proof = prove_strategy(game.with_options(figure.options), strategy)
        for words, compute, tail in _computations(game, figure):
            value = compute(proof, figure)
            basis = Basis(" ".join(filter(None, (words, rule))), value, tail, thumb_rule)
            found.setdefault(value, basis)
    return list(found.values())


def _strategies(game: Game, figure: Figure) -> Iterator[tuple[str, str, str]]:
    """The strategies that a figure may be of, in words, with the name of a rule of thumb.

    A figure that names a strategy is of that strategy.
    """
    known = solver_of(game).strategies
    is_open = figure.strategy == OPTIMAL
    has_rules = is_open and CAUTIOUS in known and figure.measure in OF_TIES
    yield figure.strategy, "with the larger wager at equal value" if has_rules else "", ""
    if has_rules:
        yield CAUTIOUS, "with the smaller wager at equal value", ""
    if is_open and figure.measure in EDGES:
        names = (name for name in known if name not in (OPTIMAL, CAUTIOUS))
        yield from ((name, f"under the strategy {name}", name) for name in names)


def _computations(game: Game, figure: Figure) -> Iterator[tuple[str, Compute, str]]:
    """The figure's own measure first; for an edge, the other bases."""
    if figure.measure not in EDGES:
        yield "", MEASURES[figure.measure], ""
        return
    first = game.spot(figure.bet).title if figure.bet else "unit of one first wager"
    bases: list[tuple[str, Compute, str]] = [
        (f"per {first}", _edge, ""),
        ("per unit of all first wagers", _joint_edge, ""),
        ("per money bet", _element_of_risk, ALL_BET),
    ]
    if figure.measure == "element_of_risk":
        bases = [bases[-1], *bases[:-1]]
    for words, compute, tail in bases:
        yield words, _as_return(compute) if figure.measure == "return" else compute, tail


def _as_return(compute: Compute) -> Compute:
    return lambda proof, figure: 1 - compute(proof, figure)
