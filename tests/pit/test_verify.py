"""A sound ledger is found sound, and whatever an insider changes is found, though every digest fits."""

import asyncio
import copy
import sqlite3
import tempfile
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from feltlab.core.cards import cards
from feltlab.games import GAMES
from feltlab.ledger.event import Event
from feltlab.ledger.heads import read_witness
from feltlab.ledger.ledger import Ledger
from feltlab.pit import verify as verification
from feltlab.pit.event_kinds import TABLE_KINDS
from feltlab.pit.pit import Pit
from feltlab.pit.recorded_round import load_last_rounds, table_names
from feltlab.pit.replay import replay_round
from feltlab.pit.role_history import RoleHistory
from feltlab.pit.roles import Permission, Role
from feltlab.pit.seats import Phase
from feltlab.pit.verify import LedgerReport, VerifiedRecord, parts, verify, verify_since
from feltlab.pit.verify import report as reporting
from feltlab.shuffling.machine import JAM, commitment_of
from tests.conftest import ROUNDS
from tests.support import strategies  # noqa: F401  (its profile: time fails no test)
from tests.support.at_random import played
from tests.support.insider import Events, read_events, rewrite_ledger
from tests.support.running import SECRET, Client, running


def test_a_sound_ledger_is_found_sound(played_ledger: Ledger) -> None:
    shares: list[float] = []
    report = verify(played_ledger, shares.append)
    assert [str(problem) for problem in report.problems] == []
    assert report.sound
    assert report.chains == len(GAMES) + 3  # the tables, the cage, the house and the anchors
    assert report.settled + report.voids == report.replayed == sum(ROUNDS.values())
    assert report.issued == report.balances + report.at_tables + report.won
    assert report.under_other_rules == 0
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


def test_the_report_names_the_last_anchor(played_ledger: Ledger) -> None:
    (anchor,) = played_ledger.last_events("anchors", ("anchor",))
    report = verify(played_ledger, fast=True)
    assert (report.anchors, report.anchor) == (anchor.number, anchor.digest)
    assert (report.replayed, report.sound) == (0, True)


def test_every_commitment_is_checked_or_still_secret(played_ledger: Ledger) -> None:
    report = verify(played_ledger, fast=True)
    made = list(played_ledger.events(kinds=("shuffled",)))
    assert report.commitments + report.secret == len(made)
    assert report.secret <= len(GAMES)


def test_the_played_ledger_has_every_kind_of_event(played_ledger: Ledger) -> None:
    kinds = {event.kind for name in table_names(played_ledger) for event in played_ledger.events(name)}
    assert kinds == TABLE_KINDS.keys() - {
        "lost",
        "carried-over",
        "shuffler",
        "shared",
        *("jackpot-sensor", "jackpot-bet", "jackpot-mismatch"),
    }  # other tests have those


# -- An insider --------------------------------------------------------------------------------------


def find(
    events: Events, kind: str, where: Callable[[dict[str, Any]], Any] = lambda _: True
) -> dict[str, Any]:
    """The first event of a kind after a third of the ledger, or else before it."""
    third = len(events) // 3
    searched = [*events[third:], *events[:third]]
    return next(event for event in searched if event["kind"] == kind and where(event["data"]))


def pays_more(events: Events) -> None:
    event = find(events, "settled")
    paid = event["data"]["payments"][0]
    paid[4] += 100
    event["data"]["returned"][str(paid[0])] += 100


def chooses_otherwise(events: Events) -> None:
    find(events, "chose", lambda data: data["choice"] == "play" and data["cents"])["data"]["choice"] = "fold"


def plays_for_another(events: Events) -> None:
    find(events, "chose", lambda data: data["player"] != "house")["data"]["player"] = "mal"


def plays_for_the_absent(events: Events) -> None:
    find(events, "chose", lambda data: data["cents"])["data"]["player"] = "house"


def out_of_turn(events: Events) -> None:
    """Two seats choose in the wrong order."""
    for place, (one, two) in enumerate(pairwise(events)):
        if one["kind"] == two["kind"] == "chose" and one["data"]["seat"] != two["data"]["seat"]:
            events[place], events[place + 1] = two, one
            return


