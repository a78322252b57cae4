"""The audit: every published figure against the proof.

Figures stand in each game's `figures.toml`, as printed, with where they stand. A verdict comes from
computation alone:

- `agrees`: the proved value rounds to the printed digits;
- `last digit`: it is off by one unit of the last printed digit;
- `differs`: it is not that value;
- `contradicts`: the packet prints another value for the same thing elsewhere.
"""

import tomllib
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_UP, Decimal
from fractions import Fraction
from functools import lru_cache
from importlib import resources
from math import prod
from typing import Any

from feltlab.core.game import Game
from feltlab.core.layout import Spot
from feltlab.core.stake import default_stake
from feltlab.games import FOLDERS, GAMES, solver_of
from feltlab.parallel.executor import Executor
from feltlab.parallel.progress import Progress, nobody_listens
from feltlab.proving.proof import Proof, Question, prove, prove_all
from feltlab.proving.store import cached_json

WORST_FIRST = ("differs", "contradicts", "last digit", "agrees")


@dataclass(frozen=True)
class Figure:
    """A published number, and what it is the number of."""

    name: str
    where: str
    published: str
    measure: str
    bet: str = ""
    bets: tuple[str, ...] = ()
    outcomes: tuple[str, ...] = ()
    strategy: str = "optimal"
    options: Mapping[str, str] = field(default_factory=dict)
    same_as: str = ""  # another figure that prints the same thing
    independent: tuple[str, ...] = ()  # figures whose chances may have been multiplied
    because: str = ""  # why those chances are not independent, in sentences
    event: str = ""  # for such a chance: what it is the chance of, in a few words

    @property
    def value(self) -> Decimal:
        return Decimal(self.published.removesuffix("%"))


@dataclass(frozen=True)
class Finding:
    """The audit's verdict on a figure; on a cell of a strategy table, which is no number, `of` is none."""

    game: str
    figure: str
    where: str
    published: str
    proved: str
    verdict: str
    note: str
    reason: str = ""  # in sentences, for a reader of the report
    of: Figure | None = None
    share: Fraction = Fraction(0)  # the proved value itself

    def as_json(self) -> dict[str, str]:
        shown = ("game", "figure", "where", "published", "proved", "verdict", "note")
        return {name: getattr(self, name) for name in shown}

    @property
    def error(self) -> Fraction:
        """The published value less the proved one, as a share."""
        return Fraction(self.of.value) / 100 - self.share if self.of else Fraction(0)

    @property
    def about_money(self) -> bool:
        """Is the figure an edge?"""
        return self.of is not None and self.of.measure in ("house_edge", "mean_edge")


def figures(game: Game) -> list[Figure]:
    return [_figure(entry) for entry in _published(game).get("figure", [])]


def _published(game: Game) -> dict[str, Any]:
    folder = resources.files("feltlab.games") / FOLDERS[game.name]
    return tomllib.loads((folder / "figures.toml").read_text(encoding="utf-8"))


def _figure(entry: dict[str, Any]) -> Figure:
    values: dict[str, Any] = {key: tuple(v) if isinstance(v, list) else v for key, v in entry.items()}
    return Figure(**values)


def audit(
    names: Iterable[str], progress: Progress = nobody_listens, executor: Executor | None = None
) -> Iterator[Finding]:
    """Findings on all figures of these games, in the order in which they are published.

    An executor is given what has to be proved first.
    """
    listed = [(GAMES[name], figures(GAMES[name])) for name in names]
    if executor:
        deque(prove_all(_asked(listed), executor), maxlen=0)  # into the store
    total, done = sum(len(published) for _, published in listed), 0
    for game, published in listed:
        by_name = {figure.name: figure for figure in published}
        for figure in published:
            progress(done / total)
            yield finding(game, figure, by_name)
            done += 1
        yield from strategy_findings(game)


def _asked(listed: Iterable[tuple[Game, list[Figure]]]) -> list[Question]:
    """What these figures are about, each once."""
    about = {(g.with_options(figure.options), figure.strategy) for g, found in listed for figure in found}
    return [(game, default_stake(game), strategy) for game, strategy in sorted(about, key=str)]


