"""The shufflers of a table: modes, the guide, replacement in seven steps, tests, hand dealing and the log."""

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from feltlab.core.game import Game
from feltlab.core.limits import STANDARD_LIMITS
from feltlab.errors import Refused
from feltlab.games import GAMES
from feltlab.ledger.ledger import Ledger
from feltlab.pit.accounts import ADMIN, AccountChange
from feltlab.pit.pit import Pit
from feltlab.pit.recorded_round import table_names
from feltlab.pit.recovery import recover_table
from feltlab.pit.roles import Role
from feltlab.pit.seats import Phase, Timers
from feltlab.pit.shufflers.install import MachineTerms, ShufflerTerms, install_machines
from feltlab.pit.shufflers.log import read_log
from feltlab.pit.shufflers.machines import Machine, Machines, Patience
from feltlab.pit.shufflers.old_ledgers import count_machines
from feltlab.pit.verify import verify
from feltlab.pit.view import view
from feltlab.shuffling.machine import BACKUP, HAND, MAIN
from tests.support.felt import BY_HAND, Felt, kinds, refused
from tests.support.insider import Events, read_events, rewrite_ledger

RUMMY, HUNTER, WAR = GAMES["triple-shot-rummy"], GAMES["rabbit-hunter"], GAMES["casino-war"]
BONUS = GAMES["triple-shot-bonus"]
every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


def fail(felt: Felt, times: int = 1, fault: str = "short deck") -> Felt:
    """Faults in a row, each after the guide was consulted."""
    for _ in range(times):
        if felt.machines.guide:
            felt.consult_guide("dan")
        felt.drill("boss", fault)
        felt.wagered().no_more_bets()
    return felt


def replaced(felt: Felt) -> Felt:
    for step in range(felt.machines.step + 1, 8):
        felt.confirm_step("dan", step)
    return felt


# -- Models and modes -------------------------------------------------------------------------------


@every_game
def test_a_table_has_a_main_and_a_backup_of_a_model_and_mode_that_fit(game: Game) -> None:
    felt = Felt(game)
    opened = felt.record.events[0].data["machines"]
    assert (opened["main"]["serial"], opened["backup"]["serial"]) == ("table-1-main", "table-1-backup")
    assert felt.machines.in_use == MAIN
    assert view(felt.table)["waits"] == ""


def test_a_mode_is_selected_between_rounds_and_the_cards_are_shuffled_again() -> None:
    felt = Felt(HUNTER, timers=BY_HAND)
    assert kinds(felt.select_mode("sue", "six card poker")) == ["mode-selected", "order", "shuffled"]
    assert felt.machines.main.mode == "Six Card Poker"
    assert refused(felt, "select_mode", "sue", "Six Card Poker").endswith("set to Six Card Poker already.")
    assert kinds(felt.select_mode("sue", "Six Card Poker", BACKUP)) == ["mode-selected"]
    wrong = refused(felt, "select_mode", "sue", "Pai Gow Poker")
    assert wrong == (
        "The shuffler shows 'WRONG MODE: SELECT RABBIT HUNTER OR SIX CARD POKER' and stays in its mode."
    )
    felt.dealt()
    assert refused(felt, "select_mode", "sue", "Rabbit Hunter") == "The mode is selected between rounds."
    felt.over()
    assert felt.machines.main.mode == "Six Card Poker", "also in the next round"


def test_a_table_is_opened_with_the_machines_that_its_supervisor_names() -> None:
    terms = ShufflerTerms(
        MachineTerms("i-deal plus", "SN 4711", "six card poker"), patience=Patience(2, 3, 50)
    )
    machines = install_machines(HUNTER, "east", terms=terms)
    assert machines.main == Machine("i-Deal Plus", "SN 4711", "Six Card Poker")
    assert (machines.backup.model, machines.backup.mode) == ("ACE", "Rabbit Hunter")
    assert machines.patience == Patience(2, 3, 50)


@pytest.mark.parametrize(
    ("game", "terms", "sentence"),
    [
        (HUNTER, MachineTerms(mode="Pai Gow Poker"), "WRONG MODE: SELECT RABBIT HUNTER OR SIX CARD POKER"),
        (RUMMY, MachineTerms("i-Deal"), "does not fit Triple Shot Rummy; a model that fits is ACE"),
        (WAR, MachineTerms("ACE"), "does not fit Casino War; a model that fits is shoe shuffler"),
        (WAR, MachineTerms("Dealer 9"), "'Dealer 9' is not a model"),
        (WAR, MachineTerms(serial="x" * 41), "A serial name has at most 40"),
    ],
)
def test_a_table_does_not_open_with_a_machine_that_does_not_fit(
    game: Game, terms: MachineTerms, sentence: str
) -> None:
    for shufflers in (ShufflerTerms(main=terms), ShufflerTerms(backup=terms)):
        with pytest.raises(Refused) as caught:
            install_machines(game, "east", terms=shufflers)
        assert sentence in str(caught.value)