def richer_standing(events: Events) -> None:
    event = find(events, "standing", lambda data: any(data.get("seats", ())))
    next(seat for seat in event["data"]["seats"] if seat)["cents"] += 500


def other_meters(events: Events) -> None:
    find(events, "standing", lambda data: "meters" in data)["data"]["meters"]["win"] -= 100


def more_cards_used(events: Events) -> None:
    find(events, "standing", lambda data: data.get("used"))["data"]["used"] += 1


def settled_twice(events: Events) -> None:
    place = events.index(find(events, "settled"))
    events.insert(place, copy.deepcopy(events[place]))


def void_after_settled(events: Events) -> None:
    place = events.index(find(events, "settled"))
    void = copy.deepcopy(events[place])
    void |= {"kind": "void", "data": {"by": "mal", "reason": "again", "returned": void["data"]["returned"]}}
    events.insert(place + 1, void)


def no_cage_event(events: Events) -> None:
    events.remove(find(events, "to-table"))


def out_of_nowhere(events: Events) -> None:
    """Chips that nobody paid for."""
    place = events.index(find(events, "wagered"))
    bought = copy.deepcopy(events[place])
    data = {"seat": bought["data"]["seat"], "player": bought["data"]["player"], "cents": 5_000}
    events.insert(place, bought | {"kind": "bought", "data": data})


def from_nowhere_to_the_cage(events: Events) -> None:
    place = events.index(find(events, "from-table"))
    events.insert(place + 1, copy.deepcopy(events[place]))


def leaves_with_more(events: Events) -> None:
    left = find(events, "left", lambda data: data["cents"])
    paid = next(
        e
        for e in events[events.index(left) :]
        if e["kind"] == "from-table" and e["data"]["cents"] == left["data"]["cents"]
    )
    left["data"]["cents"] += 100
    paid["data"]["cents"] += 100


def less_issued(events: Events) -> None:
    next(e for e in events if e["kind"] == "issued")["data"]["cents"] -= 100


def swapped_card(events: Events) -> None:
    order = find(events, "order")
    a, b, *rest = order["data"]["order"].split()
    order["data"]["order"] = " ".join([b, a, *rest])


def wrong_salt(events: Events) -> None:
    order = find(events, "order")
    order["data"]["salt"] = order["data"]["salt"][::-1]


def another_deck(events: Events) -> None:
    """An order with one card twice, and a matching commitment."""
    revealed = find(events, "revealed")
    order = next(e for e in events[events.index(revealed) :] if e["kind"] == "order")
    *kept, _ = order["data"]["order"].split()
    _recommitted(events, order, " ".join([*kept, kept[-1]]))


def other_cards(events: Events) -> None:
    """Every card of an order is at another place, and the commitment matches."""
    revealed = find(events, "revealed")
    order = next(e for e in events[events.index(revealed) :] if e["kind"] == "order")
    a, *rest, z = order["data"]["order"].split()
    _recommitted(events, order, " ".join([z, a, *rest]))


def _recommitted(events: Events, order: dict[str, Any], text: str) -> None:
    order["data"]["order"] = text
    commitment = commitment_of(cards(text), order["data"]["salt"])
    for event in events:
        if event["data"].get("shuffle") == order["data"]["shuffle"] and "commitment" in event["data"]:
            event["data"]["commitment"] = commitment


def laid_open_otherwise(events: Events) -> None:
    revealed = find(events, "revealed")
    first, *rest = revealed["data"]["dealt"].split()
    receiver, _, card = first.partition(":")
    revealed["data"]["dealt"] = " ".join([f"{receiver}:{'2c' if card != '2c' else '3c'}", *rest])


def shown_before_the_bets_were_closed(events: Events) -> None:
    closed = find(events, "no-more-bets")
    place = events.index(closed)
    order = next(e for e in events[place:] if e["kind"] == "order" and e["chain"] == closed["chain"])
    events.remove(order)
    events.insert(place, order | {"round": closed["round"]})