def strategy_findings(game: Game) -> Iterator[Finding]:
    """The published strategy table, cell by cell, against the best choice of every hand in the cell."""
    chart = _chart(game)
    if not chart:
        return
    game = game.with_options(chart["options"])
    told, best = (_table(game, strategy, chart["up_cards"]) for strategy in ("published", chart["strategy"]))
    for row, letters in chart["rows"].items():
        for up, letter in zip(chart["up_cards"], letters, strict=True):
            name = f"strategy, {row} against {up}"
            hands = told[up].get(row, {}), best[up].get(row, {})
            yield _cell_finding(game, chart["where"], name, letter, *hands)


def _chart(game: Game) -> dict[str, Any]:
    found: dict[str, Any] = _published(game).get("chart", {})
    return found


def cost_of_published_strategy(game: Game) -> Fraction:
    """What following the published strategy table costs against the best choices, in units a round."""
    chart = _chart(game)
    game = game.with_options(chart["options"])
    told, best = (_proof(game, strategy) for strategy in ("published", chart["strategy"]))
    return best.tally.total_expected(best.stake) - told.tally.total_expected(told.stake)


def _table(game: Game, strategy: str, up_cards: str) -> dict[str, dict[str, dict[str, str]]]:
    """By up-card and row, what a strategy does with each hand."""
    rows = solver_of(game).row_choices
    if rows is None:
        raise ValueError(f"{game.title} publishes a strategy table, but its solver has no rows")
    stake = default_stake(game)
    found: dict[str, dict[str, dict[str, str]]] = cached_json(
        [str(game), "row choices", strategy], lambda: {up: rows(game, stake, strategy, up) for up in up_cards}
    )
    return found


def _cell_finding(
    game: Game, where: str, name: str, letter: str, told: Mapping[str, str], best: Mapping[str, str]
) -> Finding:
    apart = {hand: choice for hand, choice in best.items() if told[hand] != choice}
    note = ", ".join(f"{hand}: {choice}" for hand, choice in apart.items())
    proved = " or ".join(sorted(set(best.values()))) or "nothing to choose"
    reason = f"One letter cannot serve every hand of the cell; better is {note}." if apart else ""
    return Finding(game.name, name, where, letter, proved, "differs" if apart else "agrees", note, reason)


@lru_cache(maxsize=16)  # many figures are about one proof
def _proof(game: Game, strategy: str) -> Proof:
    return prove(game, strategy=strategy)


def finding(game: Game, figure: Figure, others: Mapping[str, Figure]) -> Finding:
    proof = proof_of(game, figure)
    proved = measured(proof, figure)
    verdict = judged(figure, proved, others)
    causes = list(_causes(proof.game, figure, others, proved, verdict))
    return Finding(
        game.name,
        figure.name,
        figure.where,
        figure.published,
        shown(proved, figure),
        verdict,
        note=", and ".join(note for note, _ in causes if note),
        reason=" ".join(sentence for _, sentence in causes if sentence),
        of=figure,
        share=proved,
    )


def proof_of(game: Game, figure: Figure) -> Proof:
    """The proof of what a figure is about."""
    return _proof(game.with_options(figure.options), figure.strategy)


SENTENCES = {
    "is the product of the marginals, as if independent": "It is the product of {count} chances that "
    "belong to the same cards, multiplied as if one had nothing to do with another.",
    "is cut off, not rounded": "The digits after the last one printed were cut off, not rounded.",
    "is rounded up, not to the nearest": "It was rounded up, not to the nearest.",
}


def _causes(
    game: Game, figure: Figure, others: Mapping[str, Figure], proved: Fraction, verdict: str
) -> Iterator[tuple[str, str]]:
    """What there is to say about a figure, as far as computation shows it: a note, and a sentence."""
    other = others.get(figure.same_as)
    if other and verdict != "agrees":
        yield from _beside(figure, other, proved, verdict)
    elif verdict != "agrees":
        note = reason(figure, proved, as_if_independent(game, figure, others))
        yield note, SENTENCES.get(note, "").format(count=len(figure.independent))
    if whole := digit_left_out(figure, proved) if verdict in ("differs", "contradicts") else "":
        yield "", f"It is {whole}% with one digit left out."
    if figure.measure == "house_edge" and proved < 0:
        yield "the advantage is the player's", "The wager pays more than it takes."


def _beside(figure: Figure, other: Figure, proved: Fraction, verdict: str) -> Iterator[tuple[str, str]]:
    """What another figure for the same thing has to do with a wrong one."""
    wrong = judged(other, proved, {}) == "differs"
    told = f"The {other.where}, prints {other.published} for the same thing; that is "
    if verdict == "contradicts":
        yield f"{other.where}, prints {other.published}", told + ("wrong too." if wrong else "right.")
        if wrong:
            yield "neither is proved", ""
    else:
        note = reason(figure, proved, None)
        yield (
            note,
            f"It is {other.published} of the {other.where}, rounded." if wrong else SENTENCES.get(note, ""),
        )


