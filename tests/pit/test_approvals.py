"""Approvals: only the acts of a regime, in order, bring a game into force, and only as it was approved."""

import json
from dataclasses import replace
from datetime import date, timedelta
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from feltlab.core.game import Game
from feltlab.core.limits import Limits
from feltlab.digests import canonical_json, digest_json
from feltlab.errors import Refused, Unknown
from feltlab.games import GAMES
from feltlab.games.rules_history import RulesChange
from feltlab.ledger.event import GENESIS, Draft, Event
from feltlab.pit.approvals import (
    CARRIED_OVER,
    DEMO,
    DRAFTED,
    LAPSED,
    STEP,
    Approval,
    Approvals,
    House,
    approve_all,
    check_limits,
)
from feltlab.pit.approvals import register as approvals
from feltlab.pit.regimes import DEMONSTRATOR, Taker, load_regimes, regime_of
from feltlab.pit.roles import Forbidden, Side
from feltlab.submission.packet import describe_version
from feltlab.submission.venues import venue, venues
from tests.support import (
    approving,
    strategies,  # noqa: F401  (its profile: time fails no test)
)
from tests.support.approving import ANN, MAY, RITA, TOM, drafted, prepared, step, taker_for
from tests.support.chains import chain_event, follows

WAR = GAMES["casino-war"]
BONUS = GAMES["triple-shot-bonus"]
EIGHT_DECKS = WAR.with_options({"decks": "8"})
GENEROUS = WAR.with_pays("tie", {"tie": Fraction(11)})
ROOM = House.of("The card room", "commercial")
CASINO = House.of("The casino", "tribal")
DAY = date(2024, 3, 1)
DAYS = timedelta(days=1)

# The two regimes once more, by hand: from each state, what each act leads to.
ENDS = {"refuse": "refused", "withdraw": "withdrawn"}
IN_FORCE = {"withdraw": "withdrawn", "revoke": "revoked", "lapse": "lapsed"}
OVER: dict[str, dict[str, str]] = {"refused": {}, "withdrawn": {}, "revoked": {}, "lapsed": {}}
MADE: dict[str, dict[str, dict[str, str]]] = {
    "commercial": {
        "drafted": {"submit": "submitted", **ENDS},
        "submitted": {"approve": "approved", **ENDS},
        "approved": {"attach": "approved", **IN_FORCE},
        **OVER,
    },
    "tribal": {
        "requested": {"approve": "approved by the agency", **ENDS},
        "approved by the agency": {"request-concurrence": "concurrence requested", **ENDS},
        "concurrence requested": {"concur": "concurred", **ENDS},
        "concurred": {"attach": "concurred", **IN_FORCE},
        **OVER,
    },
}
START = prepared(WAR, GENEROUS, BONUS)
FIRST = {"commercial": "drafted", "tribal": "requested"}
FINAL = {"commercial": "approved", "tribal": "concurred"}
ACTS = sorted({act for states in MADE.values() for acts in states.values() for act in acts})


def events_of(register: Approvals) -> list[Event]:
    """What a ledger gives back: the drafts chained, written as JSON and read again."""
    events: list[Event] = []
    for number, draft in enumerate(register.unwritten):
        before = events[-1].digest if events else GENESIS
        event = chain_event(draft, number, before, "2024-03-01T12:00:00.000000+00:00")
        again = replace(event, data=json.loads(canonical_json(event.data)))
        assert follows(again, before)
        events.append(again)
    return events


def folded(events: list[Event]) -> Approvals:
    register = Approvals()
    for event in events:
        register = register.after(event)
    return register


def approved(house: House = ROOM, game: Game = WAR, **days: Any) -> Approvals:
    """A register with one approval that has come all the way."""
    return approving.approved(house, game, DAY, **days)


def draft(house: House = ROOM, game: Game = WAR, register: Approvals = START, **days: Any) -> Approvals:
    return drafted(register, house, game, DAY, **days)


def refusal(register: Approvals, house: House = ROOM, game: Game = WAR, day: date = DAY) -> str:
    with pytest.raises(Refused) as refused:
        register.find(house, game, day)
    return str(refused.value)


def retold(register: Approvals, **told: Any) -> Approvals:
    """The register as if something else had been written down when its approvals were drafted."""
    events = events_of(register)
    return folded([replace(e, data={**e.data, **told}) if e.kind == DRAFTED else e for e in events])


def older(register: Approvals) -> Approvals:
    """The register as if the rules had had other sources then."""
    return retold(register, digest="0" * 64)


# -- Regimes ----------------------------------------------------------------------------------------


def test_every_kind_of_venue_has_a_regime() -> None:
    assert load_regimes().keys() == venues().keys() == MADE.keys()
    with pytest.raises(Unknown, match="'floating' is not a venue"):
        regime_of("floating")