def shown_while_seats_choose(events: Events) -> None:
    choosing = find(events, "choosing")
    place = events.index(choosing)
    order = next(e for e in events[place:] if e["kind"] == "order" and e["chain"] == choosing["chain"])
    events.remove(order)
    events.insert(place + 1, order)


def beyond_the_limits(events: Events) -> None:
    wagers = find(events, "wagered")["data"]["wagers"]
    wagers[next(iter(wagers))] = 100


def never_shown(events: Events) -> None:
    events.remove(find(events, "order"))


def keeps_of_a_refund(events: Events) -> None:
    returned = find(events, "void")["data"]["returned"]
    returned[next(iter(returned))] -= 100


def another_call(events: Events) -> None:
    find(events, "no-more-bets")["data"]["calls"].append("Good luck.")


def deals_out_a_bettor(events: Events) -> None:
    find(events, "no-more-bets", lambda data: len(data["playing"]) > 1)["data"]["playing"].pop()


def no_wager(events: Events) -> None:
    events.remove(find(events, "wagered"))


def no_approval(events: Events) -> None:
    find(events, "opened")["data"]["approval"] = 99


def lapsed_approval(events: Events) -> None:
    """The approval was never granted."""
    steps = [event for event in events if event["kind"] == "approval-step"]
    for event in steps[-2:]:
        events.remove(event)


def other_rules_approved(events: Events) -> None:
    find(events, "opened")["data"]["digest"] = "0" * 64


# -- Money that the cage would not make


def _issued(events: Events, why: str, cents: int, account: str = "ann") -> None:
    """Issue money in a moment without a table's event, and include it in every later standing."""
    place = next(n for n, e in enumerate(events) if e["kind"] == "issued" and e["data"]["account"] == "dee")
    data = {"account": account, "cents": cents, "why": why}
    events.insert(place + 1, events[place] | {"data": data})
    for event in events[place:]:
        if event["chain"] == "cage" and event["kind"] == "standing":
            event["data"]["issued"] += cents
            balances = event["data"]["balances"]
            balances[account] = balances.get(account, 0) + cents


def richer_welcome(events: Events) -> None:
    _issued(events, "welcome", 100_001, "mal")


def second_welcome(events: Events) -> None:
    _issued(events, "welcome", 100_000)


def refill_of_the_rich(events: Events) -> None:
    _issued(events, "refill", 5_000)


def refill_of_a_stranger(events: Events) -> None:
    _issued(events, "refill", 100_000, "mal")


def gift(events: Events) -> None:
    _issued(events, "a friend", 7_000)


def richer_refill(events: Events) -> None:
    find(events, "issued", lambda data: data["why"] == "refill")["data"]["cents"] += 1


def rich_from_the_beginning(events: Events) -> None:
    first = next(event for event in events if event["chain"] == "cage")
    first["data"] = {"balances": {"mal": 5}, "issued": 5, "at_tables": 0}


# -- Acts by whom they could not be


def _by(kind: str, name: str) -> Callable[[Events], None]:
    def trick(events: Events) -> None:
        find(events, kind)["data"]["by"] = name

    trick.__name__ = f"{kind} by {name}"
    return trick


def _sue_is(role: str) -> Callable[[Events], None]:
    """Sue has another role from the beginning."""

    def trick(events: Events) -> None:
        find(events, "account-created", lambda data: data["account"] == "sue")["data"]["role"] = role

    trick.__name__ = f"sue is {role}"
    return trick


def sue_was_disabled(events: Events) -> None:
    """Sue is disabled at the beginning, and earlier than the grace for requests in flight."""
    place = events.index(find(events, "account-created", lambda data: data["account"] == "sue"))
    data = {"account": "sue", "by": "admin"}
    moment = "2020-01-01T00:00:00.000000+00:00"
    events.insert(place + 1, events[place] | {"kind": "account-disabled", "data": data, "at": moment})


def sue_makes_staff(events: Events) -> None:
    find(events, "account-created", lambda data: data["account"] == "dan")["data"]["by"] = "sue"


def dan_makes_himself(events: Events) -> None:
    find(events, "account-created", lambda data: data["account"] == "dan")["data"]["by"] = "dan"