def test_a_machine_that_stays_keeps_its_counts_and_another_begins_at_zero() -> None:
    felt = fail(Felt(HUNTER))
    felt.consult_guide("dan")
    again = install_machines(HUNTER, "table-1", felt.machines)
    assert (again.main.cycles, again.main.faults) == (felt.machines.main.cycles, 1)
    other = install_machines(HUNTER, "table-1", felt.machines, ShufflerTerms(MachineTerms(serial="new")))
    assert (other.main.serial, other.main.cycles, other.main.faults) == ("new", 0, 0)


# -- The guide --------------------------------------------------------------------------------------


def test_the_guide_is_consulted_before_the_next_round_and_wagers_can_be_taken_back() -> None:
    felt = fail(Felt(RUMMY, timers=BY_HAND), fault="jam")
    assert (felt.message, felt.machines.in_use) == ("JAM: CLEAR THE PATH", MAIN)
    waits = "The shuffler shows 'JAM: CLEAR THE PATH': its guide is consulted before the next round."
    felt.wagered()
    assert refused(felt, "no_more_bets") == refused(felt, "drill", "boss", "jam") == waits
    assert refused(felt, "time_is_up") == view(felt.table)["waits"] == waits
    felt.wager("player 0", 0, {})
    assert (
        refused(felt, "consult_guide", "dan", "short deck") == "The shuffler shows a jam, not a short deck."
    )
    assert refused(felt, "confirm_step", "dan", 1).startswith("No shuffler is being replaced")
    (draft,) = felt.consult_guide("dan", "jam")
    assert draft.data == {"by": "dan", "shuffler": MAIN, "fault": "jam"}
    assert (felt.message, felt.machines.why_waiting) == ("READY", "")
    assert "shows no fault" in refused(felt, "consult_guide", "dan")


def test_seats_that_are_ready_wait_for_the_guide_and_then_the_round_begins() -> None:
    felt = fail(Felt(RUMMY, timers=Timers()))
    felt.wagered()
    felt.ready("player 0", 0)
    assert felt.phase == Phase.BETTING
    assert kinds(felt.consult_guide("dan"))[:2] == ["guide-consulted", "no-more-bets"]


def test_a_jam_shows_as_soon_as_it_happens_and_a_count_when_bets_close() -> None:
    felt = Felt(RUMMY)
    felt.drill("boss", "jam")
    assert felt.message == "JAM: CLEAR THE PATH"
    felt = Felt(RUMMY)
    felt.drill("boss", "duplicate card")
    assert felt.message == "READY", "a line that names a card appears after the bets are closed"


# -- Replacement ------------------------------------------------------------------------------------


def test_a_machine_is_replaced_after_three_faults_in_a_row() -> None:
    felt = fail(Felt(HUNTER), 2)
    assert not felt.machines.is_replacing
    fail(felt)
    assert felt.machines.is_replacing
    assert felt.machines.why_waiting.endswith("next is step 1: Turn off the shuffler.")
    assert felt.machines.guide == "", "the letter: the guide, or, after continual faults, the replacement"
    assert refused(felt, "consult_guide", "dan") == (
        "The guide no longer helps. The main shuffler failed continually and is being replaced; "
        "next is step 1: Turn off the shuffler."
    )


def test_a_good_delivery_ends_a_row_of_faults() -> None:
    felt = fail(Felt(HUNTER, timers=Timers(choosing=0)), 2)
    felt.consult_guide("dan")
    felt.dealt()
    fail(felt, 2)
    assert (felt.machines.main.in_row, felt.machines.is_replacing) == (2, False)


def test_a_machine_is_replaced_after_five_faults_in_its_last_hundred_cycles() -> None:
    felt = Felt(HUNTER, timers=Timers(choosing=0))
    for _ in range(5):
        assert not felt.machines.is_replacing
        fail(felt)
        if felt.machines.guide:
            felt.consult_guide("dan")
            felt.dealt()
    assert felt.machines.is_replacing
    main = felt.machines.main
    later = replace(main, in_row=0, cycles=main.recent[0] + 100)
    assert not later.is_failing(felt.machines.patience), "the first of the five is a hundred cycles ago"


