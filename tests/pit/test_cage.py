"""The cage: money is conserved, nobody has less than nothing, and a fold from any standing is the same."""

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from feltlab.core.amounts import MAX_WAGER_CENTS
from feltlab.digests import canonical_json
from feltlab.errors import Refused, Unknown
from feltlab.ledger.event import CAGE_CHAIN, GENESIS, Draft, Event, now
from feltlab.pit import cage as cage_module
from feltlab.pit.cage import MAX_PAYOUT_CENTS, REFILL_BELOW_CENTS, WELCOME_CENTS, Cage
from tests.support.chains import chain_event

TABLE = ("war-1", 2)


class Chain:
    """A cage, and all that was written in its chain."""

    def __init__(self):
        self.cage, self.events = Cage(), []

    def write(self, drafts):
        for draft in drafts:
            before = self.events[-1].digest if self.events else GENESIS
            event = chain_event(draft, len(self.events), before, now())
            self.events.append(event)
            self.cage.after(event)


@pytest.fixture
def chain():
    chain = Chain()
    chain.write(chain.cage.plan_welcome("ann"))
    return chain


def state(cage):
    return dict(cage.balances), cage.issued, cage.at_tables, cage.number


# -- Acts -------------------------------------------------------------------------------------------


def test_a_first_visit_is_worth_a_thousand_dollars_and_a_second_nothing(chain):
    assert chain.cage.balance("ann") == WELCOME_CENTS == 100_000
    assert chain.cage.plan_welcome("ann") == ()
    assert chain.events[0].data == {"account": "ann", "cents": 100_000, "why": "welcome"}


def test_who_has_lost_everything_is_not_welcomed_again(chain):
    chain.write(chain.cage.plan_pay_in("ann", *TABLE, WELCOME_CENTS))
    assert chain.cage.balance("ann") == 0
    assert chain.cage.plan_welcome("ann") == ()


def test_a_buy_in_leaves_the_balance_and_comes_back(chain):
    chain.write(chain.cage.plan_pay_in("ann", *TABLE, 30_000))
    assert (chain.cage.balance("ann"), chain.cage.at_tables) == (70_000, 30_000)
    chain.write(chain.cage.plan_pay_out("ann", *TABLE, 45_000))  # $150 were won
    assert (chain.cage.balance("ann"), chain.cage.at_tables) == (115_000, -15_000)
    assert chain.cage.issued == 100_000
    assert chain.events[1].data == {"account": "ann", "table": "war-1", "seat": 2, "cents": 30_000}


def test_a_plan_changes_nothing(chain):
    before = state(chain.cage)
    chain.cage.plan_pay_in("ann", *TABLE, 30_000)
    chain.cage.plan_welcome("bob")
    chain.cage.plan_snapshot()
    assert state(chain.cage) == before


def test_nobody_buys_in_for_more_than_there_is(chain):
    with pytest.raises(Refused, match=r"^\$1,000.01 is more than the \$1,000 of ann\.$"):
        chain.cage.plan_pay_in("ann", *TABLE, WELCOME_CENTS + 1)


def test_a_refill_tops_up_what_is_below_a_hundred_dollars(chain):
    chain.write(chain.cage.plan_pay_in("ann", *TABLE, WELCOME_CENTS - REFILL_BELOW_CENTS))
    with pytest.raises(Refused, match=r"below \$100, and ann has \$100\.$"):
        chain.cage.plan_refill("ann")
    chain.write(chain.cage.plan_pay_in("ann", *TABLE, 1))
    chain.write(chain.cage.plan_refill("ann"))
    assert chain.cage.balance("ann") == WELCOME_CENTS
    assert chain.events[-1].data["cents"] == WELCOME_CENTS - REFILL_BELOW_CENTS + 1