def the_house_hires(events: Events) -> None:
    find(events, "account-created", lambda data: data["account"] == "dan")["data"]["by"] = "house"


# -- Anchors left out


def no_anchor(events: Events) -> None:
    events[:] = [event for event in events if event["chain"] != "anchors"]


def an_anchor_less(events: Events) -> None:
    events.remove(next(event for event in events[1_000:] if event["chain"] == "anchors"))


def another_round(events: Events) -> None:
    find(events, "wagered")["round"] += 1


def no_data(events: Events) -> None:
    find(events, "settled")["data"] = {}


def unknown_kind(events: Events) -> None:
    find(events, "ready")["kind"] = "sleight"


def never_opened(events: Events) -> None:
    events.remove(next(e for e in events if e["kind"] == "opened"))


TRICKS: dict[Callable[[Events], None], str] = {
    pays_more: "by the rules it is",
    chooses_otherwise: "chose 'fold' for",
    plays_for_another: "mal acted for seat",
    plays_for_the_absent: "which is not the house rule",
    out_of_turn: "which the rules refuse",
    richer_standing: "the standing is wrong: seat",
    other_meters: "the standing has meters",
    more_cards_used: "the standing has used",
    settled_twice: "'settled' cannot happen in the phase 'settling'",
    void_after_settled: "'void' cannot happen in the phase 'settling'",
    no_cage_event: "the cage did not record",
    out_of_nowhere: "the cage did not record",
    from_nowhere_to_the_cage: "the table did not record",
    leaves_with_more: " left with $",
    less_issued: "The snapshot of the cage is not the sum of its events.",
    swapped_card: "do not match its commitment",
    wrong_salt: "do not match its commitment",
    another_deck: "is not the deck of",
    other_cards: "the order lacks the cards that event",
    laid_open_otherwise: "the order lacks the cards that event",
    shown_before_the_bets_were_closed: "bets closed after the order of the cards was shown",
    shown_while_seats_choose: "'order' cannot happen in the phase 'choosing'",
    beyond_the_limits: "wagered outside the limits: The ",
    never_shown: "was replaced before its order was shown",
    keeps_of_a_refund: " instead of ",
    another_call: "The dealer called 'Good luck.'",
    deals_out_a_bettor: "have wagered",
    no_wager: "instead of|are dealt in",
    no_approval: "it was opened without an approval. No approval has the number 99.",
    lapsed_approval: "which was not in force for these rules on",
    other_rules_approved: "which was not in force for these rules on",
    richer_welcome: "$1,000.01 was issued to mal as 'welcome'; by the cage's rules it is $1,000",
    second_welcome: "was issued to ann as 'welcome'; by the cage's rules it is $0",
    refill_of_the_rich: "ann received a refill. Play money is refilled below $100",
    refill_of_a_stranger: "mal received a refill. The cage does not know mal.",
    gift: "$70 was issued to ann as 'a friend'; by the cage's rules it is $0",
    richer_refill: " as 'refill'; by the cage's rules it is $",
    rich_from_the_beginning: "it begins with money that nobody issued",
    _by("opened", "mal"): "'opened' by mal, who was not a supervisor or administrator.",
    _by("closed", "mal"): "'closed' by mal, who was not a supervisor or administrator.",
    _by("closing", "ann"): "'closing' by ann, who was not a supervisor or administrator.",
    _by("void", "dan"): "'void' by dan, who was not a supervisor or administrator.",
    _by("drill", "house"): "'drill' by house, who was not a supervisor or administrator.",
    _by("mode-selected", "dan"): "'mode-selected' by dan, who was not a supervisor or administrator.",
    _by("shuffler-tested", "dan"): "'shuffler-tested' by dan, who was not a supervisor or administrator.",
    _by("replacement-step", "ann"): "'replacement-step' by ann, who was not a dealer, supervisor or",
    _by("guide-consulted", "bob"): "'guide-consulted' by bob, who was not a dealer, supervisor or",
    _by("hand-dealing", "mal"): "'hand-dealing' by mal, who was not a supervisor or administrator.",
    _by("no-more-bets", "bob"): "'no-more-bets' by bob, who was not a dealer, supervisor or administrator.",
    _by("approval-drafted", "sue"): "'approval-drafted' by sue, who was not an administrator.",
    _by("approval-step", "mal"): "'approval-step' by mal, who was not an administrator.",
    _sue_is("dealer"): "by sue, who was not a supervisor or administrator.",
    sue_was_disabled: "by sue, who was not a supervisor or administrator.",
    sue_makes_staff: "'account-created' by sue, who was not an administrator.",
    dan_makes_himself: "'account-created' by dan, who was not an administrator.",
    the_house_hires: "'account-created' by house, who was not an administrator.",
    no_anchor: " events before it have no anchor",
    an_anchor_less: " events before it have no anchor",
    another_round: "it names round",
    no_data: "it cannot be followed (KeyError",
    unknown_kind: "'sleight' cannot happen in the phase",
    never_opened: "at a table that was never opened",
}