@pytest.mark.parametrize("kind", MADE)
def test_a_regime_is_exactly_its_drawing(kind: str) -> None:
    drawn = MADE[kind]
    told = {state: {act.name: act.state for act in regime_of(kind).possible_steps(state)} for state in drawn}
    assert told == drawn
    assert {act.state for act in regime_of(kind).steps} == drawn.keys()
    assert [act.state for act in regime_of(kind).steps if not act.after] == [FIRST[kind]]
    assert regime_of(kind).offers == FINAL[kind]


@pytest.mark.parametrize("kind", MADE)
def test_a_path_leads_from_the_first_state_to_the_one_that_offers(kind: str) -> None:
    path = regime_of(kind).path
    assert (path[0].state, path[-1].state) == (FIRST[kind], FINAL[kind])
    assert [act.after for act in path[1:]] == [(act.state,) for act in path[:-1]]


def test_the_state_has_the_last_word() -> None:
    assert [regime_of(kind).path[-1].responsible for kind in MADE] == ["Gambling Commission"] * 2
    assert regime_of("tribal").path[1].responsible == "Tribal Gaming Agency"


class Walk(RuleBasedStateMachine):
    """Any acts on any days, in any order, against the drawing above."""

    kind: str

    @initialize(delay=st.integers(-2, 4), length=st.none() | st.integers(0, 9))
    def draft(self, delay: int, length: int | None) -> None:
        self.house = House.of("The house", self.kind)
        self.day, self.state, self.begins = DAY, FIRST[self.kind], DAY + delay * DAYS
        self.ends = None if length is None else self.begins + length * DAYS
        self.register = draft(self.house, begins=self.begins, ends=self.ends)
        self.states = [(DAY, self.state)]

    @rule(act=st.sampled_from(ACTS), later=st.integers(-1, 2), note=st.sampled_from(["", "as told"]))
    def does(self, act: str, later: int, note: str) -> None:
        day, leads = self.day + later * DAYS, MADE[self.kind][self.state]
        asks = act not in ("submit", "approve", "concur") and not note
        taker = taker_for(self.register, 1, act)
        if act in leads and not asks and later >= 0:
            self.register = self.register.step(1, act, taker, day, note)
            self.day, self.state = day, leads[act]
            self.states.append((day, self.state))
            return
        with pytest.raises(Refused) as refused:
            self.register.step(1, act, taker, day, note)
        if act not in leads:
            assert all(name in str(refused.value) for name in leads)
            assert leads or "nothing more can be done" in str(refused.value)

    @invariant()
    def is_in_force_only_where_the_drawing_says_so(self) -> None:
        for day in (DAY + n * DAYS for n in range(-2, 20)):
            state = next((state for since, state in reversed(self.states) if since <= day), "")
            holds = self.begins <= day and (self.ends is None or day <= self.ends)
            opens = state == FINAL[self.kind] and holds
            assert self.register[1].is_in_force(day, WAR.digest) == opens
            assert not self.register[1].is_in_force(day, EIGHT_DECKS.digest)
            assert (self.register[1].why_not(self.house, WAR, day) == "") == opens

    @invariant()
    def opens_nothing_else(self) -> None:
        for game in (EIGHT_DECKS, GENEROUS, BONUS):
            refusal(self.register, self.house, game, self.day)
        assert "has no approval" in refusal(self.register, House.of("Another", self.kind), WAR, self.day)

    @invariant()
    def is_what_its_events_tell(self) -> None:
        assert self.register[1].state == self.state
        assert folded(events_of(self.register)) == self.register.without_drafts()


class CommercialWalk(Walk):
    kind = "commercial"


class TribalWalk(Walk):
    kind = "tribal"


for walk in (CommercialWalk, TribalWalk):
    walk.TestCase.settings = settings(max_examples=60, stateful_step_count=14, deadline=None)
TestCommercialWalk = CommercialWalk.TestCase
TestTribalWalk = TribalWalk.TestCase


# -- Acts -------------------------------------------------------------------------------------------


def test_an_impossible_act_is_told_what_is_possible() -> None:
    register = draft()
    with pytest.raises(Refused) as refused:
        register.step(1, "approve", RITA, DAY)
    told = "Approval 1 of casino-war is drafted: 'approve' is not possible, only submit, refuse or withdraw."
    assert str(refused.value) == told


def test_nothing_is_done_with_an_approval_that_is_over() -> None:
    register = step(approved(), 1, "lapse", DAY, "revoked")
    with pytest.raises(Refused, match="is lapsed, and nothing more can be done with it"):
        register.step(1, "approve", RITA, DAY)


def test_acts_go_forward_in_time() -> None:
    with pytest.raises(Refused, match="is approved since 2024-03-01; nothing can be done on 2024-02-29"):
        step(approved(), 1, "withdraw", DAY - DAYS, "closing")


