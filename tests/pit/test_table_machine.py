"""Any acts in any order, legal or not, at a table of any game: it refuses with a sentence or goes on."""

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

import orjson
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from feltlab.core.cards import name
from feltlab.core.deal import Deal
from feltlab.core.game import Game
from feltlab.core.limits import Limits
from feltlab.errors import Refused
from feltlab.pit.seats import Phase, Timers
from feltlab.pit.shufflers.install import install_machines
from feltlab.pit.table import Table
from feltlab.pit.view import view
from feltlab.shuffling import machine as shuffler
from feltlab.shuffling.machine import FAULTS
from tests.support import strategies  # noqa: F401  (its profile)
from tests.support.felt import CARD, MONEY, Felt, leaves, wagers
from tests.support.game_strategies import games
from tests.support.prepared import SHARED

BETTING, NO_MORE_BETS, DEALING, CHOOSING = Phase.BETTING, Phase.NO_MORE_BETS, Phase.DEALING, Phase.CHOOSING
PAYING, REVEAL, SETTLING, CLOSED = Phase.PAYING, Phase.REVEAL, Phase.SETTLING, Phase.CLOSED

# Where a phase leads: on, or to the end of a round that is void.
LEADS = {
    CLOSED: {SETTLING},
    BETTING: {NO_MORE_BETS, SETTLING, CLOSED},
    NO_MORE_BETS: {DEALING, SETTLING},
    DEALING: {CHOOSING, PAYING, REVEAL, SETTLING},
    PAYING: {DEALING, CHOOSING, PAYING, REVEAL, SETTLING},
    CHOOSING: {DEALING, PAYING, REVEAL, SETTLING},
    REVEAL: {SETTLING},
    SETTLING: {BETTING, CLOSED},
}
PLAYERS = ("ann", "bob", "cay")
players = st.sampled_from(PLAYERS)
seats = st.one_of(st.integers(0, 6), st.integers(0, 2), st.sampled_from([-1, 7, True, 1.0, None, "1"]))
ODD = [0, -500, 550, 501, 10**9, 10**13, 10**30, True, 500.0, "500", None]
amounts = st.one_of(st.integers(5, 50).map(lambda units: 100 * units), st.sampled_from(ODD))
seconds = st.sampled_from([None, 0, 5.0])