def digit_left_out(figure: Figure, proved: Fraction) -> str:
    """The proved value with a digit more than was printed, if leaving one out gives what was printed."""
    longer = str(rounded(proved, figure.value.scaleb(-1)))
    places = (at for at, sign in enumerate(longer) if sign.isdigit())
    short = any(longer[:at] + longer[at + 1 :] == str(figure.value) for at in places)
    return longer if short else ""


def judged(figure: Figure, proved: Fraction, others: Mapping[str, Figure]) -> str:
    if figure.same_as in others and contradict(figure.value, others[figure.same_as].value):
        return "contradicts"
    off = abs(rounded(proved, figure.value) - figure.value) / unit(figure.value)
    return "agrees" if off == 0 else "last digit" if off == 1 else "differs"


def reason(figure: Figure, proved: Fraction, product: Fraction | None) -> str:
    """How the printed value may have come about, as far as computation shows it."""
    if product is not None and rounded(product, figure.value) == figure.value:
        return "is the product of the marginals, as if independent"
    if rounded(proved, figure.value, ROUND_FLOOR) == figure.value:
        return "is cut off, not rounded"
    if rounded(proved, figure.value, ROUND_CEILING) == figure.value:
        return "is rounded up, not to the nearest"
    return ""


# -- Values -----------------------------------------------------------------------------------------


def measured(proof: Proof, figure: Figure) -> Fraction:
    """The proved value of what a figure states, as a share."""
    tally = proof.tally
    if figure.measure == "mean_edge":
        return -sum((tally.expected(proof.game.spot(bet)) for bet in figure.bets), Fraction(0)) / len(
            figure.bets
        )
    bet = proof.game.spot(figure.bet)
    if figure.measure in ("probability", "payout"):
        return sum((part(proof, bet, outcome, figure.measure) for outcome in figure.outcomes), Fraction(0))
    measures = {"house_edge": -tally.expected(bet), "return": 1 + tally.expected(bet)}
    return measures[figure.measure] if figure.measure in measures else tally.hit_frequency(bet)


def part(proof: Proof, bet: Spot, outcome: str, measure: str) -> Fraction:
    """The probability of an outcome of a spot, or what it pays out of a unit, the unit included."""
    share = Fraction(proof.tally.outcomes(bet)[outcome], proof.tally.deals)
    if measure == "probability":
        return share
    line = next(line for line in proof.game.pay_table(bet).lines if line.outcome == outcome)
    return share * (line.net + line.staked)


def as_if_independent(game: Game, figure: Figure, others: Mapping[str, Figure]) -> Fraction | None:
    """What the figure would be if the printed chances that it names were independent."""
    if not figure.independent:
        return None
    hit = prod((Fraction(others[name].value) / 100 for name in figure.independent), start=Fraction(1))
    returned = hit * (1 + max(line.net for line in game.pay_table(game.spot(figure.bet)).lines))
    return {"hit_frequency": hit, "return": returned, "house_edge": 1 - returned}[figure.measure]


def unit(value: Decimal) -> Decimal:
    """One unit of a number's last printed digit."""
    return Decimal(1).scaleb(int(value.as_tuple().exponent))


def rounded(share: Fraction, like: Decimal, how: str = ROUND_HALF_UP) -> Decimal:
    """A share in percent, with as many digits as another number."""
    scaled = share * 100 / Fraction(unit(like))
    whole = {
        ROUND_HALF_UP: lambda: (2 * scaled.numerator + scaled.denominator) // (2 * scaled.denominator),
        ROUND_FLOOR: lambda: scaled.numerator // scaled.denominator,
        ROUND_CEILING: lambda: -(-scaled.numerator // scaled.denominator),
    }[how]()
    return whole * unit(like)


def shown(share: Fraction, figure: Figure) -> str:
    """In percent, with four digits more than were printed."""
    return f"{rounded(share, figure.value * Decimal('1.0000'))}%"


def contradict(one: Decimal, other: Decimal) -> bool:
    """Do two printed values disagree, given the digits of the shorter one?"""
    coarse = max(unit(one), unit(other))
    return abs(one - other) > coarse / 2
