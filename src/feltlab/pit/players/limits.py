"""Limits that players set for themselves: what a day may lose, how long it is played, and a reminder.

A day of play begins with the first wager under a limit, or with the limit if a wager is on the felt then, and
lasts twenty-four hours. A stricter limit holds at once, also for a wager whose player is not ready yet. A
limit that is raised or removed holds for twenty-four hours more. The house's chain records what was set, and
for players with limits the day that counts: its beginning, the money then, and the time played.

A wager is refused if the round could lose more than is left, raises included, so that nobody has to fold for
want of a limit: a round that has begun is played to its end.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from feltlab.core.game import Game
from feltlab.errors import Refused
from feltlab.ledger.event import HOUSE_CHAIN, Draft, Event
from feltlab.pit.seats import Wagers
from feltlab.text import dollars

# Kinds of events.
LIMITS_SET, LIMITS_MOVED, DAY_NOTED = LIMIT_KINDS = ("limits-set", "limits-moved", "play-day-noted")
DAY_SECONDS = 24 * 3600
PAUSE_SECONDS = 300  # the most between two wagers that counts as time played
NOTE_SECONDS = 300  # of play between two notes of the time
SHARED_NOTE_SECONDS = 10  # the same where other servers count the time too
MAX_LOOSER_A_DAY = 20  # changes; stricter limits are always accepted
MAX_LOSS_CENTS = 10_000_000_00
MINUTES = (5, 24 * 60)  # from and to, of a time limit and of a reminder


@dataclass(frozen=True)
class PlayerLimits:
    """The limits of one player; None is no limit."""

    loss: int | None = None  # cents of a day of play
    minutes: int | None = None  # of a day of play
    reminder: int | None = None  # minutes of play between two reality checks

    def __post_init__(self) -> None:
        if self.loss is not None and not 0 < self.loss <= MAX_LOSS_CENTS:
            raise Refused(f"A loss limit is above $0 and at most {dollars(MAX_LOSS_CENTS)}.")
        for what, minutes in (("A time limit", self.minutes), ("A reminder", self.reminder)):
            if minutes is not None and not MINUTES[0] <= minutes <= MINUTES[1]:
                raise Refused(f"{what} is from {MINUTES[0]} to {MINUTES[1]:,} minutes.")

    def is_within(self, other: "PlayerLimits") -> bool:
        """Whether no loss and no time beyond the other limits is possible under these."""
        return _is_within(self.loss, other.loss) and _is_within(self.minutes, other.minutes)

    def is_looser(self, before: "PlayerLimits") -> bool:
        """Whether one of these limits allows more than it did before, or a reminder comes later."""
        return not (self.is_within(before) and _is_within(self.reminder, before.reminder))

    def as_json(self) -> dict[str, int | None]:
        return {"loss": self.loss, "minutes": self.minutes, "reminder": self.reminder}


@dataclass(frozen=True)
class LimitSetting:
    """Limits, and the moment until which they hold, in seconds since 1970."""

    limits: PlayerLimits
    ends: float | None = None  # once others were set: a day after that


@dataclass(frozen=True)
class PlayDay:
    """The day of play that counts for a player's limits."""

    began: float  # seconds since 1970
    cents: int  # the player's money when it began, with refills since
    seconds: float = 0  # played
    last: float | None = None  # the last wager; None after a restart
    noted: float | None = None  # seconds played that are on record; None if the day is not

    def is_over(self, at: float) -> bool:
        return at - self.began >= DAY_SECONDS

    def is_note_due(self, seconds: float) -> bool:
        """Whether the day is not on record, or so many seconds of play are not."""
        return self.noted is None or self.seconds - self.noted >= seconds

    def play(self, at: float) -> "PlayDay":
        """The day after a wager at this moment."""
        gap = 0.0 if self.last is None else min(max(at - self.last, 0.0), PAUSE_SECONDS)
        return replace(self, seconds=self.seconds + gap, last=at)


@dataclass(frozen=True)
class Purse:
    """A player's money: all of it, and what rounds at other seats can still lose."""

    cents: int
    at_risk: int = 0