def test_the_seven_steps_are_confirmed_in_order_each_once_and_no_round_is_dealt_meanwhile() -> None:
    felt = fail(Felt(HUNTER, timers=BY_HAND), 3)
    for step in range(1, 8):
        felt.wagered()
        assert f"next is step {step}" in refused(felt, "no_more_bets")
        for other in {0, step - 1, step + 1, 7, 8} - {step}:
            assert f"the next is step {step}: " in refused(felt, "confirm_step", "dan", other)
        felt.wager("player 0", 0, {})
        assert felt.message == ("READY" if step > 5 else "" if step > 1 else "DECK SHORT: 51 OF 52 CARDS")
        assert (felt.machines.in_use, felt.machines.main.out) == (
            (BACKUP, True) if step > 3 else (MAIN, False)
        )
        drafts = felt.confirm_step("dan", step)
        assert drafts[0].data["step"] == step
        assert (drafts[0].data["shuffler"], drafts[0].data["by"]) == (MAIN, "dan")
    assert kinds(drafts) == ["replacement-step", "order", "shuffled"]
    assert (drafts[2].data["shuffler"], felt.machines.why_waiting) == (BACKUP, "")
    felt.dealt()
    felt.over()
    assert (felt.machines.backup.hands, felt.machines.main.hands) == (2, 0)


def test_a_replacement_goes_on_at_the_same_step_after_a_crash() -> None:
    felt = fail(Felt(HUNTER), 3)
    for step in (1, 2, 3, 4):
        felt.confirm_step("dan", step)
        assert felt.folded().machines == felt.machines
    assert felt.folded().confirm_step("dan", 5).machines.step == 5


def test_a_void_in_the_middle_of_a_replacement_changes_nothing_in_it() -> None:
    felt = fail(Felt(HUNTER), 3)
    felt.confirm_step("dan", 1)
    felt.wagered().void("boss", "Spill.")
    assert felt.machines.step == 1
    assert felt.folded().machines.step == 1


def test_a_machine_is_out_of_service_until_a_test_is_passed() -> None:
    felt = replaced(fail(Felt(HUNTER), 3))
    assert refused(felt, "test_shuffler", "sue", BACKUP).startswith("The backup shuffler is in service")
    assert "is not a shuffler" in refused(felt, "test_shuffler", "sue", HAND)
    felt.test_shuffler("sue", MAIN, False, "jams")
    assert felt.machines.main.out
    felt.test_shuffler("sue", MAIN, True, "100 cycles")
    main = felt.machines.main
    assert (main.out, main.in_row, main.recent, main.faults) == (False, 0, (), 3)
    fail(felt, 3)
    assert felt.machines.is_replacing, "the tested machine is the stand-by"
    assert replaced(felt).machines.in_use == MAIN


def test_a_machine_that_was_replaced_is_out_after_closing_and_opening() -> None:
    felt = replaced(fail(Felt(HUNTER), 3))
    felt.close("boss")
    again = install_machines(HUNTER, "table-1", felt.machines)
    assert (again.in_use, again.main.out, again.why_waiting) == (BACKUP, True, "")


# -- Without a machine ------------------------------------------------------------------------------


@pytest.mark.parametrize("game", [HUNTER, GAMES["high-five-poker"]])
def test_a_table_closes_if_the_backup_fails_continually_while_the_main_is_out(game: Game) -> None:
    felt = fail(replaced(fail(Felt(game), 3)), 3)
    assert (felt.phase, felt.chips) == (Phase.CLOSED, 0)
    assert felt.record.events[-1].data["why"] == "Both shufflers are out of service."
    with pytest.raises(Refused, match="Both shufflers of the table are out of service"):
        install_machines(game, "table-1", felt.machines)
    felt.test_shuffler("sue", BACKUP)
    assert install_machines(game, "table-1", felt.machines).in_use == BACKUP


def test_triple_shot_bonus_goes_on_by_hand_as_its_procedure_says() -> None:
    felt = fail(replaced(fail(Felt(BONUS), 3)), 3)
    assert kinds(felt.deal_by_hand("sue", "both out")) == ["hand-dealing", "order", "shuffled"]
    assert felt.machines.in_use == HAND


