"""The audit and what its report explains: findings, multiplied chances, the cost of a published strategy."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from feltlab.analysis.audit import Finding, audit, count_verdicts, published_strategy_cost
from feltlab.analysis.hold_claim import AuditedHold, audit_holds
from feltlab.analysis.multiplied_chances import Product, StrategyEdges, products, strategy_edges
from feltlab.games import GAMES
from feltlab.games.figures import LaterFigure, figures_for_later, strategy_chart
from feltlab.parallel.executor import Executor
from feltlab.parallel.progress import Progress, nobody_listens, part_of
from feltlab.proving.exact_numbers import exact


@dataclass(frozen=True)
class MultipliedChances:
    """The wrong products in a game's packet; the strategies are compared for the first of them."""

    products: tuple[Product, ...]
    strategies: tuple[StrategyEdges, ...]


@dataclass(frozen=True)
class AuditReport:
    """All values that a findings report shows."""

    games: tuple[str, ...]
    findings: tuple[Finding, ...]
    multiplied: tuple[MultipliedChances, ...]  # of the games whose packets multiply chances
    strategy_costs: Mapping[str, Fraction]  # of a published strategy table, by game, in units per round
    holds: tuple[AuditedHold, ...] = ()  # published holds
    later: tuple[tuple[str, LaterFigure], ...] = ()  # by game, what is not audited

    @cached_property
    def last_digit_errors(self) -> tuple[Fraction, ...]:
        """The errors of edges that are wrong in their last digit, as shares."""
        found = (f for f in self.findings if f.is_edge and f.verdict == "last digit")
        return tuple(abs(finding.error) for finding in found)

    @cached_property
    def disputes(self) -> dict[tuple[str, str], list[Finding]]:
        """By game and quantity, the figures of sources that disagree."""
        found: dict[tuple[str, str], list[Finding]] = {}
        for finding in self.findings:
            if finding.of and finding.of.quantity:
                found.setdefault((finding.game, finding.of.quantity), []).append(finding)
        return found

    def find(self, game: str) -> tuple[Finding, ...]:
        return tuple(found for found in self.findings if found.game == game)

    def as_json(self) -> dict[str, Any]:
        return {
            "counts": {name: count_verdicts(self.find(name)) for name in self.games},
            "count": count_verdicts(self.findings),
            "last_digit_errors": [exact(error) for error in self.last_digit_errors],
            "strategy_tables": {name: self._table_json(name) for name in self.strategy_costs},
            "findings": list(map(_finding_json, self.findings)),
            "products": [product.as_json() for found in self.multiplied for product in found.products],
            "strategies": [edges.as_json() for found in self.multiplied for edges in found.strategies],
            "holds": [audited.as_json() for audited in self.holds],
            "disputes": [
                {"game": game, "quantity": quantity, "figures": [found.figure for found in group]}
                for (game, quantity), group in self.disputes.items()
            ],
            "later": [{"game": game, **asdict(figure)} for game, figure in self.later],
        }

    def _table_json(self, game: str) -> dict[str, Any]:
        cells = count_verdicts(found for found in self.find(game) if found.is_cell)
        return {"cells": cells, "cost": exact(self.strategy_costs[game])}


def _finding_json(found: Finding) -> dict[str, Any]:
    is_root = found.of is not None and found.of.measure == "deviation"
    exactly = str(float(found.share)) if is_root else str(found.share)
    values = {"exact": exactly, "error": str(found.error), "lost": str(found.lost)}
    return found.as_json() | {"reason": found.reason, **values, "basis": found.basis}


def audit_report(
    names: Sequence[str], progress: Progress = nobody_listens, executor: Executor | None = None
) -> AuditReport:
    """Audit the packets of these games, and compute what the report explains."""
    findings = tuple(audit(names, part_of(progress, 0, 0.8), executor))
    multiplied = (_explain_products(name) for name in names)
    costs = {name: published_strategy_cost(GAMES[name]) for name in names if strategy_chart(GAMES[name])}
    holds = tuple(audited for name in names for audited in audit_holds(GAMES[name]))
    later = tuple((name, figure) for name in names for figure in figures_for_later(GAMES[name]))
    explained = tuple(m for m in multiplied if m.products)
    return AuditReport(tuple(names), findings, explained, costs, holds, later)


def _explain_products(name: str) -> MultipliedChances:
    found = tuple(products(GAMES[name]))
    return MultipliedChances(found, strategy_edges(found[0]) if found else ())
