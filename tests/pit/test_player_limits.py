"""Limits that players set for themselves: what holds when, and which wager they refuse."""

from datetime import UTC, datetime

import pytest

from feltlab.errors import Refused
from feltlab.games import GAMES
from feltlab.ledger.event import CAGE_CHAIN, Draft, Event
from feltlab.pit.players.limits import (
    DAY_SECONDS,
    MAX_LOOSER_A_DAY,
    LimitBook,
    PlayerLimits,
    Purse,
    most_lost,
)

WAR = GAMES["casino-war"]
HOUR = 3600.0


class Player:
    """A player with a book, a clock and money."""

    def __init__(self, money: int = 100_000) -> None:
        self.now, self.money, self.number = 1_000_000.0, money, 0
        self.book = LimitBook(lambda: self.now)
        self.written: list[Event] = []

    def write(self, drafts) -> None:
        for draft in drafts:
            self.number += 1
            at = datetime.fromtimestamp(self.now, UTC).isoformat()
            event = Event(draft.chain, self.number, draft.kind, 0, at, draft.data)
            self.written.append(event)
            self.book.follow([event])

    def set(self, loss=None, minutes=None, reminder=None, at_risk=0) -> None:
        limits = PlayerLimits(loss, minutes, reminder)
        self.write(self.book.plan_limits("ann", limits, Purse(self.money, at_risk)))

    def wager(self, cents=1_000, at_risk=0, **more) -> None:
        self.book.check_wager("ann", Purse(self.money, at_risk), WAR, {"primary": cents, **more})
        self.write(self.book.note_wager("ann", self.money))

    def ready(self, cents=1_000) -> None:
        self.book.check_ready("ann", Purse(self.money), WAR, {"primary": cents})

    def restart(self) -> None:
        self.book = LimitBook(lambda: self.now)
        self.book.reload(self.written)


@pytest.fixture
def player() -> Player:
    return Player()


@pytest.mark.parametrize(
    ("game", "wagers", "cents"),
    [
        ("casino-war", {"primary": 1_000, "tie": 500}, 2_500),  # a war takes the Primary again
        ("ultimate-texas-holdem", {"ante": 1_000, "blind": 1_000}, 6_000),  # and four times the Ante
        ("rabbit-hunter", {"ante": 1_000}, 3_000),  # Play, and the price of the sixth card
        ("triple-shot-bonus", {"blackjack": 1_000}, 2_500),  # doubled or split, and insured for half
    ],
)
def test_the_most_that_a_round_can_lose(game, wagers, cents) -> None:
    assert most_lost(GAMES[game], wagers) == cents


def test_a_wager_that_could_lose_more_than_is_left_is_refused(player) -> None:
    player.set(loss=5_000)
    player.wager(2_500)  # a war would take all of it
    with pytest.raises(
        Refused, match=r"lost nothing so far; this round can lose \$52, which is more than \$50\."
    ):
        player.wager(2_600)
    player.money -= 3_500
    player.wager(700)
    with pytest.raises(Refused, match=r"You set a loss limit of \$50 a day and have lost \$35; this round"):
        player.wager(800)
    with pytest.raises(Refused, match=r"more than \$5\."):
        player.wager(500, at_risk=1_000)  # at another seat
    with pytest.raises(Refused, match=r"your wagers at other seats can lose the rest\."):
        player.wager(500, at_risk=1_500)
    player.money -= 1_500
    with pytest.raises(Refused, match=r"open to you again in 24 h 0 min, on 13 January, 13:46 UTC\."):
        player.wager(500)
    player.now += DAY_SECONDS
    player.wager(2_500)  # a new day


def test_a_win_is_added_to_what_may_be_lost(player) -> None:
    player.set(loss=2_000)
    player.wager(1_000)
    player.money += 3_000
    player.wager(2_500)
    with pytest.raises(Refused, match=r"are \$30 ahead"):
        player.wager(2_600)


def test_only_time_at_play_counts(player) -> None:
    player.set(minutes=30)
    for _ in range(29):
        player.wager()
        player.now += 60
    player.now += 5 * HOUR  # a pause counts as five minutes at most
    with pytest.raises(Refused, match=r"You set a limit of 30 minutes a day and have played them"):
        player.wager()