def verify_folder(folder: Path) -> LedgerReport:
    with Ledger.open(folder / "ledger.sqlite", writer=False) as ledger:
        return verify(ledger)


def test_a_rewritten_ledger_without_a_change_is_sound(packet_folder: Path, tmp_path: Path) -> None:
    rewrite_ledger(packet_folder, tmp_path, lambda events: None)
    report = verify_folder(tmp_path)
    assert report.sound
    assert report.events == len(read_events(packet_folder))


@pytest.mark.parametrize("trick", TRICKS, ids=lambda trick: trick.__name__)
def test_every_change_by_an_insider_is_found(
    packet_folder: Path, tmp_path: Path, trick: Callable[[Events], None]
) -> None:
    rewrite_ledger(packet_folder, tmp_path, trick)
    report = verify_folder(tmp_path)
    told = [str(problem) for problem in report.problems]
    assert any(part in sentence for sentence in told for part in TRICKS[trick].split("|")), told
    for problem in report.problems:
        assert problem.sentence.startswith(f"{problem.chain} {problem.number}: ")


def test_a_change_without_new_digests_is_found_by_the_digests(packet_folder: Path, tmp_path: Path) -> None:
    path = rewrite_ledger(packet_folder, tmp_path, lambda events: None)
    with sqlite3.connect(path) as database:
        database.execute("UPDATE events SET at = '2000' || substr(at, 5) WHERE sequence = 100")
    database.close()
    with Ledger.open(path, writer=False) as ledger:
        assert "its digest does not match" in str(verify(ledger, fast=True).problems[0])


def test_malformed_json_is_found_and_the_rest_is_read(packet_folder: Path, tmp_path: Path) -> None:
    path = rewrite_ledger(packet_folder, tmp_path, lambda events: None)
    with sqlite3.connect(path) as database:
        database.execute("UPDATE events SET data = '{' WHERE sequence = 100")
    database.close()
    with Ledger.open(path, writer=False) as ledger:
        report = verify(ledger, fast=True)
    assert any("it cannot be followed" in str(problem) for problem in report.problems)
    assert report.events == len(read_events(packet_folder))


def test_of_many_problems_the_first_are_listed_and_the_others_counted(
    packet_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reporting, "MAX_PROBLEMS", 3)
    rewrite_ledger(packet_folder, tmp_path, never_opened)
    report = verify_folder(tmp_path)
    assert len(report.problems) == 3
    assert report.more > 10


async def test_a_ledger_in_the_middle_of_a_round_is_sound_before_and_after_a_crash(tmp_path: Path) -> None:
    pit = Pit(tmp_path)
    await pit.start()
    await pit.demo()
    await pit.give(lambda cage: cage.plan_welcome("ann"))
    live = pit.table("high-five-poker-1")
    await live.act(lambda table: table.sit("ann", 0, 10_000))
    await live.act(lambda table: table.wager("ann", 0, {"ante": 500}))
    await live.act(lambda table: table.ready("ann", 0))
    pit.ledger.close()  # nothing else is put in order
    report = verify_folder(tmp_path)
    assert (report.sound, report.at_tables, report.won) == (True, 10_000, 0)
    pit = Pit(tmp_path)
    await pit.start()
    await pit.table("high-five-poker-1").act(lambda table: table.choose("ann", 0, "fold"))
    await pit.stop()
    report = verify_folder(tmp_path)
    assert (report.sound, report.at_tables, report.won, report.settled) == (True, 9_500, 500, 1)


