"""An evening at a table for a player: the law of its result, from the proof of a round."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from feltlab.analysis.session import Prospect, RoundLaw, SessionPlan, foresee, wagers_in_cents
from feltlab.core.stake import read_stake
from feltlab.games.offers import build_game
from feltlab.parallel.progress import Progress
from feltlab.proving.exact_numbers import exact
from feltlab.proving.proof import prove
from feltlab.report.documents.session_plot import Histogram, axis_marks
from feltlab.workers.protocol import Question

MAX_BARS = 72
MAX_AXIS_MARKS = 9
MAX_WORK = 2e9  # of the chain, for a page; beyond, sessions are simulated
SEED = 1


@dataclass(frozen=True)
class Evening:
    """A player's evening: the unit of the stake and the bankroll in cents, the rounds, and rounds an hour."""

    bet: int
    bankroll: int
    rounds: int
    pace: int

    @classmethod
    def from_json(cls, data: Mapping[str, int]) -> "Evening":
        return cls(data["bet"], data["bankroll"], data["rounds"], data["pace"])


def foresee_evening(question: Question, progress: Progress) -> dict[str, Any]:
    """The chances and the picture of an evening at best play."""
    game = build_game(question["game"], question["options"])
    evening = Evening.from_json(question["evening"])
    proof = prove(game, read_stake(game, question["stake"]), progress=progress)
    law = RoundLaw.of(proof, wagers_in_cents(game, proof.stake, evening.bet))
    prospect = foresee(SessionPlan(law, evening.rounds, evening.bankroll), SEED, progress, MAX_WORK)
    spread = prospect.spread
    return prospect.as_json() | {
        "pace": evening.pace,
        "bet": evening.bet,
        "doubled": spread.chance(spread.results >= evening.bankroll),
        "lost_per_hour": exact(-law.mean * evening.pace),
        "wagered_per_hour": exact(law.average * evening.pace),
        "histogram": _histogram_json(prospect),
    }


def _histogram_json(prospect: Prospect) -> dict[str, Any]:
    drawn = Histogram.of(prospect.spread, MAX_BARS)
    low, high = drawn.bars[0].middle - drawn.width / 2, drawn.bars[-1].middle + drawn.width / 2
    bars = [{"middle": bar.middle, "full": bar.full, "stopped": bar.stopped} for bar in drawn.bars]
    marks = list(axis_marks(low, high, MAX_AXIS_MARKS))
    return {"width": drawn.width, "top": drawn.top, "bars": bars, "low": low, "high": high, "marks": marks}
