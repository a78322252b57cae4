"""The audit: every published figure against the proof.

Figures are in each game's `figures.toml`, as printed, with the page that prints them. A verdict comes from
computation alone:

- `agrees`: the proved value rounds to the printed digits, perhaps on another basis, which the note names;
- `last digit`: the last printed digit is off by one;
- `differs`: the proved value is another one on every basis;
- `contradicts`: the packet prints another value for the same thing elsewhere;
- `depends`: a published hold is true for some sessions and not for others.
"""

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass
from fractions import Fraction
from math import prod

from feltlab.analysis.hold_claim import AuditedHold, audit_holds
from feltlab.analysis.printed_digits import (
    ROUNDED_UP,
    TRUNCATED,
    digits_off,
    explain_rounding,
    find_dropped_digit,
    format_share,
    is_contradiction,
    round_like,
)
from feltlab.analysis.published_measures import (
    Basis,
    advise_hand,
    find_bases,
    measure,
    proof_of,
    prove_strategy,
)
from feltlab.core.game import Game
from feltlab.core.solver import TableHand
from feltlab.core.stake import default_stake
from feltlab.games import GAMES, solver_of
from feltlab.games.figures import Figure, StrategyChart, figures, strategy_chart
from feltlab.parallel.executor import Executor
from feltlab.parallel.progress import Progress, nobody_listens
from feltlab.proving.proof import Question, prove_all
from feltlab.proving.store import cached_json
from feltlab.text import listing

WORST_FIRST = ("differs", "contradicts", "depends", "last digit", "agrees")

MULTIPLIED = "is the product of separate chances, as if they were independent"


@dataclass(frozen=True)
class Finding:
    """The audit's verdict on a figure, or on a cell of a strategy table."""

    game: str
    figure: str
    where: str
    published: str
    proved: str
    verdict: str
    note: str
    reason: str = ""  # in sentences, for a reader of the report
    of: Figure | None = None  # None for a hold and for a cell of a strategy table
    share: Fraction = Fraction(0)  # the proved value itself
    is_cell: bool = False  # of a strategy table
    lost: Fraction = Fraction(0)  # by following a cell, in units a round
    basis: str = ""  # on which the figure agrees, where that is not its own

    def as_json(self) -> dict[str, str]:
        names = ("game", "figure", "where", "published", "proved", "verdict", "note")
        return {name: getattr(self, name) for name in names}

    @property
    def error(self) -> Fraction:
        """The published value less the proved one, as a share or in units."""
        if self.of is None or self.of.measure == "best_choice":
            return Fraction(0)
        return Fraction(self.of.value) / self.of.scale - self.share

    @property
    def is_edge(self) -> bool:
        return self.of is not None and self.of.measure in ("house_edge", "mean_edge")


def count_verdicts(findings: Iterable[Finding]) -> dict[str, int]:
    """The number of findings with each verdict; `wrong` are those that differ or contradict."""
    found = Counter(finding.verdict for finding in findings)
    return {
        "all": found.total(),
        **{verdict: found[verdict] for verdict in WORST_FIRST},
        "wrong": found["differs"] + found["contradicts"],
    }


def audit(
    names: str | Iterable[str] = GAMES, progress: Progress = nobody_listens, executor: Executor | None = None
) -> Iterator[Finding]:
    """Audit the published figures of a game, of some games, or of all: a finding for each, in their order.

    An executor, such as a cluster, first proves everything that the figures are about.

    >>> from feltlab import audit
    >>> for finding in audit("casino-war"):
    ...     print(finding.figure, finding.published, finding.verdict)
    primary wager, house edge 2.33% agrees
    tie wager, house edge 18.65% agrees
    """
    names = [names] if isinstance(names, str) else names
    listed = [(GAMES[name], figures(GAMES[name])) for name in names]
    if executor:
        deque(prove_all(_questions(listed), executor), maxlen=0)  # into the store
    total, done = sum(len(published) for _, published in listed), 0
    for game, published in listed:
        by_name = {figure.name: figure for figure in published}
        for figure in published:
            progress(done / total)
            yield audit_figure(game, figure, by_name)
            done += 1
        yield from map(_hold_finding, audit_holds(game))
        yield from audit_strategy_chart(game)