async def play_rounds(pit: Pit, count: int) -> None:
    """Rounds of two players, each of which uses up a shuffle."""
    live = pit.table("high-five-poker-1")
    for _ in range(count):
        for seat, name in enumerate(("ann", "bob")):
            await live.act(lambda table, seat=seat, name=name: table.wager(name, seat, {"ante": 500}))
            await live.act(lambda table, seat=seat, name=name: table.ready(name, seat))
        for seat, name in enumerate(("ann", "bob")):
            await live.act(lambda table, seat=seat, name=name: table.choose(name, seat, "fold"))


@pytest.mark.parametrize("is_divided", [False, True], ids=["one pass", "parts"])
async def test_a_ledger_that_is_written_meanwhile_is_verified_up_to_one_event(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_divided: bool
) -> None:
    """Rounds, buy-ins, accounts and heads arrive between any two parts of the work; none is a problem."""
    async with running(tmp_path / "pit") as house:
        pit, loop = house.pit, asyncio.get_running_loop()
        for seat, name in enumerate(("ann", "bob")):
            await pit.give(lambda cage, name=name: cage.plan_welcome(name))
            await pit.table("high-five-poker-1").act(lambda table, s=seat, n=name: table.sit(n, s, 50_000))
        await play_rounds(pit, 2)

        async def go_on() -> None:
            await play_rounds(pit, 3)
            guest = await house.guest()
            await guest.at("casino-war-1", "sit", seat=1 + len(pit.cage.balances) - 3, cents=10_000)
            name = f"player-{len(pit.cage.balances)}"
            await pit.note(*pit.accounts.create(name, SECRET, Role.PLAYER, name).drafts)
            pit.heads.sign()

        def interrupt(*_: object) -> None:
            if not loop.is_closed():
                asyncio.run_coroutine_threadsafe(go_on(), loop).result(60)

        def work_on(work: Any, all_parts: Any, *_: object) -> list[Any]:
            found = []
            for part in all_parts:
                interrupt()
                found.append(work(part))
            interrupt()
            return found

        monkeypatch.setattr(verification, "EVENTS_FOR_CORES", 1)
        monkeypatch.setattr(parts, "map_in_processes", work_on)
        with Ledger.open(tmp_path / "pit" / "ledger.sqlite", writer=False) as ledger:
            last, heads = ledger.last_sequence(), read_witness(tmp_path / "pit" / "heads.jsonl")
            cores, progress = (2, lambda _: None) if is_divided else (1, interrupt)
            report = await asyncio.to_thread(verify, ledger, progress, False, heads, cores)
            assert [str(problem) for problem in report.problems] == []
            assert (report.last, report.events, report.settled) == (last, last, 2)
            assert ledger.last_sequence() > last
            record = VerifiedRecord.make(ledger, report)
            since = await asyncio.to_thread(verify_since, ledger, record, interrupt)
            assert [str(problem) for problem in since.problems] == []
            assert since.settled >= 5


async def test_the_fault_of_a_drill_is_still_there_after_a_crash(tmp_path: Path) -> None:
    pit = Pit(tmp_path)
    await pit.start()
    await pit.demo()
    await pit.table("high-five-poker-1").act(lambda table: table.drill("sue", JAM))
    pit.ledger.close()
    pit = Pit(tmp_path)
    await pit.start()
    assert pit.table("high-five-poker-1").table.shuffler.fault == JAM
    await pit.stop()


