"""The audit and what its report explains: findings, multiplied chances, the cost of a published strategy."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from feltlab.analysis.audit import Finding, audit, published_strategy_cost
from feltlab.analysis.hold_claim import AuditedHold, audit_holds
from feltlab.analysis.multiplied_chances import Product, StrategyEdges, products, strategy_edges
from feltlab.games import GAMES
from feltlab.games.data import strategy_chart
from feltlab.parallel.executor import Executor
from feltlab.parallel.progress import Progress, nobody_listens, part_of


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

    def as_json(self) -> dict[str, Any]:
        findings = [
            found.as_json() | {"reason": found.reason, "exact": str(found.share)} for found in self.findings
        ]
        multiplied = [product.as_json() for found in self.multiplied for product in found.products]
        holds = [audited.as_json() for audited in self.holds]
        return {"findings": findings, "products": multiplied, "holds": holds}


def audit_report(
    names: Sequence[str], progress: Progress = nobody_listens, executor: Executor | None = None
) -> AuditReport:
    """Audit the packets of these games, and compute what the report explains."""
    findings = tuple(audit(names, part_of(progress, 0, 0.8), executor))
    multiplied = (_explain_products(name) for name in names)
    costs = {name: published_strategy_cost(GAMES[name]) for name in names if strategy_chart(GAMES[name])}
    holds = tuple(audited for name in names for audited in audit_holds(GAMES[name]))
    return AuditReport(tuple(names), findings, tuple(m for m in multiplied if m.products), costs, holds)


def _explain_products(name: str) -> MultipliedChances:
    found = tuple(products(GAMES[name]))
    return MultipliedChances(found, strategy_edges(found[0]) if found else ())
