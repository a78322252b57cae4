"""No way leads around the guide, the seven steps and the test: not by closing, renaming or a mode."""

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
from feltlab.pit.accounts import ADMIN
from feltlab.pit.pit import Pit
from feltlab.pit.roles import Role
from feltlab.pit.seats import Phase, Timers
from feltlab.pit.shufflers.install import (
    STANDARD_TERMS,
    MachineTerms,
    ShufflerTerms,
    install_machines,
)
from feltlab.pit.shufflers.machines import Patience
from feltlab.pit.table import Table
from feltlab.pit.verify import verify
from feltlab.pit.view import view
from feltlab.shuffling.machine import BACKUP, HAND, MAIN
from tests.support.felt import BY_HAND, Felt, kinds, refused
from tests.support.insider import Events, rewrite_ledger

RUMMY, HUNTER, WAR = GAMES["triple-shot-rummy"], GAMES["rabbit-hunter"], GAMES["casino-war"]
POKER = GAMES["high-five-poker"]
TABLE = "rabbit-hunter-1"
WAITS_FOR_GUIDE = "The shuffler shows 'JAM: CLEAR THE PATH': its guide is consulted before the next round."


def fail(felt: Felt, times: int = 1) -> Felt:
    for _ in range(times):
        if felt.machines.guide:
            felt.consult_guide("dan")
        felt.drill("boss", "short deck" if felt.machines.in_use == HAND else "jam")
        felt.wagered().no_more_bets()
    return felt


def confirm_steps(felt: Felt, last: int) -> Felt:
    for step in range(felt.machines.step + 1, last + 1):
        felt.confirm_step("dan", step)
    return felt


def reopen(felt: Felt, game: Game | None = None, terms: ShufflerTerms = STANDARD_TERMS) -> Felt:
    """The table after it was closed, if it is open, and opened again."""
    if felt.phase != Phase.CLOSED:
        felt.close("boss")

    def change(table: Table) -> Table:
        known = {"cycles": table.cycles, "round": table.round, "meters": table.meters}
        fresh = Table(table.name, game or table.game, table.limits, table.timers, **known)
        machines = install_machines(fresh.game, table.name, table.machines, terms)
        return replace(fresh, machines=machines).open("boss", 1)

    felt.act(change)
    return felt


# -- Closing and opening ----------------------------------------------------------------------------


def test_the_guide_is_due_after_the_table_was_closed_and_opened() -> None:
    felt = reopen(fail(Felt(HUNTER, timers=BY_HAND)))
    felt.wagered()
    assert refused(felt, "no_more_bets") == felt.machines.why_waiting == WAITS_FOR_GUIDE
    assert (felt.message, felt.machines.in_use) == ("JAM: CLEAR THE PATH", MAIN)
    felt.consult_guide("dan")
    felt.no_more_bets()
    assert (felt.machines.main.in_row, felt.machines.main.faults) == (0, 1)


@pytest.mark.parametrize("confirmed", range(7))
def test_a_replacement_goes_on_at_its_step_after_the_table_was_closed_and_opened(confirmed: int) -> None:
    felt = reopen(confirm_steps(fail(Felt(HUNTER, timers=BY_HAND), 3), confirmed))
    felt.wagered()
    assert f"next is step {confirmed + 1}: " in refused(felt, "no_more_bets")
    assert felt.machines.in_use == (BACKUP if confirmed >= 3 else MAIN)
    confirm_steps(felt, 7)
    felt.no_more_bets()
    assert (felt.machines.in_use, felt.machines.main.out) == (BACKUP, True)


@pytest.mark.parametrize("confirmed", range(7))
def test_a_machine_that_is_off_never_shuffles(confirmed: int) -> None:
    """While it is off, the dealer shuffles cards that are never dealt: the other machine shuffles last."""
    felt = confirm_steps(fail(Felt(HUNTER, timers=BY_HAND), 3), confirmed)
    before = felt.machines
    reopen(felt)
    felt.wagered().void("boss", "Spill.")
    name = HAND if 1 <= confirmed <= 4 else before.in_use
    assert felt.machines[name].cycles == before[name].cycles + 2
    assert felt.current_shuffle.shuffler == name
    assert confirm_steps(felt, 7).current_shuffle.shuffler == BACKUP