@pytest.mark.parametrize("game", [RUMMY, WAR])
def test_where_the_rules_allow_it_a_supervisor_goes_on_by_hand(game: Game) -> None:
    felt = replaced(fail(Felt(game, timers=Timers(choosing=0)), 3))
    assert "only after both shufflers" in refused(felt, "deal_by_hand", "sue")
    fail(felt, 3)
    assert felt.machines.why_waiting.startswith("Both shufflers are out of service: a supervisor closes")
    assert "No shuffler is being replaced" in refused(felt, "confirm_step", "dan", 1)
    assert kinds(felt.deal_by_hand("sue", "both out")) == ["hand-dealing", "order", "shuffled"]
    felt.dealt()
    assert (felt.machines.in_use, felt.machines.hand.hands, felt.message) == (HAND, 2, "")
    assert refused(felt, "deal_by_hand", "sue") == "The table is dealt by hand already."
    assert "there is no mode to select" in refused(felt, "select_mode", "sue", "shoe")
    assert "'jam' is not a fault that can happen here" in refused(felt, "drill", "boss", "jam")
    fail(felt, 4)
    assert (felt.machines.is_replacing, felt.machines.hand.faults) == (False, 4)


def test_a_table_whose_option_is_hand_dealing_has_no_machine_in_use() -> None:
    if "dealt-by" not in dict(RUMMY.options):
        pytest.skip("the option is not there yet")
    felt = Felt(RUMMY.with_options({"dealt-by": "hand"}), timers=Timers(choosing=0))
    felt.dealt()
    assert (felt.machines.in_use, felt.machines.hand.cycles, felt.machines.main.cycles) == (HAND, 2, 0)


# -- The log ----------------------------------------------------------------------------------------


def test_the_log_counts_what_the_events_say(played_ledger: Ledger) -> None:
    for name in table_names(played_ledger):
        machines = recover_table(played_ledger, None, name).machines
        log = read_log(played_ledger, name, machines, 10_000)
        events = list(played_ledger.events(name))
        for row in log["machines"]:
            who = row["shuffler"]
            cycles = [event for event in events if event.kind == "shuffled" and event.data["shuffler"] == who]
            faults = [event for event in events if event.kind == "fault" and event.data["shuffler"] == who]
            assert (row["cycles"], row["faults"]) == (len(cycles), len(faults))
            assert sum(row["by_fault"].values()) == len(faults)
            rows = [cycle for cycle in log["cycles"] if cycle["shuffler"] == who]
            assert (sum(cycle["hands"] for cycle in rows), len(rows)) == (row["hands"], row["cycles"])
            assert sum(bool(cycle["fault"]) for cycle in rows) == row["faults"]
        hands = sum(event.data["hands"] for event in events if event.kind == "dealt")
        assert sum(row["hands"] for row in log["machines"]) == hands
        assert log["cycles"] == sorted(log["cycles"], key=lambda row: -row["cycle"])


def test_the_log_of_one_machine_has_only_its_lines(played_ledger: Ledger) -> None:
    name = "triple-shot-rummy-1"
    machines = recover_table(played_ledger, None, name).machines
    log = read_log(played_ledger, name, machines, 5, BACKUP)
    assert {row["shuffler"] for part in ("machines", "cycles", "acts") for row in log[part]} == {BACKUP}
    assert len(log["cycles"]) == len(log["acts"]) == 5


# -- Old ledgers ------------------------------------------------------------------------------------


def _as_before_machines(events: Events) -> None:
    """As an earlier feltlab wrote a ledger: without machines, and without acts at them."""
    for event in events:
        event["data"].pop("machines", None)


def test_the_machines_of_an_old_ledger_are_counted_once_from_its_events(
    packet_folder: Path, tmp_path: Path
) -> None:
    path = rewrite_ledger(packet_folder, tmp_path, _as_before_machines)
    with (
        Ledger.open(path, writer=False) as ledger,
        Ledger.open(packet_folder / "ledger.sqlite", False) as new,
    ):
        for name in table_names(ledger):
            counted, known = recover_table(ledger, None, name), recover_table(new, None, name).machines
            assert not counted.machines.modern
            for who in (MAIN, BACKUP):
                names = ("cycles", "hands", "faults")
                got, due = counted.machines[who], known[who]
                assert [getattr(got, n) for n in names] == [getattr(due, n) for n in names]
            assert count_machines(ledger, counted, 1) == Machines()