def _questions(listed: Iterable[tuple[Game, Iterable[Figure]]]) -> list[Question]:
    """The games and strategies that these figures are about, each once."""
    settings = {
        (g.with_options(figure.options), figure.strategy) for g, published in listed for figure in published
    }
    return [(game, default_stake(game), strategy) for game, strategy in sorted(settings, key=str)]


# -- A figure ---------------------------------------------------------------------------------------


def audit_figure(game: Game, figure: Figure, others: Mapping[str, Figure]) -> Finding:
    """The verdict on one figure; the others of its packet are given by name."""
    if figure.measure == "best_choice":
        return _audit_best_choice(game, figure)
    proof = proof_of(game, figure)
    proved = measure(proof, figure)
    verdict = judge(figure, proved, others)
    bases = find_bases(game, figure) if verdict == "differs" else []
    if fitting := [basis for basis in bases if judge(figure, basis.value, {}) == "agrees"]:
        return _fitting_finding(game, figure, bases, fitting)
    causes = [*_causes(proof.game, figure, others, proved, verdict), *_misfits(figure, bases)]
    if figure.finding and verdict != "agrees":
        causes.append((figure.finding[0].lower() + figure.finding[1:].rstrip("."), figure.finding))
    return Finding(
        game.name,
        figure.name,
        figure.place,
        figure.published,
        _format(figure, proved),
        verdict,
        note=", and ".join(note for note, _ in causes if note),
        reason=" ".join(sentence for _, sentence in causes if sentence),
        of=figure,
        share=proved,
    )


def _format(figure: Figure, proved: Fraction) -> str:
    return format_share(proved, figure.value, figure.scale)


def _fitting_finding(game: Game, figure: Figure, bases: Sequence[Basis], fitting: Sequence[Basis]) -> Finding:
    """The verdict on a figure that agrees on another basis than its own, or on several."""
    told = (f"{each.words}: {_format(figure, each.value)}{each.tail}" for each in fitting)
    basis = f"agrees {', or '.join(told)}"
    own = f"{bases[0].words} it is {_format(figure, bases[0].value)}"
    return Finding(
        game.name,
        figure.name,
        figure.place,
        figure.published,
        _format(figure, fitting[0].value),
        "agrees",
        note=basis,
        reason=f"It {basis}; {own}.",
        of=figure,
        share=fitting[0].value,
        basis=basis,
    )


def _misfits(figure: Figure, bases: Sequence[Basis]) -> Iterator[tuple[str, str]]:
    """The values on all bases where none fits and there are several; rules of thumb are only counted."""
    if len(bases) > 1:
        plain = (basis for basis in bases if not basis.thumb_rule)
        tried = listing(f"{basis.words} {_format(figure, basis.value)}" for basis in plain)
        rules = len({basis.thumb_rule for basis in bases} - {""})
        named = "1 named strategy" if rules == 1 else f"{rules} named strategies"
        tried += f"; nor under {named}" if rules else ""
        yield f"fits on no basis: {tried}", f"It fits on no basis that was tried: {tried}."


def _audit_best_choice(game: Game, figure: Figure) -> Finding:
    """The verdict on a published choice for one hand; of equal choices each is best."""
    advised = advise_hand(game, figure)
    best = [found.choice for found in advised if not found.cost]
    cost = next((found.cost for found in advised if found.choice == figure.published), None)
    verdict = "agrees" if figure.published in best else "differs"
    note = "" if not cost else f"costs {float(cost):.6f} units"
    proved = " or ".join(best)
    return Finding(
        game.name, figure.name, figure.place, figure.published, proved, verdict, note, note, of=figure
    )