class TableMachine(RuleBasedStateMachine):
    felt: Felt

    def __init__(self) -> None:
        super().__init__()
        self.patch = pytest.MonkeyPatch()

    def teardown(self) -> None:
        self.patch.undo()

    @initialize(
        game=games(), maximum=st.sampled_from([1000, 5000, 40_000]), seed=st.integers(0), data=st.data()
    )
    def opens(self, game: Game, maximum: int, seed: int, data: st.DataObject) -> None:
        """A shuffler cannot be seeded; here its draws are, so that what was found can be found again."""
        draws = Random(seed)
        self.patch.setattr(
            shuffler, "draw_descending", lambda count: map(draws.randrange, range(count, 1, -1))
        )
        timers = Timers(*(data.draw(seconds) for _ in range(6)))
        self.felt = Felt(game, Limits(500, maximum, 100), timers)
        for seat, player in enumerate(data.draw(st.lists(players, unique=True))):
            self.felt.sit(player, 2 * seat, MONEY)

    def does(self, change: Callable[[Table], Table]) -> None:
        """An act, or a refusal that leaves everything as it was."""
        before, written = self.felt.table, len(self.felt.record.events)
        sentence = ""
        try:
            self.felt.act(change)
        except Refused as refusal:
            sentence = str(refusal)
        if sentence:
            assert sentence.endswith(".")
            assert self.felt.table is before
            assert len(self.felt.record.events) == written
        self.follows(before, written)

    def follows(self, table: Table, written: int) -> None:
        """Event by event, each phase leads where it may."""
        for event in self.felt.record.events[written:]:
            after = table.after(event)
            assert after.phase == table.phase or after.phase in LEADS[table.phase], event
            table = after

    # -- What players do -----------------------------------------------------------------------------

    @precondition(lambda self: None in self.felt.places)
    @rule(data=st.data())
    def somebody_sits(self, data: st.DataObject) -> None:
        free = [seat for seat, place in enumerate(self.felt.places) if place is None]
        seat, player = data.draw(st.sampled_from(free)), data.draw(players)
        self.does(lambda table: table.sit(player, seat, data.draw(st.sampled_from([5000, MONEY]))))

    @precondition(lambda self: self.felt.phase == BETTING)
    @rule(units=st.integers(1, 3), skipped=st.sets(st.integers(0, 6), max_size=2))
    def everyone_wagers(self, units: int, skipped: set[int]) -> None:
        put = wagers(self.felt.game, self.felt.limits, units)
        for seat, place in enumerate(self.felt.places):
            if place and seat not in skipped:
                self.does(lambda table, who=place.player, seat=seat: table.wager(who, seat, put))

    @precondition(lambda self: self.felt.phase == BETTING and any(self.felt.places))
    @rule()
    def everyone_is_ready(self) -> None:
        for seat, place in enumerate(self.felt.places):
            if place:
                self.does(lambda table, who=place.player, seat=seat: table.ready(who, seat))

    @precondition(lambda self: self.felt.phase == CHOOSING)
    @rule(data=st.data())
    def somebody_chooses(self, data: st.DataObject) -> None:
        turn = self.felt.turn
        choice = data.draw(st.sampled_from(self.felt.rounds[turn].choices))
        self.does(lambda table: table.choose(table.places[turn].player, turn, choice))  # type: ignore[union-attr]

    @precondition(lambda self: any(self.felt.places))
    @rule(data=st.data())
    def somebody_leaves(self, data: st.DataObject) -> None:
        taken = [seat for seat, place in enumerate(self.felt.places) if place]
        seat = data.draw(st.sampled_from(taken))
        self.does(lambda table: table.leave(table.places[seat].player, seat))  # type: ignore[union-attr]

    # -- What anybody may try ------------------------------------------------------------------------

    @rule(player=players, seat=seats, data=st.data())
    def somebody_tries_anything(self, player: str, seat: Any, data: st.DataObject) -> None:
        act = data.draw(st.sampled_from(["sit", "buy", "leave", "wager", "ready", "choose"]))
        spots = st.sampled_from([*(spot.name for spot in self.felt.game.spots), "nothing"])
        choices = st.sampled_from([*(choice.name for choice in self.felt.game.choices), "", "sing", None, 1])
        more = {"sit": amounts, "buy": amounts, "choose": choices}
        more["wager"] = st.dictionaries(spots, amounts, max_size=3)
        words = [data.draw(more[act])] if act in more else []
        self.does(lambda table: getattr(table, act)(player, seat, *words))

    # -- What the house does -------------------------------------------------------------------------

    @precondition(lambda self: self.felt.bettors or self.felt.phase == SETTLING)
    @rule(phases=st.integers(1, 4))
    def time_passes(self, phases: int) -> None:
        for _ in range(phases):
            self.does(lambda table: table.time_is_up())

    @rule()
    def the_clock_strikes(self) -> None:
        self.does(lambda table: table.time_is_up())

    @rule(
        act=st.one_of(
            st.just(("no_more_bets", "boss")),
            st.sampled_from(["Spill.", " "]).map(lambda reason: ("void", "boss", reason)),
            st.sampled_from(["", "Odd."]).map(lambda alarm: ("with_alarm", alarm)),
        )
    )
    def the_house_acts(self, act: tuple[str, ...]) -> None:
        self.does(lambda table: getattr(table, act[0])(*act[1:]))

    @precondition(lambda self: self.felt.bettors)
    @rule(fault=st.sampled_from([*FAULTS, "fire"]))
    def the_house_drills(self, fault: str) -> None:
        self.does(lambda table: table.drill("boss", fault))

    @precondition(lambda self: self.felt.machines.why_waiting)
    @rule(step=st.integers(1, 8), skips=st.booleans())
    def the_dealer_serves_the_shuffler(self, step: int, skips: bool) -> None:
        due = step if skips else self.felt.machines.step + 1
        self.does(lambda table: table.confirm_step("dan", due))
        self.does(lambda table: table.consult_guide("dan"))
        self.does(lambda table: table.deal_by_hand("boss", "Both machines are out."))

    @rule(name=st.sampled_from(["main", "backup", "third"]), passed=st.booleans())
    def a_shuffler_is_tested(self, name: str, passed: bool) -> None:
        self.does(lambda table: table.test_shuffler("boss", name, passed))

    @precondition(lambda self: self.felt.round > 2)
    @rule(act=st.sampled_from(["close", "stop"]))
    def the_table_ends(self, act: str) -> None:
        self.does(lambda table: getattr(table, act)("boss", "Night."))

    @precondition(lambda self: self.felt.phase == CLOSED)
    @rule()
    def the_table_opens_again(self) -> None:
        """As the pit does it."""
        old = self.felt.table
        going_on = {"cycles": old.cycles, "round": old.round, "meters": old.meters}
        for machine in ("main", "backup"):
            if old.machines[machine].out:
                self.does(lambda table, machine=machine: table.test_shuffler("boss", machine))
        machines = install_machines(old.game, old.name, self.felt.table.machines)
        fresh = Table(old.name, old.game, old.limits, old.timers, machines=machines, **going_on)
        self.does(lambda _: fresh.open("boss", 2))

    # -- What everybody sees -------------------------------------------------------------------------

    @invariant()
    def views_show_nothing_that_may_not_be_seen(self) -> None:
        for viewer in ("", *PLAYERS):
            shown = view(self.felt.table, viewer)
            assert orjson.loads(orjson.dumps(shown))["phase"] == self.felt.phase
            links = [seat.pop("position", "") for seat in shown["seats"]]
            cards = Counter(card for part in ("seats", "dealer") for card in named(shown[part]))
            assert not cards - Counter(may_see(self.felt.table, viewer)), (viewer, shown)
            assert set(named(links)) <= {*cards, *named(shown["board"])}


def named(data: Any) -> list[str]:
    return [card for leaf in leaves(data) for card in CARD.findall(leaf)]


def may_see(table: Table, viewer: str) -> list[str]:
    """The cards of one's own hand and those that the dealer shows; in the end, all that were dealt."""
    if table.phase in (CLOSED, NO_MORE_BETS):
        return []
    deal = table.deal or table.last_deal
    if deal is None:
        return []
    if table.phase not in (DEALING, CHOOSING):
        return [name(card) for _, card in deal.dealt]
    own = [name(card) for who, card in deal.dealt if who >= 0 and deal.seats[who].player == viewer]
    return own + shared_shows(deal)


def shared_shows(deal: Deal) -> list[str]:
    """What the rules let the seat see that has to choose, and no card that is not on the table."""
    has = {name(card) for who, card in deal.dealt if who in SHARED}
    rounds = deal.rounds if deal.turn is None else [deal.rounds[deal.turn]]
    shared = {pair for round in rounds for pair in enumerate(round.seen[deal.game.own_places :])}
    shows = [name(card) for _, card in shared if card >= 0]
    assert {*shows} <= has
    return shows


TestTableMachine = TableMachine.TestCase
TestTableMachine.settings = settings(max_examples=80, stateful_step_count=40, deadline=None)