def test_the_cage_refuses_whom_it_does_not_know():
    cage = Cage()
    for act in (
        lambda: cage.balance("ann"),
        lambda: cage.plan_refill("ann"),
        lambda: cage.plan_pay_in("ann", *TABLE, 1),
        lambda: cage.plan_pay_out("ann", *TABLE, 1),
    ):
        with pytest.raises(Unknown, match=r"^The cage does not know ann\.$"):
            act()


@pytest.mark.parametrize(
    "cents", [0, -1, True, False, 1.0, 0.5, float("nan"), "1", None, MAX_WAGER_CENTS + 1]
)
def test_an_amount_is_a_whole_number_of_cents(chain, cents):
    for act in (
        lambda: chain.cage.plan_issue("ann", cents, "gift"),
        lambda: chain.cage.plan_pay_in("ann", *TABLE, cents),
        lambda: chain.cage.plan_pay_out(
            "ann", *TABLE, MAX_PAYOUT_CENTS + 1 if cents == MAX_WAGER_CENTS + 1 else cents
        ),
    ):
        with pytest.raises(Refused, match="whole number of cents"):
            act()


def test_whoever_has_won_more_than_can_be_bought_in_for_can_leave(chain):
    chain.write(chain.cage.plan_pay_out("ann", *TABLE, MAX_WAGER_CENTS + 1))
    assert chain.cage.balance("ann") > MAX_WAGER_CENTS


def test_the_largest_amount_is_taken(chain):
    chain.write(chain.cage.plan_issue("ann", MAX_WAGER_CENTS, "gift"))
    assert chain.cage.balance("ann") == MAX_WAGER_CENTS + WELCOME_CENTS


def test_balances_cannot_be_written_to(chain):
    with pytest.raises(TypeError):
        chain.cage.balances["ann"] = 10**9


# -- The fold ---------------------------------------------------------------------------------------


def test_a_standing_is_due_after_so_many_events(chain, monkeypatch):
    monkeypatch.setattr(cage_module, "SNAPSHOT_EVENTS", 3)
    chain.write(chain.cage.plan_issue("ann", 1, "gift"))
    assert not chain.cage.is_snapshot_due
    chain.write(chain.cage.plan_issue("ann", 1, "gift"))
    assert chain.cage.is_snapshot_due
    chain.write(chain.cage.plan_snapshot())
    assert not chain.cage.is_snapshot_due


def test_an_event_that_does_not_follow_is_refused(chain):
    draft = Draft(CAGE_CHAIN, "issued", {"account": "ann", "cents": 1, "why": "gift"})
    for number in (0, 2):  # so that the event is the first again, or the third
        with pytest.raises(Refused, match="does not follow"):
            chain.cage.after(chain_event(draft, number, "", now()))
    assert chain.cage.balance("ann") == WELCOME_CENTS


@pytest.mark.parametrize(("name", "kind"), [("house", "issued"), (CAGE_CHAIN, "stolen")])
def test_an_event_of_another_chain_or_kind_is_refused(chain, name, kind):
    with pytest.raises(Refused, match="is not an event of the cage"):
        chain.cage.after(chain_event(Draft(name, kind, {"account": "ann", "cents": 1}), 1, "", now()))


def test_an_event_that_would_leave_less_than_nothing_changes_nothing(chain):
    before = state(chain.cage)
    data = {"account": "ann", "table": "war-1", "seat": 2, "cents": WELCOME_CENTS + 1}
    with pytest.raises(Refused, match=r"would have -\$0\.01"):
        chain.cage.after(chain_event(Draft(CAGE_CHAIN, "to-table", data), 1, "", now()))
    assert state(chain.cage) == before


def test_a_standing_that_is_not_what_happened_is_refused(chain):
    (old,) = chain.cage.plan_snapshot()
    chain.write(chain.cage.plan_issue("bob", 1, "gift"))
    with pytest.raises(Refused, match="not the sum of its events"):
        chain.write([old])