@pytest.mark.parametrize("confirmed", [-1, 0, 3])  # -1: the guide is due
@pytest.mark.parametrize(
    "terms",
    [
        ShufflerTerms(main=MachineTerms(serial="new")),
        ShufflerTerms(backup=MachineTerms(serial="new")),
        ShufflerTerms(main=MachineTerms(mode="Six Card Poker")),
        ShufflerTerms(main=MachineTerms(model="i-Deal")),
        ShufflerTerms(patience=Patience(100, 100, 100)),
    ],
)
def test_a_table_whose_shuffler_has_to_be_served_opens_with_the_same_machines(
    confirmed: int, terms: ShufflerTerms
) -> None:
    felt = fail(Felt(HUNTER), 1 if confirmed < 0 else 3)
    felt.close("boss") if confirmed < 1 else confirm_steps(felt, confirmed).close("boss")
    with pytest.raises(Refused, match="Until then the table opens only with the shufflers as they are"):
        reopen(felt, terms=terms)
    with pytest.raises(Refused, match="Until then the table opens only"):
        reopen(felt, WAR)
    assert reopen(felt).machines.why_waiting


def test_a_guide_of_the_hand_is_due_after_opening_and_no_machine_takes_its_place() -> None:
    by_hand = RUMMY.with_options({"dealt-by": "hand"})
    felt = reopen(fail(Felt(by_hand, timers=BY_HAND)))
    assert (felt.machines.in_use, felt.machines.guide) == (HAND, "short deck")
    felt.close("boss")
    with pytest.raises(Refused, match="Until then"):
        reopen(felt, HUNTER)
    felt = fail(Felt(RUMMY, timers=BY_HAND))
    felt.close("boss")
    with pytest.raises(Refused, match="Until then"):
        reopen(felt, by_hand)


def test_a_machine_comes_back_as_it_was_taken_away() -> None:
    """Other serial names for a while, or the other place, do not put a machine in service."""
    felt = confirm_steps(fail(Felt(HUNTER), 3), 7)
    main, backup = felt.machines.main, felt.machines.backup
    reopen(felt, terms=ShufflerTerms(main=MachineTerms(serial="new")))
    assert (felt.machines.in_use, felt.machines.removed) == (MAIN, (main,))
    assert felt.folded().machines.removed == (main,)
    reopen(felt, terms=ShufflerTerms(MachineTerms(serial="new"), MachineTerms(serial=main.serial)))
    assert (felt.machines.backup.out, felt.machines.backup.faults, felt.machines.removed) == (True, 3, ())
    assert not backup.is_suspect, "one that did not fail is not remembered"


def test_a_tested_machine_comes_in_by_the_steps_after_the_table_closed_for_want_of_one() -> None:
    felt = fail(confirm_steps(fail(Felt(HUNTER), 3), 7), 3)
    assert felt.phase == Phase.CLOSED
    felt.test_shuffler("sue", MAIN)
    reopen(felt)
    assert felt.machines.why_waiting.startswith("The backup shuffler failed continually")
    assert felt.current_shuffle.shuffler == HAND, "the machine in use is out of service"
    assert confirm_steps(felt, 7).machines.in_use == MAIN
    felt.dealt()


def test_a_machine_that_is_tested_where_both_were_out_shuffles_again() -> None:
    felt = fail(confirm_steps(fail(Felt(RUMMY, timers=Timers(choosing=0)), 3), 7), 3)
    assert (felt.current_shuffle.shuffler, felt.machines.is_stuck) == (HAND, True)
    assert kinds(felt.test_shuffler("sue", BACKUP)) == ["shuffler-tested", "order", "shuffled"]
    assert (felt.current_shuffle.shuffler, felt.message, felt.machines.why_waiting) == (BACKUP, "READY", "")
    felt.dealt()


def test_a_table_that_is_dealt_by_hand_speaks_of_a_count_and_not_of_a_shuffler() -> None:
    felt = fail(Felt(RUMMY.with_options({"dealt-by": "hand"}), timers=BY_HAND))
    count = "The dealer's count shows 'DECK SHORT: 51 OF 52 CARDS'"
    shown = view(felt.table)
    assert shown["void"] == f"{count}, and no card is dealt."
    assert shown["waits"] == f"{count}: the guide is consulted before the next round."
    assert refused(felt, "consult_guide", "dan", "jam") == "The dealer's count shows a short deck, not a jam."
    felt.consult_guide("dan")
    assert refused(felt, "consult_guide", "dan").startswith("The dealer's count shows no fault")


