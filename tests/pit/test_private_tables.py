"""Private tables in the ledger: what verification refuses, names of guests, presence and invitations."""

import pytest

from feltlab.errors import Refused
from feltlab.games import GAMES
from feltlab.ledger.event import CAGE_CHAIN, Event
from feltlab.pit.approvals import Approvals
from feltlab.pit.cage import Cage
from feltlab.pit.pit import PUBLIC_TIMERS
from feltlab.pit.players.invitations import Invitations, new_salt
from feltlab.pit.players.names import ADJECTIVES, ANIMALS, call_player, new_guest_account, suggest_names
from feltlab.pit.players.presence import (
    AWAY,
    AWAY_SECONDS,
    IDLE,
    IDLE_SECONDS,
    PRESENT_SECONDS,
    SAID_SECONDS,
    Company,
    Presence,
)
from feltlab.pit.seats import Phase, Place
from feltlab.pit.table import Table
from feltlab.pit.verify.cage_checks import check_rename
from feltlab.pit.verify.table_checks import CHECKS, check_approval

NAME = "casino-war-solo-1"


def own_table():
    return Table(NAME, GAMES["casino-war"]).open("house", 0, "ann", practice=True)


def opened(**data):
    return Event(NAME, 1, "opened", 0, "2026-01-01T00:00:00+00:00", data, "")


@pytest.mark.parametrize(
    ("data", "wrong"),
    [
        ({"approval": 0, "practice": True, "owner": "ann"}, False),
        ({"approval": 3, "practice": True, "owner": "ann"}, True),
        ({"approval": 0, "practice": True}, True),
        ({"approval": 0, "owner": "ann"}, True),  # private tables need an approval, too
    ],
)
def test_a_practice_table_has_an_owner_and_no_approval(data, wrong):
    assert bool(list(check_approval(opened(**data), Approvals(), ()))) == wrong


def test_only_the_owner_sits_until_the_owner_shares():
    table = own_table()
    eve = {"seat": 1, "player": "eve", "cents": 1000}
    assert list(CHECKS["seated"](table, eve))
    assert not list(CHECKS["seated"](table, {**eve, "player": "ann"}))
    with pytest.raises(Refused, match="is private"):
        table.sit("eve", 1, 1000)
    with pytest.raises(Refused, match="Only the owner"):
        table.share("eve", new_salt(), PUBLIC_TIMERS)
    shared = table.share("ann", new_salt(), PUBLIC_TIMERS)
    assert not list(CHECKS["seated"](shared, eve))
    assert shared.share("ann", new_salt(), PUBLIC_TIMERS) is shared
    assert list(CHECKS["shared"](table, {"by": "eve"}))
    assert list(CHECKS["shared"](shared, {"by": "ann"}))


def test_a_private_table_closes_with_its_last_player_in_one_entry():
    table = own_table().sit("ann", 3, 20_000)
    left = table.leave("ann", 3)
    assert left.phase == Phase.CLOSED
    assert [draft.kind for draft in left.unwritten[-3:]] == ["left", "order", "closed"]
    public = Table("casino-war-1", GAMES["casino-war"]).open("house", 1).sit("ann", 3, 20_000)
    assert public.leave("ann", 3).phase == Phase.BETTING


def test_a_guest_renames_the_whole_balance_and_nobody_else_does():
    cage = Cage()
    cage.after(Event(CAGE_CHAIN, 1, "issued", 0, "", {"account": "guest-a", "cents": 500}, ""))
    for data, problems in (
        ({"account": "guest-a", "to": "guest-b", "cents": 500}, 0),
        ({"account": "guest-a", "to": "guest-b", "cents": 400}, 1),
        ({"account": "guest-a", "to": "bob", "cents": 500}, 1),
    ):
        assert len(list(check_rename(cage, Event(CAGE_CHAIN, 2, "renamed", 0, "", data, "")))) == problems


def test_people_call_a_player_by_the_account_alone():
    assert call_player("guest-quiet-heron-4k2mp9x3") == "Quiet Heron"
    assert call_player("guest-7f3a9-c2k4m") == "Guest 7f3a9"  # of an earlier version
    assert call_player("guest-awful-word-4k2mp9x3") == "Guest awful"
    assert call_player("sue") == "sue"
    assert len({*ADJECTIVES}) == len({*ANIMALS}) == 64  # twelve bits, beside forty random ones
    names = suggest_names(6)
    assert len({*names}) == 6
    assert [call_player(new_guest_account(name)) for name in names] == names


def test_a_code_admits_to_one_table_while_it_is_shared():
    invitations, table = Invitations(b"key"), own_table()
    shared = table.share("ann", new_salt(), PUBLIC_TIMERS)
    code = invitations.code(shared)
    assert invitations.admits(shared, code)
    assert not invitations.admits(table, code)
    assert not invitations.admits(table, invitations.code(table))  # of a table that is not shared
    assert not invitations.admits(shared, "é" * 22)
    assert not Invitations(b"other").admits(shared, code)


def test_presence_follows_sockets_requests_and_time():
    now = [100.0]
    presence, places = Presence(lambda: now[0]), (Place("ann", 100), None, Place("bob", 100))
    assert presence.describe(places) == Company()  # nothing is known: a restart
    presence.connect("ann")
    presence.note_action("bob")
    presence.say("bob", "Hello")
    assert presence.describe(places) == Company((), ((2, "Hello"),))
    assert presence.seconds_to_change(places) == SAID_SECONDS
    now[0] += PRESENT_SECONDS
    assert presence.describe(places) == Company((2,))
    assert presence.seconds_to_change(places) is None
    now[0] += AWAY_SECONDS
    assert (presence.why_give_up("bob", False), presence.why_give_up("bob", True)) == (AWAY, "")
    assert presence.why_give_up("ann", False) == ""
    now[0] += IDLE_SECONDS
    assert presence.why_give_up("ann", False) == IDLE
    presence.disconnect("ann")
    assert presence.describe(places) == Company((2,))
    now[0] += PRESENT_SECONDS
    assert presence.describe(places) == Company((0, 2))