def test_concurrence_is_requested_with_supplemental_information() -> None:
    register = draft(CASINO).step(1, "approve", TOM, DAY)
    with pytest.raises(Refused, match="needs a note with the supplemental information"):
        register.step(1, "request-concurrence", TOM, DAY, " ")


def test_somebody_does_every_act() -> None:
    with pytest.raises(Refused, match="'draft' needs the name of the person"):
        START.draft(ROOM, WAR, Taker(" ", Side.HOUSE), DAY)


def test_an_approval_ends_no_earlier_than_it_begins() -> None:
    with pytest.raises(Refused, match="begins on 2024-03-01 cannot end on 2024-02-29"):
        START.draft(ROOM, WAR, ANN, DAY, ends=DAY - DAYS)


@pytest.mark.parametrize("number", [-1, 0, 2])
def test_an_unknown_number_is_refused(number: int) -> None:
    with pytest.raises(Unknown, match=f"No approval has the number {number}"):
        approved().step(number, "revoke", RITA, DAY, "revoked")


def test_who_did_what_and_when_is_kept() -> None:
    register = draft(CASINO).step(1, "approve", TOM, DAY + DAYS, "letter 7")
    assert [(done.step, done.by, done.day, done.note) for done in register[1].done] == [
        ("request", "ann", DAY, ""),
        ("approve", "tom", DAY + DAYS, "letter 7"),
    ]


# -- Which table may open ---------------------------------------------------------------------------


@pytest.mark.parametrize("house", [ROOM, CASINO])
@pytest.mark.parametrize("game", [WAR, EIGHT_DECKS, GENEROUS])
def test_a_table_opens_under_an_approval_for_exactly_its_game(house: House, game: Game) -> None:
    register = approved(house, game)
    found = register.find(house, game, DAY)
    assert isinstance(found, Approval)
    assert (found, found.digest) == (register[1], game.digest)


def test_without_an_approval_no_table_opens() -> None:
    assert refusal(Approvals()) == "The card room has no approval of casino-war."


def test_an_approval_under_way_opens_no_table() -> None:
    room = draft().step(1, "submit", ANN, DAY)
    assert refusal(room) == "Approval 1 of casino-war is submitted and not yet approved."
    casino = draft(CASINO).step(1, "approve", TOM, DAY)
    told = "Approval 1 of casino-war is approved by the agency and not yet concurred."
    assert refusal(casino, CASINO) == told


def test_an_approval_opens_tables_from_its_first_day_to_its_last() -> None:
    register = approved(begins=DAY + DAYS, ends=DAY + 2 * DAYS)
    assert refusal(register) == "Approval 1 of casino-war begins on 2024-03-02, after 2024-03-01."
    assert register.find(ROOM, WAR, DAY + DAYS) == register.find(ROOM, WAR, DAY + 2 * DAYS)
    told = "Approval 1 of casino-war ended on 2024-03-03, before 2024-03-04."
    assert refusal(register, day=DAY + 3 * DAYS) == told


def test_an_approval_opens_no_table_before_the_day_of_the_letter() -> None:
    register = approved(begins=DAY - 9 * DAYS)
    told = "Approval 1 of casino-war was drafted on 2024-03-01, after 2024-02-29."
    assert refusal(register, day=DAY - DAYS) == told


@pytest.mark.parametrize(("act", "state"), [("withdraw", "withdrawn"), ("lapse", "lapsed")])
def test_an_approval_that_has_ended_tells_why_and_held_until_then(act: str, state: str) -> None:
    register = step(approved(), 1, act, DAY + DAYS, "the room closes.")
    told = f"Approval 1 of casino-war is {state} since 2024-03-02: the room closes."
    assert refusal(register, day=DAY + DAYS) == told
    assert register.find(ROOM, WAR, DAY)


def test_a_refused_approval_tells_why() -> None:
    register = draft().step(1, "refuse", RITA, DAY, "no layout")
    assert refusal(register) == "Approval 1 of casino-war is refused since 2024-03-01: no layout."


def test_a_changed_option_is_another_game() -> None:
    assert (
        refusal(approved(), game=EIGHT_DECKS) == "Approval 1 of casino-war is for decks=6, not for decks=8."
    )


def test_a_changed_pay_is_another_game() -> None:
    assert refusal(approved(), game=GENEROUS) == "Approval 1 of casino-war is for other pays on tie."
    assert refusal(approved(game=GENEROUS)) == "Approval 1 of casino-war is for other pays on tie."


def test_changed_rules_are_another_game() -> None:
    told = "Approval 1 of casino-war is for rules that have changed since."
    assert refusal(older(approved())) == told