class LimitBook:
    """The limits of all players who set any, as the house's chain records them."""

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self.clock = clock  # seconds since 1970
        self._settings: dict[str, list[LimitSetting]] = {}
        self._days: dict[str, PlayDay] = {}
        self._loosened: dict[str, list[float]] = {}  # when a player set a looser limit, within a day
        self.is_shared = False  # whether other servers note days too

    def has_limits(self, account: str) -> bool:
        return account in self._settings

    # -- Reading -------------------------------------------------------------------------------------

    def in_force(self, account: str) -> PlayerLimits:
        """For each limit the strictest that holds now; the reminder as it was set last."""
        at, settings = self.clock(), self._settings.get(account, [])
        holding = [each.limits for each in settings if each.ends is None or at < each.ends]
        reminder = settings[-1].limits.reminder if settings else None
        return PlayerLimits(
            _least(limits.loss for limits in holding), _least(limits.minutes for limits in holding), reminder
        )

    def wanted(self, account: str) -> PlayerLimits:
        """The limits that the player set last: in force, or within a day."""
        settings = self._settings.get(account)
        return settings[-1].limits if settings else PlayerLimits()

    def loosens_at(self, account: str) -> float | None:
        """The moment when the limits that were set last replace stricter ones; None if they already do."""
        if self.in_force(account) == self.wanted(account):
            return None
        return max(each.ends for each in self._settings[account] if each.ends is not None)

    def day_of(self, account: str) -> PlayDay | None:
        """The player's present day of play; None before it begins."""
        day = self._days.get(account)
        return None if day is None or day.is_over(self.clock()) else day

    # -- Checking ------------------------------------------------------------------------------------

    def check_wager(self, account: str, purse: Purse, game: Game, wagers: Wagers) -> None:
        """Refuse a wager beyond the player's limits."""
        at = self.clock()
        self._check(account, self._day_at(account, at, purse.cents).play(at), purse, most_lost(game, wagers))

    def check_ready(self, account: str, purse: Purse, game: Game, wagers: Wagers) -> None:
        """Refuse a wager that is on the felt already, if it is beyond a limit that was set since."""
        if beyond := self.describe_excess(account, purse, game, wagers):
            raise Refused(f"{beyond}; take your wager back.")

    def describe_excess(self, account: str, purse: Purse, game: Game, wagers: Wagers) -> str:
        """Why a wager on the felt is beyond a limit that was set since; '' if it is not."""
        day = self._day_at(account, self.clock(), purse.cents)
        try:
            self._check(account, day, purse, most_lost(game, wagers))
        except Refused as refused:
            return str(refused).removesuffix(".")
        return ""

    def note_wager(self, account: str, cents: int) -> tuple[Draft, ...]:
        """Count the time up to a wager of a player who had this money; returns the drafts that are due."""
        at = self.clock()
        day = self._days[account] = self._day_at(account, at, cents).play(at)
        seconds = SHARED_NOTE_SECONDS if self.is_shared else NOTE_SECONDS
        return (_note_day(account, day),) if day.is_note_due(seconds) else ()

    def plan_stop(self) -> tuple[Draft, ...]:
        """The drafts of the time played that is not on record yet, when the server stops."""
        at = self.clock()
        days = {account: day for account, day in self._days.items() if day.last and not day.is_over(at)}
        return tuple(_note_day(account, day.play(at)) for account, day in days.items())

    def _day_at(self, account: str, at: float, cents: int) -> PlayDay:
        """The player's day of play, or the one that begins now."""
        return self.day_of(account) or PlayDay(at, cents)

    def describe_reached(self, account: str, purse: Purse) -> str:
        """The limit that allows no wager now, and until when; '' if none does."""
        day = self.day_of(account)
        return self._describe_reached(self.in_force(account), day, purse) if day else ""

    def _describe_reached(self, limits: PlayerLimits, day: PlayDay, purse: Purse) -> str:
        lost = day.cents - purse.cents
        if limits.minutes is not None and day.seconds >= 60 * limits.minutes:
            said = f"You set a limit of {limits.minutes} minutes a day and have played them"
        elif limits.loss is not None and lost >= limits.loss:
            said = _describe_loss(limits.loss, lost)
        else:
            return ""
        ends = day.began + DAY_SECONDS
        again = f"in {_hours_until(ends - self.clock())}, on {describe_moment(ends)}"
        return f"{said}; the tables are open to you again {again}."

    def _check(self, account: str, day: PlayDay, purse: Purse, risk: int) -> None:
        limits = self.in_force(account)
        if reached := self._describe_reached(limits, day, purse):
            raise Refused(reached)
        if limits.loss is not None:
            _check_loss(limits.loss, day.cents - purse.cents, purse.at_risk, risk)

    # -- Changing ------------------------------------------------------------------------------------

    def plan_limits(self, account: str, limits: PlayerLimits, purse: Purse) -> tuple[Draft, ...]:
        """The drafts of new limits for a player with this money; none if nothing changes.

        The day of play begins at once for a player with wagers on the felt.
        """
        before, at = self.wanted(account), self.clock()
        if limits == before:
            return ()
        looser = [moment for moment in self._loosened.get(account, []) if at - moment < DAY_SECONDS]
        if limits.is_looser(before) and len(looser) >= MAX_LOOSER_A_DAY:
            raise Refused(
                f"Limits can be made looser {MAX_LOOSER_A_DAY} times in 24 hours; a stricter one is possible."
            )
        set_them = Draft(HOUSE_CHAIN, LIMITS_SET, {"account": account, **limits.as_json()})
        begins = purse.at_risk > 0 and self.day_of(account) is None
        return (set_them, _note_day(account, PlayDay(at, purse.cents))) if begins else (set_them,)

    def plan_beside(self, drafts: Iterable[Draft]) -> Iterator[Draft]:
        """The drafts that go with those of the cage: a refill is no win, and limits follow a guest's name."""
        for account, draft in ((draft.data.get("account", ""), draft) for draft in drafts):
            day = self.day_of(account)
            if draft.kind == "issued" and day:
                yield _note_day(account, replace(day, cents=day.cents + draft.data["cents"]))
            if draft.kind == "renamed" and self.has_limits(account):
                yield Draft(HOUSE_CHAIN, LIMITS_MOVED, {"account": account, "to": draft.data["to"]})

    # -- Events --------------------------------------------------------------------------------------

    def reload(self, events: Iterable[Event]) -> None:
        """Forget everything, and follow the events of the house."""
        self._settings.clear()
        self._days.clear()
        self._loosened.clear()
        self.follow(events)

    def follow(self, events: Iterable[Event]) -> None:
        for event in events:
            if event.chain != HOUSE_CHAIN:
                continue
            if event.kind == LIMITS_SET:
                self._set(event.data, datetime.fromisoformat(event.at).timestamp())
            elif event.kind == LIMITS_MOVED:
                self._move(event.data["account"], event.data["to"])
            elif event.kind == DAY_NOTED:
                self._note(event.data, datetime.fromisoformat(event.at).timestamp())

    def _set(self, data: Mapping[str, Any], at: float) -> None:
        account, limits = data["account"], PlayerLimits(data["loss"], data["minutes"], data["reminder"])
        if self.has_limits(account) and limits.is_looser(self.wanted(account)):
            known = self._loosened.get(account, [])
            self._loosened[account] = [*(moment for moment in known if at - moment < DAY_SECONDS), at]
        before = [each for each in self._settings.get(account, []) if each.ends is None or at < each.ends]
        kept = [each for each in before if not limits.is_within(each.limits)]  # others hold nobody back
        ended = [each if each.ends is not None else replace(each, ends=at + DAY_SECONDS) for each in kept]
        self._settings[account] = [*ended, LimitSetting(limits)]

    def _move(self, account: str, to: str) -> None:
        self._settings[to] = self._settings.pop(account, [])
        self._loosened[to] = self._loosened.pop(account, [])
        if day := self._days.pop(account, None):
            self._days[to] = day

    def _note(self, data: Mapping[str, Any], at: float) -> None:
        known = self._days.get(data["account"])
        last = known.last if known and known.began == data["began"] else None
        seconds = noted = float(data["seconds"])
        if self.is_shared and known and known.began == data["began"]:
            last = at if seconds > known.seconds else last  # another server has counted up to here
            seconds = max(seconds, known.seconds)
        self._days[data["account"]] = PlayDay(data["began"], data["cents"], seconds, last, noted)