def _as_when_the_backup_came_at_once(events: Events) -> None:
    """As an earlier feltlab wrote it: a fault changes to the backup, and a supervisor changes back."""
    _as_before_machines(events)
    in_use = MAIN
    for event in [e for e in events if e["chain"] == "rabbit-hunter-1"]:
        data = event["data"]
        if event["kind"] == "guide-consulted":
            events.remove(event)
        elif event["kind"] == "mode-selected":
            event["kind"], event["data"], in_use = "shuffler", {"by": "sue", "shuffler": MAIN}, MAIN
        elif event["kind"] == "fault":
            del data["shows"]
            in_use = BACKUP
        elif "shuffler" in data:
            data["shuffler"] = in_use


async def test_an_old_ledger_in_which_the_backup_came_at_once_is_sound_and_goes_on(tmp_path: Path) -> None:
    new, old = tmp_path / "new", tmp_path / "old"
    pit = Pit(new)
    await pit.start()
    await pit.demo()
    for draft in (pit.accounts.ensure_administrator(), _hire(pit)):
        assert draft
        await pit.note(*draft.drafts)
    await pit.give(lambda cage: cage.plan_welcome("ann"))
    live = pit.table("rabbit-hunter-1")
    await live.act(lambda table: table.sit("ann", 0, 50_000))
    await live.act(lambda table: table.drill("sue", "short deck"))
    await _play(pit)
    await live.act(lambda table: table.consult_guide("sue"))
    await _play(pit)
    await live.act(lambda table: table.select_mode("sue", "Six Card Poker"))
    await _play(pit)
    await pit.stop()
    old.mkdir()
    rewrite_ledger(new, old, _as_when_the_backup_came_at_once)
    for key in ("vault.key", "heads.key"):
        shutil.copy(new / key, old / key)
    pit = Pit(old)
    await pit.start()
    machines = pit.table("rabbit-hunter-1").table.machines
    assert (machines.in_use, machines.main.faults, machines.is_replacing) == (MAIN, 1, False)
    assert (machines.main.hands, machines.backup.hands, machines.backup.cycles) == (2, 2, 2)
    await _play(pit)
    await pit.stop()
    with Ledger.open(old / "ledger.sqlite", writer=False) as ledger:
        assert [problem.sentence for problem in verify(ledger).problems] == []


def _hire(pit: Pit) -> AccountChange:
    return pit.accounts.create("sue", "a long password", Role.SUPERVISOR, ADMIN)


async def _play(pit: Pit) -> None:
    """A round in which ann folds, if the shuffler delivers."""
    live = pit.table("rabbit-hunter-1")
    await live.act(lambda table: table.wager("ann", 0, {"ante": 500}))
    await live.act(lambda table: table.no_more_bets("sue"))
    if live.table.phase == Phase.CHOOSING:
        await live.act(lambda table: table.choose("ann", 0, "fold"))


# -- Forged ledgers ---------------------------------------------------------------------------------