def test_a_stricter_limit_holds_at_once_and_a_looser_one_after_a_day(player) -> None:
    player.set(loss=5_000, minutes=60)
    player.now += HOUR
    player.set(loss=3_000, minutes=90, reminder=20)
    assert player.book.in_force("ann") == PlayerLimits(3_000, 60, 20)
    assert player.book.loosens_at("ann") == pytest.approx(player.now + DAY_SECONDS)
    player.set()  # removes everything
    assert player.book.in_force("ann") == PlayerLimits(3_000, 60)
    player.now += DAY_SECONDS - 1
    player.restart()
    assert player.book.in_force("ann") == PlayerLimits(3_000, 60)
    player.now += 2
    assert player.book.in_force("ann") == PlayerLimits()
    assert player.book.loosens_at("ann") is None


def test_a_restart_forgets_neither_the_loss_nor_the_time(player) -> None:
    player.set(loss=5_000, minutes=60)
    for _ in range(12):
        player.wager()
        player.now += 60
    player.money -= 4_500
    player.restart()
    with pytest.raises(Refused, match=r"have lost \$45"):
        player.wager(1_000)
    assert player.book.day_of("ann").seconds == pytest.approx(10 * 60, abs=300)


def test_a_refill_is_no_win_and_a_new_name_keeps_the_limits(player) -> None:
    player.set(loss=100_000)
    player.wager()
    player.money = 5_000
    issued = Draft(CAGE_CHAIN, "issued", {"account": "ann", "cents": 95_000, "why": "refill"})
    player.write(player.book.plan_beside([issued]))
    player.money += 95_000
    with pytest.raises(Refused, match=r"have lost \$950"):
        player.wager(3_000)
    renamed = Draft(CAGE_CHAIN, "renamed", {"account": "ann", "to": "bob", "cents": 100_000})
    player.write(player.book.plan_beside([renamed]))
    assert player.book.in_force("bob").loss == 100_000
    assert player.book.day_of("bob").cents == 195_000
    assert not player.book.has_limits("ann")


@pytest.mark.parametrize("limits", [{"loss": 0}, {"loss": 10**12}, {"minutes": 4}, {"reminder": 1441}])
def test_limits_that_mean_nothing_are_refused(player, limits) -> None:
    with pytest.raises(Refused):
        player.set(**limits)


def test_the_same_limits_write_nothing_and_changes_are_few(player) -> None:
    player.set(loss=5_000)
    written = len(player.written)
    player.set(loss=5_000)
    assert len(player.written) == written
    for cents in range(1, MAX_LOOSER_A_DAY + 1):
        player.set(loss=5_000 + cents)
    player.restart()
    with pytest.raises(Refused, match="looser 20 times in 24 hours"):
        player.set(loss=6_000)
    for cents in range(MAX_LOOSER_A_DAY):  # a stricter one is always possible
        player.set(loss=1_000 - cents)
        assert player.book.in_force("ann").loss == 1_000 - cents
    player.now += DAY_SECONDS
    player.set(loss=6_000)


def test_a_day_begins_with_the_first_wager_under_a_limit(player) -> None:
    player.set(loss=5_000)
    assert player.book.day_of("ann") is None
    player.now += DAY_SECONDS - 60
    player.wager(2_500)
    player.money -= 5_000
    player.now += 61  # a day after the limit was set, not after the wager
    with pytest.raises(Refused, match=r"have lost \$50; the tables are open to you again in 23 h 59 min,"):
        player.wager(500)


def test_a_wager_on_the_felt_begins_the_day_with_the_limit(player) -> None:
    player.set(loss=5_000, at_risk=8_000)
    player.money -= 4_500
    with pytest.raises(Refused, match=r"have lost \$45"):
        player.wager(500)


def test_a_refused_wager_begins_no_day(player) -> None:
    player.set(loss=5_000)
    with pytest.raises(Refused):
        player.wager(9_000)
    assert player.book.day_of("ann") is None


def test_a_stricter_limit_is_checked_again_when_the_player_is_ready(player) -> None:
    player.set(loss=5_000, minutes=60)
    player.wager(2_500)
    player.now += 59 * 60  # nobody is refused a round for the time since the wager
    player.ready(2_500)
    player.set(loss=3_000, minutes=60)
    with pytest.raises(Refused, match=r"can lose \$50, which is more than \$30; take your wager back\."):
        player.ready(2_500)


def test_a_stop_of_the_server_notes_the_time_played(player) -> None:
    player.set(minutes=5)
    for _ in range(2):
        for _ in range(2):
            player.wager()
            player.now += 75
        player.write(player.book.plan_stop())
        player.restart()
    with pytest.raises(Refused, match="5 minutes a day and have played them"):
        player.wager()