def test_a_standing_that_makes_money_is_refused():
    data = {"balances": {"ann": 5}, "issued": 4, "at_tables": 0}
    with pytest.raises(Refused, match="does not conserve money"):
        Cage.from_events([Event(CAGE_CHAIN, 7, "standing", 0, now(), data)])


def test_a_fold_that_begins_in_the_middle_without_a_standing_is_refused(chain):
    chain.write(chain.cage.plan_issue("ann", 1, "gift"))
    with pytest.raises(Refused, match="does not follow"):
        Cage.from_events(chain.events[1:])


def test_every_event_is_json(chain):
    chain.write(chain.cage.plan_pay_in("ann", *TABLE, 1))
    chain.write(chain.cage.plan_snapshot())
    assert all(canonical_json(event.data) for event in chain.events)


NAMES = st.sampled_from(["ann", "bob", "guest-7f3a9-c2k4m"])
CENTS = st.one_of(st.integers(1, 2 * WELCOME_CENTS), st.sampled_from([1, MAX_WAGER_CENTS]))


class CageMachine(RuleBasedStateMachine):
    """Held to a purse of each account, and one of all tables, moved by hand."""

    def __init__(self):
        super().__init__()
        self.chain = Chain()
        self.purses, self.tables, self.issued = {}, 0, 0

    @property
    def cage(self):
        return self.chain.cage

    @rule(name=NAMES)
    def welcome(self, name):
        self.chain.write(self.cage.plan_welcome(name))
        if name not in self.purses:
            self.purses[name] = WELCOME_CENTS
            self.issued += WELCOME_CENTS

    @rule(name=NAMES, cents=CENTS)
    def issue(self, name, cents):
        self.chain.write(self.cage.plan_issue(name, cents, "gift"))
        self.purses[name] = self.purses.get(name, 0) + cents
        self.issued += cents

    @rule(name=NAMES)
    def refill(self, name):
        if self.purses.get(name, REFILL_BELOW_CENTS) >= REFILL_BELOW_CENTS:
            with pytest.raises(Refused):
                self.cage.plan_refill(name)
            return
        self.chain.write(self.cage.plan_refill(name))
        self.issued += WELCOME_CENTS - self.purses[name]
        self.purses[name] = WELCOME_CENTS

    @rule(name=NAMES, cents=CENTS)
    def pay_in(self, name, cents):
        if cents > self.purses.get(name, 0):
            with pytest.raises(Refused):
                self.cage.plan_pay_in(name, *TABLE, cents)
            return
        self.chain.write(self.cage.plan_pay_in(name, *TABLE, cents))
        self.purses[name] -= cents
        self.tables += cents

    @rule(name=NAMES)
    def pay_all_in(self, name):
        if self.purses.get(name, 0) in range(1, MAX_WAGER_CENTS + 1):
            self.pay_in(name, self.purses[name])

    @rule(name=NAMES, cents=CENTS)
    def pay_out(self, name, cents):
        if name in self.purses:
            self.chain.write(self.cage.plan_pay_out(name, *TABLE, cents))
            self.purses[name] += cents
            self.tables -= cents

    @rule()
    def stand(self):
        self.chain.write(self.cage.plan_snapshot())

    @rule()
    def restart(self):
        self.chain.cage = Cage.from_events(self.chain.events)

    @rule()
    def restart_from_a_standing(self):
        standings = [n for n, event in enumerate(self.chain.events) if event.kind == "standing"]
        for n in standings:
            assert state(Cage.from_events(self.chain.events[n:])) == state(self.cage)

    @invariant()
    def money_is_conserved(self):
        assert state(self.cage) == (self.purses, self.issued, self.tables, len(self.chain.events))
        assert self.cage.issued == sum(self.cage.balances.values()) + self.cage.at_tables

    @invariant()
    def nobody_has_less_than_nothing(self):
        assert all(balance >= 0 for balance in self.cage.balances.values())


TestCage = CageMachine.TestCase
TestCage.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)