def test_an_approval_is_of_one_house_and_one_game() -> None:
    assert refusal(approved(), CASINO) == "The casino has no approval of casino-war."
    one = approved()[1]
    told = "Approval 1 of casino-war was given to The card room, not to The casino."
    assert one.why_not(CASINO, WAR, DAY) == told
    assert one.why_not(ROOM, BONUS, DAY) == "Approval 1 of casino-war is not for triple-shot-bonus."


def test_an_approval_is_of_one_kind_of_venue() -> None:
    moved = House(ROOM.name, ((date.min, "commercial"), (DAY + DAYS, "tribal")))
    register = approved(moved)
    assert register.find(moved, WAR, DAY)
    told = (
        "Approval 1 of casino-war was given to a commercial card room, and The card room is a tribal casino"
    )
    assert refusal(register, moved, day=DAY + DAYS) == f"{told} on 2024-03-02."


def test_the_refusal_is_of_the_nearest_approval() -> None:
    register = step(approved(), 1, "lapse", DAY, "revoked").draft(ROOM, EIGHT_DECKS, ANN, DAY)
    assert refusal(register) == "Approval 1 of casino-war is lapsed since 2024-03-01: revoked."
    assert refusal(register, game=GENEROUS) == "Approval 2 of casino-war is drafted and not yet approved."


def test_a_later_draft_takes_nothing_from_an_approval_in_force() -> None:
    register = approved().draft(ROOM, WAR, ANN, DAY)
    assert register.find(ROOM, WAR, DAY).number == 1


# -- Houses -----------------------------------------------------------------------------------------


def test_a_house_is_of_the_kind_of_the_day() -> None:
    house = House("The house", ((DAY, "tribal"), (DAY - 9 * DAYS, "commercial")))
    assert [house.kind(day) for day in (DAY - DAYS, DAY)] == ["commercial", "tribal"]
    assert house.venue(DAY) == venue("tribal")
    with pytest.raises(Refused, match="The house opens on 2024-02-21"):
        house.kind(DAY - 10 * DAYS)


def test_a_house_has_a_name_and_a_known_kind() -> None:
    with pytest.raises(Unknown, match="'floating' is not a venue"):
        House.of("The boat", "floating")
    for name, kinds in ((" ", ((date.min, "tribal"),)), ("Nowhere", ())):
        with pytest.raises(Refused, match="A house has a name and a kind"):
            House(name, kinds)


# -- The register -----------------------------------------------------------------------------------


def test_what_is_not_written_yet_is_carried_until_it_is() -> None:
    register = approved()
    about = (DRAFTED, STEP, LAPSED)
    assert [event.kind for event in register.unwritten if event.kind in about] == [DRAFTED, STEP, STEP]
    assert register.without_drafts().unwritten == ()
    lapsed = step(register.without_drafts(), 1, "lapse", DAY, "revoked")
    assert [draft.kind for draft in lapsed.unwritten] == [LAPSED]
    assert lapsed.approvals != register.approvals  # which is a value, and as it was
    assert register[1].state == "approved"


@pytest.mark.parametrize("game", [*GAMES.values(), GENEROUS], ids=str)
def test_events_as_json_give_the_register_back(game: Game) -> None:
    register = approved(CASINO, game, begins=DAY, ends=DAY + DAYS)
    register = approve_all(register, DEMO, [game], DAY)
    again = folded(events_of(register))
    assert again == register.without_drafts()
    assert hash(again) == hash(register.without_drafts())


def test_events_of_other_things_leave_the_register_alone() -> None:
    register = approved()
    assert register.after(Draft("house", "started", {})) is register
    assert register.after(Draft("cage", DRAFTED, {})) is register


# -- Changed rules, and the demonstration house -----------------------------------------------------


def test_the_demonstration_house_opens_every_game_at_once() -> None:
    register = approve_all(Approvals(), DEMO, GAMES.values(), DAY)
    for game in GAMES.values():
        assert register.find(DEMO, game, DAY).digest == game.digest
        check_limits(DEMO.venue(DAY), Limits(), game, DAY)
    states = [draft.data["state"] for draft in register.unwritten]
    assert states == ["drafted", "submitted", "approved"] * len(GAMES)


def test_what_is_approved_is_not_approved_again() -> None:
    register = approve_all(Approvals(), DEMO, GAMES.values(), DAY).without_drafts()
    assert approve_all(register, DEMO, GAMES.values(), DAY + DAYS) == register
    assert register.adopt_rules(GAMES, DAY + DAYS) == register


def test_approvals_of_changed_rules_lapse_and_are_given_anew() -> None:
    stale = older(approve_all(Approvals(), DEMO, GAMES.values(), DAY))
    lapsed = stale.adopt_rules(GAMES, DAY + DAYS)
    assert [draft.kind for draft in lapsed.unwritten] == [LAPSED] * len(GAMES)
    told = "Approval 1 of casino-war is lapsed since 2024-03-02: The rules may have changed."
    assert refusal(lapsed, DEMO, day=DAY + DAYS).startswith(told)
    anew = approve_all(lapsed, DEMO, GAMES.values(), DAY + DAYS)
    assert anew.find(DEMO, WAR, DAY + DAYS).number == len(GAMES) + 1