# -- Hands delivered --------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_each_hand_is_counted_once_in_a_round(game: Game) -> None:
    felt = Felt(game)
    for n in range(1, 9):
        felt.dealt((0, 1))
        while felt.phase != Phase.BETTING:
            choices = felt.rounds[felt.turn].choices if felt.turn is not None else ()
            raises = [choice for choice in ("war", "hit", "split") if choice in choices]
            felt.choose(f"player {felt.turn}", felt.turn, raises[0]) if raises else felt.time_is_up()
        assert felt.machines.main.hands == n * 3, "two seats and the dealer"


def _name_all_hands_in_each_event(events: Events) -> None:
    """As an earlier feltlab wrote it: every event of a round that shows cards counts all hands."""
    extra: dict[tuple[str, str], int] = {}
    hands: dict[str, int] = {}
    shuffler: dict[str, str] = {}
    for event in events:
        chain, data = event["chain"], event["data"]
        if event["kind"] == "shuffled":
            shuffler[chain] = data["shuffler"]
        elif event["kind"] == "dealt" and data["hands"]:
            hands[chain] = data["hands"]
        elif event["kind"] == "dealt":
            by = chain, shuffler[chain]
            data["hands"] = hands[chain]
            extra[by] = extra.get(by, 0) + hands[chain]
        for (of, name), count in extra.items() if "machines" in data else ():
            if of == chain:
                machine = data["machines"][name]
                machine["hands"] = machine.get("hands", 0) + count


def test_a_ledger_that_counted_hands_with_each_event_is_sound(packet_folder: Path, tmp_path: Path) -> None:
    path = rewrite_ledger(packet_folder, tmp_path, _name_all_hands_in_each_event)
    with Ledger.open(path, writer=False) as ledger:
        assert [problem.sentence for problem in verify(ledger, fast=True).problems] == []


@pytest.mark.parametrize("first", [True, False])
def test_a_forged_number_of_hands_is_found(first: bool, packet_folder: Path, tmp_path: Path) -> None:
    def forge(events: Events) -> None:
        dealt = [event["data"] for event in events if event["kind"] == "dealt"]
        next(data for data in dealt if bool(data["hands"]) == first)["hands"] += 1

    with Ledger.open(rewrite_ledger(packet_folder, tmp_path, forge), writer=False) as ledger:
        found = [problem.sentence for problem in verify(ledger, fast=True).problems]
    assert any("hands are counted as delivered" in sentence for sentence in found), found[:5]


# -- Modes, tests and serial names ------------------------------------------------------------------


@pytest.mark.parametrize("confirmed", range(7))
@pytest.mark.parametrize("name", ["", MAIN, BACKUP])
def test_no_mode_is_selected_while_a_shuffler_is_replaced(confirmed: int, name: str) -> None:
    felt = confirm_steps(fail(Felt(HUNTER), 3), confirmed)
    assert f"next is step {confirmed + 1}: " in refused(felt, "select_mode", "sue", "Six Card Poker", name)


def test_no_mode_is_selected_before_the_guide_is_consulted() -> None:
    assert refused(fail(Felt(HUNTER)), "select_mode", "sue", "Six Card Poker") == WAITS_FOR_GUIDE


@pytest.mark.parametrize("confirmed", range(1, 7))
def test_a_machine_is_tested_after_the_last_step_only(confirmed: int) -> None:
    felt = confirm_steps(fail(Felt(HUNTER), 3), confirmed)
    for passed in (True, False):
        sentence = refused(felt, "test_shuffler", "sue", MAIN, passed)
        assert sentence.endswith("is being replaced; a test comes after step 7: Resume play.")
    felt.close("boss")
    refused(felt, "test_shuffler", "sue", MAIN)
    reopen(felt)
    confirm_steps(felt, 7).test_shuffler("sue", MAIN)
    assert not felt.machines.main.out


@pytest.mark.parametrize(
    "terms",
    [
        ShufflerTerms(MachineTerms(serial="S1"), MachineTerms(serial="S1")),
        ShufflerTerms(MachineTerms(serial="S1"), MachineTerms(serial=" s1 ")),
        ShufflerTerms(MachineTerms(serial="east-backup")),
    ],
)
def test_two_machines_have_two_serial_names(terms: ShufflerTerms) -> None:
    with pytest.raises(Refused, match="cannot both have the serial name"):
        install_machines(POKER, "east", terms=terms)


# -- In a ledger ------------------------------------------------------------------------------------