async def test_the_supervisor_who_announced_a_close_may_have_left_by_then(tmp_path: Path) -> None:
    pit = Pit(tmp_path)
    await pit.start()
    await pit.demo()
    made = pit.accounts.ensure_administrator()
    assert made
    hired = pit.accounts.create("sue", "a long password", Role.SUPERVISOR, "admin")
    await pit.note(*made.drafts, *hired.drafts)
    await pit.give(lambda cage: cage.plan_welcome("ann"))
    live = pit.table("high-five-poker-1")
    await live.act(lambda table: table.sit("ann", 0, 10_000))
    await live.act(lambda table: table.wager("ann", 0, {"ante": 500}))
    await live.act(lambda table: table.ready("ann", 0))
    await live.act(lambda table: table.close("sue", "For the night."))
    pit.accounts.disable("sue", "admin")
    await live.act(lambda table: table.choose("ann", 0, "fold"))
    assert live.table.phase == Phase.CLOSED
    await pit.stop()
    assert [str(problem) for problem in verify_folder(tmp_path).problems] == []


async def test_actions_of_staff_over_http_are_sound(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        made = house.pit.accounts.ensure_administrator()
        assert made
        await house.pit.note(*made.drafts)
        admin, sue = Client(house), Client(house)
        signed = await admin.post("session", name="admin", password=made.password)
        admin.known(signed.json()["session"], "admin")
        assert (await admin.post("accounts", name="sue", password=SECRET, role="dealer")).status_code == 201
        promoted = await admin.http.patch("/api/accounts/sue", json={"role": "supervisor"})
        assert promoted.status_code == 200
        signed = await sue.post("session", name="sue", password=SECRET)
        sue.known(signed.json()["session"], "sue")
        player = await house.guest()
        assert (await player.at("casino-war-1", "sit", seat=1, cents=95_000)).status_code == 200
        assert (await player.post("refill")).status_code == 200
        wagered = await player.at("casino-war-1", "wager", seat=1, round=1, wagers={"primary": 500})
        assert wagered.status_code == 200
        assert (await sue.at("casino-war-1", "void", reason="A card fell.")).status_code == 200
        assert (await sue.at("casino-war-1", "close", why="For the night.")).status_code == 200
        ended = await admin.post("approvals/1/steps", act="withdraw", note="Not played.")
        assert ended.status_code == 200
    assert [str(problem) for problem in verify_folder(tmp_path).problems] == []


def test_a_request_in_flight_may_be_recorded_just_after_its_role_ended() -> None:
    history = RoleHistory()
    hired = {"account": "sue", "role": "supervisor", "by": "admin"}
    history.follow(Event("house", 1, "account-created", 0, "2026-01-01T00:00:00.000000+00:00", hired))
    gone = {"account": "sue", "by": "admin"}
    history.follow(Event("house", 2, "account-disabled", 0, "2026-01-01T01:00:00.000000+00:00", gone))
    assert history.may("sue", Permission.SUPERVISE, "2026-01-01T01:00:01.000000+00:00")
    assert not history.may("sue", Permission.ADMINISTER, "2026-01-01T01:00:01.000000+00:00")
    assert not history.may("sue", Permission.SUPERVISE, "2026-01-01T01:01:00.000000+00:00")
    history.follow(Event("house", 3, "account-enabled", 0, "2026-01-01T02:00:00.000000+00:00", gone))
    assert history.may("sue", Permission.SUPERVISE, "2026-01-01T03:00:00.000000+00:00")


def test_an_empty_ledger_is_sound(tmp_path: Path) -> None:
    Ledger.open(tmp_path / "ledger.sqlite").close()
    with Ledger.open(tmp_path / "ledger.sqlite", writer=False) as ledger:
        assert verify(ledger).sound


@settings(max_examples=8)
@given(seed=st.integers(1, 10**9), game=st.sampled_from(sorted(GAMES)))
def test_money_is_conserved_whatever_is_played(seed: int, game: str) -> None:
    with tempfile.TemporaryDirectory() as name:
        asyncio.run(played(Path(name), {game: 6}, seed))
        with Ledger.open(Path(name) / "ledger.sqlite", writer=False) as ledger:
            report = verify(ledger)
            assert report.sound, report.problems
            assert report.issued == report.balances + report.at_tables + report.won
            won = sum(round.win for round in load_last_rounds(ledger, f"{game}-1", 100))
            assert won == report.won
            assert all(replay_round(round).same for round in load_last_rounds(ledger, f"{game}-1", 100))