def judge(figure: Figure, proved: Fraction, others: Mapping[str, Figure]) -> str:
    """One of the four verdicts."""
    if figure.same_as in others and is_contradiction(figure.value, others[figure.same_as].value):
        return "contradicts"
    off = digits_off(proved, figure.value, figure.scale)
    return "agrees" if off == 0 else "last digit" if off == 1 else "differs"


# -- Why a figure is wrong --------------------------------------------------------------------------

SENTENCES = {
    MULTIPLIED: "It is the product of {count} chances that depend on the same cards, multiplied as if they "
    "were independent.",
    TRUNCATED: "The digits after the last printed one were cut off, not rounded.",
    ROUNDED_UP: "It was rounded up, not to the nearest.",
}


def _causes(
    game: Game, figure: Figure, others: Mapping[str, Figure], proved: Fraction, verdict: str
) -> Iterator[tuple[str, str]]:
    """Notes on a figure as far as computation shows them, each with a sentence."""
    other = others.get(figure.same_as)
    if other and verdict != "agrees":
        yield from _compare(figure, other, proved, verdict)
    elif verdict != "agrees":
        note = explain(figure, proved, multiply_as_if_independent(game, figure, others))
        yield note, SENTENCES.get(note, "").format(count=len(figure.independent))
    if verdict in ("differs", "contradicts") and (
        whole := find_dropped_digit(proved, figure.value, figure.scale)
    ):
        sign = "%" if figure.published.endswith("%") else ""
        yield "", f"{whole}{sign} with one digit left out would read so; how it came about is not known."
    if figure.measure == "house_edge" and proved < 0:
        yield "the advantage is the player's", "The wager pays out more than it takes in."


def _compare(figure: Figure, other: Figure, proved: Fraction, verdict: str) -> Iterator[tuple[str, str]]:
    """A wrong figure beside another one for the same value."""
    is_wrong_too = judge(other, proved, {}) == "differs"
    if verdict == "contradicts":
        states = "is wrong too" if is_wrong_too else "is right"
        sentence = f"The {other.where}, prints {other.published} for the same value, which {states}."
        yield f"{other.where}, prints {other.published}", sentence
        if is_wrong_too:
            yield "neither is proved", ""
    else:
        note = explain(figure, proved, None)
        rounded = f"It is the {other.published} of the {other.where}, rounded."
        yield note, rounded if is_wrong_too else SENTENCES.get(note, "")


def explain(figure: Figure, proved: Fraction, product: Fraction | None) -> str:
    """The likely origin of a wrong printed value; '' if computation does not show it."""
    if product is not None and round_like(product, figure.value, scale=figure.scale) == figure.value:
        return MULTIPLIED
    return explain_rounding(proved, figure.value, figure.scale)


def multiply_as_if_independent(game: Game, figure: Figure, others: Mapping[str, Figure]) -> Fraction | None:
    """The figure as it would be if the printed chances that it names were independent."""
    if not figure.independent:
        return None
    hit = prod((Fraction(others[name].value) / 100 for name in figure.independent), start=Fraction(1))
    returned = hit * (1 + max(line.pays for line in game.pay_table(game.spot(figure.bet)).lines))
    return {"hit_frequency": hit, "return": returned, "house_edge": 1 - returned}[figure.measure]


# -- A published hold -------------------------------------------------------------------------------


def _hold_finding(audited: AuditedHold) -> Finding:
    """The verdict on a published hold; the proved value is the window of the first layout that has one."""
    claim = audited.claim
    return Finding(
        audited.game,
        claim.name,
        claim.where,
        claim.published,
        audited.shortest,
        audited.verdict,
        audited.note,
        audited.reason,
    )


# -- A published strategy table ---------------------------------------------------------------------

CellHands = Mapping[str, TableHand]  # by hand
NAMED_HANDS = 6  # of those that do better with another choice, the costliest first


