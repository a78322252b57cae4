"""The laws of Rabbit Hunter Stud Poker under other readings of its rules."""

from collections.abc import Mapping
from math import comb

from feltlab.core.cards import RANKS
from feltlab.core.game import Game
from feltlab.core.hands import poker
from feltlab.core.solver import Law, SolveLaw
from feltlab.core.stake import Stake
from feltlab.games.rabbit_hunter.choices import choices_of
from feltlab.games.rabbit_hunter.counts import StudReading, count_deals_by
from feltlab.games.rabbit_hunter.solver import law
from feltlab.parallel.progress import Progress

KING, TEN = RANKS.index("K"), RANKS.index("T")
ACE_KING_HIGH = poker.ACE_HIGH + comb(KING, 4)  # above every ace high without a king
TENS_AND_TWOS = poker.TWO_PAIR << 12 | TEN << 8


def solve_with(read: StudReading) -> SolveLaw:
    def solve(game: Game, stake: Stake, strategy: str, progress: Progress) -> Law:
        counts = count_deals_by(read, progress=progress)
        return law(counts, choices_of(strategy, counts, game, stake))

    return solve


OTHER_LAWS: Mapping[str, SolveLaw] = {
    "ace-king-qualifies": solve_with(StudReading(qualifies=ACE_KING_HIGH)),
    "pair-qualifies": solve_with(StudReading(qualifies=poker.PAIR << 12)),
    "sixth-card-plays": solve_with(StudReading(sixth_plays=True)),
    "tens-up-on-five": solve_with(StudReading(tens_up_on_five=True)),
    "two-pair-with-tens": solve_with(StudReading(tens_up_two_pair=TENS_AND_TWOS)),
}
