"""A published hold: for which sessions would it be true?

The hold is the house's win as a share of the drop, the money that players buy in for. It depends on how long
a player plays: the same chips are put down many times. So a claim without a session is audited for several
buy-ins: the first and the last number of rounds after which the expected hold is within the published range.

A player buys in once, plays until less is left than a round can require, and stops. By Wald's identity the
expected win is the mean loss of a round times the mean number of rounds played, which the chain of
`bankroll_walk` gives with a bound of its error.
"""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from fractions import Fraction
from functools import partial
from math import ceil
from typing import Any

from feltlab.analysis.bankroll_walk import mean_rounds
from feltlab.analysis.house_side import UNIT_CENTS
from feltlab.analysis.session import RoundLaw, SessionPlan, wagers_in_cents
from feltlab.core.game import Game
from feltlab.core.stake import read_stake
from feltlab.errors import Refused
from feltlab.games.figures import HoldClaim, hold_claims
from feltlab.proving.proof import prove
from feltlab.proving.store import cached_json
from feltlab.text import listing

BUY_INS = (20, 40, 60, 100)  # times the first wagers of a round
MAX_ROUNDS = 100_000


@dataclass(frozen=True)
class HoldWindow:
    """The rounds after which one buy-in holds within the published range."""

    buy_in: int  # times the first wagers
    first: int  # round after which the hold is high enough; 0 if it never is
    last: int  # round up to which it is not too high
    error: float  # bound of the computed hold

    @property
    def is_possible(self) -> bool:
        return 0 < self.first <= self.last

    @property
    def rounds(self) -> str:
        """'104 to 181', or 'never'."""
        return f"{self.first:,} to {self.last:,}" if self.is_possible else "never"


@dataclass(frozen=True)
class LayoutHold:
    """One layout that a claim may mean: the house's edge on a round, and the window of each buy-in."""

    words: str
    edge: Fraction  # mean loss of a round, as a share of the first wagers
    windows: tuple[HoldWindow, ...]

    def as_json(self) -> dict[str, Any]:
        windows = [asdict(window) for window in self.windows]
        return {"words": self.words, "edge": str(self.edge), "windows": windows}

    @classmethod
    def of_json(cls, data: Mapping[str, Any]) -> "LayoutHold":
        windows = tuple(HoldWindow(**window) for window in data["windows"])
        return cls(data["words"], Fraction(data["edge"]), windows)


@dataclass(frozen=True)
class AuditedHold:
    """A claim with all its layouts."""

    game: str
    claim: HoldClaim
    layouts: tuple[LayoutHold, ...]

    @property
    def verdict(self) -> str:
        """'depends' if some session holds within the range, 'differs' if none does."""
        possible = any(window.is_possible for layout in self.layouts for window in layout.windows)
        return "depends" if possible else "differs"

    @property
    def never(self) -> list[LayoutHold]:
        """The layouts on which no session holds within the range, because the house has no edge."""
        return [layout for layout in self.layouts if not any(w.is_possible for w in layout.windows)]

    @property
    def possible(self) -> list[LayoutHold]:
        return [layout for layout in self.layouts if layout not in self.never]

    @property
    def shortest(self) -> str:
        """The rounds of the smallest buy-in, on the first layout where any session will do."""
        return f"{self.possible[0].windows[0].rounds} rounds" if self.possible else "never"

    @property
    def note(self) -> str:
        """The verdict in a few words."""
        return "; ".join([*map(_describe_layout, self.possible[:1]), *self._describe_never()])

    @property
    def reason(self) -> str:
        """The verdict in sentences."""
        return f"{CAUSE} A section below says for which rounds it is true."

    def _describe_never(self) -> Iterator[str]:
        if self.never:
            yield f"never with {listing(layout.words for layout in self.never)}: the player has the advantage"

    def as_json(self) -> dict[str, Any]:
        layouts = [layout.as_json() for layout in self.layouts]
        return {"game": self.game, "published": self.claim.published, "layouts": layouts}


CAUSE = "The hold depends on how long a buy-in is played, and not on the pay table alone."


def _describe_layout(layout: LayoutHold) -> str:
    """'with TSB-01 after 103 to 177 rounds of a buy-in of 20 times the wagers, 205 to 342 of 40 times'."""
    first, *others = layout.windows
    words = f"with {layout.words} after {first.rounds} rounds of a buy-in of {first.buy_in} times the wagers"
    return words + "".join(f", {window.rounds} of {window.buy_in} times" for window in others)


# -- Computing --------------------------------------------------------------------------------------


def audit_holds(game: Game) -> Iterator[AuditedHold]:
    """The published holds of a game; their windows are stored."""
    for claim in hold_claims(game):
        found = cached_json([game.name, "published hold", claim.name], partial(_compute, game, claim))
        yield AuditedHold(game.name, claim, tuple(map(LayoutHold.of_json, found)))


def _compute(game: Game, claim: HoldClaim) -> list[dict[str, Any]]:
    return [layout.as_json() for layout in _layouts(game, claim)]


def _layouts(game: Game, claim: HoldClaim) -> Iterator[LayoutHold]:
    for layout in claim.layout:
        changed = game.with_options(layout.options)
        stake = read_stake(changed, layout.stake)
        wagers = wagers_in_cents(changed, stake, UNIT_CENTS)
        law, put = RoundLaw.of(prove(changed, stake), wagers), sum(wagers.values())
        windows = (find_window(law, buy_in, buy_in * put, claim.low, claim.high) for buy_in in BUY_INS)
        yield LayoutHold(layout.words, -law.mean / put, tuple(windows))


def find_window(law: RoundLaw, buy_in: int, bankroll: int, low: Fraction, high: Fraction) -> HoldWindow:
    """The first and the last round after which the expected hold is from low to high."""
    if law.mean >= 0:  # the house has no edge
        return HoldWindow(buy_in, 0, 0, 0.0)
    rounds = 2 * ceil(-high * bankroll / law.mean)
    holds, error = hold_by_rounds(law, bankroll, rounds)
    while holds[-1] <= high and rounds < MAX_ROUNDS:  # many players have gone broke
        rounds *= 2
        holds, error = hold_by_rounds(law, bankroll, rounds)
    first = next((n for n, hold in enumerate(holds) if hold >= low), 0)
    last = max(n for n, hold in enumerate(holds) if hold <= high)
    return HoldWindow(buy_in, first, last, error)


def hold_by_rounds(law: RoundLaw, bankroll: int, rounds: int) -> tuple[list[float], float]:
    """The expected hold after each number of rounds, from none, and a bound of its error."""
    found = mean_rounds(SessionPlan(law, rounds, bankroll).walk)
    if found is None:
        raise Refused("These sessions are too long to be computed.")
    played, error = found
    share = float(-law.mean / bankroll)
    return [share * float(mean) for mean in played], abs(share) * error
