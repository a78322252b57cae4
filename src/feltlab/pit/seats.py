"""The parts of a table: its phases, the seconds that they last, and its occupied seats."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import Any

from feltlab.core.amounts import MAX_WAGER_CENTS
from feltlab.core.limits import Limits
from feltlab.errors import Refused
from feltlab.text import dollars
from feltlab.values import replace_unchecked

MAX_TIMER_SECONDS = 3600
Wagers = Mapping[str, int]  # cents by spot


class Phase(StrEnum):
    CLOSED = "closed"
    BETTING = "betting"
    NO_MORE_BETS = "no more bets"
    DEALING = "dealing"
    CHOOSING = "choosing"
    PAYING = "paying"  # some wagers are taken and paid, and the round goes on
    REVEAL = "reveal"
    SETTLING = "settling"


HOLD_SECONDS = 60.0  # for which a request to void a round holds it, once in a round
REQUEST_HOLDS = "A request to void the round awaits a second person; it holds the round for a minute at most."
OPEN_PHASES = tuple(phase for phase in Phase if phase != Phase.CLOSED)
# In which wagers cannot be taken back.
ROUND_PHASES = (Phase.NO_MORE_BETS, Phase.DEALING, Phase.CHOOSING, Phase.PAYING, Phase.REVEAL)
WHY_NO_CHOICE = {
    Phase.CLOSED: "the table is closed.",
    Phase.BETTING: "bets are still taken.",
    Phase.NO_MORE_BETS: "the cards are about to be dealt.",
    Phase.DEALING: "the cards are being dealt.",
    Phase.PAYING: "wagers are being settled.",
    Phase.REVEAL: "the round is over.",
    Phase.SETTLING: "the round is over.",
}


@dataclass(frozen=True)
class Timers:
    """Seconds that each phase lasts; None waits for somebody to act, 0 waits for nobody."""

    betting: float | None = None  # from the first wager on
    no_more_bets: float | None = 0
    dealing: float | None = 0
    choosing: float | None = None
    reveal: float | None = 0
    settling: float | None = 0
    paying: float | None = 0  # of wagers that are settled while the round goes on

    def __post_init__(self) -> None:
        for timer in fields(self):
            seconds = getattr(self, timer.name)
            if seconds is not None and not 0 <= seconds <= MAX_TIMER_SECONDS:
                raise Refused(
                    f"The timer of {timer.name} must be between 0 and {MAX_TIMER_SECONDS:,} seconds."
                )

    def of(self, phase: Phase) -> float | None:
        seconds: float | None = vars(self).get(_TIMER_NAMES[phase])
        return seconds


_TIMER_NAMES = {phase: phase.replace(" ", "_") for phase in Phase}
STANDARD_TIMERS = Timers()


@dataclass(frozen=True)
class Place:
    """An occupied seat."""

    player: str
    bankroll: int  # cents in front of the player, without those on the felt
    wagers: Wagers = field(default_factory=dict, hash=False)  # first wagers on the felt
    chosen: tuple[str, ...] = ()
    raised: int = 0  # cents that choices put down
    settled: int = 0  # cents put down that the dealer has taken or paid since
    last: Wagers = field(default_factory=dict, hash=False)  # first wagers of the round before
    ready: bool = False  # has nothing more to bet
    leaves: bool = False  # is played by the house rule and paid out after the round
    why_leaves: str = ""  # the reason why the house gives the seat up; '' if its player leaves
    missed: int = 0  # rounds in a row without a wager
    jackpot: str = ""  # the progressive on which the seat has a bet
    jackpot_cents: int = 0
    jackpot_locked: bool = False  # the bet is taken; until then it is among the seat's chips

    @classmethod
    def from_snapshot(cls, data: Mapping[str, Any]) -> "Place":
        """The seat at the beginning of a round."""
        held = {"last": data["last"], "missed": data["missed"]}
        return replace_unchecked(NOBODY, player=data["player"], bankroll=data["cents"], **held)

    def snapshot(self, missed: int) -> dict[str, Any]:
        """The seat between two rounds, as the ledger records it."""
        return {**self.payout, "last": dict(self.wagers or self.last), "missed": missed}

    @property
    def payout(self) -> dict[str, Any]:
        """The player and all of the player's cents at the table, as the ledger records them."""
        return {"player": self.player, "cents": self.bankroll + self.on_felt}

    @property
    def on_felt(self) -> int:
        return sum(self.wagers.values()) + self.raised - self.settled

    def settle(self, staked: int, net: int) -> "Place":
        """The seat after a wager was settled while the round goes on."""
        back = {"settled": self.settled + staked, "bankroll": self.bankroll + staked + net}
        return replace_unchecked(self, **back)

    def end_round(self, cents: int) -> "Place":
        """The seat after a round that returned these cents to it."""
        kept = {"leaves": self.leaves, "why_leaves": self.why_leaves, "last": self.wagers or self.last}
        return replace_unchecked(NOBODY, player=self.player, bankroll=self.bankroll + cents, **kept)


NOBODY = Place("", 0)  # the fields of a seat at the beginning of a round


def check_buy_in(cents: int, has: int, limits: Limits) -> None:
    """Refuse a buy-in that is no amount, or that leaves a seat with too little or too much."""
    if not isinstance(cents, int) or isinstance(cents, bool) or cents <= 0:
        raise Refused(f"A buy-in is a whole number of cents above nothing, not {cents!r}.")
    if has + cents > MAX_WAGER_CENTS:
        raise Refused(f"A bankroll may be at most {dollars(MAX_WAGER_CENTS)}.")
    if has + cents < limits.minimum:
        raise Refused(f"A seat is bought for at least the minimum wager, {dollars(limits.minimum)}.")
