"""A pit that an earlier feltlab left behind, under digests of whole source files, opens as it was.

`first_pit/pit.zip` is the folder of that pit, and `first_pit/make.txt` the script that made it.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from zipfile import ZipFile

import pytest

from feltlab.core.limits import STANDARD_LIMITS
from feltlab.games import rules_history
from feltlab.games.rules_history import Wording, wordings_of
from feltlab.ledger.event import HOUSE_CHAIN, Draft
from feltlab.ledger.ledger import Ledger
from feltlab.pit.approvals import CARRIED_OVER
from feltlab.pit.approvals.approval import GRANDFATHERED
from feltlab.pit.approvals.register import SIDES_ADOPTED
from feltlab.pit.pit import Pit, today
from feltlab.pit.recorded_round import load_last_rounds, load_round
from feltlab.pit.replay import replay_round
from feltlab.pit.roles import Forbidden
from feltlab.pit.seats import Phase, Timers
from feltlab.pit.table import Table
from feltlab.pit.verify import verify
from tests.support.approving import ANN, RITA

OPEN = ("casino-war", "rabbit-hunter", "triple-shot-rummy", "triple-shot-bonus", "eight-decks", "generous")
CLOSED = "high-five-poker"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with ZipFile(Path(__file__).parent / "first_pit" / "pit.zip") as archive:
        archive.extractall(tmp_path)
    (tmp_path / "vault.key").chmod(0o600)
    return tmp_path


@asynccontextmanager
async def running(folder: Path) -> AsyncIterator[Pit]:
    pit = Pit(folder)
    await pit.start()
    try:
        yield pit
    finally:
        await pit.stop()


def problems(folder: Path) -> list[str]:
    with Ledger.open(folder / "ledger.sqlite", writer=False) as ledger:
        return [str(problem) for problem in verify(ledger).problems]


async def play(pit: Pit, name: str) -> Table:
    """A round by the house rule at a table with two players."""
    live = pit.table(name)
    round = live.table.round
    spots = [spot for spot in live.table.game.wagers if live.table.game.is_required(spot)]
    wagers = {spot.name: 1000 for spot in spots or live.table.game.wagers}
    if not live.table.bettors:
        await live.act(lambda table: table.wager("ann", 0, wagers))
    if live.table.phase == Phase.BETTING:
        await live.act(lambda table: table.no_more_bets())
    while live.table.round == round:
        await live.act(lambda table: table.time_is_up())
    return live.table


async def test_its_tables_are_open_with_their_players_and_money(folder: Path) -> None:
    async with running(folder) as pit:
        assert {name for name in pit.tables if pit.table(name).table.phase != Phase.CLOSED} == {*OPEN}
        for name in OPEN:
            table = pit.table(name).table
            assert [place.player for place in table.places if place] == ["ann", "bob"]
            assert table.chips == 2 * 14_000 - table.meters.win
            assert (table.meters.rounds, table.digest) == (2, table.game.digest)
        assert pit.table("triple-shot-rummy").table.phase == Phase.CHOOSING
        assert pit.table("eight-decks").table.bettors == [0, 1]


async def test_its_events_explain_what_was_carried_over(folder: Path) -> None:
    async with running(folder) as pit:
        for name in OPEN:
            (event,) = pit.ledger.events(name, kinds=("carried-over",))
            (opened,) = pit.ledger.events(name, kinds=("opened",))
            assert (event.data["from"], event.data["to"]) == (
                opened.data["digest"],
                pit.table(name).table.game.digest,
            )
            assert "every outcome and pay is the same." in event.data["why"]
            assert event.data["why"].endswith("no rule changed.")
        house = list(pit.ledger.events(HOUSE_CHAIN, kinds=(CARRIED_OVER, "approval-lapsed")))
        assert [(event.kind, event.data["approval"]) for event in house] == [
            (CARRIED_OVER, number) for number in range(1, 8)
        ]
        assert all(approval.state == "approved" for approval in pit.approvals)


async def test_its_approvals_remain_and_say_that_the_house_gave_them(folder: Path) -> None:
    for _ in range(2):
        async with running(folder) as pit:
            (event,) = pit.ledger.events(HOUSE_CHAIN, kinds=(SIDES_ADOPTED,))  # once, however often it starts
            assert event.data["approvals"] == list(range(1, 8))
            assert all(approval.caution == GRANDFATHERED for approval in pit.approvals)
            assert not any(list(pit.approvals.conditions(approval, today())) for approval in pit.approvals)
            with pytest.raises(Forbidden, match="'revoke' is a step of the state"):
                pit.approvals.step(1, "revoke", ANN, today(), "unsafe")
    async with running(folder) as pit:
        await pit.decide(lambda register: register.step(1, "revoke", RITA, today(), "unsafe"))
        assert pit.table("casino-war").table.closes or pit.table("casino-war").table.phase == Phase.CLOSED


async def test_rounds_go_on_and_the_ledger_is_sound(folder: Path) -> None:
    assert problems(folder) == []
    async with running(folder) as pit:
        for name in OPEN:
            table = await play(pit, name)
            assert table.meters.rounds == 3
            recorded = load_round(pit.ledger, name, table.round - 1)
            assert (recorded.digest, recorded.under_other_rules) == (table.game.digest, False)
    async with running(folder) as pit:  # carried over once: the next start finds nothing to do
        assert all(len(list(pit.ledger.events(name, kinds=("carried-over",)))) == 1 for name in OPEN)
        assert all(pit.table(name).table.digest == pit.table(name).table.game.digest for name in OPEN)
    assert problems(folder) == []


async def test_rounds_of_the_earlier_wording_are_rounds_of_the_same_rules(folder: Path) -> None:
    async with running(folder) as pit:
        for name in (*OPEN, CLOSED):
            first, *_ = load_last_rounds(pit.ledger, name, 2)
            assert first.digest != first.game.digest
            assert not first.under_other_rules
            assert replay_round(first).sentences == []
        report = verify(pit.ledger)
    assert (report.replayed, report.under_other_rules) == (14, 0)


async def test_a_closed_table_opens_again_with_its_meters(folder: Path) -> None:
    async with running(folder) as pit:
        before = pit.table(CLOSED).table
        live = await pit.open_table(CLOSED, before.game, "house", STANDARD_LIMITS, Timers())
        assert live.table.meters == before.meters
        assert live.table.meters.rounds == 2
    assert problems(folder) == []


async def test_an_insider_who_carries_over_to_other_rules_is_found(folder: Path) -> None:
    other = "0" * 64
    async with running(folder) as pit:
        digest = pit.approvals[1].digest
        about = {
            "by": "house",
            "day": "2026-11-16",
            "why": "No rule has changed.",
            "to": other,
            "side": "server",
        }
        of_table = {**about, "from": digest}
        await pit.table("casino-war").act(lambda table: table._record("carried-over", of_table))
        await pit.note(
            Draft(
                HOUSE_CHAIN, CARRIED_OVER, {**about, "from": other, "approval": 1, "options": {"decks": "6"}}
            )
        )
    assert [problem.partition(": ")[2] for problem in problems(folder)] == [
        "it was carried over to rules that are not the same.",
        "Approval 1 of casino-war was carried over from a digest that it did not have.",
    ]


# -- If a rule had changed --------------------------------------------------------------------------


@pytest.fixture
def changed_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    """A history in which the last wording of every game changed a rule."""

    def changed(name: str) -> tuple[Wording, ...]:
        *before, last = wordings_of(name)
        why = "A tie pays more."
        return (*before, Wording(last.date, last.version, True, why, last.rules_digest, last.new_options))

    monkeypatch.setattr(rules_history, "wordings_of", changed)
    rules_history._place_of.cache_clear()


@pytest.mark.usefixtures("changed_rule")
async def test_a_changed_rule_lapses_approvals_and_closes_tables_with_the_reason(folder: Path) -> None:
    async with running(folder) as pit:
        assert all(live.table.phase == Phase.CLOSED for live in pit.tables.values())
        assert {approval.state for approval in pit.approvals} == {"lapsed"}
        assert all(approval.done[-1].note.endswith("A tie pays more.") for approval in pit.approvals)
        for name in ("triple-shot-rummy", "eight-decks"):
            (void,) = pit.ledger.events(name, kinds=("void",))
            assert void.data["reason"].endswith("A tie pays more.")
        held = sum(pit.cage.balance(player) for player in ("ann", "bob"))
        assert held + pit.cage.at_tables == pit.cage.issued
        won = sum(live.table.meters.win for live in pit.tables.values())
        assert held + won == pit.cage.issued
    assert problems(folder) == []


@pytest.mark.usefixtures("changed_rule")
async def test_a_closed_table_of_changed_rules_opens_with_new_meters(folder: Path) -> None:
    async with running(folder) as pit:
        await pit.demo()
        live = await pit.open_table(
            "war-2", pit.table("casino-war").table.game, "house", STANDARD_LIMITS, Timers()
        )
        assert live.table.meters.rounds == 0
        again = await pit.open_table("casino-war", live.table.game, "house", STANDARD_LIMITS, Timers())
        assert again.table.meters.rounds == 0
    assert problems(folder) == []