async def _fail_in(pit: Pit, times: int) -> None:
    live = pit.table(TABLE)
    for _ in range(times):
        if live.table.machines.guide:
            await live.act(lambda table: table.consult_guide("sue"))
        await live.act(lambda table: table.drill("sue", "jam"))
        await live.act(lambda table: table.wager("ann", 0, {"ante": 500}))
        await live.act(lambda table: table.no_more_bets("sue"))


async def _reopen_in(pit: Pit) -> None:
    live = pit.table(TABLE)
    await live.act(lambda table: table.close("sue"))
    await pit.open_table(TABLE, HUNTER, "sue", STANDARD_LIMITS, Timers())
    await live.act(lambda table: table.sit("ann", 0, 20_000))


@pytest.fixture
async def folder(tmp_path: Path) -> Path:
    """A ledger with a table that is closed and opened before the guide, and in the middle of the steps."""
    folder = tmp_path / "sound"
    pit = Pit(folder)
    await pit.start()
    await pit.demo()
    for change in (
        pit.accounts.ensure_administrator(),
        pit.accounts.create("sue", "a long password", Role.SUPERVISOR, ADMIN),
    ):
        assert change
        await pit.note(*change.drafts)
    await pit.give(lambda cage: cage.plan_welcome("ann"))
    live = pit.table(TABLE)
    await live.act(lambda table: table.sit("ann", 0, 20_000))
    await _fail_in(pit, 1)
    await _reopen_in(pit)
    await _fail_in(pit, 2)
    for step in range(1, 8):
        await live.act(lambda table, step=step: table.confirm_step("sue", step))
        if step == 4:
            await _reopen_in(pit)
    await live.act(lambda table: table.test_shuffler("sue", MAIN))
    await live.act(lambda table: table.select_mode("sue", "Six Card Poker"))
    await pit.stop()
    return folder


def _find(events: Events, kind: str, **data: Any) -> int:
    return next(
        n
        for n, event in enumerate(events)
        if (event["chain"], event["kind"]) == (TABLE, kind)
        and all(event["data"].get(key) == value for key, value in data.items())
    )


def _forget(events: Events, has: str) -> None:
    """Openings and snapshots forget what was due at the machine."""
    opened = _find(events, "opened") + 1
    for event in events[opened + _find(events[opened:], "opened") :]:
        machines = event["data"].get("machines", {})
        if event["chain"] == TABLE and machines.get(has):
            for name in ("guide", "shows", "step"):
                del machines[name]


def _forget_the_guide(events: Events) -> None:
    _forget(events[: _find(events, "guide-consulted")], "guide")


def _forget_the_steps(events: Events) -> None:
    _forget(events, "step")


def _select_a_mode_at_step_2(events: Events) -> None:
    mode = events.pop(_find(events, "mode-selected"))
    mode["data"]["shuffler"] = MAIN
    events.insert(_find(events, "replacement-step", step=2) + 1, mode)


def _test_at_step_3(events: Events) -> None:
    tested = events.pop(_find(events, "shuffler-tested"))
    events.insert(_find(events, "replacement-step", step=3) + 1, tested)


def _shuffle_with_a_machine_that_is_off(events: Events) -> None:
    at = _find(events, "shuffled", shuffler=HAND)
    events[at]["data"]["shuffler"] = BACKUP


def _share_a_serial(events: Events) -> None:
    machines = events[_find(events, "opened")]["data"]["machines"]
    machines["backup"]["serial"] = machines["main"]["serial"]


FORGED: dict[Callable[[Events], None], str] = {
    _forget_the_guide: "it was opened with shufflers that differ from those at its last close.",
    _forget_the_steps: "it was opened with shufflers that differ from those at its last close.",
    _select_a_mode_at_step_2: "it happened while the table had to wait. The main shuffler failed",
    _test_at_step_3: "'shuffler-tested' was not possible. The main shuffler is being replaced; a test",
    _shuffle_with_a_machine_that_is_off: "the backup shuffler shuffled the cards; the dealer had to.",
    _share_a_serial: "cannot both have the serial name",
}


async def test_every_way_around_the_procedure_is_found_in_a_ledger(folder: Path, tmp_path: Path) -> None:
    with Ledger.open(folder / "ledger.sqlite", writer=False) as ledger:
        assert [problem.sentence for problem in verify(ledger).problems] == []
    for forge, sentence in FORGED.items():
        into = tmp_path / forge.__name__
        into.mkdir()
        with Ledger.open(rewrite_ledger(folder, into, forge), writer=False) as ledger:
            found = [problem.sentence for problem in verify(ledger, fast=True).problems]
        assert any(sentence in problem for problem in found), (forge.__name__, found[:5])
