"""feltlab proves, deals and certifies house-banked casino card games.

>>> import feltlab
>>> proof = feltlab.prove("casino-war")
>>> print(f"{float(proof.house_edge('primary')):.4%}")
2.3301%

Each name below is loaded on first use, so that importing feltlab is quick.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from feltlab.analysis.audit import audit as audit
    from feltlab.analysis.design.pays import design as design
    from feltlab.analysis.par_sheet import par_sheet as par_sheet
    from feltlab.core.cards import Cards as Cards
    from feltlab.core.cards import cards as cards
    from feltlab.core.deal import Deal as Deal
    from feltlab.core.game import Game as Game
    from feltlab.core.round import Round as Round
    from feltlab.errors import Refused as Refused
    from feltlab.games import GAMES as GAMES
    from feltlab.proving.advice import advise as advise
    from feltlab.proving.proof import prove as prove
    from feltlab.simulation.run import simulate as simulate

__version__ = "0.1.0"
__all__ = [
    "GAMES",
    "Cards",
    "Deal",
    "Game",
    "Refused",
    "Round",
    "advise",
    "audit",
    "cards",
    "design",
    "par_sheet",
    "prove",
    "simulate",
]

_HOMES = {
    "GAMES": "feltlab.games",
    "Cards": "feltlab.core.cards",
    "Deal": "feltlab.core.deal",
    "Game": "feltlab.core.game",
    "Refused": "feltlab.errors",
    "Round": "feltlab.core.round",
    "advise": "feltlab.proving.advice",
    "audit": "feltlab.analysis.audit",
    "cards": "feltlab.core.cards",
    "design": "feltlab.analysis.design.pays",
    "par_sheet": "feltlab.analysis.par_sheet",
    "prove": "feltlab.proving.proof",
    "simulate": "feltlab.simulation.run",
}


def __getattr__(name: str) -> Any:
    """Load a public name from its module (PEP 562)."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