def audit_strategy_chart(game: Game) -> Iterator[Finding]:
    """The published strategy table, cell by cell, against the best choice of every hand in the cell.

    A row covers hands of two cards and more. Each hand has its weight, the probability that a player who
    follows the table meets it, and its cost; the costs of all cells add up to `published_strategy_cost`.
    """
    chart = strategy_chart(game)
    if not chart:
        return
    game = game.with_options(chart.options)
    hands = _hands_of_table(game, chart.up_cards)
    for row, letters in chart.rows.items():
        for up, letter in zip(chart.up_cards, letters, strict=True):
            name = f"strategy, {row} against {up}"
            yield _audit_cell(game, chart, name, letter, hands[up].get(row, {}))


def _hands_of_table(game: Game, up_cards: str) -> Mapping[str, Mapping[str, CellHands]]:
    """By up-card, row and hand; stored, since every hand is weighed."""
    audit_table = solver_of(game).audit_table
    if audit_table is None:
        raise ValueError(f"{game.title} publishes a strategy table, but its solver does not audit it")

    def compute() -> dict[str, dict[str, dict[str, list[str]]]]:
        return {up: _rows_as_text(audit_table(game, up)) for up in up_cards}

    stored = cached_json([str(game.as_proved), "hands of the published table"], compute)
    return {
        up: {row: {hand: _table_hand(*h) for hand, h in hands.items()} for row, hands in rows.items()}
        for up, rows in stored.items()
    }


def _rows_as_text(rows: Mapping[str, CellHands]) -> dict[str, dict[str, list[str]]]:
    return {row: {hand: [*map(str, astuple(h))] for hand, h in hands.items()} for row, hands in rows.items()}


def _table_hand(said: str, best: str, met: str, lost: str) -> TableHand:
    return TableHand(said, best, Fraction(met), Fraction(lost))


def _audit_cell(game: Game, chart: StrategyChart, name: str, letter: str, hands: CellHands) -> Finding:
    apart = {hand: found for hand, found in hands.items() if not found.is_best}
    proved = " or ".join(sorted({found.best for found in hands.values()})) or "nothing to choose"
    verdict = "differs" if apart else "agrees"
    lost = sum((found.lost for found in apart.values()), Fraction(0))
    says = {found.said for found in hands.values()}
    note, reason = _describe_cell(apart, says, len(hands), lost) if apart else ("", "")
    return Finding(
        game.name, name, chart.where, letter, proved, verdict, note, reason, is_cell=True, lost=lost
    )


def _describe_cell(apart: CellHands, says: set[str], hands: int, lost: Fraction) -> tuple[str, str]:
    """The hands of a cell that do better with another choice, how often they are met, and their cost."""
    worst = sorted(apart.items(), key=lambda each: -each[1].lost)
    named = [f"{hand}: {found.best}{_instead(found, says)}" for hand, found in worst[:NAMED_HANDS]]
    more = [f"and {len(worst) - NAMED_HANDS} more"] if len(worst) > NAMED_HANDS else []
    note = ", ".join([*named, *more])
    met = sum((found.met for found in apart.values()), Fraction(0))
    often = f"once in {round(1 / met):,} rounds" if met else "never"
    reason = (
        f"{len(apart)} of the {hands} hands that the cell covers do better with another choice: {note}. A "
        f"player who follows the table meets them {often} and loses {float(lost):.1e} units a round by it."
    )
    return note, reason


def _instead(found: TableHand, says: set[str]) -> str:
    """The table's own choice for a hand, where a footnote makes that differ within the cell."""
    return f" instead of {found.said}" if len(says) > 1 else ""


def published_strategy_cost(game: Game) -> Fraction:
    """The loss of the published strategy table against the best choices, in units per round."""
    chart = strategy_chart(game)
    if not chart:
        return Fraction(0)
    game = game.with_options(chart.options)
    published, best = (prove_strategy(game, strategy) for strategy in ("published", chart.strategy))
    return best.tally.total_expected(best.stake) - published.tally.total_expected(published.stake)