def most_lost(game: Game, wagers: Wagers) -> int:
    """The most that a round with these wagers can lose: every raise made, and everything lost.

    >>> from feltlab import GAMES
    >>> most_lost(GAMES["casino-war"], {"primary": 1000, "tie": 500})  # a war takes a second $10
    2500
    """
    lost = sum(cents * game.spot(name).most_units for name, cents in wagers.items())
    raises = (spot for spot in game.spots if spot.raises in wagers)
    return lost + sum(int(wagers[spot.raises] * spot.size * spot.most_units) for spot in raises)


def _check_loss(limit: int, lost: int, at_risk: int, risk: int) -> None:
    left = limit - lost - at_risk
    if left <= 0:
        raise Refused(f"{_describe_loss(limit, lost)}; your wagers at other seats can lose the rest.")
    if risk > left:
        more = f"this round can lose {dollars(risk)}, which is more than {dollars(left)}"
        raise Refused(f"{_describe_loss(limit, lost)}; {more}.")


def _least(values: Iterable[int | None]) -> int | None:
    return min((value for value in values if value is not None), default=None)


def _is_within(value: int | None, other: int | None) -> bool:
    return other is None or (value is not None and value <= other)


def _describe_loss(limit: int, lost: int) -> str:
    return f"You set a loss limit of {dollars(limit)} a day and {_describe_result(lost)}"


def _describe_result(lost: int) -> str:
    if lost == 0:
        return "have lost nothing so far"
    return f"have lost {dollars(lost)}" if lost > 0 else f"are {dollars(-lost)} ahead"


def _note_day(account: str, day: PlayDay) -> Draft:
    noted = {"account": account, "began": day.began, "cents": day.cents, "seconds": int(day.seconds)}
    return Draft(HOUSE_CHAIN, DAY_NOTED, noted)


def describe_moment(seconds: float) -> str:
    """A moment in seconds since 1970: '17 November, 16:20 UTC'."""
    at = datetime.fromtimestamp(seconds, UTC)
    return f"{at.day} {at:%B, %H:%M} UTC"


def _hours_until(seconds: float) -> str:
    """'3 h 20 min'"""
    minutes = max(1, round(seconds / 60))
    return f"{minutes // 60} h {minutes % 60} min" if minutes >= 60 else f"{minutes} min"