def _first(events: Events, kind: str, **data: Any) -> dict[str, Any]:
    found = [e for e in events if e["kind"] == kind and all(e["data"].get(k) == v for k, v in data.items())]
    return found[len(found) // 2]


def _swaps_steps(events: Events) -> None:
    _first(events, "replacement-step", step=4)["data"]["step"] = 5


def _leaves_out_a_step(events: Events) -> None:
    events.remove(_first(events, "replacement-step", step=2))


def _confirms_twice(events: Events) -> None:
    step = _first(events, "replacement-step", step=6)
    events.insert(events.index(step), {**step, "data": dict(step["data"])})


def _another_act(events: Events) -> None:
    _first(events, "replacement-step", step=3)["data"]["does"] = "Have a coffee."


def _no_guide(events: Events) -> None:
    events.remove(_first(events, "guide-consulted", shuffler=MAIN))


def _guide_of_another_fault(events: Events) -> None:
    event = _first(events, "guide-consulted", shuffler=MAIN)
    event["data"]["fault"] = "jam" if event["data"]["fault"] != "jam" else "short deck"


def _tests_a_machine_in_service(events: Events) -> None:
    event = _first(events, "shuffler-tested")
    event["data"]["shuffler"] = BACKUP if event["data"]["shuffler"] == MAIN else MAIN


def _wrong_mode(events: Events) -> None:
    _first(events, "mode-selected")["data"]["mode"] = "Pai Gow Poker"


def _swaps_freely(events: Events) -> None:
    event = _first(events, "mode-selected", shuffler=MAIN)
    event["kind"], event["data"] = "shuffler", {"by": "sue", "shuffler": BACKUP}


def _fault_without_line(events: Events) -> None:
    del _first(events, "fault")["data"]["shows"]


def _more_faults(events: Events) -> None:
    standings = [e["data"] for e in events if e["kind"] == "standing" and "machines" in e["data"]]
    machine = next(d["machines"]["main"] for d in standings if "faults" in d["machines"]["main"])
    machine["faults"] += 1


def _forgets_the_machines(events: Events) -> None:
    standings = [e for e in events if e["kind"] == "standing" and "machines" in e["data"]]
    del standings[len(standings) // 2]["data"]["machines"]


def _opens_with_a_new_past(events: Events) -> None:
    opened = [e for e in events if e["kind"] == "opened" and "cycles" in e["data"]["machines"]["main"]]
    opened[-1]["data"]["machines"]["main"]["cycles"] -= 1


def _by_hand_with_machines(events: Events) -> None:
    event = _first(events, "mode-selected", shuffler=MAIN)
    event["kind"], event["data"] = "hand-dealing", {"by": "sue", "why": ""}


FORGED: dict[Callable[[Events], None], str] = {
    _swaps_steps: "Step 5 is not next; the next is step 4",
    _leaves_out_a_step: "Step 3 is not next; the next is step 2",
    _confirms_twice: "Step 6 was confirmed already; the next is step 7",
    _another_act: "step 3 of the replacement names another shuffler or another act.",
    _no_guide: "guide is consulted before the next round.",
    _guide_of_another_fault: "'guide-consulted' was not possible.",
    _tests_a_machine_in_service: "is in service; only one that was taken out is tested.",
    _wrong_mode: "WRONG MODE: SELECT RABBIT HUNTER OR SIX CARD POKER",
    _swaps_freely: "came into use without the seven steps of a replacement.",
    _fault_without_line: "the fault has no message line.",
    _more_faults: "the standing has shufflers that differ from what the events before it give.",
    _forgets_the_machines: "the standing lacks the shufflers.",
    _opens_with_a_new_past: "it was opened with shufflers that differ from those at its last close.",
    _by_hand_with_machines: "A table is dealt by hand only after both shufflers are out of service.",
}


@pytest.mark.parametrize("forge", FORGED, ids=lambda forge: forge.__name__)
def test_a_forged_act_at_a_shuffler_is_found(
    forge: Callable[[Events], None], packet_folder: Path, tmp_path: Path
) -> None:
    with Ledger.open(rewrite_ledger(packet_folder, tmp_path, forge), writer=False) as ledger:
        report = verify(ledger, fast=True)
    assert any(FORGED[forge] in problem.sentence for problem in report.problems), report.problems[:5]


def test_the_forged_ledger_was_sound_before(packet_folder: Path) -> None:
    with Ledger.open(packet_folder / "ledger.sqlite", writer=False) as ledger:
        assert verify(ledger, fast=True).sound
    assert {"replacement-step", "hand-dealing"} <= {event["kind"] for event in read_events(packet_folder)}


# -- In a pit ---------------------------------------------------------------------------------------


async def test_a_pit_goes_on_in_the_middle_of_a_replacement(tmp_path: Path) -> None:
    pit = Pit(tmp_path)
    await pit.start()
    await pit.demo()
    live = pit.table("rabbit-hunter-1")
    await pit.give(lambda cage: cage.plan_welcome("ann"))
    await live.act(lambda table: table.sit("ann", 0, 50_000))
    for fault in ("short deck", "long deck", "jam"):
        if live.table.machines.guide:
            await live.act(lambda table: table.consult_guide("sue"))
        await live.act(lambda table, fault=fault: table.drill("sue", fault))
        await live.act(lambda table: table.wager("ann", 0, {"ante": 500}))
        await live.act(lambda table: table.no_more_bets("sue"))
    for step in (1, 2, 3):
        await live.act(lambda table, step=step: table.confirm_step("sue", step))
    pit.ledger.close()
    pit = Pit(tmp_path)
    await pit.start()
    live = pit.table("rabbit-hunter-1")
    assert live.table.machines.why_waiting.endswith(
        "next is step 4: Plug in the power cord and the data cable."
    )
    for step in (4, 5, 6, 7):
        await live.act(lambda table, step=step: table.confirm_step("sue", step))
    assert (live.table.machines.in_use, live.table.machines.main.out) == (BACKUP, True)
    await live.act(lambda table: table.close("sue"))
    again = await pit.open_table("rabbit-hunter-1", HUNTER, "house", STANDARD_LIMITS, Timers())
    assert again.table.machines.in_use == BACKUP, "the main shuffler is out of service until it is tested"
    await pit.stop()