@pytest.mark.parametrize("game", [EIGHT_DECKS, GENEROUS], ids=str)
def test_options_and_pays_of_the_house_do_not_lapse(game: Game) -> None:
    register = approved(game=game)
    assert register.adopt_rules(GAMES, DAY) is register


@pytest.mark.parametrize("game", [WAR, EIGHT_DECKS, GENEROUS])
def test_approvals_of_rules_in_another_wording_are_carried_over(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(approvals, "rules_change", lambda *_: RulesChange(True, "A comma."))
    under_way = draft(game=game, register=prepared(game))
    for register in (approved(game=game), under_way):
        carried = older(register).adopt_rules(GAMES, DAY + DAYS)
        (*_, event) = carried.unwritten
        assert (event.kind, event.data["why"], event.data["from"]) == (CARRIED_OVER, "A comma.", "0" * 64)
        assert carried[1] == register[1]
        assert older(register).after(event) == carried.without_drafts()
    over = older(step(approved(game=game), 1, "withdraw", DAY, "closing"))
    assert over.adopt_rules(GAMES, DAY + DAYS) is over


def test_only_what_could_open_a_table_lapses() -> None:
    under_way = older(draft())
    ended = older(approved(ends=DAY))
    over = older(step(approved(), 1, "withdraw", DAY, "closing"))
    for register in (under_way, ended, over):
        assert register.adopt_rules(GAMES, DAY + DAYS) is register


@pytest.mark.parametrize("told", [{"game": "faro"}, {"options": {"suits": "5"}}])
def test_an_approval_of_what_is_no_longer_offered_lapses(told: dict[str, Any]) -> None:
    register = retold(approved(), **told)
    assert register.adopt_rules(GAMES, DAY)[1].state == "lapsed"


def test_a_future_letter_lapses_on_its_own_day() -> None:
    register = older(approved())
    assert register.adopt_rules(GAMES, DAY - 5 * DAYS)[1].done[-1].day == DAY


# -- The rule pack ----------------------------------------------------------------------------------

BEFORE, SINCE = date(2023, 7, 31), date(2023, 8, 1)  # 300 dollars a wager, then 400: WAC 230-15-140


@pytest.mark.parametrize(("day", "cents"), [(BEFORE, 30_000), (SINCE, 40_000)])
def test_the_maximum_is_at_most_the_cap_of_the_day(day: date, cents: int) -> None:
    check_limits(venue("commercial"), Limits(maximum=cents), WAR, day)
    with pytest.raises(Refused, match="is above the cap"):
        check_limits(venue("commercial"), Limits(maximum=cents + 1), WAR, day)


def test_the_refusal_names_the_cap_its_reference_and_its_day() -> None:
    with pytest.raises(Refused) as before:
        check_limits(venue("commercial"), Limits(), WAR, BEFORE)
    told = (
        "The maximum, $400, is above the cap of $300 a wager that is in force on 2023-07-31 (WAC 230-15-140)."
    )
    assert str(before.value) == told
    with pytest.raises(Refused) as since:
        check_limits(venue("commercial"), Limits(maximum=50_000), WAR, DAY)
    told = "The maximum, $500, is above the cap of $400 a wager that is in force since August 2023"
    assert str(since.value) == f"{told} (not confirmed) (WAC 230-15-140)."


def test_tribes_set_their_own_limits() -> None:
    check_limits(venue("tribal"), Limits(maximum=10_000_000), BONUS, DAY)


def test_one_hand_takes_no_more_games_than_the_venue_allows() -> None:
    """Triple Shot Bonus takes wagers on four games, which is what WAC 230-15-040 allows."""
    check_limits(venue("commercial"), Limits(), BONUS, DAY)
    strict = replace(venue("commercial"), games_per_hand=3)
    with pytest.raises(Refused) as refused:
        check_limits(strict, Limits(), BONUS, DAY)
    told = "One hand of Triple Shot Bonus takes wagers on 4 games, and the venue allows at most 3"
    assert str(refused.value) == f"{told} (WAC 230-15-040)."
    check_limits(replace(strict, games_per_hand=0), Limits(), BONUS, DAY)


# -- Sides ------------------------------------------------------------------------------------------

OUTSIDE = {  # whose step each is
    "commercial": {
        "approve": "the state",
        "refuse": "the state",
        "attach": "the state",
        "revoke": "the state",
    },
    "tribal": {
        "approve": "the tribe",
        "request-concurrence": "the tribe",
        "concur": "the state",
        "refuse": "the tribe or the state",
        "attach": "the tribe or the state",
        "revoke": "the tribe or the state",
    },
}


@pytest.mark.parametrize("house", [ROOM, CASINO], ids=str)
def test_a_house_that_takes_a_step_of_others_is_told_whose_it_is_in_every_state(house: House) -> None:
    register = draft(house)
    for one in (*register[1].regime.path[1:], None):
        for act, owner in OUTSIDE[house.kind(DAY)].items():
            with pytest.raises(Forbidden) as refused:
                register.step(1, act, ANN, DAY, "as told")
            assert str(refused.value).startswith(f"{act!r} is a step of {owner} (")
            assert str(refused.value).endswith("and ann belongs to the house.")
        if one:
            register = step(register, 1, one.name, DAY, "Appendix A")


@pytest.mark.parametrize("house", [ROOM, CASINO], ids=str)
def test_no_other_side_takes_a_step_of_the_house(house: House) -> None:
    for taker in (MAY, RITA, TOM):
        with pytest.raises(Forbidden, match="is a step of the house"):
            START.draft(house, WAR, taker, DAY)
        with pytest.raises(Forbidden, match="is a step of the house"):
            draft(house).step(1, "withdraw", taker, DAY, "closing")
        with pytest.raises(
            Forbidden, match=f"The house files .* and {taker.name} belongs to {taker.in_words}"
        ):
            draft(house).file(1, "notices", {}, taker, DAY)


def test_nobody_takes_the_steps_of_the_server_or_of_a_demonstration() -> None:
    with pytest.raises(Forbidden, match="taken by the server alone"):
        approved().step(1, "lapse", RITA, DAY, "revoked")
    with pytest.raises(Forbidden, match="The card room is no demonstration"):
        approve_all(START, ROOM, [WAR], DAY)
    with pytest.raises(Forbidden, match="Approval 1 of casino-war is no demonstration"):
        draft().step(1, "submit", DEMONSTRATOR, DAY)


def test_a_demonstration_says_that_no_regulator_gave_it() -> None:
    (approval,) = approve_all(Approvals(), DEMO, [WAR], DAY)
    assert "no regulator gave this approval" in approval.caution
    assert {done.side for done in approval.done} == {"demonstration"}
    assert approved()[1].caution == ""


# -- Two layers -------------------------------------------------------------------------------------

GREEDY = WAR.with_pays("tie", {"tie": Fraction(99)})


@pytest.mark.parametrize(
    ("terms", "game", "house", "says"),
    [
        ({}, GREEDY, ROOM, "does not allow tie at 99 to 1 on tie."),
        ({"allowed": {"decks": ("6",)}}, EIGHT_DECKS, ROOM, "allows decks 6, not 8."),
        ({"kinds": ("commercial",)}, WAR, CASINO, "covers a commercial card room, not a tribal casino."),
    ],
)
def test_an_operator_never_exceeds_the_makers_approval(
    terms: dict[str, Any], game: Game, house: House, says: str
) -> None:
    register = approving.submit(Approvals(), WAR, **terms)
    with pytest.raises(Refused) as refused:
        register.draft(house, game, ANN, DAY)
    assert str(refused.value) == f"Maker's approval 1 of casino-war {says}"


def test_a_makers_approval_comes_first_and_stays_in_force() -> None:
    with pytest.raises(Refused, match="No maker has submitted casino-war"):
        Approvals().draft(ROOM, WAR, ANN, DAY)
    plan = Approvals().submissions.plan_submission(approving.submission_terms(WAR), MAY, DAY)
    with pytest.raises(Refused, match="Maker's approval 1 of casino-war is submitted and not yet approved"):
        Approvals().record(plan).draft(ROOM, WAR, ANN, DAY)
    register = approved()
    for act, taker in (("revoke", RITA), ("withdraw", MAY)):
        gone = register.record(register.submissions.plan_step(1, act, taker, DAY + DAYS, "unsafe"))
        assert gone.find(ROOM, WAR, DAY)
        ended = "revoked" if act == "revoke" else "withdrawn"
        told = f"Maker's approval 1 of casino-war is {ended} since 2024-03-02: unsafe."
        assert refusal(gone, day=DAY + DAYS) == told


@pytest.mark.parametrize("taker", [ANN, TOM, MAY], ids=lambda taker: taker.name)
def test_only_the_state_decides_about_a_makers_game(taker: Taker) -> None:
    register = approving.submit(Approvals(), WAR)
    for act in ("approve", "refuse", "attach", "revoke"):
        with pytest.raises(Forbidden, match=f"'{act}' is a step of the state"):
            register.submissions.plan_step(1, act, taker, DAY, "as told")
    if taker is not MAY:
        with pytest.raises(Forbidden, match="'submit' is a step of the maker"):
            register.submissions.plan_submission(approving.submission_terms(WAR), taker, DAY)


def test_an_amendment_is_compared_with_the_approved_version() -> None:
    records = {game: describe_version(game) for game in (WAR, GENEROUS)}
    register = approving.submit(Approvals(), WAR, record=records[WAR], allowed={"decks": ("6", "8")})
    terms = approving.submission_terms(GENEROUS, record=records[GENEROUS], allowed={"decks": ("6",)})
    register = register.record(register.submissions.plan_submission(terms, MAY, DAY))
    before, found = register.submissions.list_changes(2)
    assert before is register.submissions[1]
    told = {change.what: (change.before, change.now) for change in found}
    assert told["allowed values of decks"] == ("6 and 8", "6")
    assert told["pay table tie: tie"] == ("10 to 1", "11 to 1")
    (clause,) = [change for change in found if change.what.startswith("clause ")]
    assert (clause.before.replace("10 to 1", "11 to 1"), "10 to 1" in clause.before) == (clause.now, True)
    assert len(told) == 4  # and that the pay table is no listed one
    assert register.submissions.list_changes(1) == (None, [])


# -- Conditions -------------------------------------------------------------------------------------


def conditions_of(register: Approvals, day: date = DAY) -> dict[str, str]:
    return {one.name: one.why_not for one in register.conditions(register[1], day, {"ACE"})}


@pytest.mark.parametrize("house", [ROOM, CASINO], ids=str)
def test_each_condition_is_enforced_and_the_refusal_names_it(house: House) -> None:
    register = approved(house)
    assert set(conditions_of(register).values()) == {""}
    for name in conditions_of(register).keys() - {"shufflers"}:
        lacking = register.withdraw_filing(1, name, ANN, DAY, "lost in the post")
        (failing,) = (one for one in lacking.conditions(lacking[1], DAY) if one.why_not)
        assert failing.name == name
        told = f"A condition of approval 1 of casino-war fails: {failing.says.rstrip('.')}"
        assert refusal(lacking, house) == f"{told} (the filing was withdrawn: lost in the post)."
    subjects = [name for name in conditions_of(register) if name.startswith("section-18-")]
    dossier = venue("tribal").dossier
    assert dossier
    assert len(subjects) == (len(dossier.item) if house is CASINO else 0)


def test_the_internal_controls_are_on_file_before_they_are_submitted() -> None:
    register = START.draft(ROOM, WAR, ANN, DAY)
    with pytest.raises(Refused, match=r"internal controls .* are on file \(nothing is on file\)"):
        register.step(1, "submit", ANN, DAY)
    register = register.file(1, "controls", {"text": "Two people count."}, ANN, DAY)
    filing = register[1].filing("controls")
    assert filing
    assert (filing.version, filing.digest) == (1, digest_json({"text": "Two people count."}))
    register = register.step(1, "submit", ANN, DAY)
    with pytest.raises(Refused, match="is submitted: its internal controls are filed before that"):
        register.file(1, "controls", {"text": "One person counts."}, ANN, DAY)


def test_section_18_is_complete_before_concurrence_is_requested() -> None:
    register = START.draft(CASINO, WAR, ANN, DAY).file(1, "controls", {"text": "x"}, ANN, DAY)
    register = register.step(1, "approve", TOM, DAY)
    with pytest.raises(Refused, match=r"Section 18 dossier\. Rules of play: the packet's Rules of play"):
        register.step(1, "request-concurrence", TOM, DAY, "Appendix A")
    with pytest.raises(Refused, match="by its SHA-256 and its name"):
        register.file(1, "section-18-01", {"document": "enclosed"}, ANN, DAY)
    with pytest.raises(Refused, match="has no condition 'section-18' to file for"):
        register.file(1, "section-18", {"Rules of play": "enclosed"}, ANN, DAY)
    whole = approving.file_all(register, 1, DAY)
    for number, lacking in ((6, "Inspection, storage and destruction"), (13, "Approval of the rules")):
        without = whole.withdraw_filing(1, f"section-18-{number:02}", ANN, DAY, "it is outdated")
        with pytest.raises(Refused, match=rf"{lacking}.*the filing was withdrawn: it is outdated"):
            without.step(1, "request-concurrence", TOM, DAY, "Appendix A")
    filing = whole[1].filing("section-18-01")
    assert filing
    assert (filing.by, filing.day, dict(filing.items)) == ("ann", DAY, {"document": approving.ENCLOSED})
    assert whole.step(1, "request-concurrence", TOM, DAY, "Appendix A")


def test_a_dossier_that_an_earlier_version_filed_as_a_whole_still_counts() -> None:
    dossier = venue("tribal").dossier
    assert dossier
    register = START.draft(CASINO, WAR, ANN, DAY).file(1, "controls", {"text": "x"}, ANN, DAY)
    items = {item.subject: "enclosed" for item in dossier.item}
    register = register.file(1, "section-18", items, ANN, DAY, is_old=True).step(1, "approve", TOM, DAY)
    assert register.step(1, "request-concurrence", TOM, DAY, "Appendix A")
    gone = register.withdraw_filing(1, "section-18", ANN, DAY, "it is outdated")
    with pytest.raises(Refused, match="nothing is on file"):
        gone.step(1, "request-concurrence", TOM, DAY, "Appendix A")


@pytest.mark.parametrize(("taker", "house"), [(RITA, ROOM), (RITA, CASINO), (TOM, CASINO)])
def test_a_licence_that_ends_or_expires_stops_the_table(taker: Taker, house: House) -> None:
    register = approved(house)
    end = register.licences.plan_licence_end("L-1", taker, DAY + DAYS, "a fee was not paid")
    gone = register.record(end)
    assert gone.find(house, WAR, DAY)
    side = taker.in_words
    told = f"{approving.MAKER} has no licence of {side} for layouts; licence L-1 is not valid on 2024-03-02"
    assert told in refusal(gone, house, day=DAY + DAYS)
    terms = ("L-1", approving.MAKER, ("layouts", "cards", "shufflers"), taker, DAY, DAY, DAY + DAYS)
    short = register.record(register.licences.plan_licence(*terms))
    assert short.find(house, WAR, DAY + DAYS)
    assert "licence L-1 is not valid on 2024-03-03" in refusal(short, house, day=DAY + 2 * DAYS)


def test_only_approved_models_of_licensed_makers_shuffle() -> None:
    register = approved()
    assert register.find(ROOM, WAR, DAY, {"ACE"})
    gone = register.record(register.licences.plan_model_end("ACE", RITA, DAY, "it jams"))
    assert gone.find(ROOM, WAR, DAY, set())  # dealt by hand
    with pytest.raises(Refused, match="the state has not approved the shuffler ACE for 2024-03-01"):
        gone.find(ROOM, WAR, DAY, {"ACE"})
    other = register.record(register.licences.plan_model("ACE", "Nobody", RITA, DAY))
    with pytest.raises(Refused, match="Nobody has no licence of the state for shufflers"):
        other.find(ROOM, WAR, DAY, {"ACE"})


def test_a_condition_in_a_regulators_words_holds_once_the_house_has_filed_how_it_is_met() -> None:
    register = step(approved(), 1, "attach", DAY + DAYS, "A camera sees the shoe.")
    assert register.find(ROOM, WAR, DAY)
    assert "A camera sees the shoe (nothing is on file)" in refusal(register, day=DAY + DAYS)
    register = register.file(1, "attached-1", {"how it is met": "Camera 7"}, ANN, DAY + DAYS)
    assert register.find(ROOM, WAR, DAY + DAYS)
    for_all = approved()
    draft = for_all.submissions.plan_step(1, "attach", RITA, DAY, "Not after midnight.")
    assert "Not after midnight (nothing is on file)" in refusal(for_all.record(draft))


@pytest.mark.parametrize("taker", [ANN, MAY], ids=lambda taker: taker.name)
def test_only_regulators_keep_the_register_of_equipment(taker: Taker) -> None:
    licences = START.licences
    for plan in (
        lambda: licences.plan_licence("L-2", "Own", ("cards",), taker, DAY, DAY, None),
        lambda: licences.plan_licence_end("L-1", taker, DAY, "why"),
        lambda: licences.plan_model("ACE", "Own", taker, DAY),
        lambda: licences.plan_model_end("ACE", taker, DAY, "why"),
    ):
        with pytest.raises(Forbidden, match=f"and {taker.name} belongs to {taker.in_words}"):
            plan()
    with pytest.raises(Forbidden, match="approved by the state, and tom belongs to the tribe"):
        licences.plan_model("ACE", "Own", TOM, DAY)


# -- Earlier versions -------------------------------------------------------------------------------


def test_an_approval_of_an_earlier_version_remains_and_says_so() -> None:
    events = [event for event in events_of(approved()) if event.kind in (DRAFTED, STEP)]
    plain = [replace(e, data={k: v for k, v in e.data.items() if k not in ("side", "under")}) for e in events]
    register = folded(plain)
    assert register.find(ROOM, WAR, DAY) is register[1]
    assert "Given by the house itself" in register[1].caution
    register = register.adopt_sides("2")
    assert register.unwritten[-1].data["approvals"] == [1]
    assert register.adopt_sides("3") is register
    assert register.find(ROOM, WAR, DAY)
    assert register.step(1, "revoke", RITA, DAY, "unsafe")[1].state == "revoked"
    under_way = folded(plain[:1])
    with pytest.raises(Refused, match="refers to no maker's approval"):
        under_way.step(1, "submit", ANN, DAY)
